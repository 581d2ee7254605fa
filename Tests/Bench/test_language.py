# SPDX-License-Identifier: MIT
"""The translations match the sources, and the program uses them; if one is missing or broken, it prints English."""

import ast
import collections
import configparser
import json
import os
import random
import re
import struct
import subprocess
import unittest
import xml.etree.ElementTree

from benchkit import requirements
from benchkit.c_programs import PROJECT
from benchkit.child_processes import longest_wait
from benchkit.daemon import Daemon
from benchkit.testing import BenchTest, program

LANGUAGES = sorted(name.removesuffix(".po") for name in os.listdir(os.path.join(PROJECT, "po")) if name.endswith(".po"))
# A language in which every sentence is only its inserted values, between these. So any other text has not been
# translated.
MARKED = "qqq"
PLACEHOLDER = re.compile(r"%\d+\$s|%%")


def catalogue(language):
    return os.path.join(PROJECT, "po", f"{language}.po")


def entries(path):
    """{msgid: msgstr}, and whether any entry is fuzzy."""
    found, parts = {}, {}
    fuzzy = False
    with open(path, encoding="utf-8") as file:
        for line in list(file) + ["\n"]:
            fuzzy = fuzzy or line.startswith("#,") and "fuzzy" in line
            if word := re.match(r'(msgid|msgstr) (?=")', line):
                kind = word[1]
                parts[kind] = ast.literal_eval(line[word.end():])
            elif line.startswith('"'):
                parts[kind] += ast.literal_eval(line)
            elif not line.strip() and parts:
                found[parts["msgid"]] = parts["msgstr"]
                parts = {}
    return found, fuzzy


# The same in every language.
KEYWORDS = set("""normal left inverted right unknown left-up bottom-up right-up face-up face-down tablet laptop unfolded
                  autorotate doctor check setsid sway niri Hyprland""".split())
# Texts of strerror(3) are translated by glibc.
OF_THE_SYSTEM = r"No such file or directory"


class Catalogues(unittest.TestCase):
    def test_the_template_matches_the_sources(self):
        extracted = subprocess.run([os.path.join(PROJECT, "po", "extract"), "--print"], text=True,
                                   capture_output=True, check=True).stdout
        with open(os.path.join(PROJECT, "po", "autorotate.pot"), encoding="utf-8") as file:
            self.assertEqual(file.read(), extracted, "run po/extract, then msgmerge as docs/translating.md says")

    def test_known_sentences_of_each_part_are_in_the_template(self):
        known = ("Device orientation: %1$s.", "Lock the screen orientation, or unlock.", "touchscreen and pen", "Orientation",
                 "autorotate is not running", "Rotate", "Rotation Lock",
                 "%1$s cannot be read: %2$s", "Gravity", "--json and --format cannot be combined.",
                 "disabled by %1$s%2$s", "only while not fullscreen", "unknown section [%1$s]")
        template, _ = entries(os.path.join(PROJECT, "po", "autorotate.pot"))
        self.assertEqual([each for each in known if each not in template], [])

    def test_every_language_is_complete_and_nothing_is_fuzzy(self):
        template, _ = entries(os.path.join(PROJECT, "po", "autorotate.pot"))
        for language in LANGUAGES:
            with self.subTest(language):
                translated, fuzzy = entries(catalogue(language))
                self.assertFalse(fuzzy)
                self.assertEqual(set(translated), set(template))
                self.assertEqual([each for each, text in translated.items() if not text], [])

    def test_every_translation_has_the_placeholders_of_its_sentence(self):
        for language in LANGUAGES:
            for sentence, text in list(entries(catalogue(language))[0].items())[1:]:
                with self.subTest(language, sentence=sentence):
                    self.assertEqual(collections.Counter(PLACEHOLDER.findall(text)),
                                     collections.Counter(PLACEHOLDER.findall(sentence)))
                    self.assertEqual(PLACEHOLDER.sub("", text).count("%"),
                                     PLACEHOLDER.sub("", sentence).count("%"))

    def test_words_that_are_typed_are_not_translated(self):
        typed = re.compile(r"(?<![\w-])--[a-z-]+|\[[a-z]+\]|config\.toml|autorotate (?:check|doctor|calibrate)\b"
                           r"|https?://\S+\w|systemctl [a-z -]+")
        for language in LANGUAGES:
            for sentence, text in list(entries(catalogue(language))[0].items())[1:]:
                for word in typed.findall(sentence):
                    with self.subTest(language, sentence=sentence):
                        self.assertIn(word.strip(), text)

    def test_the_desktop_entries_have_every_language(self):
        for name in ("org.autorotate.Settings.desktop", "autostart.desktop"):
            parser = configparser.ConfigParser(interpolation=None)
            parser.optionxform = str
            parser.read(os.path.join(PROJECT, "packaging", "xdg", name), encoding="utf-8")
            for section in parser.sections():
                for key in {"Name", "GenericName", "Comment", "Keywords"} & set(parser[section]):
                    for language in LANGUAGES:
                        self.assertIn(f"{key}[{language}]", parser[section], (name, section))

    def test_the_software_centre_has_every_language(self):
        root = xml.etree.ElementTree.parse(os.path.join(
            PROJECT, "packaging", "xdg", "org.autorotate.Settings.metainfo.xml")).getroot()
        name = "{http://www.w3.org/XML/1998/namespace}lang"
        for path in ("name", "summary", "description/p", "description/ul/li"):
            counts = collections.Counter(each.get(name) for each in root.findall(path))
            for language in LANGUAGES:
                self.assertEqual(counts[None], counts[language.replace("_", "-")], (path, language))
        self.assertEqual(sorted(each.text for each in root.findall("languages/lang")), sorted(["en", *LANGUAGES]))


