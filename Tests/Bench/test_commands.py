# SPDX-License-Identifier: MIT
"""Commands as users type them: their effect, their output on a terminal, and their completion in shells."""

import os
import pty
import re
import select
import subprocess

from benchkit import requirements
from benchkit.child_processes import longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS, Daemon
from benchkit.testing import BenchTest, program
from benchkit.windows import Windows

SUGGEST = '[notifications]\nsuggest-rotation = true\n'
BROKEN = 'match = "totem"\nsupported = ["landscpae"]\n'


def on_terminal(session, *words):
    """What the command writes to a terminal, and its standard error."""
    master, slave = pty.openpty()
    try:
        result = subprocess.run([program(), *words], env=session.env, stdout=slave, stderr=subprocess.PIPE, text=True,
                                timeout=longest_wait(), check=False)
    finally:
        os.close(slave)
    printed = b""
    try:
        while more := os.read(master, 4096):
            printed += more
    except OSError:  # the other end is closed
        pass
    os.close(master)
    return result.returncode, printed.decode().replace("\r\n", "\n"), result.stderr


class Words(BenchTest):
    shares_bench = True

    def started(self, settings=SUGGEST, hold="normal"):
        session = self.bench(sensor={})
        session.write("config/autorotate/config.toml", settings)
        session.accelerate(*ACCELERATIONS[hold])
        daemon = Daemon(session)
        daemon.await_name()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.until(lambda status: status and status["orientation"] == hold, "the first rotation")
        return session, daemon

    def assertSays(self, session, words, line):
        self.assertEqual(on_terminal(session, *words), (0, line + "\n", ""))

    def test_a_command_on_a_terminal_prints_its_effect(self):
        session, daemon = self.started()
        self.assertSays(session, ("lock",), "The screen is locked (landscape).")
        self.assertSays(session, ("rotate", "next"), "The screen is locked (right edge up).")
        self.assertSays(session, ("unlock",), "The screen is unlocked.")
        daemon.until(lambda status: status["orientation"] == "normal", "the device orientation")
        self.assertSays(session, ("rotate", "portrait"), "The screen is now left edge up.")
        self.assertSays(session, ("hold",), "Auto-rotation is paused. To resume: autorotate resume")
        self.assertSays(session, ("release",), "Auto-rotation is resumed.")
        status = on_terminal(session, "status")
        self.assertIn("Orientation", status[1])

    def test_explain_without_a_daemon_shows_what_would_apply(self):
        session = self.bench(sensor={})
        path = session.write("config/autorotate/apps/mpv.toml", 'match = "mpv"\nsupported = ["landscape"]\n')
        session.write("state/autorotate/lock", "left\n")
        app, none = session.run(program(), "explain", "mpv"), session.run(program(), "explain")
        for result in (app, none):
            self.assertEqual(result.returncode, 3, result)
            self.assertIn("autorotate is not running: start it with", result.stderr)
        self.assertIn("Locked (left edge up)", none.stdout)
        self.assertRegex(app.stdout, rf"(?m)^  Rule +{re.escape(path)}")
        self.assertNotIn("focused", none.stdout)
        without_bus = session.run("env", "-u", "DBUS_SESSION_BUS_ADDRESS", "-u", "XDG_RUNTIME_DIR", program(), "explain", "mpv")
        self.assertIn("session bus", without_bus.stderr)
        self.assertEqual((without_bus.returncode, without_bus.stdout), (1, app.stdout))

    def test_a_command_in_a_script_prints_nothing(self):
        _, daemon = self.started()
        for words in (("lock",), ("toggle",), ("rotate", "left"), ("hold",), ("release",), ("--lock", "landscape")):
            result = daemon.ask(*words)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), words)
        self.assertEqual(daemon.status()["lock"]["orientation"], "normal")

    def test_accept_needs_no_argument_for_a_single_suggestion(self):
        session, daemon = self.started()
        refused = daemon.ask("rotate", "--offered")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("No rotation is suggested now", refused.stderr)
        self.assertEqual(daemon.ask("lock").returncode, 0)
        session.accelerate(*ACCELERATIONS["left"])
        daemon.until(lambda status: status["suggestion"] == "left", "the offer")
        self.assertSays(session, ("rotate", "--offered"), "The screen is locked (left edge up).")
        self.assertEqual(session.output("eDP-1")["rotation"], "left")

    def test_a_rule_from_a_terminal_names_its_window(self):
        session, daemon = self.started()
        with Windows(session.env) as windows:
            windows.open("terminal", "XTerm")
            daemon.until(lambda status: status["application"] == "XTerm", "the terminal in front")
            status, printed, _errors = on_terminal(session, "rule", "add", "landscape")
            self.assertEqual(status, 0)
            self.assertIn("XTerm was the last focused app on the panel. To undo: autorotate rule remove XTerm\n",
                          printed)
            self.assertIn("autorotate rule add NAME landscape", printed)
            self.assertNotIn("last focused", on_terminal(session, "rule", "add", "mpv", "landscape")[1])

    def test_a_printed_undo_cannot_leave_its_quotes(self):
        session, daemon = self.started()
        hostile = "x;touch$IFS'a"
        with Windows(session.env) as windows:
            windows.open("window", hostile)
            daemon.until(lambda status: status["application"] == hostile, "the window in front")
            printed = on_terminal(session, "rule", "add", "landscape")[1]
            self.assertIn("To undo: autorotate rule remove 'x;touch$IFS'\\''a'\n", printed)

    def test_mistyped_words_are_answered_with_a_suggestion(self):
        _, daemon = self.started()
        for words, meant in ((("rotate", "lft"), 'Did you mean "left"?'),
                             (("--lock", "upsidedown"), "upsidedown"),
                             (("lock", "portait"), 'Did you mean "portrait"?'),
                             (("lock", "off"), "Did you mean `autorotate unlock`?"),
                             (("unlok",), "Did you mean `autorotate unlock`?"),
                             (("request", "lanscape", "--", "true"), 'Did you mean "landscape"?')):
            result = daemon.ask(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(meant, result.stderr)

    def test_a_broken_rule_is_named_when_its_app_is_explained(self):
        session, daemon = self.started()
        path = os.path.join(session.directory, "config/autorotate/apps/video.toml")
        session.write("config/autorotate/apps/video.toml", BROKEN)
        daemon.until_printed("video.toml")
        checked = daemon.ask("check")
        self.assertEqual((checked.returncode, checked.stdout), (2, "1 error\n"))
        explained = daemon.ask("explain", "totem").stdout
        self.assertIn(f"{path}:2:14: error: ", explained)
        self.assertIn("autorotate check", explained)
        self.assertNotIn("video.toml", daemon.ask("explain", "mpv").stdout)

    def test_files_that_are_not_read_are_named(self):
        session, daemon = self.started()
        session.write("config/autorotate/apps/mpv", 'match = "mpv"\nsupported = "landscape"\n')
        session.write("config/autorotate/apps/vlc.toml.off", "")
        session.write("config/autorotate/setings.toml", "")
        checked = daemon.ask("check", "-q")
        self.assertEqual(checked.returncode, 0)
        self.assertIn("apps/mpv: warning: is not read", checked.stderr)
        self.assertIn("setings.toml: warning: is not read", checked.stderr)
        self.assertEqual((checked.stdout, daemon.ask("check").stdout), ("", "2 warnings\n"))
        self.assertNotIn("vlc", checked.stderr)
        self.assertRegex(daemon.ask("doctor").stdout, r"setings\.toml: warning: is not read: .*, and 1 more")


class Completion(BenchTest):
    """Each shell with the script that is generated for it, as if a user typed."""

    shares_bench = True

    def setUp(self):
        self.session = self.bench(sensor={})
        bin_directory = os.path.join(self.session.directory, "bin")
        os.makedirs(bin_directory)
        os.symlink(program(), os.path.join(bin_directory, "autorotate"))
        self.session.env.update(PATH=f"{bin_directory}:{self.session.env['PATH']}", LC_ALL="C.UTF-8")
        self.windows = Windows(self.session.env)
        self.addCleanup(self.windows.end)
        self.daemon = Daemon(self.session)
        self.daemon.await_name()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.end())
        self.windows.open("sketch", "sketchbook")
        self.daemon.until(lambda now: now and now["application"] == "sketchbook", "the window in focus")

    def script(self, shell, name):
        made = self.session.run(program(), "--generate-completion-script", shell)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.session.write(name, made.stdout)
        return os.path.join(self.session.directory, name)

    WORDS = ((("rotate", "l"), {"left", "landscape"}, {"right"}),
             (("lock", "p"), {"portrait", "previous"}, {"left"}),
             (("lock", "in"), {"inverted"}, {"left"}),
             (("daemon", "--sensor", "i"), {"iio"}, {"proxy"}),
             (("daemon", "--backend", "s"), {"sway"}, {"x11"}),
             (("posture", "t"), {"tablet", "tent"}, {"laptop"}),
             (("request", "land"), {"landscape", "landscape-primary"}, {"portrait"}),
             (("to",), {"toggle"}, {"lock"}))
    NAMES = ((("rotate", "left", "--output", ""), {"eDP-1"}, set()),
             (("lock", "--while", "sk"), {"sketchbook"}, set()),
             (("explain", "sk"), {"sketchbook"}, set()))

    def assertCompletes(self, complete, cases=WORDS + NAMES):
        """`complete(words, wanted)` returns the candidates for the last word."""
        for words, wanted, unwanted in cases:
            with self.subTest(words=words):
                found = complete(words, wanted)
                self.assertLessEqual(wanted, found)
                self.assertFalse(unwanted & found)

    def in_bash(self, words):
        script = self.script("bash", "autorotate.bash")
        ask = ('. "$1"; shift; COMP_WORDS=(autorotate "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; '
               'COMP_POINT=${#COMP_LINE}; _autorotate autorotate "${@: -1}" "${@: -2:1}"; '
               'printf "%s\\n" "${COMPREPLY[@]}"')
        result = self.session.run(requirements.program("bash", "bash"), "--norc", "-c", ask, "bash", script, *words)
        return {line.strip() for line in result.stdout.splitlines()}

    def test_bash_completes_all_cases(self):
        self.assertCompletes(lambda words, _wanted: self.in_bash(words))

    def test_bash_runs_no_name_that_it_completes(self):
        made = os.path.join(self.session.directory, "made")
        self.session.write("config/autorotate/apps/hostile.toml",
                           f'match = ["`>{made}`", "reader two", "Öffner"]\nsupported = ["landscape"]\n')
        hostile = f"$(>{made})"
        self.windows.open("hostile", hostile)
        self.daemon.until(lambda now: now and now["application"] == hostile, "the hostile window in focus")
        for words in (("explain", ""), ("rule", "off", ""), ("lock", "--while", "")):
            found = self.in_bash(words)
            self.assertIn("sketchbook", found)
            self.assertFalse({name for name in found if made in name})
        self.assertFalse(os.path.exists(made))
        self.assertLessEqual({"reader two", "Öffner"}, self.in_bash(("explain", "")))

    def test_fish_completes_all_cases(self):
        script = self.script("fish", "autorotate.fish")
        fish = requirements.program("fish", "fish")
        self.session.env.update(HOME=self.session.directory)
        # fish 3.6 reports the cursor position only to an interactive shell, which the names of the daemon need.
        ask = ("source {}; function __autorotate_tokens; if test \"$argv\" = -tC; echo 0; else; commandline -o $argv; end; end; "
               "complete -C 'autorotate {}'")

        def complete(words, _wanted):
            result = self.session.run(fish, "--no-config", "-c", ask.format(script, " ".join(words)))
            return {line.split("\t")[0] for line in result.stdout.splitlines()}

        self.assertCompletes(complete)

    def test_zsh_completes_all_cases(self):
        requirements.program("zsh", "zsh")
        self.script("zsh", "site-functions/_autorotate")
        with Zsh(self.session) as zsh:
            self.assertCompletes(zsh.complete)


