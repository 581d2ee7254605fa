# SPDX-License-Identifier: MIT
"""What a KWin without a real panel cannot show: its own rotation, its failures, versions that are not installed.

On a simulated KWin, so that these tests run everywhere.
"""

import json
import os
import signal
import time

from benchkit import mockbus
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.fakekwin import ALWAYS, IN_TABLET_MODE, NEVER, PLASMA_6, PLASMA_6_7, FakeKWin
from benchkit.testing import BenchTest, program

SECONDS_OF_IDLING = 0.6


class OnFakeKWin(BenchTest):
    def start(self, *arguments, settings="", **options):
        """A simulated KWin with a built-in panel, and autorotate on it."""
        bench = self.bench(server="xvfb", wm="none", sensor={})
        kwin = FakeKWin(os.path.join(bench.directory, "wayland-fake"), **options)
        self.addCleanup(kwin.end)
        bench.env["WAYLAND_DISPLAY"] = kwin.path
        return bench, kwin, self.daemon(bench, *arguments, settings=settings)

    def daemon(self, bench, *arguments, settings="", log="daemon"):
        path = os.path.join(bench.env["XDG_CONFIG_HOME"], "autorotate/config.toml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(settings)
        daemon = Daemon(bench, "--backend", "kde", *arguments, log=log)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon

    def assertRotated(self, kwin, transform):
        wait_until(lambda: kwin.panel.transform == transform, lambda: f"{transform}, not {kwin.panel.transform}")
        if len(kwin.outputs) > 1:
            width, _height = kwin.panel.shown()
            self.assertEqual((kwin.outputs[1].x, kwin.outputs[1].y), (width, 0))


class OnInputDevices(OnFakeKWin):
    """With KWin's input devices on the session bus."""

    MANAGER, DEVICE = "org.kde.KWin.InputDeviceManager", "org.kde.KWin.InputDevice"
    PLACE = "/org/kde/KWin/InputDevice"

    def offer(self, sensor, devices, **options):
        bench = self.bench(server="xvfb", wm="none", sensor=sensor)
        kwin = FakeKWin(os.path.join(bench.directory, "wayland-fake"), **options)
        self.addCleanup(kwin.end)
        bench.env["WAYLAND_DISPLAY"] = kwin.path
        self.session = bench
        self.serve(devices)

    def serve(self, devices):
        self.bus = mockbus.Service(
            self.session.children, self.session.env, "org.kde.KWin", self.PLACE, self.MANAGER, bus="session")
        self.addCleanup(self.bus.stop)
        self.manager = self.bus.mock(self.PLACE)
        for place, (name, kinds) in devices.items():
            self.add(place, name, kinds)
        self.manager.AddProperties(self.MANAGER, {"devicesSysNames": [*devices, "../event1"]})

    def plug_in(self, place, name, kinds):
        self.add(place, name, kinds)
        self.report("deviceAdded", place, [*self.DEVICES, place])

    def unplug(self, place):
        self.manager.RemoveObject(f"{self.PLACE}/{place}")
        self.report("deviceRemoved", place, [each for each in self.DEVICES if each != place])

    def report(self, signal_name, place, devices):
        self.manager.UpdateProperties(self.MANAGER, {"devicesSysNames": devices})
        self.manager.EmitSignal(self.MANAGER, signal_name, "s", [place])

    def add(self, place, name, kinds):
        self.manager.AddObject(f"{self.PLACE}/{place}", self.DEVICE, {
            "name": name, "enabled": True, "supportsDisableEvents": True, "vendor": 1, "product": 2, **kinds}, [])


class TouchMapping(OnInputDevices):
    """Two panels, each with a touchscreen."""

    UPPER, LOWER = "event27", "event29"
    DEVICES = {UPPER: ("Upper Touch", {"touch": True, "outputName": ""}),
               LOWER: ("Lower Touch", {"touch": True, "outputName": "eDP-1"}),
               "event31": ("Upper Keyboard", {"keyboard": True, "outputName": ""})}
    MAP = '[touch]\nmap = { "Upper*" = "eDP-1", "Lower*" = "eDP-2" }\n'

    def setUp(self):
        self.offer({}, self.DEVICES, neighbour="eDP-2")

    def stored(self):
        return [self.bus.property(f"{self.PLACE}/{place}", self.DEVICE, "outputName") for place in self.DEVICES]

    def assertStored(self, *outputs):
        wait_until(lambda: self.stored() == [*outputs], self.stored)

    def findings(self):
        output = self.session.run(program(), "doctor", "--json").stdout
        found = [each for each in json.loads(output)["findings"] if each["name"] == "touchscreen and pen"]
        return json.dumps(found, ensure_ascii=False)

    def test_the_settings_decide_and_doctor_says_so(self):
        self.daemon(self.session, settings=self.MAP)
        self.assertStored("eDP-1", "eDP-2", "")
        self.assertIn("autorotate maps “Lower Touch” to eDP-2", self.findings())

    def test_a_touchscreen_that_is_connected_later_is_mapped(self):
        self.daemon(self.session, settings=self.MAP)
        self.assertStored("eDP-1", "eDP-2", "")
        self.plug_in("event33", "Upper Pen", {"tabletTool": True, "outputName": ""})
        wait_until(lambda: self.bus.property(f"{self.PLACE}/event33", self.DEVICE, "outputName") == "eDP-1", "the pen")

    def test_an_output_that_does_not_exist_is_not_stored(self):
        self.daemon(self.session, settings='[touch]\nmap = { "Upper*" = "eDP-9", "Lower*" = "eDP-2" }\n')
        self.assertStored("", "eDP-2", "")

    def test_without_settings_doctor_shows_the_state_and_the_command(self):
        words = self.findings()
        self.assertIn("“Lower Touch” is mapped to eDP-1 in the settings of KWin", words)
        self.assertIn("“Upper Touch” is not mapped, so KWin may choose the wrong one of eDP-1, eDP-2", words)
        self.assertIn("busctl --user set-property org.kde.KWin /org/kde/KWin/InputDevice/event27 "
                      "org.kde.KWin.InputDevice outputName s eDP-1", words)


class InputOff(OnInputDevices):
    """Keyboard and touchpad are disabled in tablet mode."""

    KEYBOARD, TOUCHPAD, TOUCH, STUBBORN = "event23", "event25", "event27", "event29"
    DEVICES = {KEYBOARD: ("Some Keyboard", {"keyboard": True}), TOUCHPAD: ("Some Touchpad", {"touchpad": True}),
               TOUCH: ("Some Touch", {"touch": True, "pointer": True}),
               STUBBORN: ("Some Knob", {"pointer": True, "supportsDisableEvents": False})}
    ALL = '[tablet]\ndisable-input = true\ndevices = "Some *"\n'

    def begin(self, settings=ALL):
        self.offer({"location": "display", "switches": "tablet"}, self.DEVICES)
        self.run_daemon("daemon", settings)

    def run_daemon(self, log, settings=ALL):
        self.running = self.daemon(self.session, "--sensor", "iio", settings=settings, log=log)

    def fold(self, action="on"):
        self.session.sensor.do(["switch", "tablet", action])
        posture = "tablet" if action == "on" else "laptop"
        self.running.until(lambda now: now and now["posture"] == posture, posture)

    def assertOff(self, *places, among=DEVICES):
        def off():
            return {place for place in among
                    if not self.bus.property(f"{self.PLACE}/{place}", self.DEVICE, "enabled")}

        wait_until(lambda: off() == set(places), lambda: f"disabled are {places}, not {off()}; {self.running.printed()}")

    def test_keyboards_and_touchpads_are_disabled_while_folded(self):
        self.begin()
        for _ in range(2):
            self.fold()
            self.assertOff(self.KEYBOARD, self.TOUCHPAD)
            self.fold("off")
            self.assertOff()

    def test_devices_disabled_by_the_user_stay_disabled(self):
        self.begin()
        self.bus.mock(f"{self.PLACE}/{self.TOUCHPAD}").UpdateProperties(self.DEVICE, {"enabled": False})
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.fold("off")
        self.assertOff(self.TOUCHPAD)

    def test_a_device_connected_while_folded_is_noticed(self):
        self.begin('[tablet]\ndisable-input = true\ndevices = "Late *"\n')
        self.fold()
        self.plug_in("event30", "Late Keyboard", {"keyboard": True})
        self.assertOff("event30", among=[*self.DEVICES, "event30"])

    def test_devices_are_enabled_at_exit_and_after_a_kill(self):
        self.begin()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.assertEqual(self.running.end(), 0)
        self.assertOff()
        self.run_daemon("second")
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.running.end(signal.SIGKILL)
        self.session.sensor.do(["switch", "tablet", "off"])
        self.run_daemon("third")
        self.assertOff()

    # KWin stores that a device is disabled, and only a connected one can be enabled.
    RETURNED, DISABLED = "event30", {"keyboard": True, "enabled": False}

    def fold_and_detach(self):
        self.begin()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.unplug(self.KEYBOARD)

    def attach(self):
        self.plug_in(self.RETURNED, "Some Keyboard", self.DISABLED)

    def assertReturnedOn(self):
        self.assertOff(among=[self.TOUCHPAD, self.TOUCH, self.RETURNED])

    def test_a_keyboard_detached_while_folded_is_enabled_when_it_returns(self):
        self.fold_and_detach()
        self.fold("off")
        self.assertOff(among=[self.TOUCHPAD])
        self.attach()
        self.assertReturnedOn()

    def test_a_keyboard_that_returns_after_the_end_is_enabled_by_the_next_daemon(self):
        self.fold_and_detach()
        self.assertEqual(self.running.end(), 0)
        self.session.sensor.do(["switch", "tablet", "off"])
        self.run_daemon("second")
        self.assertOff(among=[self.TOUCHPAD])
        self.attach()
        self.assertReturnedOn()

    def test_devices_are_enabled_by_the_next_daemon_if_kwin_ends_first(self):
        self.begin()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.bus.stop()
        self.assertEqual(self.running.end(), 0)
        self.session.sensor.do(["switch", "tablet", "off"])
        self.serve({self.RETURNED: ("Some Keyboard", self.DISABLED)})
        self.run_daemon("second")
        self.assertOff(among=[self.RETURNED])

    # For dbusmock, whose `Get` calls `GetAll`, too. Of an object's readings, GetAll's and Set's, one fails.
    FAIL_ONCE = """
class FailingOnce(dict):
    readings = 0
    def __getitem__(self, key):
        self.readings += 1
        if self.readings == self.failing:
            raise KeyError(key)
        return dict.__getitem__(self, key)
there = objects[args[0]]
there.GetAll = there.props.copy().__getitem__
there.props = FailingOnce(there.props)
there.props.failing = args[1]
"""
    FAIL_LIST_ONCE = """
def fail_once(interface, there=self, usual=self.GetAll):
    there.GetAll = usual
    raise KeyError(interface)
self.GetAll = fail_once
"""

    def fail_once(self, place, reading):
        self.manager.AddMethod("", "FailOnce", "si", "", self.FAIL_ONCE)
        self.manager.get_dbus_method("FailOnce", self.MANAGER)(f"{self.PLACE}/{place}", reading)

    def test_a_device_that_fails_to_answer_once_is_enabled(self):
        self.begin()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.fail_once(self.KEYBOARD, 1)
        self.fold("off")
        self.assertOff()

    def test_a_device_that_fails_to_be_disabled_once_is_disabled_later(self):
        self.begin()
        self.fail_once(self.KEYBOARD, 2)
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.fold("off")
        self.assertOff()

    def test_a_device_that_fails_to_be_enabled_once_is_enabled_later(self):
        self.begin()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)
        self.fail_once(self.KEYBOARD, 2)
        self.fold("off")
        self.assertOff()

    def test_a_list_of_devices_that_fails_once_is_read_again(self):
        self.begin()
        self.manager.AddMethod("", "FailListOnce", "", "", self.FAIL_LIST_ONCE)
        self.manager.get_dbus_method("FailListOnce", self.MANAGER)()
        self.fold()
        self.assertOff(self.KEYBOARD, self.TOUCHPAD)


