# SPDX-License-Identifier: MIT
"""Who reads a sensor, and how often."""

import ctypes
import os
import select
import struct
import time

from .child_processes import LONGEST_WAIT, Failed, let_pass, wait_until

IN_ACCESS, IN_OPEN = 0x1, 0x20
RESTING = 5  # reads a second: at rest there are 3.3, while a turn may be under way 16 and more


class Reads:
    """Counts who opens or reads a file, whatever process it is."""

    def __init__(self, path):
        self.library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = self.library.inotify_init1(os.O_NONBLOCK)
        if self.library.inotify_add_watch(self.descriptor, path.encode(), IN_ACCESS | IN_OPEN) < 0:
            reason = os.strerror(ctypes.get_errno())
            raise Failed(f"{path} cannot be watched ({reason}); is fs.inotify.max_user_instances used up?")

    def take(self):
        """How many since it was asked last; reads that nobody noticed in between count once."""
        found = 0
        while True:
            try:
                told = os.read(self.descriptor, 65536)
            except BlockingIOError:
                return found
            place = 0
            while place < len(told):
                place += 16 + struct.unpack_from("iIII", told, place)[3]
                found += 1

    def await_next(self):
        """Until it is read again. Returns when that was (time.monotonic)."""
        self.take()
        if not select.select([self.descriptor], [], [], LONGEST_WAIT)[0]:
            raise Failed(f"the sensor was not read for {LONGEST_WAIT:.0f} s")
        return time.monotonic()

    def await_rest(self):
        """Until it is read as seldom as at rest, and has just been read."""
        def is_resting():
            self.take()
            let_pass(1)
            return self.take() <= 2 * RESTING  # each is an open and a read

        wait_until(is_resting, "the sensor comes to rest")
        self.await_next()

    def close(self):
        os.close(self.descriptor)
