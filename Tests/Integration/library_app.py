# SPDX-License-Identifier: Apache-2.0
"""The app of Tests/HandoffApp: spawned, commanded and listened to."""
import collections
import json
import queue
import subprocess
import threading
import time

from lab import BUILD, PATIENCE, Deadline, on


class App:
    """An app beside a daemon. `events` holds all callbacks so far, in their order."""

    def __init__(self, case, daemon, name, program=BUILD / "handoff-app", **environment):
        self.name = name
        self.events = []
        self.incoming = queue.Queue()
        # Callbacks that came while a command was under way, for who waits next.
        self.early = collections.deque()
        log = case.directory / f"{name}.log"
        case.logs.append(log)
        with open(log, "ab") as errors:
            self.process = case.spawn(
                on(daemon.host, program), env={**daemon.environment, **environment}, text=True, bufsize=1,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            )
        self.log = log
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            for line in self.process.stdout:
                self.incoming.put(json.loads(line))
        except ValueError:
            pass

    def send(self, verb, name=None, properties=None, **options):
        """Gives a command and does not wait until it is done."""
        command = {"do": verb, "name": name, "properties": properties, **options}
        self.process.stdin.write(json.dumps({key: value for key, value in command.items() if value is not None}) + "\n")

    def do(self, verb, name=None, properties=None, **options):
        """Gives a command and waits until it is done."""
        self.send(verb, name, properties, **options)
        end = time.monotonic() + PATIENCE
        early = []
        while True:
            event = self.receive(end, f"{verb} is not done")
            if event["callback"] == "did" and event["command"] == verb:
                break
            early.append(event)
        self.early.extend(early)

    def get(self, name):
        """The properties of an activity."""
        self.send("get", name)
        event = self.wait("properties")
        self.wait("did", command="get")
        return event

    def make_current(self, name="note", properties=None, **options):
        """Makes an activity whose title is its name, and makes it current."""
        self.do("make", name, {"title": name, **(properties or {})}, **options)
        self.do("becomeCurrent", name)

    def wait(self, callback, deadline=PATIENCE, **members):
        """The next event of this name and with these members; others are passed over."""
        return self.wait_for_any([callback], deadline, **members)

    def wait_for_any(self, callbacks, deadline=PATIENCE, **members):
        end = time.monotonic() + deadline
        while True:
            event = self.early.popleft() if self.early else self.receive(end, f"no {callbacks} {members}")
            if event["callback"] in callbacks and all(event.get(key) == value for key, value in members.items()):
                return event

    def receive(self, end, what):
        try:
            event = self.incoming.get(timeout=max(0, end - time.monotonic()))
        except queue.Empty:
            raise Deadline(f"{self.name}: {what} in time after {self.events[-6:]}") from None
        self.events.append(event)
        return event

    def sockets(self):
        """How many sockets the app has open."""
        self.send("sockets")
        return self.wait("sockets")["count"]

    def settle(self):
        """Takes in what has happened until now."""
        self.do("settle")

    def count(self, callback, **members):
        return len(self.all(callback, **members))

    def all(self, callback, **members):
        return [
            event for event in self.events
            if event["callback"] == callback and all(event.get(key) == value for key, value in members.items())
        ]

    def wait_for_offers(self, *titles):
        """Waits until these and no others are offered, the newest first."""
        self.wait("offers", titles=list(titles))

    def continue_offer(self, *titles):
        self.do("continue", titles=list(titles))

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)
