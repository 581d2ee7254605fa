# SPDX-License-Identifier: MIT
"""The widgets of a desktop that can be touched, by their names and places for screen readers: AT-SPI."""

import dataclasses
import json
import os
import subprocess

PROGRAM = os.path.join(os.path.dirname(__file__), "accessible_widgets.py")


@dataclasses.dataclass(frozen=True)
class Widget:
    left: int
    top: int
    width: int
    height: int
    is_checked: bool

    def on_the_glass(self, picture):
        """Its centre, in fractions of the touchscreen's axes, which are those of the panel."""
        rotation, size = picture
        width, height = map(int, size.split("x"))
        x, y = (self.left + self.width / 2) / width, (self.top + self.height / 2) / height
        return {"normal": (x, y), "left": (y, 1 - x), "inverted": (1 - x, 1 - y), "right": (1 - y, x)}[rotation]

    def __str__(self):
        return f"{self.width}x{self.height}+{self.left}+{self.top}"


class Widgets:
    def __init__(self, person):
        self.process = person.start("python3", PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def named(self, name):
        """The one that is shown; None if there is none."""
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        return found and Widget(*found)
