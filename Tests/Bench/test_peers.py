# SPDX-License-Identifier: MIT
"""The benchmark of other programs: how it evaluates its figures, and which rotations it sees on the server."""

import time

from benchkit.peer_measurements import Delays
from benchkit.peer_table import SHOWN, Table
from benchkit.rotation_events import RotationLog
from benchkit.testing import BenchTest


class Figures(BenchTest):
    def test_the_median_and_the_95th_percentile_are_right(self):
        self.assertEqual(str(Delays([number / 1000 for number in range(1, 21)])), "10/19")

    def test_missing_rotations_are_counted_separately(self):
        self.assertEqual(str(Delays([0.1, None, 0.3])), "200/300, 1 missed")
        self.assertEqual(str(Delays([None])), "never")

    def test_the_table_has_a_column_for_each_program_measured(self):
        table = Table()
        table.add(SHOWN, "sway", "rot8", Delays([0.25]))
        table.add(SHOWN, "X11", "autorotate", Delays([0.1]))
        self.assertEqual(str(table).splitlines(), [
            "|  | rot8 | autorotate | goal |", "| --- | --- | --- | --- |",
            "| new device orientation → screen, ms: sway | 250/250 | – | 180/260, by the proxy 340/640 |",
            "| new device orientation → screen, ms: X11 | – | 100/100 | 180/260, by the proxy 340/640 |"])


class Seen(BenchTest):
    def seen(self, server, *words):
        """What the server reports of two rotations by another program."""
        bench = self.bench(server=server)
        rotations, began = RotationLog(bench), time.monotonic()
        for word in words:
            command = ["swaymsg", "output", bench.panel, "transform", word] if server == "sway" else [
                "xrandr", "--output", bench.panel, "--rotate", word]
            self.assertEqual(bench.run(*command).returncode, 0)
        self.assertIsNotNone(rotations.await_next("right", began), rotations.events())
        moments, shown = zip(*rotations.events())
        self.assertTrue(moments[0] <= began <= moments[1] <= moments[2] <= time.monotonic(), moments)
        return shown

    def test_rotations_are_seen_on_x11(self):
        self.assertEqual(self.seen("xorg", "left", "right"), ("normal", "left", "right"))

    def test_rotations_are_seen_on_sway(self):
        self.assertEqual(self.seen("sway", "270", "90"), ("normal", "left", "right"))
