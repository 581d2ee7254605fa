# SPDX-License-Identifier: MIT
"""A lock whose file cannot be written or deleted, as on a full disk: the command that set it reports that."""

import os
import unittest

from benchkit import requirements
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest

FULL = 'mount -t tmpfs -o size=4k full "$0" && ! cat /dev/zero >"$0/filler" 2>/dev/null && exec "$@"'
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


@unittest.skipUnless(os.geteuid() == 0, "only root may mount a disk for it")
class SavedLock(BenchTest):
    def daemon(self, disk, saved=None):
        session = self.bench(sensor={})
        if saved:
            session.write("state/autorotate/lock", saved + "\n")
        unshare = requirements.program("unshare", "util-linux")
        daemon = Daemon(
            session, starter=(unshare, "--mount", "sh", "-c", disk, session.env["XDG_STATE_HOME"]))
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def printed(self, daemon, *words):
        result = daemon.ask(*words)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        return result.stderr

    def test_a_lock_that_cannot_be_saved_is_in_effect_and_reported(self):
        for disk, reason in ((FULL, "No space left on device"), (READ_ONLY, "Read-only file system")):
            with self.subTest(reason=reason):
                daemon = self.daemon(disk)
                for words in (("lock", "left"), ("rotate", "right")):
                    printed = self.printed(daemon, *words)
                    self.assertIn("The lock is in effect, but will not survive a restart: ", printed)
                    self.assertIn(reason, printed)
                    self.assertEqual(len(printed.splitlines()), 1, printed)
                    self.assertIn("lock.not-saved", daemon.status()["reasonCodes"])
                # A lock with an end is not saved anyway.
                self.assertEqual(self.printed(daemon, "lock", "--for", "5m"), "")
                self.assertEqual(self.printed(daemon, "unlock"), "")
                self.assertNotIn("lock.not-saved", daemon.status()["reasonCodes"])

    def test_an_unlock_that_cannot_be_saved_is_reported(self):
        daemon = self.daemon(READ_ONLY, saved="left")
        self.assertEqual(daemon.status()["lock"]["orientation"], "left")
        printed = self.printed(daemon, "unlock")
        self.assertIn("The saved lock could not be deleted, so it applies again after a restart: ", printed)
        self.assertIsNone(daemon.status()["lock"])

    def test_a_lock_that_can_be_saved_is_not_reported(self):
        daemon = self.daemon('exec "$@"')
        self.assertEqual(self.printed(daemon, "lock", "left"), "")
