# SPDX-License-Identifier: MIT
"""The sensors in a hub, and the motion that they measure."""

import math
import random
import struct
import time

ALL_EVENTS, FULL_POWER = 2, 2
"""The driver's values: it counts the choices of a field from 1."""
FEATURES = struct.Struct("<BBBBIH")
"""Report, reporting state, power state, sensor state, interval in ms, sensitivity."""
SAMPLE = struct.Struct("<BBBhhh")
"""Report, sensor state, event, and the axes."""
HOLDS = {"normal": (0, -1000, 0), "bottom-up": (0, 1000, 0), "left-up": (1000, 0, 0), "right-up": (-1000, 0, 0),
         "face-up": (0, 0, 1000), "face-down": (0, 0, -1000)}
SECONDS_FOR_A_QUARTER = 0.4
"""Seconds in which a hand rotates a device."""


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Motion:
    """The device orientation, in mg, and its rotation from one orientation to the next."""

    def __init__(self):
        self.is_gradual = False
        self.start = self.end = HOLDS["normal"]
        self.axis, self.angle, self.began = (0, 0, 1), 0.0, 0.0

    def hold(self, name):
        self._move(HOLDS[name])

    def lie(self, name):
        x, y, z = HOLDS[name]
        self._move((x, -y, z))

    def _move(self, end):
        start = self.acceleration()
        normal = cross(start, end)
        length = math.hypot(*normal)
        self.axis = tuple(each / length for each in normal) if length > 1 else (0, 0, 1) if not start[2] else (1, 0, 0)
        self.angle = math.atan2(length, dot(start, end))
        self.start, self.end, self.began = start, end, time.monotonic()

    def _share(self):
        """The completed part of the angle: 0 to 1."""
        seconds = self.angle / (math.pi / 2) * SECONDS_FOR_A_QUARTER
        return min(1, (time.monotonic() - self.began) / seconds) if self.is_gradual and seconds else 1

    def acceleration(self):
        share = self._share()
        if share >= 1:
            return self.end
        angle, side = share * self.angle, cross(self.axis, self.start)
        return tuple(math.cos(angle) * a + math.sin(angle) * b for a, b in zip(self.start, side))

    def rate(self):
        """Degrees a second. Fixed directions rotate the other way in the frame of the device."""
        speed = math.degrees(math.pi / 2) / SECONDS_FOR_A_QUARTER
        return tuple(-speed * each for each in self.axis) if self._share() < 1 else (0, 0, 0)


class Sensor:
    """A sensor of a hub, with the report of its number. `noise` is the standard deviation of each axis."""

    name, report, noise = "", 0, 0.0

    def __init__(self, motion):
        self.motion = motion
        self.matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        self.reporting, self.power, self.interval, self.sensitivity = 0, 0, 100, 0
        self.pushed, self.pushes, self.asked, self.due = None, 0, 0, 0.0
        self.chance = random.Random(self.report)

    def values(self):
        """In the frame of the device."""
        raise NotImplementedError

    def threshold(self):
        """The change of an axis from which it is pushed."""
        raise NotImplementedError

    def words(self):
        return (f"reporting {self.reporting}, power {self.power}, every {self.interval} ms, "
                f"sensitivity {self.sensitivity}; asked {self.asked} times, {self.pushes} pushed")

    def is_streaming(self):
        return self.reporting == ALL_EVENTS and self.power == FULL_POWER

    def _axes(self):
        """In the sensor's own frame: that of the device is `matrix` times it."""
        built_in = [dot(column, self.values()) for column in zip(*self.matrix)]
        return [round(self.chance.gauss(axis, self.noise)) for axis in built_in]

    def sample(self):
        return SAMPLE.pack(self.report, 2, 3, *self._axes())

    def next_report(self, now):
        """The report to push now, if any."""
        if now < self.due:
            return None
        self.due = now + max(self.interval, 1) / 1000
        axes = self._axes()
        if self.pushed and self.sensitivity \
                and max(abs(a - b) for a, b in zip(axes, self.pushed)) <= self.threshold():
            return None
        self.pushed, self.pushes = axes, self.pushes + 1
        return SAMPLE.pack(self.report, 2, 3, *axes)

    def features(self):
        return FEATURES.pack(self.report, self.reporting, self.power, 2, self.interval, self.sensitivity)

    def set_features(self, report):
        was_streaming = self.is_streaming()
        if len(report) == FEATURES.size:
            _, self.reporting, self.power, _, self.interval, self.sensitivity = FEATURES.unpack(report)
        if self.is_streaming() and not was_streaming:
            self.pushed, self.due = None, time.monotonic() + max(self.interval, 1) / 1000


class Accelerometer(Sensor):
    """In mg; its sensitivity is in 10 mg."""

    name, report, noise, factor = "accelerometer", 1, 4.0, 1.0
    usage, sensitivity_usage, axis_usages, exponent = 0x73, 0x1452, (0x453, 0x454, 0x455), -3

    def values(self):
        return [each * self.factor for each in self.motion.acceleration()]

    def threshold(self):
        return self.sensitivity * 10


class Gyroscope(Sensor):
    """In hundredths of a degree a second, and so is its sensitivity."""

    name, report, noise = "gyroscope", 2, 5.0
    usage, sensitivity_usage, axis_usages, exponent = 0x76, 0x1456, (0x457, 0x458, 0x459), -2

    def values(self):
        return [each * 100 for each in self.motion.rate()]

    def threshold(self):
        return self.sensitivity
