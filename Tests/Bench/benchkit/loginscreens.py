# SPDX-License-Identifier: MIT
"""LightDM and greetd with a login, as root must run them, without leaving anything on the machine.

Their packages are unpacked, not installed, and mounted over /usr, /etc and /var in a mount namespace of their own, with
users of their own: the login screen's and the user who logs in.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import time

from . import c_programs, input_devices, requirements, x11_state, xservers
from .c_programs import PROJECT
from .child_processes import Children, Failed, wait_until
from .session import accepts_connections
from .testing import program

PACKAGES = ("lightdm", "lightdm-gtk-greeter", "liblightdm-gobject-1-0", "libxklavier16", "libayatana-indicator3-7",
            "libayatana-ido3-0.4-0", "greetd")
PIECES = os.path.join(PROJECT, ".build", "login-screens")
PERSON, PASSWORD, PERSON_ID = "ada", "ada", 4242
LOGIN_ID = 4243
KEYS = {"a": 38, "d": 40, "\n": 36}
CONTROL = 37
SECONDS_TO_ANSWER = 5  # after that, the greeter has not received the keys
LIGHTDM = """[LightDM]
minimum-display-number=60
run-directory={directory}/lightdm
cache-directory={directory}/lightdm/cache
log-directory={directory}/lightdm
sessions-directory={directory}/sessions
[Seat:*]
type=local
xserver-command={directory}/x-server
greeter-session=lightdm-gtk-greeter
greeter-hide-users=true
session-wrapper={directory}/session-wrapper
"""
SESSION = "[Desktop Entry]\nType=Application\nName=Bench\nExec={directory}/session\n"
# Without -noreset, a test that reads the screen before the login screen starts, and disconnects, resets the server.
X_SERVER = """#!/bin/sh
display=$1
while [ "$1" != -auth ]; do shift; done
exec {server} $display -auth $2 -config {directory}/xorg.conf -logfile {directory}/xorg.log \\
  -nocursor -novtswitch -sharevts -keeptty -nolisten tcp -noreset
"""
# A service of Debian's asks for a seat and a terminal, which a bench does not have.
PAM = "auth required pam_unix.so\naccount required pam_unix.so\nsession required pam_unix.so\n"
GREETD = """[terminal]
vt = "none"
[default_session]
command = "{directory}/sway -c {directory}/login.sway"
user = "_greetd"
"""
SWAY = "output * mode 1280x800\nexec {command}\n"
SWAY_STARTER = """#!/bin/sh
export XDG_RUNTIME_DIR="{directory}/run-$(id -u)" WLR_BACKENDS=headless WLR_HEADLESS_OUTPUTS=1 WLR_RENDERER=pixman \\
  WLR_LIBINPUT_NO_DEVICES=1 LIBSEAT_BACKEND=noop XDG_CURRENT_DESKTOP=sway
