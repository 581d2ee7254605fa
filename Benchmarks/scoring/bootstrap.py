# SPDX-License-Identifier: MIT
"""Intervals of the figures over random samples of the recordings: the bootstrap."""

import random

from .scores import Score, part_of, union
from .traces import RATE, REAL, SYNTHETIC

SEED = 13
COVERED = 0.95


class Resampling:
    """The scores of each recording, arranged for fast resampling."""

    def __init__(self, scores_of_traces):
        self.scores = [union(scores, REAL + SYNTHETIC) for scores in scores_of_traces]
        self.delays = sorted((delay, index) for index, score in enumerate(self.scores) for delay in score.delays)

    def figures(self, times):
        """(wrong rotations an hour, median, 95 %), each recording taken as often as in `times`."""
        total = Score()
        for number, score in zip(times, self.scores):
            total.samples += number * score.samples
            total.spurious += number * score.spurious
        delays = [delay for delay, index in self.delays for _ in range(times[index])]
        return total.spurious_per_hour(), part_of(delays, 0.5), part_of(delays, 0.95)


def samples(number, length):
    chance = random.Random(SEED)
    for _ in range(number):
        times = [0] * length
        for index in chance.choices(range(length), k=length):
            times[index] += 1
        yield times


def intervals(scores_of_traces, number):
    """(low, high) of each of the three figures in 95 of 100 samples."""
    scores = [each for each in scores_of_traces if union(each, REAL + SYNTHETIC).samples]
    resampling = Resampling(scores)
    columns = zip(*(resampling.figures(times) for times in samples(number, len(scores))))
    low, high = (1 - COVERED) / 2, (1 + COVERED) / 2
    return [(part_of(sorted(column), low), part_of(sorted(column), high)) for column in columns]
