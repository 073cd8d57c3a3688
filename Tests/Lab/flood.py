#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flood.py HOST PORT KIND RATE [ADDRESS...]: opens connections to a port for peers, until SIGTERM.

KIND says what is sent over each:
  silent    nothing; it stays until the other side closes it
  garbage   100 bytes that are not TLS
  names     a ClientHello with a server name that nobody knows, another one each time
  hello     the bytes on standard input, the same each time

It opens RATE connections per second, from the addresses in turn, and at most 64 from each address at the same time. It prints
READY after the first 100, or after a second, and a line of JSON at the end: how many connections were begun, how many were
answered, and the processor time that it took itself.
"""
import collections
import itertools
import json
import os
import resource
import signal
import socket
import sys
import time

LIMIT = 64
# The seconds between two checks of what is due.
TICK = 0.003
IP_BIND_ADDRESS_NO_PORT = 24
BASE32 = b"0123456789abcdefghjkmnpqrstvwxyz"


def client_hello(name):
    """Returns the smallest ClientHello with a server name. OpenSSL would refuse it for other reasons."""
    names = b"\0" + len(name).to_bytes(2, "big") + name
    data = len(names).to_bytes(2, "big") + names
    extensions = b"\0\0" + len(data).to_bytes(2, "big") + data
    body = b"\3\3" + os.urandom(32) + b"\0" + b"\0\2\x13\1" + b"\1\0" + len(extensions).to_bytes(2, "big") + extensions
    handshake = b"\1" + len(body).to_bytes(3, "big") + body
    return b"\x16\3\1" + len(handshake).to_bytes(2, "big") + handshake


def unknown_name():
    return bytes(BASE32[byte & 31] for byte in os.urandom(45))


class Flood:
    def __init__(self, target, kind, rate, addresses):
        self.target, self.kind, self.rate = target, kind, rate
        self.addresses = itertools.cycle(addresses)
        self.limit = LIMIT * len(addresses)
        self.recorded = sys.stdin.buffer.read() if kind == "hello" else b""
        # The connections that were begun last, and those that have sent what they send.
        self.fresh, self.told = [], collections.deque()
        self.begun = self.answered = 0
        self.ends = False

    def payload(self):
        if self.kind == "names":
            return client_hello(unknown_name())
        return os.urandom(100).replace(b"\x16", b"\0") if self.kind == "garbage" else self.recorded

    def begin(self):
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        # The port is chosen together with the target, and none stays in TIME_WAIT.
        connection.setsockopt(socket.SOL_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        try:
            connection.bind((next(self.addresses), 0))
            connection.connect_ex(self.target)
        except OSError:
            return connection.close()
        self.begun += 1
        self.fresh.append(connection)

    def tell(self):
        for connection in self.fresh:
            payload = self.payload()
            try:
                if payload:
                    connection.send(payload)
            except OSError:
                pass
            self.told.append(connection)
        self.fresh = []
        while len(self.told) > self.limit:
            self.end(self.told.popleft())

    def end(self, connection):
        try:
            self.answered += bool(connection.recv(100))
        except OSError:
            pass
        connection.close()

    def stop(self, *_):
        self.ends = True

    def run(self):
        signal.signal(signal.SIGTERM, self.stop)
        began = last = time.monotonic()
        allowed, is_ready = 0.0, False
        while not self.ends:
            now = time.monotonic()
            if not is_ready and (self.begun >= 100 or now - began > 1):
                is_ready = True
                print("READY", flush=True)
            # Connections that could not be begun in time are skipped, not made up for.
            allowed = min(allowed + (now - last) * self.rate, max(1.0, self.rate / 20))
            last = now
            self.tell()
            while allowed >= 1:
                allowed -= 1
                self.begin()
            time.sleep(TICK)
        for connection in self.told:
            self.end(connection)
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps({
            "begun": self.begun, "answered": self.answered, "seconds": round(usage.ru_utime + usage.ru_stime, 3),
        }), flush=True)


def main():
    host, port, kind, rate, *addresses = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    Flood((host, int(port)), kind, int(rate), addresses or ["0.0.0.0"]).run()


main()
