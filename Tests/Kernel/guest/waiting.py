# SPDX-License-Identifier: MIT
"""Waiting for conditions."""

import time

# The one limit of every wait, in seconds: an emulated machine without KVM needs minutes to start a session.
LONGEST_WAIT = 240.0


class Failed(Exception):
    """A condition is not met."""


def wait_until(condition, what, pause=0.02):
    """Calls `condition` until it returns something true, and returns that.

    After LONGEST_WAIT it raises Failed with `what`, a text or a function that returns one.
    """
    deadline = time.monotonic() + LONGEST_WAIT
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Failed(f"not within {LONGEST_WAIT:.0f} s: {what() if callable(what) else what}")
        time.sleep(pause)
    return found
