# SPDX-License-Identifier: MIT
"""SwiftPM's build plan: a library that is installed after a build is found by the next one."""

import os
import shutil

from benchkit.c_programs import PROJECT
from benchkit.testing import BenchTest

from test_packaging import Machine

LONG_AGO = 1_000_000_000  # seconds since 1970


class BuildPlan(BenchTest):
    """`make run` builds without libadwaita; `make deb`, `make settings` and `make install` then need it."""

    def setUp(self):
        self.project, self.machine = self.directory(), Machine(self.directory())
        os.makedirs(os.path.join(self.project, "packaging"))
        for name in ("packaging/refresh-plan", "Package.swift"):
            shutil.copy(os.path.join(PROJECT, name), os.path.join(self.project, name))
        for name in ("dirname", "mkdir", "touch"):
            os.symlink(f"/usr/bin/{name}", os.path.join(self.machine.directory, name))
        self.manifest = os.path.join(self.project, "Package.swift")
        self.install("json-c")

    def install(self, *modules):
        """pkg-config knows only these of the project's libraries."""
        known = " ".join(f"*{module}) echo -l{module}; exit 0 ;;" for module in modules)
        self.machine.stub("pkg-config", f'case "$*" in {known} esac; exit 1')

    def is_planned_again(self):
        """Whether the next build makes a new plan: SwiftPM does if Package.swift is newer."""
        os.utime(self.manifest, (LONG_AGO, LONG_AGO))
        result = self.machine.run("refresh-plan", project=self.project)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return os.stat(self.manifest).st_mtime > LONG_AGO

    def test_a_newly_installed_library_is_planned_for(self):
        self.is_planned_again()
        self.install("json-c", "libadwaita-1")
        self.assertTrue(self.is_planned_again())

    def test_the_plan_stays_while_nothing_is_installed(self):
        self.is_planned_again()
        self.assertFalse(self.is_planned_again())

    def test_a_removed_library_is_no_longer_planned_for(self):
        self.install("json-c", "libadwaita-1")
        self.is_planned_again()
        self.install("json-c")
        self.assertTrue(self.is_planned_again())
