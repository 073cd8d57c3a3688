# SPDX-License-Identifier: Apache-2.0
"""Memory, threads, wake-ups and packets of an idle daemon, what each peer, stream and client adds, and starts."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time

from comparisons import starts
from comparisons.machines import BUILD, LAB_DIRECTORY, Machines, Refused, wait_until
from comparisons.multicast import Capture, is_mdns, is_tcp_of
from comparisons.processes import WakeUps, memory, threads
from comparisons.results import Figures, Samples
from control_socket import VarlinkError

TITLE = "Footprint"
PEERS, QUICK_PEERS, CLIENTS, STREAMS, QUICK_STREAMS, STRANGERS = (5, 20), (5,), 100, 64, 8, 200
# Starts of each program, and those without the page cache.
STARTS, QUICK_STARTS, COLD_STARTS = 100, 20, 10
# The seconds in which what just happened comes to rest.
REST = starts.REST


def labs(options):
    yield ["lan", "2"], {"BATON_BUILD": os.environ.get("BENCH_STRIPPED", "")}, None


def settings(options):
    return {
        "baton": "the default configuration; all daemons on one host, and the strangers' instances on another one (Tests/Lab/mdns.py)",
        "programs": "stripped copies, as `make install-strip` and the Debian packages install them",
        "agent": "`baton agent --no-notifications` of a user without an index, next to one batond",
        "start": "of batond without a team, from fork to its first answer to GetStatus; of `baton list` without "
        "offers, from fork to exit",
        "memory": "/proc/PID/smaps_rollup, in 10^6 bytes, after the daemon has rested; Pss divides shared pages by the "
        "processes that have them",
        "wake-ups": f"voluntary context switches of all threads, in {options.window} s",
        "packets": f"captured in {options.window} s",
    }


class Round:
    """Everything once, with new daemons. Packets are counted in the first round only, because that takes minutes."""

    def __init__(self, options, progress, machines, figures):
        self.options, self.progress, self.machines = options, progress, machines
        self.memory, self.each, self.idle = figures[:3]

    def measure(self, number):
        names = f"r{number}-"
        self.subject = self.machines.daemon(f"{names}subject").start()
        self.subject.json("team", "create", "Benchmark")
        self.rested("alone")
        if number == 0:
            self.count("alone")
        self.measure_agent()
        before, peers = memory(self.process), []
        for count in QUICK_PEERS if self.options.quick else PEERS:
            more = [self.machines.daemon(f"{names}{number}") for number in range(len(peers), count)]
            self.machines.admit(self.subject, *more)
            peers += more
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

    def measure_agent(self):
        self.progress.say("memory of an agent")
        home = self.machines.directory / f"{self.subject.name}-home"
        home.mkdir()
        socket = home / "search.sock"
        environment = {
            **os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "XDG_DATA_HOME": f"{home}/share",
            "XDG_CONFIG_HOME": str(home), "BATON_SOCKET": str(self.subject.socket), "BATON_SEARCH_SOCKET": str(socket),
        }
        agent = self.machines.spawn_on(
            0, BUILD / "baton", "agent", "--no-notifications", "--log-level", "warning", env=environment)
        wait_until(socket.exists, "the agent")
        time.sleep(REST)
        for name, value in memory(agent.pid).items():
            self.memory.add(f"agent, {name}", value)
        self.memory.add("agent, threads", threads(agent.pid))
        agent.terminate()
        agent.wait()
        # What it let the daemon take stays with that.
        self.rest()

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


def measure_starts(options, progress, machines, samples):
    """In turns. Nothing else runs the copy of batond that leaves the page cache."""
    progress.say("starts")
    copies = machines.directory / "copies"
    copies.mkdir()
    shutil.copy(BUILD / "batond", copies)
    warm, cold = starts.Starts(machines, "warm", BUILD), starts.Starts(machines, "cold", copies)
    subject = machines.daemon("listing", build=BUILD).start()
    environment = {**os.environ, "BATON_SOCKET": str(subject.socket)}
    for number in range(QUICK_STARTS if options.quick else STARTS):
        samples.add("batond, until its first answer", warm.once() * 1000)
        warm.end()
        if number < COLD_STARTS:
            starts.forget(copies / "batond")
            samples.add("batond, from the disk", cold.once() * 1000)
            cold.end()
        samples.add("baton list", starts.run([BUILD / "baton", "list"], environment) * 1000)
        samples.add("true, which does nothing", starts.run([starts.TRUE]) * 1000)


def sizes():
    figures = Figures("Installed programs", "MB", "Without symbols (strip).")
    for name in ("batond", "baton"):
        figures.add(name, (BUILD / name).stat().st_size / 1e6)
    return figures


def measure(options, progress, part):
    figures = (
        Figures("Memory", "MB (threads: a count)"),
        Figures("Memory of each", "kB", "The additional anonymous memory (mostly heap) for all of them, divided by their number."),
        Figures("An idle daemon", "a minute"),
        Samples("Starts", "ms"),
    )
    rounds = 1 if options.quick else options.rounds
    with Machines() as machines:
        for number in range(rounds):
            progress.say(f"round {number + 1} of {rounds}")
            Round(options, progress, machines, figures).measure(number)
        measure_starts(options, progress, machines, figures[3])
        return [*figures, sizes()]
