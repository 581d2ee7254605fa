# SPDX-License-Identifier: MIT
"""The display as the kernel has it: /sys/class/drm, and the ioctls of its card."""

import ctypes
import fcntl
import glob
import os
import struct
import subprocess
import time

from waiting import Failed

CARD = "/dev/dri/card0"
SET_MASTER, DROP_MASTER = 0x641E, 0x641F
READ_RESOURCES, READ_CONNECTOR, READ_PROPERTY = 0xC04064A0, 0xC05064A7, 0xC04064AA
PIDFD_OPEN, PIDFD_GETFD = 434, 438
CONNECTORS = {"LVDS": 7, "eDP": 14, "DSI": 16}
MOUNTS = ["top-up", "upside-down", "left-side-up", "right-side-up"]
MOST = 64


def words(connector):
    """The kernel's information on it."""
    directory = f"/sys/class/drm/card0-{connector}"
    return ", ".join(f"{name} {_read(f'{directory}/{name}')}" for name in ("status", "enabled", "dpms"))


def is_lit(connector):
    """Also whether it shows a framebuffer: a server that failed to set its mode leaves the previous one, with its pointer only."""
    return words(connector) == "status connected, enabled enabled, dpms On" and _shows_framebuffer()


def has_master():
    """Whether some program is the DRM master of the display, so that it can set a mode."""
    # command, pid, device, master, authenticated, uid, magic
    return any(line.split()[-4] == "y" for line in _debug_text("clients").splitlines()[1:])


def _shows_framebuffer():
    """The first plane of the first CRTC, that of the panel."""
    plane = _debug_text("state").partition("plane-0\n")[2].split("\n", 2)
    return plane[0].strip() != "crtc=(null)" and plane[1].strip() != "fb=0"


def _debug_text(name):
    return _read(_debug_file(name))


def _debug_file(name):
    subprocess.run("mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug", shell=True, check=True)
    return f"/sys/kernel/debug/dri/0/{name}"


def identify(connector, serial):
    """Gives it an EDID, by which Mutter names monitors in its settings."""
    with open(_debug_file(f"{connector}/edid_override"), "wb", buffering=0) as file:
        file.write(_edid(serial))


def _edid(serial):
    """EDID 1.4: manufacturer BEN, product 1, 26 by 16 cm, and the one timing that it has to have."""
    maker = struct.pack(">H", 2 << 10 | 5 << 5 | 14)
    timing = struct.pack("<H16B", 2520, 0x80, 160, 0x20, 0x90, 25, 0x10, 16, 96, 0xA2, 0, 4, 160, 0x10, 0, 0, 0x18)
    name = b"\0\0\0\xfc\0" + b"Bench panel\n".ljust(13)
    empty = b"\0\0\0\x10" + bytes(14)
    text = (b"\0" + b"\xff" * 6 + b"\0" + maker + struct.pack("<HI", 1, serial) + bytes((0, 36, 1, 4, 0xA5, 26, 16, 0x78, 2))
            + bytes(13) + b"\1" * 16 + timing + name + 2 * empty + b"\0")
    return text + bytes((-sum(text) % 256,))


def _read(path):
    with open(path, encoding="ascii") as file:
        return file.read().strip()


def _system_call(number, *arguments):
    found = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    if found < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return found


def _cards_of_others():
    """Open cards of other processes, each with a descriptor of its own for the same opening."""
    for path in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            if os.readlink(path) == CARD:
                process = _system_call(PIDFD_OPEN, int(path.split("/")[2]), 0)
                yield _system_call(PIDFD_GETFD, process, int(path.split("/")[4]), 0)
                os.close(process)
        except OSError:
            pass  # it has been closed


def _may_drop_master(card):
    try:
        fcntl.ioctl(card, DROP_MASTER)
        return True
    except OSError:
        return False


def take_master(seconds):
    """From the program that is the master of the card, which cannot set a mode until it has it back."""
    card = next((each for each in _cards_of_others() if _may_drop_master(each)), None)
    if card is None:
        raise Failed("the display has no master")
    time.sleep(seconds)
    fcntl.ioctl(card, SET_MASTER)
    os.close(card)


def panel_orientation(kind, number):
    """How the kernel says that the panel of a connector is mounted; None if it does not."""
    card = os.open(CARD, os.O_RDWR)
    try:
        return next((_orientation(card, each) for each in _connectors(card)
                     if (each["type"], each["number"]) == (CONNECTORS[kind], number)), None)
    finally:
        os.close(card)


def _connectors(card):
    ids = (ctypes.c_uint32 * MOST)()
    answer = fcntl.ioctl(card, READ_RESOURCES, struct.pack("=4Q8I", 0, 0, ctypes.addressof(ids), 0, 0, 0, MOST, *[0] * 5))
    for connector in ids[:struct.unpack("=4Q8I", answer)[6]]:
        yield _connector(card, connector)


def _connector(card, number):
    """With room for one mode, which keeps the kernel from probing."""
    properties, values, mode = (ctypes.c_uint32 * MOST)(), (ctypes.c_uint64 * MOST)(), ctypes.create_string_buffer(68)
    request = struct.pack("=4Q12I", 0, ctypes.addressof(mode), ctypes.addressof(properties), ctypes.addressof(values),
                          1, MOST, 0, 0, number, *[0] * 7)
    answer = struct.unpack("=4Q12I", fcntl.ioctl(card, READ_CONNECTOR, request))
    return {"type": answer[9], "number": answer[10], "properties": list(zip(properties, values))[:answer[5]]}


def _orientation(card, connector):
    for number, value in connector["properties"]:
        answer = fcntl.ioctl(card, READ_PROPERTY, struct.pack("=2Q2I32s2I", 0, 0, number, 0, b"", 0, 0))
        if answer[24:56].rstrip(b"\0") == b"panel orientation":
            return MOUNTS[value]
    return None
