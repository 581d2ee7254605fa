# SPDX-License-Identifier: MIT
"""The mock accelerometer: an IIO device in an umockdev testbed, moved and broken on request.

Values are in m/s² in the sensor's own frame, before any mount matrix, in the sign that
iio-sensor-proxy reads: held normally is y = -9.81; x = +9.81 is left edge up.
"""

import dataclasses
import json
import os
import sys

from . import c_programs, control_socket, requirements, mockbus

VERBS = """\
  accel X Y Z       m/s² in the sensor's own frame; also ends fail, garbage and hang
  accel base X Y Z  the same for the second accelerometer, in the base
  accel fail        reads give EIO
  accel garbage     reads give invalid text
  accel hang        reads wait for ever
  accel feed X Y Z  the buffer (--buffer) delivers this instead of the registers' values
  accel feed half   it delivers half samples; also none, and good as initially
  accel feed asleep a hub (--hysteresis) that reports no change above 0.3 m/s²
  accel rotate DEGREES SECONDS [SHAKING]
                    the display rotates clockwise in its plane, shaken by so many m/s²; the gyroscope reports it, too
  accel move X Y Z SECONDS
                    rotates by the shortest way; the gyroscope reports it, too
  accel play FILE   plays lines of seconds,x,y,z,gx,gy,gz in real time
  accel gyro X Y Z  rad/s in the gyroscope's own frame (--gyro); also ends fail and garbage
  accel gyro fail   its reads give EIO; also garbage, hang, remove and add (of a device of its own)
  accel switch S on|off|refuse|permit
                    changes a switch (tablet, lid, dock), or whether programs can open it; keys report folding
                    by F23 and F22, and a twin is a second tablet switch of the same name; a cover
                    is a keyboard, to be added and removed; a lock-key is pressed (on),
                    or the button beside it
  accel switch S flap
                    20 times a second for two seconds, off at the end
  accel switch S add|remove
                    the input device of the switch is added or removed, with a uevent
  accel hinge DEGREES
                    the kernel's hinge sensor (--hinge) reports this; also ends fail and garbage
  accel hinge fail  its reads give EIO; also garbage, remove and add
  accel remove      the device is removed, with a uevent
  accel add         the device is added, with a uevent"""

PROXY = "net.hadess.SensorProxy"
PRELOAD = "libumockdev-preload.so.0"
SOCKET = "sensor"
PARENT = "/devices/platform/bench-sensor-hub"
MAJOR, FIRST_MINOR = 511, 200  # unlike any real device: its udev data must not be found
AXES = "xyz"
GYRO_SCALE = 0.001  # rad/s; 16 bits reach 32 rad/s
GYRO_OFFSET = 7
DMI = """\
P: /devices/virtual/dmi/id
E: SUBSYSTEM=dmi
A: modalias=dmi:bvnBench:bvr1:bd01/01/2026:svnBench:pnConvertible:pvr1:\\n
"""
NODE_CONTENTS = "00"  # hexadecimal; a node without contents cannot be added a second time
LIGHT_SENSOR = f"""\
P: {PARENT}/iio:device7
E: SUBSYSTEM=iio
E: DEVTYPE=iio_device
A: name=als\\n
A: in_illuminance_raw=120\\n
A: in_illuminance_scale=0.1\\n
"""  # it stays, so that /sys/bus/iio does
LIGHT_FOR_PROXY = "E: IIO_SENSOR_PROXY_TYPE=iio-poll-als\n"


