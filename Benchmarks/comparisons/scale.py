"""Time and memory for n sessions, n programs that watch, n streams, and n changes of an offer."""
import time

from comparisons.machines import Machines
from comparisons.peers import RealPeers
from comparisons.processes import memory, processor_time
from comparisons.results import Curve
from control_socket import VarlinkError

TITLE = "Scale"
SESSIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
CLIENTS = (1, 10, 50, 100, 200, 500, 1000)
STREAMS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
CHANGES = (100, 1000, 10_000)
# Times of one count.
REPEATS = 5


def labs(options):
    yield ["lo"], {}, None


def settings(options):
    return {
        "baton": "one batond is measured; n grows until the daemon refuses, or to the last n of the table",
        "peers": f"{RealPeers.name}, at most {RealPeers.maximum}",
        "memory": "Rss of /proc/PID/smaps_rollup, in 10^6 bytes",
    }


class Scale:
    def __init__(self, options, progress, machines):
        self.options, self.progress, self.machines = options, progress, machines
        self.memory = Curve("Memory of the daemon by n", "MB")
        self.times = Curve("Time by n", "ms")
        self.costs = Curve("Processor time of the daemon for each of n", "ms", "Flat is good.")
        self.subject = machines.daemon("subject").start()
        self.subject.json("team", "create", "Benchmark")
        self.peers = RealPeers(machines, self.subject)

    def note(self, name, n, cost=None):
        self.memory.add(name, (n, memory(self.subject.process.pid)["Rss"]))
        if cost is not None:
            self.costs.add(name, (n, cost * 1000))

    def spent(self):
        return processor_time([self.subject.process.pid])

    def announce(self, origin, watchers, name, n):
        """The time from a change of an offer until all watchers have it."""
        for repeat in range(REPEATS):
            began = time.perf_counter()
            held, activity = origin.publish(title=f"{n}-{repeat}")
            for watcher in watchers:
                watcher.receive_until(lambda reply: any(offer["id"] == activity for offer in reply["offers"]))
            self.times.add(name, (n, (time.perf_counter() - began) * 1000))
            held.close()

    def sessions(self):
        for n in SESSIONS:
            if n > min(RealPeers.maximum, 8 if self.options.quick else 10_000):
                break
            self.progress.say(f"{n} sessions")
            before, known = self.spent(), len(self.peers.daemons)
            self.peers.grow(n)
            self.note("sessions", n, (self.spent() - before) / (n - known))
            watchers = self.peers.watchers()
            self.announce(self.subject, watchers, "an offer reaches n machines", n)
            for watcher in watchers:
                watcher.close()

    def clients(self):
        watchers = []
        for n in CLIENTS:
            self.progress.say(f"{n} programs that watch")
            before, known = self.spent(), len(watchers)
            try:
                while len(watchers) < n:
                    watcher = self.subject.connect()
                    watcher.more("ListOffers").receive()
                    watchers.append(watcher)
            except (VarlinkError, OSError, EOFError) as error:
                self.times.fail("an offer reaches n programs", f"refused at {len(watchers) + 1} ({reason(error)})")
                break
            self.note("programs that watch", n, (self.spent() - before) / (n - known))
            self.announce(self.peers.daemons[0], watchers, "an offer reaches n programs", n)
        for watcher in watchers:
            watcher.close()

    def streams(self):
        streams = []
        for n in STREAMS:
            self.progress.say(f"{n} streams")
            before, known, began = self.spent(), len(streams), time.perf_counter()
            try:
                while len(streams) < n:
                    streams.append(self.peers.open_stream(len(streams)))
            except (VarlinkError, OSError, EOFError) as error:
                self.times.fail("opening each of n streams", f"refused at {len(streams) + 1} ({reason(error)})")
                break
            self.times.add("opening each of n streams", (n, (time.perf_counter() - began) * 1000 / (n - known)))
            self.note("streams", n, (self.spent() - before) / (n - known))
            self.echo(streams, n)
        for pair in streams:
            for end in pair:
                end.close()

    def echo(self, streams, n):
        """A byte through each of them and back."""
        for _ in range(REPEATS):
            began = time.perf_counter()
            for near, far in streams:
                near.sendall(b"x")
            for near, far in streams:
                far.sendall(far.recv(1))
            for near, far in streams:
                near.recv(1)
            self.times.add("a byte there and back on n streams", (n, (time.perf_counter() - began) * 1000))

    def changes(self):
        with self.subject.connect() as watcher, self.peers.daemons[0].connect() as writer:
            held, activity = self.peers.daemons[0].publish(title="0")
            watcher.more("ListOffers").receive()
            for n in CHANGES:
                if self.options.quick and n > 1000:
                    break
                self.progress.say(f"{n} changes of an offer")
                before, began = self.spent(), time.perf_counter()
                for number in range(n):
                    title = f"{n}-{number}"
                    writer.call("UpdateActivity", activity={"id": activity, "activityType": "org.example.notes", "title": title})
                watcher.receive_until(lambda reply: any(offer.get("title") == title for offer in reply["offers"]))
                self.times.add("n changes of an offer", (n, (time.perf_counter() - began) * 1000))
                self.note("changes of an offer", n, (self.spent() - before) / n)
            held.close()


def reason(error):
    return getattr(error, "reason", None) or str(error) or type(error).__name__


def measure(options, progress, part):
    with Machines() as machines:
        scale = Scale(options, progress, machines)
        for part in (scale.sessions, scale.clients, scale.streams, scale.changes):
            part()
            # What it leaves is over before the next one is measured.
            time.sleep(1)
        return [scale.times, scale.memory, scale.costs]
