# SPDX-License-Identifier: MIT
"""The script for mpv in Config/mpv, in a real mpv, with the shipped rule for it: a portrait video stays portrait."""

import json
import os
import shutil
import socket

from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program

SCRIPT = os.path.join(PROJECT, "Config", "mpv", "autorotate.lua")
RULE = os.path.join(PROJECT, "Config", "apps", "mpv.toml")


def video(width, height):
    return f"av://lavfi:testsrc=size={width}x{height}:rate=2"


WIDE, TALL, TALLER = video(640, 360), video(360, 640), video(300, 640)


class Videos(BenchTest):
    """The device is held in portrait, left edge up."""

    def setUp(self):
        mpv = requirements.program("mpv", "mpv")
        self.session = self.bench(sensor={})
        self.session.run("xrandr", "--output", "HDMI-1", "--off")
        rules = os.path.join(self.session.directory, "data", "autorotate", "apps")
        os.makedirs(rules)
        shutil.copy(RULE, rules)
        self.session.accelerate(*ACCELERATIONS["left"])
        self.daemon = Daemon(self.session)
        self.daemon.await_name()
        self.addCleanup(self.daemon.end)
        self.daemon.until_shown("left")
        self.ipc = os.path.join(self.session.directory, "mpv")
        self.session.env["PATH"] = f"{os.path.dirname(program())}:{self.session.env['PATH']}"
        self.mpv = self.session.children.start(
            "mpv", [mpv, "--no-config", "--vo=x11", "--ao=null", "--fs", "--loop-file=inf", f"--script={SCRIPT}",
                    f"--input-ipc-server={self.ipc}", WIDE], self.session.env)
        self.daemon.until_shown("normal")
        wait_until(lambda: os.path.exists(self.ipc), "mpv's socket")

    def send(self, *words):
        """Returns mpv's answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.ipc)
            connection.sendall(json.dumps({"command": words, "request_id": 7}).encode() + b"\n")
            answers = map(json.loads, connection.makefile())
            return next(answer for answer in answers if answer.get("request_id") == 7)

    def test_a_portrait_video_is_portrait_only_in_fullscreen(self):
        self.send("loadfile", TALL)
        reasons = self.daemon.until_shown("left")["reasons"]
        self.assertIn("mpv asks for left edge up or right edge up: the video is portrait.", reasons)
        with self.daemon.rotating_only("normal"):
            self.send("loadfile", TALLER)
            wait_until(lambda: self.send("get_property", "dwidth").get("data") == 300, "the next video")
            self.send("loadfile", WIDE)
            self.daemon.until_shown("normal")
        self.send("loadfile", TALL)
        self.daemon.until_shown("left")
        self.send("set_property", "fullscreen", False)
        self.daemon.until(lambda now: now and not any("asks for" in reason for reason in now["reasons"]), "no request")

    def test_a_rule_of_the_user_still_applies(self):
        self.session.write("config/autorotate/apps/mpv.toml", 'match = "mpv"\nsupported = "landscape"\n')
        self.daemon.until(lambda now: now and any("/config/" in reason for reason in now["reasons"]), "the rule")
        with self.daemon.rotating_only("inverted"):
            self.send("loadfile", TALL)
            self.daemon.until(lambda now: now and "request.gives-way" in now["reasonCodes"], "the request")
            self.session.accelerate(*ACCELERATIONS["inverted"])
            self.daemon.until_shown("inverted")

    def test_a_killed_mpv_leaves_no_request(self):
        self.send("loadfile", TALL)
        self.daemon.until_shown("left")
        self.session.accelerate(*ACCELERATIONS["normal"])
        self.mpv.kill()
        self.daemon.until_shown("normal")
