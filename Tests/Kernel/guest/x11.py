# SPDX-License-Identifier: MIT
"""Xorg with openbox of a user: RandR's reports, and where touches and pens arrive by XI2."""

import os
import re

import screenshots
from desktop import Desktop
from event_listener import Listener
from user_sessions import write_file

RC = """\
dbus-update-activation-environment --systemd DISPLAY XAUTHORITY
systemctl --user start desktop.target
exec openbox
"""
SERVER = """\
Section "Device"
  Identifier "panel"
  Driver "modesetting"
  Option "kmsdev" "/dev/dri/card0"
  Option "AccelMethod" "none"
EndSection
"""
"""Xorg does not find a display that is no PCI device."""
OUTPUT = r"^{} connected.*?(\d+x\d+)(\+\d+\+\d+) (?:\(\w+\) )?(.*?)\("
ROTATION_EVENT = re.compile(r"crtc \d+, mode \d\S+, rotation RR_Rotate_(\d+)")
ROTATIONS = {"0": "normal", "90": "left", "180": "inverted", "270": "right"}
LANDED = re.compile(r"^\s+root: (-?[\d.]+)/(-?[\d.]+)")


class X11(Desktop):
    kind = "x11"

    def __init__(self, person, terminal=1):
        super().__init__(person, terminal)
        self.display, self.seen_until = f":{terminal - 1}", 0
        self.programs = ["startx", "--", self.display, f"vt{terminal}", "-keeptty", "-nolisten", "tcp"]
        person.env |= {"DISPLAY": self.display, "XAUTHORITY": f"{person.account.pw_dir}/.Xauthority"}
        person.write(".xinitrc", RC)
        write_file("/etc/X11/xorg.conf.d/panel.conf", SERVER)

    def is_there(self):
        return os.path.exists(f"/tmp/.X11-unix/X{self.display[1:]}") and self.person.run("xrandr").returncode == 0

    def has_terminal(self):
        return self.person.run("xprop", "-root", "XFree86_has_VT", timeout=20).stdout.strip().endswith("= 1")

    def listen(self):
        self.listener = Listener(self.person, ["stdbuf", "-oL", "xinput", "test-xi2", "--root"])
        self.listener.await_line(lambda line: "Bench Touchscreen" in line)

    def watch(self):
        self.rotations = Listener(self.person, ["stdbuf", "-oL", "xev", "-root", "-event", "randr"])

    def rotation(self, line):
        found = ROTATION_EVENT.search(line)
        return found and ROTATIONS[found[1]]

    def seen(self):
        """The rotations that the server has announced since the last call."""
        lines = self.rotations.lines()
        found = [rotation for rotation in map(self.rotation, lines[self.seen_until:]) if rotation]
        self.seen_until = len(lines)
        return [rotation for place, rotation in enumerate(found) if found[place - 1:place] != [rotation]]

    def _output(self, name):
        """Size, place and orientation of an output that is on."""
        found = re.search(OUTPUT.format(name), self.person.run("xrandr", "--query").stdout, re.MULTILINE)
        return found and (found[1], found[2], (found[3].split() or ["normal"])[0])

    def picture(self):
        """Orientation and size."""
        found = self._output("eDP-1")
        return found and [found[2], found[0]]

    def monitor(self):
        """Orientation, size and place."""
        found = self._output("HDMI-1")
        return found and [found[2], found[0] + found[1]]

    def landing(self, kind):
        """Where the last touch or pen arrived, after `listener.forget`."""
        event = {"tap": "(TouchBegin)", "pen": "(Motion)"}[kind]
        places, is_it = [], False
        for line in self.listener.lines():
            if line.startswith("EVENT"):
                is_it = event in line
            found = is_it and LANDED.match(line)
            if found:
                places.append((float(found[1]), float(found[2])))
        return places and places[-1]

    def photo(self):
        """As PNG."""
        return screenshots.of_dump(self.person.bytes_of("xwd", "-root", "-silent"))

    def power(self, word):
        self.person.say("xset", "dpms", "force", word)

    def is_powered(self, word):
        return f"Monitor is {word.capitalize()}" in self.person.say("xset", "q")
