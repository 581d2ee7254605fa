# SPDX-License-Identifier: MIT
"""X servers, compositors and buses that stop, hang, end, and come back."""

import os
import signal

from benchkit.accelerometer import Options as Sensor
from benchkit.child_processes import let_pass, longest_wait, stop_between_answers, wait_until
from benchkit.daemon import ACCELERATIONS

from .attack import Attack
from .tally import Failure
from .target_daemon import Target
from .raw_x11 import Server


class Stopping(Attack):
    """Shared by all of them."""

    check_every = 1

    def exits(self, what):
        """Waits for the end of the program that has lost its server. An end by an unsent signal is harm."""
        process = self.target_daemon.process
        if not wait_until(lambda: process.poll() is not None, pause=0.02):
            raise Failure(f"it runs on {longest_wait():.0f} s after {what}")
        if process.returncode < 0:
            raise Failure(f"it ended with {signal.Signals(-process.returncode).name} after {what}")

    def ends_while_stopped(self, stopped):
        """SIGTERM, while its server or bus does not answer."""
        try:
            self.target_daemon.end()
        finally:
            stopped.send_signal(signal.SIGCONT)
        self.start()


class XServer(Stopping):
    """Stopped, grabbed, and killed; then a new one."""

    name, whole, light = "servers.x11", 40, 3

    def attempt(self, rng, index):
        rng.choice((self._stop, self._grab, self._stop_and_end, self._stop_and_ask, self._kill))(rng)

    def _stop(self, rng):
        server = self.session.xserver
        stop_between_answers(server)
        try:
            self.session.accelerate(*ACCELERATIONS[rng.choice(("left", "inverted"))])
            for _ in range(rng.randrange(1, 5)):
                let_pass(rng.uniform(0, 0.8))
                self.target_daemon.status()
        finally:
            server.send_signal(signal.SIGCONT)

    def _stop_and_ask(self, rng):
        """Commands that rotate, while no rotation is possible."""
        server = self.session.xserver
        stop_between_answers(server)
        try:
            for word in rng.sample(("left", "right", "inverted"), 2):
                self.target_daemon.ask(rng.choice(("--rotate", "--lock")), word)
            self.target_daemon.status()
        finally:
            server.send_signal(signal.SIGCONT)

    def _grab(self, rng):
        """Another client grabs the server."""
        other = Server(self.session.display)
        other.grab_server()
        other.sync()
        try:
            self.session.accelerate(*ACCELERATIONS[rng.choice(("left", "inverted"))])
            for _ in range(rng.randrange(1, 4)):
                let_pass(rng.uniform(0, 0.8))
                self.target_daemon.status()
        finally:
            other.close()

    def _stop_and_end(self, rng):
        server = self.session.xserver
        stop_between_answers(server)
        if rng.one_in(2):
            self.session.accelerate(*ACCELERATIONS["inverted"])
            let_pass(rng.uniform(0, 0.6))
        self.ends_while_stopped(server)

    def _kill(self, _rng):
        self.session.xserver.kill()
        self.exits("the end of the X server")
        self.close()
        self.open()


class Compositor(Stopping):
    """sway stopped and killed; then a new one."""

    name, whole, light = "servers.sway", 30, 2

    def open(self):
        self.bench(sensor=Sensor(), server="sway")
        self.start("--output", self.session.panel)

    def start(self, *arguments, **options):
        return super().start(*(arguments or ("--output", self.session.panel)), **options)

    def check_consistent(self):
        super().check_consistent()
        shown = self.session.output(self.session.panel)["rotation"]
        if shown != "normal":
            raise Failure(f"sway shows {shown} in place of normal")

    def attempt(self, rng, index):
        process = self._compositor()
        kind = rng.randrange(4)
        if kind == 0:
            self._kill()
            return
        process.send_signal(signal.SIGSTOP)
        if kind == 1:
            self.session.accelerate(*ACCELERATIONS["inverted"])
            let_pass(rng.uniform(0, 0.6))
            self.ends_while_stopped(process)
            return
        try:
            self.session.accelerate(*ACCELERATIONS[rng.choice(("left", "right", "inverted"))])
            for _ in range(rng.randrange(1, 5)):
                let_pass(rng.uniform(0, 0.8))
                self.target_daemon.status()
        finally:
            process.send_signal(signal.SIGCONT)

    def _compositor(self):
        return self.session.compositor.process

    def _kill(self):
        self.session.compositor.end()
        self.exits("the end of sway")
        self.close()
        self.open()