class Versions(OnFakeKWin):
    def check(self, version):
        bench, kwin, daemon = self.start(version=version)
        for orientation, transform in (("left", 1), ("inverted", 2), ("right", 3), ("normal", 0)):
            daemon.hold(orientation)
            self.assertRotated(kwin, transform)
        self.assertEqual(daemon.status()["output"], "eDP-1")
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until_shown("left")

    def test_outputs_may_be_globals(self):
        self.check(PLASMA_6)

    def test_outputs_may_be_in_a_registry(self):
        self.check(PLASMA_6_7)

    def test_an_output_of_the_registry_unplugged_while_binding(self):
        _bench, kwin, daemon = self.start(version=PLASMA_6_7)
        kwin.behaviour = "unplug"
        daemon.hold("left")
        self.assertRotated(kwin, 1)
        self.assertEqual(kwin.applied, 2)


class PowerOff(OnFakeKWin):
    """KWin 5.27 and 6 without a screen do not switch any power."""

    def test_while_off_nothing_is_tried_and_the_sensor_sleeps(self):
        for version in (PLASMA_6, PLASMA_6_7):
            bench, kwin, daemon = self.start(version=version)
            daemon.hold("left")
            before = kwin.applied, (kwin.outputs[1].x, kwin.outputs[1].y)
            kwin.set_power(kwin.panel, False)
            daemon.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
            bench.accelerate(*ACCELERATIONS["inverted"])
            daemon.until_idle(SECONDS_OF_IDLING)
            self.assertEqual((kwin.applied, (kwin.outputs[1].x, kwin.outputs[1].y)), before)
            began = time.monotonic()
            kwin.set_power(kwin.panel, True)
            self.assertRotated(kwin, 2)
            print(f"        right {time.monotonic() - began:.2f} s after the light")
            self.assertNotIn("refused", daemon.printed())
            self.assertNotIn("within", daemon.printed())
            daemon.end()

    def test_a_monitor_that_is_off_is_ignored(self):
        _bench, kwin, daemon = self.start()
        kwin.set_power(kwin.outputs[1], False)
        daemon.hold("left")
        self.assertRotated(kwin, 1)

    def test_a_panel_off_at_the_start_rotates_when_lit(self):
        bench = self.bench(server="xvfb", wm="none", sensor={})
        kwin = FakeKWin(os.path.join(bench.directory, "wayland-fake"))
        self.addCleanup(kwin.end)
        kwin.set_power(kwin.panel, False)
        bench.env["WAYLAND_DISPLAY"] = kwin.path
        bench.accelerate(*ACCELERATIONS["left"])
        daemon = self.daemon(bench)
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        daemon.until_idle(SECONDS_OF_IDLING)
        self.assertEqual((kwin.panel.transform, kwin.applied), (0, 0))
        kwin.set_power(kwin.panel, True)
        self.assertRotated(kwin, 1)


