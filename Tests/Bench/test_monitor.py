# SPDX-License-Identifier: MIT
"""`autorotate monitor` on terminals and in pipes."""

import os
import subprocess

from benchkit import c_programs
from benchkit.child_processes import exit_status, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.terminal import INTERRUPT, SIGNALS, Terminal
from benchkit.testing import BenchTest, program

IGNORING_HANGUP = ("sh", "-c", "trap '' HUP; exec \"$@\"", "sh")


class MonitorTest(BenchTest):
    def terminal(self, bench, columns=80, rows=24, words=("monitor",), prefix=(), **changes):
        env = {**bench.device_env, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **changes}
        env["LD_PRELOAD"] = f"{c_programs.thread_masks(bench.directory)}:{env['LD_PRELOAD']}"
        terminal = Terminal([*prefix, program(), *words], env, columns, rows)
        self.addCleanup(terminal.__exit__)
        return terminal

    def daemon(self, bench):
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon


class Showing(MonitorTest):
    def test_it_shows_the_sensor_the_orientation_and_the_decision(self):
        bench = self.bench(sensor={})
        self.daemon(bench).hold("left")
        terminal = self.terminal(bench)
        terminal.until_shown("- Device orientation: left edge up.")
        lines = terminal.until_shown("Device    left-up")
        self.assertIn("Sensor    accel_3d (iio:device0)", lines)
        self.assertIn("Screen    left on eDP-1, unlocked", lines)

    def test_it_follows_a_rotation_and_a_lock(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        terminal = self.terminal(bench)
        terminal.until_shown("Device    normal")
        bench.accelerate(*ACCELERATIONS["right"])
        terminal.until_shown("Screen    right on eDP-1")
        daemon.ask("--lock")
        terminal.until_shown("locked to right")
        daemon.end()
        terminal.until_shown("autorotate is not running")
        bench.accelerate(0, 0, 9.81)
        terminal.until_shown("Device    face-up")

    def test_it_waits_for_a_sensor(self):
        bench = self.bench(sensor={"absent": True})
        terminal = self.terminal(bench)
        terminal.until_shown("no accelerometer")
        bench.sensor.do(["add"])
        terminal.until_shown("Device    normal")

    def test_it_shows_what_iio_sensor_proxy_reports(self):
        bench = self.bench(sensor={}, proxy=True)
        bench.accelerate(*ACCELERATIONS["left"])
        terminal = self.terminal(bench, words=("monitor", "--sensor", "proxy"))
        terminal.until_shown("Device    left-up")
        lines = terminal.until_shown("Gravity   iio-sensor-proxy reports only the device orientation.")
        self.assertIn("Sensor    iio-sensor-proxy", lines)

    def test_it_uses_iio_sensor_proxy_where_the_daemon_does(self):
        bench = self.bench(sensor={}, proxy=True)
        daemon = Daemon(bench, "--sensor", "proxy", "--wait")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        daemon.hold("left")
        terminal = self.terminal(bench)
        terminal.until_shown("Sensor    iio-sensor-proxy")
        terminal.until_shown("Device    left-up")

    def test_without_a_session_bus_it_shows_the_sensor(self):
        bench = self.bench(sensor={})
        terminal = self.terminal(bench, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere")
        terminal.until_shown("Device    normal")


class Terminals(MonitorTest):
    def test_the_block_is_redrawn_in_its_place(self):
        bench = self.bench(sensor={"noise": 0.5})
        self.daemon(bench).hold("right")
        for columns, rows in ((100, 40), (80, 24), (40, 12), (20, 12)):
            with self.subTest(columns=columns, rows=rows):
                terminal = self.terminal(bench, columns, rows)
                terminal.until_shown("Device    right-up"[:columns - 1].rstrip())
                before = len(terminal.raw)
                wait_until(lambda: terminal.read() and len(terminal.raw) > before + 4000, "ten more refreshes")
                lines = [line for line in terminal.screen.lines() if line]
                self.assertLessEqual(len(lines), 10)
                self.assertEqual(lines[0], "Sensor    accel_3d (iio:device0)"[:columns - 1].rstrip())

    def test_nothing_is_printed_while_nothing_changes(self):
        terminal = self.terminal(self.bench(sensor={}))
        terminal.until_shown("Device    normal")
        wait_until(lambda: not terminal.read(1), "a second in which nothing is printed")

    def test_an_ascii_terminal_gets_ascii(self):
        terminal = self.terminal(self.bench(sensor={}), LC_ALL="C")
        terminal.until_shown("Device    normal")
        terminal.raw.decode("ascii")

    def test_a_dumb_terminal_and_a_pipe_get_lines(self):
        bench = self.bench(sensor={})
        env = {**bench.device_env, "LC_ALL": "C.UTF-8"}
        with subprocess.Popen([program(), "monitor"], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline()
            while line and not ("normal" in line and "autorotate is not running" in line):
                line = process.stdout.readline()
            self.assertTrue(line)
            self.assertNotIn("\x1b", line)
            process.stdout.close()
            self.assertEqual(exit_status(process), 0)
        dumb = self.terminal(bench, TERM="dumb")
        wait_until(lambda: self.raw_of(dumb), "a line with the orientation")
        self.assertNotIn(b"\x1b", dumb.raw)

    def raw_of(self, terminal):
        terminal.raw += os.read(terminal.master, 4096)
        return b"normal" in terminal.raw


class Endings(MonitorTest):
    def test_control_c_and_signals_end_it(self):
        bench = self.bench(sensor={})
        terminal = self.terminal(bench)
        terminal.until_shown("Device    normal")
        terminal.press(INTERRUPT)
        self.assertEqual(terminal.end(), 0)
        for number in SIGNALS:
            terminal = self.terminal(bench)
            terminal.until_shown("Device    normal")
            self.assertEqual(terminal.end(number), 0)

    def test_a_terminal_that_is_closed_ends_it(self):
        terminal = self.terminal(self.bench(sensor={}))
        terminal.until_shown("Device    normal")
        terminal.hang_up()
        self.assertIsNotNone(terminal.process.poll())

    def test_a_closed_terminal_ends_it_also_without_a_signal(self):
        terminal = self.terminal(self.bench(sensor={}), prefix=IGNORING_HANGUP)
        terminal.until_shown("Device    normal")
        terminal.hang_up()
        self.assertIsNotNone(terminal.process.poll())

    def test_a_blocked_terminal_does_not_block_it(self):
        terminal = self.terminal(self.bench(sensor={"noise": 2.0}))
        terminal.until_shown("Device    normal")
        # Nobody reads until the terminal's buffer is full.
        wait_until(terminal.is_full, "a full terminal")
        self.assertEqual(terminal.end(SIGNALS[0]), 0)
