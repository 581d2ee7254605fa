# SPDX-License-Identifier: MIT
"""What happens in tablet mode besides rotation: input devices are disabled, and an on-screen keyboard runs."""

import ctypes
import os
import signal

from benchkit import processes
from benchkit.child_processes import wait_until
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest

KEYBOARD, TOUCHPAD, MOUSE = "Bench Keyboard", "Bench Touchpad", "Bench Mouse"
TOUCHSCREEN, PEN = "Bench Touchscreen", "Bench Pen"


class TabletModeTest(BenchTest):
    def start(self, settings, switches="tablet"):
        """A daemon on a folding device, unfolded."""
        self.session = self.bench(sensor={"location": "display", "switches": switches})
        self.place = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(self.place)
        self.settings(settings)
        self.run_daemon("daemon")

    def settings(self, text):
        place = os.path.join(self.place, "config.toml")
        with open(place + ".new", "w", encoding="utf-8") as file:
            file.write("[tablet]\n" + text)
        os.rename(place + ".new", place)

    def run_daemon(self, log):
        daemon = Daemon(self.session, "--sensor", "iio", log=log)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        self.daemon = daemon

    def fold(self, action="on"):
        self.session.sensor.do(["switch", "tablet", action])
        posture = "tablet" if action == "on" else "laptop"
        self.daemon.until(lambda now: now and now["posture"] == posture, posture)

    def device(self, name):
        found = [each for each in self.session.x11.state()["devices"] if each["name"] == name]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def is_enabled(self, name):
        return self.device(name)["enabled"]

    def disabled(self):
        names = (KEYBOARD, TOUCHPAD, MOUSE, TOUCHSCREEN, PEN)
        return {name for name in names if not self.is_enabled(name)}

    def await_disabled(self, *names):
        wait_until(lambda: self.disabled() == set(names),
                   lambda: f"disabled are {names}, not {self.disabled()}; {self.daemon.printed()}")


