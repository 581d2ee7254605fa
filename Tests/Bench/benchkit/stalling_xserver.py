# SPDX-License-Identifier: MIT
"""X servers that do something at a chosen moment: another one, with a proxy in front that hands everything on."""

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
    """Serves at `display`, ":N", what is behind another one."""

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
            in_background(lambda near=client, far=server: hand_requests_on(near, far, self._before_requests))
            in_background(lambda near=client, far=server: self._hand_answers_on(far, near))

    def _before_requests(self, data):
        """`data` is about to be sent to the server."""

    def _hand_answers_on(self, server, client):
        packet = read_packet(server, SETUP_HEAD, lambda head: 4 * int.from_bytes(head[6:8], "little"))
        while True:
            self._hand_on(client, *packet)
            packet = read_packet(server, HEAD, length_after)

    def _hand_on(self, client, head, rest):
        client.sendall(head + rest)


class BeforeGrab(Proxy):
    """Does something once, between what a client has read and the next grab in which it changes something."""

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
    """Stands still in the middle of an answer."""

    def __init__(self, server):
        self.is_to_stop = False
        self.has_stopped, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()
        super().__init__(server)

    def stop_in_next_answer(self):
        """After the head of the next answer that has more, nobody gets anything. `has_stopped` tells when."""
        self.is_to_stop = True

    def go_on(self):
        self.is_to_stop = False
        self.goes_on.set()

    def end(self):
        self.go_on()
        super().end()

    def _hand_on(self, client, head, rest):
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
    """At a display that nobody has, beyond those that X servers choose by themselves. Returns its name and socket."""
    for name in (f":{number}" for number in range(5000, 6000)):
        try:
            return name, socket.create_server(socket_of(name), family=socket.AF_UNIX)
        except OSError:  # another test has it
            pass
    raise Failed("no display is free")


def in_background(work):
    """Does it in a thread, until one of its sockets has ended."""
    def until_ended():
        try:
            work()
        except (OSError, EOFError):
            pass
    threading.Thread(target=until_ended, daemon=True).start()


def hand_requests_on(client, server, before):
    """With the descriptors that come along. Calls `before(data)` first."""
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
