# SPDX-License-Identifier: MIT
"""The bench itself: it works as tests expect."""

import ast
import contextlib
import glob
import importlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile

from benchkit import processes
from benchkit.c_programs import BENCH, PROJECT
from benchkit.child_processes import Children, Failed, longest_wait, wait_until
from benchkit.requirements import SKIPPED
from benchkit.testing import PEN, TOUCHSCREEN, BenchTest

ROTATIONS = ("left", "inverted", "right", "normal")
MARKERS = ((110, 70), (610, 710), (399, 12))
SENSOR = "/sys/bus/iio/devices/iio:device0/"
COMMAND = [sys.executable, os.path.join(BENCH, "bench")]


def processes_of(directory):
    """Processes that have the bench's directory in their environment."""
    return [number for number in processes.numbers() if f"BENCH_DIR={directory}" in processes.environment(number)]


class Panel(BenchTest):
    def rotate(self, bench, rotation):
        result = bench.run("xrandr", "--output", "eDP-1", "--rotate", rotation)
        self.assertEqual(result.returncode, 0, result.stderr)

    def map_to_panel(self, bench):
        for device in (TOUCHSCREEN, PEN):
            self.assertEqual(bench.run("xinput", "map-to-output", device, "eDP-1").returncode, 0)

    def test_it_starts_with_two_outputs_side_by_side(self):
        panel, neighbour = self.bench().outputs()
        self.assertEqual((panel["name"], panel["x"], panel["w"], panel["h"], panel["primary"]),
                         ("eDP-1", 0, 1280, 800, True))
        self.assertEqual((neighbour["name"], neighbour["x"], neighbour["w"], neighbour["h"]),
                         ("HDMI-1", 1280, 1024, 768))

    def test_the_panel_rotates(self):
        bench = self.bench()
        for rotation in ROTATIONS:
            self.rotate(bench, rotation)
            panel = bench.output("eDP-1")
            size = (800, 1280) if rotation in ("left", "right") else (1280, 800)
            self.assertEqual((panel["rotation"], panel["w"], panel["h"]), (rotation, *size))

    def test_touch_and_pen_at_the_marker_on_the_glass_hit_it(self):
        bench = self.bench()
        for rotation in ROTATIONS:
            self.rotate(bench, rotation)
            self.map_to_panel(bench)
            for x, y in MARKERS:
                with self.subTest(rotation=rotation, x=x, y=y):
                    self.assertTouchAndPenHit(bench, x, y)

    def test_touch_misses_when_its_matrix_is_not_updated(self):
        bench = self.bench()
        self.map_to_panel(bench)
        self.rotate(bench, "left")
        with bench.marker(110, 70) as marker:
            bench.tap(*marker.on_panel())
            self.assertEqual(marker.hits(), [])

    def test_left_puts_the_screen_top_at_the_left_edge(self):
        bench = self.bench()
        self.rotate(bench, "left")
        with bench.marker(400, 8) as marker:
            fx, fy = marker.on_panel()
        self.assertLess(fx, 0.02)
        self.assertAlmostEqual(fy, 0.5, delta=0.01)

    def test_two_fingers_are_reported_at_once(self):
        bench = self.bench()
        self.map_to_panel(bench)
        with bench.marker(320, 400) as one, bench.marker(960, 400) as other:
            bench.simulated_input.do(["down", 1, 0.25, 0.5])
            bench.simulated_input.do(["down", 2, 0.75, 0.5])
            self.assertHit(one, "touch", TOUCHSCREEN)
            self.assertHit(other, "touch", TOUCHSCREEN)
            bench.simulated_input.do(["up", 1])
            bench.simulated_input.do(["up", 2])

    def test_outputs_can_be_connected_and_disconnected(self):
        bench = self.bench()
        bench.unplug("HDMI-1")
        self.assertFalse(bench.output("HDMI-1")["connected"])
        self.assertTrue(bench.output("eDP-1")["connected"])
        bench.plug("HDMI-1")
        self.assertTrue(bench.output("HDMI-1")["connected"])

    def test_rotation_can_be_refused(self):
        bench = self.bench()
        bench.refuse_rotation(True)
        self.assertNotEqual(
            bench.run("xrandr", "--output", "eDP-1", "--rotate", "left").returncode, 0)
        self.assertEqual(bench.output("eDP-1")["rotation"], "normal")
        bench.refuse_rotation(False)
        self.rotate(bench, "left")

    def test_a_panel_may_be_native_portrait_and_mounted_sideways(self):
        bench = self.bench(mode="800x1280", mount="Left Side Up")
        panel = bench.output("eDP-1")
        self.assertEqual((panel["w"], panel["h"]), (800, 1280))
        mounts = {each["name"]: (each["panel_orientation"], each["connector_type"])
                  for each in bench.x11.state()["outputs"] if each["connected"]}
        self.assertEqual(mounts["eDP-1"], ("Left Side Up", "Panel"))
        self.assertIsNone(mounts["HDMI-1"][0])

    def test_a_mouse_moves_by_pixels_in_any_panel_orientation(self):
        bench = self.bench()
        self.rotate(bench, "left")
        with bench.marker(400, 400, size=2000) as marker:
            for _ in range(2):
                bench.simulated_input.do(["mouse", 10, 0])
            (_, x, y, device), (_, later_x, later_y, _) = marker.hits()
        self.assertEqual(device, "Bench Mouse")
        self.assertGreater(later_x, x)
        self.assertEqual(later_y, y)

    def test_the_devices_are_those_of_a_convertible(self):
        self.assertEqual(
            set(self.bench().matrices()),
            {"Bench Mouse", "Bench Keyboard", "Bench Touchpad", TOUCHSCREEN, PEN})

    def test_the_other_servers_start(self):
        with self.subTest(server="xvfb"):
            bench = self.bench(server="xvfb")
            self.assertEqual([each["name"] for each in bench.outputs()], ["screen"])
            self.assertNotEqual(bench.run("xrandr", "-o", "left").returncode, 0)
        with self.subTest(server="xephyr"):
            bench = self.bench(server="xephyr")
            self.rotate_default(bench, "left")
            self.rotate_default(bench, "normal")

    def rotate_default(self, bench, rotation):
        bench.run("xrandr", "--output", "default", "--rotate", rotation)
        self.assertEqual(bench.output("default")["rotation"], rotation)


