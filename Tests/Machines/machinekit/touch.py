# SPDX-License-Identifier: MIT
"""Touchscreens and pens, as files of the kernel and of udev describe them, next to a panel and a monitor.

The correct result is the display of a device: the panel (built in), or none (anything else). Devices of one name are judged
together, since compositors cannot distinguish them.
"""

import dataclasses
import glob
import os
import re

from . import answers, corpus

BUSES = {"pci": 0x01, "usb": 0x03, "bluetooth": 0x05, "virtual": 0x06, "i2c": 0x18, "mei": 0x44}
PANEL, LEFT_ALONE = "eDP-1", "left alone"
USB_PATH = "pci-0000:00:14.0-usb-0:2:1.0"


@dataclasses.dataclass
class Device:
    """A device as the kernel and udev describe it."""

    name: str
    bus: int
    vendor: int = 0
    product: int = 0
    path: str = ""  # udev's ID_PATH
    is_direct: bool = True  # INPUT_PROP_DIRECT
    size: tuple = None  # millimetres
    ports: tuple = ()  # `removable` of each USB port from the board on
    lies_on: str = LEFT_ALONE


def describe(place, number, device):
    """Writes the files. No node of this machine has such a number."""
    node = f"event{90000 + number}"
    below = "/".join(f"1-{port + 1}" for port in range(len(device.ports)))
    real = os.path.join(place, "devices", str(number), below)
    for port, word in enumerate(device.ports):
        corpus.write(os.path.join(real, *[".."] * (len(device.ports) - 1 - port), "removable"), word + "\n")
    corpus.write(os.path.join(real, "dev"), f"13:{number}\n")
    fields = {"name": device.name, "properties": "2" if device.is_direct else "1", "id/bustype": f"{device.bus:04x}",
              "id/vendor": f"{device.vendor:04x}", "id/product": f"{device.product:04x}"}
    for name, value in fields.items():
        corpus.write(os.path.join(real, "device", name), value + "\n")
    os.makedirs(os.path.join(place, "input"), exist_ok=True)
    os.symlink(real, os.path.join(place, "input", node))
    width, height = device.size or (0, 0)
    corpus.write(os.path.join(place, "udev", f"c13:{number}"),
                 f"E:ID_INPUT=1\nE:ID_INPUT_TABLET=1\nE:ID_PATH={device.path}\nE:ID_INPUT_WIDTH_MM={width}\n"
                 f"E:ID_INPUT_HEIGHT_MM={height}\n")
    return f"/dev/input/{node}"


class Devices:
    """A corpus of such devices."""

    title = ""

    def __init__(self, room, is_light):
        self.place = os.path.join(room, type(self).__name__)
        self.devices = self.all()[::8 if is_light else 1]

    def all(self):
        raise NotImplementedError

    def tally(self):
        nodes = [describe(self.place, number, device) for number, device in enumerate(self.devices)]
        found = answers.ask(self.place, "touch")
        tally = corpus.Tally(self.title)
        for node, device in zip(nodes, self.devices):
            tally.count(f"{device.name} ({device.vendor:04x}:{device.product:04x})",
                        found.get(node, ["not found"])[0], device.lies_on)
        return tally


class LibWacom(Devices):
    """Every device of libwacom's installed database, each as if it had INPUT_PROP_DIRECT, as Huion's desk tablets have.

    IntegratedIn is the correct result: a device in a display and in a system is built in.
    """

    title = "libwacom's database"
    CORRECTED = {(0x04F3, 0x2339)}
    """Acer Switch SA5-271P, Display alone until libwacom 2.14 ("data: correct entry for Elan 5515")."""

    def all(self):
        place = corpus.first_directory("libwacom's database", "libwacom-common", "/usr/share/libwacom")
        found = {}
        for path in sorted(glob.glob(os.path.join(place, "*.tablet"))):
            for device in self._of(path):
                found[device.bus, device.vendor, device.product, device.name] = device
        return list(found.values())

    def _of(self, path):
        with open(path, encoding="utf-8") as file:
            fields = dict(re.findall(r"^(\w+)=(.*)$", file.read(), re.MULTILINE))
        is_built_in = {"Display", "System"} <= set(fields.get("IntegratedIn", "").split(";"))
        for match in filter(None, fields["DeviceMatch"].split(";")):
            words = re.split("[:|]", match)  # before and since libwacom 2.12
            if words[0] not in ("usb", "i2c", "bluetooth"):
                continue  # for a serial one, libwacom has to see the node; generic.tablet is no device
            vendor, product = (int(word, 16) for word in words[1:3])
            name = words[3] if len(words) > 3 and words[3] else f"{fields['Name']} {words[1]}:{words[2]} Pen"
            yield Device(name, BUSES[words[0]], vendor, product, USB_PATH if words[0] == "usb" else "",
                         lies_on=PANEL if is_built_in or (vendor, product) in self.CORRECTED else LEFT_ALONE)


