#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""member_flood.py HOST PORT STATE RATE: sends offers and withdrawals as a device of a team, until SIGTERM.

STATE is the directory of the team in the state directory of a daemon that does not run: its certificate and keys are used. Prints
READY when the session is there, and at the end a line of JSON: the frames that were sent, and the processor time that it took.
"""
import json
import pathlib
import resource
import signal
import ssl
import sys
import time
import uuid

from hostile_member import Member, frame

OFFER, WITHDRAW = 7, 8
# A peer may have 16 offers at the same time.
ACTIVITIES = [str(uuid.uuid4()) for _ in range(16)]
TICK = 0.005
ends = False


def next_frame(number):
    activity = ACTIVITIES[number // 2 % len(ACTIVITIES)]
    if number % 2:
        return frame(WITHDRAW, {"activity": activity, "counter": number + 1})
    offer = {"id": activity, "activityType": "org.example.flood", "title": f"Flood {number}"}
    return frame(OFFER, {"activity": offer, "counter": number + 1})


def stop(*_):
    global ends
    ends = True


def main():
    signal.signal(signal.SIGTERM, stop)
    host, port, state, rate = sys.argv[1:]
    connection = Member(host, int(port), pathlib.Path(state)).connection
    print("READY", flush=True)
    connection.setblocking(False)
    sent, pending, allowed, last = 0, b"", 0.0, time.monotonic()
    while not ends:
        now = time.monotonic()
        allowed = min(allowed + (now - last) * int(rate), int(rate) / 10)
        last = now
        while allowed >= 1 and len(pending) < 65536:
            allowed -= 1
            pending += next_frame(sent)
            sent += 1
        try:
            pending = pending[connection.send(pending):] if pending else pending
            connection.recv(65536)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        time.sleep(TICK)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"begun": sent, "seconds": round(usage.ru_utime + usage.ru_stime, 3)}), flush=True)


main()
