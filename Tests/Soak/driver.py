# SPDX-License-Identifier: MIT
"""Performs the steps on a desktop, and compares status, server and touch with the model."""

import json
import os
import signal
import time

import process_resources
import steps
import dbus_connection
from benchkit.child_processes import Failed, exit_status, let_pass, longest_wait, wait_until
from benchkit.daemon import ACCELERATIONS
from benchkit.testing import program
from model import HELD, Model
from proxy import SensorProxy

NAME = "org.autorotate.Autorotate1"
TARGET = (NAME, "/org/autorotate/Autorotate1", NAME)
LAYOUT_TIME = 3  # seconds: for 2 after a change of outputs, a foreign rotation is the layout's, not the user's
CHANGES_OF_LAYOUT = ("plug", "unplug", "dark", "light", "restart", "kill")
HELD_ACCELERATIONS = {**{held: ACCELERATIONS[word] for held, word in HELD.items()}, "face-up": (0, 0, 9.81)}


class Disagreement(Exception):
    """At a quiet point, something differs from the model."""


class BusClient:
    """One connection to the session bus, with the signals that it received."""

    def __init__(self, address):
        self.rotations = []  # (from, to, width, height) of each DidRotate since it was last cleared
        self.bus = dbus_connection.Connection(address, self._receive)
        self.bus.match(f"type='signal',interface='{NAME}',member='DidRotate'")

    def _receive(self, message):
        if message.member == "DidRotate":
            self.rotations.append(tuple(message.body))

    def ask(self, member, signature="", *values):
        while True:
            try:
                return self.bus.call(TARGET, member, signature, *values)
            except dbus_connection.Refused as refusal:
                # A fast machine calls more often than one client may; the limit ends after a second.
                if not refusal.args[0].endswith(".LimitsExceeded"):
                    raise
                let_pass(1)

    def status(self):
        return json.loads(self.ask("GetStatus")[0])


