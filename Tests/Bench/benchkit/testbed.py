# SPDX-License-Identifier: MIT
"""The process that holds the umockdev testbed and answers `accel` lines.

It is run with umockdev's library preloaded, so that the uevents it sends are those of the testbed.
"""

import ctypes
import json
import math
import os
import random
import signal
import sys
import threading
import time

from . import accelerometer, control_socket, sensor_buffer, input_switches
from .child_processes import let_pass

NOISE_PERIOD = 0.02  # seconds
ROTATION_PERIOD = 0.005
UNREADABLE = "/proc/self/mem"  # reading it from its beginning gives EIO


class Library:
    """The functions of libumockdev that are needed here."""

    def __init__(self):
        self.library = ctypes.CDLL("libumockdev.so.0")
        self.glib = ctypes.CDLL("libglib-2.0.so.0")
        self.glib.g_main_loop_new.restype = ctypes.c_void_p
        self.glib.g_main_loop_run.argtypes = [ctypes.c_void_p]
        self.library.umockdev_testbed_new.restype = ctypes.c_void_p
        self.testbed = ctypes.c_void_p(self.library.umockdev_testbed_new())

    def root(self):
        function = self.library.umockdev_testbed_get_root_dir
        function.restype = ctypes.c_char_p
        return function(self.testbed).decode()

    def add(self, record):
        function = self.library.umockdev_testbed_add_from_string
        if not function(self.testbed, record.encode(), None):
            raise ValueError("umockdev does not accept the description of the device")

    def remove(self, path):
        self.library.umockdev_testbed_remove_device(self.testbed, path.encode())

    def uevent(self, path, action):
        self.library.umockdev_testbed_uevent(self.testbed, path.encode(), action.encode())

    # ioctls

    def answer_ioctls(self, node, handler):
        """Calls `handler(_, client, _)` on the main loop for each ioctl on a node."""
        new = self.library.umockdev_ioctl_base_new
        new.restype = ctypes.c_void_p
        base = ctypes.c_void_p(new())
        ctypes.CDLL("libgobject-2.0.so.0").g_signal_connect_data(
            base, b"handle-ioctl", handler, None, None, 0)
        if not self.library.umockdev_testbed_attach_ioctl(self.testbed, node.encode(), base, None):
            raise ValueError(f"umockdev does not answer ioctls on {node}")

    def request_of(self, client):
        function = self.library.umockdev_ioctl_client_get_request
        function.restype = ctypes.c_ulong
        return function(ctypes.c_void_p(client))

    def fill(self, client, contents):
        """Writes to the address in the ioctl's argument."""
        self.library.umockdev_ioctl_client_get_arg.restype = ctypes.c_void_p
        self.library.umockdev_ioctl_data_resolve.restype = ctypes.c_void_p
        argument = self.library.umockdev_ioctl_client_get_arg(ctypes.c_void_p(client))
        data = self.library.umockdev_ioctl_data_resolve(
            ctypes.c_void_p(argument), ctypes.c_size_t(0), ctypes.c_size_t(len(contents)), None)
        self.library.umockdev_ioctl_data_update(
            ctypes.c_void_p(data), ctypes.c_size_t(0), contents, ctypes.c_int(len(contents)))

    def complete(self, client, result, error):
        self.library.umockdev_ioctl_client_complete(
            ctypes.c_void_p(client), ctypes.c_long(result), ctypes.c_int(error))

    def close(self):
        ctypes.CDLL("libgobject-2.0.so.0").g_object_unref(self.testbed)


def swing(whole, seconds):
    """The angle and the speed at each moment of a rotation that starts and ends slowly."""
    begun, output = time.monotonic(), 0.0
    while output < 1:
        output = min(1.0, (time.monotonic() - begun) / seconds)
        speed = whole * math.pi * math.sin(math.pi * output) / (2 * seconds) if output < 1 else 0.0
        yield whole * (1 - math.cos(math.pi * output)) / 2, speed


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def rotation(first, last):
    """The axis, of length 1, and the angle from one direction to another that is not its opposite."""
    normal = cross(first, last)
    length = math.hypot(*normal)
    along = sum(a * b for a, b in zip(first, last))
    return [part / length for part in normal] if length else [0.0, 0.0, 1.0], math.atan2(length, along)


def rotated(u, axis, angle):
    """u rotated about an axis that is perpendicular to it."""
    aside = cross(axis, u)
    return [a * math.cos(angle) + b * math.sin(angle) for a, b in zip(u, aside)]


