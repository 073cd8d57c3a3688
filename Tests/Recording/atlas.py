#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the pages of this folder over TLS. usage: site.py CERTIFICATE KEY"""
import http.server
import pathlib
import ssl
import sys
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
NAME = "atlas.example"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#a83232"/>'
    '<path d="M9 23 16 8l7 15M12 18h8" stroke="#fff" stroke-width="3" fill="none" stroke-linecap="round"/></svg>'
)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        files = {"/": ("home.html", "text/html"), "/relay-race": ("article.html", "text/html"), "/style.css": ("style.css", "text/css")}
        name, kind = files.get(self.path, (None, "image/svg+xml"))
        data = (FOLDER / name).read_bytes() if name else ICON.encode()
        self.send_response(200 if name or self.path == "/icon.svg" else 404)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Redirect(Handler):
    """Browsers first try what a person types without encryption, or fall back to it."""

    def do_GET(self):
        self.send_response(301)
        self.send_header("Location", f"https://{NAME}{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()


def main():
    threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", 80), Redirect).serve_forever, daemon=True).start()
    # Each machine has a copy on its own loopback: both show the same page, as with a site on the internet.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[1:3])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


if __name__ == "__main__":
    main()
