# SPDX-License-Identifier: MIT
"""Calibration: finding how a sensor is mounted, and what happens with the result."""

import fcntl
import itertools
import json
import os
import struct
import subprocess
import termios
import threading

from benchkit.calibration_user import PANEL, G, lead, press_enter, read_until
from benchkit.child_processes import exit_status, let_pass, longest_wait, wait_until
from benchkit.daemon import DEVICE, ACCELERATIONS, Daemon
from benchkit.terminal import Terminal
from benchkit.testing import BenchTest, program

QUARTER = "0, 1, 0; -1, 0, 0; 0, 0, 1"


def matrices():
    """The text of each of the 48 ways to permute and mirror three axes."""
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            yield "; ".join(", ".join(str(signs[row] * (column == order[row])) for column in range(3))
                            for row in range(3))


def unread(pipe):
    """How many bytes in a pipe have not been read."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def raw(hold, matrix):
    """What the sensor itself reports for an orientation in the panel's frame: the transposed matrix applied."""
    rows = [[int(cell) for cell in row.split(",")] for row in matrix.split(";")]
    return [sum(rows[i][axis] * hold[i] for i in range(3)) for axis in range(3)]


class CalibrateTest(BenchTest):
    def settings_path(self, env):
        return os.path.join(env["XDG_CONFIG_HOME"], "autorotate", "config.toml")

    def write_settings(self, env, text):
        path = self.settings_path(env)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read_settings(self, env):
        with open(self.settings_path(env), encoding="utf-8") as file:
            return file.read()

    def calibrate(self, env, orientations, *arguments):
        text = "".join(f"{x},{y},{z}\n" for x, y, z in orientations)
        return subprocess.run([program(), "calibrate", "--holds", "-", *arguments], env=env, input=text,
                              capture_output=True, text=True, timeout=longest_wait(), check=False)


