# SPDX-License-Identifier: MIT
"""The compositors' own tools and their reports on outputs, in the format that x11_state.py uses for X."""

import json
import re
import subprocess

from . import compositors, requirements
from .child_processes import longest_wait

BY_ANGLE = {"normal": "normal", "90": "left", "180": "inverted", "270": "right"}
MIRRORED = {"normal": "normal", "90": "right", "180": "inverted", "270": "left"}  # sway's angles
BY_KSCREEN = {1: "normal", 2: "left", 4: "inverted", 8: "right"}
BY_MUTTER = ("normal", "left", "inverted", "right")
DISPLAY_CONFIG = ("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig")


def outputs(kind, env):
    """The lit outputs: name, x, y, w, h (logical pixels), rotation."""
    ask = {"sway": _sway, "phoc": _wlr, "labwc": _wlr, "kwin": _kscreen, "mutter": _mutter,
           "gnome-shell": _mutter}[kind]
    return sorted(ask(env), key=lambda each: each["name"])


def _text(command, package, env):
    requirements.program(command[0], package)
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=longest_wait())
    if result.returncode != 0:
        raise ValueError(f"{command[0]}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


def _sway(env):
    for each in json.loads(_text(["swaymsg", "-r", "-t", "get_outputs"], "sway", env)):
        if each["active"]:
            place = each["rect"]
            yield {"name": each["name"], "x": place["x"], "y": place["y"], "w": place["width"],
                   "h": place["height"], "rotation": MIRRORED[each["transform"]]}


def _wlr(env):
    for block in re.split(r"\n(?=\S)", _text(["wlr-randr"], "wlr-randr", env)):
        mode = re.search(r"(\d+)x(\d+) px(?:, \S+ Hz)? \([^)]*current", block)
        if "Enabled: yes" not in block or not mode:
            continue
        x, y = re.search(r"Position: (-?\d+),(-?\d+)", block).groups()
        transform = re.search(r"Transform: (\S+)", block)[1]
        scale = float(re.search(r"Scale: (\S+)", block)[1])
        w, h = (round(int(side) / scale) for side in mode.groups())
        if transform in ("90", "270"):
            w, h = h, w
        yield {"name": block.split()[0], "x": int(x), "y": int(y), "w": w, "h": h,
               "rotation": BY_ANGLE[transform]}


def kscreen_doctor(*arguments):
    """The command, of the same Plasma as KWin: an older one waits for ever for outputs as 6.7 lists them."""
    return compositors.inside_root(["kscreen-doctor", *arguments])


def _kscreen(env):
    output = _text(kscreen_doctor("-j"), "libkf5screen-bin", dict(env, QT_QPA_PLATFORM="wayland"))
    for each in json.loads(output)["outputs"]:
        mode = next(mode for mode in each["modes"] if mode["id"] == each["currentModeId"])
        w, h = (round(mode["size"][side] / each["scale"]) for side in ("width", "height"))
        rotation = BY_KSCREEN[each["rotation"]]
        if rotation in ("left", "right"):
            w, h = h, w
        yield {"name": each["name"], "x": each["pos"]["x"], "y": each["pos"]["y"], "w": w, "h": h,
               "rotation": rotation}


def _mutter(env):
    name, path = DISPLAY_CONFIG
    script = ("import json, os, dbus\n"
              "bus = dbus.bus.BusConnection(os.environ['DBUS_SESSION_BUS_ADDRESS'])\n"
              f"config = dbus.Interface(bus.get_object('{name}', '{path}'), '{name}')\n"
              "print(json.dumps(config.GetCurrentState()[1:3]))\n")
    monitors, logical = json.loads(_text(["/usr/bin/python3", "-c", script], "python3-dbus", env))
    sizes = {monitor[0][0]: next((mode[1], mode[2]) for mode in monitor[1] if mode[6].get("is-current"))
             for monitor in monitors if any(mode[6].get("is-current") for mode in monitor[1])}
    for x, y, scale, transform, _primary, members, _properties in logical:
        w, h = (round(side / scale) for side in sizes[members[0][0]])
        if transform & 1:
            w, h = h, w
        yield {"name": members[0][0], "x": x, "y": y, "w": w, "h": h, "rotation": BY_MUTTER[transform]}
