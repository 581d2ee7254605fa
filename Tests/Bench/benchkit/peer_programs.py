# SPDX-License-Identifier: MIT
"""The programs that are measured beside each other, each with a desktop, a sensor and buses of its own."""

import dataclasses
import glob
import os
import random
import shutil
import time

from . import accelerometer, c_programs, mockbus
from .c_programs import PROJECT
from .child_processes import Failed, wait_until
from .daemon import HOLDS
from .rotation_events import Pictures, await_next, told
from .session import Options, Session
from .testing import TOUCHSCREEN, program

NOISE = 0.03  # m/s², as sensors have
CYCLE = ("left", "inverted", "right", "normal")


@dataclasses.dataclass(frozen=True)
class Rival:
    """One program as it is started, and where its word on the device comes from."""

    name: str
    server: str
    command: callable = dataclasses.field(repr=False)  # of the session: its words
    proxy: bool = False
    hub: bool = False
    is_picture: bool = True  # whether it turns the picture, or only hears of the device


def autorotate(server, source, before=None, **more):
    """As a session starts it; the rest is in its settings. `before` is the path of an older one."""
    def command(session):
        session.write("config/autorotate/config.toml",
                      f'[display]\noutput = "{session.panel}"\n[sensor]\nsource = "{source}"\n')
        return [before or program(), "--wait", "--unless-running"]

    kind = " (hub)" if more.get("hub") else " (proxy)" if source == "proxy" else ""
    return Rival("autorotate" + (" before" if before else "") + kind, server, command, proxy=source == "proxy", **more)


def rot8(server, path):
    def command(session):
        touch = [] if session.compositor else ["--touchscreen", TOUCHSCREEN]
        return [path, "--display", session.panel, *touch]

    return Rival("rot8", server, command)


def iio_sway(path):
    return Rival("iio-sway", "sway", lambda session: [path, session.panel], proxy=True)


def screen_rotator(path):
    return Rival("ScreenRotator", "xorg", lambda session: [path], proxy=True)


def proxy_word(server):
    return Rival("the proxy's word", server, lambda session: [mockbus.PYTHON, "-m", "benchkit.proxy_signals"],
                 proxy=True, is_picture=False)


class Arena:
    """A rival's own bench. Use it in a `with`."""

    def __init__(self, directory, rival):
        os.makedirs(directory)
        self.rival = rival
        sensor = accelerometer.Options(noise=0 if rival.hub else NOISE, bare=True)
        if rival.hub:
            sensor.buffer, sensor.hysteresis = "le:s16/32>>0", 0.05
        self.session = Session(directory, Options(server=rival.server, sensor=sensor, proxy=rival.proxy))
        self.process = None
        self.pictures = None
        self.count = self.turned = 0
        self.rested = 0.0

    def __enter__(self):
        self.session.__enter__()
        self.session.accelerate(*HOLDS["normal"])
        self._put_rules()
        self.pictures = Pictures(self.session)
        return self

    def __exit__(self, *_error):
        self.session.stop()

    def _put_rules(self):
        """Those that come with the program: what it has in memory of them counts."""
        place = os.path.join(self.session.directory, "etc/autorotate/apps")
        os.makedirs(place)
        for rule in glob.glob(os.path.join(PROJECT, "Config/apps/*.toml")):
            shutil.copy(rule, place)

    # The program

    def start(self, preload=None, **more):
        """Starts it. Returns when that was."""
        self.count += 1
        env = {**self.session.device_env, **more, "PYTHONPATH": c_programs.BENCH}
        if preload:
            env["LD_PRELOAD"] = preload + ":" + env["LD_PRELOAD"]
        began = time.monotonic()
        self.process = self.session.children.start(f"rival{self.count}", self.rival.command(self.session), env)
        return began

    def check(self):
        if self.process.poll() is not None:
            said = self.session.children.last_words(self.process.name)
            raise Failed(f"{self.rival.name} on {self.rival.server} ended: {said}")

    def end(self):
        self.session.children.stop(self.process)

    def counted(self):
        """The processes whose work is its own, and the sensor service's that works for it alone."""
        return [self.process.pid], [child.pid for child in self.session.children.running if child.name == "proxy"]

    # The device and the picture

    def await_shown(self, orientation, after):
        """When it was shown; None if it was not."""
        if self.rival.is_picture:
            return self.pictures.await_next(orientation, after)
        return await_next(self._heard(), orientation, after)

    def _heard(self):
        return os.path.join(self.session.directory, f"rival{self.count}.out")

    def settle(self):
        """Waits until it shows how the device is held at the beginning."""
        self.session.accelerate(*HOLDS["normal"])
        shown = self.pictures.told if self.rival.is_picture else lambda: told(self._heard())
        wait_until(lambda: (shown() or [(0, "")])[-1][1] == "normal", f"{self.rival.name} shows how the device is held")
        self.turned = 0
        self.rested = time.monotonic()

    def turn(self, rest=0.0):
        """Holds the device anew at a random moment. Returns seconds until that was shown; None if it was not."""
        target = CYCLE[self.turned % 4]
        self.turned += 1
        time.sleep(max(0.0, self.rested + rest - time.monotonic()) + random.uniform(0, 0.7))
        held = time.monotonic()
        self.session.accelerate(*HOLDS[target])
        shown = self.await_shown(target, held)
        self.rested = time.monotonic()
        self.check()
        return shown and shown - held

    def forget(self):
        """Lets the sensor service begin anew, as after a boot: it would tell at once what it was told last."""
        service = next((child for child in self.session.children.running if child.name == "proxy"), None)
        if service:
            self.session.children.stop(service)
            accelerometer.start_proxy_alone(self.session.children, self.session.device_env)

    def put_back(self):
        """Puts the picture as it is unturned, by hand, while no program runs."""
        session = self.session
        command = ["xrandr", "--output", session.panel, "--rotate", "normal"]
        if session.compositor:
            command = ["swaymsg", "output", session.panel, "transform", "normal"]
        session.run(*command)
        self.pictures.await_put("normal")
