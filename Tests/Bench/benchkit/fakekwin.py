# SPDX-License-Identifier: MIT
"""A simulated KWin: the state of a built-in panel as a real one reports it, and failures of a real one.

It implements the Wayland protocol on a socket of its own, for outputs only.
"""

import os
import socket
import struct
import threading

NEVER, IN_TABLET_MODE, ALWAYS = range(3)
AUTO_ROTATE = 0x20
SERVERS_OWN_IDS = 0xFF000000

# The numbers of requests and events, by their order in the protocol's files.
SYNC, GET_REGISTRY = 0, 1
TRANSFORM, POSITION, APPLY, DESTROY, SET_POLICY = 2, 3, 5, 6, 15
GEOMETRY, CURRENT_MODE, MODE, DONE, SCALE, ENABLED, CAPABILITIES, NAME, POLICY, REMOVED = (
    0, 1, 2, 3, 4, 6, 10, 14, 18, 36)
APPLIED, FAILED, FAILURE_REASON = range(3)

PLASMA_6 = {"device": 11, "management": 12}
PLASMA_6_7 = {"registry": 23, "management": 21}
MANAGEMENT, REGISTRY, DPMS, FIRST_DEVICE, FIRST_WL_OUTPUT = 1, 2, 3, 10, 100
WL_OUTPUT_NAME = 4
SUPPORTED, POWER_MODE, POWER_DONE = range(3)
POWER_ON, POWER_OFF = 0, 3


def text(words):
    data = words.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)


class Output:
    """The properties of a kde_output_device_v2."""

    def __init__(self, name, x, width, height, capabilities=0, policy=NEVER):
        self.name, self.x, self.y, self.width, self.height = name, x, 0, width, height
        self.transform, self.scale, self.capabilities, self.policy = 0, 256, capabilities, policy
        self.power = POWER_ON

    def shown(self):
        wide = self.transform % 2 == 0
        return self.width if wide else self.height, self.height if wide else self.width


class FakeKWin:
    """Listens from the beginning. `behaviour` is its reaction when changes are to be applied:

    obey, refuse, unplug (the neighbour is removed then), hang, lie (it reports success without a change), die.
    """

    def __init__(self, path, version=None, policy=NEVER, neighbour="HDMI-A-1"):
        self.path, self.version, self.behaviour = path, version or PLASMA_6, "obey"
        self.panel = Output("eDP-1", 0, 1280, 800, AUTO_ROTATE, policy)
        self.outputs = [self.panel, Output(neighbour, 1280, 1024, 768)]
        self.applied = 0
        self.clients = []
        self.lock = threading.RLock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _address = self.listener.accept()
            except OSError:
                return
            client = Client(self, connection)
            self.clients.append(client)
            threading.Thread(target=client.serve, daemon=True).start()

    def end(self):
        self.listener.close()
        for client in self.clients:
            client.close()
        if os.path.exists(self.path):
            os.unlink(self.path)

    def set_policy(self, policy):
        """As a user would in the settings."""
        with self.lock:
            self.panel.policy = policy
            self.send_state(self.panel)

    def set_power(self, output, is_on):
        """As KWin does when there has been no input for a while, and when there is input again."""
        with self.lock:
            output.power = POWER_ON if is_on else POWER_OFF
            for client in self.clients:
                client.send_power(output)

    def send_state(self, output):
        for client in self.clients:
            client.send_state(output)

    def unplug(self, output):
        self.outputs.remove(output)
        for client in self.clients:
            client.forget(output)

    def apply(self, changes):
        """Returns (APPLIED or FAILED, reason)."""
        self.applied += 1
        if self.behaviour == "refuse":
            return FAILED, "no CRTC was left"
        if self.behaviour == "unplug":
            self.behaviour = "obey"
            self.unplug(self.outputs[1])
            return FAILED, None
        if self.behaviour == "obey":
            for output, name, value in changes:
                setattr(output, name, value)
            for output in self.outputs:
                self.send_state(output)
        return APPLIED, None