class DisabledInput(TabletModeTest):
    some = f'disable-input = true\ndevices = ["{KEYBOARD}", "*touchpad"]\n'

    def test_named_devices_are_disabled_while_folded(self):
        self.start(self.some)
        self.await_disabled()
        for _ in range(2):
            self.fold()
            self.await_disabled(KEYBOARD, TOUCHPAD)
            self.fold("off")
            self.await_disabled()

    def test_drawing_devices_stay_enabled_whatever_the_names(self):
        self.start('disable-input = true\ndevices = "*"\n')
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD, MOUSE)
        self.assertTrue(self.is_enabled("Virtual core XTEST keyboard"))

    def test_nothing_is_disabled_by_default_or_without_built_in_devices(self):
        self.start(f'devices = "{KEYBOARD}"\n')
        self.fold()
        self.daemon.hold("left")
        self.await_disabled()
        self.settings("disable-input = true\n")
        self.daemon.hold("normal")
        self.await_disabled()

    def test_settings_apply_while_folded(self):
        self.start("")
        self.fold()
        self.settings(self.some)
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.settings(f'disable-input = true\ndevices = "{TOUCHPAD}"\n')
        self.await_disabled(TOUCHPAD)
        self.settings("")
        self.await_disabled()

    def test_an_unknown_posture_disables_nothing(self):
        self.start(self.some)
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.session.sensor.do(["switch", "tablet", "remove"])
        self.await_disabled()

    def test_all_devices_are_enabled_at_the_end(self):
        self.start(self.some)
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.assertEqual(self.daemon.end(), 0)
        self.assertEqual(self.disabled(), set())
        self.assertNotIn("Autorotate Disabled", self.device(KEYBOARD)["properties"])

    def test_a_detachable_needs_no_switch(self):
        self.start('keyboard = "*cover*"\n' + self.some, switches="cover")
        self.daemon.until(lambda now: now and now["posture"] == "laptop", "laptop")
        self.session.sensor.do(["switch", "cover", "remove"])
        self.daemon.until(lambda now: now and now["posture"] == "tablet", "tablet")
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.session.sensor.do(["switch", "cover", "add"])
        self.await_disabled()

    def test_devices_of_a_killed_daemon_are_enabled_by_the_next(self):
        self.start(self.some)
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.daemon.end(signal.SIGKILL)
        self.assertEqual(self.disabled(), {KEYBOARD, TOUCHPAD})
        self.session.sensor.do(["switch", "tablet", "off"])
        self.run_daemon("second")
        self.await_disabled()

    def test_a_daemon_that_starts_folded_disables_devices(self):
        self.start(self.some)
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.daemon.end(signal.SIGKILL)
        self.run_daemon("second")
        self.daemon.until(lambda now: now and now["posture"] == "tablet", "tablet")
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.fold("off")
        self.await_disabled()

    def keys_held(self):
        """The keys that applications consider pressed, by X's numbers."""
        library = ctypes.CDLL("libX11.so.6")
        library.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(library.XOpenDisplay(self.session.env["DISPLAY"].encode()))
        keys = (ctypes.c_uint8 * 32)()
        library.XQueryKeymap(display, keys)
        library.XCloseDisplay(display)
        return {number for number in range(256) if keys[number // 8] >> number % 8 & 1}

    def test_a_key_pressed_meanwhile_does_not_stay_pressed(self):
        self.start(self.some)
        self.session.simulated_input.do(["press", 38])
        self.assertEqual(self.keys_held(), {38})
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.assertEqual(self.keys_held(), set())
        self.fold("off")
        self.await_disabled()
        self.assertEqual(self.keys_held(), set())

    def test_a_device_disabled_by_the_user_stays_disabled(self):
        self.start(self.some)
        self.session.run("xinput", "disable", TOUCHPAD)
        self.fold()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.session.run("xinput", "enable", KEYBOARD)
        self.daemon.hold("left")
        self.await_disabled(TOUCHPAD)
        self.fold("off")
        self.daemon.hold("right")
        self.await_disabled(TOUCHPAD)


class OnScreenKeyboard(TabletModeTest):
    def start_with(self, script):
        """Makes a script the on-screen keyboard; `$1` is a file to write to."""
        place = self.directory()
        keyboard = os.path.join(place, "keyboard")
        with open(keyboard, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(keyboard, 0o755)
        self.recorded = os.path.join(place, "recorded")
        self.start(f'on-screen-keyboard = "{keyboard} {self.recorded}"\n')

    def lines(self):
        if not os.path.exists(self.recorded):
            return []
        with open(self.recorded, encoding="utf-8") as file:
            return file.read().split()

    def await_lines(self, count):
        wait_until(lambda: len(self.lines()) >= count, self.daemon.printed)
        return self.lines()

    def await_end_of(self, *numbers):
        wait_until(lambda: not any(map(processes.is_running, numbers)), lambda: f"the end of {numbers}")

    def test_it_runs_while_folded_and_ends_with_its_children(self):
        self.start_with('sleep 1000 & echo $$ $! >> "$1"; wait\n')
        self.assertEqual(self.lines(), [])
        self.fold()
        first = self.await_lines(2)
        self.assertTrue(all(map(processes.is_running, first)))
        self.fold("off")
        self.await_end_of(*first)
        self.fold()
        second = self.await_lines(4)[2:]
        self.assertEqual(self.daemon.end(), 0)
        self.await_end_of(*second)

    def test_a_killed_daemons_keyboard_is_ended_by_the_next(self):
        self.start_with('sleep 1000 & echo $$ $! >> "$1"; wait\n')
        self.fold()
        first = self.await_lines(2)
        self.daemon.end(signal.SIGKILL)
        self.assertTrue(all(map(processes.is_running, first)))
        self.run_daemon("second")
        self.await_end_of(*first)
        second = self.await_lines(4)[2:]
        self.assertTrue(all(map(processes.is_running, second)))

    def test_one_that_fails_is_restarted_three_times(self):
        self.start_with('echo $$ >> "$1"; echo no display; exit 7\n')
        self.fold()
        self.await_lines(4)
        self.daemon.until_printed("repeatedly")
        self.assertEqual(len(self.lines()), 4)
        self.assertIn("no display", self.daemon.printed())

    def test_one_that_the_user_ends_is_not_restarted(self):
        self.start_with('echo $$ >> "$1"\n')
        self.fold()
        self.await_end_of(*self.await_lines(1))
        self.daemon.hold("left")
        self.fold("off")
        self.fold()
        self.assertEqual(len(self.await_lines(2)), 2)

    def test_one_that_ignores_the_signal_is_killed(self):
        self.start_with('trap "" TERM; echo $$ >> "$1"; while sleep 1000; do :; done\n')
        self.fold()
        first = self.await_lines(1)
        self.fold("off")
        self.await_end_of(*first)

    def test_one_that_is_not_installed_is_reported(self):
        self.start('on-screen-keyboard = "/nowhere/keyboard"\n')
        self.fold()
        self.daemon.until_printed("on-screen-keyboard in the [tablet] settings")
        self.daemon.hold("left")
