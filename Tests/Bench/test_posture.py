# SPDX-License-Identifier: MIT
"""The posture of a convertible: by its switches, or by the angle between display and base."""

import json
import math
import os
import subprocess

from benchkit.child_processes import longest_wait, wait_until
from benchkit.daemon import DEVICE, ACCELERATIONS, Daemon, is_rotating
from benchkit.testing import BenchTest, program

G = 9.81


class Posture(BenchTest):
    rotate_in = "tablet"
    tablet = ""

    def daemon(self, before_start=lambda session: None, **sensor):
        session = self.bench(sensor={"location": "display", **sensor})
        before_start(session)
        place = os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(place)
        with open(os.path.join(place, "config.toml"), "w", encoding="utf-8") as file:
            file.write(f'[desktop]\nrotate-in = "{self.rotate_in}"\n[tablet]\n{self.tablet}\n')
        daemon = Daemon(session, "--sensor", "iio")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def switch(self, daemon, name, action):
        daemon.session.sensor.do(["switch", name, action])

    def await_posture(self, daemon, posture):
        return daemon.until(lambda now: now and now["posture"] == posture, posture)

    def assertStays(self, daemon, orientation):
        """The device is held right edge up, and the screen does not follow: it is known, or the sensor sleeps."""
        before = daemon.rotations()
        daemon.session.accelerate(*ACCELERATIONS["right"])
        status = daemon.until(
            lambda now: now["device"] == DEVICE["right"] or now["sensor"]["state"] != "active", "right edge up, or no sensor")
        self.assertFalse(is_rotating(status), status)
        if status["sensor"]["state"] != "active":
            self.await_decision(daemon)
        self.assertEqual((daemon.status()["orientation"], daemon.rotations()), (orientation, before))

    def await_decision(self, daemon):
        """Nothing is read, so nothing is decided any more."""
        daemon.until_idle(1.5)

    @staticmethod
    def lines(path):
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()


