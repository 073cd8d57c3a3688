# SPDX-License-Identifier: Apache-2.0
"""The servers where machines meet, on the server of the lab `routed`."""
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import threading

from lab import PATIENCE, LabTest, on, wait_until

SERVER = "203.0.113.10"
# Where packages of Debian install them, if they are not in the PATH.
PATH = os.environ["PATH"] + ":/usr/sbin"


def run(host, *command, check=True):
    return subprocess.run(on(host, *command), check=check, capture_output=True, text=True, timeout=60).stdout


HIDING = """
table ip nat {
  chain post {
    type nat hook postrouting priority 100
    oifname "wan" masquerade
  }
}
table ip filter {
  chain forward {
    type filter hook forward priority 0; policy accept
    iifname "wan" ct state new drop
  }
}
"""


def nat(router, is_on=True):
    """Whether the router hides its link: connections only go out, under its own address."""
    run(router, "nft", "flush ruleset")
    if is_on:
        run(router, "nft", HIDING)


class RendezvousTest(LabTest):
    labs = ("routed",)

    def setUp(self):
        super().setUp()
        for router in ("ra", "rb"):
            self.addCleanup(nat, router, False)
        self.servers = {}

    def link(self, is_up):
        """The wire between both hosts."""
        for host in ("a", "b"):
            run(host, "ip", "link", "set", "w0", "up" if is_up else "down")

    def start_server(self, name, directory, host="s"):
        """`nats` or `relay`, from the directory that `baton rendezvous create` has written."""
        command = {
            "nats": ["nats-server", "-c", "nats.conf"],
            "relay": ["strelaysrv", "-pools=", "-status-srv=", "-nat=false", "-keys=relay", "-listen=:22067"],
        }[name]
        program = shutil.which(command[0], path=PATH)
        self.assertIsNotNone(program, command[0])
        log = self.directory / f"{name}.log"
        self.logs.append(log)
        with open(log, "ab") as output:
            process = self.spawn(on(host, program, *command[1:]), cwd=directory, stdout=output, stderr=output)
        port = {"nats": 4222, "relay": 22067}[name]
        wait_until(lambda: f":{port} " in run(host, "ss", "-Hltn") + " ", f"{name} listens")
        self.servers[name] = process
        return process

    def stop_server(self, name, number=signal.SIGTERM):
        process = self.servers.pop(name)
        process.send_signal(number)
        process.wait(PATIENCE)

    def start_servers(self, administrator, *options):
        directory = self.directory / "servers"
        administrator.baton("rendezvous", "create", directory, "--server", SERVER, *options)
        for name in ("nats", "relay"):
            self.start_server(name, directory)
        return directory

    def machines(self):
        """Two machines of a team that have never met."""
        laptop = self.batond("laptop", 0, arguments=["--port", 22866]).start()
        desktop = self.batond("desktop", 1, arguments=["--port", 22866]).start()
        laptop.baton("team", "create", "Demo")
        return laptop, desktop

    def wait_until_ready(self, *daemons, deadline=PATIENCE):
        def is_ready(daemon):
            teams = daemon.json("rendezvous", "show")["teams"]
            return teams and all(team["state"] == "ready" for team in teams)

        for daemon in daemons:
            wait_until(lambda: is_ready(daemon), f"{daemon.name} is at the server", deadline)

    def path(self, daemon):
        peers = daemon.json("peers")["peers"]
        return next((peer.get("path") for peer in peers if peer["state"] == "connected"), None)

    def wait_for_path(self, daemon, *paths, deadline=PATIENCE):
        return wait_until(lambda: self.path(daemon) in paths and self.path(daemon), f"{daemon.name}: {paths}", deadline)


class Pump:
    """Bytes that run both ways between two sockets until they are stopped, and what arrived."""

    PIECE = 1 << 16

    def __init__(self, *sockets):
        self.sockets = sockets
        self.is_stopped = False
        self.sent = [hashlib.sha256(), hashlib.sha256()]
        self.received = [hashlib.sha256(), hashlib.sha256()]
        self.counts = [0, 0]
        self.errors = []
        pieces = [random.Random(number).randbytes(self.PIECE) for number in (1, 2)]
        work = [(self.write, pieces[0]), (self.write, pieces[1]), (self.read, None), (self.read, None)]
        self.threads = [
            threading.Thread(target=self.attempt, args=(body, number % 2, piece), daemon=True)
            for number, (body, piece) in enumerate(work)
        ]
        for thread in self.threads:
            thread.start()

    def attempt(self, body, side, piece):
        try:
            body(side, piece)
        except OSError as error:
            self.errors.append(error)

    def write(self, side, piece):
        count = 0
        while not self.is_stopped:
            numbered = count.to_bytes(8, "big") + piece
            self.sockets[side].sendall(numbered)
            self.sent[side].update(numbered)
            count += 1
        self.sockets[side].shutdown(socket.SHUT_WR)

    def read(self, side, _):
        while data := self.sockets[side].recv(1 << 18):
            self.received[side].update(data)
            self.counts[side] += len(data)

    def wait_for(self, count, deadline=PATIENCE):
        """Until so many more bytes have arrived on both sides."""
        goals = [have + count for have in self.counts]

        def is_done():
            if self.errors:
                raise AssertionError(f"a stream broke: {self.errors}, {self.counts}")
            return all(have >= goal for have, goal in zip(self.counts, goals))

        wait_until(is_done, f"{count} bytes each way", deadline)

    def finish(self, deadline=PATIENCE):
        self.is_stopped = True
        for thread in self.threads:
            thread.join(deadline)
        if self.errors or any(thread.is_alive() for thread in self.threads):
            raise AssertionError(f"the streams did not end: {self.errors}, {self.counts}")
        sent, received = ([hash.hexdigest() for hash in hashes] for hashes in (self.sent, self.received))
        return sent == received[::-1]
