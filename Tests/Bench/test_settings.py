# SPDX-License-Identifier: MIT
"""The settings app, operated as users do: by screen reader, with a finger, and by keyboard."""

import json
import os
import re
import signal
import subprocess

from benchkit import desktop, mockbus, processes, settingswindow
from benchkit.c_programs import PROJECT
from benchkit.calibration_user import PANEL
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.nested_sway import PANEL as NESTED_PANEL
from benchkit.nested_sway import NestedSway
from benchkit.settingswindow import SPACE, TAB, Window, settings_program
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

DAEMON, DAEMON_PATH = "org.autorotate.Autorotate1", "/org/autorotate/Autorotate1"
LOCK = "Rotation Lock"
TABLET = "Only in Tablet Mode"
START = "Start autorotate"
KEYBOARD = "On-Screen Keyboard Command"
BROKEN = "[sensor]\nrate = 1000\n"
SOURCES = os.path.join(PROJECT, "Sources", "autorotate-settings")
ICONS = os.path.join(PROJECT, "packaging", "icons")
BUILT_IN = {"dialog-warning-symbolic", "object-select-symbolic", "open-menu-symbolic"}
"""The icons in GTK 4.8's own resources that the window uses; `gresource list libgtk-4.so.1` shows all."""
MENU, A, B = 76, 38, 56  # X's numbers of F10 and two letters
FULL_SCREEN = "Only in Fullscreen"
USED = {"push button", "check box", "combo box", "text", "entry", "page tab"}
"""The roles of controls that a user can operate."""
NARROW = "360x640"
QUARTER = "0, 1, 0; -1, 0, 0; 0, 0, 1"
FINGER = 44  # pixels: the smallest touch target


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class SettingsTest(BenchTest):
    def configured(self, settings=None, **options):
        session = self.bench(sensor={"noise": 0.05}, **options)
        settingswindow.prepare_session(session)
        if settings is not None:
            session.write("config/autorotate/config.toml", settings)
        return session

    def daemon(self, session, *arguments):
        daemon = Daemon(session, *arguments)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def window(self, session, *words):
        window = Window(session, *words)
        self.addCleanup(window.end)
        return window

    def started(self, *words, settings=None, **options):
        session = self.configured(settings, **options)
        daemon = self.daemon(session)
        daemon.hold("normal")
        return session, daemon, self.window(session, *words)

    def settings(self, session):
        try:
            with open(os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate", "config.toml"),
                      encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None


class Now(SettingsTest):
    def test_the_switch_locks_and_unlocks(self):
        _session, daemon, window = self.started()
        window.press("check box", LOCK)
        daemon.until(lambda now: now["lock"], "the lock")
        daemon.ask("--unlock")
        window.await_switch(LOCK, False)
        daemon.ask("--lock")
        window.await_switch(LOCK, True)

    def test_a_button_rotates_and_the_current_orientation_is_disabled(self):
        session, daemon, window = self.started()
        window.press("push button", "Left Edge Up")
        daemon.until_shown("left")
        window.await_label("Screen: Left Edge Up")
        self.assertNotIn("sensitive", window.reader.states("push button", "Left Edge Up"))
        self.assertEqual(session.output("eDP-1")["rotation"], "left")

    def test_a_pause_is_shown_and_can_be_ended(self):
        _session, daemon, window = self.started()
        daemon.ask("--hold")
        window.press("push button", "Resume Auto-Rotation")
        daemon.until(lambda now: not now["onHold"], "the end of the pause")

    def test_a_setting_is_written_and_the_rest_kept(self):
        text = "# mine\n[desktop] # here\nrotate-in = \"always\" # always\n"
        session, _daemon, window = self.started(settings=text)
        window.press("check box", TABLET)
        wait_until(lambda: "tablet" in self.settings(session), "the setting is written")
        self.assertEqual(self.settings(session), text.replace('"always"', '"tablet"'))
        session.write("config/autorotate/config.toml", text)
        window.await_switch(TABLET, False)

    def test_the_target_of_a_linked_file_is_followed(self):
        session = self.configured("")
        target = session.write("dotfiles/rotation.toml", '[desktop]\nrotate-in = "tablet"\n')
        link = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate", "config.toml")
        os.remove(link)
        os.symlink(target, link)
        window = self.window(session)
        window.await_switch(TABLET, True)
        session.write("dotfiles/rotation.toml", '[desktop]\nrotate-in = "always"\n')
        window.await_switch(TABLET, False)

    def test_autostart_is_switched_on_and_off(self):
        session = self.configured()
        session.env["XDG_CURRENT_DESKTOP"] = "XFCE"
        window = self.window(session)
        file = os.path.join(session.env["XDG_CONFIG_HOME"], "autostart", "autorotate.desktop")
        window.press("check box", "Start Automatically at Login")
        wait_until(lambda: os.path.exists(file), file)
        window.await_switch("Start Automatically at Login", True)
        window.press("check box", "Start Automatically at Login")
        wait_until(lambda: not os.path.exists(file), f"the end of {file}")

    def test_autostart_that_was_switched_elsewhere_is_shown(self):
        session = self.configured()
        session.env["XDG_CURRENT_DESKTOP"] = "XFCE"
        session.run(program(), "setup", "--with-session", "on")
        with Windows(session.env) as windows:
            number = windows.open("other", "Other")
            window = self.window(session)
            window.await_switch("Start Automatically at Login", True)
            windows.activate("other", number)
            session.run(program(), "setup", "--with-session", "off")
            session.run("xdotool", "search", "--onlyvisible", "--name", "^Rotation$", "windowactivate")
            window.await_switch("Start Automatically at Login", False)

    def test_a_press_while_autostart_is_switched_changes_nothing(self):
        session = self.configured()
        session.env["XDG_CURRENT_DESKTOP"] = "XFCE"
        calls, end = session.write("calls", ""), os.path.join(session.directory, "end")
        os.mkfifo(end)
        late = session.write("late/autorotate",
                             f'#!/bin/sh\necho "$3" >> {calls}\ncase $3 in on|off) cat {end};; esac\nexec {program()} "$@"\n')
        os.chmod(late, 0o755)
        session.env["PATH"] = f"{os.path.dirname(late)}:{session.env['PATH']}"
        window = self.window(session)
        start = "Start Automatically at Login"
        window.until(lambda: "sensitive" in (window.reader.states("check box", start) or []), "the switch")
        window.press("check box", start)
        wait_until(lambda: read_text(calls).endswith("on\n"), "it is switched on")
        window.press("check box", start)
        # GTK moves a switch before it counts the press.
        window.await_switch(start, False)
        with open(end, "wb"):
            pass
        wait_until(lambda: not read_text(calls).endswith("on\n"), "it is asked again")
        window.await_switch(start, True)
        self.assertNotIn("off", read_text(calls))

    def test_a_late_answer_does_not_hide_why_autostart_was_not_switched(self):
        session = self.configured()
        calls = session.write("calls", "")
        answer, refusal = (os.path.join(session.directory, name) for name in ("answer", "refusal"))
        for path in (answer, refusal):
            os.mkfifo(path)
        late = session.write("late/autorotate", f'#!/bin/sh\necho $$ "$3" >> {calls}\n'
                             f'case $3 in on) exec cat {refusal};; *) exec cat {answer};; esac\n')
        os.chmod(late, 0o755)
        session.env["PATH"] = f"{os.path.dirname(late)}:{session.env['PATH']}"
        window = self.window(session)
        wait_until(lambda: read_text(calls).endswith("\n"), "the first question")
        window.press("check box", "Start Automatically at Login")
        wait_until(lambda: read_text(calls).endswith("on\n"), "it is switched on")
        with open(answer, "w", encoding="utf-8") as file:
            file.write("off\n")
        first = int(read_text(calls).split()[0])
        wait_until(lambda: not processes.is_running(first), "the end of the first question")
        with open(refusal, "w", encoding="utf-8") as file:
            file.write("there is no place for the file\n")
        window.await_label("there is no place for the file")

    def test_the_desktops_own_rotation_can_be_taken_over(self):
        on_wayland = {"WAYLAND_DISPLAY": "wayland-0"}
        for desktops, display, is_shown in (
                ("X-Cinnamon", on_wayland, True), ("ubuntu:GNOME", on_wayland, True), ("ubuntu:GNOME", {}, False),
                ("Phosh:GNOME", on_wayland, False), ("XFCE", on_wayland, False)):
            session = self.configured()
            session.env.update(XDG_CURRENT_DESKTOP=desktops, **display)
            window = self.window(session)
            window.until(lambda window=window: window.reader.states("check box", TABLET), "the settings")
            states = window.reader.states("check box", "Use autorotate Instead of the Desktop") or []
            self.assertEqual("visible" in states, is_shown, (desktops, display))

    def test_a_session_without_autostart_shows_the_line_to_add(self):
        session = self.configured()
        session.env["XDG_CURRENT_DESKTOP"] = "sway"
        session.write("etc/autostart/org.autorotate.Autorotate.desktop", "[Desktop Entry]\nExec=autorotate --wait\n")
        session.write("config/sway/config", "")
        window = self.window(session)
        window.await_label("add this line to ~/config/sway/config: exec autorotate --wait")
        window.await_switch("Start Automatically at Login", False)
        self.assertNotIn("sensitive", window.reader.states("check box", "Start Automatically at Login"))

    def test_its_version_is_that_of_the_program(self):
        session = self.bench(server="xvfb", wm="none")
        result = session.run(settings_program(), "--version")
        version = session.run(program(), "--version").stdout
        self.assertEqual((result.returncode, result.stdout), (0, "autorotate-settings " + version))

    def test_what_is_typed_stays_until_it_is_applied(self):
        session, daemon, window = self.started()
        window.until(lambda: window.reader.ask("enter", KEYBOARD, "wvkbd"), "the field")
        session.accelerate(*ACCELERATIONS["left"])
        daemon.until_shown("left")
        window.await_label("Screen: Left Edge Up")
        self.assertEqual(window.reader.ask("text", KEYBOARD), "wvkbd")

    def test_a_suggestion_is_accepted(self):
        session, daemon, window = self.started(settings="[notifications]\nsuggest-rotation = true\n")
        daemon.ask("--lock")
        session.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda now: now["suggestion"], "the offer")
        window.press("push button", "Rotate: Left Edge Up")
        daemon.until_shown("left")

    def test_a_finger_switches_auto_rotation_on(self):
        _session, daemon, window = self.started()
        window.tap("check box", LOCK)
        daemon.until(lambda now: now["lock"], "the lock")
        window.tap("push button", "Upside Down")
        daemon.until_shown("inverted")

    def test_it_works_by_keyboard_alone(self):
        _session, daemon, window = self.started()
        for _ in range(20):
            if "focused" in (window.reader.states("check box", LOCK) or []):
                break
            before = window.reader.tree()
            window.key(TAB)
            window.until(lambda: window.reader.tree() != before, "the next focus")  # pylint: disable=cell-var-from-loop
        self.assertIn("focused", window.reader.states("check box", LOCK))
        window.key(SPACE)
        daemon.until(lambda now: now["lock"], "the lock")


