# SPDX-License-Identifier: MIT
"""The manuals name everything that the program has, and nothing that it has not."""

import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree

from benchkit.c_programs import PROJECT
from benchkit.testing import BenchTest, program

SOURCES = os.path.join(PROJECT, "Sources")
# The parser's own, without a page's worth of meaning.
NOT_OURS = {"--generate-completion-script", "--experimental-dump-help"}


def text_of(*parts):
    with open(os.path.join(PROJECT, *parts), encoding="utf-8") as file:
        return file.read()


def swift_sources():
    for directory, _, names in os.walk(SOURCES):
        for name in names:
            if name.endswith(".swift"):
                yield text_of(directory, name)


def page(section):
    return text_of("packaging", "man", f"autorotate.{section}.scd")


def part(text, heading):
    """What stands under a heading, up to the next of its rank or a higher one."""
    rank = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}(?: [^\n]*)?\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text,
                      re.M | re.S)
    return found[1] if found else ""


def bold(text):
    """The words in bold print that begin a line: what a list explains. `*A*, *B*` are two."""
    lines = re.findall(r"^(\*[^\n]*)\n\t", text, re.M)
    return {word for line in lines for word in re.findall(r"\*([^*\s=]+)\*", line)}


class Commands:
    """What the program itself says that it takes."""

    def __init__(self):
        told = subprocess.run([program(), "--experimental-dump-help"], capture_output=True,
                              text=True, check=True).stdout
        self.whole = json.loads(told)["command"]

    @staticmethod
    def spellings(argument):
        return [("--" if name["kind"] == "long" else "-") + name["name"]
                for name in argument.get("names", [])]

    def shown(self, command):
        """The options of a command that its help shows, and all values of them."""
        return [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]

    def options(self, command):
        found = {spelling for each in self.shown(command) for spelling in self.spellings(each)}
        return found - NOT_OURS

    def all_options(self, command):
        """Those of its sub-commands, too."""
        inner = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
        return self.options(command).union(*map(self.all_options, inner))

    def values(self, command):
        """Option -> the words that it takes."""
        return {self.spellings(each)[-1]: each["allValues"] for each in self.shown(command)
                if each.get("allValues") and each.get("names")}

    @property
    def subcommands(self):
        return {each["commandName"]: each for each in self.whole["subcommands"]}


