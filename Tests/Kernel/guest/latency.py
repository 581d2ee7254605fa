# SPDX-License-Identifier: MIT
"""How long a rotation takes: from what causes it, such as another value of the hub, to the event of the rotated output."""

import statistics
import time

from waiting import Failed, wait_until

CAUSES = {"hold", "base", "plug", "touch", "finger", "press", "power", "terminal", "storm", "switch", "run", "suspend", "start", "stop",
          "master", "hub"}
"""Words that can have the screen rotated, now or when another one allows it."""
UNTIMED = {"install", "purge", "kill", "login", "restart"}
"""Words that start or end programs, which takes a time of its own: a rotation that belongs to one is not timed."""
WITHIN = 5
"""Times the reference."""
REFERENCE = ("left-up", "bottom-up", "right-up", "normal")
ORIENTATIONS = {"normal": "normal", "left-up": "left", "bottom-up": "inverted", "right-up": "right"}


class Latency:
    """Of the rotations of a scenario."""

    def __init__(self):
        self.causes, self.shown, self.reference = [], {}, None

    def note(self, words):
        if words[0] in CAUSES:
            self.causes.append(time.monotonic())
        elif words[0] in UNTIMED:
            self.causes = []

    def measure_reference(self, hold, desktop):
        """Some rotations of the same boot and desktop, by which the others are judged. The first of a boot is slow, since an
        emulator translates the code then: the median is not."""
        found = []
        for name in REFERENCE:
            began = time.monotonic()
            hold(name)
            found.append(self._event(desktop, ORIENTATIONS[name], began) - began)
        self.reference = statistics.median(found)
        self.causes, self.shown[desktop] = [], "normal"
        return f"{self.reference:.2f} s ({' '.join(f'{each:.2f}' for each in found)})"

    def of_rotation(self, desktop, orientation, within=WITHIN, plus=0):
        """Seconds, of the rotation that has led there since the last call; None if the screen was so. The last cause before the event counts."""
        former, causes = self.shown.get(desktop, "normal"), self.causes
        self.shown[desktop], self.causes = orientation, []
        if former == orientation or not causes:
            return None
        event = self._event(desktop, orientation, causes[0])
        seconds = event - max(cause for cause in causes if cause < event)
        self._check(seconds, within, plus)
        return seconds

    def _check(self, seconds, within, plus):
        if self.reference and seconds > within * self.reference + plus:
            raise Failed(f"rotated in {seconds:.2f} s, more than {within} times the reference of {self.reference:.2f} s"
                         + (f" and {plus} s" if plus else ""))

    @staticmethod
    def _event(desktop, orientation, since):
        return wait_until(lambda: desktop.rotated_at(orientation, since),
                          lambda: f"no event says that the panel is {orientation}: {desktop.rotations.lines()[-8:]}")
