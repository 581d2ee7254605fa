# SPDX-License-Identifier: MIT
"""A reader of the documents, who types every command in them on a bench of their own."""

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess

from . import calibration_user, documents
from .c_programs import PROJECT
from .child_processes import exit_status, longest_wait, wait_until
from .daemon import DEVICE, Daemon
from .requirements import SKIPPED, Missing
from .terminal import INTERRUPT, Terminal
from .testing import program

NOT_HERE = (
    (r"systemctl --user (start|enable --now|status|edit|restart|stop) (autorotate|dbus)$", "a bench has no systemd"),
    (r"gnome-extensions enable ", "a bench of X11 has no GNOME Shell"),
    (r"dbus-update-activation-environment --systemd ", "a bench has no systemd"),
    (r"sudo apt(-get)? (install|purge) (\./|[a-z])", "it would change this machine"),
    (r"sudo cp packaging/udev/\S+ /etc/udev/rules.d/?$", "it would change this machine"),
    (r"(?:sudo )?autorotate setup --greeter$", "it would change this machine"),
    (r"sudo libinput debug-events --verbose$", "it reads the devices of this machine"),
    (r"gsettings set org\.gnome\.desktop\.peripherals\.", "it needs a second touchscreen in GNOME"),
    (r"busctl --user set-property org\.kde\.KWin ", "it needs a second touchscreen in KWin"),
    (r"autorotate setup$", "it asks; the tests of the first run answer"),
    (r"autorotate rotate --offered$", "nothing is offered to who reads; the tests of words take an offer"),
    (r"autorotate --greeter$", "it waits for a login screen's display; the tests of the login screen run it"),
    (r"packaging/version --check$", "`make check-packaging` runs it"),
    (r"git clone https://\S+$", "the network is not there in each test"),
    (r"git tag --sign ", "no key to sign with is there"),
    (r"sudo chvt \d+$", "it would change this machine"),
    (r"cd autorotate$", "the reader is there"))
"""Commands that are only checked without running them, and why."""
PLACEHOLDERS = {"FILE": "trace.csv", "APP": "mpv"}
PLAYER = '#!/bin/sh\nautorotate --status | grep -q "^Allowed  *normal, inverted$"\n'  # requests landscape
FAULTY_RULE = 'match = "mpv"\nfullscreen = true\nsupported = ["landscpae"]\n'
PERSON = "/home/ada"  # as in the documents


class DocumentError(AssertionError):
    """A document states something that is not so."""


def check(is_so, what):
    if not is_so:
        raise DocumentError(what)


def _runnable(path, flags):
    return os.open(path, flags, 0o755)