exec sway "$@"
"""


def pieces():
    """The unpacked packages; they are downloaded once. Raises Missing."""
    if os.getuid() != 0:
        raise requirements.Missing("only root can start sessions of others")
    if os.path.exists(os.path.join(PIECES, ".complete")):
        return PIECES
    shutil.rmtree(PIECES, ignore_errors=True)
    debs = os.path.join(PIECES, "debs")
    os.makedirs(debs)
    got = subprocess.run(["apt-get", "download", "-q", *PACKAGES], cwd=debs, capture_output=True, text=True,
                         check=False)
    if got.returncode != 0:
        raise requirements.Missing("the login screens cannot be got: " + got.stderr.strip()[-300:])
    for deb in glob.glob(debs + "/*.deb"):
        subprocess.run(["dpkg", "-x", deb, PIECES], check=True)
    with open(os.path.join(PIECES, ".complete"), "w", encoding="utf-8"):
        return PIECES


def _write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


class LoginScreen:
    """A display manager in a directory of its own, which anybody may enter. `settings` are the administrator's."""

    def __init__(self, directory, settings, user_settings):
        self.directory = directory
        self.children = Children(directory)
        self.pieces = pieces()
        self.process = None
        os.chmod(directory, 0o711)
        if not os.stat(os.path.dirname(directory)).st_mode & 0o001:
            os.chmod(os.path.dirname(directory), 0o711)
        self._lay_out(settings, user_settings)
        self._make_users()

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def _lay_out(self, settings, user_settings):
        shutil.copy(program(), self.path("program"))
        _write(self.path("etc-xdg/autorotate/config.toml"), settings)
        _write(self.path("home/.config/autorotate/config.toml"), user_settings)
        _write(self.path("autorotate"), "#!/bin/sh\nexport XDG_CONFIG_DIRS=%s\nexec %s \"$@\" 2>>%s.$(id -un)\n" % (
            self.path("etc-xdg"), self.path("program"), self.path("said/by")), 0o755)
        with open(os.path.join(PROJECT, "packaging/greeter/greeter"), encoding="utf-8") as file:
            _write(self.path("greeter"), file.read().replace("/usr/bin/autorotate", self.path("autorotate")), 0o755)
        for name in ("login-home", "said", f"run-{LOGIN_ID}", f"run-{PERSON_ID}"):
            os.makedirs(self.path(name), exist_ok=True)
        os.chmod(self.path("said"), 0o1777)
        for name, owner in (("home", PERSON_ID), (f"run-{PERSON_ID}", PERSON_ID), ("login-home", LOGIN_ID),
                            (f"run-{LOGIN_ID}", LOGIN_ID)):
            self._set_owner(self.path(name), owner)

    @staticmethod
    def _set_owner(path, owner):
        os.chmod(path, 0o700)
        for place, directories, files in os.walk(path):
            for name in [place] + [os.path.join(place, name) for name in directories + files]:
                os.chown(name, owner, owner)

    def _make_users(self):
        """In the layer over /etc."""
        hashed = subprocess.run(["openssl", "passwd", "-6", PASSWORD], capture_output=True, text=True, check=True)
        logins = [(name, LOGIN_ID, self.path("login-home"), "*") for name in ("lightdm", "_greetd")]
        users = logins + [(PERSON, PERSON_ID, self.path("home"), hashed.stdout.strip())]
        for name, line in (("passwd", "{0}:x:{1}:{1}::{2}:/bin/sh\n"), ("group", "{0}:x:{1}:\n"),
                           ("shadow", "{0}:{3}:20000::::::\n")):
            with open("/etc/" + name, encoding="utf-8") as file:
                _write(self.path("over-etc", name), file.read() + "".join(line.format(*user) for user in users),
                       0o640 if name == "shadow" else 0o644)
        for name in ("lightdm", "lightdm-greeter", "greetd", "greetd-greeter"):
            _write(self.path("over-etc/pam.d", name), PAM if name in ("lightdm", "greetd")
                   else PAM.replace("pam_unix", "pam_permit"))

    def _start(self, *command):
        layers = []
        for name in ("usr", "etc", "var"):
            for part in ("over-" + name, "work-" + name):
                os.makedirs(self.path(part), exist_ok=True)
            layers.append(
                f"mount -t overlay overlay -o lowerdir={self.pieces}/{name}:/{name},"
                f"upperdir={self.path('over-' + name)},workdir={self.path('work-' + name)} /{name}")
        script = " && ".join(layers + ['exec "$@"'])
        env = {"PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + self._start_bus()}
        self.process = self.children.start(
            "manager", ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *command], env)

    def _start_bus(self):
        path = self.path("bus")
        bus = self.children.start("bus", [
            requirements.program("dbus-daemon", "dbus"), "--session", "--nofork", "--nopidfile",
            "--address=unix:path=" + path], dict(os.environ))
        self.children.await_condition(bus, lambda: accepts_connections(path), "no bus")
        return path

    def stop(self):
        self.children.stop_all()

    # Its state

    def daemons(self, owner):
        """The numbers of the processes of the program that this user runs."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.path.realpath(f"/proc/{number}/exe") == self.path("program") and \
                        os.stat(f"/proc/{number}").st_uid == owner:
                    found.append(int(number))
            except OSError:
                pass
        return found

    def saved_files(self):
        """The program's files that are left in the home of the login screen's user."""
        return [place for place, _directories, _files in os.walk(self.path("login-home")) if "autorotate" in place]

    def words(self):
        """Output for a test that fails."""
        logs = glob.glob(self.path("lightdm", "*.log")) + [self.path("manager.out")] + glob.glob(self.path("said/*"))
        return "\n".join(f"== {log}\n" + "".join(open(log, errors="replace").readlines()[-25:]) for log in logs)

    def until(self, condition, what):
        wait_until(condition, lambda: f"{what}\n{self.words()}", pause=0.05)


class LightDM(LoginScreen):
    """With its GTK greeter on Xorg."""

    display = ":60"

    def start(self):
        server = requirements.xorg()
        _write(self.path("xorg.conf"), xservers.configuration(
            self.directory, "1280x800", xservers.module_path(server, self.directory)))
        xservers.write_connected(self.directory, [xservers.PANEL])
        _write(self.path("x-server"), X_SERVER.format(server=server, directory=self.directory), 0o755)
        _write(self.path("session-wrapper"), '#!/bin/sh\nexec "$@"\n', 0o755)
        _write(self.path("session"), f"#!/bin/sh\nexec {self.path('autorotate')} --wait\n", 0o755)
        _write(self.path("sessions/bench.desktop"), SESSION.format(directory=self.directory))
        for name in ("lightdm", "lightdm/cache"):
            os.makedirs(self.path(name), exist_ok=True)
        _write(self.path("over-etc/lightdm/lightdm.conf.d/50-bench.conf"), LIGHTDM.format(directory=self.directory))
        # As `autorotate setup --greeter` writes it.
        with open(os.path.join(PROJECT, "Config/greeter/lightdm.conf"), encoding="utf-8") as file:
            piece = file.read().replace("/usr/libexec/autorotate/greeter", self.path("greeter"))
        _write(self.path("over-etc/lightdm/lightdm.conf.d/90-autorotate.conf"), piece)
        self._start("lightdm", "--debug")

    def orientation(self):
        """The panel's orientation, as root sees it."""
        env = {**os.environ, "DISPLAY": self.display, "XAUTHORITY": self.path("lightdm/root", self.display),
               "BENCH_XSTATE": c_programs.xstate(self.directory)}
        try:
            outputs = x11_state.outputs(env)
        except Failed:
            return None
        return next((each["rotation"] for each in outputs if each["name"] == xservers.PANEL), None)

    def log_in(self):
        """By the keyboard. A greeter ignores keys until its entry has the focus, and does not report when: so the answer
        is typed again, replacing any earlier text."""
        simulated_input, answered = input_devices.SimulatedInput(self.directory), (0, 0.0)

        def is_logged_in():
            nonlocal answered
            asked, now = self._questions(), time.monotonic()
            if asked > answered[0] or asked and now > answered[1] + SECONDS_TO_ANSWER:
                answered = asked, now
                self._type(simulated_input, (PERSON if asked % 2 else PASSWORD) + "\n")
            # The login screen itself is the first session.
            return self._log().count("Authentication complete with return value 0") == 2

        self.until(is_logged_in, "the log-in")

    def _questions(self):
        """How often it has asked: for the name and the password in turn."""
        return self._log().count("Prompt greeter with 1 message")

    @staticmethod
    def _type(simulated_input, text):
        simulated_input.press(CONTROL)
        simulated_input.press(KEYS["a"])  # selects all
        simulated_input.release(KEYS["a"])
        simulated_input.release(CONTROL)
        for letter in text:
            simulated_input.press(KEYS[letter])
            simulated_input.release(KEYS[letter])

    def _log(self):
        try:
            with open(self.path("lightdm/lightdm.log"), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""


class Greetd(LoginScreen):
    """With a greeter of the test in sway, which uses greetd's protocol on request."""

    def start(self):
        _write(self.path("greetd.toml"), GREETD.format(directory=self.directory))
        _write(self.path("sway"), SWAY_STARTER.format(directory=self.directory), 0o755)
        command = f"{self.path('greeter')} {sys.executable} {self.path('log-in.py')}; swaymsg exit"
        _write(self.path("log-in.py"), LOG_IN.format(
            directory=self.directory, person=PERSON, password=PASSWORD), 0o644)
        _write(self.path("login.sway"), SWAY.format(command=command))
        _write(self.path("session.sway"), SWAY.format(command=self.path("autorotate") + " --wait"))
        self._start("greetd", "--config", self.path("greetd.toml"))

    def orientation(self, user=LOGIN_ID):
        """The orientation of the output of that user's sway."""
        sockets = glob.glob(self.path(f"run-{user}", "sway-ipc.*"))
        if not sockets:
            return None
        result = subprocess.run(["swaymsg", "-s", sockets[0], "-r", "-t", "get_outputs"], capture_output=True, text=True,
                                check=False)
        if result.returncode != 0 or not json.loads(result.stdout):
            return None
        angles = {"normal": "normal", "90": "right", "180": "inverted", "270": "left"}
        return angles[json.loads(result.stdout)[0]["transform"]]

    def log_in(self):
        _write(self.path("now"), "")


LOG_IN = '''import json, os, socket, struct, time
while not os.path.exists("{directory}/now"):
    time.sleep(0.05)
greetd = socket.socket(socket.AF_UNIX)
greetd.connect(os.environ["GREETD_SOCK"])
def ask(**message):
    body = json.dumps(message).encode()
    greetd.sendall(struct.pack("=I", len(body)) + body)
    answer = json.loads(greetd.recv(struct.unpack("=I", greetd.recv(4))[0]))
    print(answer, flush=True)
    return answer
ask(type="create_session", username="{person}")
ask(type="post_auth_message_response", response="{password}")
ask(type="start_session", cmd=["{directory}/sway", "-c", "{directory}/session.sway"], env=[])
'''
