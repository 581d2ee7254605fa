# SPDX-License-Identifier: MIT
"""A compositor that is stopped delays only the rotation: calls are answered, and the daemon ends when asked."""

import signal
import time

from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.testing import BenchTest

SECONDS = 1.0  # wanted for an answer, and for the end, on an idle machine


class StoppedTest(BenchTest):
    kind = None

    def start(self):
        bench = self.bench(server=self.kind, sensor={})
        bench.accelerate(*ACCELERATIONS["normal"])
        daemon = Daemon(bench, "--output", bench.panel)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end(signal.SIGKILL))
        daemon.until_shown("normal")
        return bench, daemon

    def stop(self, bench):
        bench.compositor.process.send_signal(signal.SIGSTOP)
        self.addCleanup(bench.compositor.process.send_signal, signal.SIGCONT)

    def seconds_of(self, what):
        began = time.monotonic()
        what()
        return time.monotonic() - began

    def measure(self, what, name):
        seconds = self.seconds_of(what)
        print(f"        ({self.kind}: {name} {seconds:.2f} s; {SECONDS:.0f} s is wanted)", flush=True)

    def it_answers_ends_and_recovers(self):
        bench, daemon = self.start()
        self.stop(bench)
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until(is_rotating, "the rotation begins")
        worst = max(self.seconds_of(lambda: self.assertEqual(daemon.ask("--status").returncode, 0))
                    for _each in range(12))
        print(f"        ({self.kind}: the slowest of 12 answers {worst:.2f} s)", flush=True)
        bench.compositor.process.send_signal(signal.SIGCONT)
        daemon.until_shown("left")
        self.stop(bench)
        bench.accelerate(*ACCELERATIONS["inverted"])
        daemon.until(is_rotating, "the next rotation begins")
        self.measure(lambda: self.assertEqual(daemon.end(), 0), "the end took")

    def it_ends_at_once_during_its_start(self):
        bench = self.bench(server=self.kind, sensor={})
        self.stop(bench)
        daemon = Daemon(bench, "--wait", "--output", bench.panel)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end(signal.SIGKILL))
        daemon.await_name()
        self.measure(lambda: daemon.ask("--status"), "the first answer took")
        self.measure(daemon.end, "the end took")


class OnSway(StoppedTest):
    kind = "sway"

    def test_it_answers_ends_and_recovers(self):
        self.it_answers_ends_and_recovers()

    def test_it_ends_at_once_during_its_start(self):
        self.it_ends_at_once_during_its_start()


class OnPhoc(StoppedTest):
    kind = "phoc"

    def test_it_answers_ends_and_recovers(self):
        self.it_answers_ends_and_recovers()

    def test_it_ends_at_once_during_its_start(self):
        self.it_ends_at_once_during_its_start()
