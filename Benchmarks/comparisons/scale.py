# SPDX-License-Identifier: Apache-2.0
"""Time and memory for n sessions, offers, programs that watch, streams and changes, and `continue` beside them."""
import resource
import time

from comparisons import waits
from comparisons.machines import Machines
from comparisons.peers import SimulatedPeers
from comparisons.processes import memory, processor_time
from comparisons.results import Curve
from control_socket import VarlinkError

TITLE = "Scale"
COUNTS = (1, 3, 10, 30, 100, 300, 1000)
QUICK_COUNTS = (1, 3, 10, 30, 100)
STREAMS, QUICK_STREAMS = (1, 4, 16, 64, 256, 1000), (1, 4, 16, 64)
CHANGES = (100, 1000, 10_000)
# Times of one count.
REPEATS = 5
# What goes over one stream while the others are idle.
TRANSFER = 128 << 20
DESCRIPTORS = 16384
REFUSALS = (VarlinkError, OSError, EOFError)


def labs(options):
    yield ["lo"], {}, None


def settings(options):
    return {
        "baton": "one batond is measured, with the default configuration; n grows to the last n of the table, or until it refuses more",
        "peers": "simulated in one process that uses the real protocol; they come from 16 addresses",
        "memory": "Anonymous in /proc/PID/smaps_rollup: memory that the daemon has written, in 10^6 bytes",
        "continuations": "of an offer of the measured daemon by a second batond, when all have heard of it; of one of "
        "n offers, by a program of the measured daemon",
        "streams": "from programs of the measured daemon to the simulated machines, in turn",
    }


