# SPDX-License-Identifier: MIT
"""Writes sources that hold many faults at once, of which the environment chooses one when they run.

Building takes longer than testing, so all faults are built together: a body with faults in it becomes a switch
over its versions, a stored property's first value a chain of `?:`. $MUTANT is the number of the version; without
it, the code is unchanged. With $MUTANTS_REACHED, a file, each region with faults that runs is written there once, by
its first fault's number: the tests that reach a region are those that can find its faults.
"""

SWITCH = """// Chooses the fault of this run, and records what is reached.
import Glibc

nonisolated enum Mutants {
  static let active: Int = {
    guard let text = getenv("MUTANT") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }()

  private static let record: String? = getenv("MUTANTS_REACHED").map { String(cString: $0) }
  nonisolated(unsafe) private static let reached: UnsafeMutableBufferPointer<Bool> = {
    let all = UnsafeMutableBufferPointer<Bool>.allocate(capacity: 1_000_000)
    all.initialize(repeating: false)
    return all
  }()

  @inline(never)
  static func at(_ region: Int) -> Int {
    if let record, !reached[region] { write(region, to: record) }
    return active
  }

  // The file is not kept open: some tests count the open ones.
  private static func write(_ region: Int, to path: String) {
    reached[region] = true
    let code = errno
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    let line = "\\(region)\\n"
    _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
    close(descriptor)
    errno = code
  }
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
        self._put(f"\nswitch Mutants.at({faults[0][0]}) {{\n")
        for number, fault in faults:
            self._put(f"case {number}:\n")
            self._put(fault.apply(text, region), owner=number)
            self._put("\n")
        self._put("default:\n" + text[region.start:region.end] + "\n}\n")
        self.shares.update(dict.fromkeys(range(first, self.line + 1), [number for number, _fault in faults]))

    def _write_value(self, text, region, faults):
        for number, fault in faults:
            self._put(f"\n  Mutants.at({faults[0][0]}) == {number} ? (\n")
            self._put(fault.apply(text, region), owner=number)
            self._put("\n  ) :")
        self._put(" (" + text[region.start:region.end] + ")")
