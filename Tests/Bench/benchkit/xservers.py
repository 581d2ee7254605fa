# SPDX-License-Identifier: MIT
"""The X servers of the bench: Xorg with a panel that rotates, Xvfb which cannot, Xephyr with one output."""

import os
import socket
import subprocess
import tempfile

from . import c_programs, input_devices, requirements, windows
from .child_processes import Failed

PANEL, NEIGHBOUR, SECOND_PANEL = "eDP-1", "HDMI-1", "eDP-2"
NEIGHBOUR_MODE = "1024x768"
PANEL_MILLIMETRES_PER_PIXEL = 0.2
VIDEO_KILOBYTES = 262144
DISPLAYS = range(200, 5000)  # Xwayland and other servers begin at 0
XEPHYR_LONGEST_SIDE = 1200  # its screen cannot grow beyond 1600x1200 in any rotation


_reserved = []  # a socket for each display number of this process


def _reserve_display():
    """A display number that no other bench uses as long as this process lives: clients of a server that has ended must
    not meet another one."""
    for number in DISPLAYS:
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0autorotate-bench-display-{number}")
        except OSError:
            reservation.close()
            continue
        _reserved.append(reservation)
        if not _is_served(number):
            return f":{number}"
    raise Failed("every display number is taken")


def _is_served(number):
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(f"/tmp/.X11-unix/X{number}") == 0


def _server_arguments(number_pipe):
    return ["-displayfd", str(number_pipe), "-noreset", "-nolisten", "tcp"]


def _start(children, name, command, env):
    """Starts a server and waits until it accepts clients. Returns (process, ":N")."""
    reading, writing = os.pipe()
    try:
        process = children.start(
            name, [*command, _reserve_display(), *_server_arguments(writing)], env, pass_fds=(writing,))
    finally:
        os.close(writing)
    with os.fdopen(reading, encoding="ascii") as answer:
        number = answer.readline().strip()
    if not number:
        process.wait()
        raise Failed(f"{name} did not start: {children.last_words(name, 12)}")
    return process, ":" + number


def modeline(mode):
    """A mode of 60 Hz with the reduced blanking of CVT."""
    width, height = map(int, mode.split("x"))
    columns = [width, width + 48, width + 80, width + 160]
    rows = [height, height + 3, height + 9, height + 31]
    clock = columns[3] * rows[3] * 60 / 1e6
    return f'"{mode}" {clock:.3f} {" ".join(map(str, columns + rows))} +hsync -vsync'


def _section(name, *lines):
    return "\n".join([f'Section "{name}"', *lines, "EndSection", ""])


def _monitor(identifier, mode):
    return _section(
        "Monitor", f'Identifier "{identifier}"', "HorizSync 1-1000", "VertRefresh 1-1000",
        f"Modeline {modeline(mode)}", f'Option "PreferredMode" "{mode}"')


def _input_devices(second_panel):
    return {**input_devices.DEVICES, **(input_devices.SECOND if second_panel else {})}


def _input_device(directory, name, label, kind):
    return _section(
        "InputDevice", f'Identifier "{label}"', 'Driver "inputtest"',
        f'Option "SocketPath" "{directory}/{name}.in"', f'Option "DeviceType" "{kind}"')


def _layout(devices):
    roles = {"mouse": "CorePointer", "keyboard": "CoreKeyboard"}
    devices = [
        f'InputDevice "{label}" "{roles.get(name, "SendCoreEvents")}"'
        for name, (label, _kind) in devices.items()]
    return _section("ServerLayout", 'Identifier "bench"', 'Screen "screen"', *devices)


def _panel_options(directory, mode, mount, second_panel):
    width, height = (round(int(n) * PANEL_MILLIMETRES_PER_PIXEL) for n in mode.split("x"))
    neighbour = f"{SECOND_PANEL}:{width}x{height}" if second_panel else f"{NEIGHBOUR}:520x390"
    options = [
        f'Option "Outputs" "{PANEL}:{width}x{height},{neighbour}"',
        f'Option "Directory" "{directory}"']
    if mount:
        options.append(f'Option "PanelOrientation" "{mount}"')
    return ['SubSection "rotatingpanel"', *options, "EndSubSection"]


def configuration(directory, mode, module_path, mount=None, second_panel=False):
    """xorg.conf: none of the machine's own devices, and all of the bench's."""
    off = [f'Option "{name}" "0"' for name in
           ("BlankTime", "StandbyTime", "SuspendTime", "OffTime")]
    devices = _input_devices(second_panel)
    neighbour_mode = mode if second_panel else NEIGHBOUR_MODE
    parts = [
        _section("ServerFlags", 'Option "AutoAddDevices" "false"',
                 'Option "AutoEnableDevices" "false"', 'Option "AutoAddGPU" "false"', *off),
        _section("Files", f'ModulePath "{module_path}"'),
        _section("Module", 'Disable "glx"', *_panel_options(directory, mode, mount, second_panel)),
        _monitor("panel", mode), _monitor("neighbour", neighbour_mode),
        _section("Device", 'Identifier "memory"', 'Driver "dummy"', f"VideoRam {VIDEO_KILOBYTES}",
                 'Option "Monitor-DUMMY0" "panel"', 'Option "Monitor-DUMMY1" "neighbour"'),
        _section("Screen", 'Identifier "screen"', 'Device "memory"', 'Monitor "panel"',
                 "DefaultDepth 24", 'SubSection "Display"', "Depth 24",
                 f'Modes "{mode}" "{neighbour_mode}"', "EndSubSection"),
        *[_input_device(directory, name, *device) for name, device in devices.items()], _layout(devices)]
    return "\n".join(parts)


