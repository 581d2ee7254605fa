# SPDX-License-Identifier: MIT
"""D-Bus over one lasting connection, as far as the soak needs it: a process for each call would be the slowest part."""

import dataclasses
import os
import select
import socket
import struct
import time

from benchkit.child_processes import longest_wait

METHOD_CALL, METHOD_RETURN, ERROR, SIGNAL = 1, 2, 3, 4
_FIELDS = {1: "path", 2: "interface", 3: "member", 4: "error", 5: "reply_to", 6: "destination", 7: "sender", 8: "signature"}
_FIELD_TYPES = {1: "o", 2: "s", 3: "s", 4: "s", 5: "u", 6: "s", 7: "s", 8: "g"}
_ALIGNMENT = {"y": 1, "g": 1, "v": 1, "n": 2, "q": 2, "(": 8, "{": 8, "x": 8, "t": 8, "d": 8}
_PLAIN = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
DRIVER = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class Ended(Exception):
    """The bus has closed the connection."""


class Refused(Exception):
    """A call was answered with an error: `args` are its name and its text."""


@dataclasses.dataclass
class Message:
    """A received message. Fields that it does not have are None."""

    kind: int
    serial: int
    body: list
    path: str = None
    interface: str = None
    member: str = None
    error: str = None
    reply_to: int = None
    destination: str = None
    sender: str = None
    signature: str = ""


def _first_type(signature):
    """The first complete type of a signature."""
    if signature[0] == "a":
        return "a" + _first_type(signature[1:])
    if signature[0] not in "({":
        return signature[0]
    depth = 0
    for at, each in enumerate(signature):
        depth += (each in "({") - (each in ")}")
        if depth == 0:
            return signature[:at + 1]
    raise ValueError(signature)


def types(signature):
    while signature:
        first = _first_type(signature)
        yield first
        signature = signature[len(first):]


class Writer:
    """Encodes values as bytes, little-endian."""

    def __init__(self):
        self.data = bytearray()

    def align(self, count):
        self.data += bytes(-len(self.data) % count)

    def put(self, kind, value):
        self.align(_ALIGNMENT.get(kind[0], 4))
        if kind in _PLAIN:
            self.data += struct.pack("<" + _PLAIN[kind], value)
        elif kind == "b":
            self.data += struct.pack("<I", bool(value))
        elif kind in "sog":
            text = value.encode()
            self.data += struct.pack("<B" if kind == "g" else "<I", len(text)) + text + b"\0"
        elif kind == "v":
            self.put("g", value[0])
            self.put(*value)
        elif kind[0] == "a":
            self._put_array(kind[1:], value)
        else:
            for inner, part in zip(types(kind[1:-1]), value):
                self.put(inner, part)

    def _put_array(self, inner, values):
        at = len(self.data)
        self.data += bytes(4)
        self.align(_ALIGNMENT.get(inner[0], 4))
        first = len(self.data)
        for value in values.items() if inner[0] == "{" else values:
            self.put(inner, value)
        self.data[at:at + 4] = struct.pack("<I", len(self.data) - first)


