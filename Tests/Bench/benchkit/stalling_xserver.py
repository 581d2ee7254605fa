# SPDX-License-Identifier: MIT
"""X servers that act at a chosen moment: a real one, with a proxy in front that forwards everything."""

import os
import socket
import threading

from .child_processes import Failed

HEAD = 32
"""Each event, error and head of an answer; bytes."""
SETUP_HEAD = 8
ANSWER, LONG_EVENT = 1, 35
DESCRIPTORS_AT_MOST = 8
GRAB_SERVER = bytes([36, 0, 1, 0])


class Proxy:
    """Serves at `display`, ":N", and forwards to another server."""

    def __init__(self, server):
        self.display, self.listening = listen()
        self.server_path = socket_of(server)
        in_background(self._accept)

    def end(self):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        os.unlink(socket_of(self.display))

    def _accept(self):
        while True:
            client, _address = self.listening.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server_path)
            in_background(lambda near=client, far=server: forward_requests(near, far, self._before_requests))
            in_background(lambda near=client, far=server: self._forward_answers(far, near))

    def _before_requests(self, data):
        """`data` is about to be sent to the server."""

    def _forward_answers(self, server, client):
        packet = read_packet(server, SETUP_HEAD, lambda head: 4 * int.from_bytes(head[6:8], "little"))
        while True:
            self._forward(client, *packet)
            packet = read_packet(server, HEAD, length_after)

    def _forward(self, client, head, rest):
        client.sendall(head + rest)


class BeforeGrab(Proxy):
    """Runs an action once, after a client has read something and before its next grab, in which it changes something."""

    def __init__(self, server):
        super().__init__(server)
        self.is_done = threading.Event()
        self.action = None

    def do(self, action):
        self.action = action

    def _before_requests(self, data):
        if self.action and GRAB_SERVER in data:
            action, self.action = self.action, None
            action()
            self.is_done.set()


class HalfAnswers(Proxy):
    """Stops in the middle of an answer."""

    def __init__(self, server):
        self.is_to_stop = False
        self.has_stopped, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()
        super().__init__(server)

    def stop_in_next_answer(self):
        """After the head of the next answer that has more, nothing is sent to any client. `has_stopped` reports when."""
        self.is_to_stop = True

    def resume(self):
        self.is_to_stop = False
        self.goes_on.set()

    def end(self):
        self.resume()
        super().end()

    def _forward(self, client, head, rest):
        self.goes_on.wait()
        client.sendall(head)
        if self.is_to_stop and rest:
            self.goes_on.clear()
            self.has_stopped.set()
        self.goes_on.wait()
        client.sendall(rest)


def socket_of(display):
    return "/tmp/.X11-unix/X" + display.removeprefix(":")


def listen():
    """At an unused display, beyond those that X servers choose. Returns its name and socket."""
    for name in (f":{number}" for number in range(5000, 6000)):
        try:
            return name, socket.create_server(socket_of(name), family=socket.AF_UNIX)
        except OSError:  # another test has it
            pass
    raise Failed("no display is free")


def in_background(work):
    """Runs it in a thread, until one of its sockets has ended."""
    def until_ended():
        try:
            work()
        except (OSError, EOFError):
            pass
    threading.Thread(target=until_ended, daemon=True).start()


def forward_requests(client, server, before):
    """Includes the descriptors that are passed. Calls `before(data)` first."""
    while True:
        data, descriptors, _flags, _address = socket.recv_fds(client, 65536, DESCRIPTORS_AT_MOST)
        if not data:
            server.shutdown(socket.SHUT_RDWR)
            return
        before(data)
        socket.send_fds(server, [data], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def read_packet(server, head_size, length_of_rest):
    """One packet: its head and its rest."""
    head = read_exactly(server, head_size)
    return head, read_exactly(server, length_of_rest(head))


def length_after(head):
    is_long = head[0] & 0x7F in (ANSWER, LONG_EVENT)
    return 4 * int.from_bytes(head[4:8], "little") if is_long else 0


def read_exactly(server, size):
    data = b""
    while len(data) < size:
        part = server.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data
