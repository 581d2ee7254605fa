# SPDX-License-Identifier: MIT
"""A rotation by the daemon compared with the bare calls that every rotation needs, in C, alternating on the same server."""

import os
import re
import statistics
import time

from . import c_programs, process_costs
from .child_processes import Failed
from .daemon import HOLDS
from .peer_programs import Arena, autorotate
from .windows import Windows

ROUNDS = 3
PAUSE = 0.5  # seconds between rotations, the same for both
SECONDS_TO_SETTLE = 0.15  # the daemon's delay by design after a change of focus
WIDTH, HEIGHT = 1280, 800
RULE = 'match = ["player"]\nsupported = ["landscape"]\n'


class Comparison:
    """Milliseconds of both, and how often the daemon was switched to in a rotation."""

    def __init__(self):
        self.ours, self.bare, self.looking, self.switches = [], [], [], []

    def __str__(self):
        ours, bare = statistics.median(self.ours), statistics.median(self.bare)
        switches = f", {statistics.median(self.switches):.0f} wake-ups a turn" if self.switches else ""
        looking = f", {statistics.median(self.looking) / bare:.2f} with a look behind it" if self.looking else ""
        return f"{ours / bare:.2f} times ({ours:.2f} of {bare:.2f} ms{looking}{switches})"


class Stamped:
    """A running daemon with the library that records when it announces a rotation."""

    def __init__(self, arena):
        self.arena = arena
        self.path = os.path.join(arena.session.directory, "stamps")

    def __enter__(self):
        library = c_programs.stamps(self.arena.session.directory)
        self.arena.start(preload=library, AUTOROTATE_STAMPS=self.path)
        self.arena.await_start()
        time.sleep(1)
        return self

    def __exit__(self, *_error):
        self.arena.end()

    def last(self):
        """Milliseconds from the latest WillRotate to its DidRotate."""
        with open(self.path, encoding="utf-8") as file:
            words = [line.split()[:2] for line in file]
        moments = [next(float(moment) for moment, word in reversed(words) if word == wanted)
                   for wanted in ("WillRotate", "DidRotate")]
        return 1000 * (moments[1] - moments[0])


def turns(directory, server, count):
    """`count` rotations of each, in rounds."""
    found = Comparison()
    with Arena(directory, autorotate(server, "iio")) as arena:
        for _round in range(ROUNDS):
            with Stamped(arena) as daemon:
                _turn(arena, daemon, found, count // ROUNDS)
            arena.restore_rotation()
            _bare(arena.session, found, count // ROUNDS)
            arena.restore_rotation()
    return found


def _bare(session, found, count):
    if not session.compositor:
        found.bare += _bare_randr(session, count)
        return
    found.bare += _bare_sway(session, count)
    found.looking += _bare_sway(session, count, "look")


def _turn(arena, daemon, found, count):
    """There and back, as the bare calls rotate."""
    for number in range(count):
        target = ("left", "normal")[number % 2]
        cost, held = process_costs.Cost([arena.process.pid]), time.monotonic()
        arena.session.accelerate(*HOLDS[target])
        if not arena.await_shown(target, held):
            raise Failed(f"{arena.rival.name} does not rotate the screen: {target} was not shown")
        time.sleep(PAUSE)
        arena.check()
        found.switches.append(cost.so_far()[1])
        found.ours.append(daemon.last())


def _bare_sway(session, count, *more):
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
    with Arena(directory, autorotate("xorg", "iio")) as arena:
        arena.session.write("config/autorotate/apps/player.toml", RULE)
        with Windows(arena.session.env) as windows:
            for _round in range(ROUNDS):
                arena.start()
                arena.await_start()
                arena.session.accelerate(*HOLDS["left"])
                arena.await_shown("left", time.monotonic() - 1)
                _open(windows, found)
                found.ours += [_change_focus(arena, windows, number) for number in range(count // ROUNDS)]
                arena.end()
                arena.restore_rotation()
                found.bare += _bare_randr(arena.session, count // ROUNDS)
                arena.restore_rotation()
    return found


def _open(windows, found):
    if not found.ours:
        for name in ("Xterm", "Player"):
            windows.open(name.lower(), name)
    windows.send("pretend", "player")
    time.sleep(1)


def _change_focus(arena, windows, number):
    name, target = (("xterm", "left"), ("player", "normal"))[number % 2]
    began = time.monotonic()
    windows.send("pretend", name)
    shown = arena.await_shown(target, began)
    time.sleep(PAUSE)
    return 1000 * (shown - began - SECONDS_TO_SETTLE)
