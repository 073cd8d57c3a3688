#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""capture.py INTERFACE FILE: writes every packet that passes the interface, each after its length (4 bytes).

Prints READY when it listens. At SIGTERM it takes what is there, and prints how many packets the kernel dropped.
"""
import signal
import socket
import struct
import sys

ETH_P_ALL = 3
SOL_PACKET, PACKET_STATISTICS = 263, 6
SO_RCVBUFFORCE = 33

stopping = False


def stop(*_):
    global stopping
    stopping = True


def main():
    signal.signal(signal.SIGTERM, stop)
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    with packets, open(sys.argv[2], "wb") as file:
        packets.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        packets.bind((sys.argv[1], ETH_P_ALL))
        packets.settimeout(0.1)
        print("READY", flush=True)
        while True:
            try:
                packet = packets.recv(1 << 17)
            except TimeoutError:
                if stopping:
                    break
                continue
            file.write(struct.pack(">I", len(packet)) + packet)
        _, dropped = struct.unpack("II", packets.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
    print(dropped, flush=True)


main()
