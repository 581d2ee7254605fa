# SPDX-License-Identifier: MIT
"""The daemon on a mock accelerometer, for each matrix and each pair of udev's hardware database."""

import concurrent.futures
import contextlib
import os
import tempfile

from benchkit import accelerometer
from benchkit.child_processes import Failed
from benchkit.daemon import Daemon
from benchkit.session import Options, Session

from . import chips, sensor_database
from .corpus import Tally

SETTINGS = '[desktop]\nrotate-in = "tablet"\n'
"""Without it the posture is not needed, and the hinge is not measured."""


@contextlib.contextmanager
def daemon(room, prepare=lambda session: None, **sensor):
    """A daemon that rotates nothing, in a directory of its own below `room`. `prepare(session)` runs before its start."""
    options = Options(server="none", wm="none", sensor=accelerometer.Options(**sensor))
    with Session(tempfile.mkdtemp(prefix="", dir=room), options) as session:
        session.write("config/autorotate/config.toml", SETTINGS)
        prepare(session)
        running = Daemon(session, "--sensor", "iio", "--backend", "print")
        running.await_name()
        yield running
        running.end()


def reached(running, key, expected):
    """What the daemon reports under `key`: the expected value as soon as it is reported, else the last one."""
    try:
        return running.until(lambda now: now and now[key] == expected, expected)[key]
    except Failed:
        return running.status()[key]


def in_parallel(work, cases):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, cases))


class Matrices:
    """Correct: the device orientation, for each of the four orientations of the upright panel."""

    title = "mount matrices of udev's hardware database"

    def __init__(self, room, is_light):
        self.room = room
        self.lines = {}
        for entry in sensor_database.matrices():
            self.lines.setdefault(str(entry.rows()), []).append(entry)
        if is_light:
            last = [key for key, found in self.lines.items() if not chips.determinant(found[0].rows())]
            self.lines = {key: self.lines[key] for key in [*list(self.lines)[:1], *last[:1]]}

    def tally(self):
        tally = Tally(self.title)
        usable = [found for found in self.lines.values() if chips.is_orthogonal(found[0].rows())]
        tally.untried = [f"line {entry.line}, {entry.value}" for found in self.lines.values() if found not in usable
                         for entry in found]
        for found, words in zip(usable, in_parallel(self._words, usable)):
            for entry in found:
                tally.count(f"line {entry.line}, {entry.value}", words, list(chips.ACCELERATIONS))
        return tally

    def _words(self, found):
        """The reported device orientations. The last one is held first, so that each is a change."""
        rows = found[0].rows()
        words = {}
        with daemon(self.room, mount=found[0].value, name="kxcjk1013") as running:
            for word in reversed(chips.ACCELERATIONS):
                running.session.sensor.set(*chips.upright(rows, word))
                words[word] = reached(running, "device", word)
        return [words[word] for word in chips.ACCELERATIONS]


class Hinges:
    """Correct: the posture while the device is opened and folded, and where it is folded at the start.

    The angles themselves are compared in `HingeFrameTests`.
    """

    title = "pairs of accelerometers of udev's hardware database"
    STEPS = ((100, 0, "laptop"), (300, 180, "stand"), (300, -60, "tent"), (150, 0, "laptop"))
    """The angle of the hinge, and the tilt of the base over its back edge, in degrees."""
    FOLDED = (358, 180)
    CONTRADICTION = "contradict each other"

    def __init__(self, room, is_light):
        self.room = room
        self.pairs = list(sensor_database.pairs())
        if is_light:
            self.pairs = self.pairs[:1]

    def tally(self):
        tally = Tally(self.title)
        for (key, display, base), found in zip(self.pairs, in_parallel(self._postures, self.pairs)):
            tally.count(key, found, self._expected(display, base))
        return tally

    def _expected(self, display, base):
        """The database contradicts itself where one matrix mirrors and the other does not: two chips are alike."""
        if chips.determinant(display.rows()) * chips.determinant(base.rows()) < 0:
            return ["unknown", "reported 1 times"]
        return [*(word for *_, word in self.STEPS), "tablet"]

    def _postures(self, pair):
        _, display, base = pair
        sensor = {"mount": display.value, "label": "accel-display", "base": "last", "base_mount": base.value,
                  "name": "kxcjk1013"}
        expected = self._expected(display, base)
        with daemon(self.room, **sensor) as running:
            if expected[0] == "unknown":
                return self._contradicting(running, display, base)
            found = []
            for degrees, tip, word in self.STEPS:
                self._fold(running.session, display, base, degrees, tip)
                found.append(reached(running, "posture", word))
        with daemon(self.room, lambda session: self._fold(session, display, base, *self.FOLDED), **sensor) as running:
            return [*found, reached(running, "posture", "tablet")]

    @staticmethod
    def _fold(session, display, base, degrees, tip):
        parts = chips.hinge(degrees, tip)
        session.sensor.do(["base", *chips.in_part(base.rows(), parts[1])])
        session.sensor.set(*chips.in_part(display.rows(), parts[0]))

    def _contradicting(self, running, display, base):
        running.until_printed(self.CONTRADICTION)
        for degrees, word in ((100, "left-up"), (300, "normal")):
            self._fold(running.session, display, base, degrees, 0)
            running.session.sensor.set(*chips.upright(display.rows(), word))
            reached(running, "device", word)
        return [running.status()["posture"], f"reported {running.printed().count(self.CONTRADICTION)} times"]