@dataclasses.dataclass
class Options:
    """How the mock describes itself. Matrices are texts such as "0, -1, 0; 1, 0, 0; 0, 0, 1"."""

    mount: str = None  # udev's ACCEL_MOUNT_MATRIX
    device_mount: str = None  # mount_matrix
    accel_mount: str = None  # in_accel_mount_matrix
    in_mount: str = None  # in_mount_matrix
    label: str = None
    location: str = None  # udev's ACCEL_LOCATION
    name: str = "accel_3d"
    scale: float = 0.00958
    axis_scale: str = None  # "X,Y,Z" in place of the one scale
    offset: int = 0
    base: str = None  # a second accelerometer in the base, numbered first or last
    base_mount: str = None  # ACCEL_MOUNT_MATRIX of that one
    unplaced: bool = False  # nothing says that it is in the base
    hinge: str = None  # a hinge sensor: the labels of its angles, such as "hinge,screen,keyboard"
    noise: float = 0.0  # standard deviation, m/s²
    absent: bool = False  # not present before `accel add`
    modalias: str = None  # the hardware's; the machine then has DMI, too
    buffer: str = None  # scan type of its axes, such as le:s16/32>>0
    hysteresis: float = None  # a hub's: its buffer reports only changes by more than that, m/s²
    gyro: str = None  # "same" device, or a device of its "own"
    gyro_mount: str = None  # in_anglvel_mount_matrix
    switches: str = None  # "tablet" or "tablet,lid,dock,keys,twin,cover,lock-key": an input device for each
    bare: bool = False  # no blanks behind the numbers that it later reports, for readers that cannot parse them
    light: bool = False  # let iio-sensor-proxy use the light sensor, so that it stays after `accel remove`

    @classmethod
    def from_arguments(cls, arguments):
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: getattr(arguments, name) for name in names})

    def scales(self):
        if not self.axis_scale:
            return [self.scale] * 3
        return [float(each) for each in self.axis_scale.split(",")]


def add_arguments(parser):
    """The options of `bench run` for the accelerometer."""
    group = parser.add_argument_group("mock accelerometer")
    group.add_argument("--accelerometer", action="store_true", help="let COMMAND see one")
    group.add_argument("--proxy", action="store_true",
                       help="start iio-sensor-proxy on it (implies --accelerometer)")
    group.add_argument("--mount", metavar="M", help="ACCEL_MOUNT_MATRIX, as udev has it")
    group.add_argument("--device-mount", metavar="M", help="attribute mount_matrix")
    group.add_argument("--accel-mount", metavar="M", help="attribute in_accel_mount_matrix")
    group.add_argument("--in-mount", metavar="M", help="attribute in_mount_matrix")
    group.add_argument("--label", help="attribute label, such as accel-display")
    group.add_argument("--location", help="ACCEL_LOCATION, as udev has it")
    group.add_argument("--name", default=Options.name, help="attribute name (%(default)s)")
    group.add_argument("--scale", type=float, default=Options.scale, help="(%(default)s)")
    group.add_argument("--axis-scale", metavar="X,Y,Z", help="one scale for each axis")
    group.add_argument("--offset", type=int, default=Options.offset, help="(%(default)s)")
    group.add_argument("--base", choices=["first", "last"],
                       help="a second accelerometer, in the base, numbered first or last")
    group.add_argument("--base-mount", metavar="M", help="ACCEL_MOUNT_MATRIX of that one")
    group.add_argument("--unplaced", action="store_true", help="nothing says that it is in the base")
    group.add_argument("--hinge", metavar="L,L,L",
                       help="a hinge sensor of the kernel with these labels, such as hinge,screen,keyboard")
    group.add_argument("--noise", type=float, default=Options.noise, metavar="SIGMA",
                       help="of each axis, m/s² (%(default)s)")
    group.add_argument("--modalias", help="the hardware's, such as acpi:BOSC0200:BOSC0200:")
    group.add_argument("--bare", action="store_true", help="no blanks behind the numbers that it later reports")
    group.add_argument("--light", action="store_true",
                       help="let iio-sensor-proxy see a light sensor, too")
    group.add_argument("--absent", action="store_true", help="not there before `accel add`")
    group.add_argument("--buffer", metavar="TYPE", help="a buffer of this type, such as le:s12/16>>4")
    group.add_argument("--hysteresis", type=float, metavar="H",
                       help="the buffer reports only changes by more than that, as a sensor hub's does, m/s²")
    group.add_argument("--gyro", choices=["same", "own"], help="a gyroscope in the same device or its own")
    group.add_argument("--gyro-mount", metavar="M", help="attribute in_anglvel_mount_matrix")
    group.add_argument("--switches", metavar="S,S", help="input devices: tablet, lid, dock, keys, twin, cover, "
                       "lock-key")


