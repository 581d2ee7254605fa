# SPDX-License-Identifier: MIT
"""A terminal with a program in it: input is keys, output is a screen."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import unicodedata

from .child_processes import Failed, exit_status, wait_until

_SEQUENCE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


class Screen:
    """The part of a terminal that the program's output needs; anything else is an error, as is a line that wraps."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def feed(self, text):
        """Returns what is not complete yet."""
        while text:
            if text[0] == "\x1b":
                match = _SEQUENCE.match(text)
                if not match:
                    if len(text) < 16:
                        return text
                    raise Failed(f"not a sequence: {text[:16]!r}")
                self._perform(*match.groups())
                text = text[match.end():]
            else:
                self._put(text[0])
                text = text[1:]
        return ""

    def _put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._next_row()
        elif not character.isprintable():
            raise Failed(f"{character!r} in row {self.row}")
        else:
            width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if self.column + width > self.columns:
                raise Failed(f"row {self.row} wraps: {''.join(self.cells[self.row])}")
            self.cells[self.row][self.column] = character
            self.column += width

    def _next_row(self):
        self.row += 1
        if self.row == self.rows:
            self.row -= 1
            self.cells = [*self.cells[1:], [" "] * self.columns]

    def _perform(self, parameters, verb):
        if verb == "A":
            self.row = max(0, self.row - int(parameters))
        elif verb == "J" and not parameters:
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
            for row in range(self.row + 1, self.rows):
                self.cells[row] = [" "] * self.columns
        else:
            raise Failed(f"unknown sequence {parameters}{verb}")


class Terminal:
    """A program on a pseudo-terminal of its own. Use it in a `with`."""

    def __init__(self, command, env, columns=80, rows=24):
        self.screen = Screen(columns, rows)
        self.master, self.slave = pty.openpty()
        self._set_size()
        self.raw = b""
        self.left = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.process = subprocess.Popen(
            command, env=env, stdin=self.slave, stdout=self.slave, stderr=subprocess.PIPE,
            preexec_fn=self._own_terminal)

    def _own_terminal(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and children inherit that
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        for descriptor in (self.master, self.slave):
            if descriptor is not None:
                os.close(descriptor)

    def _set_size(self):
        size = struct.pack("HHHH", self.screen.rows, self.screen.columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def read(self, seconds=0.0):
        """Reads the program's output, waiting at most so long for some. Returns whether there was any."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.raw += (data := os.read(self.master, 65536))
        self.left = self.screen.feed(self.left + self.decoder.decode(data))
        return True

    def until(self, condition, what):
        """Reads until `condition(lines)` is true; returns the lines of the screen."""
        def is_shown():
            self.read()
            return self.left == "" and condition(self.screen.lines())

        wait_until(is_shown, lambda: f"{what} in\n" + "\n".join(self.screen.lines()))
        return self.screen.lines()

    def until_shown(self, words):
        return self.until(lambda lines: any(words in line for line in lines), words)

    def end(self, number=None):
        """Waits for the program's end, after a signal if one is given; returns its exit status."""
        if number:
            self.process.send_signal(number)
        def has_ended():
            self.read()
            return self.process.poll() is not None

        wait_until(has_ended, "the end of the program")
        while self.read():
            pass
        return self.process.returncode

    def is_full(self):
        """Whether a program that writes to it now has to wait until it is read."""
        return not select.select([], [self.slave], [], 0)[1]

    def hang_up(self):
        """Closes the terminal, as its window does."""
        os.close(self.slave)
        os.close(self.master)
        self.slave = self.master = None
        return exit_status(self.process)


INTERRUPT = "\x03"
SIGNALS = (signal.SIGTERM, signal.SIGINT)
