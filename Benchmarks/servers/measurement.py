# SPDX-License-Identifier: Apache-2.0
"""Figures, and the clients of all teams."""
import time

from comparisons import results
from comparisons.progress import Progress

from servers import tokens
from servers.crowd import Crowd, Worker


class Measurement:
    """What was found, and the clients: those of one team, which are measured, and all others."""

    def __init__(self, options, work, build):
        self.options, self.work, self.build, self.figures = options, work, build, {}
        self.progress = Progress("rendezvous")
        self.accounts = {number: tokens.Key("account") for number in range(options.teams)}
        self.machines = options.teams * options.devices

    def note(self, group, name, value):
        self.figures.setdefault(group, {})[name] = value
        self.progress.say(f"{group}: {name}: {results.brief(value)}")

    def note_latencies(self, group, prefix, found):
        latencies, missing = found
        self.note(group, f"{prefix}: time until the last one receives the advert, p50, ms", results.quantile(latencies, 0.5) * 1000)
        self.note(group, f"{prefix}: time until the last one receives the advert, p99, ms", results.quantile(latencies, 0.99) * 1000)
        self.note(group, f"{prefix}: not delivered", missing)

    # -------------------------------------------------------------------------------------------- The clients

    def gather(self, organization):
        """Makes all clients. None is connected."""
        others = {number: key for number, key in self.accounts.items() if number}
        self.others = Worker(organization.addresses, organization.certificate, others, self.options.devices)
        self.own = Crowd(organization.addresses, organization.certificate, {0: self.accounts[0]}, self.options.devices)

    def dismiss(self):
        self.own.stop()
        self.others.call("stop")
        self.others.process.terminate()
        self.others.process.join()

    def rest(self, seconds):
        self.own.run(seconds)

    def connect(self):
        self.others.begin("connect")
        self.own.connect()
        self.others.end()

    def arrive(self):
        """Returns when all answers are there."""
        seconds = self.machines / 200
        self.others.call("arrive", seconds)
        self.own.arrive(1)
        self.rest(seconds + 3)

    def advertise(self, period):
        self.others.call("advertise", period)
        self.own.advertise(period)

    def reset(self):
        self.others.call("reset")
        self.own.reset()

    def count(self, name):
        return self.others.call("status")["counts"].get(name, 0) + self.own.counts[name]

    def failures(self):
        """How many connections have failed, but to a server that was not there."""
        found = dict(self.others.call("status")["failures"])
        for why, number in self.own.failures.items():
            found[why] = found.get(why, 0) + number
        return {why: number for why, number in found.items() if not why.startswith("unreachable")}

    def ready_since(self, instant):
        return sorted(self.others.call("ready_since", instant) + self.own.ready_since(instant))

    def count_at(self, server):
        """The clients at the server with this number."""
        own = sum(client.is_ready and client.server == server for client in self.own.clients)
        return own + self.others.call("status")["servers"].get(server, 0)

    def wait_until_all_are_ready(self):
        while self.others.call("status")["ready"] + self.own.status()["ready"] < self.machines:
            self.rest(0.25)

    def wait_for(self, count, since, load=None, limit=600):
        """Waits until so many are back. Returns when each became ready."""
        end = time.monotonic() + limit
        while len(found := self.ready_since(since)) < count and time.monotonic() < end:
            self.rest(0.25)
            if load:
                load.look()
        return found