class Reader:
    """Decodes values from bytes, little-endian."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def align(self, count):
        self.at += -self.at % count

    def _plain(self, form):
        value = struct.unpack_from("<" + form, self.data, self.at)[0]
        self.at += struct.calcsize(form)
        return value

    def get(self, kind):
        self.align(_ALIGNMENT.get(kind[0], 4))
        if kind in _PLAIN:
            return self._plain(_PLAIN[kind])
        if kind == "b":
            return bool(self._plain("I"))
        if kind in "sog":
            length = self._plain("B" if kind == "g" else "I")
            self.at += length + 1
            return bytes(self.data[self.at - length - 1:self.at - 1]).decode()
        if kind == "v":
            return self.get(self.get("g"))
        if kind[0] == "a":
            return self._array(kind[1:])
        return tuple(self.get(inner) for inner in types(kind[1:-1]))

    def _array(self, inner):
        length = self._plain("I")
        self.align(_ALIGNMENT.get(inner[0], 4))
        end = self.at + length
        values = []
        while self.at < end:
            values.append(self.get(inner))
        return dict(values) if inner[0] == "{" else values


class Connection:
    """One connection. `receive` is called with messages that are no answer to a call of its own."""

    def __init__(self, address, receive=None):
        self.receive = receive or (lambda message: None)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(address.removeprefix("unix:path="))
        self.buffer = bytearray()
        self.answers = {}
        self.serial = 0
        self._authenticate()
        self.name = self.call(DRIVER, "Hello")[0]

    def _authenticate(self):
        uid = str(os.getuid()).encode().hex().encode()
        self.socket.sendall(b"\0AUTH EXTERNAL " + uid + b"\r\n")
        if not self.socket.recv(200).startswith(b"OK"):
            raise Ended("the bus does not let us in")
        self.socket.sendall(b"BEGIN\r\n")

    def close(self):
        self.socket.close()

    def send(self, kind, fields, signature="", values=()):
        """Returns the message's serial number. `fields` are {number: value}."""
        self.serial += 1
        body = Writer()
        for each, value in zip(types(signature), values):
            body.put(each, value)
        head = Writer()
        head.data += struct.pack("<BBBBII", ord("l"), kind, 0, 1, len(body.data), self.serial)
        if signature:
            fields = {**fields, 8: signature}
        head.put("a(yv)", [(number, (_FIELD_TYPES[number], value)) for number, value in fields.items()])
        head.align(8)
        try:
            self.socket.sendall(head.data + body.data)
        except OSError as error:
            raise Ended(str(error)) from error
        return self.serial

    def begin_call(self, target, member, signature="", *values):
        """`target` is (destination, path, interface). Returns the argument for `await_answer`."""
        destination, path, interface = target
        return self.send(METHOD_CALL, {1: path, 2: interface, 3: member, 6: destination}, signature, values)

    def call(self, target, member, signature="", *values):
        return self.await_answer(self.begin_call(target, member, signature, *values))

    def await_answer(self, serial):
        deadline = time.monotonic() + longest_wait()
        while serial not in self.answers:
            if not self.wait(deadline - time.monotonic()):
                raise TimeoutError(f"no answer on the bus within {longest_wait():.0f} s")
        answer = self.answers.pop(serial)
        if answer.kind == ERROR:
            raise Refused(answer.error, answer.body[0] if answer.body else "")
        return answer.body

    def match(self, rule):
        self.call(DRIVER, "AddMatch", "s", rule)

    def emit(self, path, interface, member, signature, *values):
        self.send(SIGNAL, {1: path, 2: interface, 3: member}, signature, values)

    def reply(self, message, signature="", *values):
        self.send(METHOD_RETURN, {5: message.serial, 6: message.sender}, signature, values)

    def wait(self, seconds):
        """Reads the next messages. False if nothing came in this time."""
        if self._read_message():
            return True
        if seconds < 0 or not select.select([self.socket], [], [], seconds)[0]:
            return False
        self._receive()
        while self._read_message():
            pass
        return True

    def read_pending(self):
        """Reads pending messages, without waiting."""
        while self.wait(0):
            pass

    def _receive(self):
        try:
            part = self.socket.recv(65536)
        except OSError as error:
            raise Ended(str(error)) from error
        if not part:
            raise Ended("the bus has closed the connection")
        self.buffer += part

    def _read_message(self):
        if len(self.buffer) < 16:
            return False
        body_length, fields_length = struct.unpack_from("<I", self.buffer, 4)[0], struct.unpack_from("<I", self.buffer, 12)[0]
        start = 16 + fields_length + (-fields_length % 8)
        if len(self.buffer) < start + body_length:
            return False
        whole = bytes(self.buffer[:start + body_length])
        del self.buffer[:start + body_length]
        self._sort(_parsed(whole, start))
        return True

    def _sort(self, message):
        if message.reply_to is not None and message.kind in (METHOD_RETURN, ERROR):
            self.answers[message.reply_to] = message
        else:
            self.receive(message)


def _parsed(whole, body_start):
    fields = {_FIELDS[number]: value for number, value in Reader(whole, 12).get("a(yv)") if number in _FIELDS}
    reader = Reader(whole[body_start:])
    body = [reader.get(each) for each in types(fields.get("signature", ""))]
    return Message(whole[1], struct.unpack_from("<I", whole, 8)[0], body, **fields)
