# SPDX-License-Identifier: MIT
"""Defines wrong rotations, missed rotations and delays."""

import dataclasses
import math

from .traces import AMBIGUOUS, FIRM, FLAT, RATE, SECOND, UNDEFINED


@dataclasses.dataclass
class Score:
    """The sums over one set of traces."""

    samples: int = 0  # with a defined truth
    spurious: int = 0
    missed: int = 0
    delays: list = dataclasses.field(default_factory=list)
    upright: int = 0
    wrong: int = 0

    def __iadd__(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def rotations(self):
        return self.missed + len(self.delays)

    def spurious_per_hour(self):
        return self.spurious * 3600 * RATE / self.samples if self.samples else math.nan

    def missed_percent(self):
        return 100 * self.missed / self.rotations() if self.rotations() else math.nan

    def wrong_percent(self):
        return 100 * self.wrong / self.upright if self.upright else math.nan

    def delay(self, part):
        return part_of(sorted(self.delays), part)


def part_of(ascending, part):
    return ascending[round(part * (len(ascending) - 1) + 1e-9)] if ascending else math.nan


def union(scores, names):
    total = Score()
    for name in names:
        if name in scores:
            total += scores[name]
    return total


def shown_at_each_sample(rotations, length):
    shown = [None] * length
    for (time, code), (until, _) in zip(rotations, rotations[1:] + [(math.inf, None)]):
        first = math.ceil(time * RATE - 1e-6)
        last = length if until == math.inf else math.ceil(until * RATE - 1e-6)
        for index in range(max(first, 0), min(last, length)):
            shown[index] = code
    return shown


def span(trace, begin, end):
    """Indices from `begin` to `end`, in seconds, both included."""
    return slice(max(0, int(begin * RATE)), min(len(trace.strict), int(end * RATE) + 1))


def is_false(trace, time, code):
    """Whether an orientation is not true around this time; None where the truth is undefined."""
    around = span(trace, time - 1, time + 1)
    strict, lenient = trace.strict[around], trace.lenient[around]
    if all(value == UNDEFINED for value in strict):
        return None
    if code in strict or code in lenient:
        return False
    if min(strict) >= 0 and min(lenient) >= 0:
        return True
    return code not in trace.strict_now[around] and code not in trace.lenient_now[around]


def truth_left(trace, time, until, code):
    """Whether, around this stretch, one of the truths was `code` and then something else."""
    around = span(trace, time - 1, until + 1)
    for truth in (trace.strict[around], trace.lenient[around]):
        if code in truth and any(value >= 0 and value != code for value in truth[truth.index(code):]):
            return True
    return False


def is_taken_back(trace, before, rotation, after):
    if after is None or after[1] != before[1] or after[0] - rotation[0] >= 2:
        return False
    return not truth_left(trace, rotation[0], after[0], rotation[1]) and not went_back(trace, before, rotation, after)


def went_back(trace, before, rotation, after):
    """Whether the device itself went back for a moment, no later than 0.3 s after the rotation back."""
    now = trace.strict_now
    first, end = max(0, int((rotation[0] - 1) * RATE)), min(len(now), int((after[0] + 0.3) * RATE) + 1)
    if rotation[1] not in now[first:end]:
        return False
    begin = max(now.index(rotation[1], first), int(rotation[0] * RATE))
    return before[1] in now[begin:end]


def true_rotations(trace):
    """(first sample, sample after the last, code) of each firm rotation of the device from one truth to another.

    What was true when the unscored end began may still be shown until the end."""
    truth, former, index = trace.strict, UNDEFINED, 0
    scored = len(truth) - SECOND
    while index < len(truth):
        code = truth[index]
        if code == UNDEFINED:
            former = UNDEFINED
        elif code >= 0 and code != former:
            end = index
            while end < len(truth) and truth[end] in (code, AMBIGUOUS):
                end += 1
            firm = sum(truth[each] == code and bool(trace.flags[each] & FIRM) for each in range(index, end))
            if former != UNDEFINED and firm >= RATE // 2:
                yield index, len(truth) if end == scored else end, code
            former = code
        index += 1


def score(trace, rotations, stuck_is_missed=False):
    """A Score for each group of the trace.

    `stuck_is_missed`: where every rotation is followed by rest, an orientation shown already a second before was never
    left."""
    scores = {name: Score() for name in set(trace.groups)}
    shown = shown_at_each_sample(rotations, len(trace.strict))
    count_rotations(trace, rotations, scores)
    count_truth(trace, shown, scores, stuck_is_missed)
    for index, name in enumerate(trace.groups):
        strict = trace.strict[index]
        scores[name].samples += strict != UNDEFINED
        if strict >= 0 and not trace.flags[index] & FLAT:
            scores[name].upright += 1
            scores[name].wrong += shown[index] not in (strict, trace.lenient[index])
    return scores


def count_rotations(trace, rotations, scores):
    for before, rotation, after in zip(rotations, rotations[1:], rotations[2:] + [None]):
        false = is_false(trace, *rotation)
        if false is not None:
            index = min(max(round(rotation[0] * RATE), 0), len(trace.groups) - 1)
            scores[trace.groups[index]].spurious += false or is_taken_back(trace, before, rotation, after)


def count_truth(trace, shown, scores, stuck_is_missed):
    for first, end, code in true_rotations(trace):
        begin = max(0, first - SECOND)
        followed = next((index for index in range(begin, end) if shown[index] == code), None)
        if followed is None or stuck_is_missed and followed == begin:
            scores[trace.groups[first]].missed += 1
        else:
            scores[trace.groups[first]].delays.append((followed - first) / RATE)
