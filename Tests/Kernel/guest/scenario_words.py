# SPDX-License-Identifier: MIT
"""The words of a scenario: what each sets up, does, or expects. Tests/Kernel/Scenarios/README.md lists all of them."""

import daemon
import display_devices
import kernel_log
import package
from display_words import DisplayWords
from user_sessions import Person, front_terminal, show_terminal
from waiting import Failed

LENGTH_OF_FREEZE, SHORTEST_FREEZE = 5.0, 3.0
"""Seconds."""
MOST_FREEZES = 4
"""Until one is long enough: the first of a boot is much too short under emulation."""
LONGEST_STAY = 1.0
"""Seconds, on a terminal in a storm."""


class ScenarioActions(DisplayWords):
    """The actions on the machine, and the expectations."""

    def __init__(self, world):
        super().__init__(world.machine)
        self.places, self.daemon, self.person = world.places, None, None
        self.do_person(self.machine.people[0].name)

    def do(self, words):
        """Returns what is worth printing."""
        method = getattr(self, f"do_{words[0]}", None)
        if not method:
            raise Failed("unknown word")
        self.latency.note(words)
        return method(*words[1:])

    def log(self):
        """Information that may explain a failure."""
        return "\n".join([daemon.sensor_words(), self.machine.hub.words(), f"status: {self._status()}", "the program:", self.daemon.log(),
                          "the session:", self.machine.session.last_words()])

    def do_person(self, name):
        """The following lines are about this user's session and program."""
        self.person, self.daemon, self.desktop = self.places[name]

    def do_hold(self, name):
        self.machine.hub.hold(name)

    def do_base(self, name):
        """The orientation of the keyboard's half, named as if it were a display. udev's frame for it is that of the display
        with the lid closed, so that y points the other way; so does z, but in that of a HID sensor, face up is below zero."""
        self.machine.base.lie(name)

    def do_terminal(self, number):
        show_terminal(number)
        self._await(lambda: front_terminal() == int(number), f"terminal {front_terminal()} is in front")

    def do_storm(self, count, hurried=None):
        """Back and forth between the second terminal and the first, so many times at uneven intervals, which begin when
        the display server there shows its screen; `hurried`: at once, so that the servers cannot follow."""
        for number in range(int(count)):
            terminal = 1 if number % 2 else 2
            show_terminal(terminal)
            if not hurried:
                self._await_terminal(terminal)
            self.latency.note(["terminal"])
            self.machine.wait(self.machine.chance.uniform(0, LONGEST_STAY))
        self.do(["terminal", "1"])
        return None if hurried else self._regain_master()

    def _regain_master(self):
        """In a storm, systemd-logind 252 can take the display from the server in front after it has given it to it. Then no
        program can set a mode until the terminal is switched once more."""
        self._await_terminal(1)
        if display_devices.has_master():
            return None
        for terminal in ("2", "1"):
            self.do(["terminal", terminal])
            self._await_terminal(int(terminal))
        return "the display had no master: switched once more"

    def _await_terminal(self, number):
        """Waits until it is in front, and its desktop, if there is one, knows."""
        there = [desktop for _, _, desktop in self.places.values() if desktop.terminal == number]
        self._await(lambda: front_terminal() == number and all(desktop.has_terminal() for desktop in there),
                    lambda: f"terminal {front_terminal()} is in front")

    def do_press(self, _key):
        """`press power`."""
        self.machine.button.press()

    def do_run(self, *command):
        self.person.say(*command)

    def do_status(self, *words):
        """For facts that only the status has; those of the kernel and the server are asserted by the other words."""
        wanted = " ".join(words)
        self._await(lambda: wanted in self._status(), lambda: f"the status is: {self._status()}")

    def _status(self):
        return " ".join(self.person.run("autorotate", "--status").stdout.split())

    def do_shake(self, noise):
        """The standard deviation of each axis, in mg; 4 is a good sensor at rest."""
        self.machine.hub.accelerometer.noise = float(noise)

    def do_bias(self, percent):
        self.machine.hub.accelerometer.factor = 1 + float(percent) / 100

    def do_hub(self, word):
        """`hub fails`, `hub answers`: every request of the driver is answered with an error, or correctly again."""
        self.machine.hub.fails = {"fails": True, "answers": False}[word]

    def do_gyroscope(self, _read):
        """It has been read by now."""
        gyroscope = self.machine.hub.gyroscope
        self._await(lambda: gyroscope.asked + gyroscope.pushes, "the gyroscope has not been read")
        return f"asked {gyroscope.asked} times, {gyroscope.pushes} reports pushed"

    def do_unplug(self, _hub):
        count = len(daemon.accelerometers())
        self.machine.hub.unplug()
        daemon.await_sensors(count - 1)

    def do_plug(self, _hub):
        count = len(daemon.accelerometers())
        self.machine.hub.plug()
        daemon.await_sensors(count + 1)

    def do_switch(self, kind, word):
        self.machine.switches[kind].turn(word == "on")

    def do_suspend(self):
        """Until the kernel has continued the tasks, after a freeze of some five seconds."""
        frozen = self._freeze()
        for _ in range(MOST_FREEZES):
            if frozen >= SHORTEST_FREEZE:
                return f"frozen for {frozen:.2f} s"
            kernel_log.lengthen_freezes(LENGTH_OF_FREEZE / frozen)
            frozen = self._freeze()
        raise Failed(f"tasks were frozen for {frozen:.2f} s: {kernel_log.last_words()}")

    def _freeze(self):
        """Returns the seconds by the kernel's log."""
        before = kernel_log.freezes()
        self.machine.suspend()
        self._await(lambda: len(kernel_log.freezes()) > len(before), lambda: f"the machine was not suspended: {kernel_log.last_words()}")
        return kernel_log.freezes()[-1]

    def do_stranger(self, name, *_may_nothing):
        """Somebody with an account who is not at the machine."""
        found = daemon.within_reach(Person(name))
        if found:
            raise Failed(f"{name} can open or change {found}")

    def do_login(self):
        """The user types name and password."""
        self.desktop.log_in()

    def do_program(self, _of, *names):
        """The users that run the program; each once."""
        wanted = sorted(set(names) - {"nobody"})
        self._await(lambda: daemon.owners() == wanted, lambda: f"it is run by {daemon.owners()}")

    def do_install(self):
        """Whether or not the package is installed."""
        package.install(package.this())

    def do_purge(self):
        package.purge()

    def do_restart(self, unit):
        """A service of the machine."""
        self.machine.restart(unit)
        self._await(self.desktop.is_there, "the desktop is gone")

    def do_stop(self, unit):
        """And it cannot be started on demand."""
        self.machine.stop(unit)

    def do_start(self, unit):
        self.machine.start(unit)

    def do_left(self, _nothing):
        """Remains of the program in the machine."""
        self._await(lambda: not package.traces(self.person), lambda: f"remains: {package.traces(self.person)}")

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
        hub = self.machine.hub
        before, asked, pushed = self.daemon.switches(), hub.asked(), hub.pushes()
        self.machine.wait(float(seconds))
        count = self.daemon.switches() - before
        output = (f"{count} context switches, the hub asked {hub.asked() - asked} times, "
                  f"{hub.pushes() - pushed} reports pushed")
        if count > int(most):
            raise Failed(output)
        return output
