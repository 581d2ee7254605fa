# SPDX-License-Identifier: MIT
"""Asks the built Swift tests (`MachineAnswers`) for the program's decisions on a tree of files like the kernel's."""

import os
import subprocess

from benchkit.c_programs import PROJECT
from benchkit.requirements import Missing

BUNDLE = os.path.join(PROJECT, ".build", "debug", "autorotatePackageTests.xctest")


def ask(place, kind, starter=(), environment=None):
    """The lines that the test of this name writes into `place`: {first field: the others}. Raises Missing.

    `starter`: the words of a program that starts it.
    """
    if not os.path.exists(BUNDLE):
        raise Missing("the Swift tests are not built (run: swift build --build-tests)")
    run = subprocess.run(
        [*starter, BUNDLE, "--testing-library", "swift-testing", "--filter", rf"MachineAnswers.*{kind}"],
        env={**os.environ, "MACHINE_QUESTIONS": place, "NO_COLOR": "1", **(environment or {})},
        capture_output=True, text=True, check=False)
    answers = os.path.join(place, "answers")
    if run.returncode != 0 or not os.path.exists(answers):
        raise AssertionError(f"no answers about {kind}: {run.stdout}{run.stderr}")
    with open(answers, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {row[0]: row[1:] for row in rows}
