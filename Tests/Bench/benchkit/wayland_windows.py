# SPDX-License-Identifier: MIT
"""Windows of simulated applications on a Wayland compositor, opened by the program of panel/waylandwindows.c."""

from . import c_programs
from .child_processes import Helper


class WaylandWindows(Helper):
    """All windows that one test opens. They close with it; use it in a `with`."""

    def __init__(self, session):
        super().__init__([c_programs.wayland_windows(session.directory)], session.env)

    def open(self, name, application, **keys):
        """Opens a window; `parent` is the name of the one it belongs to."""
        words = [f"{'for' if key == 'parent' else key}={value}" for key, value in keys.items()]
        self.ask("open", name, application, *words)

    def fullscreen(self, name, where="yes"):
        self.ask("fullscreen", name, where)

    def close(self, name):
        self.ask("close", name)
