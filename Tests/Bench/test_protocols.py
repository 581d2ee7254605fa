# SPDX-License-Identifier: MIT
"""The committed code of the Wayland protocols is the output of wayland-scanner."""

import os
import re
import subprocess

from benchkit.c_programs import PROJECT
from benchkit.requirements import Missing, program
from benchkit.testing import BenchTest

PLACE = os.path.join(PROJECT, "Sources", "CWaylandProtocols")


def scanner_version():
    path = program("wayland-scanner", "libwayland-bin")
    result = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return re.search(r"[\d.]+", result.stdout + result.stderr).group()


def contents(directory):
    """The generated files: {path below the directory: bytes}."""
    found = {}
    for part, ending in (("include", "-client-protocol.h"), ("generated", "-protocol.c")):
        for name in os.listdir(os.path.join(directory, part)):
            if name.endswith(ending):
                with open(os.path.join(directory, part, name), "rb") as file:
                    found[f"{part}/{name}"] = file.read()
    return found


class GeneratedCode(BenchTest):
    def test_it_is_the_output_of_wayland_scanner(self):
        committed = contents(PLACE)
        made_by = {re.search(rb"wayland-scanner ([\d.]+)", text).group(1).decode()
                   for text in committed.values()}
        self.assertEqual(len(made_by), 1, "regenerate them all: Sources/CWaylandProtocols/generate")
        if made_by != {scanner_version()}:
            raise Missing(f"the code was made by wayland-scanner {made_by.pop()}, and here is another")
        fresh = self.directory()
        subprocess.run([os.path.join(PLACE, "generate"), fresh], check=True)
        made = contents(fresh)
        self.assertEqual(sorted(made), sorted(committed))
        for name, text in made.items():
            self.assertEqual(text, committed[name], f"{name}: run Sources/CWaylandProtocols/generate")

    def test_a_broken_protocol_is_reported(self):
        place = self.directory()
        os.mkdir(os.path.join(place, "protocols"))
        os.symlink(os.path.join(PLACE, "generate"), os.path.join(place, "generate"))
        with open(os.path.join(place, "protocols", "torn.xml"), "w", encoding="utf-8") as file:
            file.write("<protocol name='torn'><interface")
        result = subprocess.run([os.path.join(place, "generate"), place],
                                capture_output=True, text=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("rror", result.stderr)
