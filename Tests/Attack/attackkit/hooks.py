# SPDX-License-Identifier: MIT
"""Hooks that misbehave in every way, during a rotation."""

import os
import shutil
import stat
import time

from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import ACCELERATIONS

from .attack import Attack
from .tally import Failure
from .target_daemon import processor_time

KINDS = ("will-rotate", "did-rotate")
SCRIPTS = {
    "yes": "yes",
    "yes-left-behind": "setsid yes & sleep 0.2; exit 0",
    "hang": "sleep 1000",
    "hang-for-good": "trap '' TERM INT HUP; while :; do sleep 1; done",
    "stop": "kill -STOP $$",
    "daemonise": "(setsid sleep 20 &) ; exit 0",
    "daemonise-silently": "(setsid sleep 20 </dev/null >/dev/null 2>&1 &) ; exit 0",
    "fork": "i=0; while [ $i -lt 60 ]; do sleep 3 & i=$((i+1)); done; wait",
    "close": "exec 0<&- 1>&- 2>&-; sleep 0.3",
    "close-every-one": "for n in 3 4 5 6 7 8 9; do eval \"exec $n>&-\" 2>/dev/null; done; exit 0",
    "huge": "head -c 30000000 /dev/zero",
    "huge-line": "head -c 5000000 /dev/zero | tr '\\0' x",
    "huge-binary": "head -c 5000000 /dev/urandom",
    "escape-codes": "printf '\\033]0;title\\007\\033[2J\\n\\r\\001\\377\\n'",
    "crash": "kill -SEGV $$",
    "kill-group": "kill -TERM 0",
    "fail": "exit 255",
    "slow-words": "for i in 1 2 3 4 5 6; do printf x; sleep 0.05; done",
    "turn": "autorotate_does_not_exist; exit 127",
    "ask-back": "\"$PROGRAM\" --rotate inverted; \"$PROGRAM\" --status; \"$PROGRAM\" --unlock",
}
MOST_PROCESSOR = 0.5  # of a core, once the hooks of a rotation are stopped


class Hooks(Attack):
    """Each rotates the device once with one or two bad hooks in place, and once without."""

    name, whole, light = "hooks", 40, 2
    check_every = 1

    def attempt(self, rng, index):
        for _ in range(rng.randrange(1, 3)):
            self._place(rng)
        self.session.accelerate(*ACCELERATIONS[rng.choice(("right", "inverted"))])
        for _ in range(rng.randrange(2, 6)):
            let_pass(rng.uniform(0, 0.3))
            self.target_daemon.status()
        self._check_idle()

    def check_consistent(self):
        """Without hooks, and with the processes that they have left behind."""
        for kind in KINDS:
            shutil.rmtree(self._directory(kind), ignore_errors=True)
        super().check_consistent()

    def _check_idle(self):
        """Once hooks have had their time, their output costs little."""
        usage = []

        def is_idle():
            usage.append(self._share_of_core(1))
            return usage[-1] <= MOST_PROCESSOR

        if not wait_until(is_idle):
            raise Failure(f"it uses {min(usage):.0%} of a core and more while hooks print")
        self.target_daemon.check_alive()

    def _share_of_core(self, seconds):
        """The share of a core that it uses in that time. A busy machine gives it less, never more."""
        process = self.target_daemon.process.pid
        before, began = processor_time(process), time.monotonic()
        let_pass(seconds)
        return (processor_time(process) - before) / (time.monotonic() - began)

    def _directory(self, kind):
        return os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate", kind + ".d")

    def _place(self, rng):
        directory = self._directory(rng.choice(KINDS))
        os.makedirs(directory, mode=0o700, exist_ok=True)
        path = os.path.join(directory, f"{rng.randrange(100):02}-{rng.randrange(10 ** 6)}")
        rng.choice([self._script] * 6 + [self._odd])(rng, path)

    def _script(self, rng, path):
        name, text = rng.choice(list(SCRIPTS.items()))
        self._write(f"{path}-{name}", f"#!/bin/sh\nPROGRAM={self.target_daemon.process.args[0]}\n{text}\n")

    @staticmethod
    def _write(path, text, mode=0o700):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def _odd(self, rng, path):
        """A file that is no program."""
        kind = rng.randrange(7)
        if kind == 0:
            os.mkfifo(path, 0o700)
        elif kind == 1:
            os.symlink("/nowhere/at/all", path)
        elif kind == 2:
            os.mkdir(path, 0o700)
        elif kind == 3:
            self._write(path, "", mode=stat.S_IRUSR)
        elif kind == 4:
            self._write(path, "#!/no/such/interpreter\n")
        elif kind == 5:
            self._write(path, "\x7fELF and nothing more")
        else:
            os.symlink(path, path)
