# SPDX-License-Identifier: MIT
"""The virtual machine of `make test-kernel`, without running it: which saved states stay valid, what a slow rotation is, where a
widget is touched, and what is reported about the disk and a set-up that hangs."""

import os
import shutil
import subprocess
import sys
import tempfile

from benchkit.c_programs import PROJECT
from benchkit.testing import BenchTest

KERNEL = os.path.join(PROJECT, "Tests/Kernel")
sys.path += [KERNEL, os.path.join(KERNEL, "guest")]

from hostkit import disk  # noqa: E402
from hostkit.scenario_run import Work  # noqa: E402
from latency import Latency  # noqa: E402
from waiting import Failed  # noqa: E402
from widgets import Widget  # noqa: E402


def write(directory, name, text):
    """Returns the path."""
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class States(BenchTest):
    def setUp(self):
        super().setUp()
        self.here = self.directory()
        shutil.copytree(os.path.join(KERNEL, "guest"), os.path.join(self.here, "guest"))
        self.deb = self.file("package.deb", "")

    def file(self, name, text):
        return write(self.here, name, text)

    def keys(self):
        """Of a state on X11 and of one on sway."""
        return [Work(self.here, self.file(f"{name}.scenario", f"desktop {name}\n\nhold left-up\n"), self.deb).key()
                for name in ("x11", "sway")]

    def is_kept(self, script):
        """Whether the state on X11 and the one on sway stay valid when a script of the guest is changed."""
        before = self.keys()
        with open(os.path.join(self.here, "guest", script), "a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        return [old == new for old, new in zip(before, self.keys())]

    def test_the_extension_is_given_with_the_program_of_the_same_version(self):
        deb, same, *_ = [self.file(f"{name}.deb", "") for name in (
            "autorotate_1-2_amd64", "gnome-shell-extension-autorotate_1-2_all", "gnome-shell-extension-autorotate_1-1_all")]
        with_it, without = (Work(self.here, self.file(f"{line}.scenario", f"{line}\n\n"), deb).files for line in ("extension", "proxy"))
        self.assertEqual([path for path, _ in with_it], [deb, same])
        self.assertEqual([path for path, _ in without], [deb])

    def test_a_changed_desktop_keeps_the_states_of_others(self):
        self.assertEqual(self.is_kept("sway.py"), [True, False])
        self.assertEqual(self.is_kept("x11.py"), [False, True])
        self.assertEqual(self.is_kept("gnome.py"), [True, True])

    def test_changed_words_of_scenarios_keep_all_states(self):
        self.assertEqual(self.is_kept("scenario_words.py"), [True, True])
        self.assertEqual(self.is_kept("latency.py"), [True, True])

    def test_a_change_of_the_common_set_up_keeps_no_state(self):
        for script in ("play", "hub_sensors.py", "output_events.py"):
            self.assertEqual(self.is_kept(script), [False, False], script)


class Desktop:
    """A desktop whose only rotation was announced at second 12."""

    @staticmethod
    def rotated_at(_orientation, since):
        return 12.0 if since < 12.0 else None


class Latencies(BenchTest):
    def setUp(self):
        super().setUp()
        self.latency = Latency()
        self.latency.reference = 0.3

    def test_latency_starts_at_the_last_cause_before_the_event(self):
        self.latency.causes = [3.0, 11.5, 13.0]
        self.assertEqual(self.latency.of_rotation(Desktop(), "left"), 0.5)

    def test_a_rotation_at_a_removal_is_not_timed(self):
        self.latency.note(["hold", "left-up"])
        self.latency.note(["purge"])
        self.assertIsNone(self.latency.of_rotation(Desktop(), "left"))

    def test_more_than_five_times_the_reference_fails(self):
        self.latency.causes = [10.0]
        with self.assertRaises(Failed) as failure:
            self.latency.of_rotation(Desktop(), "left")
        self.assertIn("more than 5 times the reference of 0.30 s", str(failure.exception))

    def test_a_scenario_line_may_allow_more(self):
        self.latency.causes = [10.0]
        self.assertEqual(self.latency.of_rotation(Desktop(), "left", 10), 2.0)

    def test_the_interval_of_a_check_is_added(self):
        self.latency.causes = [10.0]
        self.assertEqual(self.latency.of_rotation(Desktop(), "left", plus=1), 2.0)
        self.latency.causes = [10.0]
        self.latency.shown.clear()
        with self.assertRaisesRegex(Failed, "0.30 s and 0.4 s"):
            self.latency.of_rotation(Desktop(), "left", plus=0.4)

    def test_an_unchanged_screen_has_no_latency(self):
        self.latency.causes = [10.0]
        self.assertIsNone(self.latency.of_rotation(Desktop(), "normal"))


class Hanging(BenchTest):
    def test_a_hanging_set_up_is_reported_with_its_place(self):
        place = self.directory()
        shutil.copy(os.path.join(KERNEL, "guest", "play"), place)
        write(place, "waiting.py", "LONGEST_WAIT = 0.1\n\nclass Failed(Exception):\n    pass\n")
        write(place, "set_up.py", "import time\n\nclass SetUp:\n    def begin(self):\n        time.sleep(60)\n")
        command = [sys.executable, os.path.join(place, "play"), write(place, "scenario", "\n")]
        result = subprocess.run(command, input="on\n", capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn('set_up.py", line 5 in begin', result.stderr)


class Widgets(BenchTest):
    def test_one_place_of_the_glass_is_under_a_widget_in_each_orientation(self):
        """The numbers are those of `tap 0.25 0.10 lands` in cinnamon-holds.scenario."""
        for orientation, size, x, y in (("normal", "1280x800", 320, 80), ("left", "800x1280", 720, 320),
                                        ("inverted", "1280x800", 960, 720), ("right", "800x1280", 80, 960)):
            found = Widget(x - 10, y - 5, 20, 10, False).on_the_glass([orientation, size])
            self.assertEqual([round(each, 6) for each in found], [0.25, 0.1], orientation)


class Disk(BenchTest):
    def test_too_little_space_is_one_sentence(self):
        printed = []
        self.assertIn("are needed on the disk of /", disk.shortage({tempfile.gettempdir(): 1 << 70}, printed.append))
        self.assertEqual(printed, [])

    def test_enough_space_is_accepted(self):
        printed = []
        self.assertIsNone(disk.shortage({tempfile.gettempdir(): 1 << 20}, printed.append))
        self.assertIn("needs up to 0.0 GiB more on the disk of /", printed[0])
