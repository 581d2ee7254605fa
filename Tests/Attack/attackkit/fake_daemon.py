# SPDX-License-Identifier: MIT
"""A program that owns the daemon's name, and gives random answers to the tray and the settings app."""

import threading

from . import bus_values, raw_dbus, seeded_random
from .raw_dbus import Client, Disconnected

NAME, PATH = "org.autorotate.Autorotate1", "/org/autorotate/Autorotate1"
PROPERTIES = {
    "DeviceOrientation": "s", "InterfaceOrientation": "s", "Lock": "s", "LockEnd": "s", "LockEndTime": "t",
    "LockApplication": "s", "OnHold": "b", "Held": "b", "Allowed": "as", "Posture": "s",
    "PostureEvidence": "a(ssssstb)", "Sensor": "s", "SensorState": "s", "Output": "s", "Outputs": "as",
    "Application": "s", "Suggestion": "s", "Reasons": "as", "LocalReasons": "as", "ReasonCodes": "as"}
WORDS = {"Lock": ("", "left"), "LockEnd": ("", "time", "focus", "unfolded"), "SensorState": ("active", "lost")}
LONGEST_PAUSE = 0.2  # seconds, after which it checks whether it has to end


class FakeDaemon:
    """Answers in a thread of its own until `end`."""

    def __init__(self, address, seed):
        self.rng = seeded_random.of_try(seed, "fake-daemon", 0)
        self.lock = threading.Lock()
        self.answers = 0
        self.client = Client(address)
        kind, error, _ = self.client.call(*raw_dbus.DRIVER, "RequestName", "su", [NAME, 4])
        if kind != raw_dbus.REPLY:
            raise Disconnected(f"{NAME} is not to be had: {error}")
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def end(self):
        self.has_ended.set()
        self.thread.join()
        self.client.close()

    def announce(self, rng):
        """Announces changed properties, as the real one does."""
        with self.lock:
            self.client.signal(PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as",
                               [NAME, properties(rng), []])

    def _serve(self):
        while not self.has_ended.is_set():
            try:
                call = self.client.next_call(LONGEST_PAUSE)
            except Disconnected as gone:
                if "closed" in str(gone):
                    return
                continue
            self.answers += 1
            with self.lock:
                self._answer(call)

    def _answer(self, call):
        fields = {raw_dbus.REPLY_SERIAL: call[raw_dbus.SERIAL], raw_dbus.DESTINATION: call[raw_dbus.SENDER]}
        if self.rng.one_in(10):
            self.client.send(raw_dbus.ERROR, {**fields, raw_dbus.ERROR_NAME: "a.b"}, "s", [self.rng.line()])
        elif call[raw_dbus.MEMBER] == "GetAll":
            self.client.send(raw_dbus.REPLY, fields, "a{sv}", [properties(self.rng)])
        else:
            signature = self.rng.choice(("as", "", *bus_values.TYPES))
            self.client.send(raw_dbus.REPLY, fields, signature, bus_values.values(self.rng, signature))


def properties(rng):
    """Most of the expected type, with known words, and some of any type."""
    found = []
    for name, kind in PROPERTIES.items():
        if rng.one_in(3):
            continue
        if rng.one_in(4):
            kind = rng.choice(bus_values.TYPES)
        known = WORDS.get(name) if kind == "s" and rng.one_in(2) else None
        longest = rng.choice((20, 20, 200, 8000))
        found.append((name, (kind, rng.choice(known) if known else bus_values.value(rng, kind, longest))))
    return found
