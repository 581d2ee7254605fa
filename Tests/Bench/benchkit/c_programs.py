# SPDX-License-Identifier: MIT
"""Compiles the bench's C files when they are first needed, and keeps the results."""

import glob
import hashlib
import os
import shutil
import subprocess
import tempfile

from .requirements import Missing, program

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(os.path.dirname(BENCH))
FLAGS = ["-std=gnu11", "-O2", "-Wall"]


def _flags_of(module, package, what):
    command = [program("pkg-config", "pkg-config"), what, *module.split()]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise Missing(f"the headers of {module} are not installed (package {package})")
    return found.stdout.split()


def _keep(directory, name, key, command):
    """Runs the compiler into `directory`/`key`/`name`, in one step for others who build the same.

    The draft is elsewhere, since Xorg also looks into the subdirectories of its ModulePath.
    """
    target = os.path.join(directory, key, name)
    if os.path.exists(target):
        return target
    os.makedirs(os.path.join(directory, key), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory) as room:
        draft = os.path.join(room, name)
        result = subprocess.run(
            [*command, "-o", draft], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Missing(f"{name} of the bench cannot be compiled here: {result.stderr.strip()}")
        os.replace(draft, target)
    return target


def _place(fallback):
    """The project's build directory, or `fallback` where it belongs to another user."""
    place = os.path.join(PROJECT, ".build", "bench")
    try:
        os.makedirs(place, exist_ok=True)
    except OSError:
        return fallback
    return place if os.access(place, os.W_OK) else fallback


def _build(source, name, flags, fallback, links=(), edition=""):
    path = os.path.join(BENCH, source)
    compiler = program("cc", "gcc", *filter(None, [shutil.which(os.environ.get("CC", ""))]))
    command = [compiler, *FLAGS, *flags, path, *links]
    with open(path, "rb") as file:
        key = hashlib.sha256(file.read() + "\0".join([*command, edition]).encode()).hexdigest()[:16]
    return _keep(_place(fallback), name, key, command)


def panel_module(server, fallback):
    """The directory to put first in Xorg's ModulePath. Rebuilt for another version of the server."""
    flags = ["-fPIC", "-shared", *_flags_of("xorg-server", "xserver-xorg-dev", "--cflags")]
    edition = subprocess.run(
        [server, "-version"], capture_output=True, text=True, check=False).stderr
    path = _build("panel/rotatingpanel.c", "librotatingpanel.so", flags, fallback, edition=edition)
    return os.path.dirname(path)


X11 = "x11 xrandr xi"
X11_PACKAGES = "libx11-dev, libxrandr-dev, libxi-dev"


def _x11(name, fallback):
    """Compiles panel/NAME.c, which talks to an X server by other libraries than the program under test."""
    headers = []
    for path in sorted(glob.glob(os.path.join(glob.escape(BENCH), "panel/*.h"))):
        with open(path, encoding="utf-8") as file:
            headers.append(file.read())
    return _build(f"panel/{name}.c", name, _flags_of(X11, X11_PACKAGES, "--cflags"), fallback,
                  _flags_of(X11, X11_PACKAGES, "--libs"), edition="".join(headers))


def marker(fallback):
    """The path of the marker program."""
    return _x11("marker", fallback)


def window(fallback):
    """The path of the program that opens windows."""
    return _x11("window", fallback)


def xstate(fallback):
    """The path of the program that prints the state of an X server as JSON."""
    return _x11("xstate", fallback)


def busy_reads(fallback):
    """The path of the library that makes reads of the accelerometer fail with EBUSY on request."""
    return _build("sensor/busyreads.c", "libbusyreads.so", ["-fPIC", "-shared"], fallback, ["-ldl"])


def thread_masks(fallback):
    """The path of the library that keeps umockdev from confusing the signal masks of threads."""
    return _build("sensor/threadmasks.c", "libthreadmasks.so", ["-fPIC", "-shared"], fallback, ["-ldl"])


def lisgd(fallback):
    """The path of a program that stands in for lisgd."""
    return _build("panel/lisgd.c", "lisgd", [], fallback)


def _protocols():
    """The descriptions of the protocols that the bench uses."""
    shared = _flags_of("wayland-protocols", "wayland-protocols", "--variable=pkgdatadir")[0]
    power = "Sources/CWaylandProtocols/protocols/wlr-output-power-management-unstable-v1.xml"
    return [os.path.join(shared, "stable/xdg-shell/xdg-shell.xml"), os.path.join(PROJECT, power),
            *sorted(glob.glob(os.path.join(glob.escape(BENCH), "panel/protocols/*.xml")))]


def _protocol_code(fallback, *more):
    """Runs wayland-scanner for headers and C files, and returns their directory."""
    scanner = program("wayland-scanner", "libwayland-bin")
    digest = hashlib.sha256()
    paths = [*_protocols(), *more]
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read())
    place = os.path.join(_place(fallback), digest.hexdigest()[:16])
    os.makedirs(place, exist_ok=True)
    for path in paths:
        name = os.path.basename(path).removesuffix(".xml")
        for kind, ending in (("client-header", ".h"), ("private-code", ".c")):
            with tempfile.TemporaryDirectory(dir=place) as room:
                subprocess.run([scanner, kind, path, os.path.join(room, name)], check=True)
                os.replace(os.path.join(room, name), os.path.join(place, name + ending))
    return place


