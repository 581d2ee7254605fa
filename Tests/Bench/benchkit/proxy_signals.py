# SPDX-License-Identifier: MIT
"""Says when iio-sensor-proxy tells of a new hold: "SECONDS left". It is what a program that follows the proxy knows at
the very earliest, and so stands in for one that is not there. Run as a process of its own."""

import sys
import time

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
WORDS = {"normal": "normal", "left-up": "left", "bottom-up": "inverted", "right-up": "right"}


def say(word):
    if word in WORDS:
        print(f"{time.monotonic():.6f} {WORDS[word]}", flush=True)


def take(_interface, changed, _invalid):
    say(str(changed.get("AccelerometerOrientation", "")))


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    bus.add_signal_receiver(take, "PropertiesChanged", dbus.PROPERTIES_IFACE, path=PATH)
    proxy = bus.get_object(NAME, PATH)
    dbus.Interface(proxy, NAME).ClaimAccelerometer()
    say(str(dbus.Interface(proxy, dbus.PROPERTIES_IFACE).Get(NAME, "AccelerometerOrientation")))
    GLib.MainLoop().run()


if __name__ == "__main__":
    sys.exit(main())
