# SPDX-License-Identifier: Apache-2.0
"""Pages of servers on one machine's localhost, shown on another: consent, forwarding, and those who want more than they may."""
# Labs: pair
import base64
import json
import os
import struct
import subprocess
import sys

from desktop import FakeServer, SessionBus
from lab import PATIENCE, ROOT, LabTest, Varlink, VarlinkError, on, wait_until
from test_agent import Agent
from test_search import Index
from test_wake import FakeLogind

TYPE = "io.baton.local-page"
SERVER = ROOT / "Tests/Lab/local_server.py"
# Sends standard input to a port of this machine, and writes what comes back until the end.
CLIENT = """
import socket, sys
try:
    client = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20)
    client.sendall(sys.stdin.buffer.read())
    if len(sys.argv) > 3: client.shutdown(socket.SHUT_WR)
    while data := client.recv(65536): sys.stdout.buffer.write(data); sys.stdout.flush()
except (BrokenPipeError, ConnectionResetError): print("RESET")
"""


# Answers each connection with the text whose name is the path, from a file with {name: text}.
RAW_SERVER = """
import json, socket, sys
answers = json.load(open(sys.argv[2]))
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("ready", flush=True)
while True:
    client, _ = server.accept()
    with client, client.makefile("rb") as lines:
        path = lines.readline().split()[1].decode().strip("/")
        while lines.readline() not in (b"\\r\\n", b""): pass
        client.sendall(answers[path].encode("latin-1"))
"""


# Answers without reading the body, and closes.
EARLY_SERVER = """
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("ready", flush=True)
while True:
    client, _ = server.accept()
    with client:
        client.recv(1000)
        client.sendall(b"HTTP/1.1 413 Content Too Large\\r\\nContent-Length: 9\\r\\n\\r\\ntoo large")
"""


class Machine(Index):
    """The agent of one of the machines, whose browser only notes the address."""

    def __init__(self, case, daemon, number, **environment):
        self.host = case.host(number)
        bus = subprocess.run(on(self.host, "printenv", "DBUS_SYSTEM_BUS_ADDRESS"), capture_output=True, text=True)
        # What leads to the lab's hosts.
        environment |= {name: value for name, value in os.environ.items() if name.startswith("LAB_")}
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.stdout.strip()
        super().__init__(case, daemon, case.directory / f"{daemon.name}.agent", **environment)
        self.shown = self.home / "shown"
        self.program("xdg-open", f'#!/bin/sh\necho "$1" >>{self.shown}\n')

    def start(self):
        return super().start(prefix=on(self.host))

    def notify(self):
        """Shows notifications from now on. Returns what notes them."""
        bus = SessionBus(self.case, f"{self.daemon.name}.bus").start()
        server = FakeServer(bus)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        self.stop()
        Agent.start(self, prefix=on(self.host))
        wait_until(self.answers, "the agent answers")
        return server

    def addresses(self):
        return self.shown.read_text().split() if self.shown.exists() else []

    def ports(self, *arguments, check=True):
        return self.baton("ports", "--json", *arguments, check=check)

    def list(self):
        with Varlink(self.socket) as connection:
            return connection.call("io.baton.Ports.List")

    def allow(self, port, **parameters):
        with Varlink(self.socket) as connection:
            return connection.call("io.baton.Ports.Allow", port=port, **parameters)

    def refuse(self, port, **parameters):
        with Varlink(self.socket) as connection:
            return connection.call("io.baton.Ports.Refuse", port=port, **parameters)

    def forget(self, port, **parameters):
        with Varlink(self.socket) as connection:
            return connection.call("io.baton.Ports.Forget", port=port, **parameters)

    def raw(self, port, data, *arguments, address="127.0.0.1", prefix=()):
        """What a program on this machine gets from one of its ports."""
        command = on(self.host, *prefix, sys.executable, "-c", CLIENT, address, port, *arguments)
        return subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE, check=True).stdout

    def curl(self, *arguments, check=True, stdin=None):
        command = on(self.host, "curl", "--silent", "--show-error", "--max-time", PATIENCE, *arguments)
        result = subprocess.run(command, capture_output=True, timeout=PATIENCE + 5, input=stdin)
        # As it is: `text=True` would turn each CR LF into LF.
        result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
        if check:
            self.case.assertEqual(result.returncode, 0, result.stderr)
        return result


class LocalPageTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.daemons = self.two()
        self.laptop, self.desktop = (Machine(self, daemon, number).start() for number, daemon in enumerate(self.daemons))

    def server(self, port=8000, *addresses, prefix=(), origin=None):
        """Starts a server on the laptop. It accepts WebSockets of a page at the port `origin`, which is its own by default."""
        server = self.spawn(
            on(self.host(0), *prefix, "env", f"PAGE_PORT={origin or port}", sys.executable, SERVER, port, *addresses),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )
        self.assertIn("ready", server.stdout.readline())
        return server

    def offer(self, url="http://localhost:8000/head", ports=(), origin=0):
        """Offers a page of one of the machines as a browser's host does."""
        activity = {"userInfo": {"url": url, "ports": list(ports)}, "title": "Page", "supportsContinuationStreams": True}
        connection, activity = self.daemons[origin].publish(TYPE, **activity)
        self.daemons[1 - origin].wait_for_offer(activity)
        return connection, activity

    def serve(self, connection, url="http://localhost:8000/head", ports=(), origin=0):
        event = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        with Varlink((self.laptop, self.desktop)[origin].socket) as agent:
            agent.call(
                "io.baton.Ports.Serve", stream=event["stream"], device=event["device"], team=event["team"],
                userInfo={"url": url, "ports": list(ports)},
            )
        return event

    def open(self, url="http://localhost:8000/head", ports=(), origin=0, streams=True):
        """Continues a page, and returns the address that the other machine's browser shows. It needs no stream if one that
        is open has its ports."""
        receiver = (self.desktop, self.laptop)[origin]
        before = len(receiver.addresses())
        connection, activity = self.offer(url, ports, origin)
        self.daemons[1 - origin].call("OpenOffer", id=activity)
        if streams:
            self.serve(connection, url, ports, origin)
        return wait_until(lambda: receiver.addresses()[before:], "the page is shown")[0]


class BrowserHostTests(LocalPageTest):
    def tell(self, host, **message):
        data = json.dumps(message).encode()
        host.stdin.write(struct.pack("=I", len(data)) + data)
        host.stdin.flush()

    def hear(self, host, kind):
        while head := host.stdout.read(4):
            message = json.loads(host.stdout.read(*struct.unpack("=I", head)))
            if message["type"] == kind:
                return message
        raise AssertionError(f"the host ended before it said {kind}")

    def test_a_page_of_a_browser_is_shown_on_the_other_machine_while_the_host_lives_and_after_it(self):
        self.server()
        self.laptop.allow(8000)
        self.laptop.allow(3001)
        host = self.spawn(
            self.daemons[0].command_line("browser-host"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**self.laptop.environment, "BATON_SEARCH_SOCKET": str(self.laptop.socket)},
        )
        self.tell(host, type="hello", isTaken=False)
        self.hear(host, "hello")
        self.tell(host, type="page", page={"url": "http://localhost:8000/head", "title": "My app"}, isChosen=True)
        self.assertEqual(self.hear(host, "status")["status"], "offered")
        offer = wait_until(self.daemons[1].offers, "the page is offered")[0]
        self.assertEqual((offer["activityType"], offer["title"]), (TYPE, "My app"))
        self.assertNotIn("webpageHost", offer)
        self.daemons[1].call("OpenOffer", id=offer["id"])
        request = self.hear(host, "getState")["request"]
        self.tell(host, type="state", request=request, url="http://localhost:8000/head", state={"ports": [3001]})
        address = wait_until(self.desktop.addresses, "the page is shown")[0]
        self.assertEqual(address, "http://laptop.localhost:8000/head")
        self.assertIn("Host: localhost:8000\r\n", self.desktop.curl(address).stdout)
        self.assertIn("No server is listening on port 3001", self.desktop.curl("http://laptop.localhost:3001/").stdout)
        host.stdin.close()
        self.wait_for_exit(host)
        self.assertIn("Host: localhost:8000\r\n", self.desktop.curl(address).stdout)


    def test_a_page_that_came_from_another_machine_is_not_offered_further(self):
        self.server()
        self.laptop.allow(8000)
        address = self.open()
        host = self.spawn(
            self.daemons[1].command_line("browser-host"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**self.desktop.environment, "BATON_SEARCH_SOCKET": str(self.desktop.socket)},
        )
        self.tell(host, type="hello", isTaken=False)
        self.hear(host, "hello")
        for url in (address, address.replace("laptop.", "app.laptop.")):
            self.tell(host, type="page", page={"url": url, "title": "My app"}, isChosen=True)
            while (status := self.hear(host, "status"))["status"] != "refused":
                pass
            self.assertIn("runs on another machine", status["message"])
        # What a program offers without asking is refused by the agent, whoever wants it and whatever was allowed here.
        self.desktop.allow(8000)
        with self.assertRaises(VarlinkError) as error:
            self.open(address, origin=1)
        self.assertEqual(error.exception.reason, "notEligible")
        other = self.open("http://localhost:8000/head", origin=1)
        answer = self.laptop.curl(other).stdout
        self.assertIn("doesn't run on desktop, but on a machine whose page is shown there", answer)
        self.assertIn("Host: localhost:8000\r\n", self.desktop.curl(address).stdout)

    def test_a_stream_that_the_agent_refuses_ends_with_a_reason(self):
        self.server()
        host = self.spawn(
            self.daemons[0].command_line("browser-host"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**self.laptop.environment, "BATON_SEARCH_SOCKET": str(self.laptop.home / "none")},
        )
        self.tell(host, type="hello", isTaken=False)
        self.tell(host, type="page", page={"url": "http://localhost:8000/head", "title": "My app"}, isChosen=True)
        offer = wait_until(self.daemons[1].offers, "the page is offered")[0]
        self.daemons[1].call("OpenOffer", id=offer["id"])
        request = self.hear(host, "getState")["request"]
        self.tell(host, type="state", request=request, url="http://localhost:8000/head", state={})
        address = wait_until(self.desktop.addresses, "the page is shown")[0]
        self.assertIn("Baton's agent isn't running on laptop", self.desktop.curl(address).stdout)


