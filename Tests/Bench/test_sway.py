# SPDX-License-Identifier: MIT
"""On sway, by its IPC: who has focus, what other programs and a reload do, and what idling costs.

What is the same on every Wayland desktop is in test_wayland.py.
"""

import json
import os
import signal

from benchkit import requirements, processes
from benchkit.child_processes import exit_status, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.nested_sway import PANEL, NestedSway
from benchkit.testing import BenchTest, program
from benchkit.wayland import outputs

MPV = 'match = ["mpv"]\nfullscreen = true\nsupported = ["landscape"]\n'
READER = 'match = ["reader"]\nsupported = ["portrait"]\n'
SECONDS_OF_IDLING = 3.0


class SwayTest(BenchTest):
    def start(self, rules=None, hold="normal"):
        bench = self.bench(server="sway", sensor={})
        self.sway(bench, "focus", "output", bench.panel)  # newer ones begin on the other
        for name, text in (rules or {}).items():
            bench.write(f"config/autorotate/apps/{name}.toml", text)
        bench.accelerate(*ACCELERATIONS[hold])
        daemon = Daemon(bench, "--backend", "sway", "--output", bench.panel)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown(hold)
        return bench, daemon

    def sway(self, bench, *words):
        """Sends sway a command as a user does."""
        result = bench.run("swaymsg", "--", *words)
        self.assertEqual(result.returncode, 0, f"swaymsg {words}: {result.stdout}{result.stderr}")

    def shown(self, bench):
        return next(each["rotation"] for each in outputs("sway", bench.env) if each["name"] == bench.panel)

    def window(self, bench, application, *options):
        """Opens a terminal of another name, and waits until sway shows it."""
        # In the plain environment: the mock accelerometer's library breaks foot's terminal.
        bench.children.start(application, ["foot", "--app-id", application, *options, "sleep", "600"], bench.env)
        wait_until(lambda: application in self.applications(bench), lambda: bench.children.last_words(application))

    def applications(self, bench):
        def walk(node):
            if node.get("app_id"):
                yield node["app_id"]
            for child in node["nodes"] + node["floating_nodes"]:
                yield from walk(child)
        return set(walk(json.loads(bench.run("swaymsg", "-r", "-t", "get_tree").stdout)))

    def focus(self, bench, application):
        self.sway(bench, f"[app_id={application}]", "focus")


class Applications(SwayTest):
    def test_the_focused_window_decides(self):
        bench, daemon = self.start({"reader": READER}, hold="inverted")
        self.window(bench, "reader")
        daemon.until_shown("left")
        self.window(bench, "shell")
        daemon.until_shown("inverted")
        self.assertEqual(self.shown(bench), "inverted")
        self.focus(bench, "reader")
        daemon.until_shown("left")
        self.assertEqual(self.shown(bench), "left")
        self.sway(bench, "[app_id=reader]", "kill")
        daemon.until_shown("inverted")

    def test_a_title_may_have_any_letters(self):
        bench, daemon = self.start({"reader": READER}, hold="inverted")
        self.window(bench, "reader", "--title", "Übung 3 m² – 屏幕")
        daemon.until_shown("left")
        self.window(bench, "shell", "--title", "Zurück")
        daemon.until_shown("inverted")

    def test_fullscreen_decides_where_a_rule_says_so(self):
        bench, daemon = self.start({"mpv": MPV}, hold="left")
        self.window(bench, "mpv")
        self.window(bench, "shell")
        self.focus(bench, "mpv")
        self.sway(bench, "[app_id=mpv]", "fullscreen", "enable")
        daemon.until_shown("normal")
        self.sway(bench, "[app_id=mpv]", "fullscreen", "disable")
        daemon.until_shown("left")

    def test_windows_on_the_other_output_do_not_rotate_the_panel(self):
        bench, daemon = self.start({"reader": READER}, hold="inverted")
        self.sway(bench, "focus", "output", bench.compositor.neighbour)
        with daemon.rotating_only("normal"):  # left or right, if the reader's rule were in effect
            self.window(bench, "reader")
            daemon.hold("normal")
        self.assertEqual(self.shown(bench), "normal")
        self.sway(bench, "[app_id=reader]", "move", "container", "to", "output", bench.panel)
        self.focus(bench, "reader")
        daemon.until_shown("left")

    def test_a_window_in_the_scratchpad_decides_while_it_is_shown(self):
        bench, daemon = self.start({"reader": READER}, hold="inverted")
        self.window(bench, "shell")
        self.window(bench, "reader")
        daemon.until_shown("left")
        self.sway(bench, "move", "scratchpad")
        daemon.until_shown("inverted")
        self.sway(bench, "scratchpad", "show")
        daemon.until_shown("left")


