# SPDX-License-Identifier: Apache-2.0
"""Keys and tokens of NATS in the form of Sources/Daemon/Handoff/Rendezvous/NATSKey.swift and NATSToken.swift."""
import base64
import binascii
import hashlib
import json
import os
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KINDS = {"operator": 0x70, "account": 0x00, "user": 0xA0}
YEAR = 365 * 24 * 3600
# NATSToken.rendezvousConnections and rendezvousSubscriptions, and Limits.rendezvousPayloadLength.
CONNECTIONS, SUBSCRIPTIONS, PAYLOAD = 1024, 8, 1024


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    def __init__(self, kind, seed=None):
        self.kind, self.private = kind, Ed25519PrivateKey.from_private_bytes(seed or os.urandom(32))
        raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
        body = bytes([KINDS[kind]]) + self.private.public_key().public_bytes(*raw)
        # CRC-16 (XMODEM).
        self.text = base64.b32encode(body + binascii.crc_hqx(body, 0).to_bytes(2, "little")).decode().rstrip("=")

    def sign(self, data):
        return self.private.sign(data)


def token(issuer, subject, name, nats, lifetime=None):
    """A JWT in which `issuer` says what `subject` may do. JSON has its members in order, as JSONCoding writes them."""
    now = int(time.time())
    claims = {
        "iat": now, "iss": issuer.text, "jti": base64.b32encode(os.urandom(16)).decode().rstrip("="), "name": name,
        "nats": {"version": 2, **nats}, "sub": subject.text}
    if lifetime:
        claims["exp"] = now + lifetime
    parts = [json.dumps(part, separators=(",", ":"), sort_keys=True).encode() for part in
             ({"typ": "JWT", "alg": "ed25519-nkey"}, claims)]
    signed = ".".join(map(base64url, parts))
    return f"{signed}.{base64url(issuer.sign(signed.encode()))}"


def account_token(operator, account, name, revoked=()):
    """`revoked` are the keys of users that are no longer let in."""
    limits = {
        "subs": CONNECTIONS * SUBSCRIPTIONS, "data": -1, "payload": PAYLOAD, "imports": -1, "exports": -1, "wildcards": True,
        "conn": CONNECTIONS, "leaf": 0}
    nats = {"type": "account", "limits": limits, "default_permissions": {"pub": {}, "sub": {}}}
    if revoked:
        nats["revocations"] = {key.text: int(time.time()) for key in revoked}
    return token(operator, account, name, nats)


def user_token(account, user, name):
    """What lets a device in: RendezvousSubject.rights."""
    nats = {
        "type": "user", "subs": SUBSCRIPTIONS, "data": -1, "payload": -1,
        "pub": {"allow": [f"b.adv.{name}", f"b.to.*.{name}"]}, "sub": {"allow": ["b.adv.*", f"b.to.{name}.*"]}}
    return token(account, user, name, nats, YEAR)


def administrator_token(system, user):
    """What AccountPublisher shows a server."""
    nats = {"type": "user", "subs": -1, "data": -1, "payload": -1, "pub": {}, "sub": {}}
    return token(system, user, "administrator", nats, 300)


def device_name(device):
    """As long as 16 bytes in base 32."""
    return base64.b32encode(hashlib.sha256(device.encode()).digest()[:16]).decode().rstrip("=")


def connect_line(user, text, nonce):
    """What NATSCommand.connect says."""
    options = {
        "echo": False, "jwt": text, "lang": "swift", "pedantic": False, "protocol": 1,
        "sig": base64url(user.sign(nonce.encode())), "verbose": False, "version": "1"}
    return b"CONNECT " + json.dumps(options, separators=(",", ":")).encode() + b"\r\n"
