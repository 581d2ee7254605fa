# SPDX-License-Identifier: MIT
"""The daemon and its command line with buses that are stopped, dead, lost to another, or flooded."""

import signal
import subprocess
import time

from benchkit import mockbus
from benchkit.child_processes import exit_status, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program


class BusTest(BenchTest):
    def setUp(self):
        self.session = self.bench(sensor={})
        # A timeout for an answer of a stopped bus would be longer than any test.
        self.session.env["SYSTEMD_BUS_TIMEOUT"] = "1h"

    def await_left(self):
        """Asks the display server, as the bus may not answer."""
        wait_until(lambda: self.session.output("eDP-1")["rotation"] == "left", "the screen is rotated left")


class StoppedBus(BusTest):
    def setUp(self):
        super().setUp()
        self.bus = next(one for one in self.session.children.running if one.name == "session-bus")
        self.addCleanup(lambda: self.bus.send_signal(signal.SIGCONT))

    def stop_bus(self):
        self.bus.send_signal(signal.SIGSTOP)

    def ask(self, *arguments):
        begin = time.monotonic()
        output = self.session.run(program(), *arguments)
        print(f"{' '.join(arguments)} with a stopped bus: {time.monotonic() - begin:.2f} s")
        return output

    def test_a_command_reports_a_stopped_bus_and_ends(self):
        self.stop_bus()
        for arguments in (["--status"], ["--lock"], ["--rotate", "left"]):
            result = self.ask(*arguments)
            self.assertEqual(result.returncode, 1, result)
            self.assertIn("the session bus, which does not answer", result.stderr)
            self.assertIn("systemctl --user status dbus", result.stderr)

    def test_a_daemon_rotates_and_ends_without_its_bus(self):
        self.stop_bus()
        process = self.session.start("daemon", [program()])
        self.session.accelerate(*ACCELERATIONS["left"])
        self.await_left()
        begin = time.monotonic()
        process.terminate()
        self.assertEqual(exit_status(process), 0)
        print(f"SIGTERM with a stopped bus: {time.monotonic() - begin:.2f} s")

    def test_the_daemon_is_reached_when_the_bus_resumes(self):
        self.stop_bus()
        daemon = Daemon(self.session)
        daemon.until_printed("the session bus does not answer")
        self.bus.send_signal(signal.SIGCONT)
        daemon.await_name()
        self.assertIn("The session bus is back", daemon.printed())
        self.assertEqual(daemon.end(), 0)

    def test_a_bus_that_stops_later_delays_nothing(self):
        with Daemon(self.session) as daemon:
            daemon.hold("normal")
            self.stop_bus()
            self.session.accelerate(*ACCELERATIONS["left"])
            self.await_left()
            begin = time.monotonic()
            self.assertEqual(daemon.end(), 0)
            print(f"SIGTERM with a bus that stopped later: {time.monotonic() - begin:.2f} s")


