# SPDX-License-Identifier: MIT
"""packaging/release-check: its table keeps what has ended."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import tempfile
import unittest

from benchkit.c_programs import PROJECT

PAGE = """# Releases
| what | command | result | commit | date |
|---|---|---|---|---|
| the first | `make first` | passed, 9 s | abc | 2026-01-01 |
| the last | `make last` | passed, 9 s | abc | 2026-01-01 |

The end.
"""


class ReleaseCheck(unittest.TestCase):
    def setUp(self):
        path = os.path.join(PROJECT, "packaging", "release-check")
        loader = importlib.machinery.SourceFileLoader("release_check", path)
        self.check = importlib.util.module_from_spec(importlib.util.spec_from_loader("release_check", loader))
        loader.exec_module(self.check)
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.real_page, self.real_items = self.check.PAGE, self.check.ITEMS
        self.check.PAGE = os.path.join(room.name, "releases.md")
        self.check.QUICK = {"first": ("the first", "true")}
        self.check.ITEMS = {**self.check.QUICK, "second": ("the second", "exit 3"), "last": ("the last", "exit 1")}
        with open(self.check.PAGE, "w", encoding="utf-8") as file:
            file.write(PAGE)

    def page(self):
        with open(self.check.PAGE, encoding="utf-8") as file:
            return file.read()

    def run_it(self, *words):
        with contextlib.redirect_stdout(io.StringIO()):
            return self.check.main(list(words))

    def test_a_check_that_was_not_run_keeps_its_row(self):
        self.assertEqual(self.run_it(), 1)
        self.assertIn("| the first | `true` | passed, 0 s | ", self.page())
        self.assertIn("| the second | `exit 3` | **not run** | – | – |", self.page())
        self.assertIn("| the last | `exit 1` | passed, 9 s | abc | 2026-01-01 |\n\nThe end.\n", self.page())

    def test_a_failure_is_in_its_row_with_the_commit(self):
        self.assertEqual(self.run_it("second"), 1)
        self.assertIn(f"| the second | `exit 3` | **failed** with status 3, 0 s | {self.check.commit()} | ", self.page())

    def test_a_skipped_test_is_a_failure(self):
        """Rows said "passed" for tests that were skipped, which CI=true makes failures."""
        self.assertTrue(self.check.run('test "$CI" = true')[0].startswith("passed, "))

    def test_the_page_has_a_row_for_each_check(self):
        self.check.PAGE = self.real_page
        self.assertEqual(list(self.check.read_page()[1]), [what for what, _command in self.real_items.values()])

    def test_an_interrupted_run_keeps_the_rows_that_it_has_finished(self):
        def interrupted(command):
            if command != "true":
                raise KeyboardInterrupt
            return "passed, 1 s", "def", "2026-02-02"

        self.check.run = interrupted
        with self.assertRaises(KeyboardInterrupt):
            self.run_it("all")
        self.assertIn("| the first | `true` | passed, 1 s | def | 2026-02-02 |", self.page())


if __name__ == "__main__":
    unittest.main()
