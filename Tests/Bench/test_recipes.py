# SPDX-License-Identifier: MIT
"""What is true of all ready hooks: their heads, and how they are without their tools; and the keys of the recipes."""

import os
import re
import signal
import subprocess

from benchkit import compositors, documents, missing
from benchkit.readyhooks import HOOKS, NAMES, HookTest, png, told
from benchkit.testing import BenchTest


class Texts(BenchTest):
    def test_each_says_what_it_does_needs_and_how_it_is_switched_on(self):
        for name in NAMES:
            with open(os.path.join(HOOKS, name), encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("#!/bin/sh\n# SPDX-License-Identifier: MIT\n#\n# "), name)
            for word in ("Needs:", "On:", "Tried:"):
                self.assertRegex(text, rf"\n# {word} +\w", name)
            self.assertIn(f"ln -s /usr/share/autorotate/hooks/{name} ~/.config/autorotate/did-rotate.d/", text)
            self.assertTrue(os.access(os.path.join(HOOKS, name), os.X_OK), name)

    def test_all_are_named_where_people_look(self):
        for place in ("docs/hooks.md", "packaging/man/autorotate.5.scd"):
            for name in NAMES:
                self.assertRegex(documents.read(place), rf"(?<!\w){name}(?!\w)", place)


class BadInput(HookTest):
    """Each ends with status 0, or with one sentence that says the next step, and has touched nothing."""

    SESSIONS = {
        "none": {},
        "sway": {"SWAYSOCK": "/nonexistent", "WAYLAND_DISPLAY": "wayland-1"},
        "wayland": {"WAYLAND_DISPLAY": "wayland-1"},
        "xfce": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "XFCE"},
        "gnome": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME"},
        "i3": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "i3"}}
    SENTENCE = re.compile(r"^[^\n]*(: |install|take this hook away)[^\n]*\n$")

    def setUp(self):
        self.home = self.directory()
        pictures = os.path.join(self.home, ".config/autorotate/wallpaper")
        os.makedirs(pictures)
        for aspect in ("landscape", "portrait"):
            with open(os.path.join(pictures, aspect), "wb") as file:
                file.write(png(0, 0, 0))

    def run_hook(self, name, path, environment):
        env = {"PATH": path, "HOME": self.home, "XDG_RUNTIME_DIR": self.home, **environment}
        return subprocess.run(["/bin/sh", os.path.join(HOOKS, name)], env=env, text=True, capture_output=True,
                              check=False, timeout=30)

    def assertSaid(self, name, done, *context):
        self.assertEqual(done.stdout, "", (name, context))
        self.assertNotRegex(done.stderr, "not found|parameter not set|unbound|Syntax|Illegal", (name, context))
        if done.returncode != 0:
            self.assertRegex(done.stderr, self.SENTENCE, (name, context))

    def test_the_tool_is_missing(self):
        place = self.tools()
        for name in NAMES:
            ends = set()
            for session, environment in self.SESSIONS.items():
                for orientation in ("left", "normal"):
                    done = self.run_hook(name, place, {**told(orientation), **environment})
                    self.assertSaid(name, done, session, orientation)
                    ends.add(done.returncode)
            if name not in ("bar-restart", "lisgd-orientation"):  # which need none
                self.assertIn(1, ends, name)

    def test_what_is_told_is_no_orientation(self):
        stubs = dict.fromkeys(
            ("swaymsg", "jq", "swaybg", "xfconf_query", "gsettings", "xrdb", "xrandr", "pactl"), "exit 1")
        place = self.tools(**stubs)
        wrong = {"none": {}, "sideways": {**told("normal"), "ORIENTATION": "sideways"},
                 "empty": dict.fromkeys(told("left"), ""),
                 "numbers": {**told("left"), "WIDTH": "8OO", "HEIGHT": "-1", "ORIENTATION": "90"}}
        for name in NAMES:
            for kind, words in wrong.items():
                uses_size = name in ("wallpaper", "onboard-layout")
                if name == "bar-restart" or uses_size and kind == "sideways":
                    continue
                environment = {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "XFCE", "SWAYSOCK": "/nonexistent", **words}
                done = self.run_hook(name, place, environment)
                self.assertEqual(done.returncode, 1, (name, kind, done.stderr))
                self.assertSaid(name, done, kind)
        self.assertEqual(self.called(place), [])


class Keys(HookTest):
    def lines(self, desktop):
        """Those that docs/recipes.md has for a desktop."""
        text = documents.read("docs/recipes.md")
        return re.search(rf"^{desktop}, [^\n]*:\n```text\n(.*?)```", text, re.M | re.S)[1]

    def test_sway_hears_them(self):
        session = self.bench(server="sway")
        wtype = missing.program("wtype", "wtype")
        lines = self.lines("sway").splitlines()
        self.assertEqual(len(lines), 2)
        for line in lines:
            key = line.split()[2]
            pressed = os.path.join(session.env["XDG_RUNTIME_DIR"], key)
            done = session.run("swaymsg", "--", re.sub("autorotate .*", "touch " + pressed, line))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(session.run(wtype, "-k", key).returncode, 0)
            self.until(lambda pressed=pressed: os.path.exists(pressed), line)

    def test_i3_takes_them(self):
        path = os.path.join(self.directory(), "config")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# i3 config file (v4)\nset $mod Mod4\n" + self.lines("i3"))
        done = subprocess.run([missing.program("i3", "i3-wm"), "-C", "-c", path], text=True, capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_xfce_keeps_them(self):
        session = self.bench(wm="none")
        missing.program("xfconf-query", "xfconf")
        lines = self.lines("XFCE").splitlines()
        self.assertEqual(len(lines), 2)
        for line in lines:
            self.assertEqual(session.run("sh", "-c", line).returncode, 0, line)
            name = re.search("-p '([^']+)'", line)[1]
            kept = session.run("xfconf-query", "-c", "xfce4-keyboard-shortcuts", "-p", name).stdout
            self.assertEqual(kept, re.search("-s '([^']+)'", line)[1] + "\n")

    if compositors.root():  # Debian 12 has no labwc

        def test_labwc_hears_them(self):
            session = self.bench(server="labwc")
            settings = os.path.join(session.directory, "labwc", "rc.xml")
            lines = self.lines("labwc").splitlines()
            keys = [re.search('key="([^"]+)"', line)[1] for line in lines]
            pressed = {key: os.path.join(session.directory, key) for key in keys}
            text = "".join(re.sub('autorotate [^"]*', "touch " + pressed[key], line) for key, line in zip(keys, lines))
            with open(settings, encoding="utf-8") as file:
                before = file.read()
            with open(settings, "w", encoding="utf-8") as file:
                file.write(before.replace("</keyboard>", text + "</keyboard>"))
            session.compositor.process.send_signal(signal.SIGHUP)
            for key in keys:
                self.until(lambda key=key: session.run("wtype", "-k", key).returncode == 0 and os.path.exists(pressed[key]),
                           key)