class ForwardingTests(LocalPageTest):
    def test_a_page_is_shown_by_its_own_name_and_the_server_sees_its_own(self):
        self.server()
        self.laptop.allow(8000)
        self.assertEqual(self.open(), "http://laptop.localhost:8000/head")
        page = self.desktop.curl(
            "http://laptop.localhost:8000/head", "--header", "Origin: http://laptop.localhost:8000", "--referer",
            "http://laptop.localhost:8000/",
        ).stdout
        self.assertIn("Host: localhost:8000\r\n", page)
        self.assertIn("Origin: http://localhost:8000\r\n", page)
        self.assertIn("Referer: http://localhost:8000/\r\n", page)
        body = os.urandom(300_000)
        (self.directory / "body").write_bytes(body)
        self.desktop.curl(
            "--data-binary", f"@{self.directory}/body", "--output", str(self.directory / "echo"),
            "http://laptop.localhost:8000/echo",
        )
        self.assertEqual((self.directory / "echo").read_bytes(), body)
        headers = self.desktop.curl("--head", "--request", "GET", "http://laptop.localhost:8000/go").stdout
        self.assertIn("Location: http://laptop.localhost:8000/head\r\n", headers)
        self.assertIn("Access-Control-Allow-Origin: http://laptop.localhost:8000\r\n", headers)
        # What listens there on this machine is another program, perhaps of another user.
        away = self.desktop.curl("--include", "http://laptop.localhost:8000/away").stdout
        self.assertTrue(away.startswith("HTTP/1.1 502 "), away)
        self.assertIn("http://localhost:9999/sign-in?state=secret, which only exists on laptop", away)
        self.assertNotIn("Location:", away)
        self.assertIn("Refresh: 1; url=http://laptop.localhost:8000/head\r\n", self.desktop.curl("--include", "http://laptop.localhost:8000/later").stdout)

    def test_names_below_localhost_and_cookies_stay_apart_from_this_machines(self):
        self.server()
        self.laptop.allow(8000)
        self.assertEqual(self.open("http://app.localhost:8000/head"), "http://app.laptop.localhost:8000/head")
        self.assertIn("Host: app.localhost:8000\r\n", self.desktop.curl("http://app.laptop.localhost:8000/head").stdout)
        # The names share one port, as they do there.
        self.assertEqual(self.open(streams=False), "http://laptop.localhost:8000/head")
        self.assertEqual(len(self.desktop.list()["pages"]), 1)
        login = self.desktop.curl("--include", "http://app.laptop.localhost:8000/login").stdout
        for cookie in ("own=1; Path=/", "wide=2; Path=/", "app=3; Domain=app.laptop.localhost; Path=/"):
            self.assertIn(f"Set-Cookie: {cookie}\r\n", login)
        # Under these names, the browser has the cookies of this machine's own servers.
        for name in ("localhost", "127.0.0.1", "app.localhost"):
            url = f"http://{name}:8000/login"
            self.assertNotIn("Set-Cookie", self.desktop.curl("--include", url).stdout)
            self.assertNotIn("secret", self.desktop.curl("--cookie", "session=secret", f"http://{name}:8000/head").stdout)
            moved = self.desktop.curl("--include", "--header", "Sec-Fetch-Mode: navigate", url).stdout
            own = "app.laptop.localhost" if name == "app.localhost" else "laptop.localhost"
            self.assertTrue(moved.startswith("HTTP/1.1 307 "), moved)
            self.assertIn(f"Location: http://{own}:8000/login\r\n", moved)
        self.assertIn("session=mine", self.desktop.curl("--cookie", "session=mine", "http://laptop.localhost:8000/head").stdout)

    def test_uploads_of_unknown_length(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        body = os.urandom(700_000)
        (self.directory / "body").write_bytes(body)
        self.desktop.curl(
            "--upload-file", "-", "--header", "Transfer-Encoding: chunked", "--output", str(self.directory / "echo"),
            "http://laptop.localhost:8000/echo", stdin=body,
        )
        self.assertEqual((self.directory / "echo").read_bytes(), body)

    def test_a_later_page_adds_its_ports(self):
        self.server(8000)
        self.server(3001)
        self.laptop.allow(8000)
        self.laptop.allow(3001)
        self.assertEqual(self.open(), "http://laptop.localhost:8000/head")
        self.assertEqual(self.open("http://localhost:3001/head", [8000]), "http://laptop.localhost:3001/head")
        ports = [[one["port"] for one in page["ports"]] for page in self.desktop.list()["pages"]]
        self.assertEqual(ports, [[3001, 8000]])
        page = self.desktop.curl("http://laptop.localhost:8000/head", "--header", "Origin: http://laptop.localhost:3001").stdout
        self.assertIn("Origin: http://localhost:3001\r\n", page)

    def test_another_page_of_the_same_server_has_the_same_port(self):
        self.server()
        self.laptop.allow(8000)
        self.assertEqual(self.open(), "http://laptop.localhost:8000/head")
        self.assertEqual(self.open("http://localhost:8000/", streams=False), "http://laptop.localhost:8000/")
        self.assertEqual(len(self.desktop.list()["pages"]), 1)

    def test_as_many_pages_as_a_person_looks_at_within_a_minute(self):
        for port in range(9000, 9032):
            self.assertEqual(self.open(f"http://localhost:{port}/"), f"http://laptop.localhost:{port}/")
        for machine in (self.laptop, self.desktop):
            self.assertEqual({one["port"] for page in machine.list()["pages"] for one in page["ports"]}, set(range(9000, 9032)))
        # There's an end, and it's said.
        shown = len(self.desktop.addresses())
        _, activity = self.offer("http://localhost:9032/")
        self.daemons[1].call("OpenOffer", id=activity)
        self.assertIn("Too many local pages", wait_until(
            lambda: [line for line in self.desktop.log.read_text().splitlines() if "Can't open a local page" in line], "it is refused")[0])
        self.assertEqual(len(self.desktop.addresses()), shown)

    def test_an_answer_before_the_end_of_an_upload(self):
        server = self.spawn(on(self.host(0), sys.executable, "-c", EARLY_SERVER, 8000), stdout=subprocess.PIPE)
        self.assertEqual(server.stdout.readline(), b"ready\n")
        self.laptop.allow(8000)
        self.open()
        (self.directory / "body").write_bytes(bytes(20_000_000))
        for _ in range(10):
            answer = self.desktop.curl(
                "--data-binary", f"@{self.directory}/body", "--header", "Expect:", "http://laptop.localhost:8000/", check=False
            )
            self.assertEqual(answer.stdout, "too large")

    def test_many_requests_at_the_same_time(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        result = self.desktop.curl(
            "--parallel", "--parallel-max", "20", "--fail", "--write-out", "%{size_download}\\n", "--output", "/dev/null",
            "http://laptop.localhost:8000/bytes/300000?[1-60]",
        )
        self.assertEqual(result.stdout.split(), ["300000"] * 60)

    def test_a_websocket_is_forwarded_in_both_directions(self):
        server = self.server()
        self.laptop.allow(8000)
        self.open("http://localhost:8000/")
        request = (
            "GET /socket HTTP/1.1\r\nHost: laptop.localhost:8000\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            "Origin: http://laptop.localhost:8000\r\n\r\n"
        )
        client = self.spawn(
            on(self.desktop.host, sys.executable, "-c", CLIENT.replace("sys.stdin.buffer.read()", repr(request.encode() + b"\x81\x82\0\0\0\0hi")),
               "::1", 8000),
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )

        def read_until(end):
            received = b""
            while end not in received:
                piece = os.read(client.stdout.fileno(), 4096)
                self.assertTrue(piece, received)
                received += piece
            return received

        self.assertIn(b"101 Switching Protocols", read_until(b"hi"))
        server.stdin.write("\n")
        read_until(b"reload")
        # A page of another site gets none.
        refused = self.desktop.raw(8000, request.replace("Origin: http://laptop.", "Origin: http://evil.").encode())
        self.assertIn(b"wrong origin", refused)

    def test_a_slow_reader_stops_nobody_else(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        slow = self.spawn(
            on(self.desktop.host, sys.executable, "-c",
               "import socket,sys; s=socket.create_connection(('127.0.0.1',8000));"
               "s.sendall(b'GET /bytes/100000000 HTTP/1.1\\r\\nHost: laptop.localhost:8000\\r\\n\\r\\n');"
               "print('x',flush=True); sys.stdin.read()"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        slow.stdout.read(2)
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        count = lambda: int(self.desktop.curl("http://laptop.localhost:8000/count").stdout)
        wait_until(lambda: count() > 0, "it has begun")
        # What would be forwarded without a window goes before this.
        self.desktop.curl("--fail", "--output", "/dev/null", "http://laptop.localhost:8000/bytes/20000000")
        # The server has to wait: not more than the windows and the kernels' buffers is on its way.
        self.assertLess(count(), 20_000_000 + 30_000_000)

    def test_other_ports_of_the_page_and_a_port_that_is_taken(self):
        self.server(8000)
        self.server(3001)
        self.spawn(
            on(self.desktop.host, sys.executable, "-c",
               "import socket,time; s=socket.create_server(('127.0.0.1',8000)); print(flush=True); time.sleep(600)"),
            stdout=subprocess.PIPE,
        ).stdout.readline()
        self.laptop.allow(8000)
        self.laptop.allow(3001)
        address = self.open(ports=[3001])
        self.assertNotIn(":8000/", address)
        self.assertTrue(address.startswith("http://laptop.localhost:"), address)
        self.assertIn("Host: localhost:8000", self.desktop.curl(address).stdout)
        # The page's other server may be named as the page does.
        for name in ("laptop.localhost", "localhost"):
            page = self.desktop.curl(f"http://{name}:3001/head", "--header", f"Origin: {address.removesuffix('/head')}").stdout
            self.assertIn("Host: localhost:3001\r\n", page)
            self.assertIn("Origin: http://localhost:8000\r\n", page)

    def test_a_server_that_listens_only_on_ipv6(self):
        self.server(8000, "::1")
        # Python's sockets at all addresses of IPv6 take no others.
        self.server(3001, "::")
        self.laptop.allow(8000)
        self.laptop.allow(3001)
        self.open(ports=[3001])
        for address in ("127.0.0.1", "[::1]"):
            self.assertIn("Host: localhost:8000", self.desktop.curl(f"http://{address}:8000/head").stdout)
            self.assertIn("Host: localhost:3001", self.desktop.curl(f"http://{address}:3001/head").stdout)

    def test_servers_that_do_not_answer_and_half_closed_connections(self):
        server = self.server()
        self.laptop.allow(8000)
        self.open()
        head = b"GET %s HTTP/1.1\r\nHost: laptop.localhost:8000\r\n\r\n"
        self.assertIn(b"Host: localhost:8000", self.desktop.raw(8000, head % b"/head", "half"))
        self.assertIn(b"HTTP/1.1 200 OK", self.desktop.raw(8000, head % b"/cut"))
        # The page closes the connection, and the server hears of it.
        self.assertIn(b"closed the connection without an answer", self.desktop.raw(8000, head % b"/never", "half"))
        server.terminate()
        server.wait(PATIENCE)
        answer = self.desktop.raw(8000, head % b"/head")
        self.assertTrue(answer.startswith(b"HTTP/1.1 502 "), answer)
        self.assertIn(b"No server is listening on port 8000 of laptop", answer)

    def test_answers_that_servers_should_not_give(self):
        second = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"
        answers = {
            "none": f"HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody{second}",
            "same": f"HTTP/1.1 304 Not Modified\r\n\r\nbody{second}",
            "head": f"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody{second}",
            "hints": "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3 + "HTTP/1.1 200 OK\nX: y\n\nfine",
            "folded": "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 4\r\n\r\nfine",
            "two": f"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine{second}",
            "old": "HTTP/1.0 200 OK\r\n\r\nfine",
            "switched": f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n{second}",
            "none-at-all": "just text\n", "tls": "\x15\x03\x01\x00\x02\x02\x46", "empty": "", "half": "HTTP/1.1 200 OK\r\nX: y\r\n",
            "nul": "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\nx", "long": "HTTP/1.1 200 OK\r\n" + "X: y\r\n" * 20_000 + "\r\n",
        }
        (self.directory / "answers").write_text(json.dumps(answers))
        server = self.spawn(on(self.host(0), sys.executable, "-c", RAW_SERVER, 8000, self.directory / "answers"), stdout=subprocess.PIPE)
        self.assertEqual(server.stdout.readline(), b"ready\n")
        self.laptop.allow(8000)
        self.open()
        get = lambda path, *arguments: self.desktop.curl(*arguments, f"http://laptop.localhost:8000/{path}")
        for path, *arguments in (("none",), ("same",), ("head", "--head")):
            self.assertNotIn("body", get(path, *arguments).stdout, path)
        for path in ("hints", "folded", "two", "old"):
            self.assertEqual(get(path).stdout, "fine", path)
        for path in ("switched", "none-at-all", "tls", "nul", "long"):
            self.assertIn("The server on port 8000 of laptop didn't answer in HTTP.", get(path).stdout, path)
        for path in ("empty", "half"):
            self.assertIn("closed the connection without an answer", get(path).stdout, path)

    def test_what_is_no_single_clear_request_does_not_reach_the_server(self):
        server = self.server()
        self.laptop.allow(8000)
        self.open()
        host = b"Host: laptop.localhost:8000\r\n"
        refused = {
            b"POST /echo HTTP/1.1\r\n" + host + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": b"400",
            b"POST /echo HTTP/1.1\r\n" + host + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd": b"400",
            b"GET /head HTTP/1.1\r\n" + host + b"X: a\r\n b\r\n\r\n": b"400",
            b"GET http://laptop.localhost:8000/head HTTP/1.1\r\n" + host + b"\r\n": b"400",
            b"GET /head HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n": b"421",
            b"GET /head HTTP/1.1\r\n" + host + b"X: " + b"x" * 70_000 + b"\r\n\r\n": b"431",
            b"GET /head HTTP/2.0\r\n" + host + b"\r\n": b"505",
            b"\x16\x03\x01\x02\x00\x01": b"400",
            b"GET /head HTTP/1.1\r\n" + host + host + b"\r\n": b"400",
            b"GET /head HTTP/1.1\n" + host + b"\n": b"400",
            b"GET /head HTTP/1.1\r\n" + host + b"X: a\0b\r\n\r\n": b"400",
            b"CONNECT laptop.localhost:8000 HTTP/1.1\r\n" + host + b"\r\n": b"400",
            b"GET /head HTTP/1.1\r\n" + host + b"X: y\r\n" * 300 + b"\r\n": b"431",
        }
        for request, status in refused.items():
            self.assertTrue(self.desktop.raw(8000, request).startswith(b"HTTP/1.1 " + status), request[:100])
        second = b"GET /second HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"
        for first in (
            b"GET /head HTTP/1.1\r\n" + host + b"\r\n", b"POST /echo HTTP/1.1\r\n" + host + b"Content-Length: 1\r\n\r\nx",
            b"GET /head HTTP/1.1\r\n" + host + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            b"GET /head HTTP/1.1\r\n" + host + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
        ):
            self.assertEqual(self.desktop.raw(8000, first + second).count(b"HTTP/1.1 "), 1)
        server.stdin.close()
        heads = [json.loads(line)["first"] for line in server.stdout]
        self.assertEqual(sorted(heads), ["GET /head HTTP/1.1"] * 3 + ["POST /echo HTTP/1.1"])


class ConsentTests(LocalPageTest):
    def test_the_user_is_asked_once_for_each_port_and_it_is_remembered(self):
        self.server()
        self.open()
        asking = self.desktop.curl("http://laptop.localhost:8000/head", "--write-out", "%{http_code}", "--header", "Accept: text/html")
        self.assertIn("Refresh", self.desktop.curl("--include", "http://laptop.localhost:8000/head", "--header", "Accept: text/html").stdout)
        self.assertTrue(asking.stdout.endswith("503"), asking.stdout)
        self.assertIn("laptop is asking whether this machine may use its port 8000", asking.stdout)
        question = self.laptop.list()["questions"]
        self.assertEqual([(one["port"], one["device"]) for one in question], [(8000, "desktop")])
        self.laptop.allow(8000)
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        self.laptop.stop()
        self.laptop.start()
        self.assertEqual([one["port"] for one in self.laptop.list()["allowed"]], [8000])
        # The agent's end ended the page.
        self.assertRegex(
            self.desktop.curl("http://laptop.localhost:8000/head").stdout, "agent isn't running on laptop|out of reach"
        )
        self.laptop.forget(8000)
        self.assertEqual(self.laptop.list()["allowed"], [])

    def test_all_ports_of_a_page_are_one_question(self):
        for port in (8000, 3001, 3002):
            self.server(port)
        notifications = self.laptop.notify()
        self.laptop.allow(3002)
        get = lambda port: self.desktop.curl(f"http://laptop.localhost:{port}/head").stdout
        # Nobody listens at the last one.
        self.open(ports=[3001, 3002, 3003])
        question = notifications.wait_for(1)
        self.assertRegex(question["summary"], r" use ports 8000 and 3001\?$")
        self.assertEqual([one["port"] for one in self.laptop.list()["questions"]], [3001, 8000])
        line = self.laptop.baton("ports").stdout.splitlines()[0]
        self.assertRegex(line, r"^Ports 3001 and 8000: desktop is asking for the team \w+\. ")
        self.assertIn("`baton ports --allow 3001 --allow 8000` or `baton ports --refuse 3001 --refuse 8000`", line)
        for port in (8000, 3001):
            self.assertIn(f"is asking whether this machine may use its port {port}", get(port))
        notifications.obey("invoke", question["id"], "token_1", "allow")
        wait_until(lambda: not self.laptop.list()["questions"], "it's answered")
        for port in (8000, 3001, 3002):
            self.assertIn("Host:", get(port))
        self.assertEqual([one["port"] for one in self.laptop.list()["allowed"]], [3002, 8000, 3001])
        # It isn't asked again, also not about the same ports of another page.
        self.laptop.stop()
        self.desktop.stop()
        for machine in (self.laptop, self.desktop):
            machine.start()
        self.open("http://localhost:3001/head", ports=[8000, 3002])
        self.assertIn("Host:", get(8000))
        self.assertEqual(self.laptop.list()["questions"], [])
        self.assertEqual(len(notifications.calls()), 1)

    def test_an_answer_for_one_port_leaves_the_others_and_the_page(self):
        for port in (8000, 3001, 3002):
            self.server(port)
        notifications = self.laptop.notify()
        self.open(ports=[3001, 3002])
        first = notifications.wait_for(1)
        self.assertRegex(first["summary"], r" use ports 8000, 3001 and 3002\?$")
        self.assertEqual(
            [json.loads(line)["port"] for line in self.laptop.ports("--refuse", "3001", "--refuse", "3002").stdout.splitlines()],
            [3001, 3002],
        )
        last = wait_until(
            lambda: [call for call in notifications.calls() if call["summary"].endswith(" use port 8000?")], "the rest is asked"
        )[0]
        self.assertEqual(last["id"], first["id"])
        notifications.obey("invoke", last["id"], "token_1", "allow")
        wait_until(lambda: not self.laptop.list()["questions"], "it's answered")
        self.assertEqual([one["port"] for one in self.laptop.list()["allowed"]], [8000])
        self.assertEqual([one["port"] for one in self.laptop.list()["refused"]], [3001, 3002])
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        self.assertIn("may not use port 3001 of laptop", self.desktop.curl("http://laptop.localhost:3001/head").stdout)
        # What is open on a port ends with it, and nothing else does.
        never = self.spawn(on(self.desktop.host, "curl", "--silent", "http://laptop.localhost:8000/never"), stdout=subprocess.PIPE)
        wait_until(lambda: self.laptop.list()["pages"][0]["connections"] == 1, "it's open")
        self.laptop.refuse(8000)
        self.assertIn(b"may not use port 8000 of laptop", never.stdout.read())
        self.assertIn("may not use port 8000 of laptop", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        self.laptop.allow(8000)
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)

    def test_a_server_that_starts_later_is_a_question_of_its_own(self):
        self.server()
        notifications = self.laptop.notify()
        self.open(ports=[3001])
        self.assertRegex(notifications.wait_for(1)["summary"], r" use port 8000\?$")
        self.server(3001)
        self.assertIn("is asking", self.desktop.curl("http://laptop.localhost:3001/head").stdout)
        self.assertRegex(notifications.wait_for(2)["summary"], r" use port 3001\?$")
        self.laptop.ports("--allow", "3001", "--allow", "8000")
        wait_until(lambda: len(notifications.calls("CloseNotification")) == 2, "both are withdrawn")

    def test_a_no_is_remembered_until_it_is_forgotten(self):
        self.server()
        notifications = self.laptop.notify()
        self.open()
        get = lambda: self.desktop.curl("http://laptop.localhost:8000/head").stdout
        self.assertIn("is asking", get())
        question = notifications.wait_for(1)
        self.assertRegex(question["summary"], r"^May desktop and your other machines in the team \w+ use port 8000\?$")
        self.assertEqual(question["actions"], ["allow", "Allow", "refuse", "Don't allow"])
        notifications.obey("invoke", question["id"], "token_1", "refuse")
        wait_until(lambda: self.laptop.list()["refused"], "the answer is no")
        self.assertIn("may not use port 8000", get())
        self.laptop.stop()
        self.laptop.start()
        refused = self.laptop.list()["refused"]
        self.assertEqual([(one["port"], one["teamName"] in question["summary"]) for one in refused], [(8000, True)])
        self.open()
        self.assertIn("may not use port 8000", get())
        self.assertEqual(self.laptop.list()["questions"], [])
        self.assertIn("Port 8000: refused in the team", self.laptop.baton("ports").stdout)
        self.laptop.forget(8000)
        self.assertEqual(self.laptop.list()["refused"], [])
        self.assertIn("is asking", get())

    def test_an_answer_that_cannot_be_saved_is_none(self):
        self.laptop.allow(3001)
        file = self.laptop.data / "baton/ports.json"
        saved = file.read_bytes()
        # Even root can't replace a folder by a file.
        file.unlink()
        file.mkdir()
        (file / "x").touch()
        result = self.laptop.ports("--allow", "8000", check=False)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("couldn't be saved", result.stderr)
        self.assertEqual([one["port"] for one in self.laptop.list()["allowed"]], [3001])
        for words in (["--forget", "3001"], ["--refuse", "3001"]):
            self.assertNotEqual(self.laptop.ports(*words, check=False).returncode, 0)
            # It doesn't last, but it applies.
            self.assertEqual(self.laptop.list()["allowed"], [])
        self.assertEqual(sorted(path.name for path in file.parent.glob("ports.json*")), ["ports.json"])
        (file / "x").unlink()
        file.rmdir()
        file.write_bytes(saved)
        self.laptop.allow(8000)
        self.laptop.stop()
        self.laptop.start()
        self.assertEqual([one["port"] for one in self.laptop.list()["allowed"]], [8000])

    def test_only_ports_of_the_page_can_be_asked_for(self):
        self.server(8000)
        self.laptop.allow(8000)
        connection, activity = self.offer(ports=range(1, 100))
        self.daemons[1].call("OpenOffer", id=activity)
        self.desktop.wait_for_log("Can't open a local page of another machine")
        self.assertEqual(self.desktop.addresses(), [])
        # A receiver that asks for another port gets none, whatever was allowed.
        self.server(9000)
        self.laptop.allow(9000)
        stream = self.stream()
        stream.sendall(b"\x01\0\0\0\x01\0\x02" + (9000).to_bytes(2, "big"))
        self.assertEqual(stream.recv(100), b"\x05\0\0\0\x01\0\x01\x02")

    def stream(self):
        """A stream of a page as a program of the receiver's that does what it wants."""
        connection, activity = self.offer()
        self.daemons[1].call("Continue", id=activity)
        opener = self.daemons[1].connect()
        opener.send("OpenStream", {"activity": activity}, upgrade=True)
        self.serve(connection)
        opener.receive()
        return opener.socket

    def test_a_receiver_that_breaks_the_rules_loses_the_stream(self):
        self.server()
        self.laptop.allow(8000)
        for frames in (
            b"\x02\0\0\0\x07\0\x01x", b"\x01\0\0\0\x01\0\x02\0\0", b"\x01\0\0\0\x01\xff\xff",
            b"\x01\0\0\0\x02\0\x02\x1f\x40" + b"\x01\0\0\0\x01\0\x02\x1f\x40",
            b"\x01\0\0\0\x01\0\x02\x1f\x40\x03\0\0\0\x01\0\x04\xff\xff\xff\xff",
        ):
            stream = self.stream()
            stream.sendall(frames)
            try:
                while stream.recv(4096):
                    pass
            except ConnectionResetError:
                pass
            wait_until(lambda: not self.laptop.list()["pages"], "the page is closed")

    def test_a_server_of_another_user_is_not_used(self):
        self.server(prefix=("setpriv", "--reuid", "65534", "--clear-groups"))
        self.laptop.allow(8000)
        self.open()
        answer = self.desktop.curl("http://laptop.localhost:8000/head").stdout
        self.assertIn("belongs to a different user", answer)

    def test_another_user_of_the_receiver_gets_nothing(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        request = b"GET /head HTTP/1.1\r\nHost: laptop.localhost:8000\r\n\r\n"
        for address in ("127.0.0.1", "::1"):
            self.assertIn(b"200 OK", self.desktop.raw(8000, request, address=address))
            other = self.desktop.raw(
                8000, request, address=address, prefix=("setpriv", "--reuid", "65534", "--clear-groups")
            )
            self.assertEqual(other, b"RESET\n")

    def test_an_end_that_never_reads_loses_the_stream(self):
        stream = self.stream()
        # Each is answered, because the port isn't the page's.
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            for first in range(1, 8_000_000, 10_000):
                frames = (b"\x01" + number.to_bytes(4, "big") + b"\0\x02\x23\x28" for number in range(first, first + 10_000))
                stream.sendall(b"".join(frames))
        self.assertEqual(self.laptop.list()["pages"], [])

    def test_forgetting_a_port_ends_its_connections(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        never = self.spawn(on(self.desktop.host, "curl", "--silent", "http://laptop.localhost:8000/never"), stdout=subprocess.PIPE)
        wait_until(lambda: self.laptop.list()["pages"][0]["connections"] == 1, "it's open")
        self.laptop.forget(8000)
        self.assertIn(b"may not use port 8000 of laptop", never.stdout.read())
        self.assertIn("is asking", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        self.laptop.refuse(8000)
        self.assertIn("may not use port 8000", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        self.laptop.allow(8000)
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)


class CommandTests(LocalPageTest):
    def test_ports_are_listed_allowed_and_forgotten(self):
        self.assertEqual(json.loads(self.laptop.ports().stdout), {"allowed": [], "refused": [], "questions": [], "pages": []})
        self.assertIn("may not use any ports", self.laptop.baton("ports").stderr)
        for words in (["--allow", "0"], ["--allow", "x"], ["--allow", "65536"], ["--forget", "08000"], ["--team", "x"],
                      ["--allow", "1", "--forget", "1"], ["--refuse", "1", "--allow", "1"], ["--refuse", "-1"]):
            self.assertEqual(self.laptop.ports(*words, check=False).returncode, 2, words)
        self.server()
        self.open()
        self.desktop.curl("http://laptop.localhost:8000/head")
        self.assertIn("Port 8000: desktop is asking for the team ", self.laptop.baton("ports").stdout)
        self.assertIn("of the team Demo may use port 8000", self.laptop.baton("ports", "--allow", "8000").stdout)
        team = json.loads(self.laptop.ports("--allow", "8000").stdout)["team"]
        listed = json.loads(self.laptop.ports().stdout)
        self.assertEqual((listed["allowed"], listed["questions"]), ([{"port": 8000, "team": team, "teamName": "Demo"}], []))
        self.assertIn("http://laptop.localhost:8000", self.desktop.baton("ports").stdout)
        self.assertEqual(self.laptop.ports("--forget", "8000", "--team", "Other", check=False).returncode, 8)
        self.assertEqual(json.loads(self.laptop.ports("--refuse", "8000").stdout)["team"], team)
        listed = json.loads(self.laptop.ports().stdout)
        self.assertEqual((listed["allowed"], listed["refused"][0]["team"]), ([], team))
        self.laptop.ports("--forget", "8000", "--team", team)
        self.assertEqual(json.loads(self.laptop.ports().stdout)["allowed"], [])


class LifeTests(LocalPageTest):
    def test_a_lost_connection_does_not_end_the_page(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        self.cut(*self.daemons)
        wait_until(
            lambda: "Host:" in self.desktop.curl("http://laptop.localhost:8000/head", check=False).stdout, "the page is back"
        )

    def test_a_sleeping_machine_ends_it(self):
        logind = FakeLogind(self, self.host(0))
        self.server()
        self.laptop.allow(8000)
        self.open()
        self.assertIn("Host:", self.desktop.curl("http://laptop.localhost:8000/head").stdout)
        logind.obey("sleep")
        wait_until(lambda: not self.laptop.list()["pages"], "the page is closed")
        answer = self.desktop.curl("http://laptop.localhost:8000/head", "--write-out", "%{http_code}").stdout
        self.assertIn("laptop is asleep, locked or out of reach", answer)
        self.assertTrue(answer.endswith("502"))
        logind.obey("wake")

    def test_the_agents_end_ends_the_listener(self):
        self.server()
        self.laptop.allow(8000)
        self.open()
        self.desktop.stop()
        self.assertNotEqual(self.desktop.curl("http://laptop.localhost:8000/head", check=False).returncode, 0)
        wait_until(lambda: not self.laptop.list()["pages"], "the page is closed there, too")
