# SPDX-License-Identifier: MIT
"""Rotation while the screen is off: nothing is tried or reported then, and all is correct when it is lit."""

import json
import os
import time

from benchkit import c_programs, requirements
from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.testing import BenchTest
from benchkit.wayland import outputs

SECONDS_OFF = 3.0  # attempts were once repeated after 1 and 5 s
SECONDS_OF_FREQUENT_CHECKS = 6.0  # after the screen is found off, the outputs are checked more often for a while
FAULTS = ("did not turn", "did not rotate", "not turned", "not rotated", "not be rotated", "refused", "switched off", "as before", "try again")


class BlankedTest(BenchTest):
    kind = None

    def start(self, hold="normal"):
        bench = self.bench(server=self.kind, sensor={})
        bench.accelerate(*ACCELERATIONS[hold])
        daemon = Daemon(bench, "--output", bench.panel)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown(hold)
        return bench, daemon

    def switch(self, bench, word, *output):
        program = c_programs.wayland_client(bench.directory)
        result = bench.run(program, word, *output)
        self.assertEqual(result.returncode, 0, result.stderr)

    def shown(self, bench):
        return {each["name"]: each for each in outputs(self.kind, bench.env)}

    def rotate(self, bench, daemon, orientation):
        """While the screen is off, where nothing may happen: the sensor sleeps, and nothing is retried."""
        bench.accelerate(*ACCELERATIONS[orientation])
        daemon.until(lambda now: now and now["sensor"]["state"] == "asleep", "the sensor sleeps")
        let_pass(SECONDS_OFF)
        self.assertOff(bench)

    def assertOff(self, bench):
        """Nothing has lit the panel."""
        output = bench.run(c_programs.wayland_client(bench.directory), "power").stdout
        self.assertIn(f"{bench.panel} dark", output)

    def assertLit(self, bench, orientation):
        """The panel is correct as soon as it is visible."""
        began = time.monotonic()
        wait_until(lambda: self.shown(bench).get(bench.panel, {}).get("rotation") == orientation,
                   lambda: f"{bench.panel} is {orientation}, not {self.shown(bench)}")
        return time.monotonic() - began

    def assertNoFault(self, daemon):
        printed = daemon.printed()
        for words in FAULTS:
            self.assertNotIn(words, printed)
        self.assertNotIn("failed", json.dumps(daemon.status()))

    def a_missed_rotation_is_applied_when_lit(self):
        bench, daemon = self.start()
        before = self.shown(bench)
        self.switch(bench, "dark")
        self.rotate(bench, daemon, "left")
        self.assertNoFault(daemon)
        self.switch(bench, "lit")
        seconds = self.assertLit(bench, "left")
        daemon.until_shown("left")
        self.assertNoFault(daemon)
        panel, neighbour = (self.shown(bench)[name] for name in (bench.panel, bench.compositor.neighbour))
        touching = neighbour["x"] + neighbour["w"] == panel["x"] or panel["x"] + panel["w"] == neighbour["x"]
        self.assertTrue(touching, "the neighbour goes with it")
        print(f"        ({self.kind}: right {seconds:.2f} s after the light)", flush=True)
        daemon.hold("normal")
        self.assertEqual(self.shown(bench), before)

    def a_panel_lit_without_a_touch_is_noticed(self):
        """A script, the lid or the power key switches the screen on."""
        bench, daemon = self.start()
        self.switch(bench, "dark")
        self.rotate(bench, daemon, "left")
        let_pass(SECONDS_OF_FREQUENT_CHECKS)
        self.assertOff(bench)
        self.switch(bench, "lit")
        seconds = self.assertLit(bench, "left")
        daemon.until_shown("left")
        self.assertNoFault(daemon)
        print(f"        ({self.kind}: right {seconds:.2f} s after the light, without a touch)", flush=True)

    def a_rotation_undone_while_off_is_never_applied(self):
        bench, daemon = self.start()
        self.switch(bench, "dark")
        self.rotate(bench, daemon, "left")
        self.rotate(bench, daemon, "normal")
        self.switch(bench, "lit")
        daemon.until(lambda now: now and (now["device"], now["orientation"]) == ("normal", "normal")
                     and not is_rotating(now), "normal")
        self.assertLit(bench, "normal")
        with daemon.rotating_only("left"):
            self.assertNoFault(daemon)
            daemon.hold("left")  # and no user request is recorded
        self.assertLit(bench, "left")
        self.assertNoFault(daemon)

    def a_lit_neighbour_stays_in_place(self):
        bench, daemon = self.start()
        before = self.shown(bench)
        self.switch(bench, "dark", bench.panel)
        self.rotate(bench, daemon, "left")
        name = bench.compositor.neighbour
        self.assertEqual(self.shown(bench).get(name), before[name])
        self.assertNoFault(daemon)
        self.switch(bench, "lit", bench.panel)
        self.wake(bench)
        self.assertLit(bench, "left")

    def wake(self, bench):
        """Reports activity where a compositor has no event for a lit output."""


class OnSway(BlankedTest):
    kind = "sway"

    def switch(self, bench, word, *output):
        """As swayidle does."""
        name = output[0] if output else "*"
        result = bench.run("swaymsg", "--", "output", name, "dpms", "on" if word == "lit" else "off")
        self.assertEqual(result.returncode, 0, result.stdout)

    def assertOff(self, bench):
        """Before 1.8, sway without a screen reports outputs as on that it has switched off."""
        if '"power"' in bench.run("swaymsg", "-r", "-t", "get_outputs").stdout:
            super().assertOff(bench)

    def wake(self, bench):
        bench.run("swaymsg", "--", "focus", "output", bench.compositor.neighbour)
        bench.run("swaymsg", "--", "focus", "output", bench.panel)

    def test_a_missed_rotation_is_applied_when_lit(self):
        self.a_missed_rotation_is_applied_when_lit()

    def test_a_panel_lit_without_a_touch_is_noticed(self):
        self.a_panel_lit_without_a_touch_is_noticed()

    def test_a_rotation_undone_while_off_is_never_applied(self):
        self.a_rotation_undone_while_off_is_never_applied()

    def test_a_neighbour_that_is_lit_stays_where_it_is(self):
        self.a_lit_neighbour_stays_in_place()


class OnLabwc(BlankedTest):
    """It still reports outputs that are off as enabled, and switches on those that are rotated."""

    kind = "labwc"

    def test_a_missed_rotation_is_applied_when_lit(self):
        self.a_missed_rotation_is_applied_when_lit()

    def test_a_panel_lit_without_a_touch_is_noticed(self):
        self.a_panel_lit_without_a_touch_is_noticed()

    def test_a_rotation_undone_while_off_is_never_applied(self):
        self.a_rotation_undone_while_off_is_never_applied()

    def test_a_neighbour_that_is_lit_stays_where_it_is(self):
        self.a_lit_neighbour_stays_in_place()


class OnPhoc(BlankedTest):
    kind = "phoc"

    def switch(self, bench, word, *output):
        super().switch(bench, word, *output)
        if word == "dark" and not wait_until(lambda: not self.shown(bench)):
            raise requirements.Missing("this phoc switches no output off without a screen")

    def test_a_missed_rotation_is_applied_when_lit(self):
        self.a_missed_rotation_is_applied_when_lit()


# Only compositors of a newer Debian switch an output off without a screen: `make test-wayland-newer`.
if not os.environ.get("WAYLAND_ROOT"):
    del OnLabwc, OnPhoc
