# SPDX-License-Identifier: MIT
"""Touch is off while a pen is near: on a real X server, and on sway, where the kernel tells of the pen."""

import signal
import time

from benchkit.child_processes import let_pass, wait_until
from benchkit.daemon import Daemon
from benchkit.fakesway import FakeSway
from benchkit.testing import PEN, TOUCHSCREEN
from test_comforts import KEYBOARD, TOUCHPAD, Comforts
from test_doctor import DoctorTest

NEAR_PEN = "[touch]\noff-near-pen = true\n"
SECONDS_OF_IDLING = 2.0
PLACE = (0.4, 0.3)


class OnX11(Comforts):
    def start_near_pen(self, more="", settings=NEAR_PEN):
        self.start(more + "\n" + settings)

    def moves(self):
        """As a pen in a hand does all the time. Nothing that is true."""
        self.session.pen(*PLACE)
        self.session.pen(0.5, 0.5)

    def test_the_touchscreen_rests_near_the_pen_and_half_a_second_longer(self):
        self.start_near_pen()
        for _ in range(2):
            self.session.pen(*PLACE)
            self.await_disabled(TOUCHSCREEN)
            left = time.monotonic()
            self.session.pen_away()
            self.await_disabled()
            self.assertGreaterEqual(time.monotonic() - left, 0.5, "a busy machine takes longer, never shorter")

    def test_a_pen_that_is_held_still_is_near(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        let_pass(1)  # many questions, and no motion
        self.assertEqual(self.disabled(), {TOUCHSCREEN})

    def test_off_by_default_and_off_when_it_is_taken_back(self):
        self.start("")
        self.session.pen(*PLACE)
        self.daemon.hold("left")
        self.assertEqual(self.disabled(), set())
        self.settings(NEAR_PEN)
        self.daemon.hold("normal")
        wait_until(lambda: self.moves() or self.disabled() == {TOUCHSCREEN}, self.daemon.said)
        self.settings("")
        self.await_disabled()

    def test_one_that_is_ignored_stays_on(self):
        self.start_near_pen(settings=f'{NEAR_PEN}ignore = ["{TOUCHSCREEN}"]\n')
        self.session.pen(*PLACE)
        self.daemon.hold("left")
        self.assertEqual(self.disabled(), set())

    def test_turned_meanwhile_touch_fits_afterwards(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.daemon.hold("left")
        self.session.pen_away()
        self.await_disabled()
        self.assertTouchAndPenHit(self.session, 100, 300)

    def test_a_finger_that_lies_on_the_glass_then_holds_up_nothing(self):
        self.start_near_pen()
        self.session.hands.do(["down", 1, 0.5, 0.5])
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.daemon.hold("left")

    def test_each_is_disabled_for_its_own_reason(self):
        self.start_near_pen(f'disable-input = true\ndevices = ["{KEYBOARD}", "*touchpad"]')
        self.fold()
        self.session.pen(*PLACE)
        self.await_disabled(KEYBOARD, TOUCHPAD, TOUCHSCREEN)
        self.fold("off")
        self.await_disabled(TOUCHSCREEN)
        self.fold()
        self.session.pen_away()
        self.await_disabled(KEYBOARD, TOUCHPAD)
        self.fold("off")
        self.await_disabled()

    def test_touch_is_on_after_the_end(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.assertEqual(self.daemon.end(), 0)
        self.assertEqual(self.disabled(), set())

    def test_what_a_killed_daemon_left_off_the_next_switches_on(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.daemon.end(signal.SIGKILL)
        self.assertEqual(self.disabled(), {TOUCHSCREEN})
        self.session.pen_away()
        self.run_daemon("second")
        self.await_disabled()

    def test_a_pen_device_that_goes_while_it_is_near_leaves_touch_on(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.session.run("xinput", "disable", PEN)
        self.await_disabled(PEN)

    def test_nothing_wakes_up_while_no_pen_is_near(self):
        self.start_near_pen()
        self.session.pen(*PLACE)
        self.await_disabled(TOUCHSCREEN)
        self.session.pen_away()
        self.await_disabled()
        self.daemon.ask("--lock")
        self.daemon.until(lambda now: now["sensor"]["state"] == "asleep", "the sensor sleeps")
        self.daemon.until_idle(SECONDS_OF_IDLING)


class OnSway(DoctorTest):
    TOUCH, OTHER = "4:4:ELAN_Touch", "1:1:AT_Keyboard"

    def setUp(self):
        self.session = self.bench(sensor={"switches": "pen"})
        self.session.write("config/autorotate/config.toml", NEAR_PEN)
        self.sway = FakeSway(self.session.directory, {self.TOUCH: "touch", self.OTHER: "keyboard"})
        self.addCleanup(self.sway.end)
        self.session.env["SWAYSOCK"] = self.sway.path

    def daemon(self, log="daemon"):
        daemon = Daemon(self.session, "--backend", "sway", log=log)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def pen(self, action):
        self.session.sensor.do(["switch", "pen", action])

    def await_disabled(self, daemon, *names):
        wait_until(lambda: self.sway.disabled() == set(names), lambda: f"{self.sway.disabled()}; {daemon.said()}")

    def test_the_touchscreen_rests_near_the_pen(self):
        daemon = self.daemon()
        for _ in range(2):
            self.pen("on")
            self.await_disabled(daemon, self.TOUCH)
            self.pen("off")
            self.await_disabled(daemon)

    def test_a_pen_that_comes_and_goes_as_a_device_is_noticed(self):
        self.pen("on")
        daemon = self.daemon()
        self.await_disabled(daemon, self.TOUCH)
        self.pen("remove")
        self.await_disabled(daemon)
        self.pen("add")
        self.pen("on")
        self.await_disabled(daemon, self.TOUCH)
        self.assertEqual(daemon.end(), 0)
        self.assertEqual(self.sway.disabled(), set())

    def test_other_settings_that_change_meanwhile_change_nothing(self):
        daemon = self.daemon()
        self.pen("on")
        self.await_disabled(daemon, self.TOUCH)
        self.session.write("config/autorotate/config.toml", NEAR_PEN + 'ignore = ["Some Mouse"]\n')
        daemon.hold("left")
        self.await_disabled(daemon, self.TOUCH)
        self.pen("off")
        self.await_disabled(daemon)

    def test_what_a_killed_daemon_left_off_the_next_switches_on(self):
        daemon = self.daemon()
        self.pen("on")
        self.await_disabled(daemon, self.TOUCH)
        daemon.end(signal.SIGKILL)
        self.assertEqual(self.sway.disabled(), {self.TOUCH})
        self.pen("off")
        self.await_disabled(self.daemon("second"))

    def test_a_pen_that_may_not_be_read_is_told_with_the_line_that_allows_it(self):
        self.pen("refuse")
        daemon = self.daemon()
        daemon.until_said('TAG+="uaccess"')
        daemon.hold("left")
        self.assertEqual(daemon.said().count('TAG+="uaccess"'), 1)
        self.assertEqual(self.sway.disabled(), set())


class TheDoctor(DoctorTest):
    def told(self, **options):
        self.session = self.bench(**options)
        self.session.write("config/autorotate/config.toml", NEAR_PEN)
        return self.again()

    def again(self):
        return self.examine(self.session)[1]["touch near a pen"]

    def test_where_the_kernel_tells_it_says_whether_that_may_be_read(self):
        found = self.told(server="sway", sensor={"switches": "pen"})
        self.assertEqual([each["state"] for each in found], ["works"], found)
        self.assertIn("Bench drawing pen” (/dev/input/event47)", found[0]["detail"])
        self.session.sensor.do(["switch", "pen", "refuse"])
        found = self.again()
        self.assertEqual([each["code"] for each in found], ["pen.not-told"], found)
        self.assertIn('TAG+="uaccess"', found[0]["nextStep"])

    def test_without_a_pen_there_is_nothing_to_do(self):
        found = self.told(server="sway", sensor={})
        self.assertEqual([each["state"] for each in found], ["not-applicable"])

    def test_the_x_server_needs_no_right(self):
        self.assertEqual([each["state"] for each in self.told(sensor={})], ["works"])

    def test_elsewhere_it_is_said_that_it_cannot_be(self):
        found = self.told(server="phoc", sensor={})
        self.assertEqual([each["code"] for each in found], ["touch.not-switched"])


class Elsewhere(DoctorTest):
    def test_a_desktop_that_cannot_is_told_once(self):
        bench = self.bench(server="phoc", sensor={})
        bench.write("config/autorotate/config.toml", NEAR_PEN)
        daemon = self.start(bench, "--output", bench.panel)
        daemon.until_said("off-near-pen")
        bench.write("config/autorotate/config.toml", NEAR_PEN + "ignore = []\n")
        daemon.hold("left")
        self.assertEqual(daemon.said().count("off-near-pen"), 1)
