# SPDX-License-Identifier: MIT
"""The results: the faults that were found, those without a visible effect, and the survivors."""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


def known_equivalents():
    """(file, line before, line with the fault) → why it has no visible effect."""
    with open(os.path.join(HERE, "equivalent"), encoding="utf-8") as file:
        blocks = re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE))
    found = {}
    for block in filter(str.strip, blocks):
        lines = block.strip().splitlines()
        found[lines[0].strip(), lines[1][2:].strip(), lines[2][2:].strip()] = " ".join(lines[3:])
    return found


def describe(fault):
    return f"Sources/{fault.place} ({fault.kind})\n    - {fault.old_lines}\n    + {fault.new_lines}"


class Tally:
    """Counts the faults of one target as they are tried."""

    def __init__(self, target):
        self.target = target
        self.found, self.survivors, self.equivalent = 0, [], []
        self.equivalents = known_equivalents()

    @property
    def attempted(self):
        """How many had tests run on them."""
        return self.found + len(self.survivors)

    @property
    def tried(self):
        return self.attempted + len(self.equivalent)

    def is_equivalent(self, fault):
        """Whether a fault is known to change nothing, and need not be tried."""
        why = self.equivalents.get((os.path.basename(fault.path), fault.old_lines, fault.new_lines))
        if why is not None:
            self.equivalent.append((fault, why))
        return why is not None

    def note(self, fault, how):
        if how:
            self.found += 1
        else:
            self.survivors.append(fault)

    def print(self):
        """Returns the percentage found of those that can be found."""
        for fault, why in self.equivalent:
            print(f"equivalent: {describe(fault)}\n    {why}")
        for fault in self.survivors:
            print(f"not found: {describe(fault)}")
        share = 100 * self.found / self.attempted if self.attempted else 0
        print(f"{self.target}: {self.tried} faults tried: {self.found} found, {len(self.survivors)} not found, "
              f"{len(self.equivalent)} known to be equivalent; {share:.1f} % of those that can be found", flush=True)
        return share
