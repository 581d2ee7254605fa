# SPDX-License-Identifier: MIT
"""A machine with two built-in panels on a real X server, a touchscreen on each, and outputs that are rotated by name."""

from benchkit import compositors
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import PEN, TOUCHSCREEN, BenchTest, program

FIRST, SECOND = "eDP-1", "eDP-2"
SECOND_TOUCHSCREEN = "Second Touchscreen"
MAP = f"""[touch]
map = {{ "Bench*" = "{FIRST}", "Second*" = "{SECOND}" }}
"""
WIDE, HIGH = 1280, 800
CORNERS = {
    "normal": ((0, 0), (0, HIGH)), "left": ((HIGH, 0), (0, 0)),
    "inverted": ((0, HIGH), (0, 0)), "right": ((0, 0), (HIGH, 0))}
"""The places of the panels: the second, below the first, is on the side of the device that is down."""


class PanelsTest(BenchTest):
    def start(self, settings=MAP):
        bench = self.bench(sensor={}, second_panel=True)
        if settings:
            bench.write("config/autorotate/config.toml", settings)
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("normal")
        return bench, daemon

    def places(self, bench):
        return {name: (panel["x"], panel["y"]) for name in (FIRST, SECOND)
                for panel in [bench.output(name)] if panel["w"]}

    def rotations(self, bench):
        return [bench.output(name)["rotation"] for name in (FIRST, SECOND) if bench.output(name)["w"]]

    def assertPanels(self, bench, hold):
        wait_until(lambda: self.rotations(bench) == [hold, hold], lambda: self.rotations(bench))
        self.assertEqual(self.places(bench), dict(zip((FIRST, SECOND), CORNERS[hold])), hold)

    def assertTouched(self, bench, name, device, kinds=("tap",)):
        """A tap on a panel's glass hits the part of the screen that is shown there."""
        panel = bench.output(name)
        with bench.marker(panel["x"] + 300, panel["y"] + 200) as marker:
            place = marker.on_panel(name)
            bench.tap(*place, *(["second"] if device == SECOND_TOUCHSCREEN else []))
            self.assertHit(marker, "touch", device)
            if "pen" in kinds:
                bench.pen(*place)
                self.assertHit(marker, "motion", PEN)

    def test_both_rotate_in_four_orientations_and_every_tap_hits(self):
        bench, daemon = self.start()
        for hold in ("left", "inverted", "right", "normal", "right", "left", "normal"):
            with self.subTest(hold):
                daemon.hold(hold)
                self.assertPanels(bench, hold)
                self.assertTouched(bench, FIRST, TOUCHSCREEN, ("tap", "pen"))
                self.assertTouched(bench, SECOND, SECOND_TOUCHSCREEN)

    def test_each_panel_may_be_disconnected_and_come_back(self):
        bench, daemon = self.start()
        for gone, stays, device in ((SECOND, FIRST, TOUCHSCREEN), (FIRST, SECOND, SECOND_TOUCHSCREEN)):
            with self.subTest(gone):
                self.xrandr(bench, "--output", gone, "--off")
                daemon.hold("left")
                wait_until(lambda: bench.output(stays)["rotation"] == "left", f"{stays} rotates left")
                self.assertTouched(bench, stays, device)
                self.xrandr(bench, "--output", gone, "--auto", "--rotate", "normal", "--below", stays)
                wait_until(lambda: self.rotations(bench) == ["left", "left"], lambda: self.rotations(bench))
                self.assertTouched(bench, FIRST, TOUCHSCREEN)
                self.assertTouched(bench, SECOND, SECOND_TOUCHSCREEN)
                daemon.hold("normal")

    def xrandr(self, bench, *words):
        result = bench.run("xrandr", *words)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_touchscreen_without_a_panel_is_left_alone_with_advice(self):
        bench, daemon = self.start(settings=None)
        before = bench.matrices()[SECOND_TOUCHSCREEN]
        daemon.until_printed(f"“{SECOND_TOUCHSCREEN}” is left alone")
        daemon.hold("left")
        self.assertPanels(bench, "left")
        self.assertEqual(bench.matrices()[SECOND_TOUCHSCREEN], before)
        output = bench.run(program(), "doctor").stdout
        # One line for all such devices, so that it is valid as it stands.
        self.assertRegex(" ".join(output.split()), rf'map = {{ ([^}}]*, )?"{SECOND_TOUCHSCREEN}" = "{FIRST}"[^}}]* }}')
        bench.write("config/autorotate/config.toml", MAP)
        wait_until(lambda: bench.matrices()[SECOND_TOUCHSCREEN] != before, f"{SECOND_TOUCHSCREEN} is placed")
        self.assertTouched(bench, FIRST, TOUCHSCREEN)
        self.assertTouched(bench, SECOND, SECOND_TOUCHSCREEN)

    def test_an_unknown_output_of_the_map_is_reported_once(self):
        bench, daemon = self.start(MAP.replace(SECOND, "eDP-7"))
        words = f"“{SECOND_TOUCHSCREEN}” is left alone: the settings map it to eDP-7, which does not exist"
        daemon.until_printed(words)
        for hold in ("left", "normal"):
            daemon.hold(hold)
        self.assertEqual(daemon.printed().count(words), 1)
        self.assertTouched(bench, FIRST, TOUCHSCREEN)

    def test_status_lists_both_panels(self):
        _bench, daemon = self.start()
        self.assertEqual(daemon.status()["outputs"], [FIRST, SECOND])


