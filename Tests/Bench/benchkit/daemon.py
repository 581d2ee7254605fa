# SPDX-License-Identifier: MIT
"""The program under test as a daemon on a bench, and what it tells of itself."""

import json
import os
import select
import signal
import subprocess
import time

from . import processes
from .child_processes import SECONDS_TO_START, Failed, wait_until
from .testing import program

HOLDS = {
    "normal": (0, -9.81, 0), "left": (9.81, 0, 0),
    "inverted": (0, 9.81, 0), "right": (-9.81, 0, 0)}
"""How the device is held, in m/s², for the picture that then stands upright."""
DEVICE = {"normal": "normal", "left": "left-up", "inverted": "bottom-up", "right": "right-up"}


class Daemon:
    """A running autorotate. Ends with the bench, if not before."""

    def __init__(self, session, *arguments, log="daemon", starter=()):
        """`starter`: the words of a program that becomes it."""
        self.session = session
        self.log = log
        self.process = session.start(log, [*starter, program(), *map(str, arguments)])
        self.follower = None
        self.latest = None

    def __enter__(self):
        self.await_name()
        return self

    def __exit__(self, *_error):
        self.end()

    def await_name(self):
        """Waits until it answers on the bus."""
        answers = wait_until(
            lambda: self.process.poll() is not None or self.ask("--status").returncode == 0, 10)
        if not answers or self.process.poll() is not None:
            raise Failed(f"autorotate did not come up: {self.said()}")

    def ask(self, *arguments):
        """Runs the command line against it. Returns a CompletedProcess with text."""
        return self.session.run(program(), *arguments)

    def said(self):
        """All it printed so far."""
        path = os.path.join(self.session.directory, self.log + ".out")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def status(self):
        """What it tells now."""
        return json.loads(self.ask("--status", "--json").stdout)

    def until(self, condition, what, seconds=5.0):
        """Reads its status at each change until `condition(status)` is true, and returns that status."""
        deadline = time.monotonic() + max(seconds, SECONDS_TO_START)
        if self.follower is None:
            self.follower = subprocess.Popen(
                [program(), "--status", "--follow", "--json"], env=self.session.env,
                stdout=subprocess.PIPE, bufsize=0)
        while self.latest is None or not condition(self.latest):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.follower.stdout], [], [], left)[0]:
                raise Failed(f"{what} did not come in {seconds} s; last told: {self.latest}")
            self.latest = json.loads(self.follower.stdout.readline() or b"null")
        return self.latest

    def until_shown(self, orientation, seconds=5.0):
        return self.until(
            lambda status: status and status["orientation"] == orientation, orientation, seconds)

    def until_said(self, words, seconds=5.0):
        if not wait_until(lambda: words in self.said(), max(seconds, SECONDS_TO_START)):
            raise Failed(f"it did not say {words!r} but: {self.said()}")

    def hold(self, orientation, seconds=5.0):
        """Holds the device so, and waits until the picture has followed."""
        self.session.accelerate(*HOLDS[orientation])
        return self.until(
            lambda now: now and (now["device"], now["orientation"]) == (DEVICE[orientation], orientation),
            orientation, seconds)

    def switches(self):
        return processes.switches(self.process.pid)

    def end(self, number=signal.SIGTERM):
        """Ends it, and returns its exit status."""
        if self.follower:
            self.follower.terminate()
            self.follower.stdout.close()  # it may wait for us to read
            self.follower.wait()
            self.follower = None
        self.process.send_signal(number)
        return self.process.wait(10)
