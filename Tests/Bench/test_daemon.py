# SPDX-License-Identifier: MIT
"""The daemon on a real X server with a mock accelerometer: screen, touch and pen rotate with the device."""

import fcntl
import os
import random
import signal
import subprocess
import time

from benchkit import consistency
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program

MARKERS = ((110, 70), (610, 710))


class DaemonTest(BenchTest):
    def daemon(self, bench, *arguments, **options):
        daemon = Daemon(bench, *arguments, **options)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def is_consistent(self, bench):
        try:
            self.assertConsistent(bench)
        except AssertionError:
            return False
        return True

    def assertConsistent(self, bench):
        """Outputs adjacent without gap or overlap, touch and pen on the panel, the rest untouched."""
        outputs = bench.outputs()
        self.assertEqual([each["active"] for each in outputs], [True, True], outputs)
        self.assertEqual(consistency.disagreements(bench, outputs[0]["rotation"]), [])

    def run_to_end(self, bench, *arguments):
        process = bench.start("ending", [program(), *arguments])
        status = exit_status(process)
        with open(os.path.join(bench.directory, "ending.out"), encoding="utf-8") as file:
            return status, file.read()


class Rotation(DaemonTest):
    shares_bench = True

    def test_screen_touch_and_pen_rotate_with_the_device(self):
        bench = self.bench(sensor={"noise": 0.05})
        daemon = self.daemon(bench)
        for orientation in ("left", "inverted", "right", "normal"):
            daemon.hold(orientation)
            self.assertEqual(bench.output("eDP-1")["rotation"], orientation)
            self.assertConsistent(bench)
            for x, y in MARKERS:
                with self.subTest(orientation=orientation, x=x, y=y):
                    self.assertTouchAndPenHit(bench, x, y)

    def test_a_device_that_lies_flat_does_not_rotate_the_screen(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.accelerate(0, 0, 9.81)
        status = daemon.until(lambda now: now["device"] == "face-up", "face-up")
        self.assertEqual(status["orientation"], "left")

    def test_it_starts_with_the_device_already_rotated(self):
        bench = self.bench(sensor={})
        bench.accelerate(*ACCELERATIONS["right"])
        self.daemon(bench).until_shown("right")

    def test_the_mount_matrix_is_applied(self):
        bench = self.bench(sensor={"mount": "0, 1, 0; 1, 0, 0; 0, 0, 1"})
        daemon = self.daemon(bench)
        bench.accelerate(0, 9.81, 0)
        daemon.until_shown("left")

    def test_the_accelerometer_in_the_base_is_not_used(self):
        bench = self.bench(sensor={"label": "accel-display", "base": "first"})
        daemon = self.daemon(bench)
        bench.sensor.do(["base", 0, 9.81, 0])
        daemon.hold("left")

    def test_a_sideways_panel_shares_the_frame_of_its_sensor(self):
        """The casing is upright where the sensor has the panel's right edge up."""
        bench = self.bench(mode="800x1280", mount="Right Side Up", sensor={})
        daemon = self.daemon(bench)
        for edge, shown in (("right", "normal"), ("left", "inverted"), ("normal", "left"), ("inverted", "right")):
            bench.accelerate(*ACCELERATIONS[edge])
            daemon.until_shown(shown)
            self.assertEqual(bench.output("eDP-1")["rotation"], edge)

    def test_a_panel_mount_in_the_settings_implies_a_casing_sensor(self):
        bench = self.bench(mode="800x1280", sensor={})
        bench.write("config/autorotate/config.toml", '[display]\npanel-mount = "right-side-up"\n')
        daemon = self.daemon(bench)
        daemon.hold("left")
        daemon.hold("normal")
        self.assertEqual(bench.output("eDP-1")["rotation"], "right")

    def rotated_under_a_finger(self):
        """The device, with its left edge up; the screen is normal."""
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        bench.simulated_input.do(["down", 0, 0.5, 0.5])
        bench.accelerate(*ACCELERATIONS["left"])
        return bench, daemon

    def test_the_screen_does_not_rotate_under_a_finger(self):
        bench, daemon = self.rotated_under_a_finger()
        daemon.until(lambda now: "A finger is on the screen, or was a moment ago." in now["reasons"], "wait")
        self.assertEqual(bench.output("eDP-1")["rotation"], "normal")
        bench.simulated_input.do(["up", 0])
        daemon.until_shown("left")

    def test_a_command_waits_a_second_for_the_finger(self):
        bench, daemon = self.rotated_under_a_finger()
        daemon.until(lambda now: "touch.finger" in now["reasonCodes"], "wait")
        self.assertEqual(daemon.ask("rotate", "right").returncode, 0)
        self.assertEqual(bench.output("eDP-1")["rotation"], "right")

    def test_an_output_that_is_reconnected_leaves_the_panel_correct(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.unplug("HDMI-1")
        bench.run("xrandr", "--output", "HDMI-1", "--off")
        daemon.hold("inverted")
        bench.plug("HDMI-1")
        bench.run("xrandr", "--output", "HDMI-1", "--auto", "--right-of", "eDP-1")
        wait_until(lambda: self.is_consistent(bench), "outputs and input devices agree")
        daemon.hold("left")
        self.assertConsistent(bench)

    def test_a_panel_that_is_switched_off_does_not_end_it(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.run("xrandr", "--output", "eDP-1", "--off")
        daemon.until(lambda now: now["output"] is None, "no output")
        bench.run("xrandr", "--output", "eDP-1", "--auto", "--left-of", "HDMI-1")
        daemon.until(lambda now: now["output"] == "eDP-1", "eDP-1")
        daemon.hold("inverted")


class Idling(DaemonTest):
    SECONDS = 3  # a workqueue's monitor, for example, wakes once a second

    def test_it_does_not_wake_while_rotation_is_impossible(self):
        bench = self.bench(sensor={"noise": 0.05})
        daemon = self.daemon(bench)
        daemon.hold("left")
        daemon.ask("--lock")
        bench.tap(0.5, 0.5)
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        threads = daemon.until_idle(self.SECONDS)
        self.assertLessEqual(len(threads), 2, "one thread for the loop, one for reading the sensor")

    def test_it_wakes_only_for_the_sensor_while_the_device_is_still(self):
        bench = self.bench(sensor={"noise": 0.02})
        daemon = self.daemon(bench)
        daemon.hold("left")
        wait_until(lambda: self.at_rest_pace(daemon), "it reads on and on")

    def at_rest_pace(self, daemon):
        """Two reads a second, and an occasional check that the reader is alive."""
        began, before = time.monotonic(), sum(daemon.switches())
        let_pass(2)
        wakes = sum(daemon.switches()) - before
        return wakes <= 2 * (time.monotonic() - began) + 1  # a busy machine lets more time pass


class Locking(DaemonTest):
    shares_bench = True

    def test_lock_unlock_and_status(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.assertEqual(daemon.ask("--lock").returncode, 0)
        status = daemon.status()
        self.assertEqual(status["lock"]["orientation"], "left")
        self.assertEqual(status["sensor"]["state"], "asleep")
        self.assertEqual(status["reasons"], ["Locked (left edge up)."])
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon.ask("--lock", "inverted")
        daemon.until_shown("inverted")
        self.assertEqual(bench.output("eDP-1")["rotation"], "inverted")
        daemon.ask("--unlock")
        status = daemon.until_shown("normal")
        self.assertIsNone(status["lock"])
        self.assertEqual(status["output"], "eDP-1")

    def test_the_lock_survives_a_restart(self):
        bench = self.bench(sensor={})
        first = self.daemon(bench)
        first.ask("--lock", "right")
        first.until_shown("right")
        self.assertEqual(first.end(), 0)
        second = self.daemon(bench, log="second")
        self.assertEqual(second.status()["lock"]["orientation"], "right")
        bench.accelerate(*ACCELERATIONS["left"])
        second.ask("--unlock")
        second.until_shown("left")

    def test_rotate_and_hold_apply(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        daemon.ask("--rotate", "left")
        daemon.until_shown("left")
        daemon.hold("inverted")
        daemon.ask("--hold")
        self.assertTrue(daemon.status()["held"])
        bench.accelerate(*ACCELERATIONS["right"])
        daemon.ask("--rotate", "normal")
        daemon.until_shown("normal")
        daemon.ask("--release")
        daemon.until_shown("right")

    def test_a_command_without_a_daemon_explains_how_to_start_it(self):
        result = self.bench().run(program(), "--lock")
        self.assertEqual(result.returncode, 3)
        self.assertIn("start it with `setsid -f autorotate --wait >/dev/null 2>&1`", result.stderr)


class Following(DaemonTest):
    shares_bench = True

    def follow(self, bench):
        follower = subprocess.Popen(
            [program(), "--status", "--follow", "--json"], env=bench.env, stdout=subprocess.PIPE)
        self.addCleanup(follower.stdout.close)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.kill)
        return follower

    def test_it_ends_when_the_reader_closes_the_pipe(self):
        bench = self.bench()
        # Nothing more happens after the first line, so only the hang-up can end it.
        result = bench.run("sh", "-c", f"{program()} --status --follow --json | head -n 1")
        self.assertEqual(result.stdout, "null\n")

    def test_it_ends_on_a_signal(self):
        bench = self.bench()
        for number in (signal.SIGTERM, signal.SIGINT):
            follower = self.follow(bench)
            follower.stdout.readline()
            follower.send_signal(number)
            self.assertEqual(exit_status(follower), 0)

    def test_it_ends_on_a_signal_with_a_full_pipe(self):
        bench = self.bench()
        daemon = self.daemon(bench, "--wait")
        follower = self.follow(bench)
        fcntl.fcntl(follower.stdout, fcntl.F_SETPIPE_SZ, 4096)
        follower.stdout.read(1)
        for _ in range(10):
            for word in ("left", "normal"):
                daemon.ask("--rotate", word)
                daemon.until_shown(word)
        follower.terminate()
        self.assertEqual(exit_status(follower), 0)


class Ending(DaemonTest):
    def test_sigterm_leaves_the_panel_as_it_is(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")
        self.assertConsistent(bench)

    def test_sigkill_in_the_middle_of_200_rotations_leaves_nothing_wrong(self):
        bench = self.bench()
        chance = random.Random(20)
        for attempt in range(20):
            daemon = self.daemon(bench, "--wait", log=f"daemon{attempt}")
            words = [chance.choice(list(ACCELERATIONS)) for _ in range(10)]
            commands = subprocess.Popen(
                ["sh", "-c", "; ".join(f"{program()} --rotate {word} 2>/dev/null" for word in words)],
                env=bench.env)
            wait_until(lambda: daemon.rotations() or commands.poll() is not None, daemon.printed)
            let_pass(chance.uniform(0, 0.15))
            daemon.end(signal.SIGKILL)
            commands.wait()
            self.assertConsistent(bench)
        daemon = self.daemon(bench, "--wait", log="last")
        daemon.ask("--rotate", "inverted")
        daemon.until_shown("inverted")
        self.assertConsistent(bench)

    def test_a_lost_x_server_ends_it_for_a_restart(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        bench.children.stop(bench.xserver)
        self.assertEqual(exit_status(daemon.process), 1)
        self.assertEqual(daemon.printed().count("X server"), 1, daemon.printed())


class BadInput(DaemonTest):
    def test_a_missing_accelerometer_is_reported(self):
        bench = self.bench(sensor={"absent": True})
        status, printed = self.run_to_end(bench)
        self.assertEqual(status, 4)
        self.assertIn("--wait", printed)

    def test_an_accelerometer_that_appears_later_is_used(self):
        bench = self.bench(sensor={"absent": True})
        daemon = self.daemon(bench, "--wait")
        daemon.until(lambda now: now["sensor"]["state"] not in ("searching", "active"), "lost")
        bench.sensor.do(["add"])
        daemon.hold("left")

    def test_a_sensor_that_disappears_is_used_again_when_back(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.sensor.do(["remove"])
        daemon.until(lambda now: now["sensor"]["state"] not in ("active", "asleep"), "lost")
        bench.sensor.do(["add"])
        daemon.hold("inverted")
        self.assertEqual(bench.output("eDP-1")["rotation"], "inverted")

    def test_a_failing_sensor_is_reported_once_and_recovers(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.sensor.do(["fail"])
        daemon.until(lambda now: now["sensor"]["state"] not in ("active", "asleep"), "lost")
        daemon.hold("normal")
        self.assertEqual(daemon.printed().count("Input/output error"), 1, daemon.printed())

    def test_a_blocking_sensor_does_not_block_the_daemon(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.sensor.do(["hang"])
        daemon.ask("--rotate", "right")
        daemon.until_shown("right")
        daemon.hold("normal")

    def test_zeros_and_absurd_values_do_not_rotate(self):
        bench = self.bench(sensor={"scale": 1})
        daemon = self.daemon(bench)
        daemon.hold("left")
        for values in ((0, 0, 0), (100000, 0, 0)):
            bench.accelerate(*values)
            daemon.until(
                lambda now: "The sensor delivers impossible values." in now["reasons"], "implausible")
            self.assertEqual(bench.output("eDP-1")["rotation"], "left")
            daemon.hold("inverted")
            daemon.hold("left")

    def test_a_singular_mount_matrix_is_refused_with_its_text(self):
        bench = self.bench(sensor={"mount": "1, 0, 0; -1, 0, 0; 0, 0, 1"})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.assertIn("1, 0, 0; -1, 0, 0; 0, 0, 1", daemon.printed())

    def test_a_mount_matrix_with_a_useless_last_row_still_rotates(self):
        """As in the hardware database's entry for a tablet of BUSH."""
        bench = self.bench(sensor={"mount": "1, 0, 0; 0, -1, 0; 1, 0, 0"})
        daemon = self.daemon(bench)
        bench.accelerate(0, -9.81, 0)
        daemon.until_shown("inverted")
        bench.accelerate(9.81, 0, 0)
        daemon.until_shown("left")
        self.assertEqual(daemon.printed().count("1, 0, 0; 0, -1, 0; 1, 0, 0"), 1)

    def test_a_server_without_rotation_is_reported(self):
        bench = self.bench(server="xvfb", wm="none", sensor={})
        status, printed = self.run_to_end(bench)
        self.assertEqual(status, 4, printed)

    def test_a_failed_rotation_keeps_the_screen_and_is_retried(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        bench.refuse_rotation(True)
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda now: any("failed" in each for each in now["reasons"]), "failure")
        self.assertConsistent(bench)
        self.assertEqual(bench.output("eDP-1")["rotation"], "normal")
        bench.refuse_rotation(False)
        daemon.until_shown("left")
        self.assertConsistent(bench)

    def test_a_second_instance_is_refused(self):
        bench = self.bench(sensor={})
        self.daemon(bench)
        status, printed = self.run_to_end(bench)
        self.assertEqual(status, 1)
        self.assertIn("already running", printed)

    def test_a_second_instance_with_quiet_exit(self):
        bench = self.bench(sensor={})
        self.daemon(bench)
        self.assertEqual(self.run_to_end(bench, "--unless-running"), (0, ""))

    def test_it_rotates_without_a_session_bus(self):
        bench = self.bench(sensor={})
        bench.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        process = bench.start("alone", [program()])
        bench.accelerate(*ACCELERATIONS["left"])
        wait_until(lambda: bench.output("eDP-1")["rotation"] == "left", "the screen is rotated left")
        process.terminate()
        self.assertEqual(exit_status(process), 0)

    def test_a_missing_display_is_reported(self):
        bench = self.bench(sensor={})
        bench.env["DISPLAY"] = ":4711"
        status, printed = self.run_to_end(bench)
        self.assertEqual(status, 4)
        self.assertIn(":4711", printed)

    def test_a_broken_trace_is_reported_with_its_line(self):
        bench = self.bench()
        trace = os.path.join(bench.directory, "trace.csv")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("# broken\n0.0,0,-9.81,0\n0.1,nan,0,0\n0.2,9.81,0\n-0.5,0,0,9.81\n1.0,0,-9.81,0\n")
        result = bench.run(program(), "replay", trace)
        self.assertEqual(result.returncode, 2)
        for line in ("3:5", "4:", "5:1"):
            self.assertIn(f"{trace}:{line}", result.stderr)
        self.assertIn("normal normal", result.stdout)
