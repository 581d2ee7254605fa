# SPDX-License-Identifier: MIT
"""The real iio-sensor-proxy on a private system bus, and its failures."""

import os
import subprocess

from benchkit import accelerometer, c_programs, logind, mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program

ORIENTATIONS = ("left", "inverted", "right", "normal")
SLEEP_INTERFACE, SLEEP_PATH = logind.INTERFACE, logind.PATH
PROXY_PATH = "/net/hadess/SensorProxy"


class ProxyTest(BenchTest):
    def daemon(self, bench, *arguments):
        daemon = Daemon(bench, *arguments)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon

    def proxy_of(self, bench):
        return next(each for each in bench.children.running if each.name == "proxy")

    def restart_proxy(self, bench):
        bench.children.stop(self.proxy_of(bench))
        accelerometer.start_proxy_alone(bench.children, bench.device_env)

    def until_sensor(self, daemon, state):
        return daemon.until(lambda now: now and now["sensor"]["state"] == state, state)

    def assertRightAgain(self, daemon, orientation):
        daemon.until_shown(orientation)
        self.assertEqual(daemon.session.output("eDP-1")["rotation"], orientation)

    def assertReportedOnce(self, daemon, words):
        self.assertEqual(daemon.printed().count(words), 1, daemon.printed())


class Proxy(ProxyTest):
    def setUp(self):
        self.session = self.bench(sensor={}, proxy=True)
        self.watched = self.daemon(self.session, "--sensor", "proxy", "--wait")

    def test_the_screen_rotates_with_the_device(self):
        for orientation in ORIENTATIONS:
            self.watched.hold(orientation)
            self.assertEqual(self.session.output("eDP-1")["rotation"], orientation)
        self.assertEqual(self.watched.status()["sensor"]["name"], "iio-sensor-proxy")

    def test_a_restarted_proxy_is_used_again(self):
        self.watched.hold("left")
        self.proxy_of(self.session).kill()
        self.until_sensor(self.watched, "lost")
        self.session.accelerate(*ACCELERATIONS["inverted"])
        self.restart_proxy(self.session)
        self.assertRightAgain(self.watched, "inverted")
        self.assertReportedOnce(self.watched, "iio-sensor-proxy is not running")

    def test_a_replaced_proxy_is_used_at_once(self):
        self.watched.hold("left")
        self.restart_proxy(self.session)
        self.session.accelerate(*ACCELERATIONS["right"])
        self.assertRightAgain(self.watched, "right")

    def test_a_sensor_that_is_removed_and_added_is_used(self):
        self.watched.hold("left")
        self.session.sensor.do(["remove"])
        proxy = self.proxy_of(self.session)
        self.until_sensor(self.watched, "lost")
        self.session.accelerate(*ACCELERATIONS["inverted"])
        self.session.sensor.do(["add"])

        def is_right():  # systemd restarts it if it ends with its last sensor
            if proxy.poll() is not None and proxy is self.proxy_of(self.session):
                self.restart_proxy(self.session)
            return self.watched.status()["orientation"] == "inverted"

        wait_until(is_right, "the screen is inverted")
        self.assertRightAgain(self.watched, "inverted")

    def test_a_sensor_is_reconnected_while_the_proxy_runs(self):
        bench = self.bench(sensor={"light": True}, proxy=True)
        daemon = self.daemon(bench, "--sensor", "proxy", "--wait")
        daemon.hold("left")
        for orientation in ("inverted", "normal"):
            bench.sensor.do(["remove"])
            self.until_sensor(daemon, "lost")
            bench.accelerate(*ACCELERATIONS[orientation])
            bench.sensor.do(["add"])
            self.assertRightAgain(daemon, orientation)
        self.assertIsNone(self.proxy_of(bench).poll())
        self.assertIn("has no accelerometer", daemon.printed())

    def test_the_sensor_is_released_while_rotation_is_impossible(self):
        self.watched.hold("left")
        self.watched.ask("--lock")
        self.until_sensor(self.watched, "asleep")
        self.session.accelerate(*ACCELERATIONS["right"])
        self.watched.ask("--unlock")
        self.assertRightAgain(self.watched, "right")

    def test_libiio_is_not_loaded_without_direct_sensor_access(self):
        self.watched.hold("left")
        with open(f"/proc/{self.watched.process.pid}/maps", encoding="utf-8") as file:
            self.assertNotIn("libiio", file.read())

    def test_a_device_at_rest_causes_no_wake_ups(self):
        self.watched.hold("left")
        self.watched.until_idle(5)


