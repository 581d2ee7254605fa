# SPDX-License-Identifier: MIT
"""What the scripts that run as root leave to the processes of users: no terminal, no descriptor, no environment."""

import fcntl
import json
import os
import pty
import subprocess
import sys
import termios

from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import LONGEST_WAIT
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
# Gives the process of the user all that it has itself. The real ones give less, but not nothing: what they start
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


class MaintainerScripts(BenchTest):
    def setUp(self):
        requirements.program("setpriv", "util-linux")
        if os.getuid() != 0:
            self.skipTest("only root can start the process of another user")
        self.place = self.directory()
        for path in (os.path.dirname(self.place), self.place):
            os.chmod(path, 0o755)
        for name, text in (("probe", PROBE), ("systemctl", AS_USER), ("systemd-run", AS_USER),
                           ("autorotate", PROGRAM), ("udevadm", "#!/bin/sh\n"),
                           ("getent", f"#!/bin/sh\necho nobody:x:{USER}:{USER}::{self.place}:/bin/sh\n")):
            self.write(name, text)
        self.write("reports", "")
        os.chown(os.path.join(self.place, "reports"), USER, USER)

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
                           stderr=slave, preexec_fn=own_terminal, timeout=LONGEST_WAIT, check=False)
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
        self.assert_separate(self.run_on_terminal(self.script("deb/debian/autorotate.prerm"), "remove"))

    def test_an_upgrade_keeps_roots_terminal_from_users(self):
        self.assert_separate(self.run_on_terminal(self.script("deb/debian/autorotate.postinst"), "configure", "1.0.0"))

    def test_forgetting_the_unit_keeps_roots_terminal_from_users(self):
        self.assert_separate(self.run_on_terminal(self.script("deb/debian/autorotate.postrm"), "remove"))

    def test_the_login_screen_keeps_roots_terminal_from_its_user(self):
        script = self.script("greeter/sddm-display", **{
            "/usr/bin/autorotate": os.path.join(self.place, "probe"),
            "sddm --regid sddm": f"{USER} --regid {USER}",
            " | cat >&2 &": " | cat >&2", ">/dev/null &\n": ">/dev/null\n", "/etc/sddm": "/nowhere",
            "/usr/share/sddm": "/nowhere"})
        self.assert_separate(self.run_on_terminal(script), HARMLESS | {"HOME", "DISPLAY"})
