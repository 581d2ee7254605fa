# SPDX-License-Identifier: MIT
"""How a user stops the daemon, and how a message explains starting it again."""

import os
import pty
import select
import signal

from benchkit import mockbus
from benchkit.child_processes import exit_status, longest_wait, wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program

UNIT = "/org/freedesktop/systemd1/unit/autorotate_2eservice"
SERVICE = "org.freedesktop.systemd1.Service"
START = "start it with `systemctl --user start autorotate`"


class Quit(BenchTest):
    def daemon(self, bench):
        daemon = Daemon(bench, "--wait")
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def test_it_stops_the_daemon_and_explains_how_to_start_it(self):
        daemon = self.daemon(self.bench(server="xvfb", wm="none"))
        result = daemon.ask("quit")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (0, "autorotate is stopped, and the screen keeps its orientation. To start it again: setsid -f autorotate --wait >/dev/null 2>&1\n", ""))
        self.assertEqual(exit_status(daemon.process), 0)
        again = daemon.ask("quit")
        self.assertEqual((again.returncode, again.stdout), (3, ""))
        self.assertIn("autorotate is not running: start it with `setsid -f autorotate --wait >/dev/null 2>&1`", again.stderr)

    def test_the_daemon_of_another_session_keeps_running(self):
        daemon = self.daemon(self.bench(server="xvfb", wm="none"))
        other = self.bench(server="xvfb", wm="none")
        self.assertEqual(other.run(program(), "quit").returncode, 3)
        self.assertEqual(daemon.ask("status").returncode, 0)

    def test_systemd_stops_a_daemon_that_it_started(self):
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        bench = self.bench(server="xvfb", wm="none")
        daemon = self.daemon(bench)
        service = mockbus.Service(bench.children, bench.env, "org.freedesktop.systemd1", UNIT, SERVICE, bus="session")
        self.addCleanup(service.stop)
        number = service.dbus.UInt32(daemon.process.pid)
        service.mock(UNIT).AddProperties(SERVICE, {"MainPID": number})
        tool = bench.write("tools/systemctl", f'#!/bin/sh\necho "$@" >{bench.directory}/recorded\n'
                           f"kill {daemon.process.pid}\n")
        os.chmod(tool, 0o755)
        bench.env["PATH"] = os.path.dirname(tool) + ":" + bench.env["PATH"]
        self.assertEqual(daemon.ask("quit").returncode, 0)
        with open(os.path.join(bench.directory, "recorded"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "--user --quiet stop autorotate.service\n")

    def test_without_a_daemon_an_installed_unit_is_named(self):
        bench = self.bench(server="xvfb", wm="none")
        for path in ("config/systemd/user/autorotate.service", "run/systemd/private"):
            self.assertNotIn("systemctl", bench.run(program(), "status").stderr)
            bench.write(path, "")
        for word in ("status", "quit", "lock"):
            result = bench.run(program(), word)
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn(START, result.stderr)


class OnATerminal(BenchTest):
    def setUp(self):
        self.running = set()

    def started(self, bench, *arguments):
        """A daemon in the foreground of a terminal. Returns the terminal's other end, and the daemon's number."""
        number, terminal = pty.fork()
        if number == 0:
            os.execve(program(), [program(), *arguments], bench.device_env)
        self.running.add(number)
        self.addCleanup(os.close, terminal)
        self.addCleanup(self.end, number)
        return terminal, number

    def end(self, number):
        """Ends a daemon that the test has not ended."""
        if number in self.running:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)

    def read_until(self, terminal, words):
        printed = ""
        while words not in printed:
            if not select.select([terminal], [], [], longest_wait())[0]:
                self.fail(f"{words!r} does not come after {printed!r}")
            printed += os.read(terminal, 4096).decode()
        return printed

    def assertEndsByControlC(self, terminal, number):
        os.write(terminal, b"\x03")
        wait_until(lambda: os.waitpid(number, os.WNOHANG)[0], "the end by Ctrl-C")
        self.running.remove(number)

    def test_it_prints_the_output_and_that_control_c_stops_it(self):
        bench = self.bench(sensor={})
        terminal, number = self.started(bench)
        printed = self.read_until(terminal, "Ctrl-C")
        self.assertRegex(printed, r"autorotate: Rotating eDP-1 with the sensor accel_3d.*\. Press Ctrl-C")
        self.assertEndsByControlC(terminal, number)

    def test_it_prints_this_while_waiting_for_a_sensor(self):
        bench = self.bench()
        terminal, number = self.started(bench, "--wait", "--sensor", "iio")
        self.assertIn("autorotate: Waiting for a sensor to rotate eDP-1. Press Ctrl-C",
                      self.read_until(terminal, "Ctrl-C"))
        self.assertEndsByControlC(terminal, number)

    def test_a_daemon_started_by_a_session_does_not_print_this(self):
        bench = self.bench(sensor={})
        with Daemon(bench) as daemon:
            daemon.hold("left")
            self.assertNotIn("Ctrl-C", daemon.printed())
            self.assertNotIn("follows", daemon.printed())
