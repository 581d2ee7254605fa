# SPDX-License-Identifier: MIT
"""Reading through the kernel's buffer while the screen may rotate, and without it where that is impossible."""

import os
import signal

from benchkit import processes
from benchkit.accelerometer import PARENT
from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest

ALMOST = (7.2, -6.7, 0)  # restless, but no rotation


class BufferTest(BenchTest):
    def daemon(self, session=None, log="daemon", **sensor):
        session = session or self.bench(sensor={"buffer": "le:s16/32>>0", **sensor})
        daemon = Daemon(session, "--sensor", "iio", log=log)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def attribute(self, daemon, name):
        root = daemon.session.sensor.environment["UMOCKDEV_DIR"]
        with open(os.path.join(root, "sys" + PARENT, "iio:device0", name), encoding="utf-8") as file:
            return file.read().strip("\0\n ")

    def written(self, daemon, name):
        """When an attribute was last written."""
        root = daemon.session.sensor.environment["UMOCKDEV_DIR"]
        return os.stat(os.path.join(root, "sys" + PARENT, "iio:device0", name)).st_mtime_ns

    def feed(self, daemon, *words):
        daemon.session.sensor.do(["feed", *words])

    def await_buffer(self, daemon, state):
        self.await_attribute(daemon, "buffer/enable", state)

    def await_attribute(self, daemon, name, state):
        wait_until(lambda: self.attribute(daemon, name) == state,
                   lambda: f"{name} becomes {state}, not {self.attribute(daemon, name)}")


