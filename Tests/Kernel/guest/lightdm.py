# SPDX-License-Identifier: MIT
"""LightDM with its GTK greeter on Xorg, from which a person comes to a desktop."""

from uinput_devices import Keyboard
from user_sessions import LoginScreen, Person, write_file
from waiting import wait_until
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
MOST_QUESTIONS = 5


class LightDM(X11):
    """Root looks at it, who sees the login screen and the session after it, since both are on one server."""

    def __init__(self, person, terminal=1):
        super().__init__(Person("root"), terminal)
        self.person.env["XAUTHORITY"] = f"/run/lightdm/root/{self.display}"
        self.who, self.keyboard = person, Keyboard()
        person.write(".xinitrc", RC)
        person.set_password()
        write_file("/usr/share/xsessions/bench.desktop", DESKTOP_ENTRY)
        write_file("/etc/lightdm/lightdm.conf.d/50-bench.conf", LIGHTDM)
        write_file("/etc/lightdm/lightdm-gtk-greeter.conf", GTK_GREETER)

    def user(self):
        return "lightdm"

    def begin(self):
        return LoginScreen("lightdm", ["autorotate", "setup", "--greeter"])

    def listen(self):
        super().listen()
        self._await_question(1)

    def _await_question(self, number):
        """Or the session, after the last one."""
        wait_until(lambda: questions() >= number or self.who.has_processes(),
                   lambda: f"the login screen has asked {questions()} times")

    def log_in(self):
        """By the keyboard. LightDM asks for the name, and for the password, which is the same word, until it is right: what
        is typed before the screen shows the question is lost, as it is for a person in a hurry."""
        for number in range(1, MOST_QUESTIONS + 1):
            self._await_question(number)
            if self.who.has_processes():
                return
            self.keyboard.type(f"{self.who.name}\n")
        self._await_question(MOST_QUESTIONS + 1)


def questions():
    """How many the login screen has asked so far."""
    with open(LIGHTDM_LOG, encoding="utf-8") as file:
        return file.read().count("Prompt greeter with 1 message")

