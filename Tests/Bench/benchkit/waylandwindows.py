# SPDX-License-Identifier: MIT
"""Windows of pretended applications on a Wayland compositor, opened by the program of panel/waylandwindows.c."""

import subprocess

from . import building
from .children import Failed


class WaylandWindows:
    """All windows that one test opens. They close with it; use it in a `with`."""

    def __init__(self, session):
        program = building.wayland_windows(session.directory)
        self.process = subprocess.Popen(
            [program], env=session.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def say(self, *words):
        """One line as panel/waylandwindows.c reads it."""
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        if not self.process.stdout.readline().startswith("done"):
            raise Failed(f"the windows' program has ended at: {' '.join(map(str, words))}")

    def open(self, name, application, **keys):
        """Opens a window; `parent` is the name of the one it belongs to."""
        words = [f"{'for' if key == 'parent' else key}={value}" for key, value in keys.items()]
        self.say("open", name, application, *words)

    def fullscreen(self, name, where="yes"):
        self.say("fullscreen", name, where)

    def close(self, name):
        self.say("close", name)
