# SPDX-License-Identifier: Apache-2.0
"""A client for WebSockets (RFC 6455), as much of it as the browsers' interfaces for tests need."""
import base64
import json
import os
import socket
import struct
import urllib.parse

MASKED = bytes(byte ^ 1 for byte in range(256))
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocket:
    """JSON commands with numbers, and their answers. `connect` returns a socket to the browser."""

    def __init__(self, connect, url, timeout):
        parts = urllib.parse.urlsplit(url)
        self.socket = connect()
        self.socket.settimeout(timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        request = [
            f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        ]
        self.socket.sendall("\r\n".join(request + ["", ""]).encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.splitlines()[0]:
            raise ConnectionError(head.decode(errors="replace"))
        self.number = 0
        self.events = []

    def close(self):
        self.socket.close()

    def receive(self):
        if not (data := self.socket.recv(1 << 20)):
            raise EOFError("the browser closed the connection")
        return data

    def take(self, count):
        while len(self.buffer) < count:
            self.buffer += self.receive()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, payload, opcode=TEXT):
        length = len(payload)
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        # Firefox refuses a mask of zeros. This one changes each byte's lowest bit.
        self.socket.sendall(head + bytes([1] * 4) + payload.translate(MASKED))

    def message(self):
        parts = b""
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            payload = self.take(length)
            if first & 0x0F == CLOSE:
                raise EOFError("the browser closed the connection")
            if first & 0x0F == PING:
                self.send(payload, PONG)
            elif first & 0x0F != PONG:
                parts += payload
                if first & 0x80:
                    return json.loads(parts)

    def command(self, method, parameters=None, **more):
        self.number += 1
        self.send(json.dumps({"id": self.number, "method": method, "params": parameters or {}, **more}).encode())
        while True:
            message = self.message()
            if message.get("id") != self.number:
                self.events.append(message)
                continue
            if "error" in message:
                raise BrowserError(f"{method}: {message.get('message') or message['error']}")
            return message["result"]


class BrowserError(Exception):
    pass


def unix(path):
    """Connects to a Unix socket."""
    def connect():
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(str(path))
        except OSError:
            client.close()
            raise
        return client

    return connect
