# SPDX-License-Identifier: Apache-2.0
"""A client of batond's control socket that needs only a socket and JSON."""
import json
import socket

from waiting import PATIENCE

INTERFACE = "io.baton.Handoff"


class VarlinkError(Exception):
    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name = name
        self.parameters = parameters
        self.reason = parameters.get("reason")


def receive_whole(socket, length):
    """Returns this many bytes. Raises EOFError if the connection ends first."""
    received = b""
    while len(received) < length:
        part = socket.recv(length - len(received))
        if not part:
            raise EOFError(f"{len(received)} of {length} bytes")
        received += part
    return received


class Varlink:
    """One connection."""

    def __init__(self, path, timeout=PATIENCE):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(timeout)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, method, parameters=None, **flags):
        if "." not in method:
            method = f"{INTERFACE}.{method}"
        message = {"method": method, "parameters": parameters or {}, **flags}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        """Returns the next reply's parameters. Raises VarlinkError, or EOFError if the daemon has closed the connection."""
        while b"\0" not in self.buffer:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise EOFError
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        reply = json.loads(message)
        if "error" in reply:
            raise VarlinkError(reply["error"], reply.get("parameters", {}))
        return reply.get("parameters", {})

    def call(self, method, **parameters):
        self.send(method, parameters)
        return self.receive()

    def more(self, method, **parameters):
        """Begins a call whose replies follow with receive()."""
        self.send(method, parameters, more=True)
        return self

    def upgrade(self, method, **parameters):
        """Returns the reply, and the connection as a raw stream: the bytes that have already arrived, and the socket."""
        self.send(method, parameters, upgrade=True)
        reply = self.receive()
        early, self.buffer = self.buffer, b""
        return reply, early, self.socket

    def receive_until(self, condition):
        while True:
            reply = self.receive()
            if condition(reply):
                return reply
