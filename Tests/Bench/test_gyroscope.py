# SPDX-License-Identifier: MIT
"""The gyroscope next to the accelerometer: where it is, when it sleeps, and how it fails."""

import os

from benchkit.accelerometer import PARENT
from benchkit.child_processes import exit_status, let_pass, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.sensor_reads import Reads
from benchkit.testing import BenchTest, program


class GyroscopeTest(BenchTest):
    def place(self, bench, device):
        return os.path.join(bench.sensor.environment["UMOCKDEV_DIR"], "sys" + PARENT, f"iio:device{device}")

    def watch(self, bench, device=5, name="in_anglvel_z_raw"):
        reads = Reads(os.path.join(self.place(bench, device), name))
        self.addCleanup(reads.close)
        return reads

    def daemon(self, bench, gyroscope="auto", log="daemon"):
        directory = os.path.join(bench.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "config.toml"), "w", encoding="utf-8") as file:
            file.write(f'[sensor]\ngyroscope = "{gyroscope}"\n')
        daemon = Daemon(bench, "--sensor", "iio", log=log)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        daemon.until_shown("normal")
        return daemon


class Asleep(GyroscopeTest):
    def test_it_sleeps_at_rest_and_while_rotation_is_impossible(self):
        bench = self.bench(sensor={"gyro": "own"})
        reads = self.watch(bench)
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.assertTrue(reads.count() > 0)
        self.until_asleep(reads)
        daemon.ask("--lock")
        daemon.until(lambda status: status and status["lock"], "the lock")
        bench.accelerate(*ACCELERATIONS["normal"])
        self.until_asleep(reads)
        daemon.ask("--unlock")
        daemon.until_shown("normal")
        self.assertTrue(reads.count() > 0)

    def until_asleep(self, reads):
        """Waits until a second passes in which nothing reads it."""
        def is_asleep():
            reads.count()
            let_pass(1)
            return reads.count() == 0

        wait_until(is_asleep, "a second without a read")

    def test_it_is_left_alone_if_the_settings_say_so(self):
        bench = self.bench(sensor={"gyro": "own"})
        reads = self.watch(bench)
        daemon = self.daemon(bench, "off")
        daemon.hold("left")
        daemon.hold("normal")
        self.assertEqual(reads.count(), 0)


class Recorded(GyroscopeTest):
    def record(self, bench):
        """The columns and the rows of a trace, and everything that was printed."""
        path = os.path.join(bench.directory, "trace.csv")
        status = exit_status(bench.start("record", [program(), "record", path, "--seconds", "0.6", "--force"]))
        with open(os.path.join(bench.directory, "record.out"), encoding="utf-8") as file:
            printed = file.read()
        self.assertEqual(status, 0, printed)
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if not line.startswith("#")]
        return lines[0], [line.split(",") for line in lines[1:]], printed

    def assertRates(self, bench, *rates):
        columns, rows, printed = self.record(bench)
        self.assertEqual(columns, "seconds,x,y,z,gx,gy,gz")
        self.assertEqual({len(row) for row in rows}, {7})
        for recorded, rate in zip(rows[-1][4:], rates):
            self.assertAlmostEqual(float(recorded), rate, places=3)
        self.assertNotIn("gyroscope", printed)

    def test_it_is_found_wherever_it_is(self):
        for sensor in ({"gyro": "same"}, {"gyro": "own"}, {"gyro": "same", "buffer": "le:s16/16>>0"},
                       {"gyro": "own", "buffer": "le:s16/32>>0"}, {"gyro": "same", "buffer": "be:s16/16>>0"}):
            with self.subTest(**sensor):
                bench = self.bench(sensor=sensor)
                bench.sensor.do(["gyro", 0.1, -0.2, 0.3])
                self.assertRates(bench, 0.1, -0.2, 0.3)

    def test_its_matrix_is_its_own_or_the_accelerometers(self):
        quarter, mirror = "0, -1, 0; 1, 0, 0; 0, 0, 1", "-1, 0, 0; 0, 1, 0; 0, 0, 1"
        for sensor, rates in (({"mount": quarter}, (0.2, 0.1, 0.3)), ({"gyro_mount": quarter}, (0.2, 0.1, 0.3)),
                              ({"mount": mirror}, (0.1, 0.2, -0.3)),
                              ({"accel_mount": quarter, "gyro_mount": mirror}, (0.1, 0.2, -0.3))):
            for buffer in (None, "le:s16/16>>0"):
                with self.subTest(buffer=buffer, **sensor):
                    bench = self.bench(sensor={"gyro": "same", "buffer": buffer, **sensor})
                    bench.sensor.do(["gyro", 0.1, -0.2, 0.3])
                    self.assertRates(bench, *rates)

    def test_without_a_gyroscope_there_are_four_columns(self):
        columns, rows, _ = self.record(self.bench(sensor={}))
        self.assertEqual((columns, {len(row) for row in rows}), ("seconds,x,y,z", {4}))

    def test_missing_values_leave_empty_fields(self):
        bench = self.bench(sensor={"gyro": "own"})
        bench.sensor.do(["gyro", "garbage"])
        columns, rows, printed = self.record(bench)
        self.assertEqual(columns, "seconds,x,y,z,gx,gy,gz")
        self.assertEqual({tuple(row[4:]) for row in rows}, {("", "", "")})
        self.assertEqual(printed.count("so it is not used"), 1, printed)


class Failing(GyroscopeTest):
    WORDS = "so it is not used"

    def test_failures_are_reported_once_and_the_screen_rotates(self):
        for fault in ("fail", "garbage"):
            for kind in ("own", "same"):
                with self.subTest(fault=fault, gyroscope=kind):
                    bench = self.bench(sensor={"gyro": kind})
                    daemon = self.daemon(bench)
                    self.watch(bench, 0, "in_accel_z_raw").await_rest()
                    bench.sensor.do(["gyro", fault])
                    for orientation in ("left", "inverted", "right", "normal"):
                        daemon.hold(orientation)
                    self.assertEqual(daemon.printed().count(self.WORDS), 1, daemon.printed())
                    self.assertEqual(daemon.end(), 0)

    def test_one_that_never_answers_is_ignored_until_a_sensor_appears(self):
        bench = self.bench(sensor={"gyro": "own"})
        daemon = self.daemon(bench)
        self.watch(bench, 0, "in_accel_z_raw").await_rest()
        bench.sensor.do(["gyro", "hang"])
        daemon.hold("left")  # 20 s of silence have to pass
        self.assertEqual(daemon.printed().count("is too slow to read"), 1, daemon.printed())
        daemon.hold("normal")
        self.assertEqual(daemon.printed().count(self.WORDS), 1, daemon.printed())
        bench.sensor.do(["gyro", "remove"])
        bench.sensor.do(["gyro", "add"])
        reads = self.watch(bench)
        daemon.hold("left")
        self.assertTrue(reads.count() > 0)

    def test_a_gyroscope_removed_alone_is_used_again_when_back(self):
        bench = self.bench(sensor={"gyro": "own"})
        daemon = self.daemon(bench)
        bench.sensor.do(["gyro", "remove"])
        daemon.hold("left")
        daemon.hold("normal")
        bench.sensor.do(["gyro", "add"])
        reads = self.watch(bench)
        daemon.hold("left")
        self.assertTrue(reads.count() > 0)
        self.assertNotIn(self.WORDS, daemon.printed())