class Scale:
    def __init__(self, options, progress, machines):
        self.options, self.progress, self.machines = options, progress, machines
        self.counts = QUICK_COUNTS if options.quick else COUNTS
        self.memory = Curve("Memory of the daemon, by n", "MB")
        self.times = Curve("Time, by n", "ms", growth="total")
        self.each = Curve("Time, divided by n", "ms", "A flat curve is good.", growth="each")
        self.costs = Curve("CPU time of the daemon, divided by n", "ms", "A flat curve is good.", growth="each")
        self.idle = Curve("CPU time of the daemon for n idle sessions", "ms per second", growth="total")
        self.waits = waits.Waits()
        self.rates = Curve("Throughput of one stream out of n", "MB/s", "The others are open and idle.")
        self.subject, self.other = (machines.daemon(name).start() for name in ("subject", "other"))
        machines.make_team(self.subject, self.other, name="Benchmark")
        self.peers = SimulatedPeers(machines, self.subject)

    def note(self, name, n, cost=None):
        self.memory.add(name, (n, memory(self.subject.process.pid)["Anonymous"]))
        if cost is not None:
            self.costs.add(name, (n, cost * 1000))

    def spent(self):
        return processor_time([self.subject.process.pid])

    def time(self, name, n, began):
        self.times.add(name, (n, (time.perf_counter() - began) * 1000))

    def time_each(self, name, n, began, share):
        self.each.add(name, (n, (time.perf_counter() - began) * 1000 / share))

    def wait(self, name, n):
        """Another machine continues what a program of the daemon offers."""
        number = waits.count(self.options)
        self.waits.add(name, n, waits.continuations(self.subject, self.other, number, self.peers.wait_until_told))

    def wait_for_offers(self, n):
        """A program of the daemon continues what the machines offer, each once."""
        left, turn = waits.count(self.options), 0
        with self.subject.connect() as connection:
            while left > 0:
                turn += 1
                for activity in self.peers.offer(n, f"theirs-{n}-{turn}")[:left]:
                    self.waits.add("of one of n offers", n, [waits.continue_once(connection, activity)])
                    left -= 1

    def sessions(self):
        known = 0
        for n in self.counts:
            self.progress.say(f"{n} sessions")
            before, began = self.spent(), time.perf_counter()
            self.peers.grow(n)
            self.time_each("beginning each of n sessions", n, began, n - known)
            self.note("sessions", n, (self.spent() - before) / (n - known))
            known = n
            self.rest(n)
            for repeat in range(REPEATS):
                before, began = self.spent(), time.perf_counter()
                held, _ = self.subject.publish(title=f"own-{n}-{repeat}")
                self.peers.wait_until_told(f"own-{n}-{repeat}")
                self.time("an offer reaches n machines", n, began)
                self.costs.add("an offer for n machines", (n, (self.spent() - before) * 1000 / n))
                held.close()
            self.wait("n sessions", n)
            before, began = self.spent(), time.perf_counter()
            self.peers.offer(n, f"theirs-{n}")
            self.time("each of n machines offers something", n, began)
            self.note("offers of n machines", n, (self.spent() - before) / n)
            for _ in range(REPEATS):
                before, began = self.spent(), time.perf_counter()
                self.subject.offers()
                self.time("listing n offers", n, began)
                self.costs.add("listing n offers", (n, (self.spent() - before) * 1000 / n))
            self.wait("n offers", n)
            self.wait_for_offers(n)
            self.peers.withdraw()

    def rest(self, n):
        seconds = 2 if self.options.quick else 25
        before = self.spent()
        time.sleep(seconds)
        self.idle.add("idle sessions", (n, (self.spent() - before) * 1000 / seconds))

    def clients(self):
        """Programs that watch, and a change of the only offer until all of them have it."""
        watchers = []
        self.peers.offer(1, "watched")
        for n in self.counts:
            self.progress.say(f"{n} programs that watch")
            before, known = self.spent(), len(watchers)
            try:
                while len(watchers) < n:
                    watcher = self.subject.connect(60)
                    watcher.more("ListOffers").receive()
                    watchers.append(watcher)
            except REFUSALS as error:
                self.times.fail("a change reaches n programs", f"refused at {len(watchers) + 1} ({reason(error)})")
                break
            self.note("programs that watch", n, (self.spent() - before) / (n - known))
            for repeat in range(REPEATS):
                before, began = self.spent(), time.perf_counter()
                title = self.peers.change(1, 1, f"told-{n}-{repeat}")
                for watcher in watchers:
                    watcher.receive_until(lambda reply: any(offer.get("title") == title for offer in reply["offers"]))
                self.time("a change reaches n programs", n, began)
                self.costs.add("notifying n programs", (n, (self.spent() - before) * 1000 / n))
        for watcher in watchers:
            watcher.close()

    def streams(self):
        streams = []
        self.peers.offer_streams()
        for n in QUICK_STREAMS if self.options.quick else STREAMS:
            self.progress.say(f"{n} streams")
            before, known, began = self.spent(), len(streams), time.perf_counter()
            try:
                while len(streams) < n:
                    streams.append(self.peers.open_stream())
            except REFUSALS as error:
                self.each.fail("opening each of n streams", f"refused at {len(streams) + 1} ({reason(error)})")
                break
            self.time_each("opening each of n streams", n, began, n - known)
            self.note("streams", n, (self.spent() - before) / (n - known))
            for _ in range(REPEATS):
                before = self.spent()
                self.echo(streams)
                self.costs.add("a byte on each of n streams", (n, (self.spent() - before) * 1000 / n))
            self.wait("n streams", n)
            for _ in range(REPEATS):
                self.transfer(streams)
        for end in streams:
            end.close()

    def echo(self, streams):
        """A byte through each of them and back."""
        began = time.perf_counter()
        for end in streams:
            end.sendall(b"x")
        for end in streams:
            end.recv(1)
        self.time("round trip of a byte on n streams", len(streams), began)

    def transfer(self, streams):
        data, began = bytes(1 << 20), time.perf_counter()
        for _ in range(TRANSFER // len(data)):
            streams[0].sendall(data)
        self.rates.add("one stream", (len(streams), TRANSFER / 1e6 / (time.perf_counter() - began)))

    def changes(self):
        with self.subject.connect(60) as watcher:
            self.peers.offer(1, "changing")
            watcher.more("ListOffers").receive()
            for n in CHANGES[: 2 if self.options.quick else 3]:
                for machines in (1, self.peers.count):
                    self.progress.say(f"{n} changes of offers of {machines}")
                    name = "n changes of an offer" if machines == 1 else "n changes of the offers of all machines"
                    before, began = self.spent(), time.perf_counter()
                    title = self.peers.change(n, machines, f"changed-{n}-{machines}")
                    watcher.receive_until(lambda reply: any(offer.get("title") == title for offer in reply["offers"]))
                    self.time(name, n, began)
                    self.note(name, n, (self.spent() - before) / n)


def reason(error):
    return getattr(error, "reason", None) or str(error) or type(error).__name__


def measure(options, progress, part):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, hard), hard))
    with Machines() as machines:
        scale = Scale(options, progress, machines)
        # Streams come last, because the daemon gives their memory back only after some seconds.
        for part in (scale.sessions, scale.changes, scale.clients, scale.streams):
            part()
        return [scale.times, scale.each, *scale.waits.curves, scale.memory, scale.costs, scale.idle, scale.rates]
