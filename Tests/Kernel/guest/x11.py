# SPDX-License-Identifier: MIT
"""Xorg with openbox, as a person's own: what RandR says, and where XI2 lets touches and pens land."""

import os
import re

from listening import Listener

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
"""A display that is no device on PCI is not found by itself."""
PANEL = re.compile(r"^eDP-1 connected.*?(\d+x\d+)\+\d+\+\d+ (?:\(\w+\) )?(.*?)\(", re.MULTILINE)
LANDED = re.compile(r"^\s+root: (-?[\d.]+)/(-?[\d.]+)")


class X11:
    patience = 30
    """Seconds."""
    kind, programs = "x11", ["startx", "--", "vt1", "-keeptty", "-nolisten", "tcp"]

    def __init__(self, person):
        self.person, self.listener = person, None
        person.env |= {"DISPLAY": ":0", "XAUTHORITY": f"{person.account.pw_dir}/.Xauthority"}
        person.write(".xinitrc", RC)
        os.makedirs("/etc/X11/xorg.conf.d", exist_ok=True)
        with open("/etc/X11/xorg.conf.d/panel.conf", "w", encoding="utf-8") as file:
            file.write(SERVER)

    def is_there(self):
        return os.path.exists("/tmp/.X11-unix/X0") and self.person.run("xrandr").returncode == 0

    def listen(self):
        self.listener = Listener(self.person, ["stdbuf", "-oL", "xinput", "test-xi2", "--root"])
        self.listener.await_line(lambda line: "Bench Touchscreen" in line)

    def picture(self):
        """Turn and size."""
        found = PANEL.search(self.person.run("xrandr", "--query").stdout)
        return found and [(found[2].split() or ["normal"])[0], found[1]]

    def landing(self, kind):
        """Where the last touch or pen came down, after `listener.forget`."""
        event = {"tap": "(TouchBegin)", "pen": "(Motion)"}[kind]
        places, is_it = [], False
        for line in self.listener.lines():
            if line.startswith("EVENT"):
                is_it = event in line
            found = is_it and LANDED.match(line)
            if found:
                places.append((float(found[1]), float(found[2])))
        return places and places[-1]

    def power(self, word):
        self.person.say("xset", "dpms", "force", word)

    def is_powered(self, word):
        return f"Monitor is {word.capitalize()}" in self.person.say("xset", "q")
