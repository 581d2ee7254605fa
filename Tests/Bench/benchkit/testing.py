# SPDX-License-Identifier: MIT
"""The base of end-to-end tests: a bench for each test, and the program under test."""

import os
import shutil
import tempfile
import unittest

from . import accelerometer
from .c_programs import PROJECT
from .requirements import Missing
from .session import Options, Session
from .shared_session import SharedSession

TOUCHSCREEN, PEN = "Bench Touchscreen", "Bench Pen"


class Runner:
    """Where the benches of this process live: the directory of its worker."""

    directory = None


def program():
    """The autorotate to test: $AUTOROTATE, else the newest that was built. Raises Missing."""
    if os.environ.get("AUTOROTATE"):
        return os.path.abspath(os.environ["AUTOROTATE"])
    built = [os.path.join(PROJECT, ".build", kind, "autorotate") for kind in ("debug", "release")]
    built = [path for path in built if os.access(path, os.X_OK)]
    if not built:
        raise Missing("autorotate is not built (run: swift build)")
    return max(built, key=os.path.getmtime)


def is_sharable(options):
    """Whether SharedSession can reset such a bench."""
    sensor = options.sensor
    plain = sensor is None or not (sensor.buffer or sensor.gyro or sensor.switches or sensor.base or sensor.absent)
    return options.server == "xorg" and not (options.proxy or options.second_panel) and plain


class BenchTest(unittest.TestCase):
    """A test that starts benches. It is skipped where this machine lacks a requirement."""

    shares_bench = False
    """Whether the class reuses a bench for the next test that asks for the same one. Set it where the tests
    neither end nor break a part of the bench."""
    _shared = None

    @classmethod
    def tearDownClass(cls):
        cls._end_shared_bench()

    @classmethod
    def _end_shared_bench(cls):
        if cls._shared:
            cls._shared.stop()
            shutil.rmtree(cls._shared.directory, ignore_errors=True)
            cls._shared = None

    def run(self, result=None):
        for name in ("setUp", self._testMethodName):
            setattr(self, name, self._skipping(getattr(self, name)))
        return super().run(result)

    def _skipping(self, method):
        def attempt():
            try:
                method()
            except Missing as piece:
                self.skipTest(str(piece))

        return attempt

    def bench(self, sensor=None, **options):
        """Starts a bench that ends with the test. `sensor` is a dict of accelerometer options."""
        if sensor is not None:
            options["sensor"] = accelerometer.Options(**sensor)
        options = Options(**options)
        if self.shares_bench and is_sharable(options):
            return self._shared_bench(options)
        session = Session(self.directory(), options)
        session.__enter__()
        self.addCleanup(session.stop)
        return session

    def _shared_bench(self, options):
        """The bench of the test before, reset, or a new one."""
        cls = type(self)
        if not (cls._shared and cls._shared.options == options and cls._shared.reset()):
            cls._end_shared_bench()
            directory = tempfile.mkdtemp(prefix="", dir=Runner.directory)
            cls._shared = SharedSession(directory, options).__enter__()
        return cls._shared

    def directory(self):
        """A directory that is removed with the test. Its name is short, since sockets live in it."""
        path = tempfile.mkdtemp(prefix="", dir=Runner.directory)
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path

    def assertTouchAndPenHit(self, bench, x, y):
        """A window at a screen position is hit where it is seen on the panel's glass."""
        with bench.marker(x, y) as marker:
            place = marker.on_panel()
            bench.tap(*place)
            self.assertHit(marker, "touch", TOUCHSCREEN)
            bench.pen(*place)
            self.assertHit(marker, "motion", PEN)

    def assertHit(self, marker, kind, device):
        """Something of this kind, from this device, hit the marker since the last call."""
        hits = marker.hits()
        self.assertTrue(any(hit[0] == kind and hit[3] == device for hit in hits),
                        f"no {kind} of {device} hit the marker, but {hits or 'nothing'}")
