# SPDX-License-Identifier: MIT
"""Suggestions and errors on real notification services."""

import os
import signal

from benchkit import desktop
from benchkit.children import wait_until
from benchkit.daemon import HOLDS, Daemon
from benchkit.testing import BenchTest

SUGGEST = "[notifications]\nsuggest-rotation = true\n"
FAULTY = "[desktop]\nsupported = \"sideways\"\n"
WITHIN = 6  # seconds that an error has to stand before it is shown, and a bit
BUTTON = (50, 20)  # pixels from the lower right corner of xfce4-notifyd's window to its button


class Notifications(BenchTest):
    def prepared(self, settings=SUGGEST):
        session = self.bench(sensor={}, mode="640x400")
        desktop.install(session)
        session.write("config/autorotate/config.toml", settings)
        return session

    def locked_and_turned(self, session, daemon):
        daemon.ask("--lock")
        session.accelerate(*HOLDS["left"])
        daemon.until(lambda status: status["suggestion"] == "left", "the suggestion")

    def test_a_click_on_the_suggestion_turns_the_picture(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            x, y, width, height = desktop.await_popup(session)
            desktop.click(session, x + width // 2, y + height // 2)
            status = daemon.until(lambda status: status["orientation"] == "left", "the turn")
            self.assertEqual(status["lock"]["orientation"], "left")
            self.assertTrue(wait_until(lambda: not desktop.popups(session)), "it is still there")

    def test_the_button_turns_the_picture(self):
        session = self.prepared()
        desktop.start_xfce_notifyd(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            x, y, width, height = desktop.await_popup(session)
            desktop.click(session, x + width - BUTTON[0], y + height - BUTTON[1])
            daemon.until(lambda status: status["orientation"] == "left", "the turn")

    def test_turning_back_takes_it_back(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            desktop.await_popup(session)
            session.accelerate(*HOLDS["normal"])
            self.assertTrue(wait_until(lambda: not desktop.popups(session), 4), "it is still there")
            self.assertEqual(daemon.status()["orientation"], "normal")

    def test_it_goes_by_itself(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            desktop.await_popup(session)
            self.assertTrue(wait_until(lambda: not desktop.popups(session), 7), "it is still there")
            self.assertEqual(daemon.status()["suggestion"], "left")

    def test_an_error_in_the_settings_is_shown_until_it_is_mended(self):
        session = self.prepared("")
        desktop.start_dunst(session)
        with Daemon(session):
            session.write("config/autorotate/config.toml", FAULTY)
            desktop.await_popup(session, seconds=WITHIN + 4)
            session.write("config/autorotate/config.toml", "")
            self.assertTrue(wait_until(lambda: not desktop.popups(session), 4), "it is still there")

    def test_errors_can_be_switched_off(self):
        session = self.prepared("[notifications]\nerrors = false\n" + FAULTY)
        desktop.start_dunst(session)
        with Daemon(session):
            self.assertFalse(wait_until(lambda: desktop.popups(session), WITHIN))

    def test_a_service_that_hangs_stops_nothing(self):
        session = self.prepared()
        service = desktop.start_dunst(session)
        with Daemon(session) as daemon:
            os.kill(service.pid, signal.SIGSTOP)
            self.locked_and_turned(session, daemon)
            daemon.ask("--unlock")
            daemon.until(lambda status: status["orientation"] == "left", "the turn")
            os.kill(service.pid, signal.SIGCONT)

    def test_without_a_service_it_is_said_once(self):
        session = self.prepared()
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            self.assertTrue(wait_until(lambda: "not shown by the desktop" in daemon.said(), 5))
            session.accelerate(*HOLDS["right"])
            daemon.until(lambda status: status["suggestion"] == "right", "the next suggestion")
            self.assertEqual(daemon.said().count("not shown by the desktop"), 1)