class OwnRotation(OnFakeKWin):
    TAKE_OVER = "[display]\ntake-over = true\n"

    def kept(self, bench):
        path = os.path.join(bench.env["XDG_STATE_HOME"], "autorotate/kwin-rotation")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()

    def assertLeftAlone(self, daemon, kwin):
        """The device orientation is known, and leads to no rotation."""
        before = kwin.applied
        status = daemon.hold_until_detected("left")
        self.assertFalse(is_rotating(status), status)
        self.assertEqual((kwin.panel.transform, kwin.applied), (0, before))

    def test_where_kwin_rotates_it_stays_passive_and_says_why(self):
        for policy in (IN_TABLET_MODE, ALWAYS):
            bench, kwin, daemon = self.start(policy=policy)
            self.assertLeftAlone(daemon, kwin)
            self.assertIn("KWin rotates the screen automatically", daemon.ask("--status").stdout)
            self.assertIn("take-over = true", daemon.ask("--status").stdout)
            daemon.end()

    def test_it_starts_and_stops_with_the_setting_of_kwin(self):
        bench, kwin, daemon = self.start()
        kwin.set_policy(ALWAYS)
        daemon.until(lambda now: now and "KWin" in " ".join(now["reasons"]), "standing back")
        self.assertLeftAlone(daemon, kwin)
        kwin.set_policy(NEVER)
        daemon.until_shown("left")
        self.assertRotated(kwin, 1)

    def test_take_over_disables_kwins_rotation_and_restores_it_at_exit(self):
        bench, kwin, daemon = self.start(settings=self.TAKE_OVER, policy=IN_TABLET_MODE)
        wait_until(lambda: kwin.panel.policy == NEVER, "the setting of KWin")
        self.assertEqual(self.kept(bench), "eDP-1 in-tablet-mode\n")
        daemon.hold("left")
        self.assertRotated(kwin, 1)
        daemon.end()
        self.assertEqual((kwin.panel.policy, kwin.panel.transform), (IN_TABLET_MODE, 1))
        self.assertIsNone(self.kept(bench))

    def test_after_a_kill_the_next_daemon_restores_the_setting(self):
        bench, kwin, daemon = self.start(settings=self.TAKE_OVER, policy=ALWAYS)
        wait_until(lambda: kwin.panel.policy == NEVER, "the setting of KWin")
        daemon.end(9)
        second = self.daemon(bench, settings=self.TAKE_OVER, log="second")
        second.hold("left")
        self.assertEqual((kwin.panel.policy, self.kept(bench)), (NEVER, "eDP-1 always\n"))
        second.end(9)
        third = self.daemon(bench, log="third")
        wait_until(lambda: kwin.panel.policy == ALWAYS, "the setting of KWin")
        third.until(lambda now: now and "KWin" in " ".join(now["reasons"]), "standing back")
        self.assertIsNone(self.kept(bench))

    def test_doctor_describes_kwins_rotation(self):
        bench, _kwin, daemon = self.start(policy=ALWAYS)
        daemon.end()
        output = bench.run(program(), "doctor").stdout
        self.assertIn("KWin rotates the screen automatically", output)
        self.assertIn("eDP-1", output)


