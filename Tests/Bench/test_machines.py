# SPDX-License-Identifier: MIT
"""Public data of real machines: a small part of `make test-machines`; and a libwacom that is broken or replaced."""

import os
import subprocess
import sys

from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.requirements import SKIPPED, Missing
from benchkit.testing import BenchTest

MACHINES = os.path.join(PROJECT, "Tests/Machines")
sys.path.append(MACHINES)

from machinekit import answers, touch  # noqa: E402


class Machines(BenchTest):
    def test_public_data_of_real_machines_give_correct_results(self):
        run = subprocess.run([os.path.join(MACHINES, "test-machines"), "--light"], capture_output=True, text=True,
                             check=False)
        if run.returncode == SKIPPED:
            raise Missing(run.stdout + run.stderr)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class OtherLibWacom(BenchTest):
    """Then the bus, INPUT_PROP_DIRECT and the size decide. Devices that these do not identify are left alone."""

    PLACES = [
        (touch.Device("Wired pen", touch.BUSES["i2c"]), touch.PANEL),
        (touch.Device("Wacom Cintiq Pro 16 Pen", touch.BUSES["usb"], 0x056A, 0x0350), touch.LEFT_ALONE),
        (touch.Device("Wacom Intuos Pro M Pen", touch.BUSES["usb"], 0x056A, 0x0357, is_direct=False), touch.LEFT_ALONE),
        (touch.Device("Wacom ISDv4 E6 Pen", touch.BUSES["usb"], 0x056A, 0x00E6), touch.LEFT_ALONE)]
    LACKING = "void *libwacom_database_new(void) { return 0; }"
    FUNCTIONS = ("database_destroy", "new_from_path", "new_from_usbid", "destroy", "list_devices_from_database",
                 "get_vendor_id", "get_product_id", "get_integration_flags", "get_paired_device", "match_get_vendor_id",
                 "match_get_product_id")

    def places(self, starter=(), **environment):
        place = self.directory()
        nodes = [touch.describe(place, number, device) for number, (device, _) in enumerate(self.PLACES)]
        found = answers.ask(place, "touch", starter, environment)
        return [found.get(node, [None])[0] for node in nodes]

    def assertOthersDecide(self, *arguments, **environment):
        self.assertEqual(self.places(*arguments, **environment), [expected for _, expected in self.PLACES])

    def with_library(self, contents):
        """A directory with a libwacom.so.9 that consists of these bytes."""
        directory = self.directory()
        with open(os.path.join(directory, "libwacom.so.9"), "wb") as file:
            file.write(contents)
        return directory

    def compiled(self, source):
        directory = self.directory()
        subprocess.run([requirements.program("cc", "gcc"), "-shared", "-fPIC", "-xc", "-", "-o",
                        os.path.join(directory, "libwacom.so.9")], input=source, text=True, check=True)
        return directory

    def test_an_invalid_library_decides_nothing(self):
        self.assertOthersDecide(LD_LIBRARY_PATH=self.with_library(b"no ELF"))

    def test_a_library_that_lacks_functions_decides_nothing(self):
        self.assertOthersDecide(LD_LIBRARY_PATH=self.compiled(self.LACKING))

    def test_a_library_without_a_database_decides_nothing(self):
        others = "".join(f"void *libwacom_{name}(void) {{ __builtin_trap(); }}\n" for name in self.FUNCTIONS)
        self.assertOthersDecide(LD_LIBRARY_PATH=self.compiled(f"{self.LACKING}\n{others}"))

    def test_a_broken_database_decides_nothing(self):
        if not os.path.isdir("/usr/share/libwacom"):
            raise Missing("libwacom's database is not installed (package libwacom-common)")
        broken = self.directory()
        for name, text in (("broken.tablet", "[Device\nName="), ("empty.tablet", ""), ("libwacom.stylus", "\0")):
            touch.corpus.write(os.path.join(broken, name), text)
        words = ["unshare", *["--map-root-user"] * (os.geteuid() != 0), "--mount"]
        if subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
            raise Missing("no mounts of its own for a process are permitted here")
        self.assertOthersDecide([*words, "sh", "-c", 'mount --bind "$0" /usr/share/libwacom && exec "$@"', broken])
