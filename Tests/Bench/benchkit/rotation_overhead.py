# SPDX-License-Identifier: MIT
"""A rotation by the daemon compared with the bare calls that every rotation needs, in C, alternating on the same server."""

import os
import re
import statistics
import time

from . import c_programs, process_costs
from .child_processes import Failed, let_pass
from .daemon import ACCELERATIONS
from .peer_programs import PeerBench, autorotate
from .windows import Windows

ROUNDS = 3
PAUSE = 0.5  # seconds between rotations, the same for both
SECONDS_OF_FOCUS_DELAY = 0.15  # the daemon's delay by design after a change of focus
WIDTH, HEIGHT = 1280, 800
RULE = 'match = ["player"]\nsupported = ["landscape"]\n'


class Comparison:
    """Milliseconds of both, and how often the daemon was switched to in a rotation."""

    def __init__(self):
        self.ours, self.bare, self.looking, self.switches = [], [], [], []

    def __str__(self):
        ours, bare = statistics.median(self.ours), statistics.median(self.bare)
        switches = f", {statistics.median(self.switches):.0f} wake-ups a rotation" if self.switches else ""
        looking = f", {statistics.median(self.looking) / bare:.2f} with a look behind it" if self.looking else ""
        return f"{ours / bare:.2f} times ({ours:.2f} of {bare:.2f} ms{looking}{switches})"


class Stamps:
    """The moments at which a daemon announces its rotations, recorded by a library that is preloaded into it."""

    def __init__(self, session):
        self.library = c_programs.stamps(session.directory)
        self.path = os.path.join(session.directory, "stamps")

    def environment(self, preloaded):
        """For the daemon. `preloaded`: the bench's own libraries."""
        return {"LD_PRELOAD": f"{self.library}:{preloaded}", "AUTOROTATE_STAMPS": self.path}

    def count(self):
        """How many rotations have ended."""
        return sum(word == "DidRotate" for _moment, word in self._words())

    def last(self):
        """Milliseconds from the latest WillRotate to its DidRotate."""
        latest = {word: float(moment) for moment, word in self._words()}
        return 1000 * (latest["DidRotate"] - latest["WillRotate"])

    def _words(self):
        with open(self.path, encoding="utf-8") as file:
            return [line.split()[:2] for line in file if line.endswith("\n")]


class TimestampedDaemon:
    """A running daemon with such stamps."""

    def __init__(self, peer_bench):
        self.peer_bench = peer_bench
        self.stamps = Stamps(peer_bench.session)

    def __enter__(self):
        self.peer_bench.start(**self.stamps.environment(self.peer_bench.session.device_env["LD_PRELOAD"]))
        self.peer_bench.await_start()
        let_pass(1)
        return self

    def __exit__(self, *_error):
        self.peer_bench.end()


def rotations(directory, server, count):
    """`count` rotations of each, in rounds."""
    found = Comparison()
    with PeerBench(directory, autorotate(server, "iio")) as peer_bench:
        for _round in range(ROUNDS):
            with TimestampedDaemon(peer_bench) as daemon:
                _rotate(peer_bench, daemon, found, count // ROUNDS)
            peer_bench.restore_rotation()
            _bare(peer_bench.session, found, count // ROUNDS)
            peer_bench.restore_rotation()
    return found


def _bare(session, found, count):
    if not session.compositor:
        found.bare += _bare_randr(session, count)
        return
    found.bare += bare_sway(session, count)
    found.looking += bare_sway(session, count, "look")


def _rotate(peer_bench, daemon, found, count):
    """There and back, as the bare calls rotate."""
    for number in range(count):
        target = ("left", "normal")[number % 2]
        cost, held = process_costs.Cost([peer_bench.process.pid]), time.monotonic()
        peer_bench.session.accelerate(*ACCELERATIONS[target])
        if not peer_bench.await_shown(target, held):
            raise Failed(f"{peer_bench.peer.name} does not rotate the screen: {target} was not shown")
        let_pass(PAUSE)
        peer_bench.check()
        found.switches.append(cost.so_far()[1])
        found.ours.append(daemon.stamps.last())


def bare_sway(session, count, *more):
    """The milliseconds of each rotation by the bare IPC command, on a panel of this size at 0,0."""
    program = c_programs.bare("bare-sway", "", session.directory)
    result = session.run(program, session.panel, session.compositor.neighbour, WIDTH, HEIGHT, count, *more,
                         timeout=120)
    return [int(line) / 1000 for line in result.stdout.split()]


def _bare_randr(session, count):
    program = c_programs.bare("bare-randr", c_programs.X11, session.directory)
    output = session.run(program, max(2, count), int(1000 * PAUSE), timeout=120).stdout
    return [float(re.search(r"median\D*([\d.]+)", output)[1]) / 1000] * count


def focus(directory, count):
    """From a change of focus to the rotated screen, without the daemon's delay, compared with the bare RandR calls."""
    found = Comparison()
    with PeerBench(directory, autorotate("xorg", "iio")) as peer_bench:
        peer_bench.session.write("config/autorotate/apps/player.toml", RULE)
        with Windows(peer_bench.session.env) as windows:
            for _round in range(ROUNDS):
                peer_bench.start()
                peer_bench.await_start()
                peer_bench.session.accelerate(*ACCELERATIONS["left"])
                peer_bench.await_shown("left", time.monotonic() - 1)
                _open(windows, found)
                found.ours += [_change_focus(peer_bench, windows, number) for number in range(count // ROUNDS)]
                peer_bench.end()
                peer_bench.restore_rotation()
                found.bare += _bare_randr(peer_bench.session, count // ROUNDS)
                peer_bench.restore_rotation()
    return found


def _open(windows, found):
    if not found.ours:
        for name in ("Xterm", "Player"):
            windows.open(name.lower(), name)
    windows.send("pretend", "player")
    let_pass(1)


def _change_focus(peer_bench, windows, number):
    name, target = (("xterm", "left"), ("player", "normal"))[number % 2]
    began = time.monotonic()
    windows.send("pretend", name)
    shown = peer_bench.await_shown(target, began)
    let_pass(PAUSE)
    return 1000 * (shown - began - SECONDS_OF_FOCUS_DELAY)
