# SPDX-License-Identifier: MIT
"""The same on every Wayland desktop: the four orientations, the neighbour, the tools, the end of the compositor."""

import json

from benchkit import compositors
from benchkit.child_processes import exit_status
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest


class OnWayland:
    """The tests of each of the desktops below."""

    kind = None
    backend = None

    def start(self, **sensor):
        bench = self.bench(server=self.kind, sensor=sensor)
        # Only labwc's has the name of a built-in panel.
        daemon = Daemon(bench, *([] if bench.panel == "eDP-1" else ["--output", bench.panel]))
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return bench, daemon

    def assertAdjacent(self, bench, orientation):
        panel, neighbour = sorted(bench.outputs(), key=lambda each: each["name"] != bench.panel)
        self.assertEqual((panel["name"], panel["rotation"]), (bench.panel, orientation))
        self.assertEqual(neighbour["rotation"], "normal")
        # Some put the second output to the left of the first.
        first, second = sorted((panel, neighbour), key=lambda each: each["x"])
        self.assertEqual((second["x"], second["y"]), (first["x"] + first["w"], first["y"]),
                         (panel, neighbour))
        wide = orientation in ("normal", "inverted")
        self.assertEqual(panel["w"] > panel["h"], wide, panel)

    def test_four_orientations_rotate_the_panel_and_move_its_neighbour(self):
        bench, daemon = self.start(noise=0.05)
        for orientation in ("left", "inverted", "right", "normal"):
            daemon.hold(orientation)
            self.assertAdjacent(bench, orientation)

    def test_requests_lock_status_and_explain_work(self):
        bench, daemon = self.start()
        self.assertEqual(daemon.ask("--lock", "left").returncode, 0)
        daemon.until_shown("left")
        bench.accelerate(-9.81, 0, 0)
        self.assertAdjacent(bench, "left")
        self.assertIn("Locked", daemon.ask("--status").stdout)
        self.assertEqual(daemon.ask("explain", "mpv").returncode, 0)
        daemon.ask("--unlock")
        daemon.until_shown("right")
        self.assertAdjacent(bench, "right")

    def test_the_desktop_is_detected(self):
        bench, _daemon = self.start()
        output = json.loads(bench.run(*self.doctor).stdout)
        session = next(each for each in output["findings"] if each["name"] == "session")
        self.assertEqual(session["state"], "works", session)
        self.assertIn(self.says, session["detail"])

    def test_the_end_of_the_compositor_ends_it_for_a_restart(self):
        bench, daemon = self.start()
        daemon.hold("left")
        bench.compositor.end()
        self.assertEqual(exit_status(daemon.process), 1, daemon.printed())

    @property
    def doctor(self):
        from benchkit.testing import program  # pylint: disable=import-outside-toplevel
        return [program(), "doctor", "--json"]


class Phoc(OnWayland, BenchTest):
    kind, says = "phoc", "wlr-output-management"


class Sway(OnWayland, BenchTest):
    kind, says = "sway", "sway"


class KWin(OnWayland, BenchTest):
    kind, says = "kwin", "KDE"


class Mutter(OnWayland, BenchTest):
    kind, says = "mutter", "Mutter"


if compositors.root():
    class Labwc(OnWayland, BenchTest):
        kind, says = "labwc", "wlr-output-management"

    class GNOMEShell(OnWayland, BenchTest):
        kind, says = "gnome-shell", "Mutter"
