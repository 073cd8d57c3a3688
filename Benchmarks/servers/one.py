# SPDX-License-Identifier: Apache-2.0
"""One nats-server, with all clients."""
import math
import time

from servers import tokens
from servers.crowd import PERIOD
from servers.machine import Load, loopback_bytes, memory, processor_time, share_of_a_processor
from servers.measurement import Measurement
from servers.organization import PORT, Organization

ADVERTS = "Adverts of 640 bytes, each to 9 others"


class OneServer(Measurement):
    def run(self):
        organization = Organization(self.work / "one", self.build, ["127.0.0.1"], PORT)
        try:
            host, process = "127.0.0.1", organization.start("127.0.0.1")
            for number, key in self.accounts.items():
                organization.push(key, f"team {number}")
            self.gather(organization)
            self.connections(process)
            self.adverts(process)
            if self.options.quick:
                self.storm("Server killed, back at once", organization, host, 0)
            else:
                for seconds in (1, 20):
                    self.storm(f"Server killed, back after {seconds} s", organization, host, seconds)
                    # Connections that have lasted so long are steady: the first pause after them is short.
                    self.rest(40)
                self.storm_of_many(organization, host)
            self.dismiss()
        finally:
            organization.stop()

    def connections(self, process):
        group = "Connections"
        line = len(tokens.connect_line(self.own.clients[0].user, self.own.clients[0].token, "0" * 15)) - 2
        self.note(group, "length of a CONNECT in bytes, at most 4,096", line - len("CONNECT "))
        before, used = memory(process)[0], processor_time(process)
        self.connect()
        used = processor_time(process) - used
        self.note(group, "server memory without clients, MB", before)
        self.note(group, "CPU time of a handshake with its tokens, ms", used / self.machines * 1000)
        self.note(group, "handshakes per second of CPU time", self.machines / used)
        used = processor_time(process)
        self.reset()
        self.arrive()
        self.note(group, "CPU time of an arrival: 2 subscriptions, an advert and its answers, ms",
                  (processor_time(process) - used) / self.machines * 1000)
        self.rest(self.options.pause)
        after = memory(process)[0]
        self.note(group, "server memory with all clients, MB", after)
        self.note(group, "server memory per client, kB", (after - before) / self.machines * 1000)
        # Each side asks the other for a sign of life in a minute.
        began, used = time.monotonic(), processor_time(process)
        self.rest(self.options.window)
        self.note(group, "CPU use while idle, % of one processor", (processor_time(process) - used) / (time.monotonic() - began) * 100)

    def adverts(self, process):
        """With two periods. What the difference takes is what adverts take, without the signs of life that there are anyway."""
        rates = []
        # A few teams send too little in a short time.
        for period in (PERIOD / 10, PERIOD / 100) if self.options.quick else (PERIOD, PERIOD / 10):
            self.advertise(period)
            self.rest(1)
            self.reset()
            began, used, passed = time.monotonic(), processor_time(process), loopback_bytes()
            self.rest(self.options.window)
            sent, delivered = self.count("published"), self.count("delivered")
            took = time.monotonic() - began
            rates.append([value / took for value in (sent, processor_time(process) - used, loopback_bytes() - passed)])
            name = f"each client every {period:.0f} s"
            self.note(ADVERTS, f"{name}: adverts a second", sent / took)
            self.note(ADVERTS, f"{name}: deliveries of an advert", delivered / sent if sent else math.nan)
            self.note(ADVERTS, f"{name}: CPU use, % of one processor", rates[-1][1] * 100)
            self.note(ADVERTS, f"{name}: traffic on the wire, Mbit/s", rates[-1][2] * 8 / 1e6)
            self.note_latencies(ADVERTS, name, self.own.latencies(self.options.probes, 20))
        adverts, cost, length = (more - less for less, more in zip(*rates))
        self.note(ADVERTS, "CPU time of an advert, ms", cost / adverts * 1000)
        self.note(ADVERTS, "bytes of an advert on the wire", length / adverts)
        self.advertise(PERIOD)

    def storm(self, group, organization, host, seconds, limit=None):
        """Kills the server and starts it again. `limit` is called with the new process."""
        killed = time.monotonic()
        organization.kill(host)
        self.rest(seconds)
        self.reset()
        process = organization.start(host)
        if limit:
            limit(process)
        began, load = time.monotonic(), Load(process)
        found = self.wait_for(self.machines, killed, load)
        self.note(group, "clients that are back online", len(found))
        for name, share in (("50%", 0.5), ("99%", 0.99), ("all", 1)):
            place = max(1, round(self.machines * share)) - 1
            self.note(group, f"time until {name} are back, s", found[place] - began if place < len(found) else math.nan)
        # Until all answers are there.
        for _ in range(12):
            self.rest(0.25)
            load.look()
        self.note(group, "server CPU time until then, s", load.total)
        self.note(group, "peak CPU use in any second, % of one processor", load.peak * 100)
        attempts, failures = self.count("attempts"), self.failures()
        self.note(group, "connection attempts since the server's return", attempts)
        self.note(group, "failed connection attempts", sum(failures.values()))
        if failures:
            self.progress.say(f"{failures}")
        self.note(group, "maximum server memory, MB", memory(process)[1])

    def storm_of_many(self, organization, host):
        """A server with a small share of a processor has as much to do for each as one with many more clients."""
        share = self.options.share / 100
        with share_of_a_processor(share) as limit:
            if limit:
                crowd = self.machines / share
                self.storm(f"Server with {self.options.share:g}% of a processor ({crowd:,.0f} clients for one), back after 1 s",
                           organization, host, 1, limit)
                # The group can end when nothing is in it.
                organization.kill(host)
            else:
                self.progress.say("There are no control groups for CPU time here")
