# SPDX-License-Identifier: MIT
"""The keys of Config/keys, each on the desktop that it is for, if that is installed here."""

import os
import re
import signal
import subprocess
from xml.etree import ElementTree

from benchkit import compositors, documents, requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import wait_until
from benchkit.testing import BenchTest, program

KEYS = os.path.join(PROJECT, "Config", "keys")
NAMES = sorted(os.listdir(KEYS))
COMMAND = re.compile(r'"?autorotate"? (?:[a-z-]+|"[a-z-]+")(?: (?:[a-z-]+|"[a-z-]+"))?')
SCHEMA = "org.gnome.settings-daemon.plugins.media-keys"


def text(name):
    with open(os.path.join(KEYS, name), encoding="utf-8") as file:
        return file.read()


class Texts(BenchTest):
    def test_all_snippets_do_the_same_with_known_commands(self):
        for name in NAMES:
            lines = [line for line in text(name).splitlines() if not re.match(r"\s*(#|//|<!--)", line)]
            found = {match[0].replace('"', "") for line in lines for match in COMMAND.finditer(line)}
            self.assertEqual(
                found, {"autorotate toggle", "autorotate rotate next", "autorotate rotate --offered"}, name)
        for words in (["toggle"], ["rotate", "next"], ["rotate", "--offered"]):
            result = subprocess.run([program(), *words, "--help"], capture_output=True, check=False)
            self.assertEqual(result.returncode, 0, words)

    def test_xml_snippets_are_valid_in_their_file(self):
        keyboard = ElementTree.fromstring("<keyboard>" + text("labwc.xml") + "</keyboard>")
        self.assertEqual(len(keyboard.findall("keybind/action[@name='Execute']")), 5)

    def test_each_snippet_is_documented_and_names_its_place(self):
        recipes = documents.read("docs/recipes.md")
        for name in NAMES:
            self.assertIn(f"](../Config/keys/{name})", recipes)
            self.assertRegex(text(name), r"~/\.|run this once", name)


class KeysTest(BenchTest):
    def with_marks(self, session, name):
        """The text with a program in autorotate's place that records its arguments, and runs in the bench."""
        tool = session.write("autorotate", f'#!/bin/sh\ntouch "{session.directory}/did-$*"\n')
        os.chmod(tool, 0o755)
        session.env["PATH"] = session.directory + ":" + session.env["PATH"]
        return re.sub(r"(?<![\w/-])autorotate(?=\"? \"?(toggle|rotate))", tool, text(name))

    def assertDone(self, session, words, press):
        """Presses the key repeatedly: a program that has just read its settings may miss the first press."""
        path = os.path.join(session.directory, "did-" + words)
        wait_until(lambda: os.path.exists(path) or press(), f"a key does {words}", pause=0.5)
        os.unlink(path)


class OnWayland(KeysTest):
    KEYS = ((["XF86RotationLockToggle"], "toggle"), (["o", "logo"], "toggle"),
            (["XF86RotateWindows"], "rotate next"), (["o", "logo", "shift"], "rotate next"),
            (["o", "logo", "ctrl"], "rotate --offered"))

    def press(self, session, key, *modifiers):
        held = [word for each in modifiers for word in ("-M", each)]
        free = [word for each in modifiers for word in ("-m", each)]
        result = session.run(requirements.program("wtype", "wtype"), *held, "-k", key, *free)
        self.assertEqual(result.returncode, 0, result.stderr)

    def press_all(self, session):
        for words, output in self.KEYS:
            self.assertDone(session, output, lambda words=words: self.press(session, *words))

    def test_sway_runs_the_commands(self):
        session = self.bench(server="sway")
        path = session.write("autorotate-keys", self.with_marks(session, "sway"))
        os.chmod(session.directory, 0o777)  # sway's programs run as nobody
        session.write("sway.config", f"{self.settings(session, 'sway.config')}include {path}\n")
        result = session.run("swaymsg", "--", "reload")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.press_all(session)

    def settings(self, session, name):
        with open(os.path.join(session.directory, name), encoding="utf-8") as file:
            return file.read()

    if compositors.root():  # Debian 12 has no labwc

        def test_labwc_runs_the_commands(self):
            session = self.bench(server="labwc")
            lines = self.with_marks(session, "labwc.xml")
            before = self.settings(session, "labwc/rc.xml")
            session.write("labwc/rc.xml", before.replace("</keyboard>", lines + "</keyboard>"))
            session.compositor.process.send_signal(signal.SIGHUP)
            self.press_all(session)


