# SPDX-License-Identifier: MIT
"""The focused app decides the allowed orientations: real windows under real window managers."""

import signal

from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

MPV = 'match = ["mpv"]\nfullscreen = true\nsupported = ["landscape"]\n'


class FocusTest(BenchTest):
    def bench(self, rules=MPV, settings="", neighbour=False, **options):
        """A bench on which the device is held in portrait, left edge up.

        Without a neighbour: when the panel beside one rotates, openbox moves a fullscreen window over there,
        until it is moved back.
        """
        bench = super().bench(sensor={}, **options)
        if not neighbour:
            bench.run("xrandr", "--output", "HDMI-1", "--off")
        bench.write("config/autorotate/apps/mpv.toml", rules)
        bench.write("config/autorotate/config.toml", settings)
        bench.accelerate(*ACCELERATIONS["left"])
        return bench

    def start(self, **options):
        """A daemon that shows portrait, and no window."""
        bench = self.bench(**options)
        windows = Windows(bench.env)
        self.addCleanup(windows.end)
        return bench, windows, self.daemon(bench)

    def daemon(self, bench):
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("left")
        return daemon

    def start_with_two_windows(self, **options):
        """The same with mpv, fullscreen and focused, and an xterm behind it. The screen is in landscape."""
        bench, windows, daemon = self.start(**options)
        numbers = {"xterm": windows.open("xterm", "XTerm"),
                   "mpv": windows.open("mpv", "mpv", fullscreen="yes")}
        daemon.until_shown("normal")
        return bench, windows, daemon, numbers

    def until_application(self, daemon, name):
        return daemon.until(lambda now: now and now["application"] == name, f"{name} in focus")

    def assertShown(self, bench, orientation):
        """As the server itself reports it."""
        self.assertEqual(bench.output("eDP-1")["rotation"], orientation)


