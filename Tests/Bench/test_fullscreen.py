# SPDX-License-Identifier: MIT
"""A fullscreen window covers the same panel after a rotation, whatever its window manager does."""

import re

from benchkit.child_processes import wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest
from benchkit.windows import Windows

SECONDS_BETWEEN_CHECKS = 1.2  # longer than the daemon waits, after a rotation, before it checks the windows again
ROTATIONS = ("left", "inverted", "right", "normal", "left", "normal")


class Fullscreen(BenchTest):
    def start(self, manager, *place, mode="1280x800"):
        """A daemon on a panel with the neighbour at one of its sides."""
        self.session = self.bench(wm=manager, mode=mode, sensor={})
        self.session.run("xrandr", "--output", "HDMI-1", *place, "eDP-1")
        self.windows = Windows(self.session.env)
        self.addCleanup(self.windows.end)
        self.daemon = Daemon(self.session, "--sensor", "iio")
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.end())
        self.daemon.await_name()

    def rectangle(self, number):
        output = self.session.run("xwininfo", "-id", number).stdout
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        return tuple(int(re.search(rf"{name}:\s+(-?\d+)", output)[1]) for name in names)

    def covered(self, output):
        found = self.session.output(output)
        return tuple(found[key] for key in "xywh")

    def open(self, name, output):
        """A window that is fullscreen on an output."""
        x, y, _w, _h = self.covered(output)
        number = self.windows.open(name, "Player", x=x + 100, y=y + 100)
        self.windows.send("fullscreen", name, "yes")
        self.assertCovers(number, output)
        return number

    def assertCovers(self, number, output):
        wait_until(lambda: self.rectangle(number) == self.covered(output),
                   lambda: f"on {output}, {self.covered(output)}, not at {self.rectangle(number)}")

    def rotate(self, orientation):
        self.daemon.ask("--rotate", orientation)
        self.daemon.until_shown(orientation)

    def check_coverage(self, manager, mode="1280x800"):
        for place in ("--right-of", "--below", "--left-of", "--above"):
            with self.subTest(place=place):
                self.start(manager, place, mode=mode)
                number = self.open("player", "eDP-1")
                for orientation in ROTATIONS:
                    self.rotate(orientation)
                    self.assertCovers(number, "eDP-1")
                self.session.stop()


class UnderWindowManagers(Fullscreen):
    def test_it_stays_under_openbox(self):
        self.check_coverage("openbox")

    def test_it_stays_under_xfwm4(self):
        self.check_coverage("xfwm4")

    def test_it_stays_under_xfwm4_on_a_long_panel(self):
        self.check_coverage("xfwm4", mode="1920x720")

    def test_it_stays_under_i3(self):
        self.check_coverage("i3")


class UnderOpenbox(Fullscreen):
    shares_bench = True

    def until_windows_are_left_alone(self):
        """Until the daemon has checked the windows for the last time since the last rotation."""
        self.daemon.ask("--lock")  # and the sensor sleeps
        self.daemon.until_idle(SECONDS_BETWEEN_CHECKS)

    def test_it_stays_through_rotations_in_quick_succession(self):
        self.start("openbox", "--right-of")
        number = self.open("player", "eDP-1")
        for orientation in ROTATIONS:
            self.rotate(orientation)
        self.assertCovers(number, "eDP-1")

    def test_a_window_on_the_neighbour_stays_there(self):
        self.start("openbox", "--right-of")
        number = self.open("player", "HDMI-1")
        for orientation in ROTATIONS:
            self.rotate(orientation)
            self.assertCovers(number, "HDMI-1")

    def test_a_window_that_leaves_fullscreen_is_left_alone(self):
        self.start("openbox", "--right-of")
        number = self.open("player", "eDP-1")
        self.rotate("left")
        self.assertCovers(number, "eDP-1")
        self.windows.send("fullscreen", "player", "no")
        wait_until(lambda: self.rectangle(number)[2:] == (300, 200), "it has its size again")
        before = self.rectangle(number)
        self.until_windows_are_left_alone()
        self.assertEqual(self.rectangle(number), before)

    def test_a_window_that_is_not_fullscreen_is_left_alone(self):
        self.start("openbox", "--right-of")
        number = self.windows.open("plain", "Plain", x=700, y=100)
        self.rotate("left")
        self.until_windows_are_left_alone()
        self.assertEqual(self.rectangle(number)[2:], (300, 200))
