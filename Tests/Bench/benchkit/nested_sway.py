# SPDX-License-Identifier: MIT
"""A sway with a touchscreen: full screen on a KWin without a screen, which can simulate a finger.

wlroots has no touchscreen without a kernel device; but its window on another compositor gets that one's touches.
"""

import os
import select
import subprocess
import time

from . import c_programs, compositors, requirements
from .child_processes import Failed, longest_wait, wait_until

PANEL = "WL-1"
MARKER = (20, 20)  # where a touch follows those that were to reach a new window
CONFIGURATION = "xwayland disable\ndefault_border none\n"
FULL_SCREEN = """
function fill(window) {
    workspace.sendClientToScreen(window, 0);
    window.fullScreen = true;
}
workspace.clientAdded.connect(fill);
workspace.clientList().forEach(fill);
"""
"""A script for KWin 5.27."""


class NestedSway:
    """Runs on a bench whose server is kwin; from then on the bench's environment is that of this sway."""

    def __init__(self, session):
        self.session = session
        self.directory = os.path.join(session.directory, "nested")
        self.finger = None
        self.windows = []
        self._fill_the_screen()
        self.process = self._start()
        session.env.update(self._client_environment())

    def _fill_the_screen(self):
        script = os.path.join(self.session.directory, "full-screen.js")
        with open(script, "w", encoding="utf-8") as file:
            file.write(FULL_SCREEN)
        for call in (["/Scripting", "org.kde.kwin.Scripting.loadScript", script, "full-screen"],
                     ["/Scripting", "org.kde.kwin.Scripting.start"]):
            path, method, *words = call
            command = [requirements.program("gdbus", "libglib2.0-bin"), "call", "--session", "--dest", "org.kde.KWin",
                       "--object-path", path, "--method", method, *words]
            result = self.session.run(*command)
            if result.returncode != 0:
                raise Failed(f"KWin takes no script: {result.stderr.strip()}")

    def _start(self):
        outer = self._outer_socket()
        runtime, home = (os.path.join(self.directory, name) for name in ("run", "home"))
        for path in (self.directory, runtime, home):
            os.makedirs(path, mode=0o700)
        path = os.path.join(self.directory, "config")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        environment = {**self.session.env, "XDG_RUNTIME_DIR": runtime, "HOME": home, "WAYLAND_DISPLAY": outer,
                       "WLR_BACKENDS": "wayland", "WLR_WL_OUTPUTS": "1", "WLR_RENDERER": "pixman",
                       "LIBSEAT_BACKEND": "noop"}
        command = [requirements.program("sway", "sway"), "-c", path]
        if os.getuid() == 0:  # sway before 1.8 does not run as root
            command = self._as_nobody(command, [self.directory, runtime, home], outer)
        process = self.session.children.start("nested-sway", command, environment)
        self.session.children.await_condition(
            process, lambda: any(name.startswith("sway-ipc.") for name in os.listdir(runtime)),
            "sway did not start within KWin")
        return process

    def _outer_socket(self):
        return os.path.join(self.session.env["XDG_RUNTIME_DIR"], self.session.env["WAYLAND_DISPLAY"])

    def _as_nobody(self, command, own, outer):
        for path in own:
            os.chown(path, compositors.NOBODY, compositors.NOBODY)
        for path in (self.session.directory, os.path.dirname(self.session.directory), os.path.dirname(outer)):
            os.chmod(path, os.stat(path).st_mode | 0o011)
        os.chmod(outer, 0o777)
        return [requirements.program("setpriv", "util-linux"), f"--reuid={compositors.NOBODY}",
                f"--regid={compositors.NOBODY}", "--clear-groups", *command]

    def _client_environment(self):
        runtime = os.path.join(self.directory, "run")
        self.outer = dict(self.session.env)
        names = os.listdir(runtime)
        display = next(name for name in names if name.startswith("wayland-") and not name.endswith(".lock"))
        socket = next(name for name in names if name.startswith("sway-ipc."))
        return {"XDG_RUNTIME_DIR": runtime, "WAYLAND_DISPLAY": display,
                "SWAYSOCK": os.path.join(runtime, socket), "XDG_CURRENT_DESKTOP": "sway"}

    # Used by tests

    def tap(self, x, y):
        """A finger on the glass, in pixels of the panel as it is mounted."""
        if self.finger is None:
            self.finger = self._start_program(c_programs.fake_touch(self.session.directory), self.outer)
            self._answer()
        self.finger.send_line(f"tap {x} {y}")
        self._answer()

    def _answer(self):
        if self.finger.line() != "done":
            raise Failed("the finger on KWin's screen has ended")

    def window(self, size):
        """A fullscreen window of this size, once touches reach it; `TouchWindow`."""
        window = TouchWindow(self._start_program(c_programs.touch_window(self.session.directory), self.session.env))
        window.until_size(lambda found: found == size)

        def is_touched():  # the touchscreen is new to KWin, to sway and to the window, one after the other
            self.tap(1, 1)
            return window.talk.has_line(0.3)

        wait_until(is_touched, "a touch reaches the window")
        self.tap(*MARKER)
        wait_until(lambda: all(abs(is_ - shall) <= 1 for is_, shall in zip(window.touched(), MARKER)), "the marker's touch")
        return window

    def _start_program(self, program, environment):
        talk = LineProgram(program, environment)
        self.windows.append(talk)
        return talk

    def end(self):
        for talk in self.windows:
            talk.end()


class LineProgram:
    """A program that prints lines, and may receive some."""

    def __init__(self, program, environment):
        self.process = subprocess.Popen(
            [program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.rest = b""

    def send_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def has_line(self, seconds):
        return b"\n" in self.rest or bool(select.select([self.process.stdout], [], [], seconds)[0])

    def line(self):
        """Waits for the next line. Raises Failed if none comes."""
        while b"\n" not in self.rest:
            if not self.has_line(longest_wait()):
                raise Failed(f"{os.path.basename(self.process.args[0])} printed nothing in {longest_wait():.0f} s")
            came = self.process.stdout.read(4096)
            if not came:
                raise Failed(f"{os.path.basename(self.process.args[0])} has ended")
            self.rest += came
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def end(self):
        self.process.kill()
        self.process.communicate()


class TouchWindow:
    """A window that reports where it is touched."""

    def __init__(self, talk):
        self.talk = talk
        self.size = None
        self.until_size(lambda size: size)

    def until_size(self, condition):
        """Waits until the window has a size that fits."""
        while self.size is None or not condition(self.size):
            self._read()

    def touched(self):
        """Waits for the next touch, and returns its place."""
        while not (found := self._read()):
            pass
        return found

    def touched_within(self, seconds):
        """The place of the next touch, or None if none comes."""
        deadline = time.monotonic() + seconds
        while self.talk.has_line(max(0, deadline - time.monotonic())):
            if found := self._read():
                return found
        return None

    def tapped(self, tap):
        """Where a tap arrives. sway loses taps while it arranges windows or reads its settings: then it is repeated."""
        while self.touched_within(0):
            pass

        def arrived():
            tap()
            return self.touched_within(1.0)

        return wait_until(arrived, "a tap arrives")

    def _read(self):
        what, *numbers = self.talk.line().split()
        if what == "size":
            self.size = tuple(map(int, numbers))
            return None
        return tuple(map(float, numbers))
