# SPDX-License-Identifier: MIT
"""The measurements of the compared programs. They alternate in one run, since a machine's speed
varies."""

import contextlib
import math
import statistics
import time

from .process_costs import Cost, anonymous
from .daemon import HOLDS
from .peer_programs import Arena

SECONDS_OF_REST = 12.0
SECONDS_TO_CALM = 35.0  # until the daemon reads a device at rest as seldom as it ever does
SECONDS_TO_SETTLE = 2.0
STARTS = 11


class Delays:
    """Milliseconds of some rotations; missing ones are counted separately."""

    def __init__(self, seconds):
        self.milliseconds = sorted(1000 * each for each in seconds if each is not None)
        self.missed = sum(each is None for each in seconds)

    def __str__(self):
        if not self.milliseconds:
            return "never"
        late = self.milliseconds[math.ceil(0.95 * len(self.milliseconds)) - 1]
        missed = f", {self.missed} missed" if self.missed else ""
        return f"{statistics.median(self.milliseconds):.0f}/{late:.0f}{missed}"


@contextlib.contextmanager
def arenas(place, rivals):
    """A bench for each, in directories whose names begin with `place`: a sway that runs as nobody cannot enter deeper ones."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Arena(f"{place}{number}", rival)) for number, rival in enumerate(rivals)]


def memory(all_arenas):
    """Kilobytes of each, and of the sensor service that it needs, a moment after its start."""
    time.sleep(SECONDS_TO_SETTLE)
    return [" + proxy ".join(str(sum(map(anonymous, numbers))) for numbers in arena.counted() if numbers)
            for arena in all_arenas]


def turns(all_arenas, count, rest=0.0):
    """`count` new device orientations of each, in turn; each has rested for so long."""
    found = [[arena.turn(rest) for arena in all_arenas] for _ in range(count)]
    return [Delays(each) for each in zip(*found)]


def still(all_arenas, seconds):
    """The cost of each per minute while its device is at rest: all at once, so that conditions are equal."""
    time.sleep(SECONDS_TO_CALM)
    costs = [[Cost(numbers) for numbers in arena.counted() if numbers] for arena in all_arenas]
    time.sleep(seconds)
    for arena in all_arenas:
        arena.check()
    return [" + proxy ".join(_a_minute(*cost.so_far(), seconds) for cost in each) for each in costs]


def _a_minute(nanoseconds, switches, seconds):
    return f"{nanoseconds / 1e6 * 60 / seconds:.0f} and {switches * 60 / seconds:.0f}"


def starts(all_arenas, count=STARTS):
    """From the start of each process to the first correct screen, with the device held left edge up."""
    found = [[_start(arena) for arena in all_arenas] for _ in range(count)]
    return [Delays(each) for each in zip(*found)]


def _start(arena):
    """None where it shows nothing."""
    arena.restore_rotation()
    arena.restart_sensor_service()
    arena.session.accelerate(*HOLDS["left"])
    began = arena.start()
    shown = arena.await_shown("left", began)
    arena.end()
    return shown and shown - began
