# SPDX-License-Identifier: MIT
"""Whether the daemon starts with a real session that has the packaged autostart file, and what doctor reports about it."""

import glob
import json
import os

from benchkit import compositors, requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import wait_until
from benchkit.testing import BenchTest, program

PACKAGED = os.path.join(PROJECT, "packaging/xdg/autostart.desktop")


class AutostartTest(BenchTest):
    def configured(self, desktop, **options):
        session = self.bench(**options)
        session.env.update(XDG_CURRENT_DESKTOP=desktop, HOME=session.directory)
        with open(PACKAGED, encoding="utf-8") as file:
            session.write("etc/autostart/org.autorotate.Autorotate.desktop",
                          file.read().replace("/usr/bin/autorotate", program()))
        self.addCleanup(session.run, program(), "quit")
        return session

    def runs(self, session):
        """Whether a daemon holds the lock of a display. In this test, sway starts it as nobody, which root's bus refuses."""
        return bool(glob.glob(os.path.join(session.env["XDG_RUNTIME_DIR"], "autorotate", "*.lock")))

    def start_with_finding(self, session):
        findings = json.loads(session.run(program(), "doctor", "--json").stdout)["findings"]
        return next(each for each in findings if each["name"] == "start")

    def assertStartsNothing(self, session, step):
        """Also checks that `doctor` and `setup` say so and show the line to add."""
        self.assertFalse(self.runs(session))
        finding = self.start_with_finding(session)
        self.assertEqual(finding["state"], "not-applicable", finding)
        self.assertIn(step, finding["nextStep"])
        result = session.run(program(), "setup", "--with-session", "tell")
        self.assertEqual((result.returncode, result.stdout), (0, "by-hand\n"))
        self.assertIn(step, result.stderr)
        refused = session.run(program(), "setup", "--with-session", "on")
        self.assertEqual((refused.returncode, refused.stdout), (4, ""))
        self.assertIn(step, refused.stderr)
        self.assertIn(step, session.run(program(), "setup").stdout)

    def assertStarts(self, session, by):
        wait_until(lambda: self.runs(session), "a daemon")
        finding = self.start_with_finding(session)
        self.assertEqual(finding["state"], "works")
        self.assertIn(by, finding["detail"])
        self.assertEqual(session.run(program(), "setup", "--with-session", "tell").stdout, "on\n")
        refused = session.run(program(), "setup", "--with-session", "off")
        self.assertEqual(refused.returncode, 4)
        self.assertIn(by, refused.stderr)
        self.assertIn("remove that line", refused.stderr)

    def assertStartsThePackagedFile(self, session, command=None):
        """Also checks that the switch of `setup` turns it off."""
        if command:
            session.children.start("wm", command, session.env)
        wait_until(lambda: self.runs(session), "a daemon")
        finding = self.start_with_finding(session)
        self.assertEqual(finding["state"], "works")
        self.assertIn("org.autorotate.Autorotate.desktop", finding["detail"])
        self.assertEqual(session.run(program(), "setup", "--with-session", "off").returncode, 0)
        self.assertEqual(session.run(program(), "setup", "--with-session", "tell").stdout, "off\n")

    def append(self, path, text):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    def await_mark(self, session):
        path = os.path.join(session.env["XDG_RUNTIME_DIR"], "mark")
        wait_until(lambda: os.path.exists(path), "what the configuration starts")
        os.unlink(path)


class Sessions(AutostartTest):
    def assertStartsByItsLine(self, session, name, restart, execute, step):
        """The desktop starts nothing until its configuration file, to which `execute` adds a command, names autorotate."""
        path = os.path.join(session.directory, name)
        self.append(path, f"{execute} touch $XDG_RUNTIME_DIR/mark\n")
        session.run(*restart)
        self.await_mark(session)
        self.assertStartsNothing(session, step)
        self.append(path, f"{execute} {program()} --wait\n")
        session.run(*restart)
        self.assertStarts(session, f"{name}:")

    if not compositors.root():  # doctor trusts no compositor in another mount namespace
        def test_sway_starts_only_what_its_configuration_names(self):
            self.assertStartsByItsLine(
                self.configured("sway", server="sway"), "sway.config", ["swaymsg", "reload"], "exec_always",
                "~/sway.config: exec autorotate --wait")

    def test_i3_starts_only_what_its_configuration_names(self):
        self.assertStartsByItsLine(
            self.configured("i3", server="xvfb", wm="i3"), "i3.conf", ["i3-msg", "restart"],
            "exec_always --no-startup-id", "~/i3.conf: exec --no-startup-id autorotate --wait")

    def test_i3_with_dex_starts_the_packaged_file(self):
        requirements.program("dex", "dex")
        session = self.configured("i3", server="xvfb", wm="i3")
        self.append(os.path.join(session.directory, "i3.conf"),
                    "exec_always --no-startup-id dex --autostart --environment i3\n")
        session.run("i3-msg", "restart")
        self.assertStartsThePackagedFile(session)

    def test_plain_openbox_starts_nothing(self):
        session = self.configured("", server="xvfb", wm="openbox")
        session.write("config/openbox/autostart", f"{program()} --wait &\n")
        self.assertStartsNothing(session, "~/.xinitrc: autorotate --wait &")

    def test_openbox_session_starts_the_packaged_file(self):
        session = self.configured("", server="xvfb", wm="none")
        command = [requirements.program("openbox-session", "openbox")]
        if session.run("/usr/bin/python3", "-c", "import xdg").returncode != 0:
            self.skipTest("PyXDG is not installed (package python3-xdg)")
        self.assertStartsThePackagedFile(session, command)

    def test_openbox_session_starts_a_line_of_its_own_file(self):
        session = self.configured("", server="xvfb", wm="none")
        os.unlink(os.path.join(session.directory, "etc/autostart/org.autorotate.Autorotate.desktop"))
        session.write("config/openbox/autostart", f"{program()} --wait &\n")
        session.children.start("wm", [requirements.program("openbox-session", "openbox")], session.env)
        self.assertStarts(session, "openbox/autostart:1")

    def test_xfce_starts_the_packaged_file(self):
        self.assertStartsThePackagedFile(
            self.configured("XFCE", server="xvfb", wm="none"), [requirements.program("xfce4-session", "xfce4-session")])

    def test_xfce_starts_nothing_without_the_packaged_file(self):
        session = self.configured("XFCE", server="xvfb", wm="none")
        os.unlink(os.path.join(session.directory, "etc/autostart/org.autorotate.Autorotate.desktop"))
        session.write("etc/autostart/mark.desktop", "[Desktop Entry]\nType=Application\nName=Mark\n"
                      f"Exec=touch {session.env['XDG_RUNTIME_DIR']}/mark\n")
        session.children.start("wm", [requirements.program("xfce4-session", "xfce4-session")], session.env)
        self.await_mark(session)
        self.assertFalse(self.runs(session))
        self.assertEqual(self.start_with_finding(session)["nextStep"], "run: autorotate setup")
        self.assertEqual(session.run(program(), "setup", "--with-session", "tell").stdout, "off\n")

    def test_an_unknown_desktop_has_a_next_step(self):
        session = self.configured("Zyx", server="xvfb", wm="none")
        result = session.run(program(), "setup", "--with-session", "tell")
        self.assertEqual((result.returncode, result.stdout), (0, "unknown\n"))
        self.assertEqual(result.stderr,
                         "autorotate: configure your desktop to start this at login: autorotate --wait\n")
        self.assertIn("not known", self.start_with_finding(session)["detail"])
