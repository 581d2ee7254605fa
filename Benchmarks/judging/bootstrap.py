# SPDX-License-Identifier: MIT
"""How far the figures would be elsewhere if these recordings had been drawn from many such: the bootstrap."""

import random

from .scores import Score, part_of, union
from .traces import RATE, REAL, SYNTHETIC

SEED = 13
COVERED = 0.95


class Drawn:
    """The scores of each recording, so laid out that drawing them anew is quick."""

    def __init__(self, scores_of_traces):
        self.scores = [union(scores, REAL + SYNTHETIC) for scores in scores_of_traces]
        self.delays = sorted((delay, index) for index, score in enumerate(self.scores) for delay in score.delays)

    def figures(self, times):
        """(wrong turns an hour, median, 95 %) where each recording counts so many times."""
        total = Score()
        for count, score in zip(times, self.scores):
            total.samples += count * score.samples
            total.spurious += count * score.spurious
        delays = [delay for delay, index in self.delays for _ in range(times[index])]
        return total.spurious_per_hour(), part_of(delays, 0.5), part_of(delays, 0.95)


def drawings(number, count):
    chance = random.Random(SEED)
    for _ in range(number):
        times = [0] * count
        for index in chance.choices(range(count), k=count):
            times[index] += 1
        yield times


def intervals(scores_of_traces, number):
    """(low, high) of each of the three figures in 95 of 100 drawings."""
    scores = [each for each in scores_of_traces if union(each, REAL + SYNTHETIC).samples]
    drawn = Drawn(scores)
    columns = zip(*(drawn.figures(times) for times in drawings(number, len(scores))))
    low, high = (1 - COVERED) / 2, (1 + COVERED) / 2
    return [(part_of(sorted(column), low), part_of(sorted(column), high)) for column in columns]
