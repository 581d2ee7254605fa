# SPDX-License-Identifier: MIT
"""PipeWire's real server with simulated speakers."""

import os

from . import requirements
from .child_processes import wait_until

SERVERS = (("pipewire", "pipewire-bin"), ("wireplumber", "wireplumber"), ("pipewire-pulse", "pipewire-pulse"))
SOCKETS = {"pipewire": "pipewire-0", "pipewire-pulse": "pulse/native"}


def start(session):
    """Starts it, with an output called speakers."""
    for name, package in SERVERS:
        session.children.start(name, [requirements.program(name, package)], session.env)
        if name in SOCKETS:
            path = os.path.join(session.env["XDG_RUNTIME_DIR"], SOCKETS[name])
            wait_until(lambda path=path: os.path.exists(path), session.children.last_words(name))
    session.env["PULSE_SERVER"] = "unix:" + path
    wait_until(lambda: pactl(session, "info").returncode == 0, "no sound server")
    add_output(session, "speakers")


def add_output(session, name, properties=""):
    """Adds an output, and makes it the default."""
    # Until the session manager is up, nothing is made.
    wait_until(lambda: pactl(
        session, "load-module", "module-null-sink", f"sink_name={name}", "channels=2",
        f"sink_properties={properties or 'device.description=Bench'}").returncode == 0, "an output")
    wait_until(lambda: name in pactl(session, "list", "short", "sinks").stdout, name)
    wait_until(lambda: pactl(session, "set-default-sink", name).returncode == 0 and default(session) == name,
           f"{name} is the default")


def default(session):
    return pactl(session, "get-default-sink").stdout.strip()


def pactl(session, *words):
    return session.run(requirements.program("pactl", "pulseaudio-utils"), *words)