class Testbed:
    """The devices, present or not, and the values of their registers."""

    def __init__(self, options):
        self.library = Library()
        self.root = self.library.root()
        self.padding = "\n" if options.bare else " "
        alias = f"A: modalias={options.modalias}\\n\n" if options.modalias else ""
        self.library.add(f"P: {accelerometer.PARENT}\nE: SUBSYSTEM=platform\n{alias}")
        if options.modalias:
            self.library.add(accelerometer.DMI)
        self.library.add(accelerometer.LIGHT_SENSOR + accelerometer.LIGHT_FOR_PROXY * options.light)
        self.parts = accelerometer.parts(options)
        self.switches = input_switches.make(options.switches, self.library)
        self.lock = threading.Lock()
        self.held_open = []  # FIFOs: a reader waits in read(2), not in open(2), which umockdev guards with a lock
        self.present = False
        for name, part in self.parts.items():
            if name == "base" or not options.absent:
                self.library.add(part.record())
        self.present = not options.absent
        self.gyroscope = self._make_gyroscope(options.gyro)
        self.hinge = options.hinge and accelerometer.Hinge(options.hinge)
        if self.hinge:
            self.library.add(self.hinge.record())
        self.feeder = options.buffer and sensor_buffer.Feeder(self.root, self.parts["display"])
        if options.noise:
            threading.Thread(target=self._add_noise, args=(options.noise,), daemon=True).start()

    def _make_gyroscope(self, kind):
        """The part that has it, or None."""
        if kind != "own":
            return self.parts["display"] if kind else None
        gyroscope = accelerometer.Gyroscope(self.parts["display"].options)
        self.library.add(gyroscope.record())
        return gyroscope

    def _file(self, part, axis, kind="accel"):
        return f"{self.root}/sys{part.path}/in_{kind}_{axis}_raw"

    def _write(self, part, values):
        files = [self._file(part, axis) for axis in accelerometer.AXES]
        self._write_numbers(files, part.raw(values))

    def _write_numbers(self, files, numbers):
        for path, number in zip(files, numbers):
            text = accelerometer.field(number, self.padding) + "\n"
            if os.path.islink(path):
                _replace(path, text)
            elif not os.path.isfile(path):
                # First the file: a reader that opened the FIFO after its answer would wait for ever.
                file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
                _replace(path, text)
                self._answer_waiting_readers(file, text)
            else:
                _overwrite(path, text)

    def _add_noise(self, sigma):
        """Adds a sensor's noise, until the process ends."""
        display, pause = self.parts["display"], threading.Event()
        while not pause.wait(NOISE_PERIOD):
            with self.lock:
                if self.present and os.path.isfile(self._file(display, "x")):
                    self._overlay_noise(display, sigma)

    def _overlay_noise(self, part, sigma):
        noisy = [value + random.gauss(0, sigma) for value in part.values]
        for axis, number in zip(accelerometer.AXES, part.raw(noisy)):
            if not os.path.islink(self._file(part, axis)):
                _overwrite(self._file(part, axis), accelerometer.field(number, self.padding) + "\n")
        if self.gyroscope:
            self._overlay_rates(sigma / 3)

    def _overlay_rates(self, sigma):
        rates = [rate + random.gauss(0, sigma) for rate in self.gyroscope.rates]
        files = self._gyro_files()
        if all(os.path.isfile(path) and not os.path.islink(path) for path in files):
            self._write_numbers(files, accelerometer.gyroscope_raw(rates))

    def perform(self, words):
        with self.lock:
            if words[0] == "switch":
                _, name, action = words
                getattr(self.switches[name], action)()
            elif words[0] == "rotate":
                threading.Thread(target=self._rotate, args=map(float, words[1:]), daemon=True).start()
            elif words[0] == "move":
                threading.Thread(target=self._move, args=map(float, words[1:]), daemon=True).start()
            elif words[0] == "play":
                threading.Thread(target=self._play, args=words[1:], daemon=True).start()
            elif words[0] == "gyro":
                self._perform_gyro(words[1:])
            elif words[0] == "hinge":
                self._perform_hinge(words[1])
            elif words[0] == "feed":
                self.feeder.perform(words[1:])
            elif words[0] in ("fail", "garbage", "hang", "remove", "add"):
                getattr(self, "_" + words[0])()
            else:
                self._set(words)

    def _gyro_files(self):
        return [self._file(self.gyroscope, axis, "anglvel") for axis in accelerometer.AXES]

    def _perform_gyro(self, words):
        if words == ["remove"]:
            self._remove_device(self.gyroscope)
        elif words == ["add"]:
            self.library.add(self.gyroscope.record())
        elif words == ["fail"]:
            for path in self._gyro_files():
                _exchange(path, lambda new: os.symlink(UNREADABLE, new))
        elif words == ["hang"]:
            self._hang(self._gyro_files())
        elif words == ["garbage"]:
            for path in self._gyro_files():
                _overwrite(path, "nan\n" + " " * 4)
        else:
            self._set_rates([float(word) for word in words])

    def _perform_hinge(self, word):
        if word == "remove":
            self._remove_device(self.hinge)
        elif word == "add":
            self.library.add(self.hinge.record())
        elif word == "fail":
            for path in self.hinge.files(self.root):
                _exchange(path, lambda new: os.symlink(UNREADABLE, new))
        else:
            self.hinge.degrees = "nan" if word == "garbage" else round(float(word))
            files = self.hinge.files(self.root)
            self._write_numbers(files, [self.hinge.degrees] * len(files))

    def _set_rates(self, rates):
        self.gyroscope.rates = rates
        if os.path.lexists(self._gyro_files()[0]):
            self._write_numbers(self._gyro_files(), accelerometer.gyroscope_raw(rates))

    def _rotate(self, degrees, seconds, shaking=0.0):
        """As a hand does it, which shakes the device meanwhile."""
        x, y, z = self.parts["display"].values
        for angle, speed in swing(math.radians(degrees), seconds):
            self._show([x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle), z],
                       [0.0, 0.0, -speed], shaking)
            let_pass(ROTATION_PERIOD)
        self._show(self.parts["display"].values, [0.0, 0.0, 0.0])

    def _move(self, x, y, z, seconds):
        """The shortest way to another device orientation."""
        first = self.parts["display"].values
        axis, whole = rotation(first, [x, y, z])
        for angle, speed in swing(whole, seconds):
            self._show(rotated(first, axis, angle), [-speed * part for part in axis])
            let_pass(ROTATION_PERIOD)
        self._show([x, y, z], [0.0, 0.0, 0.0])

    def _play(self, path):
        """Plays a recording at its own pace."""
        with open(path, encoding="utf-8") as file:
            samples = [[float(field) for field in line.split(",")] for line in file]
        begun = time.monotonic()
        for moment, *values in samples:
            let_pass(max(0, begun + moment - time.monotonic()))
            self._show(values[:3], values[3:])

    def _show(self, values, rates, shaking=0.0):
        """The display is held so, and rotates so quickly."""
        with self.lock:
            self.parts["display"].values = values
            self._write(self.parts["display"], [value + random.gauss(0, shaking) for value in values])
            if self.gyroscope:
                self._set_rates(rates)

    def _set(self, words):
        part = self.parts["base" if words[0] == "base" else "display"]
        values = [float(word) for word in words[words[0] == "base":]]
        if len(values) != 3:
            raise ValueError("three numbers are needed: accel X Y Z")
        part.values = values
        if self.present or words[0] == "base":
            self._write(part, values)

    def _each_file(self):
        if not self.present:
            raise ValueError("there is no accelerometer; use: accel add")
        return [self._file(self.parts["display"], axis) for axis in accelerometer.AXES]

    def _fail(self):
        for path in self._each_file():
            _exchange(path, lambda new: os.symlink(UNREADABLE, new))

    def _garbage(self):
        for path in self._each_file():
            _replace(path, "nonsense\n")

    def _hang(self, files=None):
        for path in files or self._each_file():
            _exchange(path, os.mkfifo)
            self.held_open.append(os.open(path, os.O_RDWR | os.O_NONBLOCK))

    def _answer_waiting_readers(self, file, text):
        """Lets a reader that blocks on the FIFO continue: it reads the text, and its end."""
        os.write(file, text.encode())
        identity = os.fstat(file).st_ino
        os.close(file)
        for held in [each for each in self.held_open if os.fstat(each).st_ino == identity]:
            os.close(held)
            self.held_open.remove(held)

    def _remove(self):
        if self.present:
            self._remove_device(self.parts["display"])
            self.present = False

    def _remove_device(self, part):
        path = "/sys" + part.path
        # As in the kernel: the attributes are gone before the uevent is sent. umockdev still needs two of them.
        for entry in os.scandir(self.root + path):
            if entry.is_file(follow_symlinks=False) and entry.name not in ("dev", "uevent"):
                os.unlink(entry.path)
        self.library.uevent(path, "remove")
        self.library.remove(path)

    def _add(self):
        if not self.present:
            self.library.add(self.parts["display"].record())  # this sends the uevent, too
            self.present = True


def _exchange(path, make):
    """Puts what `make` creates in a file's place, in one step."""
    new = path + ".new"
    make(new)
    os.replace(new, path)


def _replace(path, text):
    def make(new):
        with open(new, "w", encoding="utf-8") as file:
            file.write(text)

    _exchange(path, make)


def _overwrite(path, text):
    """In place: a reader may keep the file open, as on a real sysfs."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.pwrite(file, text.encode(), 0)
    finally:
        os.close(file)


def main():
    directory, description = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    testbed = Testbed(accelerometer.Options(**json.loads(description)))
    control_socket.serve(directory, testbed.perform, accelerometer.SOCKET)
    draft = os.path.join(directory, "testbed-root.new")
    with open(draft, "w", encoding="utf-8") as file:
        file.write(testbed.root)
    os.replace(draft, draft.removesuffix(".new"))
    signal.sigwait({signal.SIGTERM})
    testbed.library.close()
    os._exit(0)


if __name__ == "__main__":
    main()
