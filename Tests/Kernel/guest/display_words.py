# SPDX-License-Identifier: MIT
"""The words of a scenario for the screen and for input devices."""

import base64

import display_devices
from latency import Latency
from touch_windows import TouchWindows
from waiting import Failed, wait_until
from widgets import Widgets

NEAR = 2.0
"""Pixels."""
POLLS_A_TRY = 40
"""Some 4 s, after which a tap that did not arrive is repeated."""
SIZE_OF_NOTHING = 8000
"""The largest PNG of one colour, in bytes."""
BEHIND = {"normal": "bottom-up", "left-up": "left-up", "bottom-up": "normal", "right-up": "right-up"}
"""The orientation of the keyboard's half when it is folded right back."""


class DisplayWords:
    def __init__(self, machine):
        self.machine, self.latency = machine, Latency()
        self.desktop = self.windows = self.widgets = None

    @staticmethod
    def _await(condition, what):
        return wait_until(condition, what, pause=0.1)

    def do_reference(self):
        """Measures how long a rotation takes in this boot on this desktop."""
        text = self.latency.measure_reference(self._hold_folded, self.desktop)
        if hasattr(self.desktop, "seen"):
            self.desktop.seen()
        return text

    def _hold_folded(self, name):
        """With the keyboard's half, if it has a sensor, behind the display."""
        self.machine.hub.hold(name)
        if self.machine.base:
            self.machine.base.lie(BEHIND[name])

    def do_picture(self, *words):
        """`picture left`, `picture left 800x1280`: as the server reports. `picture left within 10`: it may take that many
        times the reference. `picture left plus 2`: so many seconds more, for a program that looks that often."""
        wanted, limits = list(words), {}
        while len(wanted) > 2 and wanted[-2] in ("within", "plus"):
            limits[wanted[-2]] = int(wanted[-1])
            del wanted[-2:]
        self._await_picture(wanted)
        seconds = self.latency.of_rotation(self.desktop, wanted[0], **limits)
        return seconds and f"rotated in {seconds:.2f} s"

    def _await_picture(self, wanted):
        found = []

        def is_so():
            found[:] = self.desktop.picture() or []
            return found[:len(wanted)] == list(wanted)

        self._await(is_so, lambda: f"it is {' '.join(found)}")

    def do_monitor(self, *wanted):
        """`monitor normal 1024x768+800+0`: orientation, size and place of the other output, as the server reports them."""
        self._await(lambda: self.desktop.monitor() == list(wanted),
                    lambda: f"it is {self.desktop.monitor()}")

    def do_panel(self, word):
        """`panel on`, `panel off`: whether the kernel shows something on it."""
        self._await(lambda: display_devices.is_lit("eDP-1") == (word == "on"),
                    lambda: f"the kernel reports: {display_devices.words('eDP-1')}")

    def do_mount(self, word):
        """The kernel's property of the connector."""
        found = display_devices.panel_orientation("eDP", 1)
        if found != word:
            raise Failed(f"the kernel reports the mounting {found}")

    def do_master(self, _taken, seconds):
        """The display server cannot set a mode for so long, as when another program is the master of the display."""
        display_devices.take_master(float(seconds))
        self.latency.note(["master"])

    def do_seen(self, *wanted):
        """The rotations since the last such line, as the server announced them, and no others."""
        found, wanted = [], [rotation for rotation in wanted if rotation != "nothing"]
        self._await(lambda: found.extend(self.desktop.seen()) or found == wanted, lambda: f"it has announced {found}")

    def do_managed(self, word):
        """Whether the desktop reports that it rotates the panel itself."""
        self._await(lambda: self.desktop.is_managed() == (word == "yes"), f"the panel is not managed: {word}")

    def do_tap(self, *words):
        """`tap 0.25 0.10 lands 720 320`; `tap eDP-2 0.25 0.10 lands 720 320`: on the glass of one of two panels, and in the
        window that fills it."""
        *output, x, y, _lands, left, top = words
        device, wanted = self.machine.touchscreen, (float(left), float(top))
        if not output:
            return self._lands("tap", device, (x, y), wanted)
        if output[0] == "eDP-2":
            device = self.machine.second_touchscreen
        self.windows = self.windows or TouchWindows(self.person, ["eDP-1", "eDP-2"])
        return self._arrives(device, (x, y), wanted, self.windows.forget, lambda: self.windows.landing(*output))

    def do_touch(self, *where):
        """`touch 0.5 0.5`: a hand on the machine, wherever it touches. `touch Auto-Rotation`: the widget of this name."""
        if len(where) == 2 and all(each.replace(".", "").isdigit() for each in where):
            return self.machine.touchscreen.tap(*where)
        picture = self.desktop.picture()
        widget = self._widget(" ".join(where))
        self.machine.touchscreen.tap(*widget.on_the_glass(picture))
        return str(widget)

    def do_finger(self, word, *at):
        """`finger down 0.5 0.5`, `finger up`: it stays on the screen meanwhile."""
        {"down": self.machine.touchscreen.down, "up": self.machine.touchscreen.up}[word](*at)
        self._await(lambda: self.desktop.is_touched() == (word == "down"), "the extension has not seen it")

    def do_widget(self, *words):
        """`widget Auto-Rotation checked`, `widget Auto-Rotation unchecked`."""
        *name, state = words
        self._await(lambda: self._widget(" ".join(name)).is_checked == (state == "checked"), f"it is not {state}")

    def _widget(self, name):
        """Where it stays: a menu that opens is laid out again."""
        self.widgets = self.widgets or Widgets(self.person)
        found = [None]

        def is_there():
            found[:] = found[-1], self.widgets.named(name)
            return found[0] and found[0] == found[1]

        self._await(is_there, f"AT-SPI finds no widget called {name}, or it moves")
        return found[-1]

    def do_pen(self, x, y, _lands, *place):
        return self._lands("pen", self.machine.pen, (x, y), tuple(map(float, place)))

    def _lands(self, kind, device, at, wanted):
        return self._arrives(device, at, wanted, self.desktop.listener.forget, lambda: self.desktop.landing(kind))

    def _arrives(self, device, at, wanted, forget, landing):
        """Correct within some tries: just after a rotation, a window does not have the size of its new screen yet."""
        found, tries, polls = None, 0, 0

        def has_landed():
            nonlocal found, tries, polls
            if polls % POLLS_A_TRY == 0 or landing():
                forget()
                device.tap(*at)
                tries, polls = tries + 1, 0
            polls += 1
            found = landing() or found
            return found and self._is_near(found, wanted)

        self._await(has_landed, lambda: f"it arrives at {found}" if found else f"it does not arrive{self._windows_touched()}")
        return f"{found[0]:.1f} {found[1]:.1f}" + (f", try {tries}" if tries > 1 else "")

    def _windows_touched(self):
        return f"; the windows: {self.windows.lines()}" if self.windows else ""

    @staticmethod
    def _is_near(found, wanted):
        return all(abs(a - b) <= NEAR for a, b in zip(found, wanted))

    def do_power(self, word):
        self.desktop.power(word)
        self._await(lambda: self.desktop.is_powered(word), "the panel's power has not changed")

    def do_photo(self, name):
        """Of the screen, as soon as something is shown, and stays; the host keeps it."""
        shown = [b"", b""]

        def is_still():
            shown[:] = shown[1], self.desktop.photo()
            return shown[0] == shown[1] and len(shown[1]) > SIZE_OF_NOTHING

        self._await(is_still, "nothing is shown")
        print(f"picture {name} {base64.b64encode(shown[1]).decode()}")
