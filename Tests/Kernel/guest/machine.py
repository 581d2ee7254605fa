# SPDX-License-Identifier: MIT
"""The machine of a scenario: its panel, its sensor hub, its input devices, and its users."""

import os
import random
import signal
import subprocess
import time

import daemon
import display_devices
import uinput_devices
from hub import BASE, Hub
from user_sessions import Person, write_file
from waiting import wait_until

MOUNTINGS = {"top-up": 0, "upside-down": 1, "left-side-up": 2, "right-side-up": 3}
"""DRM_MODE_PANEL_ORIENTATION_…"""
EDP = 14
"""DRM_MODE_CONNECTOR_eDP"""
HALVES = """\
SUBSYSTEM=="iio", KERNELS=="0003:8086:1234.*", ENV{ACCEL_LOCATION}="display"
SUBSYSTEM=="iio", KERNELS=="0003:8086:1235.*", ENV{ACCEL_LOCATION}="base"
"""
MATRIX = """\
sensor:modalias:platform:HID-SENSOR-200073:*
 ACCEL_MOUNT_MATRIX={}
"""
BORROWED = ("sampling_frequency", "hysteresis")


class Machine:
    def __init__(self):
        self.desktop, self.size, self.mounting = "x11", "1280x800", None
        self.may_buffer, self.has_proxy, self.has_extension, self.switches = False, False, False, {}
        self.package, self.base, self.monitor = "this", None, None
        self.hub, self.people = Hub(), [Person("ada")]
        self.touchscreen = self.second_touchscreen = self.pen = self.button = self.session = self.desk = None
        self.found, self.settings = {}, []
        self.chance = random.Random(1)

    def set_image(self, _suite):
        """Handled by the host."""

    def set_desktop(self, name):
        self.desktop = name

    def set_panel(self, size, _mounted=None, mounting=None):
        self.size, self.mounting = size, mounting

    def set_monitor(self, kind="external"):
        """Connected beside the panel, 1024x768; `monitor built-in`: a second panel of its size, with its own touchscreen."""
        self.monitor = kind

    def set_gyroscope(self):
        self.hub.add_gyroscope()

    def set_matrix(self, *words):
        """`matrix 0,-1,0;1,0,0;0,0,1`: how the sensor is mounted, as udev's hardware database has it."""
        text = "".join(words)
        self.hub.accelerometer.matrix = [[float(each) for each in row.split(",")] for row in text.split(";")]
        write_file("/etc/udev/hwdb.d/61-sensor-local.hwdb", MATRIX.format(text))
        subprocess.run(["systemd-hwdb", "update"], check=True)

    def set_button(self, _power):
        """The machine has a power button."""
        self.button = uinput_devices.PowerButton

    def set_buffer(self, _allowed):
        self.may_buffer = True

    def set_package(self, which):
        """`package older`: of a version before; `package later`: none is installed at first."""
        self.package = which

    def set_extension(self):
        """GNOME Shell's extension is installed; the host gives its package. The overview stays open, and the scenario closes it by
        touch: GNOME Shell 50.5 ignored touches when the bus had closed it before its start was complete."""
        self.has_extension = True

    def set_proxy(self):
        self.has_proxy = True

    def set_switch(self, kind):
        self.switches[kind] = None

    def set_beside(self, name):
        """Another user, who logs in on the second terminal."""
        self.people.append(Person(name))

    def set_base(self):
        """There is an accelerometer in the keyboard's half, too, and udev's database identifies both."""
        self.base = Hub(BASE)
        write_file("/etc/udev/rules.d/60-halves.rules", HALVES)

    def plug_hubs(self):
        for count, hub in enumerate(filter(None, (self.hub, self.base)), 1):
            hub.plug()
            daemon.await_sensors(count)

    def set_setting(self, *words):
        """A line of the user's settings, such as `setting [desktop]`, and then `setting rotate-in = "tablet"`."""
        self.settings.append(" ".join(words))

    def plug_in(self):
        if not self.has_proxy:
            self.stop("iio-sensor-proxy")
        width, height = self.size.split("x")
        options = [f"panel_orientation={MOUNTINGS[self.mounting]}"] if self.mounting else []
        options += [f"monitor_type={EDP}"] if self.monitor == "built-in" else []
        subprocess.run(["modprobe", "-a", "uinput", "uhid"], check=True)
        subprocess.run(["modprobe", "vkms", f"panel_width={width}", f"panel_height={height}",
                        f"has_monitor={int(bool(self.monitor))}", *options], check=True)
        self.touchscreen, self.pen = uinput_devices.Touchscreen(), uinput_devices.Pen()
        if self.monitor == "built-in":
            self.second_touchscreen = uinput_devices.Touchscreen("Bench Second Touchscreen", 8)
            display_devices.identify("eDP-1", 1)
            display_devices.identify("eDP-2", 2)
        if "lid" in self.switches or self.button:
            self._keep_logind_from_keys()
        self.switches = {kind: uinput_devices.Switch(kind) for kind in self.switches}
        self.button = self.button and self.button()
        subprocess.run(["udevadm", "settle"], check=True)

    def _keep_logind_from_keys(self):
        """As a desktop does that handles them; else the lid would suspend the machine, and the button end it."""
        self.desk = subprocess.Popen(["systemd-inhibit", "--what=handle-lid-switch:handle-power-key", "sleep", "infinity"],
                                     stdout=subprocess.DEVNULL)
        wait_until(lambda: "handle-lid-switch" in subprocess.run(
            ["systemd-inhibit", "--list"], capture_output=True, text=True, check=False).stdout,
                   "logind takes no inhibitor")

    def log_in(self, kind, person, terminal):
        desktop = kind(person, terminal)
        self.session = desktop.begin()
        self.session.await_that(desktop.is_there, "the session has not begun")
        desktop.watch()
        if not self.has_extension:
            desktop.listen()
        return desktop

    def note_sensor(self):
        self.found = {name: daemon.attribute(f"in_accel_{name}") for name in BORROWED}

    def sensor_is_as_found(self):
        """The differences, as text; nothing if there are none."""
        now = {name: daemon.attribute(f"in_accel_{name}") for name in BORROWED}
        changed = [f"{name} is {now[name]}, was {found}" for name, found in self.found.items() if now[name] != found]
        return ", ".join(changed)

    def hub_sleeps(self):
        return "it reports" if self.hub.is_streaming() else ""

    def suspend(self):
        """As a user's desktop requests it: all tasks are frozen, and after five seconds the kernel continues them."""
        with open("/sys/power/pm_test", "w", encoding="ascii") as file:
            file.write("freezer")
        subprocess.run(["systemctl", "suspend"], check=True)

    @staticmethod
    def restart(unit):
        subprocess.run(["systemctl", "restart", unit], check=True)

    @staticmethod
    def stop(unit):
        subprocess.run(["systemctl", "--quiet", "--runtime", "--now", "mask", unit], check=True)

    @staticmethod
    def start(unit):
        subprocess.run(["systemctl", "--quiet", "--runtime", "unmask", unit], check=True)
        subprocess.run(["systemctl", "start", unit], check=True)

    @staticmethod
    def kill(process):
        os.kill(process, signal.SIGKILL)

    @staticmethod
    def wait(seconds):
        time.sleep(seconds)
