# SPDX-License-Identifier: MIT
"""Chromium and Firefox of Debian on a bench: real windows, a real video, and keys as a user presses them."""

import os

from . import requirements, mockbus
from .child_processes import Failed, wait_until

PLAYER = "org.mpris.MediaPlayer2"
KEYS = {"f": 41, "F11": 95}  # X's numbers of the keys
FILM = """<!DOCTYPE html><title>film</title>
<video src="film.webm" autoplay loop></video>
<script>
const film = document.querySelector("video");
document.onkeydown = (event) => {
  if (event.key !== "f") return;
  if (document.fullscreenElement) document.exitFullscreen(); else film.requestFullscreen();
};
</script>
"""
ARTICLE = "<!DOCTYPE html><title>article</title><h1>An article</h1><p>Nothing plays here.</p>"
FIREFOX = """user_pref("media.autoplay.default", 0);
user_pref("media.autoplay.blocking_policy", 0);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("full-screen-api.warning.timeout", 0);
"""


def pages(session):
    """Writes the pages and the video. Returns the directory."""
    place = os.path.dirname(session.write("pages/article.html", ARTICLE))
    session.write("pages/film.html", FILM)
    result = session.run(
        requirements.program("ffmpeg", "ffmpeg"), "-loglevel", "error",
        "-f", "lavfi", "-i", "testsrc=size=320x180:rate=10:duration=20",
        "-f", "lavfi", "-i", "sine=frequency=440:duration=20", "-shortest",
        "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", os.path.join(place, "film.webm"))
    if result.returncode != 0:
        raise Failed(f"ffmpeg made no film: {result.stderr.strip()}")
    return place


def _chromium(session):
    command = [requirements.program("chromium", "chromium"), "--no-first-run", "--no-default-browser-check",
               "--password-store=basic", "--autoplay-policy=no-user-gesture-required", "--disable-gpu",
               "--user-data-dir=" + os.path.join(session.directory, "chromium")]
    return command + ["--no-sandbox"] * (os.getuid() == 0)


def _firefox(session):
    profile = os.path.dirname(session.write("firefox/user.js", FIREFOX))
    return [requirements.program("firefox-esr", "firefox-esr"), "--no-remote", "--profile", profile]


COMMANDS = {"chromium": _chromium, "firefox-esr": _firefox}
PLAYERS = {"chromium": "chromium", "firefox-esr": "firefox"}
"""A browser's name on the bus."""


class Browser:
    """One browser with one page in front."""

    def __init__(self, session, name, page):
        self.session, self.name = session, name
        env = self._own_environment()
        if session.compositor:
            self._plug_keyboard_in()
        address = "file://" + os.path.join(pages(session), page + ".html")
        self.process = session.children.start(name, [*COMMANDS[name](session), address], env)

    def _own_environment(self):
        """The bench's directories may belong to the compositor's user, and Firefox accepts only its own."""
        env = dict(self.session.env)
        for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            env[name] = os.path.join(self.session.directory, "surfer", name.lower())
            os.makedirs(env[name], mode=0o700, exist_ok=True)
        if self.session.compositor:
            env["WAYLAND_DISPLAY"] = os.path.join(self.session.env["XDG_RUNTIME_DIR"], env["WAYLAND_DISPLAY"])
        return env

    def _plug_keyboard_in(self):
        """A keyboard that stays: if it appeared with its first key, no window would have the focus yet."""
        self.session.children.start(
            "keyboard", [requirements.program("wtype", "wtype"), "-s", str(1000 * 3600), "-k", "F11"], self.session.env)

    def press(self, key):
        """A key of the keyboard, as the user at this desktop has it."""
        if self.session.compositor:
            words = ["-k", key] if len(key) > 1 else [key]
            result = self.session.run(requirements.program("wtype", "wtype"), *words)
            if result.returncode != 0:
                raise Failed(f"wtype {key}: {result.stderr.strip()}")
        else:
            self.session.simulated_input.press(KEYS[key])
            self.session.simulated_input.release(KEYS[key])

    def until_it_plays(self):
        wait_until(self._plays, lambda: f"{self.name} plays: {self.session.children.last_words(self.name, 20)}", pause=0.1)

    def _plays(self):
        bus = mockbus.connection(self.session.env)
        try:
            return any(self._status(bus, name) == "Playing" for name in bus.list_names()
                       if name.startswith(f"{PLAYER}.{PLAYERS[self.name]}"))
        finally:
            bus.close()

    @staticmethod
    def _status(bus, name):
        return bus.call_blocking(name, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "Get",
                                 "ss", (PLAYER + ".Player", "PlaybackStatus"))
