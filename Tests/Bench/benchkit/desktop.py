# SPDX-License-Identifier: MIT
"""Pieces of a desktop around the program: a panel with a tray, notification services, bars, screenshots."""

import os
import re
import shutil
import subprocess

from . import requirements
from .c_programs import PROJECT
from .child_processes import let_pass, longest_wait, wait_until
from .testing import program

WATCHER = ("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher")
NOTIFICATIONS = "org.freedesktop.Notifications"
PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="28"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="output-name" type="string" value="eDP-1"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/><value type="int" value="2"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray"/>
  </property>
</channel>
"""
DUNST = "[global]\nfont = Sans 10\nmouse_left_click = do_action\nmouse_right_click = close_current\n"


def snippet(name):
    """The text of a file of Config/bars."""
    with open(os.path.join(PROJECT, "Config", "bars", name), encoding="utf-8") as file:
        return file.read()


def install(session):
    """Puts the program under test into PATH, under its own name, with its icons, and creates a home for the user."""
    place = os.path.join(session.directory, "bin")
    os.makedirs(place, exist_ok=True)
    os.symlink(program(), os.path.join(place, "autorotate"))
    session.env["PATH"] = place + ":" + session.env["PATH"]
    session.env["HOME"] = session.directory
    theme = os.path.join(session.env["XDG_DATA_HOME"], "icons", "hicolor", "scalable")
    for kind in ("apps", "status"):
        shutil.copytree(os.path.join(PROJECT, "packaging", "icons"), os.path.join(theme, kind))


def ask(session, *words):
    """Calls a method on the session bus with busctl. Returns what it printed."""
    tool = requirements.program("busctl", "systemd")
    address = "--address=" + session.env["DBUS_SESSION_BUS_ADDRESS"]
    return session.run(tool, address, *words).stdout


def has_owner(session, name):
    return "true" in ask(session, "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                         "org.freedesktop.DBus", "NameHasOwner", "s", name)


def start_panel(session):
    """xfce4-panel along the upper edge of eDP-1, with a tray at its right end."""
    panel = requirements.program("xfce4-panel", "xfce4-panel")
    session.write("config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", PANEL)
    process = session.children.start("panel", [panel, "--disable-wm-check"], session.env)
    session.children.await_condition(process, lambda: has_owner(session, WATCHER[0]), "no tray")
    return process


def items_in_tray(session):
    return re.findall(r'"([^"]+)"', ask(session, "get-property", *WATCHER, "RegisteredStatusNotifierItems"))


def start_dunst(session):
    path = session.write("config/dunst/dunstrc", DUNST)
    return _start_notifier(session, [requirements.program("dunst", "dunst"), "-conf", path])


def start_xfce_notifyd(session):
    return _start_notifier(session, [requirements.program(
        "xfce4-notifyd", "xfce4-notifyd", "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
        "/usr/lib/xfce4/notifyd/xfce4-notifyd")])


def _start_notifier(session, command):
    process = session.children.start("notifier", command, session.env)
    session.children.await_condition(
        process, lambda: has_owner(session, NOTIFICATIONS), "no notification service")
    return process


def popups(session):
    """The windows that no window manager manages, such as menus: [(x, y, width, height)] on the screen."""
    tool = requirements.program("xwininfo", "x11-utils")
    text = session.run(tool, "-root", "-tree").stdout
    found = []
    for number in re.findall(r"^\s+(0x[0-9a-f]+) ", text, re.MULTILINE):
        window = session.run(tool, "-id", number).stdout
        if "Map State: IsViewable" in window and "Override Redirect State: yes" in window:
            values = [re.search(name + r":\s+(-?\d+)", window)[1] for name in (
                "Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")]
            found.append(tuple(map(int, values)))
    return [each for each in found if each[2] > 40 and each[3] > 20]


def await_popup(session, is_it=lambda place: True):
    """Waits for such a window. Returns its place."""
    return wait_until(lambda: [place for place in popups(session) if is_it(place)], "a window", pause=0.05)[0]


def shown_by_dunst(session):
    """How many notifications dunst has shown so far."""
    tool = requirements.program("dunstctl", "dunst")
    return sum(int(session.run(tool, "count", kind).stdout) for kind in ("displayed", "waiting", "history"))


def point(session, x, y):
    """Moves the pointer to a place on the panel, in pixels."""
    width, height = map(int, session.options.mode.split("x"))
    session.simulated_input.pen((x + 0.5) / width, (y + 0.5) / height)


def click(session, x, y, button=1):
    point(session, x, y)
    session.simulated_input.click(button)


def open_menu(session, x, y):
    """Right-clicks an icon until its menu is shown: a panel that redraws its tray misses clicks."""
    def opened():
        menus = [place for place in popups(session) if place[3] > 100]
        if not menus:
            click(session, x, y, button=3)
            let_pass(2)
        return menus

    return wait_until(opened, "a menu")[0]


def screenshot(session, path, area=None):
    """A screenshot as PNG; `area` is (x, y, width, height)."""
    tool = requirements.program("import", "imagemagick")
    crop = ["-crop", "{2}x{3}+{0}+{1}".format(*area), "+repage"] if area else []
    command = [tool, "-silent", "-window", "root", *crop, path]
    subprocess.run(command, env=session.env, check=True, timeout=longest_wait())


def pixels(session, x, y):
    """The colours around a place on the screen, in a form that can be compared."""
    tool = requirements.program("import", "imagemagick")
    area = f"24x24+{x - 12}+{y - 12}"
    command = [tool, "-silent", "-window", "root", "-crop", area, "-depth", "8", "rgb:-"]
    return subprocess.run(command, env=session.env, check=True, capture_output=True, timeout=longest_wait()).stdout
