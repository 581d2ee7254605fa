# SPDX-License-Identifier: MIT
"""The programs a bench runs beside the one it is for."""

import os
import signal
import subprocess
import time

from .supervisor import die_with_parent
from .requirements import Missing

SECONDS_TO_START = 15.0
# For what must not wait for something that stands still: far below for ever, far above what a busy machine takes.
# What it does take is printed, and the figures are in docs/reliability.md.
SECONDS_AT_MOST = 10.0
SECONDS_TO_STOP = 2.0


class Failed(Exception):
    """A program of the bench did not do its part."""


class Helper:
    """A program that is told what to do, a line at a time. It ends with its `with`, or by `end`."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.end()

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def ask(self, *words):
        """Returns the words behind the "done" of its answer."""
        self.tell(*words)
        answer = self.process.stdout.readline().split()
        if answer[:1] != ["done"]:
            raise Failed(f"the windows' program has ended at: {' '.join(map(str, words))}")
        return answer[1:]


def wait_until(condition, seconds=SECONDS_TO_START, pause=0.005):
    """Calls `condition` until it gives something true, which is returned; None after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found or time.monotonic() > deadline:
            return found or None
        time.sleep(pause)


class Children:
    """Starts programs in sessions of their own, with their output in files, and ends them in reverse."""

    def __init__(self, directory):
        self.directory = directory
        self.running = []

    def start(self, name, command, env, pass_fds=()):
        """Starts a program. What it prints goes to `name`.out."""
        with open(os.path.join(self.directory, name + ".out"), "wb") as output:
            try:
                process = subprocess.Popen(
                    command, env=env, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, pass_fds=pass_fds, start_new_session=True,
                    preexec_fn=die_with_parent)
            except FileNotFoundError as error:
                raise Missing(f"{command[0]} is not installed") from error
        process.name = name
        self.running.append(process)
        return process

    def await_condition(self, process, condition, what):
        """Waits until `condition()` is true, and raises Failed if `process` ends before or it takes too long."""
        if not wait_until(lambda: process.poll() is not None or condition()) or not condition():
            raise Failed(f"{what}: {self.last_words(process.name)}")

    def last_words(self, name, lines=6):
        """The end of what a program printed."""
        path = os.path.join(self.directory, name + ".out")
        with open(path, encoding="utf-8", errors="replace") as file:
            return "\n".join(file.read().strip().splitlines()[-lines:]) or "it said nothing"

    def stop(self, process):
        """Ends a program: asks first, then insists."""
        if process in self.running:
            self.running.remove(process)
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()

    def stop_all(self):
        for process in reversed(list(self.running)):
            self.stop(process)
