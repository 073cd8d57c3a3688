# SPDX-License-Identifier: Apache-2.0
"""Streams over sessions that are cut, networks that change, and daemons that are gone for a while."""
# Labs: pair
import hashlib
import os
import random
import socket
import subprocess
import threading
import time

from lab import HOSTS, PATIENCE, LabTest, control, on, receive_whole, wait_until

MEBIBYTE = 1 << 20
# How much goes each way, and for how long a soak goes on (`make soak`); a test that is part of all tests takes seconds.
LENGTH = int(os.environ.get("DURABLE_MEBIBYTES", "192")) * MEBIBYTE
# Resident memory of a daemon, in KiB: what an idle one has, and both windows of a stream, which grow on a bad network.
MEMORY = (24 + 2 * 32) * 1024


class Transfer:
    """Random bytes one way, hashed at both ends: so many, and more as long as `goes_on` says so."""

    def __init__(self, source, sink, length, seed, goes_on=lambda: False):
        self.length, self.goes_on = length, goes_on
        self.sent, self.received = hashlib.sha256(), hashlib.sha256()
        self.sent_count = self.received_count = 0
        self.failure = None
        random_bytes = random.Random(seed).randbytes(4 * MEBIBYTE)
        self.threads = [
            threading.Thread(target=self.attempt, args=(self.write, source, random_bytes), daemon=True),
            threading.Thread(target=self.attempt, args=(self.read, sink), daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def attempt(self, work, *arguments):
        try:
            work(*arguments)
        except OSError as error:
            self.failure = error

    def write(self, source, block):
        while self.sent_count < self.length or self.goes_on():
            if self.sent_count == self.length:
                self.length += MEBIBYTE
            # Never the same twice: an offset that is wrong by a block would not show.
            part = (self.sent_count.to_bytes(8, "big") + block)[: min(MEBIBYTE, self.length - self.sent_count)]
            source.sendall(part)
            self.sent.update(part)
            self.sent_count += len(part)
        source.shutdown(socket.SHUT_WR)

    def read(self, sink):
        while part := sink.recv(MEBIBYTE):
            self.received.update(part)
            self.received_count += len(part)

    @property
    def is_running(self):
        return any(thread.is_alive() for thread in self.threads)


class DurableTest(LabTest):
    labs = ("pair",)

    def begin_stream(self, origin, receiver):
        """The ends of a stream, with the connections on which its outcome will be told: two of (socket, outcome)."""
        near, far, names = self.open_stream(origin, receiver, 600)
        ends = []
        for daemon, end, name in ((origin, near, names[0]), (receiver, far, names[1])):
            outcome = daemon.connect(600)
            outcome.send("AwaitStream", {"stream": name})
            ends.append((end, outcome))
        return ends

    def assertWhole(self, transfers, outcomes):
        for transfer in transfers:
            self.assertIsNone(transfer.failure)
            self.assertEqual(transfer.received_count, transfer.length)
            self.assertEqual(transfer.received.digest(), transfer.sent.digest())
        for outcome in outcomes:
            self.assertEqual(outcome.receive(), {})

    def transfer_both_ways(self, laptop, desktop, length, disturb, least=0):
        """Both ways at once, while `disturb` is called again and again, at `least` so often. Memory and descriptors stay."""
        descriptors = [len(os.listdir(f"/proc/{daemon.process.pid}/fd")) for daemon in (laptop, desktop)]
        (near, near_outcome), (far, far_outcome) = self.begin_stream(laptop, desktop)
        began = time.monotonic()
        disturbances = 0
        goes_on = lambda: disturbances < least
        transfers = [Transfer(near, far, length, 1, goes_on), Transfer(far, near, length, 2, goes_on)]
        while any(transfer.is_running for transfer in transfers):
            disturb(transfers)
            disturbances += 1
        self.assertWhole(transfers, (near_outcome, far_outcome))
        duration = time.monotonic() - began
        peak = [int(daemon.status_of_process("VmHWM").split()[0]) for daemon in (laptop, desktop)]
        print(
            f"         {transfers[0].length >> 20} MiB each way in {duration:.1f} s, {disturbances} disturbances, "
            f"at most {max(peak) / 1024:.0f} MiB resident"
        )
        self.assertLess(max(peak), MEMORY)
        for connection in (near, far, near_outcome, far_outcome):
            connection.close()
        for daemon, count in zip((laptop, desktop), descriptors):
            wait_until(
                lambda: len(os.listdir(f"/proc/{daemon.process.pid}/fd")) <= count + 1,
                f"{daemon.name} closes what the stream had",
            )


class SessionLossTests(DurableTest):
    def test_bytes_go_both_ways_though_sessions_are_cut(self):
        laptop, desktop = self.two()

        def disturb(transfers):
            # Where bytes are when the session is cut matters, not when: so many apart.
            reached = transfers[0].received_count + LENGTH // 12

            def has_come():
                return transfers[0].received_count >= reached or not transfers[0].is_running

            wait_until(has_come, f"{reached} bytes come", 60)
            self.cut(laptop, desktop)

        self.transfer_both_ways(laptop, desktop, LENGTH, disturb, 10)

    def test_avahi_and_the_address_of_the_network_change_under_a_stream(self):
        laptop, desktop = self.two()

        def change_address(old, new):
            for verb, address in (("del", old), ("add", new)):
                subprocess.run(on("b", "ip", "address", verb, address, "dev", "vb"), check=True, timeout=PATIENCE)

        changes = [
            lambda: control("avahi-kill", HOSTS[0]),
            lambda: control("avahi-start", HOSTS[0]),
            lambda: change_address("10.77.0.2/24", "10.77.0.99/24"),
            lambda: self.cut(laptop, desktop),
            lambda: change_address("10.77.0.99/24", "10.77.0.2/24"),
            lambda: self.cut(laptop, desktop),
        ]
        (near, near_outcome), (far, far_outcome) = self.begin_stream(laptop, desktop)
        for number, change in enumerate(changes):
            change()
            for source, sink in ((near, far), (far, near)):
                source.sendall(b"%d" % number * 1000)
                self.assertEqual(receive_whole(sink, 1000), b"%d" % number * 1000)
        for end in (near, far):
            end.shutdown(socket.SHUT_WR)
        self.assertEqual((near_outcome.receive(), far_outcome.receive()), ({}, {}))

    def test_a_peer_that_is_frozen_for_a_while_goes_on(self):
        laptop, desktop = self.two()
        (near, near_outcome), (far, far_outcome) = self.begin_stream(laptop, desktop)
        transfer = Transfer(near, far, 64 * MEBIBYTE, 3)
        wait_until(lambda: transfer.received_count > MEBIBYTE, "the stream runs")
        desktop.freeze()
        self.cut(laptop)
        desktop.signal(18)
        for thread in transfer.threads:
            thread.join(60)
        far.shutdown(socket.SHUT_WR)
        self.assertWhole([transfer], (near_outcome, far_outcome))


class FlappingTests(DurableTest):
    # Sessions that are lost, one after the other; `make soak` takes ten minutes of them.
    rounds = int(os.environ.get("FLAPPING_ROUNDS", "20"))
    time_limit = 300 + 30 * rounds

    def test_sessions_that_come_and_go_leave_nothing_behind(self):
        daemons = laptop, desktop = self.two()
        _, activity = laptop.publish(title="F", supportsContinuationStreams=True)
        watch = desktop.connect(60).more("ListOffers")
        watch.receive_until(lambda reply: any(offer["id"] == activity for offer in reply["offers"]))
        sizes = []
        for number in range(self.rounds + 5):
            begun = [daemon.call("GetStatus")["counters"]["sessionsBegun"] for daemon in daemons]
            self.cut(*daemons)
            # The rhythm of the fault; sessions that break at once are made again less often.
            time.sleep(1.2)
            wait_until(
                lambda: all(
                    daemon.call("GetStatus")["counters"]["sessionsBegun"] > count and daemon.call("GetStatus")["sessions"]
                    for daemon, count in zip(daemons, begun)
                ),
                "the next session",
                30,
            )
            desktop.wait_for_offer(activity)
            if number >= 5:
                sizes.append([self.size(daemon) for daemon in daemons])
        # Of the offer the watcher hears that it goes and comes: not more than a few times for each session.
        watch.socket.settimeout(0.1)
        replies = 0
        while True:
            try:
                watch.receive()
                replies += 1
            except TimeoutError:
                break
        self.assertLess(replies, 6 * (self.rounds + 5))
        for daemon, first, last in zip(daemons, sizes[0], sizes[-1]):
            wait_until(lambda: self.size(daemon)[0] <= first[0] + 2, "its descriptors are as many as before")
            self.assertLess(last[1], first[1] + 2048, "KiB resident")
        print(f"         {self.rounds} sessions lost: descriptors and KiB resident from {sizes[0]} to {sizes[-1]}")

    def size(self, daemon):
        """Open descriptors, and KiB resident."""
        descriptors = len(os.listdir(f"/proc/{daemon.process.pid}/fd"))
        return descriptors, int(daemon.status_of_process("VmRSS").split()[0])


class LostPeerTests(DurableTest):
    def break_off(self, meanwhile):
        """Both outcomes of a stream in whose middle the receiver's daemon is killed, and when the origin's was told."""
        laptop, desktop = self.two()
        (near, near_outcome), (far, far_outcome) = self.begin_stream(laptop, desktop)
        near.sendall(b"before")
        self.assertEqual(far.recv(100), b"before")
        desktop.kill()
        began = time.monotonic()
        meanwhile(desktop)
        self.assertEqual(near_outcome.receive(), {"reason": "streamInterrupted"})
        # A socket that ends tells no program whether that was all; the daemon that could is gone.
        self.assertEqual(far.recv(100), b"")
        self.assertRaises((EOFError, ConnectionError), far_outcome.receive)
        self.assertEqual(laptop.call("GetStatus")["streams"], 0)
        return time.monotonic() - began

    def test_a_daemon_that_does_not_come_back_interrupts_after_its_time(self):
        duration = self.break_off(lambda _: None)
        self.assertGreater(duration, 29)
        self.assertLess(duration, 30 + PATIENCE)

    def test_a_daemon_that_began_anew_has_no_streams_and_says_so(self):
        duration = self.break_off(lambda desktop: desktop.start())
        self.assertLess(duration, 25)
