# SPDX-License-Identifier: MIT
"""Shared by all corpora: cases, their results, and the table of all."""

import dataclasses
import os


class DataMissing(Exception):
    """The data are not installed. The text names them, and the package that has them."""


@dataclasses.dataclass
class Tally:
    """The results of one corpus. `wrong` has a line for each wrong case."""

    corpus: str
    tried: int = 0
    wrong: list = dataclasses.field(default_factory=list)
    untried: list = dataclasses.field(default_factory=list)

    def count(self, name, found, expected, lines=1):
        """`lines`: how many entries of the corpus are this case."""
        self.tried += lines
        if found != expected:
            self.wrong += [f"{name}: {found}, not {expected}"] * lines

    def row(self):
        return f"| {self.corpus} | {self.tried} | {self.tried - len(self.wrong)} | {len(self.wrong)} |"


def table(tallies):
    """The tallies as a Markdown table, and below it every case that is wrong or could not be tried."""
    lines = ["| corpus | tried | right | wrong |", "|---|---|---|---|", *(tally.row() for tally in tallies)]
    for tally in tallies:
        lines += [f"wrong in {tally.corpus}: {each}" for each in tally.wrong]
        lines += [f"not tried in {tally.corpus}: {each}" for each in tally.untried]
    return "\n".join(lines)


def first_directory(what, package, *places):
    """The first of some places that is a directory. Raises Absent."""
    for place in places:
        if os.path.isdir(place):
            return place
    raise DataMissing(f"{what} is not in {' or '.join(places)} (package {package})")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
