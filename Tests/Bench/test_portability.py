# SPDX-License-Identifier: MIT
"""No processor is assumed: C is compiled with signed and unsigned characters, and for ARM if a compiler is installed;
pages may have any size."""

import ctypes
import glob
import os
import shutil
import subprocess

from benchkit.c_programs import BENCH, PROJECT
from benchkit.requirements import Missing, program
from benchkit.testing import BenchTest

SOURCES = os.path.join(PROJECT, "Sources")
LAYOUTS = os.path.join(BENCH, "portability", "layouts.c")
STACK = os.path.join(BENCH, "portability", "stack.c")
STRICT = ("-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-Wtype-limits", "-Wcast-align=strict", "-O2", "-fPIC")


def shims():
    return sorted(path for ending in ("c", "cpp") for path in glob.glob(f"{SOURCES}/C*/**/*.{ending}", recursive=True))


class Characters(BenchTest):
    """On x86, C's char is signed; on ARM, it is not."""

    def compile(self, path, *options):
        """Compiles one file, and returns the object."""
        language = ["-std=c++17"] if path.endswith(".cpp") else ["-std=gnu11"]
        compiler = program("g++" if path.endswith(".cpp") else "gcc", "g++")
        made = os.path.join(self.directory(), "made.o")
        folder = os.path.dirname(path)
        result = subprocess.run(
            [compiler, *language, *STRICT, *options, f"-I{folder}/include", f"-I{folder}/../include", f"-I{SOURCES}",
             f"-I{SOURCES}/CLoader/include",
             "-c", path, "-o", made], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""), f"{path} {options}")
        return made

    def test_all_c_compiles_with_signed_and_unsigned_characters(self):
        for path in [*shims(), LAYOUTS]:
            for signed in ("-fsigned-char", "-funsigned-char"):
                with self.subTest(path=path, signed=signed):
                    self.compile(path, signed)

    def test_the_option_has_an_effect(self):
        for option, wanted in (("-fsigned-char", 1), ("-funsigned-char", 0)):
            made = self.compile(LAYOUTS, option)
            library = made.replace(".o", ".so")
            subprocess.run([program("gcc", "gcc"), "-shared", made, "-o", library], check=True)
            self.assertEqual(ctypes.c_int.in_dll(ctypes.CDLL(library), "char_is_signed").value, wanted)


class Pages(BenchTest):
    def test_the_stack_of_a_call_that_has_ended_is_released(self):
        made = os.path.join(self.directory(), "made")
        shim = os.path.join(SOURCES, "CSystemdShims")
        subprocess.run([program("gcc", "gcc"), "-O2", f"-I{shim}/include", STACK, f"{shim}/shims.c", "-o", made], check=True)
        self.assertEqual(subprocess.run([made], check=False).returncode, 0)


class Arm(BenchTest):
    def test_layouts_match_those_of_arm(self):
        """With the cross compiler, if it is installed: gcc-aarch64-linux-gnu and libc6-dev-arm64-cross."""
        if not shutil.which("aarch64-linux-gnu-gcc"):
            raise Missing("there is no compiler for ARM (package gcc-aarch64-linux-gnu)")
        headers = self.directory()
        for name in ("systemd", "xcb"):
            os.symlink(f"/usr/include/{name}", os.path.join(headers, name))
        subprocess.run(["aarch64-linux-gnu-gcc", "-std=gnu11", *STRICT, f"-I{SOURCES}", f"-I{headers}", "-c", LAYOUTS,
                        "-o", os.path.join(headers, "made.o")], check=True)