class Others(SwayTest):
    def test_a_reload_keeps_the_rotation_of_an_earlier_daemon(self):
        bench, daemon = self.start()
        daemon.hold("left")
        daemon.end()
        daemon = Daemon(bench, "--output", bench.panel, log="second")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        daemon.until_shown("left")
        self.sway(bench, "reload")
        wait_until(lambda: bench.output(bench.panel)["rotation"] == "left", "the screen is rotated left")
        daemon.hold("inverted")
        reasons = {reason for status in daemon.followed if status for reason in status["reasons"]}
        self.assertFalse([each for each in reasons if "You asked" in each])
        self.assertEqual(bench.output(bench.panel)["rotation"], "inverted")

    def test_a_reload_does_not_undo_a_rotation(self):
        bench, daemon = self.start()
        daemon.hold("left")
        self.sway(bench, "reload")
        wait_until(lambda: self.shown(bench) == "left", lambda: self.shown(bench))
        panel, neighbour = outputs("sway", bench.env)
        self.assertEqual(neighbour["x"], panel["x"] + panel["w"])

    def test_a_new_monitor_is_placed_beside_the_others(self):
        bench, daemon = self.start()
        self.sway(bench, "create_output")
        daemon.hold("left")
        places = sorted((each["x"], each["x"] + each["w"]) for each in outputs("sway", bench.env))
        self.assertEqual([end for _start, end in places[:-1]], [start for start, _end in places[1:]], places)
        self.assertEqual(len(places), 3)

    def test_sway_asked_to_end_ends_it_too(self):
        bench, daemon = self.start()
        bench.run("swaymsg", "exit")
        self.assertEqual(exit_status(daemon.process), 1)
        self.assertIn("sway has ended", daemon.printed())

    def test_a_sway_that_hangs_is_reported_once_and_recovers(self):
        bench, daemon = self.start()
        bench.compositor.process.send_signal(signal.SIGSTOP)
        self.addCleanup(bench.compositor.process.send_signal, signal.SIGCONT)
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until_printed("no answer within 2 s")
        bench.compositor.process.send_signal(signal.SIGCONT)
        daemon.hold("left")
        self.assertEqual(self.shown(bench), "left")

    def test_the_socket_of_an_ended_sway_is_ignored(self):
        bench = self.bench(server="sway", sensor={})
        bench.env["SWAYSOCK"] = bench.env["SWAYSOCK"].replace(".sock", ".old.sock")
        daemon = Daemon(bench, "--backend", "sway", "--output", bench.panel)
        daemon.await_name()
        self.addCleanup(daemon.end)
        daemon.until_shown("normal")


