"""Servers that read, keep, change and repeat what passes through them, and say what they like."""
# Labs: routed
import base64
import json
import socket
import subprocess
import sys
import time
import unittest

from lab import PATIENCE, PROMPT, ROOT, on, wait_until
from rendezvous import SERVER, RendezvousTest, run

TRAP = 4223
# Nothing connects these links, so what a machine knows of the other comes through the server.
APART = """
table ip apart {
  chain forward {
    type filter hook forward priority 0; policy accept
    ip saddr 10.0.0.0/8 ip daddr 10.0.0.0/8 drop
  }
}
"""


class HostileTest(RendezvousTest):
    def setUp(self):
        super().setUp()
        run("ra", "nft", APART)
        self.laptop, self.desktop = self.machines()
        self.servers_directory = self.directory / "servers"
        self.laptop.baton("rendezvous", "create", self.servers_directory, "--server", SERVER, "--no-relay")
        self.start_hostile()
        self.admit_by_files(self.laptop, self.desktop)
        self.wait_until_ready(self.laptop, self.desktop)

    def start_hostile(self):
        self.control = self.directory / "control"
        program = ROOT / "Tests/Lab/hostile_rendezvous.py"
        log = self.directory / "hostile.log"
        self.logs.append(log)
        command = [sys.executable, program, self.servers_directory, self.control, f"{SERVER}:{TRAP}"]
        with open(log, "ab") as output:
            self.hostile = self.spawn(on("s", *command), stdout=output, stderr=output)
        wait_until(lambda: ":4222 " in run("s", "ss", "-Hltn") + " ", "the server listens")

    def tell(self, **command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(120)
            connection.connect(str(self.control))
            connection.sendall(json.dumps(command).encode() + b"\n")
            with connection.makefile() as answers:
                return json.loads(answers.readline())

    def wait_until_gone(self, title):
        wait_until(lambda: title not in self.laptop.offer_titles(), f"{title} is withdrawn")


class ReadingTests(HostileTest):
    def secrets(self):
        """What must not be found, and in which forms."""
        words = ["laptop", "desktop", "org.example.canary", "Canary title", "Demo", "root"]
        for daemon in (self.laptop, self.desktop):
            for team in daemon.call("ListTeams")["teams"]:
                words.append(team["id"])
            words += [path.name for path in (daemon.state / "teams").iterdir()]
            words += [peer["deviceID"] for peer in daemon.call("ListPeers")["peers"]]
        for word in words:
            raw = word.encode()
            yield word, raw
            with_hex = bytes.fromhex(word) if len(word) == 64 else raw
            yield word, with_hex
            for offset in range(3):
                # Without the digits that depend on what is beside it.
                needle = base64.b64encode(b"\0" * offset + with_hex)[4 if offset else 0:-4]
                if len(needle) >= 6:
                    yield word, needle

    def test_a_server_learns_nothing(self):
        _, activity = self.desktop.publish("org.example.canary", title="Canary title")
        self.laptop.wait_for_offer(activity)
        recorded = self.tell(do="recorded")
        recordings = [(subject, base64.b64decode(payload)) for subject, payload in recorded["messages"]]
        # The other one is the team's account, with which its administrator says who was removed.
        messages = [(subject, payload) for subject, payload in recordings if subject.startswith("b.")]
        self.assertGreaterEqual(len(messages), 3)
        self.assertEqual({len(payload) for _, payload in messages}, {640})
        text = "".join(recorded["said"]).encode()
        # What tokens contain.
        for line in recorded["said"]:
            if line.startswith("CONNECT "):
                part = json.loads(line[8:])["jwt"].split(".")[1]
                text += base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        haystack = text + b"".join(payload for _, payload in recordings)
        for subject, payload in recordings:
            if not subject.startswith("b."):
                part = payload.split(b".")[1]
                haystack += base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))
        for word, needle in self.secrets():
            self.assertNotIn(needle, haystack, word)

    def test_names_change_with_the_key(self):
        def names():
            subjects = [subject for subject, _ in self.tell(do="recorded")["messages"]]
            return {subject.split(".")[-1] for subject in subjects if subject.startswith("b.")}

        wait_until(lambda: len(names()) == 2, "both have said something")
        before = names()
        # Whoever is removed makes the team change its key.
        tablet = self.batond("tablet", 0).start()
        self.admit_by_files(self.laptop, tablet)
        tablet.wait_for_sessions(1)
        wait_until(lambda: len(names()) == 3, "the tablet has said something")
        self.laptop.baton("team", "revoke", "tablet")
        wait_until(lambda: len(names()) > 3, "the laptop has another name")
        self.assertEqual(len(names() - before), 2)


