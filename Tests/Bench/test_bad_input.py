# SPDX-License-Identifier: MIT
"""Homes that cannot be written and installations with missing parts: one sentence each, with the next step."""

import os
import subprocess

from benchkit import requirements, settingswindow
from benchkit.settingswindow import Window
from benchkit.testing import BenchTest, program

ACCELERATIONS = "0,-9.81,0\n9.81,0,0\n0,9.81,0\n0,0,9.81\n"


class ReadOnlyHome(BenchTest):
    """Mounted read-only, as on systems whose home directories are images."""

    def setUp(self):
        self.unshare = requirements.program("unshare", "util-linux")
        if os.getuid() != 0:
            self.skipTest("only root can mount a home read-only")
        self.home = self.directory()

    def ask(self, *words, given=""):
        mounted = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && ! mkdir "$HOME/probe" 2>&- && exec "$@"'
        # An installed autorotate already starts with the session.
        environment = {"PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C.UTF-8", "XDG_CURRENT_DESKTOP": "XFCE",
                       "XDG_CONFIG_DIRS": os.path.join(self.home, "etc")}
        return subprocess.run([self.unshare, "-m", "sh", "-c", mounted, "sh", program(), *words], env=environment,
                              input=given, capture_output=True, text=True, check=False)

    def test_a_failed_write_reports_the_reason_and_next_step(self):
        for words, next_step in (
                (("config", "set", "lock.over-apps", "true"), "change it at its source"),
                (("rule", "add", "mpv", "landscape"), "change it at its source"),
                (("calibrate", "--holds", "-"), "Write it by hand: mount-matrix = "),
                (("setup", "--with-session", "on"), "change it at its source")):
            with self.subTest(words=words):
                answer = self.ask(*words, given=ACCELERATIONS)
                self.assertEqual((answer.returncode, answer.stdout), (1, ""), answer.stderr)
                self.assertEqual(len(answer.stderr.splitlines()), 1, answer.stderr)
                self.assertIn("Read-only file system", answer.stderr)
                self.assertIn(next_step, answer.stderr)


class HalfRemoved(BenchTest):
    """The settings app without the program that it controls."""

    def setUp(self):
        session = self.bench(sensor={})
        settingswindow.draw_in_memory(session)
        session.env["PATH"] = self.path_without_autorotate(session.env["PATH"])
        session.env["HOME"] = session.directory
        self.window = Window(session, "diagnostics")
        self.addCleanup(self.window.end)

    @staticmethod
    def path_without_autorotate(path):
        return ":".join(each for each in path.split(":") if not os.access(os.path.join(each, "autorotate"), os.X_OK))

    def test_each_part_that_needs_the_program_reports_it(self):
        self.window.await_label("autorotate cannot be started. Check that it is installed.")
        self.window.press("push button", "Dismiss")
        self.window.press("push button", "Start autorotate")
        self.window.await_label("Check that the package autorotate is installed.")
        self.window.press("push button", "Check Again")
        self.window.await_label("autorotate cannot be started. Check that it is installed.")
        self.window.press("push button", "Calibrate… Wrong Orientation?")
        self.window.await_label("The calibration is unchanged.")