class Layout(SwayTest):
    """Changes of the layout by other programs, which sway 1.7 reports in no event."""

    def places(self, bench):
        return [(each["x"], each["w"]) for each in outputs("sway", bench.env)]

    def rotates_there_and_back(self, bench, daemon):
        before = outputs("sway", bench.env)
        for orientation in ("left", "inverted", "right", "normal"):
            daemon.hold(orientation)
            (x, width), *others = sorted(self.places(bench))
            self.assertEqual([place for place, _width in others], [x + width], orientation)
        self.assertEqual(outputs("sway", bench.env), before)

    def test_a_scale_set_by_another_program_is_seen(self):
        bench, daemon = self.start()
        self.sway(bench, "output", bench.panel, "scale", "1.25")
        self.sway(bench, "output", bench.compositor.neighbour, "position", "1024", "0")
        self.rotates_there_and_back(bench, daemon)

    def test_a_mode_set_by_another_program_is_seen(self):
        bench, daemon = self.start()
        self.sway(bench, "output", bench.panel, "mode", "--custom", "1600x900@60Hz")
        self.sway(bench, "output", bench.compositor.neighbour, "position", "1600", "0")
        self.rotates_there_and_back(bench, daemon)

    def test_a_neighbour_moved_to_the_left_stays_there(self):
        bench, daemon = self.start()
        daemon.hold("left")
        self.sway(bench, "output", bench.compositor.neighbour, "position", "0", "0")
        self.sway(bench, "output", bench.panel, "position", "1024", "0")
        for orientation in ("inverted", "right", "normal"):
            daemon.hold(orientation)
            panel, neighbour = outputs("sway", bench.env)
            self.assertEqual(neighbour["x"] + neighbour["w"], panel["x"], orientation)

    def test_a_rotation_by_another_program_is_seen_and_undone(self):
        bench, daemon = self.start()
        daemon.let_layout_settle()
        self.sway(bench, "output", bench.panel, "transform", "270")
        daemon.until_shown("left")
        self.assertEqual(daemon.ask("--rotate", "normal").returncode, 0)
        daemon.until_shown("normal")
        self.assertEqual(self.shown(bench), "normal")

    def test_a_neighbour_off_during_a_rotation_stays_adjacent(self):
        bench, daemon = self.start()
        before = outputs("sway", bench.env)
        daemon.hold("left")
        self.sway(bench, "output", bench.compositor.neighbour, "disable")
        if len(outputs("sway", bench.env)) == 2:
            raise requirements.Missing("this sway disables no output without a screen")
        daemon.hold("normal")
        self.sway(bench, "output", bench.compositor.neighbour, "enable")
        wait_until(lambda: outputs("sway", bench.env) == before, lambda: outputs("sway", bench.env))


# sway 1.7 disables no output without a screen: `make test-wayland-newer`.
if not os.environ.get("WAYLAND_ROOT"):
    del Layout.test_a_neighbour_off_during_a_rotation_stays_adjacent


class Xwayland(SwayTest):
    """sway starts it when a client connects, and keeps it: 67 MB."""

    def display(self, bench):
        """sway passes it to its children only."""
        path = os.path.join(bench.env["HOME"], "display")
        self.sway(bench, "exec", f"echo $DISPLAY > {path}")
        return wait_until(lambda: os.path.exists(path) and open(path, encoding="utf-8").read().strip(), "sway's display")

    def servers(self, display):
        """The processes of an Xwayland for this display."""
        return [number for number in processes.numbers()
                if display in (words := processes.words(number)) and words[0].endswith("Xwayland")]

    def test_autorotate_does_not_start_it(self):
        requirements.program("Xwayland", "xwayland")
        xwininfo = requirements.program("xwininfo", "x11-utils")
        bench = self.bench(server="sway", xwayland=True, sensor={})
        bench.env["DISPLAY"] = display = self.display(bench)
        self.sway(bench, "focus", "output", bench.panel)
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = Daemon(bench, "--output", bench.panel)  # which detects that this is sway
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.hold("left")
        self.assertIn("sway", daemon.ask("doctor").stdout)
        monitor = bench.start("monitor", [program(), "monitor"])
        wait_until(lambda: "left" in bench.children.last_words("monitor"), "the monitor shows left")
        monitor.terminate()
        exit_status(monitor)
        daemon.ask("--status")
        self.assertEqual(self.servers(display), [])
        bench.run(xwininfo, "-root")  # checks that a client that does start it is noticed
        wait_until(lambda: self.servers(display), lambda: bench.children.last_words("sway"))


