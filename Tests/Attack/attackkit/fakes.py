# SPDX-License-Identifier: MIT
"""Compositors that implement the protocols of sway, Hyprland and niri, and send nonsense on request."""

import contextlib
import json
import os
import re
import socket
import struct
import threading

TOKENS = [token.encode() for token in (
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "1e999", "NaN", "9223372036854775808", "-0.0", "\\u0000",
    "\\ud800", "[" * 600, "{\"a\":" * 600, "\n", "\x00", "\xff", "[]", "{}", "\"eDP-1\"", "0.0", "100000000000000000")]
QUARTERS = {"normal": 0, "left": 1, "inverted": 2, "right": 3}


class FakeCompositor:
    """A compositor with eDP-1 and HDMI-A-1. While `rng` is set, most of its messages are mutated."""

    def __init__(self):
        self.transform, self.neighbour_x = 0, 1280
        self.rng = None
        self.listeners = []
        self.lock = threading.Lock()
        self.asked = threading.Event()
        self.mutated_answers = 0
        self.servers = []

    def listen(self, path, handle):
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen(64)
        self.servers.append(server)
        threading.Thread(target=self._accept, args=(server, handle), daemon=True).start()

    @staticmethod
    def _accept(server, handle):
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=FakeCompositor._serve, args=(connection, handle), daemon=True).start()

    @staticmethod
    def _serve(connection, handle):
        with contextlib.suppress(OSError, struct.error), connection:
            handle(connection)

    def end(self):
        for server in self.servers:
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            server.close()
        for listener in self.listeners:
            listener.close()

    def mutated_message(self, data):
        """The message that is sent in place of this one."""
        with self.lock:
            rng = self.rng
            if rng is None or rng.one_in(3):
                return data
            self.mutated_answers += 1
            return rng.mutated(data, TOKENS)

    def send(self, data):
        """Sends to all subscribers."""
        for listener in list(self.listeners):
            try:
                listener.sendall(data)
            except OSError:
                self.listeners.remove(listener)

    @property
    def size(self):
        return (800, 1280) if self.transform % 2 else (1280, 800)

    @staticmethod
    def wait_for_end(connection):
        while connection.recv(4096):
            pass


class Sway(FakeCompositor):
    """The i3-IPC protocol."""

    ANGLES = ("normal", "270", "180", "90")  # clockwise
    EVENTS = (0x80000000, 0x80000001, 0x80000003, 0x80000006, 0x80000015)

    def __init__(self, directory):
        super().__init__()
        path = os.path.join(directory, "sway-ipc.sock")
        self.listen(path, self._handle)
        self.environment = {"SWAYSOCK": path}

    @staticmethod
    def _frame(kind, payload):
        return b"i3-ipc" + struct.pack("<II", len(payload), kind) + payload

    def _handle(self, connection):
        stream = connection.makefile("rb")
        while header := stream.read(14):
            size, kind = struct.unpack("<6xII", header)
            text = stream.read(size).decode("utf-8", "replace")
            self.asked.set()
            if kind == 2 and connection not in self.listeners:
                self.listeners.append(connection)
            payload = self._answer(kind, text)
            rng = self.rng
            if kind == 0 or rng is None or not rng.one_in(40):
                connection.sendall(self._frame(kind, self.mutated_message(payload) if kind not in (0, 2) else payload))
            else:
                connection.sendall(self.mutated_message(self._frame(kind, payload)))

    def _answer(self, kind, text):
        if kind == 0:
            found = re.search(r'output "?eDP-1"? .*?transform (\w+)', text)
            if found and found[1] in self.ANGLES:
                self.transform = self.ANGLES.index(found[1])
            found = re.search(r'output "?HDMI-A-1"? .*?pos(?:ition)? (-?\d+)', text)
            if found:
                self.neighbour_x = int(found[1])
            return json.dumps([{"success": True}] * len(re.split("[,;]", text))).encode()
        answers = {3: self._outputs, 4: self._tree, 7: lambda: {"major": 1, "minor": 10, "human_readable": "1.10"},
                   9: lambda: {"config": "input * {\n map_to_output eDP-1\n}\n"}, 100: self._inputs}
        return json.dumps(answers.get(kind, lambda: {"success": True})()).encode()

    def _outputs(self):
        width, height = self.size
        return [
            {"name": "eDP-1", "active": True, "power": True, "dpms": True, "scale": 1.0,
             "transform": self.ANGLES[self.transform], "current_mode": {"width": 1280, "height": 800, "refresh": 60000},
             "rect": {"x": 0, "y": 0, "width": width, "height": height}},
            {"name": "HDMI-A-1", "active": True, "power": True, "dpms": True, "scale": 1.0, "transform": "normal",
             "current_mode": {"width": 1024, "height": 768, "refresh": 60000},
             "rect": {"x": self.neighbour_x, "y": 0, "width": 1024, "height": 768}}]

    @staticmethod
    def _tree():
        view = {"id": 7, "pid": 4711, "type": "con", "app_id": "mpv", "focus": [], "nodes": [], "floating_nodes": [],
                "fullscreen_mode": 1, "window": 12, "window_properties": {"class": "mpv", "transient_for": 12}}
        workspace = {"id": 5, "type": "workspace", "name": "1", "focus": [7], "nodes": [view], "floating_nodes": []}
        output = {"id": 3, "type": "output", "name": "eDP-1", "focus": [5], "nodes": [workspace], "floating_nodes": []}
        return {"id": 1, "type": "root", "focus": [3], "nodes": [output], "floating_nodes": []}

    @staticmethod
    def _inputs():
        return [{"identifier": "1386:18756:Wacom_HID_4944_Finger", "name": "Wacom HID 4944 Finger", "type": "touch",
                 "libinput": {"send_events": "enabled"}}]

    def send_event(self, rng):
        kind = rng.choice(self.EVENTS[:3] + self.EVENTS[4:])
        payload = json.dumps({"change": rng.choice(("focus", "unspecified", "new", "added", "removed")),
                              "container": self._tree(), "input": self._inputs()[0]}).encode()
        self.send(self._frame(kind, rng.mutated(payload, TOKENS)))

    def send_layout_change(self):
        self.send(self._frame(0x80000001, b'{"change":"unspecified"}'))


