# SPDX-License-Identifier: MIT
"""The resources of a process: memory of its own, descriptors, threads, time."""

import collections
import dataclasses
import os
import statistics

MOST_GROWTH = 512  # KiB from the first third of a life to its last; a leak of 10 bytes a rotation is found in 100,000
FEWEST_READINGS = 6


@dataclasses.dataclass
class Reading:
    """At one quiet moment."""

    rotations: int
    kilobytes: int  # anonymous memory
    descriptors: int
    threads: int
    seconds: float  # of the processor

    def __str__(self):
        return (f"{self.kilobytes} KiB anonymous, {self.descriptors} descriptors, {self.threads} threads, "
                f"{self.seconds:.1f} s of the processor")


def read(process, rotations):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file)
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        numbers = file.read().rpartition(")")[2].split()
    ticks = int(numbers[11]) + int(numbers[12])
    return Reading(rotations, int(lines["RssAnon"].split()[0]), len(os.listdir(f"/proc/{process}/fd")),
                   int(lines["Threads"]), ticks / os.sysconf("SC_CLK_TCK"))


def kinds_of_descriptors(process):
    """To name the kinds that are too many."""
    found = collections.Counter()
    for number in os.listdir(f"/proc/{process}/fd"):
        try:
            found[os.readlink(f"/proc/{process}/fd/{number}").split(":")[0]] += 1
        except OSError:
            continue
    return dict(found)


def growth(readings):
    """What grew in one life that should not have: sentences. The first reading is left out: it warms up."""
    if len(readings) < FEWEST_READINGS:
        return []
    readings = readings[1:]
    third = len(readings) // 3
    first, last = readings[:third], readings[-third:]
    before, after = (statistics.median(each.kilobytes for each in part) for part in (first, last))
    found = []
    if after - before > MOST_GROWTH:
        found.append(f"memory grew from {before} to {after} KiB "
                     f"between rotations {first[0].rotations} and {last[-1].rotations}")
    for name in ("descriptors", "threads"):
        low, high = (statistics.median(getattr(each, name) for each in part) for part in (first, last))
        if high > low:
            found.append(f"{name} grew from {low} to {high} "
                         f"between rotations {first[0].rotations} and {last[-1].rotations}")
    return found
