# SPDX-License-Identifier: MIT
"""sway of a user: its reports by IPC, and where a fullscreen window is touched."""

import glob
import json
import re

from desktop import Desktop
from event_listener import Listener

CONFIG = """\
default_border none
output eDP-1 bg #204060 solid_color
for_window [app_id="wev"] fullscreen enable
bindswitch --locked lid:on output eDP-1 disable
bindswitch --locked lid:off output eDP-1 enable
bindsym --locked XF86PowerOff output eDP-1 dpms toggle
exec dbus-update-activation-environment --systemd WAYLAND_DISPLAY SWAYSOCK XDG_CURRENT_DESKTOP=sway
exec systemctl --user start desktop.target
"""
TRANSFORMS = {"normal": "normal", "90": "right", "180": "inverted", "270": "left"}
"""sway counts clockwise: its 270 is RandR's left."""
PLACES = {"tap": re.compile(r"wl_touch\] down:.*?x, y: (-?[\d.]+), (-?[\d.]+)"),
          "pen": re.compile(r"wl_pointer\] (?:enter|motion):.*?x, y: (-?[\d.]+), (-?[\d.]+)")}


class Sway(Desktop):
    kind, programs = "wayland", ["env", "WLR_RENDERER=pixman", "XDG_CURRENT_DESKTOP=sway", "sway"]

    def prepare(self, person):
        person.write(".config/sway/config", CONFIG)

    def is_there(self):
        sockets = glob.glob(f"{self.person.runtime}/sway-ipc.*.sock")
        displays = [path for path in glob.glob(f"{self.person.runtime}/wayland-*") if not path.endswith(".lock")]
        if not sockets or not displays:
            return False
        self.person.env |= {"SWAYSOCK": sockets[0], "WAYLAND_DISPLAY": displays[0].rpartition("/")[2]}
        return self._output("eDP-1") is not None

    def listen(self):
        self.listener = Listener(self.person, ["stdbuf", "-oL", "wev"])
        self.listener.await_line(lambda line: "xdg_toplevel" in line and "configure" in line)

    def _output(self, name):
        answer = self.person.run("swaymsg", "-r", "-t", "get_outputs")
        outputs = json.loads(answer.stdout) if answer.returncode == 0 else []
        return next((each for each in outputs if each["name"] == name and each["active"]), None)

    def picture(self):
        """Orientation and size."""
        panel = self._output("eDP-1")
        return panel and [TRANSFORMS[panel["transform"]], "{width}x{height}".format(**panel["rect"])]

    def monitor(self):
        """Orientation, size and place."""
        found = self._output("HDMI-A-1")
        return found and [TRANSFORMS[found["transform"]], "{width}x{height}+{x}+{y}".format(**found["rect"])]

    def landing(self, kind):
        places = [match for match in map(PLACES[kind].search, self.listener.lines()) if match]
        return places and (float(places[-1][1]), float(places[-1][2]))

    def photo(self):
        """As PNG."""
        return self.person.bytes_of("grim", "-")

    def power(self, word):
        self.person.say("swaymsg", "output", "eDP-1", "dpms", word)

    def is_powered(self, word):
        panel = self._output("eDP-1")
        return panel and panel.get("dpms", panel.get("power")) == (word == "on")