class Client:
    """One connection."""

    def __init__(self, kwin, connection):
        self.kwin, self.connection = kwin, connection
        self.objects = {1: ("wl_display", None)}
        self.registry = None
        self.next_own = SERVERS_OWN_IDS
        self.changes = {}

    def close(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.connection.close()

    def send(self, target, event, payload=b""):
        try:
            self.connection.sendall(
                struct.pack("=II", target, (8 + len(payload)) << 16 | event) + payload)
        except OSError:
            pass

    def serve(self):
        data = b""
        while True:
            try:
                more = self.connection.recv(4096)
            except OSError:
                return
            if not more:
                return
            data += more
            while len(data) >= 8:
                target, word = struct.unpack_from("=II", data)
                if len(data) < word >> 16:
                    break
                with self.kwin.lock:
                    self.handle(target, word & 0xFFFF, data[8:word >> 16])
                data = data[word >> 16:]

    def handle(self, target, request, payload):
        kind, what = self.objects.get(target, (None, None))
        if kind == "wl_display":
            new = struct.unpack("=I", payload)[0]
            if request == SYNC:
                self.send(new, 0, struct.pack("=I", 0))
                self.send(1, 1, struct.pack("=I", new))
            else:
                self.registry = new
                self.objects[new] = ("wl_registry", None)
                self.offer()
        elif kind == "wl_registry":
            self.bind(payload)
        elif kind == "kde_output_management_v2":
            new = struct.unpack("=I", payload)[0]
            self.objects[new] = ("configuration", None)
            self.changes[new] = []
        elif kind == "configuration":
            self.configure(target, request, payload)
        elif kind == "org_kde_kwin_dpms_manager":
            new, output = struct.unpack("=II", payload)
            self.objects[new] = ("power", self.objects[output][1])
            self.describe_power(new, self.objects[output][1])
        elif kind in ("device", "wl_output", "power") and what:
            self.objects[target] = (kind, None)  # it was released

    # Globals

    def offer(self):
        version = self.kwin.version
        self.announce(MANAGEMENT, "kde_output_management_v2", version["management"])
        if "registry" in version:
            self.announce(REGISTRY, "kde_output_device_registry_v2", version["registry"])
        else:
            for number, _output in enumerate(self.kwin.outputs):
                self.announce(FIRST_DEVICE + number, "kde_output_device_v2", version["device"])
        self.announce(DPMS, "org_kde_kwin_dpms_manager", 1)
        for number, _output in enumerate(self.kwin.outputs):
            self.announce(FIRST_WL_OUTPUT + number, "wl_output", 4)

    def announce(self, name, interface, version):
        self.send(self.registry, 0, struct.pack("=I", name) + text(interface) + struct.pack("=I", version))

    def bind(self, payload):
        name, length = struct.unpack_from("=II", payload)
        interface = payload[8:8 + length - 1].decode()
        _version, new = struct.unpack_from("=II", payload, 8 + (length + 3) // 4 * 4)
        if interface == "kde_output_device_v2":
            output = self.kwin.outputs[name - FIRST_DEVICE]
            output.number = name
            self.add(new, output)
        elif interface == "kde_output_device_registry_v2":
            for output in self.kwin.outputs:
                own = self.own_id()
                self.send(new, 1, struct.pack("=I", own))
                self.add(own, output)
        elif interface == "wl_output":
            output = self.kwin.outputs[name - FIRST_WL_OUTPUT]
            self.objects[new] = ("wl_output", output)
            self.send(new, WL_OUTPUT_NAME, text(output.name))
        else:
            self.objects[new] = (interface, None)

    def own_id(self):
        self.next_own += 1
        return self.next_own - 1

    # Outputs

    def add(self, number, output):
        self.objects[number] = ("device", output)
        mode = self.own_id()
        self.send(number, MODE, struct.pack("=I", mode))
        self.send(mode, 0, struct.pack("=ii", output.width, output.height))
        self.send(number, CURRENT_MODE, struct.pack("=I", mode))
        self.send(number, NAME, text(output.name))
        self.send(number, CAPABILITIES, struct.pack("=I", output.capabilities))
        self.send(number, ENABLED, struct.pack("=i", 1))
        self.describe(number, output)

    def describe(self, number, output):
        self.send(number, GEOMETRY, struct.pack("=iiiii", output.x, output.y, 300, 200, 0)
                  + text("maker") + text("model") + struct.pack("=i", output.transform))
        self.send(number, SCALE, struct.pack("=i", output.scale))
        self.send(number, POLICY, struct.pack("=I", output.policy))
        self.send(number, DONE)

    def send_state(self, output):
        for number, (kind, what) in list(self.objects.items()):
            if kind == "device" and what is output:
                self.describe(number, output)

    def describe_power(self, number, output):
        self.send(number, SUPPORTED, struct.pack("=I", 1))
        self.send(number, POWER_MODE, struct.pack("=I", output.power))
        self.send(number, POWER_DONE)

    def send_power(self, output):
        for number, (kind, what) in list(self.objects.items()):
            if kind == "power" and what is output:
                self.describe_power(number, output)

    def forget(self, output):
        for number, (kind, what) in list(self.objects.items()):
            if kind == "device" and what is output:
                if "registry" in self.kwin.version:
                    self.send(number, REMOVED)
                else:
                    self.send(self.registry, 1, struct.pack("=I", output.number))

    # Changes

    def configure(self, target, request, payload):
        changes = self.changes[target]
        if request == DESTROY:
            self.objects.pop(target)
            self.send(1, 1, struct.pack("=I", target))
        elif request == APPLY:
            self.answer(target, changes)
        elif request in (TRANSFORM, POSITION, SET_POLICY):
            device, *values = struct.unpack(f"={len(payload) // 4}i", payload)
            output = self.objects[device & 0xFFFFFFFF][1]
            names = {TRANSFORM: ["transform"], POSITION: ["x", "y"], SET_POLICY: ["policy"]}[request]
            changes += [(output, name, value) for name, value in zip(names, values)]

    def answer(self, target, changes):
        if self.kwin.behaviour == "hang":
            return
        if self.kwin.behaviour == "die":
            self.kwin.end()
            return
        result, reason = self.kwin.apply(changes)
        if reason:
            self.send(target, FAILURE_REASON, text(reason))
        self.send(target, result)
