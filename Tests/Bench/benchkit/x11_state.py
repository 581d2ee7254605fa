# SPDX-License-Identifier: MIT
"""The state of an X server, as panel/xstate.c prints it, and where on the panel the marker is seen."""

import glob
import json
import os
import re
import subprocess

from .child_processes import Failed, Helper

MARKER_PIXEL = b"\xa5\x00\xff"  # blue, green, red, as marker.c draws it
DARK = {"x": 0, "y": 0, "width": 0, "height": 0, "rotation": "normal", "mode": None}


class Program(Helper):
    """A running panel/xstate.c."""

    def __init__(self, env):
        if "BENCH_XSTATE" not in env:
            raise Failed("this bench has no X server")
        self.display = env["DISPLAY"]
        super().__init__([env["BENCH_XSTATE"]], env, stderr=subprocess.PIPE)

    def answer(self, word):
        """Its line; "" if it has ended."""
        try:
            self.send_line(word)
        except BrokenPipeError:
            return ""
        return self.process.stdout.readline()

    def last_words(self):
        """Ends it, and returns why it could not answer."""
        self.end()
        with self.process.stderr as file:
            return file.read().strip()


class Reader:
    """Reads the state of the X server of `env`, through one program that keeps running. Use it in a `with`, or call `end`."""

    def __init__(self, env):
        self.env = env
        self.program = None

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.end()

    def end(self):
        program, self.program = self.program, None
        return program.last_words() if program else ""

    def state(self):
        """All that panel/xstate.c describes."""
        return json.loads(self._ask("state"))

    def probe(self):
        """Makes the server detect which outputs are connected."""
        self._ask("probe")

    def _ask(self, word):
        """Asks the running program; if the server is another one by now, asks a new one."""
        if self.program and self.program.display == self.env["DISPLAY"]:
            answer = self.program.answer(word)
            if answer:
                return answer
        self.end()
        self.program = Program(self.env)
        answer = self.program.answer(word)
        if not answer:
            raise Failed(self.end() or "the X server does not answer")
        return answer


def outputs_of(state):
    """The outputs: name, connected, active, primary, x, y, w, h (pixels on the screen), rotation.

    Those of the dummy driver that belong to no connector are left out.
    """
    crtcs = {crtc["id"]: crtc for crtc in state["crtcs"]}
    found = []
    for each in state["outputs"]:
        crtc = crtcs.get(each["crtc"], DARK)
        is_active = crtc["mode"] is not None
        if each["name"].startswith("DUMMY") and not is_active:
            continue
        found.append({
            "name": each["name"], "connected": each["connected"], "active": is_active, "primary": each["primary"],
            "x": crtc["x"], "y": crtc["y"], "w": crtc["width"], "h": crtc["height"], "rotation": crtc["rotation"]})
    return found


def matrices_of(state):
    """Device name → its nine Coordinate Transformation Matrix numbers, of all enabled devices that have it."""
    return {each["name"]: each["matrix"] for each in state["devices"]
            if "matrix" in each and each["use"] != "floating slave" and "XTEST" not in each["name"]}


def outputs(env):
    with Reader(env) as reader:
        return outputs_of(reader.state())


def output(env, name):
    return next(each for each in outputs(env) if each["name"] == name)


def matrices(env):
    with Reader(env) as reader:
        return matrices_of(reader.state())


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