class TabletSwitch(Posture):
    def test_the_screen_rotates_only_while_folded(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.assertStays(daemon, "normal")
        self.switch(daemon, "tablet", "on")
        daemon.until_shown("right")
        self.assertEqual(daemon.status()["posture"], "tablet")
        daemon.hold("left")
        self.switch(daemon, "tablet", "off")
        daemon.until_shown("normal")
        self.assertEqual(daemon.session.output("eDP-1")["rotation"], "normal")
        self.assertIn("laptop posture", " ".join(daemon.status()["reasons"]))

    def test_the_switch_state_at_the_start_applies(self):
        session = self.bench(sensor={"switches": "tablet"})
        session.sensor.do(["switch", "tablet", "on"])
        daemon = Daemon(session, "--sensor", "iio")
        daemon.await_name()
        self.await_posture(daemon, "tablet")
        daemon.end()

    def test_a_switch_that_is_reconnected_is_noticed(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "tablet", "remove")
        self.await_posture(daemon, "unknown")
        daemon.hold("left")
        self.switch(daemon, "tablet", "add")
        daemon.until_shown("normal")
        self.assertEqual(daemon.status()["posture"], "laptop")

    def test_an_unreadable_switch_is_reported_with_the_next_step(self):
        daemon = self.daemon(switches="tablet")
        self.switch(daemon, "tablet", "refuse")
        self.assertEqual(daemon.end(), 0)
        daemon = Daemon(daemon.session, "--sensor", "iio", log="second")
        daemon.await_name()
        daemon.until_printed("61-autorotate.rules")
        self.assertEqual(daemon.printed().count("61-autorotate.rules"), 1)
        daemon.hold("left")
        daemon.end()

    def test_a_dock_prevents_rotation(self):
        daemon = self.daemon(switches="dock")
        self.await_posture(daemon, "unknown")
        daemon.hold("left")
        self.switch(daemon, "dock", "on")
        daemon.until_shown("normal")
        self.assertEqual(daemon.status()["posture"], "docked")


class AlwaysRotating(Posture):
    rotate_in = "always"

    def test_the_posture_is_reported_and_changes_nothing(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        daemon.hold("left")


def evidence(status):
    """What each posture input reports: (kind, posture)."""
    return [(each["kind"], each["says"]) for each in status["postureEvidence"]] if status else []


class ByHinge(Posture):
    WAKES = 20
    """More than arrive in the time in which an orientation is decided."""

    def await_decision(self, daemon):
        """Both sensors are read continuously for the angle."""
        before = sum(daemon.switches())
        wait_until(lambda: sum(daemon.switches()) > before + self.WAKES, f"{self.WAKES} wake-ups")

    def lay_base(self, daemon, degrees):
        """Puts the base on its back edge or belly, so that the hinge of a display held normally has this angle."""
        # Of a display held normally gravity lies at -90° from its z axis; the base reads the same with the lid closed.
        self.lean(daemon, ["base"], -90 - degrees)

    def lean(self, daemon, part, degrees):
        """Rotates a part around the hinge. The sensor is a HID one: its z is below zero when the part faces up."""
        angle = math.radians(degrees)
        daemon.session.sensor.do([*part, 0, G * math.sin(angle), -G * math.cos(angle)])

    def doctor(self, daemon, name):
        run = subprocess.run([program(), "doctor", "--json"], env=daemon.session.device_env, capture_output=True,
                             text=True, timeout=longest_wait(), check=False)
        return next(each for each in json.loads(run.stdout)["findings"] if each["name"] == name)


class Hinge(ByHinge):
    def test_the_hinge_decides_when_the_screen_rotates(self):
        for number in ("first", "last"):
            with self.subTest(base=number):
                daemon = self.daemon(base=number)
                self.lay_base(daemon, 110)
                self.await_posture(daemon, "laptop")
                self.lay_base(daemon, 350)
                self.lay_base(daemon, 220)
                self.await_posture(daemon, "tablet")
                daemon.hold("left")
                daemon.session.accelerate(*ACCELERATIONS["normal"])
                daemon.until_shown("normal")
                self.lay_base(daemon, 110)
                self.await_posture(daemon, "laptop")
                self.assertStays(daemon, "normal")

    def test_the_switch_has_priority_until_the_angle_crosses_the_limit(self):
        daemon = self.daemon(base="last", switches="tablet")
        self.lay_base(daemon, 300)
        status = daemon.until(lambda now: ("hinge", "tablet") in evidence(now), "the angle")
        self.assertEqual(status["posture"], "laptop")
        self.switch(daemon, "tablet", "on")
        self.await_posture(daemon, "tablet")
        for orientation in ("left", "normal"):
            daemon.hold(orientation)
        self.lay_base(daemon, 110)
        self.await_posture(daemon, "laptop")
        self.assertIn(("switch", "tablet"), evidence(daemon.status()))

    def test_a_closed_lid_is_not_tablet_mode(self):
        daemon = self.daemon(base="last", switches="lid")
        self.lay_base(daemon, 220)
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "lid", "on")
        self.await_posture(daemon, "laptop")


class KernelHinge(ByHinge):
    """The kernel's hinge sensor, and no accelerometer in the base."""

    LABELS = "hinge,screen,keyboard"

    def fold(self, daemon, degrees):
        daemon.session.sensor.do(["hinge", degrees])

    def test_the_angle_decides_when_the_screen_rotates(self):
        daemon = self.daemon(hinge=self.LABELS)
        self.await_posture(daemon, "laptop")
        self.assertStays(daemon, "normal")
        self.fold(daemon, 355)
        daemon.until_shown("right")
        self.assertEqual(daemon.status()["posture"], "tablet")
        self.assertIn("hinge", [each["kind"] for each in daemon.status()["postureEvidence"]])
        finding = self.doctor(daemon, "hinge")
        self.assertEqual(finding["state"], "works")
        self.assertIn("the hinge angle, with hinge (iio:device6), reports tablet since", finding["detail"])
        self.fold(daemon, 0)
        daemon.hold("left")
        self.assertEqual(daemon.status()["posture"], "tablet")
        self.fold(daemon, 110)
        daemon.until_shown("normal")

    def test_it_has_precedence_over_a_second_accelerometer(self):
        daemon = self.daemon(hinge=self.LABELS, base="last")
        self.lay_base(daemon, 300)
        self.await_posture(daemon, "laptop")
        daemon.session.sensor.do(["hinge", "fail"])
        daemon.until_printed("the hinge sensor hinge (iio:device6) cannot be read (Input/output error)")
        self.await_posture(daemon, "tablet")
        self.assertEqual(daemon.printed().count("the hinge sensor"), 1)

    def test_missing_and_double_labels_are_reported_once(self):
        for labels, count in ((",,", 0), ("hinge,hinge,keyboard", 2)):
            with self.subTest(labels=labels):
                daemon = self.daemon(hinge=labels)
                daemon.until_printed(f"{count} of its angles have the label “hinge”")
                self.await_posture(daemon, "unknown")
                self.assertEqual(daemon.printed().count("of its angles"), 1)
                self.assertEqual(daemon.end(), 0)

    def test_a_sensor_that_vanishes_is_used_again_when_it_is_back(self):
        daemon = self.daemon(hinge=self.LABELS)
        self.await_posture(daemon, "laptop")
        daemon.session.sensor.do(["hinge", "remove"])
        daemon.until_printed("the hinge sensor hinge (iio:device6) cannot be read")
        self.await_posture(daemon, "unknown")
        daemon.session.sensor.do(["hinge", "add"])
        self.await_posture(daemon, "laptop")
        self.assertEqual(daemon.printed().count("the hinge sensor"), 1)


class InvalidHinge(Posture):
    def test_an_invalid_angle_is_reported_once(self):
        for value, words in (("720", "720°"), ("-1", "-1°"), ("garbage", "nan")):
            with self.subTest(value=value):
                daemon = self.daemon(hinge=KernelHinge.LABELS, switches="tablet")
                daemon.session.sensor.do(["hinge", value])
                daemon.until_printed(f"reports {words}, which is no angle")
                daemon.until(lambda now: now["posture"] == "laptop", "the posture of the switch")
                self.assertStays(daemon, "normal")
                self.assertEqual(daemon.printed().count("is no angle"), 1)
                self.assertEqual(daemon.end(), 0)


class EarlyHinge(ByHinge):
    tablet = "hinge-angles = [125, 140]"

    def test_the_settings_say_from_which_angle_on_it_is_a_tablet(self):
        daemon = self.daemon(hinge="hinge,screen,keyboard")
        self.await_posture(daemon, "laptop")
        daemon.session.sensor.do(["hinge", 153])
        self.await_posture(daemon, "tablet")


class Chromebook(ByHinge):
    """With the matrices that udev's hardware database gives to its sensors, which read 180° the same without them."""

    def open_lid(self, session, degrees):
        """Of a base that lies on the table: on its keyboard once the lid is folded back below it."""
        angle, up = math.radians(degrees), 1 if degrees <= 180 else -1
        session.sensor.do(["base", 0, 0, up * G])
        session.sensor.do([0, up * G * math.sin(angle), -up * G * math.cos(angle)])

    def chromebook(self, **options):
        return self.daemon(**options, name="cros-ec-accel", label="accel-display", mount="-1, 0, 0; 0, -1, 0; 0, 0, -1",
                           base="last", base_mount="-1, 0, 0; 0, 1, 0; 0, 0, 1")

    def test_a_lid_is_opened_and_folded_back(self):
        daemon = self.chromebook()
        for degrees, posture in ((100, "laptop"), (300, "stand"), (100, "laptop")):
            self.open_lid(daemon.session, degrees)
            self.await_posture(daemon, posture)

    def test_a_device_folded_at_the_start_is_in_tablet_mode(self):
        daemon = self.chromebook(before_start=lambda session: self.open_lid(session, 358))
        self.await_posture(daemon, "tablet")

    def test_matrices_that_contradict_each_other_are_reported_once(self):
        daemon = self.daemon(mount="0, -1, 0; -1, 0, 0; 0, 0, 1", base="last", base_mount="-1, 0, 0; 0, 1, 0; 0, 0, -1")
        daemon.until_printed("contradict each other")
        for device, z, raw in (("normal", G, (G, 0, 0)), ("left-up", -G, (0, -G, 0))):
            daemon.session.sensor.do(["base", 0, 0, z])
            daemon.session.accelerate(*raw)
            daemon.until(lambda now, device=device: now and now["device"] == device, device)
        self.assertEqual(daemon.values("posture"), ["unknown"])
        self.assertEqual(daemon.printed().count("contradict each other"), 1)


class Shapes(ByHinge):
    """What a folded device stands on."""

    def stand_up(self, daemon, display, base):
        """Directions of gravity, in degrees from the normal of each part: at -90 its upper edge is up."""
        self.lean(daemon, [], display)
        self.lean(daemon, ["base"], base + 180)

    def tent(self, daemon):
        self.stand_up(daemon, display=60, base=-60)  # 300°

    def laptop(self, daemon):
        self.stand_up(daemon, display=-90, base=-20)  # 110°

    def stand(self, daemon):
        self.stand_up(daemon, display=-60, base=180)

    def test_hinge_and_gravity_distinguish_tent_and_stand(self):
        daemon = self.daemon(base="last")
        self.laptop(daemon)
        self.await_posture(daemon, "laptop")
        self.tent(daemon)
        self.await_posture(daemon, "tent")
        daemon.until_shown("inverted")
        self.stand(daemon)
        self.await_posture(daemon, "stand")
        daemon.until_shown("normal")
        self.laptop(daemon)
        self.await_posture(daemon, "laptop")

    def test_a_tent_beside_a_switch_is_reported_and_locks(self):
        self.tablet = '[lock]\ntent = "inverted"\n'
        daemon = self.daemon(base="last", switches="tablet")
        output = os.path.join(daemon.session.directory, "recorded")
        hook = daemon.session.write(
            "config/autorotate/posture.d/10-tell",
            f'#!/bin/sh\necho "$AUTOROTATE_PREVIOUS_POSTURE>$AUTOROTATE_POSTURE" >> {output}\n')
        os.chmod(hook, 0o755)
        self.laptop(daemon)
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "tablet", "on")
        self.await_posture(daemon, "tablet")
        self.tent(daemon)
        self.await_posture(daemon, "tent")
        daemon.until(lambda now: now["lock"] and now["lock"]["orientation"] == "inverted", "the lock of the tent")
        self.assertIn("lock.posture", daemon.status()["reasonCodes"])
        self.switch(daemon, "tablet", "off")
        self.laptop(daemon)
        self.await_posture(daemon, "laptop")
        daemon.until(lambda now: now["lock"] is None, "the end of the lock")
        wait_until(lambda: len(self.lines(output)) >= 3, "three lines of the hook")
        self.assertEqual(self.lines(output), ["laptop>tablet", "tablet>tent", "tent>laptop"])

    def test_the_user_may_override_the_posture(self):
        daemon = self.daemon(switches="tablet")
        for word in ("tent", "stand", "tablet"):
            self.assertEqual(daemon.ask("--posture", word).returncode, 0)
            self.await_posture(daemon, word)
            daemon.hold("left")
            daemon.hold("normal")
        self.assertEqual(daemon.ask("--posture", "auto").returncode, 0)
        self.await_posture(daemon, "laptop")


