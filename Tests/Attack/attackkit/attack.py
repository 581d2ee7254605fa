# SPDX-License-Identifier: MIT
"""The frame of every attack: tries with random choices of their own, a bench, and the count."""

import os
import subprocess
import tempfile

from benchkit.accelerometer import Options as Sensor
from benchkit.c_programs import PROJECT
from benchkit.child_processes import Failed
from benchkit.session import Options, Session

from . import seeded_random
from .tally import Failure, Tally, complain
from .target_daemon import Target

KEPT = os.path.join(PROJECT, ".build", "attack")


class Attack:
    """One kind of attack. The kinds below define a try; a name has the form "kind" or "kind.part"."""

    name = ""
    whole = light = 0  # how many tries belong to `make attack`, and to `make test`
    check_every = 200  # tries, after which everything must agree again

    def __init__(self, room, seed):
        self.room, self.seed = room, seed
        self.tally = Tally(self.name, seed, KEPT)
        self.session = self.target_daemon = None

    # Overridden by kinds

    def open(self):
        """Starts the target."""
        self.bench(sensor=Sensor())
        self.start()

    def attempt(self, rng, index):
        """One try. Raises Failure."""
        raise NotImplementedError

    def check_consistent(self):
        """Checks the state after each `check_every` tries and at the end. Raises Failure."""
        self.target_daemon.check_consistent()

    def close(self):
        """Ends the programs that were started."""
        if self.session:
            self.session.stop()
        self.session = self.target_daemon = None

    # Used by kinds

    def bench(self, **options):
        self.session = Session(tempfile.mkdtemp(prefix="", dir=self.room), Options(**options))
        self.session.__enter__()  # pylint: disable=unnecessary-dunder-call
        return self.session

    def start(self, *arguments, **options):
        self.target_daemon = Target(self.session, self.tally, *arguments, **options).await_answer()
        return self.target_daemon

    # The run

    def run(self, first, count):
        """Tries `count` times, and returns the tally."""
        try:
            if self._survives(first, self.open):
                self._try_all(first, count)
        finally:
            self._finish(first + count)
        return self.tally

    def _try_all(self, first, count):
        for index in range(first, first + count):
            rng = seeded_random.of_try(self.seed, self.name, index)
            is_due = (index + 1) % self.check_every == 0 or index + 1 == first + count
            self.tally.tries += 1
            if not self._survives(index, lambda: self._once(rng, index, is_due)) and not self._restart(index):
                return

    def _once(self, rng, index, is_due):
        self.attempt(rng, index)
        if is_due:
            self.check_consistent()

    def _survives(self, index, work):
        try:
            work()
            return True
        except (Failure, Failed, OSError, ValueError, subprocess.SubprocessError) as harm:
            words = self.target_daemon.printed() if self.target_daemon else ""
            self.tally.failed(index, harm if isinstance(harm, Failure) else f"{type(harm).__name__}: {harm}", words)
            return False

    def _restart(self, index):
        if self.tally.is_hopeless:
            complain(f"{self.name}: {self.tally.failures} failures are enough")
            return False
        self.close()
        return self._survives(index, self.open)

    def _finish(self, index):
        try:
            if self.target_daemon and self.target_daemon.process.poll() is None:
                self._survives(index, self.target_daemon.end)
        finally:
            self.close()
