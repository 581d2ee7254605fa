# SPDX-License-Identifier: MIT
"""Reading through the kernel's buffer while the picture might turn, and without it where that cannot be."""

import os
import signal

from benchkit import processes
from benchkit.accelerometer import PARENT
from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import HOLDS, Daemon
from benchkit.testing import BenchTest

ALMOST = (7.2, -6.7, 0)  # restless, but no turn


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
        """When an attribute was written to last."""
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
    def test_what_the_buffer_says_turns_the_picture(self):
        for kind in ("le:s16/32>>0", "le:s12/16>>4", "be:s12/16>>4", "le:s16/16>>0", "be:s24/32>>8"):
            with self.subTest(type=kind):
                daemon = self.daemon(buffer=kind)
                daemon.until_shown("normal")
                self.feed(daemon, *HOLDS["left"])
                daemon.session.accelerate(*ALMOST)
                daemon.until_shown("left")
                self.feed(daemon, *HOLDS["inverted"])
                daemon.session.accelerate(6.7, -7.2, 0)
                daemon.until_shown("inverted")
                self.assertEqual(daemon.end(), 0)

    def test_it_is_on_only_while_the_picture_might_turn(self):
        daemon = self.daemon()
        daemon.until_shown("normal")
        self.await_buffer(daemon, "0")
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_timestamp_en"), "1")
        daemon.hold("left")
        self.await_buffer(daemon, "0")
        # What was set for it is put back when it is off, which the kernel demands.
        self.await_attribute(daemon, "scan_elements/in_accel_x_en", "0")

    def test_it_is_off_when_the_daemon_has_ended(self):
        daemon = self.daemon()
        daemon.session.accelerate(*ALMOST)
        self.await_buffer(daemon, "1")
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")

    def attributes(self, daemon):
        """All that can be set; what was read of a sensor is not."""
        root = os.path.join(daemon.session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        names = ["buffer/enable", "buffer/length", "buffer/watermark", "trigger/current_trigger",
                 "sampling_frequency", "in_accel_sampling_frequency"]
        names += [os.path.join("scan_elements", name) for name in os.listdir(os.path.join(root, "scan_elements"))
                  if name.endswith("_en")]
        return {name: self.attribute(daemon, name) for name in names
                if os.path.exists(os.path.join(root, name))}

    def slow_daemon(self):
        """One on a sensor that is slower than a turn wants it, and what that was like before."""
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

    def test_the_sensor_is_as_fast_as_before_while_nobody_needs_it(self):
        """A sensor hub stayed at 16.6 Hz until it was plugged in anew."""
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

    def test_a_killed_daemons_pace_is_put_back_by_the_next(self):
        first, before = self.slow_daemon()
        first.session.accelerate(*ALMOST)
        self.await_buffer(first, "1")
        first.end(signal.SIGKILL)
        self.assertEqual(float(self.attribute(first, "in_accel_sampling_frequency")), 50)
        first.session.accelerate(*HOLDS["normal"])
        second = self.daemon(session=first.session, log="second")
        second.until_shown("normal")
        wait_until(lambda: self.attributes(second) == before, lambda: self.attributes(second))

    def test_a_signal_in_the_middle_of_turning_the_buffer_on(self):
        """The daemon ended while its reader went on to turn on what nobody turned off."""
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
            """The pipe is open for a moment, for a program that waits to write to it or to read from it."""
            pipe = os.open(watermark, os.O_RDWR | os.O_NONBLOCK)
            let_pass(0.02)
            os.close(pipe)
            return daemon.process.poll() is not None

        wait_until(has_ended_with_pipe, "the end of the daemon")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")

    def is_pending(self, daemon, number):
        """Whether it was sent a signal that it has not received."""
        masks = [int(line.split()[1], 16) for line in processes.read(daemon.process.pid, "status").splitlines()
                 if line.startswith(("SigPnd", "ShdPnd"))]
        return any(mask >> number - 1 & 1 for mask in masks)

    def test_one_left_on_by_a_killed_daemon_is_turned_off(self):
        first = self.daemon()
        first.session.accelerate(*ALMOST)
        self.await_buffer(first, "1")
        first.end(signal.SIGKILL)
        self.assertEqual(self.attribute(first, "buffer/enable"), "1")
        second = self.daemon(session=first.session, log="second")
        second.hold("left")
        self.await_buffer(second, "0")

    def test_one_that_another_program_turned_on_is_left_alone(self):
        session = self.bench(sensor={"buffer": "le:s16/32>>0"})
        place = os.path.join(session.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, "iio:device0")
        with open(os.path.join(place, "buffer/enable"), "w", encoding="utf-8") as file:
            file.write("1")
        daemon = self.daemon(session=session)
        daemon.hold("left")
        daemon.hold("normal")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "1")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")

    def test_half_samples_and_none_at_all_are_survived_without_a_word(self):
        for mode in ("half", "none"):
            with self.subTest(mode=mode):
                session = self.bench(sensor={"buffer": "le:s16/32>>0"})
                session.sensor.do(["feed", mode])
                daemon = self.daemon(session=session)
                daemon.hold("left")
                daemon.hold("normal")
                self.await_buffer(daemon, "0")
                self.assertNotIn("accelerometer", daemon.said())

    def test_one_that_dries_up_in_the_middle_is_given_up(self):
        daemon = self.daemon()
        self.feed(daemon, *HOLDS["left"])
        daemon.session.accelerate(*ALMOST)
        daemon.until_shown("left")
        self.feed(daemon, "none")
        self.await_buffer(daemon, "1")
        daemon.hold("inverted")
        daemon.hold("normal")

    def test_one_of_a_kind_that_is_not_understood_is_left_alone(self):
        daemon = self.daemon(buffer="le:s16/16X2>>0")
        daemon.hold("left")
        self.assertEqual(self.attribute(daemon, "buffer/enable"), "0")
        self.assertEqual(self.attribute(daemon, "scan_elements/in_accel_x_en"), "0")
        self.assertNotIn("accelerometer", daemon.said())


