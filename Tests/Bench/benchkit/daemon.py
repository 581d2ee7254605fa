# SPDX-License-Identifier: MIT
"""The program under test as a daemon on a bench, and its status and output."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time

from . import processes
from .child_processes import Failed, exit_status, let_pass, longest_wait, wait_until
from .testing import program

ACCELERATIONS = {
    "normal": (0, -9.81, 0), "left": (9.81, 0, 0),
    "inverted": (0, 9.81, 0), "right": (-9.81, 0, 0)}
"""The device orientation, in m/s², for each screen orientation that is then upright."""
DEVICE = {"normal": "normal", "left": "left-up", "inverted": "bottom-up", "right": "right-up"}


class Daemon:
    """A running autorotate. Ends with the bench, if not before."""

    def __init__(self, session, *arguments, log="daemon", starter=()):
        """`starter`: the words of a program that starts it."""
        self.session = session
        self.log = log
        self.process = session.start(log, [*starter, program(), *map(str, arguments)])
        self.follower = None
        self.latest = None
        self.followed = []

    def __enter__(self):
        self.await_name()
        return self

    def __exit__(self, *_error):
        self.end()

    def await_name(self):
        """Waits until it answers on the bus."""
        wait_until(lambda: self.process.poll() is not None or self.ask("--status").returncode == 0, self.printed)
        if self.process.poll() is not None:
            raise Failed(f"autorotate did not come up: {self.printed()}{self._outputs_of_server()}")

    def _outputs_of_server(self):
        """RandR's state, for diagnosing why there is nothing to rotate."""
        if "DISPLAY" not in self.session.env:
            return ""
        shown = self.session.run("xrandr")
        return f"\nxrandr on {self.session.env['DISPLAY']}: {shown.stdout}{shown.stderr}"

    def ask(self, *arguments):
        """Runs the command line against it. Returns a CompletedProcess with text."""
        return self.session.run(program(), *arguments)

    def printed(self):
        """Everything that it has printed."""
        path = os.path.join(self.session.directory, self.log + ".out")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def status(self):
        """Its current status."""
        return json.loads(self.ask("--status", "--json").stdout)

    def until(self, condition, what):
        """Reads its status at each change until `condition(status)` is true, and returns that status."""
        if self.follower is None:
            self.follower = subprocess.Popen(
                [program(), "--status", "--follow", "--json"], env=self.session.env,
                stdout=subprocess.PIPE, bufsize=0)
        began = time.monotonic()
        while self.latest is None or not condition(self.latest):
            left = began + longest_wait() - time.monotonic()  # the pipe of one that has ended is always readable: end of file
            if left <= 0 or not select.select([self.follower.stdout], [], [], left)[0]:
                raise Failed(f"not within {longest_wait():.0f} s: {what}; the last status is: {self.latest}")
            self.latest = json.loads(self.follower.stdout.readline() or b"null")
            self.followed.append(self.latest)
        return self.latest

    def until_shown(self, orientation):
        return self.until(lambda status: status and status["orientation"] == orientation, orientation)

    def let_layout_settle(self):
        """For the first two seconds, and after a change of the outputs, it undoes rotations by other programs."""
        let_pass(2)

    def until_printed(self, words):
        wait_until(lambda: words in self.printed(), lambda: f"{words!r} in the log: {self.printed()}")

    def hold(self, orientation):
        """Holds the device so, and waits until the screen has followed."""
        self.session.accelerate(*ACCELERATIONS[orientation])
        return self.until(
            lambda now: now and (now["device"], now["orientation"]) == (DEVICE[orientation], orientation),
            orientation)

    def hold_until_detected(self, orientation):
        """Holds the device so, and waits until the daemon knows; the screen need not follow."""
        self.session.accelerate(*ACCELERATIONS[orientation])
        return self.until(lambda now: now and now["device"] == DEVICE[orientation], DEVICE[orientation])

    def rotations(self):
        """The orientations that it has rotated the screen to, in order, from its log."""
        return re.findall(r" → ([a-z]+)\. ", self.printed())

    @contextlib.contextmanager
    def rotating_only(self, *orientations):
        """Fails unless the `with` rotates the screen to these orientations, in this order, and to nothing else.

        To test that something does not rotate: do that first, then something that is awaited, and that the daemon
        handles after it: the marker. The daemon decides in one thread, and handles what is due before later input. So
        after the marker everything is decided, and every wrong rotation is in the log.

        What came before          The marker
        anything                  `hold`: another device orientation, which the screen follows
        a change of focus         `hold`, `hold_until_detected`: decided later (some 250 ms) than a
                                  focus change (150 ms). Choose one that a wrongly focused app would show.
        a command, a setting      `ask("--rotate", …)` and `until_shown`, also while the sensor sleeps
        a finger, a pen           `hold`, which waits until 500 ms after the finger
        an event of a device      a later event of the same device that changes the status
        """
        before = self.rotations()
        yield
        self.until(lambda now: now and not is_rotating(now), "the end of the rotation")
        found = self.rotations()
        if found != before + list(orientations):
            raise AssertionError(f"rotated to {found}, not {before} and then {list(orientations)}; {self.printed()}")

    def values(self, key):
        """The values of `key` in the status from the first `until` to the last, in order, without repetitions."""
        found = []
        for status in self.followed:
            if status and (not found or found[-1] != status[key]):
                found.append(status[key])
        return found

    def until_idle(self, seconds):
        """Waits until so many seconds pass in which none of its threads wakes. Returns `switches()`.

        A daemon that keeps waking never is idle; on a busy machine the wait only takes longer.
        """
        def is_idle():
            before = self.switches()
            let_pass(seconds)
            return self.switches() == before and before

        return wait_until(is_idle, f"{seconds} s in which it does not wake")

    def switches(self):
        return processes.switches(self.process.pid)

    def end(self, number=signal.SIGTERM):
        """Ends it, and returns its exit status."""
        if self.follower:
            self.follower.terminate()
            self.follower.stdout.close()  # it may wait for a reader
            self.follower.wait()
            self.follower = None
        self.process.send_signal(number)
        self.process.send_signal(signal.SIGCONT)  # a test that failed may have stopped it
        return exit_status(self.process)


def is_rotating(status):
    return "turn.under-way" in status["reasonCodes"]
