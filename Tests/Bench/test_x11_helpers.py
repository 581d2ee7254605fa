# SPDX-License-Identifier: MIT
"""The helper programs that read the state of an X server and act on it (Tests/Bench/panel)."""

import glob
import os

from benchkit import requirements, xservers
from benchkit.c_programs import BENCH, PROJECT
from benchkit.child_processes import Failed
from benchkit.testing import PEN, BenchTest
from benchkit.windows import Windows


class X11Helpers(BenchTest):
    def crtc(self, state, name):
        return next(each for each in state["crtcs"] if each["outputs"] == [name])

    def test_no_helper_includes_xcb(self):
        sources = [*glob.glob(os.path.join(BENCH, "panel", "*.[ch]")),
                   os.path.join(PROJECT, "Benchmarks", "bare-randr.c")]
        self.assertGreater(len(sources), 4)
        for path in sources:
            with open(path, encoding="utf-8") as file:
                self.assertNotIn("<xcb/", file.read(), path)

    def test_state_lists_position_mode_rotation_and_transform(self):
        bench = self.bench()
        bench.run("xrandr", "--output", "eDP-1", "--rotate", "left", "--reflect", "y",
                  "--output", "HDMI-1", "--scale", "1.5x1.5", "--pos", "800x0")
        state = bench.x11.state()
        self.assertEqual(state["screen"], {"width": 800 + 1536, "height": 1280})
        panel, neighbour = self.crtc(state, "eDP-1"), self.crtc(state, "HDMI-1")
        self.assertEqual([panel[key] for key in ("x", "y", "width", "height", "rotation", "reflection")],
                         [0, 0, 800, 1280, "left", "y"])
        self.assertEqual((panel["mode"]["width"], panel["mode"]["height"]), (1280, 800))
        self.assertIn("eDP-1", panel["possible_outputs"])
        self.assertEqual(panel["transform"], [1, 0, 0, 0, 1, 0, 0, 0, 1])
        self.assertEqual(neighbour["transform"], [1.5, 0, 0, 0, 1.5, 0, 0, 0, 1])
        self.assertEqual([neighbour[key] for key in ("x", "width", "height")], [800, 1536, 1152])

    def test_state_lists_connected_outputs_that_are_off(self):
        bench = self.bench()
        bench.run("xrandr", "--output", "HDMI-1", "--off")
        panel, neighbour = (each for each in bench.x11.state()["outputs"] if each["connected"])
        self.assertEqual((panel["name"], panel["primary"], panel["mm_width"], panel["mm_height"]),
                         ("eDP-1", True, 256, 160))
        self.assertEqual((neighbour["name"], neighbour["primary"], neighbour["crtc"], neighbour["mm_width"]),
                         ("HDMI-1", False, None, 520))

    def test_state_lists_input_devices_with_matrix_and_use(self):
        bench = self.bench()
        matrix = [0.5, -0.25, 0.125, 0.75, 1.5, 0, 0, 0, 1]
        bench.run("xinput", "set-prop", PEN, "Coordinate Transformation Matrix", *matrix)
        bench.run("xinput", "disable", "Bench Mouse")
        devices = {each["name"]: each for each in bench.x11.state()["devices"]}
        self.assertEqual(devices[PEN]["matrix"], matrix)
        self.assertEqual((devices[PEN]["use"], devices[PEN]["enabled"]), ("slave pointer", True))
        self.assertEqual((devices["Bench Mouse"]["use"], devices["Bench Mouse"]["enabled"]),
                         ("floating slave", False))
        self.assertEqual(devices["Bench Keyboard"]["use"], "slave keyboard")
        self.assertIn("Device Enabled", devices[PEN]["properties"])
        self.assertNotIn("Virtual core pointer", devices)

    def test_probe_detects_an_unplugged_output(self):
        bench = self.bench()
        xservers.write_connected(bench.directory, ["eDP-1"])
        bench.x11.probe()
        self.assertEqual([each["connected"] for each in bench.outputs() if each["name"] == "HDMI-1"], [False])

    def test_window_helper_survives_a_destroyed_window(self):
        bench = self.bench()
        with Windows(bench.env) as windows:
            gone = windows.open("editor", "Editor")
            closed = bench.run(requirements.program("xdotool", "xdotool"), "windowclose", gone)
            self.assertEqual(closed.returncode, 0, closed.stderr)
            for line in (("class", "editor", "Other"), ("move", "editor", 1, 1), ("for", "editor", "root"),
                         ("fullscreen", "editor", "yes"), ("activate", "editor"), ("close", "editor")):
                self.assertEqual(windows.send(*line), 0)
            self.assertNotEqual(windows.open("viewer", "Viewer"), gone)

    def test_window_helper_uses_no_xid_of_another_one(self):
        bench = self.bench()
        opened = []
        for _ in range(2):
            with Windows(bench.env) as windows:
                opened += [windows.open("viewer", "Viewer"), windows.open("editor", "Editor")]
        self.assertEqual(len(set(opened)), 4, opened)

    def test_helpers_survive_or_report_a_stopped_server(self):
        bench = self.bench()
        with Windows(bench.env) as windows, bench.marker(400, 400) as marker:
            windows.open("editor", "Editor")
            bench.outputs()
            bench.children.stop(bench.xserver)
            other = self.bench()
            self.assertNotEqual(other.display, bench.display)
            self.assertEqual([windows.send("active"), windows.send("open", "viewer", "Viewer")], [0, 0])
            with self.assertRaisesRegex(Failed, "X server"):
                bench.outputs()
            self.assertEqual(marker.process.wait(10), 1)

    def test_reader_follows_a_change_of_display(self):
        bench, other = self.bench(), self.bench(mode="640x400")
        self.assertEqual(bench.output("eDP-1")["w"], 1280)
        bench.env["DISPLAY"] = other.display
        self.assertEqual(bench.output("eDP-1")["w"], 640)
