#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""call_flood.py SOCKET METHOD RATE CONNECTIONS: calls a daemon's method, over several connections in turn, until SIGTERM.

Prints READY at the first reply, and at the end a line of JSON: the calls that were sent, and the processor time that it took.
"""
import json
import resource
import signal
import socket
import sys
import time

TICK = 0.005
ends = False


def stop(*_):
    global ends
    ends = True


def main():
    signal.signal(signal.SIGTERM, stop)
    path, method, rate, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    call = json.dumps({"method": f"io.baton.Handoff.{method}"}).encode() + b"\0"
    connections = [socket.socket(socket.AF_UNIX) for _ in range(count)]
    for connection in connections:
        connection.connect(path)
    connections[0].sendall(call)
    connections[0].recv(1 << 16)
    print("READY", flush=True)
    for connection in connections:
        connection.setblocking(False)
    sent, allowed, last = 0, 0.0, time.monotonic()
    while not ends:
        now = time.monotonic()
        allowed = min(allowed + (now - last) * rate, rate / 10)
        last = now
        for place, connection in enumerate(connections):
            share = int(allowed / (count - place))
            allowed -= share
            try:
                if share:
                    sent += connection.send(call * share) // len(call)
            except BlockingIOError:
                pass
            try:
                connection.recv(1 << 20)
            except BlockingIOError:
                pass
        time.sleep(TICK)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"begun": sent, "seconds": round(usage.ru_utime + usage.ru_stime, 3)}), flush=True)


main()
