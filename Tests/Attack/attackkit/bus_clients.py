# SPDX-License-Identifier: MIT
"""The tray and the settings app: called by any client of the bus, and given nonsense by the owner of the daemon's name."""

import time

from benchkit.child_processes import longest_wait, wait_until
from benchkit.settingswindow import draw_in_memory, settings_program
from benchkit.testing import program

from . import bus_values, raw_dbus
from .attack import Attack
from .bus import STANDARD
from .fake_daemon import FakeDaemon
from .raw_dbus import Client, Disconnected
from .tally import Failure
from .target_daemon import Target

MENU, ITEM, GTK = "com.canonical.dbusmenu", "org.kde.StatusNotifierItem", "org.gtk.Actions"
TRAY_METHODS = {
    "GetLayout": ("/MenuBar", MENU, "iias"), "GetGroupProperties": ("/MenuBar", MENU, "aias"),
    "GetProperty": ("/MenuBar", MENU, "is"), "Event": ("/MenuBar", MENU, "isvu"),
    "EventGroup": ("/MenuBar", MENU, "a(isvu)"), "AboutToShow": ("/MenuBar", MENU, "i"),
    "AboutToShowGroup": ("/MenuBar", MENU, "ai"), "Activate": ("/StatusNotifierItem", ITEM, "ii"),
    "ContextMenu": ("/StatusNotifierItem", ITEM, "ii"), "SecondaryActivate": ("/StatusNotifierItem", ITEM, "ii"),
    "Scroll": ("/StatusNotifierItem", ITEM, "is")}
# None is a click, which would start programs.
EVENTS = ("hovered", "opened", "closed")
WINDOW_METHODS = {
    "Activate": ("/org/autorotate/Settings", "org.gtk.Application", "a{sv}"),
    "Open": ("/org/autorotate/Settings", "org.gtk.Application", "assa{sv}"),
    "List": ("/org/autorotate/Settings", GTK, ""), "Describe": ("/org/autorotate/Settings", GTK, "s"),
    "DescribeAll": ("/org/autorotate/Settings", GTK, "")}


class BusClient(Target):
    """A program that must run as long as the owner of a name answers."""

    def __init__(self, session, tally, command, name):  # pylint: disable=super-init-not-called
        self.session, self.tally, self.log, self.env = session, tally, "target", session.env
        self.name = name
        self.process = session.children.start(self.log, command, self.env)

    def _is_answering(self):
        with Client(self.env["DBUS_SESSION_BUS_ADDRESS"]) as client:
            return client.call(*raw_dbus.DRIVER, "GetNameOwner", "s", [self.name])[0] == raw_dbus.REPLY

    def check_consistent(self, _orientations=()):
        self.check_alive()


class BusClientAttack(Attack):
    """Calls by any client, and answers and signals of a daemon that sends anything."""

    target = ""
    methods = {}

    def command(self):
        raise NotImplementedError

    def open(self):
        self.bench()
        draw_in_memory(self.session)
        address = self.session.env["DBUS_SESSION_BUS_ADDRESS"]
        self.daemon = FakeDaemon(address, self.seed)
        self.client = Client(address)
        self.target_daemon = BusClient(self.session, self.tally, self.command(), self.target).await_answer()

    def close(self):
        if self.session:
            self.daemon.end()
            self.client.close()
        super().close()

    def attempt(self, rng, index):
        try:
            if rng.one_in(4):
                self.daemon.announce(rng)
            elif rng.one_in(6):
                interface, member, signature = rng.choice(STANDARD)
                self._call(rng, "/", interface, member, bus_values.values(rng, signature), signature)
            else:
                member, (path, interface, signature) = rng.choice(list(self.methods.items()))
                if rng.one_in(5):
                    signature = "".join(rng.choice(bus_values.TYPES) for _ in range(rng.randrange(5)))
                values = self._known(rng, member, bus_values.values(rng, signature))
                self._call(rng, path, interface, member, values, signature)
            self._ping()
        except Disconnected as gone:
            self.target_daemon.check_alive()
            self.client.close()
            self.client = Client(self.session.env["DBUS_SESSION_BUS_ADDRESS"])
            self._ping(gone)
        self.tally.remarks = [f"{self.daemon.answers} answers of the daemon"]

    def _known(self, _rng, _member, values):
        """The values, some replaced by ones that the target knows."""
        return values

    def _call(self, _rng, path, interface, member, values, signature):
        self.client.call(self.target, path, interface, member, signature, values)

    def _ping(self, before=None):
        began = time.monotonic()
        try:
            kind = self.client.call(self.target, "/", "org.freedesktop.DBus.Peer", "Ping")[0]
        except Disconnected as gone:
            self.target_daemon.check_alive()
            raise Failure(f"no answer to a ping in {longest_wait():.0f} s: {before or gone}") from gone
        self.tally.note_duration(time.monotonic() - began)
        if kind != raw_dbus.REPLY and not wait_until(lambda: self.target_daemon.process.poll() is not None, pause=0.02):
            raise Failure("a ping is refused")
        self.target_daemon.check_alive()


class Tray(BusClientAttack):
    """The menu and the icon."""

    name, whole, light = "tray", 2_000, 150
    target, methods = "org.autorotate.Tray", TRAY_METHODS

    def command(self):
        return [program(), "tray"]

    def _known(self, rng, member, values):
        if values and isinstance(values[0], int) and rng.one_in(2):
            values[0] = rng.choice((0, 0, 0, rng.randrange(10)))
        if member == "Event" and len(values) > 1 and isinstance(values[1], str):
            values[1] = rng.choice(EVENTS)
        return values


class SettingsWindow(BusClientAttack):
    """autorotate-settings."""

    name, whole, light = "window", 1_500, 60
    target, methods = "org.autorotate.Settings", WINDOW_METHODS

    def command(self):
        return [settings_program()]
