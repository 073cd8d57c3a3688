# SPDX-License-Identifier: Apache-2.0
"""Servers as `baton rendezvous create --organization` configures them, and what their operator tells them."""
import json
import shutil
import socket
import ssl
import subprocess
import time

from servers import tokens

# The default of `--server`.
PORT = 4222
PATIENCE = 60


class Organization:
    """Makes the configuration for servers with these addresses, and starts them."""

    def __init__(self, work, build, hosts, port):
        self.work, self.port, self.hosts, self.servers = work, port, hosts, {}
        state, control = work / "state", work / "baton.sock"
        work.mkdir()
        state.mkdir(mode=0o700)
        daemon = subprocess.Popen(
            [build / "batond", "--state-directory", state, "--socket", control, "--port", "0", "--no-discovery"],
            stdout=subprocess.DEVNULL, stderr=open(work / "batond.log", "wb"))
        try:
            wait_until(control.exists, "batond starts")
            words = [word for host in hosts for word in ("--server", f"{host}:{port}")]
            subprocess.run(
                [build / "baton", "rendezvous", "create", work / "servers", "--socket", control, "--organization", "benchmark",
                 *words], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        finally:
            daemon.terminate()
            daemon.wait()
        keys = json.loads((state / "operators.json").read_text())["operators"][0]["keys"]
        self.operator, self.system = (
            tokens.Key(kind, tokens.base64.b64decode(keys[name])) for kind, name in (("operator", "seed"), ("account", "system")))
        self.certificate = ssl.PEM_cert_to_DER_cert((work / "servers/server.pem").read_text())
        for host in hosts:
            shutil.copytree(work / "servers", work / host)
            if len(hosts) > 1:
                self.listen_on(host)

    def listen_on(self, host):
        """Servers of a cluster are on machines of their own. Here, each has one of the machine's addresses."""
        path = self.work / host / "nats.conf"
        path.write_text(path.read_text().replace('"[::]:', f'"{host}:'))

    @property
    def addresses(self):
        return [(host, self.port) for host in self.hosts]

    def start(self, host):
        """Returns when the server listens."""
        log = open(self.work / f"{host}.log", "ab")
        self.servers[host] = subprocess.Popen(
            ["nats-server", "-c", "nats.conf"], cwd=self.work / host, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        wait_until(lambda: is_listening((host, self.port)), f"nats-server listens at {host}", self.servers[host])
        return self.servers[host].pid

    def kill(self, host):
        server = self.servers.pop(host)
        server.kill()
        server.wait()

    def stop(self):
        for host in list(self.servers):
            self.kill(host)

    def push(self, account, name, revoked=(), host=None):
        """What AccountPublisher does, with a connection of its own. It returns when a server has answered."""
        user = tokens.Key("user")
        token = tokens.account_token(self.operator, account, name, revoked).encode()
        connection = Connection((host or self.hosts[0], self.port), self.certificate, user, tokens.administrator_token(self.system, user))
        try:
            connection.send(
                b"SUB _INBOX.baton 1\r\nPUB $SYS.REQ.CLAIMS.UPDATE _INBOX.baton %d\r\n%s\r\n" % (len(token), token))
            reply = json.loads(connection.message())
            if reply.get("data", {}).get("code") != 200:
                raise RuntimeError(f"The account was refused: {reply}")
        finally:
            connection.close()


class Connection:
    """A connection that blocks, of somebody whose token is accepted."""

    def __init__(self, address, certificate, user, token):
        plain = socket.create_connection(address, timeout=10)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The server says nothing more until TLS.
        info = plain.recv(16384)
        while not info.endswith(b"\r\n"):
            info += plain.recv(16384)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.socket = context.wrap_socket(plain)
        if self.socket.getpeercert(True) != certificate:
            raise RuntimeError("The server has another certificate")
        self.input = b""
        self.send(tokens.connect_line(user, token, json.loads(info[5:])["nonce"]) + b"PING\r\n")
        line = self.line()
        while line.startswith(b"INFO"):
            line = self.line()
        if line != b"PONG":
            raise PermissionError(line.decode())

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed")
        self.input += data

    def line(self):
        while b"\r\n" not in self.input:
            self.receive()
        line, self.input = self.input.split(b"\r\n", 1)
        return line

    def message(self):
        while True:
            line = self.line()
            if line == b"PING":
                self.send(b"PONG\r\n")
            elif line.startswith(b"-ERR"):
                raise PermissionError(line.decode())
            elif line.startswith(b"MSG "):
                length = int(line.split()[-1])
                while len(self.input) < length + 2:
                    self.receive()
                payload, self.input = self.input[:length], self.input[length + 2:]
                return payload

    def close(self):
        self.socket.close()


def is_listening(address):
    try:
        socket.create_connection(address, timeout=1).close()
        return True
    except OSError:
        return False


def wait_until(condition, what, process=None, seconds=PATIENCE):
    """Returns how long it took."""
    began = time.monotonic()
    while not condition():
        if process and process.poll() is not None:
            raise RuntimeError(f"{what}: it ended with status {process.returncode}")
        if time.monotonic() - began > seconds:
            raise RuntimeError(f"{what}: not in {seconds} s")
        time.sleep(0.02)
    return time.monotonic() - began
