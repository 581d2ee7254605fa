# SPDX-License-Identifier: MIT
"""Windows of simulated applications, opened and moved by the program of panel/window.c."""

from .child_processes import Helper, wait_until

QUESTIONS_BEFORE_HELP = 500


class Windows(Helper):
    """All windows that one test opens. They close with it; use it in a `with`, or call `end`."""

    def __init__(self, env):
        super().__init__([env["BENCH_WINDOW"]], env)

    def send(self, *words):
        """One line as panel/window.c reads it. Returns the number in its answer."""
        return int(self.ask(*words)[0])

    def open(self, name, application, **keys):
        """Opens a window, and waits until the window manager has made it the active one."""
        number = self.open_only(name, application, **keys)
        # xfwm4, busy with a new layout of the outputs, sometimes leaves a new window without focus.
        self._await_active(number, name, or_else=lambda: self.send("activate", name))
        return number

    def open_only(self, name, application, **keys):
        return self.send("open", name, application, *[f"{key}={value}" for key, value in keys.items()])

    def activate(self, name, number):
        """Activates it as a task bar does, and waits."""
        self.send("activate", name)
        self._await_active(number, name)

    def _await_active(self, number, name, or_else=lambda: None):
        """Waits until a window is the active one; calls `or_else` repeatedly while it is not."""
        questions = 0

        def is_active():
            nonlocal questions
            questions += 1
            if questions % QUESTIONS_BEFORE_HELP == 0:
                or_else()
            return self.active() == number

        wait_until(is_active, f"{name} is the active window")

    def manager(self):
        return self.send("manager")

    def active(self):
        return self.send("active")
