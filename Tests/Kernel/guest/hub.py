# SPDX-License-Identifier: MIT
"""A sensor hub on /dev/uhid: the kernel's own HID driver makes an IIO accelerometer of it.

It does what the firmware of a real one does: it answers what it is asked for, and while it is to report, it pushes a
report only when an axis has changed by more than the sensitivity that was set, at most once an interval.
"""

import os
import random
import select
import struct
import threading

from descriptor import FEATURES, REPORT_ID, SAMPLE, accelerometer

DESTROY, START, STOP, OPEN, CLOSE, OUTPUT, GET_REPORT, GET_REPORT_REPLY, CREATE, INPUT, SET_REPORT, SET_REPORT_REPLY \
    = 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14
EVENT_SIZE = 4380
IS_FEATURE = 0
ALL_EVENTS, FULL_POWER = 2, 2
"""As the driver writes them: it counts the choices of a field from 1."""
SENSITIVITY_IN_MG = 10
LID, BASE = 0x1234, 0x1235
"""Products: the accelerometers in the two halves of a convertible."""
HOLDS = {"normal": (0, -1000, 0), "bottom-up": (0, 1000, 0), "left-up": (1000, 0, 0), "right-up": (-1000, 0, 0),
         "face-up": (0, 0, 1000), "face-down": (0, 0, -1000)}


class Hub:
    """Thread-safe. It runs from `plug` to `unplug`."""

    def __init__(self, product=LID):
        self.product = product
        self.place, self.noise, self.factor = HOLDS["normal"], 4.0, 1.0
        self.reporting, self.power, self.interval, self.sensitivity = 0, 0, 100, 0
        self.pushed, self.pushes, self.asked = None, 0, 0
        self.node, self.thread = None, None
        self.leaving, self.leave = None, None
        self.chance = random.Random(1)

    def plug(self):
        self.node = os.open("/dev/uhid", os.O_RDWR)
        self.leaving, self.leave = os.pipe()
        description = accelerometer()
        self._send(CREATE, struct.pack("<128s64s64sHHIIII", b"Bench sensor hub", b"", b"", len(description), 3,
                                       0x8086, self.product, 1, 0) + description)
        self.thread = threading.Thread(target=self._run, args=(self.node, self.leaving), daemon=True)
        self.thread.start()

    def unplug(self):
        os.close(self.leave)
        self.thread.join()
        os.close(self.leaving)
        os.close(self.node)
        self.node = None

    def hold(self, name):
        self.place = HOLDS[name]

    def lie(self, name):
        x, y, z = HOLDS[name]
        self.place = (x, -y, z)

    def words(self):
        return (f"the hub: reporting {self.reporting}, power {self.power}, every {self.interval} ms, "
                f"sensitivity {self.sensitivity}; asked {self.asked} times, {self.pushes} pushed")

    def _send(self, kind, body):
        os.write(self.node, struct.pack("<I", kind) + body)

    def _run(self, node, leaving):
        while True:
            ready, _, _ = select.select([node, leaving], [], [], self._patience())
            if leaving in ready:
                return
            if node in ready:
                self._answer(os.read(node, EVENT_SIZE))
            elif self.is_streaming():
                self._push()

    def is_streaming(self):
        return self.reporting == ALL_EVENTS and self.power == FULL_POWER

    def _patience(self):
        return max(self.interval, 1) / 1000 if self.is_streaming() else None

    def _axes(self):
        return [round(self.chance.gauss(axis * self.factor, self.noise)) for axis in self.place]

    def _push(self):
        axes = self._axes()
        if self.pushed and max(abs(a - b) for a, b in zip(axes, self.pushed)) \
                <= self.sensitivity * SENSITIVITY_IN_MG and self.sensitivity:
            return
        self.pushed, self.pushes = axes, self.pushes + 1
        report = SAMPLE.pack(REPORT_ID, 2, 3, *axes)
        self._send(INPUT, struct.pack("<H", len(report)) + report)

    def _answer(self, event):
        kind = struct.unpack_from("<I", event)[0]
        if kind == GET_REPORT:
            self._give(*struct.unpack_from("<IBB", event, 4))
        elif kind == SET_REPORT:
            number, _, _, size = struct.unpack_from("<IBBH", event, 4)
            self._take(event[12:12 + size])
            self._send(SET_REPORT_REPLY, struct.pack("<IH", number, 0))

    def _give(self, number, _report, kind):
        self.asked += 1
        report = self._features() if kind == IS_FEATURE else SAMPLE.pack(REPORT_ID, 2, 3, *self._axes())
        self._send(GET_REPORT_REPLY, struct.pack("<IHH", number, 0, len(report)) + report)

    def _features(self):
        return FEATURES.pack(REPORT_ID, self.reporting, self.power, 2, self.interval, self.sensitivity)

    def _take(self, report):
        was_streaming = self.is_streaming()
        if len(report) == FEATURES.size:
            _, self.reporting, self.power, _, self.interval, self.sensitivity = FEATURES.unpack(report)
        if self.is_streaming() and not was_streaming:
            self.pushed = None
