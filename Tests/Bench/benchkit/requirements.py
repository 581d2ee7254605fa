# SPDX-License-Identifier: MIT
"""What the bench needs from the system, and the message for what is missing."""

import ctypes
import os
import shutil

SKIPPED = 77


class Missing(Exception):
    """A requirement of the bench is missing on this machine. Its text names it, and the package that has it."""


def program(name, package, *places):
    """The path of a program: one of `places`, else from PATH. Raises Missing."""
    for place in places:
        if os.access(place, os.X_OK):
            return place
    found = shutil.which(name)
    if not found:
        raise Missing(f"{name} is not installed (package {package})")
    return found


def xorg():
    """The server itself: the one in PATH may be a wrapper that serves the console only."""
    return program(
        "Xorg", "xserver-xorg-core",
        "/usr/lib/xorg/Xorg", "/usr/libexec/Xorg", "/usr/lib/xorg-server/Xorg", "/usr/lib/Xorg")


def library(name, package):
    """Raises Missing when a shared library cannot be loaded."""
    try:
        ctypes.CDLL(name)
    except OSError as error:
        raise Missing(f"{name} is not installed (package {package})") from error
