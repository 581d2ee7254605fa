# SPDX-License-Identifier: MIT
"""The tarball of a release: identical wherever it is made, and complete for a build without a network."""

import os
import shutil
import subprocess
import tarfile

from benchkit.c_programs import PROJECT
from benchkit.requirements import Missing
from benchkit.testing import BenchTest

DIST = os.path.join(PROJECT, "packaging", "dist")


def printed(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=True,
                          env={**os.environ, **environment}).stdout.strip()


class Tarball(BenchTest):
    def setUp(self):
        if not os.path.exists(os.path.join(PROJECT, ".git")):
            raise Missing("this is no clone: a tarball is made of a commit")
        if not os.path.isdir(os.path.join(PROJECT, ".build", "checkouts")):
            raise Missing("swift-argument-parser was not fetched (run: swift package resolve)")
        self.version = printed(os.path.join(PROJECT, "packaging", "version"))

    def made(self, umask="022", **environment):
        return printed("sh", "-c", f'umask {umask}; exec "$@"', "sh", DIST, self.directory(), **environment)

    def test_the_same_commit_makes_the_same_file(self):
        paths = [self.made(), self.made("077", TZ="Asia/Shanghai", LC_ALL="C.UTF-8", TMPDIR=self.directory())]
        contents = []
        for path in paths:
            with open(path, "rb") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])

    def test_it_has_all_that_an_offline_build_needs(self):
        with tarfile.open(self.made()) as tar:
            names = set(tar.getnames())
        top = f"autorotate-{self.version}"
        for name in ("Package.swift", "Makefile", "LICENSE", "debian/rules", "debian/changelog",
                     "vendor/swift-argument-parser/Package.swift", "vendor/swift-argument-parser/LICENSE.txt",
                     "vendor/swift-argument-parser/Sources/ArgumentParser/Parsing/ArgumentSet.swift"):
            self.assertIn(f"{top}/{name}", names)

    def test_no_placeholder_is_left(self):
        with tarfile.open(self.made()) as tar:
            for name in ("debian/control", "debian/tests/control", "debian/changelog", "packaging/rpm/autorotate.spec",
                         "packaging/aur/PKGBUILD", "packaging/nix/autorotate.nix"):
                text = tar.extractfile(f"autorotate-{self.version}/{name}").read().decode()
                self.assertNotRegex(text, "@[A-Z_]+@", name)

    def test_swift_uses_no_network_with_the_sources_beside_it(self):
        with tarfile.open(self.made()) as tar:
            tar.extractall(place := self.directory())
        swift = shutil.which("swift", path=os.environ["PATH"] + ":/usr/libexec/swift/bin")
        if not swift:
            raise Missing("swift is not in PATH")
        output = printed(swift, "package", "--package-path", os.path.join(place, f"autorotate-{self.version}"),
                         "show-dependencies", "--format", "flatlist")
        self.assertEqual(output, "swift-argument-parser")

    def test_a_full_disk_leaves_no_partial_file(self):
        place = self.directory()
        small = f'mount -t tmpfs -o size=64k none "{place}" && {{ "{DIST}" "{place}"; echo "status $?"; ls -A "{place}"; }}'
        result = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", small],
                                capture_output=True, text=True, check=False)
        if "status" not in result.stdout:
            raise Missing(f"no file system of our own can be mounted here: {result.stderr.strip()}")
        self.assertEqual(result.stdout, "status 1\n")
        self.assertIn(f"dist: {place} could not be written", result.stderr)

    def test_without_a_commit_it_explains_what_to_do(self):
        place = self.directory()
        shutil.copytree(os.path.join(PROJECT, "packaging"), os.path.join(place, "packaging"))
        result = subprocess.run([os.path.join(place, "packaging", "dist")], capture_output=True, text=True, check=False,
                                env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(place)})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("dist: this is no clone of autorotate", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)


class Version(BenchTest):
    def test_a_candidate_comes_before_its_release(self):
        packaged = printed(os.path.join(PROJECT, "packaging", "version"), "--packaged")
        plain = packaged.split("~")[0]
        if packaged != plain:
            subprocess.run(["dpkg", "--compare-versions", packaged, "lt", plain], check=True)