class Hyprland(FakeCompositor):
    """A socket for questions, each on a connection of its own, and one for events."""

    EVENTS = ("activewindow>>mpv,a title", "activewindowv2>>55d5b4b0d2a0", "fullscreen>>1", "openlayer>>wofi",
              "closewindow>>55d5b4b0d2a0", "monitorremoved>>HDMI-A-1", "monitoradded>>HDMI-A-1", "configreloaded>>",
              "workspacev2>>1,1", "focusedmon>>eDP-1,1")

    def __init__(self, directory):
        super().__init__()
        place = os.path.join(directory, "run", "hypr", "x")
        os.makedirs(place)
        self.listen(place + "/.socket.sock", self._answer_one)
        self.listen(place + "/.socket2.sock", self._listen)
        self.environment = {"HYPRLAND_INSTANCE_SIGNATURE": "x"}

    def _listen(self, connection):
        self.listeners.append(connection)
        self.wait_for_end(connection)

    def _answer_one(self, connection):
        text = connection.recv(1 << 16).decode("utf-8", "replace")
        self.asked.set()
        answer = self._answer(text)
        connection.sendall(self.mutated_message(answer) if text.startswith("j/") else answer)

    def _answer(self, text):
        if text.startswith("j/monitors"):
            return json.dumps([self._monitor(0, "eDP-1", 1280, 800, 0, self.transform),
                               self._monitor(1, "HDMI-A-1", 1024, 768, self.neighbour_x, 0)]).encode()
        if text.startswith("j/devices"):
            return json.dumps({"touch": [{"name": "wacom-hid-4944-finger"}], "tablets": []}).encode()
        if text.startswith("j/active"):
            return json.dumps({"address": "0x55d5b4b0d2a0", "class": "mpv", "initialClass": "mpv", "monitor": 0,
                               "fullscreen": 2, "windows": 1, "lastwindow": "0x55d5b4b0d2a0"}).encode()
        if text == "/eval return 1":
            return b"unknown request"
        return self._obey(text)

    def _obey(self, text):
        for request in text.removeprefix("[[BATCH]]").split(";"):
            found = re.search(r"monitor eDP-1,.*transform,(\d)", request)
            if found:
                self.transform = int(found[1]) & 3
            found = re.search(r"monitor HDMI-A-1,[^,]*,(-?\d+)x", request)
            if found:
                self.neighbour_x = int(found[1])
        return b"ok" * (text.count("/keyword") + text.count("/dismissnotify"))

    @staticmethod
    def _monitor(number, name, width, height, x, transform):
        return {"id": number, "name": name, "width": width, "height": height, "refreshRate": 60.0, "x": x, "y": 0,
                "scale": 1.0, "transform": transform, "focused": number == 0, "dpmsStatus": True, "disabled": False,
                "currentFormat": "XRGB8888", "mirrorOf": "none", "availableModes": [f"{width}x{height}@60.00Hz"]}

    def send_event(self, rng):
        line = rng.choice(self.EVENTS).encode()
        self.send(rng.mutated(line, TOKENS) + b"\n" if rng.one_in(2) else line + b"\n")

    def send_layout_change(self):
        self.send(b"monitoradded>>HDMI-A-1\n")


