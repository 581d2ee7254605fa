# SPDX-License-Identifier: MIT
"""What goes into the machine for a scenario, and what comes out."""

import base64
import glob
import hashlib
import os
import tarfile

from .machine_errors import Broken

DISK_SIZE = 64 << 20
SECONDS_OF_SILENCE = 700.0


class Work:
    """What is played: a scenario, by the guest's scripts, with a package."""

    def __init__(self, here, scenario, deb, program=None, older=None):
        self.name = os.path.basename(scenario).removesuffix(".scenario")
        self.scenario = scenario
        self.files = [(os.path.join(here, "guest"), "guest"), (deb, os.path.basename(deb))]
        if program:
            self.files.append((os.path.realpath(program), "autorotate"))
        if older:
            self.files.append((older, f"older/{os.path.basename(older)}"))

    def image(self):
        """The Debian that it is played on."""
        found = [line.split()[1] for line in self._set_up() if line.startswith("image ")]
        return found[0] if found else "bookworm"

    def _set_up(self):
        with open(self.scenario, encoding="utf-8") as file:
            return [line for line in file.read().partition("\n\n")[0].splitlines() if not line.startswith("#")]

    def disk(self, place):
        """The path of a disk with all of it."""
        os.makedirs(place, exist_ok=True)
        path = os.path.join(place, "disk")
        with tarfile.open(path, "w") as tar:
            for source, name in (*self.files, (self.scenario, "scenario")):
                tar.add(source, name, filter=_unless_compiled)
        os.truncate(path, DISK_SIZE)
        return path

    def key(self):
        """The same for all that have the same set-up, scripts and package."""
        digest = hashlib.sha256("\n".join(self._set_up()).encode())
        for source, _ in self.files:
            for path in sorted(glob.glob(f"{source}/*")) if os.path.isdir(source) else [source]:
                digest.update(_bytes(path))
        return digest.hexdigest()[:16]


def _unless_compiled(member):
    return None if "__pycache__" in member.name else member


def _bytes(path):
    if os.path.isdir(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


class Play:
    """One scenario in one machine."""

    def __init__(self, machine, place, is_told):
        self.machine, self.place, self.is_told = machine, place, is_told
        self.said = []

    def begin(self):
        """Whether the machine is set up."""
        return self._run("begun")

    def go_on(self):
        return self._run("exit 0")

    def faults(self):
        return "\n".join(self.said)

    def _run(self, wanted):
        self.machine.play()
        while True:
            line = self._line()
            if line == wanted or line.startswith("exit "):
                return line == wanted
            self._hear(line)

    def _line(self):
        try:
            return self.machine.line(SECONDS_OF_SILENCE)
        except Broken as reason:
            raise Broken("\n".join([*self.said, str(reason)])) from reason

    def _hear(self, line):
        if line.startswith("picture "):
            self._keep(*line.split()[1:])
        elif line.startswith("done "):
            self._tell(line)
        elif line:
            self.said.append(line)

    def _tell(self, line):
        if self.is_told or ": " in line:
            print("        " + line.removeprefix("done "), flush=True)

    def _keep(self, name, text):
        with open(os.path.join(self.place, name), "wb") as file:
            file.write(base64.b64decode(text))
