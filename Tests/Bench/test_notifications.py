# SPDX-License-Identifier: MIT
"""Suggestions and errors on real notification services."""

import os
import signal

from benchkit import desktop, requirements
from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest

SUGGEST = "[notifications]\nsuggest-rotation = true\n"
REMOVED = "[display]\nconfirm = \"first\"\n"  # earlier releases reverted a rotation that was not confirmed
UNDONE = 12  # seconds after which they reverted it
FAULTY = "[desktop]\nsupported = \"sideways\"\n"
WITHIN = 6  # seconds that an error must persist before it is shown, plus a margin
BUTTON = (50, 20)  # pixels from the lower right corner of xfce4-notifyd's window to its button


class Notifications(BenchTest):
    shares_bench = True

    def prepared(self, settings=SUGGEST):
        session = self.bench(sensor={}, mode="640x400")
        desktop.install(session)
        session.write("config/autorotate/config.toml", settings)
        return session

    def locked_and_rotated(self, session, daemon):
        daemon.ask("--lock")
        session.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda status: status["suggestion"] == "left", "the suggestion")

    def test_a_click_on_the_suggestion_rotates_the_screen(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_rotated(session, daemon)
            x, y, width, height = desktop.await_popup(session)
            desktop.click(session, x + width // 2, y + height // 2)
            status = daemon.until(lambda status: status["orientation"] == "left", "the rotation")
            self.assertEqual(status["lock"]["orientation"], "left")
            wait_until(lambda: not desktop.popups(session), "the end of the notification")

    def test_the_button_rotates_the_screen(self):
        session = self.prepared()
        desktop.start_xfce_notifyd(session)
        with Daemon(session) as daemon:
            self.locked_and_rotated(session, daemon)
            x, y, width, height = desktop.await_popup(session)
            desktop.click(session, x + width - BUTTON[0], y + height - BUTTON[1])
            daemon.until(lambda status: status["orientation"] == "left", "the rotation")

    def test_turning_the_device_back_withdraws_the_suggestion(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_rotated(session, daemon)
            desktop.await_popup(session)
            session.accelerate(*ACCELERATIONS["normal"])
            wait_until(lambda: not desktop.popups(session), "the end of the notification")
            self.assertEqual(daemon.status()["orientation"], "normal")

    def test_the_suggestion_expires(self):
        session = self.prepared()
        desktop.start_dunst(session)
        with Daemon(session) as daemon:
            self.locked_and_rotated(session, daemon)
            desktop.await_popup(session)
            wait_until(lambda: not desktop.popups(session), "the end of the notification")
            daemon.until(lambda status: not status["suggestion"], "the end of the offer")

    def test_a_settings_error_is_shown_until_fixed(self):
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
            daemon.until_printed("config.toml:4:")
            let_pass(WITHIN)
            self.assertEqual(desktop.popups(session), [])
            session.write("config/autorotate/config.toml", SUGGEST)
            self.locked_and_rotated(session, daemon)
            desktop.await_popup(session)
            self.assertEqual(desktop.shown_by_dunst(session), 1, "the suggestion alone")

    def assertRotationStays(self, session, after=lambda: None):
        """`after`: what happens to the notification service once the screen has rotated."""
        with Daemon(session) as daemon:
            daemon.hold("left")
            after()
            let_pass(UNDONE)
            self.assertEqual(daemon.rotations(), ["left"])
            self.assertEqual(desktop.popups(session), [])
            return daemon.printed()

    def test_a_rotation_stays_without_a_service(self):
        self.assertNotIn("desktop does not show suggestions", self.assertRotationStays(self.prepared("")))

    def test_a_rotation_stays_while_the_service_is_paused(self):
        session = self.prepared(REMOVED)
        desktop.start_dunst(session)
        self.assertEqual(session.run(requirements.program("dunstctl", "dunst"), "set-paused", "true").returncode, 0)
        printed = self.assertRotationStays(session)
        self.assertEqual(printed.count("confirm has been removed"), 1, printed)
        self.assertIn("config.toml:2:1: warning: display.confirm has been removed", printed)

    def test_a_rotation_stays_when_the_service_does_not_answer(self):
        session = self.prepared("")
        service = desktop.start_dunst(session)
        os.kill(service.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, service.pid, signal.SIGCONT)
        self.assertRotationStays(session)

    def test_a_rotation_stays_when_the_service_ends(self):
        session = self.prepared("")
        service = desktop.start_dunst(session)
        self.assertRotationStays(session, after=lambda: session.children.stop(service))

    def test_a_service_that_hangs_delays_nothing(self):
        session = self.prepared()
        service = desktop.start_dunst(session)
        with Daemon(session) as daemon:
            os.kill(service.pid, signal.SIGSTOP)
            self.locked_and_rotated(session, daemon)
            daemon.ask("--unlock")
            daemon.until(lambda status: status["orientation"] == "left", "the rotation")
            os.kill(service.pid, signal.SIGCONT)

    def test_a_missing_service_is_reported_once(self):
        session = self.prepared()
        with Daemon(session) as daemon:
            self.locked_and_rotated(session, daemon)
            daemon.until_printed("desktop does not show suggestions")
            session.accelerate(*ACCELERATIONS["right"])
            daemon.until(lambda status: status["suggestion"] == "right", "the next suggestion")
            self.assertEqual(daemon.printed().count("desktop does not show suggestions"), 1)
            self.assertIn("Start one, such as dunst", daemon.printed())
