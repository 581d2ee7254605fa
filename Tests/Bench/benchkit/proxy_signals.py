# SPDX-License-Identifier: MIT
"""Prints when iio-sensor-proxy reports a new orientation: "SECONDS left". A program that follows the proxy cannot know it
earlier, so this stands in for such programs. Run as a process of its own."""

import sys
import time

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
WORDS = {"normal": "normal", "left-up": "left", "bottom-up": "inverted", "right-up": "right"}


def report(word):
    if word in WORDS:
        print(f"{time.monotonic():.6f} {WORDS[word]}", flush=True)


def receive(_interface, changed, _invalid):
    report(str(changed.get("AccelerometerOrientation", "")))


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    bus.add_signal_receiver(receive, "PropertiesChanged", dbus.PROPERTIES_IFACE, path=PATH)
    proxy = bus.get_object(NAME, PATH)
    dbus.Interface(proxy, NAME).ClaimAccelerometer()
    report(str(dbus.Interface(proxy, dbus.PROPERTIES_IFACE).Get(NAME, "AccelerometerOrientation")))
    GLib.MainLoop().run()


if __name__ == "__main__":
    sys.exit(main())
