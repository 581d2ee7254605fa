# SPDX-License-Identifier: MIT
"""The machine's own key for the rotation lock, among its buttons."""

from benchkit import logind, mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest

SECONDS_OF_REST = 1.5


class LockKey(BenchTest):
    def started(self, server="xorg", begin=lambda session: None, switches="lock-key"):
        self.session = self.bench(server=server, sensor={"switches": switches})
        begin(self.session)
        self.session.accelerate(*ACCELERATIONS["left"])
        daemon = Daemon(self.session, "--output", self.session.panel)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("left")
        return daemon

    def press(self, action="on", device="lock-key"):
        self.session.sensor.do(["switch", device, action])

    def until_locked(self, daemon, is_locked):
        daemon.until(lambda now: now and (now["lock"] is not None) == is_locked, f"lock: {is_locked}")

    def assertLocked(self, daemon, *orientations):
        """These locks were set so far, and no others; the marker is one more, set by a command."""
        daemon.ask("--lock", "inverted")
        daemon.until(lambda now: now["lock"] and now["lock"]["orientation"] == "inverted", "the marker")
        found = [lock and lock["orientation"] for lock in daemon.values("lock")]
        self.assertEqual(found, [None, *orientations, "inverted"])

    def test_on_x11_it_toggles_the_lock_also_after_reconnecting(self):
        daemon = self.started()
        for is_locked in (True, False, True):
            self.press()
            self.until_locked(daemon, is_locked)
        self.press("remove")
        self.press("add")
        wait_until(lambda: not daemon.status()["lock"] or self.press(), "the key unlocks again", pause=0.5)

    def test_another_button_locks_nothing(self):
        daemon = self.started()
        self.press("off")
        self.press()
        self.until_locked(daemon, True)
        self.assertLocked(daemon, "left")

    def test_a_compositor_that_receives_the_key_handles_it(self):
        daemon = self.started("sway")
        self.press()
        self.assertLocked(daemon)

    def start_logind(self, session):
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        self.set_active = logind.start(session)

    def until_active(self, daemon, is_active):
        self.set_active(is_active)
        daemon.until(lambda now: now and ("session.inactive" not in now["reasonCodes"]) == is_active,
                     f"session active: {is_active}")

    def test_in_another_session_it_is_for_that_session(self):
        daemon = self.started(begin=self.start_logind)
        self.until_active(daemon, False)
        self.press()
        self.until_active(daemon, True)
        self.assertIsNone(daemon.status()["lock"])
        self.press()
        self.until_locked(daemon, True)

    def test_devices_that_became_readable_with_the_session_are_used(self):
        def begin(session):
            self.start_logind(session)
            for device in ("lock-key", "dock"):
                self.press("refuse", device)
        daemon = self.started(begin=begin, switches="lock-key,dock")
        self.until_active(daemon, False)
        self.assertEqual(daemon.status()["postureEvidence"], [])
        for device in ("lock-key", "dock"):
            self.press("permit", device)
        self.until_active(daemon, True)
        self.assertEqual([each["kind"] for each in daemon.status()["postureEvidence"]], ["dock"])
        self.press()
        self.until_locked(daemon, True)

    def test_an_idle_key_causes_no_wake_ups(self):
        daemon = self.started()
        self.press()
        self.until_locked(daemon, True)  # and the sensor sleeps
        daemon.until_idle(SECONDS_OF_REST)
