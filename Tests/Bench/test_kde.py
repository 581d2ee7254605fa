# SPDX-License-Identifier: MIT
"""KWin: its script reports the focus, its pixels show the direction of a rotation, and it is idle at rest."""

import os
import signal
import time

from benchkit import kwin_screenshot
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.testing import BenchTest
from benchkit.wayland import kscreen_doctor
from benchkit.wayland_windows import WaylandWindows

PLAYER = 'match = ["org.example.Player"]\nsupported = ["landscape"]\n'
READER = 'match = ["org.example.Reader"]\nsupported = ["portrait"]\nfullscreen = true\n'
SECONDS_OF_REST = 3


class KDETest(BenchTest):
    def start(self, **options):
        """A bench with rules for two applications, and autorotate on it, the device held left edge up."""
        bench = self.bench(server="kwin", sensor=options)
        for name, text in (("player", PLAYER), ("reader", READER)):
            path = os.path.join(bench.env["XDG_CONFIG_HOME"], "autorotate/apps", name + ".toml")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        bench.accelerate(*ACCELERATIONS["left"])
        return bench, self.daemon(bench)

    def daemon(self, bench, *arguments, log="daemon"):
        daemon = Daemon(bench, "--output", bench.panel, *arguments, log=log)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def windows(self, bench):
        windows = WaylandWindows(bench)
        self.addCleanup(windows.__exit__)
        return windows

    def scripts(self, bench, name="autorotate"):
        """Whether KWin has loaded such a script."""
        return "true" in bench.run(
            "dbus-send", "--session", "--print-reply", "--dest=org.kde.KWin", "/Scripting",
            "org.kde.kwin.Scripting.isScriptLoaded", f"string:{name}").stdout


