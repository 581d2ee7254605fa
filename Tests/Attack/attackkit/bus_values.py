# SPDX-License-Identifier: MIT
"""Random values of any D-Bus type, with the extremes at which calculations overflow."""

import struct

from . import raw_dbus

TYPES = ("s", "u", "b", "y", "d", "x", "t", "o", "g", "v", "as", "ai", "a{sv}", "a{sa{sv}}", "(su)", "a(uu)", "aaas",
         "((((((s))))))")


def values(rng, signature, longest=200):
    return [value(rng, part, longest) for part in raw_dbus.split(signature)]


def value(rng, kind, longest=200):
    """A random value, or one of an expected kind."""
    code = kind[0]
    if code in "so":
        text = rng.line(longest)
        return "/" + "".join(c for c in text if c.isalnum() and c.isascii()) if code == "o" else text
    if code == "b":
        return rng.randrange(2)
    if code == "g":
        return rng.choice(("", "s", "a{sv}"))
    if code == "d":
        return rng.choice((float("nan"), float("inf"), 0.0, rng.gauss(0, 1e9)))
    if code == "v":
        inner = rng.choice(TYPES[:9])
        return inner, value(rng, inner, longest)
    if code == "a":
        return [value(rng, kind[1:], longest) for _ in range(rng.randrange(5))]
    if code in "({":
        return [value(rng, part, longest) for part in raw_dbus.split(kind[1:-1])]
    bits = struct.calcsize(raw_dbus._FIXED[code]) * 8  # pylint: disable=protected-access
    number = rng.number(bits)
    return number - (1 << bits) * (number >> bits - 1) if code in "nix" else number