class IdleRotation(OnFakeKWin):
    """KWin says that it rotates the screen, and does not."""

    MANAGER, PLACE = "org.kde.KWin.TabletModeManager", "/org/kde/KWin"

    def findings(self, bench):
        output = bench.run(program(), "doctor", "--json").stdout
        return {each["name"]: each for each in json.loads(output)["findings"]}

    def await_finding(self, daemon):
        return daemon.until(lambda now: now and "desktop.idle" in now["reasonCodes"], "the finding")

    def test_it_is_detected_and_reported_once_and_the_sensor_sleeps(self):
        bench, kwin, daemon = self.start(policy=ALWAYS)
        daemon.until(lambda now: now and "desktop.turns" in now["reasonCodes"], "standing back")
        bench.accelerate(*ACCELERATIONS["left"])
        status = self.await_finding(daemon)
        self.assertIn("take-over = true", " ".join(status["reasons"]))
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "the sensor asleep")
        self.assertEqual(daemon.printed().count("but the screen stays landscape"), 1)
        finding = self.findings(bench)["rotation by the desktop"]
        self.assertEqual((finding["state"], finding["code"]), ("broken", "desktop.idle"))
        self.assertEqual(kwin.panel.transform, 0)

    def test_once_a_rotation_was_seen_the_sensor_sleeps(self):
        bench, kwin, daemon = self.start(policy=ALWAYS)
        daemon.until(lambda now: now and "desktop.turns" in now["reasonCodes"], "standing back")
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda now: now["device"] == "left-up", "the sensor awake")
        kwin.apply([(kwin.panel, "transform", 1)])
        daemon.until(lambda now: now["sensor"]["state"] == "asleep", "the sensor asleep")
        self.assertNotIn("desktop.idle", daemon.status()["reasonCodes"])

    def test_outside_tablet_mode_kwin_does_not_rotate_on_purpose(self):
        bench, _kwin, daemon = self.start(policy=IN_TABLET_MODE)
        bus = mockbus.Service(bench.children, bench.env, "org.kde.KWin", self.PLACE, self.MANAGER, bus="session")
        self.addCleanup(bus.stop)
        bus.mock(self.PLACE).AddProperties(self.MANAGER, {"tabletMode": False})
        daemon.until(lambda now: now and "desktop.turns" in now["reasonCodes"], "standing back")
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda now: now["device"] == "left-up", "the sensor awake")
        let_pass(6)  # detection takes 5 s
        self.assertNotIn("desktop.idle", daemon.status()["reasonCodes"])
        bus.mock(self.PLACE).UpdateProperties(self.MANAGER, {"tabletMode": True})
        bench.accelerate(*ACCELERATIONS["inverted"])
        self.await_finding(daemon)


