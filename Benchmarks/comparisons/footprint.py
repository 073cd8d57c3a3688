# SPDX-License-Identifier: Apache-2.0
"""Memory, threads, wake-ups and packets of a daemon that has nothing to do, and what each peer, stream and client adds."""
import contextlib
import json
import os
import subprocess
import sys
import time

from comparisons.machines import BUILD, LAB_DIRECTORY, Machines, Refused, wait_until
from comparisons.multicast import Capture, is_mdns, is_tcp_of
from comparisons.processes import WakeUps, memory, threads
from comparisons.results import Figures
from control_socket import VarlinkError

TITLE = "Footprint"
PEERS, QUICK_PEERS, CLIENTS, STREAMS, QUICK_STREAMS, STRANGERS = 20, 5, 100, 64, 8, 200
# The seconds in which what just happened comes to rest.
REST = 1.5


def labs(options):
    yield ["lan", "2"], {}, None


def settings(options):
    return {
        "baton": "the default configuration; all daemons on one host, and the strangers' instances on another one (Tests/Lab/mdns.py)",
        "memory": "/proc/PID/smaps_rollup, in 10^6 bytes, after the daemon has rested",
        "wake-ups": f"voluntary context switches of all threads, in {options.window} s",
        "packets": f"captured in {options.window} s",
    }


class Round:
    """Everything once, with new daemons. Packets are counted in the first round only, because that takes minutes."""

    def __init__(self, options, progress, machines, figures):
        self.options, self.progress, self.machines = options, progress, machines
        self.memory, self.each, self.idle = figures

    def measure(self, number):
        names = f"r{number}-"
        self.subject = self.machines.daemon(f"{names}subject").start()
        self.subject.json("team", "create", "Benchmark")
        count = QUICK_PEERS if self.options.quick else PEERS
        self.rested("alone")
        if number == 0:
            self.count("alone")
        before = memory(self.process)
        peers = [self.machines.daemon(f"{names}{peer}") for peer in range(count)]
        self.machines.admit(self.subject, *peers)
        for daemon in (self.subject, *peers):
            daemon.wait_for_sessions(count, 120)
        after = self.rested(f"with {count} peers")
        self.add_each("peer", before, after, count)
        if number == 0:
            self.count(f"with {count} peers")
        # Freed memory stays with the process, so what needs least comes first.
        self.measure_clients()
        self.measure_strangers()
        self.measure_streams(peers)
        # The next round is about new ones.
        for daemon in (self.subject, *peers):
            daemon.kill()

    @property
    def process(self):
        return self.subject.process.pid

    def rested(self, what):
        self.progress.say(f"memory, {what}")
        time.sleep(REST)
        found = memory(self.process)
        for name, value in found.items():
            self.memory.add(f"{what}, {name}", value)
        self.memory.add(f"{what}, threads", threads(self.process))
        return found

    def add_each(self, what, before, after, count):
        # What processes share says nothing about one more of something.
        self.each.add(what, (after["Anonymous"] - before["Anonymous"]) / count * 1000)

    def count(self, case):
        self.progress.say(f"wake-ups and packets, {case}, {self.options.window} s")
        with Capture("eth0") as wire, Capture("lo") as loopback, WakeUps(self.process) as woken:
            time.sleep(self.options.window)
        self.idle.add(f"{case}, wake-ups a minute", woken.per_minute)
        self.idle.add(f"{case}, multicast packets a minute, of all daemons", wire.per_minute(is_mdns))
        self.idle.add(f"{case}, packets of its sessions a minute", loopback.per_minute(is_tcp_of(self.subject.port)))

    def measure_clients(self):
        self.progress.say(f"{CLIENTS} control clients")
        before = memory(self.process)
        clients = [self.subject.connect() for _ in range(CLIENTS)]
        for client in clients:
            client.more("ListOffers").receive()
        self.add_each("control client that watches", before, self.rest(), CLIENTS)
        for client in clients:
            client.close()
        self.rest()

    def rest(self):
        time.sleep(REST)
        return memory(self.process)

    def measure_streams(self, peers):
        count = QUICK_STREAMS if self.options.quick else STREAMS
        self.progress.say(f"{count} streams, or as many as the daemon allows")
        before, open_streams = memory(self.process), []
        for number in range(count):
            try:
                near, far, _ = self.machines.open_stream(peers[number % len(peers)], self.subject)
            except VarlinkError:
                break
            open_streams.append((near, far))
        self.add_each("stream without data", before, self.rest(), len(open_streams))
        for near, _ in open_streams:
            # Until nothing more has gone in for a moment.
            near.settimeout(0.2)
            with contextlib.suppress(TimeoutError):
                while near.send(b"x" * (1 << 20)):
                    pass
        self.add_each("stream whose app does not read", before, self.rest(), len(open_streams))
        for pair in open_streams:
            for end in pair:
                end.close()
        self.rest()

    def measure_strangers(self):
        from stranger import instance, random_label, signed_text
        self.progress.say(f"{STRANGERS} strangers")
        before = memory(self.process)
        names = [random_label() for _ in range(STRANGERS)]
        entries = [instance("10.77.0.3", signed_text(os.urandom(32), name), name) for name in names]
        announcer = self.machines.spawn(
            self.machines.on(1, sys.executable, LAB_DIRECTORY / "mdns.py", "announce"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        announcer.stdin.write(json.dumps(entries).encode())
        announcer.stdin.close()
        if announcer.stdout.readline() != b"READY\n":
            raise Refused("the strangers are not announced")
        wait_until(lambda: len(self.machines.instances(0) & set(names)) == STRANGERS, "the strangers are seen", interval=0.5)
        self.add_each("watched stranger", before, self.rest(), STRANGERS)
        announcer.terminate()
        announcer.wait()


def sizes(work):
    figures = Figures("Installed programs", "MB", "As built by `swift build -c release`, and without symbols (strip).")
    for name in ("batond", "baton"):
        figures.add(name, (BUILD / name).stat().st_size / 1e6)
        stripped = work / f"{name}-stripped"
        subprocess.run(["strip", "-o", stripped, BUILD / name], check=True)
        figures.add(f"{name}, stripped", stripped.stat().st_size / 1e6)
    return figures


def measure(options, progress, part):
    figures = (
        Figures("Memory", "MB (threads: a count)"),
        Figures("Memory of each", "kB", "The additional anonymous memory (mostly heap) for all of them, divided by their number."),
        Figures("An idle daemon", "a minute"),
    )
    rounds = 1 if options.quick else options.rounds
    with Machines() as machines:
        for number in range(rounds):
            progress.say(f"round {number + 1} of {rounds}")
            Round(options, progress, machines, figures).measure(number)
        return [*figures, sizes(machines.directory)]
