# SPDX-License-Identifier: MIT
"""An accelerometer that fails in every way that drivers do, between two correct readings."""

import os

from benchkit import accelerometer, c_programs
from benchkit.accelerometer import Options as Sensor
from benchkit.child_processes import let_pass

from .attack import Attack

NUMBERS = ("99999999999999999999", "-99999999999999999999", "-0", "+5", "0x10", "1.5", "1e30", "nan", "inf", "",
           " ", "\x00\x00", "12 34", "-", "٣", "2147483648", "1" * 5000, "\n\n\n")
SCALES = ("nan", "inf", "-inf", "0", "-0.0", "-1", "1e308", "1e-320", "", "garbage", "0.00958 0.1", "1" * 4000)
LONGEST_PAUSE = 0.3


class Faults(Attack):
    """Bursts of up to six faults, after which the sensor reports the device orientation again."""

    name, whole, light = "sensors", 120, 4
    check_every = 1

    def open(self):
        self.held = None
        self.bench(sensor=Sensor(light=True))
        self.busy = os.path.join(self.session.directory, "busy")
        env = dict(self.session.device_env, AUTOROTATE_BENCH_BUSY=self.busy)
        env["LD_PRELOAD"] = c_programs.busy_reads(self.session.directory) + ":" + env["LD_PRELOAD"]
        self.start("--wait", "--sensor", "iio", env=env)
        with open(os.path.join(self.session.directory, "testbed-root"), encoding="utf-8") as file:
            self.place = f"{file.read()}/sys{accelerometer.PARENT}/iio:device0"

    def attempt(self, rng, index):
        self.session.accelerate(*(rng.uniform(-12, 12) for _ in range(3)))
        self.is_damaged = self.is_hanging = False
        for _ in range(rng.randrange(1, 7)):
            self._unblock()
            rng.choice((self._fail, self._busy, self._garbage, self._hang, self._truncate, self._set_number,
                        self._set_scale, self._vanish, self._storm))(rng)
            let_pass(rng.uniform(0, LONGEST_PAUSE))
            self.target_daemon.check_alive()
        self.target_daemon.status()
        self._unblock()
        self._repair()

    def check_consistent(self):
        """One device orientation is enough, if it differs from the last."""
        self.held = "right" if self.held == "left" else "left"
        self.target_daemon.check_consistent([self.held])

    def _unblock(self):
        """A read that blocks ends before the device changes: no driver leaves one behind."""
        if self.is_hanging:
            self.session.accelerate(0, 0, 9.81)
        self.is_hanging = False

    def _repair(self):
        """Restores the initial state. Attributes that were read when the device was opened are read again only of a new one."""
        if os.path.exists(self.busy):
            os.unlink(self.busy)
        if self.is_damaged:
            self.session.sensor.do(["remove"])
        elif self._does_exist():
            for axis in "xyz":
                self._put(f"in_accel_{axis}_raw", accelerometer.field(0) + "\n")
        self.session.sensor.do(["add"])

    def _does_exist(self):
        return os.path.isdir(self.place) and os.path.lexists(self.place + "/in_accel_x_raw")

    def _break(self, word):
        if self._does_exist():
            self.session.sensor.do([word])

    def _fail(self, _rng):
        self._break("fail")

    def _garbage(self, _rng):
        self._break("garbage")

    def _hang(self, _rng):
        self.is_hanging = self._does_exist()
        self._break("hang")

    def _busy(self, _rng):
        with open(self.busy, "w", encoding="utf-8"):
            pass

    def _vanish(self, rng):
        self.session.sensor.do(["remove"])
        if rng.one_in(2):
            self.session.sensor.do(["add"])

    def _storm(self, rng):
        """As of a device on a bad cable."""
        for _ in range(rng.randrange(2, 12)):
            self.session.sensor.do(["remove"])
            self.session.sensor.do(["add"])

    def _put(self, name, text):
        """In place, as in sysfs: a reader may keep the file open. A file that fails or blocks keeps doing so."""
        path = os.path.join(self.place, name)
        if not os.path.islink(path) and (os.path.isfile(path) or not os.path.exists(path)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def _truncate(self, rng):
        if self._does_exist():
            self._put(f"in_accel_{rng.choice('xyz')}_raw", "")

    def _set_number(self, rng):
        if self._does_exist():
            self._put(f"in_accel_{rng.choice('xyz')}_raw", rng.choice(NUMBERS))

    def _set_scale(self, rng):
        """Before it is opened again: a driver does not change its scale while it is read."""
        if self._does_exist():
            self.is_damaged = True
            self._put("in_accel_scale", rng.choice(SCALES))
            self._put("in_accel_offset", rng.choice(NUMBERS))
            self._put("in_accel_mount_matrix", rng.choice(("0, 0, 0; 0, 0, 0; 0, 0, 0", "nan, 0, 0", "", "1;1;1")))
            self._put("name", rng.choice(("", "accel-base", rng.line(300))))
