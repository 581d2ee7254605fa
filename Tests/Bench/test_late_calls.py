# SPDX-License-Identifier: MIT
"""A daemon that is stopped while it receives calls: calls that their callers gave up are not carried out afterwards."""

import os
import signal
import subprocess

from benchkit import desktop
from benchkit.child_processes import longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.settingswindow import Window, prepare_session
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

LOCK = "Rotation Lock"
NAME, PATH = "org.autorotate.Autorotate1", "/org/autorotate/Autorotate1"
CHOSEN = ("lock", "onHold", "orientation", "posture", "reasonCodes")
"""The state that the calls change."""

COMMANDS = (
    "lock left", "lock right --for 1h", "lock left --until-unfolded", "lock left --while mpv", "unlock",
    "unlock --for 1h", "toggle", "rotate inverted", "rotate left --output {panel}", "hold", "posture tablet", "quit")

CALLS = {
    "Lock": ((), ["string:left"]),
    "LockFor": ((), ["string:left", "uint32:3600"]),
    "LockUntilUnfolded": ((), ["string:left"]),
    "LockWhileFocused": ((), ["string:left", "string:Film"]),
    "Unlock": (("lock",), []),
    "UnlockFor": (("lock",), ["uint32:3600"]),
    "ToggleLock": ((), []),
    "Rotate": ((), ["string:left"]),
    "RotateOutput": ((), ["string:left", "string:{panel}"]),
    "SetPosture": ((), ["string:tablet"]),
    "Hold": ((), ["boolean:true"]),
}
"""Each method that changes something: the command that runs before it, and its arguments."""


class LateCallTest(BenchTest):
    def begin(self, settings="", **options):
        self.session = self.bench(sensor={}, **options)
        self.session.write("config/autorotate/config.toml", settings)
        self.daemon = Daemon(self.session)
        self.daemon.await_name()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.end())
        self.daemon.hold("normal")

    def focus(self, application):
        windows = Windows(self.session.env)
        self.addCleanup(windows.end)
        windows.open("film", application)
        self.daemon.until(lambda now: now["application"] == application, "the focus")

    def pause(self):
        self.daemon.process.send_signal(signal.SIGSTOP)

    def resume(self):
        """Continues the daemon; returns when it has handled what came before."""
        self.daemon.process.send_signal(signal.SIGCONT)
        # The daemon carries calls out in their order.
        wait_until(lambda: self.daemon.ask("explain", "mpv").returncode == 0, "an answer")

    def current(self):
        """What its callers have chosen, once no rotation is in progress."""
        def is_idle():
            status = self.daemon.status()
            return status if not is_rotating(status) else None
        status = wait_until(is_idle, "the end of the rotation")
        return {key: status[key] for key in CHOSEN}

    def call(self, member, arguments, more=("--print-reply", "--reply-timeout=100")):
        """Calls a method as a program that leaves the bus after 100 ms without an answer."""
        words = [word.format(panel=self.session.panel) for word in arguments]
        return self.session.run("dbus-send", "--session", "--type=method_call", *more, f"--dest={NAME}", PATH,
                                f"{NAME}.{member}", *words)

    def call_and_leave(self, member, arguments):
        """Calls a method as a program that leaves the bus at once, though it has not said that it expects no reply."""
        return self.call(member, arguments, more=())

    def send(self, member, arguments):
        """Calls a method as a program that expects no reply, and leaves the bus at once."""
        pairs = [word.format(panel=self.session.panel).split(":") for word in arguments]
        values = ["".join(kind[0] for kind, _value in pairs), *[value for _kind, value in pairs]]
        desktop.ask(self.session, "--expect-reply=no", "call", NAME, PATH, NAME, member, *(values if pairs else []))


class Commands(LateCallTest):
    def test_no_failed_command_is_carried_out_afterwards(self):
        self.begin()
        self.daemon.ask("lock")
        before = self.current()
        self.pause()
        commands = [command.format(panel=self.session.panel) for command in COMMANDS]
        running = [subprocess.Popen([program(), *command.split()], env=self.session.env, text=True,
                                    stderr=subprocess.PIPE, stdout=subprocess.PIPE) for command in commands]
        for command, process in zip(commands, running):
            _out, error = process.communicate(timeout=longest_wait())
            self.assertEqual((process.returncode, "does not answer" in error), (1, True), (command, error))
        self.resume()
        self.assertEqual(self.current(), before)
        self.assertIsNone(self.daemon.process.poll())