def module_path(server, directory):
    places = subprocess.run(
        [server, "-showDefaultModulePath"], capture_output=True, text=True, check=False)
    default = (places.stderr + places.stdout).split()[0]
    drivers = [os.path.join(place, "drivers/dummy_drv.so") for place in default.split(",")]
    if not any(map(os.path.exists, drivers)):
        raise requirements.Missing("Xorg's dummy driver is not installed "
                              "(package xserver-xorg-video-dummy)")
    return c_programs.panel_module(server, directory) + "," + default


def start_xorg(children, directory, env, mode, mount=None, second_panel=False):
    """Xorg with eDP-1 in `mode`, HDMI-1 right of it, or eDP-2 below it, and all input devices. Returns (process,
    display).

    It is no client of the bench's system bus: when that ends, Xorg may never answer a client that connects then."""
    server = requirements.xorg()
    requirements.program("xrandr", "x11-xserver-utils")
    requirements.program("xinput", "xinput")
    path = os.path.join(directory, "xorg.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(configuration(directory, mode, module_path(server, directory), mount, second_panel))
    write_connected(directory, [PANEL, SECOND_PANEL if second_panel else NEIGHBOUR])
    process, display = _start(children, "xorg", [
        server, "-config", path, "-logfile", os.path.join(directory, "xorg.log"),
        "-nocursor", "-novtswitch", "-sharevts",
        "-keeptty"], dict(env, DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nowhere"))
    lay_out(dict(env, DISPLAY=display), mode, second_panel)
    return process, display


def lay_out(env, mode, second_panel):
    """Lights panel and neighbour, unrotated, side by side or one above the other."""
    _xrandr(env, "--query")  # the server's first probe was before the outputs could be plugged in
    neighbour = [SECOND_PANEL, "--mode", mode, "--below"] if second_panel else [
        NEIGHBOUR, "--mode", NEIGHBOUR_MODE, "--right-of"]
    _xrandr(env, "--output", PANEL, "--mode", mode, "--rotate", "normal", "--primary", "--pos", "0x0",
            "--output", *neighbour, PANEL, "--rotate", "normal")


def _xrandr(env, *arguments):
    result = subprocess.run(
        ["xrandr", *arguments], env=env, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failed(f"xrandr {' '.join(arguments)}: {result.stderr.strip()}")


def start_xvfb(children, env, mode):
    server = requirements.program("Xvfb", "xvfb")
    return _start(children, "xvfb", [server, "-screen", "0", f"{mode}x24"], env)


def start_xephyr(children, env, mode):
    """Xephyr within an Xvfb: one output, `default`, that rotates."""
    width, height = (min(int(side), XEPHYR_LONGEST_SIDE) for side in mode.split("x"))
    server = requirements.program("Xephyr", "xserver-xephyr")
    _host, host_display = start_xvfb(children, env, "1300x1300")
    process, display = _start(
        children, "xephyr", [server, "-screen", f"{width}x{height}", "-resizeable"],
        dict(env, DISPLAY=host_display))
    _xrandr(dict(env, DISPLAY=display))
    return process, display


def connected(directory):
    with open(os.path.join(directory, "connected"), encoding="utf-8") as file:
        return file.read().split()


def write_connected(directory, names):
    """Sets which outputs are connected, in one step: a probe never reads half of it."""
    with tempfile.NamedTemporaryFile("w", dir=directory, delete=False) as file:
        file.write(" ".join(names) + "\n")
    os.replace(file.name, os.path.join(directory, "connected"))


WINDOW_MANAGERS = ("openbox", "i3", "xfwm4")
I3_CONFIGURATION = """# i3 config file (v4)
focus_on_window_activation focus
exec --no-startup-id touch {mark}
"""


def _window_manager_command(name, directory, mark):
    if name == "openbox":
        return [requirements.program("openbox", "openbox"), "--sm-disable", "--startup", f"touch {mark}"]
    if name == "xfwm4":
        return [requirements.program("xfwm4", "xfwm4"), "--compositor=off", "--sm-client-disable"]
    path = os.path.join(directory, "i3.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(I3_CONFIGURATION.format(mark=mark))
    return [requirements.program("i3", "i3-wm"), "-c", path]


def start_window_manager(children, directory, env, name):
    """Starts one of WINDOW_MANAGERS, and waits until it reports that it runs. Returns its process."""
    mark = os.path.join(directory, "wm-ready")
    if os.path.exists(mark):
        os.unlink(mark)
    process = children.start("wm", _window_manager_command(name, directory, mark), env)
    with windows.Windows(env) as asking:
        # xfwm4 can be asked for no mark; it names its window at the end of its start.
        is_ready = asking.manager if name == "xfwm4" else lambda: os.path.exists(mark)
        children.await_condition(process, is_ready, f"{name} did not start")
    return process
