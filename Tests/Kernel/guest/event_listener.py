# SPDX-License-Identifier: MIT
"""A program that tells of events, and what it has told."""

import subprocess
import threading

from waiting import wait_until


class Listener:
    def __init__(self, person, command):
        self.command, self.told = command, []
        self.process = person.start(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.told.append(line.rstrip("\n"))

    def lines(self):
        return list(self.told)

    def forget(self):
        self.told.clear()

    def await_line(self, is_it):
        wait_until(lambda: any(map(is_it, self.lines())),
                   lambda: f"{self.command[-1]} has not said what is waited for: {self.lines()[-8:]}")