class Reader:
    """One document's reader: a home, a place to work in, a bench, and a running autorotate."""

    has_calibrated = False

    def __init__(self, session):
        self.session = session
        self.home = os.path.join(session.directory, "home")
        self.place = os.path.join(session.directory, "project")
        self._prepare_home()
        self.daemon = self._start()

    def _prepare_home(self):
        apps = os.path.join(self.home, ".config", "autorotate", "apps")
        data = os.path.join(self.home, "usr", "share", "autorotate")
        programs = os.path.join(self.home, "bin")
        for directory in (apps, data, programs, self.place):
            os.makedirs(directory)
        # Copied, since in a container the project may belong to another user.
        shutil.copytree(os.path.join(PROJECT, "Config", "apps"), os.path.join(data, "apps"))
        os.symlink(program(), os.path.join(programs, "autorotate"))
        with open(os.path.join(programs, "mpv"), "w", encoding="utf-8", opener=_runnable) as file:
            file.write(PLAYER)
        self._lay_out_project()
        self.session.env.update(
            HOME=self.home, XDG_CONFIG_HOME=os.path.dirname(os.path.dirname(apps)),
            XDG_DATA_DIRS=os.path.dirname(data), LC_ALL="C.UTF-8", TERM="xterm-256color",
            PATH=programs + os.pathsep + self.session.env["PATH"])

    def _lay_out_project(self):
        """The project with a trace in it, in which anything may be written beside the existing files."""
        for name in os.listdir(PROJECT):
            if not name.startswith("."):
                os.symlink(os.path.join(PROJECT, name), os.path.join(self.place, name))
        os.makedirs(os.path.join(self.place, ".build", "debug"))
        os.symlink(program(), os.path.join(self.place, ".build", "debug", "autorotate"))
        for name in ("turns.csv", "trace.csv"):
            shutil.copy(os.path.join(PROJECT, "Config/demo/turns.csv"), os.path.join(self.place, name))

    def _start(self, *arguments):
        daemon = Daemon(self.session, *arguments)
        daemon.await_name()
        return daemon

    # How a command is typed

    def type(self, command):
        """Does what the document says, and compares. Returns why it could only be checked without running it, or None."""
        text = re.sub(r"\b(%s)\b" % "|".join(PLACEHOLDERS), lambda word: PLACEHOLDERS[word[0]], command.text)
        for pattern, reason in NOT_HERE:
            if re.match(pattern, text):
                return reason
        for pattern, act in self._ways():
            if found := re.match(pattern, text):
                return act(command, found)
        raise DocumentError("document_commands.py cannot run this; add how, or why it cannot be run")

    def _ways(self):
        return (
            (r"(?:sudo )?make ([a-z-]+)((?: [A-Z][A-Z0-9_]*=(?:'[^']*'|\S+))*)(?:\s*#.*)?$", self._check_target),
            (r"(?:(?:[A-Z_]+=\S+ )?swift test --filter|Tests/run-swift-tests) (\w+)$", self._check_suite),
            (r"(?:[A-Z_]+=\S+ )?Tests/Bench/run-tests ([\w.]+)$", self._check_tests),
            (r"Benchmarks/\S+ (\d+|TRACES|kwin|mutter)$", lambda _command, _found: "it takes long; that it is there is looked at"),
            (r"autorotate(?: --sensor (\S+))?(?:\s*#.*)?$", self._start_daemon),
            (r"autorotate calibrate(?:\s*#.*)?$", self._calibrate),
            (r"autorotate monitor(?:\s*#.*)?$", self._monitor),
            (r"autorotate tray$", self._tray),
            (r"autorotate record (\S+\.csv)(?:\s*#.*)?$", self._record),
            (r"autorotate .*--follow", self._follow),
            (r"autorotate check -q$", self._check),
            (r"Tests/Bench/bench run ", self._run_outside),
            (r"(time )?autorotate \S|touch \S|mkdir -p ~/|ln -s \S+ ~/", self._run))

    def _run_outside(self, command, found):
        """A bench within a bench has too long a path for sockets. Compositors have no built-in panel there."""
        self._run(command, found, 1 if found.string.endswith(" doctor") else 0, os.environ)

    def _run(self, command, found, status=0, env=None):
        result = subprocess.run(
            ["bash", "-c", found.string], env=env or self.session.device_env, cwd=self.place, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            timeout=longest_wait())
        if result.returncode == SKIPPED:
            raise Missing(result.stdout.strip())
        check(result.returncode == status, f"ended with {result.returncode}, not {status}:\n{result.stdout}")
        if command.shown is not None:
            self._compare(result.stdout, command.shown)

    def _compare(self, printed, shown):
        """… in a document matches anything, alone on a line any lines."""
        printed = printed.replace(os.path.join(self.home, "usr"), "/usr").replace(self.home, PERSON)
        pattern = re.escape(shown.rstrip()).replace("\n…", "(?s:.*)").replace("…", ".*")
        lines = "\n".join(line.rstrip() for line in printed.rstrip().splitlines())
        check(re.fullmatch(pattern, lines), f"printed\n{printed}\nbut the document shows\n{shown}")

    # Commands that are only checked for existence, since a test is no place to run them

    def _check_target(self, _command, found):
        words = shlex.split(found[2].replace("=DIR", "=/tmp"))
        result = subprocess.run(["make", "-n", found[1], *words], cwd=PROJECT, capture_output=True, text=True,
                                env={**self.session.env, "MAKEFLAGS": ""}, check=False)
        check(result.returncode == 0, result.stderr)
        return "make -n knows it"

    def _check_suite(self, _command, found):
        names = subprocess.run(["grep", "-rhoE", rf"(struct|class|extension) {found[1]}\b|^{found[1]}$",
                                os.path.join(PROJECT, "Tests")], stdout=subprocess.PIPE, check=False).stdout
        is_target = os.path.isdir(os.path.join(PROJECT, "Tests", found[1]))
        check(names or is_target, f"there are no tests called {found[1]}")
        return "there is such a suite"

    def _check_tests(self, _command, found):
        folder = os.path.join(PROJECT, "Tests", "Bench")
        for word in found[1].split("."):
            inside = subprocess.run(["grep", "-rlw", "-e", word, "-e", f"test_.*{word}.*", "--include=test_*.py",
                                     folder], stdout=subprocess.PIPE, check=False).stdout
            is_file = glob.glob(os.path.join(folder, f"*{word}.py"))
            check(inside or is_file, f"there are no tests called {word}")
        return "there are such tests"

    # Commands that keep running, or ask questions

    def _start_daemon(self, _command, found):
        source = (found[1] or "auto").replace("replay:", f"replay:{self.place}/")
        self.daemon.end()
        self.daemon = self._start("--sensor", source)

    def _check(self, command, found):
        """The one command that the document shows with an error."""
        is_faulty = command.shown is not None
        path = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate/apps/mpv.toml")
        if is_faulty:
            with open(path, "w", encoding="utf-8") as file:
                file.write(FAULTY_RULE)
        self._run(command, found, 2 if is_faulty else 0)
        if is_faulty:
            os.unlink(path)

    def _process(self, text, **options):
        return subprocess.Popen(["bash", "-c", "exec " + text], env=self.session.device_env, cwd=self.place,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def _calibrate(self, _command, found):
        if Reader.has_calibrated:
            return "it takes long, and was done for another document"
        Reader.has_calibrated = True
        with self._process(found.string, stdin=subprocess.PIPE) as process:
            printed = calibration_user.lead(process, self.session.accelerate)
            process.stdin.close()
            check(exit_status(process) == 0, printed)
        check("The mount matrix is 1, 0, 0; 0, 1, 0; 0, 0, 1" in printed, printed)

    def _monitor(self, _command, found):
        with Terminal(["bash", "-c", "exec " + found.string], self.session.device_env) as terminal:
            self.session.accelerate(0, -9.81, 0)
            terminal.until_shown("Device    normal")
            terminal.press(INTERRUPT)
            check(terminal.end() == 0, "Ctrl-C did not end it with status 0")

    def _tray(self, _command, found):
        with self._process(found.string) as process:
            printed = process.stdout.readline()
            process.terminate()
        check("There is no tray;" in printed and process.returncode == 0, f"{printed} ({process.returncode})")

    def _record(self, _command, found):
        path = os.path.join(self.place, found[1])
        if os.path.exists(path):
            os.unlink(path)
        with self._process(found.string) as process:
            wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 2000, path)
            process.send_signal(signal.SIGINT)
            printed = process.stdout.read()
        check(process.returncode == 0 and "samples written" in printed, printed)

    def _follow(self, command, found):
        with self._process(found.string) as process:
            line = process.stdout.readline()
            process.terminate()
        check(line.strip(), "it printed nothing")
        if command.shown:
            self._compare(line, command.shown)
