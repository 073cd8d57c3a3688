# SPDX-License-Identifier: Apache-2.0
"""Streams whose programs are killed at any moment: who says that a stream was whole is right.

STREAM_ROUNDS (40) is how many streams; STREAM_SEED makes the same choices again.
"""
# Labs: lo
import json
import os
import random
import signal
import subprocess
import sys
import time

from lab import PATIENCE, PROMPT, LabTest, wait_until

ROUNDS = int(os.environ.get("STREAM_ROUNDS", "40"))
SEED = int(os.environ.get("STREAM_SEED", random.SystemRandom().randrange(1 << 32)))

# One end of a stream by nothing but sockets: standard input to the stream, the stream to standard output. Its status is 0
# where the daemon says that the stream was whole.
RAW = """
import json, os, socket, sys, threading
path, method, parameters = sys.argv[1:]
def call(method, parameters, **flags):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    message = {"method": "io.baton.Handoff." + method, "parameters": parameters, **flags}
    connection.sendall(json.dumps(message).encode() + bytes(1))
    return connection
def reply(connection):
    text = b""
    while not text.endswith(bytes(1)):
        text += connection.recv(1) or sys.exit(9)
    return json.loads(text[:-1])["parameters"]
def send():
    try:
        while part := os.read(0, 65536):
            end.sendall(part)
        end.shutdown(socket.SHUT_WR)
    except OSError:
        pass
end = call(method, json.loads(parameters), upgrade=True)
opened = reply(end)
if "stream" not in opened:
    sys.exit(5)
awaiting = call("AwaitStream", {"stream": opened["stream"]})
threading.Thread(target=send, daemon=True).start()
try:
    # What is read from the socket counts as taken: it is elsewhere before.
    while part := end.recv(65536, socket.MSG_PEEK):
        os.write(1, part)
        end.recv(len(part))
except OSError:
    sys.exit(7)
os._exit(7 if "reason" in reply(awaiting) else 0)
"""

# Standard input to standard output, so many bytes at a time; killed after so many in all.
SINK = """
import os, signal, sys
size, limit = map(int, sys.argv[1:])
while part := os.read(0, min(size, limit)):
    os.write(1, part)
    limit -= len(part)
    if limit == 0:
        os.kill(os.getpid(), signal.SIGKILL)
"""


class End:
    """A program at one end of a stream: what it writes, and where what it reads goes."""

    def __init__(self, name, directory, random, number):
        self.name = name
        self.kind = random.choice(["file", "pipe", "raw"])
        length = random.choice([0, 1, random.randrange(1 << 12), random.randrange(1 << 17), random.randrange(2 << 20)])
        self.content = random.randbytes(length)
        self.input, self.output = directory / f"{name}.{number}.in", directory / f"{name}.{number}.out"
        self.input.write_bytes(self.content)
        self.output.write_bytes(b"")
        self.process = self.sink = None

    @property
    def received(self):
        return self.output.stat().st_size

    @property
    def processes(self):
        return [process for process in (self.process, self.sink) if process]

    def __repr__(self):
        return f"{self.name} ({self.kind}, wrote {len(self.content)}, has {self.received}, {self.process.returncode})"


