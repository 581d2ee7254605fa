# SPDX-License-Identifier: MIT
"""Conversations with a compositor that mutates its messages, thousands within the life of one daemon."""

from benchkit.accelerometer import Options as Sensor
from benchkit.child_processes import longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS

from . import fakes
from .attack import Attack
from .tally import Failure


class Exchanges(Attack):
    """Each try is an event, with bad answers to every question of the backend that follows."""

    whole, light = 5000, 50
    check_every = 250
    fake_type = backend = fake = None

    SECONDS_TO_ASK = 0.05  # the pace of the attack: many events cause no question
    IN_WORDS = (1, 4)  # 4 before it has received its first output

    def open(self):
        self.ends = 0
        self.bench(sensor=Sensor(), server="xvfb", wm="none")
        self._begin()

    def _begin(self):
        self.fake = self.fake_type(self.session.directory)
        self._start_on_fake()

    def _start_on_fake(self):
        self.start("--backend", self.backend, env={**self.session.device_env, **self.fake.environment})

    def close(self):
        if self.fake:
            self.fake.end()
        self.fake = None
        super().close()

    def attempt(self, rng, index):
        self.fake.rng = rng
        self.fake.asked.clear()
        try:
            self.fake.send_event(rng)
            if rng.one_in(3):
                self.fake.send_layout_change()
            if rng.one_in(10):
                self.session.accelerate(*ACCELERATIONS[rng.choice(tuple(ACCELERATIONS))])
            self.fake.asked.wait(self.SECONDS_TO_ASK)
            if index % 10 == 0:
                self._check_status()
        finally:
            self.fake.rng = None
        self._restart_if_ended()
        self.tally.remarks = [f"{self.fake.mutated_answers} answers mutated", f"ended with a message {self.ends} times"]

    def _check_status(self):
        if self.target_daemon.process.poll() is None:
            try:
                self.target_daemon.status()
            except Failure:  # it may be leaving at this moment
                if wait_until(self.target_daemon.process.poll, pause=0.02) not in self.IN_WORDS:
                    raise

    def _restart_if_ended(self):
        """It may end, with a message, where a compositor breaks the protocol; then another is started."""
        try:
            self.target_daemon.check_alive()
        except Failure:
            if self.target_daemon.process.poll() not in self.IN_WORDS:
                raise
            self.ends += 1
            self._start_on_fake()

    def check_consistent(self):
        # If the last answer broke the protocol, only the next one may show that.
        self.fake.asked.clear()
        self.fake.send_layout_change()
        wait_until(lambda: self.fake.asked.is_set() or self.target_daemon.process.poll() is not None)
        self._check_status()
        self._restart_if_ended()
        self.fake.send_layout_change()
        for word in ("--unlock", "--release"):
            self.target_daemon.ask(word)
        # Its own statements may have been taken for a user's rotation, which ends when the device turns.
        self.session.accelerate(*ACCELERATIONS["normal"])
        wait_until(lambda: self.target_daemon.status()["device"] == "normal", pause=0.05)
        for orientation in ("left", "normal"):
            self.session.accelerate(*ACCELERATIONS[orientation])
            self.fake.send_layout_change()
            self._await(orientation)

    def _await(self, orientation):
        def agrees():
            status = self.target_daemon.status()
            return status["orientation"] == orientation and self.fake.transform == fakes.QUARTERS[orientation]

        if not wait_until(agrees, pause=0.05):
            raise Failure(f"held {orientation}, {longest_wait():.0f} s later status reports {self.target_daemon.status()} and "
                          f"{self.backend} shows {self.fake.transform}")


class Sway(Exchanges):
    """The protocol of sway."""

    name, backend, fake_type = "exchanges.sway", "sway", fakes.Sway


class Hyprland(Exchanges):
    """The protocol of Hyprland."""

    name, backend, fake_type = "exchanges.hyprland", "hyprland", fakes.Hyprland


class Niri(Exchanges):
    """The protocol of niri."""

    name, backend, fake_type = "exchanges.niri", "niri", fakes.Niri
