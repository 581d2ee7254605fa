# SPDX-License-Identifier: MIT
"""Two daemons, or five, on one display: one of them rotates, and the others report why they do not."""

from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import ACCELERATIONS
from benchkit.testing import program

from .attack import Attack
from .tally import Failure
from .target_daemon import memory


class TwoDaemons(Attack):
    """On the same bus, on another one, and without any."""

    name, whole, light = "twins", 40, 3
    check_every = 1

    MOST = 5

    def attempt(self, rng, index):
        if rng.one_in(4):
            self.target_daemon.end()
        others = [self._start_other(rng, number) for number in range(rng.randrange(1, self.MOST))]
        self.session.accelerate(*ACCELERATIONS[rng.choice(("left", "right"))])
        all_daemons = [self.target_daemon.process, *others]
        if not wait_until(lambda: sum(each.poll() is None for each in all_daemons) == 1, pause=0.02):
            raise Failure(f"{sum(each.poll() is None for each in all_daemons)} daemons run on one display")
        self._check_exits(all_daemons)
        if self.target_daemon.process.poll() is not None:
            self.tally.note_memory(max(memory(each.pid) for each in others if each.poll() is None))
            self._end(others)
            self.start()

    def _start_other(self, rng, number):
        env = dict(self.session.device_env)
        kind = rng.randrange(3)
        if kind == 1:
            env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/at/all"
        elif kind == 2:
            env["DBUS_SESSION_BUS_ADDRESS"] = env["DBUS_SYSTEM_BUS_ADDRESS"]
        let_pass(rng.uniform(0, 0.1))
        return self.session.children.start(f"rival-{number}", [program()], env)

    def _check_exits(self, all_daemons):
        for each in all_daemons:
            if each.poll() is not None and each.returncode < 0:
                raise Failure(f"{each.name} ended with signal {-each.returncode}")
            if each in self.session.children.running and each.poll() is not None:
                self.session.children.running.remove(each)

    def _end(self, others):
        for each in others:
            self.session.children.stop(each)
