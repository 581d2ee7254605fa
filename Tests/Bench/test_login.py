# SPDX-License-Identifier: MIT
"""The login screen rotates, as its own user; the session that follows is correct."""

import os

from benchkit import loginscreens, requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import exit_status, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.loginscreens import LOGIN_ID, PERSON_ID
from benchkit.testing import BenchTest, program

HELD = """[sensor]
source = "replay:{}"
"""
SAMPLE = "{:.2f},{},{},{}\n"


def trace(path, hold, seconds=60):
    """The device is held in this orientation all the time."""
    samples = "".join(SAMPLE.format(number / 25, *ACCELERATIONS[hold]) for number in range(seconds * 25))
    with open(path, "w", encoding="utf-8") as file:
        file.write(samples)
    return path


class Login(BenchTest):
    def screen(self, kind):
        requirements.program("unshare", "util-linux")
        directory = self.directory()
        held = trace(os.path.join(directory, "held.csv"), "left")
        rotated = trace(os.path.join(directory, "rotated.csv"), "inverted")
        screen = kind(directory, HELD.format(held), HELD.format(rotated))
        self.addCleanup(screen.stop)
        screen.start()
        return screen

    def assert_login_rotates(self, screen, session_orientation):
        screen.until(lambda: screen.orientation() == "left", "the rotation of the login screen")
        daemons = screen.daemons(LOGIN_ID)
        self.assertEqual(len(daemons), 1)
        self.assertEqual(screen.daemons(0), [])
        screen.log_in()
        screen.until(lambda: screen.daemons(PERSON_ID), "the session")
        screen.until(lambda: not screen.daemons(LOGIN_ID), "the end of the login screen's daemon")
        screen.until(lambda: session_orientation() == "inverted", "the rotation of the session")
        self.assertEqual(screen.saved_files(), [])

    def test_lightdm_rotates_its_login_screen(self):
        screen = self.screen(loginscreens.LightDM)
        self.assert_login_rotates(screen, screen.orientation)

    def test_greetd_with_sway_rotates_its_login_screen(self):
        requirements.program("sway", "sway")
        screen = self.screen(loginscreens.Greetd)
        self.assert_login_rotates(screen, lambda: screen.orientation(PERSON_ID))


class OfALoginScreen(BenchTest):
    """The daemon with --greeter, of a user who has settings, a lock and hooks that do not apply."""

    def test_only_system_settings_apply_and_nothing_is_saved(self):
        session = self.bench(sensor={}, mode="640x400")
        session.write("config/autorotate/config.toml", '[display]\noutput = "HDMI-1"\n')
        session.write("etc/autorotate/config.toml", '[desktop]\nsupported = ["normal", "left", "right"]\n')
        session.write("state/autorotate/lock", "right\n")
        mark = os.path.join(session.directory, "hook-was-here")
        hook = os.path.join(session.directory, "config/autorotate/did-rotate.d/mark")
        session.write("config/autorotate/did-rotate.d/mark", f"#!/bin/sh\ntouch {mark}\n")
        os.chmod(hook, 0o755)
        state = os.path.join(session.directory, "state/autorotate")
        with Daemon(session, "--greeter") as daemon:
            status = daemon.hold("left")
            self.assertEqual((status["outputs"], status["lock"]), (["eDP-1"], None))
            self.assertEqual(status["allowed"], ["normal", "left", "right"])
            daemon.ask("--lock")
            daemon.until(lambda status: status["lock"], "the lock")
        self.assertEqual(os.listdir(state), ["lock"])
        with open(os.path.join(state, "lock"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "right\n")
        self.assertFalse(os.path.exists(mark))

    def test_it_exits_without_error_with_the_display(self):
        session = self.bench(sensor={}, mode="640x400")
        daemon = Daemon(session, "--greeter")
        daemon.await_name()
        session.children.stop(session.xserver)
        self.assertEqual(exit_status(daemon.process), 0, daemon.printed())

    def test_it_ends_with_the_process_that_it_was_started_for(self):
        session = self.bench(sensor={}, mode="640x400")
        with open(os.path.join(PROJECT, "packaging/greeter/greeter"), encoding="utf-8") as file:
            wrapper = session.write("greeter", file.read().replace("/usr/bin/autorotate", program()))
        screen = session.start("screen", ["sh", wrapper, "sleep", "60"])
        wait_until(lambda: session.run(program(), "--status").returncode == 0, "it answers")
        session.children.stop(screen)
        wait_until(lambda: session.run(program(), "--status").returncode == 3, "its end")
