# SPDX-License-Identifier: MIT
"""Touchscreen, pen, keyboard and switches, as devices of the kernel's by /dev/uinput. Positions are fractions of the panel's own axes."""

import fcntl
import os
import struct
import time

SYN, KEY, ABS, SW = 0, 1, 3, 5
BTN_TOOL_PEN, BTN_TOUCH, BTN_STYLUS = 0x140, 0x14A, 0x14B
ABS_X, ABS_Y, ABS_PRESSURE, ABS_SLOT, ABS_MT_X, ABS_MT_Y, ABS_TRACKING = 0, 1, 0x18, 0x2F, 0x35, 0x36, 0x39
SW_LID, SW_TABLET = 0, 1
KEYS = {letter: first + place for first, row in ((16, "qwertyuiop"), (30, "asdfghjkl"), (44, "zxcvbnm"))
        for place, letter in enumerate(row)} | {"\n": 28}
KEY_POWER = 116
PROPERTY_DIRECT = 1
CREATE, DESTROY, SETUP, SETUP_ABS = 0x5501, 0x5502, 0x405C5503, 0x401C5504
SET_EVENT, SET_KEY, SET_ABS, SET_SWITCH, SET_PROPERTY = 0x40045564, 0x40045565, 0x40045567, 0x4004556D, 0x4004556E
EXTENT, RESOLUTION = 32767, 100
EVENT = struct.Struct("<qqHHi")
BUS_USB, BUS_I2C, BUS_HOST = 0x03, 0x18, 0x19


class Device:
    """One input device."""

    def __init__(self, name, number, bus, *, keys=(), axes=None, switches=(), is_direct=False):
        self.node = os.open("/dev/uinput", os.O_WRONLY)
        for kind, codes, setting in ((KEY, keys, SET_KEY), (ABS, axes or {}, SET_ABS), (SW, switches, SET_SWITCH)):
            self._offer(kind, codes, setting)
        if is_direct:
            fcntl.ioctl(self.node, SET_PROPERTY, PROPERTY_DIRECT)
        for axis, (least, most, resolution) in (axes or {}).items():
            fcntl.ioctl(self.node, SETUP_ABS, struct.pack("<HHiiiiii", axis, 0, 0, least, most, 0, 0, resolution))
        fcntl.ioctl(self.node, SETUP, struct.pack("<HHHH80sI", bus, 0x1111, number, 1, name.encode(), 0))
        fcntl.ioctl(self.node, CREATE)

    def _offer(self, kind, codes, setting):
        if codes:
            fcntl.ioctl(self.node, SET_EVENT, kind)
        for code in codes:
            fcntl.ioctl(self.node, setting, code)

    def send(self, *events):
        for kind, code, value in (*events, (SYN, 0, 0)):
            os.write(self.node, EVENT.pack(0, 0, kind, code, value))

    def remove(self):
        os.close(self.node)


def _at(fraction):
    return round(float(fraction) * EXTENT)


class Touchscreen(Device):
    def __init__(self, name="Bench Touchscreen", number=1):
        place = (0, EXTENT, RESOLUTION)
        super().__init__(name, number, BUS_I2C, keys=[BTN_TOUCH], is_direct=True, axes={
            ABS_X: place, ABS_Y: place, ABS_SLOT: (0, 4, 0), ABS_MT_X: place, ABS_MT_Y: place,
            ABS_TRACKING: (0, 65535, 0)})
        self.fingers = 0

    def down(self, x, y):
        self.fingers += 1
        places = [(ABS, code, _at(value)) for code, value in ((ABS_MT_X, x), (ABS_MT_Y, y), (ABS_X, x), (ABS_Y, y))]
        self.send((ABS, ABS_SLOT, 0), (ABS, ABS_TRACKING, self.fingers), (KEY, BTN_TOUCH, 1), *places)

    def up(self):
        self.send((ABS, ABS_TRACKING, -1), (KEY, BTN_TOUCH, 0))

    def tap(self, x, y):
        self.down(x, y)
        time.sleep(0.03)  # a finger is down for a while
        self.up()


class Pen(Device):
    def __init__(self):
        place = (0, EXTENT, RESOLUTION)
        super().__init__("Bench Pen", 2, BUS_I2C, keys=[BTN_TOOL_PEN, BTN_TOUCH, BTN_STYLUS], is_direct=True,
                         axes={ABS_X: place, ABS_Y: place, ABS_PRESSURE: (0, 4095, 0)})

    def tap(self, x, y):
        """It comes near and trembles, since libinput smooths over some reports, and leaves."""
        self.send((KEY, BTN_TOOL_PEN, 1), (ABS, ABS_X, _at(x)), (ABS, ABS_Y, _at(y)))
        for tremble in (1, 0) * 4:
            self.send((ABS, ABS_X, _at(x) + tremble))
        time.sleep(0.03)  # a pen is near for a while
        self.send((KEY, BTN_TOOL_PEN, 0))


class Keyboard(Device):
    def __init__(self):
        super().__init__("Bench Keyboard", 6, BUS_USB, keys=range(1, 128))

    def type(self, text):
        for letter in text:
            self.send((KEY, KEYS[letter], 1))
            self.send((KEY, KEYS[letter], 0))


class PowerButton(Device):
    def __init__(self):
        super().__init__("Bench power button", 7, BUS_HOST, keys=[KEY_POWER])

    def press(self):
        for value in (1, 0):
            self.send((KEY, KEY_POWER, value))


class Switch(Device):
    def __init__(self, kind):
        self.code = {"tablet": SW_TABLET, "lid": SW_LID}[kind]
        super().__init__(f"Bench {kind} switch", 3 + self.code, BUS_HOST, switches=[self.code])

    def turn(self, is_on):
        self.send((SW, self.code, int(is_on)))
