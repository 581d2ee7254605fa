# SPDX-License-Identifier: MIT
"""A client of Wayland that prints "NAME ORIENTATION" whenever an output is rotated, as wl_output announces it.

usage: output_events.py [SECONDS]    bind the outputs again every SECONDS, for a compositor that sends no geometry event

It has no window and asks for nothing, so that it disturbs no desktop. Hyprland 0.56 announces a transform only to a client
that binds wl_output after the rotation.
"""

import os
import select
import socket
import struct
import sys

DISPLAY, REGISTRY = 1, 2
GET_REGISTRY, BIND, RELEASE = 1, 0, 0
GLOBAL = 0
ANNOUNCED = "watching"
GEOMETRY, DONE, NAME = 0, 2, 4
VERSION = 4
"""Of wl_output: the first that has names."""
TRANSFORMS = ["normal", "left", "inverted", "right"]
"""Counter-clockwise, as RandR counts."""
HEADER = struct.Struct("=IHH")


def padded(text):
    """A string as the protocol has it."""
    data = text.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)


def string_at(body, start):
    """And where it ends."""
    size = struct.unpack_from("=I", body, start)[0]
    text = body[start + 4:start + 4 + size - 1].decode("utf-8", "replace")
    return text, start + 4 + (size + 3) // 4 * 4


class OutputEvents:
    def __init__(self, interval=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.interval, self.received = interval, b""
        self.globals, self.bound, self.next = {}, {}, REGISTRY + 1
        self._send(DISPLAY, GET_REGISTRY, struct.pack("=I", REGISTRY))

    def run(self):
        print(ANNOUNCED)
        while True:
            if not select.select([self.socket], [], [], self.interval)[0]:
                self._bind_again()
                continue
            part = self.socket.recv(1 << 16)
            if not part:
                return
            self.received += part
            while event := self._next_event():
                self._receive(*event)

    def _send(self, receiver, opcode, body):
        self.socket.sendall(HEADER.pack(receiver, opcode, HEADER.size + len(body)) + body)

    def _next_event(self):
        if len(self.received) < HEADER.size:
            return None
        sender, opcode, size = HEADER.unpack_from(self.received)
        if len(self.received) < size:
            return None
        body, self.received = self.received[HEADER.size:size], self.received[size:]
        return sender, opcode, body

    def _receive(self, sender, opcode, body):
        if sender == REGISTRY and opcode == GLOBAL:
            interface, end = string_at(body, 4)
            if interface == "wl_output":
                version = min(VERSION, struct.unpack_from("=I", body, end)[0])
                self.globals[body[:4]] = (version, {"name": "eDP-1", "printed": None, "transform": 0})
                self._bind(body[:4])
        elif sender in self.bound:
            self._receive_of(self.globals[self.bound[sender]][1], opcode, body)

    def _bind(self, name):
        number, self.next = self.next, self.next + 1
        self.bound[number] = name
        self._send(REGISTRY, BIND, name + padded("wl_output") + struct.pack("=II", self.globals[name][0], number))

    def _bind_again(self):
        for number, name in list(self.bound.items()):
            del self.bound[number]
            self._send(number, RELEASE, b"")
            self._bind(name)

    @staticmethod
    def _receive_of(output, opcode, body):
        if opcode == GEOMETRY:
            output["transform"] = struct.unpack_from("=i", body, len(body) - 4)[0]
        elif opcode == NAME:
            output["name"] = string_at(body, 0)[0]
        elif opcode == DONE and output["printed"] != output["transform"]:
            output["printed"] = output["transform"]
            print(output["name"], TRANSFORMS[output["transform"] % 4])


if __name__ == "__main__":
    OutputEvents(*map(float, sys.argv[1:])).run()