class Translation(BenchTest):
    shares_bench = True

    def setUp(self):
        msgfmt = requirements.program("msgfmt", "gettext")
        self.locales = self.directory()
        for language in LANGUAGES:
            place = os.path.join(self.locales, language, "LC_MESSAGES")
            os.makedirs(place)
            subprocess.run([msgfmt, "--check", "--check-format", "-o", f"{place}/autorotate.mo",
                            catalogue(language)], check=True)

    def marked(self):
        """Installs the language MARKED."""
        place = os.path.join(self.locales, MARKED, "LC_MESSAGES")
        os.makedirs(place)
        with open(os.path.join(self.locales, "marked.po"), "w", encoding="utf-8") as file:
            file.write('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
            for sentence in list(entries(os.path.join(PROJECT, "po", "autorotate.pot"))[0])[1:]:
                inserts = " ".join(dict.fromkeys(re.findall(r"%\d+\$s", sentence)))
                quoted = json.dumps(sentence, ensure_ascii=False)
                file.write(f'\nmsgid {quoted}\nmsgstr "⟦ {inserts} ⟧"\n')
        subprocess.run(["msgfmt", "-o", f"{place}/autorotate.mo", f"{self.locales}/marked.po"], check=True)

    def untranslated(self, text, keywords=()):
        """The words of a text that are neither translated, keywords, nor names and paths of the machine."""
        words = re.findall(r"[A-Za-z][A-Za-z-]*[a-z]", re.sub(OF_THE_SYSTEM + r"|\S*[/_=\d]\S*|--[\w-]+|“[^”]*”|autorotate:", " ",
                                                            text))
        return sorted(set(words) - KEYWORDS - set(keywords))

    def environment(self, language, base=None, **changes):
        base = os.environ if base is None else base
        plain = {name: value for name, value in base.items() if not re.match(r"LC_|LANG", name)}
        return {**plain, "TEXTDOMAINDIR": self.locales, "LC_ALL": "C.UTF-8", "LANGUAGE": language, **changes}

    def run_in(self, language, *words, base=None, encoding="utf-8", **changes):
        return subprocess.run([program(), *words], env=self.environment(language, base, **changes),
                              encoding=encoding, capture_output=True, timeout=longest_wait(), check=False)

    def nowhere(self):
        """An environment without a session."""
        home = self.directory()
        return {"PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": home,
                "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/none",
                "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={home}/none"}

    def test_help_is_translated(self):
        english = self.run_in("", "--help").stdout
        self.assertTrue(english.startswith("OVERVIEW: Automatic"))
        self.assertLessEqual(len(english.splitlines()), 40)
        for language, words in (("de", ("OVERVIEW: Automatische", "Die Bildschirmausrichtung sperren")), ("zh_CN", ("OVERVIEW: ", "锁定屏幕方向"))):
            output = self.run_in(language, "--help").stdout
            for word in words:
                self.assertIn(word, output)
            self.assertEqual(re.findall(r"^  (?:-h, )?--[\w-]+", output, re.M),
                             re.findall(r"^  (?:-h, )?--[\w-]+", english, re.M))

    def test_errors_are_translated_and_keep_their_status(self):
        for words, status, german in ((("lock", "sideways"), 2, "„sideways“ ist keine Ausrichtung"),
                                      (("rotate", "--offered", "--until-unfolded"), 2, "--until-unfolded braucht eine Ausrichtung"),
                                      (("replay", "/nonexistent"), 2, "bitte den Pfad einer lesbaren")):
            result = self.run_in("de", *words)
            self.assertEqual(result.returncode, status)
            self.assertIn(german, result.stderr)

    def test_usage_errors_have_a_translated_next_step(self):
        for words, step in ((("--foo",), "`autorotate --help`"), (("--rotate",), "`autorotate rotate --help`"),
                            (("hold", "x"), "`autorotate hold --help`"), (("lok",), "`autorotate lock`")):
            result = self.run_in("de", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            printed = result.stderr.splitlines()[-1]
            self.assertIn(step, printed)
            self.assertNotRegex(printed, r"\b(?:See|Did you)\b")

    def test_the_first_language_with_a_translation_is_used(self):
        self.assertIn("锁定屏幕方向", self.run_in("xx:zh_CN:de", "--help").stdout)

    def test_english_is_used_without_a_translation(self):
        english = self.run_in("", "--help").stdout
        garbage, cut = self.directory(), self.directory()
        for place, size in ((garbage, None), (cut, 200)):
            os.makedirs(os.path.join(place, "de", "LC_MESSAGES"))
            with open(os.path.join(self.locales, "de", "LC_MESSAGES", "autorotate.mo"), "rb") as file:
                text = file.read(size) if size else b"\0garbage" * 500
            with open(os.path.join(place, "de", "LC_MESSAGES", "autorotate.mo"), "wb") as file:
                file.write(text)
        for words, changes in (("an unknown language", {"LANGUAGE": "xx"}),
                               ("no catalogue", {"TEXTDOMAINDIR": self.directory()}),
                               ("no directory", {"TEXTDOMAINDIR": "/nonexistent"}),
                               ("not installed", {"TEXTDOMAINDIR": ""}),
                               ("a broken catalogue", {"TEXTDOMAINDIR": garbage}),
                               ("half a catalogue", {"TEXTDOMAINDIR": cut}),
                               ("the C locale", {"LC_ALL": "C"}),
                               ("another set of characters", {"LC_ALL": "de_DE.ISO-8859-1"})):
            with self.subTest(words):
                result = self.run_in("de", "--help", **changes)
                self.assertEqual((result.returncode, result.stdout), (0, english))

    def test_a_damaged_catalogue_never_crashes_the_program(self):
        """glibc crashes a program that reads beyond the end of a catalogue."""
        with open(os.path.join(self.locales, "de", "LC_MESSAGES", "autorotate.mo"), "rb") as file:
            whole = file.read()
        dice = random.Random(7)
        cuts = [whole[:size] for size in (0, 1, 27, 28, 29, 4096, len(whole) // 2, len(whole) - 1)]
        flips = [bytes(each) for each in (bytearray(whole) for _ in range(20))]
        for number, text in enumerate(flips):
            damaged = bytearray(text)
            for _ in range(1 + number % 4):
                damaged[dice.randrange(28 if number % 2 else len(whole))] = dice.randrange(256)
            flips[number] = bytes(damaged)
        place = self.directory()
        os.makedirs(os.path.join(place, "de", "LC_MESSAGES"))
        for text in cuts + flips + self.hashed_astray(whole):
            with open(os.path.join(place, "de", "LC_MESSAGES", "autorotate.mo"), "wb") as file:
                file.write(text)
            result = self.run_in("de", "--help", TEXTDOMAINDIR=place, encoding="latin-1")
            self.assertEqual(result.returncode, 0, text[:28])
            self.assertIn("--version", result.stdout)

    def hashed_astray(self, whole):
        """Catalogues whose hash table refers to texts that do not exist, or makes a search endless."""
        size, begin = struct.unpack_from("<II", whole, 20)
        numbers = struct.unpack_from(f"<{size}I", whole, begin)
        beyond = [number and 0x7fffffff for number in numbers]
        endless = [number or 1 for number in numbers]
        found = []
        for table in (beyond, endless):
            damaged = bytearray(whole)
            struct.pack_into(f"<{size}I", damaged, begin, *table)
            found.append(bytes(damaged))
        return found

    def test_a_faulty_translation_causes_no_crash_or_invalid_read(self):
        place = self.directory()
        os.makedirs(os.path.join(place, "de", "LC_MESSAGES"))
        with open(os.path.join(place, "de.po"), "w", encoding="utf-8") as file:
            file.write('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
                       'msgid "\\"%1$s\\" is not an orientation. Use one of: %2$s"\n'
                       'msgstr "%9$s %n %s %99999999999999999999$s %0$s %2$s 100%"\n')
        subprocess.run(["msgfmt", "-o", f"{place}/de/LC_MESSAGES/autorotate.mo", f"{place}/de.po"], check=True)
        result = self.run_in("de", "lock", "sideways", TEXTDOMAINDIR=place)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "autorotate: %9$s %n %s %99999999999999999999$s %0$s "
                                      "normal, left, inverted, right, landscape, portrait, next, previous 100%\n"
                                      "See `autorotate lock --help`.\n")

    def test_doctor_is_translated_and_its_json_is_english(self):
        base = self.nowhere()
        german = self.run_in("de", "doctor", base=base)
        self.assertEqual(german.returncode, 1)
        self.assertIn("Berührung und Stift", german.stdout)
        self.assertIn("触摸和手写笔", self.run_in("zh_CN", "doctor", base=base).stdout)
        self.assertEqual(self.run_in("de", "doctor", "--json", base=base).stdout,
                         self.run_in("", "doctor", "--json", base=base, LC_ALL="C").stdout)
        shown = self.run_in("de", "doctor", "--json", "--local", base=base).stdout
        self.assertIn("Berührung und Stift", [each["name"] for each in json.loads(shown)["findings"]])

    def test_columns_align_with_wide_characters_too(self):
        def width(text):
            return sum(2 if "\u2e80" < character < "\uffe0" else 1 for character in text)
        lines = self.run_in("zh_CN", "doctor", base=self.nowhere()).stdout.splitlines()
        starts = {width(match[1]) for line in lines if (match := re.match(r"([✓✗–] .+?  +)\S", line))}
        self.assertEqual(len(starts), 1, lines)

    def test_status_and_explain_are_translated(self):
        session = self.bench(sensor={}, mode="640x400", wm="none")
        session.env.update({name: value for name, value in self.environment("de").items()
                            if name in ("TEXTDOMAINDIR", "LC_ALL", "LANGUAGE")})
        with Daemon(session) as daemon:
            daemon.ask("--lock", "left")
            daemon.until_shown("left")
            output = daemon.ask("--status").stdout
            self.assertRegex(output, r"(?m)^Ausrichtung +left$")
            self.assertRegex(output, r"(?m)^Sperre +gesperrt \(linke Kante oben\); zum Entsperren: autorotate unlock$")
            self.assertIn("  Gesperrt (linke Kante oben).", output)
            self.assertEqual(json.loads(daemon.ask("--status", "--json").stdout)["reasons"], ["Locked (left edge up)."])
            session.write("config/autorotate/config.toml", "[desktop]\nrotate-in = 1\n")
            daemon.until(lambda status: "Error in the settings" in status["reasons"][-1], "the error")
            self.assertIn("expected", daemon.status()["reasons"][-1])
            self.assertIn("erwartet", daemon.ask("--status").stdout)
            explanation = daemon.ask("explain")
            self.assertIn("kein Fenstermanager sagt, welches Fenster aktiv ist", explanation.stderr)
            self.assertRegex(explanation.stdout, r"(?m)^  Gerät +Bild$")
            # The daemon's language is not the client's: each prints its part in its own, and that is not reported.
            other = self.run_in("zh_CN", "--rotate", "right", base=session.env)
            self.assertEqual((other.returncode, other.stderr), (0, ""))
            daemon.until_shown("right")
            self.assertRegex(self.run_in("zh_CN", "--status", base=session.env).stdout, r"(?m)^方向 +right$")

    def test_every_word_of_a_whole_status_is_translated(self):
        self.marked()
        session = self.bench(sensor={}, mode="640x400", wm="none")
        session.env.update({name: value for name, value in self.environment(MARKED).items()
                            if name in ("TEXTDOMAINDIR", "LC_ALL", "LANGUAGE")})
        with Daemon(session) as daemon:
            for words, shown in ((("--hold",), None), (("--release",), None), (("--lock", "left", "--for", "1h"), "left"),
                                 (("--lock", "right", "--until-unfolded"), "right"), (("--rotate", "normal"), "normal")):
                daemon.ask(*words)
                if shown:
                    daemon.until_shown(shown)
                output = daemon.ask("--status").stdout
                self.assertIn("⟦", output)
                self.assertEqual(self.untranslated(output, {"mock", "accel"}), [], output)
            output = daemon.ask("explain", "mpv").stdout
            self.assertEqual(self.untranslated(output, {"mpv"}), [], output)
            report = json.loads(daemon.ask("--status", "--json").stdout)
            self.assertEqual(len(report["reasons"]), len(report["reasonCodes"]))
            self.assertIn("lock.set", report["reasonCodes"])

    def test_every_word_of_doctor_is_translated(self):
        self.marked()
        output = self.run_in(MARKED, "doctor", base=self.nowhere()).stdout
        self.assertGreater(output.count("⟦"), 20)
        self.assertEqual(self.untranslated(output), [], output)
        session = self.bench(sensor={}, mode="640x400", wm="none")
        output = self.run_in(MARKED, "doctor", base=session.env).stdout
        self.assertEqual(self.untranslated(output, {"Bench", "Touchscreen", "Pen"}), [], output)

    def test_every_word_of_backend_errors_is_translated(self):
        self.marked()
        nowhere = self.nowhere()
        wrong = {"DISPLAY": ":987", "WAYLAND_DISPLAY": "wayland-987"}
        for backend in ("auto", "x11", "wlroots", "sway", "hyprland", "niri", "kde", "gnome"):
            for changes in ({}, wrong):
                with self.subTest(backend, **changes):
                    result = self.run_in(MARKED, "--backend", backend, base={**nowhere, **changes})
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn("⟦", result.stderr)
                    self.assertEqual(self.untranslated(result.stderr), [], result.stderr)

    def test_the_daemons_notifications_are_translated(self):
        session = self.bench(sensor={}, mode="640x400", wm="none")
        session.env.update({name: value for name, value in self.environment("de").items()
                            if name in ("TEXTDOMAINDIR", "LC_ALL", "LANGUAGE")})
        with Daemon(session, "--output", "DP-7", "--wait") as daemon:
            daemon.until(lambda status: any("DP-7" in reason for reason in status["reasons"]), "the reason")
            self.assertIn("DP-7, given with --output", daemon.status()["reasons"][-1])
            self.assertIn("DP-7, angegeben mit --output, ist nicht da", daemon.printed())
            self.assertRegex(daemon.printed(), r"Eingeschaltet sind: .*eDP-1")