class Applications(FocusTest):
    shares_bench = True

    def rotates_under(self, manager):
        bench, windows, daemon, numbers = self.start_with_two_windows(wm=manager)
        self.assertEqual(bench.output("eDP-1")["rotation"], "normal")
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("left")
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")
        windows.activate("mpv", numbers["mpv"])
        windows.send("fullscreen", "mpv", "yes")  # i3 ends it when another window gets the focus
        daemon.until_shown("normal")
        windows.send("close", "mpv")
        daemon.until_shown("left")

    def test_openbox_shows_a_video_player_in_landscape(self):
        self.rotates_under("openbox")

    def test_i3_shows_a_video_player_in_landscape(self):
        self.rotates_under("i3")

    def test_xfwm4_shows_a_video_player_in_landscape(self):
        self.rotates_under("xfwm4")

    def test_fullscreen_alone_rotates_the_screen(self):
        _bench, windows, daemon = self.start()
        windows.open("mpv", "mpv")
        self.until_application(daemon, "mpv")
        self.assertEqual(daemon.status()["orientation"], "left")
        windows.send("fullscreen", "mpv", "yes")
        daemon.until_shown("normal")
        windows.send("fullscreen", "mpv", "no")
        daemon.until_shown("left")

    def test_the_opposite_landscape_is_never_forced(self):
        bench, windows, daemon, _numbers = self.start_with_two_windows()
        daemon.hold("inverted")
        with daemon.rotating_only():
            daemon.hold_until_detected("left")
        self.assertShown(bench, "inverted")
        windows.send("close", "mpv")
        daemon.until_shown("left")
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until_shown("inverted")
        with daemon.rotating_only():
            windows.open("mpv", "mpv", fullscreen="yes")
            self.until_application(daemon, "mpv")
        self.assertShown(bench, "inverted")

    def test_a_request_for_a_window_applies_while_it_has_focus(self):
        bench, windows, daemon, numbers = self.start_with_two_windows()
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("left")
        request = bench.start("request", [
            program(), "request", "inverted", "--while-focused", "XTerm", "--app", "Maps", "--", "sleep", "600"])
        self.assertIn("Maps asks for upside down.", daemon.until_shown("inverted")["reasons"])
        windows.activate("mpv", numbers["mpv"])
        windows.send("fullscreen", "mpv", "no")
        self.until_application(daemon, "mpv")
        status = daemon.until_shown("left")
        self.assertIn("The request of Maps applies only while XTerm has focus.", status["reasons"])
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("inverted")
        request.terminate()
        daemon.until_shown("left")

    def test_a_dialog_keeps_the_landscape(self):
        bench, windows, daemon, _numbers = self.start_with_two_windows()
        with daemon.rotating_only():
            windows.open("dialog", "Zenity", type="DIALOG", **{"for": "mpv"})
            windows.open("question", "Zenity", type="DIALOG", **{"for": "dialog"})
            daemon.hold_until_detected("right")  # which the dialog alone would show
        self.assertShown(bench, "normal")
        self.assertEqual(daemon.status()["application"], "mpv")

    def test_a_window_without_application_keeps_the_landscape(self):
        for kind in ("DOCK", "NOTIFICATION", "DESKTOP", "POPUP_MENU"):
            with self.subTest(kind=kind):
                bench, windows, daemon, _numbers = self.start_with_two_windows()
                with daemon.rotating_only():
                    windows.open_only("other", "Other", type=kind, y=700, h=40)
                    daemon.hold_until_detected("right")  # which an application without a rule would show, as the next one
                    windows.send("pretend", "other")
                    daemon.hold_until_detected("left")
                    windows.send("pretend", "none")
                    windows.send("pretend", "other")
                    daemon.hold_until_detected("right")
                self.assertShown(bench, "normal")
                windows.send("close", "mpv")
                daemon.until_shown("right")

    def test_alt_tabbing_rotates_at_most_once(self):
        """Faster than a focus change is applied: on a busy machine only while the daemon is stopped. The core's scenarios
        have the changes one after the other, in their own time."""
        bench, windows, daemon, numbers = self.start_with_two_windows()
        with daemon.rotating_only():
            self.alternate(windows, daemon, numbers, 10)
            daemon.hold_until_detected("right")  # which xterm would show
        self.assertShown(bench, "normal")
        with daemon.rotating_only("right"):
            self.alternate(windows, daemon, numbers, 11)
            daemon.until_shown("right")
            self.until_application(daemon, "XTerm")
        self.assertShown(bench, "right")

    def alternate(self, windows, daemon, numbers, count):
        """Gives the focus to xterm, to mpv and so on."""
        daemon.process.send_signal(signal.SIGSTOP)
        for number in range(count):
            name = ("xterm", "mpv")[number % 2]
            windows.activate(name, numbers[name])
        daemon.process.send_signal(signal.SIGCONT)

    def test_a_window_on_another_output_is_ignored(self):
        bench, windows, daemon = self.start(neighbour=True)
        with daemon.rotating_only("right"):
            windows.open("mpv", "mpv", x=1100, y=100)
            windows.send("fullscreen", "mpv", "yes")
            daemon.hold("right")  # which mpv does not allow
        self.assertShown(bench, "right")
        windows.send("fullscreen", "mpv", "no")
        windows.send("move", "mpv", 100, 100)
        self.until_application(daemon, "mpv")
        windows.send("fullscreen", "mpv", "yes")
        daemon.until_shown("normal")

    def test_a_window_left_beside_the_panel_rotates_nothing_back(self):
        bench, windows, daemon = self.start(
            rules='match = ["mpv"]\nsupported = ["portrait"]\n', neighbour=True)
        daemon.hold("normal")
        windows.open("mpv", "mpv", x=950, y=100)
        daemon.until_shown("left")
        with daemon.rotating_only():
            daemon.hold_until_detected("inverted")  # which mpv does not allow
        self.assertShown(bench, "left")

    def test_the_desktop_file_decides_where_no_rule_does(self):
        bench, windows, daemon = self.start()
        key = "X-Lomiri-Supported-Orientations"
        bench.write("data/applications/org.example.Player.desktop",
              f"[Desktop Entry]\nType=Application\nStartupWMClass=player\n{key}=landscape\n")
        bench.write("data/applications/mpv.desktop",
              f"[Desktop Entry]\nType=Application\n{key}=portrait\n")
        windows.open("player", "Player")
        status = daemon.until_shown("normal")
        self.assertIn("Player shows landscape or upside down (its desktop file).", status["reasons"])
        windows.open("mpv", "mpv", fullscreen="yes")
        status = self.until_application(daemon, "mpv")
        self.assertEqual(status["orientation"], "normal")


