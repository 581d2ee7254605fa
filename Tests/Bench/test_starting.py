# SPDX-License-Identifier: MIT
"""How the daemon starts and ends where something is not ready, or another daemon runs already."""

import os
import signal
import subprocess

from benchkit import compositors
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program

WITHOUT_BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"}


class StartingTest(BenchTest):
    def daemon(self, bench, *arguments, log="daemon"):
        daemon = Daemon(bench, *arguments, log=log)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon


class Pipes(StartingTest):
    def test_it_continues_when_its_output_is_closed(self):
        """It once ended without restoring anything, as with `autorotate 2>&1 | head -1`."""
        bench = self.bench(sensor={})
        reading, writing = os.pipe()
        process = subprocess.Popen([program()], env=bench.device_env, stdout=writing, stderr=writing)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(writing)
        os.close(reading)
        for hold in ("left", "inverted", "left"):
            bench.accelerate(*ACCELERATIONS[hold])
            wait_until(lambda hold=hold: bench.output("eDP-1")["rotation"] == hold, lambda: f"the screen is {hold}; {process.poll()}")
        process.terminate()
        self.assertEqual(exit_status(process), 0)


class FewDescriptors(StartingTest):
    """systemd does not restart it after exit status 4, which means that nothing can be rotated here."""

    NOT_POSSIBLE = 4

    def test_too_few_descriptors_are_not_a_missing_sensor_or_display(self):
        bench = self.bench(sensor={})
        for arguments in ([], ["--wait", "--unless-running"]):
            ended = {}
            for count in range(3, 21):
                limit = ["prlimit", f"--nofile={count}:{count}"]
                daemon = Daemon(bench, *arguments, log=f"daemon-{count}-{len(arguments)}", starter=limit)
                self.await_end_or_rest(daemon)
                if daemon.process.poll() is not None:
                    ended[count] = daemon.process.returncode
                daemon.end()
            print(f"        (status by the number of descriptors, {arguments or 'no options'}: {ended})", flush=True)
            self.assertTrue(ended)
            self.assertNotIn(self.NOT_POSSIBLE, ended.values())
            self.assertNotIn(0, ended.values())

    @staticmethod
    def await_end_or_rest(daemon):
        """Until it has ended, or only reads its sensor."""
        def has_come():
            if daemon.process.poll() is not None:
                return True
            try:
                before = daemon.switches()
                let_pass(0.25)
                return sum(daemon.switches()) - sum(before) <= 1
            except FileNotFoundError:
                return False

        wait_until(has_come, "the end of the start")


class TwoDaemons(StartingTest):
    """The name on the bus identifies the other daemon only where both have a bus."""

    def test_two_daemons_of_which_one_has_no_bus(self):
        bench = self.bench(sensor={})
        first = self.daemon(bench, "--wait")
        first.await_name()
        self.assertSecondRefused(bench, first)
        first.process.kill()
        exit_status(first.process)
        # The killed one leaves nothing that blocks the next.
        second = self.start_without_bus(bench, "second")
        bench.accelerate(*ACCELERATIONS["left"])
        wait_until(lambda: bench.output("eDP-1")["rotation"] == "left", "the screen is rotated left")
        self.assertIsNone(second.process.poll())
        # And the other way round: the one with a bus starts last.
        third = self.daemon(bench, "--wait", log="third")
        self.assertEqual(exit_status(third.process), 1)
        self.assertIn(f"already running (process {second.process.pid})", third.printed())
        self.assertIn("stop it with `kill", third.printed())

    def start_without_bus(self, bench, log, *arguments):
        address = bench.env["DBUS_SESSION_BUS_ADDRESS"]
        bench.env.update(WITHOUT_BUS)
        try:
            return self.daemon(bench, "--wait", *arguments, log=log)
        finally:
            bench.env["DBUS_SESSION_BUS_ADDRESS"] = address

    def assertSecondRefused(self, bench, first):
        second = self.start_without_bus(bench, "twin")
        self.assertEqual(exit_status(second.process), 1)
        self.assertIn(f"already running (process {first.process.pid})", second.printed())
        quiet = self.start_without_bus(bench, "quiet", "--unless-running")
        self.assertEqual(exit_status(quiet.process), 0)
        self.assertNotIn("already running", quiet.printed())
        self.assertIsNone(first.process.poll())


