# SPDX-License-Identifier: MIT
"""Waiting for what will be so."""

import time


class Failed(Exception):
    """Something is not as it has to be."""


def wait_until(condition, seconds=20.0, pause=0.02):
    """Calls `condition` until it gives something true, which is returned; None after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found or time.monotonic() > deadline:
            return found or None
        time.sleep(pause)
