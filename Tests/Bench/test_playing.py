# SPDX-License-Identifier: MIT
"""Rules that depend on whether the focused app plays: real windows, and players as the session bus reports them."""

import os
import shutil

from benchkit import mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest
from benchkit.windows import Windows

RULE = 'match = ["firefox"]\nfullscreen = true\nplaying = true\nsupported = ["landscape"]\n'
PATH = "/org/mpris/MediaPlayer2"
ROOT = "org.mpris.MediaPlayer2"
PLAYER = ROOT + ".Player"


class Player:
    """An application that plays, as far as the bus and the kernel know: `program` is the name of its executable."""

    def __init__(self, bench, name, status="Stopped", program="firefox"):
        python = os.path.join(bench.directory, program)
        if not os.path.exists(python):
            shutil.copy(mockbus.PYTHON, python)
            os.chown(python, 65534, 65534)  # as a user's own program
        self.service = mockbus.Service(
            bench.children, bench.env, f"{ROOT}.{name}", PATH, PLAYER, bus="session", python=python)
        self.object = self.service.mock(PATH)
        self.object.AddProperties(PLAYER, {"PlaybackStatus": status})

    def set_status(self, status):
        self.object.UpdateProperties(PLAYER, {"PlaybackStatus": status})

    def vanish(self):
        self.service.stop()


class Playing(BenchTest):
    shares_bench = True

    def setUp(self):
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        self.session = self.bench(sensor={})
        self.session.run("xrandr", "--output", "HDMI-1", "--off")
        self.session.write("config/autorotate/apps/firefox.toml", RULE)
        self.session.accelerate(*ACCELERATIONS["left"])
        self.windows = Windows(self.session.env)
        self.addCleanup(self.windows.end)
        self.windows.open("page", "firefox", fullscreen="yes")
        self.daemon = Daemon(self.session)
        self.daemon.await_name()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.end())
        self.daemon.until_shown("left")

    def player(self, name="firefox.instance_1_9", **options):
        player = Player(self.session, name, **options)
        self.addCleanup(player.vanish)
        return player

    def until_code(self, code):
        return self.daemon.until(lambda now: now and code in now["reasonCodes"], code)

    def test_a_browser_is_rotated_to_landscape_only_while_playing(self):
        status = self.until_code("rule.awaits-play")
        self.assertEqual(status["orientation"], "left")
        self.assertIn("firefox is not playing, so its rule does not apply", " ".join(status["reasons"]))
        player = self.player()
        player.set_status("Playing")
        self.daemon.until_shown("normal")
        self.until_code("rule.plays")
        self.assertIn("while playing", self.daemon.ask("explain").stdout)
        player.set_status("Paused")
        player.set_status("Playing")
        self.windows.send("fullscreen", "page", "no")
        self.daemon.until_shown("left")
        self.windows.send("fullscreen", "page", "yes")
        self.daemon.until_shown("normal")
        player.vanish()
        self.daemon.until_shown("left")
        self.assertIn("only while it plays", self.daemon.ask("explain").stdout)

    def test_players_that_break_the_protocol_are_ignored(self):
        self.until_code("rule.awaits-play")
        crowd = mockbus.connection(self.session.env)
        self.addCleanup(crowd.close)
        for number in range(400):  # a bus allows one connection 512 names
            crowd.request_name(f"{ROOT}.crowd{number}")
        self.player("firefox.instance_1_7", status="nonsense").set_status("Playing!")
        for number in range(400):
            crowd.release_name(f"{ROOT}.crowd{number}")
        crowd.request_name(f"{ROOT}.firefox.instance_mute")
        player = self.player("firefox.instance_1_8")
        player.set_status("Playing")
        self.daemon.until_shown("normal")

    def test_a_foreign_owner_of_an_applications_name_is_ignored(self):
        self.until_code("rule.awaits-play")
        for program in ("stranger", "xdg-dbus-proxy"):
            player = self.player(f"firefox.instance_{program.replace('-', '_')}", program=program)
            player.set_status("Playing")
        # The real one answers after them, and when it stops no other player is left.
        player = self.player()
        player.set_status("Playing")
        self.daemon.until_shown("normal")
        player.set_status("Stopped")
        self.daemon.until_shown("left")
        self.assertEqual(self.daemon.rotations(), ["left", "normal", "left"])

    def test_many_names_do_not_block_a_player(self):
        self.until_code("rule.awaits-play")
        player = self.player()
        for number in range(20):
            crowd = mockbus.connection(self.session.env)
            self.addCleanup(crowd.close)
            for name in "abcd":
                crowd.request_name(f"{ROOT}.a{name}{number}")
        player.set_status("Playing")
        self.daemon.until_shown("normal")
        player.set_status("Stopped")
        self.daemon.until_shown("left")
        self.player("firefox.instance_1_10").set_status("Playing")
        self.daemon.until_shown("normal")

    def asked_for(self):
        """Whether the bus was asked for the status of players."""
        bus = mockbus.connection(self.session.env)
        try:
            rules = bus.call_blocking(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats",
                "GetAllMatchRules", "", ())
            return any(ROOT in rule for rules_of_one in rules.values() for rule in rules_of_one)
        finally:
            bus.close()

    def test_without_a_possible_player_in_front_nothing_is_asked(self):
        player = self.player()
        self.assertTrue(self.asked_for())
        player.set_status("Playing")
        self.daemon.until_shown("normal")
        self.windows.open("other", "xterm")
        self.daemon.until_shown("left")
        wait_until(lambda: not self.asked_for(), "players are asked no longer")
        player.set_status("Paused")
        self.windows.send("close", "other")
        self.daemon.until(lambda now: now and now["application"] == "firefox", "firefox")
        wait_until(self.asked_for, "players are asked")
        self.until_code("rule.awaits-play")