class Waiting(StartingTest):
    """On sway."""

    SECONDS = 5  # it once checked more often

    def started(self):
        return self.bench(server="sway", sensor={})

    def stop(self, bench):
        os.killpg(bench.compositor.process.pid, signal.SIGSTOP)
        self.addCleanup(self.continue_compositor, bench)

    def continue_compositor(self, bench):
        if bench.compositor.process.poll() is None:
            os.killpg(bench.compositor.process.pid, signal.SIGCONT)

    def await_output(self, daemon, bench):
        daemon.await_name()
        daemon.until_printed("Waiting for a display")
        self.assertIn("reports no output at the moment", daemon.ask("--status").stdout)
        self.assertIsNone(daemon.process.poll())

    def assertRotates(self, daemon, bench):
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until_shown("left")

    def test_a_compositor_that_starts_later_is_used(self):
        bench = self.started()
        bench.children.stop(bench.compositor.process)
        daemon = self.daemon(bench, "--wait", "--output", bench.panel)
        self.await_output(daemon, bench)
        bench.compositor = self.again(bench)
        self.assertRotates(daemon, bench)

    def test_it_sleeps_while_there_is_no_compositor(self):
        bench = self.started()
        bench.children.stop(bench.compositor.process)
        daemon = self.daemon(bench, "--wait", "--output", bench.panel)
        self.await_output(daemon, bench)
        daemon.until_idle(self.SECONDS)

    def test_a_later_compositor_is_found_without_its_variable(self):
        """As the unit is started before the session passes WAYLAND_DISPLAY on."""
        bench = self.started()
        bench.children.stop(bench.compositor.process)
        named = {name: bench.env.pop(name) for name in ("WAYLAND_DISPLAY", "SWAYSOCK") if name in bench.env}
        daemon = self.daemon(bench, "--wait", "--output", bench.panel)
        self.await_output(daemon, bench)
        bench.env.update(named)
        bench.compositor = self.again(bench)
        self.assertRotates(daemon, bench)

    def test_a_running_compositor_is_found_without_its_variable(self):
        bench = self.started()
        for name in ("WAYLAND_DISPLAY", "SWAYSOCK"):
            bench.env.pop(name, None)
        daemon = self.daemon(bench, "--wait", "--output", bench.panel)
        daemon.await_name()
        self.assertRotates(daemon, bench)

    def test_a_busy_compositor_is_waited_for(self):
        bench = self.started()
        self.stop(bench)
        daemon = self.daemon(bench, "--wait", "--output", bench.panel)
        self.await_output(daemon, bench)
        self.continue_compositor(bench)
        self.assertRotates(daemon, bench)

    def test_it_ends_at_once_while_it_waits(self):
        bench = self.started()
        self.stop(bench)
        daemon = self.daemon(bench, "--wait")
        self.await_output(daemon, bench)
        self.assertEqual(daemon.end(), 0)

    def test_without_waiting_only_a_missing_display_exits_with_4(self):
        bench = self.started()
        self.stop(bench)
        self.assertEqual(exit_status(self.daemon(bench, log="busy").process), 1)
        self.continue_compositor(bench)
        bench.children.stop(bench.compositor.process)
        self.assertEqual(exit_status(self.daemon(bench, log="absent").process), 4)

    def again(self, bench):
        compositor = compositors.Compositor(
            bench.children, bench.directory, bench.env, "sway", bench.options.mode)
        bench.env.update(compositor.environment)
        return compositor