class Calls(LateCallTest):
    shares_bench = True

    def prepare(self, commands):
        for command in ("release", "unlock", "posture auto", "rotate normal", *commands):
            self.assertEqual(self.daemon.ask(*command.split()).returncode, 0, command)
        return self.current()

    def test_a_call_whose_caller_has_left_changes_nothing(self):
        self.begin()
        self.focus("Film")
        for member, (commands, arguments) in CALLS.items():
            with self.subTest(member):
                before = self.prepare(commands)
                self.pause()
                self.assertIn("NoReply", self.call(member, arguments).stderr)
                self.resume()
                self.assertEqual(self.current(), before)

    def test_a_call_expecting_no_reply_outlives_its_caller(self):
        self.begin()
        self.focus("Film")
        for member, (commands, arguments) in CALLS.items():
            with self.subTest(member):
                before = self.prepare(commands)
                self.pause()
                self.send(member, arguments)
                self.resume()
                self.assertNotEqual(self.current(), before)

    def test_a_caller_may_leave_at_once_while_the_daemon_runs(self):
        self.begin()
        self.focus("Film")
        for member, (commands, arguments) in CALLS.items():
            with self.subTest(member):
                before = self.prepare(commands)
                self.call_and_leave(member, arguments)
                self.assertNotEqual(self.current(), before)

    def test_an_offer_is_not_accepted_late(self):
        self.begin("[notifications]\nsuggest-rotation = true\n")
        self.daemon.ask("lock")
        self.session.accelerate(*ACCELERATIONS["left"])
        self.daemon.until(lambda now: now["suggestion"], "the offer")
        with self.daemon.rotating_only():
            self.pause()
            self.assertIn("NoReply", self.call("TakeSuggestion", []).stderr)
            self.resume()

    def test_a_request_of_a_program_that_left_rotates_nothing(self):
        self.begin()
        self.focus("Film")
        for member, more in (("Request", []), ("RequestWhileFocused", ["string:Film"])):
            with self.subTest(member), self.daemon.rotating_only():
                self.pause()
                arguments = ["array:string:left", "string:Late", "string:", *more]
                self.assertIn("NoReply", self.call(member, arguments).stderr)
                self.resume()

    def test_the_daemon_does_not_end_late(self):
        self.begin()
        self.pause()
        self.assertIn("NoReply", self.call("Quit", []).stderr)
        self.resume()
        self.assertIsNone(self.daemon.process.poll())
        self.pause()
        self.send("Quit", [])
        self.daemon.process.send_signal(signal.SIGCONT)
        self.assertEqual(self.daemon.process.wait(longest_wait()), 0)


class Programs(LateCallTest):
    """The programs that stay on the bus after they have given up."""

    def test_a_failed_click_on_the_icon_locks_nothing(self):
        self.begin()
        self.session.start("tray", [program(), "tray"])
        wait_until(lambda: desktop.has_owner(self.session, "org.autorotate.Tray"), "the icon is on the bus")
        before = self.current()
        self.pause()
        self.session.run("dbus-send", "--session", "--print-reply", "--dest=org.autorotate.Tray", "/StatusNotifierItem",
                         "org.kde.StatusNotifierItem.Activate", "int32:0", "int32:0")
        log = os.path.join(self.session.directory, "tray.out")
        wait_until(lambda: "does not answer" in open(log, encoding="utf-8").read(), "the icon gives up")
        self.resume()
        self.assertEqual(self.current(), before)

    def test_a_failed_switch_in_the_window_locks_nothing(self):
        self.begin()
        prepare_session(self.session)
        window = Window(self.session)
        self.addCleanup(window.end)
        window.until(lambda: window.reader.states("check box", LOCK), "the switch")
        before = self.current()
        self.pause()
        window.press("check box", LOCK)
        window.await_label("does not answer")
        self.resume()
        self.assertEqual(self.current(), before)
