# SPDX-License-Identifier: MIT
"""The measurements of the compared programs. They alternate in one run, since a machine's speed
varies."""

import contextlib
import math
import statistics

from .child_processes import let_pass
from .process_costs import Cost, anonymous
from .daemon import ACCELERATIONS
from .peer_programs import PeerBench

SECONDS_OF_REST = 12.0
SECONDS_TO_REST = 35.0  # until the daemon reads a device at rest as seldom as it ever does
SECONDS_AFTER_START = 2.0
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
def peer_benches(place, peers):
    """A bench for each, in directories whose names begin with `place`: a sway that runs as nobody cannot enter deeper ones."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(PeerBench(f"{place}{number}", peer)) for number, peer in enumerate(peers)]


def memory(all_benches):
    """Kilobytes of each, and of the sensor service that it needs, a moment after its start."""
    let_pass(SECONDS_AFTER_START)
    return [" + proxy ".join(str(sum(map(anonymous, numbers))) for numbers in peer_bench.counted() if numbers)
            for peer_bench in all_benches]


def rotations(all_benches, count, rest=0.0):
    """`count` new device orientations of each, in turn; each has rested for so long."""
    found = [[peer_bench.rotate(rest) for peer_bench in all_benches] for _ in range(count)]
    return [Delays(each) for each in zip(*found)]


def still(all_benches, seconds):
    """The cost of each per minute while its device is at rest: all at once, so that conditions are equal."""
    let_pass(SECONDS_TO_REST)
    costs = [[Cost(numbers) for numbers in peer_bench.counted() if numbers] for peer_bench in all_benches]
    let_pass(seconds)
    for peer_bench in all_benches:
        peer_bench.check()
    return [" + proxy ".join(_a_minute(*cost.so_far(), seconds) for cost in each) for each in costs]


def _a_minute(nanoseconds, switches, seconds):
    return f"{nanoseconds / 1e6 * 60 / seconds:.0f} and {switches * 60 / seconds:.0f}"


def starts(all_benches, count=STARTS):
    """From the start of each process to the first correct screen, with the device held left edge up."""
    found = [[_start(peer_bench) for peer_bench in all_benches] for _ in range(count)]
    return [Delays(each) for each in zip(*found)]


def _start(peer_bench):
    """None where it shows nothing."""
    peer_bench.restore_rotation()
    peer_bench.restart_sensor_service()
    peer_bench.session.accelerate(*ACCELERATIONS["left"])
    began = peer_bench.start()
    shown = peer_bench.await_shown("left", began)
    peer_bench.end()
    return shown and shown - began