class Buses(Stopping):
    """A session or system bus that accepts and never answers, or ends and comes back."""

    name, whole, light = "bus.stopped", 25, 2

    def attempt(self, rng, index):
        kind = rng.choice(("session", "session", "system"))
        bus = next(each for each in self.session.children.running if each.name == kind + "-bus")
        rng.choice((self._stop, self._stop_and_end, self._start_on_stopped, self._kill))(rng, kind, bus)

    def _stop(self, rng, kind, bus):
        """The screen keeps rotating; commands report in time that there is no answer."""
        orientation = rng.choice(("left", "right", "inverted"))
        bus.send_signal(signal.SIGSTOP)
        try:
            self.session.accelerate(*ACCELERATIONS[orientation])
            if not wait_until(lambda: self._shown() == orientation, pause=0.05):
                raise Failure(f"the {kind} bus is stopped, and the screen does not rotate to {orientation}")
            self.target_daemon.ask("--status")
        finally:
            bus.send_signal(signal.SIGCONT)

    def _shown(self):
        self.target_daemon.check_alive()
        return self.session.output("eDP-1")["rotation"]

    def _stop_and_end(self, _rng, _kind, bus):
        bus.send_signal(signal.SIGSTOP)
        self.ends_while_stopped(bus)

    def _start_on_stopped(self, rng, kind, bus):
        self.target_daemon.end()
        orientation = rng.choice(("left", "right"))
        bus.send_signal(signal.SIGSTOP)
        try:
            self.session.accelerate(*ACCELERATIONS[orientation])
            self.target_daemon = Target(self.session, self.tally)
            if not wait_until(lambda: self._shown() == orientation, pause=0.05):
                raise Failure(f"started with the {kind} bus stopped, it does not rotate to {orientation}")
        finally:
            bus.send_signal(signal.SIGCONT)
        self._await_return()

    def _kill(self, _rng, kind, bus):
        """A new bus at the old address: the program reconnects automatically."""
        bus.kill()
        bus.wait()
        self.session.children.running.remove(bus)
        path = os.path.join(self.session.directory, kind + "-bus")
        os.unlink(path)
        self.session.accelerate(*ACCELERATIONS["right"])
        if not wait_until(lambda: self._shown() == "right", pause=0.05):
            raise Failure(f"the {kind} bus is gone, and the screen does not rotate")
        self.session._start_bus(kind)()  # pylint: disable=protected-access
        self._await_return()

    def _await_return(self):
        """It checks for the bus every 30 s."""
        if not wait_until(lambda: self.target_daemon.ask("--status").returncode == 0, pause=0.1):
            raise Failure(f"{longest_wait():.0f} s after the bus is back it is not on it")


class Starts(Stopping):
    """Started while the display server is stopped: it waits, can be ended, and starts up when the server continues."""

    name, whole, light = "servers.starts", 20, 1

    def attempt(self, rng, index):
        self.target_daemon.end()
        orientation = rng.choice(("left", "inverted"))
        server = self.session.xserver
        stop_between_answers(server)
        try:
            self.session.accelerate(*ACCELERATIONS[orientation])
            self.target_daemon = Target(self.session, self.tally)
            let_pass(rng.uniform(0, 1.5))
            if rng.one_in(2):
                self.target_daemon.end()
        finally:
            server.send_signal(signal.SIGCONT)
        if self.target_daemon.process.poll() is not None:
            self.target_daemon = Target(self.session, self.tally)
        self.target_daemon.await_answer()
        self.target_daemon.await_agreement(orientation)