class Niri(FakeCompositor):
    """Lines of JSON."""

    WORDS = ("Normal", "90", "180", "270")

    def __init__(self, directory):
        super().__init__()
        path = os.path.join(directory, "niri.sock")
        self.listen(path, self._handle)
        self.environment = {"NIRI_SOCKET": path}

    def _handle(self, connection):
        for line in connection.makefile("rb"):
            self.asked.set()
            if b"EventStream" in line:
                self.listeners.append(connection)
                connection.sendall(b"".join(self._line(each) for each in ({"Ok": "Handled"}, *self._state())))
                self.wait_for_end(connection)
                return
            answer = self._answer(json.loads(line))
            connection.sendall((self.mutated_message(answer) if b"Outputs" in line else answer) + b"\n")

    @staticmethod
    def _line(value):
        return json.dumps(value).encode() + b"\n"

    def _answer(self, request):
        if request == "Outputs":
            width, height = self.size
            return self._line({"Ok": {"Outputs": {
                "eDP-1": self._output("eDP-1", 1280, 800, 0, width, height, self.WORDS[self.transform]),
                "HDMI-A-1": self._output("HDMI-A-1", 1024, 768, self.neighbour_x, 1024, 768, "Normal")}}}).strip()
        if request == "Version":
            return b'{"Ok":{"Version":"25.11"}}'
        name, action = request["Output"]["output"], request["Output"]["action"]
        word = action.get("Transform", {}).get("transform")
        if name == "eDP-1" and word in self.WORDS:
            self.transform = self.WORDS.index(word)
        place = action.get("Position", {}).get("position", {})
        if name == "HDMI-A-1" and isinstance(place, dict) and "Specific" in place:
            self.neighbour_x = place["Specific"]["x"]
        return b'{"Ok":{"OutputConfigChanged":"Applied"}}'

    @staticmethod
    def _output(name, width, height, x, logical_width, logical_height, word):
        return {"name": name, "make": "BOE", "model": "", "serial": None, "physical_size": [301, 188],
                "modes": [{"width": width, "height": height, "refresh_rate": 59950, "is_preferred": True}],
                "current_mode": 0, "vrr_supported": False, "vrr_enabled": False,
                "logical": {"x": x, "y": 0, "width": logical_width, "height": logical_height, "scale": 1.0,
                            "transform": word}}

    @staticmethod
    def _state():
        window = {"id": 7, "title": "a title", "app_id": "mpv", "pid": 1, "workspace_id": 1, "is_focused": True,
                  "is_floating": False, "layout": {"tile_size": [1280.0, 800.0]}}
        workspace = {"id": 1, "idx": 1, "name": None, "output": "eDP-1", "is_active": True, "is_focused": True,
                     "active_window_id": 7}
        return [{"WorkspacesChanged": {"workspaces": [workspace]}}, {"WindowsChanged": {"windows": [window]}},
                {"WindowOpenedOrChanged": {"window": window}}, {"WindowFocusChanged": {"id": 7}},
                {"WindowLayoutsChanged": {"changes": [[7, {"tile_size": [800.0, 1280.0]}]]}},
                {"WindowClosed": {"id": 7}}, {"ConfigLoaded": {"failed": False}},
                {"WorkspaceActiveWindowChanged": {"workspace_id": 1, "active_window_id": None}}]

    def send_event(self, rng):
        self.send(rng.mutated(self._line(rng.choice(self._state())).strip(), TOKENS) + b"\n")

    def send_layout_change(self):
        self.send(self._line({"ConfigLoaded": {"failed": False}}))
