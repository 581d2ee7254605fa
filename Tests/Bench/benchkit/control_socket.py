# SPDX-License-Identifier: MIT
"""The connection from a program under test to the bench: lines over a socket, one answer each."""

import os
import socket
import socketserver
import threading

from .child_processes import longest_wait

NAME = "control"


class _Line(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write((self._answer(line) + "\n").encode())

    def _answer(self, line):
        words = line.decode().rstrip("\n").split("\t")
        try:
            return self.server.perform(words) or "ok"
        except (OSError, ValueError, TypeError, LookupError) as error:
            return f"error {error}".replace("\n", " ")


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that leaves early is no error of the bench."""


def serve(directory, perform, name=NAME):
    """Answers lines for the bench's life: `perform(words)` returns an answer, or None for "ok"."""
    server = _Server(os.path.join(directory, name + ".ctl"), _Line)
    server.perform = perform
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


def ask(directory, *words, name=NAME):
    """Sends one line to the bench and returns its answer. Raises ValueError with the bench's error message."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(longest_wait())
        connection.connect(os.path.join(directory, name + ".ctl"))
        connection.sendall(("\t".join(map(str, words)) + "\n").encode())
        with connection.makefile("r", encoding="utf-8") as answers:
            answer = answers.readline().strip()
    if answer.startswith("error "):
        raise ValueError(answer[6:])
    if not answer:
        raise ValueError("the bench did not answer")
    return "" if answer == "ok" else answer
