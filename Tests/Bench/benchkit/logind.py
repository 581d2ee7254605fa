# SPDX-License-Identifier: MIT
"""A logind with one session."""

from . import mockbus

PATH, INTERFACE = "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
SESSION_PATH, SESSION = "/org/freedesktop/login1/session/_31", "org.freedesktop.login1.Session"


def start(bench):
    """Starts it. Returns a function that brings its session to the front or sends it behind another."""
    service = mockbus.Service(bench.children, bench.env, "org.freedesktop.login1", PATH, INTERFACE)
    manager = service.mock(PATH)
    manager.AddMethod(INTERFACE, "GetSession", "s", "o", f"ret = dbus.ObjectPath('{SESSION_PATH}')")
    manager.AddObject(SESSION_PATH, SESSION, {"Type": "x11", "Active": True},
                      service.dbus.Array([], signature="(ssss)"))
    session = service.mock(SESSION_PATH)
    return lambda is_active: session.UpdateProperties(SESSION, {"Active": is_active})
