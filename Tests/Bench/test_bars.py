# SPDX-License-Identifier: MIT
"""The snippets of Config/bars in the bars that they are for, and the output of --format."""

import json
import re
import subprocess
import tomllib

from benchkit import c_programs, desktop, requirements, processes
from benchkit.child_processes import wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program

POLYBAR = """[bar/bench]
monitor = eDP-1
width = 100%
height = 24
override-redirect = true
font-0 = sans:size=10
modules-center = autorotate
"""
TINT2 = """panel_items = E
panel_position = top center horizontal
panel_size = 100% 24
panel_monitor = 1
"""
FOLLOWER = "status --follow --format"


def is_followed(session, words=FOLLOWER):
    """Whether a program of this bench follows the status in a bar's format."""
    for number in processes.numbers():
        command = " ".join(processes.words(number))
        if words in command and not command.startswith("sh ") and \
                session.directory in processes.read(number, "environ"):
            return True
    return False


class Formats(BenchTest):
    shares_bench = True

    def setUp(self):
        self.session = self.bench(sensor={}, mode="640x400", wm="none")

    def ask(self, *arguments):
        return self.session.run(program(), "--status", *arguments)

    def test_each_format_prints_once(self):
        with Daemon(self.session):
            self.assertEqual(self.ask("--format", "plain").stdout, "normal\n")
            self.assertEqual(json.loads(self.ask("--format", "waybar").stdout)["class"], ["auto", "normal"])
            self.assertEqual(json.loads(self.ask("--format", "i3bar").stdout)["full_text"], "normal")

    def test_each_format_prints_every_change(self):
        with Daemon(self.session) as daemon, subprocess.Popen(
                [program(), *FOLLOWER.split(), "plain"], env=self.session.env, text=True,
                stdout=subprocess.PIPE) as follower:
            self.assertEqual(follower.stdout.readline(), "normal\n")
            daemon.ask("--lock", "left")
            lines = iter(follower.stdout.readline, "left (locked)\n")
            self.assertTrue(set(lines) <= {"normal (locked)\n"})
            daemon.end()
            self.assertEqual(follower.stdout.readline(), "off\n")
            follower.terminate()

    def test_a_bar_shows_that_no_daemon_runs(self):
        answer = self.ask("--format", "plain")
        self.assertEqual((answer.returncode, answer.stdout), (3, "off\n"))
        self.assertEqual(self.ask().stdout, "")

    def test_options_that_cannot_be_combined_are_refused(self):
        for words in (["--status", "--json", "--format", "plain"], ["--status", "--format", "tmux"],
                      ["--format", "plain"]):
            self.assertEqual(self.session.run(program(), *words).returncode, 2, words)


class OnX11(BenchTest):
    def setUp(self):
        self.session = self.bench(sensor={}, mode="640x400")
        desktop.install(self.session)

    def start(self, name, *arguments):
        return self.session.children.start(name, [requirements.program(name, name), *arguments], self.session.env)

    def assert_a_click_toggles(self, daemon, x, y):
        """A bar that has just started shows its blocks a moment later."""
        wait_until(lambda: is_followed(self.session), "a bar follows the status")
        wait_until(lambda: self.is_drawn(x, y), "the bar is drawn")
        desktop.click(self.session, x, y)
        daemon.until(lambda status: status["lock"], "the lock")

    def is_drawn(self, x, y):
        return len(set(desktop.pixels(self.session, x, y))) > 4

    def test_i3blocks_shows_the_status(self):
        path = self.session.write("config/i3blocks/config", desktop.snippet("i3blocks.conf"))
        with Daemon(self.session) as daemon:
            bar = self.start("i3blocks", "-c", path)
            wait_until(lambda: self.last_block("normal"), "the bar shows the orientation")
            daemon.ask("--lock")
            wait_until(lambda: self.last_block("normal (locked)"), "the bar shows the lock")
            self.session.children.stop(bar)
        wait_until(lambda: not is_followed(self.session), "the bar no longer follows the status")

    def last_block(self, text):
        """Whether the bar shows this text now."""
        return f'"full_text":"{text}"' in self.session.children.last_words("i3blocks", 1)

    def test_i3blocks_passes_clicks(self):
        """i3blocks reports clicks from 1.5 on: the button's number on the block's standard input."""
        (command,) = re.findall(r"^command=(.*)", desktop.snippet("i3blocks.conf"), re.MULTILINE)
        with Daemon(self.session) as daemon, subprocess.Popen(
                ["sh", "-c", command], env=self.session.env, text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE) as block:
            self.assertEqual(block.stdout.readline(), "normal\n")
            block.stdin.write("1\n")
            block.stdin.flush()
            self.assertEqual(block.stdout.readline(), "normal (locked)\n")
            self.assertTrue(daemon.status()["lock"])
            block.stdin.close()
            block.stdout.close()

    def test_polybar_shows_the_status_and_passes_clicks(self):
        path = self.session.write("config/polybar/config.ini", POLYBAR + desktop.snippet("polybar.ini"))
        with Daemon(self.session) as daemon:
            self.start("polybar", "--config=" + path, "bench")
            self.assert_a_click_toggles(daemon, 320, 12)

    def test_tint2_shows_the_status_and_passes_clicks(self):
        path = self.session.write("config/tint2/tint2rc", TINT2 + desktop.snippet("tint2rc"))
        with Daemon(self.session) as daemon:
            self.start("tint2", "-c", path)
            self.assert_a_click_toggles(daemon, 12, 12)


class OnWayland(BenchTest):
    def test_waybar_shows_the_status_and_passes_clicks(self):
        session = self.bench(server="sway", sensor={})
        desktop.install(session)
        module = session.write("config/waybar/autorotate.jsonc", desktop.snippet("waybar.jsonc"))
        settings = {"include": [module], "modules-left": ["custom/autorotate"], "height": 30,
                    "output": session.panel}
        path = session.write("config/waybar/config", json.dumps(settings))
        style = session.write("config/waybar/style.css", desktop.snippet("waybar.css"))
        with Daemon(session, "--output", session.panel) as daemon:
            bar = session.children.start(
                "waybar", [requirements.program("waybar", "waybar"), "-c", path, "-s", style], session.env)
            wait_until(lambda: is_followed(session), "a bar follows the status")
            with self.pointer(session):
                wait_until(lambda: daemon.status()["lock"] or self.click(session), "a click locks", pause=0.5)
            self.assertIsNone(bar.poll())
            self.assertNotIn("error", session.children.last_words("waybar", 40).lower())

    def pointer(self, session):
        """A compositor without a mouse passes no clicks on. The pointer exists as long as its program runs."""
        seat = subprocess.Popen([c_programs.wayland_client(session.directory), "seat"], env=session.env,
                                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(seat.stdout.readline(), "ready\n")
        return seat

    def click(self, session):
        """Retries, since the first clicks may arrive before the bar is drawn."""
        for words in ("cursor set 20 15", "cursor press button1", "cursor release button1"):
            session.run("swaymsg", "seat", "-", *words.split())


class Untried(BenchTest):
    def test_the_snippet_for_i3status_rust_is_toml(self):
        (block,) = tomllib.loads(desktop.snippet("i3status-rust.toml"))["block"]
        self.assertEqual((block["block"], block["persistent"]), ("custom", True))