class Sleep(ProxyTest):
    def logind(self, bench):
        service = mockbus.Service(
            bench.children, bench.env, "org.freedesktop.login1", SLEEP_PATH, SLEEP_INTERFACE)
        manager = service.mock(SLEEP_PATH)
        return lambda sleeps: manager.EmitSignal(
            SLEEP_INTERFACE, "PrepareForSleep", "b", [sleeps])

    def sleep_and_wake(self, source, **options):
        bench = self.bench(sensor={}, **options)
        prepare_for_sleep = self.logind(bench)
        daemon = self.daemon(bench, "--sensor", source, "--wait")
        daemon.hold("left")
        prepare_for_sleep(True)
        self.until_sensor(daemon, "asleep")
        yield bench, daemon
        bench.accelerate(*ACCELERATIONS["inverted"])
        prepare_for_sleep(False)
        self.assertRightAgain(daemon, "inverted")
        daemon.hold("normal")
        self.assertNotIn("cannot", daemon.printed())

    def test_the_screen_is_correct_after_suspend(self):
        for source, options in (("iio", {}), ("proxy", {"proxy": True}), ("auto", {"proxy": True})):
            with self.subTest(source=source):
                for _ in self.sleep_and_wake(source, **options):
                    pass

    def test_a_proxy_replaced_during_suspend_is_used(self):
        for bench, _daemon in self.sleep_and_wake("proxy", proxy=True):
            self.restart_proxy(bench)


class Hostile(ProxyTest):
    """A service of that name that does not behave as the proxy."""

    def hostile(self, bench, properties, claim):
        service = mockbus.Service(
            bench.children, bench.env, accelerometer.PROXY, PROXY_PATH, accelerometer.PROXY)
        mock = service.mock(PROXY_PATH)
        if properties:
            mock.AddProperties(accelerometer.PROXY, properties)
        if claim is not None:
            mock.AddMethod(accelerometer.PROXY, "ClaimAccelerometer", "", "", claim)
            mock.AddMethod(accelerometer.PROXY, "ReleaseAccelerometer", "", "", "")
        return service

    def assertNamedAndReplaced(self, words, properties, claim="", before=lambda service: None):
        """The complaint appears once, and a working proxy in its place is used."""
        bench = self.bench(sensor={})
        service = self.hostile(bench, properties, claim)
        before(service)
        daemon = self.daemon(bench, "--sensor", "proxy", "--wait")
        daemon.until_printed(words)
        self.assertReportedOnce(daemon, words)
        self.assertIn("systemctl restart iio-sensor-proxy", daemon.printed())
        service.stop()
        bench.accelerate(*ACCELERATIONS["left"])
        accelerometer.start_proxy(bench.children, bench.device_env)
        self.assertRightAgain(daemon, "left")

    def test_invalid_and_missing_properties_are_reported(self):
        for properties in (
                {"HasAccelerometer": "yes", "AccelerometerOrientation": 3.5},
                {"HasAccelerometer": True, "AccelerometerOrientation": ["normal"], "AccelerometerTilt": 1},
                {"HasAccelerometer": True}, {"AccelerometerOrientation": "normal"}):
            with self.subTest(properties=properties):
                self.assertNamedAndReplaced("sent an invalid answer", properties)

    def test_a_missing_claim_method_is_reported(self):
        good = {"HasAccelerometer": True, "AccelerometerOrientation": "undefined"}
        self.assertNamedAndReplaced("sent an invalid answer", good, claim=None)

    def test_a_proxy_that_never_answers_is_reported(self):
        good = {"HasAccelerometer": True, "AccelerometerOrientation": "undefined"}

        def freeze(service):
            service.process.send_signal(subprocess.signal.SIGSTOP)
            self.addCleanup(service.process.send_signal, subprocess.signal.SIGCONT)

        self.assertNamedAndReplaced("does not answer", good, before=freeze)


