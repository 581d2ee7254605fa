# SPDX-License-Identifier: MIT
"""The autorotate under attack: whether it runs, answers, and is correct after each round."""

import json
import os
import signal
import subprocess
import time

from benchkit import consistency
from benchkit.child_processes import longest_wait, wait_until
from benchkit.daemon import DEVICE, ACCELERATIONS
from benchkit.testing import program

from .tally import MOST_MEMORY, Failure


class Target:
    """A running daemon on a bench."""

    def __init__(self, session, tally, *arguments, env=None, log="target"):
        self.session, self.tally, self.log = session, tally, log
        # Rules of an autorotate that is installed on this machine do not count.
        self.env = {**(env or session.device_env), "XDG_DATA_DIRS": session.env["XDG_DATA_HOME"]}
        self.process = session.children.start(log, [program(), *map(str, arguments)], self.env)

    def await_answer(self):
        """Waits until it answers for the first time."""
        if not wait_until(lambda: self.process.poll() is not None or self._is_answering(), pause=0.02):
            raise Failure(f"it did not come up in {longest_wait():.0f} s: {self.printed()}")
        self.check_alive()
        return self

    def _is_answering(self):
        return self._ask("--status").returncode == 0

    def printed(self):
        return self.session.children.last_words(self.log, 12)

    # During an attack

    def check_alive(self):
        code = self.process.poll()
        if code is not None:
            name = signal.Signals(-code).name if code < 0 else f"status {code}"
            raise Failure(f"it ended with {name}: {self.printed()}")
        usage = memory(self.process.pid)
        self.tally.note_memory(usage)
        if usage > MOST_MEMORY:
            raise Failure(f"it has had {usage / 1024:.0f} MiB of memory")

    def _ask(self, *words, limit=None):
        try:
            return subprocess.run(
                [program(), *words], env=self.env, capture_output=True, text=True, errors="replace",
                timeout=limit, check=False)
        except subprocess.TimeoutExpired as error:
            self.tally.note_duration(limit)
            self.check_alive()
            raise Failure(f"autorotate {' '.join(words)} took over {limit:.0f} s") from error

    def ask(self, *words):
        """Runs the command line against it, and notes how long that took."""
        began = time.monotonic()
        output = self._ask(*words)
        self.tally.note_duration(time.monotonic() - began)
        self.check_alive()
        return output

    def status(self):
        result = self.ask("--status", "--json")
        if result.returncode != 0:
            raise Failure(f"--status gives {result.returncode}: {result.stderr.strip()}")
        return json.loads(result.stdout)

    # After a round

    def check_consistent(self, orientations=("left", "normal")):
        """Undoes what was requested, rotates the device, and checks whether everything agrees. Raises Failure."""
        for word in ("--unlock", "--release"):
            self.ask(word)
        for orientation in orientations:
            self.session.accelerate(*ACCELERATIONS[orientation])
            self.await_agreement(orientation)

    def await_agreement(self, orientation):
        """Waits until status, server and touch match the device orientation."""
        found = []

        def agrees():
            found[:] = self.disagreements(orientation)
            return not found

        if not wait_until(agrees, pause=0.02):
            raise Failure(f"held {orientation}, {longest_wait():.0f} s later: {'; '.join(found)}")

    def disagreements(self, orientation):
        status = self.status()
        wanted = {"device": DEVICE[orientation], "orientation": orientation}
        found = [f"status says {key} {status.get(key)}, {status.get('reasons')}"
                 for key, value in wanted.items() if status.get(key) != value]
        if self.session.xserver:
            found += consistency.disagreements(self.session, orientation)
        return found

    def end(self, limit=None):
        """Asks it to end. Returns its exit status. Raises Failure if it does not."""
        if self.process.poll() is None:
            self.check_alive()
            began = time.monotonic()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(limit)
            except subprocess.TimeoutExpired as error:
                self.process.kill()
                self.process.wait()
                self.tally.note_duration(limit)
                raise Failure(f"SIGTERM was not honoured in {limit:.0f} s") from error
            self.tally.note_duration(time.monotonic() - began)
        return self.process.returncode


def memory(process):
    """The most memory that a process has had, in KiB; 0 of one that has ended."""
    return _number(process, "status", lambda lines: next(
        (int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0))


def processor_time(process):
    """Seconds of processor time that a process has used so far."""
    ticks = _number(process, "stat", lambda lines: sum(map(int, lines[0].rpartition(")")[2].split()[11:13])))
    return ticks / os.sysconf("SC_CLK_TCK")


def _number(process, name, read):
    try:
        with open(f"/proc/{process}/{name}", encoding="utf-8", errors="replace") as file:
            return read(file.read().splitlines())
    except (OSError, IndexError):
        return 0
