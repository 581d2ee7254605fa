# SPDX-License-Identifier: MIT
"""Compositors with wlr-output-management (labwc, Hyprland), and the panel as wlr-randr lists it."""

import glob
import re

from desktop import Desktop, on_screen
from event_listener import Listener
from sway import PLACES

BEGIN = """\
dbus-update-activation-environment --systemd WAYLAND_DISPLAY XDG_CURRENT_DESKTOP HYPRLAND_INSTANCE_SIGNATURE
systemctl --user start desktop.target
"""
TRANSFORMS = {"normal": "normal", "90": "left", "180": "inverted", "270": "right"}
PANEL = re.compile(r"^eDP-1.*?(\d+)x(\d+) px[^\n]*current.*?Transform: (\w+)", re.DOTALL | re.MULTILINE)


class Wlroots(Desktop):
    kind, name, files = "wayland", "", {}

    def prepare(self, person):
        person.write("begin", BEGIN)
        for path, text in self.files.items():
            person.write(path, text)

    def is_there(self):
        displays = [path for path in glob.glob(f"{self.person.runtime}/wayland-*") if not path.endswith(".lock")]
        if not displays:
            return False
        self.person.env |= {"WAYLAND_DISPLAY": displays[0].rpartition("/")[2]}
        return self.picture() is not None

    def listen(self):
        self.listener = Listener(self.person, ["stdbuf", "-oL", "wev"])
        self.listener.await_line(lambda line: "xdg_toplevel" in line and "configure" in line)

    def output(self, _name):
        """The panel; wlr-randr's place of it is not read."""
        found = PANEL.search(self.person.run("wlr-randr").stdout)
        if not found:
            return None
        rotation = TRANSFORMS.get(found[3], found[3])
        return [rotation, on_screen([found[1], found[2]], rotation)]

    def landing(self, kind):
        places = [match for match in map(PLACES[kind].search, self.listener.lines()) if match]
        return places and (float(places[-1][1]), float(places[-1][2]))

    def photo(self):
        """As PNG."""
        return self.person.bytes_of("grim", "-")


class Labwc(Wlroots):
    programs = ["env", "WLR_RENDERER=pixman", "XDG_CURRENT_DESKTOP=labwc:wlroots", "labwc"]
    files = {".config/labwc/autostart": "sh ~/begin &\n", ".config/labwc/rc.xml": """\
<labwc_config>
  <touch mapToOutput="eDP-1"/>
  <windowRules><windowRule identifier="wev"><action name="ToggleFullscreen"/></windowRule></windowRules>
</labwc_config>
"""}


class Hyprland(Wlroots):
    watch_options = ["0.05"]
    programs = ["env", "XDG_CURRENT_DESKTOP=Hyprland", "LIBGL_ALWAYS_SOFTWARE=1", "Hyprland"]
    files = {".config/hypr/hyprland.conf": """\
monitor = eDP-1, preferred, auto, 1
exec-once = sh ~/begin
animations { 
  enabled = false
}
decoration {
  blur { 
    enabled = false
  }
}
windowrule = match:class wev, fullscreen on
"""}
