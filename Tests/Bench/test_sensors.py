# SPDX-License-Identifier: MIT
"""The ways in which accelerometers describe themselves, end to end."""

from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest

QUARTER = "0, -1, 0; 1, 0, 0; 0, 0, 1"  # maps "held normally" to left edge up
NONE = "1, 0, 0; 0, 1, 0; 0, 0, 1"


class Descriptions(BenchTest):
    def daemon(self, **sensor):
        daemon = Daemon(self.bench(sensor=sensor), "--sensor", "iio")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def assertHeldLeft(self, daemon):
        """The device is held normally; the sensor's matrix makes that left edge up."""
        daemon.session.accelerate(*ACCELERATIONS["normal"])
        daemon.until_shown("left")
        self.assertEqual(daemon.session.output("eDP-1")["rotation"], "left")

    def test_a_mount_matrix_is_read_from_each_place(self):
        for place in ("mount", "device_mount", "accel_mount", "in_mount"):
            with self.subTest(place=place):
                self.assertHeldLeft(self.daemon(**{place: QUARTER}))

    def test_of_two_mount_matrices_the_first_in_order_applies(self):
        order = ("mount", "device_mount", "accel_mount", "in_mount")
        for first, second in zip(order, order[1:]):
            with self.subTest(first=first, second=second):
                self.assertHeldLeft(self.daemon(**{first: QUARTER, second: NONE}))

    def test_each_axis_has_its_scale_and_the_offset_applies(self):
        daemon = self.daemon(axis_scale="0.01,0.02,0.005", offset=-300)
        for orientation in ("left", "inverted", "right", "normal"):
            daemon.hold(orientation)

    def test_the_accelerometer_in_the_display_is_used_whatever_its_number(self):
        for base in ("first", "last"):
            with self.subTest(base=base):
                daemon = self.daemon(base=base, location="display")
                daemon.session.sensor.do(["base", *ACCELERATIONS["right"]])
                daemon.hold("left")

    def test_values_that_are_not_numbers_are_survived(self):
        daemon = self.daemon()
        daemon.hold("left")
        daemon.session.sensor.do(["garbage"])
        daemon.until(lambda now: now["sensor"]["state"] not in ("active", "asleep"), "lost")
        daemon.hold("normal")


class Named(BenchTest):
    """Two accelerometers, of which nothing says where they are built in."""

    def daemon(self, device, settings="", **sensor):
        session = self.bench(sensor={"base": "last", "unplaced": True, **sensor})
        session.write("config/autorotate/config.toml", f'[sensor]\ndevice = "{device}"\n{settings}')
        daemon = Daemon(session, "--sensor", "iio")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def test_the_settings_name_the_accelerometer_of_the_display(self):
        daemon = self.daemon("iio:device1")
        daemon.session.sensor.do(["base", *ACCELERATIONS["left"]])
        daemon.until_shown("left")
        self.assertNotIn("no accelerometer is called", daemon.printed())

    def test_a_missing_one_is_reported_once_and_used_when_it_appears(self):
        daemon = self.daemon("iio:device0", base="last", absent=True)
        daemon.session.sensor.do(["base", *ACCELERATIONS["left"]])
        daemon.until_shown("left")
        daemon.until_printed("no accelerometer is called “iio:device0” (available: accel_3d (iio:device1))")
        self.assertIn("until it appears, accel_3d (iio:device1) is used", daemon.printed())
        daemon.session.accelerate(*ACCELERATIONS["right"])
        daemon.session.sensor.do(["add"])
        daemon.until_shown("right")
        daemon.session.sensor.do(["remove"])
        daemon.until_shown("left")
        self.assertEqual(daemon.printed().count("no accelerometer is called"), 1)

    def test_the_other_one_measures_the_hinge_with_its_own_matrix(self):
        daemon = self.daemon("iio:device0", f'base-mount-matrix = "{QUARTER}"\n[desktop]\nrotate-in = "tablet"\n')
        # The display is held normally; the base leans from it by 110°, 220° and 110°, about its y axis.
        for x, z, posture in ((3.36, 9.22, "laptop"), (7.51, -6.30, "tablet"), (3.36, 9.22, "laptop")):
            daemon.session.sensor.do(["base", x, 0, z])
            daemon.until(lambda now, posture=posture: now and now["posture"] == posture, posture)
