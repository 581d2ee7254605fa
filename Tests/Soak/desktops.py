# SPDX-License-Identifier: MIT
"""The two desktops of the soak: their state, and changes by other programs than autorotate."""

import json
import socket
import struct

from benchkit import x11_state, xservers
from benchkit.child_processes import Failed, wait_until
from benchkit.wayland_windows import WaylandWindows
from benchkit.windows import Windows

IDENTITY = (1, 0, 0, 0, 1, 0, 0, 0, 1)
ABSOLUTE = ("Bench Touchscreen", "Bench Pen")
ROTATIONS = {"normal": (1, 0, 0, 0, 1, 0), "left": (0, -1, 1, 1, 0, 0),
         "right": (0, 1, 0, -1, 0, 1), "inverted": (-1, 0, 1, 0, -1, 1)}
"""Two rows of the matrix from a place on the panel's glass to one on its screen, both 0…1."""
SWAY = {"normal": "normal", "90": "right", "180": "inverted", "270": "left"}
ANGLES = {word: angle for angle, word in SWAY.items()}
NEIGHBOUR = (1024, 768)
RUN_COMMAND, GET_OUTPUTS, GET_TREE, GET_VERSION = 0, 3, 4, 7


class View:
    """The state of a display system at one moment."""

    def __init__(self, outputs, screen=None, matrices=None):
        self.outputs = outputs  # name → (x, y, w, h, rotation), of those that are lit
        self.screen = screen
        self.matrices = matrices or {}

    def faults(self, panel, mode, word):
        """What is wrong with it, if the panel should show `word`."""
        if panel not in self.outputs:
            return [f"{panel} is not lit"]
        x, y, w, h, rotation = self.outputs[panel]
        size = mode if word in ("normal", "inverted") else mode[::-1]
        found = []
        if rotation != word:
            found.append(f"{panel} shows {rotation}")
        elif (w, h) != size:
            found.append(f"{panel} shows {w}x{h}, which is {size[0]}x{size[1]} when it is {word}")
        return found + self._neighbour_faults(panel) + self._touch_faults(x, y, w, h, rotation)

    def _neighbour_faults(self, panel):
        x, y, w, _h, _rotation = self.outputs[panel]
        wanted = (x + w, y, *NEIGHBOUR, "normal")
        return [f"{name} is at {place}, not {wanted}" for name, place in self.outputs.items()
                if name != panel and place != wanted]

    def _touch_faults(self, x, y, w, h, rotation):
        found = []
        for name, cells in self.matrices.items():
            wanted = self._matrix(x, y, w, h, rotation) if name in ABSOLUTE else IDENTITY
            if any(abs(one - other) > 1e-4 for one, other in zip(cells, wanted)):
                found.append(f"{name} has the matrix {cells}, not {wanted}")
        return found

    def _matrix(self, x, y, w, h, rotation):
        a, b, c, d, e, f = ROTATIONS[rotation]
        width, height = self.screen
        return (a * w / width, b * w / width, (c * w + x) / width,
                d * h / height, e * h / height, (f * h + y) / height, 0, 0, 1)


