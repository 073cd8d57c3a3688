#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_rendezvous.py DIRECTORY SOCKET [DECOY]: a NATS server, and a relay, that do what they are told.

DIRECTORY is what `baton rendezvous create` has written: the servers prove with its keys that they are the team's. They
let everybody in, and keep all that they hear in SOCKET.heard. Prints READY when they listen.

A test says what to do over the Unix socket SOCKET: a line of JSON for each call, and for each answer (see `Server.do_*`).
DECOY is an address that the servers would like to be dialled: in INFO, and in the relay's invitations.
"""
import asyncio
import base64
import json
import pathlib
import socket
import ssl
import struct
import sys

NATS_PORT, RELAY_PORT, DECOY_PORT = 4222, 22067, 24222
RELAY_MAGIC = 0x9E79BC40
PING, PONG, JOIN_RELAY, JOIN_SESSION, RESPONSE, CONNECT, INVITATION = range(7)


class Client:
    """A connection of a device, which is ready once it has said its name by its subscription."""

    def __init__(self, number, reader, writer):
        self.number, self.reader, self.writer = number, reader, writer
        self.name = None
        # Whether it only tells about the team's account.
        self.is_publisher = False
        self.subscriptions = {}
        self.pongs = 0

    def message(self, subject, payload):
        number = next((number for number, pattern in self.subscriptions.items() if matches(pattern, subject)), 1)
        return f"MSG {subject} {number} {len(payload)}\r\n".encode() + payload + b"\r\n"

    def hears(self, subject):
        return any(matches(pattern, subject) for pattern in self.subscriptions.values())


def matches(pattern, subject):
    words, others = pattern.split("."), subject.split(".")
    return len(words) == len(others) and all(word in ("*", other) for word, other in zip(words, others))


class Server:
    def __init__(self, directory, heard, decoy):
        self.directory, self.heard, self.decoy = pathlib.Path(directory), heard, decoy
        self.clients = []
        self.messages = []
        # What happens with what a device publishes: `pass` or `keep` (it is only recorded).
        self.policy = "pass"
        # What is said before TLS instead of INFO, and after CONNECT instead of PONG; "" for nothing at all.
        self.greeting = self.welcome = None
        self.info = {}
        self.connections = 0
        self.flooded = 0
        # The number of a fatal alert of TLS that the host gets from the relay in place of the guest's certificate.
        self.alert = None
        self.floods = set()
        self.relay = Relay(self)

    def context(self, certificate, key):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.directory / certificate, self.directory / key)
        context.set_alpn_protocols(["bep-relay"])
        return context

    def record(self, data):
        self.heard.write(data)
        self.heard.flush()

    # The protocol.

    def greet(self):
        info = {
            "server_id": "X", "version": "2.10.0", "nonce": "hostile", "auth_required": True, "tls_required": True,
            "max_payload": 1 << 20, "connect_urls": [f"{self.decoy}:{DECOY_PORT}", f"{self.decoy}:{NATS_PORT}"], **self.info,
        }
        return b"INFO " + json.dumps(info).encode() + b"\r\n"

    async def accept(self, reader, writer):
        self.connections += 1
        client = Client(self.connections, reader, writer)
        try:
            writer.write(self.greet() if self.greeting is None else self.greeting)
            if self.greeting is None:
                await writer.start_tls(self.context("server.pem", "server.key"))
                self.clients.append(client)
            while line := await reader.readline():
                self.record(line)
                await self.hear(client, line.decode(errors="replace").split())
        except (OSError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            if client in self.clients:
                self.clients.remove(client)
            writer.close()

    async def hear(self, client, words):
        match words:
            case ["CONNECT", options]:
                token = json.loads(options)["jwt"].split(".")[1]
                client.is_publisher = json.loads(base64.urlsafe_b64decode(token + "=="))["name"] == "administrator"
            case ["PING"] if self.welcome is not None and not client.subscriptions and not client.is_publisher:
                client.writer.write(self.welcome)
            case ["PING"]:
                client.writer.write(b"PONG\r\n")
            case ["PONG"]:
                client.pongs += 1
            case ["SUB", pattern, number]:
                client.subscriptions[number] = pattern
                if pattern.startswith("b.to."):
                    client.name = pattern.split(".")[2]
            case ["PUB", subject, *reply, length]:
                payload = (await client.reader.readexactly(int(length) + 2))[:-2]
                self.record(payload)
                if reply:
                    client.writer.write(client.message(reply[0], b"{}"))
                self.messages.append((client.name, subject, payload))
                if self.policy == "pass":
                    for other in self.clients:
                        if other is not client and other.hears(subject):
                            other.writer.write(other.message(subject, payload))

    # What tests ask for.

    def receivers(self, name):
        return [client for client in self.clients if client.name and name in (None, client.name)]

    async def do_set(self, **members):
        """Changes what it does from now on; texts that it would say are in base 64."""
        for name, value in members.items():
            setattr(self, name, base64.b64decode(value) if name in ("greeting", "welcome") and value is not None else value)
        return {}

    async def do_state(self):
        ready = {client.name: client.number for client in self.clients if client.name}
        return {"clients": list(ready), "numbers": ready, "messages": len(self.messages),
                "connections": self.connections, "flooded": self.flooded, "relayed": self.relay.joined}

    async def do_messages(self):
        return {"messages": [[sender, subject, base64.b64encode(payload).decode()] for sender, subject, payload in self.messages]}

    async def do_deliver(self, messages, to=None, count=1):
        """Delivers messages so often, whoever they are for; returns when each receiver has answered what follows them."""
        for client in self.receivers(to):
            for _ in range(count):
                for subject, payload in messages:
                    client.writer.write(client.message(subject, base64.b64decode(payload)))
                await client.writer.drain()
        return await self.do_ask(to)

    async def do_ask(self, to=None):
        asked = [(client, client.pongs + 1) for client in self.receivers(to)]
        for client, _ in asked:
            client.writer.write(b"PING\r\n")
        while any(client in self.clients and client.pongs < pongs for client, pongs in asked):
            await asyncio.sleep(0.01)
        return {"asked": len(asked)}

    async def do_say(self, text, to=None):
        """Says anything, and does not wait."""
        for client in self.receivers(to):
            client.writer.write(base64.b64decode(text))
        return {}

    async def do_flood(self, texts, count, to=None):
        """Says the texts in turns, as fast as they are taken; `flooded` counts."""
        async def flood(client):
            pieces = [base64.b64decode(text) for text in texts]
            try:
                for number in range(count):
                    client.writer.write(pieces[number % len(pieces)])
                    self.flooded += 1
                    await client.writer.drain()
            except OSError:
                pass
        for client in self.receivers(to):
            self.floods.add(task := asyncio.ensure_future(flood(client)))
            task.add_done_callback(self.floods.discard)
        return {}

    async def do_close(self, to=None):
        for client in self.receivers(to):
            client.writer.transport.abort()
        return {}

    async def do_relay_flood(self, seconds):
        """Sends pings and invitations to the host of a meeting as fast as it takes them. Says how many pings it answered."""
        before = self.relay.pongs
        body = b"".join(self.relay.opaque(part) for part in (b"i", b"k", b"a" * 4)) + bytes(8)
        block = (self.relay.message(PING, b"") + self.relay.message(INVITATION, body)) * 1000
        try:
            async with asyncio.timeout(seconds):
                while True:
                    try:
                        self.relay.host.write(block)
                        await self.relay.host.drain()
                    except ConnectionError:
                        # It comes back on another connection.
                        pass
                    # Lets others, such as what takes the answers, have their turn.
                    await asyncio.sleep(0)
        except TimeoutError:
            return {"answered": self.relay.pongs - before}

    async def control(self, reader, writer):
        while line := await reader.readline():
            call = json.loads(line)
            try:
                answer = await getattr(self, "do_" + call.pop("do"))(**call)
            except Exception as error:
                answer = {"failed": repr(error)}
            writer.write(json.dumps(answer).encode() + b"\n")
        writer.close()


class Relay:
    """Speaks Syncthing's relay protocol with one host and one guest at a time."""

    def __init__(self, server):
        self.server = server
        self.host = None
        self.waiting = None
        self.joined = 0
        self.pongs = 0
        self.tasks = set()

    async def listen(self):
        loop = asyncio.get_running_loop()
        listener = socket.create_server(("", RELAY_PORT))
        listener.setblocking(False)
        while True:
            connection, _ = await loop.sock_accept(listener)
            self.tasks.add(task := asyncio.ensure_future(self.accept(connection)))
            task.add_done_callback(self.tasks.discard)

    async def accept(self, connection):
        loop = asyncio.get_running_loop()
        readable = loop.create_future()
        loop.add_reader(connection, lambda: readable.done() or readable.set_result(None))
        await readable
        loop.remove_reader(connection)
        is_secure = connection.recv(1, socket.MSG_PEEK) == b"\x16"
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        context = self.server.context("relay/cert.pem", "relay/key.pem") if is_secure else None
        try:
            transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=context)
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            while True:
                magic, kind, length = struct.unpack(">III", await reader.readexactly(12))
                body = await reader.readexactly(length)
                self.server.record(body)
                if kind == JOIN_SESSION:
                    return await self.join(reader, writer)
                self.hear(kind, writer)
        except (OSError, asyncio.IncompleteReadError, ssl.SSLError):
            pass

    def hear(self, kind, writer):
        if kind == JOIN_RELAY:
            self.host = writer
            writer.write(self.message(RESPONSE, struct.pack(">II", 0, 0)))
        elif kind == PONG:
            self.pongs += 1
        elif kind == CONNECT and self.host:
            # The relay says that it is elsewhere.
            address = socket.inet_aton(self.server.decoy)
            for side, is_server in ((writer, 0), (self.host, 1)):
                body = self.opaque(b"id") + self.opaque(b"key") + self.opaque(address) + struct.pack(">II", DECOY_PORT, is_server)
                side.write(self.message(INVITATION, body))

    async def join(self, reader, writer):
        writer.write(self.message(RESPONSE, struct.pack(">II", 0, 0)))
        if not self.waiting:
            self.waiting = (reader, writer)
            return
        other, self.waiting = self.waiting, None
        self.joined += 1
        await asyncio.gather(self.pipe(reader, other[1]), self.pipe(other[0], writer))

    async def pipe(self, reader, writer):
        began = False
        try:
            while data := await reader.read(1 << 16):
                self.server.record(data)
                if self.server.alert is not None and began:
                    # In place of the guest's certificate.
                    data = bytes([21, 3, 3, 0, 2, 2, self.server.alert])
                began = began or data[:1] == b"\x16" and data[5:6] == b"\x01"
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    @staticmethod
    def message(kind, body):
        return struct.pack(">III", RELAY_MAGIC, kind, len(body)) + body

    @staticmethod
    def opaque(data):
        return struct.pack(">I", len(data)) + data + bytes(-len(data) % 4)


async def main():
    directory, path = sys.argv[1:3]
    decoy = sys.argv[3] if len(sys.argv) > 3 else "203.0.113.66"
    with open(path + ".heard", "ab") as heard:
        server = Server(directory, heard, decoy)
        await asyncio.start_server(server.accept, port=NATS_PORT, limit=1 << 20, reuse_address=True)
        await asyncio.start_unix_server(server.control, path, limit=1 << 28)
        if (server.directory / "relay").is_dir():
            relay = asyncio.ensure_future(server.relay.listen())
        print("READY", flush=True)
        await asyncio.get_running_loop().create_future()
        del relay


asyncio.run(main())