class Dumps(Devices):
    """Single facts, paraphrased from dumps in github.com/linuxwacom/wacom-hid-descriptors and from issues."""

    title = "single facts of dumps and issues"

    def __init__(self, room, _is_light):
        super().__init__(room, False)

    def all(self):
        usb, i2c, bluetooth, virtual = (BUSES[word] for word in ("usb", "i2c", "bluetooth", "virtual"))
        board, port = "pci-0000:00:15.1-platform-i2c_designware.1", USB_PATH
        return [
            # Samsung Galaxy Book Pro 360 (950QDB): two devices of one name, the first without INPUT_PROP_DIRECT.
            Device("WCOM0135:00 2D1F:0136", i2c, 0x2D1F, 0x0136, board, is_direct=False, lies_on=PANEL),
            Device("WCOM0135:00 2D1F:0136", i2c, 0x2D1F, 0x0136, board, lies_on=PANEL),
            Device("GXTP7936:00 27C6:0123", i2c, 0x27C6, 0x0123, board, lies_on=PANEL),
            # HP ENVY x360 15-cn0xxx, with a kernel of 2018 that set no INPUT_PROP_DIRECT for pens.
            Device("ELAN0732:00 04F3:264C Pen", i2c, 0x04F3, 0x264C, board, is_direct=False, lies_on=PANEL),
            # Lenovo Yoga 720, Microsoft Surface Go 2 and Laptop Studio.
            Device("Wacom HID 50F1 Pen", i2c, 0x056A, 0x50F1, board, lies_on=PANEL),
            Device("ELAN9038:00 04F3:2A1C Stylus", i2c, 0x04F3, 0x2A1C, board, lies_on=PANEL),
            Device("Intel Touch Host Controller Stylus", BUSES["pci"], 0x045E, 0x0C1B, "pci-0000:00:10.6",
                   lies_on=PANEL),
            # Microsoft Surface Book 2, with linux-surface's ipts.
            Device("ipts 045E:0021 Touchscreen", BUSES["mei"], 0x045E, 0x0021, "pci-0000:00:16.4", lies_on=PANEL),
            # Inside, on USB: Acer Spin 5, ThinkPad X1 Yoga and X220, and touchscreens that libwacom does not know.
            Device("Wacom Pen and multitouch sensor Pen", usb, 0x056A, 0x5093, "pci-0000:00:14.0-usb-0:10:1.1",
                   lies_on=PANEL),
            Device("Wacom ISDv4 E6 Finger", usb, 0x056A, 0x00E6, "pci-0000:00:1d.0-usb-0:1.5:1.1", lies_on=PANEL),
            Device("ELAN Touchscreen", usb, 0x04F3, 0x2560, "pci-0000:00:14.0-usb-0:6:1.0", ports=("fixed",),
                   lies_on=PANEL),
            Device("Touchscreen of the panel's size", usb, 0x1209, 0x0001, port, size=(345, 194), lies_on=PANEL),
            Device("IPTSD Virtual Touchscreen", virtual, 0x045E, 0x0C1A, size=(344, 194), lies_on=PANEL),
            # Pen displays. A Cintiq Pro 16 is as large as the panel of a laptop (swaywm/sway#7882).
            Device("Wacom Co.,Ltd. Cintiq Pro 16 Pen", usb, 0x056A, 0x0350, port, size=(344, 193)),
            Device("Wacom Co.,Ltd. Cintiq Pro 16 Touch Finger", usb, 0x056A, 0x0354, port, size=(344, 193)),
            Device('Wacom One pen display 13.3" with touch Pen', usb, 0x056A, 0x03CB, port),
            Device("Wacom Co.,Ltd. Pen and multitouch sensor", usb, 0x2D1F, 0x524C, port),
            Device("Wacom Movink 13 Pen", usb, 0x056A, 0x03F0, port),
            Device("Tablet Monitor Pen", usb, 0x256C, 0x006D, port),
            # Desk tablets. The drivers of most of Huion's and XP-Pen's set INPUT_PROP_DIRECT.
            Device("HUION Huion Tablet_H640P Pen", usb, 0x256C, 0x006D, port),
            Device("UGTABLET Deco Pro MW", usb, 0x28BD, 0x0934, port),
            Device("11 inch PenTablet", usb, 0x28BD, 0x0904, port),
            Device("Wacom Intuos Pro M Pen", usb, 0x056A, 0x03F7, port, is_direct=False),
            Device("Wacom Intuos Pro M Pen", bluetooth, 0x056A, 0x03F7, is_direct=False),
            # A monitor, what is fixed in a dock, and a driver in user space.
            Device("Touch monitor of 24 inches", usb, 0x1209, 0x0002, port, size=(531, 299)),
            Device("Touchscreen in a dock", usb, 0x1209, 0x0003, port, ports=("removable", "fixed")),
            Device("OpenTabletDriver Virtual Tablet", virtual),
        ]
