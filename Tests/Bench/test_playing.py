# SPDX-License-Identifier: MIT
"""Rules that ask whether the application in front plays: real windows, and players as the session bus has them."""

import os
import shutil

from benchkit import mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import HOLDS, Daemon
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
            os.chown(python, 65534, 65534)  # as what a user has made
        self.service = mockbus.Service(
            bench.children, bench.env, f"{ROOT}.{name}", PATH, PLAYER, bus="session", python=python)
        self.object = self.service.mock(PATH)
        self.object.AddProperties(PLAYER, {"PlaybackStatus": status})

    def tell(self, status):
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
        self.session.accelerate(*HOLDS["left"])
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

    def test_a_film_in_a_browser_turns_to_landscape_and_a_page_does_not(self):
        status = self.until_code("rule.awaits-play")
        self.assertEqual(status["orientation"], "left")
        self.assertIn("firefox is not playing, so its rule does not apply", " ".join(status["reasons"]))
        player = self.player()
        player.tell("Playing")
        self.daemon.until_shown("normal")
        self.until_code("rule.plays")
        self.assertIn("while it plays", self.daemon.ask("explain").stdout)
        player.tell("Paused")
        player.tell("Playing")
        self.windows.say("fullscreen", "page", "no")
        self.daemon.until_shown("left")
        self.windows.say("fullscreen", "page", "yes")
        self.daemon.until_shown("normal")
        player.vanish()
        self.daemon.until_shown("left")
        self.assertIn("only while it plays", self.daemon.ask("explain").stdout)

    def test_players_without_manners_are_passed_over(self):
        self.until_code("rule.awaits-play")
        crowd = mockbus.connection(self.session.env)
        self.addCleanup(crowd.close)
        for number in range(400):  # a bus lets one connection have 512
            crowd.request_name(f"{ROOT}.crowd{number}")
        self.player("firefox.instance_1_7", status="nonsense").tell("Playing!")
        for number in range(400):
            crowd.release_name(f"{ROOT}.crowd{number}")
        crowd.request_name(f"{ROOT}.firefox.instance_mute")
        player = self.player("firefox.instance_1_8")
        player.tell("Playing")
        self.daemon.until_shown("normal")

    def test_a_stranger_that_takes_the_name_of_the_application_is_not_believed(self):
        self.until_code("rule.awaits-play")
        for program in ("stranger", "xdg-dbus-proxy"):
            player = self.player(f"firefox.instance_{program.replace('-', '_')}", program=program)
            player.tell("Playing")
        # A real one's word comes after theirs, and when it stops nobody is left.
        player = self.player()
        player.tell("Playing")
        self.daemon.until_shown("normal")
        player.tell("Stopped")
        self.daemon.until_shown("left")
        self.assertEqual(self.daemon.rotations(), ["left", "normal", "left"])

    def test_many_names_do_not_shut_out_a_player(self):
        self.until_code("rule.awaits-play")
        player = self.player()
        for number in range(20):
            crowd = mockbus.connection(self.session.env)
            self.addCleanup(crowd.close)
            for name in "abcd":
                crowd.request_name(f"{ROOT}.a{name}{number}")
        player.tell("Playing")
        self.daemon.until_shown("normal")
        player.tell("Stopped")
        self.daemon.until_shown("left")
        self.player("firefox.instance_1_10").tell("Playing")
        self.daemon.until_shown("normal")

    def asked_for(self):
        """Whether the bus was asked for what players tell."""
        bus = mockbus.connection(self.session.env)
        try:
            rules = bus.call_blocking(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats",
                "GetAllMatchRules", "", ())
            return any(ROOT in rule for rules_of_one in rules.values() for rule in rules_of_one)
        finally:
            bus.close()

    def test_while_nobody_is_in_front_who_may_play_nothing_is_asked(self):
        player = self.player()
        self.assertTrue(self.asked_for())
        player.tell("Playing")
        self.daemon.until_shown("normal")
        self.windows.open("other", "xterm")
        self.daemon.until_shown("left")
        wait_until(lambda: not self.asked_for(), "players are asked no longer")
        player.tell("Paused")
        self.windows.say("close", "other")
        self.daemon.until(lambda now: now and now["application"] == "firefox", "firefox")
        wait_until(self.asked_for, "players are asked")
        self.until_code("rule.awaits-play")
