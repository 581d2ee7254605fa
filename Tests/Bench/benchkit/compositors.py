# SPDX-License-Identifier: MIT
"""Wayland compositors without a screen: two outputs side by side, the first of them the panel.

They are taken from this machine or, where $WAYLAND_ROOT names one, from another Debian's root.
"""

import os
import shutil
import socket
import struct
import subprocess

from . import c_programs, requirements
from .child_processes import Failed, longest_wait, wait_until

NEIGHBOUR_MODE = "1024x768"
NOBODY = 65534

SWAY = """xwayland {xwayland}
output {panel} mode --custom {mode}@60Hz position 0 0
output {neighbour} mode --custom {neighbour_mode}@60Hz position {width} 0
"""
PHOC = """[core]
xwayland=false
[output:{panel}]
mode = {mode}
x = 0
y = 0
[output:{neighbour}]
mode = {neighbour_mode}
x = {width}
y = 0
"""
# Its outputs have fixed names, but one that is created by a key may be named like a built-in panel.
LABWC = """<?xml version="1.0"?>
<labwc_config><keyboard>
<keybind key="F9"><action name="VirtualOutputAdd" output_name="{panel}"/></keybind>
<keybind key="F10"><action name="VirtualOutputRemove" output_name="{panel}"/></keybind>
<keybind key="F11"><action name="VirtualOutputAdd" output_name="{second_panel}"/></keybind>
</keyboard></labwc_config>
"""

PANELS = {
    "sway": ("HEADLESS-1", "HEADLESS-2"), "phoc": ("HEADLESS-1", "HEADLESS-2"),
    "labwc": ("eDP-1", "HEADLESS-1"), "kwin": ("Virtual-0", "Virtual-1"),
    "mutter": ("Meta-0", "Meta-1"), "gnome-shell": ("Meta-0", "Meta-1")}
"""The names of panel and neighbour by the compositor."""
DESKTOPS = {"sway": "sway", "phoc": "phosh", "labwc": "labwc", "kwin": "KDE", "mutter": "GNOME",
            "gnome-shell": "GNOME"}
SECOND_PANEL = "eDP-2"
KINDS = tuple(PANELS)
LIGHT = ("phoc", "sway", "labwc")


def root():
    """Another Debian's root to take compositors from, or None."""
    return os.environ.get("WAYLAND_ROOT") or None


def check_wanted(kind):
    """Raises Missing where this compositor is not to be tested, so that no machine is loaded more than wanted."""
    if kind not in LIGHT and not root() and os.environ.get("DESKTOPS") != "all":
        raise requirements.Missing(f"{kind} is tested on with DESKTOPS=all")


def inside_root(command):
    """The command inside $WAYLAND_ROOT, with this machine's /tmp for the sockets."""
    if not root():
        return command
    script = ('r=$0; mount -t proc proc "$r/proc" && mount --rbind /dev "$r/dev" && '
              'mount --rbind /tmp "$r/tmp" && exec chroot "$r" "$@"')
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, root(), *command]


def is_known(kind):
    return kind in KINDS


