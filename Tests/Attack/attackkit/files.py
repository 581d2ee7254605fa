# SPDX-License-Identifier: MIT
"""Broken files: a hundred thousand for the parsers, and some while a daemon watches them."""

import glob
import os
import re
import subprocess
import time

from benchkit.accelerometer import Options as Sensor
from benchkit.c_programs import PROJECT
from benchkit.requirements import Missing

from .attack import Attack
from .tally import Failure

SUITES = {
    "MutationTests": ("ConfigurationTests", 25_000), "TraceMutationTests": ("SensorSourcesTests", 12_500),
    "DesktopFileMutationTests": ("DesktopBackendsTests", 16_000),
    "DeviceDatabaseMutationTests": ("DesktopBackendsTests", 1000),
    "SwayMutationTests": ("DesktopBackendsTests", 8000), "HyprlandMutationTests": ("DesktopBackendsTests", 8000),
    "NiriMutationTests": ("DesktopBackendsTests", 9000)}
"""The target of each, and its share in 100,000 tries; traces and sway's messages have two tests, of that many each."""
SUMMARY = re.compile(r"^(\d+) mutations in .*?, the slowest took ([\d.e-]+) (?:seconds|s)\b", re.MULTILINE)
LONGEST_RUN = 1800  # seconds, for all of one suite


class Parsers(Attack):
    """The readers of settings, rules, traces, desktop files, udev's database and compositors' JSON, in the Swift
    tests whose names end in MutationTests: one process, thousands of files a second."""

    name, whole, light = "files.parsers", 100_000, 0  # `make test` runs those tests anyway
    check_every = 1

    def run(self, first, count):
        tests = glob.glob(os.path.join(PROJECT, ".build/debug/*.xctest"))
        if not tests:
            raise Missing("the Swift tests are not built (run: swift build --build-tests)")
        for suite, (target, share) in SUITES.items():
            part = max(1, share * count // self.whole)
            self._survives(first, lambda s=suite, t=target, p=part: self._run_suite(s, t, p))
        return self.tally

    def _run_suite(self, suite, target, count):
        env = dict(os.environ, AUTOROTATE_MUTATIONS=str(count), AUTOROTATE_SEED=str(self.seed))
        command = ["swift", "test", "--skip-build", "--explicit-target-dependency-import-check", "error",
                   "--filter", f"^{target}.{suite}"]
        result = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, errors="replace",
                                timeout=LONGEST_RUN, check=False)
        output = [(int(number), float(slowest)) for number, slowest in SUMMARY.findall(result.stdout)]
        if result.returncode != 0 or sum(number for number, _ in output) < count:
            raise Failure(f"{suite} with AUTOROTATE_SEED={self.seed} AUTOROTATE_MUTATIONS={count} "
                          f"gives {result.returncode}: {result.stdout[-3000:]}{result.stderr[-1000:]}")
        for number, slowest in output:
            self.tally.tries += number
            self.tally.note_duration(slowest)


class Settings(Attack):
    """Settings and rules are rewritten while the daemon watches them; and each is checked by `autorotate check`."""

    name, whole, light = "files.settings", 1500, 40
    check_every = 100

    TOKENS = [token.encode() for token in (
        "[", "]", "[[", "{", "=", ",", "\"", "\"\"\"", "'", "#", "\n", "\r\n", "\x00", "\t", "true", "nan", "inf", "-",
        "1e999", "0x", "1979-05-27T07:32:00Z", "\ufeff", "\U0010ffff", "[desktop]", "match", "supported = ", "a.b.c")]

    def open(self):
        self.bench(sensor=Sensor())
        self.place = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(self.place + "/apps")
        self.originals = []
        for path in sorted(glob.glob(PROJECT + "/Config/apps/*.toml")) + [PROJECT + "/Config/config.toml"]:
            with open(path, "rb") as file:
                self.originals.append(file.read())
        self.start()

    def attempt(self, rng, index):
        text = rng.mutated(rng.choice(self.originals), self.TOKENS, self.originals)
        name = "config.toml" if rng.one_in(3) else f"apps/{rng.randrange(20)}.toml"
        rng.choice((self._replace, self._replace, self._overwrite, self._vanish, self._odd))(name, text)
        if index % 5 == 0:
            began = time.monotonic()
            result = self.target_daemon.ask("check", os.path.join(self.place, name))
            self.tally.note_duration(time.monotonic() - began)
            if result.returncode not in (0, 1, 2):
                raise Failure(f"check gives {result.returncode}: {result.stderr[-500:]}")
        if index % 3 == 0:
            self.target_daemon.status()
        self.target_daemon.check_alive()

    def check_consistent(self):
        """The last valid settings are empty."""
        for path in glob.glob(self.place + "/apps/*") + [self.place + "/config.toml"]:
            self._remove(path)
        self.target_daemon.check_consistent()

    @staticmethod
    def _remove(path):
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def _replace(self, name, text):
        path = os.path.join(self.place, name)
        with open(path + ".new", "wb") as file:
            file.write(text)
        if os.path.isdir(path):
            os.rmdir(path)
        os.replace(path + ".new", path)

    def _overwrite(self, name, text):
        path = os.path.join(self.place, name)
        self._remove(path)
        with open(path, "wb") as file:
            for start in range(0, len(text), 300):
                file.write(text[start:start + 300])
                file.flush()

    def _vanish(self, name, _text):
        self._remove(os.path.join(self.place, name))

    def _odd(self, name, text):
        """A FIFO that nobody writes to, a directory, a broken link, a link to itself, an endless file."""
        path = os.path.join(self.place, name)
        self._remove(path)
        kind = len(text) % 5
        if kind == 0:
            os.mkfifo(path)
        elif kind == 1:
            os.mkdir(path)
        elif kind == 2:
            os.symlink("/nowhere/at/all", path)
        elif kind == 3:
            os.symlink(path, path)
        else:
            os.symlink("/dev/zero", path)
