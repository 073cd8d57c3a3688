#!/usr/bin/env python3
"""member_flood.py HOST PORT STATE RATE: sends offers and withdrawals as a device of a team, until SIGTERM.

STATE is the directory of the team in the state directory of a daemon that does not run: its certificate and keys are used. Prints
READY when the session is there, and at the end a line of JSON: the frames that were sent, and the processor time that it took.
"""
import base64
import hmac
import json
import os
import pathlib
import resource
import signal
import socket
import ssl
import sys
import time
import uuid

HELLO, ACCEPTED, PING, PONG, OFFER, WITHDRAW = 1, 2, 5, 6, 7, 8
BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
# A peer may have 16 offers at the same time.
ACTIVITIES = [str(uuid.uuid4()) for _ in range(16)]
TICK = 0.005
ends = False


def base32(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(BASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def server_name(state):
    """Protocol.md section 3."""
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


def connect(address, state):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(["baton/1"])
    chain = state / "chain.pem"
    chain.write_text((state / "device.pem").read_text() + (state / "ca.pem").read_text())
    context.load_cert_chain(chain, state / "device.key")
    return context.wrap_socket(socket.create_connection(address, 30), server_hostname=server_name(state))


def read_frame(connection):
    head = b""
    while len(head) < 4:
        part = connection.recv(4 - len(head))
        if not part:
            sys.exit("the session ended")
        head += part
    payload = b""
    while len(payload) < int.from_bytes(head[:3], "big"):
        payload += connection.recv(int.from_bytes(head[:3], "big") - len(payload))
    return head[3], payload


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
    connection = connect((host, int(port)), pathlib.Path(state))
    now = int(time.time())
    connection.sendall(frame(HELLO, {
        "minimum": 1, "maximum": 1, "device": "flood", "epoch": now * 1000, "revocations": 0, "streamEpoch": now * 1000,
        "time": now,
    }))
    while True:
        kind, payload = read_frame(connection)
        if kind == HELLO:
            connection.sendall(frame(ACCEPTED, {"version": 1}))
        elif kind == ACCEPTED:
            break
        elif kind not in (OFFER, WITHDRAW):
            sys.exit(f"frame {kind}: {payload}")
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