class OutputsByNameTest(BenchTest):
    MONITOR = "HDMI-1"

    def start(self, bench, *arguments, log="daemon"):
        daemon = Daemon(bench, *arguments, log=log)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def assertMonitor(self, bench, rotation):
        wait_until(lambda: bench.output(self.MONITOR)["rotation"] == rotation, lambda: bench.output(self.MONITOR))
        panel = bench.output(FIRST)
        self.assertEqual(bench.output(self.MONITOR)["x"], panel["x"] + panel["w"])

    def rotate(self, daemon, *words):
        result = daemon.ask("--rotate", *words, "--output", self.MONITOR)
        self.assertEqual(result.returncode, 0, result.stderr)

    def xrandr(self, bench, *words):
        self.assertEqual(bench.run("xrandr", "--output", self.MONITOR, *words).returncode, 0)

    def test_a_pivot_monitor_keeps_its_orientation(self):
        bench = self.bench(sensor={})
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = self.start(bench)
        self.rotate(daemon, "left")
        self.assertMonitor(bench, "left")
        with self.subTest("the device rotates"):
            daemon.hold("left")
            self.assertMonitor(bench, "left")
            daemon.hold("normal")
        with self.subTest("plugged out and in"):
            bench.unplug(self.MONITOR)
            self.xrandr(bench, "--off")
            bench.plug(self.MONITOR)
            self.xrandr(bench, "--auto", "--rotate", "normal", "--right-of", FIRST)
            self.assertMonitor(bench, "left")
        with self.subTest("restarted"):
            daemon.end()
            self.xrandr(bench, "--rotate", "normal", "--right-of", FIRST)
            daemon = self.start(bench, log="again")
            self.assertMonitor(bench, "left")
        with self.subTest("next and previous"):
            self.rotate(daemon, "previous")
            self.assertMonitor(bench, "inverted")
            self.rotate(daemon, "next")
            self.assertMonitor(bench, "left")
            self.assertIn(f"{self.MONITOR} stays left edge up, as you set it.", daemon.status()["reasons"])

    def test_an_unknown_output_is_refused(self):
        bench = self.bench(sensor={})
        daemon = self.start(bench)
        refused = daemon.ask("--rotate", "left", "--output", "DP-9")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"There is no output DP-9. Outputs: {FIRST}, {self.MONITOR}.", refused.stderr)


class SeveralOutputsTest(BenchTest):
    """Two outputs that the settings name rotate together, like a device with two panels, on real compositors."""

    def rotate_together(self, server, second_panel=False):
        bench = self.bench(server=server, sensor={}, second_panel=second_panel)
        first, second = (each["name"] for each in sorted(bench.outputs(), key=lambda each: each["x"]))
        if not second_panel:  # those are panels by their names
            bench.write("config/autorotate/config.toml", f'[display]\noutput = ["{second}", "{first}"]\n')
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("normal")
        before, modes = self.places(bench), self.modes(bench)
        for hold in ("left", "inverted", "right", "normal"):
            daemon.hold(hold)
            wait_until(lambda: {each["rotation"] for each in bench.outputs()} == {hold}, bench.outputs)
            self.assertEqual(self.side(bench, first, second), self.SIDES[hold], (hold, bench.outputs()))
            self.assertEqual(self.modes(bench), modes, hold)
        wait_until(lambda: self.places(bench) == before, lambda: self.places(bench))

    def modes(self, bench):
        return {each["name"]: sorted((each["w"], each["h"])) for each in bench.outputs()}

    SIDES = {"normal": "right", "left": "below", "inverted": "left", "right": "above"}
    """The side of the second, which is right of the first on the device (phoc puts the first output to the right)."""

    def places(self, bench):
        return {each["name"]: (each["x"], each["y"]) for each in bench.outputs()}

    def side(self, bench, first, second):
        first, second = (next(each for each in bench.outputs() if each["name"] == name) for name in (first, second))
        if second["x"] == first["x"] + first["w"]:
            return "right"
        if second["x"] + second["w"] == first["x"]:
            return "left"
        if second["y"] == first["y"] + first["h"]:
            return "below"
        return "above" if second["y"] + second["h"] == first["y"] else "apart"

    def test_two_outputs_rotate_together_on_sway(self):
        self.rotate_together("sway")

    if compositors.root():  # Debian 12 has no labwc

        def test_two_outputs_rotate_together_on_labwc(self):
            self.rotate_together("labwc")

        def test_panels_placed_by_labwc_return_to_their_places(self):
            self.rotate_together("labwc", second_panel=True)

    def test_two_outputs_rotate_together_on_phoc(self):
        self.rotate_together("phoc")

    def test_two_outputs_rotate_together_on_kwin(self):
        self.rotate_together("kwin")

    def test_two_outputs_rotate_together_on_mutter(self):
        self.rotate_together("mutter")
