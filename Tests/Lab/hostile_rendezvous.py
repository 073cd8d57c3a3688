#!/usr/bin/env python3
"""hostile_rendezvous.py DIRECTORY SOCKET [TRAP]: a NATS server that does what it likes with messages.

DIRECTORY has the certificate and the key that `baton rendezvous create` has written. On the Unix socket, each line is a
command in JSON, and each answer is a line: {"do": "mode", "mode": "honest" | "drop" | "replay" | "reverse" | "swap" |
"flip" | "cut" | "echo"}, {"do": "recorded"}, {"do": "replay", "times": N}, {"do": "flood", "count": N},
{"do": "say", "text": "-ERR ..."}, {"do": "clients"}. It names TRAP as another server of its cluster.
"""
import asyncio
import base64
import json
import os
import random
import ssl
import sys

DIRECTORY, SOCKET = sys.argv[1:3]
TRAP = sys.argv[3:]
PORT = 4222


class Client:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.subscriptions = {}

    def hears(self, subject):
        words = subject.split(".")
        for number, pattern in self.subscriptions.items():
            tokens = pattern.split(".")
            if len(tokens) == len(words) and all(token in ("*", word) for token, word in zip(tokens, words)):
                return number
        return None

    def send(self, data):
        if not self.writer.is_closing():
            self.writer.write(data)

    def deliver(self, subject, payload):
        number = self.hears(subject)
        if number is not None:
            self.send(b"MSG %s %s %d\r\n%s\r\n" % (subject.encode(), number.encode(), len(payload), payload))


class Server:
    def __init__(self):
        self.clients = []
        self.mode = "honest"
        self.recorded = []
        self.said = []
        self.held = []
        self.random = random.Random(7)

    async def serve(self, reader, writer):
        info = {
            "server_id": "X", "version": "2.9.10", "max_payload": 262144, "tls_required": True, "nonce": "abcdefgh",
            "connect_urls": TRAP,
        }
        writer.write(b"INFO " + json.dumps(info).encode() + b"\r\n")
        await writer.drain()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{DIRECTORY}/server.pem", f"{DIRECTORY}/server.key")
        client = Client(reader, writer)
        try:
            await writer.start_tls(context)
            self.clients.append(client)
            while line := await reader.readline():
                await self.take(client, line)
        except (OSError, ssl.SSLError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            if client in self.clients:
                self.clients.remove(client)
            writer.close()

    async def take(self, client, line):
        self.said.append(line)
        word, *rest = line.decode().split()
        if word == "PING":
            client.send(b"PONG\r\n")
        elif word == "SUB":
            client.subscriptions[rest[-1]] = rest[0]
        elif word == "PUB":
            payload = await client.reader.readexactly(int(rest[-1]))
            await client.reader.readexactly(2)
            self.recorded.append((rest[0], payload))
            for subject, content in self.changed(rest[0], payload):
                self.spread(subject, content, None if self.mode == "echo" else client)

    def spread(self, subject, payload, sender=None):
        for other in self.clients:
            if other is not sender:
                other.deliver(subject, payload)

    def changed(self, subject, payload):
        """What becomes of a message."""
        if self.mode == "drop":
            return []
        if self.mode == "replay":
            return [(subject, payload)] + self.random.choices(self.recorded, k=50)
        if self.mode == "reverse":
            self.held.append((subject, payload))
            if len(self.held) < 2:
                return []
            held, self.held = self.held[::-1], []
            return held
        if self.mode == "swap":
            names = {recorded.split(".")[-1] for recorded, _ in self.recorded}
            return [(".".join(subject.split(".")[:-1] + [name]), payload) for name in names if not subject.endswith(name)]
        if self.mode == "flip":
            place = self.random.randrange(len(payload))
            return [(subject, payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1:])]
        if self.mode == "cut":
            return [(subject, payload[:-1]), (subject, b""), (subject, payload[:1])]
        return [(subject, payload)]

    async def control(self, reader, writer):
        while line := await reader.readline():
            answer = await self.obey(json.loads(line))
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()

    async def obey(self, command):
        what = command["do"]
        if what == "mode":
            self.mode, self.held = command["mode"], []
        elif what == "recorded":
            return {
                "messages": [[subject, base64.b64encode(payload).decode()] for subject, payload in self.recorded],
                "said": [line.decode() for line in self.said],
            }
        elif what == "replay":
            for _ in range(command["times"]):
                for subject, payload in list(self.recorded):
                    self.spread(subject, payload)
                for client in list(self.clients):
                    await client.writer.drain()
        elif what == "flood":
            subjects = [subject for subject, _ in self.recorded]
            for number in range(command["count"]):
                self.spread(self.random.choice(subjects), self.random.randbytes(640))
                if number % 100 == 0:
                    for client in list(self.clients):
                        await client.writer.drain()
        elif what == "say":
            for client in list(self.clients):
                client.send(command["text"].encode() + b"\r\n")
        return {"clients": len(self.clients)}


async def main():
    server = Server()
    if os.path.exists(SOCKET):
        os.unlink(SOCKET)
    async with await asyncio.start_unix_server(server.control, SOCKET, limit=1 << 20):
        async with await asyncio.start_server(server.serve, "0.0.0.0", PORT) as listener:
            await listener.serve_forever()


asyncio.run(main())