class Driver:
    """One desktop with successive daemons, and the model."""

    def __init__(self, session, world):
        self.session, self.world = session, world
        self.model = Model(steps.RULES)
        self.address = session.env["DBUS_SESSION_BUS_ADDRESS"]
        self.proxy = SensorProxy(session.env["DBUS_SYSTEM_BUS_ADDRESS"])
        self.proxy.start()
        self.client = BusClient(self.address)
        self.source = "iio"
        self.ids = {}  # the script's number of a request → the daemon's
        self.lives = 0
        self.readings = []
        self.spent = {}  # verb → all seconds until everything agreed, one number a step
        self.process = None
        self.expects_rotation = False
        self.layout_changed = 0.0
        self.view = None  # the state of the display system at the latest quiet point

    # Lives

    def start_daemon(self):
        self.lives += 1
        self.readings = []
        self.ids = {}
        command = [program(), "--wait", "--sensor", self.source, *self.world.arguments]
        environment = self.session.device_env if self.source == "iio" else self.session.env
        log = f"daemon-{self.lives}"
        self.process = self.session.children.start(log, command, environment)
        self.layout_changed = time.monotonic()
        if not wait_until(lambda: self.process.poll() is not None or self._is_on_bus(), pause=0.02):
            raise Disagreement("the daemon does not come up")
        if self.process.poll() is not None:
            raise Disagreement(f"the daemon ended with {self.process.poll()}: {self.session.children.last_words(log)}")

    def _is_on_bus(self):
        return self.client.bus.call(dbus_connection.DRIVER, "NameHasOwner", "s", NAME)[0]

    def end_daemon(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = exit_status(self.process)
        if status != (0 if number == signal.SIGTERM else -number):
            raise Disagreement(f"the daemon ended with {status}")
        self.session.children.running.remove(self.process)

    # Steps

    def perform(self, step):
        """Does one step, and returns when everything agrees about its result. Raises Disagreement if it does not."""
        self._check_rest()
        rotations = self.model.rotations
        is_allowed = steps.apply(self.model, step)
        self.expects_rotation = self.model.rotations > rotations
        verb, *rest = step
        began = time.monotonic()
        getattr(self, "_" + verb.replace("-", "_"))(*rest, *([is_allowed] if verb == "rotate" else []))
        self.agree()
        if verb in CHANGES_OF_LAYOUT:
            self.layout_changed = time.monotonic()
        self.spent.setdefault(verb, []).append(time.monotonic() - began)

    def _check_rest(self):
        """A rotation since everything agreed had no cause."""
        self.client.bus.read_pending()
        late = [rotation for rotation in self.client.rotations if rotation[0] != rotation[1]]
        self.client.rotations.clear()
        if late:
            raise Disagreement(f"rotated at rest: {late}")

    def _rotate(self, word, is_allowed):
        try:
            self.client.ask("Rotate", "s", word)
        except dbus_connection.Refused as refusal:
            if is_allowed:
                raise Disagreement(f"refused what is allowed: {refusal}") from refusal
        else:
            if not is_allowed:
                raise Disagreement(f"did not refuse {word}")

    def _lock(self, word):
        self.client.ask("Lock", "s", word or "")

    def _lock_while(self, word, application):
        self.client.ask("LockWhileFocused", "ss", word, application)

    def _unlock(self):
        self.client.ask("Unlock")

    def _hold(self):
        self.client.ask("Hold", "b", True)

    def _go_on(self):
        self.client.ask("Hold", "b", False)

    def _request(self, key, words):
        self.ids[key] = self.client.ask("Request", "asss", list(words), f"app{key}", "soak")[0]

    def _release(self, key):
        self.client.ask("Release", "u", self.ids.pop(key))

    def _leave(self, _key, words):
        other = dbus_connection.Connection(self.address)
        other.call(TARGET, "Request", "asss", list(words), "visitor", "")
        other.close()

    def _focus(self, application):
        self.world.focus(application)

    def _device(self, held):
        self.proxy.rotate(held)
        self.session.accelerate(*HELD_ACCELERATIONS[held])

    def _by_hand(self, word):
        let_pass(max(0, self.layout_changed + LAYOUT_TIME - time.monotonic()))
        self.world.rotate_by_hand(word)

    def _plug(self):
        self.world.plug(True)

    def _unplug(self):
        self.world.plug(False)

    def _dark(self):
        self.world.blank(True)

    def _light(self):
        self.world.blank(False)

    def _restart(self):
        self.end_daemon()
        self.source = "proxy" if self.source == "iio" else "iio"
        self.start_daemon()

    def _kill(self):
        self.end_daemon(signal.SIGKILL)
        self.start_daemon()

    def _restart_proxy(self):
        self.proxy.stop()
        if self.source == "proxy" and self.model.is_followed():
            wait_until(lambda: self.client.status()["sensor"]["state"] == "lost")
        self.proxy.start()

    def _restart_bus(self):
        children = self.session.children
        old = next(each for each in children.running if each.name == "session-bus")
        children.stop(old)
        path = self.address.removeprefix("unix:path=")
        if os.path.exists(path):
            os.unlink(path)
        self.ids = {}
        self.session._start_bus("session")()  # pylint: disable=protected-access
        self.client = BusClient(self.address)
        if not wait_until(self._is_on_bus, pause=0.05):
            raise Disagreement("the daemon does not find its bus again")

    # Quiet points

    def agree(self):
        deadline = time.monotonic() + longest_wait()
        if self.expects_rotation and self.model.lit:
            self._await_rotation(min(deadline, time.monotonic() + 1))
        while faults := self.disagreements():
            if self.process.poll() is not None:
                raise Disagreement(f"the daemon ended with {self.process.poll()}")
            if time.monotonic() > deadline:
                raise Disagreement("; ".join(faults))
            self.client.bus.wait(0.02)
        self._check_reported_size()
        self.client.rotations.clear()

    def _check_reported_size(self):
        """DidRotate reports the size of the rotated screen."""
        if self.client.rotations and self.model.lit:
            _x, _y, *size, _rotation = self.view.outputs[self.world.panel]
            if self.client.rotations[-1][2:] != tuple(size):
                raise Disagreement(f"DidRotate reported {self.client.rotations[-1]}, but the panel shows {size}")

    def _await_rotation(self, deadline):
        """So that nothing is queried before the rotation."""
        while time.monotonic() < deadline and not any(
                rotation[1] == self.model.shown for rotation in self.client.rotations):
            self.client.bus.wait(deadline - time.monotonic())

    def disagreements(self):
        return self._status_faults() + self._view_faults()

    def _view_faults(self):
        if not self.model.lit:
            return []
        self.view = self.world.read_state()
        return self.view.faults(self.world.panel, self.world.mode, self.model.shown)

    def _status_faults(self):
        model, status = self.model, self.client.status()
        reported = {
            "orientation": status["orientation"], "device": status["device"],
            "lock": status["lock"] and (status["lock"]["orientation"], status["lock"]["application"]), "held": status["held"],
            "asleep": status["sensor"]["state"] == "asleep"}
        wanted = {
            "orientation": model.shown, "device": model.reported, "lock": model.lock and (model.lock, model.lock_ends_with),
            "held": model.hold is not None,
            "asleep": not model.is_followed()}
        if model.lit:
            reported.update(allowed=set(status["allowed"]), application=status["application"])
            wanted.update(allowed=model.allowed(), application=model.focus)
        found = [f"status reports {name} {reported[name]}, not {wanted[name]}" for name in reported if reported[name] != wanted[name]]
        faults = [each for each in status["reasons"] if "failed" in each or each.startswith("Rotating to")]
        return found + [f"status reports: {each}" for each in faults if model.lit]

    # Health

    def reset_state(self):
        """The same state each time, so that readings can be compared."""
        model = self.model
        steps = [("light",)] * (not model.lit) + [("unlock",)] * bool(model.lock) + [("go-on",)] * bool(model.hold)
        steps += [("release", key) for key in list(model.requests)]
        steps += [("focus", "xterm")] * (model.focus != "xterm")
        for step in steps:
            self.perform(step)
        for held in ("left-up", "normal"):
            if model.held != held:
                self.perform(("device", held))

    def read_health(self):
        self.reset_state()
        reading = process_resources.read(self.process.pid, self.model.rotations)
        self.readings.append(reading)
        return reading

    def restart(self):
        """After a disagreement: another daemon, and a new model, so that the rest of the run is useful."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.world.blank(False)
        self.world.focus("xterm")
        self.world.reset_layout("normal")
        state = os.path.join(self.session.env["XDG_STATE_HOME"], "autorotate")
        for directory, _names, files in os.walk(state):
            for name in files:
                os.unlink(os.path.join(directory, name))
        self.model.lit, self.model.has_sensor, self.model.focus = True, True, "xterm"
        self.model.lock = self.model.lock_ends_with = None
        self.model.shown = "normal"
        if not self.proxy.connection:
            self.proxy.start()
        self.model.restart_daemon()
        self.start_daemon()
        self.expects_rotation = False
        try:
            self.agree()
        except Disagreement as still:
            raise Failed(f"not even a new daemon agrees: {still}") from still
