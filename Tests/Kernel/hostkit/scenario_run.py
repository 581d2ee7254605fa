# SPDX-License-Identifier: MIT
"""The input of the machine for a scenario, and its output."""

import base64
import glob
import hashlib
import os
import re
import tarfile

from benchkit import c_programs

from .guest_scripts import loaded_for
from .machine_errors import Broken

REFERENCE, ROTATION = re.compile(r" reference: ([\d.]+) s"), re.compile(r": rotated in ([\d.]+) s")
DISK_SIZE = 64 << 20
SECONDS_OF_SILENCE = 700.0


class Work:
    """A job: a scenario, played by the guest's scripts, with a package."""

    def __init__(self, here, scenario, deb, program=None, older=None):
        self.name = os.path.basename(scenario).removesuffix(".scenario")
        self.scenario = scenario
        self.guest = os.path.join(here, "guest")
        self.files = [(deb, os.path.basename(deb))]
        if program:
            self.files.append((os.path.realpath(program), "autorotate"))
        if older:
            self.files.append((older, f"older/{os.path.basename(older)}"))
        if "extension" in self._set_up():
            self.files += [(path, os.path.basename(path)) for path in _extensions_beside(deb)]
        if self._word("monitor", None) == "built-in" or self._word("desktop", None) == "cinnamon":
            self.files.append((c_programs.touch_window(os.path.dirname(deb)), "touchwindow"))

    def image(self):
        """The Debian that it is played on."""
        return self._word("image", "bookworm")

    def _word(self, name, default):
        found = [line.split()[1] for line in self._set_up() if line.startswith(f"{name} ")]
        return found[0] if found else default

    def _set_up(self):
        with open(self.scenario, encoding="utf-8") as file:
            return [line for line in file.read().partition("\n\n")[0].splitlines() if not line.startswith("#")]

    def disk(self, place):
        """The path of a disk with all of it."""
        os.makedirs(place, exist_ok=True)
        path = os.path.join(place, "disk")
        with tarfile.open(path, "w") as tar:
            for source, name in (*self.files, (self.guest, "guest"), (self.scenario, "scenario")):
                tar.add(source, name, filter=_unless_compiled)
        os.truncate(path, DISK_SIZE)
        return path

    def key(self):
        """The same for all that have the same set-up, package, and scripts for the set-up."""
        digest = hashlib.sha256("\n".join(self._set_up()).encode())
        for path in (*loaded_for(self.guest, self._word("desktop", "x11")), *(source for source, _ in self.files)):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()[:16]


def _extensions_beside(deb):
    """The package of GNOME Shell's extension of the same version."""
    name = os.path.basename(deb).removeprefix("autorotate_").rpartition("_")[0]
    return glob.glob(os.path.join(os.path.dirname(deb), f"gnome-shell-extension-autorotate_{glob.escape(name)}_*.deb"))


def _unless_compiled(member):
    return None if "__pycache__" in member.name else member


class Play:
    """One scenario in one machine."""

    def __init__(self, machine, place, is_verbose):
        self.machine, self.place, self.is_verbose = machine, place, is_verbose
        self.output, self.reference, self.rotations = [], "none", []

    def begin(self):
        """Returns whether the machine is set up."""
        return self._run("begun")

    def resume(self):
        return self._run("exit 0")

    def faults(self):
        return "\n".join(self.output)

    def latencies(self):
        """The latency of each rotation in seconds, and of the reference, as text."""
        return f"rotations {' '.join(self.rotations) or 'none'}, reference {self.reference}"

    def _run(self, wanted):
        self.machine.play()
        while True:
            line = self._line()
            if line == wanted or line.startswith("exit "):
                return line == wanted
            self._receive(line)

    def _line(self):
        try:
            return self.machine.line(SECONDS_OF_SILENCE)
        except Broken as reason:
            raise Broken("\n".join([*self.output, str(reason)])) from reason

    def _receive(self, line):
        if line.startswith("picture "):
            self._keep(*line.split()[1:])
        elif line.startswith("done "):
            self._print(line)
        elif line:
            self.output.append(line)

    def _print(self, line):
        self.rotations += ROTATION.findall(line)
        self.reference = (REFERENCE.findall(line) or [self.reference])[-1]
        if self.is_verbose or ": " in line:
            print("        " + line.removeprefix("done "), flush=True)

    def _keep(self, name, text):
        with open(os.path.join(self.place, name), "wb") as file:
            file.write(base64.b64decode(text))
