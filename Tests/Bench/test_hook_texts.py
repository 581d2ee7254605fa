# SPDX-License-Identifier: MIT
"""What applies to all shipped hooks: their head comments, and how they behave without their tools."""

import os
import re
import subprocess

from benchkit import documents
from benchkit.child_processes import longest_wait
from benchkit.shipped_hooks import HOOKS, NAMES, HookTest, png, variables
from benchkit.testing import BenchTest


class Texts(BenchTest):
    def test_each_hook_explains_purpose_requirements_and_activation(self):
        for name in NAMES:
            with open(os.path.join(HOOKS, name), encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("#!/bin/sh\n# SPDX-License-Identifier: MIT\n#\n# "), name)
            for word in ("Needs:", "On:", "Tried:"):
                self.assertRegex(text, rf"\n# {word} +\w", name)
            self.assertIn(f"ln -s /usr/share/autorotate/hooks/{name} ~/.config/autorotate/did-rotate.d/", text)
            self.assertTrue(os.access(os.path.join(HOOKS, name), os.X_OK), name)

    def test_all_hooks_are_listed_in_the_documents(self):
        for place in ("docs/hooks.md", "packaging/man/autorotate.5.scd"):
            for name in NAMES:
                self.assertRegex(documents.read(place), rf"(?<!\w){name}(?!\w)", place)


class BadInput(HookTest):
    """Each exits with status 0, or with one sentence that names the next step, and has changed nothing."""

    SESSIONS = {
        "none": {},
        "sway": {"SWAYSOCK": "/nonexistent", "WAYLAND_DISPLAY": "wayland-1"},
        "wayland": {"WAYLAND_DISPLAY": "wayland-1"},
        "xfce": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "XFCE"},
        "gnome": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME"},
        "i3": {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "i3"}}
    SENTENCE = re.compile(r"^[^\n]*(: |install|remove this hook)[^\n]*\n$")

    def setUp(self):
        self.home = self.directory()
        images = os.path.join(self.home, ".config/autorotate/wallpaper")
        os.makedirs(images)
        for aspect in ("landscape", "portrait"):
            with open(os.path.join(images, aspect), "wb") as file:
                file.write(png(0, 0, 0))

    def run_hook(self, name, path, environment):
        env = {"PATH": path, "HOME": self.home, "XDG_RUNTIME_DIR": self.home, **environment}
        return subprocess.run(["/bin/sh", os.path.join(HOOKS, name)], env=env, text=True, capture_output=True,
                              check=False, timeout=longest_wait())

    def assertOutput(self, name, done, *context):
        self.assertEqual(done.stdout, "", (name, context))
        self.assertNotRegex(done.stderr, "not found|parameter not set|unbound|Syntax|Illegal", (name, context))
        if done.returncode != 0:
            self.assertRegex(done.stderr, self.SENTENCE, (name, context))

    def test_a_missing_tool_is_reported(self):
        place = self.tools()
        for name in NAMES:
            ends = set()
            for session, environment in self.SESSIONS.items():
                for orientation in ("left", "normal"):
                    result = self.run_hook(name, place, {**variables(orientation), **environment})
                    self.assertOutput(name, result, session, orientation)
                    ends.add(result.returncode)
            if name not in ("bar-restart", "lisgd-orientation"):  # which need none
                self.assertIn(1, ends, name)

    def test_an_invalid_orientation_is_reported(self):
        stubs = dict.fromkeys(
            ("swaymsg", "jq", "swaybg", "xfconf_query", "gsettings", "xrdb", "xrandr", "pactl"), "exit 1")
        place = self.tools(**stubs)
        wrong = {"none": {}, "sideways": {**variables("normal"), "ORIENTATION": "sideways"},
                 "empty": dict.fromkeys(variables("left"), ""),
                 "numbers": {**variables("left"), "WIDTH": "8OO", "HEIGHT": "-1", "ORIENTATION": "90"}}
        for name in NAMES:
            for kind, words in wrong.items():
                uses_size = name in ("wallpaper", "onboard-layout")
                if name == "bar-restart" or uses_size and kind == "sideways":
                    continue
                environment = {"DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "XFCE", "SWAYSOCK": "/nonexistent", **words}
                result = self.run_hook(name, place, environment)
                self.assertEqual(result.returncode, 1, (name, kind, result.stderr))
                self.assertOutput(name, result, kind)
        self.assertEqual(self.called(place), [])
