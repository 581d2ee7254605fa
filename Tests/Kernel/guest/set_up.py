# SPDX-License-Identifier: MIT
"""From the machine to a session in which the program works: the contents of a saved state."""

import daemon
import desktops
import package
from machine import Machine
from waiting import Failed, wait_until


class SetUp:
    """`places` has user, program and desktop of each user by name."""

    def __init__(self):
        self.machine, self.places = Machine(), {}

    def add(self, words):
        """A line of the set-up."""
        method = getattr(self.machine, f"set_{words[0]}", None)
        if not method:
            raise Failed("unknown word")
        method(*words[1:])

    def begin(self):
        machine = self.machine
        machine.plug_in()
        if machine.package != "later":
            package.install(package.older() if machine.package == "older" else package.this())
        if machine.has_extension:
            package.install(package.extension())
        for person in machine.people if machine.may_buffer else ():
            daemon.allow_buffer(person)
        machine.plug_hubs()
        machine.note_sensor()
        for terminal, person in enumerate(machine.people, 1):
            self._begin_of(person, terminal)

    def _begin_of(self, person, terminal):
        program = daemon.Daemon(person, self.machine.settings)
        desktop = self.machine.log_in(desktops.named(self.machine.desktop), person, terminal)
        self.places[person.name] = person, program, desktop
        if self.machine.package != "later":
            wait_until(lambda: self._is_at_work(person, program, desktop),
                       "the program has not started with the session", pause=0.1)
        if not desktop.picture():
            raise Failed("the session has ended")

    @staticmethod
    def _is_at_work(person, program, desktop):
        user = desktop.user()
        return user in daemon.owners() and (user != person.name or program.is_there())
