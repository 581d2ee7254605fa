# SPDX-License-Identifier: MIT
"""The words of a scenario: what each sets up, does, or expects. docs/kernel.md has them all."""

import base64

import daemon
import package
from machine import Machine
from user_sessions import Person, front_terminal, show_terminal
from waiting import Failed, wait_until
from x11 import X11
from sway import Sway
from gnome import Gnome
from login_screens import Cage, Greetd, LightDM
from kwin import KWin
from wlroots import Hyprland, Labwc

DESKTOPS = {"x11": X11, "sway": Sway, "gnome": Gnome, "lightdm": LightDM, "greetd": Greetd, "cage": Cage,
            "labwc": Labwc, "hyprland": Hyprland, "kwin": KWin}
NEAR = 2.0
"""Pixels."""
POLLS_A_TRY = 40
"""Some 4 s, after which a tap that nobody heard of is repeated."""
SIZE_OF_NOTHING = 8000
"""Of a PNG with a picture of one colour, at most."""


class Story:
    def __init__(self):
        self.machine = Machine()
        self.desktop = self.daemon = self.person = None
        self.places = {}

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
        if machine.package != "later":
            package.install(package.older() if machine.package == "older" else package.this())
        for person in machine.people if machine.may_buffer else ():
            daemon.allow_buffer(person)
        machine.plug_hubs()
        machine.note_sensor()
        for terminal, person in enumerate(machine.people, 1):
            self._begin_of(person, terminal)
        self.do_person(machine.people[0].name)

    def _begin_of(self, person, terminal):
        self.person, self.daemon = person, daemon.Daemon(person, self.machine.settings)
        self.desktop = self.machine.log_in(DESKTOPS[self.machine.desktop], person, terminal)
        self.places[person.name] = person, self.daemon, self.desktop
        if self.machine.package != "later":
            self._await(self._is_at_work, "the program has not started with the session")
        if not self.desktop.picture():
            raise Failed("the session has ended")

    def _is_at_work(self):
        user = self.desktop.user()
        return user in daemon.owners() and (user != self.person.name or self.daemon.is_there())

    def do_person(self, name):
        """What follows is about this person's session and program."""
        self.person, self.daemon, self.desktop = self.places[name]

    @staticmethod
    def _await(condition, what):
        return wait_until(condition, what, pause=0.1)

    def do_hold(self, name):
        self.machine.hub.hold(name)

    def do_base(self, name):
        """How the keyboard's half lies, told as if it were a display. udev's frame for it is that of the display with the
        lid closed, so that y points the other way; so does z, but in that of a HID sensor face up is below zero."""
        self.machine.base.lie(name)

    def do_picture(self, *wanted):
        """`picture left`, `picture left 800x1280`: as the server says."""
        found = []

        def is_so():
            found[:] = self.desktop.picture() or []
            return found[:len(wanted)] == list(wanted)

        self._await(is_so, lambda: f"it is {' '.join(found)}")

    def do_seen(self, *wanted):
        """The turns since the last such line, as the server told of them: no other came between."""
        found, wanted = [], [turn for turn in wanted if turn != "nothing"]
        self._await(lambda: found.extend(self.desktop.seen()) or found == wanted, lambda: f"it has told of {found}")

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
        found, tries, polls = None, 0, 0

        def has_landed():
            nonlocal found, tries, polls
            if polls % POLLS_A_TRY == 0 or self.desktop.landing(kind):
                self.desktop.listener.forget()
                device.tap(*at)
                tries, polls = tries + 1, 0
            polls += 1
            found = self.desktop.landing(kind) or found
            return found and self._is_near(found, wanted)

        self._await(has_landed, lambda: f"it lands at {found}" if found else "nobody hears of it")
        return f"{found[0]:.1f} {found[1]:.1f}" + (f", try {tries}" if tries > 1 else "")

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
        self.person.say(*command)

    def do_status(self, *words):
        """For what only it can know; what the kernel and the server say is asserted by the other words."""
        wanted = " ".join(words)
        self._await(lambda: wanted in self._status(), lambda: f"it says {self._status()}")

    def _status(self):
        return " ".join(self.person.run("autorotate", "--status").stdout.split())

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
        self._await(lambda: self._times_slept() > slept, "it has not slept")

    @staticmethod
    def _times_slept():
        with open("/sys/power/suspend_stats/success", encoding="ascii") as file:
            return int(file.read())

    def do_stranger(self, name, *_may_nothing):
        """Somebody with an account who is not at the machine."""
        found = daemon.within_reach(Person(name))
        if found:
            raise Failed(f"{name} can hold or change {found}")

    def do_login(self):
        """The person types name and password."""
        self.desktop.log_in()

    def do_program(self, _of, *names):
        """Who runs the program; each once."""
        wanted = sorted(set(names) - {"nobody"})
        self._await(lambda: daemon.owners() == wanted, lambda: f"it is run by {daemon.owners()}")

    def do_photo(self, name):
        """Of the screen, as soon as something is shown, and stays; the host keeps it."""
        shown = [b"", b""]

        def is_still():
            shown[:] = shown[1], self.desktop.photo()
            return shown[0] == shown[1] and len(shown[1]) > SIZE_OF_NOTHING

        self._await(is_still, "nothing is shown")
        print(f"picture {name} {base64.b64encode(shown[1]).decode()}")

    def do_install(self):
        """The package, whatever is there."""
        package.install(package.this())

    def do_purge(self):
        package.purge()

    def do_restart(self, unit):
        """A service of the machine's."""
        self.machine.restart(unit)
        self._await(self.desktop.is_there, "the desktop is gone")

    def do_stop(self, unit):
        """And it is not started by whoever asks for it."""
        self.machine.stop(unit)

    def do_start(self, unit):
        self.machine.start(unit)

    def do_left(self, _nothing):
        """Of the program, in the machine."""
        self._await(lambda: not package.traces(self.person), lambda: f"this is left: {package.traces(self.person)}")

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
