# SPDX-License-Identifier: MIT
"""What a starter may leave to a program: ignored signals, closed or stopped outputs, limits of files."""

import fcntl
import os

from benchkit.child_processes import wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program


class Starter(BenchTest):
    def started(self, script, files=()):
        """A daemon that a shell script starts as "$@"; `files` are written below the bench's directory, executable."""
        session = self.bench(sensor={})
        for path, text in files:
            os.chmod(session.write(path, text), 0o755)
        daemon = Daemon(session, "--output", session.panel, starter=("sh", "-c", script, "sh"))
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return session, daemon

    def assertRotates(self, session, daemon, *orientations):
        for orientation in orientations:
            daemon.hold(orientation)
            self.assertEqual(session.output(session.panel)["rotation"], orientation)
        self.assertIsNone(daemon.process.poll())

    def test_an_ignored_sigchld_does_not_end_it_at_a_hook(self):
        session, daemon = self.started('exec env --ignore-signal=CHLD "$@"',
                                       files=[("config/autorotate/did-rotate.d/a", "#!/bin/sh\necho it ran\n")])
        self.assertRotates(session, daemon, "left", "inverted")
        wait_until(lambda: daemon.printed().count("it ran") >= 2, "the hook ran twice")
        status = session.run("env", "--ignore-signal=CHLD", program(), "request", "landscape", "--", "sh", "-c", "exit 7")
        self.assertEqual(status.returncode, 7, status.stderr)

    def test_a_closed_output_is_not_that_of_the_next_file(self):
        """One at a time, since the mock of /dev takes the next descriptor for itself."""
        for number in range(3):
            with self.subTest(descriptor=number):
                session, daemon = self.started(f'exec "$@" {number}>&-')
                self.assertRotates(session, daemon, "left", "inverted")
                self.assertEqual(os.readlink(f"/proc/{daemon.process.pid}/fd/{number}"), "/dev/null")

    def test_a_stopped_reader_of_the_log_stops_nothing(self):
        pipe = os.path.join(self.directory(), "log")
        os.mkfifo(pipe)
        descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, descriptor)
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, 4096)
        os.write(descriptor, bytes(4096))
        session, daemon = self.started(f'exec "$@" 2>{pipe}')
        self.assertRotates(session, daemon, "left", "inverted")
        self.assertEqual(daemon.end(), 0)

    def test_a_limit_of_file_size_ends_nothing(self):
        session, daemon = self.started('ulimit -f 0; exec "$@"')
        daemon.ask("lock", "left")
        daemon.until_shown("left")
        self.assertRotates(session, daemon)


class Output(BenchTest):
    def run_in(self, *words):
        session = self.bench(server="xvfb", wm="none")
        return session, session.run(*words)

    def test_what_cannot_be_written_is_a_failure(self):
        for words in ("config", "rule list", "check", "--help", "config get lock.over-apps"):
            _session, result = self.run_in("sh", "-c", f"exec {program()} {words} >/dev/full")
            self.assertEqual(result.returncode, 1, words)
            self.assertIn("Standard output cannot be written: No space left on device", result.stderr)

    def test_a_reader_that_has_enough_is_none(self):
        _session, result = self.run_in("sh", "-c", f"{{ {program()} config; echo $? >&2; }} | true")
        self.assertEqual(result.stderr, "0\n")

    def test_no_control_character_of_a_path_is_printed(self):
        session = self.bench(server="xvfb", wm="none")
        name = "c\x1b[31m\x07"
        session.write(f"config/autorotate/apps/{name}.toml", 'match = ["a"]\nsupported = ["left"]\n')
        session.write(f"config/autorotate/apps/x{name}", "")
        for words in (["check"], ["rule", "off", name], ["rule", "list"], ["replay", name], ["request", name, "--", "true"],
                      ["request", "landscape", "--", name], ["lock", name], ["config", "set", name, name]):
            result = session.run(program(), *words)
            self.assertNotRegex(result.stdout + result.stderr, r"[\x00-\x08\x0b-\x1f\x7f]", words)
        for variable in ("DISPLAY", "SWAYSOCK", "WAYLAND_DISPLAY"):
            result = session.run("env", f"{variable}={name}", program(), "--backend", "sway" if variable == "SWAYSOCK" else "auto")
            self.assertNotRegex(result.stdout + result.stderr, r"[\x00-\x08\x0b-\x1f\x7f]", variable)
