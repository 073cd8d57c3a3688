# SPDX-License-Identifier: Apache-2.0
"""Machines of a team whose server is Tests/Lab/hostile_rendezvous.py; and a client of real NATS servers."""
import base64
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys

from lab import PATIENCE, PROMPT, ROOT, on, wait_until
from rendezvous import SERVER, RendezvousTest, run

PORT = 22866
# An address that the hostile server would like to be dialled.
DECOY = "203.0.113.66"
# The network of addresses that the machines get in a test.
EXTRA = "192.0.2."
WATCH = """
table inet watch {
  set dialled { type ipv4_addr . inet_service; flags dynamic; size 65535; }
  chain out {
    type filter hook output priority 0
    tcp flags & (syn | ack) == syn add @dialled { ip daddr . tcp dport }
  }
}
"""
APART = f"table inet apart {{ chain pass {{ type filter hook forward priority 0; tcp dport {PORT} drop; }}; }}"


def encode(data):
    return base64.b64encode(data).decode()


def processor_time(process):
    """Seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HostileServer:
    """The test's side of the server's control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(2 * PATIENCE)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")
        self.heard = pathlib.Path(f"{path}.heard")

    def close(self):
        self.file.close()
        self.socket.close()

    def call(self, do, **members):
        self.socket.sendall(json.dumps({"do": do, **members}).encode() + b"\n")
        answer = json.loads(self.file.readline())
        if isinstance(answer, dict) and "failed" in answer:
            raise RuntimeError(f"{do}: {answer['failed']}")
        return answer

    def say(self, data, to=None):
        self.call("say", text=encode(data), to=to)

    def messages(self):
        """What devices have published: (who, subject, payload)."""
        return [(sender, subject, base64.b64decode(text)) for sender, subject, text in self.call("messages")["messages"]]

    def deliver(self, messages, to=None, count=1):
        """Delivers (subject, payload), and waits until the receivers have taken them."""
        pairs = [(subject, encode(payload)) for subject, payload in messages]
        return self.call("deliver", messages=pairs, to=to, count=count)

    @property
    def state(self):
        return self.call("state")

    def number(self, name):
        """Another one for each connection of a device; None if it is not there."""
        return self.state["numbers"].get(name)

    @property
    def clients(self):
        return sorted(self.state["clients"])


class HostileServerTest(RendezvousTest):
    def setUp(self):
        super().setUp()
        self.extra_addresses = 0
        for host in ("a", "b"):
            run(host, "nft", WATCH)
            self.addCleanup(run, host, "nft", "delete table inet watch", check=False)

    def start_hostile(self, administrator, *options):
        """The server that the team now has; nothing is there before."""
        self.servers_directory = self.directory / "servers"
        administrator.baton("rendezvous", "create", self.servers_directory, "--server", SERVER, *options)
        path = self.directory / "hostile"
        log = self.directory / "hostile.log"
        self.logs.append(log)
        program = ROOT / "Tests/Lab/hostile_rendezvous.py"
        with open(log, "ab") as errors:
            self.hostile_process = self.spawn(
                on("s", sys.executable, program, self.servers_directory, path, DECOY), stdout=subprocess.PIPE, stderr=errors)
        self.assertEqual(self.hostile_process.stdout.readline(), b"READY\n")
        server = HostileServer(path)
        self.addCleanup(server.close)
        return server

    def keep_apart(self):
        """The machines do not reach each other, so that each knows of the other only what the server says."""
        run("ra", "nft", APART)
        self.addCleanup(self.let_meet)

    def let_meet(self):
        run("ra", "nft", "delete table inet apart", check=False)

    def team(self, *options):
        """Two machines that have never met, and the hostile server, to which both are connected."""
        laptop, desktop = self.machines()
        server = self.start_hostile(laptop, *options)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        return laptop, desktop, server

    def name(self, daemon, server):
        """What the server calls a daemon: the name that is in its token."""
        token = self.rendezvous(daemon)["user"]["token"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(token + "=="))["name"]

    def rendezvous(self, daemon):
        """Where the team meets, as the daemon keeps it."""
        return json.loads(next((daemon.state / "teams").glob("*/rendezvous.json")).read_text())

    def dialled(self):
        """All addresses that the machines have tried to connect to."""
        found = set()
        for host in ("a", "b"):
            listed = json.loads(run(host, "nft", "-j", "list", "set", "inet", "watch", "dialled"))
            elements = next(entry["set"] for entry in listed["nftables"] if "set" in entry).get("elem", [])
            found |= {tuple(element["concat"]) for element in elements}
        return found

    def assertOnlySealedIsDialled(self, *relays):
        allowed = {(SERVER, 4222), ("10.1.0.2", PORT), ("10.2.0.2", PORT), ("10.77.0.1", PORT), ("10.77.0.2", PORT)}
        dialled = {(host, port) for host, port in self.dialled() if not host.startswith(EXTRA)}
        # The control: it is noted.
        self.assertIn((SERVER, 4222), dialled)
        self.assertLessEqual(dialled, allowed | set(relays))

    def shown(self, daemon):
        return daemon.json("rendezvous", "show")["teams"][0]

    def wait_for_devices(self, daemon, count):
        """How many others the daemon has heard of at the server."""
        wait_until(lambda: self.shown(daemon)["devices"] == count, f"{daemon.name} has heard of {count}")

    def reconnect(self, *daemons):
        """A change of the network, after which they do not wait to connect again."""
        for daemon in daemons:
            # Another one each time, because what is undone soon is no change.
            self.drop_extra_address(daemon.host)
            self.extra_addresses += 1
            run(daemon.host, "ip", "addr", "add", f"{EXTRA}{self.extra_addresses}/32", "dev", "eth0")
            self.addCleanup(self.drop_extra_address, daemon.host)

    def drop_extra_address(self, host):
        run(host, "ip", "addr", "del", f"{EXTRA}{self.extra_addresses}/32", "dev", "eth0", check=False)

    def assertAnswers(self, *daemons):
        for daemon in daemons:
            self.assertTrue(daemon.is_running)
            daemon.baton("status", timeout=PROMPT)


