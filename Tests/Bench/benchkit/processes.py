# SPDX-License-Identifier: MIT
"""/proc's information on processes, which may end at any moment: also between opening a file there and reading it."""

import os


def numbers():
    """The numbers of all processes."""
    return list(map(int, filter(str.isdigit, os.listdir("/proc"))))


def read(process, name):
    """A file of a process; empty if that has ended, or is another user's."""
    try:
        with open(f"/proc/{process}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def is_running(process):
    """False also for a zombie that nobody waits for."""
    return _after_name(process)[:1] not in ([], ["Z"])


def is_stopped(process):
    """Whether it is stopped by a signal."""
    return _after_name(process)[:1] == ["T"]


def system_call(process):
    """The number of the system call in which its first thread is, as text; "" if that cannot be read."""
    return "".join(read(process, "syscall").split()[:1])


def parent(process):
    return next(map(int, _after_name(process)[1:2]), None)


def words(process):
    """The words of its command."""
    return read(process, "cmdline").split("\0")[:-1]


def environment(process):
    """Lines like "NAME=value"."""
    return read(process, "environ").split("\0")


def tasks(process, name):
    """A file of each of its threads."""
    try:
        threads = sorted(os.listdir(f"/proc/{process}/task"), key=int)
    except OSError:
        return []
    return list(filter(None, (read(process, f"task/{thread}/{name}") for thread in threads)))


def description(process):
    """Why it may not end: the signals that each thread blocks, where it waits, and its open files."""
    wanted = ("Name:", "State:", "SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:", "SigCgt:")
    lines = [line for status in tasks(process, "status") for line in status.splitlines() if line.startswith(wanted)]
    lines += [f"waits in {place}" for place in tasks(process, "wchan")]
    try:
        directory = f"/proc/{process}/fd"
        lines += [f"{number}: {os.readlink(os.path.join(directory, number))}" for number in os.listdir(directory)]
    except OSError:
        lines.append("no open files")
    return "\n".join(lines)


def switches(process):
    """How often each of its threads has gone to sleep: a list, one number a thread. Raises ProcessLookupError."""
    lines = [line for status in tasks(process, "status") for line in status.splitlines()]
    if not lines:
        raise ProcessLookupError(process)
    return [int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt")]


def _after_name(process):
    return read(process, "stat").rpartition(")")[2].split()
