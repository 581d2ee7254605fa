# SPDX-License-Identifier: MIT
"""Just enough of Swift's grammar to find code, and the bodies in braces."""

import dataclasses
import re

_TYPE = re.compile(r"(?<![\w.])(?:struct|enum|extension|class|protocol)\b")
_MEMBER = re.compile(r"(?<![\w.])(?:struct|enum|extension|class|protocol|func|init|subscript|var)\b")
_STORED = re.compile(r"(?<![\w.])(?:let|var) \w+(?:: [^={}\n]+?)? =\s+")
_ACCESSOR = re.compile(r"\s*(?:nonmutating |mutating )?(?:get|set|willSet|didSet)\b(?:\(\w+\))?(?: throws)?\s*(?=\{)")
_RAW_STRING = re.compile(r'(#+)(?:"""(?:.|\n)*?"""|"[^\n]*?")\1')
_OPEN, _CLOSE = "([{", ")]}"


@dataclasses.dataclass(frozen=True)
class Region:
    """A piece of code that can be changed: the inside of a body, or a stored property's first value."""

    start: int
    end: int
    is_body: bool


def masked(text):
    """The same text with a space in the place of each comment character, and an underscore for quoted ones."""
    out = list(text)
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            end = _end_of_line(text, at)
            out[at:end] = " " * (end - at)
        elif text.startswith("/*", at):
            end = text.index("*/", at) + 2
            out[at:end] = [each if each == "\n" else " " for each in text[at:end]]
        elif raw := _RAW_STRING.match(text, at):
            end = raw.end()
            out[at:end] = [each if each == "\n" else "_" for each in raw[0]]
        elif text[at] == '"':
            end = _end_of_string(text, at)
            out[at + 1:end - 1] = [each if each == "\n" else "_" for each in text[at + 1:end - 1]]
        else:
            end = at + 1
        at = end
    return "".join(out)


def _end_of_line(text, at):
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _end_of_string(text, at):
    quote = '"""' if text.startswith('"""', at) else '"'
    at += len(quote)
    while not text.startswith(quote, at):
        if text.startswith("\\(", at):
            at = _end_of_interpolation(text, at + 1)
        elif text[at] == "\\":
            at += 2
        else:
            at += 1
    return at + len(quote)


def _end_of_interpolation(text, at):
    depth = 0
    while True:
        if text[at] == '"':
            at = _end_of_string(text, at)
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
        if depth == 0:
            return at


def closing(code, opening):
    """Where the bracket at `opening` is closed. `code` is masked."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] in _OPEN) - (code[at] in _CLOSE)
        if depth == 0:
            return at
    raise ValueError("a bracket is never closed")


def end_of_expression(code, at, stops=""):
    """Where an expression ends that starts at `at`: at a line's end, an unpaired bracket, or one of `stops`."""
    depth = 0
    while at < len(code):
        if depth == 0 and (code[at] in stops or code[at] in _CLOSE):
            return at
        if depth == 0 and code[at] == "\n" and not _continues(code, at):
            return at
        depth += (code[at] in _OPEN) - (code[at] in _CLOSE)
        at += 1
    return at


def _continues(code, line_end):
    """Whether the expression continues in the next line."""
    following = code[line_end:].lstrip()
    return following[:1] in ("?", ":", ".", "+", "-", "&", "|") or code[:line_end].rstrip()[-1:] in "=,+&|?:"


def regions(code):
    """All regions of a file; `code` is masked."""
    return list(_regions(code, 0, len(code)))


def _regions(code, at, end):
    """The regions between `at` and `end`, which is outside of all bodies."""
    since = at
    while at < end:
        stored = _STORED.match(code, at)
        if stored and not code[stored.end()] == "{":
            value_end = _end_of_value(code, stored.end())
            yield Region(stored.end(), value_end, False)
            at = since = value_end
        elif code[at] == "{":
            close = closing(code, at)
            kinds = _MEMBER.findall(code[since:at])
            if kinds and _TYPE.fullmatch(kinds[-1]):
                yield from _regions(code, at + 1, close)
            elif _ACCESSOR.match(code, at + 1):
                yield from _accessors(code, at + 1)
            elif kinds:
                yield Region(at + 1, close, True)
            at = since = close + 1
        elif code[at] in "([":
            at = closing(code, at) + 1
        else:
            at += 1


def _end_of_value(code, at):
    """Where a stored property's first value ends: before its observers, if it has any."""
    end = end_of_expression(code, at)
    observers = next((match.start() for match in re.finditer(r" \{", code[at:end])
                      if _ACCESSOR.match(code, at + match.end())), end - at)
    return at + observers


def _accessors(code, at):
    """The bodies of a property's `get`, `set`, `willSet` and `didSet`."""
    while accessor := _ACCESSOR.match(code, at):
        close = closing(code, accessor.end())
        yield Region(accessor.end() + 1, close, True)
        at = close + 1
