# SPDX-License-Identifier: MIT
"""The real iio-sensor-proxy on a private system bus, and what happens to it and to the machine."""

import os
import subprocess

from benchkit import accelerometer, c_programs, logind, mockbus
from benchkit.child_processes import wait_until
from benchkit.daemon import HOLDS, Daemon
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

    def assertSaidOnce(self, daemon, words):
        self.assertEqual(daemon.said().count(words), 1, daemon.said())


class Proxy(ProxyTest):
    def setUp(self):
        self.session = self.bench(sensor={}, proxy=True)
        self.watched = self.daemon(self.session, "--sensor", "proxy", "--wait")

    def test_the_picture_turns_with_the_device(self):
        for orientation in ORIENTATIONS:
            self.watched.hold(orientation)
            self.assertEqual(self.session.output("eDP-1")["rotation"], orientation)
        self.assertEqual(self.watched.status()["sensor"]["name"], "iio-sensor-proxy")

    def test_a_proxy_that_is_killed_and_started_again(self):
        self.watched.hold("left")
        self.proxy_of(self.session).kill()
        self.until_sensor(self.watched, "lost")
        self.session.accelerate(*HOLDS["inverted"])
        self.restart_proxy(self.session)
        self.assertRightAgain(self.watched, "inverted")
        self.assertSaidOnce(self.watched, "iio-sensor-proxy is not running")

    def test_a_proxy_that_is_replaced_at_once(self):
        self.watched.hold("left")
        self.restart_proxy(self.session)
        self.session.accelerate(*HOLDS["right"])
        self.assertRightAgain(self.watched, "right")

    def test_a_device_that_is_removed_and_added(self):
        self.watched.hold("left")
        self.session.sensor.do(["remove"])
        proxy = self.proxy_of(self.session)
        self.until_sensor(self.watched, "lost")
        self.session.accelerate(*HOLDS["inverted"])
        self.session.sensor.do(["add"])

        def is_right():  # systemd starts it again where it ends with its last sensor
            if proxy.poll() is not None and proxy is self.proxy_of(self.session):
                self.restart_proxy(self.session)
            return self.watched.status()["orientation"] == "inverted"

        wait_until(is_right, "the screen is inverted")
        self.assertRightAgain(self.watched, "inverted")

    def test_a_device_that_goes_and_comes_while_the_proxy_stays(self):
        bench = self.bench(sensor={"light": True}, proxy=True)
        daemon = self.daemon(bench, "--sensor", "proxy", "--wait")
        daemon.hold("left")
        for orientation in ("inverted", "normal"):
            bench.sensor.do(["remove"])
            self.until_sensor(daemon, "lost")
            bench.accelerate(*HOLDS[orientation])
            bench.sensor.do(["add"])
            self.assertRightAgain(daemon, orientation)
        self.assertIsNone(self.proxy_of(bench).poll())
        self.assertIn("has no accelerometer", daemon.said())

    def test_the_claim_goes_while_nothing_may_turn(self):
        self.watched.hold("left")
        self.watched.ask("--lock")
        self.until_sensor(self.watched, "asleep")
        self.session.accelerate(*HOLDS["right"])
        self.watched.ask("--unlock")
        self.assertRightAgain(self.watched, "right")

    def test_libiio_is_not_loaded_where_nobody_reads_the_accelerometer(self):
        self.watched.hold("left")
        with open(f"/proc/{self.watched.process.pid}/maps", encoding="utf-8") as file:
            self.assertNotIn("libiio", file.read())

    def test_nothing_wakes_up_while_the_device_is_still(self):
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
        bench.accelerate(*HOLDS["inverted"])
        prepare_for_sleep(False)
        self.assertRightAgain(daemon, "inverted")
        daemon.hold("normal")
        self.assertNotIn("cannot", daemon.said())

    def test_the_picture_is_right_after_sleep(self):
        for source, options in (("iio", {}), ("proxy", {"proxy": True}), ("auto", {"proxy": True})):
            with self.subTest(source=source):
                for _ in self.sleep_and_wake(source, **options):
                    pass

    def test_a_proxy_that_was_replaced_in_sleep(self):
        for bench, _daemon in self.sleep_and_wake("proxy", proxy=True):
            self.restart_proxy(bench)


