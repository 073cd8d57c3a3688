# SPDX-License-Identifier: Apache-2.0
"""The other machines of the table `scale`: simulated in one process, with the real protocol (Benchmarks/Peers)."""
import json
import shutil
import subprocess

from comparisons.machines import BUILD, wait_until

ACTIVITY_TYPE = "org.example.benchmark"


class SimulatedPeers:
    """Machines of the subject's team, besides those that it has sessions with. They have 16 addresses of this host."""

    def __init__(self, machines, subject):
        self.subject = subject
        copy = machines.directory / "team"
        # With the team's key, from which each of them gets a certificate.
        shutil.copytree(subject.state, copy)
        self.process = machines.spawn(
            [BUILD / "peers", copy, subject.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.others = subject.call("GetStatus")["sessions"]
        self.count = 0
        self.activities = []

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def grow(self, count):
        """Lets so many have a session with the subject, and returns when all have."""
        self.ask("sessions", count)
        self.subject.wait_for_sessions(self.others + count, 60)
        self.count = count

    def wait_until_told(self, title):
        """Returns when all of them have been offered the activity."""
        self.ask("await", self.count, title)

    def offer(self, count, title):
        """Each of the first ones offers another activity. Returns when the subject lists all of them."""
        self.ask("offer", count, title)
        return wait_until(lambda: self.listed(count, title), f"{count} offers")

    def listed(self, count, title):
        found = [offer["id"] for offer in self.subject.offers(activityType=ACTIVITY_TYPE) if offer.get("title") == title]
        return found if len(found) == count else None

    def withdraw(self):
        """None of them offers anything, soon."""
        self.ask("offer", 0, "nothing")

    def change(self, count, machines, title):
        """The first ones change their offers in turn. Returns the last title."""
        self.ask("change", count, machines, title)
        return f"{title}-{count - 1}"

    def offer_streams(self):
        """Each of them offers an activity with a stream. Call this before `open_stream`."""
        self.activities = self.offer(self.count, "streams")

    def open_stream(self):
        """The socket of a stream from a program of the subject to the next of them. It gives back single bytes."""
        activity = self.activities.pop()
        self.subject.call("Continue", id=activity)
        opener = self.subject.connect()
        opener.send("OpenStream", {"activity": activity}, upgrade=True)
        opener.receive()
        return opener.socket
