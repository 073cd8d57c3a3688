# SPDX-License-Identifier: Apache-2.0
"""A session of a device of a team, spoken from Python, that can be flooded with messages."""
import base64
import hmac
import json
import os
import pathlib
import socket
import ssl
import time

DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
HELLO, ACCEPTED, PING, PONG = 1, 2, 5, 6
# How many bytes may wait until they are taken.
QUEUE = 65536


def base32(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(DIGITS[int(bits[start : start + 5], 2)] for start in range(0, len(bits), 5))


def server_name(state):
    """The name by which the server knows that the client is in the team (Protocol.md)."""
    key = (state / "discovery.key").read_bytes()
    key = key if len(key) == 32 else base64.b64decode(key)
    name_key = hmac.digest(key, b"baton server name 1", "sha256")
    nonce = os.urandom(8)
    mask = hmac.digest(name_key, nonce, "sha256")[:4]
    body = nonce + bytes(a ^ b for a, b in zip(int(time.time()).to_bytes(4, "big"), mask))
    # The zero bytes stand for any device of the team.
    return base32(body + hmac.digest(name_key, body + bytes(32), "sha256")[:16])


def frame(kind, message):
    payload = json.dumps(message).encode()
    return len(payload).to_bytes(3, "big") + bytes([kind]) + payload


class Member:
    """The device whose team is in the directory `state`."""

    def __init__(self, host, port, state, name="flood"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols(["baton/1"])
        chain = pathlib.Path(state) / "chain.pem"
        chain.write_text((state / "device.pem").read_text() + (state / "ca.pem").read_text())
        context.load_cert_chain(chain, state / "device.key")
        plain = socket.create_connection((host, port), 30)
        self.connection = context.wrap_socket(plain, server_hostname=server_name(state))
        self.received = b""
        now = int(time.time())
        self.send(HELLO, {"minimum": 1, "maximum": 1, "device": name, "epoch": now * 1000, "revocations": 0,
                          "streamEpoch": now * 1000, "time": now})
        while (kind := self.read()[0]) != ACCEPTED:
            if kind == HELLO:
                self.send(ACCEPTED, {"version": 1})

    def send(self, kind, message):
        self.connection.sendall(frame(kind, message))

    def taken(self):
        """The next frame that has arrived (kind, payload); None if there is none."""
        end = 4 + int.from_bytes(self.received[:3], "big")
        if len(self.received) < max(end, 4):
            return None
        kind, payload = self.received[3], self.received[4:end]
        self.received = self.received[end:]
        return kind, payload

    def read(self):
        while not (found := self.taken()):
            part = self.connection.recv(65536)
            if not part:
                raise EOFError
            self.received += part
        return found

    def flood(self, make, seconds):
        """Sends the frames that `make(number)` returns as fast as they are taken, and answers pings."""
        self.connection.setblocking(False)
        end, number, pending = time.monotonic() + seconds, 0, b""
        while time.monotonic() < end:
            while len(pending) < QUEUE:
                pending += make(number)
                number += 1
            try:
                pending = pending[self.connection.send(pending):]
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
            try:
                while part := self.connection.recv(65536):
                    self.received += part
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
            while found := self.taken():
                if found[0] == PING:
                    pending += frame(PONG, json.loads(found[1] or b"{}"))
            time.sleep(0.003)
        self.connection.setblocking(True)
