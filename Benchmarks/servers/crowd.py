# SPDX-License-Identifier: Apache-2.0
"""Many devices of some teams in one process."""
import collections
import heapq
import itertools
import multiprocessing
import random
import resource
import select
import signal
import ssl
import struct
import time

from servers.client import READY, SECURING, Client

# RendezvousPresence.rendezvousPeriod. The next advert comes after 0.8 to 1 of it.
PERIOD = 300
# How many connections are under way at the same time, where they are not to come all at once.
WINDOW = 16
# A measured advert: its number, and whether others shall answer.
PROBE = struct.Struct("!cQ")
PATIENCE = 120


class Crowd:
    """`accounts` are the keys of the teams, by their numbers."""

    def __init__(self, servers, certificate, accounts, devices):
        self.servers, self.certificate = servers, certificate
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.epoll, self.timers, self.order, self.watched = select.epoll(), [], itertools.count(), {}
        self.arrives, self.generation, self.probes = False, 0, {}
        self.counts, self.failures, self.ready_times = collections.Counter(), collections.Counter(), {}
        self.clients = [Client(self, team, number, account) for team, account in accounts.items() for number in range(devices)]

    # ---------------------------------------------------------------------------------------------- Waiting

    def watch(self, client, mask):
        client.mask = mask
        self.watched[client.socket.fileno()] = client
        self.epoll.register(client.socket.fileno(), mask)

    def change(self, client, mask):
        if client.socket and client.mask != mask:
            client.mask = mask
            self.epoll.modify(client.socket.fileno(), mask)

    def forget(self, client):
        if self.watched.pop(client.socket.fileno(), None):
            self.epoll.unregister(client.socket.fileno())

    def later(self, instant, action):
        heapq.heappush(self.timers, (instant, next(self.order), action))

    def schedule(self, client):
        """Each client has one timer, which may be too early: most of what is due is put off again and again."""
        due = client.due
        if due and (client.timer is None or due < client.timer):
            client.timer = due
            self.later(due, lambda: self.wake(client, due))

    def wake(self, client, due):
        if client.timer == due:
            client.timer = None
            client.wake(time.monotonic())
            self.schedule(client)

    def step(self, limit):
        """Waits until something has happened, at most until this instant."""
        end = min(limit, self.timers[0][0]) if self.timers else limit
        for descriptor, events in self.epoll.poll(max(0, end - time.monotonic())):
            if client := self.watched.get(descriptor):
                client.handle(events)
                self.schedule(client)
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            heapq.heappop(self.timers)[2]()

    def run(self, seconds, until=None):
        """Returns whether the condition holds."""
        limit = time.monotonic() + seconds
        while (now := time.monotonic()) < limit and not (until and until()):
            self.step(min(limit, now + 0.02) if until else limit)
        return bool(until and until())

    # ---------------------------------------------------------------------------------------------- What clients tell

    def became_ready(self, client):
        self.ready_times[client.team, client.number] = client.ready_at

    def failed(self, client, why, stage):
        self.failures[f"{why} ({'during TLS' if stage == SECURING else 'before' if stage < SECURING else 'after TLS'})"] += 1

    def heard(self, client, payload, now):
        if payload[:1] == b"#":
            self.probes.setdefault(PROBE.unpack_from(payload)[1], []).append((client.number, now))

    # ---------------------------------------------------------------------------------------------- What is asked of all

    def connect(self, clients=None):
        """Connects all, some at a time. Returns how long it took."""
        began, left, under_way = time.monotonic(), collections.deque(clients or self.clients), []
        while left or under_way:
            under_way = [client for client in under_way if client.state != READY]
            while left and len(under_way) < WINDOW:
                client = left.popleft()
                client.connect()
                under_way.append(client)
            self.step(time.monotonic() + 0.02)
            if time.monotonic() - began > PATIENCE:
                raise RuntimeError(f"They do not connect: {dict(self.failures)}")
        return time.monotonic() - began

    def arrive(self, seconds):
        """All subscribe and ask, one after the other in this time. From now on, those that connect again do so at once."""
        self.arrives = True
        now = time.monotonic()
        for number, client in enumerate(self.clients):
            self.later(now + seconds * number / len(self.clients), client.arrive)

    def advertise(self, period):
        """All advertise with this period, or no longer."""
        self.generation += 1
        if period:
            for client in self.clients:
                self.later(time.monotonic() + period * random.random(), lambda client=client: self.repeat(client, period, self.generation))

    def repeat(self, client, period, generation):
        if generation == self.generation:
            client.advertise()
            self.later(time.monotonic() + period * (0.8 + random.random() / 5), lambda: self.repeat(client, period, generation))

    def status(self):
        return {
            "ready": sum(client.state == READY for client in self.clients), "counts": dict(self.counts),
            "failures": dict(self.failures), "servers": collections.Counter(
                client.server for client in self.clients if client.state == READY)}

    def ready_since(self, instant):
        """When those that are ready became so, after an instant."""
        return sorted(at for at in self.ready_times.values() if at >= instant)

    def reset(self):
        self.counts.clear()
        self.failures.clear()

    def stop(self):
        for client in self.clients:
            client.disconnect()
        self.generation += 1

    # ---------------------------------------------------------------------------------------------- Measured adverts

    def probe(self, number, client):
        """Sends an advert that is measured. Returns when."""
        now = time.monotonic()
        client.publish(f"b.adv.{client.name}", PROBE.pack(b"#", number))
        return now

    def latencies(self, count, rate):
        """Seconds from sending an advert until the last of the others has it, for so many, so many a second."""
        found, missing = [], 0
        for number in range(count):
            self.probes = {}
            began = self.probe(number, self.clients[number % len(self.clients)])
            if self.run(5, lambda: len(self.probes.get(number, [])) == len(self.clients) - 1):
                found.append(max(at for _, at in self.probes[number]) - began)
            else:
                missing += 1
            self.run(max(0, began + 1 / rate - time.monotonic()))
        return found, missing


    def wait_until_all_hear(self):
        """Sends adverts until one has reached all others."""
        self.probes = {}
        for number in itertools.count():
            self.probe(number, self.clients[number % len(self.clients)])
            if self.run(0.1, lambda: any(len(heard) == len(self.clients) - 1 for heard in self.probes.values())):
                return


class Worker:
    """A crowd in a process of its own, of which the methods are called by name."""

    def __init__(self, *arguments):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=self.main, args=(other, arguments), daemon=True)
        self.process.start()
        other.close()

    def main(self, pipe, arguments):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.pipe.close()
        crowd = Crowd(*arguments)
        crowd.epoll.register(pipe.fileno(), select.EPOLLIN)
        while True:
            crowd.step(time.monotonic() + 1)
            if not pipe.poll():
                continue
            try:
                name, words = pipe.recv()
            except EOFError:
                return
            try:
                pipe.send((getattr(crowd, name)(*words), None))
            except Exception as error:
                pipe.send((None, f"{type(error).__name__}: {error}"))

    def begin(self, name, *words):
        self.pipe.send((name, words))

    def end(self):
        result, error = self.pipe.recv()
        if error:
            raise RuntimeError(error)
        return result

    def call(self, name, *words):
        self.begin(name, *words)
        return self.end()


def raise_descriptor_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most
