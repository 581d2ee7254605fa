# SPDX-License-Identifier: MIT
"""What scripts that run as root pass on to processes of users: no terminal, no descriptor, no environment."""

import fcntl
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import termios

from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import exit_status, longest_wait, wait_until
from benchkit.testing import BenchTest

USER = 65534
ROOTS_SECRET = {"SECRET": "of root"}
# Set by shells themselves.
HARMLESS = {"PATH", "PWD", "OLDPWD", "SHLVL", "_"}

PROBE = f"""#!{sys.executable}
import fcntl, json, os, sys, termios

def opens_terminal():
    try:
        return [os.open("/dev/tty", os.O_RDWR)]
    except OSError:
        return []

def types(descriptor):
    try:
        for letter in b"injected\\n":
            fcntl.ioctl(descriptor, termios.TIOCSTI, bytes([letter]))
        return True
    except OSError:
        return False

own = opens_terminal()
inherited = [each for each in range(256) if each not in own and os.isatty(each)]
with open("/proc/self/environ", "rb") as file:
    names = [each.split(b"=")[0].decode() for each in file.read().split(b"\\0") if each]
with open(os.path.join(os.path.dirname(__file__), "reports"), "a") as file:
    print(json.dumps({{"has terminal": bool(own), "terminals": inherited, "environment": names,
                      "typed": any([types(each) for each in own + inherited])}}), file=file)
print('"orientation": "normal"')
"""
# Gives the user's process everything that it has itself. The real ones give less, but not nothing: what they start
# to reach a user's manager writes to their own standard error.
AS_USER = f"""#!/bin/sh
case "$*" in *list-units*) echo "user@{USER}.service loaded active running"; exit ;; esac
exec setpriv --reuid={USER} --regid={USER} --clear-groups "$(dirname "$0")/probe"
"""
PROGRAM = """#!/bin/sh
[ "$(id -u)" = 0 ] || exec "$(dirname "$0")/probe"
"""
# The shell that an administrator types into, and what waits in its terminal when the script has ended.
SHELL = 'sh "$@"; stty -icanon min 0 time 0; head -c 200 >"$TYPED"'


