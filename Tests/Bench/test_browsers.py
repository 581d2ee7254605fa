# SPDX-License-Identifier: MIT
"""Chromium and Firefox themselves: a fullscreen video is shown in landscape, a fullscreen article is not.

They are large: only `make test-browsers` runs these tests.
"""

import os
import shutil
import unittest

from benchkit import mockbus, sound
from benchkit.browsers import Browser
from benchkit.c_programs import PROJECT
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest


def load_tests(_loader, tests, _pattern):
    return tests if os.environ.get("BROWSERS") else unittest.TestSuite()


class Browsing:
    """The tests that are the same in every browser on every desktop."""

    browser, server = None, None

    def setUp(self):
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        self.session = self.bench(server=self.server, sensor={})
        sound.start(self.session)
        self.leave_one_display()
        shutil.copytree(os.path.join(PROJECT, "Config/apps"),
                        os.path.join(self.session.env["XDG_DATA_HOME"], "autorotate/apps"))
        self.session.accelerate(*ACCELERATIONS["left"])
        self.daemon = Daemon(self.session, "--output", self.session.panel)
        self.daemon.await_name()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.end())
        self.daemon.until_shown("left")

    def leave_one_display(self):
        if self.session.compositor:
            result = self.session.run("swaymsg", "--", "output", self.session.compositor.neighbour, "disable")
        else:
            result = self.session.run("xrandr", "--output", "HDMI-1", "--off")
        self.assertEqual(result.returncode, 0, result.stderr)

    def open(self, page):
        found = Browser(self.session, self.browser, page)
        self.daemon.until(lambda now: now and now["application"], f"a window of {self.browser}")
        return found

    def until_code(self, code):
        return self.daemon.until(lambda now: now and code in now["reasonCodes"], code)

    def test_a_fullscreen_video_is_shown_in_landscape(self):
        found = self.open("film")
        found.until_it_plays()
        self.assertEqual(self.daemon.status()["orientation"], "left")
        found.press("f")
        self.daemon.until_shown("normal")
        self.until_code("rule.plays")
        found.press("f")
        self.daemon.until_shown("left")

    def test_a_fullscreen_article_rotates_with_the_device(self):
        found = self.open("article")
        found.press("F11")
        status = self.until_code("rule.awaits-play")
        self.assertEqual(status["orientation"], "left")
        self.daemon.hold("right")
        self.daemon.hold("normal")


class ChromiumOnX11(Browsing, BenchTest):
    browser, server = "chromium", "xorg"


class ChromiumOnSway(Browsing, BenchTest):
    browser, server = "chromium", "sway"


class FirefoxOnX11(Browsing, BenchTest):
    browser, server = "firefox-esr", "xorg"


class FirefoxOnSway(Browsing, BenchTest):
    browser, server = "firefox-esr", "sway"
