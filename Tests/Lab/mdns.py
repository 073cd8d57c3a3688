#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mDNS without Avahi, as somebody on the link speaks it who keeps to no rule.

  mdns.py record COUNT     asks for Baton's instances until so many are known whole; prints them as JSON, and ends
  mdns.py announce         announces the instances that stand on standard input, in the same form, and answers for them;
                           at SIGTERM it says that they are gone
  mdns.py replay RATE      announces those on standard input under so many other names a second, until SIGTERM
  mdns.py forge COUNT      says so many times that those on standard input are gone, and that they are at another host

An instance: {"name", "host", "port", "text": in base 64, "addresses": [...]}. `announce` prints READY when all were announced
once, and `replay` at once; `forge` prints how many messages it sent. IPv4 alone; the interface is eth0.
"""
import base64
import json
import pathlib
import secrets
import select
import signal
import socket
import struct
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from packets import TYPE_A, TYPE_PTR, TYPE_SRV, TYPE_TXT, records  # noqa: E402

GROUP, PORT = "224.0.0.251", 5353
SERVICE = "_baton._tcp.local"
TYPE_ANY = 255
CLASS, FLUSH = 1, 0x8001
LIFE, HOST_LIFE = 4500, 120
# The maximum length of one message in bytes, which is less than a packet's.
MESSAGE_LENGTH = 1300
# The seconds between two of many messages, so that no receiver's buffer in the kernel overflows.
PAUSE = 0.002
WAIT = 30
# How long another message with what an asker knows may take, in seconds.
MORE = 0.5


def open_socket():
    mdns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mdns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    mdns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    mdns.bind(("", PORT))
    index = socket.if_nametoindex("eth0")
    request = struct.pack("=4s4si", socket.inet_aton(GROUP), b"\0" * 4, index)
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, request)
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    # Other programs on this host do not receive our messages.
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    return mdns


# ---------------------------------------------------------------------------------------------------- Messages


def labels(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def record(name, kind, data, life, unique=True):
    return labels(name) + struct.pack(">HHIH", kind, FLUSH if unique else CLASS, life, len(data)) + data


def answers(entry, life=LIFE, host_life=HOST_LIFE):
    """Returns all records of an instance."""
    name = f"{entry['name']}.{SERVICE}"
    target = f"{entry['host']}.local"
    text = base64.b64decode(entry["text"]) or b"\0"
    return [
        record(SERVICE, TYPE_PTR, labels(name), life, unique=False),
        record(name, TYPE_SRV, struct.pack(">HHH", 0, 0, entry["port"]) + labels(target), host_life),
        record(name, TYPE_TXT, text, life),
        *(record(target, TYPE_A, socket.inet_aton(address), host_life) for address in entry["addresses"]),
    ]


def messages(answers):
    """Returns responses that contain all of these records."""
    part = []
    for one in [*answers, None]:
        if one is None or sum(map(len, part)) + len(one) > MESSAGE_LENGTH:
            if part:
                yield struct.pack(">6H", 0, 0x8400, 0, len(part), 0, 0) + b"".join(part)
            part = []
        part.append(one)


def send(mdns, answers):
    # Avahi compares each pointer with all that it knows, so it takes longer with each.
    answers = list(answers)
    pause = max(PAUSE, PAUSE * len(answers) / 2000)
    count = 0
    for message in messages(answers):
        mdns.sendto(message, (GROUP, PORT))
        count += 1
        time.sleep(pause)
    return count


def is_response(message):
    return bool(message[2] & 0x80)


def query(*questions):
    return struct.pack(">6H", 0, 0, len(questions), 0, 0, 0) + b"".join(
        labels(name) + struct.pack(">HH", kind, CLASS) for name, kind in questions)


# ---------------------------------------------------------------------------------------------------- Commands


class Recorder:
    """The records of instances that were heard."""

    def __init__(self):
        self.names, self.services, self.texts, self.addresses = set(), {}, {}, {}

    def hear(self, message):
        # Only responses count, because a question lists what the asker knows, which may be gone.
        for one in records(message) if is_response(message) else []:
            if not one.data:
                continue
            if one.type == TYPE_PTR and one.name == SERVICE:
                self.names.add(one.target) if one.time else self.names.discard(one.target)
            elif one.type == TYPE_SRV and one.time:
                self.services[one.name] = (one.target, int.from_bytes(one.data[4:6], "big"))
            elif one.type == TYPE_TXT and one.time:
                self.texts[one.name] = one.data
            elif one.type == TYPE_A and one.time:
                self.addresses.setdefault(one.name, set()).add(socket.inet_ntoa(one.data))

    def missing(self):
        """Returns questions about what is not known yet."""
        for name in self.names:
            if name not in self.services:
                yield name, TYPE_SRV
            elif self.services[name][0] not in self.addresses:
                yield self.services[name][0], TYPE_A
            if name not in self.texts:
                yield name, TYPE_TXT

    def entries(self):
        return [
            {
                "name": name.split(".")[0], "host": self.services[name][0].split(".")[0], "port": self.services[name][1],
                "text": base64.b64encode(self.texts[name]).decode(),
                "addresses": sorted(self.addresses[self.services[name][0]]),
            }
            for name in sorted(self.names)
        ]


def record_instances(mdns, count):
    recorder, end = Recorder(), time.monotonic() + WAIT
    while len(recorder.names) < count or any(recorder.missing()):
        if time.monotonic() > end:
            sys.exit(f"{len(recorder.names)} instances were heard of, not {count}; missing: {list(recorder.missing())}")
        mdns.sendto(query((SERVICE, TYPE_PTR), *list(recorder.missing())[:20]), (GROUP, PORT))
        until = time.monotonic() + 0.5
        while (rest := until - time.monotonic()) > 0 and select.select([mdns], [], [], rest)[0]:
            recorder.hear(mdns.recv(9000))
    print(json.dumps(recorder.entries()), flush=True)


def announce(mdns, entries):
    by_name = {}
    for entry in entries:
        pointer, service, text, *addresses = answers(entry)
        by_name.setdefault((SERVICE, TYPE_PTR), []).append(pointer)
        name, target = f"{entry['name']}.{SERVICE}", f"{entry['host']}.local"
        by_name[name, TYPE_SRV], by_name[name, TYPE_TXT], by_name[target, TYPE_A] = [service], [text], addresses
    everything = list(dict.fromkeys(one for entry in entries for one in answers(entry)))

    def end(*_):
        send(mdns, dict.fromkeys(one for entry in entries for one in answers(entry, life=0, host_life=0)))
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    send(mdns, everything)
    send(mdns, everything)
    print("READY", flush=True)
    for questions, known in queries(mdns):
        for name, kind in questions:
            kinds = [TYPE_SRV, TYPE_TXT, TYPE_A, TYPE_PTR] if kind == TYPE_ANY else [kind]
            found = [one for kind in kinds for one in by_name.get((name, kind), [])]
            send(mdns, [one for one in found if name != SERVICE or one not in known])


def queries(mdns):
    """Yields questions, and the pointers that their askers know already (RFC 6762 section 7.1 and 7.2).

    What an asker knows may take many messages. The same question is answered at most once per second.
    """
    last, asked = {}, {}
    while True:
        due = [asker for asker, (_, _, time_due) in asked.items() if time_due <= time.monotonic()]
        for asker in due:
            questions, known, _ = asked.pop(asker)
            yield questions, {record(SERVICE, TYPE_PTR, labels(target), LIFE, unique=False) for target in known}
        rest = min((time_due for _, _, time_due in asked.values()), default=None)
        if not select.select([mdns], [], [], rest and max(0, rest - time.monotonic()))[0]:
            continue
        message, asker = mdns.recvfrom(9000)
        if is_response(message):
            continue
        now = time.monotonic()
        questions, known, _ = asked.setdefault(asker, (set(), set(), 0))
        for one in records(message):
            if one.data:
                known.add(one.target)
            elif now - last.get((one.name, one.type), 0) >= 1:
                last[one.name, one.type] = now
                questions.add((one.name, one.type))
        # There is more if the message says that it was truncated.
        asked[asker] = questions, known, now + (MORE if message[2] & 2 else 0)


def replay(mdns, entries, rate):
    print("READY", flush=True)
    while True:
        for entry in entries:
            label = "".join(secrets.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(26))
            send(mdns, answers({**entry, "name": label}))
            time.sleep(1 / rate)


def forge(mdns, entries, count):
    sent = 0
    for _ in range(count):
        gone = [one for entry in entries for one in answers(entry, life=0, host_life=0)]
        moved = [answers({**entry, "host": "FORGED", "port": 9, "addresses": []})[1] for entry in entries]
        sent += send(mdns, gone)
        sent += send(mdns, moved)
    print(sent, flush=True)


def main():
    verb, arguments = sys.argv[1], sys.argv[2:]
    with open_socket() as mdns:
        if verb == "record":
            record_instances(mdns, int(arguments[0]))
        elif verb == "announce":
            announce(mdns, json.load(sys.stdin))
        elif verb == "replay":
            replay(mdns, json.load(sys.stdin), int(arguments[0]))
        elif verb == "forge":
            forge(mdns, json.load(sys.stdin), int(arguments[0]))
        else:
            sys.exit(__doc__)


main()