class StreamKillTest(LabTest):
    labs = ("lo",)
    time_limit = 300 + 5 * ROUNDS

    def start(self, end, command, environment=None, read_size=1 << 16, read_limit=1 << 40):
        with open(end.input, "rb") as source, open(end.output, "wb") as output:
            target = output
            if end.kind == "pipe":
                sink = [sys.executable, "-S", "-c", SINK, str(read_size), str(read_limit)]
                end.sink = subprocess.Popen(sink, stdin=subprocess.PIPE, stdout=output)
                target = end.sink.stdin
            end.process = subprocess.Popen(
                [str(word) for word in command], env=environment, stdin=source, stdout=target, stderr=subprocess.DEVNULL
            )
            if end.sink:
                end.sink.stdin.close()

    def stop(self, *ends):
        for process in (process for end in ends for process in end.processes):
            if process.poll() is None:
                process.kill()
            process.wait(PATIENCE)

    def test_who_says_that_it_was_whole_is_right(self):
        print(f"         STREAM_SEED={SEED}", flush=True)
        laptop, desktop = self.two()
        counts = {"whole": 0, "whole for one": 0, "broken": 0, "not begun": 0}
        open_at_first = None
        for number in range(ROUNDS):
            counts[self.round(random.Random(SEED + number), number, laptop, desktop)] += 1
            if number == 2:
                self.wait_until_idle(laptop, desktop)
                open_at_first = [self.open_count(daemon) for daemon in (laptop, desktop)]
        self.wait_until_idle(laptop, desktop)
        for daemon, count in zip((laptop, desktop), open_at_first or []):
            wait_until(lambda: self.open_count(daemon) <= count, f"{daemon.name} has closed what it opened")
        print(f"         {ROUNDS} streams: {', '.join(f'{value} {key}' for key, value in counts.items())}", flush=True)

    def open_count(self, daemon):
        return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))

    def wait_until_idle(self, *daemons):
        for daemon in daemons:
            wait_until(lambda: daemon.call("GetStatus")["streams"] == 0, f"{daemon.name} has no stream")

    def round(self, random, number, laptop, desktop):
        origin, receiver = (End(name, self.directory, random, number) for name in ("origin", "receiver"))
        ends = (origin, receiver)
        victim = random.choice([None, origin, origin, receiver, receiver, "sink"])
        reading = {}
        for end, other in ((origin, receiver), (receiver, origin)):
            reading[end] = {"read_size": random.choice([1 << 10, 1 << 16])}
            if victim == "sink" and end.kind == "pipe" and other.content:
                reading[end]["read_limit"] = random.randrange(1, len(other.content) + 1)
        # When: some time after the start, or when so much has come.
        delay, share = random.choice([(random.uniform(0, 0.6), 0), (0, random.random()), (0, 1)])
        try:
            began = self.begin(origin, receiver, f"org.example.round{number}", laptop, desktop, reading)
            if victim in ends:
                self.wait_for_moment(victim, receiver if victim is origin else origin, delay, share)
                victim.process.send_signal(signal.SIGKILL)
            outcome = self.wait_for_ends(ends, laptop, desktop)
            if began is not None:
                began.close()
        finally:
            self.stop(*ends)
        whole = [end.process.returncode == 0 for end in ends]
        for end, other in (ends, ends[::-1]):
            if end.process.returncode == 0:
                about = f"round {number} of STREAM_SEED={SEED}: {end} says that it was whole; {other}; killed {victim}"
                self.assertTrue(end.output.read_bytes() == other.content, about)
                self.assertTrue(other.output.read_bytes() == end.content, about)
        if victim is None:
            self.assertEqual(whole, [True, True], f"round {number} of STREAM_SEED={SEED}: {ends}")
        for end in ends:
            end.input.unlink()
            end.output.unlink()
        return "whole" if all(whole) else "whole for one" if any(whole) else outcome

    def begin(self, origin, receiver, activity_type, laptop, desktop, reading):
        """Starts the programs; returns the connection that offers the activity, where no program does."""
        publishing = None
        if origin.kind == "raw":
            publishing, activity = laptop.publish(activity_type, supportsContinuationStreams=True)
        else:
            advertise = laptop.command_line("advertise", "--type", activity_type, "--stream")
            self.start(origin, advertise, laptop.environment, **reading[origin])
        offer = wait_until(
            lambda: next((offer for offer in desktop.offers() if offer["activityType"] == activity_type), None),
            "the offer", interval=0.002,
        )
        if receiver.kind == "raw":
            desktop.call("Continue", id=offer["id"])
            parameters = json.dumps({"activity": offer["id"], "awaits": True})
            self.start(receiver, [sys.executable, "-S", "-c", RAW, desktop.socket, "OpenStream", parameters])
        else:
            command = desktop.command_line("continue", "--type", activity_type, "--stream")
            self.start(receiver, command, desktop.environment, **reading[receiver])
        if origin.kind == "raw":
            requested = publishing.receive_until(lambda reply: reply["event"] == "streamRequested")
            parameters = json.dumps({"stream": requested["stream"], "awaits": True})
            self.start(origin, [sys.executable, "-S", "-c", RAW, laptop.socket, "AcceptStream", parameters])
        return publishing

    def wait_for_moment(self, victim, other, delay, share):
        time.sleep(delay)
        reader, length = (other, len(victim.content)) if share else (None, 0)
        if length == 0:
            reader, length = victim, len(other.content) if share else 0
        while victim.process.poll() is None and reader.received < share * length:
            time.sleep(0.0005)

    def wait_for_ends(self, ends, laptop, desktop):
        """Until both programs have ended; one that waits for the other, which is gone before the stream was, is ended."""
        alone = time.monotonic() + PROMPT
        while any(process.poll() is None for end in ends for process in end.processes):
            self.assertLess(time.monotonic(), alone + PATIENCE, f"The stream does not end: {ends}")
            gone = [end for end in ends if end.process.poll() is not None]
            if len(gone) == 1 and all(daemon.call("GetStatus")["streams"] == 0 for daemon in (laptop, desktop)):
                left = next(end for end in ends if end not in gone)
                try:
                    left.process.wait(2)
                except subprocess.TimeoutExpired:
                    self.stop(left)
                    return "not begun"
            time.sleep(0.002)
        return "broken"
