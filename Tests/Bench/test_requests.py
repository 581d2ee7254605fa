# SPDX-License-Identifier: MIT
"""Programs that run with a request, and locks that expire."""

import os
import pty
import signal
import subprocess

from benchkit.child_processes import exit_status, longest_wait, wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program

COUNT_INTERRUPTS = """
trap 'echo interrupted' INT
echo ready
i=0; while [ $i -lt 2000 ]; do sleep 0.05; i=$((i+1)); [ -e %s ] && exit 5; done
"""


class RequestTest(BenchTest):
    def setUp(self):
        self.session = self.bench(sensor={})

    def daemon(self, log="daemon"):
        daemon = Daemon(self.session, log=log)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def start(self, *command, mask=("portrait",), **options):
        process = subprocess.Popen(
            [program(), "request", *mask, "--app", "Test", "--why", "a test", "--", *command],
            env=self.session.env, text=True, **options)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def run_program(self, *command):
        return self.session.run(program(), "request", "portrait", "--", *command)


class Requests(RequestTest):
    shares_bench = True

    def test_the_request_applies_while_the_program_runs(self):
        daemon = self.daemon()
        daemon.hold("normal")
        process = self.start("cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        status = daemon.until_shown("left")
        self.assertEqual(status["allowed"], ["left", "right"])
        self.assertIn("Test asks for left edge up or right edge up: a test.", status["reasons"])
        out, _ = process.communicate("through\n", timeout=longest_wait())
        self.assertEqual((out, process.returncode), ("through\n", 0))
        self.assertEqual(daemon.until_shown("normal")["allowed"], ["normal", "left", "inverted", "right"])

    def test_the_request_is_made_before_the_program_starts(self):
        self.daemon().hold("normal")
        result = self.run_program(program(), "--status", "--json")
        self.assertIn('"allowed":["left","right"]', result.stdout)
        self.assertEqual(result.stderr, "")

    def test_a_requester_that_is_killed_drops_its_request(self):
        daemon = self.daemon()
        daemon.hold("normal")
        process = self.start("sleep", "300")
        daemon.until_shown("left")
        process.send_signal(signal.SIGKILL)
        daemon.until_shown("normal")

    def test_the_exit_status_is_passed_through(self):
        self.daemon()
        for script, status in (("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -SEGV $$", 139)):
            with self.subTest(script=script):
                result = self.run_program("sh", "-c", script)
                self.assertEqual((result.returncode, result.stderr), (status, ""))

    def test_a_program_that_cannot_be_started_is_reported(self):
        self.daemon()
        for command, status in (("no-such-program", 127), ("/etc/passwd", 126)):
            result = self.run_program(command)
            self.assertEqual(result.returncode, status)
            self.assertIn(f"{command} cannot be started", result.stderr)

    def test_signals_are_passed_through(self):
        self.daemon()
        for name in ("INT", "TERM", "HUP", "QUIT", "USR1", "USR2"):
            with self.subTest(signal=name):
                # exec, so that no shell waits for its child before it handles the signal.
                code = ("import signal, sys; signal.signal(signal.SIG%s, lambda *_: sys.exit(42)); "
                        "print('ready', flush=True); signal.pause()" % name)
                process = self.start("python3", "-c", code, stdout=subprocess.PIPE)
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(getattr(signal, "SIG" + name))
                self.assertEqual(exit_status(process), 42)
                process.stdout.close()

    def test_a_key_on_the_terminal_sends_one_signal(self):
        self.daemon()
        end = os.path.join(self.session.directory, "end")
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe(program(), [program(), "request", "all", "--", "sh", "-c", COUNT_INTERRUPTS % end],
                       self.session.env)
        output = self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        output += self.read_until(terminal, b"interrupted")
        with open(end, "w", encoding="utf-8"):
            pass
        output += self.read_until(terminal, None)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 5)
        self.assertEqual(output.count(b"interrupted"), 1, output)

    @staticmethod
    def read_until(terminal, word):
        output = b""
        while word is None or word not in output:
            try:
                more = os.read(terminal, 1000)
            except OSError:  # the other end is closed
                more = b""
            if not more:
                break
            output += more
        return output

    def test_without_a_daemon_the_request_is_made_later(self):
        process = self.start("sleep", "300", stderr=subprocess.PIPE)
        self.assertIn("sleep runs without the request: autorotate is not running", process.stderr.readline())
        first = self.daemon()
        first.until(lambda now: now and now["allowed"] == ["left", "right"], "the request")
        self.assertEqual(first.end(), 0)
        second = self.daemon(log="second")
        second.until(lambda now: now and now["allowed"] == ["left", "right"], "the request again")
        process.terminate()
        self.assertEqual(exit_status(process), 143)
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()
        second.until(lambda now: now and len(now["allowed"]) == 4, "its end")

    def test_a_stopped_daemon_does_not_delay_the_program(self):
        daemon = self.daemon()
        daemon.process.send_signal(signal.SIGSTOP)
        result = self.run_program("sh", "-c", "exit 7")
        daemon.process.send_signal(signal.SIGCONT)
        self.assertEqual(result.returncode, 7)
        self.assertIn("sh runs without the request: autorotate does not answer", result.stderr)


