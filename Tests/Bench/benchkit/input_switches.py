# SPDX-License-Identifier: MIT
"""Mock switches: input devices in the umockdev testbed, with events and a state that can be queried.

They live in the testbed's process. The node is a FIFO, into which events are written; the state is
answered by umockdev, which passes each ioctl on a mock node to a function here.
"""

import ctypes
import errno
import os
import struct
import threading

from .child_processes import let_pass

NUMBERS = {"lid": 0, "tablet": 1, "dock": 5}  # SW_… of linux/input-event-codes.h
SPARES = {"twin": "tablet"}  # a second device of the same name with the same switch
FOLDED, UNFOLDED = 193, 192  # KEY_F23, KEY_F22
ROTATE_LOCK_TOGGLE, VOLUME_UP = 561, 115
PARENT = "/devices/platform/bench-switches"
EV_SYN, EV_KEY, EV_SW = 0, 1, 5
EVENT = "llHHi"  # struct input_event
EVIOCG, EVIOCGSW = 0x45, 0x1B  # type of evdev's ioctls, and the one for switches
HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def make(names, library):
    """{name: Switch} for names such as "tablet,lid"."""
    kinds = {"keys": Keys, "cover": Cover, "lock-key": LockKey}
    found = {name: kinds.get(name, Switch)(name, library) for name in (names or "").split(",") if name}
    if found:
        loop = library.glib.g_main_loop_new(None, 0)  # where umockdev answers ioctls
        threading.Thread(target=library.glib.g_main_loop_run, args=(loop,), daemon=True).start()
    return found


class Switch:
    """One input device with one switch, off at first."""

    TITLE = "Bench {} switch"

    def __init__(self, name, library):
        self.name, self.library = name, library
        self.title = self.TITLE.format(SPARES.get(name, name))
        self.number = {"keys": 9, "cover": 8, "lock-key": 6, **NUMBERS}[SPARES.get(name, name)]
        self.is_on = False
        place = 40 + self.number + 10 * (name in SPARES)
        self.minor = 64 + place
        self.path = f"{PARENT}/{name}/input/input{place}"
        self.node = f"input/event{place}"
        self.event = f"/sys{self.path}/{os.path.basename(self.node)}"
        self.file = os.path.join(library.root(), "dev", self.node)
        self.fifo = None
        self.handler = HANDLER(self._answer)  # kept: the library only borrows it
        self.add()
        self.library.answer_ioctls("/dev/" + self.node, self.handler)

    def on(self):
        self._turn(True)

    def off(self):
        self._turn(False)

    def add(self):
        for record in self._records():
            self.library.add(record)
        os.unlink(self.file)
        self._make_fifo()
        # The first uevent came before there was a FIFO to open.
        self.library.uevent(self.event, "change")

    def _make_fifo(self):
        os.mkfifo(self.file)
        self.fifo = os.open(self.file, os.O_RDWR | os.O_NONBLOCK)

    def remove(self):
        os.unlink(self.file)  # the kernel's node is gone before udev reports it
        os.close(self.fifo)
        self.library.uevent(self.event, "remove")
        self.library.remove(self.event)
        self.library.remove("/sys" + self.path)
        self.library.remove(f"/sys{PARENT}/{self.name}")

    def refuse(self):
        """From now on nobody can open the node."""
        os.unlink(self.file)
        os.symlink(self.file, self.file)

    def permit(self):
        """The node can be opened again, which udev does not report."""
        os.unlink(self.file)
        os.close(self.fifo)
        self._make_fifo()

    def flap(self):
        """A loose contact: 20 changes a second for two seconds, and off at the end."""
        threading.Thread(target=self._flap, daemon=True).start()

    def _flap(self):
        for number in range(40):
            self._turn(number % 2 == 0)
            let_pass(0.05)

    def _turn(self, is_on):
        self.is_on = is_on
        self._send((EV_SW, self.number, int(is_on)))

    def _send(self, *events):
        for kind, code, value in (*events, (EV_SYN, 0, 0)):
            os.write(self.fifo, struct.pack(EVENT, 0, 0, kind, code, value))

    def _capabilities(self):
        return {"ev": 1 << EV_SYN | 1 << EV_SW, "sw": 1 << self.number}

    def _records(self):
        capabilities = "".join(f"A: capabilities/{kind}={words(mask)}\\n\n"
                               for kind, mask in self._capabilities().items())
        yield (f"P: {PARENT}/{self.name}\nE: SUBSYSTEM=platform\n"
               f"L: driver=../../../bus/platform/drivers/bench-{self.name}\n")
        yield (f"P: {self.path}\nE: SUBSYSTEM=input\nE: ID_INPUT=1\nE: ID_INPUT_SWITCH=1\n"
               f"A: name={self.title}\\n\n{capabilities}")
        yield (f"P: {self.path}/{os.path.basename(self.node)}\nN: {self.node}=00\nE: SUBSYSTEM=input\n"
               f"E: DEVNAME=/dev/{self.node}\nE: MAJOR=13\nE: MINOR={self.minor}\n"
               f"E: ID_INPUT=1\nE: ID_INPUT_SWITCH=1\nA: dev=13:{self.minor}\\n\n"
               "L: device=../../" + os.path.basename(self.path) + "\n")

    def _answer(self, _handler, client, _data):
        """Runs on the main loop's thread."""
        request = self.library.request_of(client)
        kind, number, size = request >> 8 & 0xFF, request & 0xFF, request >> 16 & 0x3FFF
        if (kind, number) != (EVIOCG, EVIOCGSW):
            self.library.complete(client, -1, errno.ENOTTY)
            return 1
        state = (self.is_on << self.number).to_bytes(8, "little")[:size]
        self.library.fill(client, state)
        self.library.complete(client, len(state), 0)
        return 1


class Keys(Switch):
    """A device whose firmware reports folding by keys, as the IdeaPads' extra buttons do."""

    def _turn(self, is_on):
        key = FOLDED if is_on else UNFOLDED
        self._send((EV_KEY, key, 1))
        self._send((EV_KEY, key, 0))

    def _capabilities(self):
        return {"ev": 1 << EV_SYN | 1 << EV_KEY, "key": 1 << FOLDED | 1 << UNFOLDED | 1 << 28, "sw": 0}


class LockKey(Switch):
    """The buttons at the edge: `on` presses the one that locks the rotation, `off` another."""

    TITLE = "Bench buttons"

    def _turn(self, is_on):
        key = ROTATE_LOCK_TOGGLE if is_on else VOLUME_UP
        self._send((EV_KEY, key, 1))
        self._send((EV_KEY, key, 0))

    def _capabilities(self):
        return {"ev": 1 << EV_SYN | 1 << EV_KEY, "key": 1 << ROTATE_LOCK_TOGGLE | 1 << VOLUME_UP, "sw": 0}


class Cover(Keys):
    """A keyboard that is attached and detached: add and remove. It flaps the same way."""

    def _capabilities(self):
        return {"ev": 1 << EV_SYN | 1 << EV_KEY, "key": (1 << 0x20) - 2, "sw": 0}

    def _flap(self):
        for _ in range(20):
            self.remove()
            let_pass(0.05)
            self.add()
            let_pass(0.05)


def words(mask):
    """As sysfs writes a bit mask: words of 64 bits, the highest first."""
    parts = []
    while mask or not parts:
        parts.insert(0, f"{mask & (1 << 64) - 1:x}")
        mask >>= 64
    return " ".join(parts)
