# SPDX-License-Identifier: MIT
"""Login screens, from which a person comes to a desktop: LightDM with its GTK greeter on Xorg, greetd with
agreety in sway or gtkgreet in cage."""

import os
import subprocess

from uinput_devices import Keyboard
from user_sessions import LoginScreen, Person
from sway import Sway
from waiting import wait_until
from wlroots import Labwc
from x11 import RC, X11

LIGHTDM = """\
[Seat:*]
user-session=bench
"""
GTK_GREETER = """\
[greeter]
background=#204060
"""
DESKTOP_ENTRY = """\
[Desktop Entry]
Type=Application
Name=Bench
Exec=sh .xinitrc
"""
LIGHTDM_LOG = "/var/log/lightdm/lightdm.log"
GREETD = """\
[terminal]
vt = 1
[default_session]
command = "env WLR_RENDERER=pixman sway --config /etc/greetd/sway"
user = "_greetd"
"""
CAGE = """\
[terminal]
vt = 1
[default_session]
command = "env WLR_RENDERER=pixman cage -s -- gtkgreet -c 'env WLR_RENDERER=pixman XDG_CURRENT_DESKTOP=labwc:wlroots labwc'"
user = "_greetd"
"""
GREETER = """\
default_border none
exec "/usr/libexec/autorotate/greeter foot /usr/sbin/agreety --cmd 'env WLR_RENDERER=pixman XDG_CURRENT_DESKTOP=sway sway'; swaymsg exit"
"""
"""As docs/recipes.md has it for a greeter that sway starts."""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def give_password(person):
    subprocess.run(["chpasswd"], input=f"{person.name}:{person.name}", text=True, check=True)


class LightDM(X11):
    """Root looks at it, who sees the login screen and the session after it, since both are on one server."""

    def __init__(self, person, terminal=1):
        super().__init__(Person("root"), terminal)
        self.person.env["XAUTHORITY"] = f"/run/lightdm/root/{self.display}"
        self.who, self.keyboard = person, Keyboard()
        person.write(".xinitrc", RC)
        give_password(person)
        write("/usr/share/xsessions/bench.desktop", DESKTOP_ENTRY)
        write("/etc/lightdm/lightdm.conf.d/50-bench.conf", LIGHTDM)
        write("/etc/lightdm/lightdm-gtk-greeter.conf", GTK_GREETER)

    def user(self):
        return "lightdm"

    def begin(self):
        return LoginScreen("lightdm", ["autorotate", "setup", "--greeter"])

    def listen(self):
        super().listen()
        self._await_question(1)

    @staticmethod
    def _await_question(number):
        def questions():
            with open(LIGHTDM_LOG, encoding="utf-8") as file:
                return file.read().count("Prompt greeter with 1 message")

        wait_until(lambda: questions() >= number, lambda: f"the login screen has asked {questions()} times")

    def log_in(self):
        """By the keyboard."""
        for number, answer in enumerate((self.who.name, self.who.name), 1):
            self._await_question(number)
            self.keyboard.type(f"{answer}\n")


class Greeted:
    """By greetd. Who looks at it is its own user, and after the login the person."""

    files_of_login, setup = {}, ["true"]

    def __init__(self, person, terminal=1):
        super().__init__(Person("_greetd"), terminal)
        self.who, self.keyboard = person, Keyboard()
        give_password(person)
        for path, text in self.files_of_login.items():
            write(path, text)

    def begin(self):
        self.prepare(self.who)
        return LoginScreen("greetd", self.setup)

    def listen(self):
        """A window that listens would take the keys."""

    def log_in(self):
        # It says nothing that could be awaited; what is typed before it asks is kept for it.
        self.keyboard.type(f"{self.who.name}\n")
        self.keyboard.type(f"{self.who.name}\n")
        self.person = self.who
        wait_until(self.is_there, "the session has not begun")
        super().listen()


class Greetd(Greeted, Sway):
    """agreety in sway, whose settings have the wrapper by hand."""

    files_of_login = {"/etc/greetd/config.toml": GREETD, "/etc/greetd/sway": GREETER}


class Cage(Greeted, Labwc):
    """gtkgreet in cage, as the program itself sets it up; then labwc."""

    files_of_login = {"/etc/greetd/config.toml": CAGE}
    setup = ["autorotate", "setup", "--greeter", "--display-manager", "greetd"]