class Hostile(ProxyTest):
    """A service of that name that is not what it should be."""

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
        """The complaint comes once, and a good proxy in its place is used."""
        bench = self.bench(sensor={})
        service = self.hostile(bench, properties, claim)
        before(service)
        daemon = self.daemon(bench, "--sensor", "proxy", "--wait")
        daemon.until_said(words)
        self.assertSaidOnce(daemon, words)
        self.assertIn("systemctl restart iio-sensor-proxy", daemon.said())
        service.stop()
        bench.accelerate(*HOLDS["left"])
        accelerometer.start_proxy(bench.children, bench.device_env)
        self.assertRightAgain(daemon, "left")

    def test_garbage_and_missing_properties(self):
        for properties in (
                {"HasAccelerometer": "yes", "AccelerometerOrientation": 3.5},
                {"HasAccelerometer": True, "AccelerometerOrientation": ["normal"], "AccelerometerTilt": 1},
                {"HasAccelerometer": True}, {"AccelerometerOrientation": "normal"}):
            with self.subTest(properties=properties):
                self.assertNamedAndReplaced("sent an invalid answer", properties)

    def test_no_method_to_claim(self):
        good = {"HasAccelerometer": True, "AccelerometerOrientation": "undefined"}
        self.assertNamedAndReplaced("sent an invalid answer", good, claim=None)

    def test_one_that_never_answers(self):
        good = {"HasAccelerometer": True, "AccelerometerOrientation": "undefined"}

        def freeze(service):
            service.process.send_signal(subprocess.signal.SIGSTOP)
            self.addCleanup(service.process.send_signal, subprocess.signal.SIGCONT)

        self.assertNamedAndReplaced("does not answer", good, before=freeze)


class Auto(ProxyTest):
    def busy_bench(self, **options):
        """A bench whose accelerometer, seen by what is started later, can be made busy."""
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

    def test_a_busy_accelerometer_gives_way_to_the_proxy_and_is_used_again(self):
        bench = self.busy_bench(proxy=True)
        daemon = self.daemon(bench)
        self.until_named(daemon, "accel_3d")
        daemon.hold("left")
        self.set_busy(True)
        self.until_named(daemon, "iio-sensor-proxy")
        for orientation in ORIENTATIONS:
            daemon.hold(orientation)
            self.assertEqual(bench.output("eDP-1")["rotation"], orientation)
        self.assertSaidOnce(daemon, "Now using iio-sensor-proxy for the device orientation")
        self.set_busy(False)
        bench.children.stop(self.proxy_of(bench))
        self.until_named(daemon, "accel_3d")
        daemon.hold("left")
        self.assertSaidOnce(daemon, "can be read again")
        self.assertNotIn("is not running", daemon.said())

    def test_udev_news_of_sensors_are_a_reason_to_ask_again(self):
        bench = self.busy_bench(proxy=True)
        self.set_busy(True)
        daemon = self.daemon(bench)
        daemon.hold("left")
        self.set_busy(False)
        bench.sensor.do(["remove"])
        bench.sensor.do(["add"])
        bench.accelerate(*HOLDS["inverted"])
        self.until_named(daemon, "accel_3d")
        daemon.until_shown("inverted")

    def test_without_libiio_the_proxy_is_heard(self):
        bench = self.bench(sensor={}, proxy=True)
        library = bench.write("broken/libiio.so.0", "")
        bench.sensor.environment["LD_LIBRARY_PATH"] = os.path.dirname(library)
        daemon = self.daemon(bench, "--wait")
        self.until_named(daemon, "iio-sensor-proxy")
        daemon.hold("left")
        self.assertEqual(bench.output("eDP-1")["rotation"], "left")

    def test_without_libiio_and_the_proxy_it_is_said_what_to_install(self):
        bench = self.bench(sensor={})
        library = bench.write("broken/libiio.so.0", "")
        bench.sensor.environment["LD_LIBRARY_PATH"] = os.path.dirname(library)
        daemon = self.daemon(bench, "--sensor", "iio", "--wait")
        daemon.until_said("the package libiio0")
        self.assertSaidOnce(daemon, "the library for sensors cannot be loaded")

    def test_neither(self):
        bench = self.busy_bench()
        self.set_busy(True)
        daemon = self.daemon(bench, "--wait")
        daemon.until_said("another program is using it")
        self.assertSaidOnce(daemon, "accel_3d")
        self.set_busy(False)
        bench.accelerate(*HOLDS["left"])
        daemon.until_shown("left")


class Sessions(ProxyTest):
    def test_a_session_behind_another_is_left_alone_and_right_when_it_is_back(self):
        bench = self.bench(sensor={})
        bring_to_front = logind.start(bench)
        daemon = self.daemon(bench, "--sensor", "iio", "--wait")
        daemon.hold("left")
        bring_to_front(False)
        self.until_sensor(daemon, "asleep")
        self.assertIn("Another session or a text console is active, so nothing rotates.",
                      daemon.status()["reasons"])
        said = daemon.said()
        with daemon.rotating_only("inverted"):
            bench.accelerate(*HOLDS["right"])
            daemon.until_idle(2)  # longer than a rotation takes
            self.assertEqual(bench.output("eDP-1")["rotation"], "left")
            self.assertEqual(daemon.said(), said)
            bench.accelerate(*HOLDS["inverted"])
            bring_to_front(True)
            self.assertRightAgain(daemon, "inverted")

    def test_a_login_screen_that_nobody_can_end_ends_when_another_session_is_in_front(self):
        """As beside SDDM, whose script has ended."""
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
