# SPDX-License-Identifier: MIT
"""Runs test classes at the same time, each in a worker process of its own, and collects a result for each test.

    TestClasses ──▶ Pool ──fork──▶ worker: setUpClass, its tests one after the other, tearDownClass
                     ▲               │ one JSON line per test, over a pipe
                     └───────────────┘

A worker has its own directory, and ends every process that its tests leave behind. A test that its worker did not
report (because the worker died) has failed.
"""

import dataclasses
import json
import os
import selectors
import shutil
import time
import unittest

from . import supervisor
from .testing import Runner

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclasses.dataclass
class Result:
    """How one test ended. `seconds` is None for a test that did not begin."""

    name: str
    outcome: str
    seconds: float = None
    text: str = ""

    def line(self):
        seconds = "" if self.seconds is None else f" ({self.seconds:.2f} s)"
        return f"{self.outcome:7} {self.name}{seconds}{self.text}"


def name_of(test):
    """As in a result line: "sway Turning.test_left"."""
    return test.id().removeprefix("test_").replace(".", " ", 1)


class TestClass:
    """The chosen tests of one class."""

    def __init__(self, tests):
        self.tests = tests
        self.name = name_of(tests[0]).rpartition(".")[0]
        self.exclusive = frozenset(getattr(type(tests[0]), "exclusive", ()))

    def names(self):
        return [name_of(test) for test in self.tests]


def classes_of(tests):
    """Groups tests by their class, in the order in which the classes first appear."""
    groups = {}
    for test in tests:
        groups.setdefault(type(test), []).append(test)
    return [TestClass(group) for group in groups.values()]


class Recorder(unittest.TestResult):
    """Reports each test when it ends."""

    def __init__(self, report, names):
        super().__init__()
        self.report = report
        self.pending = list(names)
        self.began = 0.0
        self.current = None
        self.reason = None  # why the class could not be set up

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.current = Result(name_of(test), PASSED)

    def stopTest(self, test):
        super().stopTest(test)
        self.current.seconds = time.monotonic() - self.began
        self._send(self.current)
        self.current = None

    def stopTestRun(self):
        """Reports the tests that did not run because setUpClass failed."""
        super().stopTestRun()
        outcome, text = self.reason or (FAILED, ": it was not run")
        for name in list(self.pending):
            self._send(Result(name, outcome, text=text))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if os.environ.get("CI") == "true":
            self._end(FAILED, f"\n  skipped, but CI must have it: {reason}")
        else:
            self._end(SKIPPED, f": {reason}")

    def addError(self, test, err):
        if isinstance(err[1], supervisor.Interrupted):
            raise err[1]  # unittest would continue with the next test
        super().addError(test, err)
        self._fail(self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(self.failures[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self._fail(f"  {subtest.params}\n{self._exc_info_to_string(err, test)}")

    def _fail(self, text):
        before = self.current.text if self.current and self.current.outcome == FAILED else ""
        self._end(FAILED, f"{before}\n{text.rstrip()}")

    def _end(self, outcome, text):
        """For the running test, or, in setUpClass, for all later ones."""
        if self.current:
            self.current.outcome, self.current.text = outcome, text
        else:
            self.reason = outcome, text

    def _send(self, result):
        if result.name in self.pending:
            self.pending.remove(result.name)
        self.report(result)


class Worker:
    """The process that runs one class."""

    def __init__(self, test_class):
        self.test_class = test_class
        self.directory = supervisor.temporary_directory()
        self.missing = test_class.names()
        self.received = b""
        self.is_at_end = False  # it reports nothing more
        self.output, writing = os.pipe()
        os.set_blocking(self.output, False)
        self.process = supervisor.fork_work(lambda place: self._run(place, writing), self.directory)
        os.close(writing)
        self.ended = os.pidfd_open(self.process)

    def _run(self, directory, writing):
        os.close(self.output)
        Runner.directory = directory
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            def report(result):
                pipe.write(json.dumps(dataclasses.asdict(result)) + "\n")
                pipe.flush()

            recorder = Recorder(report, self.test_class.names())
            unittest.TestSuite(self.test_class.tests).run(recorder)
            recorder.stopTestRun()
        return 0

    def results(self):
        """Results that have arrived since the last call."""
        while chunk := self._read():
            self.received += chunk
        *lines, self.received = self.received.split(b"\n")
        found = [Result(**json.loads(line)) for line in lines]
        for result in found:
            if result.name in self.missing:
                self.missing.remove(result.name)
        return found

    def _read(self):
        try:
            chunk = os.read(self.output, 1 << 16)
        except BlockingIOError:
            return b""
        self.is_at_end = not chunk
        return chunk

    def finish(self):
        """After its end: the results that were still on their way, and a failure for each test without one."""
        results = self.results()
        _, status = os.waitpid(self.process, 0)
        os.close(self.ended)
        os.close(self.output)
        shutil.rmtree(self.directory, ignore_errors=True)  # the worker was killed before it could
        text = f"\n  its worker ended before it, with status {os.waitstatus_to_exitcode(status)}"
        return results + [Result(name, FAILED, text=text) for name in self.missing]


class Pool:
    """Runs at most `jobs` classes at the same time, the longest first."""

    def __init__(self, jobs, expected_seconds):
        self.jobs = jobs
        self.expected_seconds = expected_seconds
        self.selector = selectors.DefaultSelector()
        self.running = []

    def run(self, test_classes):
        """Yields a Result for each test, as they end."""
        waiting = sorted(test_classes, key=self.expected_seconds, reverse=True)
        while waiting or self.running:
            self._start(waiting)
            for key, _ in self.selector.select():
                yield from self._receive(key.data, has_ended=key.fd == key.data.ended)

    def _start(self, waiting):
        for test_class in list(waiting):
            if len(self.running) >= self.jobs:
                return
            if any(worker.test_class.exclusive & test_class.exclusive for worker in self.running):
                continue
            waiting.remove(test_class)
            self._add(Worker(test_class))

    def _add(self, worker):
        self.running.append(worker)
        for descriptor in (worker.output, worker.ended):
            self.selector.register(descriptor, selectors.EVENT_READ, worker)

    def _receive(self, worker, has_ended):
        if worker not in self.running:
            return []
        if not has_ended:
            found = worker.results()
            if worker.is_at_end:
                self._ignore(worker.output)
            return found
        self._ignore(worker.output)
        self._ignore(worker.ended)
        self.running.remove(worker)
        return worker.finish()

    def _ignore(self, descriptor):
        if descriptor in self.selector.get_map():
            self.selector.unregister(descriptor)