class Applications(SettingsTest):
    def test_a_rule_is_added_restricted_and_removed(self):
        session = self.configured()
        daemon = self.daemon(session)
        daemon.hold("normal")
        with Windows(session.env) as windows:
            number = windows.open("reader", "Reader")
            daemon.until(lambda now: now["application"] == "Reader", "the application in front")
            window = self.window(session, "applications")
            window.choose("Reader", "Landscape")
            rule = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate", "apps", "reader.toml")
            wait_until(lambda: os.path.exists(rule), rule)
            windows.activate("reader", number)
            session.accelerate(*ACCELERATIONS["left"])
            daemon.until(lambda now: now["reasonCodes"][-1].startswith("not-allowed"), "the rule's effect")
            self.assertEqual(session.output("eDP-1")["rotation"], "normal")
            window.press("push button", FULL_SCREEN)
            daemon.until_shown("left")
            window.press("push button", "Reset to Default")
            wait_until(lambda: not os.path.exists(rule), f"the end of {rule}")

    def test_apps_that_are_not_installed_are_folded_and_found_by_search(self):
        session = self.configured()
        for name in ("alpha", "beta"):
            session.write(f"data/applications/{name}.desktop",
                          f"[Desktop Entry]\nType=Application\nName=The {name}\nExec=true\n")
        for name in ("alpha", "absent"):
            session.write(f"data/autorotate/apps/{name}.toml", f'match = ["org.{name}", "{name}"]\nsupported = ["landscape"]\n')
        session.env["XDG_DATA_HOME"] = os.path.join(session.directory, "data")
        window = self.window(session, "applications")
        window.await_label("The alpha")
        labels = window.labels()
        self.assertLess(labels.index("Installed Apps"), labels.index("The alpha"))
        self.assertLess(labels.index("The alpha"), labels.index("Apps That Are Not Installed"))
        self.assertLess(labels.index("Apps That Are Not Installed"), labels.index("org.absent"))
        self.assertNotIn("The beta", labels)
        desktop.ask(session, "call", "org.autorotate.Settings", "/org/autorotate/Settings", "org.gtk.Actions",
                    "Activate", "sava{sv}", "search", "0", "0")
        window.key(A)
        window.key(B)
        window.await_no_label("The alpha")
        window.await_label("org.absent")
        window.key(B)
        window.await_label("No Apps Found")

    def test_the_search_does_not_wait_for_a_stopped_daemon(self):
        session = self.configured()
        session.write("config/autorotate/apps/other.toml", 'match = ["zzz"]\nsupported = ["landscape"]\n')
        daemon = self.daemon(session)
        with Windows(session.env) as windows:
            windows.open("ab", "ab")
            daemon.until(lambda now: now["application"] == "ab", "the application in front")
            window = self.window(session, "applications")
            window.until(lambda: "ab" in window.labels(), "the application")
            daemon.process.send_signal(signal.SIGSTOP)
            self.addCleanup(daemon.process.send_signal, signal.SIGCONT)
            desktop.ask(session, "call", "org.autorotate.Settings", "/org/autorotate/Settings", "org.gtk.Actions",
                        "Activate", "sava{sv}", "search", "0", "0")
            window.key(A)
            window.await_no_label("zzz")
            self.assertIn("ab", window.labels())

    def test_an_app_and_its_rule_in_other_letters_are_one_row(self):
        session = self.configured()
        for name in ("reader", "other"):
            session.write(f"config/autorotate/apps/{name}.toml", f'match = ["{name}"]\nsupported = ["landscape"]\n')
        daemon = self.daemon(session)
        with Windows(session.env) as windows:
            windows.open("reader", "Reader")
            daemon.until(lambda now: now["application"] == "Reader", "the application in front")
            window = self.window(session, "applications")
            window.until(lambda: {"Reader", "other"} <= set(window.labels()), "both applications")
            self.assertNotIn("reader", window.labels())

    def test_system_wide_rules_are_listed(self):
        session = self.configured()
        session.write("etc/autorotate/apps/kiosk.toml", 'match = ["kiosk"]\nsupported = ["landscape"]\n')
        self.window(session, "applications").await_label("kiosk")

    def test_of_several_apps_with_the_same_last_name_the_first_is_shown(self):
        session = self.configured()
        for name in "abcdefgh":
            session.write(f"data/applications/org.{name}.player.desktop",
                          f"[Desktop Entry]\nType=Application\nName=The {name}\nExec=true\n")
        session.write("data/autorotate/apps/player.toml", 'match = ["player"]\nsupported = ["landscape"]\n')
        session.env["XDG_DATA_HOME"] = os.path.join(session.directory, "data")
        self.window(session, "applications").await_label("The a")

    def test_a_choice_that_was_refused_is_not_shown(self):
        session = self.configured()
        self.daemon(session)
        session.write("data/applications/alpha.desktop", "[Desktop Entry]\nType=Application\nName=The alpha\nExec=true\n")
        session.write("data/autorotate/apps/alpha.toml", 'match = ["alpha"]\nsupported = ["landscape"]\n')
        session.write("config/autorotate/apps", "this file is in the way\n")
        session.env["XDG_DATA_HOME"] = os.path.join(session.directory, "data")
        window = self.window(session, "applications")
        window.choose("The alpha", "Portrait")
        window.await_label("Dismiss")
        window.until(lambda: "Landscape" in window.labels() and "Portrait" not in window.labels(), "the choice of the files")

    def test_ten_thousand_rules_and_invalid_names_are_handled(self):
        session = self.configured()
        for number in range(10000):
            session.write(f"config/autorotate/apps/{number}.toml", f'match = ["app{number}"]\nsupported = ["left"]\n')
        session.write("config/autorotate/apps/a.toml",
                      'match = ["<b>&amp;\\u202e\\n%s"]\nsupported = ["portrait"]\n')
        window = self.window(session, "applications")
        window.await_label("<b>&amp;")
        window.await_label("more: see `autorotate rule list`")
        self.assertLess(len(window.reader.tree()), 20000)


