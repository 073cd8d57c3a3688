# SPDX-License-Identifier: Apache-2.0
"""How long people wait: for an offer, for its payload, with and without a session, for a command, and for the daemon."""
import os
import subprocess
import time

from comparisons import others, starts
from comparisons.machines import BUILD, Machines, benchmark, in_turns, wait_until
from comparisons.results import Samples

TITLE = "Latency"


def labs(options):
    yield ["pair"], {}, None


def settings(options):
    return {
        "network": "two network namespaces on one Ethernet cable (veth), each with its own Avahi",
        "baton": "two batond with the default configuration and a session; Benchmarks/Benchmark acts as both apps",
        "baton, mDNS alone": "the same while nftables rejects TCP; adverts are paced: 10 in a row, then one every 6 s",
        "baton, no session": "the first time after that: TCP, TLS with certificates on both sides, and the payload",
        "nginx": others.Nginx.settings,
        "avahi": "from the start of avahi-publish on one host to the line that avahi-browse --resolve --parsable prints on the other",
    }


class Contestant:
    """Something that takes turns; `measure` adds the samples of one turn."""

    def __init__(self, name, measure):
        self.name, self.measure = name, measure


class Waits:
    """All measurements, between the same two daemons."""

    def __init__(self, options, progress, machines):
        self.options, self.progress, self.machines = options, progress, machines
        self.offers = Samples("Until an activity appears on the other machine", "ms")
        self.warm = Samples("The payload, over an open connection", "ms")
        self.cold = Samples("The payload, without a connection", "ms")
        self.commands = Samples("A whole process", "ms", "From fork to exit.")
        self.starts = Samples("The start of batond", "ms", "From fork to its first answer to GetStatus, and to its session with the other machine.")
        self.number = 0
        # So many in each round. What waits for multicast takes a second each, or six.
        self.count = max(1, options.samples // options.rounds)
        self.few = 3 if options.quick else max(3, self.count // 25)

    def start(self):
        self.laptop, self.desktop = self.pair("laptop", "desktop")
        # Its sessions are cut, and its adverts are not paced because of what the others offer.
        self.near, self.far = self.pair("near", "far")
        self.firewall("add table inet bench")
        self.firewall("add chain inet bench input { type filter hook input priority 0; }")
        self.nginx = others.Nginx(self.machines)
        self.nginx.start()
        self.browser = others.Browser(self.machines)

    def pair(self, *names):
        daemons = [self.machines.daemon(name, number).start() for number, name in enumerate(names)]
        self.machines.make_team(*daemons)
        return daemons

    # ------------------------------------------------------------------------------------------------ Baton

    def baton(self):
        """With a session: all samples by the program, without Python's share."""
        found = benchmark("latency", "--baton", self.laptop.socket, self.desktop.socket, "--rounds", self.count, "--pause", 2)
        self.add(self.offers, "baton", found["listed"])
        self.add(self.warm, "baton", found["continued"])

    def firewall(self, *rule):
        subprocess.run(self.machines.on(1, "nft", *rule), check=True)

    def block(self):
        """Ends the session of the second pair, and lets no other begin."""
        ports = [str(daemon.port) for daemon in (self.near, self.far)]
        self.firewall(f"add rule inet bench input tcp dport {{ {', '.join(ports)} }} reject with tcp reset")
        self.firewall(f"add rule inet bench input tcp sport {{ {', '.join(ports)} }} reject with tcp reset")
        # At the side whose segments are let through.
        either = " or ".join(f"sport = :{port} or dport = :{port}" for port in ports)
        subprocess.run(self.machines.on(1, "ss", "-K", "-t", f"( {either} )"), capture_output=True, check=True)
        for daemon in (self.near, self.far):
            daemon.wait_for_sessions(0)

    def without_session(self):
        """An offer by multicast alone, and then its payload."""
        held = None
        for _ in range(self.few):
            self.block()
            with self.far.connect() as offers, self.far.connect() as connection:
                offers.more("ListOffers").receive()
                began = time.perf_counter()
                earlier, (held, activity) = held, self.near.publish(title="A")
                # Not before that, so that the other machine hears of one change.
                if earlier:
                    earlier.close()
                reply = offers.receive_until(lambda reply: any(offer["id"] == activity for offer in reply["offers"]))
                seconds = time.perf_counter() - began
                source = next(offer["source"] for offer in reply["offers"] if offer["id"] == activity)
                if source == "advert":
                    self.add(self.offers, "baton, mDNS alone", [seconds])
                self.firewall("flush chain inet bench input")
                if source == "advert" and self.far.call("GetStatus")["sessions"] == 0:
                    began = time.perf_counter()
                    connection.call("Continue", id=activity)
                    self.add(self.cold, "baton", [time.perf_counter() - began])
        self.firewall("flush chain inet bench input")
        held.close()
        for daemon in (self.near, self.far):
            daemon.wait_for_sessions(1)

    # ------------------------------------------------------------------------------------------------ Others

    def curl_kept(self):
        self.add(self.warm, "curl and nginx", self.nginx.request(self.count, keeps=True))

    def curl_new(self):
        self.add(self.cold, "curl and nginx", self.nginx.request(self.count, keeps=False))

    def avahi(self):
        for _ in range(self.few):
            self.number += 1
            self.add(self.offers, "avahi-publish, avahi-browse", [self.browser.measure(f"bench-{self.number}")])

    # ------------------------------------------------------------------------------------------------ Processes

    def process(self, name, command, environment=None):
        def measure():
            for _ in range(max(5, self.count // 4)):
                began = time.perf_counter()
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
                self.add(self.commands, name, [time.perf_counter() - began])

        return Contestant(name, measure)

    def begin(self):
        """Starts a third daemon, which has met the other two, and ends it."""
        daemon = self.third
        for _ in range(self.few):
            began = time.perf_counter()
            self.add(self.starts, "answers", [starts.until_answer(daemon)])
            wait_until(lambda: daemon.call("GetStatus")["sessions"] >= 1, "it has a session", interval=0.001)
            self.add(self.starts, "has a session", [time.perf_counter() - began])
            daemon.terminate()

    def join(self):
        self.third = self.machines.daemon("third").start()
        self.third.baton("team", "join", self.laptop.json("team", "invite")["code"])
        self.third.wait_for_sessions(2)
        self.third.terminate()

    @staticmethod
    def add(samples, name, seconds):
        for value in seconds:
            samples.add(name, value * 1000)

    def measure(self):
        socket = {**os.environ, "BATON_SOCKET": str(self.desktop.socket)}
        turns = (
            ("offers and payloads", [
                Contestant("baton", self.baton), Contestant("baton, no session", self.without_session),
                Contestant("curl, kept connection", self.curl_kept), Contestant("curl, new connections", self.curl_new),
                Contestant("avahi", self.avahi),
            ]),
            ("processes", [
                self.process("baton list", [BUILD / "baton", "list"], socket),
                self.process("curl, one request", self.nginx.command(1, keeps=True)),
                self.process("true, which does nothing", ["/bin/true"]),
            ]),
        )
        # What `baton list` lists.
        self.laptop.publish(title="A")
        for question, contestants in turns:
            in_turns(self.progress, question, contestants, self.options.rounds, lambda one, _: one.measure())
        self.join()
        in_turns(self.progress, "starts", [Contestant("batond", self.begin)], self.options.rounds, lambda one, _: one.measure())
        return [self.offers, self.warm, self.cold, self.commands, self.starts]


def measure(options, progress, part):
    with Machines() as machines:
        waits = Waits(options, progress, machines)
        waits.start()
        return waits.measure()
