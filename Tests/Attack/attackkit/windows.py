# SPDX-License-Identifier: MIT
"""Windows with false properties, in every property that decides the allowed orientations."""

import os
import struct

from benchkit.accelerometer import Options as Sensor
from benchkit.child_processes import let_pass

from .attack import Attack
from .seeded_random import MEGABYTE
from .raw_x11 import ATOM, CARDINAL, STRING, WINDOW, Server

TYPES = ("NORMAL", "DIALOG", "DOCK", "DESKTOP", "SPLASH", "MENU", "NOTIFICATION", "UTILITY", "TOOLTIP", "NO_SUCH")
STATES = ("FULLSCREEN", "MODAL", "HIDDEN", "ABOVE", "NO_SUCH")
NAMES = ("WM_CLASS", "WM_NAME", "_NET_WM_NAME", "_GTK_APPLICATION_ID", "_KDE_NET_WM_DESKTOP_FILE", "WM_CLIENT_MACHINE")
NUMBERS = ("WM_TRANSIENT_FOR", "WM_HINTS", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE", "_NET_WM_DESKTOP",
           "_NET_SUPPORTING_WM_CHECK", "WM_NORMAL_HINTS")
SECONDS_OF_FOCUS_DELAY = 0.2  # of the focus, before it decides
RULE = 'match = ["mpv", "*left*"]\nsupported = ["landscape"]\n'


class Windows(Attack):
    """5,000 windows on openbox, whose active window changes faster than anybody could switch."""

    name, whole, light = "windows", 5000, 150
    check_every = 250
    server = None

    MOST_OPEN = 40
    STORM = 300  # changes of the active window, in a row

    def open(self):
        self.bench(sensor=Sensor())
        place = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate/apps")
        os.makedirs(place)
        with open(os.path.join(place, "mpv.toml"), "w", encoding="utf-8") as file:
            file.write(RULE)
        self.start()
        self.server = Server(self.session.display)
        self.windows, self.seen = [], set()

    def attempt(self, rng, index):
        window = self._open(rng)
        for _ in range(rng.randrange(1, 8)):
            rng.choice((self._name, self._set_numbers, self._set_type, self._set_state, self._own))(rng, window)
        if rng.one_in(4):
            self._vanish_or_move(rng)
        if rng.one_in(5):
            self.server.pretend(rng.choice((window, 0, 1, self.server.root, 0xffffffff, rng.getrandbits(29))))
        if rng.one_in(50):
            self._storm(rng)
        if rng.one_in(3):
            self.server.message(window, "_NET_ACTIVE_WINDOW", 2)
        if rng.one_in(20):
            self._close_all_but(self.MOST_OPEN // 2)
        self._close_all_but(self.MOST_OPEN)
        self.server.sync()
        if index % 10 == 0:
            let_pass(SECONDS_OF_FOCUS_DELAY)
            self.seen.add(self.target_daemon.status()["application"])
            self.tally.remarks = [f"{len(self.seen)} applications seen in front"]
        self.target_daemon.check_alive()

    def check_consistent(self):
        """The windows are closed; then the device alone decides."""
        self._close_all_but(0)
        self.server.pretend(0)
        self.server.sync()
        super().check_consistent()

    def close(self):
        if self.server:
            self.server.close()
        self.server = None
        super().close()

    def _open(self, rng):
        window = self.server.window(
            rng.randrange(-500, 3000), rng.randrange(-500, 2000), rng.randrange(1, 900), rng.randrange(1, 900),
            override=rng.one_in(6), parent=rng.choice([None] * 9 + self.windows[-1:]))
        self.windows.append(window)
        name = rng.text(rng.choice((8, 40, 400))).encode("utf-8", "surrogatepass")
        self.server.change(window, "WM_CLASS", STRING, 8, rng.choice((b"mpv", b"x", name)) + b"\0" + name + b"\0")
        if not rng.one_in(8):
            self.server.map(window)
        return window

    def _close_all_but(self, count):
        while len(self.windows) > count:
            self.server.destroy(self.windows.pop(0))

    def _vanish_or_move(self, rng):
        window = rng.choice(self.windows)
        if rng.one_in(2):
            self.server.unmap(window)
        else:
            self.windows.remove(window)
            self.server.destroy(window)

    def _name(self, rng, window):
        longest = rng.choice((20, 200, 5000))
        text = rng.text(longest).encode("utf-8", "surrogatepass")
        if rng.one_in(60):
            text = rng.blob(40) * (rng.randrange(1, 4) * MEGABYTE // 40)
        if rng.one_in(3):
            text = rng.blob(longest)
        kind = rng.choice((STRING, "UTF8_STRING", "COMPOUND_TEXT", CARDINAL))
        width = rng.choice((8, 8, 8, 16, 32))
        self.server.change(window, rng.choice(NAMES), kind, width, text)

    def _set_numbers(self, rng, window):
        numbers = [rng.number() for _ in range(rng.randrange(0, rng.choice((4, 20, 3000))))]
        data = struct.pack(f"<{len(numbers)}I", *numbers)
        self.server.change(window, rng.choice(NUMBERS), rng.choice((CARDINAL, WINDOW, ATOM, STRING)),
                           rng.choice((32, 32, 8, 16)), data)

    def _set_type(self, rng, window):
        atoms = [self.server.atom("_NET_WM_WINDOW_TYPE_" + rng.choice(TYPES)) for _ in range(rng.randrange(4))]
        self.server.change(window, "_NET_WM_WINDOW_TYPE", ATOM, 32, struct.pack(f"<{len(atoms)}I", *atoms))

    def _set_state(self, rng, window):
        state = self.server.atom("_NET_WM_STATE_" + rng.choice(STATES))
        if rng.one_in(2):
            self.server.message(window, "_NET_WM_STATE", rng.randrange(3), state)
        else:
            self.server.change(window, "_NET_WM_STATE", ATOM, 32, struct.pack("<I", state))

    def _own(self, rng, window):
        """Dialogs of each other, of themselves, of nothing: rings and chains."""
        owner = rng.choice((*self.windows, window, self.server.root, rng.getrandbits(29)))
        self.server.change(window, "WM_TRANSIENT_FOR", WINDOW, 32, struct.pack("<I", owner))
        if rng.one_in(4) and owner in self.windows:
            self.server.change(owner, "WM_TRANSIENT_FOR", WINDOW, 32, struct.pack("<I", window))

    def _storm(self, rng):
        for _ in range(self.STORM):
            self.server.pretend(rng.choice((*self.windows, 0)))
