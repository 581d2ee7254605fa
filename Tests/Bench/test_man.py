# SPDX-License-Identifier: MIT
"""The manuals document everything that the program has, and nothing that it does not have."""

import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree

from benchkit.c_programs import PROJECT
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

SOURCES = os.path.join(PROJECT, "Sources")
# The parser's own, which need no explanation.
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
    """The text under a heading, up to the next heading of the same or a higher rank."""
    rank = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}(?: [^\n]*)?\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text,
                      re.M | re.S)
    return found[1] if found else ""


def entry_heads(text):
    """The terms that a list explains: in bold print, with an indented line below."""
    return re.findall(r"^(\*[^\n]*)\n\t", text, re.M)


def bold(text):
    """The words in bold print of those lines. `*A*, *B*` are two."""
    return {word for line in entry_heads(text) for word in re.findall(r"\*([^*\s=]+)\*", line)}


class Commands:
    """The commands and options as the program's own help has them."""

    def __init__(self):
        output = subprocess.run([program(), "--experimental-dump-help"], capture_output=True,
                                text=True, check=True).stdout
        self.whole = json.loads(output)["command"]

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
        """Includes those of its sub-commands."""
        inner = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
        return self.options(command).union(*map(self.all_options, inner))

    def values(self, command):
        """Option -> the values that it accepts."""
        return {self.spellings(each)[-1]: each["allValues"] for each in self.shown(command)
                if each.get("allValues") and each.get("names")}

    @property
    def subcommands(self):
        return {each["commandName"]: each for each in self.whole["subcommands"]}