class Locks(RequestTest):
    shares_bench = True

    def test_a_lock_with_a_duration_expires(self):
        daemon = self.daemon()
        daemon.hold("normal")
        result = daemon.ask("--lock", "left", "--for", "1s")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        status = daemon.until_shown("left")
        self.assertEqual(status["lock"]["end"], "time")
        self.assertIsNone(daemon.until_shown("normal")["lock"])

    def test_a_lock_ends_with_a_posture_or_application(self):
        daemon = self.daemon()
        daemon.hold("normal")
        result = daemon.ask("--lock", "--until-unfolded")
        self.assertEqual(result.returncode, 0)
        self.assertIn("autorotate unlock", result.stderr)
        self.assertEqual(daemon.status()["lock"]["end"], "unfolded")

    def test_a_lock_for_an_application_without_a_window_is_refused(self):
        daemon = self.daemon()
        daemon.hold("normal")
        result = daemon.ask("--lock", "--while", "krita")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("No window of krita is known", result.stderr)
        self.assertIsNone(daemon.status()["lock"])

    def test_a_rotation_that_is_not_allowed_is_refused_and_dropped(self):
        daemon = self.daemon()
        daemon.hold("normal")
        process = self.start("cat", stdin=subprocess.PIPE)
        daemon.until_shown("left")
        result = daemon.ask("--rotate", "inverted")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "autorotate: Not allowed now: upside down. Allowed: left edge up or right edge up. "
                                      "Test asks for left edge up or right edge up: a test.\n")
        self.assertEqual(daemon.ask("--rotate", "right").returncode, 0)
        daemon.until_shown("right")
        process.communicate("", timeout=longest_wait())
        self.assertIn("Device orientation: landscape.", daemon.until_shown("normal")["reasons"])

    def test_a_lock_that_is_not_shown_is_reported_as_such(self):
        daemon = self.daemon()
        daemon.hold("normal")
        self.start("sleep", "300")
        daemon.until_shown("left")
        result = daemon.ask("--lock", "inverted")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(result.stderr, "autorotate: Locked (upside down), but only left edge up or right edge up is allowed now. "
                                      "See why with: autorotate status\n")
        self.assertEqual(daemon.ask("--lock", "right").stderr, "")

    def test_hold_and_release_print_nothing(self):
        daemon = self.daemon()
        daemon.hold("left")
        for word in ("--hold", "--release", "--toggle-lock", "--unlock"):
            result = daemon.ask(word)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        wait_until(lambda: daemon.status()["lock"] is None, "the end of the lock")
