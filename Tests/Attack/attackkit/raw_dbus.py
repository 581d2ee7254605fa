# SPDX-License-Identifier: MIT
"""A client of a D-Bus daemon without checks: it sends any signature, any header, and need not read the answers."""

import socket
import struct
import time

from benchkit.child_processes import longest_wait

CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4
NO_REPLY = 1
SERIAL, PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = range(9)
_FIELD_TYPES = {PATH: "o", SIGNATURE: "g", REPLY_SERIAL: "u"}
_FIXED = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
DRIVER = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
_ALIGNMENT = {**{code: struct.calcsize(form) for code, form in _FIXED.items()},
              "s": 4, "o": 4, "a": 4, "g": 1, "v": 1, "(": 8, "{": 8}


class Disconnected(Exception):
    """The bus has closed the connection, or does not answer."""


def split(signature):
    """The complete types of a signature, one after the other."""
    found, start, depth = [], 0, 0
    for index, code in enumerate(signature):
        depth += (code in "({") - (code in ")}")
        if depth == 0 and code != "a":
            found.append(signature[start:index + 1])
            start = index + 1
    return found


class Body:
    """Marshals values, little-endian."""

    def __init__(self):
        self.data = bytearray()

    def align(self, width):
        self.data += bytes(-len(self.data) % width)

    def put(self, kind, value):
        code = kind[0]
        self.align(_ALIGNMENT[code])
        if code in _FIXED:
            self.data += struct.pack("<" + _FIXED[code], value)
        elif code in "so":
            text = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
            self.data += struct.pack("<I", len(text)) + text + b"\0"
        elif code == "g":
            self.data += bytes([len(value)]) + value.encode() + b"\0"
        elif code == "v":
            self.put("g", value[0])
            self.put(*value)
        elif code == "a":
            self._put_array(kind[1:], value)
        else:
            for part, each in zip(split(kind[1:-1]), value):
                self.put(part, each)

    def _put_array(self, kind, values):
        place = len(self.data)
        self.data += bytes(4)
        self.align(_ALIGNMENT[kind[0]])
        start = len(self.data)
        for value in values:
            self.put(kind, value)
        struct.pack_into("<I", self.data, place, len(self.data) - start)


def message(kind, serial, fields, signature="", values=(), flags=0):
    body = Body()
    for part, value in zip(split(signature), values):
        body.put(part, value)
    if signature:
        fields = {**fields, SIGNATURE: signature}
    header = Body()
    header.data += struct.pack("<BBBBII", ord("l"), kind, flags, 1, len(body.data), serial)
    header.put("a(yv)", [(code, (_FIELD_TYPES.get(code, "s"), value)) for code, value in fields.items()])
    header.align(8)
    return bytes(header.data + body.data)


class Client:
    """A connection to a bus of the bench. It closes with `close`, or in a `with`."""

    def __init__(self, address, receives=None):
        """`receives` is the size of the unread data that may wait."""
        self.socket = socket.socket(socket.AF_UNIX)
        if receives:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        self.socket.settimeout(longest_wait())
        self.rest, self.serial, self.waiting = b"", 0, []
        try:
            self.socket.connect(address.removeprefix("unix:path="))
            self.socket.sendall(b"\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n")
            for expected in (b"DATA", b"OK"):
                self._line(expected)
            self.name = self.call(*DRIVER, "Hello")[2]
        except OSError as error:
            raise Disconnected(str(error)) from error

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def close(self):
        self.socket.close()

    def _line(self, expected):
        while b"\r\n" not in self.rest:
            self._read()
        line, self.rest = self.rest.split(b"\r\n", 1)
        if not line.startswith(expected):
            raise Disconnected(f"the bus answers {line!r}")

    def _read(self):
        more = self.socket.recv(1 << 18)
        if not more:
            raise Disconnected("the bus has closed the connection")
        self.rest += more

    def send(self, kind, fields, signature="", values=(), flags=0):
        """Sends anything. Returns its serial."""
        self.serial += 1
        self.send_raw(message(kind, self.serial, fields, signature, values, flags))
        return self.serial

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Disconnected(str(error)) from error

    def signal(self, path, interface, member, signature="", values=(), destination=None):
        fields = {PATH: path, INTERFACE: interface, MEMBER: member}
        return self.send(SIGNAL, {**fields, DESTINATION: destination} if destination else fields, signature, values)

    def call(self, destination, path, interface, member, signature="", values=(), limit=None):
        """Returns (kind, error's name, first text of the answer). Raises Gone after `limit` seconds."""
        fields = {DESTINATION: destination, PATH: path, MEMBER: member}
        if interface:
            fields[INTERFACE] = interface
        return self.answer(self.send(CALL, fields, signature, values), limit)

    def answer(self, serial, limit=None):
        deadline = time.monotonic() + (limit or longest_wait())
        while True:
            kind, fields, body = self._next(deadline)
            if kind in (REPLY, ERROR) and fields.get(REPLY_SERIAL) == serial:
                return kind, fields.get(ERROR_NAME), first_text(fields.get(SIGNATURE, ""), body)

    def next_call(self, limit):
        """Returns the header fields of a call from another client. Raises Gone after `limit` seconds."""
        deadline = time.monotonic() + limit
        while True:
            kind, fields, _body = self._next(deadline)
            if kind == CALL:
                return fields

    def _next(self, deadline):
        while True:
            found = self._take()
            if found:
                return found
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                self._read()
            except OSError as error:
                raise Disconnected(f"no answer: {error}") from error

    def _take(self):
        if len(self.rest) < 16:
            return None
        size, = struct.unpack_from("<I", self.rest, 4)
        fields_size, = struct.unpack_from("<I", self.rest, 12)
        start = (16 + fields_size + 7) & ~7
        if len(self.rest) < start + size:
            return None
        whole, self.rest = self.rest[:start + size], self.rest[start + size:]
        serial, = struct.unpack_from("<I", whole, 8)
        return whole[1], {SERIAL: serial, **_fields(whole, 16 + fields_size)}, whole[start:]


def _fields(data, end):
    """Header fields; those written by the bus are valid."""
    found, place = {}, 16
    while place < end:
        place = (place + 7) & ~7
        code, size, kind = data[place], data[place + 1], chr(data[place + 2])
        place = place + 3 + size
        if kind == "g":
            length = data[place]
            found[code] = data[place + 1:place + 1 + length].decode()
            place += length + 2
            continue
        place = (place + 3) & ~3
        number, = struct.unpack_from("<I", data, place)
        place += 4
        found[code] = number
        if kind in "so":
            found[code] = data[place:place + number].decode()
            place += number + 1
    return found


def first_text(signature, body):
    """The first value of an answer, if it is a text or a number."""
    if signature[:1] == "s":
        length, = struct.unpack_from("<I", body)
        return body[4:4 + length].decode()
    return struct.unpack_from("<I", body)[0] if signature[:1] == "u" else None
