# SPDX-License-Identifier: MIT
"""Runs some of the tests in a place of their own, and reports how that ended.

Several runs work at once, and a fault can do anything: remove files, kill processes, never end. Where possible,
each run has its own process identifiers and its own /tmp, and nothing that it started outlives it.
"""

import contextlib
import dataclasses
import functools
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import copied_package

PRIVATE = {"XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data",
           "XDG_CACHE_HOME": "cache", "XDG_CONFIG_DIRS": "etc"}
FOREIGN = re.compile(r"^(DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_CURRENT_DESKTOP|XDG_SESSION_.*|DESKTOP_SESSION|DBUS_.*)$")
MOST_MEMORY = 6 << 30  # bytes; a fault may allocate endlessly
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# A line of the Swift tests, or one of the end-to-end tests.
ISSUE = re.compile(r"(?:Test (?P<test>.+?) )?recorded an issue|^failed +(?P<method>\w+ \w+\.test_\w+)")
# Process 1 of the new namespace is a shell, and so is the parent of the tests: process 1 ignores the signals that it
# sends to itself, and the program does not consider it a parent. Process numbers begin high, as on a machine
# that has run for a while: low ones fit into one byte.
IN_NAMESPACE = """
private=$1 project=$2; shift 2
if [ -n "$private" ]; then
  case $project in /tmp/*)
    mkdir -p "$private/${project#/tmp/}" && mount --rbind "$project" "$private/${project#/tmp/}" || exit 125;;
  esac
  mount --rbind "$private" /tmp || exit 125
fi
cd "$project" || exit 125
echo 30000 2>/dev/null >/proc/sys/kernel/ns_last_pid
sh -c '"$@"; exit $?' sh "$@"
exit $?
"""
CRASHES = (132, 133, 134, 135, 136, 139)  # the shell's statuses for SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV
_running = set()
_is_ending = threading.Event()
SEPARATE = ["--pid", "--fork", "--kill-child", "--mount-proc"]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    kind: str  # passed, issue, crash or silence
    words: str = ""
    test: str = ""  # that recorded the issue, as the output names it
    duration: float = 0
    longest_silence: float = 0


@functools.lru_cache(maxsize=None)
def separation():
    """The command in front, which gives a run its own process identifiers; [] where that is not allowed."""
    choices = [["unshare", "--mount", *SEPARATE], ["unshare", "--user", "--map-current-user", *SEPARATE]]
    for command in choices if os.getuid() == 0 else choices[1:]:
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return []


def _separate(command, directory):
    has_own_tmp = "--mount" in separation()
    front = [*separation(), "sh", "-c", IN_NAMESPACE, "sh", directory if has_own_tmp else "", copied_package.PROJECT]
    return front + command


def _environment(directory, variables):
    environment = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    inside = "/tmp" if "--mount" in separation() else directory
    for name, folder in PRIVATE.items():
        os.makedirs(os.path.join(directory, folder), mode=0o700, exist_ok=True)
        environment[name] = os.path.join(inside, folder)
    return {**environment, "TMPDIR": inside, **variables}


def run(command, variables, silence, longest):
    """Runs a command until its first issue. It is ended after `silence` seconds without a line, or `longest` in all."""
    directory = tempfile.mkdtemp(prefix="mutant-")
    os.chmod(directory, 0o1777)
    process = subprocess.Popen(
        _separate(command, directory), env=_environment(directory, variables), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=_limit_memory)
    _running.add(process)
    try:
        if _is_ending.is_set():
            return Outcome("passed")
        return _Listener(process, silence, longest).outcome()
    finally:
        _running.discard(process)
        _end(process)
        shutil.rmtree(directory, ignore_errors=True)


def end_all():
    """Ends current and future runs."""
    _is_ending.set()
    for process in list(_running):
        _signal(process, signal.SIGKILL if separation() else signal.SIGTERM)


def _signal(process, number):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end(process):
    if not separation() and process.poll() is None:  # the bench ends what it has started
        _signal(process, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass
    if process.poll() is None:
        _signal(process, signal.SIGKILL)
    process.wait()
    process.stdout.close()


class _Listener:
    """Reads the output of a run."""

    def __init__(self, process, silence, longest):
        self.process, self.silence, self.longest = process, silence, longest
        self.began = self.last = time.monotonic()
        self.longest_silence = 0
        self.rest = b""
        self.recent = []

    def outcome(self):
        while True:
            left = min(self.last + self.silence, self.began + self.longest) - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return self._ended("silence", f"not done after {time.monotonic() - self.began:.0f} s")
            data = os.read(self.process.stdout.fileno(), 65536)
            self._note_time()
            if not data:
                return self._status()
            issue = self._first_issue(data)
            if issue:
                return self._ended("issue", issue[0], issue[1])

    def _note_time(self):
        now = time.monotonic()
        self.longest_silence = max(self.longest_silence, now - self.last)
        self.last = now

    def _first_issue(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in (COLOUR.sub("", line.decode(errors="replace")).strip() for line in lines):
            self.recent = [*self.recent, line][-5:]
            match = ISSUE.search(line)
            if match:
                return line, match["test"] or match["method"] or ""
        return None

    def _status(self):
        status = self.process.wait()
        if status == 0:
            return self._ended("passed")
        return self._ended("crash" if status < 0 or status in CRASHES else "issue", f"ended with {status}: {' | '.join(self.recent)}"[:400])

    def _ended(self, kind, words="", test=""):
        return Outcome(kind, words, test, time.monotonic() - self.began, self.longest_silence)
