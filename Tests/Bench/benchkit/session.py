# SPDX-License-Identifier: MIT
"""One bench: buses, an X server, a window manager, input devices, and a mock accelerometer on request."""

import dataclasses
import os
import re
import socket
import subprocess
import sys
import time

from . import (accelerometer, c_programs, compositors, control_socket, input_devices, requirements, xservers,
               wayland, x11_state)
from .child_processes import Children, Failed, Helper, longest_wait, wait_until

PRIVATE = {
    "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state",
    "XDG_DATA_HOME": "data", "XDG_CONFIG_DIRS": "etc", "TMPDIR": "tmp"}
FOREIGN = re.compile(
    r"^(DISPLAY|WAYLAND_.*|XAUTHORITY|SWAYSOCK|HYPRLAND_.*|NIRI_SOCKET|XDG_CURRENT_DESKTOP"
    r"|XDG_SESSION_.*|DESKTOP_SESSION|DBUS_.*|LD_PRELOAD|UMOCKDEV_DIR|IIOD_REMOTE)$")


@dataclasses.dataclass
class Options:
    """What to start."""

    mode: str = "1280x800"
    wm: str = "openbox"
    server: str = "xorg"
    mount: str = None  # "panel orientation", in DRM's words
    second_panel: bool = False  # eDP-2 beside the first (below it on X11), of the same size, in the place of the monitor
    sensor: accelerometer.Options = None
    proxy: bool = False
    xwayland: bool = False  # sway with the X server that it starts on demand