class UnreliableSwitches(ByHinge):
    def test_a_switch_that_never_changes_is_replaced_by_the_hinge(self):
        daemon = self.daemon(base="last", switches="tablet")
        self.lay_base(daemon, 110)
        self.await_evidence(daemon, "hinge", "laptop")
        self.lay_base(daemon, 220)
        self.await_posture(daemon, "tablet")
        daemon.hold("left")
        daemon.until_printed("reports laptop while the hinge angle indicates tablet")
        finding = self.doctor(daemon, "posture switch")
        self.assertEqual((finding["state"], finding["code"]), ("broken", "posture.contradiction"))
        self.assertIn("bench-tablet", finding["detail"])
        self.assertIn("unchanged since autorotate started", finding["detail"])
        daemon.session.accelerate(*ACCELERATIONS["normal"])
        self.lay_base(daemon, 110)
        self.await_posture(daemon, "laptop")
        self.assertEqual(daemon.printed().count("reports laptop while"), 1)

    def test_a_switch_that_contradicts_the_angle_is_replaced_later(self):
        daemon = self.daemon(base="last", switches="tablet")
        self.lay_base(daemon, 110)
        self.await_evidence(daemon, "hinge", "laptop")
        self.lay_base(daemon, 220)
        self.switch(daemon, "tablet", "on")
        self.await_evidence(daemon, "hinge", "tablet")
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "tablet", "off")
        self.await_posture(daemon, "laptop")
        self.await_posture(daemon, "tablet")
        daemon.until_printed("the hinge is used")

    def await_evidence(self, daemon, kind, says):
        daemon.until(
            lambda now: now and (kind, says) in {(each["kind"], each["says"]) for each in now["postureEvidence"]},
            f"{kind} that says {says}")

    def test_a_working_switch_is_used_instead_of_a_dead_one(self):
        daemon = self.daemon(switches="tablet,twin")
        self.switch(daemon, "twin", "on")
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "twin", "off")
        self.await_posture(daemon, "laptop")

    def test_a_flapping_contact_is_reported_once_and_debounced(self):
        daemon = self.daemon(switches="tablet")
        self.switch(daemon, "tablet", "flap")
        daemon.until_printed("changes many times a second")
        self.await_posture(daemon, "tablet")
        self.await_posture(daemon, "laptop")
        self.assertEqual(daemon.printed().count("many times a second"), 1)


