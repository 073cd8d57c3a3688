# SPDX-License-Identifier: Apache-2.0
"""A cluster of three servers, of which one is killed."""
import time

from servers import tokens
from servers.crowd import PERIOD
from servers.measurement import Measurement
from servers.organization import PORT, Connection, Organization, wait_until

HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
GROUP = "Cluster of three, of which one is killed"
# The servers tell each other in two minutes which accounts they have (`interval` in NATSConfiguration.swift).
PATIENCE = 400


class Visitor:
    """A device of a team of its own, which only sees whether it is let in."""

    def __init__(self, organization):
        self.organization = organization
        self.account, self.user = tokens.Key("account"), tokens.Key("user")
        self.token = tokens.user_token(self.account, self.user, tokens.device_name("visitor"))

    def connect(self, host):
        return Connection((host, PORT), self.organization.certificate, self.user, self.token)

    def is_let_in(self, host):
        try:
            self.connect(host).close()
            return True
        except (OSError, PermissionError):
            return False


class ThreeServers(Measurement):
    def run(self):
        organization = Organization(self.work / "three", self.build, HOSTS, PORT)
        try:
            for host in HOSTS:
                organization.start(host)
            for number, key in self.accounts.items():
                organization.push(key, f"team {number}")
            removed, late = Visitor(organization), Visitor(organization)
            organization.push(removed.account, "removed")
            self.note(GROUP, "time until all servers accept an account announced to one, s", wait_until(
                lambda: all(removed.is_let_in(host) for host in HOSTS), "all know the account"))
            self.gather(organization)
            for client in self.own.clients:
                client.server = client.number % len(HOSTS)
            self.connect()
            self.arrive()
            self.advertise(PERIOD)
            self.note_latencies(GROUP, "advert to 9 others", self.own.latencies(self.options.probes, 20))
            # Connections that have lasted so long are steady: the first pause is short.
            self.rest(1 if self.options.quick else 30)
            self.lose_one(organization)
            organization.push(late.account, "late")
            organization.push(removed.account, "removed", [removed.user])
            if removed.is_let_in(HOSTS[0]) or not late.is_let_in(HOSTS[2]):
                raise RuntimeError("What one server was told is not at the others")
            self.come_back(organization, late, removed)
            self.dismiss()
        finally:
            organization.stop()

    def lose_one(self, organization):
        """The second server is killed."""
        self.reset()
        killed = time.monotonic()
        organization.kill(HOSTS[1])
        # Adverts cross when all devices of the measured team are back, and hear each other.
        self.own.run(PATIENCE, lambda: all(client.is_ready for client in self.own.clients))
        self.own.wait_until_all_hear()
        crossed = time.monotonic()
        self.wait_until_all_are_ready()
        moved = [at - killed for at in self.ready_since(killed)]
        self.note(GROUP, "clients that were connected to it", len(moved))
        for name, share in (("50%", 0.5), ("99%", 0.99), ("all", 1)):
            self.note(GROUP, f"time until {name} of them have moved, s", moved[max(1, round(len(moved) * share)) - 1])
        self.note(GROUP, "time until adverts of the measured team reach all others, s", crossed - killed)
        self.note(GROUP, "other connections that failed in the meantime", sum(self.failures().values()))

    def come_back(self, organization, late, removed):
        organization.start(HOSTS[1])
        self.note(GROUP, "time until the restarted server admits a new team, s", wait_until(
            lambda: late.is_let_in(HOSTS[1]), "it lets a new team in"))
        if self.options.quick:
            return
        self.note(GROUP, "time until the restarted server refuses a device removed in the meantime, s", wait_until(
            lambda: not removed.is_let_in(HOSTS[1]), "it refuses the removed device", seconds=PATIENCE))
        self.note(GROUP, "clients that had returned to it by then", self.count_at(1))
