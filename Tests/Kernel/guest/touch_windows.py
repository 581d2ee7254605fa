# SPDX-License-Identifier: MIT
"""A fullscreen window on each of several outputs, which prints where it is touched: panel/touchwindow.c of the bench."""

import re
import shutil

from event_listener import Listener

PROGRAM, GIVEN = "/usr/local/bin/touchwindow", "/run/play/touchwindow"
DOWN = re.compile(r"^down (-?[\d.]+) (-?[\d.]+)$")


class TouchWindows:
    def __init__(self, person, outputs):
        """`outputs`: names, or None for the one that the desktop chooses."""
        shutil.copy(GIVEN, PROGRAM)
        self.listeners = {name: Listener(person, [PROGRAM, *filter(None, [name])]) for name in outputs}
        for listener in self.listeners.values():
            listener.await_line(lambda line: line.startswith("size "))

    def forget(self):
        for listener in self.listeners.values():
            listener.forget()

    def landings(self):
        """Where each window was touched last, by the name of its output."""
        found = {}
        for name, listener in self.listeners.items():
            for place in filter(None, map(DOWN.match, listener.lines())):
                found[name] = float(place[1]), float(place[2])
        return found

    def landing(self, output):
        """The same for one output; None if another window was touched, too."""
        found = self.landings()
        return found.get(output) if len(found) == 1 else None
