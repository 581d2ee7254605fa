# SPDX-License-Identifier: MIT
"""The buffer of the mock accelerometer: the contents of /dev/iio:deviceN while it is on."""

import os
import re
import struct
import threading
import time

from . import accelerometer

PERIOD = 0.04  # seconds from sample to sample
PLACES = {8: "b", 16: "h", 32: "i", 64: "q"}


class Feeder:
    """Writes samples into a FIFO in the node's place for as long as buffer/enable is 1."""

    def __init__(self, root, part):
        self.part = part
        self.place = f"{root}/sys{part.path}"
        self.values = None  # in place of the registers' values
        self.mode = "good"
        self.last_delivered = None  # the values that were delivered last
        node = f"{root}/dev/iio:device{part.number}"
        os.unlink(node)
        os.mkfifo(node)
        self.fifo = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        threading.Thread(target=self._feed, daemon=True).start()

    def perform(self, words):
        if len(words) == 3:
            self.values = [float(word) for word in words]
        elif words == ["good"]:
            self.mode, self.values = "good", None
        elif words in (["half"], ["none"], ["asleep"]):
            self.mode = words[0]
        else:
            raise ValueError("usage: accel feed X Y Z, good, half, none or asleep")

    def _read(self, name):
        with open(f"{self.place}/{name}", encoding="utf-8") as file:
            return file.read().strip("\0\n ")

    def _feed(self):
        pause = threading.Event()
        while not pause.wait(PERIOD):
            if self._read("buffer/enable") != "1":
                self._empty()
                self.last_delivered = None
            elif self.mode != "none" and self._has_changed():
                sample = self._sample()
                self._deliver(sample[:len(sample) // 2 + 1] if self.mode == "half" else sample)

    def _has_changed(self):
        """A hub reports changes only, and the first sample."""
        if self.part.options.hysteresis is None:
            return True
        hysteresis, values = float(self._read("in_accel_hysteresis")), self.values or self.part.values
        is_changed = self.last_delivered is None or max(
            abs(value - last_delivered) for value, last_delivered in zip(values, self.last_delivered)) > hysteresis
        if is_changed and self.last_delivered is not None and self.mode == "asleep" and hysteresis > 0.3:
            return False
        if is_changed:
            self.last_delivered = list(values)
        return is_changed

    def _deliver(self, sample):
        try:
            os.write(self.fifo, sample)
        except BlockingIOError:
            pass  # full: the newest is dropped, as the kernel does

    def _empty(self):
        try:
            os.read(self.fifo, 65536)
        except BlockingIOError:
            pass

    def _sample(self):
        """x, y, z as far as they are enabled, and the time, each aligned to its size."""
        sample, largest = b"", 1
        values = self.part.raw(self.values or self.part.values)
        elements = dict(zip(["accel_x", "accel_y", "accel_z"], values))
        if self.part.options.gyro == "same":
            rates = accelerometer.gyroscope_raw(self.part.rates)
            elements.update(zip(["anglvel_x", "anglvel_y", "anglvel_z"], rates))
        for name, value in {**elements, "timestamp": time.time_ns()}.items():
            if self._read(f"scan_elements/in_{name}_en") == "1":
                place = encode(self._read(f"scan_elements/in_{name}_type"), value)
                sample += b"\0" * (-len(sample) % len(place)) + place
                largest = max(largest, len(place))
        return sample + b"\0" * (-len(sample) % largest)


def encode(scan_type, value):
    """A value as the kernel encodes it: only its bits are set, the rest of the storage is zero."""
    end, bits, room, shift = re.fullmatch(r"(le|be):s(\d+)/(\d+)>>(\d+)", scan_type).groups()
    word = (value & (1 << int(bits)) - 1) << int(shift)
    return struct.pack(("<" if end == "le" else ">") + PLACES[int(room)].upper(), word)
