# SPDX-License-Identifier: MIT
"""When the screen was rotated, as the display server or the bus reports it: no measured program is asked."""

import os
import re

from . import c_programs
from .child_processes import wait_until


class RotationLog:
    """Listens to the server of a bench from its beginning to its end."""

    def __init__(self, session):
        watch = c_programs.rotation_watch(session.directory, bool(session.compositor))
        process = session.children.start("rotations", [watch, session.panel], session.env)
        self.path = os.path.join(session.directory, "rotations.out")
        session.children.await_condition(process, self.events, "the server does not report rotations")

    def events(self):
        """All events so far: [(moment of time.monotonic, orientation)]."""
        return events(self.path)

    def await_next(self, orientation, after):
        """When it was rotated to this orientation; None if that did not happen."""
        return await_next(self.path, orientation, after)

    def await_current(self, orientation):
        """Waits until this is the current orientation, after it was set."""
        wait_until(lambda: self.events()[-1][1] == orientation, lambda: f"{orientation}, not {self.events()[-1][1]}")


def events(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.endswith("\n")]
    return [(float(moment), word) for moment, word in lines]


def await_next(path, orientation, after):
    def found():
        return next((moment for moment, word in events(path) if moment >= after and word == orientation), None)

    return wait_until(found)


class RotationSignals:
    """WillRotate and DidRotate on the session bus, as dbus-monitor stamps them. Moments are those of time.time."""

    def __init__(self, session):
        self.children = session.children
        self.path = os.path.join(session.directory, "signals.out")
        self.monitor = session.children.start(
            "signals", ["dbus-monitor", "--profile", "interface='org.autorotate.Autorotate1'"], session.env)
        wait_until(lambda: os.path.getsize(self.path) > 0, "dbus-monitor does not listen")

    def rotations(self):
        """(when it began, when it ended) of each rotation that has ended."""
        with open(self.path, encoding="utf-8") as file:
            found = re.findall(r"^sig\t([\d.]+)\t.*\t(WillRotate|DidRotate)$", file.read(), re.M)
        return [(float(began), float(ended)) for (began, first), (ended, second) in zip(found, found[1:])
                if (first, second) == ("WillRotate", "DidRotate")]

    def await_next(self, before):
        """The first rotation after so many."""
        return wait_until(lambda: self.rotations()[before:], lambda: f"rotation {before + 1}")[0]

    def stop(self):
        self.children.stop(self.monitor)
