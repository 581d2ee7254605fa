# SPDX-License-Identifier: MIT
"""The figures of an attack: tries, failures, the worst time, the most memory."""

import os
import shlex
import sys
import time

# KiB; some 15 MiB are usual, and a message of the bus may have 128 MiB. AddressSanitizer keeps memory that was freed.
MOST_MEMORY = (512 if "ASAN_OPTIONS" in os.environ else 256) << 10
MOST_FAILURES = 10


class Failure(Exception):
    """The program crashed, hung, or was wrong afterwards. The text says which."""


class Tally:
    """The figures of one attack."""

    def __init__(self, name, seed, directory):
        self.name, self.seed, self.directory = name, seed, directory
        self.tries = self.failures = self.peak = 0
        self.worst, self.worst_at = 0.0, None
        self.remarks = []
        self.began = time.monotonic()

    def note_duration(self, seconds):
        """Notes how long the program took to answer something."""
        if seconds > self.worst:
            self.worst, self.worst_at = seconds, self.tries

    def note_memory(self, kibibytes):
        """Notes the most memory that it has had."""
        self.peak = max(self.peak, kibibytes)

    def failed(self, index, harm, words):
        """Keeps the seed, and prints how to repeat it."""
        self.failures += 1
        command = f"Tests/Attack/attack {self.name} --seed {self.seed} --first {index} --count 1"
        text = f"{self.name}: try {index} with seed {self.seed}: {harm}\n  repeat it: {command}\n"
        if os.environ.get("AUTOROTATE"):
            text = text.replace(": Tests/", f": AUTOROTATE={shlex.quote(os.environ['AUTOROTATE'])} Tests/")
        print("FAILED " + text, end="", flush=True)
        os.makedirs(self.directory, exist_ok=True)
        path = os.path.join(self.directory, f"{self.name}-{self.seed}-{index}.txt")
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text + words)
        print(f"  kept in {os.path.relpath(path)}", flush=True)

    @property
    def is_hopeless(self):
        return self.failures >= MOST_FAILURES

    def __str__(self):
        seconds = time.monotonic() - self.began
        parts = [
            f"{self.tries} tries", f"{self.failures} failures", f"worst {self.worst * 1000:.0f} ms",
            f"peak {self.peak / 1024:.1f} MiB", f"{seconds:.0f} s", *self.remarks]
        return f"{self.name:18} " + ", ".join(parts) + f" (seed {self.seed})"


def complain(text):
    print(text, file=sys.stderr, flush=True)
