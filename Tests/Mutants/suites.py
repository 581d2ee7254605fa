# SPDX-License-Identifier: MIT
"""The suites of the Swift tests: what each reaches, and which are run for a fault.

A run of each suite without a fault records how long it takes and which regions with faults it reaches. For a fault
only those suites are run that reach its region, in stages: the suites of the fault's target and the quick ones first.
"""

import dataclasses
import os
import re
import subprocess
import sys
import tempfile

import copied_package
import test_runs

BENCH = os.path.join("Tests", "Bench", "bench")
# Suites that need a private X server or a mock sensor, and the options of `bench run`. Others do not need one.
FOLDING = ("--base", "last", "--hinge", "hinge,screen,keyboard",
           "--switches", "tablet,twin,lid,dock,keys,cover,lock-key")
BENCHES = (("DesktopBackendsTests.OnServer", ()),
           ("SensorSourcesTests.IIOAccelerometerTests", ("--accelerometer",)),
           ("SensorSourcesTests.IIOGyroscopeTests", ("--accelerometer", "--gyro", "same")),
           ("SensorSourcesTests.IIOGyroscopeTests", ("--accelerometer", "--gyro", "own")),
           ("SensorSourcesTests.PostureTests", ("--accelerometer", *FOLDING)))
ALONE = "DesktopBackendsTests.OnServer/Kill"  # waits for every child of the process, those of other tests included
QUICK = 3  # seconds
LONGEST_WAIT = 15  # seconds; a test waits no longer for something that a fault prevents
SHORTEST_SILENCE = 20  # seconds without output before a run is considered hanging
LONGER_SILENCE = 10  # times the longest without a fault
LONGER_RUN = 30  # times that without a fault
MISSING = 77  # status of `bench run` where a requirement is missing


@dataclasses.dataclass
class Suite:
    """One suite, on its bench."""

    name: str  # Target.Type/Type, or Target.function for a test outside a type
    bench: tuple = None
    duration: float = 0
    longest_silence: float = 0
    reached: frozenset = frozenset()

    @property
    def target(self):
        return self.name.split(".", 1)[0]

    @property
    def pattern(self):
        return _pattern(self.name) + ("[(]" if _is_function(self.name) else "/")


def _is_function(name):
    return "/" not in name and not name.split(".", 1)[1][:1].isupper()


def _pattern(name):
    """A regular expression of Swift's for a test's identifier."""
    return "".join(each if each.isalnum() or each in "_/" else "." for each in name)


def _parts(identifier):
    """The parts between slashes; a raw identifier in backticks may contain some."""
    return re.findall(r"(?:`[^`]*`|[^/`])+", identifier)


class Suites:
    """Suites that can be measured and run. `identifiers` are all their tests."""

    longest_wait = LONGEST_WAIT
    shortest_silence = SHORTEST_SILENCE

    def __init__(self, identifiers, suites):
        self.identifiers, self.suites = identifiers, suites

    def keep(self, expression):
        """Leaves out the suites whose names do not match."""
        self.suites = [suite for suite in self.suites if re.search(expression, suite.name)]

    def _command(self, suites, only, skipped):
        raise NotImplementedError

    def run(self, suites, variables, only=None, skipped=(), patience=1):
        """Runs suites on the same bench; `only` and `skipped` are names of tests in the output."""
        longest_silence = max(suite.longest_silence for suite in suites)
        silence = max(self.shortest_silence, LONGER_SILENCE * longest_silence) * patience
        longest = max(6 * self.shortest_silence, LONGER_RUN * sum(suite.duration for suite in suites)) * patience
        variables = {"TEST_LONGEST_WAIT": str(self.longest_wait), **variables}
        return test_runs.run(self._command(suites, only, skipped), variables, silence, longest)

    def measure(self, suite):
        """Runs one suite without a fault. Returns its error, or None."""
        suite.longest_silence, suite.duration = 6 * self.shortest_silence / LONGER_SILENCE, self.shortest_silence
        for _attempt in range(3):
            with tempfile.TemporaryDirectory(prefix="reached-", dir=copied_package.PLACE) as directory:
                record = os.path.join(directory, "regions")
                outcome = self.run([suite], {"MUTANTS_REACHED": record})
                suite.reached = _numbers(record)
            if outcome.kind == "passed":
                suite.duration, suite.longest_silence = outcome.duration, outcome.longest_silence
                return None
            if outcome.words.startswith(f"ended with {MISSING}:"):
                break
        suite.reached = frozenset()
        return outcome.words


class SwiftTests(Suites):
    """The program that runs the tests, and its suites."""

    def __init__(self, program, targets):
        self.command = [program, "--testing-library", "swift-testing"]
        completed = subprocess.run([*self.command, "--list-tests"], capture_output=True, text=True, check=False)
        identifiers = [line.strip() for line in completed.stdout.splitlines() if line.split(".", 1)[0] in targets]
        if not identifiers:
            sys.exit(f"mutants: the tests cannot be listed:\n{completed.stdout[-1000:]}{completed.stderr[-1000:]}")
        names = dict.fromkeys(self._suite_of(identifier) for identifier in identifiers)
        super().__init__(identifiers, [suite for name in names for suite in self._on_benches(name)])

    @staticmethod
    def _suite_of(identifier):
        parts = _parts(identifier)
        return "/".join(parts[:-1]) if len(parts) > 1 else identifier.split("(")[0]

    @staticmethod
    def _on_benches(name):
        benches = [options for start, options in BENCHES if (name + "/").startswith(start + "/")]
        return [Suite(name, bench) for bench in benches or [None]]

    def _command(self, suites, only, skipped):
        patterns = self._tests_named(only, suites) or [suite.pattern for suite in suites]
        command = [*self.command, "--filter", f"^({'|'.join(patterns)})"]
        for test in skipped:
            command += ["--skip", f"^({'|'.join(self._tests_named(test, suites)) or 'none'})"]
        return command if suites[0].bench is None else [BENCH, "run", *suites[0].bench, "--", *command]

    def _tests_named(self, shown, suites):
        """Patterns of the tests that the output shows by this name."""
        if not shown:
            return []
        wanted = shown.strip('"`').split("(")[0]
        places = tuple(suite.name for suite in suites)
        return [_pattern(identifier) for identifier in self.identifiers if identifier.startswith(places)
                and _parts(identifier)[-1].split(".")[-1].split("(")[0].strip("`") == wanted]

    def stages(self, region, fault):
        """Lists of suites that reach the region of a fault, each to be run together, those of its target first."""
        own = f"{fault.target}Tests"
        stages = {}
        for suite in self.suites:
            if region in suite.reached:
                alone = suite.name == ALONE
                order = (suite.target != own, suite.duration > QUICK, suite.bench is not None)
                stages.setdefault((*order, suite.target, suite.bench or (), alone), []).append(suite)
        return [stages[key] for key in sorted(stages)]


def _numbers(path):
    if not os.path.exists(path):
        return frozenset()
    with open(path, encoding="utf-8") as file:
        return frozenset(int(line) for line in file)
