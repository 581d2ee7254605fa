# SPDX-License-Identifier: MIT
"""Suggestions and errors on real notification services."""

import os
import signal

from benchkit import desktop
from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import HOLDS, Daemon
from benchkit.testing import BenchTest

SUGGEST = "[display]\nconfirm = \"never\"\n[notifications]\nsuggest-rotation = true\n"
FAULTY = "[desktop]\nsupported = \"sideways\"\n"
WITHIN = 6  # seconds that an error has to stand before it is shown, and a bit
BUTTON = (50, 20)  # pixels from the lower right corner of xfce4-notifyd's window to its button


class Notifications(BenchTest):
    shares_bench = True

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
            wait_until(lambda: not desktop.popups(session), "the end of the notification")

    def test_the_button_turns_the_picture(self):
        session = self.prepared()
        desktop.start_xfce_notifyd(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            x, y, width, height = desktop.await_popup(session)
            desktop.click(session, x + width - BUTTON[0], y + height - BUTTON[1])
            daemon.until(lambda status: status["orientation"] == "left", "the turn")

    def turned_for_the_first_time(self, session, daemon):
        """The question that the desktop shows, as x, y, width, height."""
        session.accelerate(*HOLDS["left"])
        daemon.until(lambda status: status["orientation"] == "left", "the turn")
        popup = desktop.await_popup(session)
        self.assertIn("turn.on-trial", daemon.status()["reasonCodes"])
        return popup

    def test_the_first_turn_is_kept_by_a_click_and_no_other_is_asked_about(self):
        session = self.prepared("")
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            x, y, width, height = self.turned_for_the_first_time(session, daemon)
            # The picture's right is the panel's upper edge.
            session.hands.pen((y + height / 2) / 640, 1 - (x + width / 2) / 400)
            session.hands.click()
            daemon.until(lambda status: "turn.on-trial" not in status["reasonCodes"], "the answer")
            wait_until(lambda: not desktop.popups(session), "the end of the notification")
            self.assertEqual(daemon.status()["orientation"], "left")
        with Daemon(session) as daemon:
            session.accelerate(*HOLDS["right"])
            daemon.until(lambda status: status["orientation"] == "right", "the next turn")
            self.assertNotIn("turn.on-trial", daemon.status()["reasonCodes"])

    def test_the_first_turn_that_nobody_keeps_goes_back(self):
        session = self.prepared("")
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.turned_for_the_first_time(session, daemon)
            status = daemon.until(lambda status: status["orientation"] == "normal", "the way back")
            self.assertIn("turn.not-kept", status["reasonCodes"])
            self.assertIn("Nobody has kept the turn", daemon.said())
            wait_until(lambda: not desktop.popups(session), "the end of the notification")

    def test_the_first_turn_stays_where_nobody_can_be_asked(self):
        session = self.prepared("")
        with Daemon(session) as daemon:
            session.accelerate(*HOLDS["left"])
            daemon.until(lambda status: status["orientation"] == "left", "the turn")
            self.assertNotIn("turn.on-trial", daemon.status()["reasonCodes"])
            self.assertNotIn("not shown by the desktop", daemon.said())

    def test_turning_back_takes_it_back(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            desktop.await_popup(session)
            session.accelerate(*HOLDS["normal"])
            wait_until(lambda: not desktop.popups(session), "the end of the notification")
            self.assertEqual(daemon.status()["orientation"], "normal")

    def test_it_goes_by_itself(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_turned(session, daemon)
            desktop.await_popup(session)
            wait_until(lambda: not desktop.popups(session), "the end of the notification")
            daemon.until(lambda status: not status["suggestion"], "the end of the offer")

    def test_an_error_in_the_settings_is_shown_until_it_is_mended(self):
        session = self.prepared("")
        desktop.start_dunst(session)
        with Daemon(session):
            session.write("config/autorotate/config.toml", FAULTY)
            desktop.await_popup(session)
            session.write("config/autorotate/config.toml", "")
            wait_until(lambda: not desktop.popups(session), "the end of the notification")

    def test_errors_can_be_switched_off(self):
        session = self.prepared("[notifications]\nerrors = false\n" + FAULTY)
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            daemon.until_said("config.toml:4:")
            let_pass(WITHIN)
            self.assertEqual(desktop.popups(session), [])
            session.write("config/autorotate/config.toml", SUGGEST)
            self.locked_and_turned(session, daemon)
            desktop.await_popup(session)
            self.assertEqual(desktop.shown_by_dunst(session), 1, "the suggestion alone")

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
            daemon.until_said("not shown by the desktop")
            session.accelerate(*HOLDS["right"])
            daemon.until(lambda status: status["suggestion"] == "right", "the next suggestion")
            self.assertEqual(daemon.said().count("not shown by the desktop"), 1)
