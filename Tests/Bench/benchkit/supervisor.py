# SPDX-License-Identifier: MIT
"""Leaves nothing behind: runs work in a child, in a directory, and afterwards ends everything that it started.

Two processes watch each other. The guard is the reaper of all that the work starts, daemons
included; when the work ends in any way, SIGKILL included, the guard ends the rest and removes the
directory. When the guard itself is killed, the work gets a signal and cleans up.
"""

import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time

from . import processes

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # prctl(2)
LONGEST_TEMPORARY_NAME = 40  # a socket's path has room for 107 bytes in all
SECONDS_TO_END = 3.0
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_libc = ctypes.CDLL(None, use_errno=True)


class Interrupted(BaseException):
    """A signal asked the work to end."""

    def __init__(self, number):
        super().__init__(number)
        self.status = 128 + number


def die_with_parent(number=signal.SIGTERM):
    """For the child's side of a fork: be sent `number` when the parent dies."""
    _libc.prctl(SET_PARENT_DEATH_SIGNAL, int(number), 0, 0, 0)


def adopt_orphans():
    """Processes whose parent ends become children of this one, so that they can be ended."""
    _libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants():
    """Numbers of all processes below this one."""
    children = {}
    for number in processes.numbers():
        children.setdefault(processes.parent(number), []).append(number)
    found, row = [], children.get(os.getpid(), [])
    while row:
        found += row
        row = [child for process in row for child in children.get(process, [])]
    return found


def _reap():
    """Collects ended children. True when none is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def end_descendants():
    """Ends all processes below this one: by SIGTERM, then by SIGKILL."""
    for number, patience in ((signal.SIGTERM, SECONDS_TO_END), (signal.SIGKILL, SECONDS_TO_END)):
        deadline = time.monotonic() + patience
        signalled = set()
        while not _reap() and time.monotonic() < deadline:
            for process in set(descendants()) - signalled:  # some start while others end
                _send(process, number)
                signalled.add(process)
            time.sleep(0.005)


def _send(process, number):
    try:
        os.kill(process, number)
        os.kill(process, signal.SIGCONT)
    except ProcessLookupError:
        pass


def raise_when_asked_to_end():
    """Turns the first of the ending signals into Interrupted; later ones have their default effect."""

    def raise_once(number, _frame):
        for each in ENDINGS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(number)

    for each in ENDINGS:
        signal.signal(each, raise_once)


def _be_the_work(work, directory):
    die_with_parent()
    adopt_orphans()
    raise_when_asked_to_end()
    status = 1
    try:
        status = work(directory)
    except Interrupted as interruption:
        status = interruption.status
    except Exception:  # pylint: disable=broad-except
        sys.excepthook(*sys.exc_info())
    finally:
        for each in ENDINGS:
            signal.signal(each, signal.SIG_IGN)
        end_descendants()
        shutil.rmtree(directory, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def fork_work(work, directory):
    """Runs `work(directory)` in a child that ends with its descendants and its directory. Returns its process number."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        _be_the_work(work, directory)
    return process


def temporary_directory():
    place = tempfile.gettempdir()
    if len(place) > LONGEST_TEMPORARY_NAME:
        place = "/tmp"
    return tempfile.mkdtemp(prefix="bench-", dir=place)


def _wait_for(process):
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == process:
            return status


def guarded(work):
    """Runs `work(directory)` in a child with a private directory, and returns its exit status."""
    adopt_orphans()
    directory = temporary_directory()
    process = fork_work(work, directory)
    for each in ENDINGS:
        signal.signal(each, lambda number, _frame: _send(process, signal.SIGTERM))
    status = os.waitstatus_to_exitcode(_wait_for(process))
    end_descendants()
    shutil.rmtree(directory, ignore_errors=True)
    return status if status >= 0 else 128 - status