class Idling(SwayTest):
    def test_an_idle_session_causes_no_wake_ups(self):
        _bench, daemon = self.start()
        daemon.ask("--lock")  # and the sensor sleeps
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        daemon.until_idle(SECONDS_OF_IDLING)


class Touch(BenchTest):
    """A touchscreen follows the screen: a touch hits what is shown there."""

    PLACE = (100, 200)
    WIDTH, HEIGHT = 1280, 720
    SEEN = {"normal": (100, 200), "left": (HEIGHT - 200, 100), "inverted": (WIDTH - 100, HEIGHT - 200),
            "right": (200, WIDTH - 100)}

    def start(self):
        bench = self.bench(server="kwin", mode=f"{self.WIDTH}x{self.HEIGHT}", sensor={})
        sway = NestedSway(bench)
        self.addCleanup(sway.end)
        return bench, sway, sway.window((self.WIDTH, self.HEIGHT))

    def daemon(self, bench, *arguments):
        daemon = Daemon(bench, "--backend", "sway", "--output", PANEL, *arguments)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def hold(self, daemon, window, orientation):
        daemon.hold(orientation)
        is_wide = orientation in ("normal", "inverted")
        window.until_size(lambda size: (size[0] > size[1]) == is_wide)

    def assertSeen(self, sway, window, orientation):
        x, y = window.tapped(lambda: sway.tap(*self.PLACE))
        self.assertAlmostEqual(x, self.SEEN[orientation][0], delta=1, msg=orientation)
        self.assertAlmostEqual(y, self.SEEN[orientation][1], delta=1, msg=orientation)

    def test_it_is_correct_in_all_four_orientations(self):
        bench, sway, window = self.start()
        daemon = self.daemon(bench)
        for orientation in ("left", "inverted", "right", "normal"):
            self.hold(daemon, window, orientation)
            self.assertSeen(sway, window, orientation)

    def test_it_is_correct_after_a_reload(self):
        bench, sway, window = self.start()
        daemon = self.daemon(bench)
        self.hold(daemon, window, "left")
        bench.run("swaymsg", "reload")
        wait_until(lambda: self.is_right(sway, window, "left"), "touch is rotated left")

    def is_right(self, sway, window, orientation):
        seen = window.tapped(lambda: sway.tap(*self.PLACE))
        return all(abs(is_ - shall) <= 1 for is_, shall in zip(seen, self.SEEN[orientation]))

    def test_an_ignored_touchscreen_is_left_alone(self):
        bench, sway, window = self.start()
        name = next(each["name"] for each in json.loads(
            bench.run("swaymsg", "-r", "-t", "get_inputs").stdout) if each["type"] == "touch")
        bench.write("config/autorotate/config.toml", f'[touch]\nignore = ["{name}"]\n')
        daemon = self.daemon(bench)
        self.hold(daemon, window, "left")
        x, y = window.tapped(lambda: sway.tap(*self.PLACE))
        self.assertAlmostEqual(x, self.PLACE[0] * self.HEIGHT / self.WIDTH, delta=1)
        self.assertAlmostEqual(y, self.PLACE[1] * self.WIDTH / self.HEIGHT, delta=1)

    def test_touch_is_released_at_exit_where_that_is_harmless(self):
        bench, sway, window = self.start()
        daemon = self.daemon(bench)
        self.hold(daemon, window, "left")
        self.assertEqual(daemon.end(), 0)
        self.assertSeen(sway, window, "left")  # the screen stays rotated, and touch with it
        daemon = self.daemon(bench)
        self.hold(daemon, window, "normal")
        self.assertEqual(daemon.end(), 0)
        bench.run("swaymsg", "--", "output", PANEL, "transform", "270")
        window.until_size(lambda size: size[0] < size[1])
        self.assertFalse(self.is_right(sway, window, "left"))
