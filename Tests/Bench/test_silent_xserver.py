# SPDX-License-Identifier: MIT
"""An X server that is stopped, grabbed by another client, or blanked: the daemon keeps running."""

import ctypes
import signal
import time

from benchkit import logind
from benchkit.child_processes import let_pass, stop_between_answers, wait_until
from benchkit.daemon import ACCELERATIONS, is_rotating
from benchkit.stalling_xserver import HalfAnswers
from benchkit.testing import program
from test_daemon import DaemonTest


class GrabbedServer:
    """The X server, grabbed by a client."""

    def __init__(self, display):
        self.library = ctypes.CDLL("libX11.so.6")
        self.library.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.library.XOpenDisplay(display.encode()))
        self.library.XGrabServer(self.display)
        self.library.XSync(self.display, 0)

    def end(self):
        if self.display:
            self.library.XCloseDisplay(self.display)
        self.display = None


class SilentServerTest(DaemonTest):
    def stopped(self, bench):
        """Between two answers; see HalfAnswered for the other case."""
        stop_between_answers(bench.xserver)
        self.addCleanup(bench.xserver.send_signal, signal.SIGCONT)

    def timed(self, work):
        began = time.monotonic()
        work()
        return time.monotonic() - began

    def assertAnswers(self, daemon, seconds):
        """It answers repeatedly for so many seconds, as if nothing had happened; how fast is measured elsewhere."""
        longest, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            longest = max(longest, self.timed(lambda: self.assertEqual(daemon.ask("--status").returncode, 0)))
            let_pass(0.05)
        print(f"the longest --status lasted {longest:.2f} s", flush=True)

    def assertEnds(self, daemon):
        taken = self.timed(lambda: self.assertEqual(daemon.end(), 0))
        print(f"the end lasted {taken:.2f} s", flush=True)

    def assertRight(self, bench, daemon, orientation):
        daemon.until_shown(orientation)
        wait_until(lambda: bench.output("eDP-1")["rotation"] == orientation, f"the screen is {orientation}")
        self.assertConsistent(bench)


