# SPDX-License-Identifier: Apache-2.0
"""A session between two clients through strelaysrv, as Sources/Daemon/Handoff/Rendezvous/RelayMessage.swift says."""
import datetime
import hashlib
import multiprocessing
import pathlib
import socket
import ssl
import statistics
import struct
import subprocess
import tempfile
import time

from comparisons import results
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from servers.machine import memory, processor_time
from servers.measurement import Measurement
from servers.organization import PORT as PORT_OF_SERVER
from servers.organization import Organization, is_listening, wait_until

MAGIC = 0x9E79BC40
JOIN_RELAY, JOIN_SESSION, RESPONSE, CONNECT, INVITATION = 2, 3, 4, 5, 6
BATCH = 256 << 10


PORT = 22067
GIGABYTE = 10**9
GROUP = "Relay: one session through strelaysrv, and a direct one"


class Relay(Measurement):
    def run(self):
        """In turns, because what disturbs the machine disturbs both."""
        work = self.work / "relay"
        Organization(work, self.build, ["127.0.0.1"], PORT_OF_SERVER)
        with open(work / "relay.log", "ab") as log:
            server = start(work / "servers", PORT, log)
            try:
                self.measure(server.pid)
            finally:
                server.kill()
                server.wait()

    def measure(self, process):
        options, found, ended = self.options, {}, []
        for _ in range(options.rounds):
            relayed, took = session(("127.0.0.1", PORT), ended)
            found.setdefault("time to set up a meeting, ms", []).append(took * 1000)
            for name, ends in (("relay", relayed), ("direct", direct())):
                trips = round_trips(ends, options.probes)
                found.setdefault(f"{name}: round trip of a byte, p50, ms", []).append(results.quantile(trips, 0.5) * 1000)
                used = processor_time(process)
                took = transfer(ends, options.size)
                used = processor_time(process) - used
                found.setdefault(f"{name}: MB/s", []).append(options.size / took / 1e6)
                if name == "relay":
                    found.setdefault("relay: CPU time of strelaysrv, s/GB", []).append(used / options.size * GIGABYTE)
                for end in ends:
                    end.close()
        for name, values in found.items():
            self.note(GROUP, name, statistics.median(values))
        before = memory(process)[0]
        sessions = [session(("127.0.0.1", PORT), ended)[0] for _ in range(options.sessions)]
        self.note(GROUP, "relay: server memory per idle session, kB", (memory(process)[0] - before) / options.sessions * 1000)
        self.note(GROUP, "meetings", options.rounds + options.sessions + len(ended))
        self.note(GROUP, "meetings retried because the relay ended them immediately", len(ended))
        for ends in sessions:
            for end in ends:
                end.close()


def start(directory, port, log):
    server = subprocess.Popen(
        ["strelaysrv", "-pools=", "-status-srv=", "-nat=false", "-keys=relay", f"-listen=127.0.0.1:{port}"], cwd=directory,
        stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    wait_until(lambda: is_listening(("127.0.0.1", port)), "strelaysrv listens", server)
    return server


def connect(address):
    connection = socket.create_connection(address, timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def opaque(data):
    return struct.pack("!I", len(data)) + data + bytes(-len(data) % 4)


def send(connection, kind, body=b""):
    connection.sendall(struct.pack("!III", MAGIC, kind, len(body)) + body)


def exactly(connection, length):
    data = b""
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            raise ConnectionError("The relay has closed the connection")
        data += more
    return data


def receive(connection, expected):
    magic, kind, length = struct.unpack("!III", exactly(connection, 12))
    body = exactly(connection, length)
    if magic != MAGIC or kind != expected:
        raise RuntimeError(f"The relay says {kind}: {body}")
    return body


# Seconds by which a guest is later than the host (RelayMeeting.relayPause).
PAUSE = 0.1
# The hosts, whose secure connections stay.
hosts = []


class Member:
    """Somebody with a certificate made for one meeting."""

    def __init__(self, address):
        self.address, key = address, Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Baton rendezvous")])
        now = datetime.datetime.utcnow()
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
            .not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1)).sign(key, None))
        self.id = hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).digest()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["bep-relay"])
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "member.pem"
            private = key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
            path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
            context.load_cert_chain(path)
        self.secure = context.wrap_socket(connect(address))

    def join(self, invitation, is_host):
        """The plain connection that the relay joins with the other one."""
        rest = invitation[4 + struct.unpack_from("!I", invitation)[0]:]
        key = rest[4:4 + struct.unpack_from("!I", rest)[0]]
        # A host keeps it for as long as the session lasts, because the relay ends both together.
        if not is_host:
            self.secure.close()
        connection = connect(self.address)
        send(connection, JOIN_SESSION, opaque(key))
        return connection


def meet(address):
    """Two connections that the relay has joined."""
    host = Member(address)
    send(host.secure, JOIN_RELAY)
    receive(host.secure, RESPONSE)
    guest = Member(address)
    send(guest.secure, CONNECT, opaque(host.id))
    invitations = {member: receive(member.secure, INVITATION) for member in (guest, host)}
    ends = []
    for member in (host, guest):
        ends.append(member.join(invitations[member], is_host=member is host))
        receive(ends[-1], RESPONSE)
        # The guest joins a little later, as RelayMeeting has it.
        if member is host:
            time.sleep(PAUSE)
    hosts.append(host)
    return ends[::-1]


def session(address, ended):
    """Two connections that the relay has joined, and the seconds of the meeting.

    If the relay ends the session at once, they meet again, and `ended` has one more entry.
    """
    while True:
        began = time.monotonic()
        try:
            ends = meet(address)
            took = time.monotonic() - began
            for end in ends:
                end.settimeout(2)
            round_trips(ends, 2)
            for end in ends:
                end.settimeout(30)
            return ends, took
        except (ConnectionError, TimeoutError):
            ended.append(began)


def direct():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = connect(listener.getsockname())
        other, _ = listener.accept()
        other.settimeout(30)
        other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [one, other]


def pour(connection, length):
    data = memoryview(bytes(BATCH))
    while length > 0:
        length -= connection.send(data[:min(BATCH, length)])


def transfer(ends, length):
    """Seconds until the second end has so many bytes of the first one, which is written by another process."""
    one, other = ends
    source = multiprocessing.get_context("fork").Process(target=pour, args=(one, length), daemon=True)
    space = memoryview(bytearray(BATCH))
    began = time.monotonic()
    source.start()
    left = length
    while left > 0:
        count = other.recv_into(space)
        if not count:
            raise ConnectionError("The session has ended")
        left -= count
    took = time.monotonic() - began
    source.join()
    return took


def round_trips(ends, count):
    """Seconds of a byte there and back, each."""
    one, other = ends
    found = []
    for _ in range(count):
        began = time.perf_counter()
        one.sendall(b"x")
        other.sendall(exactly(other, 1))
        exactly(one, 1)
        found.append(time.perf_counter() - began)
    return found
