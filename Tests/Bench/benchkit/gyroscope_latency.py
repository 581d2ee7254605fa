# SPDX-License-Identifier: MIT
"""How much sooner the screen follows a motion out of rest with a gyroscope than without."""

import contextlib
import os
import statistics
import time

from . import accelerometer
from .child_processes import let_pass
from .daemon import ACCELERATIONS, Daemon
from .rotation_events import RotationSignals
from .sensor_reads import Reads
from .session import Options, Session

ROTATIONS = 20
SECONDS_OF_REST = 0.3  # between two reads at rest; a motion begins at any moment between them
SHAKING = 0.3  # m/s²
SECONDS_TO_MOVE = 1.0


class Device:
    """One machine with a gyroscope, which the daemon may use or not."""

    def __init__(self, place, gyroscope, stack):
        self.gyroscope = gyroscope
        os.makedirs(os.path.join(place, "config/autorotate"))
        with open(os.path.join(place, "config/autorotate/config.toml"), "w", encoding="utf-8") as file:
            file.write(f'[sensor]\ngyroscope = "{gyroscope}"\n')
        self.session = stack.enter_context(
            Session(place, Options(sensor=accelerometer.Options(gyro="own", noise=0.03))))
        self.daemon = stack.enter_context(Daemon(self.session, "--sensor", "iio"))
        self.daemon.until_shown("normal")
        environment = self.session.sensor.environment["UMOCKDEV_DIR"]
        self.reads = Reads(os.path.join(environment, "sys" + accelerometer.PARENT, "iio:device0/in_accel_z_raw"))
        stack.callback(self.reads.close)
        self.signals = RotationSignals(self.session)

    def rotate(self, degrees, seconds, phase):
        """Seconds from the first motion to the rotated screen, which is then restored."""
        self.reads.await_rest()
        read = self.reads.await_next()
        let_pass(max(0, read + phase * SECONDS_OF_REST - time.monotonic()))
        before, begun = len(self.signals.rotations()), time.time()
        self.session.sensor.do(["rotate", degrees, seconds, SHAKING])
        found = self.signals.await_next(before)[1] - begun
        self.move(ACCELERATIONS["normal"])
        self.daemon.until_shown("normal")
        return found

    def move(self, hold):
        """As a hand does it: after a jump without a reading of the gyroscope, the daemon would distrust it."""
        self.session.sensor.do(["move", *hold, SECONDS_TO_MOVE])
        let_pass(SECONDS_TO_MOVE)

    def follow(self, recording, orientation):
        """Seconds from the beginning of a recording to the last rotation of the screen, at rest when the recording
        begins; None if the screen did not have that orientation."""
        with open(recording, encoding="utf-8") as file:
            rows = [[float(field) for field in line.split(",")] for line in file]
        size = sum(value * value for value in rows[0][1:4]) ** 0.5  # a moving device does not measure gravity alone
        self.move([9.81 * value / size for value in rows[0][1:4]])
        self.reads.await_rest()
        before, begun = len(self.signals.rotations()), time.time()
        self.session.sensor.do(["play", recording])
        let_pass(rows[-1][0] + 0.2)
        rotations = self.signals.rotations()[before:]
        self.session.sensor.do(["gyro", 0, 0, 0])
        return rotations[-1][1] - begun if rotations and self.daemon.status()["orientation"] == orientation else None


def measure(directory, log=print):
    """Prints the medians of the rotations with and without, alternating, and how many were sooner with it."""
    with contextlib.ExitStack() as stack:
        devices = [Device(os.path.join(directory, f"g{number}"), gyroscope, stack)
                   for number, gyroscope in enumerate(("auto", "off"))]
        for degrees, seconds in ((90, 0.5), (90, 0.8)):
            _compare(devices, degrees, seconds, log)


def _compare(devices, degrees, seconds, log):
    times = [[device.rotate(degrees, seconds, number / ROTATIONS) for device in devices] for number in range(ROTATIONS)]
    with_it, without = (statistics.median(each) for each in zip(*times))
    sooner = sum(first < second for first, second in times)
    log(f"a rotation by {degrees}° in {seconds} s out of rest is shown after a median of {with_it:.3f} s with a "
        f"gyroscope and {without:.3f} s without ({with_it / without:.2f} times), "
        f"{sooner} of {ROTATIONS} sooner with it", flush=True)
