# SPDX-License-Identifier: MIT
"""The documents are correct: the commands that they show work, and their links lead to existing places."""

import glob
import os
import re
import subprocess

from benchkit import documents
from benchkit.requirements import Missing
from benchkit.document_commands import Reader
from benchkit.testing import BenchTest, program

SUBCOMMANDS = ("", "daemon", "posture", "lock", "unlock", "toggle", "rotate", "hold", "release", "status", "calibrate", "check", "config",
               "config get", "config list", "config set", "config unset", "doctor", "explain", "monitor", "record", "replay", "request",
               "rule", "rule add", "rule edit", "rule list", "rule off", "rule remove", "quit", "setup", "tray", "windows")


class Commands(BenchTest):
    """One test for each document that has commands."""

    shares_bench = True

    def read(self, name):
        commands = documents.commands(name)
        if not commands:
            return
        reader = Reader(self.bench(sensor={"noise": 0.02}))
        self.addCleanup(lambda: reader.daemon.process.poll() is None and reader.daemon.end())
        for command in commands:
            with self.subTest(command=str(command)):
                self.type(reader, command)

    def type(self, reader, command):
        try:
            reader.type(command)
        except Missing as piece:
            if os.environ.get("CI") == "true":
                self.fail(str(piece))
        except (OSError, subprocess.SubprocessError) as error:
            self.fail(str(error))


def add_tests():
    for name in documents.names():
        words = "".join(letter if letter.isalnum() else "_" for letter in name)
        setattr(Commands, "test_those_of_" + words, lambda self, name=name: self.read(name))


add_tests()


class Lint(BenchTest):
    """What `make lint` finds in a document."""

    def found(self, text):
        path = os.path.join(self.directory(), "example.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run([os.path.join(documents.PROJECT, "Tests/Bench/lint-documents"), path],
                                capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (1 if result.stderr else 0, ""))
        return [line.removeprefix(path) for line in result.stderr.splitlines()]

    def test_words_to_avoid(self):
        self.assertEqual(self.found("The status shows it.\nThe bus tells\nit.\n"),
                         [":2: \"tells\": write shows, prints, reports, logs, lists"])
        self.assertEqual(len(self.found("It turns the\npicture.\n")), 2)  # over two lines, by two of the expressions

    def test_commands_and_targets_that_do_not_exist(self):
        self.assertEqual(self.found("Run `autorotate frobnicate now`, `autorotate lock left`,\n`sudo make nonsense X=1` or `make lint -n`.\n"),
                         [":1: there is no `autorotate frobnicate`", ":2: there is no `make nonsense`"])

    def test_sentences_that_are_too_long(self):
        self.assertIn("a sentence of 36 words", self.found("Short. " + "word " * 36 + "\n")[0])
        self.assertEqual(self.found("word " * 35 + "\n\n| " + "word " * 35 + "| " + "word " * 35 + "|\n"), [])


class Texts(BenchTest):
    def blocks(self, language):
        return [block for name in documents.names() for block in documents.blocks(name)
                if block.language == language]

    def test_each_block_names_its_language(self):
        for name in documents.names():
            for block in documents.blocks(name):
                with self.subTest(block=str(block)):
                    self.assertIn(block.language, documents.LANGUAGES)

    def test_no_command_is_hidden_in_a_block_of_text(self):
        words = "|".join(filter(None, SUBCOMMANDS))
        for block in self.blocks("text"):
            for line in block.text.splitlines():
                self.assertNotRegex(line, rf"^(\$ )?(autorotate (--|{words})|make|sudo|systemctl) ", str(block))

    def test_settings_and_rules_are_valid(self):
        """Each on its own: a block with a section is settings, any other a rule."""
        blocks = self.blocks("toml")
        self.assertGreater(len(blocks), 3)
        for block in blocks:
            is_rule = not block.text.lstrip().startswith("[")
            with self.subTest(block=str(block)):
                self.check("apps/example.toml" if is_rule else "config.toml", block.text)

    def check(self, name, text):
        home = self.directory()
        path = os.path.join(home, "autorotate", name)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        env = {**os.environ, "XDG_CONFIG_HOME": home, "XDG_CONFIG_DIRS": home, "XDG_DATA_DIRS": home}
        result = subprocess.run([program(), "check"], env=env, capture_output=True, text=True, check=False)
        # The examples are for apps that this machine need not have.
        printed = [each for each in result.stderr.split("\n\n") if each and "note: no app called" not in each]
        self.assertEqual((result.returncode, result.stdout, printed), (0, "No problems found\n", []))
        lists = "rule" if "apps" in name else "config"
        result = subprocess.run([program(), lists, "list"], env=env, capture_output=True, text=True, check=False)
        self.assertIn(path, result.stdout)

    def test_scripts_have_valid_syntax(self):
        for block in filter(lambda block: block.is_script, self.blocks("sh")):
            shell = block.text.splitlines()[0].removeprefix("#!").split()
            result = subprocess.run([*shell, "-n"], input=block.text, capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""), str(block))

    def test_the_words_of_scenarios_are_explained(self):
        document = documents.read("docs/scenarios.md")
        folder = os.path.join(documents.PROJECT, "Tests", "AutorotationTests", "ScenarioRunner")
        words = set()
        for name in os.listdir(folder):
            for case in re.findall(r"case (\"[a-z-]+\"(?:, \"[a-z-]+\")*)", documents.read(f"{folder}/{name}")):
                words |= set(re.findall(r"[a-z-]+", case))
        self.assertGreater(len(words), 50)
        self.assertEqual([word for word in words if not re.search(rf"\b{word}\b", document)], [])

    def test_the_messages_in_troubleshooting_exist(self):
        """The fixed words of each, in one sentence of the programs. Others may be where … or FILE is."""
        template = documents.read("po/autorotate.pot").replace('\\"', '"')
        quotes = re.findall(r"^- \*([^*]+)\*:", documents.read("docs/troubleshooting.md"), re.M)
        self.assertGreater(len(quotes), 10)
        for quote in quotes:
            words = [re.escape(part.strip()) for part in re.split("…|FILE", quote)]
            self.assertTrue(re.search('(?m)^msgid ".*' + ".*".join(words), template), quote)

    def test_links_lead_to_existing_places(self):
        for name in documents.names():
            for target, path, anchor in documents.links(name):
                self.assertTrue(os.path.exists(path), f"{name}: {target}")
                if anchor:
                    self.assertIn(anchor, documents.anchors(path), f"{name}: {target}")

    def test_files_in_running_text_exist(self):
        for name in documents.names():
            for line, path in documents.paths(name):
                self.assertTrue(glob.glob(os.path.join(documents.PROJECT, path)), f"{name}:{line}: {path}")

    def test_every_document_is_linked_to(self):
        linked = {path for name in documents.names() for _, path, _ in documents.links(name)}
        folder = os.path.join(documents.PROJECT, "docs")
        for name in os.listdir(folder):
            self.assertIn(os.path.join(folder, name), linked)

    def test_options_in_running_text_exist(self):
        help_text = "".join(
            subprocess.run([program(), "help", *name.split()], capture_output=True, text=True,
                           check=True).stdout for name in SUBCOMMANDS)
        with open(os.path.join(documents.PROJECT, "Sources/autorotate/Program.swift"), encoding="utf-8") as file:
            known = set(re.findall(r"--[a-z-]+", help_text + file.read()))
        for name in filter(lambda name: name.endswith(".md"), documents.names()):
            for line, option in documents.options(name):
                self.assertIn(option, known, f"{name}:{line}")
