# SPDX-License-Identifier: MIT
"""The mount matrices and locations of udev's hardware database, read from its installed text.

The file is not copied here (LGPL-2.1+). Its head defines both corpora: after the matrix, x and y are those of the
panel; base and display read the same while the lid is closed.
"""

import dataclasses
import os
import re

from .corpus import DataMissing

PLACES = ("/usr/lib/udev/hwdb.d/60-sensor.hwdb", "/lib/udev/hwdb.d/60-sensor.hwdb")
MATRIX, LOCATION = "ACCEL_MOUNT_MATRIX", "ACCEL_LOCATION"


@dataclasses.dataclass
class Entry:
    """One property, with the keys of the block that it is in."""

    line: int
    keys: tuple
    name: str
    value: str

    def rows(self):
        """The nine numbers of a matrix, row by row."""
        return [[int(cell) for cell in row.split(",")] for row in self.value.rstrip("; ").split(";")]


def entries():
    """Raises Absent."""
    place = next((path for path in PLACES if os.path.isfile(path)), None)
    if not place:
        raise DataMissing(f"60-sensor.hwdb is not in {PLACES[0]} (package udev)")
    with open(place, encoding="utf-8") as file:
        return list(parsed(file))


def parsed(lines):
    keys, is_open = (), False
    for number, line in enumerate(lines, 1):
        if line.startswith("sensor:"):
            keys = (*(keys if is_open else ()), line.split("#")[0].strip())
            is_open = True
        elif match := re.match(r" (\w+)=([^#\n]*)", line):
            is_open = False
            yield Entry(number, keys, match[1], match[2].strip())


def matrices():
    return [entry for entry in entries() if entry.name == MATRIX]


def pairs():
    """(key of the base, matrix of the display, matrix of the base) of each machine whose two sensors have both.

    The two are found by their labels, or by the ids that the kernel's drivers have for the two of a pair.
    """
    found = {key: entry for entry in matrices() for key in entry.keys}
    for key, base in found.items():
        partner = key
        for ours, theirs in (("accel-base", "accel-display"), ("KIOX020A", "KIOX010A"),
                             ("i2c:bmc150_accel", "acpi:DUAL250E*")):
            partner = partner.replace(ours, theirs)
        if partner != key and partner in found:
            yield key, found[partner], base
