# SPDX-License-Identifier: MIT
"""The programs that a bench runs beside the one under test."""

import os
import signal
import subprocess
import time

from . import processes
from .supervisor import die_with_parent
from .requirements import Missing

LONGEST_WAIT = 60.0  # seconds
SECONDS_TO_STOP = 2.0
EPOLL_WAIT = {"x86_64": "232", "aarch64": "22"}  # epoll_pwait, where there is no other


class Failed(Exception):
    """A program of the bench did not do its part."""


class Helper:
    """A program that receives commands, a line each. It ends with its `with`, or by `end`."""

    def __init__(self, command, env, stderr=None):
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.end()

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it ended before it read everything
        self.process.wait()
        self.process.stdout.close()

    def send_line(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def ask(self, *words):
        """Returns the words behind the "done" of its answer."""
        self.send_line(*words)
        answer = self.process.stdout.readline().split()
        if answer[:1] != ["done"]:
            raise Failed(f"the windows' program has ended at: {' '.join(map(str, words))}")
        return answer[1:]


def longest_wait():
    """The one limit of every wait, in seconds, which only ends waits that would never end. It grows with the load, so that a
    busy machine, where every program is late, changes no result. `make mutants`, where many tests fail, sets it."""
    chosen = os.environ.get("TEST_LONGEST_WAIT")
    return float(chosen) if chosen else LONGEST_WAIT * max(1, os.getloadavg()[0] / os.cpu_count())


def wait_until(condition, what=None, pause=0.005):
    """Calls `condition` until it returns something true, and returns that. It pauses for as long as the call took, or for
    `pause` if that is longer, since a condition that takes long would slow down what it waits for.

    After `longest_wait` it raises Failed with `what`, a text or a function that returns one; without `what` it
    returns None.
    """
    began = asked = time.monotonic()
    while not (found := condition()):
        answered = time.monotonic()
        if answered - began > longest_wait():
            if what is None:
                return None
            raise Failed(f"not within {longest_wait():.0f} s: {what() if callable(what) else what}")
        time.sleep(max(pause, answered - asked))
        asked = time.monotonic()
    return found


def let_pass(seconds):
    """Waits where the length of time is part of the test: a period of rest, a speed of typing.

    Never for something that can be awaited: use `wait_until`.
    """
    time.sleep(seconds)


def stop_between_answers(process):
    """Stops a server by SIGSTOP where it waits for requests, in epoll.

    Elsewhere it may have sent half of an answer, and a client that reads it by libxcb waits for the other half.
    """
    def is_stopped_in_epoll():
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: processes.is_stopped(process.pid), "it is stopped")
        if processes.system_call(process.pid) == EPOLL_WAIT[os.uname().machine]:
            return True
        process.send_signal(signal.SIGCONT)
        return False

    wait_until(is_stopped_in_epoll, f"{process.args[0]} waits for requests")


def exit_status(process):
    """Waits until a program has ended, and returns its exit status."""
    try:
        return process.wait(longest_wait())
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{error}\n{processes.description(process.pid)}") from None


class Children:
    """Starts programs in sessions of their own, with their output in files, and ends them in reverse order."""

    def __init__(self, directory):
        self.directory = directory
        self.running = []

    def start(self, name, command, env, pass_fds=()):
        """Starts a program. Its output goes to `name`.out."""
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
        """Waits until `condition()` is true. Raises Failed if `process` ends first or it takes too long."""
        def outcome():
            has_ended = process.poll() is not None  # first: it may become true just before the end
            return "met" if condition() else has_ended and "ended"

        if wait_until(outcome) != "met":
            end = "still running" if process.returncode is None else f"ended with {process.returncode}"
            raise Failed(f"{what} ({end}): {self.last_words(process.name)}")

    def last_words(self, name, lines=6):
        """The end of a program's output."""
        path = os.path.join(self.directory, name + ".out")
        with open(path, encoding="utf-8", errors="replace") as file:
            return "\n".join(file.read().strip().splitlines()[-lines:]) or "it said nothing"

    def stop(self, process):
        """Ends a program: by SIGTERM, then by SIGKILL."""
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
