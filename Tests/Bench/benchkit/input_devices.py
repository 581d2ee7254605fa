# SPDX-License-Identifier: MIT
"""Simulated input: a touchscreen, a pen, a mouse and a keyboard, through Xorg's inputtest driver.

The driver talks to one client per device and stops working when that leaves. So the connections are
made once and kept for the server's life, or until the device is disabled, which ends its own. Positions are fractions
(0 to 1) of the panel's own,
unrotated axes, as a digitiser reports them. Every call returns when the server has processed it.
"""

import os
import socket
import struct
import threading

from .child_processes import longest_wait

VERSION, SYNC, MOTION, PROXIMITY, BUTTON, KEY, TOUCH = range(7)
TOUCH_BEGIN, TOUCH_UPDATE, TOUCH_END = 18, 19, 20  # XI_TouchBegin and so on
AXIS_MAXIMUM = 65535.0
PRESSURE_AXIS, PRESSURE = 4, 500.0
VALUATORS = 64
DEVICES = {
    "mouse": ("Bench Mouse", "Pointer"),
    "keyboard": ("Bench Keyboard", "Keyboard"),
    "touch": ("Bench Touchscreen", "Touch"),
    "touchpad": ("Bench Touchpad", "PointerGesture"),
    "pen": ("Bench Pen", "PointerAbsoluteProximity"),
}
SECOND = {"second": ("Second Touchscreen", "Touch")}
"""On the second panel of a machine with two."""


def _valuators(values):
    """The driver's block of axis values: axis number → value."""
    mask, slots = 0, [0.0] * VALUATORS
    for axis, value in values.items():
        mask |= 1 << axis
        slots[axis] = value
    return struct.pack(f"<IQ4x{VALUATORS}d{VALUATORS * 8}x", 0, mask, *slots)


def _place(fx, fy):
    return {0: float(fx) * AXIS_MAXIMUM, 1: float(fy) * AXIS_MAXIMUM}


class Device:
    """One connection to one device."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(longest_wait())
        self.socket.connect(path)
        self._send(VERSION, struct.pack("<HH", 1, 1))
        self._receive(12)

    def _send(self, kind, body=b""):
        self.socket.sendall(struct.pack("<II", 8 + len(body), kind) + body)

    def _receive(self, count):
        while count > 0:
            part = self.socket.recv(count)
            if not part:
                raise OSError("the X server has closed the device")
            count -= len(part)

    def _sync(self):
        self._send(SYNC)
        self._receive(8)

    def touch(self, finger, phase, values):
        self._send(TOUCH, struct.pack("<II", finger, phase) + _valuators(values))
        self._sync()

    def move(self, is_absolute, values):
        self._send(MOTION, struct.pack("<I4x", is_absolute) + _valuators(values))
        self._sync()

    def button(self, number, is_press):
        self._send(BUTTON, struct.pack("<iiI4x", 0, number, is_press) + _valuators({}))
        self._sync()

    def key(self, code, is_press):
        self._send(KEY, struct.pack("<iI", code, is_press))
        self._sync()

    def proximity(self, is_near):
        self._send(PROXIMITY, struct.pack("<I4x", is_near) + _valuators({}))
        self._sync()


class SimulatedInput:
    """All input devices of one server. Thread-safe."""

    def __init__(self, directory):
        self.directory = directory
        self.devices = {}
        self.latest = None
        self.lock = threading.Lock()

    def _device(self, name):
        self.latest = name
        if name not in self.devices:
            self.devices[name] = Device(os.path.join(self.directory, name + ".in"))
        return self.devices[name]

    def down(self, finger, fx, fy, device="touch"):
        self._device(device).touch(
            int(finger), TOUCH_BEGIN, {**_place(fx, fy), PRESSURE_AXIS: PRESSURE})

    def move(self, finger, fx, fy):
        self._device("touch").touch(int(finger), TOUCH_UPDATE, _place(fx, fy))

    def up(self, finger, device="touch"):
        self._device(device).touch(int(finger), TOUCH_END, {})

    def tap(self, fx, fy, device="touch"):
        self.down(0, fx, fy, device)
        self.up(0, device)

    def pen(self, fx, fy):
        self._device("pen").proximity(1)
        self._device("pen").move(1, _place(fx, fy))

    def mouse(self, dx, dy):
        self._device("mouse").move(0, {0: float(dx), 1: float(dy)})

    def click(self, number="1"):
        self._device("mouse").button(int(number), 1)
        self._device("mouse").button(int(number), 0)

    def press(self, code):
        """`code` is X's number of a key, 38 for A."""
        self._device("keyboard").key(int(code), 1)

    def release(self, code):
        self._device("keyboard").key(int(code), 0)

    def do(self, words):
        """Performs a line such as ["tap", "0.5", "0.5"]."""
        verb, *values = words
        if verb not in ("down", "move", "up", "tap", "pen", "mouse", "click", "press", "release"):
            raise ValueError(f"there is no input called {verb}")
        with self.lock:
            try:
                getattr(self, verb)(*values)
            except OSError:  # it was disabled meanwhile
                self.devices.pop(self.latest).socket.close()
                getattr(self, verb)(*values)
