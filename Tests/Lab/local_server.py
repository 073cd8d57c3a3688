#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""local_server.py PORT [ADDRESS...]: a development server on this machine only, for tests of local pages.

Like Vite, it refuses hosts other than its own, and WebSockets of pages other than its own; it pushes `reload` through them when
a line comes on standard input. It prints {"ready": true}, and the head of each request as a JSON object.

    /            a page with a script that opens the WebSocket, and shows `version N`; N counts the lines of standard input
    /head        the request's head, as text
    /echo        what was sent
    /bytes/N     N bytes
    /count       how many bytes of /bytes were sent to clients that are still there
    /go          302 to an address with the server's own name
    /away        302 to a port of this machine that isn't the page's
    /later       a page that goes to /head after a second, by the server's own name
    /login       cookies: one of the host alone, and one of the server's domain
    /events      server-sent events: one at once, and one for each line of standard input
    /never       no answer
    /cut         half a response
    /socket      a WebSocket that echoes
"""
import asyncio
import base64
import hashlib
import json
import os
import struct
import sys

PORT = int(sys.argv[1])
ADDRESSES = sys.argv[2:] or ["127.0.0.1"]
NAMES = ("localhost", "app.localhost", "127.0.0.1", "[::1]")
OWN = {f"{name}:{PORT}" for name in NAMES}
# Of the pages whose WebSockets it accepts.
ORIGINS = {f"{name}:{os.environ.get('PAGE_PORT', PORT)}" for name in NAMES}
PAGE = """<!DOCTYPE html><meta charset=utf-8><title>Local version {version}</title><h1>version {version}</h1>
<script>
const socket = new WebSocket(`ws://${{location.host}}/socket`);
socket.onopen = () => {{ document.title += " connected"; }};
socket.onmessage = ({{ data }}) => {{ if (data === "reload") location.reload(); }};
</script>"""
state = {"version": 1, "sockets": set(), "listeners": set(), "sent": 0}


def frame(text, opcode=1):
    data = text.encode() if isinstance(text, str) else text
    length = bytes([len(data)]) if len(data) < 126 else struct.pack("!BH", 126, len(data))
    return bytes([0x80 | opcode]) + length + data


async def read_frame(reader):
    first, second = await reader.readexactly(2)
    length = second & 0x7F
    if length == 126:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
    mask = await reader.readexactly(4)
    data = await reader.readexactly(length)
    return first & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))


async def serve_socket(reader, writer, fields):
    origin = fields.get("origin")
    if origin is not None and origin.removeprefix("http://") not in ORIGINS:
        return answer(writer, "403 Forbidden", b"wrong origin")
    key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    writer.write(
        f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode()
    )
    state["sockets"].add(writer)
    try:
        while True:
            opcode, data = await read_frame(reader)
            if opcode == 8:
                break
            writer.write(frame(data, opcode))
            await writer.drain()
    finally:
        state["sockets"].discard(writer)


def answer(writer, status, body, *fields):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: keep-alive", *fields]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode() + body)


async def read_body(reader, fields):
    if fields.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(fields.get("content-length", 0)))
    body = b""
    while length := int(await reader.readuntil(b"\r\n"), 16):
        body += await reader.readexactly(length)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return body


async def serve_one(reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head[:-4].split("\r\n")
    print(json.dumps({"first": first, "fields": lines}), flush=True)
    fields = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
    body = await read_body(reader, fields)
    path = first.split(" ")[1].partition("?")[0]
    if fields.get("host") not in OWN:
        answer(writer, "403 Forbidden", b"wrong host")
    elif path == "/socket":
        await serve_socket(reader, writer, fields)
        return False
    elif path == "/head":
        answer(writer, "200 OK", head.encode("latin-1"), "Content-Type: text/plain")
    elif path == "/echo":
        answer(writer, "200 OK", body)
    elif path.startswith("/bytes/"):
        count = int(path.removeprefix("/bytes/"))
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {count}\r\n\r\n".encode())
        while count > 0:
            piece = min(count, 65536)
            writer.write(bytes(piece))
            await writer.drain()
            count -= piece
            state["sent"] += piece
    elif path == "/count":
        answer(writer, "200 OK", str(state["sent"]).encode())
    elif path == "/go":
        answer(writer, "302 Found", b"", f"Location: http://{fields['host']}/head", f"Access-Control-Allow-Origin: http://localhost:{PORT}")
    elif path == "/away":
        answer(writer, "302 Found", b"", "Location: http://localhost:9999/sign-in?state=secret")
    elif path == "/later":
        answer(writer, "200 OK", b"", f"Refresh: 1; url=http://localhost:{PORT}/head")
    elif path == "/login":
        answer(
            writer, "200 OK", b"", "Set-Cookie: own=1; Path=/", "Set-Cookie: wide=2; Domain=localhost; Path=/",
            "Set-Cookie: app=3; Domain=app.localhost; Path=/",
        )
    elif path == "/events":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
        state["listeners"].add(writer)
        await reader.read()
        state["listeners"].discard(writer)
        return False
    elif path == "/never":
        await reader.read()
        return False
    elif path == "/cut":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        return False
    else:
        answer(writer, "200 OK", PAGE.format(version=state["version"]).encode(), "Content-Type: text/html; charset=utf-8")
    await writer.drain()
    return fields.get("connection", "").lower() != "close"


async def serve(reader, writer):
    try:
        while await serve_one(reader, writer):
            pass
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    servers = [await asyncio.start_server(serve, address, PORT) for address in ADDRESSES]
    print(json.dumps({"ready": True}), flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        state["version"] += 1
        for writer in state["sockets"]:
            writer.write(frame("reload"))
        for writer in state["listeners"]:
            writer.write(f"data: version {state['version']}\n\n".encode())
    for server in servers:
        server.close()


asyncio.run(main())
