# SPDX-License-Identifier: MIT
"""What all desktops have in common."""

import sys

import output_events
from event_listener import Listener
from user_sessions import Session


def on_screen(size, rotation):
    """The two sides of a mode, as text, as the screen has them in this orientation: "800x1280"."""
    return "x".join(reversed(size) if rotation in ("left", "right") else size)


class Desktop:
    """One that somebody has on a terminal. `person` is who looks at it."""

    kind, programs = "", []
    watch_options = []
    """Of output_events.py."""

    def __init__(self, person, terminal=1):
        self.person, self.terminal = person, terminal
        self.listener = self.rotations = None

    def user(self):
        """Whom the program serves at first."""
        return self.person.name

    def prepare(self, person):
        """What their session is to find at home."""

    def begin(self):
        """The session, which need not be there yet."""
        self.prepare(self.person)
        return Session(self.person, self.kind, self.terminal, self.programs)

    def watch(self):
        """Have each rotation of an output announced: by a client of Wayland."""
        self.rotations = Listener(self.person, [sys.executable, "-u", output_events.__file__, *self.watch_options])
        self.rotations.await_line(lambda line: line == output_events.ANNOUNCED)

    def rotation(self, line):
        """The screen orientation that a line of `rotations` announces, if it does."""
        return line.split()[1] if line.startswith("eDP-1 ") else None

    def rotated_at(self, orientation, since):
        """When the panel was first announced to have this orientation after that time; None if it was not."""
        return next((moment for moment, line in self.rotations.timed_lines()
                     if moment > since and self.rotation(line) == orientation), None)

    def has_terminal(self):
        """Whether the display server knows that its terminal is in front; where it does not say, the answer is yes."""
        return True

    def picture(self):
        """Orientation and size of the panel."""
        found = self.output("eDP-1")
        return found and found[:2]

    def monitor(self):
        """Orientation, size and place of the second panel."""
        found = self.output("eDP-2")
        return found and [found[0], found[1] + found[2]]

    def output(self, name):
        """Orientation, size and place of an output, where one of the two above is not overridden."""
        raise NotImplementedError

    def listen(self):
        """To what is touched, where that is asked for."""
