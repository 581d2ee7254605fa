# SPDX-License-Identifier: MIT
"""KWin of a user: what it reports to every client about the panel, and where a fullscreen window is touched."""

import re

from wlroots import TRANSFORMS, Wlroots

OUTPUT = (r"\tname: {}\n.*?x: (-?\d+), y: (-?\d+),.*?output_transform: (\w+)[^\n]*\n"
          r".*?width: (\d+) px, height: (\d+) px[^\n]*\n\s*flags: [^\n]*current")


class KWin(Wlroots):
    programs = ["env", "XDG_CURRENT_DESKTOP=KDE", "KWIN_COMPOSE=Q", "kwin_wayland", "--no-lockscreen", "sh begin"]
    files = {".config/kwinrulesrc": """\
[General]
count=1
rules=1
[1]
fullscreen=true
fullscreenrule=2
wmclass=wev
wmclassmatch=2
"""}

    def _output(self, name):
        """Orientation, size and place."""
        found = re.search(OUTPUT.format(name), self.person.run("wayland-info").stdout, re.DOTALL)
        if not found:
            return None
        left, top, transform, *size = found.groups()
        turn = TRANSFORMS.get(transform, transform)
        return [turn, "x".join(reversed(size) if turn in ("left", "right") else size), f"+{left}+{top}"]

    def picture(self):
        """Orientation and size."""
        found = self._output("eDP-1")
        return found and found[:2]

    def monitor(self):
        """Orientation, size and place."""
        found = self._output("eDP-2")
        return found and [found[0], found[1] + found[2]]
