# SPDX-License-Identifier: MIT
"""KWin of a user: what it reports to every client about the panel, and where a fullscreen window is touched."""

import re

from desktop import on_screen
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

    def output(self, name):
        """From what KWin reports to every client."""
        found = re.search(OUTPUT.format(name), self.person.run("wayland-info").stdout, re.DOTALL)
        if not found:
            return None
        left, top, transform, *size = found.groups()
        rotation = TRANSFORMS.get(transform, transform)
        return [rotation, on_screen(size, rotation), f"+{left}+{top}"]