class Options(BenchTest):
    def setUp(self):
        self.commands = Commands()
        self.page = page(1)

    def test_listed_options_are_those_of_the_program(self):
        listed = bold(part(self.page, "# DAEMON OPTIONS")) | bold(part(self.page, "# OPTIONS"))
        daemon = self.commands.options(self.commands.subcommands["daemon"])
        self.assertEqual(listed, self.commands.options(self.commands.whole) | daemon)

    def test_every_option_is_explained_once(self):
        for heading in ("# DAEMON OPTIONS", "# OPTIONS", *re.findall(r"^## .*$", part(self.page, "# COMMANDS"), re.M)):
            options = re.findall(r"(?<=\*)--[a-z-]+(?=\*)", "\n".join(entry_heads(part(self.page, heading))))
            with self.subTest(heading):
                self.assertEqual(sorted(set(options)), sorted(options))

    def test_every_value_of_an_option_is_named_with_it(self):
        for option, values in self.commands.values(self.commands.subcommands["daemon"]).items():
            entries = re.findall(rf"^(?=[^\n]*\*{option}\*)\*[^\n]*\n((?:\t[^\n]*\n)+)", self.page, re.M)
            command = part(part(self.page, "# COMMANDS"), f"## {option.removeprefix('--')}")
            # The orientations have a paragraph of their own.
            words = re.findall(r"\*([\w:-]+)\*", "".join(entries) + command + part(self.page, "# DESCRIPTION"))
            self.assertLessEqual(set(values), set(words), option)

    def test_every_subcommand_has_a_part_with_exactly_its_options(self):
        there = part(self.page, "# COMMANDS")
        names = re.findall(r"^## ([\w-]+)", there, re.M)
        self.assertEqual(set(names), set(self.commands.subcommands))
        everywhere = {"--version", "-h", "--help"}
        for name, command in self.commands.subcommands.items():
            with self.subTest(name):
                listed = bold(part(self.page, "# DAEMON OPTIONS") if name == "daemon" else part(there, f"## {name}"))
                self.assertEqual(listed, self.commands.all_options(command) - everywhere)

    def test_the_synopsis_names_every_subcommand(self):
        synopsis = set(re.findall(r"\*([\w-]+)\*", part(self.page, "# SYNOPSIS")))
        self.assertLessEqual(set(self.commands.subcommands) - {"help"}, synopsis)

    @staticmethod
    def earlier_options():
        """Options that become sub-commands before anything is parsed."""
        return set(re.findall(r'"(--[a-z-]+)": "', text_of("Sources/autorotate/Program.swift")))

    def test_every_earlier_option_is_in_the_page(self):
        self.assertLessEqual(self.earlier_options(), set(re.findall(r"\*(--[a-z-]+)\*", part(self.page, "# OPTIONS"))))

    def test_no_option_is_mentioned_that_does_not_exist(self):
        known = self.commands.all_options(self.commands.whole) | self.earlier_options()
        pages = self.page + page(5)
        without_others = re.sub(r"systemctl --user|udevadm \S+", "", pages)
        self.assertLessEqual(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", without_others)), known)


def fields(value):
    """The names of all fields of JSON, at any depth."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    return set(value).union(*map(fields, value.values())) if isinstance(value, dict) else set()


class Json(BenchTest):
    """Each command's section lists exactly the fields that it prints."""

    def setUp(self):
        self.session = self.bench(sensor={})
        self.session.write("config/autorotate/apps/film.toml", 'match = "Player"\nsupported = "landscape"\n')
        self.session.write("config/autorotate/config.toml", '[tablet]\nkeyboard = "*"\n')

    def printed(self, command):
        return json.loads(self.session.run(program(), *command.split(), "--json").stdout)

    def assertDescribed(self, command):
        section = part(part(page(1), "# JSON"), f"## {command} --json")
        self.assertEqual(set(re.findall(r"\*([a-z]+(?:[A-Z][a-z]+)*)\*", section)) - {"null"},
                         fields(self.printed(command)), command)

    def test_every_field_is_described(self):
        windows = Windows(self.session.env)
        self.addCleanup(windows.end)
        with Daemon(self.session) as daemon:
            self.assertEqual(daemon.ask("lock", "left").returncode, 0)
            self.assertEqual(daemon.ask("posture", "laptop").returncode, 0)
            windows.open("player", "Player")
            daemon.until(lambda now: now and now["application"] == "Player", "Player in focus")
            for command in ("status", "doctor", "windows", "rule list"):
                self.assertDescribed(command)

    def test_without_a_daemon_no_json_is_printed(self):
        for command in ("status", "windows"):
            result = self.session.run(program(), command, "--json")
            self.assertEqual((result.returncode, result.stdout), (3, ""), command)


class Released(unittest.TestCase):
    def test_everything_a_release_documented_still_exists_or_was_removed(self):
        terms, names = (part.split("\n") for part in text_of("Tests/Bench/documented-in-1.0.0-rc1").strip().split("\n\n"))
        manuals = page(1) + page(5) + text_of("packaging", "man", "autorotate-settings.1.scd")
        explained = set(re.findall(r"\*([^*\n ]+)\*", manuals))
        removed = part(text_of("CHANGELOG.md"), "### Removed")
        lost = [term for term in terms if not term.startswith("#") and term not in explained and term not in removed]
        self.assertEqual(lost, [])
        readme = text_of("README.md")
        self.assertEqual([name for name in names if name not in readme], [])


class Numbers(unittest.TestCase):
    def test_exit_statuses_are_those_of_the_program(self):
        listed = {int(word) for word in bold(part(page(1), "# EXIT STATUS"))}
        cases = re.findall(r"^  case \w+ = (\d+)$", text_of("Sources/autorotate/ExitStatus.swift"), re.M)
        self.assertEqual(listed, set(map(int, cases)))

    def test_signals_are_those_of_the_program(self):
        daemon = text_of("Sources/autorotate/Daemon/Daemon.swift")
        handled = re.search(r"\[([^\]]*)\]\.map \{ signal in", daemon)[1]
        there = part(page(1), "# SIGNALS")
        self.assertEqual(bold(there), set(re.findall(r"SIG\w+", handled)))
        passed = re.search(r"signals = \[(.*?)\]", text_of(
            "Sources/autorotate/Commands/RequestCommand.swift"))[1]
        sentence = there[there.index("*request*"):]
        self.assertEqual(set(re.findall(r"SIG\w+", sentence)), set(re.findall(r"SIG\w+", passed)))


class Bus(unittest.TestCase):
    def test_bus_members_are_those_of_the_interface(self):
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

    def test_bus_errors_are_those_of_the_program(self):
        code = next(source for source in swift_sources() if "org.autorotate.Error.TooManyRequests" in source)
        raised = re.findall(r'"(org\.autorotate\.Error\.\w+)"', code)
        listed = re.findall(r"\*(org\.autorotate\.Error\.\w+)\*", page(1))
        self.assertEqual(sorted(listed), sorted(raised))


class Settings(unittest.TestCase):
    def sections(self):
        """(section, key, default) of the shipped config.toml, where another test checks that every key is present."""
        section = None
        for line in text_of("Config/config.toml").splitlines():
            if heading := re.fullmatch(r"\[([\w-]+)\]", line):
                section = heading[1]
            elif key := re.fullmatch(r"#([a-z-]+) = (.*)", line):
                yield section, key[1], key[2]

    def test_settings_and_defaults_are_those_of_the_shipped_file(self):
        there = part(page(5), "# CONFIG.TOML")
        listed = [(section, *entry) for section in re.findall(r"^## \[([\w-]+)\]", there, re.M)
                  for entry in re.findall(r"^\*([a-z-]+)\* = (.*)$", part(there, f"## [{section}]"),
                                          re.M)]
        self.assertEqual(listed, list(self.sections()))

    def test_every_key_of_the_code_is_in_the_shipped_settings(self):
        code = text_of("Sources/Configuration/Reading/Keys.swift")
        keys = re.findall(r'Key\(\s*"([\w-]+)", "([\w-]+)"', code)
        self.assertEqual(sorted(keys), sorted((section, key) for section, key, _ in self.sections()))

    def test_every_key_of_a_rule_is_explained(self):
        code = text_of("Sources/Configuration/Reading/Keys.swift")
        keys = re.findall(r'Key\(\s*"", "([\w-]+)", \\', code)
        self.assertEqual(bold(part(page(5), "# RULES")), set(keys))

    def test_every_word_for_an_orientation_is_explained(self):
        code = next(source for source in swift_sources() if "enum OrientationName:" in source)
        body = code[code.index("enum OrientationName:"):]
        body = body[:body.index("\n\n")] if "\n\n" in body else body
        words = {raw or name for names in re.findall(r"^  case (.*)$", body, re.M)
                 for name, raw in re.findall(r'(\w+)(?: = "([\w-]+)")?', names)}
        table = part(page(5), "# ORIENTATIONS")
        listed = {word for row in re.findall(r"^\|  (.*)$", table, re.M) for word in row.split(", ")}
        self.assertEqual(listed, words)


class Environment(unittest.TestCase):
    def test_the_variables_of_hooks_are_those_of_the_program(self):
        code = text_of("Sources/autorotate/Daemon/Hooks/Hook.swift")
        output = re.findall(r'\("([A-Z_]+)", ', code)
        self.assertEqual(bold(part(page(5), "# HOOKS")), set(output))

    def test_environment_variables_are_those_of_the_program(self):
        readers = r'(?:environment|getenv|variable|list|own)(?:[(\[]\s*|: )"([A-Z][A-Z0-9_]+)"'
        names = set().union(*(re.findall(readers, source) for source in swift_sources()))
        names |= {"HOME", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG"}
        names |= set(re.findall(r'(?<!X11Extension\()"([A-Z][A-Z_]+)"', text_of(
            "Sources/DesktopBackends/Session/SessionDescription.swift")))
        listed = bold(part(page(1), "# ENVIRONMENT"))
        self.assertEqual(listed, names)


class Unit(unittest.TestCase):
    def test_what_lets_hooks_become_root_undoes_each_setting_of_the_unit(self):
        """systemd resets a list by an empty value, and ignores an empty value of a Boolean."""
        unit = text_of("packaging/systemd/autorotate.service")
        names = r"NoNewPrivileges|LockPersonality|Restrict\w+|SystemCall(?:Filter|Architectures)"
        settings = set(re.findall(rf"^({names})=(yes)?", unit, re.M))
        self.assertEqual(len(settings), 7)
        for name, yes in settings:
            undone = f"{name}=no" if yes else f"{name}="
            self.assertRegex(part(page(5), "# HOOKS"), rf"(?<!\w){undone}(?!\w)")
