# SPDX-License-Identifier: MIT
"""Services of the bench's buses that behave as a test specifies, by python-dbusmock."""

import shutil
import sys


from .requirements import Missing

MOCK = "org.freedesktop.DBus.Mock"
ADDRESSES = {"system": "DBUS_SYSTEM_BUS_ADDRESS", "session": "DBUS_SESSION_BUS_ADDRESS"}
PYTHON = shutil.which("python3", path="/usr/bin") or sys.executable


def _dbus():
    try:
        import dbus  # pylint: disable=import-outside-toplevel
        import dbusmock  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError as error:
        raise Missing("python-dbusmock is not installed (package python3-dbusmock)") from error
    return dbus


def is_available():
    try:
        return bool(_dbus())
    except Missing:
        return False


def has_owner(name, env, bus="system"):
    """Whether this name has an owner on that bus of the bench."""
    connection = _dbus().bus.BusConnection(env[ADDRESSES[bus]])
    try:
        return connection.name_has_owner(name)
    finally:
        connection.close()


def connection(env, bus="session"):
    """A connection that does as the test specifies, and answers nothing else."""
    return _dbus().bus.BusConnection(env[ADDRESSES[bus]])


class Service:
    """A mock in a process of its own: from one of dbusmock's templates, or empty."""

    def __init__(self, children, env, name, path=None, interface=None, template=None, bus="system", python=PYTHON):
        self.dbus = _dbus()
        what = ["--template", template] if template else [name, path, interface]
        plain = {key: value for key, value in env.items() if key != "LD_PRELOAD"}
        self.name, self.children = name, children
        self.process = children.start(
            "mock-" + name.rpartition(".")[2], [python, "-m", "dbusmock", f"--{bus}", *what], plain)
        children.await_condition(
            self.process, lambda: has_owner(name, env, bus), f"no mock of {name}")
        self.connection = self.dbus.bus.BusConnection(env[ADDRESSES[bus]])

    def mock(self, path):
        """The interface that adds and changes methods and properties of the object, and emits its signals."""
        return self.dbus.Interface(self.connection.get_object(self.name, path), MOCK)

    def property(self, path, interface, name):
        there = self.connection.get_object(self.name, path)
        return self.dbus.Interface(there, self.dbus.PROPERTIES_IFACE).Get(interface, name)

    def stop(self):
        self.connection.close()
        self.children.stop(self.process)