class FakeDaemon:
    """A process of a program that looks like an installed daemon."""

    def __init__(self, place, *arguments, name="daemon"):
        self.path = os.path.join(place, name)
        shutil.copy("/usr/bin/tail", self.path)
        self.process = subprocess.Popen(
            ["autorotate", *arguments, "-f", "/dev/null"], executable=self.path, user=USER, group=USER, extra_groups=[],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        self.process.kill()
        self.process.wait()


class ScriptTest(BenchTest):
    def setUp(self):
        requirements.program("setpriv", "util-linux")
        if os.getuid() != 0:
            self.skipTest("only root can start the process of another user")
        self.place = self.directory()
        for path in (os.path.dirname(self.place), self.place):
            os.chmod(path, 0o755)

    def write(self, name, text):
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def script(self, path, **replaced):
        with open(os.path.join(PROJECT, "packaging", path), encoding="utf-8") as file:
            text = file.read().replace("/run/systemd/system", self.place)
        for old, new in replaced.items():
            text = text.replace(old, new)
        return self.write("script", text)


class MaintainerScripts(ScriptTest):
    def setUp(self):
        super().setUp()
        for name, text in (("probe", PROBE), ("systemctl", AS_USER), ("systemd-run", AS_USER),
                           ("autorotate", PROGRAM), ("udevadm", "#!/bin/sh\n"),
                           ("getent", f"#!/bin/sh\necho nobody:x:{USER}:{USER}::{self.place}:/bin/sh\n")):
            self.write(name, text)
        self.write("reports", "")
        os.chown(os.path.join(self.place, "reports"), USER, USER)

    def run_on_terminal(self, *command):
        """Returns what root's shell would read next."""
        master, slave = pty.openpty()
        typed = os.path.join(self.place, "typed")
        environment = {"PATH": f"{self.place}:/usr/sbin:/usr/bin:/sbin:/bin", "TYPED": typed, "DISPLAY": ":0",
                       **ROOTS_SECRET}

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        try:
            subprocess.run(["sh", "-c", SHELL, "sh", *command], env=environment, stdin=slave, stdout=slave,
                           stderr=slave, preexec_fn=own_terminal, timeout=longest_wait(), check=False)
        finally:
            os.close(master)
            os.close(slave)
        with open(typed, encoding="utf-8") as file:
            return file.read()

    def reports(self):
        with open(os.path.join(self.place, "reports"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def assert_separate(self, typed, harmless=frozenset(HARMLESS)):
        reports = self.reports()
        self.assertTrue(reports, "nothing ran as the user")
        for report in reports:
            self.assertEqual(
                (report["has terminal"], report["terminals"], report["typed"], set(report["environment"]) - harmless),
                (False, [], False, set()))
        self.assertEqual(typed, "")

    def test_removing_the_package_keeps_roots_terminal_from_users(self):
        daemon = FakeDaemon(self.place)
        self.addCleanup(daemon.end)
        script = self.script("deb/debian/autorotate.prerm", **{"/usr/bin/autorotate": daemon.path})
        self.assert_separate(self.run_on_terminal(script, "remove"))

    def test_an_upgrade_keeps_roots_terminal_from_users(self):
        self.assert_separate(self.run_on_terminal(self.script("deb/debian/autorotate.postinst"), "configure", "1.0.0"))

    def test_disabling_the_unit_keeps_roots_terminal_from_users(self):
        self.assert_separate(self.run_on_terminal(self.script("deb/debian/autorotate.postrm"), "remove"))

    def test_the_login_screen_keeps_roots_terminal_from_its_user(self):
        script = self.script("greeter/sddm-display", **{
            "/usr/bin/autorotate": os.path.join(self.place, "probe"),
            "sddm --regid sddm": f"{USER} --regid {USER}",
            " | cat >&2 &": " | cat >&2", ">/dev/null &\n": ">/dev/null\n", "/etc/sddm": "/nowhere",
            "/usr/share/sddm": "/nowhere"})
        self.assert_separate(self.run_on_terminal(script), HARMLESS | {"HOME", "DISPLAY"})


MANAGER = f"""#!/bin/sh
case "$*" in
  *list-units*) echo "user@{USER}.service loaded active running" ;;
  *show-environment*) printf '%b' "$(cat "$(dirname "$0")/environment")" ;;
esac
"""
# Runs the last line of shell, for as long as it may.
RUN = """#!/bin/sh
for word; do case $word in --property=RuntimeMaxSec=*) limit=${word##*=} ;; esac; done
while [ "$1" != /bin/sh ]; do shift; done
exec timeout "$limit" "$@"
"""
# Rotates as soon as the session is in front, and fails until then.
COMMAND_LINE = """#!/bin/sh
place=$(dirname "$0")
echo "$*" >>"$place/asked"
[ -e "$place/is-running" ] || exit 3
orientation=left
[ ! -e "$place/in-front" ] || orientation=normal
case "$*" in
  *status*) echo "{\\"orientation\\": \\"$orientation\\"}" ;;
  *) [ $orientation = normal ] ;;
esac
"""


class Removal(ScriptTest):
    """The package is removed while a daemon runs in a session that is behind another terminal."""

    def setUp(self):
        super().setUp()
        for name, text in (("systemctl", MANAGER), ("systemd-run", RUN), ("autorotate", COMMAND_LINE),
                           ("environment", "DISPLAY=:0\\n"), ("is-running", "")):
            self.write(name, text)
        self.daemon = FakeDaemon(self.place)
        self.addCleanup(self.daemon.end)

    def remove(self, patience=1):
        """Begins to remove the package, which waits so many seconds for the session."""
        script = self.script("deb/debian/autorotate.prerm",
                             **{"/usr/bin/autorotate": self.daemon.path, "patience=30": f"patience={patience}"})
        process = subprocess.Popen(
            ["sh", script, "remove"], env={"PATH": f"{self.place}:/usr/sbin:/usr/bin:/sbin:/bin"}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        return process

    def removed(self, **options):
        """Removes the package. Returns what that printed."""
        process = self.remove(**options)
        printed, _ = process.communicate(timeout=longest_wait())
        self.assertEqual(process.returncode, 0, printed)
        self.assertIsNotNone(self.daemon.process.poll(), "the daemon has outlived its files")
        return printed

    def test_a_session_in_front_is_rotated_back_silently(self):
        self.write("in-front", "")
        self.assertEqual(self.removed(), "")
        with open(os.path.join(self.place, "asked"), encoding="utf-8") as file:
            self.assertIn("rotate normal\n", file.read())

    def test_the_login_screen_of_a_copy_that_comes_first_in_path_stays(self):
        self.write("in-front", "")
        self.removed()
        with open(os.path.join(self.place, "asked"), encoding="utf-8") as file:
            self.assertNotIn("setup", file.read())

    def test_a_session_that_comes_to_the_front_is_rotated_back(self):
        process = self.remove(patience=int(longest_wait()))
        printed = process.stdout.readline()
        self.assertIn("seconds to be in front", printed)
        self.assertIsNone(self.daemon.process.poll())
        self.write("in-front", "")
        self.assertEqual((process.stdout.read(), exit_status(process)), ("", 0))
        process.stdout.close()
        self.assertIsNotNone(self.daemon.process.poll())

    def test_for_a_session_that_stays_behind_it_prints_the_command(self):
        for environment, command in (
                ("XDG_CURRENT_DESKTOP=XFCE\\nDISPLAY=:0\\n", "xrandr --output PANEL --rotate normal"),
                ("XDG_CURRENT_DESKTOP=sway\\nWAYLAND_DISPLAY=wayland-1\\n", "swaymsg output PANEL transform normal"),
                ("XDG_CURRENT_DESKTOP=labwc:wlroots\\nWAYLAND_DISPLAY=wayland-0\\n",
                 "wlr-randr --output PANEL --transform normal"),
                ("XDG_CURRENT_DESKTOP=KDE\\n", "kscreen-doctor output.PANEL.rotation.none"),
                ("XDG_CURRENT_DESKTOP=ubuntu:GNOME\\n", "gnome-control-center display")):
            with self.subTest(environment):
                self.write("environment", environment)
                self.daemon = FakeDaemon(self.place, name=f"daemon-{len(environment)}")
                self.addCleanup(self.daemon.end)
                self.assertRegex(self.removed(), command.replace("PANEL", r"[\w-]+") + "\n$")

    def test_no_output_of_a_user_reaches_the_terminal(self):
        self.write("environment", "XDG_CURRENT_DESKTOP=KDE\\033[2Jsway\\n\\033]0;x\\007")
        self.assertNotRegex(self.removed(), r"[^\x20-\x7e\n]")

    def test_an_idle_daemon_that_ignores_signals_is_ended(self):
        os.remove(os.path.join(self.place, "is-running"))
        self.daemon.process.send_signal(signal.SIGSTOP)
        self.assertEqual(self.removed(), "")

    def test_a_program_that_is_no_daemon_continues(self):
        program = FakeDaemon(self.place, "request", "landscape", name="daemon-too")
        self.addCleanup(program.end)
        os.replace(program.path, self.daemon.path)
        self.write("in-front", "")
        self.removed()
        self.assertIsNone(program.process.poll())
