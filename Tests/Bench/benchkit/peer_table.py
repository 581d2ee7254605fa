# SPDX-License-Identifier: MIT
"""The table of compared programs, with autorotate's targets."""

import os
import sys

SHOWN, RESTED = "new device orientation → screen, ms", "the same after 12 s of rest, ms"
FIRST, STILL, MEMORY = "start → first correct screen, ms", "ms and wake-ups a minute, still", "anonymous memory, kB"
BESIDE, FOCUS = "a rotation compared with the bare call", "focus → screen compared with the bare call"
GOALS = {
    SHOWN: "180/260, by the proxy 340/640", RESTED: "200/270", FIRST: "40", STILL: "15 and 120; on a hub 0",
    MEMORY: "1300", BESIDE: "1.2 times", FOCUS: "1.5 times"}
COLUMNS = ("iio-sway", "rot8", "ScreenRotator", "the proxy's signal", "autorotate", "autorotate (proxy)",
           "autorotate (hub)")


class Table:
    """Figures by measurement, desktop, and program."""

    def __init__(self):
        self.rows = {}

    def add(self, what, desktop, program, figure):
        """Also prints it, since a run takes half an hour."""
        print(f"{what} | {desktop} | {program} | {figure} (load {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)
        self.rows.setdefault((what, desktop), {})[program] = str(figure)

    def __str__(self):
        """In Markdown. A column without figures is left out."""
        columns = [name for name in COLUMNS if any(name in row for row in self.rows.values())]
        lines = [["", *columns, "goal"], ["---"] * (len(columns) + 2)]
        for (what, desktop), row in self.rows.items():
            lines.append([f"{what}: {desktop}", *(row.get(name, "–") for name in columns), GOALS[what]])
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
