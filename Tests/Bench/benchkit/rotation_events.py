# SPDX-License-Identifier: MIT
"""When the picture was turned, by the display server's own word: no program is asked about itself."""

import os

from . import c_programs
from .child_processes import wait_until


class Pictures:
    """Listens to the server of a bench from its beginning to its end."""

    def __init__(self, session):
        watch = c_programs.picture_watch(session.directory, bool(session.compositor))
        process = session.children.start("pictures", [watch, session.panel], session.env)
        self.path = os.path.join(session.directory, "pictures.out")
        session.children.await_condition(process, self.told, "the server does not tell of its pictures")

    def told(self):
        """All so far: [(moment of time.monotonic, orientation)]."""
        return told(self.path)

    def await_next(self, orientation, after):
        """When it was turned so; None if that did not come."""
        return await_next(self.path, orientation, after)

    def await_put(self, orientation):
        """Waits until it is so, after somebody has put it so."""
        wait_until(lambda: self.told()[-1][1] == orientation, lambda: f"{orientation}, not {self.told()[-1][1]}")


def told(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.endswith("\n")]
    return [(float(moment), word) for moment, word in lines]


def await_next(path, orientation, after):
    def found():
        return next((moment for moment, word in told(path) if moment >= after and word == orientation), None)

    return wait_until(found)
