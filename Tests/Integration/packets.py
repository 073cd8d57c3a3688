# SPDX-License-Identifier: Apache-2.0
"""Reads captured packets: Ethernet, IPv4 and IPv6, TCP, UDP, and DNS messages with their records."""
import base64
import dataclasses
import hashlib
import ipaddress
import struct

TYPE_A, TYPE_PTR, TYPE_TXT, TYPE_AAAA, TYPE_SRV = 1, 12, 16, 28, 33
CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")


@dataclasses.dataclass
class Packet:
    raw: bytes
    protocol: int
    source: object
    source_port: int
    target_port: int
    payload: bytes


def packets(path):
    """TCP and UDP packets of a capture; and, with protocol 0, everything else."""
    with open(path, "rb") as file:
        while head := file.read(4):
            raw = file.read(struct.unpack(">I", head)[0])
            yield parse(raw)


def parse(raw):
    other = Packet(raw, 0, None, 0, 0, raw[14:])
    kind = raw[12:14]
    if kind == b"\x08\x00":
        header, protocol = (raw[14] & 15) * 4, raw[23]
        source = ipaddress.ip_address(raw[26:30])
        end = 14 + struct.unpack(">H", raw[16:18])[0] or len(raw)
    elif kind == b"\x86\xdd":
        header, protocol = 40, raw[20]
        source = ipaddress.ip_address(raw[22:38])
        end = 54 + struct.unpack(">H", raw[18:20])[0] or len(raw)
    else:
        return other
    transport = raw[14 + header : end]
    if protocol not in (6, 17) or len(transport) < 8:
        return other
    ports = struct.unpack(">HH", transport[:4])
    length = 8 if protocol == 17 else (transport[12] >> 4) * 4
    return Packet(raw, protocol, source, *ports, transport[length:])


@dataclasses.dataclass
class Record:
    name: str
    type: int
    data: bytes
    # What PTR and SRV point to.
    target: str
    time: int


def records(message):
    """Questions (with no data) and records of a DNS message."""
    counts = struct.unpack(">6H", message[:12])[2:]
    place, found = 12, []
    for index, count in enumerate(counts):
        for _ in range(count):
            name, place = read_name(message, place)
            kind, _ = struct.unpack(">HH", message[place : place + 4])
            place += 4
            if index == 0:
                found.append(Record(name, kind, b"", "", 0))
                continue
            time, length = struct.unpack(">IH", message[place : place + 6])
            place += 6
            target = ""
            if kind == TYPE_PTR:
                target = read_name(message, place)[0]
            elif kind == TYPE_SRV:
                target = read_name(message, place + 6)[0]
            found.append(Record(name, kind, message[place : place + length], target, time))
            place += length
    return found


def read_name(message, place):
    labels, end = [], None
    for _ in range(128):
        length = message[place]
        if length >= 0xC0:
            end = end or place + 2
            place = (length & 0x3F) << 8 | message[place + 1]
        elif length == 0:
            return ".".join(labels), end or place + 1
        else:
            labels.append(message[place + 1 : place + 1 + length].decode(errors="replace"))
            place += 1 + length
    raise ValueError("a name that does not end")


def forms(secret, shortest=6):
    """How bytes may be written so that somebody can read them: {form: bytes}; nothing shorter than `shortest`.

    Base 64 and base 32 at every alignment, without the digits that depend on what stands beside it.
    """
    digest = hashlib.sha256(secret).digest()
    parts = {"whole": secret, "first 8 bytes": secret[:8], "SHA-256": digest, "first 8 bytes of SHA-256": digest[:8]}
    found = {}
    for name, part in parts.items():
        found[name] = part
        found[name + ", reversed"] = part[::-1]
        found[name + ", UTF-16"] = b"".join(bytes([byte, 0]) for byte in part)
        for form, encode, group, digits in (
            ("hex", lambda data: data.hex().encode(), 1, 2),
            ("base 64", base64.b64encode, 3, 4),
            ("base 64 for URLs", base64.urlsafe_b64encode, 3, 4),
            ("base 32", base64.b32encode, 5, 8),
            ("base 32 of Crockford", lambda data: base64.b32encode(data).decode().translate(CROCKFORD).encode(), 5, 8),
        ):
            for offset in range(group):
                inner = part[offset:]
                inner = inner[: len(inner) // group * group]
                found[f"{name}, {form} from {offset}"] = encode(inner)[: len(inner) * digits // group]
    everything = {}
    for name, form in found.items():
        everything[name] = form
        everything[name + ", small"] = form.lower()
        everything[name + ", capitals"] = form.upper()
    return {name: form for name, form in everything.items() if len(form) >= shortest}


class Finder:
    """Looks for secrets in any form in bytes."""

    def __init__(self, secrets):
        self.forms = {}
        for name, secret in secrets.items():
            secret = secret.encode() if isinstance(secret, str) else secret
            for form, data in forms(secret).items():
                self.forms.setdefault(data, f"{name} ({form})")

    def find(self, data):
        return sorted({name for form, name in self.forms.items() if form in data})