def wayland_windows(fallback):
    """The path of the program that opens windows and their dialogs on a Wayland compositor."""
    return _wayland("waylandwindows", "xdg-shell", _protocol_code(fallback), fallback)


def wayland_client(fallback):
    """The path of the program that opens windows in a Wayland session, and finds the marker on the panel's glass."""
    code = _protocol_code(fallback)
    libraries = _flags_of("wayland-client", "libwayland-dev", "--libs")
    sources = sorted(os.path.join(code, name) for name in os.listdir(code) if name.endswith(".c"))
    return _build("panel/wayland.c", "wayland", ["-I" + code], fallback, [*sources, *libraries])


def touch_window(fallback):
    """The path of the program whose window prints where it is touched."""
    return _wayland("touchwindow", "xdg-shell", _protocol_code(fallback), fallback)


def fake_touch(fallback):
    """The path of the program that is a finger on KWin's screen."""
    xml = "/usr/share/plasma-wayland-protocols/fake-input.xml"
    if not os.path.exists(xml):
        raise Missing("KDE's protocols are not installed (package plasma-wayland-protocols)")
    return _wayland("faketouch", "fake-input", _protocol_code(fallback, xml), fallback)


def _wayland(name, protocol, code, fallback):
    """Compiles panel/NAME.c with the code of a protocol."""
    libraries = _flags_of("wayland-client", "libwayland-dev", "--libs")
    return _build(f"panel/{name}.c", name, ["-I" + code], fallback,
                  [os.path.join(code, protocol + ".c"), *libraries])


def rotation_watch(fallback, is_wayland):
    """The path of the program that prints when an output was rotated, as the display server reports it."""
    if not is_wayland:
        return _x11("xrotations", fallback)
    library, package = "wayland-client", "libwayland-dev"
    return _build("panel/waylandrotations.c", "waylandrotations", _flags_of(library, package, "--cflags"), fallback,
                  _flags_of(library, package, "--libs"))


def stamps(fallback):
    """The path of the library that records when the daemon announces a rotation."""
    return _build("../../Benchmarks/stamps.c", "libstamps.so", ["-fPIC", "-shared"], fallback, ["-ldl"])


def bare(name, libraries, fallback, more=()):
    """The path of one of the C programs in Benchmarks/. More flags and sources can be given to the compiler."""
    packages = X11_PACKAGES if libraries == X11 else libraries
    flags = [_flags_of(libraries, packages, what) if libraries else [] for what in ("--cflags", "--libs")]
    return _build(f"../../Benchmarks/{name}.c", name, [*flags[0], *more], fallback, flags[1])
