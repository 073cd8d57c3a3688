# SPDX-License-Identifier: Apache-2.0
"""One device's connection to a NATS server, which does what NATSSession, ServerChoice and RendezvousPresence do."""
import errno
import json
import os
import random
import select
import socket
import ssl
import time

from servers import tokens

PAYLOAD_LENGTH = 640
# Limits+Rendezvous.swift, and what ServerChoice, NATSSession and RendezvousPresence have of their own, in seconds.
REPLY_TIME, IDLE_TIME, ANSWER_TIME = 10, 60, 2
BACKOFF, STEADY_TIME, REFUSED_TIME = (2, 300), 30, 300

IDLE, CONNECTING, GREETED, SECURING, AUTHENTICATING, READY, WAITING = range(7)
LATER = (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError)


class Client:
    def __init__(self, crowd, team, number, account):
        self.crowd, self.team, self.number = crowd, team, number
        self.name = tokens.device_name(f"{team}/{number}")
        self.user = tokens.Key("user")
        self.token = tokens.user_token(account, self.user, self.name)
        self.state, self.socket, self.server, self.pause = IDLE, None, random.randrange(len(crowd.servers)), BACKOFF[0]
        self.ready_at, self.failing_since = None, None
        # When something is due, and the time of the crowd's timer for it, which may be too early.
        self.deadline, self.probe_at, self.retry_at, self.timer = None, None, None, None
        self.input, self.output, self.answers, self.nonce = b"", b"", set(), None

    # -------------------------------------------------------------------------------- The connection

    def connect(self):
        """Begins a connection to the server whose turn it is."""
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.state, self.input, self.output = CONNECTING, b"", b""
        self.deadline, self.retry_at, self.probe_at = time.monotonic() + REPLY_TIME, None, None
        self.crowd.schedule(self)
        self.crowd.counts["attempts"] += 1
        error = self.socket.connect_ex(self.crowd.servers[self.server])
        if error not in (0, errno.EINPROGRESS):
            return self.fail("unreachable")
        self.crowd.watch(self, select.EPOLLIN | select.EPOLLOUT)

    def disconnect(self):
        if self.socket:
            self.crowd.forget(self)
            self.socket.close()
        self.socket, self.state, self.answers = None, IDLE, set()
        self.deadline, self.probe_at, self.retry_at = None, None, None

    def fail(self, why):
        """What ServerChoice does."""
        stage = self.state
        self.disconnect()
        now = time.monotonic()
        self.state = WAITING
        if stage != READY:
            self.crowd.failed(self, why, stage)
        self.server = (self.server + 1) % len(self.crowd.servers)
        if self.ready_at and now - self.ready_at >= STEADY_TIME:
            self.pause, self.failing_since = BACKOFF[0], None
        self.failing_since = self.failing_since or now
        self.ready_at = None
        if why == "refused":
            self.retry_at = now + REFUSED_TIME * (0.5 + random.random() / 2)
        else:
            longest = max(now - self.failing_since, BACKOFF[0])
            self.retry_at = now + min(self.pause, longest) * random.random()
            self.pause = min(self.pause * 2, BACKOFF[1])
        self.crowd.schedule(self)

    @property
    def is_ready(self):
        return self.state == READY

    @property
    def due(self):
        return min((time for time in (self.deadline, self.probe_at, self.retry_at) if time), default=None)

    def wake(self, now):
        if self.retry_at and now >= self.retry_at:
            self.connect()
        elif self.deadline and now >= self.deadline:
            self.fail("timed out")
        elif self.probe_at and now >= self.probe_at:
            self.probe_at, self.deadline = None, now + REPLY_TIME
            self.send(b"PING\r\n")

    def stay_alive(self, now):
        self.probe_at, self.deadline = now + IDLE_TIME, now + IDLE_TIME + REPLY_TIME

    def handle(self, events):
        try:
            if self.state == CONNECTING:
                error = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error:
                    return self.fail("unreachable")
                if events & select.EPOLLOUT:
                    self.state = GREETED
                    self.crowd.change(self, select.EPOLLIN)
            if self.state == SECURING:
                return self.secure()
            if self.output:
                self.send(b"")
            if self.state >= GREETED:
                self.read()
        except LATER:
            pass
        except (OSError, ssl.SSLError):
            self.fail("closed")

    def secure(self):
        try:
            self.socket.do_handshake()
        except ssl.SSLWantReadError:
            return self.crowd.change(self, select.EPOLLIN)
        except ssl.SSLWantWriteError:
            return self.crowd.change(self, select.EPOLLIN | select.EPOLLOUT)
        # The pin: the server has the very certificate that its directory contains.
        if self.socket.getpeercert(True) != self.crowd.certificate:
            raise RuntimeError("The server has another certificate")
        self.state = AUTHENTICATING
        self.send(tokens.connect_line(self.user, self.token, self.nonce) + b"PING\r\n")

    def send(self, data):
        self.output += data
        try:
            while self.output:
                self.output = self.output[self.socket.send(self.output):]
        except LATER:
            self.crowd.change(self, select.EPOLLIN | select.EPOLLOUT)
        else:
            self.crowd.change(self, select.EPOLLIN)

    def read(self):
        while self.state >= GREETED and self.socket:
            try:
                data = self.socket.recv(16384)
            except LATER:
                return
            if not data:
                return self.fail("closed")
            self.input += data
            self.take()
            if self.state == SECURING:
                return self.secure()

    # -------------------------------------------------------------------------------- What the server says

    def take(self):
        while self.socket and (end := self.input.find(b"\r\n")) >= 0:
            line = self.input[:end]
            if line.startswith(b"MSG "):
                words = line.split()
                whole = end + 2 + int(words[-1]) + 2
                if len(self.input) < whole:
                    return
                payload, self.input = self.input[end + 2:whole - 2], self.input[whole:]
                self.hear(words[1].decode(), payload)
                continue
            self.input = self.input[end + 2:]
            if line.startswith(b"INFO "):
                if self.state == GREETED:
                    self.nonce = json.loads(line[5:])["nonce"]
                    self.socket = self.crowd.context.wrap_socket(self.socket, do_handshake_on_connect=False)
                    self.state = SECURING
            elif line == b"PING":
                self.stay_alive(time.monotonic())
                self.send(b"PONG\r\n")
            elif line == b"PONG":
                self.stay_alive(time.monotonic())
                if self.state == AUTHENTICATING:
                    self.become_ready()
            elif line.startswith(b"-ERR"):
                text = line[5:].decode().strip("'").lower()
                if not text.startswith("permissions violation"):
                    self.fail("refused" if text in ("authorization violation", "authentication timeout") else text)

    def become_ready(self):
        self.state, self.ready_at = READY, time.monotonic()
        self.crowd.became_ready(self)
        if self.crowd.arrives:
            self.arrive()

    def arrive(self):
        """Subscribes, and asks the others what they offer."""
        self.send(f"SUB b.adv.* 1\r\nSUB b.to.{self.name}.* 2\r\n".encode())
        self.advertise(b"?")

    def advertise(self, prefix=b"!"):
        self.publish(f"b.adv.{self.name}", prefix)

    def publish(self, subject, prefix):
        if self.state == READY:
            self.crowd.counts["published"] += 1
            # Sealed messages cannot be compressed, and have one length.
            self.send(f"PUB {subject} {PAYLOAD_LENGTH}\r\n".encode() + prefix + os.urandom(PAYLOAD_LENGTH - len(prefix)) + b"\r\n")

    def hear(self, subject, payload):
        now = time.monotonic()
        self.stay_alive(now)
        self.crowd.counts["delivered"] += 1
        sender = subject.rsplit(".", 1)[1]
        if payload[:1] == b"?" and sender not in self.answers:
            self.answers.add(sender)
            self.crowd.later(now + ANSWER_TIME * random.random(), lambda: self.answer(sender))
        self.crowd.heard(self, payload, now)

    def answer(self, receiver):
        self.answers.discard(receiver)
        self.publish(f"b.to.{receiver}.{self.name}", b"!")
