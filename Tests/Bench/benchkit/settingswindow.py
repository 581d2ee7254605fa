# SPDX-License-Identifier: MIT
"""The settings app on a bench, as a user with a screen reader operates it."""

import os
import re
import subprocess
import time

from . import accessibility, desktop
from .child_processes import wait_until
from .requirements import Missing
from .testing import program

NAME = "autorotate-settings"
BORDER = 5  # pixels, drawn around a window on an X server without a compositor
IN_LIST = 60  # pixels from the right edge of a row to where its list is
ESCAPE, TAB, SPACE = 9, 23, 65  # X's numbers of keys


def settings_program():
    """Next to the program under test, or $AUTOROTATE_SETTINGS. Raises Missing."""
    path = os.environ.get("AUTOROTATE_SETTINGS") or os.path.join(os.path.dirname(program()), NAME)
    if not os.access(path, os.X_OK):
        raise Missing("autorotate-settings is not built (run: make settings)")
    return path


def require_accessibility():
    found = subprocess.run(["/usr/bin/python3", "-c", "import gi; gi.require_version('Atspi', '2.0')"],
                           capture_output=True, check=False)
    if found.returncode != 0:
        raise Missing("AT-SPI for Python is not installed (packages: python3-gi gir1.2-atspi-2.0)")


def prepare_session(session):
    """A home, the program in PATH with its icons, and rendering without a graphics card."""
    desktop.install(session)
    draw_in_memory(session)


def draw_in_memory(session):
    session.env.update(
        GDK_BACKEND="wayland" if session.compositor else "x11", GSK_RENDERER="cairo",
        LC_ALL=session.env.get("LC_ALL", "C.UTF-8"))


class Window:
    """A running settings app. Ends with the bench, or with `end`."""

    def __init__(self, session, *words, title="Rotation"):
        require_accessibility()
        self.session = session
        self.title = title
        began = time.monotonic()
        self.process = session.start("settings", [settings_program(), *words])
        self.reader = accessibility.Reader(session, NAME)
        self.until(lambda: self.reader.states("frame", title) is not None, "the window")
        self.seconds_to_come = time.monotonic() - began

    def end(self):
        self.reader.end()
        self.session.children.stop(self.process)

    # State

    def until(self, condition, what):
        def is_missing():
            named = [each[:2] for each in self.reader.tree() if each[0] not in ("panel", "filler", "image")]
            return f"{what}; there is {named}"

        return wait_until(condition, is_missing, pause=0.05)

    def labels(self):
        return self.reader.names("label")

    def await_label(self, words):
        """Waits for a text with these words in it, and returns it."""
        return self.until(lambda: next((each for each in self.labels() if words in each), None), f"“{words}”")

    def await_no_label(self, words):
        self.until(lambda: not any(words in each for each in self.labels()), f"the end of “{words}”")

    def is_on(self, name):
        return "checked" in (self.reader.states("check box", name) or [])

    def await_switch(self, name, is_on):
        self.until(lambda: self.is_on(name) == is_on, f"{name} {'on' if is_on else 'off'}")

    # Actions

    def press(self, role, name):
        self.until(lambda: self.reader.press(role, name), f"{role} “{name}” to press")

    def tap(self, role, name, above=0):
        """With a finger on the glass, in its middle, or so many pixels above."""
        x, y, width, height = self.bounds(role, name)
        self.touch(x + width / 2, y + height / 2 - above)

    def touch(self, x, y):
        """A finger at a place in the window."""
        left, top = self.origin()
        panel = self.session.output(self.session.panel)
        self.session.tap((left + x) / panel["w"], (top + y) / panel["h"])

    def choose(self, row, choice):
        """Opens the list of a row with a finger, and taps on a choice."""
        others = self.reader.ask("places", "label", choice) or []
        self.tap("combo box", row)

        def is_laid_out():
            places = self.reader.ask("places", "label", choice) or []
            new = [place for place in places if place[3] > 0 and place not in others]
            return places == self.reader.ask("places", "label", choice) and next(iter(new), None)
        _x, y, _width, height = self.until(is_laid_out, f"the choice “{choice}”")
        x, _y, width, _height = self.bounds("combo box", row)
        self.touch(x + width - IN_LIST, y + height / 2)  # GTK 4.8 reports the wrong x for items of a list

    def key(self, code, title=None):
        """Presses a key, once the window with this title, by default the main one, has the focus. The window manager calls
        it active before it has the focus."""
        for window in ("getactivewindow", "getwindowfocus"):
            self.until(lambda window=window: self.session.run("xdotool", window, "getwindowname").stdout.strip()
                       == (title or self.title), f"the focus by {window}")
        for verb in ("press", "release"):
            self.session.simulated_input.do([verb, code])

    def origin(self):
        """Where the window's content is on the screen."""
        return [number + BORDER for number in self._geometry("Absolute upper-left X", "Absolute upper-left Y")]

    def size(self):
        return self._geometry("Width", "Height")

    def _geometry(self, *names):
        text = self.session.run("xwininfo", "-name", self.title).stdout
        return [int(re.search(name + r":\s+(-?\d+)", text)[1]) for name in names]

    def bounds(self, role, name):
        """x, y, width and height in the window, once its layout is done."""
        def is_laid_out():
            place = self.reader.ask("place", role, name)
            return place and place[3] > 0 and place == self.reader.ask("place", role, name) and place
        return self.until(is_laid_out, f"the place of “{name}”")
