# SPDX-License-Identifier: MIT
"""Hooks before and after each rotation, as real scripts of a real daemon."""

import json
import os
import re
import signal

from benchkit import x11_state
from benchkit.c_programs import PROJECT
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest

# With what the server shows then, as JSON.
RECORD = ('echo "$0 $PREVIOUS_ORIENTATION $ORIENTATION $OUTPUT $WIDTH $HEIGHT [$APP] '
          '$(echo state | "$BENCH_XSTATE")" >&3')


def without_state(line):
    """A line of a hook, with the panel's rotation in place of the server's whole state."""
    words, brace, state = line.rstrip("\n").partition("{")
    panel = [each["rotation"] for each in x11_state.outputs_of(json.loads(brace + state))
             if each["name"] == "eDP-1"] if brace else []
    return os.path.basename(words) + "".join(panel)


class Hooks(BenchTest):
    shares_bench = True

    def setUp(self):
        self.session = self.bench(sensor={})
        self.recorded = os.path.join(self.session.directory, "recorded")

    def hook(self, kind, name, *lines, place="XDG_CONFIG_HOME", mode=0o755):
        directory = os.path.join(self.session.env[place], "autorotate", kind + "-rotate.d")
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(["#!/bin/sh", f"exec 3>>{self.recorded}", *lines, ""]))
        os.chmod(path, mode)

    def daemon(self):
        daemon = Daemon(self.session)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.hold("normal")
        return daemon

    def lines(self):
        if not os.path.exists(self.recorded):
            return []
        with open(self.recorded, encoding="utf-8") as file:
            return [without_state(line) for line in file if line.endswith("\n")]

    def until_lines(self, count):
        wait_until(lambda: len(self.lines()) >= count, lambda: f"{count} lines of hooks, not {self.lines()}")
        return self.lines()

    def test_hooks_run_before_and_after_with_all_variables(self):
        for kind in ("will", "did"):
            self.hook(kind, f"20-{kind}", RECORD)
            self.hook(kind, f"10-{kind}", RECORD, "echo a word for the log")
        daemon = self.daemon()
        daemon.hold("left")
        panel = "normal left eDP-1 800 1280 []"
        self.assertEqual(self.until_lines(4), [
            f"10-will {panel} normal", f"20-will {panel} normal",
            f"10-did {panel} left", f"20-did {panel} left"])
        daemon.hold("normal")
        panel = "left normal eDP-1 1280 800 []"
        self.assertEqual(self.until_lines(8)[4:], [
            f"10-will {panel} left", f"20-will {panel} left",
            f"10-did {panel} normal", f"20-did {panel} normal"])
        daemon.until_printed("will-rotate.d/10-will: a word for the log")
        daemon.until_printed("did-rotate.d/10-did: a word for the log")

    def test_a_users_hook_replaces_the_administrators(self):
        self.hook("did", "10-a", "echo system >&3", place="XDG_CONFIG_DIRS")
        self.hook("did", "20-b", "echo system too >&3", place="XDG_CONFIG_DIRS")
        self.hook("did", "10-a", "echo mine >&3")
        self.daemon().hold("left")
        self.assertEqual(self.until_lines(2), ["mine", "system too"])

    def test_a_hanging_hook_delays_the_rotation_by_two_seconds(self):
        """A scenario of the core has that figure of two seconds, in its own time."""
        daemon = self.daemon()
        output = os.path.join(self.session.directory, "done")
        # The daemon is stopped until the screen has been checked, so that the two seconds cannot have passed.
        self.hook("will", "10-hangs", f"kill -STOP {daemon.process.pid}", "echo began >&3",
                  f"until [ -e {output} ]; do sleep 0.02; done", "echo ended >&3")
        self.hook("will", "20-after", "echo never >&3")
        self.hook("did", "10-did", "echo did >&3")
        self.session.accelerate(*ACCELERATIONS["left"])
        self.until_lines(1)
        self.assertEqual(self.session.output("eDP-1")["rotation"], "normal")
        daemon.process.send_signal(signal.SIGCONT)
        daemon.until_shown("left")
        daemon.until_printed("will-rotate.d/10-hangs took too long, so the screen was rotated without waiting "
                             "for it (skipped: 20-after).")
        self.assertEqual(self.until_lines(2), ["began", "did"])
        self.session.write(output, "")
        self.assertEqual(self.until_lines(3), ["began", "did", "ended"])

    def test_a_failing_hook_is_reported_once_and_stops_nothing(self):
        self.hook("will", "10-fails", "exit 3")
        self.hook("will", "20-plain", "echo never >&3", mode=0o644)
        self.hook("did", "30-crashes", "kill -ABRT $$")
        daemon = self.daemon()
        for orientation in ("left", "inverted", "normal"):
            daemon.hold(orientation)
        daemon.until_printed("did-rotate.d/30-crashes was killed by signal 6")
        printed = daemon.printed()
        self.assertEqual(printed.count("will-rotate.d/10-fails failed with exit status 3."), 1, printed)
        self.assertEqual(printed.count("will-rotate.d/20-plain cannot be started: make it executable"), 1, printed)
        self.assertEqual(printed.count("30-crashes"), 1, printed)
        self.hook("will", "10-fails", "exit 0")
        daemon.hold("right")
        daemon.until_printed("will-rotate.d/10-fails works again.")

    def test_hooks_are_asked_to_end_when_the_daemon_ends(self):
        # Nobody reads what it prints once the daemon has ended.
        self.hook("did", "10-stays", "exec >/dev/null 2>&1", "trap 'echo asked >&3; exit' TERM",
                  "echo up >&3", "while :; do sleep 0.02; done")
        daemon = self.daemon()
        daemon.hold("left")
        self.until_lines(1)
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(self.until_lines(2), ["up", "asked"])

    def test_the_documented_recorder_changes_its_frame_size(self):
        with open(os.path.join(PROJECT, "docs", "hooks.md"), encoding="utf-8") as file:
            scripts = re.findall(
                r"(will|did)-rotate\.d/50-recorder`:\n```sh\n#!/bin/sh\n(.*?)```", file.read(), re.S)
        self.assertEqual([kind for kind, _ in scripts], ["will", "did"])
        for kind, script in scripts:
            self.hook(kind, "50-recorder", script)
        self.stub("ffmpeg", 'echo "$5 $6 $7 $8" >> ' + self.recorded,
                  f"trap 'echo closed >> {self.recorded}; exit' TERM", "while :; do sleep 0.02; done")
        daemon = self.daemon()
        with open(os.path.join(self.session.env["XDG_RUNTIME_DIR"], "recording"), "w", encoding="utf-8"):
            pass
        display = self.session.env["DISPLAY"]
        high, wide = (f"-video_size {size} -i {display}" for size in ("800x1280", "1280x800"))
        daemon.hold("left")
        self.assertEqual(self.until_lines(1), [high])
        daemon.hold("normal")
        self.assertEqual(sorted(self.until_lines(3)), sorted([high, "closed", wide]))

    def stub(self, name, *lines):
        """A program that the daemon finds before any other of its name."""
        directory = os.path.join(self.session.directory, "stubs")
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(["#!/bin/sh", *lines, ""]))
        os.chmod(path, 0o755)
        self.session.env["PATH"] = directory + os.pathsep + self.session.env["PATH"]
