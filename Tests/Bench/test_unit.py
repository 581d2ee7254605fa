# SPDX-License-Identifier: MIT
"""Hooks under all restrictions of the systemd unit: by a real user manager, and started by the daemon."""

import os
import re
import unittest

import test_shipped_hooks
from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.daemon import Daemon
from benchkit.shipped_hooks import HookTest
from benchkit.user_manager import require_user_manager

IN_UNIT = os.path.join(PROJECT, "Tests/Bench/in-unit")
SHIPPED = {
    "BarRestart": "test_polybar_and_tint2_have_the_width_of_the_screen",
    "LisgdOrientation": "test_lisgd_gets_each_orientation",
    "OnboardLayout": "test_onboard_gets_the_layout_of_each_orientation",
    "StereoUpsideDown": "test_channels_swap_when_upside_down",
    "SubpixelOrder": "test_other_desktops_get_it_by_x_resources",
    "SwaySplit": "test_the_outermost_split_of_each_workspace_follows_the_panel",
    "Wallpaper": "test_the_wallpaper_follows_on_sway",
}
"""For each shipped hook the test that runs with its real tools."""

# Calls that exploits use, each with arguments that the kernel itself answers otherwise than by EPERM.
PROBE = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
for name, number in dict(move_pages=279, perf_event_open=298, userfaultfd=323, pidfd_getfd=438).items():
    code = libc.syscall(number, *([-1] * 5))
    print(name, errno.errorcode[ctypes.get_errno()] if code < 0 else "done")
"""


class InUnit(HookTest):
    """The daemon is started as by the unit."""

    starter = (IN_UNIT,)

    def setUp(self):
        require_user_manager()

    def daemon(self, session, *arguments):
        daemon = Daemon(session, *arguments, starter=self.starter)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def beside(self, daemon):
        """What starts a program in the unit's mount namespace, which the only child of in-unit has made."""
        number = daemon.process.pid
        with open(f"/proc/{number}/task/{number}/children", encoding="utf-8") as file:
            return "nsenter", f"--mount=/proc/{file.read().split()[0]}/ns/mnt"


def shipped(name):
    """The tests of a shipped hook, with another start of the daemon."""
    return type(name + "InUnit", (InUnit, getattr(test_shipped_hooks, name)), {"__module__": __name__})


class Programs(InUnit):
    """What users start from hooks of their own."""

    starter = (IN_UNIT, "--few-rights")

    def run_from_hook(self, *lines, **environment):
        """What a hook with these lines prints, and its exit status in the last line."""
        session = self.bench(sensor={})
        session.env.update(environment)
        hook = session.write("config/autorotate/did-rotate.d/50-try", "\n".join(
            ("#!/bin/bash", "{", *lines, f"}} >{session.directory}/said 2>&1", f"echo $? >{session.directory}/status")))
        os.chmod(hook, 0o755)
        daemon = self.daemon(session)
        daemon.hold("left")
        status, printed = (os.path.join(session.directory, name) for name in ("status", "said"))
        self.until(lambda: os.path.exists(status) and os.path.getsize(status), daemon.printed)
        with open(printed, encoding="utf-8") as file:
            text = file.read()
        with open(status, encoding="utf-8") as file:
            return text, int(file.read())

    def assertRuns(self, wanted, *lines):
        text, status = self.run_from_hook(*lines)
        self.assertEqual(status, 0, text)
        self.assertRegex(text, wanted)

    def test_the_filter_and_the_umask_are_in_effect(self):
        text, _status = self.run_from_hook("umask", "grep -E 'Seccomp:|NoNewPrivs:' /proc/self/status",
                                           f"python3 -c '{PROBE}'")
        self.assertEqual(text.split("\n")[0], "0077")
        self.assertRegex(text, r"NoNewPrivs:\s1\nSeccomp:\s2")
        self.assertEqual(re.findall(r"^\w+ (\w+)$", text, re.M), ["EPERM"] * 4, text)

    def test_a_browsers_sandbox_can_be_made(self):
        """New user, process and network namespaces, and a root directory without files; then fewer rights."""
        self.assertRuns("^0\n1\nsandboxed$", "unshare --user --map-root-user --pid --net --fork --mount-proc sh -c '"
                        "id -u; echo $$' && unshare --user --map-root-user --pid --net --fork "
                        "setpriv --bounding-set=-all --inh-caps=-all echo sandboxed && "
                        "unshare --user --map-root-user chroot / true")

    def test_chromium_with_its_own_sandbox(self):
        chromium = requirements.program("chromium", "chromium")
        # It refuses to run as root, and in a user namespace its own sandbox fails.
        self.assertRuns("7!", "place=$(mktemp -d /tmp/unit-XXXXXX) && chmod 777 $place && "
                        "setpriv --reuid 65533 --regid 65533 --clear-groups env -i PATH=$PATH HOME=$place/home sh -c '"
                        f"mkdir $HOME && {chromium} --headless --disable-gpu --user-data-dir=$HOME "
                        "--dump-dom \"data:text/html,<script>document.write(7 * 1 + String.fromCharCode(33))</script>\"; "
                        "rm -rf $HOME'; rmdir $place")

    def test_flatpaks_sandbox_can_be_made(self):
        requirements.program("bwrap", "bubblewrap")
        self.assertRuns("^inside 2$", "bwrap --unshare-all --share-net --die-with-parent --new-session --ro-bind / / "
                        "--dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --dir /run/user/1000 --remount-ro / "
                        "sh -c 'echo inside $$'")

    def test_strace_works(self):
        requirements.program("strace", "strace")
        self.assertRuns(r"^written\n.*execve\(.*\n.*write\(1, .*\n.*exited with 0", "strace -f -e trace=execve,write "
                        "-o $BENCH_DIR/trace echo written && cat $BENCH_DIR/trace")

    def test_scripts_can_lower_their_priority(self):
        self.assertRuns("^polite$", "nice -n 5 ionice -c 3 taskset -c 0 echo polite")


def load_tests(loader, _tests, _pattern):
    programs = loader.getTestCaseNames(Programs)
    if not os.environ.get("BROWSERS"):  # only `make test-browsers` asks for them
        programs = [name for name in programs if "chromium" not in name]
    suite = unittest.TestSuite(Programs(name) for name in programs)
    suite.addTests(shipped(name)(test) for name, test in SHIPPED.items())
    return suite
