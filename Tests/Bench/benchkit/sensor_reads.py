# SPDX-License-Identifier: MIT
"""How often a sensor is read."""

import ctypes
import os
import select
import struct
import time

from .child_processes import Failed, let_pass, longest_wait, wait_until

IN_ACCESS, IN_OPEN = 0x1, 0x20
RESTING = 5  # reads a second: at rest there are 3.3, while a rotation may be pending 16 and more


class Reads:
    """Counts opens and reads of a file by any process."""

    def __init__(self, path):
        self.library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = self.library.inotify_init1(os.O_NONBLOCK)
        if self.library.inotify_add_watch(self.descriptor, path.encode(), IN_ACCESS | IN_OPEN) < 0:
            reason = os.strerror(ctypes.get_errno())
            raise Failed(f"{path} cannot be watched ({reason}); is fs.inotify.max_user_instances used up?")

    def count(self):
        """How many since the last call; reads in between that were not polled count once."""
        found = 0
        while True:
            try:
                events = os.read(self.descriptor, 65536)
            except BlockingIOError:
                return found
            place = 0
            while place < len(events):
                place += 16 + struct.unpack_from("iIII", events, place)[3]
                found += 1

    def await_next(self):
        """Waits for the next read. Returns its time (time.monotonic)."""
        self.count()
        if not select.select([self.descriptor], [], [], longest_wait())[0]:
            raise Failed(f"the sensor was not read for {longest_wait():.0f} s")
        return time.monotonic()

    def await_rest(self):
        """Waits until it is read as seldom as at rest, and has just been read."""
        def is_resting():
            self.count()
            let_pass(1)
            return self.count() <= 2 * RESTING  # each is an open and a read

        wait_until(is_resting, "the sensor comes to rest")
        self.await_next()

    def close(self):
        os.close(self.descriptor)