class ByName(Posture):
    tablet = 'switch = "bench-keys"'

    def test_keys_of_a_configured_device_decide_the_posture(self):
        daemon = self.daemon(switches="tablet,keys")
        self.await_posture(daemon, "unknown")
        self.switch(daemon, "keys", "on")
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "tablet", "on")
        self.switch(daemon, "keys", "off")
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "keys", "remove")
        self.await_posture(daemon, "unknown")


class ByAmbiguousName(Posture):
    tablet = 'switch = "Bench tablet switch"'

    def test_two_devices_of_one_name_are_reported_with_their_difference(self):
        daemon = self.daemon(switches="tablet,twin")
        daemon.until_printed("2 devices are called “Bench tablet switch”")
        self.assertIn("/dev/input/event41 (bench-tablet), /dev/input/event51 (bench-twin)", daemon.printed())
        self.switch(daemon, "twin", "on")
        self.await_posture(daemon, "tablet")
        self.assertEqual(daemon.printed().count("are called"), 1)


class ByMissingName(Posture):
    tablet = 'switch = "Folio*"'

    def test_a_missing_device_is_reported_and_not_replaced(self):
        daemon = self.daemon(switches="tablet")
        daemon.until_printed("No device called “Folio*” reports folding")
        self.switch(daemon, "tablet", "on")
        self.await_posture(daemon, "unknown")
        self.assertEqual(daemon.printed().count("Folio"), 1)


