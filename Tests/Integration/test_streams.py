# SPDX-License-Identifier: Apache-2.0
"""Continuation streams between two daemons: large ones, both directions, half-closed ones, broken ones."""
# Labs: pair
import hashlib
import os
import select
import socket
import subprocess
import sys
import threading
import time

from lab import HOSTS, PATIENCE, PROMPT, LabTest, control, receive_whole, wait_until

GIBIBYTE = 1 << 30


def writer(length, seed):
    """A program that writes so many bytes, different in each MiB, and says their hash on standard error."""
    return [sys.executable, "-c", f"""
import hashlib, random, sys
block = bytearray(random.Random({seed}).randbytes(1 << 20))
digest, left, number = hashlib.sha256(), {length}, 0
while left:
    block[:8] = number.to_bytes(8, "big")
    part = bytes(block[:left])
    sys.stdout.buffer.write(part)
    digest.update(part)
    left -= len(part)
    number += 1
sys.stdout.buffer.flush()
print(digest.hexdigest(), file=sys.stderr)
"""]


def file_hash(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class StreamTests(LabTest):
    labs = ("pair",)

    def begin(self, origin, receiver, origin_input, origin_output, receiver_input, receiver_output):
        """`baton advertise --stream` and `baton continue --stream`."""
        error = open(self.directory / f"{origin.name}.advertise.log", "wb")
        self.addCleanup(error.close)
        advertiser = origin.spawn_baton(
            "advertise", "--type", "org.example.files", "--title", "Files", "--stream",
            stdin=origin_input, stdout=origin_output, stderr=error,
        )
        continuer = receiver.spawn_baton(
            "continue", "--latest", "--stream", "--wait", "15",
            stdin=receiver_input, stdout=receiver_output, stderr=error,
        )
        return advertiser, continuer

    def test_descriptors_that_are_sent_on_a_stream_are_closed(self):
        near, far, _ = self.open_stream(*self.two())
        for _ in range(20):
            reading, writing = os.pipe()
            socket.send_fds(near, [b"bytes"], [writing] * 253)
            os.close(writing)
            self.assertEqual(receive_whole(far, 5), b"bytes")
            # The end comes when nobody has the other end, while the stream goes on.
            ready, _, _ = select.select([reading], [], [], PATIENCE)
            self.assertEqual((ready, os.read(reading, 1)), ([reading], b""))
            os.close(reading)

    def test_a_gibibyte_arrives_whole(self):
        laptop, desktop = self.two()
        source = self.spawn(writer(GIBIBYTE, 1), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        sink = self.spawn(["sha256sum"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        began = time.monotonic()
        advertiser, continuer = self.begin(
            laptop, desktop, source.stdout, subprocess.DEVNULL, subprocess.DEVNULL, sink.stdin
        )
        source.stdout.close()
        sink.stdin.close()
        self.wait_for_exit(continuer, deadline=120)
        self.wait_for_exit(advertiser)
        duration = time.monotonic() - began
        self.assertEqual(sink.stdout.read().split()[0], source.stderr.read().split()[0])
        print(f"         1 GiB with hashing at both ends: {1024 / duration:.0f} MiB/s")

    def test_both_directions_at_once_arrive_whole(self):
        laptop, desktop = self.two()
        sources = [
            self.spawn(writer(128 << 20, seed), stdout=subprocess.PIPE, stderr=subprocess.PIPE) for seed in (2, 3)
        ]
        paths = [self.directory / "to-laptop", self.directory / "to-desktop"]
        with open(paths[0], "wb") as to_laptop, open(paths[1], "wb") as to_desktop:
            processes = self.begin(laptop, desktop, sources[0].stdout, to_laptop, sources[1].stdout, to_desktop)
        for source in sources:
            source.stdout.close()
        for process in processes:
            self.wait_for_exit(process, deadline=120)
        hashes = [source.stderr.read().decode().strip() for source in sources]
        self.assertEqual(file_hash(paths[1]), hashes[0])
        self.assertEqual(file_hash(paths[0]), hashes[1])

    def test_tar_of_a_directory(self):
        laptop, desktop = self.two()
        origin, copy = self.directory / "origin", self.directory / "copy"
        (origin / "notes/deep").mkdir(parents=True)
        copy.mkdir()
        for number in range(200):
            (origin / f"notes/deep/{number}").write_bytes(os.urandom(number * 101))
        (origin / "notes/link").symlink_to("deep/7")
        packer = self.spawn(["tar", "-C", origin, "-c", "notes"], stdout=subprocess.PIPE)
        unpacker = self.spawn(["tar", "-C", copy, "-x"], stdin=subprocess.PIPE)
        processes = self.begin(laptop, desktop, packer.stdout, subprocess.DEVNULL, subprocess.DEVNULL, unpacker.stdin)
        packer.stdout.close()
        unpacker.stdin.close()
        for process in (*processes, unpacker):
            self.wait_for_exit(process)
        subprocess.run(["diff", "-r", "--no-dereference", origin, copy], check=True, timeout=PATIENCE)

    # Over plain sockets.

    def read_all(self, end):
        chunks = []
        while chunk := end.recv(65536):
            chunks.append(chunk)
        return b"".join(chunks)

    def test_a_direction_goes_on_after_the_other_has_ended(self):
        laptop, desktop = self.two()
        origin, receiver, names = self.open_stream(laptop, desktop)
        outcomes = [desktop.connect().more("AwaitStream", stream=names[1]), laptop.connect()]
        outcomes[1].send("AwaitStream", {"stream": names[0]})
        receiver.sendall(b"a question")
        receiver.shutdown(socket.SHUT_WR)
        self.assertEqual(self.read_all(origin), b"a question")
        time_of_silence = time.monotonic() + 0.5
        origin.sendall(b"a long ")
        self.assertEqual(receiver.recv(100), b"a long ")
        wait_until(lambda: time.monotonic() > time_of_silence, "half a second of silence")
        origin.sendall(b"answer")
        origin.shutdown(socket.SHUT_WR)
        self.assertEqual(self.read_all(receiver), b"answer")
        for outcome in outcomes:
            self.assertIsNone(outcome.receive().get("reason"))

    def test_a_program_may_write_and_close_at_once(self):
        laptop, desktop = self.two()
        for length in (0, 1, 100_000, 3 << 20):
            origin, receiver, names = self.open_stream(laptop, desktop)
            outcome = desktop.connect()
            outcome.send("AwaitStream", {"stream": names[1]})
            payload = os.urandom(length)
            received = []
            reader = threading.Thread(target=lambda: received.append(self.read_all(receiver)))
            reader.start()
            origin.sendall(payload)
            origin.close()
            reader.join(PATIENCE)
            self.assertEqual(received, [payload])
            receiver.shutdown(socket.SHUT_WR)
            self.assertIsNone(outcome.receive().get("reason"))

    def test_an_app_that_dies_breaks_the_stream_and_not_silently(self):
        laptop, desktop = self.two()
        origin, receiver, names = self.open_stream(laptop, desktop)
        origin.sendall(b"half")
        self.assertEqual(receiver.recv(100), b"half")
        outcome = desktop.connect()
        outcome.send("AwaitStream", {"stream": names[1]})
        receiver.sendall(b"unread")
        # A socket that is closed with bytes in it is what a killed program leaves.
        wait_until(lambda: origin.recv(6, socket.MSG_PEEK) == b"unread", "the bytes arrive")
        origin.close()
        self.assertEqual(outcome.receive()["reason"], "streamReset")

    def test_a_reader_that_stops_holds_up_the_writer_and_nobody_else(self):
        laptop, desktop = self.two()
        origin, receiver, _ = self.open_stream(laptop, desktop)
        origin.setblocking(False)
        sent = 0

        def is_full():
            nonlocal sent
            try:
                sent += origin.send(b"x" * 65536)
                stalled_since[0] = time.monotonic()
            except BlockingIOError:
                pass
            return time.monotonic() - stalled_since[0] > 1

        stalled_since = [time.monotonic()]
        wait_until(is_full, "the writer is held up", interval=0)
        self.assertLess(sent, 4 << 20)
        memory = int(laptop.status_of_process("VmRSS").split()[0])
        self.assertLess(memory, 64 * 1024)
        # Other work goes on over the same session.
        began = time.monotonic()
        _, activity = laptop.publish(title="Meanwhile")
        desktop.wait_for_offer(activity, PROMPT)
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["title"], "Meanwhile")
        self.assertLess(time.monotonic() - began, PROMPT)
        # And the bytes that were held come, all of them.
        origin.shutdown(socket.SHUT_WR)
        self.assertEqual(len(self.read_all(receiver)), sent)

    def test_many_streams_at_once(self):
        laptop, desktop = self.two()
        ends = [self.open_stream(laptop, desktop) for _ in range(16)]
        payloads = [os.urandom(3 << 20) for _ in ends]
        received = [None] * len(ends)

        def send(index):
            ends[index][0].sendall(payloads[index])
            ends[index][0].shutdown(socket.SHUT_WR)

        def receive(index):
            received[index] = self.read_all(ends[index][1])

        threads = [threading.Thread(target=f, args=(i,)) for i in range(len(ends)) for f in (send, receive)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE * 2)
        self.assertEqual(received, payloads)

    def test_a_cable_that_is_cut_breaks_the_stream_by_name(self):
        laptop, desktop = self.two()
        origin, receiver, names = self.open_stream(laptop, desktop)
        outcome = desktop.connect(90)
        outcome.send("AwaitStream", {"stream": names[1]})
        origin.sendall(b"before")
        self.assertEqual(receiver.recv(100), b"before")
        began = time.monotonic()
        control("link-down", HOSTS[1])
        self.addCleanup(control, "link-up", HOSTS[1])
        self.assertEqual(outcome.receive()["reason"], "streamInterrupted")
        # 20 s without a sign of life, 8 s for the answer to a ping, and 30 s for another session.
        self.assertLess(time.monotonic() - began, 58 + PATIENCE)
