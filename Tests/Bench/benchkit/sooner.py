# SPDX-License-Identifier: MIT
"""How much sooner the picture follows a turn out of rest with a gyroscope than without."""

import contextlib
import os
import statistics
import time

from . import accelerometer
from .children import wait_until
from .daemon import HOLDS, Daemon
from .reads import Reads
from .session import Options, Session

TURNS = 20
SECONDS_OF_REST = 0.3  # between two reads at rest; a turn begins at any moment between them
SHAKING = 0.3  # m/s²
PATIENCE = 5


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
        self.monitor = self.session.start("monitor", [
            "dbus-monitor", "--profile", "interface='org.autorotate.Autorotate1',member='DidRotate'"])
        wait_until(lambda: self._shown() is not None, PATIENCE)

    def turn(self, degrees, seconds, phase):
        """Seconds from the first motion to the turned picture, which then is put back."""
        self.reads.await_rest()
        read = self.reads.await_next()
        time.sleep(max(0, read + phase * SECONDS_OF_REST - time.monotonic()))
        before, begun = len(self._shown()), time.time()
        self.session.sensor.do(["turn", degrees, seconds, SHAKING])
        wait_until(lambda: len(self._shown()) > before, PATIENCE)
        found = self._shown()[before] - begun
        self.session.accelerate(*HOLDS["normal"])
        self.daemon.until_shown("normal")
        return found

    def _shown(self):
        """When pictures were turned; None before the monitor listens."""
        with open(os.path.join(self.session.directory, "monitor.out"), encoding="utf-8") as file:
            lines = [line.split("\t") for line in file.read().splitlines()]
        times = [float(line[1]) for line in lines if line[0] == "sig" and line[-1] == "DidRotate"]
        return times if lines else None


def measure(directory, log=print):
    """Prints the medians of the turns, by turns with and without, and how many were sooner with it."""
    with contextlib.ExitStack() as stack:
        devices = [Device(os.path.join(directory, f"g{number}"), gyroscope, stack)
                   for number, gyroscope in enumerate(("auto", "off"))]
        for degrees, seconds in ((90, 0.5), (90, 0.8)):
            _compare(devices, degrees, seconds, log)


def _compare(devices, degrees, seconds, log):
    times = [[device.turn(degrees, seconds, number / TURNS) for device in devices] for number in range(TURNS)]
    with_it, without = (statistics.median(each) for each in zip(*times))
    sooner = sum(first < second for first, second in times)
    log(f"a turn of {degrees}° in {seconds} s out of rest is shown after a median of {with_it:.3f} s with a "
        f"gyroscope and {without:.3f} s without ({with_it / without:.2f} times), {sooner} of {TURNS} sooner with it",
        flush=True)