class ByCover(Posture):
    tablet = 'keyboard = "*cover*"'

    def test_a_detached_cover_means_tablet_mode(self):
        daemon = self.daemon(switches="tablet,cover")
        self.await_posture(daemon, "laptop")
        self.switch(daemon, "cover", "remove")
        self.await_posture(daemon, "tablet")
        daemon.hold("left")
        self.switch(daemon, "cover", "add")
        self.await_posture(daemon, "laptop")
        daemon.until_shown("normal")

    def test_a_flapping_contact_is_reported_once_and_changes_nothing(self):
        daemon = self.daemon(switches="cover")
        self.await_posture(daemon, "laptop")
        seen = []
        self.switch(daemon, "cover", "flap")
        daemon.until_printed("many times a second")
        daemon.until(lambda now: seen.append(now["posture"]) or self.is_at_rest(now), "rest")
        self.assertEqual(set(seen), {"laptop"})
        self.assertEqual(daemon.printed().count("many times a second"), 1)

    @staticmethod
    def is_at_rest(status):
        cover = next(each for each in status["postureEvidence"] if each["kind"] == "keyboard")
        return cover["says"] == "laptop"


class ByMisspeltCover(Posture):
    tablet = 'keyboard = "*cvoer*"'

    def test_a_name_without_match_is_reported_once_and_by_doctor(self):
        daemon = self.daemon(switches="cover")
        daemon.until_printed("No input device called “*cvoer*” has been connected yet")
        self.await_posture(daemon, "tablet")
        self.assertEqual(daemon.printed().count("cvoer"), 1)
        run = subprocess.run([program(), "doctor", "--json"], env=daemon.session.device_env, capture_output=True,
                             text=True, timeout=longest_wait(), check=False)
        codes = {each["name"]: each["code"] for each in json.loads(run.stdout)["findings"]}
        self.assertEqual(codes["keyboard"], "posture.keyboard-missing")


