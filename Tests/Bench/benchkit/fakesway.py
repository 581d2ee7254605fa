# SPDX-License-Identifier: MIT
"""A sway whose input devices libinput would have, as none has without a kernel's: it answers over its IPC alone."""

import json
import os
import re
import socket
import struct
import threading

ANGLES = ("normal", "270", "180", "90")  # clockwise
RUN, SUBSCRIBE, OUTPUTS, TREE, VERSION, CONFIGURATION, INPUTS = 0, 2, 3, 4, 7, 9, 100


class FakeSway:
    """One output, eDP-1, and devices by their identifiers. `send_events` is how each is switched."""

    def __init__(self, directory, devices):
        self.types = devices
        self.send_events = {identifier: "enabled" for identifier in devices}
        self.transform = "normal"
        self.path = os.path.join(directory, "sway-ipc.sock")
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        self.server.listen(8)
        threading.Thread(target=self._accept, daemon=True).start()

    def disabled(self):
        return {name for name, state in self.send_events.items() if state == "disabled"}

    def end(self):
        self.server.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            while header := stream.read(14):
                size, kind = struct.unpack("<6xII", header)
                answer = json.dumps(self._answer(kind, stream.read(size).decode())).encode()
                connection.sendall(b"i3-ipc" + struct.pack("<II", len(answer), kind) + answer)

    def _answer(self, kind, text):
        if kind == RUN:
            return self._run(text)
        answers = {OUTPUTS: self._outputs, INPUTS: self._inputs, TREE: lambda: {"nodes": [], "floating_nodes": []},
                   VERSION: lambda: {"major": 1, "minor": 10, "human_readable": "1.10"},
                   CONFIGURATION: lambda: {"config": ""}}
        return answers.get(kind, lambda: {"success": True})()

    def _run(self, text):
        for identifier, state in re.findall(r'input "([^"]+)" events (\w+)', text):
            self.send_events[identifier] = state
        for angle in re.findall(r"transform (\w+)", text):
            self.transform = angle
        return [{"success": True}] * len(text.split(","))

    def _outputs(self):
        is_upright = ANGLES.index(self.transform) % 2 == 0
        width, height = (1280, 800) if is_upright else (800, 1280)
        return [{"name": "eDP-1", "active": True, "power": True, "scale": 1.0, "transform": self.transform,
                 "current_mode": {"width": 1280, "height": 800, "refresh": 60000},
                 "rect": {"x": 0, "y": 0, "width": width, "height": height}}]

    def _inputs(self):
        return [{"identifier": identifier, "name": identifier, "type": kind,
                 "libinput": {"send_events": self.send_events[identifier]}}
                for identifier, kind in self.types.items()]