class Compositor:
    """A running compositor. `environment` is what its clients need."""

    def __init__(self, children, directory, env, kind, mode, xwayland=False, second_panel=False):
        """With a second panel (labwc), both lie where the compositor places them, in the sizes that it chooses."""
        check_wanted(kind)
        self.second_panel = second_panel
        self.xwayland = "enable" if xwayland else "disable"
        self.kind, self.mode, self.directory = kind, mode, directory
        self.panel, self.neighbour = PANELS[kind]
        if second_panel:
            self.neighbour = SECOND_PANEL
        self.children = children
        self.runtime = env["XDG_RUNTIME_DIR"]
        self.env = self._own_environment(env)
        command = inside_root(getattr(self, "_" + kind.replace("-", "_"))())
        self.process = children.start(kind, self._unprivileged(command), self.env)
        children.await_condition(self.process, self._is_ready, f"{kind} did not start")
        self.environment = self._client_environment()
        if kind == "labwc":
            self._lay_out_labwc()

    # How each is started

    def _own_environment(self, env):
        home = os.path.join(self.directory, "home")
        os.makedirs(home, exist_ok=True)
        own = {"HOME": home, "XDG_CURRENT_DESKTOP": DESKTOPS[self.kind], "LIBSEAT_BACKEND": "noop",
               "WLR_BACKENDS": "headless", "WLR_HEADLESS_OUTPUTS": "2", "WLR_RENDERER": "pixman",
               "WLR_LIBINPUT_NO_DEVICES": "1"}
        return {**env, **own}

    def _program(self, name, package=None):
        return name if root() else requirements.program(name, package or name)

    def _write(self, name, text):
        path = os.path.join(self.directory, name)
        width = self.mode.split("x")[0]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.format(
                panel=self.panel, neighbour=self.neighbour, second_panel=SECOND_PANEL, mode=self.mode,
                neighbour_mode=NEIGHBOUR_MODE, width=width, xwayland=self.xwayland))
        return path

    def _sway(self):
        return [self._program("sway"), "-c", self._write("sway.config", SWAY)]

    def _phoc(self):
        return [self._program("phoc"), "-C", self._write("phoc.ini", PHOC)]

    def _labwc(self):
        os.makedirs("/tmp/.X11-unix", mode=0o1777, exist_ok=True)  # without it, it does not start
        self.env["WLR_HEADLESS_OUTPUTS"] = "0" if self.second_panel else "1"
        os.makedirs(os.path.join(self.directory, "labwc"), exist_ok=True)
        return [self._program("labwc"), "-C", os.path.dirname(self._write("labwc/rc.xml", LABWC))]

    def _kwin(self):
        program = self._program("kwin_wayland", "kwin-wayland")
        if not root():
            # A copy lacks the file's capabilities, which not every machine may grant.
            program = shutil.copy(program, os.path.join(self.directory, "kwin_wayland"))
        self.env["KWIN_WAYLAND_NO_PERMISSION_CHECKS"] = "1"
        self.env["KWIN_SCREENSHOT_NO_PERMISSION_CHECKS"] = "1"
        width, height = self.mode.split("x")
        return [program, "--virtual", "--width", width, "--height", height, "--output-count", "2",
                "--no-lockscreen", "--no-global-shortcuts", "--socket", "wayland-bench"]

    def _mutter(self):
        return [self._program("mutter"), "--headless", "--wayland", "--no-x11",
                "--virtual-monitor", self.mode + "@60", "--virtual-monitor", NEIGHBOUR_MODE + "@60",
                "--wayland-display", "wayland-bench"]

    def _gnome_shell(self):
        """With our extension installed, and not enabled. GNOME's settings last as long as it runs.

        In unsafe mode its method Eval shows what is on the screen, and touches it.
        """
        self.env["GSETTINGS_BACKEND"] = "memory"
        shutil.copytree(os.path.join(c_programs.PROJECT, "packaging/gnome-shell"),
                        os.path.join(self.env["XDG_DATA_HOME"], "gnome-shell/extensions"))
        return [self._program("gnome-shell"), "--headless", "--wayland", "--no-x11", "--unsafe-mode",
                "--virtual-monitor", self.mode + "@60", "--virtual-monitor", NEIGHBOUR_MODE + "@60",
                "--wayland-display", "wayland-bench"]

    def _unprivileged(self, command):
        """sway before 1.8 does not run as root."""
        if self.kind != "sway" or os.getuid() != 0 or root():
            return command
        for place in (self.directory, os.path.dirname(self.directory)):
            if not os.stat(place).st_mode & 0o001:
                os.chmod(place, 0o711)
        for name in ("XDG_RUNTIME_DIR", "HOME", "XDG_STATE_HOME"):
            os.chown(self.env[name], NOBODY, NOBODY)
        # autorotate runs as root, and reads no settings that nobody can write.
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.chmod(self.env[name], 0o755)
        return [requirements.program("setpriv", "util-linux"), f"--reuid={NOBODY}", f"--regid={NOBODY}",
                "--clear-groups", *command]

    def _lay_out_labwc(self):
        env = {**self.env, **self.environment}
        wlr_randr = requirements.program("wlr-randr", "wlr-randr")
        for key, name in (("F9", self.panel), ("F11", SECOND_PANEL))[:1 + self.second_panel]:
            self._run(env, requirements.program("wtype", "wtype"), "-k", key)
            wait_until(lambda name=name: name in self._run(env, wlr_randr), "labwc has an output called " + name)
        if self.second_panel:
            return
        for name, mode, x in ((self.panel, self.mode, 0),
                              (self.neighbour, NEIGHBOUR_MODE, self.mode.split("x")[0])):
            self._run(env, wlr_randr, "--output", name, "--custom-mode", mode, "--pos", f"{x},0")

    @staticmethod
    def _run(env, *command):
        result = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=longest_wait())
        if result.returncode != 0:
            raise Failed(f"{' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    # When it is there

    def _socket(self):
        names = [name for name in os.listdir(self.runtime)
                 if name.startswith("wayland-") and not name.endswith(".lock")]
        return os.path.join(self.runtime, names[0]) if names else None

    def _is_ready(self):
        path = self._socket()
        return path and answers(path)

    def _client_environment(self):
        found = {"WAYLAND_DISPLAY": os.path.basename(self._socket()), "XDG_SESSION_TYPE": "wayland",
                 "XDG_CURRENT_DESKTOP": DESKTOPS[self.kind], "HOME": self.env["HOME"]}
        if self.kind == "sway":
            found["SWAYSOCK"] = wait_until(lambda: next(
                (os.path.join(self.runtime, name) for name in os.listdir(self.runtime)
                 if name.startswith("sway-ipc.")), None), "the socket of sway")
        return found

    def end(self):
        """Immediately, as a crash would."""
        self.process.kill()
        self.process.wait()


def answers(path):
    """Whether a compositor behind this socket answers a wl_display.sync."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(2)
    try:
        connection.connect(path)
        connection.sendall(struct.pack("=IHHI", 1, 0, 12, 2))
        return len(connection.recv(8)) == 8
    except OSError:
        return False
    finally:
        connection.close()