class BusNameTaken(BenchTest):
    def test_a_daemon_without_its_bus_ends_for_the_name_owner(self):
        session = self.bench(sensor={})
        path = session.env["DBUS_SESSION_BUS_ADDRESS"].removeprefix("unix:path=")
        with Daemon(session) as daemon:
            daemon.until_shown("normal")
            daemon.follower.terminate()
            daemon.follower.wait()
            bus = next(one for one in session.children.running if one.name == "session-bus")
            bus.kill()
            bus.wait()
            daemon.until_printed("do not work")
            self.assertIn("they work again when the bus is back", daemon.printed())
            # Requests of the other daemon succeed sooner.
            daemon.process.send_signal(signal.SIGSTOP)
            other = subprocess.Popen(
                [mockbus.PYTHON, "-c", OTHER_DAEMON % path], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
            self.addCleanup(other.communicate)
            self.assertEqual(other.stdout.readline(), "named\n")
            daemon.process.send_signal(signal.SIGCONT)
            self.assertEqual(exit_status(daemon.process), 1)
            self.assertIn("autorotate is already running (process", daemon.printed())


class AnotherBus(BenchTest):
    """A session ended with its bus, and the next one on the same display has a bus of its own."""

    def test_commands_name_the_daemon_that_is_not_on_it(self):
        session = self.bench(sensor={})
        with Daemon(session) as daemon:
            daemon.await_name()
            number = daemon.process.pid
            for words in (["status"], ["quit"], ["lock"]):
                result = session.run("dbus-run-session", "--", program(), *words)
                self.assertEqual(result.returncode, 3, result)
                self.assertIn(f"autorotate (process {number}) rotates this display, but is not on this session bus: "
                              f"restart it: `kill {number}`", result.stderr)
            doctor = session.run("dbus-run-session", "--", program(), "doctor")
            self.assertIn(f"`kill {number}`", doctor.stdout)


class Flood(BusTest):
    def memory(self, daemon, which):
        with open(f"/proc/{daemon.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith(which))

    def flood(self, script):
        return self.session.start("flood", [mockbus.PYTHON, "-c", FLOOD + script])

    def test_megabytes_of_arguments_are_not_unpacked(self):
        with Daemon(self.session) as daemon:
            before = self.memory(daemon, "VmRSS")
            flood = self.flood("call('Request', dbus.Array(['all'] * 8_000_000, 's'), '', '')")
            self.assertEqual(exit_status(flood), 0)
            peak, after = self.memory(daemon, "VmHWM"), self.memory(daemon, "VmRSS")
            print(f"64 MB of words: {before} MB before, {peak} at most, {after} after")
            # The message itself is in memory once, as it was received; it was 437 MB.
            self.assertLess(peak - before, 200)
            self.assertLess(after - before, 24)

    def test_the_memory_of_refused_calls_is_given_back(self):
        with Daemon(self.session) as daemon:
            before = self.memory(daemon, "VmRSS")
            for script in ("for _ in range(4): call('Request', ['x' * 30_000_000], '', '')",
                           "for _ in range(3000): send('Lock', 'x' * 10_000)\ncall('Lock', '')"):
                self.assertEqual(exit_status(self.flood(script)), 0)
                after = self.memory(daemon, "VmRSS")
                print(f"{script}: {before} MB before, {after} after")
                self.assertLess(after - before, 12)

    def test_a_caller_that_never_stops_delays_no_other(self):
        with Daemon(self.session) as daemon:
            daemon.hold("normal")
            flood = self.flood("flood(20_000)")
            wait_until(lambda: self.session.children.last_words("flood") == "begun", "the flood begins")
            self.session.accelerate(*ACCELERATIONS["left"])
            begin = time.monotonic()
            self.await_left()
            rotated = time.monotonic() - begin
            # On a busy machine the command gives up before it is answered.
            wait_until(lambda: daemon.ask("--status").returncode == 0, "an answer amid the calls")
            asked = time.monotonic() - begin - rotated
            self.assertEqual(exit_status(flood), 0)
            print(f"during 20,000 calls: rotated after {rotated:.2f} s, --status took {asked:.2f} s")

    def test_requests_of_many_callers_are_made_and_dropped_at_once(self):
        with Daemon(self.session) as daemon:
            daemon.hold("normal")
            flood = self.flood("requests(80, 32)")
            output = daemon.until(
                lambda now: now and any("more requests" in why for why in now["reasons"]), "requests")
            self.assertLess(len(output["reasons"]), 10)
            begin = time.monotonic()
            self.assertEqual(exit_status(flood), 0)
            daemon.until(
                lambda now: now and not any("request" in why for why in now["reasons"]), "their end")
            print(f"2,560 requests of 80 callers: gone after {time.monotonic() - begin:.2f} s")


OTHER_DAEMON = """
import subprocess, sys, dbus, dbus.bus
server = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
                           "--address=unix:path=%s"], stdout=subprocess.PIPE, text=True)
bus = dbus.bus.BusConnection(server.stdout.readline().strip())
bus.request_name("org.autorotate.Autorotate1", 4)
print("named", flush=True)
sys.stdin.read()
server.kill()
"""

FLOOD = """
import os, dbus, dbus.bus, dbus.lowlevel
ADDRESS = os.environ["DBUS_SESSION_BUS_ADDRESS"]
NAME = "org.autorotate.Autorotate1"
def call(member, *arguments, bus=None):
    bus = bus or dbus.bus.BusConnection(ADDRESS)
    try:
        return bus.call_blocking(NAME, "/org/autorotate/Autorotate1", NAME, member,
                                 None, arguments, timeout=60)
    except dbus.DBusException as error:
        return error.get_dbus_name()
def message(member, *arguments):
    message = dbus.lowlevel.MethodCallMessage(NAME, "/org/autorotate/Autorotate1", NAME, member)
    message.append(*arguments)
    message.set_no_reply(True)
    return message
shared = dbus.bus.BusConnection(ADDRESS)
def send(member, *arguments):
    shared.send_message(message(member, *arguments))
    shared.flush()
def flood(count):
    bus = dbus.bus.BusConnection(ADDRESS)
    for number in range(count):
        if number == 100: print("begun", flush=True)
        bus.send_message(message("Explain", "mpv", False) if number % 2 else message("Hold", False))
    bus.flush()
    call("Unlock", bus=bus)
def requests(callers, each):
    buses = [dbus.bus.BusConnection(ADDRESS) for _ in range(callers)]
    for bus in buses:
        for _ in range(each): bus.send_message(message("Request", dbus.Array(["all"], "s"), "Greed", ""))
        bus.flush()
    for bus in buses: call("GetStatus", bus=bus)
"""
