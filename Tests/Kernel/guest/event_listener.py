# SPDX-License-Identifier: MIT
"""A program that prints events, and its output."""

import subprocess
import threading
import time

from waiting import wait_until


class Listener:
    def __init__(self, person, command):
        self.command, self.events = command, []
        self.process = person.start(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.events.append((time.monotonic(), line.rstrip("\n")))

    def timed_lines(self):
        """With the time at which each was printed, in seconds as time.monotonic has them."""
        return list(self.events)

    def lines(self):
        return [line for _, line in self.timed_lines()]

    def forget(self):
        self.events.clear()

    def await_line(self, is_it):
        wait_until(lambda: any(map(is_it, self.lines())),
                   lambda: f"{self.command[-1]} has not printed the expected line: {self.lines()[-8:]}")