def nkey_sign(seed, data, directory):
    """An Ed25519 signature, made by OpenSSL."""
    key, file = directory / "user.der", directory / "signed"
    key.write_bytes(bytes.fromhex("302e020100300506032b657004220420") + seed)
    file.write_bytes(data)
    command = ["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key, "-in", file]
    return subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE).stdout


class NATSClient:
    """A client of a real server, as one of a team's devices; it runs on the server's host (see `main`)."""

    def __init__(self, directory, token, seed):
        self.socket = socket.create_connection((SERVER, 4222), PATIENCE)
        info = json.loads(self.line().removeprefix("INFO "))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket)
        signature = base64.urlsafe_b64encode(nkey_sign(seed, info["nonce"].encode(), directory)).decode().rstrip("=")
        options = {"verbose": False, "pedantic": False, "lang": "python", "version": "1", "protocol": 1, "jwt": token,
                   "sig": signature}
        self.send(f"CONNECT {json.dumps(options)}\r\n")
        self.others = []

    def line(self):
        data = b""
        while not data.endswith(b"\r\n"):
            byte = self.socket.recv(1)
            if not byte:
                break
            data += byte
        return data.decode(errors="replace").strip()

    def send(self, text):
        self.socket.sendall(text.encode())

    def ask(self):
        """What the server has said until it answers a PING; the end of the connection is an empty line."""
        self.send("PING\r\n")
        said = []
        while True:
            line = self.line()
            if line.startswith("MSG "):
                length = int(line.split()[-1])
                while length + 2 > 0:
                    length -= len(self.socket.recv(length + 2))
            if line.startswith("INFO "):
                continue
            if line == "PING":
                self.send("PONG\r\n")
            elif line == "PONG":
                return said
            else:
                said.append(line)
            if not line:
                return said


def main():
    """hostile_server.py DIRECTORY: takes calls of a client on standard input: what to send, as JSON; answers with what is said."""
    directory = pathlib.Path(sys.argv[1])
    first = json.loads(sys.stdin.readline())
    client = NATSClient(directory, first["token"], base64.b64decode(first["seed"]))
    print(json.dumps(client.ask()), flush=True)
    for line in sys.stdin:
        client.send(json.loads(line))
        print(json.dumps(client.ask()), flush=True)


if __name__ == "__main__":
    main()