def gyroscope_attributes(options, rates):
    """The attributes of the device that has the gyroscope."""
    found = {f"in_anglvel_{axis}_raw": field(value) for axis, value in zip(AXES, gyroscope_raw(rates))}
    found.update({"in_anglvel_scale": f"{GYRO_SCALE:.9f}", "in_anglvel_offset": GYRO_OFFSET})
    if options.gyro_mount:
        found["in_anglvel_mount_matrix"] = options.gyro_mount
    return found


def gyroscope_raw(rates):
    """rad/s → register values."""
    return [round(rate / GYRO_SCALE) - GYRO_OFFSET for rate in rates]


class Device:
    """A sensor that is a device of its own, without udev's properties."""

    number = None
    name = None

    @property
    def path(self):
        return f"{PARENT}/iio:device{self.number}"

    def attributes(self):
        raise NotImplementedError

    def record(self):
        attributes = {"name": self.name, "dev": f"{MAJOR}:{FIRST_MINOR + self.number}", **self.attributes()}
        lines = [f"P: {self.path}", f"N: iio:device{self.number}={NODE_CONTENTS}", "E: SUBSYSTEM=iio",
                 "E: DEVTYPE=iio_device", f"E: DEVNAME=/dev/iio:device{self.number}", f"E: MAJOR={MAJOR}",
                 f"E: MINOR={FIRST_MINOR + self.number}"]
        return "\n".join(lines + [f"A: {name}={value}\\n" for name, value in attributes.items()]) + "\n"


class Gyroscope(Device):
    """A gyroscope that is a device of its own."""

    number = 5
    name = "gyro_3d"

    def __init__(self, options):
        self.options = options
        self.rates = [0.0] * 3

    def attributes(self):
        return gyroscope_attributes(self.options, self.rates)


class Hinge(Device):
    """The kernel's hinge sensor (hid-sensor-custom-intel-hinge): three angles in degrees, whose scale makes them radians."""

    number = 6
    name = "hinge"

    def __init__(self, labels):
        self.labels = labels.split(",")
        self.degrees = 110

    def attributes(self):
        found = {"in_angl_scale": "0.017453293", "in_angl_offset": "0"}
        for index, label in enumerate(self.labels):
            found[f"in_angl{index}_raw"] = field(self.degrees)
            if label:
                found[f"in_angl{index}_label"] = label
        return found

    def files(self, root):
        return [f"{root}/sys{self.path}/in_angl{index}_raw" for index in range(len(self.labels))]


class Part:
    """One accelerometer: its place in /sys and its description."""

    def __init__(self, number, options):
        self.number = number
        self.options = options
        self.path = f"{PARENT}/iio:device{number}"
        self.values = [0.0, -9.81, 0.0]
        self.rates = [0.0] * 3  # of a gyroscope in the same device

    def raw(self, values):
        """m/s² → register values: value = (raw + offset) · scale."""
        return [round(value / scale) - self.options.offset
                for value, scale in zip(values, self.options.scales())]

    def _properties(self):
        options = self.options
        optional = {"ACCEL_MOUNT_MATRIX": options.mount, "ACCEL_LOCATION": options.location}
        return {
            "SUBSYSTEM": "iio", "DEVTYPE": "iio_device", "DEVNAME": f"/dev/iio:device{self.number}",
            "MAJOR": MAJOR, "MINOR": FIRST_MINOR + self.number,
            "IIO_SENSOR_PROXY_TYPE": "iio-poll-accel",
            **{name: value for name, value in optional.items() if value}}

    def _attributes(self):
        options = self.options
        optional = {
            "label": options.label, "mount_matrix": options.device_mount,
            "in_accel_mount_matrix": options.accel_mount, "in_mount_matrix": options.in_mount,
            "in_accel_offset": options.offset or None}
        scales = {"in_accel_scale": f"{options.scale:.9f}"}
        if options.axis_scale:
            scales = {f"in_accel_{axis}_scale": f"{scale:.9f}"
                      for axis, scale in zip(AXES, options.scales())}
        raw = {f"in_accel_{axis}_raw": field(value)
               for axis, value in zip(AXES, self.raw(self.values))}
        rates = gyroscope_attributes(options, self.rates) if options.gyro == "same" else {}
        return {
            "dev": f"{MAJOR}:{FIRST_MINOR + self.number}", "name": options.name,
            "sampling_frequency": "25.000000", **scales, **raw, **rates, **self._buffer(),
            **{name: value for name, value in optional.items() if value}}

    def _buffer(self):
        if not self.options.buffer:
            return {}
        found = {"buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1",
                 "trigger/current_trigger": "", "current_timestamp_clock": "realtime"}
        if self.options.hysteresis is not None:
            found.update({"in_accel_hysteresis": f"{self.options.hysteresis:.6f}",
                          "in_accel_sampling_frequency": "50.000000"})
        kinds = [f"accel_{axis}" for axis in AXES]
        if self.options.gyro == "same":
            kinds += [f"anglvel_{axis}" for axis in AXES]
        for index, kind in enumerate([*kinds, "timestamp"]):
            kind_type = "le:s64/64>>0" if kind == "timestamp" else self.options.buffer
            found.update({f"scan_elements/in_{kind}_en": "0", f"scan_elements/in_{kind}_index": index,
                          f"scan_elements/in_{kind}_type": kind_type})
        return found

    def record(self):
        """The description in umockdev's format."""
        lines = [f"P: {self.path}", f"N: iio:device{self.number}={NODE_CONTENTS}"]
        lines += [f"E: {name}={value}" for name, value in self._properties().items()]
        lines += [f"A: {name}={value}\\n" for name, value in self._attributes().items()]
        return "\n".join(lines) + "\n"