class SensorHub(BufferTest):
    """Its buffer tells of changes only."""

    SECONDS = 3  # of rest

    def dozing(self, session=None, log="daemon"):
        session = session or self.bench(sensor={"buffer": "le:s16/32>>0", "hysteresis": 0.05})
        daemon = self.daemon(session=session, log=log)
        self.await_doze(daemon)
        return daemon

    def await_doze(self, daemon):
        self.await_attribute(daemon, "in_accel_hysteresis", "0.4")
        self.await_buffer(daemon, "1")

    def assertAsFound(self, daemon):
        for name, value in (("buffer/enable", "0"), ("in_accel_hysteresis", "0.050000"),
                            ("in_accel_sampling_frequency", "50.000000"), ("scan_elements/in_accel_x_en", "0")):
            self.await_attribute(daemon, name, value)

    def test_a_device_that_lies_still_wakes_nobody_until_it_moves(self):
        daemon = self.dozing()
        self.assertEqual(self.attribute(daemon, "in_accel_sampling_frequency"), "10.0")
        before = daemon.until_idle(self.SECONDS)
        written = self.written(daemon, "in_accel_hysteresis")
        daemon.session.accelerate(0.45, -9.8, 0)  # the sensor reports that, but it is no reason to begin
        wait_until(lambda: daemon.switches() != before, "it wakes for what the sensor reports")
        daemon.until_idle(0.5)
        self.assertEqual(self.written(daemon, "in_accel_hysteresis"), written, "it began, and rests again")
        self.assertEqual(self.attribute(daemon, "in_accel_hysteresis"), "0.4")
        daemon.hold("left")

    def test_what_was_set_is_put_back_when_nobody_needs_the_sensor_and_at_the_end(self):
        daemon = self.dozing()
        daemon.ask("--lock")
        self.assertAsFound(daemon)
        daemon.ask("--unlock")
        self.await_doze(daemon)
        self.assertEqual(daemon.end(), 0)
        self.assertAsFound(daemon)

    def test_what_a_killed_daemon_had_set_is_put_back_by_the_next(self):
        first = self.dozing()
        first.end(signal.SIGKILL)
        self.assertEqual(self.attribute(first, "in_accel_hysteresis"), "0.4")
        second = self.daemon(session=first.session, log="second")
        second.until_shown("normal")
        self.assertAsFound(second)
        second.hold("left")
