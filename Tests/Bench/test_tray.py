# SPDX-License-Identifier: MIT
"""The icon in a real tray: what it shows, what clicks do, and what it costs."""

import os
import signal

from benchkit import desktop, processes
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program

ICON = (626, 14)  # its middle, at the right end of the panel
FIRST_LINE = 14  # pixels from a menu's upper edge to the middle of its first line


class Tray(BenchTest):
    shares_bench = True

    def setUp(self):
        self.session = self.bench(sensor={}, mode="640x400")
        desktop.install(self.session)

    def start(self):
        return self.session.start("tray", [program(), "tray"])

    def shown(self):
        return desktop.pixels(self.session, *ICON)

    def await_icon(self):
        """Waits until the tray has it, and has drawn it. Returns its pixels."""
        wait_until(lambda: desktop.items_in_tray(self.session), "an icon that the tray knows")
        wait_until(lambda: len(set(self.shown())) > 20, "an icon that the tray shows")
        return self.shown()

    def await_other_icon(self, old):
        wait_until(lambda: self.shown() != old, "another icon")
        return self.shown()

    def test_a_click_locks_and_unlocks(self):
        with Daemon(self.session) as daemon:
            desktop.start_panel(self.session)
            self.start()
            free = self.await_icon()
            desktop.click(self.session, *ICON)
            daemon.until(lambda status: status["lock"], "the lock")
            desktop.point(self.session, 320, 200)
            self.await_other_icon(free)
            desktop.click(self.session, *ICON)
            daemon.until(lambda status: not status["lock"], "the lock's end")

    def test_the_menu_opens_and_sends_commands(self):
        with Daemon(self.session) as daemon:
            desktop.start_panel(self.session)
            self.start()
            self.await_icon()
            x, y, width, height = desktop.open_menu(self.session, *ICON)
            self.assertGreater(height, 6 * FIRST_LINE, "not all lines are there")
            desktop.click(self.session, x + width // 2, y + FIRST_LINE)
            daemon.until(lambda status: status["lock"], "the lock")

    def test_it_returns_with_the_tray(self):
        tray = self.start()
        panel = desktop.start_panel(self.session)
        self.await_icon()
        self.session.children.stop(panel)
        wait_until(lambda: not desktop.has_owner(self.session, desktop.WATCHER[0]), "the end of the tray")
        desktop.start_panel(self.session)
        self.await_icon()
        self.assertIsNone(tray.poll())

    def test_it_survives_the_end_of_the_daemon(self):
        desktop.start_panel(self.session)
        self.start()
        absent = self.await_icon()
        daemon = Daemon(self.session)
        daemon.await_name()
        present = self.await_other_icon(absent)
        daemon.end()
        self.await_other_icon(present)

    def test_an_idle_icon_causes_no_wake_ups(self):
        with Daemon(self.session):
            desktop.start_panel(self.session)
            tray = self.start()
            self.await_icon()
            wait_until(lambda: self.is_idle(tray), "1.5 s in which it does not wake")
            self.assertEqual(len(os.listdir(f"/proc/{tray.pid}/task")), 1)

    def is_idle(self, tray):
        before = processes.switches(tray.pid)
        let_pass(1.5)
        return processes.switches(tray.pid) == before

    def test_it_ends_when_asked(self):
        tray = self.start()
        wait_until(lambda: desktop.has_owner(self.session, "org.autorotate.Tray"), "the icon is on the bus")
        second = self.session.run(program(), "tray")
        self.assertEqual((second.returncode, "already" in second.stderr), (1, True))
        tray.send_signal(signal.SIGTERM)
        self.assertEqual(exit_status(tray), 0)