def field(number, padding=" "):
    """Of fixed width: written in place, it never shortens a file that a reader has open."""
    return str(number).ljust(8, padding)


def parts(options):
    """The display's accelerometer and, if asked for, that of the base: {name: Part}."""
    display = 1 if options.base == "first" else 0
    found = {"display": Part(display, options)}
    if options.base:
        place = {} if options.unplaced else {"label": "accel-base", "location": "base"}
        own = Options(name=options.name, mount=options.base_mount, **place)
        found["base"] = Part(1 - display, own)
    return found


class Accelerometer:
    """The testbed, kept by a process of its own: it must live in the environment that it creates."""

    def __init__(self, children, directory, options, env):
        requirements.library("libumockdev.so.0", "umockdev")
        self.directory = directory
        program = [sys.executable, "-m", "benchkit.testbed", directory,
                   json.dumps(dataclasses.asdict(options))]
        env = dict(env, LD_PRELOAD=PRELOAD, PYTHONPATH=c_programs.BENCH)
        process = children.start(SOCKET, program, env)
        root = os.path.join(directory, "testbed-root")
        children.await_condition(process, lambda: os.path.exists(root), "no mock accelerometer")
        with open(root, encoding="utf-8") as file:
            self.environment = {"AUTOROTATE_BENCH_ACCELEROMETER": "1", "LD_PRELOAD": PRELOAD,
                                "UMOCKDEV_DIR": file.read()}

    def do(self, words):
        """Performs a line such as ["0", "-9.81", "0"] or ["fail"]."""
        return control_socket.ask(self.directory, *words, name=SOCKET)

    def set(self, x, y, z):
        self.do([x, y, z])


def start_proxy(children, env):
    """iio-sensor-proxy on the bench's system bus. Newer ones ask polkit, which is mocked."""
    let_polkit_agree(children, env)
    return start_proxy_alone(children, env)


def start_proxy_alone(children, env):
    """The same where polkit, if any, is present already. Returns the process.

    $IIO_SENSOR_PROXY is the program to start, for tests of versions other than the installed one."""
    program = requirements.program("iio-sensor-proxy", "iio-sensor-proxy",
                              os.environ.get("IIO_SENSOR_PROXY", ""),
                              "/usr/libexec/iio-sensor-proxy", "/usr/sbin/iio-sensor-proxy")
    process = children.start("proxy", [program], env)
    children.await_condition(
        process, lambda: mockbus.has_owner(PROXY, env), "no iio-sensor-proxy")
    return process


def let_polkit_agree(children, env):
    """Mocks polkit where possible; iio-sensor-proxy before 3.4 does not ask it."""
    if not mockbus.is_available():
        return
    polkit = mockbus.Service(children, env, "org.freedesktop.PolicyKit1", template="polkitd")
    polkit.mock("/org/freedesktop/PolicyKit1/Authority").SetAllowed(
        ["net.hadess.SensorProxy.claim-sensor"])
