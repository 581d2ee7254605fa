# SPDX-License-Identifier: MIT
"""A sensor hub on /dev/uhid: the kernel's own HID drivers create an IIO accelerometer from it, and a gyroscope.

It behaves as the firmware of a real one: it answers requests, and while a sensor is to report, it pushes a
report only when an axis has changed by more than the configured sensitivity, at most once an interval.
"""

import errno
import os
import select
import struct
import threading
import time

from descriptor import hub
from hub_sensors import Accelerometer, Gyroscope, Motion

DESTROY, START, STOP, OPEN, CLOSE, OUTPUT, GET_REPORT, GET_REPORT_REPLY, CREATE, INPUT, SET_REPORT, SET_REPORT_REPLY \
    = 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14
EVENT_SIZE = 4380
IS_FEATURE = 0
LID, BASE = 0x1234, 0x1235
"""Products: the accelerometers in the two halves of a convertible."""


class Hub:
    """Thread-safe. It runs from `plug` to `unplug`."""

    def __init__(self, product=LID):
        self.product = product
        self.motion = Motion()
        self.accelerometer, self.gyroscope = Accelerometer(self.motion), None
        self.fails = False
        self.node, self.thread = None, None
        self.leaving, self.leave = None, None

    def add_gyroscope(self):
        """From then on the device takes some time to rotate, since a gyroscope measures only that."""
        self.motion.is_gradual = True
        self.gyroscope = Gyroscope(self.motion)

    def sensors(self):
        return [each for each in (self.accelerometer, self.gyroscope) if each]

    def plug(self):
        self.node = os.open("/dev/uhid", os.O_RDWR)
        self.leaving, self.leave = os.pipe()
        description = hub(self.sensors())
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
        self.motion.hold(name)

    def lie(self, name):
        self.motion.lie(name)

    def asked(self):
        return sum(each.asked for each in self.sensors())

    def pushes(self):
        return sum(each.pushes for each in self.sensors())

    def words(self):
        return "; ".join(f"the hub's {each.name}: {each.words()}" for each in self.sensors())

    def is_streaming(self):
        return any(each.is_streaming() for each in self.sensors())

    def _send(self, kind, body):
        os.write(self.node, struct.pack("<I", kind) + body)

    def _run(self, node, leaving):
        while True:
            ready, _, _ = select.select([node, leaving], [], [], self._patience())
            if leaving in ready:
                return
            if node in ready:
                self._answer(os.read(node, EVENT_SIZE))
            self._push_pending()

    def _patience(self):
        """Seconds until the next report is due."""
        due = [each.due for each in self.sensors() if each.is_streaming()]
        return max(0, min(due) - time.monotonic()) if due else None

    def _push_pending(self):
        for each in self.sensors():
            report = each.next_report(time.monotonic()) if each.is_streaming() else None
            if report and not self.fails:
                self._send(INPUT, struct.pack("<H", len(report)) + report)

    def _answer(self, event):
        kind = struct.unpack_from("<I", event)[0]
        if kind == GET_REPORT:
            self._give(*struct.unpack_from("<IBB", event, 4))
        elif kind == SET_REPORT:
            number, report, _, size = struct.unpack_from("<IBBH", event, 4)
            error = self._error(report)
            if not error:
                self._sensor(report).set_features(event[12:12 + size])
            self._send(SET_REPORT_REPLY, struct.pack("<IH", number, error))

    def _sensor(self, report):
        return next((each for each in self.sensors() if each.report == report), None)

    def _error(self, report):
        return errno.EIO if self.fails or not self._sensor(report) else 0

    def _give(self, number, report, kind):
        error, body = self._error(report), b""
        if not error:
            sensor = self._sensor(report)
            sensor.asked += 1
            body = sensor.features() if kind == IS_FEATURE else sensor.sample()
        self._send(GET_REPORT_REPLY, struct.pack("<IHH", number, error, len(body)) + body)