class Diagnostics(SettingsTest):
    CALIBRATE = "Calibrate… Wrong Orientation?"

    def begin_calibration(self, window, button=CALIBRATE):
        window.press("push button", button)
        window.await_label("1/4")
        window.await_label("m/s²")

    def calibration(self, window):
        """The process ID, or None."""
        return next((number for number in processes.numbers() if processes.parent(number) == window.process.pid
                     and "calibrate" in processes.words(number)), None)

    def hold_first(self, session, window, x, y, z):
        """Starts to measure once the window shows that the device is held so."""
        session.accelerate(x, y, z)
        axis, value = next((axis, value) for axis, value in (("x", x), ("y", y), ("z", z)) if value)
        window.until(lambda: re.search(rf"{axis} {'-' if value < 0 else ''}9\.[78]", " ".join(window.labels())),
                     "this gravity")
        window.press("push button", "Start")

    def test_a_sensor_is_calibrated(self):
        session, daemon, window = self.started("diagnostics")
        self.begin_calibration(window)
        self.assertNotIn("Start Again", [name for role, name, states in window.reader.tree() if "visible" in states])
        for number, (x, y, z) in enumerate(PANEL, 1):
            if number == 1:
                self.hold_first(session, window, -y, x, z)
            else:
                window.await_label(f"{number}/4")
                session.accelerate(-y, x, z)
        window.await_label("The sensor is calibrated.")
        self.assertIn("focusable", window.reader.states("label", window.await_label("Written to")), "it cannot be selected")
        self.assertIn(f'mount-matrix = "{QUARTER}"', self.settings(session))
        self.assertEqual(daemon.status()["orientation"], "normal", "it rotated meanwhile")

    def test_a_wrong_device_orientation_starts_calibration_again(self):
        session, _daemon, window = self.started("diagnostics")
        self.begin_calibration(window)
        for number, (x, y, z) in enumerate([PANEL[0], PANEL[1], PANEL[3]], 1):
            if number == 1:
                self.hold_first(session, window, x, y, z)
            else:
                window.await_label(f"{number}/4")
                session.accelerate(x, y, z)
        window.await_label("start again")
        self.begin_calibration(window, "Start Again")
        for number, (x, y, z) in enumerate(PANEL, 1):
            if number == 1:
                self.hold_first(session, window, x, y, z)
            else:
                window.await_label(f"{number}/4")
                session.accelerate(x, y, z)
        window.await_label("The sensor is calibrated.")

    def test_escape_closes_the_calibration_and_ends_its_process(self):
        _session, daemon, window = self.started("diagnostics")
        self.begin_calibration(window)
        calibration = self.calibration(window)
        self.assertEqual(daemon.status()["allowed"], ["normal"])
        window.key(settingswindow.ESCAPE, title="Calibrate Sensor")
        wait_until(lambda: not processes.is_running(calibration), "the end of the calibration")
        daemon.until(lambda now: len(now["allowed"]) == 4, "auto-rotation")
        self.assertIsNone(window.process.poll())

    def test_closing_the_main_window_ends_its_calibration(self):
        session = self.configured(server="sway")
        window = self.window(session, "diagnostics")
        self.begin_calibration(window)
        calibration = self.calibration(window)
        session.run("swaymsg", '[title="^Rotation$"] kill')
        self.assertEqual(exit_status(window.process), 0)
        wait_until(lambda: not processes.is_running(calibration), "the end of the calibration")

    def test_a_killed_window_leaves_no_process_behind(self):
        """Also none that writes nothing, and so cannot notice that its pipe is closed."""
        session = self.configured()
        self.replace_program(session, """#!/bin/sh\necho '{"step": "ask", "number": 1, "of": 4}'\nexec sleep 600\n""")
        window = self.window(session, "diagnostics")
        window.press("push button", self.CALIBRATE)
        window.await_label("1/4")
        children = [number for number in processes.numbers() if processes.parent(number) == window.process.pid]
        self.assertTrue(children)
        window.process.kill()
        wait_until(lambda: not any(map(processes.is_running, children)), "the end of all children")

    def replace_program(self, session, text):
        path = os.path.join(session.directory, "bin", "autorotate")
        os.remove(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def test_each_finding_has_its_state_in_words(self):
        session = self.configured()
        states = {"conflicts": "works", "pen": "not-applicable", "sensor": "broken"}
        findings = [{"name": name, "state": state, "detail": "details"} for name, state in states.items()]
        self.replace_program(session, f"#!/bin/sh\necho '{json.dumps({'findings': findings})}'\n")
        window = self.window(session, "diagnostics")
        for words in ("OK: Conflicts", "Not needed: Pen", "Problem: Sensor"):
            window.until(lambda words=words: any(each[1] == words for each in window.reader.tree()), words)

    def test_a_report_is_copied_only_once_there_is_one(self):
        session = self.configured()
        findings = os.path.join(session.directory, "findings")
        os.mkfifo(findings)
        self.replace_program(session, f"#!/bin/sh\ncase $1 in doctor) exec cat {findings};; esac\n")
        window = self.window(session, "diagnostics")

        def can_copy():
            return "sensitive" in (window.reader.states("push button", "Copy Report") or [])
        window.until(lambda: window.reader.states("push button", "Copy Report") and not can_copy(), "nothing to copy")
        with open(findings, "w", encoding="utf-8") as file:
            file.write('{"findings": [{"name": "sensor", "state": "works", "detail": "all is well"}]}\n')
        window.until(can_copy, "a report to copy")

    def test_the_former_name_of_a_page_opens_it(self):
        _session, _daemon, window = self.started("checkup")
        self.begin_calibration(window)

    def test_a_disconnected_sensor_is_reported(self):
        session, _daemon, window = self.started("diagnostics")
        self.begin_calibration(window)
        session.sensor.do(["remove"])
        window.await_label("The calibration is unchanged.")

    def test_the_posture_is_overridden(self):
        _session, daemon, window = self.started("diagnostics")
        window.choose("Device Mode", "Tablet")
        daemon.until(lambda now: now["posture"] == "tablet", "the posture")
        window.await_label("Your choice: tablet")
        daemon.ask("--posture", "auto")
        window.await_no_label("Your choice")

    def test_a_posture_that_was_refused_is_not_shown(self):
        _session, daemon, window = self.started("diagnostics")
        daemon.process.send_signal(signal.SIGSTOP)
        self.addCleanup(daemon.process.send_signal, signal.SIGCONT)
        window.choose("Device Mode", "Tablet")
        window.await_label("autorotate does not answer")
        window.until(lambda: "Automatic" in window.labels() and "Tablet" not in window.labels(), "the daemon's choice")

    def test_findings_are_in_the_users_language(self):
        session = self.configured()
        catalogues = os.path.join(session.directory, "locale")
        place = os.path.join(catalogues, "de", "LC_MESSAGES")
        os.makedirs(place)
        source = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "po", "de.po")
        subprocess.run(["msgfmt", "-o", f"{place}/autorotate.mo", source], check=True)
        session.env.update(TEXTDOMAINDIR=catalogues, LANGUAGE="de")
        window = Window(session, "diagnostics", title="Drehung")
        self.addCleanup(window.end)
        window.await_label("Berührung und Stift")
        window.await_label("Falsche Ausrichtung?")


