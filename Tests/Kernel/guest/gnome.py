# SPDX-License-Identifier: MIT
"""GNOME Shell of a user, or Cinnamon's compositor: reports on the bus about the panel, and about the program that rotates it."""

import re
import subprocess

from desktop import Desktop, on_screen
from event_listener import Listener
from touch_windows import TouchWindows
from waiting import LONGEST_WAIT, wait_until

SESSION = """\
dbus-update-activation-environment --systemd XDG_CURRENT_DESKTOP XDG_SESSION_TYPE WAYLAND_DISPLAY
{} &
shell=$!
until gdbus call --session --timeout 60 --dest {} --object-path {} \
  --method org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1; do sleep 1; done
systemctl --user start desktop.target
wait $shell
"""
TRANSFORMS = ["normal", "left", "inverted", "right"]
"""In the order of Wayland's transforms."""
LOGICAL = r"\((-?\d+), (-?\d+), ([\d.]+), (?:uint32 )?(\d+), (?:true|false), \[\('{}'"
SIZE = r"\('{}'.*?\('\d+x\d+@[\d.]+', (\d+), (\d+), [^{{]*\{{[^}}]*'is-current': <true>"


class Gnome(Desktop):
    kind, name = "wayland", "GNOME"
    shell = "gnome-shell --mode=user --wayland-display=wayland-0"
    displays = "org.gnome.Mutter.DisplayConfig"

    def __init__(self, person, terminal=1):
        super().__init__(person, terminal)
        self.path = "/" + self.displays.replace(".", "/")
        self.programs = ["env", f"XDG_CURRENT_DESKTOP={self.name}", "WAYLAND_DISPLAY=wayland-0", "sh", "./session"]
        person.write("session", SESSION.format(self.shell, self.displays, self.path))
        person.env |= {"WAYLAND_DISPLAY": "wayland-0"}

    def is_there(self):
        return self.picture() is not None

    def listen(self):
        """GNOME Shell begins with its overview, in which a window is not touched."""
        wait_until(lambda: self.person.run("gdbus", "call", "--session", "--dest", "org.gnome.Shell", "--object-path", "/org/gnome/Shell",
                                           "--method", "org.freedesktop.DBus.Properties.Set", "org.gnome.Shell",
                                           "OverviewActive", "<false>").returncode == 0, "the overview stays")

    def _call(self, method, *arguments):
        """Its answer; empty if there is none: without a graphics card it takes seconds for a frame."""
        try:
            return self.person.run("gdbus", "call", "--session", "--dest", self.displays, "--object-path", self.path,
                                   "--method", method, *arguments, timeout=LONGEST_WAIT).stdout
        except subprocess.TimeoutExpired:
            return ""

    def output(self, name):
        """From Mutter's display configuration."""
        state = self._call(f"{self.displays}.GetCurrentState")
        logical, size = re.search(LOGICAL.format(name), state), re.search(SIZE.format(name), state, re.DOTALL)
        if not logical or not size:
            return None
        rotation = TRANSFORMS[int(logical[4]) % 4]
        return [rotation, on_screen(size.groups(), rotation), f"+{logical[1]}+{logical[2]}"]

    def is_touched(self):
        """Whether our extension has seen a finger: without a graphics card it takes seconds."""
        name = "org.autorotate.Focus1"
        return "true" in self.person.run("gdbus", "call", "--session", "--dest", name, "--object-path", "/org/autorotate/Focus1",
                                         "--method", "org.freedesktop.DBus.Properties.Get", name, "Touched").stdout

    def is_managed(self):
        """Whether Mutter intends to rotate the panel itself."""
        return "true" in self._call("org.freedesktop.DBus.Properties.Get", self.displays, "PanelOrientationManaged")


class Cinnamon(Gnome):
    """Muffin alone, which rotates and maps touch. wl_output has no name there, so the window leaves the choice of the output to it."""

    name, shell = "X-Cinnamon", "muffin --wayland"
    displays = "org.cinnamon.Muffin.DisplayConfig"

    def watch(self):
        """Muffin announces no transform to Wayland's clients: it pretends that all outputs are upright."""
        self.rotations = Listener(self.person, ["stdbuf", "-oL", "gdbus", "monitor", "--session", "--dest", self.displays,
                                                "--object-path", self.path])
        self.rotations.await_line(lambda line: line.startswith("Monitoring"))

    def rotated_at(self, orientation, since):
        """A signal does not say what has changed."""
        picture = self.picture()
        return picture and picture[0] == orientation and next(
            (moment for moment, line in self.rotations.timed_lines() if moment > since and "MonitorsChanged" in line), None)

    def listen(self):
        self.listener = TouchWindows(self.person, [None])

    def landing(self, _kind):
        return self.listener.landing(None)
