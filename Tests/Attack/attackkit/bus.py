# SPDX-License-Identifier: MIT
"""Callers on the bus with false identities, nonsensical messages or endless calls, or that never read."""

import time

from . import bus_values, raw_dbus
from .attack import Attack
from .seeded_random import MEGABYTE, WORDS
from .tally import Failure
from .raw_dbus import Client, Disconnected

NAME, PATH = "org.autorotate.Autorotate1", "/org/autorotate/Autorotate1"
METHODS = {
    "Lock": "s", "LockFor": "su", "LockUntilUnfolded": "s", "LockWhileFocused": "ss", "Unlock": "", "ToggleLock": "",
    "Rotate": "s", "Hold": "b", "Request": "asss", "RequestWhileFocused": "assss",
    "Release": "u", "GetStatus": "", "ListWindows": "", "Explain": "sb"}
STANDARD = (
    ("org.freedesktop.DBus.Properties", "Get", "ss"), ("org.freedesktop.DBus.Properties", "Set", "ssv"),
    ("org.freedesktop.DBus.Properties", "GetAll", "s"), ("org.freedesktop.DBus.Introspectable", "Introspect", ""),
    ("org.freedesktop.DBus.Peer", "GetMachineId", ""), ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", ""))
LOGIN, DRIVER, PROXY = "org.freedesktop.login1", "org.freedesktop.DBus", "net.hadess.SensorProxy"
FORGED_SIGNALS = (
    ("/org/freedesktop/login1", LOGIN + ".Manager", "PrepareForSleep", "b", [True]),
    ("/org/freedesktop/login1", LOGIN + ".Session", "Lock", "", []),
    ("/org/freedesktop/login1/session/_31", DRIVER + ".Properties", "PropertiesChanged", "sa{sv}as",
     [LOGIN + ".Session", [("Active", ("b", False))], []]),
    ("/org/freedesktop/DBus", DRIVER, "NameOwnerChanged", "sss", [NAME, ":1.0", ""]),
    ("/org/freedesktop/DBus", DRIVER, "NameOwnerChanged", "sss", [PROXY, "", ":1.99"]),
    ("/org/freedesktop/DBus", DRIVER, "NameLost", "s", [NAME]),
    ("/org/freedesktop/DBus/Local", DRIVER + ".Local", "Disconnected", "", []),
    ("/net/hadess/SensorProxy", DRIVER + ".Properties", "PropertiesChanged", "sa{sv}as",
     [PROXY, [("AccelerometerOrientation", ("s", "bottom-up")), ("HasAccelerometer", ("b", True))], []]),
    ("/org/gnome/Mutter/DisplayConfig", "org.gnome.Mutter.DisplayConfig", "MonitorsChanged", "", []),
    ("/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked", "us", [1, "undo"]),
    ("/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher", "StatusNotifierHostRegistered", "", []))


class Calls(Attack):
    """20,000 of them."""

    name, whole, light = "bus.calls", 20_000, 400

    MOST_UNREAD_CONNECTIONS = 12  # connections that never read, at once
    granted = 0
    REQUESTS = 40  # of one flood; 32 of a caller are accepted

    def open(self):
        super().open()
        self.unread_connections = []
        self.buses = [self.session.env[f"DBUS_{kind}_BUS_ADDRESS"] for kind in ("SESSION", "SYSTEM")]
        self.client = Client(self.buses[0])
        self.owner = self.client.call(*raw_dbus.DRIVER, "GetNameOwner", "s", [NAME])[2]

    def close(self):
        self.unread_connections = []
        super().close()

    def attempt(self, rng, index):
        kind = rng.randrange(100)
        try:
            if kind < 50:
                self._call(rng)
            elif kind < 65:
                self._call_nonsense(rng)
            elif kind < 75:
                self._call_standard(rng)
            elif kind < 90:
                self._forge_signal(rng)
            elif kind < 94:
                self._leave_with_requests(rng)
            elif kind < 96:
                self._never_read(rng)
            elif kind < 97:
                self._break_the_protocol(rng)
            else:
                self._ask_without_listening(rng)
            self._ping()
        except Disconnected:
            self._check_connections()

    def check_consistent(self):
        for each in self.unread_connections:
            each.close()
        self.unread_connections = []
        self.client.close()  # which drops its requests
        self.client = Client(self.buses[0])
        super().check_consistent()

    def _check_connections(self):
        """The bus disconnects clients that break the protocol; the program must still be there."""
        self.target_daemon.check_alive()
        self.client.close()
        self.client = Client(self.buses[0])
        self._ping()

    def _ping(self):
        began = time.monotonic()
        try:
            kind, error, _ = self.client.call(NAME, PATH, "org.freedesktop.DBus.Peer", "Ping")
        except Disconnected as gone:
            self.target_daemon.check_alive()
            raise Failure(f"no answer to a ping: {gone}") from gone
        self.tally.note_duration(time.monotonic() - began)
        if kind != raw_dbus.REPLY:
            raise Failure(f"a ping is answered with {error}")
        self.target_daemon.check_alive()

    # Tries

    def _call(self, rng):
        member, signature = rng.choice(list(METHODS.items()))
        values = bus_values.values(rng, signature, rng.choice((20, 200, 20_000)))
        if member == "Request":
            values[0] = [rng.choice(WORDS) for _ in range(rng.randrange(5))]
        if rng.one_in(1000):
            member, signature = "Request", "asss"
            values = [["landscape" * 100] * (rng.randrange(1, 17) * MEGABYTE // 900), "big", "bigger"]
        kind = self.client.call(NAME, PATH, NAME, member, signature, values)[0]
        self.granted += kind == raw_dbus.REPLY
        self.tally.remarks = [f"{self.granted} calls granted"]

    def _call_nonsense(self, rng):
        signature = "".join(rng.choice(bus_values.TYPES) for _ in range(rng.randrange(5)))
        member = rng.choice([*METHODS, "NoSuchMethod", "m" * 255])
        path = rng.choice((PATH, "/", PATH + "/below", "/x" * 100))
        interface = rng.choice((NAME, NAME + "0", None, "a.b"))
        self.client.call(NAME, path, interface, member, signature, bus_values.values(rng, signature))

    def _call_standard(self, rng):
        interface, member, signature = rng.choice(STANDARD)
        values = bus_values.values(rng, signature)
        if signature.startswith("s") and rng.one_in(2):
            values[0] = NAME
        self.client.call(NAME, rng.choice((PATH, "/")), interface, member, signature, values)

    def _forge_signal(self, rng):
        """A signal as the system, the bus or a desktop would send it, to the program itself and to all."""
        path, interface, member, signature, values = rng.choice(FORGED_SIGNALS)
        if rng.one_in(4):
            values = bus_values.values(rng, signature)
        bus = rng.choice(self.buses)
        with Client(bus) as forger:
            for destination in (self._name_on(bus, forger), None):
                forger.signal(path, interface, member, signature, values, destination)
            forger.call(*raw_dbus.DRIVER, "GetId")

    def _name_on(self, bus, client):
        """The name of the target. On the system bus it owns no name: then any name on the bus."""
        if bus == self.buses[0]:
            return self.owner
        number = int(client.name.rpartition(".")[2])
        pid = self.target_daemon.process.pid
        if not hasattr(self, "_on_system") or self._on_system[0] != pid:
            names = [f":1.{each}" for each in range(number)]
            found = [name for name in names if client.call(
                *raw_dbus.DRIVER, "GetConnectionUnixProcessID", "s", [name])[2] == pid]
            self._on_system = pid, found[0] if found else None
        return self._on_system[1]

    def _leave_with_requests(self, rng):
        with Client(self.buses[0]) as caller:
            for _ in range(rng.randrange(1, self.REQUESTS)):
                mask = rng.sample(("normal", "left", "inverted", "right", "portrait", "landscape"), 2)
                serial = caller.send(raw_dbus.CALL, {
                    raw_dbus.DESTINATION: NAME, raw_dbus.PATH: PATH, raw_dbus.INTERFACE: NAME,
                    raw_dbus.MEMBER: "Request"},
                    "asss", [mask, rng.line(50), rng.line(50)])
            if rng.one_in(2):
                caller.answer(serial)

    def _never_read(self, rng):
        caller = Client(self.buses[0], receives=1024)
        caller.call(*raw_dbus.DRIVER, "AddMatch", "s", [f"sender='{NAME}'"])
        for _ in range(rng.randrange(100)):
            caller.send(raw_dbus.CALL, {raw_dbus.DESTINATION: NAME, raw_dbus.PATH: PATH, raw_dbus.MEMBER: "GetStatus"})
        self.unread_connections.append(caller)
        if len(self.unread_connections) > self.MOST_UNREAD_CONNECTIONS:
            self.unread_connections.pop(0).close()

    def _ask_without_listening(self, rng):
        member, signature = rng.choice(list(METHODS.items()))
        with Client(self.buses[0]) as caller:
            for _ in range(rng.randrange(50)):
                header = {raw_dbus.DESTINATION: NAME, raw_dbus.PATH: PATH, raw_dbus.MEMBER: member}
                caller.send(raw_dbus.CALL, header, signature,
                            bus_values.values(rng, signature), flags=raw_dbus.NO_REPLY)

    def _break_the_protocol(self, rng):
        with Client(self.buses[0]) as caller:
            whole = raw_dbus.message(raw_dbus.CALL, 7, {
                raw_dbus.DESTINATION: NAME, raw_dbus.PATH: PATH, raw_dbus.MEMBER: "Explain"}, "sb", [rng.line(), 1])
            caller.send_raw(rng.mutated(whole))
