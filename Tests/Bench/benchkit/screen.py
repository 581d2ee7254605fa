# SPDX-License-Identifier: MIT
"""What xrandr and xinput say, and where on the panel the marker is seen."""

import glob
import os
import re
import subprocess

MARKER_PIXEL = b"\xa5\x00\xff"  # blue, green, red, as marker.c draws it
_OUTPUT = re.compile(
    r"^(?P<name>\S+) (?P<state>connected|disconnected)(?P<primary> primary)?"
    r"(?: (?P<w>\d+)x(?P<h>\d+)\+(?P<x>\d+)\+(?P<y>\d+)(?: \([^)]*\))?"
    r"(?: (?P<rotation>left|right|inverted))?)?")


def _text(command, env):
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise ValueError(f"{command[0]}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


def outputs(env):
    """The outputs: name, connected, active, primary, x, y, w, h (pixels on the screen), rotation.

    Those of the dummy driver that stand for no connector are left out.
    """
    found = []
    for line in _text(["xrandr", "--query"], env).splitlines():
        match = _OUTPUT.match(line)
        if not match or match["name"].startswith("DUMMY") and not match["w"]:
            continue
        place = {key: int(match[key] or 0) for key in "xywh"}
        found.append({
            "name": match["name"], "connected": match["state"] == "connected",
            "active": match["w"] is not None, "primary": match["primary"] is not None, **place,
            "rotation": match["rotation"] or "normal"})
    return found


def output(env, name):
    return next(each for each in outputs(env) if each["name"] == name)


def matrices(env):
    """Device name → its nine Coordinate Transformation Matrix numbers, of all that have one."""
    found = {}
    for line in _text(["xinput", "list", "--short"], env).splitlines():
        match = re.search(r"([^\s↳⎜⎡⎣~∼].*?)\s+id=(\d+)\s+\[slave", line)
        if not match or "XTEST" in match[1]:
            continue
        properties = _text(["xinput", "list-props", match[2]], env)
        numbers = re.search(r"Coordinate Transformation Matrix \(\d+\):\s*(.*)", properties)
        if numbers:
            found[match[1]] = [float(each) for each in numbers[1].split(",")]
    return found


def _centre_in(path):
    """The centre of the marker's pixels in a file of a rotated panel, as fractions of the panel."""
    width, height = map(int, re.search(r"\.(\d+)x(\d+)\.bgrx$", path).groups())
    with open(path, "rb") as file:
        pixels = file.read()
    found = [i // 4 for i in _positions(pixels) if i % 4 == 0]
    if not found:
        return None
    x = sum(i % width for i in found) / len(found) + 0.5
    y = sum(i // width for i in found) / len(found) + 0.5
    return x / width, y / height


def _positions(pixels):
    at = pixels.find(MARKER_PIXEL)
    while at >= 0:
        yield at
        at = pixels.find(MARKER_PIXEL, at + 1)


def marker_on_panel(directory, env, marker_program, name="eDP-1"):
    """Where the marker's colour is on the panel's glass, as fractions of its own axes; None if nowhere.

    A rotated panel's pixels are read from the file of its scanout, an unrotated one's from the screen.
    """
    panel = output(env, name)
    if panel["rotation"] != "normal":
        number = 0 if name == "eDP-1" else 1
        for path in glob.glob(os.path.join(glob.escape(directory), f"panel-{number}.*.bgrx")):
            return _centre_in(path)
        return None
    area = [str(panel[key]) for key in "xywh"]
    look = subprocess.run(
        [marker_program, "look", *area], env=env, capture_output=True, text=True, check=False)
    if look.returncode != 0:
        return None
    x, y = map(float, look.stdout.split())
    return x / panel["w"], y / panel["h"]
