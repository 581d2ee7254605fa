# SPDX-License-Identifier: MIT
"""KWin of a user: what it reports to every client about the panel, and where a fullscreen window is touched."""

import re

from wlroots import TRANSFORMS, Wlroots

PANEL = re.compile(r"output_transform: (\w+)[^\n]*\n.*?width: (\d+) px, height: (\d+) px[^\n]*\n\s*flags: [^\n]*current",
                   re.DOTALL)


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

    def picture(self):
        """Rotation and size."""
        found = PANEL.search(self.person.run("wayland-info").stdout)
        if not found:
            return None
        turn, size = TRANSFORMS.get(found[1], found[1]), found.groups()[1:]
        return [turn, "x".join(reversed(size) if turn in ("left", "right") else size)]