class FromHolds(CalibrateTest):
    def setUp(self):
        self.env = {**os.environ, "XDG_CONFIG_HOME": self.directory(), "LC_ALL": "C.UTF-8"}
        for name in ("DISPLAY", "SUDO_USER"):
            self.env.pop(name, None)

    def test_each_of_the_48_matrices_is_found_and_written(self):
        for matrix in matrices():
            with self.subTest(matrix=matrix):
                result = self.calibrate(self.env, [raw(hold, matrix) for hold in PANEL])
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(f"The mount matrix is {matrix}\n", result.stdout)
                self.assertEqual(self.read_settings(self.env), f'[sensor]\nmount-matrix = "{matrix}"\n')

    def test_a_mirroring_matrix_is_written_with_a_warning(self):
        for index, step in ((1, "2/4 (with the left edge up)"), (3, "4/4 (flat with the screen up)")):
            orientations = list(PANEL)
            orientations[index] = [-part for part in PANEL[index]]
            result = self.calibrate(self.env, orientations)
            self.assertEqual(result.returncode, 0)
            self.assertIn("mirrors an axis", result.stdout)
            self.assertIn(f"In step {step} the device was probably held the other way.", result.stdout)
        self.assertNotIn("mirrors an axis", self.calibrate(self.env, PANEL).stdout)

    def test_it_ends_with_how_to_try_and_undo_it(self):
        end = "Rotate the device to try it. To undo: autorotate config unset sensor.mount-matrix\n"
        for orientations in (PANEL, PANEL, [raw(hold, QUARTER) for hold in PANEL]):
            self.assertTrue(self.calibrate(self.env, orientations).stdout.endswith(end))
        self.assertNotIn(end, self.calibrate(self.env, PANEL, "--dry-run").stdout)

    def test_the_rest_of_the_file_is_kept(self):
        self.write_settings(self.env, "# mine\n[sensor]\nrate = 20 # fast\n[lock]\nover-apps = true\n")
        os.chmod(self.settings_path(self.env), 0o600)
        self.calibrate(self.env, [raw(hold, QUARTER) for hold in PANEL])
        self.assertEqual(
            self.read_settings(self.env), f'# mine\n[sensor]\nmount-matrix = "{QUARTER}"\n'
            "rate = 20 # fast\n[lock]\nover-apps = true\n")
        self.assertEqual(os.stat(self.settings_path(self.env)).st_mode & 0o777, 0o600)
        self.assertEqual(os.listdir(os.path.dirname(self.settings_path(self.env))), ["config.toml"])

    def test_a_link_stays_a_link(self):
        elsewhere = os.path.join(self.directory(), "dotfile")
        self.write_settings(self.env, "")
        os.rename(self.settings_path(self.env), elsewhere)
        os.symlink(elsewhere, self.settings_path(self.env))
        self.calibrate(self.env, PANEL)
        self.assertTrue(os.path.islink(self.settings_path(self.env)))
        self.assertIn("mount-matrix", self.read_settings(self.env))

    def test_a_broken_file_is_refused_with_its_errors(self):
        broken = "[sensor]\nrate = 1000\n"
        self.write_settings(self.env, broken)
        result = self.calibrate(self.env, PANEL)
        self.assertEqual(result.returncode, 2)
        self.assertIn("config.toml:2:8: error", result.stderr)
        self.assertIn("1, 0, 0; 0, 1, 0; 0, 0, 1", result.stderr)
        self.assertLess(result.stderr.index("mount-matrix = "), result.stderr.index("config.toml:2:8: error"))
        self.assertEqual(self.read_settings(self.env), broken)

    def test_invalid_orientations_are_refused(self):
        faults = (
            (1, (0, -G, 0), "the same as upright"), (0, (0, -5, 0), "far from g"),
            (3, (0, 7, 7), "45° off"), (2, (0, 0, G), "contradict each other"))
        for index, value, words in faults:
            with self.subTest(words=words):
                orientations = list(PANEL)
                orientations[index] = value
                result = self.calibrate(self.env, orientations)
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stderr)
                self.assertFalse(os.path.exists(self.settings_path(self.env)))
        self.assertEqual(self.calibrate(self.env, PANEL[:3]).returncode, 2)

    def test_lines_that_come_one_by_one_are_all_read(self):
        with subprocess.Popen([program(), "calibrate", "--holds", "-"], env=self.env, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            for x, y, z in PANEL:
                os.write(process.stdin.fileno(), f"{x},{y},{z}\n".encode())
                wait_until(lambda: not unread(process.stdin), "the line is read")
            process.stdin.close()
            self.assertEqual(exit_status(process), 0)

    def test_a_dry_run_writes_nothing(self):
        result = self.calibrate(self.env, PANEL, "--dry-run")
        self.assertEqual(result.returncode, 0)
        self.assertFalse(os.path.exists(self.settings_path(self.env)))

    def test_under_sudo_only_a_dry_run_is_possible(self):
        self.env["SUDO_USER"] = "ada"
        result = self.calibrate(self.env, PANEL)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("without sudo: autorotate calibrate", result.stderr)
        self.assertFalse(os.path.exists(self.settings_path(self.env)))
        self.assertEqual(self.calibrate(self.env, PANEL, "--dry-run").returncode, 0)

    def test_an_unwritable_place_is_reported(self):
        with open(os.path.join(self.env["XDG_CONFIG_HOME"], "autorotate"), "w", encoding="utf-8"):
            pass
        result = self.calibrate(self.env, PANEL)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Write it by hand: mount-matrix = ", result.stderr)


class Guided(CalibrateTest):
    """With the mock accelerometer, which is mounted rotated and has a wrong matrix in udev."""

    def start(self, bench, *arguments):
        process = subprocess.Popen([program(), "calibrate", *arguments], env=bench.device_env, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdin.close(),
                                 process.stdout.close()))
        return process

    def until_printed(self, terminal, words):
        wait_until(lambda: (terminal.read(), words.encode() in terminal.raw)[1], words)

    def test_the_daemon_rotates_correctly_afterwards(self):
        bench = self.bench(sensor={"mount": "0, 0, 1; 0, 1, 0; 1, 0, 0", "noise": 0.05,
                                   "modalias": "acpi:BENCH01:BENCH01:"})
        daemon = Daemon(bench)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until_shown("normal")
        process = self.start(bench)
        printed = lead(process, bench.accelerate, [raw(hold, QUARTER) for hold in PANEL])
        self.assertEqual(exit_status(process), 0, printed)
        self.assertIn(QUARTER, printed)
        self.assertIn("# Matrix in the frame of the panel, which is mounted top-up\n"
                      "sensor:modalias:acpi:BENCH01*:dmi:*:svnBench:pnConvertible:*\n"
                      f" ACCEL_MOUNT_MATRIX={QUARTER}\n", printed)
        daemon.until(lambda now: now["device"] == "face-up", "the new matrix is applied")
        meanwhile = {now["orientation"] for now in daemon.followed if now["allowed"] == ["normal"]}
        self.assertEqual(meanwhile, {"normal"}, "the screen rotated meanwhile")
        for orientation in ("left", "inverted"):
            bench.accelerate(*raw(ACCELERATIONS[orientation], QUARTER))
            daemon.until(lambda now, word=orientation: (now["device"], now["orientation"]) == (DEVICE[word], word),
                         orientation)

    def test_a_program_receives_each_step(self):
        bench = self.bench(sensor={"noise": 0.05})
        process = self.start(bench, "--json")
        orientations, output, asked = iter([raw(hold, QUARTER) for hold in PANEL]), [], []
        for line in process.stdout:
            self.assertTrue(line.startswith("{"), line)
            step = json.loads(line)
            output.append(step["step"])
            if step["step"] == "ask":
                asked.append((step["hold"], step["number"], step["of"]))
                bench.accelerate(*next(orientations))
            if step["step"] == "gravity" and len(asked) == 1 and step["x"] > G - 1 and "taken" not in output:
                press_enter(process)
        self.assertEqual(exit_status(process), 0)
        self.assertEqual(asked, [("upright", 1, 4), ("leftEdgeUp", 2, 4), ("upsideDown", 3, 4), ("faceUp", 4, 4)])
        self.assertEqual((output[0], output.count("taken"), output[-1]), ("begin", 4, "found"))
        self.assertEqual(step["matrix"], QUARTER)
        self.assertIn("gravity", output)

    def test_a_closed_pipe_ends_it(self):
        process = self.start(self.bench(sensor={"noise": 0.05}), "--json")
        read_until(process, '"ask"')
        process.stdout.close()
        self.assertEqual(exit_status(process), 1)

    def test_an_ended_input_ends_it(self):
        process = self.start(self.bench(sensor={"noise": 0.05}))
        read_until(process, "1/4")
        process.stdin.close()
        self.assertEqual(exit_status(process), 1)
        self.assertIn("the input ended before all four orientations were measured", process.stdout.read())

    def test_r_starts_again(self):
        process = self.start(self.bench(sensor={"noise": 0.05}))
        read_until(process, "1/4")
        process.stdin.write("r\n")
        process.stdin.flush()
        read_until(process, "Start again from the first orientation.")
        read_until(process, "1/4")

    def test_the_matrix_applies_before_the_screen_may_rotate(self):
        bench = self.bench(sensor={"mount": "0, 0, 1; 0, 1, 0; 1, 0, 0"})
        # So long that writing it takes a while.
        bench.write("config/autorotate/config.toml", "# a comment\n" * 4_000)
        with Daemon(bench) as daemon:
            daemon.until_shown("normal")
            process = self.start(bench)
            orientations = [raw(hold, QUARTER) for hold in PANEL]
            user = threading.Thread(target=lead, args=(process, bench.accelerate, orientations), daemon=True)
            user.start()
            self.addCleanup(user.join, longest_wait())
            daemon.until(lambda now: now["allowed"] == ["normal"], "the request of the calibration")
            with daemon.rotating_only():
                daemon.until(lambda now: len(now["allowed"]) == 4, "the end of the request")
                self.assertTrue(QUARTER in self.read_settings(bench.env), "the matrix is not written yet")
                daemon.until(lambda now: now["device"] == "face-up", "the device orientation by the new matrix")

    def test_no_report_is_suggested_for_known_matrices(self):
        bench = self.bench(sensor={"modalias": "acpi:BENCH01:BENCH01:"})
        self.assertNotIn("60-sensor.hwdb", self.calibrate(bench.device_env, PANEL, "--dry-run").stdout)
        self.assertIn("No entry for systemd's hardware database: the system already has this matrix.",
                      self.calibrate(bench.device_env, PANEL, "--dry-run").stdout)
        rotated = [raw(hold, QUARTER) for hold in PANEL]
        self.assertIn("60-sensor.hwdb", self.calibrate(bench.device_env, rotated, "--dry-run").stdout)

    def test_a_sensor_without_a_modalias_has_no_entry(self):
        rotated = [raw(hold, QUARTER) for hold in PANEL]
        output = self.calibrate(self.bench(sensor={}).device_env, rotated, "--dry-run").stdout
        self.assertIn("No entry for systemd's hardware database: the kernel reports no modalias", output)

    def test_iio_sensor_proxy_is_not_enough(self):
        bench = self.bench(sensor={}, proxy=True)
        env = {**bench.device_env, "UMOCKDEV_DIR": self.directory()}
        for words in (("calibrate",), ("record", "-")):
            result = subprocess.run([program(), *words], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                    text=True, timeout=longest_wait(), check=False)
            self.assertEqual(result.returncode, 4)
            self.assertIn("iio-sensor-proxy reports only the device orientation", result.stderr)

    def test_a_mirroring_matrix_is_written_only_after_a_yes(self):
        bench = self.bench(sensor={})
        mirrored = [PANEL[0], [-part for part in PANEL[1]], *PANEL[2:]]
        for answer, status in (("n", 1), ("y", 0)):
            env = {**bench.device_env, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
            terminal = Terminal([program(), "calibrate"], env, columns=200, rows=60)
            self.addCleanup(terminal.__exit__)
            terminal.until_shown("1/4  Upright, as on a desk: the top edge up, the screen facing you.")
            bench.accelerate(*mirrored[0])
            let_pass(2)
            terminal.press("\n")
            for number, hold in enumerate(mirrored[1:], 2):
                self.until_printed(terminal, f"{number}/4")
                bench.accelerate(*hold)
            self.until_printed(terminal, "Write this matrix all the same? [y/N]")
            terminal.press(answer + "\n")
            self.assertEqual(exit_status(terminal.process), status)
            self.assertEqual(os.path.exists(self.settings_path(bench.env)), answer == "y")

    def test_a_panel_mounted_sideways_gets_a_matrix_of_its_frame(self):
        bench = self.bench(mode="800x1280", mount="Right Side Up", sensor={"modalias": "acpi:BENCH01:BENCH01:"})
        output = self.calibrate(bench.device_env, PANEL, "--dry-run").stdout
        self.assertIn("The mount matrix is 0, 1, 0; -1, 0, 0; 0, 0, 1\n", output)
        self.assertIn("# Matrix in the frame of the panel, which is mounted right-side-up\n", output)
        bench.write("config/autorotate/config.toml", '[display]\npanel-mount = "right-side-up"\n')
        output = self.calibrate(bench.device_env, PANEL, "--dry-run").stdout
        self.assertIn("The mount matrix is 1, 0, 0; 0, 1, 0; 0, 0, 1\n", output)
        self.assertIn(" ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1\n", output)

    def test_without_a_display_a_panel_is_not_taken_as_mounted_upright(self):
        bench = self.bench(mode="800x1280", mount="Right Side Up", sensor={"modalias": "acpi:BENCH01:BENCH01:"})
        rotated = [raw(hold, QUARTER) for hold in PANEL]
        output = self.calibrate({**bench.device_env, "DISPLAY": ""}, rotated, "--dry-run").stdout
        self.assertIn("Warning: without a display it is not known how the panel is mounted.", output)
        self.assertNotIn("60-sensor.hwdb", output)

    def test_a_removed_sensor_ends_it(self):
        bench = self.bench(sensor={})
        process = self.start(bench)
        read_until(process, "1/4")
        bench.sensor.do(["remove"])
        self.assertEqual(exit_status(process), 4)
        self.assertIn("accel", process.stdout.read())

    def test_several_accelerometers_are_named_and_one_can_be_chosen(self):
        bench = self.bench(sensor={"base": "last", "unplaced": True, "noise": 0.05})
        process = self.start(bench)
        printed = read_until(process, "1/4")
        self.assertIn("accel_3d (iio:device0) is one of 2 accelerometers", printed)
        self.assertIn("autorotate calibrate --device NAME", printed)
        process.stdin.close()
        exit_status(process)
        process = self.start(bench, "--device", "iio:device1")
        printed = lead(process, lambda *a: bench.sensor.do(["base", *a]), [raw(hold, QUARTER) for hold in PANEL])
        self.assertEqual(exit_status(process), 0, printed)
        self.assertIn("config unset sensor.device", printed)
        self.assertEqual(self.read_settings(bench.env), f'[sensor]\ndevice = "iio:device1"\nmount-matrix = "{QUARTER}"\n')
        process = self.start(bench, "--device", "iio:device7")
        self.assertEqual(exit_status(process), 2)
        self.assertIn("no accelerometer is called “iio:device7”", process.stdout.read())

    def test_the_base_is_calibrated_into_a_key_of_its_own(self):
        bench = self.bench(sensor={"base": "last", "location": "display", "noise": 0.05})
        process = self.start(bench)
        self.assertIn("autorotate calibrate --base", read_until(process, "1/4"))
        process.stdin.close()
        exit_status(process)
        process = self.start(bench, "--base")
        self.assertIn("Fold the device back completely", read_until(process, "folded meanwhile"))
        printed = lead(process, lambda *a: bench.sensor.do(["base", *a]), [raw(hold, QUARTER) for hold in PANEL])
        self.assertEqual(exit_status(process), 0, printed)
        self.assertIn("config unset sensor.base-mount-matrix", printed)
        self.assertEqual(self.read_settings(bench.env), f'[sensor]\nbase-mount-matrix = "{QUARTER}"\n')

    def test_without_a_base_it_says_what_to_do(self):
        process = self.start(self.bench(sensor={}), "--base")
        self.assertEqual(exit_status(process), 4)
        self.assertIn("no accelerometer in the base found", process.stdout.read())