class Zsh:
    """A zsh that is typed to. It lists candidates at once, and each list is waited for."""

    def __init__(self, session):
        self.master, slave = pty.openpty()
        env = {**session.env, "TERM": "dumb", "HOME": session.directory, "ZDOTDIR": session.directory}
        self.process = subprocess.Popen(["zsh", "-f", "-i"], env=env, stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True)
        os.close(slave)
        self.printed = ""
        self.cleared = 0
        functions = os.path.join(session.directory, "site-functions")
        self.type(f"PS1='rea''dy> '; unsetopt beep; setopt auto_list; fpath=({functions} $fpath); "
                  "autoload -Uz compinit; compinit -u -D; bindkey '^U' kill-whole-line; bindkey '^X' list-choices\n")
        self.until(lambda printed: "ready>" in printed)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, is_enough):
        def lists_enough():
            if select.select([self.master], [], [], 0.1)[0]:
                self.printed += os.read(self.master, 65536).decode(errors="replace")
            return is_enough(self.printed)

        wait_until(lists_enough)
        return self.printed

    def complete(self, words, wanted):
        """^X lists candidates, and leaves the line as it is. Unlike ^D it means nothing before the shell reads input."""
        self.printed = ""
        self.type("autorotate " + " ".join(words) + "\x18")

        def found():
            return set(re.findall(r"[\w.-]+", self.printed.split("\n", 1)[1])) if "\n" in self.printed else set()

        self.until(lambda _said: wanted <= found())
        words = found()
        self.clear_line()
        return words

    def clear_line(self):
        """Clears the line, and waits until its output has arrived."""
        self.cleared += 1
        self.type(f"\x15print settl''ed-{self.cleared}.\n")
        self.until(lambda printed: "ready>" in printed.partition(f"settled-{self.cleared}.")[2])
