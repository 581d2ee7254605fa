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
        self.person, self.listeners, self.outputs = person, {}, {}
        for name in outputs:
            self._open(name)

    def _open(self, name):
        self.listeners[name] = Listener(self.person, [PROGRAM, *filter(None, [name])])
        self.outputs[name] = []
        self.listeners[name].await_line(lambda line: line.startswith("size "))

    def forget(self):
        """Also opens a window again that the desktop has moved to another panel, as Mutter does when both rotate."""
        for name, listener in list(self.listeners.items()):
            self.outputs[name] = self._outputs(name)
            listener.forget()
            if name and self.outputs[name] not in ([], [name]):
                listener.process.terminate()
                self._open(name)

    def _outputs(self, name):
        """Those that show a window, the newest last."""
        shown = list(self.outputs[name])
        for word, output in (line.split() for line in self.listeners[name].lines() if line.startswith("o")):
            shown = [each for each in shown if each != output] + [output] * (word == "on")
        return shown

    def lines(self):
        """What the windows have said, by the names of their outputs."""
        return {f"{name} on {self._outputs(name)}": listener.lines() for name, listener in self.listeners.items()}

    def landings(self):
        """Where each window was touched last, by the name of the output that shows it."""
        found = {}
        for name, listener in self.listeners.items():
            for place in filter(None, map(DOWN.match, listener.lines())):
                found[(self._outputs(name) or [name])[-1]] = float(place[1]), float(place[2])
        return found

    def landing(self, output):
        """The same for one output; None if another window was touched, too."""
        found = self.landings()
        return found.get(output) if len(found) == 1 else None
