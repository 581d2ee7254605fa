# SPDX-License-Identifier: MIT
"""The disk that the machine starts from, and its state after the boot."""

import glob
import os
import shutil
import subprocess
import tempfile

from .machine import Machine, kind
from .scenario_run import DISK_SIZE


class Impossible(Exception):
    """No such machine can run here."""


class Image:
    """Made once, of Debian's packages. That of a newer Debian is run by the kernel of Debian 12."""

    def __init__(self, build, here, suite):
        self.directory, self.suite = os.path.join(build, suite), suite
        self.script = os.path.join(here, "image", "make")

    def make(self):
        if not shutil.which("qemu-system-x86_64"):
            raise Impossible("qemu-system-x86_64 is not installed (package qemu-system-x86)")
        made = subprocess.run([self.script, self.directory, self.suite], check=False)
        if made.returncode:
            raise Impossible("there is no image")

    def is_there(self):
        return os.path.exists(f"{self.directory}/root.ext2")

    def booted(self):
        """The path of the state in which the machine has booted."""
        return f"{self.directory}/booted-{kind()}"

    def state(self):
        """The state of the booted machine: the start of every set-up."""
        path = self.booted()
        if not self._is_of_this_image(path):
            self._boot(path)
        return path

    def state_of(self, work):
        """The state of the machine after the set-up of some scenarios; it may not exist yet."""
        return f"{self.directory}/begun-{kind()}-{work.key()}"

    def remove_other_states(self, works):
        """States that were made with other packages, scripts, set-ups or virtual hardware."""
        kept = {self.booted(), *(self.state_of(work) for work in works)}
        for path in glob.glob(f"{self.directory}/begun-*") + glob.glob(f"{self.directory}/booted-*"):
            if path not in kept or not self._is_of_this_image(path):
                os.unlink(path)

    def _is_of_this_image(self, path):
        return self.is_there() and os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(f"{self.directory}/root.ext2")

    def _boot(self, path):
        with tempfile.NamedTemporaryFile(dir=self.directory) as disk:
            disk.truncate(DISK_SIZE)
            with Machine(self.directory, f"{self.directory}/boot", disk.name) as machine:
                machine.await_boot()
                machine.save(path)
