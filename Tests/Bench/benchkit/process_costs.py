# SPDX-License-Identifier: MIT
"""The cost of processes, as the kernel counts it."""

import re

from . import processes


class Cost:
    """Processor time and switches of some processes, from now on."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.before = self._now()

    def so_far(self):
        """(nanoseconds of the processors, switches of all threads, involuntary ones included)."""
        return tuple(now - before for now, before in zip(self._now(), self.before))

    def _now(self):
        return (sum(map(nanoseconds, self.numbers)), sum(map(switches, self.numbers)))


def nanoseconds(process):
    return sum(int(words.split()[0]) for words in processes.tasks(process, "schedstat"))


def switches(process):
    text = "".join(processes.tasks(process, "status"))
    return sum(map(int, re.findall(r"^(?:non)?voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE)))


def anonymous(process):
    """Kilobytes of anonymous memory."""
    return int(re.search(r"^Anonymous:\s+(\d+)", processes.read(process, "smaps_rollup"), re.MULTILINE)[1])
