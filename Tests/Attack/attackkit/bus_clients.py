# SPDX-License-Identifier: MIT
"""The tray and the settings app: called by any client of the bus, and given nonsense by the owner of the daemon's name."""

import time

from benchkit.child_processes import LONGEST_WAIT, wait_until
from benchkit.settingswindow import draw_in_memory, settings_program
from benchkit.testing import program

from . import bus_values, raw_dbus
from .attack import Attack
from .bus import STANDARD
from .fake_daemon import FakeDaemon
from .raw_dbus import Client, Gone
from .tally import Harm
from .target_daemon import Victim

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


class BusClient(Victim):
    """A program that must run as long as the owner of a name answers."""

    def __init__(self, session, tally, command, name):  # pylint: disable=super-init-not-called
        self.session, self.tally, self.log, self.env = session, tally, "victim", session.env
        self.name = name
        self.process = session.children.start(self.log, command, self.env)

    def _is_answering(self):
        with Client(self.env["DBUS_SESSION_BUS_ADDRESS"]) as client:
            return client.call(*raw_dbus.DRIVER, "GetNameOwner", "s", [self.name])[0] == raw_dbus.REPLY

    def calm(self, _orientations=()):
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
        self.victim = BusClient(self.session, self.tally, self.command(), self.target).await_answer()

    def close(self):
        if self.session:
            self.daemon.end()
            self.client.close()
        super().close()

    def attempt(self, luck, index):
        try:
            if luck.one_in(4):
                self.daemon.announce(luck)
            elif luck.one_in(6):
                interface, member, signature = luck.choice(STANDARD)
                self._call(luck, "/", interface, member, bus_values.values(luck, signature), signature)
            else:
                member, (path, interface, signature) = luck.choice(list(self.methods.items()))
                if luck.one_in(5):
                    signature = "".join(luck.choice(bus_values.TYPES) for _ in range(luck.randrange(5)))
                values = self._known(luck, member, bus_values.values(luck, signature))
                self._call(luck, path, interface, member, values, signature)
            self._ping()
        except Gone as gone:
            self.victim.check_alive()
            self.client.close()
            self.client = Client(self.session.env["DBUS_SESSION_BUS_ADDRESS"])
            self._ping(gone)
        self.tally.remarks = [f"{self.daemon.answers} answers of the daemon"]

    def _known(self, _luck, _member, values):
        """The values, some replaced by ones that the target knows."""
        return values

    def _call(self, _luck, path, interface, member, values, signature):
        self.client.call(self.target, path, interface, member, signature, values)

    def _ping(self, before=None):
        began = time.monotonic()
        try:
            kind = self.client.call(self.target, "/", "org.freedesktop.DBus.Peer", "Ping")[0]
        except Gone as gone:
            self.victim.check_alive()
            raise Harm(f"no answer to a ping in {LONGEST_WAIT:.0f} s: {before or gone}") from gone
        self.tally.took(time.monotonic() - began)
        if kind != raw_dbus.REPLY and not wait_until(lambda: self.victim.process.poll() is not None, pause=0.02):
            raise Harm("a ping is refused")
        self.victim.check_alive()


class Tray(BusClientAttack):
    """The menu and the icon."""

    name, whole, light = "tray", 2_000, 150
    target, methods = "org.autorotate.Tray", TRAY_METHODS

    def command(self):
        return [program(), "tray"]

    def _known(self, luck, member, values):
        if values and isinstance(values[0], int) and luck.one_in(2):
            values[0] = luck.choice((0, 0, 0, luck.randrange(10)))
        if member == "Event" and len(values) > 1 and isinstance(values[1], str):
            values[1] = luck.choice(EVENTS)
        return values


class SettingsWindow(BusClientAttack):
    """autorotate-settings."""

    name, whole, light = "window", 1_500, 60
    target, methods = "org.autorotate.Settings", WINDOW_METHODS

    def command(self):
        return [settings_program()]
