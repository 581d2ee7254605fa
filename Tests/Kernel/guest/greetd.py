# SPDX-License-Identifier: MIT
"""greetd with agreety in sway or gtkgreet in cage, which starts a user's desktop."""

from uinput_devices import Keyboard
from user_sessions import LoginScreen, Person, write_file
from sway import Sway
from waiting import wait_until
from wlroots import Labwc

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
"""The settings of docs/recipes.md for a greeter that sway starts."""


class Greeted:
    """By greetd. The display is its own user's, and after the login the user's."""

    files_of_login, setup = {}, ["true"]

    def __init__(self, person, terminal=1):
        super().__init__(Person("_greetd"), terminal)
        self.who, self.keyboard = person, Keyboard()
        person.set_password()
        for path, text in self.files_of_login.items():
            write_file(path, text)

    def begin(self):
        self.prepare(self.who)
        return LoginScreen("greetd", self.setup)

    def listen(self):
        """Does nothing: a window that listens would take the keys."""

    def log_in(self):
        # It prints nothing that could be awaited; keys typed before it asks are kept for it.
        self.keyboard.type(f"{self.who.name}\n")
        self.keyboard.type(f"{self.who.name}\n")
        self.person = self.who
        wait_until(self.is_there, "the session has not begun")
        self.watch()
        super().listen()


class Greetd(Greeted, Sway):
    """agreety in sway, whose settings have the wrapper by hand."""

    files_of_login = {"/etc/greetd/config.toml": GREETD, "/etc/greetd/sway": GREETER}


class Cage(Greeted, Labwc):
    """gtkgreet in cage, as the program itself sets it up; then labwc."""

    files_of_login = {"/etc/greetd/config.toml": CAGE}
    setup = ["autorotate", "setup", "--greeter", "--display-manager", "greetd"]
