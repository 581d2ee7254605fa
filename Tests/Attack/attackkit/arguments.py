# SPDX-License-Identifier: MIT
"""Command lines and environments that nobody would type."""

import concurrent.futures
import os
import signal
import subprocess
import time

from benchkit.child_processes import longest_wait, wait_until
from benchkit.testing import program

from . import seeded_random
from .attack import Attack
from .seeded_random import POISON, WORDS
from .tally import Failure

OPTIONS = (
    "--lock", "--unlock", "--toggle-lock", "--rotate", "--hold", "--release", "--status", "--json", "--format",
    "--follow", "--for", "--until-unfolded", "--while", "--sensor", "--backend", "--output", "--panel-mount", "--wait",
    "--unless-running", "--help", "--version", "--experimental-dump-help", "--generate-completion-script", "-h", "-v",
    "--", "-", "--=", "--no-such", "--verbose", "--dry-run")
COMMANDS = ("calibrate", "check", "doctor", "explain", "monitor", "record", "replay", "request", "tray", "help")
VALUES = ("auto", "iio", "proxy", "print", "x11", "sway", "niri", "kde", "gnome", "hyprland", "wlroots", "waybar",
          "replay:trace.csv", "replay:", "replay:/dev/zero", "replay:.", "trace.csv", "missing.csv", "/dev/null",
          "/dev/full", ".", "1s", "1h", "-5m", "9999999999999d", "bash", "true", "false", "left-side-up")
VARIABLES = (
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SWAYSOCK",
    "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_STATE_HOME", "HOME", "LANG", "LC_ALL",
    "LANGUAGE", "TERM", "COLUMNS", "LINES", "NO_COLOR", "NIRI_SOCKET", "HYPRLAND_INSTANCE_SIGNATURE", "XAUTHORITY",
    "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "TZ")
SETTINGS = ("unix:path=/nowhere", "unix:", "tcp:host=", "unix:path=" + "x" * 300, ":9999999999", ":-1", "/", "../..",
            "relative", "/dev/null", "C", "de_DE.UTF-8", "zh_CN.UTF-8", "no_SUCH", "0", "-1", "99999999999999999999",
            "wayland", "x11", "dumb", "xterm-256color")
LONGEST_ARGUMENT = 120_000  # bytes; the kernel accepts 131,072
AT_ONCE = 4  # most of the time is spent in waiting
PATIENCE = 0.5  # seconds, the pace: a program that still runs then is asked to end


class Arguments(Attack):
    """Each runs the program once, in a place of its own and mostly without a daemon, a display or a bus."""

    name, whole, light = "arguments", 10_000, 150

    def open(self):
        self.place = os.path.join(self.room, "arguments")
        for name in ("run", "config", "state", "data", "work"):
            os.makedirs(os.path.join(self.place, name), mode=0o700, exist_ok=True)
        with open(os.path.join(self.place, "work", "trace.csv"), "w", encoding="utf-8") as file:
            file.write("seconds,x,y,z\n" + "".join(f"{n / 25},9.81,0,{n % 7}\n" for n in range(100)))
        self.env = {
            "PATH": os.environ["PATH"], "HOME": self.place, "XDG_RUNTIME_DIR": self.place + "/run",
            "XDG_CONFIG_HOME": self.place + "/config", "XDG_STATE_HOME": self.place + "/state",
            "XDG_DATA_HOME": self.place + "/data", "XDG_CONFIG_DIRS": self.place + "/etc",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}

    def _try_all(self, first, count):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._try_one, range(first, first + count)))

    def _try_one(self, index):
        if not self.tally.is_hopeless:
            self.tally.tries += 1
            rng = seeded_random.of_try(self.seed, self.name, index)
            self._survives(index, lambda: self.attempt(rng, index))

    def attempt(self, rng, index):
        words = self._words(rng)
        env = {**self.env, **self._variables(rng)}
        began = time.monotonic()
        process = subprocess.Popen(
            [program(), *words], env=env, cwd=os.path.join(self.place, "work"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        printed = " ".join(map(repr, words))
        status, usage = self._wait(process, began, printed)
        self.tally.note_memory(usage)
        self.tally.note_duration(time.monotonic() - began)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) not in (signal.SIGTERM, signal.SIGPIPE):
            raise Failure(f"it ended with {signal.Signals(os.WTERMSIG(status)).name}: {printed}")

    @staticmethod
    def _wait(process, began, printed):
        """Until it ends, with or without being asked to. Returns its status and its memory in KiB."""
        is_asked = False

        def ended():
            nonlocal is_asked
            number, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not number and not is_asked and time.monotonic() - began > PATIENCE:
                os.kill(process.pid, signal.SIGTERM)  # Popen's own methods would reap the status
                is_asked = True
            return number and (status, usage.ru_maxrss)

        found = wait_until(ended, pause=0.002)
        if not found:
            os.kill(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            process.returncode = -9
            raise Failure(f"SIGTERM was not honoured in {longest_wait():.0f} s: {printed}")
        process.returncode = os.waitstatus_to_exitcode(found[0])
        return found

    @staticmethod
    def _words(rng):
        """Mostly existing words, in an invalid order and with invalid values."""
        words = [rng.choice(COMMANDS)] if rng.one_in(2) else []
        for _ in range(rng.randrange(6)):
            kind = rng.randrange(10)
            if kind < 5:
                option = rng.choice(OPTIONS)
                words.append(option + rng.choice(("", "", "=" + rng.choice(VALUES + WORDS))))
            elif kind < 8:
                words.append(rng.choice(VALUES + WORDS))
            else:
                words.append(rng.line(rng.choice((20, 2000))))
        if rng.one_in(100):
            words.append(rng.choice(WORDS + POISON).replace("\x00", "0") * 8000)
        if rng.one_in(3):
            words.append("--sensor=" + rng.choice(VALUES))
        return [word.encode("utf-8", "surrogatepass")[:LONGEST_ARGUMENT] + rng.choice((b"", b"", b"", b"\xff\xfe")) * rng.one_in(9)
                for word in words if "record" not in words or not word.startswith("/")]

    @staticmethod
    def _variables(rng):
        chosen = rng.sample(VARIABLES, rng.randrange(5))
        found = {name: rng.choice((*SETTINGS, rng.line(300))) for name in chosen}
        # Files that a test writes stay in its place.
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
            if found.get(name, "").startswith(("/", "..")):
                found[name] = "relative/" + name
        return {name: value.encode("utf-8", "surrogatepass") for name, value in found.items()}
