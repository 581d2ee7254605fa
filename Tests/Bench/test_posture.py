# SPDX-License-Identifier: MIT
"""The shape of a convertible: by its switches, or by the angle between display and base."""

import math
import os

from benchkit.daemon import HOLDS, Daemon
from benchkit.testing import BenchTest

G = 9.81


class Posture(BenchTest):
    rotate_in = "tablet"

    def daemon(self, **sensor):
        session = self.bench(sensor={"location": "display", **sensor})
        place = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(place)
        with open(os.path.join(place, "config.toml"), "w", encoding="utf-8") as file:
            file.write(f'[desktop]\nrotate-in = "{self.rotate_in}"\n')
        daemon = Daemon(session, "--sensor", "iio")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def switch(self, daemon, name, action):
        daemon.session.sensor.do(["switch", name, action])

    def await_posture(self, daemon, posture, seconds=3.0):
        return daemon.until(lambda now: now and now["posture"] == posture, posture, seconds)

    def assertStays(self, daemon, orientation):
        """Turned to the right side, the picture does not follow."""
        daemon.session.accelerate(*HOLDS["right"])
        with self.assertRaises(Exception):
            daemon.until_shown("right", seconds=1.5)
        self.assertEqual(daemon.status()["orientation"], orientation)


class TabletSwitch(Posture):
    def test_the_device_turns_the_picture_only_while_folded(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.assertStays(daemon, "normal")
        self.switch(daemon, "tablet", "on")
        daemon.until_shown("right", seconds=2)
        self.assertEqual(daemon.status()["posture"], "tablet")
        daemon.hold("left")
        self.switch(daemon, "tablet", "off")
        daemon.until_shown("normal", seconds=2)
        self.assertEqual(daemon.session.output("eDP-1")["rotation"], "normal")
        self.assertIn("laptop posture", " ".join(daemon.status()["reasons"]))

    def test_what_the_switch_says_at_the_start_counts(self):
        session = self.bench(sensor={"switches": "tablet"})
        session.sensor.do(["switch", "tablet", "on"])
        daemon = Daemon(session, "--sensor", "iio")
        daemon.await_name()
        self.await_posture(daemon, "tablet")
        daemon.end()

    def test_a_switch_that_comes_and_goes_is_noticed(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "tablet", "remove")
        self.await_posture(daemon, "unknown")
        daemon.hold("left")
        self.switch(daemon, "tablet", "add")
        daemon.until_shown("normal", seconds=2)
        self.assertEqual(daemon.status()["posture"], "laptop")

    def test_a_switch_that_may_not_be_read_is_told_with_the_next_step(self):
        daemon = self.daemon(switches="tablet")
        self.switch(daemon, "tablet", "refuse")
        self.assertEqual(daemon.end(), 0)
        daemon = Daemon(daemon.session, "--sensor", "iio", log="second")
        daemon.await_name()
        daemon.until_said("61-autorotate.rules")
        self.assertEqual(daemon.said().count("61-autorotate.rules"), 1)
        daemon.hold("left")
        daemon.end()

    def test_a_dock_holds_the_picture(self):
        daemon = self.daemon(switches="dock")
        self.await_posture(daemon, "unknown")
        daemon.hold("left")
        self.switch(daemon, "dock", "on")
        daemon.until_shown("normal", seconds=2)
        self.assertEqual(daemon.status()["posture"], "docked")


class AlwaysTurning(Posture):
    rotate_in = "always"

    def test_the_posture_is_told_and_changes_nothing(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        daemon.hold("left")


class Hinge(Posture):
    def lay_base(self, daemon, degrees):
        """Puts the base on its back edge or belly, so that the hinge of a display held normally has this angle."""
        # Of a display held normally gravity lies at -90° from its z axis.
        base = math.radians(-90 + 180 - degrees)
        daemon.session.sensor.do(["base", 0, G * math.sin(base), G * math.cos(base)])

    def test_the_hinge_says_when_the_device_turns_the_picture(self):
        for number in ("first", "last"):
            with self.subTest(base=number):
                daemon = self.daemon(base=number)
                self.lay_base(daemon, 110)
                self.await_posture(daemon, "laptop")
                self.lay_base(daemon, 350)
                self.lay_base(daemon, 300)
                self.await_posture(daemon, "tablet")
                daemon.hold("left")
                daemon.session.accelerate(*HOLDS["normal"])
                daemon.until_shown("normal")
                self.lay_base(daemon, 110)
                self.await_posture(daemon, "laptop")
                self.assertStays(daemon, "normal")

    def test_the_switch_counts_for_more(self):
        daemon = self.daemon(base="last", switches="tablet")
        self.lay_base(daemon, 300)
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "tablet", "on")
        self.lay_base(daemon, 110)
        self.await_posture(daemon, "tablet")
        daemon.hold("left")

    def test_a_closed_lid_is_no_tablet(self):
        daemon = self.daemon(base="last", switches="lid")
        self.lay_base(daemon, 300)
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "lid", "on")
        self.await_posture(daemon, "laptop")
