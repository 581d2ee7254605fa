# SPDX-License-Identifier: MIT
"""The users of the machine, and their sessions: real ones of logind, on seat0."""

import fcntl
import os
import pwd
import subprocess

from waiting import LONGEST_WAIT, Failed, wait_until


ACTIVATE_TERMINAL = 0x5606  # VT_ACTIVATE


def show_terminal(number):
    """As the keys for it do. Its display server decides when."""
    console = os.open("/dev/tty0", os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(console, ACTIVATE_TERMINAL, int(number))
    os.close(console)


def front_terminal():
    with open("/sys/class/tty/tty0/active", encoding="utf-8") as file:
        return int(file.read().strip().removeprefix("tty"))


def write_file(path, text):
    """A file of the machine, whose directory may be missing."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Person:
    """Someone with an account; `env` is the environment of a program in their session."""

    def __init__(self, name):
        self.name = name
        self.account = pwd.getpwnam(name)
        self.runtime = f"/run/user/{self.account.pw_uid}"
        self.env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.account.pw_dir, "USER": name,
                    "LOGNAME": name, "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": self.runtime,
                    "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus"}

    def _as_them(self, command):
        return ["setpriv", f"--reuid={self.name}", f"--regid={self.name}", "--init-groups", "--reset-env", "env",
                *(f"{key}={value}" for key, value in self.env.items()), *command]

    def run(self, *command, timeout=LONGEST_WAIT):
        """Like a shell's `timeout`, it returns 124 for a program that has not ended: a desktop that starts delays some."""
        try:
            return subprocess.run(self._as_them(command), capture_output=True, text=True, timeout=timeout,
                                  cwd=self.account.pw_dir, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"it has not ended in {timeout} s")

    def say(self, *command):
        """The output of a command; raises Failed if it fails."""
        result = self.run(*command)
        if result.returncode:
            raise Failed(f"{' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    def bytes_of(self, *command):
        """The output of a command that prints no text."""
        return subprocess.run(self._as_them(command), stdout=subprocess.PIPE, timeout=LONGEST_WAIT, check=True).stdout

    def start(self, *command, **streams):
        return subprocess.Popen(self._as_them(command), cwd=self.account.pw_dir, **streams)

    def write(self, path, text):
        """A file in their home."""
        path = os.path.join(self.account.pw_dir, path)
        subprocess.run(self._as_them(["mkdir", "-p", os.path.dirname(path)]), check=True)
        subprocess.run(self._as_them(["tee", path]), input=text, text=True, stdout=subprocess.DEVNULL, check=True)

    def set_password(self):
        """The name is the password, too."""
        subprocess.run(["chpasswd"], input=f"{self.name}:{self.name}", text=True, check=True)

    def has_processes(self):
        """Whether anything of theirs runs, as it does from the login on."""
        return subprocess.run(["pgrep", "--uid", self.name], stdout=subprocess.DEVNULL, check=False).returncode == 0


class Session:
    """A session of one user at the screen, started like a login on a terminal."""

    def __init__(self, person, kind, terminal, command):
        self.person, self.unit, self.terminal = person, f"session-of-{person.name}", terminal
        settings = {"User": person.name, "PAMName": "login", "WorkingDirectory": "~",
                    "TTYPath": f"/dev/tty{terminal}", "TTYReset": "yes", "TTYVHangup": "yes",
                    "StandardInput": "tty", "StandardOutput": "journal", "StandardError": "journal",
                    "UtmpIdentifier": f"tty{terminal}", "UtmpMode": "user"}
        environment = {"XDG_SEAT": "seat0", "XDG_VTNR": str(terminal), "XDG_SESSION_TYPE": kind,
                       "XDG_SESSION_CLASS": "user"}
        self._keep_logind_from_it()
        self.show()
        subprocess.run(["systemd-run", "--quiet", f"--unit={self.unit}",
                        *(f"--property={key}={value}" for key, value in settings.items()),
                        *(f"--setenv={key}={value}" for key, value in environment.items()), *command], check=True)

    def _keep_logind_from_it(self):
        """logind starts a prompt on each terminal that comes to the front."""
        units = [f"{name}@tty{self.terminal}.service" for name in ("getty", "autovt")]
        subprocess.run(["systemctl", "--quiet", "--runtime", "mask", *units], check=True)

    def show(self):
        """Brings this session to the front."""
        show_terminal(self.terminal)

    def end(self):
        subprocess.run(["systemctl", "stop", self.unit], check=False)

    def last_words(self):
        output = subprocess.run(["journalctl", "--no-pager", "-n", "25", "-o", "cat", f"_UID={self.person.account.pw_uid}"],
                                capture_output=True, text=True, check=False).stdout
        log = f"{self.person.account.pw_dir}/.local/share/xorg/Xorg.0.log"
        return output + (open(log).read()[-800:] if os.path.exists(log) else "")

    def await_that(self, condition, what):
        wait_until(condition, lambda: f"{what}: {self.last_words()}", pause=0.2)


class LoginScreen(Session):
    """A login screen that rotates, set up as in docs/recipes.md. It starts the session of the user who logs in."""

    def __init__(self, unit, setup=("true",)):  # pylint: disable=super-init-not-called
        self.unit = unit
        for command in (["systemctl", "--quiet", "enable", unit], setup, ["systemctl", "start", "--no-block", unit]):
            result = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_WAIT, stdin=subprocess.DEVNULL, check=False)
            if result.returncode:
                raise Failed(f"{' '.join(command)}: {result.stderr}")

    def last_words(self):
        return subprocess.run(["journalctl", "--no-pager", "-n", "60", "-o", "short-monotonic"],
                              capture_output=True, text=True, check=False).stdout
