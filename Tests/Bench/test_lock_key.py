# SPDX-License-Identifier: MIT
"""The machine's own key for the rotation lock, among its buttons."""

from benchkit import logind, mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import HOLDS, Daemon
from benchkit.testing import BenchTest

SECONDS_OF_REST = 1.5


class LockKey(BenchTest):
    def started(self, server="xorg", begin=lambda session: None):
        self.session = self.bench(server=server, sensor={"switches": "lock-key"})
        begin(self.session)
        self.session.accelerate(*HOLDS["left"])
        daemon = Daemon(self.session, "--output", self.session.panel)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("left")
        return daemon

    def press(self, action="on"):
        self.session.sensor.do(["switch", "lock-key", action])

    def until_locked(self, daemon, is_locked):
        daemon.until(lambda now: now and (now["lock"] is not None) == is_locked, f"lock: {is_locked}")

    def assertLocked(self, daemon, *orientations):
        """These locks were set so far, and no others; the marker is one more, by a command."""
        daemon.ask("--lock", "inverted")
        daemon.until(lambda now: now["lock"] and now["lock"]["orientation"] == "inverted", "the marker")
        found = [lock and lock["orientation"] for lock in daemon.values("lock")]
        self.assertEqual(found, [None, *orientations, "inverted"])

    def test_on_x11_it_locks_and_unlocks_also_when_its_device_comes_again(self):
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

    def test_where_a_compositor_hears_it_it_is_left_to_its_settings(self):
        daemon = self.started("sway")
        self.press()
        self.assertLocked(daemon)

    def test_while_another_session_is_in_front_it_is_that_ones(self):
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        to_front = []
        daemon = self.started(begin=lambda session: to_front.append(logind.start(session)))
        to_front[0](False)
        daemon.until(lambda now: now and "session.inactive" in now["reasonCodes"], "the other session")
        self.press()
        to_front[0](True)
        daemon.until(lambda now: now and "session.inactive" not in now["reasonCodes"], "this session")
        self.assertIsNone(daemon.status()["lock"])
        self.press()
        self.until_locked(daemon, True)

    def test_it_costs_nothing_while_it_is_not_pressed(self):
        daemon = self.started()
        self.press()
        self.until_locked(daemon, True)  # and the sensor sleeps
        daemon.until_idle(SECONDS_OF_REST)
