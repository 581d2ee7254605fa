# SPDX-License-Identifier: MIT
"""The live view, on terminals of many kinds."""

import os
import re
import subprocess

from benchkit.child_processes import exit_status, wait_until
from benchkit.daemon import HOLDS, Daemon
from benchkit.terminal import INTERRUPT, SIGNALS, Terminal
from benchkit.testing import BenchTest, program

QUIET = "Held      left-up"


class MonitorTest(BenchTest):
    def setUp(self):
        self.terminals = []

    def terminal(self, bench, columns=80, rows=24, **changes):
        env = {**bench.device_env, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **changes}
        terminal = Terminal([program(), "monitor"], env, columns, rows)
        self.addCleanup(terminal.__exit__)
        return terminal

    def daemon(self, bench):
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon


class Showing(MonitorTest):
    def test_it_shows_gravity_the_judge_and_the_decision(self):
        bench = self.bench(sensor={"noise": 0.02})
        daemon = self.daemon(bench)
        daemon.hold("left")
        terminal = self.terminal(bench)
        lines = terminal.until_shown("- The device is held left-up.")
        lines = terminal.until_shown(QUIET)
        self.assertTrue(any("Picture   left on eDP-1, unlocked" in line for line in lines), lines)
        self.assertTrue(any(re.search(r"Turned +(89|90|91)° clockwise", line) for line in lines), lines)
        self.assertTrue(any("↓" in line for line in lines), "the arrow points to the floor")
        capture = os.environ.get("BENCH_CAPTURE")
        if capture:
            with open(capture, "w", encoding="utf-8") as file:
                file.write("\n".join(lines).rstrip() + "\n")

    def test_it_follows_a_turn_and_a_lock(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        terminal = self.terminal(bench)
        terminal.until_shown("Held      normal")
        bench.accelerate(*HOLDS["right"])
        terminal.until_shown("Picture   right on eDP-1")
        daemon.ask("--lock")
        terminal.until_shown("locked to right")
        daemon.end()
        terminal.until_shown("autorotate is not running")
        bench.accelerate(0, 0, 9.81)
        terminal.until_shown("face-up")

    def test_without_a_sensor_it_says_why_and_goes_on_when_there_is_one(self):
        bench = self.bench(sensor={"absent": True})
        terminal = self.terminal(bench)
        terminal.until_shown("no accelerometer")
        bench.sensor.do(["add"])
        terminal.until_shown("accel_3d (iio:device0)")
        terminal.until_shown("Held      normal")

    def test_a_resting_screen_is_not_drawn_again(self):
        bench = self.bench(sensor={})
        terminal = self.terminal(bench)
        terminal.until_shown("Held      normal")
        wait_until(lambda: not terminal.read(1), "a second in which nothing is drawn")


class Terminals(MonitorTest):
    def test_nothing_wraps_whatever_the_size(self):
        bench = self.bench(sensor={"noise": 0.5})
        self.daemon(bench).hold("right")
        terminal = self.terminal(bench)
        terminal.until_shown("q ends")
        for columns, rows in ((100, 40), (80, 24), (71, 24), (40, 10), (20, 5), (3, 2), (1, 1), (80, 24)):
            with self.subTest(columns=columns, rows=rows):
                terminal.resize(columns, rows)
                terminal.until(lambda lines, first="autorotate"[:columns - 1]: lines[0].startswith(first),
                               "the title")
        terminal.until_shown("Held      right-up")

    def test_without_colour_and_with_ascii_only(self):
        bench = self.bench(sensor={})
        terminal = self.terminal(bench, NO_COLOR="1", LC_ALL="C")
        lines = terminal.until_shown("Held      normal")
        self.assertEqual(terminal.screen.colours, 0)
        terminal.raw.decode("ascii")
        self.assertTrue(any("+--" in line for line in lines), lines)
        coloured = self.terminal(bench)
        coloured.until_shown("Held      normal")
        self.assertGreater(coloured.screen.colours, 0)

    def test_a_dumb_terminal_and_a_pipe_get_plain_lines(self):
        bench = self.bench(sensor={})
        env = {**bench.device_env, "LC_ALL": "C.UTF-8"}
        with subprocess.Popen([program(), "monitor"], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline()
            while "normal" not in line:
                line = process.stdout.readline()
            self.assertIn("autorotate is not running", line)
            self.assertNotIn("\x1b", line)
            process.stdout.close()
            self.assertEqual(exit_status(process), 0)
        script = f"TERM=dumb exec {program()} monitor"
        with Terminal(["sh", "-c", script], {**env}) as dumb:
            wait_until(lambda: self.raw_of(dumb), "a line with the orientation")
            self.assertNotIn(b"\x1b", dumb.raw)

    def raw_of(self, terminal):
        chunk = os.read(terminal.master, 4096)
        terminal.raw += chunk
        return b"normal" in terminal.raw


class Endings(MonitorTest):
    def start(self, bench):
        terminal = self.terminal(bench)
        terminal.until_shown("q ends")
        self.assertTrue(terminal.screen.is_alternate)
        self.assertFalse(terminal.is_restored())
        return terminal

    def test_each_ending_gives_the_terminal_back(self):
        bench = self.bench(sensor={})
        for keys in ("q", "Q", INTERRUPT, "\x04", "xyzq"):
            with self.subTest(keys=keys):
                terminal = self.start(bench)
                terminal.press(keys)
                self.assertEqual(terminal.end(), 0)
                self.assertTrue(terminal.is_restored())
        for number in SIGNALS:
            with self.subTest(number=number):
                terminal = self.start(bench)
                self.assertEqual(terminal.end(number), 0)
                self.assertTrue(terminal.is_restored())

    def test_a_window_that_is_closed_ends_it(self):
        terminal = self.start(self.bench(sensor={}))
        self.assertEqual(terminal.hang_up(), 0)

    def test_a_terminal_that_is_held_up_does_not_hold_it_up(self):
        bench = self.bench(sensor={"noise": 2.0})
        terminal = self.start(bench)
        # Nobody reads until the terminal's buffer is full.
        wait_until(terminal.is_full, "a full terminal")
        self.assertEqual(terminal.end(SIGNALS[0]), 0)
        self.assertTrue(terminal.is_restored())