class Options(BenchTest):
    def setUp(self):
        self.commands = Commands()
        self.page = page(1)

    def test_every_option_of_the_program_has_an_entry_and_every_entry_an_option(self):
        listed = bold(part(self.page, "# DAEMON OPTIONS")) | bold(part(self.page, "# OPTIONS"))
        self.assertEqual(listed, self.commands.options(self.commands.whole))

    def test_every_value_of_an_option_is_named_with_it(self):
        for option, values in self.commands.values(self.commands.whole).items():
            entry = re.search(rf"^\*{option}\*[^\n]*\n((?:\t[^\n]*\n)+)", self.page, re.M)[1]
            # The orientations have a paragraph of their own.
            words = re.findall(r"\*([\w:-]+)\*", entry + part(self.page, "# DESCRIPTION"))
            self.assertLessEqual(set(values), set(words), option)

    def test_every_subcommand_has_a_part_with_its_options_and_no_others(self):
        there = part(self.page, "# SUB-COMMANDS")
        names = re.findall(r"^## (\S+)", there, re.M)
        self.assertEqual(set(names), set(self.commands.subcommands))
        everywhere = {"--version", "-h", "--help"}
        for name, command in self.commands.subcommands.items():
            with self.subTest(name):
                listed = bold(part(there, f"## {name}"))
                self.assertEqual(listed, self.commands.all_options(command) - everywhere)

    def test_the_synopsis_names_every_subcommand(self):
        synopsis = set(re.findall(r"\*([\w-]+)\*", part(self.page, "# SYNOPSIS")))
        self.assertLessEqual(set(self.commands.subcommands) - {"help"}, synopsis)

    def test_no_option_is_mentioned_that_does_not_exist(self):
        known = self.commands.all_options(self.commands.whole)
        pages = self.page + page(5)
        without_others = re.sub(r"systemctl --user|udevadm \S+", "", pages)
        self.assertLessEqual(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", without_others)), known)


class Numbers(unittest.TestCase):
    def test_exit_statuses(self):
        listed = {int(word) for word in bold(part(page(1), "# EXIT STATUS"))}
        cases = re.findall(r"^  case \w+ = (\d+)$", text_of("Sources/autorotate/ExitStatus.swift"), re.M)
        self.assertEqual(listed, set(map(int, cases)))

    def test_signals(self):
        daemon = text_of("Sources/autorotate/Daemon/Daemon.swift")
        handled = re.search(r"\[([^\]]*)\]\.map \{ signal in", daemon)[1]
        there = part(page(1), "# SIGNALS")
        self.assertEqual(bold(there), set(re.findall(r"SIG\w+", handled)))
        passed = re.search(r"signals = \[(.*?)\]", text_of(
            "Sources/autorotate/Commands/RequestedRun.swift"))[1]
        sentence = there[there.index("*request*"):]
        self.assertEqual(set(re.findall(r"SIG\w+", sentence)), set(re.findall(r"SIG\w+", passed)))


class Bus(unittest.TestCase):
    def test_every_member_of_the_interface_is_in_the_page_and_no_other(self):
        interface = xml.etree.ElementTree.fromstring(
            text_of("packaging/dbus/org.autorotate.Autorotate1.xml")).find("interface")
        there = part(page(1), "# D-BUS")
        methods, rest = there[there.index("Methods:"):].split("Properties,", 1)
        properties, signals = rest.split("Signals:", 1)
        kinds = (("method", re.findall(r"^\*(\w+)\*\(", methods, re.M)),
                 ("property", re.findall(r"\*(\w+)\*", properties)),
                 ("signal", re.findall(r"\*(\w+)\* \(", signals)))
        for kind, listed in kinds:
            with self.subTest(kind):
                self.assertEqual(sorted(listed),
                                 sorted(each.get("name") for each in interface.findall(kind)))

    def test_errors(self):
        code = next(source for source in swift_sources() if "org.autorotate.Error.TooManyRequests" in source)
        raised = re.findall(r'"(org\.autorotate\.Error\.\w+)"', code)
        listed = re.findall(r"\*(org\.autorotate\.Error\.\w+)\*", page(1))
        self.assertEqual(sorted(listed), sorted(raised))


class Settings(unittest.TestCase):
    def sections(self):
        """(section, key, default) of the shipped config.toml, where a test has every key there is."""
        section = None
        for line in text_of("Config/config.toml").splitlines():
            if heading := re.fullmatch(r"\[([\w-]+)\]", line):
                section = heading[1]
            elif key := re.fullmatch(r"#([a-z-]+) = (.*)", line):
                yield section, key[1], key[2]

    def test_every_key_of_the_settings_with_its_default_and_no_other(self):
        there = part(page(5), "# CONFIG.TOML")
        listed = [(section, *entry) for section in re.findall(r"^## \[([\w-]+)\]", there, re.M)
                  for entry in re.findall(r"^\*([a-z-]+)\* = (.*)$", part(there, f"## [{section}]"),
                                          re.M)]
        self.assertEqual(listed, list(self.sections()))

    def test_every_key_of_the_code_is_in_the_shipped_settings(self):
        code = text_of("Sources/Configuration/Reading/Keys.swift")
        keys = re.findall(r'Key\(\s*"([\w-]+)", "([\w-]+)"', code)
        self.assertEqual(sorted(keys), sorted((section, key) for section, key, _ in self.sections()))

    def test_every_key_of_a_rule(self):
        code = text_of("Sources/Configuration/Reading/Keys.swift")
        keys = re.findall(r'Key\(\s*"([\w-]+)", \\', code)
        self.assertEqual(bold(part(page(5), "# RULES")), set(keys))

    def test_every_word_for_an_orientation(self):
        code = next(source for source in swift_sources() if "enum OrientationWord:" in source)
        body = code[code.index("enum OrientationWord:"):]
        body = body[:body.index("\n\n")] if "\n\n" in body else body
        words = {raw or name for names in re.findall(r"^  case (.*)$", body, re.M)
                 for name, raw in re.findall(r'(\w+)(?: = "([\w-]+)")?', names)}
        table = part(page(5), "# ORIENTATIONS")
        listed = {word for row in re.findall(r"^\|  (.*)$", table, re.M) for word in row.split(", ")}
        self.assertEqual(listed, words)


class Environment(unittest.TestCase):
    def test_what_hooks_are_told(self):
        code = text_of("Sources/autorotate/Daemon/Hooks/Hook.swift")
        told = re.findall(r'\("([A-Z_]+)", ', code)
        self.assertEqual(bold(part(page(5), "# HOOKS")), set(told))

    def test_what_the_program_reads_and_nothing_else(self):
        readers = r'(?:environment|getenv|variable|list|own)(?:[(\[]\s*|: )"([A-Z][A-Z0-9_]+)"'
        names = set().union(*(re.findall(readers, source) for source in swift_sources()))
        names |= {"HOME", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG"}
        names |= set(re.findall(r'"([A-Z][A-Z_]+)"', text_of(
            "Sources/DesktopBackends/Session/SessionDescription.swift")))
        listed = bold(part(page(1), "# ENVIRONMENT"))
        self.assertEqual(listed, names)


class SharedNames(BenchTest):
    """The parser gives an option of a sub-command to the program's own of that name, which the sub-command has to ask."""

    ASKED = {"lock": {"--for", "--until-unfolded", "--while"}, "unlock": {"--for"}, "rotate": {"--output", "--until-unfolded"},
             "status": {"--follow", "--format", "--json"}, "calibrate": {"--json"}, "doctor": {"--json"},
             "list": {"--json"}, "setup": {"--greeter"}, "windows": {"--json"}}

    def test_no_sub_command_has_an_option_that_it_never_hears_of(self):
        commands = Commands()
        own = self.all_of(commands.whole, commands)
        found = {}
        for command in self.below(commands.whole):
            shared = self.all_of(command, commands) & own - NOT_OURS - {"--help", "-h", "--version"}
            if shared:
                found[command["commandName"]] = shared
        self.assertEqual(found, self.ASKED)

    @staticmethod
    def all_of(command, commands):
        """Hidden ones, too."""
        return {spelling for each in command.get("arguments", []) for spelling in commands.spellings(each)}

    def below(self, command):
        for each in command.get("subcommands", []):
            yield each
            yield from self.below(each)
