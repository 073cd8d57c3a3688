#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dev_server.py PORT UPDATES_PORT FOLDER [OTHER_PORT...]: a development server with hot reload, as Vite is one.

A page, its modules, and a WebSocket that says which file of FOLDER has changed: the page then loads that module again, and
stays. UPDATES_PORT is the WebSocket's, which can be the page's own. Each OTHER_PORT only has WebSockets and /api.
Like Vite, it refuses hosts other than its own, and WebSockets of other origins.

    /            the page, also with a query; it remembers in `window.loads` that it was not loaded again
    /NAME.js     a file of FOLDER
    /post        shows the form that was sent, and sets a cookie
    /cookies     the request's cookies, as text
    /api         JSON; every page of the server may read it
    /all, /frame, /worker.js    a page with a frame and a worker, which ask for the second and third other port
    /service, /service.js       a page with a service worker, which asks for the first one
    /many        a page that asks for the first one after 400 requests
"""
import asyncio
import base64
import hashlib
import pathlib
import sys
import urllib.parse

PORT, UPDATES, FOLDER = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
PORTS = [PORT, UPDATES, *map(int, sys.argv[4:])]
NAMES = ("localhost", "app.localhost", "127.0.0.1", "[::1]")
OWN = {f"http://{name}:{PORT}" for name in NAMES}
sockets = set()
PAGE = f"""<!DOCTYPE html><meta charset=utf-8><title>Development</title><link rel=icon href=data:,><h1>starting</h1>
<form method=post action=/post><input name=text value=hello><button>Send</button></form>
<script type=module>
window.loads = (window.loads ?? 0) + 1;
const show = async (query) => {{ document.querySelector("h1").textContent = (await import(`/message.js${{query}}`)).default; }};
const socket = new WebSocket(`ws://${{location.hostname}}:{UPDATES}/updates`);
socket.onopen = () => {{ document.body.dataset.updates = "connected"; }};
socket.onmessage = ({{ data }}) => show(`?${{data}}`);
await show("");
</script>"""
FRAME = "<!DOCTYPE html><title>Frame</title><script>new WebSocket(`ws://${location.hostname}:%d/`).onopen = () => parent.postMessage('frame')</script>"
WORKER = "fetch(`http://${location.hostname}:%d/api`).then(() => postMessage('worker'))"
ALL = """<!DOCTYPE html><title>All</title><script>
const done = new Set();
const note = ({ data }) => { if (done.add(data).size === 2) document.title = "All, done"; };
addEventListener("message", note);
new Worker("/worker.js").onmessage = note;
</script><iframe src=/frame></iframe>"""
MANY = "Promise.all([...Array(400).keys()].map((n) => fetch(`/api?${n}`))).then(() => fetch(`http://${location.hostname}:%d/api`)).then(() => { document.title = 'Many, done' })"

SERVICE = """<!DOCTYPE html><title>Service</title><script>
navigator.serviceWorker.onmessage = () => { document.title = "Service, done"; };
navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage(location.hostname));
</script>"""
SERVICE_WORKER = "onmessage = ({ data, source }) => fetch(`http://${data}:%d/api`).finally(() => source.postMessage('done'))"


def frame(text):
    data = text.encode()
    return b"\x81" + bytes([len(data)]) + data


def page(path, body):
    """What is at a path: its type and body. None if there is nothing."""
    others = [*PORTS[2:], *[PORT] * 4]
    own = {
        "/": ("text/html", PAGE), "/api": ("application/json", "{}"),
        "/frame": ("text/html", FRAME % others[1]), "/worker.js": ("text/javascript", WORKER % others[2]),
        "/many": ("text/html", f"<!DOCTYPE html><title>Many</title><script>{MANY % others[0]}</script>"),
        "/all": ("text/html", ALL), "/service": ("text/html", SERVICE), "/service.js": ("text/javascript", SERVICE_WORKER % others[0]),
        "/post": ("text/html", f"<!DOCTYPE html><title>Sent</title><p>{urllib.parse.unquote_plus(body)}</p>"),
    }
    if path in own:
        return own[path]
    file = FOLDER / path.strip("/").replace("/", "")
    return ("text/javascript", file.read_text()) if file.suffix == ".js" and file.is_file() else None


async def serve_one(port, reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head[:-4].split("\r\n")
    fields = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
    body = (await reader.readexactly(int(fields.get("content-length", 0)))).decode()
    path = first.split(" ")[1].partition("?")[0]

    def answer(status, kind, text, *more):
        data = text.encode()
        origin = fields.get("origin")
        more = [*more, *([f"Access-Control-Allow-Origin: {origin}"] if origin in OWN else [])]
        head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}; charset=utf-8", f"Content-Length: {len(data)}", "Cache-Control: no-store", *more]
        writer.write(("\r\n".join(head) + "\r\n\r\n").encode() + data)

    if fields.get("host") not in {f"{name}:{port}" for name in NAMES}:
        answer("403 Forbidden", "text/plain", "wrong host")
    elif fields.get("upgrade", "").lower() == "websocket":
        if fields.get("origin") not in OWN:
            answer("403 Forbidden", "text/plain", "wrong origin")
            return
        accept = base64.b64encode(hashlib.sha1((fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        sockets.add(writer)
        try:
            await reader.read()
        finally:
            sockets.discard(writer)
    elif path == "/cookies":
        answer("200 OK", "text/plain", fields.get("cookie", "none"))
    elif found := page(path, body):
        cookie = [f"Set-Cookie: from={PORT}; Path=/"] if path == "/post" else []
        answer("200 OK", *found, *cookie)
    else:
        answer("404 Not Found", "text/plain", "nothing")
    await writer.drain()


async def serve(port, reader, writer):
    try:
        while not writer.is_closing():
            await serve_one(port, reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def versions():
    return {path.name: path.stat().st_mtime_ns for path in FOLDER.glob("*.js")}


async def main():
    servers = [await asyncio.start_server(lambda r, w, port=port: serve(port, r, w), ("127.0.0.1", "::1"), port) for port in dict.fromkeys(PORTS)]
    print("ready", flush=True)
    known = versions()
    while servers:
        await asyncio.sleep(0.1)
        for name, version in (now := versions()).items():
            if known.get(name) != version:
                for writer in sockets:
                    writer.write(frame(str(version)))
        known = now


asyncio.run(main())
