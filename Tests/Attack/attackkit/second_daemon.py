# SPDX-License-Identifier: MIT
"""Two daemons, or five, on one display: one of them rotates, and the others report why they do not."""

from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import HOLDS
from benchkit.testing import program

from .attack import Attack
from .tally import Harm
from .target_daemon import memory


class Twins(Attack):
    """On the same bus, on another one, and without any."""

    name, whole, light = "twins", 40, 3
    calm_every = 1

    MOST = 5

    def attempt(self, luck, index):
        if luck.one_in(4):
            self.victim.end()
        rivals = [self._rival(luck, number) for number in range(luck.randrange(1, self.MOST))]
        self.session.accelerate(*HOLDS[luck.choice(("left", "right"))])
        everybody = [self.victim.process, *rivals]
        if not wait_until(lambda: sum(each.poll() is None for each in everybody) == 1, pause=0.02):
            raise Harm(f"{sum(each.poll() is None for each in everybody)} daemons run on one display")
        self._check_exits(everybody)
        if self.victim.process.poll() is not None:
            self.tally.used(max(memory(each.pid) for each in rivals if each.poll() is None))
            self._end(rivals)
            self.start()

    def _rival(self, luck, number):
        env = dict(self.session.device_env)
        kind = luck.randrange(3)
        if kind == 1:
            env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/at/all"
        elif kind == 2:
            env["DBUS_SESSION_BUS_ADDRESS"] = env["DBUS_SYSTEM_BUS_ADDRESS"]
        let_pass(luck.uniform(0, 0.1))
        return self.session.children.start(f"rival-{number}", [program()], env)

    def _check_exits(self, everybody):
        for each in everybody:
            if each.poll() is not None and each.returncode < 0:
                raise Harm(f"{each.name} ended with signal {-each.returncode}")
            if each in self.session.children.running and each.poll() is not None:
                self.session.children.running.remove(each)

    def _end(self, rivals):
        for each in rivals:
            self.session.children.stop(each)