class Buffer(BufferTest):
    def test_samples_of_the_buffer_rotate_the_screen(self):
        for kind in ("le:s16/32>>0", "le:s12/16>>4", "be:s12/16>>4", "le:s16/16>>0", "be:s24/32>>8"):
            with self.subTest(type=kind):
                daemon = self.daemon(buffer=kind)
                daemon.until_shown("normal")
                self.feed(daemon, *ACCELERATIONS["left"])
                daemon.session.accelerate(*ALMOST)
                daemon.until_shown("left")
                self.feed(daemon, *ACCELERATIONS["inverted"])
                daemon.session.accelerate(6.7, -7.2, 0)
                daemon.until_shown("inverted")
                self.assertEqual(daemon.end(), 0)

    def test_the_buffer_is_on_only_while_rotation_is_possible(self):
        daemon = self.daemon()
        daemon.until_shown("normal")
        self.await_buffer(daemon, "0")
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_timestamp_en"), "1")
        daemon.hold("left")
        self.await_buffer(daemon, "0")
        # What was set for it is restored when it is off, as the kernel demands.
        self.await_attribute(daemon, "scan_elements/in_accel_x_en", "0")

    def test_the_buffer_is_off_after_the_daemon_ends(self):
        daemon = self.daemon()
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")

    def attributes(self, daemon):
        """All attributes that can be set; those that were only read are left out."""
        root = os.path.join(daemon.session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        names = ["buffer/enable", "buffer/length", "buffer/watermark", "trigger/current_trigger",
                 "sampling_frequency", "in_accel_sampling_frequency"]
        names += [os.path.join("scan_elements", name) for name in os.listdir(os.path.join(root, "scan_elements"))
                  if name.endswith("_en")]
        return {name: self.attribute(daemon, name) for name in names
                if os.path.exists(os.path.join(root, name))}

    def slow_daemon(self):
        """A daemon on a sensor that is slower than a rotation needs, and the attributes before it started."""
        session = self.bench(sensor={"buffer": "le:s16/32>>0"})
        place = os.path.join(session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        with open(os.path.join(place, "in_accel_sampling_frequency"), "w", encoding="utf-8") as file:
            file.write("10.000000\n")
        with open(os.path.join(place, "in_accel_sampling_frequency_available"), "w", encoding="utf-8") as file:
            file.write("10 16.6 50\n")
        daemon = self.daemon(session=session)
        daemon.until_shown("normal")
        self.await_buffer(daemon, "0")
        for name, state in (("in_accel_sampling_frequency", "10.000000"), ("buffer/length", "2"),
                            *((f"scan_elements/in_accel_{axis}_en", "0") for axis in "xyz")):
            self.await_attribute(daemon, name, state)
        return daemon, self.attributes(daemon)

    def test_the_sensor_rate_is_restored_while_unused(self):
        """A sensor hub once stayed at 16.6 Hz until it was plugged in again."""
        daemon, before = self.slow_daemon()
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(float(self.attribute(daemon, "in_accel_sampling_frequency")), 50)
        daemon.hold("left")
        self.await_buffer(daemon, "0")
        wait_until(lambda: self.attributes(daemon) == before, lambda: self.attributes(daemon))
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(self.attributes(daemon), before)

    def test_a_killed_daemons_sensor_rate_is_restored_by_the_next(self):
        first, before = self.slow_daemon()
        first.session.accelerate(*ALMOST)
        self.await_buffer(first, "1")
        first.end(signal.SIGKILL)
        self.assertEqual(float(self.attribute(first, "in_accel_sampling_frequency")), 50)
        first.session.accelerate(*ACCELERATIONS["normal"])
        second = self.daemon(session=first.session, log="second")
        second.until_shown("normal")
        wait_until(lambda: self.attributes(second) == before, lambda: self.attributes(second))

    def test_a_signal_while_the_buffer_is_being_enabled(self):
        """The daemon once ended while its reader still enabled a buffer that nobody disabled."""
        session = self.bench(sensor={"buffer": "le:s16/32>>0"})
        place = os.path.join(session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        watermark = os.path.join(place, "buffer/watermark")
        if os.path.exists(watermark):
            os.unlink(watermark)
        os.mkfifo(watermark)
        daemon = self.daemon(session=session)
        wait_until(lambda: self.attribute(daemon, "buffer/length") == "67", "the length of the buffer is set")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "1")
        daemon.process.terminate()
        wait_until(lambda: not self.is_pending(daemon, signal.SIGTERM), "the daemon has received the signal")

        def has_ended_with_pipe():
            """The pipe is open briefly, for a program that waits to write to it or to read from it."""
            pipe = os.open(watermark, os.O_RDWR | os.O_NONBLOCK)
            let_pass(0.02)
            os.close(pipe)
            return daemon.process.poll() is not None

        wait_until(has_ended_with_pipe, "the end of the daemon")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")

    def is_pending(self, daemon, number):
        """Whether a signal was sent to it that it has not received."""
        masks = [int(line.split()[1], 16) for line in processes.read(daemon.process.pid, "status").splitlines()
                 if line.startswith(("SigPnd", "ShdPnd"))]
        return any(mask >> number - 1 & 1 for mask in masks)

    def test_a_killed_daemons_buffer_is_disabled(self):
        first = self.daemon()
        first.session.accelerate(*ALMOST)
        self.await_buffer(first, "1")
        first.end(signal.SIGKILL)
        self.assertEqual(self.attribute(first, "buffer/enable"), "1")
        second = self.daemon(session=first.session, log="second")
        second.hold("left")
        self.await_buffer(second, "0")

    def test_a_buffer_enabled_by_another_program_is_left_alone(self):
        session = self.bench(sensor={"buffer": "le:s16/32>>0"})
        place = os.path.join(session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        with open(os.path.join(place, "buffer/enable"), "w", encoding="utf-8") as file:
            file.write("1")
        daemon = self.daemon(session=session)
        daemon.hold("left")
        daemon.hold("normal")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "1")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")

    def test_partial_and_missing_samples_are_ignored_silently(self):
        for mode in ("half", "none"):
            with self.subTest(mode=mode):
                session = self.bench(sensor={"buffer": "le:s16/32>>0"})
                session.sensor.do(["feed", mode])
                daemon = self.daemon(session=session)
                daemon.hold("left")
                daemon.hold("normal")
                self.await_buffer(daemon, "0")
                self.assertNotIn("accelerometer", daemon.printed())

    def test_a_buffer_that_stops_delivering_is_given_up(self):
        daemon = self.daemon()
        self.feed(daemon, *ACCELERATIONS["left"])
        daemon.session.accelerate(*ALMOST)
        daemon.until_shown("left")
        self.feed(daemon, "none")
        self.await_buffer(daemon, "1")
        daemon.hold("inverted")
        daemon.hold("normal")

    def test_a_buffer_of_an_unknown_format_is_left_alone(self):
        daemon = self.daemon(buffer="le:s16/16X2>>0")
        daemon.hold("left")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")
        self.assertNotIn("accelerometer", daemon.printed())


class SensorHub(BufferTest):
    """Its buffer reports changes only."""

    SECONDS = 3  # of rest

    def idle_hub(self, session=None, log="daemon"):
        session = session or self.bench(sensor={"buffer": "le:s16/32>>0", "hysteresis": 0.05})
        daemon = self.daemon(session=session, log=log)
        self.await_hub_idle(daemon)
        return daemon

    def await_hub_idle(self, daemon):
        self.await_attribute(daemon, "in_accel_hysteresis", "0.4")
        self.await_buffer(daemon, "1")

    def assertAsFound(self, daemon):
        for name, value in (("buffer/enable", "0"), ("in_accel_hysteresis", "0.050000"),
                            ("in_accel_sampling_frequency", "50.000000"), ("scan_elements/in_accel_x_en", "0")):
            self.await_attribute(daemon, name, value)

    def test_a_device_at_rest_wakes_nothing_until_it_moves(self):
        daemon = self.idle_hub()
        self.assertEqual(self.attribute(daemon, "in_accel_sampling_frequency"), "10.0")
        before = daemon.until_idle(self.SECONDS)
        written = self.written(daemon, "in_accel_hysteresis")
        daemon.session.accelerate(0.45, -9.8, 0)  # the sensor reports that, but it is no reason to start reading
        wait_until(lambda: daemon.switches() != before, "it wakes for what the sensor reports")
        daemon.until_idle(0.5)
        self.assertEqual(self.written(daemon, "in_accel_hysteresis"), written, "it began, and rests again")
        self.assertEqual(self.attribute(daemon, "in_accel_hysteresis"), "0.4")
        daemon.hold("left")

    def test_attributes_are_restored_when_unused_and_at_exit(self):
        daemon = self.idle_hub()
        daemon.ask("--lock")
        self.assertAsFound(daemon)
        daemon.ask("--unlock")
        self.await_hub_idle(daemon)
        self.assertEqual(daemon.end(), 0)
        self.assertAsFound(daemon)

    def test_a_killed_daemons_attributes_are_restored_by_the_next(self):
        first = self.idle_hub()
        first.end(signal.SIGKILL)
        self.assertEqual(self.attribute(first, "in_accel_hysteresis"), "0.4")
        second = self.daemon(session=first.session, log="second")
        second.until_shown("normal")
        self.assertAsFound(second)
        second.hold("left")