class X11Desktop:
    """Xorg with the bench's panel, openbox, and a neighbour."""

    server, arguments, unseen = "xorg", (), ()

    def __init__(self, session):
        self.session = session
        self.panel = session.panel
        self.mode = tuple(map(int, session.options.mode.split("x")))
        self.windows = Windows(session.env)
        self.is_plugged = True

    def end(self):
        self.windows.end()

    @property
    def process(self):
        return self.session.xserver

    def read_state(self):
        state = self.session.x11.state()
        outputs = {each["name"]: (each["x"], each["y"], each["w"], each["h"], each["rotation"])
                   for each in x11_state.outputs_of(state) if each["active"]}
        matrices = {each["name"]: each["matrix"] for each in state["devices"] if "matrix" in each}
        return View(outputs, (state["screen"]["width"], state["screen"]["height"]), matrices)

    def open(self, application):
        self.windows.open(application, application, x=20, y=30, w=120, h=90)  # on the panel, in any orientation

    def focus(self, application):
        self.windows.send("pretend", application)

    def _xrandr(self, *words):
        # Without --dpi, it rounds the millimetres of each new screen down from those of the last: after some fifty
        # plugs there are none left, and the server refuses the screen.
        result = self.session.run("xrandr", "--dpi", "96", *words)
        if result.returncode != 0:
            raise Failed(f"xrandr {' '.join(words)}: {result.stderr.strip()}")

    def rotate_by_hand(self, word):
        beside = ["--output", xservers.NEIGHBOUR, "--right-of", self.panel] if self.is_plugged else []
        self._xrandr("--output", self.panel, "--rotate", word, *beside)

    def reset_layout(self, word):
        """Side by side again, after a failure."""
        self.rotate_by_hand(word)

    def blank(self, is_off):
        result = self.session.run("xset", "dpms", "force", "off" if is_off else "on")
        if result.returncode != 0:
            raise Failed(f"xset: {result.stderr.strip()}")

    def plug(self, is_plugged):
        names = [self.panel] + [xservers.NEIGHBOUR] * is_plugged
        xservers.write_connected(self.session.directory, names)
        self.session.x11.probe()
        how = ["--mode", xservers.NEIGHBOUR_MODE, "--right-of", self.panel] if is_plugged else ["--off"]
        self._xrandr("--output", xservers.NEIGHBOUR, *how)
        self.is_plugged = is_plugged


class SwayDesktop:
    """sway without a screen, by its IPC over one lasting connection. It has no touchscreen there."""

    server, unseen = "sway", ()

    def __init__(self, session):
        self.session = session
        self.panel, self.neighbour = session.compositor.panel, session.compositor.neighbour
        self.mode = tuple(map(int, session.options.mode.split("x")))
        self.arguments = ("--backend", "sway", "--output", self.panel)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(session.env["SWAYSOCK"])
        self.windows = WaylandWindows(session)
        self.is_plugged = True
        self._command("focus output " + self.panel)
        version = self._ask(GET_VERSION)
        if (version["major"], version["minor"]) < (1, 8):
            # It sends no event when others change its outputs, and lists one that is switched off as if it were lit.
            self.unseen = ("by-hand", "dark", "plug")

    def end(self):
        self.windows.__exit__()
        self.socket.close()

    @property
    def process(self):
        return self.session.compositor.process

    def _ask(self, kind, text=""):
        body = text.encode()
        self.socket.sendall(b"i3-ipc" + struct.pack("=II", len(body), kind) + body)
        length = struct.unpack("=6xII", self._read(14))[0]
        return json.loads(self._read(length))

    def _read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Failed("sway has gone")
            data += part
        return data

    def _command(self, command):
        answer = self._ask(RUN_COMMAND, command)
        if not all(each["success"] for each in answer):
            raise Failed(f"sway {command}: {answer}")

    def read_state(self):
        outputs = {}
        for each in self._ask(GET_OUTPUTS):
            if each["active"]:
                place = each["rect"]
                outputs[each["name"]] = (place["x"], place["y"], place["width"], place["height"], SWAY[each["transform"]])
        return View(outputs)

    def open(self, application):
        self.windows.open(application, application)
        wait_until(lambda: application in json.dumps(self._ask(GET_TREE)), f"sway shows the window of {application}")

    def focus(self, application):
        self._command(f"[app_id={application}] focus")

    def rotate_by_hand(self, word):
        size = self.mode if word in ("normal", "inverted") else self.mode[::-1]
        self._command(f"output {self.panel} transform {ANGLES[word]}")
        # Also of one that is off: sway keeps it for when that comes back.
        self._command(f"output {self.neighbour} position {size[0]} 0")

    def reset_layout(self, word):
        """Side by side again, after a failure."""
        self.plug(self.is_plugged)
        self.rotate_by_hand(word)

    def blank(self, is_off):
        self._command(f"output {self.panel} {'dpms off' if is_off else 'dpms on'}")

    def plug(self, is_plugged):
        self._command(f"output {self.neighbour} {'enable' if is_plugged else 'disable'}")
        self.is_plugged = is_plugged


WORLDS = {"x11": X11Desktop, "sway": SwayDesktop}