class Trouble(SettingsTest):
    def test_a_broken_file_is_shown_until_fixed(self):
        session, _daemon, window = self.started(settings=BROKEN)
        window.await_label("config.toml, line 2")
        window.press("check box", TABLET)
        window.press("push button", "Dismiss")
        self.assertEqual(self.settings(session), BROKEN)
        window.await_switch(TABLET, False)
        self.assertIn("Open File", window.reader.names("push button"))
        session.write("config/autorotate/config.toml", "[sensor]\nrate = 10\n")
        window.await_no_label("config.toml, line 2")

    def test_several_problems_are_a_list(self):
        session = self.configured(BROKEN)
        session.write("config/autorotate/apps/one.toml", 'match = ["one"]\nsupported = ["up"]\n')
        window = self.window(session)
        window.await_label("The settings files have 2 problems.")
        window.press("push button", "Show Problems")
        window.await_label("config.toml, line 2")
        window.await_label("one.toml, line 2")
        self.assertEqual(window.reader.names("push button").count("Open File"), 2)
        session.write("config/autorotate/apps/one.toml", 'match = ["one"]\nsupported = ["left"]\n')
        window.await_no_label("one.toml")

    def test_an_unwritable_place_is_reported(self):
        session = self.configured()
        session.write("config/autorotate", "")
        window = self.window(session)
        window.press("check box", TABLET)
        window.await_label(session.env["XDG_CONFIG_HOME"])
        window.await_switch(TABLET, False)

    def test_a_daemon_that_ends_and_returns_is_followed(self):
        session, daemon, window = self.started()
        daemon.end()
        window.await_label("autorotate is not running")
        window.await_label("Auto-rotation is not running")
        self.assertNotIn("sensitive", window.reader.states("check box", LOCK))
        self.daemon(session)
        window.await_label("Screen: Landscape")
        window.press("check box", LOCK)
        window.await_switch(LOCK, True)

    def test_a_daemon_that_is_stopped_is_reported(self):
        _session, daemon, window = self.started()
        daemon.process.send_signal(signal.SIGSTOP)
        self.addCleanup(daemon.process.send_signal, signal.SIGCONT)
        window.press("check box", LOCK)
        window.press("page tab", "Applications")
        window.await_label("autorotate does not answer")
        daemon.process.send_signal(signal.SIGCONT)
        # A call that the window gave up is not carried out later, and can be repeated.
        window.await_switch(LOCK, False)
        self.assertIsNone(daemon.status()["lock"])
        window.press("check box", LOCK)
        window.await_switch(LOCK, True)
        daemon.until(lambda now: now["lock"], "the lock")

    def test_a_daemon_that_is_stopped_before_the_window_starts_is_not_called_absent(self):
        session = self.configured()
        daemon = self.daemon(session)
        daemon.process.send_signal(signal.SIGSTOP)
        self.addCleanup(daemon.process.send_signal, signal.SIGCONT)
        window = self.window(session)
        window.await_label("autorotate does not answer")
        self.assertFalse([each for each in window.labels() if "not running" in each])

    def test_a_missing_session_bus_is_reported(self):
        session = self.configured()
        address = "unix:path=" + os.path.join(session.directory, "nobody")
        process = session.children.start(
            "alone", [settings_program()], {**session.device_env, "DBUS_SESSION_BUS_ADDRESS": address})
        found = wait_until(lambda: "Rotation" in session.run("xwininfo", "-root", "-tree").stdout)
        self.assertTrue(found, session.children.last_words("alone"))
        self.assertIsNone(process.poll())

    def test_a_missing_address_starts_no_bus(self):
        session = self.configured()
        started = os.path.join(session.directory, "started")
        launch = session.write("bin/dbus-launch", f"#!/bin/sh\n: > {started}\nexit 1\n")
        os.chmod(launch, 0o755)
        env = {name: value for name, value in session.device_env.items() if name != "DBUS_SESSION_BUS_ADDRESS"}
        process = session.children.start("alone", [settings_program()], env)
        found = wait_until(lambda: "Rotation" in session.run("xwininfo", "-root", "-tree").stdout)
        self.assertTrue(found, session.children.last_words("alone"))
        self.assertIsNone(process.poll())
        self.assertFalse(os.path.exists(started))

    def test_an_unknown_page_is_reported(self):
        result = subprocess.run([settings_program(), "speed"], capture_output=True, text=True, check=False,
                                env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("the pages are rotation, applications, diagnostics", result.stderr)


class OtherDaemons(SettingsTest):
    """The owner of the daemon's bus name may be another program."""

    def pretended(self, session, answer, **properties):
        """A service that has this list of applications and these properties."""
        service = mockbus.Service(session.children, session.env, DAEMON, DAEMON_PATH, DAEMON, bus="session")
        mock = service.mock(DAEMON_PATH)
        mock.AddProperties(DAEMON, properties)
        mock.AddMethod(DAEMON, "GetChoices", "s", answer[0], f"ret = dbus.Array({answer[1]}, signature='{answer[0][1:]}')")
        return mock

    def test_properties_that_were_not_received_are_asked_for_again(self):
        session = self.configured()
        mock = self.pretended(session, ("as", []))
        window = self.window(session)
        window.await_label("autorotate does not answer")
        mock.AddProperties(DAEMON, {"InterfaceOrientation": "left", "OnHold": False})
        mock.UpdateProperties(DAEMON, {"OnHold": True})
        window.await_label("Screen: Left Edge Up")

    def test_an_answer_of_another_type_is_refused(self):
        session = self.configured()
        self.pretended(session, ("ai", [1, 2, 3]), Reasons=5, Allowed="left", Lock=["left"], OnHold="yes",
                       DeviceOrientation=3, InterfaceOrientation="left", PostureEvidence=["tablet"])
        window = self.window(session, "applications")
        window.await_label("Screen: Left Edge Up")
        window.press("page tab", "Applications")
        window.press("page tab", "Rotation")
        self.assertIsNone(window.process.poll())

    def test_too_many_reasons_are_truncated(self):
        session = self.configured()
        self.pretended(session, ("as", ["Reader"] * 20), InterfaceOrientation="left", Reasons=["🌀" * 2000] * 300,
                       ReasonCodes=["device.held"] * 300)
        window = self.window(session, "applications")
        reasons = window.await_label("🌀")
        self.assertLess(len(reasons), 10_000)
        self.assertGreater(len(reasons), 300)


class Icons(SettingsTest):
    def test_every_icon_is_bundled_or_built_into_gtk(self):
        """Whatever the icon theme is: few have all of Adwaita's names."""
        used = set()
        for name in os.listdir(SOURCES):
            with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
                used |= set(re.findall(r"[\w.-]+-symbolic\b", file.read()))
        self.assertTrue(used)
        own = {name.removesuffix(".svg") for name in os.listdir(ICONS)}
        self.assertEqual(used - own - BUILT_IN, set())

    def test_its_own_icons_are_installed(self):
        listed = subprocess.run([os.path.join(PROJECT, "packaging", "install"), "--list"], check=True, text=True,
                                capture_output=True, env={**os.environ, "AUTOROTATE_SETTINGS": settings_program()}).stdout
        for name in os.listdir(ICONS):
            self.assertIn(f"/{name}\n", listed)


class Accessibility(SettingsTest):
    def test_the_main_menu_offers_help_shortcuts_and_about(self):
        _session, _daemon, window = self.started()
        window.key(MENU)
        for name in ("Help", "Keyboard Shortcuts", "About Autorotate"):
            window.until(lambda: any(name in each[1] for each in window.reader.tree()), name)  # pylint: disable=cell-var-from-loop

    def test_docks_match_the_window_to_its_menu_entry(self):
        session, _daemon, _window = self.started()
        path = os.path.join(PROJECT, "packaging", "xdg", "org.autorotate.Settings.desktop")
        with open(path, encoding="utf-8") as file:
            wanted = re.search("^StartupWMClass=(.*)$", file.read(), re.MULTILINE)[1]
        found = session.run("xprop", "-name", "Rotation", "WM_CLASS").stdout
        self.assertEqual(re.findall('"([^"]*)"', found)[1:], [wanted])

    def test_every_control_has_an_accessible_name(self):
        _session, _daemon, window = self.started("diagnostics")
        window.await_label("Bench Pen")
        nameless = [(role, name) for role, name, _states in window.reader.tree()
                    if role in USED and (not name or name.startswith(("Gtk", "Adw")))]
        self.assertEqual(nameless, [])

    def test_touch_targets_are_large_and_narrow_panels_suffice(self):
        _session, daemon, window = self.started(mode=NARROW)
        window.press("check box", LOCK)
        for name in ("Upside Down", "Right Edge Up", LOCK):
            x, _y, width, _height = window.bounds("check box" if name == LOCK else "push button", name)
            self.assertLessEqual(x + width, 360, name)
        window.tap("push button", "Upside Down", above=FINGER / 2 - 1)
        daemon.until_shown("inverted")


class Drawing(SettingsTest):
    ABOVE_IT = 60  # pixels from the top of the window's content to the drawing, which is 160 high

    def test_the_device_is_drawn_in_the_shape_of_its_panel(self):
        for mode, is_wide in ((NARROW, False), ("1280x800", True)):
            session, _daemon, window = self.started(mode=mode)
            window.await_label("Screen: " + ("Landscape" if is_wide else "Portrait"))
            drawn = window.until(lambda: self.drawn_size(session, window), "the drawing")  # pylint: disable=cell-var-from-loop
            self.assertEqual(drawn[0] > drawn[1], is_wide, drawn)

    def drawn_size(self, session, window):
        (left, top), (width, _height) = window.origin(), window.size()
        path = os.path.join(session.directory, "drawing.png")
        desktop.screenshot(session, path, (left + 30, top + self.ABOVE_IT, width - 60, 150))
        size = session.run("convert", path, "-trim", "-format", "%w %h", "info:").stdout
        return [int(number) for number in size.split()]


class OnWayland(SettingsTest):
    """A sway that has a touchscreen, since it is a window of KWin's."""

    def test_a_finger_locks_and_a_terminal_gets_a_rule(self):
        session = self.configured(server="kwin")
        sway = NestedSway(session)
        self.addCleanup(sway.end)
        session.env["GDK_BACKEND"] = "wayland"
        daemon = self.daemon(session, "--backend", "sway", "--output", NESTED_PANEL)
        session.children.start("terminal", ["foot", "--app-id", "shell", "sleep", "600"], session.env)
        daemon.until(lambda now: now["application"] == "shell", "the terminal in front")
        window = self.window(session)
        window.touch = lambda x, y: sway.tap(int(x), int(y))
        session.run("swaymsg", "[app_id=org.autorotate.Settings] fullscreen enable")

        def is_locked():  # the finger is new to KWin, to sway and to GTK, one after the other
            if not daemon.status()["lock"]:
                window.tap("check box", LOCK)
                let_pass(1)
            return daemon.status()["lock"]
        wait_until(is_locked, "a finger reaches the lock")
        window.press("page tab", "Applications")
        window.choose("shell", "Landscape")
        rule = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate", "apps", "shell.toml")
        wait_until(lambda: os.path.exists(rule), rule)
        daemon.ask("--unlock")
        session.run("swaymsg", "[app_id=org.autorotate.Settings] kill")
        session.accelerate(*ACCELERATIONS["left"])
        # Before the terminal has focus again, the screen may rotate with the device.
        daemon.until(lambda now: (now["application"], now["device"]) == ("shell", "left-up")
                     and now["orientation"] in ("normal", "inverted"), "the terminal in landscape")
