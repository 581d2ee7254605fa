# SPDX-License-Identifier: MIT
"""What a rotation sends to the display server, between its announcement and its completion."""

import os

from benchkit import c_programs
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest


class RotationMessages(BenchTest):
    def rotate(self, server, *arguments):
        """What the daemon sends in that time, in order."""
        bench = self.bench(server=server, sensor={})
        bench.accelerate(*ACCELERATIONS["normal"])
        path = os.path.join(bench.directory, "stamps")
        library = f"{c_programs.stamps(bench.directory)}:{bench.device_env['LD_PRELOAD']}"
        daemon = Daemon(bench, *arguments, "--output", bench.panel, starter=[
            "env", "LD_PRELOAD=" + library, "AUTOROTATE_STAMPS=" + path])
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.hold("normal")
        daemon.hold("left")
        daemon.hold("normal")
        return self.latest(path)

    def latest(self, path):
        with open(path, encoding="utf-8") as file:
            words = [line.split(maxsplit=1)[1].strip() for line in file]
        begun = len(words) - words[::-1].index("WillRotate")
        return words[begun:words.index("DidRotate", begun)]

    def test_sway_gets_the_rotation_and_the_query_in_one_piece(self):
        self.assertEqual([words for words in self.rotate("sway") if words.startswith("sway")], ["sway 0 3"])

    def test_sway_is_sent_the_rotation_before_the_bus_the_status(self):
        words = [word[:6] for word in self.rotate("sway")]
        self.assertLess(words.index("sway 0"), words.index("Proper"), words)

    def test_all_requests_to_x11_are_sent_in_one_piece(self):
        self.assertEqual(self.rotate("xorg").count("X11"), 1)