class Session:
    """A running bench. Use it in a `with`, inside `guard.guarded`."""

    def __init__(self, directory, options=None):
        self.directory = directory
        self.options = options or Options()
        self.children = Children(directory)
        self.simulated_input = input_devices.SimulatedInput(directory)
        self.env = self._private_environment()
        self.x11 = x11_state.Reader(self.env)
        self.sensor = None
        self.xserver = None
        self.compositor = None
        self.window_manager = None
        self.started_in = None

    def _private_environment(self):
        """This process's environment without the desktop that it may run on."""
        env = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
        for name, part in PRIVATE.items():
            env[name] = os.path.join(self.directory, part)
            os.makedirs(env[name], mode=0o700, exist_ok=True)
        # Without /usr/local/share, since rules of an installed autorotate would apply.
        env.update(
            AUTOROTATE_BENCH="1", BENCH_DIR=self.directory, XDG_SESSION_TYPE="x11", XDG_DATA_DIRS="/usr/share")
        return env

    def __enter__(self):
        began = time.monotonic()
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        self.started_in = time.monotonic() - began
        return self

    def __exit__(self, *_error):
        self.stop()

    def _start(self):
        buses = [self._start_bus("session"), self._start_bus("system")]
        if compositors.is_known(self.options.server):
            for await_bus in buses:
                await_bus()
            self._start_compositor()
        else:
            if self.options.server != "none":
                self._start_server()
            for await_bus in buses:
                await_bus()
        if self.options.sensor:
            self.sensor = accelerometer.Accelerometer(
                self.children, self.directory, self.options.sensor, self.env)
        control_socket.serve(self.directory, self.perform)
        if self.xserver and self.options.wm != "none":
            self.start_window_manager(self.options.wm)
        if self.options.proxy:
            accelerometer.start_proxy(self.children, self.device_env)

    def _start_bus(self, kind):
        path = os.path.join(self.directory, kind + "-bus")
        program = requirements.program("dbus-daemon", "dbus")
        process = self.children.start(kind + "-bus", [
            program, "--session", "--nofork", "--nopidfile", "--address=unix:path=" + path],
            self.env)
        self.env[f"DBUS_{kind.upper()}_BUS_ADDRESS"] = "unix:path=" + path
        return lambda: self.children.await_condition(
            process, lambda: accepts_connections(path), f"no {kind} bus")

    def _start_server(self):
        options = self.options
        if options.server == "xorg":
            started = xservers.start_xorg(
                self.children, self.directory, self.env, options.mode, options.mount, options.second_panel)
        else:
            start = {"xvfb": xservers.start_xvfb, "xephyr": xservers.start_xephyr}[options.server]
            started = start(self.children, self.env, options.mode)
        self.xserver, self.env["DISPLAY"] = started
        self.env["BENCH_MARKER"] = c_programs.marker(self.directory)
        self.env["BENCH_WINDOW"] = c_programs.window(self.directory)
        self.env["BENCH_XSTATE"] = c_programs.xstate(self.directory)

    def _start_compositor(self):
        self.compositor = compositors.Compositor(
            self.children, self.directory, self.env, self.options.server, self.options.mode,
            self.options.xwayland, self.options.second_panel)
        self.env.update(self.compositor.environment)

    @property
    def display(self):
        """As DISPLAY or WAYLAND_DISPLAY has it."""
        return self.env["WAYLAND_DISPLAY" if self.compositor else "DISPLAY"]

    @property
    def panel(self):
        """The name of the output that stands for the built-in panel."""
        return self.compositor.panel if self.compositor else xservers.PANEL

    def start_window_manager(self, name):
        self.window_manager = xservers.start_window_manager(
            self.children, self.directory, self.env, name)

    def stop(self):
        """Ends everything that was started, the last first."""
        self.x11.end()
        self.children.stop_all()

    @property
    def device_env(self):
        """The environment of a program that is to see the mock accelerometer."""
        return {**self.env, **(self.sensor.environment if self.sensor else {})}

    def perform(self, words):
        """Does what a line of words says; returns an answer, or None."""
        if words[0] != "accel":
            return self.simulated_input.do(words)
        if not self.sensor:
            raise ValueError("this bench has no accelerometer; start it with --accelerometer")
        return self.sensor.do(words[1:])

    # Used by tests

    def start(self, name, command):
        """Starts a program that sees the bench, the accelerometer too; it is ended with the bench."""
        return self.children.start(name, command, self.device_env)

    def run(self, *command, timeout=None):
        """Runs a program to its end. Returns a CompletedProcess with text."""
        return subprocess.run(
            list(map(str, command)), env=self.env, capture_output=True, text=True,
            timeout=timeout or longest_wait(), check=False)

    def write(self, path, text):
        """Writes a file below the bench's directory, which has `config`, `data` and the like. Returns its path."""
        path = os.path.join(self.directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def outputs(self):
        if self.compositor:
            return wayland.outputs(self.compositor.kind, self.env)
        return x11_state.outputs_of(self.x11.state())

    def output(self, name):
        return next(each for each in self.outputs() if each["name"] == name)

    def matrices(self):
        return x11_state.matrices_of(self.x11.state())

    def tap(self, fx, fy, *device):
        self.simulated_input.do(["tap", fx, fy, *device])

    def pen(self, fx, fy):
        self.simulated_input.do(["pen", fx, fy])

    def accelerate(self, x, y, z):
        self.sensor.set(x, y, z)

    def plug(self, name):
        change_connected(self.directory, self.env, name, True)

    def unplug(self, name):
        change_connected(self.directory, self.env, name, False)

    def refuse_rotation(self, refused):
        set_mark(self.directory, "refuse", refused)

    def refuse_modes(self, refused):
        """Whether a CRTC that is switched off stays off."""
        set_mark(self.directory, "refuse-modes", refused)

    def marker(self, x, y, size=9):
        return Marker(self, x, y, size)


def accepts_connections(path):
    """Whether a server listens on this socket: between bind(2) and listen(2) it exists and refuses."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


class Marker(Helper):
    """The coloured window with its centre at a screen position. Use it in a `with`."""

    def __init__(self, session, x, y, size=9):
        super().__init__([session.env["BENCH_MARKER"], "show", str(x), str(y), str(size)], session.env)
        self.session = session
        if self.process.stdout.readline().strip() != "ready":
            raise Failed("the marker did not open its window")

    def on_panel(self, name=xservers.PANEL):
        """Where it is seen on the panel's glass: fractions of the panel's own axes."""
        return wait_until(lambda: x11_state.marker_on_panel(
            self.session.directory, self.session.env, self.session.env["BENCH_MARKER"], name), "the marker is seen")

    def hits(self):
        """All input events that it received since the last call: [(kind, x, y, device name)]."""
        self.send_line("sync")
        found = []
        for line in iter(self.process.stdout.readline, "synced\n"):
            if not line:
                raise Failed("the marker has ended")
            kind, x, y, device = line.rstrip("\n").split(" ", 3)
            found.append((kind, float(x), float(y), device))
        return found


def change_connected(directory, env, name, is_connected):
    """Connects or disconnects an output, and makes the server detect it."""
    names = [each for each in xservers.connected(directory) if each != name]
    xservers.write_connected(directory, names + [name] * is_connected)
    if subprocess.run(["xrandr", "--query"], env=env, stdout=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise Failed("xrandr could not probe the outputs")


def set_mark(directory, name, is_set):
    """A file that the panel's driver checks: "refuse", "refuse-modes" (Tests/Bench/panel/rotatingpanel.c)."""
    path = os.path.join(directory, name)
    if is_set:
        with open(path, "w", encoding="utf-8"):
            pass
    elif os.path.exists(path):
        os.unlink(path)


def run_command(directory, options, command):
    """Starts a bench, runs `command` in it, and returns its exit status."""
    with Session(directory, options) as session:
        print(f"bench: {options.server} on {session.display}, "
              f"ready in {session.started_in * 1000:.0f} ms", file=sys.stderr)
        try:
            process = subprocess.Popen(command, env=session.device_env)
        except OSError as error:
            print(f"bench: {command[0]}: {error.strerror}", file=sys.stderr)
            return 127
        status = process.wait()
    return status if status >= 0 else 128 - status
