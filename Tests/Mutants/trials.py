# SPDX-License-Identifier: MIT
"""Tries faults: runs the tests that reach each, several faults at once.

A failed test is run again with the fault, and once without it: a fault is considered found only if the test fails twice
with it and passes without. A crash suffices at once. A run that hangs is repeated when nothing else runs.
"""

import collections
import concurrent.futures
import contextlib
import dataclasses
import threading

import test_runs

MOST_UNSTABLE = 3  # tests that are skipped for one fault because they failed only once
LONGER_ALONE = 2


@dataclasses.dataclass(frozen=True)
class Hang:
    """A run that has to be repeated alone."""

    stage: list
    words: str


class Trials:
    """All faults of a run."""

    def __init__(self, tests, chosen, jobs):
        self.tests, self.chosen, self.jobs = tests, chosen, jobs
        self.regions = first_of_regions(chosen)
        self.unstable = collections.Counter()  # tests that failed once
        self.is_over = threading.Event()

    def measure(self, complain):
        """Runs every suite without a fault."""
        with self._pool() as pool:
            for suite, words in zip(self.tests.suites, pool.map(self.tests.measure, self.tests.suites)):
                if words:
                    complain(f"left out: {suite.name} fails without a fault: {words}")

    @contextlib.contextmanager
    def _pool(self):
        """Threads that end at once when this program is asked to end."""
        pool = concurrent.futures.ThreadPoolExecutor(self.jobs)
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            test_runs.end_all()
            raise
        finally:
            pool.shutdown()

    def run(self, numbers, note):
        """Calls note(number, how it was found or None) for each fault, until `is_over`."""
        hangs = []
        with self._pool() as pool:
            tasks = {pool.submit(self._find_in_time, number): number for number in numbers}
            for task in concurrent.futures.as_completed(tasks):
                self._keep(tasks[task], task.result(), hangs, note)
        for number, hang in hangs:
            note(number, self._repeat(number, hang))

    def _find_in_time(self, number):
        return () if self.is_over.is_set() else self.find(number)

    @staticmethod
    def _keep(number, result, hangs, note):
        if isinstance(result, Hang):
            hangs.append((number, result))
        elif result != ():
            note(number, result)

    def find(self, number):
        """How a fault was found, a Hang, or None."""
        for stage in self._stages(number):
            found = self._find_in(stage, number)
            if found:
                return found
        return None

    def _stages(self, number):
        return self.tests.stages(self.regions[number], self.chosen[number])

    def _find_in(self, stage, number):
        skipped = []
        while len(skipped) <= MOST_UNSTABLE:
            outcome = self.tests.run(stage, fault(number), skipped=skipped)
            if outcome.kind == "silence":
                return Hang(stage, outcome.words)
            if outcome.kind == "crash":
                return outcome.words
            if outcome.kind == "passed":
                return None
            if self._is_confirmed(stage, number, outcome):
                return outcome.words
            self.unstable[outcome.test] += 1
            skipped.append(outcome.test)
        return None

    def _is_confirmed(self, stage, number, outcome):
        """Whether the test fails again with the fault, and passes without."""
        again = self.tests.run(stage, fault(number), only=outcome.test)
        if again.kind == "passed":
            return False
        return self.tests.run(stage, {}, only=outcome.test).kind == "passed"

    def _repeat(self, number, hang):
        outcome = self.tests.run(hang.stage, fault(number), patience=LONGER_ALONE)
        if outcome.kind == "silence":
            return f"{hang.words}, nor alone: {outcome.words}"
        if outcome.kind == "passed":
            return self._find_in_rest(number, hang.stage)
        return outcome.words if outcome.kind == "crash" or self._is_confirmed(hang.stage, number, outcome) else None

    def _find_in_rest(self, number, done):
        stages = self._stages(number)
        for stage in stages[stages.index(done) + 1:]:
            found = self._find_in(stage, number)
            if found:
                return found.words if isinstance(found, Hang) else found
        return None


def fault(number):
    return {"MUTANT": str(number)}


def first_of_regions(chosen):
    """Number of a fault → number of the first fault of its region, by which the region is recorded."""
    first = {}
    for number in sorted(chosen):
        first.setdefault((chosen[number].path, chosen[number].region), number)
    return {number: first[each.path, each.region] for number, each in chosen.items()}