class OnX11(KeysTest):
    shares_bench = True

    KEYS = (("super+o", "toggle"), ("super+shift+o", "rotate next"), ("super+ctrl+o", "rotate --offered"))

    def press_all(self, session, *more):
        for key, output in (*self.KEYS, *more):
            self.assertDone(session, output, lambda key=key: self.press(session, key))

    def press(self, session, key):
        result = session.run(requirements.program("xdotool", "xdotool"), "key", key)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_i3_runs_the_commands(self):
        session = self.bench(wm="none")
        result = session.run(requirements.program("xmodmap", "x11-xserver-utils"), "-e", "keycode 161 = XF86RotateWindows")
        self.assertEqual(result.returncode, 0, result.stderr)
        path = session.write("autorotate-keys", self.with_marks(session, "i3"))
        settings = session.write("i3.conf", f"# i3 config file (v4)\ninclude {path}\n")
        session.children.start("i3", [requirements.program("i3", "i3-wm"), "-c", settings], session.env)
        self.press_all(session, ("XF86RotateWindows", "rotate next"))

    def test_kde_runs_the_commands(self):
        session = self.bench()
        daemon = requirements.program("kglobalaccel5", "libkf5globalaccel-bin")
        session.write("data/kglobalaccel/autorotate-keys.desktop", self.with_marks(session, "kde.desktop"))
        session.children.start("keys", [daemon], {**session.env, "HOME": session.directory})
        self.press_all(session)

    def test_xfce_stores_the_bindings(self):
        session = self.bench(wm="none")
        requirements.program("xfconf-query", "xfconf")
        for _time in range(2):
            result = session.run("sh", os.path.join(KEYS, "xfce"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        kept = session.run("xfconf-query", "-c", "xfce4-keyboard-shortcuts", "-p", "/commands/custom", "-lv").stdout
        self.assertEqual({tuple(line.split(None, 1)) for line in kept.splitlines()}, {
            ("/commands/custom/<Super>o", "autorotate toggle"),
            ("/commands/custom/XF86RotateWindows", "autorotate rotate next"),
            ("/commands/custom/<Super><Shift>o", "autorotate rotate next"),
            ("/commands/custom/<Super><Primary>o", "autorotate rotate --offered")})


class InGNOME(KeysTest):
    def setUp(self):
        gsettings = requirements.program("gsettings", "libglib2.0-bin")
        self.session = self.bench(wm="none")
        self.session.env["GSETTINGS_BACKEND"] = "keyfile"
        if SCHEMA not in self.session.run(gsettings, "list-schemas").stdout:
            raise requirements.Missing("GNOME's keys are not installed (package gnome-settings-daemon-common)")

    def get(self, *words):
        return self.session.run("gsettings", "get", *words).stdout.strip()

    def write(self, *words):
        result = self.session.run("sh", os.path.join(KEYS, "gnome"), *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def bound(self):
        """What the desktop would read: each key's command."""
        found = {}
        for place in re.findall(r"'([^']+)'", self.get(SCHEMA, "custom-keybindings")):
            binding, command = (
                self.get(f"{SCHEMA}.custom-keybinding:{place}", key).strip("'") for key in ("binding", "command"))
            found[binding] = command
        return found

    def test_bindings_are_added_once_beside_the_users_own(self):
        own = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/custom0/"
        self.session.run("gsettings", "set", SCHEMA, "custom-keybindings", f"['{own}']")
        hers = {"": ""}
        rotations = {"<Super><Shift>o": "autorotate rotate next", "<Super><Control>o": "autorotate rotate --offered"}
        for _time in range(2):
            self.write()
            self.assertEqual(self.bound(), {**hers, **rotations})
        self.assertNotEqual(self.get(SCHEMA, "rotate-video-lock-static"), "@as []")
        self.write("lock")
        self.assertEqual(self.bound(), {**hers, **rotations, "<Super>o": "autorotate toggle",
                                        "XF86RotationLockToggle": "autorotate toggle"})
        self.assertEqual(self.get(SCHEMA, "rotate-video-lock-static"), "@as []")

    def test_an_empty_list_is_extended(self):
        self.write()
        self.assertEqual(len(self.bound()), 2)
