# SPDX-License-Identifier: MIT
"""What the tests of the shipped hooks in Config/hooks have in common."""

import os
import struct
import subprocess
import zlib

from . import c_programs, requirements
from .child_processes import longest_wait, wait_until
from .daemon import Daemon
from .testing import BenchTest

HOOKS = os.path.join(c_programs.PROJECT, "Config", "hooks")
NAMES = sorted(os.listdir(HOOKS))
ACCELERATIONS = ("left", "inverted", "right", "normal")
PLAIN_TOOLS = ("awk", "cat", "grep", "head", "mktemp", "readlink", "sed", "sleep", "tr", "xargs")


def variables(orientation, previous="normal", output="eDP-1"):
    """The variables that a daemon passes to a hook, of a panel of 1280x800."""
    width, height = (1280, 800) if orientation in ("normal", "inverted") else (800, 1280)
    return {"ORIENTATION": orientation, "PREVIOUS_ORIENTATION": previous, "OUTPUT": output, "APP": "",
            "WIDTH": str(width), "HEIGHT": str(height)}


def png(red, green, blue):
    """An image of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes((red, green, blue)) * 16) * 16
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class HookTest(BenchTest):
    def switch_on(self, session, name):
        """As the head comment of the hook says."""
        place = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate", "did-rotate.d")
        os.makedirs(place, exist_ok=True)
        os.symlink(os.path.join(HOOKS, name), os.path.join(place, "50-" + name))

    def daemon(self, session, *arguments):
        daemon = Daemon(session, *arguments)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def by_hand(self, session, name, **environment):
        """Runs a hook without a daemon. Returns a CompletedProcess with text."""
        return subprocess.run([os.path.join(HOOKS, name)], env={**session.env, **environment}, text=True,
                              capture_output=True, check=False, timeout=longest_wait())

    def tools(self, *names, **scripts):
        """A PATH with the standard tools, those named, and stubs that record their arguments."""
        place = self.directory()
        for name in (*PLAIN_TOOLS, *names):
            os.symlink(requirements.program(name, name), os.path.join(place, name))
        for name, lines in scripts.items():
            path = os.path.join(place, name.replace("_", "-"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\necho "{name.replace("_", "-")} $*" >> {place}/called\n{lines}\n')
            os.chmod(path, 0o755)
        return place

    def called(self, place):
        path = os.path.join(place, "called")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def until(self, condition, what):
        wait_until(condition, what)
