# SPDX-License-Identifier: MIT
"""GNOME Shell on the panel itself, as its session starts it: what Mutter says of its logical monitor."""

import glob
import re

SESSION = """\
#!/bin/sh
gnome-shell --mode=user &
until [ -S "$XDG_RUNTIME_DIR/wayland-0" ]; do sleep 0.2; done
dbus-update-activation-environment --systemd WAYLAND_DISPLAY=wayland-0 XDG_CURRENT_DESKTOP=GNOME
systemctl --user start desktop.target
wait
"""
TRANSFORMS = ("normal", "left", "inverted", "right")
MUTTER = ("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig")
LOGICAL = re.compile(r"\((\d+), (\d+), [\d.]+, (?:uint32 )?(\d), (?:true|false), \[\('eDP-1'")
CURRENT = re.compile(r"\('(\d+)x(\d+)@[^(]*?\[[\d., ]*\], \{[^}]*'is-current': <true>")


class Gnome:
    kind = "wayland"
    programs = ["env", "XDG_CURRENT_DESKTOP=GNOME", "XDG_SESSION_DESKTOP=gnome", "sh", "./gnome-session"]

    def __init__(self, person):
        self.person, self.listener = person, None
        person.write("gnome-session", SESSION)

    def is_there(self):
        displays = [path for path in glob.glob(f"{self.person.runtime}/wayland-*") if not path.endswith(".lock")]
        if not displays:
            return False
        self.person.env["WAYLAND_DISPLAY"] = displays[0].rpartition("/")[2]
        return self.picture() is not None

    def listen(self):
        """Nothing is touched here."""

    def _call(self, method, *arguments):
        name, path = MUTTER
        return self.person.run("gdbus", "call", "--session", "-d", name, "-o", path, "-m", method, *arguments).stdout

    def picture(self):
        """Turn and size."""
        said = self._call(f"{MUTTER[0]}.GetCurrentState")
        logical, mode = LOGICAL.search(said), CURRENT.search(said)
        if not logical or not mode:
            return None
        turn = TRANSFORMS[int(logical[3]) % 4]
        size = mode.groups() if int(logical[3]) % 2 == 0 else mode.groups()[::-1]
        return [turn, "x".join(size)]

    def is_managed(self):
        """Whether Mutter says that it takes care of the panel's orientation itself."""
        return "true" in self._call("org.freedesktop.DBus.Properties.Get", MUTTER[0], "PanelOrientationManaged")