class StoppedServer(SilentServerTest):
    def test_a_rotation_during_a_stop_is_made_when_it_continues(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.stopped(bench)
        bench.accelerate(*ACCELERATIONS["inverted"])
        self.assertAnswers(daemon, 7)
        self.assertEqual(daemon.printed().count("autorotate: the X server of display"), 1, daemon.printed())
        bench.xserver.send_signal(signal.SIGCONT)
        self.assertRight(bench, daemon, "inverted")
        self.assertNotIn("did not rotate", daemon.printed())
        self.assertNotIn("You asked", daemon.ask("--status").stdout)

    def test_an_unchanged_device_orientation_shows_no_fault_afterwards(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.stopped(bench)
        bench.accelerate(*ACCELERATIONS["inverted"])
        self.assertAnswers(daemon, 2)
        bench.accelerate(*ACCELERATIONS["left"])
        self.assertAnswers(daemon, 2)
        bench.xserver.send_signal(signal.SIGCONT)
        daemon.until(lambda now: (now["device"], now["orientation"]) == ("left-up", "left") and not is_rotating(now),
                     "left, at rest")
        self.assertRight(bench, daemon, "left")
        daemon.hold("right")
        self.assertRight(bench, daemon, "right")

    def test_it_ends_while_the_server_is_stopped(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.stopped(bench)
        daemon.hold_until_detected("normal")
        daemon.until(is_rotating, "the rotation begins")
        self.assertEnds(daemon)
        bench.xserver.send_signal(signal.SIGCONT)
        self.assertConsistent(bench)

    def test_it_ends_at_once_if_no_rotation_is_pending(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.stopped(bench)
        self.assertEnds(daemon)

    def test_a_server_stopped_at_the_start_is_waited_for(self):
        bench = self.bench(sensor={})
        self.stopped(bench)
        daemon = self.daemon(bench)
        self.assertAnswers(daemon, 3)
        bench.accelerate(*ACCELERATIONS["right"])
        bench.xserver.send_signal(signal.SIGCONT)
        self.assertRight(bench, daemon, "right")

    def test_it_ends_if_the_server_was_never_available(self):
        bench = self.bench(sensor={})
        self.stopped(bench)
        self.assertEnds(self.daemon(bench))

    def test_doctor_reports_a_stopped_server(self):
        bench = self.bench(sensor={})
        self.stopped(bench)
        output = []
        taken = self.timed(lambda: output.append(bench.run(program(), "doctor")))
        print(f"doctor took {taken:.2f} s", flush=True)
        self.assertIn("does not answer", output[0].stdout)


class TerminalSwitched(SilentServerTest):
    """Xorg does not answer while it releases its terminal and acquires it again."""

    def test_a_server_silent_in_another_session_is_not_reported(self):
        bench = self.bench(sensor={})
        bring_to_front = logind.start(bench)
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.stopped(bench)
        daemon.hold_until_detected("inverted")
        daemon.until(is_rotating, "the rotation begins")
        bring_to_front(False)
        daemon.until(lambda now: "session.inactive" in now["reasonCodes"], "another session")
        daemon.until(lambda now: "display.off" in now["reasonCodes"], "the silence")
        bench.xserver.send_signal(signal.SIGCONT)
        bring_to_front(True)
        self.assertRight(bench, daemon, "inverted")
        self.assertNotIn("does not answer", daemon.printed())


class HalfAnswered(SilentServerTest):
    """libxcb itself waits for the rest of an answer without limit, and the daemon with it."""

    def test_a_server_stopped_within_an_answer_recovers(self):
        bench = self.bench(sensor={})
        server = HalfAnswers(bench.display)
        self.addCleanup(server.end)
        behind, bench.env["DISPLAY"] = bench.env["DISPLAY"], server.display
        daemon = self.daemon(bench)
        bench.env["DISPLAY"] = behind
        daemon.hold("left")
        server.stop_in_next_answer()
        bench.accelerate(*ACCELERATIONS["inverted"])
        wait_until(server.has_stopped.is_set, "the server stops")
        let_pass(3)
        server.resume()
        self.assertRight(bench, daemon, "inverted")
        daemon.hold("right")
        self.assertRight(bench, daemon, "right")
        self.assertEnds(daemon)
        self.assertConsistent(bench)


class GrabbedServerTest(SilentServerTest):
    def test_another_clients_grab_is_waited_for(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        grab = GrabbedServer(bench.display)
        self.addCleanup(grab.end)
        bench.accelerate(*ACCELERATIONS["inverted"])
        self.assertAnswers(daemon, 5)
        grab.end()
        self.assertRight(bench, daemon, "inverted")


class Blanked(SilentServerTest):
    def assertNothingHappens(self, bench, daemon, seconds):
        """The sensor sleeps, and nothing is retried for so many seconds."""
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "the sensor sleeps")
        rotations = daemon.rotations()
        bench.accelerate(*ACCELERATIONS["normal"])
        let_pass(seconds)
        self.assertEqual(daemon.rotations(), rotations)
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")
        self.assertNotIn("could not be rotated", daemon.printed())

    def test_while_blanked_nothing_rotates_and_afterwards_all_is_correct(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        bench.run("xset", "dpms", "force", "off")
        daemon.until(lambda now: "The display is off." in now["reasons"], "the dark")
        self.assertNothingHappens(bench, daemon, 3)
        bench.run("xset", "dpms", "force", "on")
        began = time.monotonic()
        self.assertRight(bench, daemon, "normal")
        print(f"right {time.monotonic() - began:.2f} s after the light", flush=True)

    def test_a_server_on_another_terminal_rotates_when_it_is_back(self):
        bench = self.bench(sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.leave_terminal(bench, True)
        daemon.until(lambda now: "The display is off." in now["reasons"], "the dark")
        self.assertNothingHappens(bench, daemon, 7)
        self.leave_terminal(bench, False)
        began = time.monotonic()
        self.assertRight(bench, daemon, "normal")
        print(f"right {time.monotonic() - began:.2f} s after the switch", flush=True)

    @staticmethod
    def leave_terminal(bench, is_left):
        """As Xorg does it: it can rotate nothing without its terminal, and reports that on the root window."""
        if is_left:
            bench.refuse_rotation(True)
        bench.run("xprop", "-root", "-f", "XFree86_has_VT", "32i", "-set", "XFree86_has_VT", 0 if is_left else 1)
        if not is_left:
            bench.refuse_rotation(False)
