# SPDX-License-Identifier: MIT
"""`autorotate rule` and `autorotate config`: what they write, what applies then, and what they leave alone."""

import json
import os
import resource
import shutil
import subprocess

from benchkit.c_programs import PROJECT
from benchkit.child_processes import wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

# Root may write anywhere, unless this is taken away.
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
ROUNDS = int(os.environ.get("ROUNDS_OF_WRITERS", "10"))
MINE = "# mine\n[desktop]\n# never upside down\nsupported = [\n  \"landscape\", # wide\n  \"left\",\n]\n\n[lock]\n"


class Editing(BenchTest):
    """Without a daemon, which only reads the files."""

    def setUp(self):
        self.home = self.directory()
        data = os.path.join(self.home, "data", "autorotate")
        # Copied, since in a container the project may belong to another user.
        shutil.copytree(os.path.join(PROJECT, "Config", "apps"), os.path.join(data, "apps"))
        self.env = {**os.environ, "HOME": self.home, "XDG_CONFIG_HOME": self.home, "XDG_CONFIG_DIRS": "/nowhere",
                    "XDG_DATA_HOME": "/nowhere", "XDG_DATA_DIRS": os.path.dirname(data), "LC_ALL": "C.UTF-8"}
        self.settings = os.path.join(self.home, "autorotate", "config.toml")
        os.mkdir(os.path.dirname(self.settings))

    def ask(self, *words, status=0):
        result = subprocess.run([program(), *words], env=self.env, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def text(self, name):
        with open(os.path.join(self.home, "autorotate", name), encoding="utf-8") as file:
            return file.read()

    def write(self, text):
        with open(self.settings, "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_setting_is_written_and_removed_and_the_rest_kept(self):
        self.write(MINE)
        self.assertIn("is now tablet", self.ask("config", "set", "rotate-in", "tablet"))
        self.assertEqual(self.text("config.toml"), MINE.replace("[desktop]\n", "[desktop]\nrotate-in = \"tablet\"\n"))
        self.assertEqual(self.ask("config", "get", "desktop.rotate-in"), "tablet\n")
        self.assertIn(f"desktop.rotate-in = tablet  ({self.settings}:3)\n", self.ask("config", "get"))
        self.assertIn("is back to always", self.ask("config", "unset", "desktop.rotate-in"))
        self.assertEqual(self.text("config.toml"), MINE)
        self.assertIn("is not set in", self.ask("config", "unset", "desktop.rotate-in"))

    def test_a_removed_key_causes_one_warning_and_no_change(self):
        old = '[display]\nconfirm = "never"\n'
        for words in (("get", "display.confirm"), ("set", "confirm", "always"), ("unset", "[display] confirm")):
            self.write(old)
            printed = self.ask("config", *words)
            self.assertEqual(printed.count("has been removed: rotations are no longer undone"), 1, printed)
            self.assertIn(f"{self.settings}:2:1: warning:", printed)
            self.assertIn("Delete this line.", printed)
            self.assertEqual(self.text("config.toml"), old)
            self.write("")
            self.assertEqual(self.ask("config", *words), "autorotate: display.confirm has been removed: rotations are "
                             "no longer undone. Leave it out.\n")
            self.assertEqual(self.text("config.toml"), "")
        self.write(old)
        self.assertEqual(self.ask("check", "--quiet").count("warning:"), 1)
        self.assertIn("rotate-in is now tablet", self.ask("config", "set", "rotate-in", "tablet"))

    def test_five_concurrent_writers_lose_no_setting(self):
        changes = [("desktop.rotate-in", "tablet"), ("lock.over-apps", "true"), ("display.take-over", "true"),
                   ("tablet.on-screen-keyboard", "true"), ("sensor.source", "proxy")]
        for _round in range(ROUNDS):
            self.write(MINE)
            writers = [subprocess.Popen([program(), "config", "set", *change], env=self.env, text=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for change in changes]
            while any(each.poll() is None for each in writers):
                self.assertTrue(self.text("config.toml").startswith("# mine\n"), "a part of the file was read")
            for each in writers:
                self.assertEqual((each.wait(), each.communicate()[1]), (0, ""))
            text = self.text("config.toml")
            for key, value in changes:
                self.assertRegex(text, f"{key.partition('.')[2]} = \"?{value}", text)
            self.assertEqual(os.listdir(os.path.dirname(self.settings)), ["config.toml"])

    def test_a_keyboard_not_installed_is_written_with_a_warning(self):
        absent = self.ask("config", "set", "tablet.on-screen-keyboard", "/nowhere/keyboard -L 300")
        self.assertIn("is now /nowhere/keyboard -L 300", absent.replace('"', ""))
        self.assertIn("the program “/nowhere/keyboard”", absent)
        self.assertNotIn("is not installed", self.ask("config", "set", "tablet.on-screen-keyboard", "sh -c true"))

    def test_a_setting_is_written_beside_a_contradiction(self):
        self.write('[desktop]\nsupported = ["normal"]\nlaptop-orientation = "left"\n')
        self.assertIn("sensor.rate is now 20", self.ask("config", "set", "sensor.rate", "20"))
        self.assertIn("error:", self.ask("check", status=2))

    def test_invalid_values_are_not_written(self):
        self.ask("rule", "add", "foo", "portrait")
        self.write(MINE)
        for words in (("rotate-in", "sometimes"), ("rotatein", "tablet"), ("devices", "x"), ("sensor.rate", "1000"),
                      ("desktop.supported", "landscape")):  # which conflicts with foo's rule
            self.ask("config", "set", *words, status=2)
            self.assertEqual(self.text("config.toml"), MINE)
        self.write("[desktop\n")
        self.assertIn("config.toml:1:", self.ask("config", "set", "rotate-in", "tablet", status=2))
        self.assertEqual(self.text("config.toml"), "[desktop\n")

    def test_a_file_to_edit_by_hand_gets_the_line_to_write(self):
        self.write('[touch.map]\na = "eDP-2"\n')
        self.assertIn("write a line such as map = { b = 'eDP-1' }",
                      self.ask("config", "set", "touch.map", "{ b = 'eDP-1' }", status=1))

    def test_values_of_a_broken_file_are_shown_with_a_warning(self):
        self.write('[desktop]\nsupported = ["landscape"\n')
        for words in (("get", "supported"), ("get",), ("list",)):
            self.assertIn(f"{self.settings} has errors", self.ask("config", *words))
        self.write('[desktop]\nsupported = ["landscape"]\n')
        # The rule for an app called config.
        apps = os.path.join(self.home, "autorotate", "apps")
        os.mkdir(apps)
        with open(os.path.join(apps, "config.toml"), "w", encoding="utf-8") as file:
            file.write("broken\n")
        self.assertNotIn("has errors", self.ask("config", "list"))

    def test_a_shipped_rule_is_replaced_switched_off_and_restored(self):
        self.assertIn("mpv: portrait", self.ask("rule", "add", "io.mpv.Mpv", "portrait").replace(", io.mpv.Mpv", ""))
        self.assertIn("rule edit", self.ask("rule", "add", "mpv", "left", status=1))
        self.assertIn("Rules for mpv:\n  mpv, ", self.ask("rule", "remove", "mpv"))
        self.assertIn("rule off", self.ask("rule", "remove", "mpv", status=1))
        # Whether the screen follows the device, depends on more: it may be locked.
        self.assertIn("No rule applies to mpv now.\n", self.ask("rule", "off", "mpv"))
        rules = json.loads(self.ask("rule", "list", "mpv", "--json"))
        self.assertEqual([rule["state"] for rule in rules], ["switched-off"])
        self.assertIn("Rules for mpv:\n  mpv, ", self.ask("rule", "remove", "mpv"))
        self.assertEqual(os.listdir(os.path.join(self.home, "autorotate", "apps")), [])

    def test_a_playing_rule_is_not_mistaken_for_an_unconditional_one(self):
        apps = os.path.join(self.home, "autorotate", "apps")
        os.mkdir(apps)
        with open(os.path.join(apps, "zz.toml"), "w", encoding="utf-8") as file:
            file.write('match = "fo*"\nsupported = "landscape"\n')
        printed = self.ask("rule", "add", "foo", "portrait", "--playing")
        self.assertIn("foo while playing: portrait", printed)
        self.assertIn("fo*: landscape", printed)
        rules = json.loads(self.ask("rule", "list", "foo", "--json"))
        self.assertEqual({rule["file"].split("/")[-1]: rule["playing"] for rule in rules},
                         {"zz.toml": None, "foo.toml": True})

    def test_a_rule_behind_one_for_all_apps_is_written_with_a_warning(self):
        self.ask("rule", "add", "*", "portrait")
        words = "this rule never applies: "
        for command in (("add", "zathura", "landscape"), ("edit", "zathura", "left"), ("list", "zathura")):
            self.assertIn(words, self.ask("rule", *command))
        self.assertNotIn(words, self.ask("rule", "list", "mpv"))

    def test_a_broken_rule_of_the_app_is_mentioned(self):
        apps = os.path.join(self.home, "autorotate", "apps")
        os.mkdir(apps)
        with open(os.path.join(apps, "foo.toml"), "w", encoding="utf-8") as file:
            file.write('match = "foo"\nsupported = \n')
        words = "foo.toml: broken; a running autorotate keeps its last valid version"
        for command in (("list", "foo"), ("add", "foo", "portrait"), ("remove", "foo")):
            self.assertIn(words, self.ask("rule", *command))
        self.assertNotIn("foo.toml", self.ask("rule", "list", "bar"))

    def test_mistakes_are_reported_with_the_next_step(self):
        self.assertIn("landscape", self.ask("rule", "add", "mpv", "wide", status=2))
        self.assertIn("landscape", self.ask("rule", "add", "mpv", status=2))
        self.assertIn("Give the orientations", self.ask("rule", "add", status=2))
        self.assertIn("rule add", self.ask("rule", "edit", "nothing", "left", status=1))
        self.assertIn("Give what to change", self.ask("rule", "edit", "mpv", status=2))
        for words in (("rule", "add", "foo", "left"), ("config", "set", "rotate-in", "tablet")):
            del self.env["HOME"], self.env["XDG_CONFIG_HOME"]
            self.assertIn("HOME", self.ask(*words, status=1))
            self.env.update(HOME=self.home, XDG_CONFIG_HOME=self.home)

    def test_files_without_write_permission_stay(self):
        """First the file's own permissions, then its folder's."""
        self.write(MINE)
        for path, mode, usual in ((self.settings, 0o444, 0o644), (os.path.dirname(self.settings), 0o555, 0o755)):
            os.chmod(path, mode)
            self.addCleanup(os.chmod, path, usual)
            result = subprocess.run([*UNPRIVILEGED, program(), "config", "set", "rotate-in", "tablet"], env=self.env,
                                    capture_output=True, text=True, check=False)
            os.chmod(path, usual)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("sudo chown", result.stderr)
            self.assertEqual(self.text("config.toml"), MINE)
        self.assertEqual(os.listdir(os.path.dirname(self.settings)), ["config.toml"])

    def test_values_are_completed(self):
        script = subprocess.run([program(), "--generate-completion-script", "bash"], capture_output=True, text=True,
                                check=True).stdout
        self.assertIn("lock.over-apps", script)
        found = self.complete(script, ["autorotate", "config", "set", "rotate-in", ""])
        self.assertEqual(found, ["always", "tablet"])

    def complete(self, script, words):
        path = os.path.dirname(program()) + os.pathsep + self.env["PATH"]
        ask = f'COMP_WORDS=({" ".join(word or chr(34) * 2 for word in words)}); COMP_CWORD={len(words) - 1}; ' \
            f'COMP_LINE="{" ".join(words)}"; COMP_POINT=${{#COMP_LINE}}; _autorotate; ' \
            'printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(["bash", "-c", script + "\n" + ask], env={**self.env, "PATH": path}, text=True,
                                capture_output=True, check=True)
        return sorted(filter(None, result.stdout.split("\n")))


class InFront(BenchTest):
    def test_a_rule_for_the_focused_app_applies_until_removed(self):
        bench = self.bench(sensor={})
        bench.run("xrandr", "--output", "HDMI-1", "--off")
        bench.accelerate(*ACCELERATIONS["left"])
        windows = Windows(bench.env)
        self.addCleanup(windows.end)
        with Daemon(bench) as daemon:
            daemon.until_shown("left")
            windows.open("player", "Player")
            daemon.until(lambda now: now and now["application"] == "Player", "Player in focus")
            for words, printed, shown in ((("add", "landscape"), "Rules for Player:", "normal"),
                                          (("edit", "portrait"), "Rules for Player:", "left"),
                                          (("edit", "landscape"), "Rules for Player:", "normal"),
                                          (("remove",), "No rule applies to Player now", "left")):
                self.assertIn(printed, bench.run(program(), "rule", *words).stdout)
                daemon.until_shown(shown)
            bench.run(program(), "config", "set", "desktop.supported", "landscape")
            daemon.until_shown("normal")
            bench.run(program(), "config", "unset", "desktop.supported")
            daemon.until_shown("left")


class ApplicationNames(BenchTest):
    """How a user finds the names by which rules match applications."""

    def setUp(self):
        self.session = self.bench(sensor={})
        self.session.write("config/autorotate/apps/film.toml", 'match = "Player"\nsupported = "landscape"\n')
        self.session.write("config/autorotate/apps/page.toml", 'match = "Reader"\nfullscreen = true\n'
                           'supported = "portrait"\n')
        self.windows = Windows(self.session.env)
        self.addCleanup(self.windows.end)

    def focus(self, daemon, name):
        daemon.until(lambda now: now and now["application"] == name, f"{name} in focus")

    def test_windows_are_listed_with_rule_and_effect(self):
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.assertIn("No windows are known", self.session.run(program(), "windows").stdout)
            for name in ("Reader", "Player"):
                self.windows.open(name.lower(), name)
                self.focus(daemon, name)
            player, reader = json.loads(self.session.run(program(), "windows", "--json").stdout)["windows"]
            printed = self.session.run(program(), "windows").stdout
        self.assertIn("Player", player["names"])
        self.assertEqual((player["inFront"], player["allowed"]), (True, ["normal", "inverted"]))
        self.assertIn("film.toml:1", player["rule"])
        self.assertEqual((reader["inFront"], reader["rule"]), (False, None))
        self.assertIn("only while fullscreen", reader["others"][0])
        self.assertRegex(printed, r"(?s)Player.*, focused\n  normal, inverted \(.*film.toml:1\)\nReader.*\(no rule\)")

    def test_a_preferred_orientation_not_allowed_on_the_panel_is_reported(self):
        words = '"left" is not an allowed orientation of the rule on this panel'
        with Daemon(self.session) as daemon:
            daemon.await_name()
            daemon.until(lambda now: now and now["naturalOrientation"] == "landscape", "the panel")
            added = self.session.run(program(), "rule", "add", "book", "landscape", "--preferred", "left")
            self.assertIn(words, added.stdout)
            for command in ("check", "doctor"):
                checked = self.session.run(program(), command)
                self.assertIn(words, checked.stdout + checked.stderr)

    def test_a_shortage_of_descriptors_keeps_the_rules(self):
        """They were once lost until the next change of a file."""
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.windows.open("player", "Player")
            self.focus(daemon, "Player")
            pid = daemon.process.pid
            usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
            few = min(set(range(len(used) + 1)) - used)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, usual[1]))
            self.session.write("config/autorotate/config.toml", "[lock]\nover-apps = true\n")
            daemon.until_printed("config.toml: error: cannot be read: Too many open files")
            listed = self.session.run(program(), "windows").stdout
            resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
            daemon.until_printed("The settings have no errors now.")
            self.assertIn("film.toml:1", listed)

    def test_a_rule_for_a_title_applies_and_is_explained(self):
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.windows.open("reader", "Reader")
            self.windows.send("title", "reader", "News")
            self.focus(daemon, "Reader")
            added = self.session.run(program(), "rule", "add", "Reader", "inverted", "--title", "*book*", "--title", "x")
            self.assertIn('Reader with title *book*, x: inverted', added.stdout)
            wait_until(lambda: "title: News" in self.session.run(program(), "windows").stdout, "the title")
            explained = self.session.run(program(), "explain").stdout
            self.assertRegex(explained, r"(?s)Title +News\n.*only with the title \*book\*, x\n")
            self.windows.send("title", "reader", "Cookbook")
            daemon.until_shown("inverted")
            listed = json.loads(self.session.run(program(), "windows", "--json").stdout)["windows"]
            self.assertEqual(listed[0]["title"], "Cookbook")
            rules = json.loads(self.session.run(program(), "rule", "list", "Reader", "--json").stdout)
            self.assertEqual([rule["title"] for rule in rules], [None, ["*book*", "x"]])
            self.session.run(program(), "rule", "remove", "Reader", "--title", "*book*", "--title", "x")
            daemon.until_shown("normal")

    def test_a_rule_is_edited_and_disabled_by_any_name_of_the_window(self):
        self.session.write("etc/autorotate/apps/show.toml", 'match = "Show"\ntitle = "x*"\nsupported = "landscape"\n')
        with Daemon(self.session) as daemon:
            daemon.await_name()
            for name, words, printed in (
                    ("Reader", ("edit", "Reader-window", "left"), "page.toml."),
                    ("Show", ("off", "Show-window", "--title", "x*"), "rule remove Show --title 'x*'\n")):
                self.windows.open(name.lower(), name)
                self.focus(daemon, name)
                self.assertIn(printed, self.session.run(program(), "rule", *words).stdout)

    def test_on_x11_all_open_windows_are_listed_and_no_closed_one(self):
        for number, name in enumerate(("Reader", "Player", "Editor")):
            self.windows.open(name.lower(), name, x=100 * number)
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.focus(daemon, "Editor")
            listed = json.loads(self.session.run(program(), "windows", "--json").stdout)
            self.assertTrue(listed["complete"])
            self.assertEqual([each["names"][0] for each in listed["windows"]], ["Editor", "Reader", "Player"])
            self.windows.send("close", "editor")
            daemon.until(lambda now: now and now["application"] != "Editor", "Editor closed")
            printed = self.session.run(program(), "windows")
            self.assertEqual(printed.stderr, "")
            self.assertIn("Player", printed.stdout)
            self.assertNotIn("Editor", printed.stdout)

    def test_a_name_that_matches_no_application_is_pointed_out(self):
        line = ("autorotate: no app called nosuchapp is open or installed; `autorotate windows` lists the names of "
                "open ones\n")
        with Daemon(self.session) as daemon:
            daemon.await_name()
            for words in (("rule", "add", "nosuchapp", "landscape"), ("explain", "nosuchapp")):
                result = self.session.run(program(), *words)
                self.assertEqual((result.returncode, result.stderr), (0, line))
                self.assertIn("nosuchapp", result.stdout)
            self.windows.open("other", "NoSuchApp")
            self.focus(daemon, "NoSuchApp")
            self.assertEqual(self.session.run(program(), "explain", "nosuchapp").stderr, "")
        self.install()
        for name in ("other", "org.example.*"):
            self.assertEqual(self.session.run(program(), "rule", "add", name, "landscape").stderr, "", name)

    def install(self):
        installed = "[Desktop Entry]\nType=Application\nName=Other\nExec=/opt/other/other-viewer %U\n"
        self.session.write("data/applications/org.example.Other.desktop", installed)

    def test_the_nearest_name_is_suggested(self):
        self.install()
        for name, words in (("ohter", "no app called ohter is open or installed; did you mean Other?"),
                            ("other-viewer", "other-viewer is the program of org.example.Other; if the rule does not "
                             "apply, use that name instead")):
            added = self.session.run(program(), "rule", "add", name, "landscape")
            self.assertEqual((added.returncode, added.stderr), (0, f"autorotate: {words}\n"))
            self.session.run(program(), "rule", "remove", name)

    def test_check_notes_a_rule_for_an_unknown_application(self):
        self.install()
        for name, match in (("typo", '"ohter"'), ("names", '["mpv-git", "other"]'), ("glob", '"nosuch*"')):
            self.session.write(f"config/autorotate/apps/{name}.toml", f"match = {match}\nsupported = \"left\"\n")
        self.session.write("etc/autorotate/apps/shared.toml", 'match = "nosuchapp"\nsupported = "left"\n')
        note = "typo.toml:1:9: note: no app called ohter is open or installed; did you mean Other?"
        with Daemon(self.session) as daemon:
            daemon.await_name()
            for title in ("Player", "Reader"):
                self.windows.open(title, title)
                self.focus(daemon, title)
            checked = self.session.run(program(), "check")
            self.assertEqual((checked.returncode, checked.stdout), (0, "No problems found\n"))
            self.assertIn(note, checked.stderr)
            self.assertEqual(checked.stderr.count("note: "), 1, checked.stderr)
            self.assertEqual(self.session.run(program(), "check", "-q").stderr, "")
        self.assertEqual(self.session.run(program(), "check").stderr.count("note: no app called"), 3)

    def test_explain_names_the_command_for_a_fullscreen_rule(self):
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.session.run(program(), "rule", "add", "mousepad", "landscape", "--fullscreen")
            hint = "for fullscreen: autorotate explain mousepad --fullscreen"
            self.assertIn(hint, self.session.run(program(), "explain", "mousepad").stdout)
            fullscreen = self.session.run(program(), "explain", "mousepad", "--fullscreen").stdout
            self.assertRegex(fullscreen, "Rule +.*mousepad.toml")
            self.assertNotIn(hint, fullscreen)

    def test_a_rule_that_was_just_written_is_explained(self):
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.session.run(program(), "rule", "add", "mousepad", "landscape")
            self.assertIn("mousepad.toml", self.session.run(program(), "explain", "mousepad").stdout)
            self.session.run(program(), "rule", "remove", "mousepad")
            self.assertNotIn("mousepad.toml", self.session.run(program(), "explain", "mousepad").stdout)

    def test_hints_name_the_application(self):
        self.session.write("etc/autorotate/apps/show.toml", 'match = "Film Show"\nsupported = "landscape"\n')
        for words, hint in (((("rule", "remove", "Film Show")), "`autorotate rule off 'Film Show'`"),
                            (("rule", "edit", "nosuchapp", "left"), "`autorotate rule add nosuchapp landscape`")):
            result = self.session.run(program(), *words)
            self.assertEqual(result.returncode, 1)
            self.assertIn(hint, result.stderr)
        with Daemon(self.session) as daemon:
            daemon.await_name()
            result = self.session.run(program(), "rule", "add", "landscape")
            self.assertEqual(result.returncode, 1)
            self.assertIn("`autorotate rule add mpv landscape`", result.stderr)

    def test_an_output_of_the_command_line_is_named_as_such(self):
        with Daemon(self.session, "--output", "foo", "--wait") as daemon:
            reasons = daemon.status()["reasons"]
        self.assertIn("foo, given with --output, is not connected, so nothing rotates. Check its name.", reasons)
        self.session.write("config/autorotate/config.toml", '[display]\noutput = "foo"\n')
        with Daemon(self.session, "--wait", log="second") as daemon:
            self.assertIn("foo, the output in your settings, is not connected", " ".join(daemon.status()["reasons"]))

    def test_removed_options_cause_one_warning_and_have_no_effect(self):
        with Daemon(self.session) as daemon:
            daemon.await_name()
            self.windows.open("reader", "Reader")
            self.focus(daemon, "Reader")
            plain = self.session.run(program(), "explain")
            result = self.session.run(program(), "explain", "--pick")
        self.assertEqual((result.returncode, result.stdout), (0, plain.stdout))
        self.assertEqual(result.stderr.splitlines(), [
            "autorotate: explain --pick has been removed: see the names of all apps with `autorotate windows`. "
            "Leave it out."])
        trace = os.path.join(PROJECT, "Config/demo/turns.csv")
        plain = self.session.run(program(), "replay", trace)
        for words in (("--plot", "out.svg", trace), ("--plot=out.svg", trace), (trace, "--compare")):
            result = self.session.run(program(), "replay", *words)
            self.assertEqual((result.returncode, result.stdout), (0, plain.stdout))
            self.assertEqual(result.stderr.count("has been removed"), 1)
            self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_without_a_daemon_both_report_it(self):
        for command, output in (("windows", "^$"), ("explain", "Allowed +any by your settings")):
            result = self.session.run(program(), command)
            self.assertEqual(result.returncode, 3)
            self.assertRegex(result.stdout, output)
            self.assertIn("start it with", result.stderr)
