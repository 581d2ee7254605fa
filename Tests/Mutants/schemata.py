# SPDX-License-Identifier: MIT
"""Writes sources that hold many faults at once, of which the environment chooses one when they run.

Building takes longer than testing, so all faults are built together: a body with faults in it becomes a switch
over its versions, a stored property's first value a chain of `?:`. $MUTANT is the number of the version; without
it, the code is what it was.
"""

SWITCH = """// What is chosen for this run.
import Glibc

enum Mutants {
  static let active: Int = {
    guard let text = getenv("MUTANT") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }()
}
"""


class Written:
    """One file with its faults: the text, and which line belongs to which fault."""

    def __init__(self, text, faults):
        self.parts = []
        self.line = 1
        self.owners = {}  # line → number of a fault
        self.shares = {}  # line → numbers of all faults of the same body
        self._write_all(text, faults)

    @property
    def text(self):
        return "".join(self.parts)

    def _write_all(self, text, faults):
        """`faults` is a list of (number, fault)."""
        regions = {}
        for number, fault in faults:
            regions.setdefault(fault.region, []).append((number, fault))
        at = 0
        for region in sorted(regions, key=lambda each: each.start):
            self._put(text[at:region.start])
            write = self._write_body if region.is_body else self._write_value
            write(text, region, regions[region])
            at = region.end
        self._put(text[at:])

    def _put(self, text, owner=None):
        first = self.line
        self.parts.append(text)
        self.line += text.count("\n")
        if owner:
            self.owners.update(dict.fromkeys(range(first, self.line + 1), owner))

    def _write_body(self, text, region, faults):
        first = self.line
        self._put("\nswitch Mutants.active {\n")
        for number, fault in faults:
            self._put(f"case {number}:\n")
            self._put(fault.apply(text, region), owner=number)
            self._put("\n")
        self._put("default:\n" + text[region.start:region.end] + "\n}\n")
        self.shares.update(dict.fromkeys(range(first, self.line + 1), [number for number, _fault in faults]))

    def _write_value(self, text, region, faults):
        for number, fault in faults:
            self._put(f"\n  Mutants.active == {number} ? (\n")
            self._put(fault.apply(text, region), owner=number)
            self._put("\n  ) :")
        self._put(" (" + text[region.start:region.end] + ")")
