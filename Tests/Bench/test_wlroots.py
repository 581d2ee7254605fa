# SPDX-License-Identifier: MIT
"""A wlroots compositor: the direction of rotations, the focus, idling, and changes by other programs."""

import os
import subprocess

from benchkit import c_programs, compositors
from benchkit.child_processes import Failed, exit_status, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program

TOP_ON_GLASS = {"normal": (0.5, 0.25), "left": (0.25, 0.5), "inverted": (0.5, 0.75), "right": (0.75, 0.5)}
"""The middle of the screen's upper half on the panel's glass, in fractions of the panel's own axes."""
MPV = 'match = ["mpv"]\nfullscreen = true\nsupported = ["landscape"]\n'


class Windows:
    """Real windows: the upper half red, the lower half blue."""

    def __init__(self, test, bench):
        self.test, self.bench = test, bench
        self.program = c_programs.wayland_client(bench.directory)
        self.open_ones = {}
        # Without a pointer or keyboard nothing has focus.
        self._start("seat", "seat")

    def open(self, application, *output):
        self._start(application, "window", application, *output)

    def _start(self, name, *words):
        helper = subprocess.Popen([self.program, *words], env=self.bench.env, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.open_ones[name] = helper
        self.test.addCleanup(self.close, name)
        if helper.stdout.readline() != "ready\n":
            raise Failed(f"the bench's {' '.join(words)} did not come up")

    def send(self, application, *words):
        window = self.open_ones[application]
        window.stdin.write(" ".join(words) + "\n")
        window.stdin.flush()

    def close(self, application):
        window = self.open_ones.pop(application, None)
        if window:
            window.stdin.close()
            exit_status(window)
            window.stdout.close()

    def red_on_glass(self, output):
        """Where the red is, and how much of the glass it covers."""
        result = self.bench.run(self.program, "look", output)
        return tuple(map(float, result.stdout.split())) if result.returncode == 0 else None


class WlrootsTest(BenchTest):
    def daemon(self, bench, *arguments):
        daemon = Daemon(bench, "--output", bench.panel, *arguments)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon


class Direction(WlrootsTest):
    kind = "phoc"

    def test_the_screen_top_is_at_the_edge_that_is_up(self):
        bench = self.bench(server=self.kind, sensor={})
        daemon, windows = self.daemon(bench), Windows(self, bench)
        windows.open("picture", bench.panel)
        for orientation in ("left", "inverted", "right", "normal"):
            daemon.hold(orientation)
            wanted = (*TOP_ON_GLASS[orientation], 0.5)
            seen = []

            def is_there(wanted=wanted, seen=seen):
                seen[:] = windows.red_on_glass(bench.panel)
                return all(abs(a - b) < 0.01 for a, b in zip(seen, wanted))

            wait_until(is_there, lambda: f"{orientation}: the red is at {seen}", pause=0.05)


class DirectionOnSway(Direction):
    kind = "sway"  # whose angles are the mirror image


class Applications(WlrootsTest):
    kind = "phoc"

    def start(self):
        """A daemon that shows portrait, and an editor's window."""
        bench = self.bench(server=self.kind, sensor={})
        bench.write("config/autorotate/apps/mpv.toml", MPV)
        bench.accelerate(*ACCELERATIONS["left"])
        daemon, windows = self.daemon(bench), Windows(self, bench)
        daemon.until_shown("left")
        windows.open("editor", bench.panel)
        self.until_application(daemon, "editor")
        return bench, daemon, windows

    def until_application(self, daemon, name):
        return daemon.until(lambda now: now and now["application"] == name, f"{name} in focus")

    def test_a_video_player_is_shown_in_landscape(self):
        bench, daemon, windows = self.start()
        windows.open("mpv", bench.panel)
        daemon.until_shown("normal")
        self.assertEqual(bench.output(bench.panel)["rotation"], "normal")
        windows.close("mpv")
        daemon.until_shown("left")
        self.until_application(daemon, "editor")
        self.assertEqual(bench.output(bench.panel)["rotation"], "left")

    def test_fullscreen_alone_rotates_the_screen(self):
        bench, daemon, windows = self.start()
        windows.open("mpv", bench.panel)
        daemon.until_shown("normal")
        windows.send("mpv", "windowed")
        daemon.until_shown("left")
        windows.send("mpv", "fullscreen", bench.panel)
        daemon.until_shown("normal")

    def test_a_player_on_the_neighbour_decides_nothing(self):
        bench, daemon, windows = self.start()
        neighbour = bench.compositor.neighbour
        with daemon.rotating_only("right", "left"):  # normal or inverted, if the player's rule were in effect
            windows.open("mpv", neighbour)
            daemon.hold("right")
            daemon.hold("left")
        self.assertEqual(bench.output(bench.panel)["rotation"], "left")
        self.move_to_panel(windows, bench)
        daemon.until_shown("normal")

    def move_to_panel(self, windows, bench):
        windows.send("mpv", "fullscreen", bench.panel)


if compositors.root():
    class DirectionOnLabwc(Direction):
        kind = "labwc"

    class ApplicationsOnLabwc(Applications):
        kind = "labwc"

        def move_to_panel(self, windows, bench):
            # It does not move a window that already fills an output.
            windows.close("mpv")
            windows.open("mpv", bench.panel)


class Rest(WlrootsTest):
    def test_it_sleeps_at_rest(self):
        bench = self.bench(server="phoc", sensor={})
        daemon, windows = self.daemon(bench), Windows(self, bench)
        windows.open("editor")
        daemon.hold("left")
        daemon.ask("--lock")
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        daemon.until_idle(3)


class Others(WlrootsTest):
    def test_a_rotation_by_another_program_is_seen(self):
        bench = self.bench(server="phoc", sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        daemon.let_layout_settle()
        bench.run("wlr-randr", "--output", bench.panel, "--transform", "180")
        daemon.until_shown("inverted")
        daemon.hold("right")
        self.assertEqual(bench.output(bench.panel)["rotation"], "right")

    def test_a_scaled_neighbour_stays_adjacent(self):
        bench = self.bench(server="phoc", sensor={})
        bench.run("wlr-randr", "--output", bench.panel, "--scale", "1.3333")
        daemon = self.daemon(bench)
        # Numbers of the compositor itself, which reports scales in steps of 1/256.
        before = self.places(bench)
        for orientation in ("left", "normal"):
            daemon.hold(orientation)
        self.assertEqual(self.places(bench), before)

    def places(self, bench):
        return {each["name"]: (each["x"], each["y"]) for each in bench.outputs()}


class Trouble(WlrootsTest):
    def test_a_socket_without_compositor_is_named(self):
        bench = self.bench(server="phoc", sensor={})
        path = bench.env["DBUS_SESSION_BUS_ADDRESS"].removeprefix("unix:path=")
        bench.env["WAYLAND_DISPLAY"] = path
        result = bench.run(program(), "--backend", "wlroots")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(path, result.stderr)

    def test_a_compositor_that_hangs_is_left_in_time(self):
        bench = self.bench(server="phoc", sensor={})
        daemon = self.daemon(bench)
        daemon.hold("left")
        os.kill(bench.compositor.process.pid, 19)
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until(lambda now: any("does not answer" in each for each in now["reasons"]), "failure")
        os.kill(bench.compositor.process.pid, 18)
        daemon.until_shown("inverted")
        self.assertEqual(bench.output(bench.panel)["rotation"], "inverted")

    def test_outputs_that_sway_1_7_reports_off_are_not_disabled(self):
        bench = self.bench(server="sway", sensor={})
        printed = bench.run("swaymsg", "-t", "get_version").stdout
        if not any(f"sway version {version}" in printed for version in ("1.7", "1.8")):
            return  # only those report it
        daemon = Daemon(bench, "--backend", "wlroots", "--output", bench.panel, "--wait")
        daemon.await_name()
        daemon.ask("--rotate", "left")
        daemon.end()
        self.assertEqual({each["rotation"] for each in bench.outputs()}, {"normal"})
        self.assertEqual(bench.run("swaymsg", "output", bench.panel, "transform", "90").returncode, 0)
        wait_until(lambda: bench.output(bench.panel)["rotation"] == "right", "the screen is rotated right")
