# SPDX-License-Identifier: MIT
"""Keyboards and tablet switches of libinput's installed quirks, each on its machine and on another one.

The correct result is read from the files independently, as libinput's documentation says: every Match of a section must
apply, patterns are those of fnmatch(3), and the last section with a value applies.
"""

import fnmatch
import glob
import os

from . import answers, corpus

WORDS = ("AttrKeyboardIntegration", "ModelTabletModeNoSuspend", "ModelTabletModeSwitchUnreliable")
BUSES = {"usb": 0x03, "bluetooth": 0x05, "ps2": 0x11, "i2c": 0x18, "spi": 0x1C, "rmi": 0x1D}
BOARD = (0x11, 0x18, 0x1C, 0x1D)
KEYS_OF_A_KEYBOARD = "fffffffe"
ELSEWHERE = "dmi:bvnX:bvr1:bd01/01/2020:svnNobody:pnNothing:pvr1:rvnX:rn1:"


def sections():
    """[(title, [(key, value)])] in libinput's order. Raises Absent."""
    place = corpus.first_directory("libinput's quirks", "libinput-bin", "/usr/share/libinput")
    found = []
    for path in sorted(glob.glob(os.path.join(place, "*.quirks"))):
        with open(path, encoding="utf-8") as file:
            for line in map(str.strip, file):
                if line.startswith("["):
                    found.append((line.strip("[]"), []))
                elif "=" in line and not line.startswith("#"):
                    key, _, value = line.partition("=")
                    found[-1][1].append((key.strip(), value.strip()))
    return found


def example(pattern):
    """A text that the pattern matches."""
    return pattern.replace("*", "X").replace("?", "X")


def number(text):
    return int(text.split(";")[0], 16)


def device_of(conditions):
    """A device that fulfils the conditions of a section."""
    found = {key: value for key, value in conditions if key.startswith("Match")}
    # Where the section names no bus, one that implies the opposite of the section.
    bus = "usb" if any(value == "internal" for _, value in conditions) else "ps2"
    return {"name": example(found.get("MatchName", "Some keyboard")),
            "bus": BUSES[found.get("MatchBus", bus)],
            "vendor": number(found.get("MatchVendor", "0x1")), "product": number(found.get("MatchProduct", "0x1")),
            "version": number(found.get("MatchVersion", "0x1")),
            "kind": found.get("MatchUdevType", "keyboard"),
            "dmi": example(found.get("MatchDMIModalias", ELSEWHERE)),
            "tree": example(found.get("MatchDeviceTree", "")),
            "switch": any(key == "ModelTabletModeSwitchUnreliable" for key, _ in conditions)}


def matches(conditions, device):
    def holds(key, value):
        if key in ("MatchVendor", "MatchProduct", "MatchVersion"):
            return device[key[5:].lower()] in [int(each, 16) for each in value.split(";") if each]
        tests = {"MatchName": lambda: fnmatch.fnmatchcase(device["name"], value),
                 "MatchDMIModalias": lambda: fnmatch.fnmatchcase(device["dmi"], value),
                 "MatchDeviceTree": lambda: fnmatch.fnmatchcase(device["tree"], value),
                 "MatchBus": lambda: BUSES.get(value) == device["bus"],
                 "MatchUdevType": lambda: value == device["kind"]}
        return tests[key]() if key in tests else False
    return all(holds(key, value) for key, value in conditions if key.startswith("Match"))


def expected(device, quirks):
    """[built in or not, disabled in tablet mode or not, a tablet switch or not]."""
    printed = {}
    for _, lines in quirks:
        if matches(lines, device):
            printed.update((key, value) for key, value in lines if key in WORDS)
    where = printed.get("AttrKeyboardIntegration")
    # Beyond libinput: the kernel's cros_ec driver has only keyboards that are part of their machine.
    is_internal = where == "internal" if where else device["bus"] in BOARD or "cros_ec" in device["name"]
    stays_on = printed.get("ModelTabletModeNoSuspend") == "1"
    is_switch = device["switch"] and printed.get("ModelTabletModeSwitchUnreliable") != "1"
    return ["internal" if is_internal else "external", "off" if is_internal and not stays_on else "on",
            "switch" if is_switch else "no switch"]


def describe(place, case, device):
    files = {"dmi": device["dmi"], "tree": device["tree"], "input/event0/device/name": device["name"],
             "input/event0/device/properties": "0",
             "input/event0/device/capabilities/key": KEYS_OF_A_KEYBOARD,
             "input/event0/device/capabilities/sw": "2" if device["switch"] else "0"}
    names = {"bustype": "bus", "vendor": "vendor", "product": "product", "version": "version"}
    files |= {f"input/event0/device/id/{file}": f"{device[name]:04x}" for file, name in names.items()}
    for name, value in files.items():
        corpus.write(os.path.join(place, case, name), value + "\n")


class Keyboards:
    """The corpus."""

    title = "libinput's quirks of keyboards and tablet switches"

    def __init__(self, room, _is_light):
        self.place = os.path.join(room, "keyboards")
        self.quirks = sections()

    def cases(self):
        for title, lines in self.quirks:
            if any(key in WORDS for key, _ in lines):
                device = device_of(lines)
                yield title, device
                if device["dmi"] != ELSEWHERE or device["tree"]:
                    yield f"{title}, on another machine", {**device, "dmi": ELSEWHERE, "tree": ""}

    def tally(self):
        cases = list(self.cases())
        for index, (_, device) in enumerate(cases):
            describe(self.place, f"{index:04}", device)
        found = answers.ask(self.place, "keyboards")
        tally = corpus.Tally(self.title)
        for index, (title, device) in enumerate(cases):
            tally.count(title, found.get(f"{index:04}"), expected(device, self.quirks))
        return tally
