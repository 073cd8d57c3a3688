#!/usr/bin/env python3
"""call_flood.py SOCKET RATE CONNECTIONS: calls of GetStatus to a daemon, over some connections in turns, until SIGTERM.

Prints READY at the first reply, and at the end a line of JSON: the calls that were sent, and the processor time that it took.
"""
import json
import resource
import signal
import socket
import sys
import time

CALL = b'{"method":"io.baton.Handoff.GetStatus"}\0'
TICK = 0.005
ends = False


def stop(*_):
    global ends
    ends = True


def main():
    signal.signal(signal.SIGTERM, stop)
    path, rate, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    connections = [socket.socket(socket.AF_UNIX) for _ in range(count)]
    for connection in connections:
        connection.connect(path)
    connections[0].sendall(CALL)
    connections[0].recv(1 << 16)
    print("READY", flush=True)
    for connection in connections:
        connection.setblocking(False)
    sent, allowed, last = 0, 0.0, time.monotonic()
    while not ends:
        now = time.monotonic()
        allowed = min(allowed + (now - last) * rate, rate / 10)
        last = now
        share = int(allowed / count)
        allowed -= share * count
        for connection in connections:
            try:
                sent += connection.send(CALL * share) // len(CALL)
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
