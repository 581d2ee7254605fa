# SPDX-License-Identifier: MIT
"""The programs that are compared, each with a desktop, a sensor and buses of its own."""

import dataclasses
import glob
import os
import random
import shutil
import time

from . import accelerometer, c_programs, mockbus
from .c_programs import PROJECT
from .child_processes import Failed, let_pass, wait_until
from .daemon import ACCELERATIONS
from .rotation_events import RotationLog, await_next, events
from .session import Options, Session
from .testing import TOUCHSCREEN, program

NOISE = 0.03  # m/s², as sensors have
CYCLE = ("left", "inverted", "right", "normal")


@dataclasses.dataclass(frozen=True)
class Peer:
    """A program, how it is started, and where its device orientation comes from."""

    name: str
    server: str
    command: callable = dataclasses.field(repr=False)  # session → its command line
    proxy: bool = False
    hub: bool = False
    rotates_screen: bool = True  # whether it rotates the screen, or only receives the device orientation


def autorotate(server, source, before=None, **more):
    """As a session starts it; the rest is in its settings. `before` is the path of an older one."""
    def command(session):
        session.write("config/autorotate/config.toml",
                      f'[display]\noutput = "{session.panel}"\n[sensor]\nsource = "{source}"\n')
        return [before or program(), "--wait", "--unless-running"]

    kind = " (hub)" if more.get("hub") else " (proxy)" if source == "proxy" else ""
    return Peer("autorotate" + (" before" if before else "") + kind, server, command, proxy=source == "proxy", **more)


def rot8(server, path):
    def command(session):
        touch = [] if session.compositor else ["--touchscreen", TOUCHSCREEN]
        return [path, "--display", session.panel, *touch]

    return Peer("rot8", server, command)


def iio_sway(path):
    return Peer("iio-sway", "sway", lambda session: [path, session.panel], proxy=True)


def screen_rotator(path):
    return Peer("ScreenRotator", "xorg", lambda session: [path], proxy=True)


def proxy_orientation(server):
    return Peer("the proxy's signal", server, lambda session: [mockbus.PYTHON, "-m", "benchkit.proxy_signals"],
                proxy=True, rotates_screen=False)


class PeerBench:
    """A program's own bench. Use it in a `with`."""

    def __init__(self, directory, peer):
        os.makedirs(directory)
        self.peer = peer
        sensor = accelerometer.Options(noise=0 if peer.hub else NOISE, bare=True)
        if peer.hub:
            sensor.buffer, sensor.hysteresis = "le:s16/32>>0", 0.05
        self.session = Session(directory, Options(server=peer.server, sensor=sensor, proxy=peer.proxy))
        self.process = None
        self.rotations = None
        self.count = self.rotated = 0
        self.rested = 0.0

    def __enter__(self):
        self.session.__enter__()
        self.session.accelerate(*ACCELERATIONS["normal"])
        self._put_rules()
        self.rotations = RotationLog(self.session)
        return self

    def __exit__(self, *_error):
        self.session.stop()

    def _put_rules(self):
        """The shipped rules: the memory that they take is part of the comparison."""
        place = os.path.join(self.session.directory, "etc/autorotate/apps")
        os.makedirs(place)
        for rule in glob.glob(os.path.join(PROJECT, "Config/apps/*.toml")):
            shutil.copy(rule, place)

    # The program

    def start(self, **more):
        """Starts it. Returns the time of the start."""
        self.count += 1
        env = {**self.session.device_env, "PYTHONPATH": c_programs.BENCH, **more}
        began = time.monotonic()
        self.process = self.session.children.start(f"peer{self.count}", self.peer.command(self.session), env)
        return began

    def check(self):
        if self.process.poll() is not None:
            printed = self.session.children.last_words(self.process.name)
            raise Failed(f"{self.peer.name} on {self.peer.server} ended: {printed}")

    def end(self):
        self.session.children.stop(self.process)

    def counted(self):
        """The processes whose work is its own, and those of the sensor service that works for it alone."""
        return [self.process.pid], [child.pid for child in self.session.children.running if child.name == "proxy"]

    # The device and the screen

    def await_shown(self, orientation, after):
        """When it was shown; None if it was not."""
        if self.peer.rotates_screen:
            return self.rotations.await_next(orientation, after)
        return await_next(self._output_path(), orientation, after)

    def _output_path(self):
        return os.path.join(self.session.directory, f"peer{self.count}.out")

    def await_start(self):
        """Waits until it shows the initial device orientation."""
        self.session.accelerate(*ACCELERATIONS["normal"])
        shown = self.rotations.events if self.peer.rotates_screen else lambda: events(self._output_path())
        wait_until(lambda: (shown() or [(0, "")])[-1][1] == "normal", f"{self.peer.name} shows the device orientation")
        self.rotated = 0
        self.rested = time.monotonic()

    def rotate(self, rest=0.0):
        """Changes the device orientation at a random moment. Returns seconds until that was shown; None if it was not."""
        target = CYCLE[self.rotated % 4]
        self.rotated += 1
        let_pass(max(0.0, self.rested + rest - time.monotonic()) + random.uniform(0, 0.7))
        held = time.monotonic()
        self.session.accelerate(*ACCELERATIONS[target])
        shown = self.await_shown(target, held)
        self.rested = time.monotonic()
        self.check()
        return shown and shown - held

    def restart_sensor_service(self):
        """As after a boot: otherwise the service would report its last orientation at once."""
        service = next((child for child in self.session.children.running if child.name == "proxy"), None)
        if service:
            self.session.children.stop(service)
            accelerometer.start_proxy_alone(self.session.children, self.session.device_env)

    def restore_rotation(self):
        """Restores the unrotated screen, by hand, while no program runs."""
        session = self.session
        command = ["xrandr", "--output", session.panel, "--rotate", "normal"]
        if session.compositor:
            command = ["swaymsg", "output", session.panel, "transform", "normal"]
        session.run(*command)
        self.rotations.await_current("normal")