class Focus(KDETest):
    def test_the_focused_application_decides(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        windows = self.windows(bench)
        windows.open("clip", "org.example.Player")
        daemon.until_shown("normal")
        windows.open("other", "org.example.Other")
        daemon.until_shown("left")
        windows.close("other")  # and the player has focus again
        daemon.until_shown("normal")
        windows.close("clip")
        daemon.until_shown("left")

    def test_a_dialog_follows_the_window_it_belongs_to(self):
        bench, daemon = self.start()
        windows = self.windows(bench)
        windows.open("clip", "org.example.Player")
        daemon.until_shown("normal")
        with daemon.rotating_only():
            windows.open("question", "org.example.Dialog", parent="clip")
            daemon.hold_until_detected("right")  # which the dialog alone would show
        self.assertEqual(daemon.status()["orientation"], "normal")

    def test_fullscreen_applies_when_it_begins_and_ends(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon.until_shown("normal")
        windows = self.windows(bench)
        windows.open("book", "org.example.Reader")
        windows.fullscreen("book")
        daemon.until(lambda now: now and now["orientation"] in ("left", "right"), "portrait")
        windows.fullscreen("book", "no")
        daemon.until_shown("normal")

    def test_a_window_on_another_display_does_not_rotate_the_panel(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        windows = self.windows(bench)
        with daemon.rotating_only("right"):
            windows.open("clip", "org.example.Player", fullscreen=bench.compositor.neighbour)
            daemon.hold("right")  # which the player does not allow
        windows.fullscreen("clip", "no")
        windows.fullscreen("clip", bench.panel)
        daemon.until_shown("normal")

    def test_the_script_is_unloaded_with_the_daemon(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        self.assertTrue(self.scripts(bench))
        daemon.end()
        self.assertFalse(self.scripts(bench))

    def test_a_killed_daemon_leaves_nothing_that_blocks_the_next(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        daemon.end(9)
        daemon = self.daemon(bench, log="second")
        windows = self.windows(bench)
        windows.open("clip", "org.example.Player")
        daemon.until_shown("normal")
        self.assertNotIn("is unknown", daemon.printed())


class Direction(KDETest):
    """KWin's virtual outputs have no panel whose pixels could be read. But KWin must show upright what a client draws
    with the transform that KWin reports for the output. So the test sees at which edge of the panel the top of
    the screen is."""

    EDGES = {"left": "left", "inverted": "bottom", "right": "right", "normal": "top"}
    RED, WHITE = [255, 0, 0], [255, 255, 255]

    def test_left_puts_the_screen_top_at_the_left_edge(self):
        bench, daemon = self.start()
        for orientation, edge in self.EDGES.items():
            daemon.hold(orientation)
            with WaylandWindows(bench) as windows:
                windows.open("picture", "org.example.Picture", fullscreen=bench.panel, edge=edge)
                seen = wait_until(lambda: self.seen(bench)) or kwin_screenshot.edges(bench, bench.panel)
            self.assertEqual([seen[side] for side in ("top", "bottom", "left", "right")],
                             [self.RED, self.WHITE, self.WHITE, self.WHITE], (orientation, seen))

    def seen(self, bench):
        """Once KWin's animation of the new window has ended."""
        seen = kwin_screenshot.edges(bench, bench.panel)
        return seen if all(seen[side] in (self.RED, self.WHITE)
                           for side in ("top", "bottom", "left", "right")) else None


class AtRest(KDETest):
    def test_nothing_wakes_it_at_rest(self):
        bench, daemon = self.start()
        windows = self.windows(bench)
        windows.open("other", "org.example.Other")
        daemon.until_shown("left")
        daemon.ask("--lock")  # and the sensor sleeps
        daemon.until_idle(SECONDS_OF_REST)


class Layout(KDETest):
    def test_rotating_back_restores_the_neighbour_above(self):
        bench, daemon = self.start()
        daemon.hold("normal")
        bench.env["QT_QPA_PLATFORM"] = "wayland"
        panel, neighbour = bench.panel, bench.compositor.neighbour
        moved = bench.run(*kscreen_doctor(
            f"output.{panel}.position.0,768", f"output.{neighbour}.position.1000,0"))
        self.assertEqual(moved.returncode, 0, moved.stderr)
        before = bench.outputs()
        daemon.hold("left")
        self.assertNotEqual(bench.output(neighbour), before[1])
        daemon.hold("normal")
        self.assertEqual(bench.outputs(), before)

    def test_scaled_neighbours_stay_adjacent(self):
        """1280x800 at 1.5 is 853x533, and rotated 533x853."""
        bench, daemon = self.start()
        daemon.until_shown("left")
        bench.env["QT_QPA_PLATFORM"] = "wayland"
        scaled = bench.run(*kscreen_doctor(
            f"output.{bench.panel}.scale.1.5", f"output.{bench.compositor.neighbour}.position.533,0"))
        self.assertEqual(scaled.returncode, 0, scaled.stderr)
        for orientation in ("inverted", "right", "normal", "left"):
            daemon.hold(orientation)
            panel, neighbour = (bench.output(name) for name in (bench.panel, bench.compositor.neighbour))
            self.assertEqual(panel["rotation"], orientation)
            self.assertEqual((neighbour["x"], neighbour["y"]), (panel["x"] + panel["w"], panel["y"]),
                             (panel, neighbour))


class Stopped(KDETest):
    """KWin is stopped: it carries out what was asked of it when it continues."""

    def test_status_and_exit_do_not_wait_for_it(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        bench.compositor.process.send_signal(signal.SIGSTOP)
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until(lambda now: now["device"] == "bottom-up", "the next sample")
        answered = seconds(lambda: self.assertEqual(daemon.ask("--status").returncode, 0))
        ended = seconds(daemon.end)
        bench.compositor.process.send_signal(signal.SIGCONT)
        print(f"        answered in {answered:.2f} s, ended in {ended:.2f} s")

    def test_a_rotation_is_completed_when_it_continues(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        bench.compositor.process.send_signal(signal.SIGSTOP)
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until(lambda now: now["device"] == "bottom-up", "the next sample")
        bench.compositor.process.send_signal(signal.SIGCONT)
        daemon.until_shown("inverted")
        self.assertEqual(bench.output(bench.panel)["rotation"], "inverted")

    def test_a_late_change_is_no_user_request(self):
        bench, daemon = self.start()
        daemon.until_shown("left")
        kwin = bench.compositor.process
        kwin.send_signal(signal.SIGSTOP)
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until_printed("within 3 s")
        daemon.until(is_rotating, "the second attempt")
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda now: now["device"] == "left-up" and not is_rotating(now), "rest")
        kwin.send_signal(signal.SIGCONT)
        wait_until(lambda: self.is_settled(bench, daemon, "left"), daemon.printed)
        self.assertNotIn("asked for", daemon.ask("--status").stdout)
        daemon.hold("inverted")

    def is_settled(self, bench, daemon, orientation):
        """Whether KWin has done everything asked earlier, and the daemon agrees with the result."""
        bench.outputs()
        return not is_rotating(daemon.status()) and bench.output(bench.panel)["rotation"] == orientation


def seconds(action):
    began = time.monotonic()
    action()
    return time.monotonic() - began