class Scripts(BenchTest):
    """Benchmarks run seldom, so that they miss when a helper gets another name."""

    def missing_names(self, path):
        """Names that a script takes from benchkit, and which it does not have."""
        with open(path, encoding="utf-8") as file:
            nodes = list(ast.walk(ast.parse(file.read())))
        modules = {}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "benchkit":
                package = importlib.import_module(node.module)
                for alias in node.names:
                    with contextlib.suppress(ModuleNotFoundError):
                        modules[alias.asname or alias.name] = importlib.import_module(f"{node.module}.{alias.name}")
                    if not hasattr(package, alias.name):
                        yield f"{node.module}.{alias.name}"
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                if not hasattr(modules[node.value.id], node.attr):
                    yield f"{node.value.id}.{node.attr}"

    def scripts(self):
        for path in sorted(glob.glob(f"{PROJECT}/Benchmarks/*") + glob.glob(f"{PROJECT}/Tests/**/*", recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    if path.endswith(".py") or file.readline().startswith(b"#!/usr/bin/python3"):
                        yield path

    def test_every_name_that_a_script_takes_from_benchkit_exists(self):
        scripts = list(self.scripts())
        self.assertGreater(len(scripts), 200)
        self.assertEqual({path: missing for path in scripts if (missing := list(self.missing_names(path)))}, {})


class Sensor(BenchTest):
    def read(self, bench, name):
        return subprocess.run(["cat", SENSOR + name], env=bench.device_env, capture_output=True,
                              text=True, check=False, timeout=longest_wait())

    def raw(self, bench):
        return [int(self.read(bench, f"in_accel_{axis}_raw").stdout) for axis in "xyz"]

    def test_the_sensor_reads_what_was_set(self):
        bench = self.bench(sensor={"scale": 0.01, "offset": 7, "in_mount": "0, 1, 0; 1, 0, 0; 0, 0, 1"})
        bench.accelerate(9.81, 0, -1)
        self.assertEqual(self.raw(bench), [974, -7, -107])
        self.assertEqual(self.read(bench, "in_accel_scale").stdout, "0.010000000\n")
        self.assertEqual(self.read(bench, "in_mount_matrix").stdout,
                         "0, 1, 0; 1, 0, 0; 0, 0, 1\n")

    def test_a_reader_with_the_file_open_sees_changes(self):
        bench = self.bench(sensor={"scale": 1})
        script = (f"import os; file = os.open('{SENSOR}in_accel_x_raw', os.O_RDONLY)\n"
                  "for _ in range(3): print(int(os.pread(file, 16, 0)), flush=True); input()")
        with subprocess.Popen([sys.executable, "-c", script], env=bench.device_env,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
            for value in (0, -12345, 7):
                bench.accelerate(value, 0, 0)
                reader.stdin.write("\n" if value else "")
                reader.stdin.flush()
                self.assertEqual(int(reader.stdout.readline()), value)
            reader.communicate("\n")

    def test_each_axis_may_have_its_scale(self):
        bench = self.bench(sensor={"axis_scale": "0.1,0.2,0.5"})
        bench.accelerate(1, 1, 1)
        self.assertEqual(self.raw(bench), [10, 5, 2])

    def test_the_sensor_fails_and_recovers(self):
        bench = self.bench(sensor={"scale": 1})
        bench.sensor.do(["fail"])
        failed = self.read(bench, "in_accel_x_raw")
        self.assertIn("Input/output error", failed.stderr)
        bench.sensor.do(["garbage"])
        self.assertEqual(self.read(bench, "in_accel_x_raw").stdout, "nonsense\n")
        bench.accelerate(3, 2, 1)
        self.assertEqual(self.raw(bench), [3, 2, 1])

    def test_the_sensor_blocks_until_a_value_comes(self):
        bench = self.bench(sensor={"scale": 1})
        bench.sensor.do(["hang"])
        reader = subprocess.Popen(["cat", SENSOR + "in_accel_x_raw"], env=bench.device_env,
                                  stdout=subprocess.PIPE, text=True)
        wait_until(lambda: self.is_blocked(reader), "the reader hangs")
        bench.accelerate(3, 2, 1)
        self.assertEqual(reader.communicate(timeout=longest_wait())[0].strip(), "3")

    def is_blocked(self, process):
        """Whether the process has replaced itself by its program and sleeps."""
        self.assertIsNone(process.poll(), "it did not hang")
        state = processes.read(process.pid, "stat").rpartition(")")[2].split()[:1]
        return processes.words(process.pid)[:1] == process.args[:1] and state == ["S"]

    def test_the_sensor_is_removed_and_added_with_uevents(self):
        bench = self.bench(sensor={"absent": True, "scale": 1})
        monitor = subprocess.Popen(["udevadm", "monitor", "--udev", "--subsystem-match=iio"],
                                   env=bench.device_env, stdout=subprocess.PIPE, text=True)
        self.addCleanup(monitor.stdout.close)
        self.addCleanup(monitor.wait)
        self.addCleanup(monitor.kill)
        while "UDEV - " not in monitor.stdout.readline():
            pass
        self.assertFalse(self.read(bench, "name").stdout)
        seen = []
        for verb in ("add", "remove", "add"):
            wait_until(lambda: glob.glob(
                bench.sensor.environment["UMOCKDEV_DIR"] + "/event*"), "udevadm's socket for events")
            bench.sensor.do([verb])
            line = next(line for line in monitor.stdout if "iio:device0" in line)
            seen.append(line.split()[2])
        self.assertEqual(seen, ["add", "remove", "add"])
        bench.accelerate(4, 5, 6)
        self.assertEqual(self.raw(bench), [4, 5, 6])

    def test_libiio_finds_the_sensors_in_display_and_base(self):
        bench = self.bench(sensor={"label": "accel-display", "base": "first"})
        if not shutil.which("iio_info"):
            self.skipTest("iio_info is not installed (package libiio-utils)")
        output = subprocess.run(["iio_info"], env=bench.device_env, capture_output=True, text=True,
                                check=False).stdout
        self.assertIn("iio:device0: accel_3d (label: accel-base)", output)
        self.assertIn("iio:device1: accel_3d (label: accel-display)", output)

    def test_the_x_server_does_not_see_the_mock(self):
        bench = self.bench(sensor={})
        variables = processes.read(bench.xserver.pid, "environ")
        self.assertIn("BENCH_DIR", variables)
        self.assertNotIn("LD_PRELOAD", variables)


class AwaitedPrograms(BenchTest):
    def run_until(self, script, condition):
        children = Children(self.directory())
        self.addCleanup(children.stop_all)
        process = children.start("program", ["sh", "-c", script], dict(os.environ))
        children.await_condition(process, condition, "no answer")

    def test_one_that_ends_first_is_reported_with_its_status_and_words(self):
        with self.assertRaisesRegex(Failed, r"no answer \(ended with -9\): about to end"):
            self.run_until("echo about to end; kill -9 $$", lambda: False)

    def test_the_condition_is_not_asked_again_once_it_was_true(self):
        answers = iter([False, True])
        self.run_until("exec sleep 600", lambda: next(answers))


class Leftovers(BenchTest):
    def start(self, script, **options):
        """A `bench run` from a shell. Returns the process and the bench's directory."""
        where = self.directory()
        process = subprocess.Popen(
            [*COMMAND, "run", "--", "sh", "-c", f"echo $BENCH_DIR; {script}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, TMPDIR=tempfile.gettempdir()), cwd=where, **options)
        directory = process.stdout.readline().strip()
        self.assertTrue(directory, process.stderr.read() if not directory else "")
        return process, directory

    def assertGone(self, process, directory):
        process.stdout.read()
        process.communicate(timeout=longest_wait())
        wait_until(lambda: not processes_of(directory) and not os.path.exists(directory))
        self.assertEqual(processes_of(directory), [])
        self.assertFalse(os.path.exists(directory))

    def test_the_exit_status_is_the_commands(self):
        process, directory = self.start("exit 5")
        self.assertGone(process, directory)
        self.assertEqual(process.returncode, 5)

    def test_daemons_of_the_command_are_terminated(self):
        process, directory = self.start("(setsid sleep 600 >/dev/null 2>&1 &)")
        self.assertGone(process, directory)
        self.assertEqual(process.returncode, 0)

    def test_nothing_is_left_when_the_command_is_killed(self):
        process, directory = self.start("kill -9 $$")
        self.assertGone(process, directory)
        self.assertEqual(process.returncode, 128 + signal.SIGKILL)

    def test_nothing_is_left_when_the_bench_is_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number.name):
                process, directory = self.start("exec sleep 600")
                process.send_signal(number)
                self.assertGone(process, directory)
                self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_nothing_is_left_when_the_bench_is_killed(self):
        process, directory = self.start("exec sleep 600")
        process.kill()
        self.assertGone(process, directory)

    def test_nothing_is_left_when_its_worker_is_killed(self):
        process, directory = self.start("kill -9 $PPID; sleep 600")
        self.assertGone(process, directory)
        self.assertEqual(process.returncode, 128 + signal.SIGKILL)

    def test_several_benches_run_at_once(self):
        started = [self.start("exec sleep 600") for _ in range(3)]
        self.assertEqual(len({directory for _, directory in started}), 3)
        for process, directory in started:
            process.terminate()
            self.assertGone(process, directory)

    def test_an_ordinary_user_can_run_the_bench(self):
        place = tempfile.mkdtemp(prefix="bench-copy-")
        self.addCleanup(shutil.rmtree, place)
        os.chmod(place, 0o755)
        copy = os.path.join(place, "Tests", "Bench")
        shutil.copytree(BENCH, copy, ignore=shutil.ignore_patterns("__pycache__"))
        options = {"user": pwd.getpwnam("nobody").pw_uid} if os.getuid() == 0 else {}
        env = dict(os.environ, TMPDIR=tempfile.gettempdir())
        result = subprocess.run(
            ["/usr/bin/python3", copy + "/bench", "run", "--accelerometer", "--", "sh", "-c",
             f"{copy}/bench accel 9.58 0 0; cat {SENSOR}in_accel_x_raw; {copy}/bench tap 0.5 0.5; "
             f"{copy}/bench outputs"],
            env=env, capture_output=True, text=True, check=False, cwd="/", timeout=longest_wait(), **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        raw, outputs = result.stdout.splitlines()
        self.assertEqual(int(raw), 1000)
        self.assertEqual(json.loads(outputs)[0]["name"], "eDP-1")

    def test_a_missing_program_is_named(self):
        empty = self.directory()
        for name in ("sh", "dbus-daemon", "cc", "pkg-config", "Xorg"):
            os.symlink(shutil.which(name) or "/bin/true", os.path.join(empty, name))
        result = subprocess.run([*COMMAND, "run", "--", "true"], env=dict(os.environ, PATH=empty),
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, SKIPPED)
        self.assertEqual(result.stderr,
                         "skipped: xrandr is not installed (package x11-xserver-utils)\n")