class Failures(OnFakeKWin):
    def test_a_refusal_is_reported_with_kwins_own_reason(self):
        bench, kwin, daemon = self.start()
        kwin.behaviour = "refuse"
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until_printed("KWin refused to rotate eDP-1 (no CRTC was left)")
        kwin.behaviour = "obey"
        daemon.hold("inverted")
        self.assertRotated(kwin, 2)

    def test_an_output_unplugged_during_a_request_is_retried(self):
        _bench, kwin, daemon = self.start()
        kwin.behaviour = "unplug"
        daemon.hold("left")
        self.assertRotated(kwin, 1)
        self.assertEqual(kwin.applied, 2)

    def test_wrong_or_missing_answers_delay_nothing_for_long(self):
        bench, kwin, daemon = self.start()
        for behaviour, orientation in (("hang", "left"), ("lie", "right")):
            kwin.behaviour = behaviour
            failures = daemon.printed().count("within 3 s")
            bench.accelerate(*ACCELERATIONS[orientation])
            wait_until(lambda: daemon.printed().count("within 3 s") > failures, behaviour)
        kwin.behaviour = "obey"
        daemon.hold("inverted")
        self.assertRotated(kwin, 2)

    def test_kwin_ending_during_a_request_ends_the_daemon(self):
        bench, kwin, daemon = self.start()
        kwin.behaviour = "die"
        bench.accelerate(*ACCELERATIONS["left"])
        self.assertEqual(exit_status(daemon.process), 1, daemon.printed())

    def test_absurd_outputs_cause_no_crash(self):
        _bench, kwin, daemon = self.start()
        other = kwin.outputs[1]
        with kwin.lock:
            other.x, other.y, other.scale, other.transform = 2**31 - 1, -2**31, 0, 99
            kwin.send_state(other)
            other.scale, other.transform, other.policy = -5, -1, 77
            kwin.send_state(other)
        daemon.hold("left")
        wait_until(lambda: kwin.panel.transform == 1, "the panel is rotated left")
