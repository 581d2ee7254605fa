# SPDX-License-Identifier: MIT
"""GNOME Shell of a user: Mutter's reports on the bus about the panel, and about the program that rotates it."""

import re
import subprocess

from desktop import Desktop, on_screen
from waiting import LONGEST_WAIT

SESSION = """\
dbus-update-activation-environment --systemd XDG_CURRENT_DESKTOP XDG_SESSION_TYPE WAYLAND_DISPLAY
gnome-shell --mode=user --wayland-display=wayland-0 &
shell=$!
until gdbus call --session --timeout 60 --dest org.gnome.Mutter.DisplayConfig --object-path /org/gnome/Mutter/DisplayConfig \
  --method org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1; do sleep 1; done
systemctl --user start desktop.target
wait $shell
"""
TRANSFORMS = ["normal", "left", "inverted", "right"]
"""In the order of Wayland's transforms."""
LOGICAL = r"\((-?\d+), (-?\d+), ([\d.]+), (?:uint32 )?(\d+), (?:true|false), \[\('{}'"
SIZE = r"\('{}'.*?\('\d+x\d+@[\d.]+', (\d+), (\d+), [^{{]*\{{[^}}]*'is-current': <true>"
DISPLAYS = ["org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig"]


class Gnome(Desktop):
    kind = "wayland"
    programs = ["env", "XDG_CURRENT_DESKTOP=GNOME", "WAYLAND_DISPLAY=wayland-0", "sh", "./gnome-session"]

    def __init__(self, person, terminal=1):
        super().__init__(person, terminal)
        person.write("gnome-session", SESSION)
        person.env |= {"WAYLAND_DISPLAY": "wayland-0"}

    def is_there(self):
        return self.picture() is not None

    def _call(self, method, *arguments):
        """Its answer; empty if there is none: without a graphics card it takes seconds for a frame."""
        name, path = DISPLAYS
        try:
            return self.person.run("gdbus", "call", "--session", "--dest", name, "--object-path", path,
                                   "--method", method, *arguments, timeout=LONGEST_WAIT).stdout
        except subprocess.TimeoutExpired:
            return ""

    def output(self, name):
        """From Mutter's display configuration."""
        state = self._call(f"{DISPLAYS[0]}.GetCurrentState")
        logical, size = re.search(LOGICAL.format(name), state), re.search(SIZE.format(name), state, re.DOTALL)
        if not logical or not size:
            return None
        turn = TRANSFORMS[int(logical[4]) % 4]
        return [turn, on_screen(size.groups(), turn), f"+{logical[1]}+{logical[2]}"]

    def is_managed(self):
        """Whether Mutter intends to rotate the panel itself."""
        return "true" in self._call("org.freedesktop.DBus.Properties.Get", DISPLAYS[0], "PanelOrientationManaged")
