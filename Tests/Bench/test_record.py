# SPDX-License-Identifier: MIT
"""Recording the mock accelerometer, and replaying what was recorded."""

import os
import signal
import subprocess

from benchkit.child_processes import exit_status, longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS
from benchkit.terminal import Terminal
from benchkit.testing import BenchTest, program

QUARTER = "0, -1, 0; 1, 0, 0; 0, 0, 1"  # maps "held normally" to left edge up


class Recording(BenchTest):
    def lines(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def record(self, bench, *command):
        """Runs it where it sees the sensor. Returns its exit status, and all it printed."""
        status = exit_status(bench.start("record", command))
        with open(os.path.join(bench.directory, "record.out"), encoding="utf-8") as file:
            return status, file.read()

    def test_a_recording_can_be_replayed(self):
        bench = self.bench(sensor={"mount": QUARTER, "noise": 0.03})
        path = os.path.join(bench.directory, "trace.csv")
        status, output = self.record(bench, program(), "record", path, "--seconds", "1", "--rate", "50")
        self.assertEqual(status, 0, output)
        lines = self.lines(path)
        header = [line for line in lines if line.startswith("#")]
        self.assertIn("# sensor: accel_3d (iio:device0)", header)
        self.assertIn(f"# mount matrix: {QUARTER} (udev's ACCEL_MOUNT_MATRIX), applied", header)
        moments = [float(line.split(",")[0]) for line in lines[len(header) + 1:]]
        samples = len(moments)
        self.assertIn(f"{samples} samples written", output)
        self.assertTrue(2 <= samples <= 60, samples)
        self.assertLess(min(later - earlier for earlier, later in zip(moments, moments[1:])), 1 / 35, "no rate of 50")
        self.assertIn("left-up left", bench.run(program(), "replay", path).stdout)

    def test_a_file_that_is_no_trace_is_one_message(self):
        path = os.path.join(self.directory(), "notes")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# mine\n" + "alias ll='ls -l'\n" * 50)
        result = subprocess.run([program(), "replay", path], capture_output=True, text=True, timeout=longest_wait(),
                                check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(f"{path} is not a trace (line 2: not a time", result.stderr)

    def test_a_replay_has_a_heading_on_a_terminal_only(self):
        path = os.path.join(self.directory(), "trace.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"{number / 10},0,-9.81,0\n" for number in range(50)))
        heading = "Seconds, device orientation, screen orientation, reason:"
        env = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}
        with Terminal([program(), "replay", path], env, columns=200) as terminal:
            self.assertEqual(terminal.until_shown(heading)[0], heading)
        plain = subprocess.run([program(), "replay", path], env=env, capture_output=True, text=True,
                               timeout=longest_wait(), check=False)
        self.assertIn("normal", plain.stdout)
        self.assertNotIn(heading, plain.stdout)

    def test_a_replay_ends_when_nobody_reads_it(self):
        with subprocess.Popen([program(), "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.close()
            with self.assertRaises(BrokenPipeError):
                for number in range(100_000):
                    gravity = "0,-9.81,0" if number % 100 < 50 else "9.81,0,0"
                    os.write(process.stdin.fileno(), f"{number / 10},{gravity}\n".encode())
            self.assertEqual(exit_status(process), 0)

    def test_a_recording_survives_a_kill(self):
        bench = self.bench(sensor={})
        path = os.path.join(bench.directory, "trace.csv")
        recorder = bench.start("recorder", [program(), "record", path, "--rate", "50"])
        wait_until(lambda: os.path.exists(path) and len(self.lines(path)) > 20, "20 samples")
        before = len(self.lines(path))
        recorder.send_signal(signal.SIGKILL)
        exit_status(recorder)
        self.assertGreaterEqual(len(self.lines(path)), before)
        replayed = bench.run(program(), "replay", path)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)

    def test_a_disconnected_sensor_is_noted_and_recorded_again_when_back(self):
        bench = self.bench(sensor={})
        path = os.path.join(bench.directory, "trace.csv")
        recorder = bench.start("recorder", [program(), "record", path])
        wait_until(lambda: os.path.exists(path) and len(self.lines(path)) > 12, "12 samples")
        bench.sensor.do(["remove"])
        wait_until(lambda: any("sensor lost" in line for line in self.lines(path)), "the loss is recorded")
        lost = len(self.lines(path))
        bench.sensor.do(["add"])
        bench.accelerate(*ACCELERATIONS["left"])
        wait_until(lambda: len(self.lines(path)) > lost + 60, "samples enough for a decision")
        recorder.send_signal(signal.SIGINT)
        self.assertEqual(exit_status(recorder), 0)
        self.assertIn("left-up", bench.run(program(), "replay", path).stdout)

    def test_a_full_disk_is_reported_and_the_recording_is_kept(self):
        bench = self.bench(sensor={})
        path = os.path.join(bench.directory, "trace.csv")
        limit = f"ulimit -f 1; exec {program()} record {path} --rate 100 2>&1 | cat"
        _, output = self.record(bench, "bash", "-c", limit)
        self.assertIn("File too large", output)
        replayed = bench.run(program(), "replay", path)
        self.assertEqual((replayed.returncode, replayed.stderr), (0, ""))
        self.assertIn("normal", replayed.stdout)

    def test_without_a_sensor_no_file_is_left(self):
        bench = self.bench(sensor={"absent": True})
        path = os.path.join(bench.directory, "trace.csv")
        status, output = self.record(bench, program(), "record", path)
        self.assertEqual(status, 4)
        self.assertIn("no accelerometer", output)
        self.assertFalse(os.path.exists(path))
