# SPDX-License-Identifier: MIT
"""Seeded random numbers. Each try has its own, so that it can be repeated without those before it."""

import random

WORDS = (
    "normal", "left", "inverted", "right", "landscape", "portrait", "natural", "all", "all-but-upside-down",
    "landscape-primary", "portrait-secondary", "none", "true", "nan", "inf", "-0", "1e999", "0x7fffffff",
    "9223372036854775808", "-1", "", " ", "../../../etc", "%s%n", "$(true)", "`true`", "eDP-1", "mpv")
POISON = (
    "\x1b]0;title\x07", "\x1b[2J", "\x1b[31m", "\n", "\r", "\t", "\x7f", "\u200f", "\u202e", "\ufeff", "\u0301",
    "\U0010ffff", "\ufffe", "é", "𝄞", "\"", "'", "\\", "*", "?", "[", "<b>", "&amp;", "{}", "\u2028", "\x00")
MEGABYTE = 1 << 20


def of_try(seed, name, index):
    """The random numbers of one try."""
    return SeededRandom(f"{seed}/{name}/{index}")


class SeededRandom(random.Random):
    """Random numbers, and values that break programs more often than those do."""

    def one_in(self, count):
        return self.randrange(count) == 0

    def text(self, longest=200):
        """Words, escape codes, long runs: any text, with or without zeros."""
        kind = self.randrange(6)
        if kind == 0:
            return self.choice(WORDS)
        if kind == 1:
            return self.choice(POISON) * self.randrange(1, max(2, longest))
        if kind == 2:
            return "".join(chr(self.randrange(1, 0xd800)) for _ in range(self.randrange(longest + 1)))
        if kind == 3:
            return self.choice("aé𝄞\x1b\n") * longest
        return "".join(self.choice(WORDS + POISON) for _ in range(self.randrange(1, 9)))

    def line(self, longest=200):
        """The same without zeros, as the operating system and the bus require."""
        return self.text(longest).replace("\x00", "0")

    def number(self, bits=32):
        return self.choice((0, 1, self.getrandbits(bits), (1 << bits) - 1, 1 << (bits - 1), self.randrange(100)))

    def blob(self, longest=200):
        return self.randbytes(self.randrange(longest + 1))

    def mutated(self, original, tokens=(), others=()):
        """A copy of these bytes with up to six of them, or pieces, changed."""
        data = bytearray(original)
        for _ in range(self.randrange(1, 7)):
            place = self.randrange(len(data) + 1)
            kind = self.randrange(7)
            if kind == 0 and place < len(data):
                data[place] ^= 1 << self.randrange(8)
            elif kind == 1:
                del data[place:]
            elif kind == 2:
                del data[place:place + self.randrange(1, 20)]
            elif kind == 3:
                data[place:place] = data[place:place + self.randrange(200)]
            elif kind == 4 and others:
                other = self.choice(others)
                data[place:] = other[self.randrange(len(other) + 1):]
            elif tokens:
                data[place:place] = self.choice(tokens)
        return bytes(data)
