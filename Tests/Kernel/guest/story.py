# SPDX-License-Identifier: MIT
"""The words of a scenario: what each sets up, does, or expects. docs/kernel-scenarios.md has them all."""

import daemon
from machine import Machine
from people import Person, front_terminal, show_terminal
from waiting import Failed, wait_until
from x11 import X11
from sway import Sway
from gnome import Gnome

DESKTOPS = {"x11": X11, "sway": Sway, "gnome": Gnome}
NEAR = 2.0
"""Pixels."""


class Story:
    def __init__(self):
        self.machine = Machine()
        self.desktop = self.daemon = None

    def set_up(self, words):
        self._method("set", words)(*words[1:])

    def do(self, words):
        """Returns what is worth telling."""
        return self._method("do", words)(*words[1:])

    def _method(self, kind, words):
        found = getattr(self.machine if kind == "set" else self, f"{kind}_{words[0]}", None)
        if not found:
            raise Failed("there is no such word")
        return found

    def log(self):
        """What may tell why."""
        if not self.daemon:
            return ""
        return "\n".join([daemon.sensor_words(), self.machine.hub.words(), f"status: {self._status()}", "the program:", self.daemon.log(),
                          "the session:", self.machine.session.last_words()])

    def begin(self):
        machine = self.machine
        machine.plug_in()
        daemon.install()
        if machine.may_buffer:
            daemon.allow_buffer(machine.person)
        machine.hub.plug()
        daemon.await_sensor()
        machine.note_sensor()
        self.daemon = daemon.Daemon(machine.person, machine.settings)
        self.desktop = machine.log_in(DESKTOPS[machine.desktop])
        self._await(self.daemon.is_there, "the program has not started with the session", 90)
        if not self.desktop.picture():
            raise Failed("the session has ended")

    def _await(self, condition, what, seconds=30):
        found = wait_until(condition, float(seconds), pause=0.1)
        if not found:
            raise Failed(what() if callable(what) else what)
        return found

    def do_hold(self, name):
        self.machine.hub.hold(name)

    def do_picture(self, *wanted):
        """`picture left`, `picture left 800x1280`: as the server says."""
        found = []

        def is_so():
            found[:] = self.desktop.picture() or []
            return found[:len(wanted)] == list(wanted)

        self._await(is_so, lambda: f"it is {' '.join(found)}", self.desktop.patience)

    def do_managed(self, word):
        """Whether the desktop says that it turns the panel itself."""
        self._await(lambda: self.desktop.is_managed() == (word == "yes"), f"the panel is not managed: {word}")

    def do_tap(self, x, y, _lands, *place):
        return self._lands("tap", self.machine.touchscreen, (x, y), tuple(map(float, place)))

    def do_touch(self, x, y):
        """A hand on the machine, wherever that lands."""
        self.machine.touchscreen.tap(x, y)

    def do_pen(self, x, y, _lands, *place):
        return self._lands("pen", self.machine.pen, (x, y), tuple(map(float, place)))

    def _lands(self, kind, device, at, wanted):
        """Right within some tries: a window is not yet as large as its new screen in the moment after a turn."""
        found = None
        for number in range(1, 6):
            self.desktop.listener.forget()
            device.tap(*at)
            found = wait_until(lambda: self.desktop.landing(kind), 4) or found
            if found and self._is_near(found, wanted):
                return f"{found[0]:.1f} {found[1]:.1f}" + (f", try {number}" if number > 1 else "")
        raise Failed(f"it lands at {found}" if found else "nobody hears of it")

    @staticmethod
    def _is_near(found, wanted):
        return all(abs(a - b) <= NEAR for a, b in zip(found, wanted))

    def do_terminal(self, number):
        show_terminal(number)
        self._await(lambda: front_terminal() == int(number), f"terminal {front_terminal()} is in front")

    def do_power(self, word):
        self.desktop.power(word)
        self._await(lambda: self.desktop.is_powered(word), "the panel's power has not changed")

    def do_run(self, *command):
        self.machine.person.say(*command)

    def do_status(self, *words):
        """For what only it can know; what the kernel and the server say is asserted by the other words."""
        wanted = " ".join(words)
        self._await(lambda: wanted in self._status(), lambda: f"it says {self._status()}")

    def _status(self):
        return " ".join(self.machine.person.run("autorotate", "--status").stdout.split())

    def do_shake(self, noise):
        """The standard deviation of each axis, in mg; 4 is a good sensor at rest."""
        self.machine.hub.noise = float(noise)

    def do_bias(self, percent):
        self.machine.hub.factor = 1 + float(percent) / 100

    def do_unplug(self, _hub):
        self.machine.hub.unplug()
        daemon.await_sensor(False)

    def do_plug(self, _hub):
        self.machine.hub.plug()
        daemon.await_sensor()

    def do_switch(self, kind, word):
        self.machine.switches[kind].turn(word == "on")

    def do_suspend(self):
        slept = self._times_slept()
        self.machine.suspend()
        self._await(lambda: self._times_slept() > slept, "it has not slept", 90)

    @staticmethod
    def _times_slept():
        with open("/sys/power/suspend_stats/success", encoding="ascii") as file:
            return int(file.read())

    def do_stranger(self, name, *_may_nothing):
        """Somebody with an account who is not at the machine."""
        found = daemon.within_reach(Person(name))
        if found:
            raise Failed(f"{name} can hold or change {found}")

    def do_kill(self):
        old = self.daemon.number()
        self.machine.kill(old)
        self._await(lambda: self.daemon.number() not in (0, old) and self.daemon.is_there(), "it does not come back")

    def do_buffer(self, word):
        self._await(lambda: daemon.attribute("buffer/enable") == {"on": "1", "off": "0"}[word],
                    f"the sensor's buffer is not {word}")

    def do_sensor(self, *words):
        """`sensor asleep`, `sensor as found`."""
        check = {"asleep": self.machine.hub_sleeps, "as found": self.machine.sensor_is_as_found}[" ".join(words)]
        self._await(lambda: not check(), check)

    def do_still(self, seconds):
        """Nothing happens for so long."""
        self.machine.wait(float(seconds))

    def do_wakes(self, most, _in, seconds):
        """How often all its threads are woken meanwhile."""
        before, asked, pushed = self.daemon.switches(), self.machine.hub.asked, self.machine.hub.pushes
        self.machine.wait(float(seconds))
        count = self.daemon.switches() - before
        told = (f"{count} context switches, the hub asked {self.machine.hub.asked - asked} times, "
                f"{self.machine.hub.pushes - pushed} reports pushed")
        if count > int(most):
            raise Failed(told)
        return told
