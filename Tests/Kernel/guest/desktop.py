# SPDX-License-Identifier: MIT
"""What all desktops have in common."""

from user_sessions import Session


class Desktop:
    """One that somebody has on a terminal. `person` is who looks at it."""

    kind, programs = "", []

    def __init__(self, person, terminal=1):
        self.person, self.terminal = person, terminal
        self.listener = None

    def user(self):
        """Whom the program serves at first."""
        return self.person.name

    def prepare(self, person):
        """What their session is to find at home."""

    def begin(self):
        """The session, which need not be there yet."""
        self.prepare(self.person)
        return Session(self.person, self.kind, self.terminal, self.programs)

    def listen(self):
        """To what is touched, where that is asked for."""