class Auto(ProxyTest):
    def busy_bench(self, **options):
        """A bench whose accelerometer can be made busy for programs started later."""
        bench = self.bench(sensor={}, **options)
        self.flag = os.path.join(bench.directory, "busy")
        library = c_programs.busy_reads(bench.directory)
        bench.sensor.environment.update(
            AUTOROTATE_BENCH_BUSY=self.flag, LD_PRELOAD=f"{library}:{accelerometer.PRELOAD}")
        return bench

    def set_busy(self, is_busy):
        if is_busy:
            with open(self.flag, "w", encoding="utf-8"):
                pass
        else:
            os.unlink(self.flag)

    def until_named(self, daemon, name):
        daemon.until(lambda now: now and (now["sensor"].get("name") or "").startswith(name), name)

    def test_a_busy_accelerometer_is_replaced_by_the_proxy_meanwhile(self):
        bench = self.busy_bench(proxy=True)
        daemon = self.daemon(bench)
        self.until_named(daemon, "accel_3d")
        daemon.hold("left")
        self.set_busy(True)
        self.until_named(daemon, "iio-sensor-proxy")
        for orientation in ORIENTATIONS:
            daemon.hold(orientation)
            self.assertEqual(bench.output("eDP-1")["rotation"], orientation)
        self.assertReportedOnce(daemon, "Now using iio-sensor-proxy for the device orientation")
        self.set_busy(False)
        bench.children.stop(self.proxy_of(bench))
        self.until_named(daemon, "accel_3d")
        daemon.hold("left")
        self.assertReportedOnce(daemon, "can be read again")
        self.assertNotIn("is not running", daemon.printed())

    def test_udev_events_of_sensors_cause_a_new_attempt(self):
        bench = self.busy_bench(proxy=True)
        self.set_busy(True)
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.set_busy(False)
        bench.sensor.do(["remove"])
        bench.sensor.do(["add"])
        bench.accelerate(*ACCELERATIONS["inverted"])
        self.until_named(daemon, "accel_3d")
        daemon.until_shown("inverted")

    def test_without_libiio_the_proxy_is_used(self):
        bench = self.bench(sensor={}, proxy=True)
        library = bench.write("broken/libiio.so.0", "")
        bench.sensor.environment["LD_LIBRARY_PATH"] = os.path.dirname(library)
        daemon = self.daemon(bench, "--wait")
        self.until_named(daemon, "iio-sensor-proxy")
        daemon.hold("left")
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")

    def test_without_libiio_and_proxy_the_packages_are_named(self):
        bench = self.bench(sensor={})
        library = bench.write("broken/libiio.so.0", "")
        bench.sensor.environment["LD_LIBRARY_PATH"] = os.path.dirname(library)
        daemon = self.daemon(bench, "--sensor", "iio", "--wait")
        daemon.until_printed("the package libiio0")
        self.assertReportedOnce(daemon, "the library for sensors cannot be loaded")

    def test_without_any_sensor_it_is_reported(self):
        bench = self.busy_bench()
        self.set_busy(True)
        daemon = self.daemon(bench, "--wait")
        daemon.until_printed("another program is using it")
        self.assertReportedOnce(daemon, "accel_3d")
        self.set_busy(False)
        bench.accelerate(*ACCELERATIONS["left"])
        daemon.until_shown("left")


class Sessions(ProxyTest):
    def test_a_session_in_the_background_rotates_when_back_in_front(self):
        bench = self.bench(sensor={})
        bring_to_front = logind.start(bench)
        daemon = self.daemon(bench, "--sensor", "iio", "--wait")
        daemon.hold("left")
        bring_to_front(False)
        self.until_sensor(daemon, "asleep")
        self.assertIn("Another session or a text console is active, so nothing rotates.",
                      daemon.status()["reasons"])
        printed = daemon.printed()
        with daemon.rotating_only("inverted"):
            bench.accelerate(*ACCELERATIONS["right"])
            daemon.until_idle(2)  # longer than a rotation takes
            self.assertEqual(bench.output("eDP-1")["rotation"], "left")
            self.assertEqual(daemon.printed(), printed)
            bench.accelerate(*ACCELERATIONS["inverted"])
            bring_to_front(True)
            self.assertRightAgain(daemon, "inverted")

    def test_a_login_screen_daemon_ends_when_another_session_is_active(self):
        """As with SDDM, whose script has ended."""
        bench = self.bench(sensor={})
        bring_to_front = logind.start(bench)
        bench.start("script", ["sh", "-c", f"{program()} --greeter & wait"])
        wait_until(lambda: bench.run(program(), "--status").returncode == 0, "it answers")
        bring_to_front(False)
        bring_to_front(True)
        self.assertEqual(bench.run(program(), "--status").returncode, 0, "its script could have ended it")
        script = next(each for each in bench.children.running if each.name == "script")
        bench.children.stop(script)
        bring_to_front(False)
        wait_until(lambda: bench.run(program(), "--status").returncode == 3, "its end")