class Locks(FocusTest):
    shares_bench = True

    def test_an_app_gets_its_orientation_despite_the_lock(self):
        _bench, windows, daemon, numbers = self.start_with_two_windows()
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("left")
        daemon.ask("--lock")
        windows.activate("mpv", numbers["mpv"])
        status = daemon.until_shown("normal")
        self.assertEqual(status["lock"]["orientation"], "left")
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("left")

    def test_locking_on_a_video_player_keeps_its_orientation(self):
        bench, windows, daemon, numbers = self.start_with_two_windows()
        with daemon.rotating_only():
            daemon.ask("--lock")
            self.assertEqual(daemon.status()["lock"]["orientation"], "normal")
            windows.activate("xterm", numbers["xterm"])
            self.until_application(daemon, "XTerm")
        self.assertShown(bench, "normal")
        daemon.ask("--unlock")
        daemon.until_shown("left")

    def test_a_lock_no_player_shows_waits_until_focus_changes(self):
        bench, windows, daemon, numbers = self.start_with_two_windows()
        with daemon.rotating_only():
            daemon.ask("--lock", "right")
            daemon.until(lambda now: now["lock"] and now["lock"]["orientation"] == "right", "the lock")
        self.assertShown(bench, "normal")
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("right")

    def test_the_lock_overrides_apps_if_configured(self):
        bench, windows, daemon = self.start(settings="[lock]\nover-apps = true\n")
        with daemon.rotating_only():
            daemon.ask("--lock")
            windows.open("mpv", "mpv", fullscreen="yes")
            self.until_application(daemon, "mpv")
        self.assertShown(bench, "left")


class WindowManagers(FocusTest):
    MISSING = "no window manager reports the active window"

    def kill(self, bench):
        bench.window_manager.send_signal(signal.SIGKILL)
        bench.window_manager.wait()

    def test_a_restarted_window_manager_is_noticed(self):
        bench, _windows, daemon, _numbers = self.start_with_two_windows()
        self.kill(bench)
        daemon.until_shown("left")
        daemon.until_printed(self.MISSING)
        bench.start_window_manager("i3")
        daemon.until_shown("normal")
        self.kill(bench)
        daemon.until_shown("left")
        bench.start_window_manager("openbox")
        daemon.until_shown("normal")
        self.assertEqual(daemon.printed().count(self.MISSING), 1, daemon.printed())

    def test_a_missing_window_manager_is_reported_once(self):
        bench, windows, daemon = self.start(wm="none")
        with daemon.rotating_only("right"):
            windows.open_only("mpv", "mpv", fullscreen="yes")
            windows.send("pretend", "mpv")
            daemon.until_printed(self.MISSING)
            daemon.hold("right")  # which mpv does not allow
        self.assertShown(bench, "right")
        bench.start_window_manager("openbox")
        windows.activate("mpv", windows.send("active") or windows.open("mpv2", "mpv", fullscreen="yes"))
        daemon.until_shown("normal")
        self.assertEqual(daemon.printed().count(self.MISSING), 1)

    def test_many_windows_at_once_do_no_harm(self):
        bench, windows, daemon, numbers = self.start_with_two_windows()
        windows.send("storm", 500)
        windows.send("pretend", "mpv")
        daemon.until(lambda now: now["application"] == "mpv", "mpv in focus")
        self.assertIsNone(daemon.process.poll())
        windows.activate("xterm", numbers["xterm"])
        daemon.until_shown("left")
        self.assertNotIn("Bad", daemon.printed())
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")
