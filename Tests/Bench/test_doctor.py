# SPDX-License-Identifier: MIT
"""What doctor reports on a bench, healthy and broken in many ways."""

import json
import os
import shutil
import subprocess

from benchkit.child_processes import longest_wait
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program


class DoctorTest(BenchTest):
    def examine(self, bench, *starter, **changes):
        """Runs the doctor. Returns whether all is well, and {name: [finding]}.

        `starter`: the words of a program that starts doctor.
        """
        env = {**bench.device_env, **changes}
        run = subprocess.run([*starter, program(), "doctor", "--json"], env=env, capture_output=True,
                             text=True, timeout=longest_wait(), check=False)
        self.assertEqual(run.stderr, "")
        output = json.loads(run.stdout)
        self.assertEqual(run.returncode, 0 if output["healthy"] else 1, run.stdout)
        found = {}
        for finding in output["findings"]:
            found.setdefault(finding["name"], []).append(finding)
            if finding["state"] == "broken":
                self.assertTrue(finding["nextStep"], finding)
        return output["healthy"], found

    def assertBroken(self, bench, name, words, *starter, **changes):
        healthy, found = self.examine(bench, *starter, **changes)
        self.assertFalse(healthy)
        self.assertEqual([each["state"] for each in found[name]], ["broken"], found[name])
        self.assertIn(words, found[name][0]["detail"])
        return found[name][0]

    def start(self, bench, *arguments):
        daemon = Daemon(bench, *arguments)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        return daemon


class Healthy(DoctorTest):
    def test_missing_udev_rules_are_reported(self):
        bench = self.bench(sensor={})
        share = self.directory()
        _healthy, found = self.examine(bench, XDG_DATA_DIRS=share)
        self.assertEqual(found["app rules"][0]["nextStep"], "reinstall autorotate")
        os.makedirs(os.path.join(share, "autorotate", "apps"))
        with open(os.path.join(share, "autorotate", "apps", "mpv.toml"), "w", encoding="utf-8") as file:
            file.write('match = ["mpv"]\nsupported = ["landscape"]\n')
        _healthy, found = self.examine(bench, XDG_DATA_DIRS=share)
        self.assertNotIn("app rules", found)

    def test_a_hook_that_cannot_run_is_named(self):
        bench = self.bench(sensor={})
        self.start(bench)
        path = bench.write("config/autorotate/did-rotate.d/10-plain", "#!/bin/sh\n")
        step = self.assertBroken(bench, "hooks", "did-rotate.d/10-plain cannot be started")["nextStep"]
        self.assertEqual(step, f"make it executable with: chmod +x {path}")
        os.chmod(path, 0o757)
        step = self.assertBroken(bench, "hooks", "did-rotate.d/10-plain is not run")["nextStep"]
        self.assertIn(f"chmod go-w {path}", step)
        os.chmod(path, 0o755)
        self.assertNotIn("hooks", self.examine(bench)[1])

    def test_a_healthy_system_has_no_findings_and_is_not_disturbed(self):
        bench = self.bench(sensor={"noise": 0.05, "mount": "0, 1, 0; -1, 0, 0; 0, 0, 1"})
        daemon = self.start(bench)
        bench.accelerate(0, 9.81, 0)
        daemon.until_shown("left")
        before = bench.outputs(), bench.matrices(), daemon.printed()
        healthy, found = self.examine(bench)
        self.assertTrue(healthy, found)
        self.assertEqual((bench.outputs(), bench.matrices(), daemon.printed()), before)
        self.assertIn("left", found["daemon"][0]["detail"])
        self.assertEqual(found["mount matrix"][0]["detail"],
                         "0, 1, 0; -1, 0, 0; 0, 0, 1, from udev's ACCEL_MOUNT_MATRIX")
        self.assertEqual({each["state"] for each in found["touchscreen and pen"]}, {"works"})
        self.assertIn("rotated left", found["rotation"][0]["detail"])

    def test_a_pause_or_a_lock_comes_with_the_command_that_ends_it(self):
        bench = self.bench(sensor={})
        daemon = self.start(bench)
        for command, step in (("lock", "to unlock: autorotate unlock"), ("pause", "to resume: autorotate resume")):
            daemon.ask(command)
            _healthy, found = self.examine(bench)
            self.assertEqual(found["daemon"][0]["nextStep"], step)
            self.assertEqual(found["daemon"][0]["state"], "works")

    def test_iio_sensor_proxy_is_mentioned(self):
        bench = self.bench(sensor={}, proxy=True)
        _, found = self.examine(bench)
        self.assertEqual(found["iio-sensor-proxy"][0]["state"], "works")
        self.assertIn("process ", found["iio-sensor-proxy"][0]["detail"])

    def test_lines_are_ascii_without_utf8(self):
        bench = self.bench(sensor={})
        run = subprocess.run([program(), "doctor"], env={**bench.device_env, "LC_ALL": "C"},
                             capture_output=True, timeout=longest_wait(), check=False)
        text = run.stdout.decode("ascii")
        self.assertIn("ok    sensor ", text)
        self.assertIn("FAIL  daemon ", text)
        self.assertIn("-> start it now with: setsid -f autorotate --wait >/dev/null 2>&1\n", text)


