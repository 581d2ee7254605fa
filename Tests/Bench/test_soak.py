# SPDX-License-Identifier: MIT
"""The soak and the mutants themselves: the soak finds faults, and the mutants are made where they say."""

import os
import subprocess
import sys
import unittest

from benchkit.c_programs import PROJECT
from benchkit.requirements import SKIPPED, Missing
from benchkit.testing import BenchTest, program

SOAK = os.path.join(PROJECT, "Tests/Soak/soak")
KILLS = os.path.join(PROJECT, "Tests/Soak/kills")
sys.path += [os.path.join(PROJECT, "Tests/Soak"), os.path.join(PROJECT, "Tests/Mutants")]

import faults  # noqa: E402
import model  # noqa: E402
import schemata  # noqa: E402

SWIFT = """struct Heap {
  static let limit = 3
  var count = 0  // true
  var isFull: Bool { count >= Self.limit }

  mutating func add(_ more: Int) -> String {
    guard more > 0 else { return "no \\(more == 0 ? "more" : "less")" }
    count += more
    return isFull ? "full" : ""
  }
}
"""


class Soak(BenchTest):
    def soak(self, *arguments):
        environment = {**os.environ, "AUTOROTATE": program()}
        result = subprocess.run([SOAK, *arguments], env=environment, capture_output=True, text=True,
                                check=False)
        if result.returncode == SKIPPED:
            raise Missing(result.stderr.strip())
        return result

    def test_some_rotations_of_each_kind_leave_nothing_wrong(self):
        for desktop in ("x11", "sway"):
            with self.subTest(desktop=desktop):
                expected = self.soak("--desktop", desktop, "--rotations", "150", "--seed", "7", "--one-life")
                self.assertEqual(expected.returncode, 0, expected.stdout + expected.stderr)
                self.assertIn("0 wrong end states", expected.stdout)


class Kills(BenchTest):
    def test_an_app_keeps_its_orientation_over_kills_despite_a_lock(self):
        for desktop in ("x11", "sway"):
            with self.subTest(desktop=desktop):
                result = subprocess.run([KILLS, "--desktop", desktop, "--rounds", "6"], capture_output=True, text=True,
                                        env={**os.environ, "AUTOROTATE": program()}, check=False)
                if result.returncode == SKIPPED:
                    raise Missing(result.stderr.strip())
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("6 kills", result.stdout)


class TheModel(unittest.TestCase):
    def test_a_restriction_that_leaves_no_orientation_is_ignored(self):
        expected = model.Model({"player": model.Rule(supported=("landscape",))})
        expected.focus_on("player")
        expected.request(1, ("portrait",))
        self.assertEqual(expected.allowed(), {"normal", "inverted"})
        expected.focus_on("xterm")
        self.assertEqual((expected.allowed(), expected.shown), ({"left", "right"}, "left"))

    def test_a_refused_rotation_is_dropped(self):
        expected = model.Model({})
        expected.request(1, ("landscape",))
        self.assertFalse(expected.rotate("left"))
        expected.release(1)
        self.assertEqual(expected.shown, "normal")

    def test_a_users_command_does_not_wait_for_a_waking_sensor(self):
        expected = model.Model({})
        expected.request(1, ("normal", "right"))
        expected.rotate("right")
        expected.request(2, ("normal",))
        expected.turn_device("left-up")
        expected.release(2)
        self.assertEqual((expected.shown, expected.chosen), ("right", None))

    def test_a_rotation_requested_within_a_rule_ends_with_it(self):
        expected = model.Model({"player": model.Rule(supported=("landscape",))})
        expected.focus_on("player")
        self.assertTrue(expected.rotate("inverted"))
        expected.request(1, ("all",))
        self.assertEqual(expected.shown, "inverted")
        expected.focus_on("xterm")
        self.assertEqual(expected.shown, "normal")


class TheFaults(unittest.TestCase):
    def kinds(self):
        return {(fault.kind, fault.new_lines) for fault in faults.faults_of("Heap.swift", SWIFT)}

    def test_each_kind_is_made_in_code(self):
        found = self.kinds()
        for kind, line in (
                ("constant", "static let limit = 4"), ("comparison", "var isFull: Bool { count < Self.limit }"),
                ("early return", 'guard true else { return "no \\(more == 0 ? "more" : "less")" }'),
                ("sign", "count -= more"), ("lost statement", "_ = ()")):
            self.assertIn((kind, line), found)

    def test_nothing_is_changed_in_comments_and_strings(self):
        self.assertFalse([line for _kind, line in self.kinds() if "// false" in line or "more != 0" in line])

    def test_all_faults_together_are_one_program_with_a_switch(self):
        found = list(enumerate(faults.faults_of("Heap.swift", SWIFT), 1))
        written = schemata.Written(SWIFT, found)
        for number, fault in found:
            owned = [line for line, owner in written.owners.items() if owner == number]
            self.assertTrue(owned, fault)
        self.assertEqual(written.text.count("switch Mutants.at("), 2)
