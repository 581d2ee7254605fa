# SPDX-License-Identifier: MIT
"""An X server that refuses a rotation, or changes its layout during one: no screen stays off, commands report the result."""

import signal

from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS
from benchkit.stalling_xserver import BeforeGrab
from benchkit.testing import TOUCHSCREEN, program
from test_daemon import DaemonTest

NOT_RESTORED = "output.not-restored"


class LostPanel(DaemonTest):
    """A single panel, which a rotation has to switch off."""

    def begun(self):
        bench = self.bench(sensor={})
        bench.run("xrandr", "--output", "HDMI-1", "--off")
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = self.daemon(bench)
        daemon.until_shown("normal")
        return bench, daemon

    def lost(self):
        bench, daemon = self.begun()
        bench.refuse_modes(True)
        rotating = daemon.ask("rotate", "left")
        self.assertEqual(rotating.returncode, 1, rotating)
        self.assertIn("eDP-1 is off", rotating.stderr)
        self.assertFalse(bench.output("eDP-1")["active"])
        return bench, daemon

    def assertLit(self, bench, orientation):
        def is_lit():
            panel = bench.output("eDP-1")
            return panel["active"] and panel["rotation"] == orientation

        wait_until(is_lit, f"eDP-1 is lit and {orientation}")

    def test_a_panel_left_off_is_lit_and_rotated_when_possible(self):
        bench, daemon = self.lost()
        bench.refuse_modes(False)
        self.assertLit(bench, "left")
        daemon.until(lambda now: NOT_RESTORED not in now["reasonCodes"], "the end of the fault")
        self.assertEqual(daemon.printed().count("eDP-1 is off"), 1, daemon.printed())

    def test_status_and_doctor_name_the_panel_that_is_off(self):
        bench, daemon = self.lost()
        self.assertIn(NOT_RESTORED, daemon.status()["reasonCodes"])
        doctor = bench.run(program(), "doctor")
        self.assertEqual(doctor.returncode, 1)
        self.assertIn("eDP-1 is off", doctor.stdout)

    def test_rotate_fails_for_a_panel_that_cannot_be_lit(self):
        bench, daemon = self.lost()
        self.assertEqual(daemon.ask("rotate", "right").returncode, 1)
        bench.refuse_modes(False)
        if daemon.ask("rotate", "right").returncode != 0:  # otherwise an attempt of the daemon's own came first
            self.assertLit(bench, "left")
            self.assertEqual(daemon.ask("rotate", "right").returncode, 0)
        self.assertLit(bench, "right")

    def test_a_killed_daemons_panel_is_lit_by_the_next(self):
        bench, daemon = self.lost()
        daemon.end(signal.SIGKILL)
        bench.refuse_modes(False)
        self.assertFalse(bench.output("eDP-1")["active"])
        self.daemon(bench)
        self.assertLit(bench, "normal")

    def test_no_wake_ups_once_the_panel_is_lit_again(self):
        bench, daemon = self.lost()
        bench.refuse_modes(False)
        self.assertLit(bench, "left")
        daemon.ask("lock")
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "the sensor sleeps")
        daemon.until_idle(3)


class Commands(DaemonTest):
    def test_a_rotation_that_fails_makes_the_command_fail(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        bench.refuse_rotation(True)
        rotating = daemon.ask("rotate", "left")
        self.assertEqual(rotating.returncode, 1, rotating)
        self.assertIn("could not be rotated", rotating.stderr)

    def test_a_lock_whose_rotation_fails_makes_the_command_fail(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        bench.refuse_rotation(True)
        locking = daemon.ask("lock", "left")
        self.assertEqual(locking.returncode, 1, locking)
        self.assertIn("could not be rotated", locking.stderr)

    def test_a_failed_rotation_of_another_output_makes_the_command_fail(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("normal")
        bench.refuse_rotation(True)
        rotating = daemon.ask("rotate", "left", "--output", "HDMI-1")
        self.assertEqual(rotating.returncode, 1, rotating)
        self.assertIn("could not be rotated", rotating.stderr)
        bench.refuse_rotation(False)
        self.assertEqual(daemon.ask("rotate", "left", "--output", "HDMI-1").returncode, 0)
        self.assertEqual(bench.output("HDMI-1")["rotation"], "left")

    def test_a_successful_rotation_is_complete_when_the_command_ends(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        for orientation in ("left", "inverted", "right", "normal"):
            self.assertEqual(daemon.ask("rotate", orientation).returncode, 0)
            self.assertEqual(bench.output("eDP-1")["rotation"], orientation)

    def test_rotating_to_the_current_orientation_repairs_touch(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        for _each in range(4):  # more than are corrected
            bench.run("xinput", "set-prop", TOUCHSCREEN, "Coordinate Transformation Matrix", *"100010001")
            wait_until(lambda: "keeps setting" in daemon.printed() or self.hits(bench), "the correction")
        daemon.until_printed("keeps setting")
        self.assertFalse(self.hits(bench))
        self.assertEqual(daemon.ask("rotate", "left").returncode, 0)
        wait_until(lambda: self.hits(bench), "the repair")

    def hits(self, bench):
        try:
            self.assertConsistent(bench)
        except AssertionError:
            return False
        return True


class PluggedMeanwhile(DaemonTest):
    """A monitor is connected after the daemon reads the layout and before it changes it."""

    def test_a_monitor_plugged_in_during_a_rotation_stays_lit(self):
        bench = self.bench(sensor={})
        bench.run("xrandr", "--output", "HDMI-1", "--off")
        bench.accelerate(*ACCELERATIONS["normal"])
        proxy = BeforeGrab(bench.display)
        self.addCleanup(proxy.end)
        behind, bench.env["DISPLAY"] = bench.env["DISPLAY"], proxy.display
        daemon = self.daemon(bench)
        bench.env["DISPLAY"] = behind
        daemon.until_shown("normal")
        proxy.do(lambda: bench.run("xrandr", "--output", "HDMI-1", "--mode", "1024x768", "--right-of", "eDP-1"))
        rotating = daemon.ask("rotate", "left")
        self.assertTrue(proxy.is_done.is_set())
        self.assertEqual(rotating.returncode, 0, rotating)
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")
        self.assertNotIn("could not be rotated", daemon.printed())
        wait_until(lambda: self.is_consistent(bench), "outputs and input devices agree")