class Broken(DoctorTest):
    def test_sensor_problems_are_reported(self):
        bench = self.bench(sensor={"in_mount": "1, 0, 0; 1, 0, 0; 0, 0, 1"})
        self.assertBroken(bench, "mount matrix", "in_mount_matrix")
        bench.accelerate(0, -3, 0)
        self.assertBroken(bench, "plausible", "|a| is 3.0")
        bench.sensor.do(["fail"])
        self.assertBroken(bench, "readable", "cannot be read")
        bench.sensor.do(["remove"])
        self.assertBroken(bench, "sensor", "no accelerometer")

    def test_a_sensor_that_is_unplugged_while_the_daemon_runs_is_named(self):
        bench = self.bench(sensor={})
        daemon = self.start(bench)
        daemon.hold("left")
        bench.sensor.do(["remove"])
        daemon.until(lambda now: now["sensor"]["state"] == "lost", "lost")
        finding = self.assertBroken(bench, "sensor", "accel_3d (iio:device0) cannot be read (No such device)")
        self.assertIn("plug it in again", finding["nextStep"])

    def test_session_problems_are_reported(self):
        bench = self.bench(sensor={})
        self.assertBroken(bench, "session", "Wayland", WAYLAND_DISPLAY="wayland-0",
                          XDG_SESSION_TYPE="wayland")
        self.assertBroken(bench, "session", "cannot connect", DISPLAY=":4711")
        self.assertBroken(bench, "session", "no desktop", DISPLAY="")
        self.assertBroken(bench, "daemon", "session bus",
                          DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent")

    def test_touch_that_does_not_match_the_screen_is_reported(self):
        bench = self.bench(sensor={})
        self.start(bench).end()
        self.assertEqual({each["state"] for each in self.examine(bench)[1]["touchscreen and pen"]}, {"works"})
        bench.run("xrandr", "--output", "eDP-1", "--rotate", "right")
        _, found = self.examine(bench)
        self.assertEqual({each["state"] for each in found["touchscreen and pen"]}, {"broken"})
        # A running daemon may have left it to another program. Another orientation would rotate the screen.
        for each in found["touchscreen and pen"]:
            self.assertIn("autorotate rotate right", each["nextStep"])
        self.assertEqual(bench.run(program(), "doctor").returncode, 1)

    def test_a_panel_that_is_off_is_reported(self):
        bench = self.bench(sensor={})
        bench.write("config/autorotate/config.toml", "[display]\noutput = \"DP-7\"\n")
        self.assertBroken(bench, "panel", "DP-7")

    def test_wrong_settings_are_reported(self):
        bench = self.bench(sensor={})
        bench.write("config/autorotate/config.toml", "[sensor]\nrate = 1000\n")
        self.assertBroken(bench, "settings", "config.toml:2:8: error")

    def test_another_rotation_program_is_reported(self):
        bench = self.bench(sensor={})
        path = os.path.join(bench.directory, "rot8")
        os.symlink(shutil.which("sleep"), path)
        start = '"$0" 600 >/dev/null & until grep -q rot8 /proc/$!/comm; do :; done; "$@"; status=$?; kill $!; exit $status'
        finding = self.assertBroken(bench, "conflicting programs", "rot8", *self.confined(), "sh", "-c", start, path)
        self.assertIn("kill ", finding["nextStep"])

    def confined(self):
        """The words that start a program with processes of its own, which doctor in other tests does not see; none
        where that is not permitted."""
        words = ["unshare", *["--map-current-user"] * (os.geteuid() != 0), "--pid", "--fork", "--kill-child",
                 "--mount-proc"]
        return words if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0 else []


class Posture(DoctorTest):
    def test_a_tablet_switch_is_found(self):
        bench = self.bench(sensor={"switches": "tablet"})
        _, found = self.examine(bench)
        self.assertEqual(found["posture switch"][0]["state"], "works")
        self.assertIn("/dev/input/event41, bench-tablet) reports laptop", found["posture switch"][0]["detail"])

    def test_an_unreliable_tablet_switch_is_ignored(self):
        bench = self.bench(sensor={"switches": "tablet"})
        quirks = bench.write("quirks/50-bench.quirks", "[Bench]\nMatchName=Bench tablet switch\n"
                                                       "ModelTabletModeSwitchUnreliable=1\n")
        place = {"LIBINPUT_QUIRKS_DIR": os.path.dirname(quirks)}
        _healthy, found = self.examine(bench, **place)
        self.assertEqual({each["state"] for each in found["posture switch"]}, {"not-applicable"})
        self.assertIn("libinput lists its tablet switch as unreliable", found["posture switch"][-1]["detail"])
        bench.write("config/autorotate/config.toml", '[tablet]\nswitch = "Bench tablet switch"\n')
        _healthy, found = self.examine(bench, **place)
        self.assertEqual([each["state"] for each in found["posture switch"]], ["works"])

    def test_a_second_accelerometer_is_an_alternative(self):
        bench = self.bench(sensor={"base": "last", "label": "accel-display"})
        _, found = self.examine(bench)
        self.assertIn("hinge angle", found["hinge"][0]["detail"])
