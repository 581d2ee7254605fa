# SPDX-License-Identifier: MIT
"""A copy of the project under .build/mutants, whose sources may have faults in them.

Its manifest is the project's own, reduced to the test targets that are run and their dependencies. Only targets
that can have faults are copied; everything else is a link to the project.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys

import schemata

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
PLACE = os.path.join(PROJECT, ".build", "mutants")

CORE = "Autorotation"
TARGETS = (CORE, "System", "Configuration", "SensorSources", "DesktopBackends")
SWITCH = "Mutants.swift"
PARSER = "swift-argument-parser"
NOT_LINKED = {".git", ".build", "Package.swift", "Package.resolved", "Sources", "Tests", "vendor"}
# A fault makes some code superfluous, which causes compiler warnings. They are suppressed, which allows no setting.
WARNING_SETTING = re.compile(r"^ +\.treat(All)?Warnings?\(.*\n", re.MULTILINE)
ERROR = re.compile(r"/Sources/(\S+?\.swift):(\d+):\d+: error: (.*)")


def sources(target):
    """Path below Sources → text."""
    found = {}
    top = os.path.join(PROJECT, "Sources")
    for directory, names, files in os.walk(os.path.join(top, target)):
        names.sort()
        for name in sorted(name for name in files if name.endswith(".swift")):
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8") as file:
                found[os.path.relpath(path, top)] = file.read()
    return found


def write(path, text):
    """Leaves a file with the same text alone, so that it is not compiled again."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def link(source, path):
    if os.path.islink(path):
        os.unlink(path)
    elif os.path.isdir(path):
        shutil.rmtree(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(source, path)


class Targets:
    """The targets of Package.swift, and what each depends on."""

    def __init__(self):
        completed = subprocess.run(["swift", "package", "--package-path", PROJECT, "dump-package"],
                                   capture_output=True, text=True, check=False)
        if completed.returncode != 0:
            sys.exit(f"mutants: Package.swift cannot be read:\n{completed.stderr[-2000:]}")
        self.dependencies, self.products, self.tests = {}, {}, []
        for target in json.loads(completed.stdout)["targets"]:
            named = collections.defaultdict(set)
            for dependency in target["dependencies"]:
                for kind, values in dependency.items():
                    named["product" if kind == "product" else "target"].add(values[0])
            self.dependencies[target["name"]] = named["target"]
            self.products[target["name"]] = named["product"]
            if target["type"] == "test":
                self.tests.append(target["name"])

    def with_dependencies(self, names):
        """These targets and all their dependencies, direct or not."""
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.dependencies[name]
        return found

    def tests_of(self, target):
        """The test targets that can find a fault in a target, its own first. The core's own tests should find all."""
        own = f"{target}Tests"
        if target == CORE:
            return [own]
        others = [name for name in self.tests if name != own and target in self.with_dependencies([name])]
        return [own] + others


class Package:
    """The copy, for faults in some targets."""

    def __init__(self, faulty):
        targets = Targets()
        self.faulty = faulty
        self.tests = list(dict.fromkeys(name for target in faulty for name in targets.tests_of(target)))
        self.configuration = "release" if faulty == [CORE] else "debug"  # the core's tests compute, the others wait
        kept = targets.with_dependencies(self.tests)
        needs_parser = any(targets.products[name] for name in kept)
        self._link_project()
        self._copy_sources(kept)
        self._write_manifest(kept, needs_parser)

    def _link_project(self):
        for name in set(os.listdir(PROJECT)) - NOT_LINKED:
            link(os.path.join(PROJECT, name), os.path.join(PLACE, name))
        for top in ("Sources", "Tests"):
            self._remove_outdated(os.path.join(PLACE, top), os.listdir(os.path.join(PROJECT, top)))
            for name in set(os.listdir(os.path.join(PROJECT, top))) - set(TARGETS):
                link(os.path.join(PROJECT, top, name), os.path.join(PLACE, top, name))

    @staticmethod
    def _remove_outdated(directory, known):
        """Files of an earlier run that are no longer part of the project."""
        for name in set(os.listdir(directory) if os.path.isdir(directory) else []) - set(known):
            path = os.path.join(directory, name)
            os.unlink(path) if os.path.islink(path) or os.path.isfile(path) else shutil.rmtree(path)

    def _copy_sources(self, kept):
        for name in kept & set(TARGETS):
            switch = os.path.join(name, SWITCH)
            texts = {**sources(name), switch: schemata.SWITCH}
            top = os.path.join(PLACE, "Sources")
            for directory, _names, files in os.walk(os.path.join(top, name)):
                for path in (os.path.join(directory, file) for file in files):
                    if os.path.relpath(path, top) not in texts:
                        os.unlink(path)
            for path, text in texts.items():
                if name not in self.faulty or path == switch:  # the others are written with their faults
                    write(os.path.join(top, path), text)

    def _write_manifest(self, kept, needs_parser):
        with open(os.path.join(PROJECT, "Package.swift"), encoding="utf-8") as file:
            text = file.read()
        names = ", ".join(f'"{name}"' for name in sorted(kept))
        text = WARNING_SETTING.sub("", text) + (
            f"\nlet kept: Set<String> = [{names}]\n"
            "package.targets.removeAll { !kept.contains($0.name) }\n"
            "package.products.removeAll()\n")
        if needs_parser:
            self._provide_parser()
        else:
            text += "package.dependencies.removeAll()\n"
        write(os.path.join(PLACE, "Package.swift"), text)

    @staticmethod
    def _provide_parser():
        """The sources that the project was built with, if it was: they need not be downloaded again."""
        for place in ("vendor", os.path.join(".build", "checkouts")):
            source = os.path.join(PROJECT, place, PARSER)
            if os.path.isdir(source):
                link(source, os.path.join(PLACE, "vendor", PARSER))
                return

    @staticmethod
    def put(target, chosen):
        """Writes a target with these faults, {number: fault}. Returns path → text written."""
        all_written = {}
        for path, text in sources(target).items():
            own = [(number, fault) for number, fault in chosen.items() if fault.path == path]
            all_written[path] = written = schemata.Written(text, own)
            write(os.path.join(PLACE, "Sources", path), written.text)
        return all_written

    def complaints(self, target):
        """The compiler's errors in a target: (path, line, words)."""
        completed = self._swift_build("--target", target)
        found = sorted({(match[1], int(match[2]), match[3]) for match in ERROR.finditer(completed.stdout)})
        if completed.returncode != 0 and not found:
            sys.exit(f"mutants: {target} does not compile:\n{completed.stdout[-4000:]}{completed.stderr[-2000:]}")
        return found

    def build(self):
        """Returns the program that runs the tests."""
        completed = self._swift_build("--build-tests")
        if completed.returncode != 0:
            sys.exit(f"mutants: the tests do not build:\n{completed.stdout[-4000:]}{completed.stderr[-2000:]}")
        return self.built("autorotatePackageTests.xctest")

    def built(self, name):
        return os.path.join(PLACE, ".build", self.configuration, name)

    def _swift_build(self, *arguments):
        command = ["swift", "build", "--package-path", PLACE, "-c", self.configuration, *arguments,
                   "-Xswiftc", "-enable-testing", "-Xswiftc", "-suppress-warnings"]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