class ChangingTests(HostileTest):
    def test_what_is_changed_is_ignored_and_nothing_comes_twice(self):
        for mode in ("flip", "cut", "swap", "echo", "drop"):
            with self.subTest(mode=mode):
                self.tell(do="mode", mode=mode)
                connection, activity = self.desktop.publish(title=mode)
                connection.close()
                # An honest message says that the others have been handled.
                self.tell(do="mode", mode="honest")
                self.prove_that_it_hears(f"after {mode}")
                self.assertNotIn(mode, self.laptop.offer_titles())
        for mode in ("replay", "reverse"):
            with self.subTest(mode=mode):
                self.tell(do="mode", mode=mode)
                for number in range(3):
                    connection, activity = self.desktop.publish(title=f"{mode} {number}")
                    connection.close()
                self.tell(do="mode", mode="honest")
                self.prove_that_it_hears(f"after {mode}")
                self.assertEqual(self.laptop.offer_titles(), [])

    def prove_that_it_hears(self, title):
        connection, activity = self.desktop.publish(title=title)
        self.laptop.wait_for_offer(activity)
        self.assertEqual(self.laptop.offer_titles(), [title])
        connection.close()
        self.wait_until_gone(title)

    def test_a_thousand_recordings_bring_nothing_back(self):
        self.prove_that_it_hears("withdrawn")
        count = len(self.tell(do="recorded")["messages"])
        self.tell(do="replay", times=1000)
        self.prove_that_it_hears("heard after all of them")
        self.assertLess(len(self.tell(do="recorded")["messages"]), count + 20, "answers to recordings")

    def test_who_has_left_does_not_come_back(self):
        self.prove_that_it_hears("here")
        self.desktop.terminate()

        def others():
            return self.laptop.json("rendezvous", "show")["teams"][0]["devices"]

        wait_until(lambda: others() == 0, "the desktop has left")
        self.tell(do="replay", times=20)
        self.tell(do="say", text="PING")
        self.desktop.start()
        self.wait_until_ready(self.desktop)
        self.prove_that_it_hears("back")

    def test_a_flood_costs_little(self):
        self.prove_that_it_hears("before")
        before = int(self.laptop.status_of_process("VmRSS").split()[0])
        began = time.monotonic()
        flood = self.spawn([sys.executable, "-c", FLOOD, str(self.control)])
        answers = 0
        while flood.poll() is None:
            asked = time.monotonic()
            self.laptop.call("GetStatus")
            self.assertLess(time.monotonic() - asked, PROMPT)
            answers += 1
        self.assertEqual(flood.returncode, 0)
        self.assertGreater(answers, 3)
        self.prove_that_it_hears("after")
        grown = int(self.laptop.status_of_process("VmRSS").split()[0]) - before
        self.assertLess(grown, 10_000, f"kB in {time.monotonic() - began:.1f} s")


class SayingTests(HostileTest):
    def test_no_server_is_used_that_a_server_names(self):
        trap = self.spawn(
            on("s", sys.executable, "-c", TRAPPED, SERVER, TRAP), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
        self.assertEqual(trap.stdout.readline(), b"listening\n")
        lost = self.laptop.call("GetStatus")["counters"]["rendezvousFailures"]
        for text in ("-ERR 'Slow Consumer'", "-ERR 'Maximum Connections Exceeded'", "NONSENSE", "MSG a 1 2000"):
            self.tell(do="say", text=text)
            lost += 1
            wait_until(lambda: self.laptop.call("GetStatus")["counters"]["rendezvousFailures"] >= lost, text)
            self.wait_until_ready(self.laptop, self.desktop, deadline=90)
        self.assertIsNone(trap.poll(), "nobody has connected")

    def test_the_real_server_takes_over(self):
        self.tell(do="mode", mode="flip")
        self.hostile.kill()
        self.hostile.wait(PATIENCE)
        self.start_server("nats", self.servers_directory)
        self.wait_until_ready(self.laptop, self.desktop, deadline=90)
        _, activity = self.desktop.publish(title="At the real one")
        self.laptop.wait_for_offer(activity)


FLOOD = """
import json, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
connection.sendall(json.dumps({"do": "flood", "count": 100000}).encode() + b"\\n")
connection.makefile().readline()
"""

# Ends when somebody connects.
TRAPPED = """
import socket, sys
listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("listening", flush=True)
listener.accept()
"""

if __name__ == "__main__":
    unittest.main()
