# SPDX-License-Identifier: MIT
"""The small faults that can be put into a Swift file: each changes one place, like a slip of the hand."""

import dataclasses
import re

import swifttext

COMPARISONS = {"<": ("<=", ">="), ">": (">=", "<="), "<=": ("<", ">"), ">=": (">", "<"),
               "==": ("!=",), "!=": ("==",)}
SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "&+": "&-", "&-": "&+",
         "<<": ">>", ">>": "<<"}
LOGIC = {"&&": "||", "||": "&&", "true": "false", "false": "true"}
NAMES = {".min(": ".max(", ".max(": ".min(", ".first": ".last", ".last": ".first",
         ".union(": ".intersection(", ".intersection(": ".union(", ".subtracting(": ".intersection("}
_NAME = re.compile("|".join(re.escape(name) + (r"\b" if name[-1] != "(" else "") for name in NAMES))
_NUMBER = re.compile(r"(?<![\w.$])\d[\d_]*(?:\.\d[\d_]*)?(?![\w.])")
_SIGN_IN_FRONT = re.compile(r"(?<=[\s(\[,])-(?=[\w(.])")
_NOT = re.compile(r"(?<=[\s(\[,])!(?=[\w(])")
_CONDITION = re.compile(r"\b(guard|if|while) ")
_NEGATED_OTHERWISE = re.compile(r"^!| (?:<|>|<=|>=|==|!=) ")  # another kind of fault negates these
_STATEMENT = re.compile(
    r"^[ \t]*(?:(?:case [^:\n]+|default): )?"
    r"(?!(?:let|var|return|guard|if|else|switch|case|for|while|throw|func|defer|default|break|private|static)\b)"
    r"(?P<what>[\w.\[\]$!?]+(?: (?:=|\+=|-=) |\())", re.MULTILINE)
# How long one process waits for another: no test depends on the exact length.
_TIME_LIMIT = re.compile(r"\b(?:let|var) \w*(?:[pP]atience|[tT]imeout)\w*\b[^\n]*$")
_MEMBERWISE = re.compile(r"self(?:\.\w+)? = ")  # of an initializer, which needs all of them


@dataclasses.dataclass(frozen=True)
class Fault:
    """One change of one file: `new` in the place of what lies from `start` to `end`."""

    path: str  # below Sources
    line: int
    start: int
    end: int
    new: str
    kind: str
    region: swifttext.Region
    old_lines: str
    new_lines: str

    def apply(self, text, region):
        """The region's text with the fault in it."""
        return text[region.start:self.start] + self.new + text[self.end:region.end]

    @property
    def target(self):
        return self.path.split("/", 1)[0]

    @property
    def place(self):
        return f"{self.path}:{self.line}"

    @property
    def place_and_kind(self):
        return f"{self.place} {self.kind}"


def faults_of(path, text):
    """All faults that can be put into one file, in the order of their places."""
    code = swifttext.masked(text)
    found = {}
    for region in swifttext.regions(code):
        for start, end, new, kind in _changes(code, text, region):
            if text[start:end] != new:
                found[start, end, new] = _fault(path, text, region, (start, end, new, kind))
    return [found[key] for key in sorted(found)]


def _fault(path, text, region, change):
    start, end, new, kind = change
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    old = text[first:last]
    changed = text[first:start] + new + text[end:last]
    return Fault(path, text.count("\n", 0, start) + 1, start, end, new, kind, region,
                 _tidy(old), _tidy(changed))


def _tidy(lines):
    return " ".join(lines.split())


def _changes(code, text, region):
    yield from _words(code, region)
    yield from _numbers(code, region)
    if region.is_body:
        yield from _conditions(code, text, region)
        yield from _statements(code, region)


def _words(code, region):
    for kind, table in (("comparison", COMPARISONS), ("sign", SIGNS), ("Boolean", LOGIC)):
        for match in re.finditer(r"(?<= )(\S+)(?=\s)|\b(true|false)\b", code[region.start:region.end]):
            for new in _as_tuple(table.get(match[0])):
                yield region.start + match.start(), region.start + match.end(), new, kind
    for pattern, new, kind in ((_SIGN_IN_FRONT, "", "sign"), (_NOT, "", "Boolean")):
        for match in pattern.finditer(code, region.start, region.end):
            yield match.start(), match.end(), new, kind
    for match in _NAME.finditer(code, region.start, region.end):
        yield match.start(), match.end(), NAMES[match[0]], "name"


def _as_tuple(value):
    return value if isinstance(value, tuple) else (value,) if value else ()


def _numbers(code, region):
    if _TIME_LIMIT.search(code[code.rfind("\n", 0, region.start) + 1:region.start]):
        return
    for match in _NUMBER.finditer(code, region.start, region.end):
        for new in _other_numbers(match[0]):
            yield match.start(), match.end(), new, "constant"


def _other_numbers(text):
    plain = text.replace("_", "")
    if "." in plain:
        return [repr(float(plain) * 2), repr(float(plain) / 2)] if float(plain) else ["1.0"]
    number = int(plain)
    return [str(number + 1)] + [str(number - 1)] * (number > 0) if number < 10 else [str(number * 2), str(number // 2)]


def _conditions(code, text, region):
    """A negated condition, and a removed one, which removes an early return."""
    for match in _CONDITION.finditer(code, region.start, region.end):
        keyword = "repeat" if code[:match.start()].endswith("} ") else match[1]
        for start, end in _parts_of_condition(code, match.end(), keyword):
            words = code[start:end]
            if re.match(r"(?:let|var|case)\b", words):
                continue
            if not _NEGATED_OTHERWISE.search(words):
                yield start, end, f"!({text[start:end]})", "condition"
            yield start, end, "false" if keyword == "if" else "true", "early return"


def _parts_of_condition(code, at, keyword):
    while True:
        while code[at].isspace():
            at += 1
        end = _end_of_part(code, at, keyword)
        yield at, len(code[:end].rstrip())
        if code[end] != ",":
            return
        at = end + 1


def _end_of_part(code, at, keyword):
    depth = 0
    while True:
        if depth == 0 and (code[at] == "," or _ends_condition(code, at, keyword)):
            return at
        depth += (code[at] in "([{") - (code[at] in ")]}")
        at += 1


def _ends_condition(code, at, keyword):
    if keyword == "guard":
        return re.match(r"\belse\b", code[at:at + 6]) is not None and not code[at - 1].isalnum()
    return code[at] == ("\n" if keyword == "repeat" else "{")


def _statements(code, region):
    """An assignment or a call that is removed."""
    for match in _STATEMENT.finditer(code, region.start, region.end):
        start = match.start("what")
        end = swifttext.end_of_expression(code, start)
        if end <= region.end and not _MEMBERWISE.match(code[start:end]):
            yield start, end, "_ = ()", "lost statement"
