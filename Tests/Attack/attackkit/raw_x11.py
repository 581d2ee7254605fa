# SPDX-License-Identifier: MIT
"""A client of an X server without checks, which waits for no window manager."""

import socket
import struct

from benchkit.child_processes import longest_wait

CREATE, MAP, DESTROY, UNMAP, INTERN, CHANGE, DELETE, SEND, GRAB, UNGRAB = 1, 8, 4, 10, 16, 18, 19, 25, 36, 37
GET_FOCUS, SET_FOCUS, RAISE = 43, 42, 12
REPLACE, APPEND = 0, 2
LONGEST = 65000 * 4  # bytes of a request without BIG-REQUESTS
STRING, ATOM, CARDINAL, WINDOW = 31, 4, 6, 33


class Server:
    """A connection. Its windows are destroyed with it."""

    def __init__(self, display):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(longest_wait())
        self.socket.connect("/tmp/.X11-unix/X" + display.lstrip(":").split(".")[0])
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        head = self._exactly(8)
        rest = self._exactly(struct.unpack_from("<H", head, 6)[0] * 4)
        if head[0] != 1:
            raise OSError("the X server takes no more clients")
        self.base, = struct.unpack_from("<I", rest, 4)
        vendor, = struct.unpack_from("<H", rest, 16)
        formats = rest[21]
        self.root, = struct.unpack_from("<I", rest, 32 + (vendor + 3 & ~3) + 8 * formats)
        self.next, self.atoms = 0, {}

    def close(self):
        self.socket.close()

    def _exactly(self, count):
        found = b""
        while len(found) < count:
            more = self.socket.recv(count - len(found))
            if not more:
                raise OSError("the X server has closed the connection")
            found += more
        return found

    def _send(self, code, detail, body):
        body += bytes(-len(body) % 4)
        self.socket.sendall(struct.pack("<BBH", code, detail, 1 + len(body) // 4) + body)

    def _reply(self):
        """The next reply; errors and events before it are ignored."""
        while True:
            packet = self._exactly(32)
            if packet[0] in (1, 35):
                packet += self._exactly(struct.unpack_from("<I", packet, 4)[0] * 4)
            if packet[0] == 1:
                return packet

    def sync(self):
        """Waits until the server has processed all requests."""
        self._send(GET_FOCUS, 0, b"")
        self._reply()

    def atom(self, name):
        if name not in self.atoms:
            data = name.encode()
            self._send(INTERN, 0, struct.pack("<Hxx", len(data)) + data)
            self.atoms[name], = struct.unpack_from("<I", self._reply(), 8)
        return self.atoms[name]

    def window(self, x=10, y=10, width=200, height=150, override=False, parent=None):
        self.next += 1
        number = self.base + self.next
        self._send(CREATE, 0, struct.pack(
            "<IIhhHHHHIII", number, parent or self.root, x, y, width, height, 0, 1, 0, 0x200, int(override)))
        return number

    def map(self, window):
        self._send(MAP, 0, struct.pack("<I", window))

    def unmap(self, window):
        self._send(UNMAP, 0, struct.pack("<I", window))

    def destroy(self, window):
        self._send(DESTROY, 0, struct.pack("<I", window))

    def change(self, window, name, kind, width, data, mode=REPLACE):
        """Sets a property; `name` and `kind` are texts or atoms' numbers, `width` bits of a unit."""
        name = self.atom(name) if isinstance(name, str) else name
        kind = self.atom(kind) if isinstance(kind, str) else kind
        piece, rest = data[:LONGEST], data[LONGEST:]
        units = len(piece) * 8 // width
        piece = piece[:units * width // 8]
        self._send(CHANGE, mode, struct.pack("<IIIBxxxI", window, name, kind, width, units) + piece)
        if rest:
            self.change(window, name, kind, width, rest, APPEND)

    def delete(self, window, name):
        self._send(DELETE, 0, struct.pack("<II", window, self.atom(name)))

    def pretend(self, window):
        """Sets the active window in the window manager's place."""
        self.change(self.root, "_NET_ACTIVE_WINDOW", WINDOW, 32, struct.pack("<I", window))

    def message(self, window, name, *numbers):
        """A client message, as a task bar sends it to the root."""
        data = struct.pack("<BBHII5I", 33, 32, 0, window, self.atom(name), *(list(numbers) + [0] * 5)[:5])
        self._send(SEND, 0, struct.pack("<II", self.root, 0x180000) + data)

    def focus(self, window):
        self._send(SET_FOCUS, 1, struct.pack("<II", window, 0))

    def grab_server(self):
        self._send(GRAB, 0, b"")

    def ungrab_server(self):
        self._send(UNGRAB, 0, b"")
