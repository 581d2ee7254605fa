# SPDX-License-Identifier: MIT
"""A first run in a terminal: one question each, and no change without a yes."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

from benchkit import desktop, requirements, mockbus
from benchkit.c_programs import PROJECT
from benchkit.calibration_user import PANEL
from benchkit.child_processes import Failed, exit_status, longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.fakekwin import ALWAYS, FakeKWin
from benchkit.testing import BenchTest, program

UNIT = "/org/freedesktop/systemd1/unit/graphical_2dsession_2etarget"
UNITS = "org.freedesktop.systemd1.Unit"


class User:
    """A user at a terminal, who reads the output and answers."""

    def __init__(self, session, *words):
        self.master, slave = pty.openpty()
        self.printed = ""
        self.process = subprocess.Popen(
            [program(), "setup", *words], env=session.device_env, stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True)
        os.close(slave)

    def reads(self, words):
        """Waits for these words; the output up to there is not read again."""
        deadline = time.monotonic() + longest_wait()
        while words not in self.printed:
            if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failed(f"it did not print {words!r}, but: {self.printed}")
            if not (more := self._read()):
                raise Failed(f"it ended without {words!r}: {self.printed}")
            self.printed += more
        self.printed = self.printed.split(words, 1)[1]

    def answers(self, question, answer):
        self.reads(question)
        self.reads("[y/N]")
        os.write(self.master, (answer + "\n").encode())

    def presses_enter(self):
        os.write(self.master, b"\n")

    def ends_input(self):
        """Presses Ctrl-D, and reads to the end. Returns the exit status."""
        os.write(self.master, b"\x04")
        return self.wait_for_end()

    def wait_for_end(self):
        while more := self._read():
            self.printed += more
        os.close(self.master)
        return exit_status(self.process)

    def _read(self):
        if not select.select([self.master], [], [], longest_wait())[0]:
            raise Failed(f"it waits for an answer: {self.printed}")
        try:
            return os.read(self.master, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            return ""


class SetupTest(BenchTest):
    def started(self, desktop_name="XFCE", **options):
        session = self.bench(sensor={}, **options)
        session.env["XDG_CURRENT_DESKTOP"] = desktop_name
        session.env["HOME"] = session.directory
        session.accelerate(*ACCELERATIONS["normal"])
        self.addCleanup(self.end_started_programs, session)
        return session

    def end_started_programs(self, session):
        """The programs that it started are not its children any more."""
        for name in ("org.autorotate.Autorotate1", "org.autorotate.Tray"):
            output = desktop.ask(session, "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                 "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", name).split()
            if output:
                os.kill(int(output[1]), signal.SIGTERM)

    def files(self, session):
        top = session.env["XDG_CONFIG_HOME"]
        return sorted(os.path.relpath(os.path.join(place, name), top)
                      for place, _folders, names in os.walk(top) for name in names)

    def text(self, session, path):
        with open(os.path.join(session.env["XDG_CONFIG_HOME"], path), encoding="utf-8") as file:
            return file.read()


class Answers(SetupTest):
    def test_an_accepted_change_is_made_and_not_offered_again(self):
        session = self.started()
        user = User(session)
        user.reads("accel_3d")
        user.answers("Calibrate the sensor", "n")
        user.answers("Start autorotate", "y")
        user.reads("autorotate is running")
        user.answers("tray icon", "YES")
        self.assertEqual(user.wait_for_end(), 0, user.printed)
        self.assertEqual(self.files(session), ["autostart/autorotate-tray.desktop", "autostart/autorotate.desktop"])
        tray = self.text(session, "autostart/autorotate-tray.desktop")
        self.assertIn(f"Exec={os.path.realpath(program())} tray\n", tray)
        for name in ("org.autorotate.Autorotate1", "org.autorotate.Tray"):
            wait_until(lambda name=name: desktop.has_owner(session, name), name)
        again = User(session)
        again.reads("starts at login, by")
        again.answers("Calibrate the sensor", "")
        self.assertEqual(again.wait_for_end(), 0)
        self.assertNotIn("[y/N]", again.printed)

    def test_the_files_are_desktop_entries(self):
        session = self.started()
        validate = requirements.program("desktop-file-validate", "desktop-file-utils")
        user = User(session)
        for question, answer in (("Calibrate", "n"), ("Start autorotate", "n"), ("tray icon", "y")):
            user.answers(question, answer)
        self.assertEqual(user.wait_for_end(), 0)
        path = os.path.join(session.env["XDG_CONFIG_HOME"], "autostart/autorotate-tray.desktop")
        result = subprocess.run([validate, path], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_the_end_of_the_input_declines_everything(self):
        session = self.started()
        user = User(session)
        user.reads("[y/N]")
        self.assertEqual(user.ends_input(), 0)
        self.assertNotIn("[y/N]", user.printed)
        result = subprocess.run([program(), "setup"], env=session.device_env, stdin=subprocess.DEVNULL, text=True,
                                capture_output=True, check=False, timeout=longest_wait())
        self.assertEqual((result.returncode, result.stderr, result.stdout.count("[y/N]")), (0, "", 1))
        half = subprocess.run([program(), "setup"], env=session.device_env, input="n\nn\ny", text=True,
                              capture_output=True, check=False, timeout=longest_wait())
        self.assertEqual((half.returncode, half.stdout.count("[y/N]")), (0, 3))
        self.assertEqual(self.files(session), [])

    def test_accepting_calibration_runs_it_and_continues(self):
        session = self.started()
        user = User(session)
        user.answers("Calibrate the sensor", "y")
        user.reads("1/4")
        for number, hold in enumerate(PANEL, 1):
            if number > 1:
                user.reads(f"{number}/4")
            session.accelerate(*hold)
            if number == 1:
                user.presses_enter()
            user.reads("measured: ")
        user.reads("The mount matrix is 1, 0, 0; 0, 1, 0; 0, 0, 1")
        user.answers("Start autorotate", "n")
        self.assertEqual(user.ends_input(), 0)
        self.assertEqual(self.files(session), ["autorotate/config.toml"])

    def test_a_foreign_folder_is_reported_and_the_rest_continues(self):
        session = self.started()
        session.write("config/autostart", "")
        user = User(session)
        user.answers("Calibrate the sensor", "n")
        user.answers("Start autorotate", "y")
        user.reads("autostart/autorotate.desktop cannot be written: ")
        user.answers("tray icon", "n")
        self.assertEqual(user.wait_for_end(), 1)


class Places(SetupTest):
    def with_systemd(self, end):
        """A session that systemd runs, with autorotate's unit, and a systemctl that exits so."""
        if not mockbus.is_available():
            self.skipTest("python-dbusmock is not installed (package python3-dbusmock)")
        session = self.started()
        service = mockbus.Service(session.children, session.env, "org.freedesktop.systemd1", UNIT, UNITS, bus="session")
        self.addCleanup(service.stop)
        service.mock(UNIT).AddProperties(UNITS, {"ActiveState": "active"})
        session.write("config/systemd/user/autorotate.service", "[Service]\n")
        tool = session.write("tools/systemctl", f'#!/bin/sh\necho "$@" >{session.directory}/output\nexit {end}\n')
        os.chmod(tool, 0o755)
        session.env["PATH"] = os.path.dirname(tool) + ":" + session.env["PATH"]
        return session

    def test_a_systemd_session_gets_its_unit_enabled(self):
        session = self.with_systemd(0)
        user = User(session)
        user.reads("installed but not enabled")
        user.answers("Calibrate", "n")
        user.answers("systemctl --user enable --now autorotate", "y")
        user.reads("autorotate is running")
        self.assertEqual(user.ends_input(), 0)
        with open(os.path.join(session.directory, "output"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "--user enable --now autorotate\n")

    def test_a_unit_that_does_not_start_is_reported(self):
        session = self.with_systemd(1)
        user = User(session)
        user.answers("Calibrate", "n")
        user.answers("systemctl --user enable --now autorotate", "y")
        user.reads("systemctl --user status autorotate")
        self.assertEqual(user.ends_input(), 1)

    def test_plasmas_own_rotation_is_taken_over_only_with_consent(self):
        session = self.started("KDE", server="xvfb", wm="none")
        kwin = FakeKWin(os.path.join(session.directory, "wayland-fake"), policy=ALWAYS)
        self.addCleanup(kwin.end)
        session.env["WAYLAND_DISPLAY"] = kwin.path
        for answer, files in (("n", []), ("y", ["autorotate/config.toml"])):
            user = User(session)
            user.answers("Calibrate", "n")
            user.answers("KWin rotates the screen automatically (always). Should autorotate do it instead?", answer)
            user.reads("Start autorotate")
            self.assertEqual(user.ends_input(), 0)
            self.assertEqual(self.files(session), files)
        self.assertEqual(self.text(session, "autorotate/config.toml"), "[display]\ntake-over = true\n")
        session.write("config/autorotate/config.toml", "[display\n")
        user = User(session)
        user.answers("Calibrate", "n")
        user.answers("Should autorotate do it instead?", "y")
        user.reads("by hand")
        self.assertEqual(user.ends_input(), 1)

    def test_sway_users_are_shown_the_lines_to_add(self):
        session = self.started("sway")
        session.write("config/sway/config", "")
        user = User(session)
        user.answers("Calibrate", "n")
        self.assertEqual(user.wait_for_end(), 0)
        for words in ("~/config/sway/config: exec autorotate --wait\r\n",
                      "~/config/sway/config: exec autorotate tray\r\n",
                      "start it now with: swaymsg exec 'autorotate --wait'\r\n"):
            self.assertEqual(user.printed.count(words), 1, user.printed)
        self.assertIn("Only you can do the steps", user.printed)
        self.assertNotIn("Done.", user.printed)
        self.assertNotIn("[y/N]", user.printed)

    def test_the_answer_yes_does_what_the_switch_does(self):
        session = self.started()
        session.write("etc/autostart/org.autorotate.Autorotate.desktop", "[Desktop Entry]\nExec=autorotate\n")
        self.assertEqual(session.run(program(), "setup", "--with-session", "off").returncode, 0)
        self.assertEqual(self.files(session), ["autostart/org.autorotate.Autorotate.desktop"])
        user = User(session)
        user.reads("switched off by")
        user.reads("autorotate setup --with-session on")
        user.answers("Calibrate", "n")
        user.answers("This removes", "y")
        user.reads("autorotate is running")
        user.answers("tray icon", "n")
        self.assertEqual(user.wait_for_end(), 0)
        self.assertEqual(self.files(session), [])

    def test_the_shown_line_uses_panels_and_sensors_that_appear_later(self):
        session = self.bench(sensor={"absent": True})
        session.env.update(XDG_CURRENT_DESKTOP="sway", HOME=session.directory)
        session.write("config/sway/config", "")
        user = User(session)
        self.assertEqual(user.ends_input(), 0, user.printed)
        line = re.search(r"exec autorotate(.*?)\r\n", user.printed)
        session.unplug("eDP-1")
        daemon = Daemon(session, *line[1].split())
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        session.sensor.do(["add"])
        session.plug("eDP-1")
        session.run("xrandr", "--output", "eDP-1", "--auto")
        daemon.hold("left")

    def test_under_sudo_it_refuses_and_explains(self):
        session = self.started()
        session.env["SUDO_USER"] = "ada"
        result = session.run(program(), "setup")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("without sudo", result.stderr)

    def test_options_of_the_login_screen_need_it(self):
        session = self.started()
        for words in (("--remove",), ("--display-manager", "gdm")):
            result = session.run(program(), "setup", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("require --greeter", result.stderr)


class OfALoginScreen(SetupTest):
    """As typed: the daemon has an option of the same name, which the parser once took it for."""

    def test_the_login_screen_is_configured_and_restored(self):
        session, root = self.started(), self.directory()
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(program())))
        piece = os.path.join(root + prefix, "share/autorotate/greeter/lightdm.conf")
        os.makedirs(os.path.dirname(piece))
        shutil.copy(os.path.join(PROJECT, "Config/greeter/lightdm.conf"), piece)
        written = os.path.join(root, "etc/lightdm/lightdm.conf.d/90-autorotate.conf")
        words = (program(), "setup", "--greeter", "--display-manager", "lightdm", "--root", root)
        result = session.run(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(os.path.exists(written))
        result = session.run(*words, "--remove")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertFalse(os.path.exists(written))

    def test_gdm_is_left_to_another_copy_unless_named(self):
        session, root = self.started(), self.directory()
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(program())))
        written = os.path.join(root, "etc/dconf/db/gdm.d/90-autorotate")
        for path in (os.path.join(root + prefix, "share/autorotate/greeter/gdm"), written,
                     os.path.join(root, "usr/libexec/autorotate/greeter")):
            os.makedirs(os.path.dirname(path))
            shutil.copy(os.path.join(PROJECT, "Config/greeter/gdm"), path)
        for words, stays in (((), True), (("--display-manager", "gdm"), False)):
            result = session.run(program(), "setup", "--greeter", "--remove", "--root", root, *words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(os.path.exists(written), stays)

    def test_without_a_name_each_login_screen_is_restored(self):
        session, root = self.started(), self.directory()
        pieces = [os.path.join(root, path, "90-autorotate.conf") for path in ("etc/lightdm/lightdm.conf.d", "etc/sddm.conf.d")]
        greetd = os.path.join(root, "etc/greetd/config.toml")
        for path in (*pieces, greetd):
            os.makedirs(os.path.dirname(path))
        for path in pieces:
            with open(path, "w", encoding="utf-8") as file:
                file.write("[Seat:*]\n")
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(program())))
        shipped = os.path.join(root + prefix, "share/autorotate/greeter")
        os.makedirs(shipped)
        for name in ("lightdm.conf", "sddm.conf"):
            with open(os.path.join(shipped, name), "w", encoding="utf-8") as file:
                file.write("[Seat:*]\n")
        command = "[default_session]\ncommand = \"cage -s -- {}gtkgreet -l\"\n"
        with open(greetd, "w", encoding="utf-8") as file:
            file.write(command.format(prefix + "/libexec/autorotate/greeter "))
        words = (program(), "setup", "--greeter", "--remove", "--root", root)
        result = session.run(*words)
        self.assertEqual((result.returncode, result.stderr, len(result.stdout.splitlines())), (0, "", 3))
        self.assertEqual([path for path in pieces if os.path.exists(path)], [])
        with open(greetd, encoding="utf-8") as file:
            self.assertEqual(file.read(), command.format(""))
        os.unlink(greetd)
        result = session.run(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("does not start autorotate", result.stdout)


class WithSession(SetupTest):
    """Without questions, as the settings app and scripts use it."""

    def output(self, session, word, status=0):
        output = session.run(program(), "setup", "--with-session", word)
        self.assertEqual(output.returncode, status, output.stderr)
        return output.stdout.strip() or output.stderr.strip()

    def assertSucceeds(self, session, *words):
        """Runs each, and checks the state that is then reported."""
        for word in words:
            self.output(session, word)
            self.assertEqual(self.output(session, "tell"), word)

    def test_autostart_by_a_file_of_the_user(self):
        session = self.started()
        self.assertSucceeds(session, "off", "on", "on", "off")
        self.assertEqual(os.listdir(os.path.join(session.env["XDG_CONFIG_HOME"], "autostart")), [])

    def test_a_file_with_the_users_own_command_is_kept(self):
        session = self.started()
        text = '[Desktop Entry]\nType=Application\nName=Mine\nExec=sh -c "sleep 3; autorotate --wait"\n'
        session.write("config/autostart/autorotate.desktop", text)
        self.assertSucceeds(session, "off", "on")
        self.assertEqual(self.text(session, "autostart/autorotate.desktop"), text)

    def test_the_packaged_entry_is_hidden_and_shown_again(self):
        session = self.started()
        session.write("etc/autostart/org.autorotate.Autorotate.desktop", "[Desktop Entry]\nExec=autorotate\n")
        self.assertSucceeds(session, "on", "off", "on")
        self.assertEqual(os.listdir(os.path.join(session.env["XDG_CONFIG_HOME"], "autostart")), [])

    def test_a_desktop_without_autostart_is_reported(self):
        session = self.started("sway")
        session.write("config/sway/config", "")
        self.assertEqual(self.output(session, "tell"), "by-hand")
        self.assertIn("~/config/sway/config: exec autorotate --wait", self.output(session, "on", status=4))
