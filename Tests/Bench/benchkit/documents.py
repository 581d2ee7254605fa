# SPDX-License-Identifier: MIT
"""The contents of documents: their fenced blocks, the commands in them and in running text, and their links.

Each fenced block names its language: `sh` (commands, or a script that begins with #!), `console` (commands
after "$ " with their output), `toml`, or `text` (a diagram, a table, an excerpt: not for typing).
"""

import dataclasses
import glob
import os
import re
import shlex

from .c_programs import PROJECT

LANGUAGES = ("sh", "console", "toml", "text")
PROGRAMS = ("autorotate", "make", "swift", "systemctl", "journalctl", "git", "sudo", "apt", "time", "touch", "cp", "mkdir",
            "gnome-extensions", "dbus-update-activation-environment", "Tests/Bench/", "Benchmarks/", "packaging/")
"""The first words of commands in running text. These words alone are not commands."""
_FENCE = re.compile(r"^\s*```(\S*)\s*$")
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_MARKED_UP = re.compile(r"(?<!\w)([*_])((?:autorotate|systemctl) [^*_]+)\1")
_PATH = re.compile(r"(?:Benchmarks|Config|Sources|Tests|docs|packaging)/[^\s<>]+")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")


@dataclasses.dataclass(frozen=True)
class Block:
    document: str
    line: int
    language: str
    text: str

    def __str__(self):
        return f"{self.document}:{self.line}"

    @property
    def is_script(self):
        return self.language == "sh" and self.text.startswith("#!")


@dataclasses.dataclass(frozen=True)
class Command:
    document: str
    line: int
    text: str
    shown: str = None  # the output that the document shows

    def __str__(self):
        return f"{self.document}:{self.line}: {self.text}"


def names():
    """All documents, from the project's directory."""
    patterns = ("README.md", "CONTRIBUTING.md", "docs/*.md", "packaging/man/*.scd", "Tests/Kernel/Scenarios/*.md")
    return sorted(name for pattern in patterns for name in glob.glob(pattern, root_dir=PROJECT))


def read(name):
    with open(os.path.join(PROJECT, name), encoding="utf-8") as file:
        return file.read()


def parts(name):
    """(first line, language or None for running text, lines) of all parts of a document."""
    start, language, lines = 1, None, []
    for number, line in enumerate(read(name).splitlines(), 1):
        fence = _FENCE.match(line)
        if not fence:
            lines.append(line)
            continue
        yield start, language, lines
        start, lines = number + 1, []
        language = fence[1] if language is None else None
    yield start, None, lines


def _language_in_manual(lines):
    """scdoc's blocks cannot name their language."""
    return "toml" if re.match(r"\[|[\w-]+ = ", lines[0]) else "sh"


def blocks(name):
    for line, language, lines in parts(name):
        if language is not None:
            if name.endswith(".scd"):
                language = _language_in_manual(lines)
            yield Block(name, line, language, "\n".join(lines) + "\n")


def commands(name):
    """All commands of a document, in order."""
    found = list(_running_text_commands(name))
    for block in blocks(name):
        if block.language == "console":
            found += _console_commands(block)
        elif block.language == "sh" and not block.is_script:
            found += _shell_commands(block)
    return sorted(found, key=lambda command: command.line)


def _shell_commands(block):
    """A command continues while a quote is open, or after a backslash."""
    text, start = "", block.line
    for number, line in enumerate(block.text.splitlines(), block.line):
        start = start if text else number
        text += line + "\n"
        if _is_complete(text):
            if shlex.split(text, comments=True):
                yield Command(block.document, start, text.strip())
            text = ""
    if text:
        yield Command(block.document, start, text.strip())


def _is_complete(text):
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return not text.endswith("\\\n")


def _console_commands(block):
    for printed in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.M):
        line = block.line + block.text.count("\n", 0, printed.start())
        yield Command(block.document, line, printed[1], printed[2])


def _running_text_commands(name):
    pattern = _MARKED_UP if name.endswith(".scd") else _SPAN
    for line, language, lines in parts(name):
        if language is not None:
            continue
        text = "\n".join(lines)
        for span in pattern.finditer(text):
            command = " ".join(span[span.lastindex].split()).replace("\\", "")
            if _is_command(command):
                yield Command(name, line + text.count("\n", 0, span.start()), command)


def _is_command(text):
    words = text.split()
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return len(words) > 1 and any(
        words[0] == program or program.endswith("/") and words[0].startswith(program)
        for program in PROGRAMS)


def options(name):
    """The options that running text names on their own, such as `--status --json`: (line, word)."""
    for line, language, lines in parts(name):
        text = "\n".join(lines)
        for span in _SPAN.finditer(text) if language is None else ():
            if span[1].startswith("--"):
                for word in re.findall(r"--[a-z-]+", span[1]):
                    yield line + text.count("\n", 0, span.start()), word


def paths(name):
    """The project's files that running text names, also with *: (line, path)."""
    for line, language, lines in parts(name):
        text = "\n".join(lines)
        for span in _SPAN.finditer(text) if language is None else ():
            if found := _PATH.match(span[1]):
                yield line + text.count("\n", 0, span.start()), found[0]


def links(name):
    """The files of the project that a document points to: (target as written, path, anchor or "")."""
    folder = os.path.dirname(os.path.join(PROJECT, name))
    for found in _LINK.finditer(read(name)):
        target = found[1] or found[2]
        path, _, anchor = target.partition("#")
        if not re.match(r"[a-z]+:", target):
            path = os.path.join(folder, path) if path else os.path.join(PROJECT, name)
            yield target, os.path.normpath(path), anchor


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", read(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
