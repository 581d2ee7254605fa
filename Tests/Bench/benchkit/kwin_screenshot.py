# SPDX-License-Identifier: MIT
"""What KWin shows on an output, upright, by its own screenshots over D-Bus."""

import json
import subprocess

from . import requirements
from .child_processes import Failed, longest_wait

# A process of its own: dbus-python keeps the connection, and the bus, for as long as it runs.
SCRIPT = """
import dbus, json, os, sys, threading
bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
kwin = dbus.Interface(bus.get_object("org.kde.KWin", "/org/kde/KWin/ScreenShot2"), "org.kde.KWin.ScreenShot2")
reading, writing = os.pipe()
parts = []
def read():
    with os.fdopen(reading, "rb") as file:
        parts.append(file.read())
thread = threading.Thread(target=read, daemon=True)
thread.start()
result = kwin.CaptureScreen(sys.argv[1], dbus.Dictionary({}, signature="sv"), dbus.types.UnixFd(writing))
os.close(writing)
thread.join()
width, height, stride = (int(result[key]) for key in ("width", "height", "stride"))
def at(x, y):
    blue, green, red = parts[0][y * stride + 4 * x:][:3]
    return [red, green, blue]
print(json.dumps({"top": at(width // 2, 8), "bottom": at(width // 2, height - 8), "left": at(8, height // 2),
                  "right": at(width - 8, height // 2), "size": [width, height]}))
"""


def edges(session, output):
    """The colours in the middle of the screenshot's edges: [red, green, blue] by top, bottom, left, right."""
    python = requirements.program("/usr/bin/python3", "python3-dbus")
    result = subprocess.run([python, "-c", SCRIPT, output], env=session.env, capture_output=True,
                            text=True, timeout=longest_wait(), check=False)
    if "UnknownObject" in result.stderr or "ScreenShot2.Error.Cancelled" in result.stderr:
        raise requirements.Missing("this KWin, without a GPU, makes no screenshots over D-Bus")
    if result.returncode != 0:
        raise Failed(f"KWin gave no screenshot of {output}: {result.stderr.strip()}")
    return json.loads(result.stdout)
