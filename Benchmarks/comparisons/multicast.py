# SPDX-License-Identifier: Apache-2.0
"""Counts packets on an interface of this network namespace."""
import socket
import threading
import time

from comparisons.machines import ROOT  # noqa: F401 (finds the module below)
from packets import parse

ETH_P_ALL, SO_RCVBUFFORCE = 3, 33
MDNS = 5353


class Capture:
    """Keeps all packets from the beginning to the end of the `with` statement."""

    def __init__(self, interface):
        self.interface = interface
        self.packets = []

    def __enter__(self):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        self.socket.bind((self.interface, ETH_P_ALL))
        self.socket.settimeout(0.1)
        self.began, self.is_over = time.monotonic(), False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.began
        self.is_over = True
        self.thread.join()
        self.socket.close()

    def read(self):
        while not self.is_over:
            try:
                self.packets.append(parse(self.socket.recv(1 << 17)))
            except TimeoutError:
                pass

    def per_minute(self, is_meant):
        return sum(map(is_meant, self.packets)) * 60 / self.seconds

    def mdns(self):
        """The lengths of the multicast frames of mDNS."""
        return [len(packet.raw) for packet in self.packets if is_mdns(packet)]


def is_mdns(packet):
    return packet.protocol == 17 and packet.target_port == MDNS and packet.raw[0] & 1


def is_tcp_of(port):
    return lambda packet: packet.protocol == 6 and port in (packet.source_port, packet.target_port)