class LockByPosture(Posture):
    rotate_in = "always"
    tablet = '[lock]\ntablet = "left"\nlaptop = "remember"\n'

    def await_lock(self, daemon, orientation):
        daemon.until(lambda now: now and (now["lock"] or {}).get("orientation") == orientation, f"lock: {orientation}")

    def test_each_posture_has_its_own_lock_also_after_a_restart(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.assertEqual(daemon.ask("--lock", "inverted").returncode, 0)
        daemon.until_shown("inverted")
        self.switch(daemon, "tablet", "on")
        self.await_lock(daemon, "left")
        daemon.until_shown("left")
        self.assertIn("lock.posture", daemon.status()["reasonCodes"])
        self.assertEqual(daemon.end(), 0)
        daemon = Daemon(daemon.session, "--sensor", "iio", log="second")
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        self.await_lock(daemon, "left")
        self.switch(daemon, "tablet", "off")
        self.await_posture(daemon, "laptop")
        self.await_lock(daemon, "inverted")
        daemon.until_shown("inverted")


class ByHand(Posture):
    def test_the_users_override_has_priority_over_the_switch(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        self.assertEqual(daemon.ask("--posture", "tablet").returncode, 0)
        self.await_posture(daemon, "tablet")
        daemon.hold("left")
        self.switch(daemon, "tablet", "on")
        self.switch(daemon, "tablet", "off")
        self.assertEqual(daemon.ask("--posture", "auto").returncode, 0)
        self.await_posture(daemon, "laptop")
        daemon.until_shown("normal")
        self.assertEqual(daemon.ask("--posture", "flat").returncode, 2)

    def test_programs_receive_the_posture(self):
        daemon = self.daemon(switches="tablet")
        self.await_posture(daemon, "laptop")
        recorded = os.path.join(daemon.session.directory, "recorded")
        for kind in ("posture", "did-rotate"):
            hook = daemon.session.write(
                f"config/autorotate/{kind}.d/10-tell",
                f'#!/bin/sh\necho {kind} "$AUTOROTATE_PREVIOUS_POSTURE>$AUTOROTATE_POSTURE" >> {recorded}\n')
            os.chmod(hook, 0o755)
        self.switch(daemon, "tablet", "on")
        daemon.hold("left")
        self.switch(daemon, "tablet", "off")
        daemon.until_shown("normal")
        lines = ["posture laptop>tablet", "did-rotate >tablet", "posture tablet>laptop", "did-rotate >laptop"]
        wait_until(lambda: len(self.lines(recorded)) >= len(lines), "the lines of the hooks")
        self.assertEqual(sorted(self.lines(recorded)), sorted(lines))

    def test_one_lock_pauses_for_a_rotation_another_ends_at_unfolding(self):
        self.rotate_in = "always"
        daemon = self.daemon(switches="tablet")
        for command in (["--lock"], ["--unlock", "--for", "60s"]):
            self.assertEqual(daemon.ask(*command).returncode, 0)
        daemon.until(lambda now: now and "lock.follows-once" in now["reasonCodes"], "the lock being off")
        daemon.session.accelerate(*ACCELERATIONS["left"])
        self.await_lock(daemon, "left", None)
        self.assertEqual(daemon.ask("--rotate", "right", "--until-unfolded").returncode, 0)
        self.await_lock(daemon, "right", "unfolded")
        self.switch(daemon, "tablet", "on")
        self.await_posture(daemon, "tablet")
        self.switch(daemon, "tablet", "off")
        daemon.until(lambda now: now and now["lock"] is None and now["orientation"] == "left", "the end of the lock")

    def await_lock(self, daemon, orientation, end):
        daemon.until(
            lambda now: now and now["lock"] and (now["lock"]["orientation"], now["lock"]["end"]) == (orientation, end),
            f"a lock to {orientation}")
