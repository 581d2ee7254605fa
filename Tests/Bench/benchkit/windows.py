# SPDX-License-Identifier: MIT
"""Windows of pretended applications, opened and moved by the program of panel/window.c."""

from .child_processes import Failed, Helper, wait_until

SECONDS_UNTIL_FOCUSED = 5


class Windows(Helper):
    """All windows that one test opens. They close with it; use it in a `with`, or call `end`."""

    def __init__(self, env):
        super().__init__([env["BENCH_WINDOW"]], env)

    def say(self, *words):
        """One line as panel/window.c reads it. Returns the number in its answer."""
        return int(self.ask(*words)[0])

    def open(self, name, application, **keys):
        """Opens a window, and waits until the window manager has made it the active one."""
        number = self.open_only(name, application, **keys)
        if not wait_until(lambda: self.active() == number, SECONDS_UNTIL_FOCUSED):
            # xfwm4, busy with a new layout of the outputs, was seen to let a new window go without the focus.
            self.activate(name, number)
        return number

    def open_only(self, name, application, **keys):
        return self.say("open", name, application, *[f"{key}={value}" for key, value in keys.items()])

    def activate(self, name, number):
        """Asks as a task bar does, and waits."""
        self.say("activate", name)
        self._await_active(number, name)

    def _await_active(self, number, name):
        if not wait_until(lambda: self.active() == number, SECONDS_UNTIL_FOCUSED):
            raise Failed(f"the window manager did not make {name} the active window")

    def manager(self):
        return self.say("manager")

    def active(self):
        return self.say("active")
