# SPDX-License-Identifier: Apache-2.0
"""A server and a relay that mean no good."""
# Labs: routed
import base64
import hashlib
import json
import os
import subprocess
import unittest

from hostile_server import DECOY, HostileServerTest, encode, processor_time
from lab import PATIENCE, PROMPT, wait_until
from rendezvous import SERVER

USER, NAMES = "wilhelmina-canary", ("canary-notebook", "canary-workstation", "canary-telephone")
CERTIFICATE_REVOKED = 44
TYPE, TITLE, TEAM = "org.canary-type.editor", "Canary resignation letter", "Canary Family Team"


class LearningTests(HostileServerTest):
    """All that the server hears is kept."""

    def device_id(self, daemon):
        """The hash of the device's public key."""
        certificate = next((daemon.state / "teams").iterdir()) / "device.pem"
        command = f"openssl x509 -in {certificate} -noout -pubkey | openssl pkey -pubin -outform DER"
        key = subprocess.run(command, shell=True, check=True, capture_output=True, timeout=PATIENCE).stdout
        return hashlib.sha256(key).digest()

    def test_nothing_is_learnt(self):
        prefix = ["env", f"USER={USER}", f"LOGNAME={USER}"]
        laptop, desktop, phone = (
            self.batond(name, number, arguments=["--port", port], prefix=prefix).start()
            for name, number, port in zip(NAMES, (0, 1, 1), (22866, 22866, 22867)))
        laptop.baton("team", "create", TEAM)
        server = self.start_hostile(laptop, "--no-relay")
        self.admit_by_files(laptop, desktop, phone)
        self.wait_until_ready(laptop, desktop, phone)
        _, activity = desktop.publish(TYPE, title=TITLE)
        laptop.wait_for_offer(activity)
        for daemon in (laptop, desktop, phone):
            daemon.wait_for_sessions(2)
        before = {self.name(daemon, server) for daemon in (laptop, desktop, phone)}
        self.assertEqual(set(server.clients), before)
        phone_id = self.device_id(phone)
        laptop.baton("team", "revoke", NAMES[2])
        # Both have new names, and the new key's messages are understood.
        wait_until(lambda: len(set(server.clients) - before) == 2, "the others have new names")
        after = {self.name(daemon, server) for daemon in (laptop, desktop)}
        self.assertEqual(after & before, set())
        count = server.state["messages"]
        _, second = desktop.publish(TYPE, title=TITLE)
        laptop.wait_for_offer(second)
        wait_until(lambda: server.state["messages"] > count, "it is told through the server, too")
        # What they said, and what the server's owner was given.
        heard = server.heard.read_bytes()
        heard += b"".join(file.read_bytes() for file in sorted(self.servers_directory.rglob("*")) if file.is_file())
        self.assertIn(b"CONNECT", heard)
        # The tokens are texts in base 64.
        for word in heard.replace(b'"', b" ").replace(b".", b" ").split():
            if word.startswith(b"eyJ"):
                heard += base64.urlsafe_b64decode(word + b"==")
        secrets = [USER, *NAMES, TYPE, TITLE, TEAM]
        shown = laptop.call("ListTeams")["teams"][0]
        secrets += [shown["id"], shown["fingerprint"], shown["deviceID"], activity, second]
        for secret in map(str.encode, secrets):
            self.assertFalse(secret.lower() in heard.lower(), secret)
        identities = [bytes.fromhex(shown["fingerprint"]), phone_id, *map(self.device_id, (laptop, desktop))]
        for identity in identities:
            for form in (identity, identity[:16], identity.hex().encode(), base64.b64encode(identity[:15]),
                         base64.urlsafe_b64encode(identity[:15]), base64.b32encode(identity[:15])):
                self.assertFalse(form.lower() in heard.lower(), form)
        payloads = [payload for _, subject, payload in server.messages() if subject.startswith("b.")]
        self.assertGreater(len(payloads), 5)
        self.assertEqual({len(payload) for payload in payloads}, {640})
        self.assertEqual(len(payloads), len(set(payloads)))
        subjects = {subject for _, subject, _ in server.messages()}
        self.assertLessEqual({subject.split(".")[0] for subject in subjects}, {"b", "$SYS"})
        self.assertOnlySealedIsDialled(("10.2.0.2", 22867))


class ReplayTests(HostileServerTest):
    """The machines know of each other only what the server lets them know."""

    def apart(self):
        self.keep_apart()
        laptop, desktop, server = self.team("--no-relay")
        self.wait_for_devices(laptop, 1)
        self.wait_for_devices(desktop, 1)
        return laptop, desktop, server

    def of(self, daemon, server):
        """(subject, payload) of all that the daemon has published."""
        name = self.name(daemon, server)
        return [(subject, payload) for sender, subject, payload in server.messages() if sender == name]

    def approval(self, daemon):
        """What whoever runs servers answers, for the servers that the team already has."""
        access = self.rendezvous(daemon)
        key = bytes.fromhex("302e020100300506032b657004220420") + base64.b64decode(access["account"]["seed"])
        command = ["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"]
        public = subprocess.run(command, input=key, check=True, capture_output=True, timeout=PATIENCE).stdout[-32:]
        answer = {"version": 1, "account": base64.b64encode(public).decode()}
        return json.dumps({**answer, "servers": access["servers"], "pins": access["pins"]}).encode()

    def wait_until_gone(self, daemon):
        """The other has said goodbye, and is no longer being dialled."""
        self.wait_for_devices(daemon, 0)
        wait_until(lambda: not daemon.call("ListPeers")["peers"], f"{daemon.name} knows nobody")

    def assertNobody(self, daemon):
        self.assertEqual((self.shown(daemon)["devices"], daemon.offers(), daemon.call("ListPeers")["peers"]), (0, [], []))

    def deliver_until(self, server, messages, to, is_heard):
        """A device hears only so much of one sender. So what follows too much is said again until it is heard."""
        def deliver():
            server.deliver(messages, to)
            return is_heard()

        wait_until(deliver, "the message is heard")

    def say_last(self, server, sender, known, to, is_heard):
        """What the sender has said since, as it said it."""
        said = wait_until(
            lambda: [message for message in self.of(sender, server) if message not in known], f"{sender.name} says something"
        )
        self.deliver_until(server, said[-1:], to, is_heard)

    def wait_for_titles(self, daemon, *titles):
        wait_until(lambda: daemon.offer_titles() == list(titles), f"{daemon.name} lists {titles}")

    def test_replays(self):
        laptop, desktop, server = self.apart()
        to = self.name(laptop, server)
        held, activity = desktop.publish(title="One")
        self.wait_for_titles(laptop, "One")
        recorded = self.of(desktop, server)
        for count in (1, 1000):
            server.deliver(recorded, to, count)
            self.assertEqual(laptop.offer_titles(), ["One"])
        held.close()
        self.say_last(server, desktop, recorded, to, lambda: laptop.offer_titles() == [])
        for messages in (recorded, recorded[::-1]):
            server.deliver(messages, to, 500)
            self.assertEqual(laptop.offers(), [])
        recorded = self.of(desktop, server)
        desktop.terminate()
        self.say_last(server, desktop, recorded, to, lambda: self.shown(laptop)["devices"] == 0)
        self.wait_until_gone(laptop)
        recorded = self.of(desktop, server)
        server.deliver(recorded, to, 1000)
        self.assertNobody(laptop)
        self.assertAnswers(laptop)
        # The control: itself, it comes back.
        desktop.start()
        self.say_last(server, desktop, recorded, to, lambda: self.shown(laptop)["devices"] == 1)
        server.deliver(recorded, to, 10)
        self.assertEqual(laptop.offers(), [])
        self.assertOnlySealedIsDialled()

    def test_a_replay_after_this_machine_was_away_from_the_server(self):
        """What is known of who has left does not end with the connection."""
        laptop, desktop, server = self.apart()
        held, _ = desktop.publish(title="One")
        self.wait_for_titles(laptop, "One")
        recorded = self.of(desktop, server)
        held.close()
        self.wait_for_titles(laptop)
        desktop.terminate()
        self.wait_until_gone(laptop)
        to = self.name(laptop, server)
        number = server.number(to)
        server.call("close", to=to)
        wait_until(lambda: server.number(to) not in (None, number), "it is there again")
        self.wait_until_ready(laptop)
        server.deliver(recorded, to)
        self.assertNobody(laptop)
        # It is told anew where the team meets, so the connection is made anew.
        number = server.number(to)
        laptop.baton("rendezvous", "import", input=self.approval(laptop))
        wait_until(lambda: server.number(to) not in (None, number), "it connects anew")
        self.wait_until_ready(laptop)
        server.deliver(recorded, to)
        self.assertNobody(laptop)

    def test_who_has_an_old_key_can_leave(self):
        """A device that has not learnt of a new key is only a reason to dial, and that only as long as it is there."""
        laptop, desktop, server = self.team("--no-relay")
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        phone = self.batond("phone", 0, arguments=["--port", 22867]).start()
        self.admit_by_files(laptop, phone)
        # Then it is known by its name.
        laptop.wait_for_sessions(2)
        self.keep_apart()
        phone.terminate()
        self.cut(laptop, desktop)
        laptop.wait_for_sessions(0)
        before = self.name(laptop, server)
        laptop.baton("team", "revoke", "phone")
        wait_until(lambda: self.name(laptop, server) != before and self.name(laptop, server) in server.clients, "it has a new key")
        self.wait_until_gone(laptop)
        desktop.publish(title="One")
        wait_until(lambda: laptop.call("ListPeers")["peers"], "it is a reason to dial")
        desktop.terminate()
        self.wait_until_gone(laptop)

    def test_order(self):
        """A withdrawal comes before what it withdraws; and what is delayed comes late."""
        laptop, desktop, server = self.apart()
        server.call("set", policy="keep")
        count = len(self.of(desktop, server))
        held, _ = desktop.publish(title="One")
        wait_until(lambda: len(self.of(desktop, server)) > count, "it is offered")
        between = len(self.of(desktop, server))
        held.close()
        wait_until(lambda: len(self.of(desktop, server)) > between, "it is withdrawn")
        messages = self.of(desktop, server)[count:]
        server.deliver(messages[::-1], self.name(laptop, server))
        self.assertEqual(laptop.offers(), [])
        # The control: what is dropped is not missed, and what is late counts.
        _, second = desktop.publish(title="Two")
        wait_until(lambda: len(self.of(desktop, server)) > count + len(messages), "it is offered")
        server.deliver(self.of(desktop, server)[-1:])
        laptop.wait_for_offer(second)

    def test_changed_messages(self):
        laptop, desktop, server = self.apart()
        to, sender = self.name(laptop, server), self.name(desktop, server)
        server.call("set", policy="keep")
        before = self.of(desktop, server)
        _, activity = desktop.publish(title="One")
        wait_until(lambda: len(self.of(desktop, server)) > len(before), "it is offered")
        subject, payload = self.of(desktop, server)[-1]
        self.assertEqual(subject, f"b.adv.{sender}")
        stranger = "0" * 26
        subjects = [
            f"b.adv.{to}", f"b.adv.{stranger}", f"b.to.{to}.{sender}", f"b.to.{stranger}.{sender}", f"b.to.{sender}.{to}",
            f"b.adv.{sender.lower()}", f"b.adv.{sender}.x", "b.adv.", "b.adv", "b", ".", "b.to.*.*", f"b.to.{to}.{to}", "é" * 26,
        ]
        changed = [(other, payload) for other in subjects]
        changed += [(subject, payload[:length]) for length in (0, 1, 12, 28, 639)]
        changed += [(subject, payload + bytes(count)) for count in (1, 384)]
        for place in [*range(0, 640, 16), 639]:
            changed.append((subject, payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]))
        # Those of one, said by the other.
        changed += [(f"b.adv.{sender}", other) for _, other in self.of(laptop, server)]
        for receiver in (to, sender):
            server.deliver(changed, receiver)
        # Its own, too.
        server.deliver(self.of(desktop, server), sender, 10)
        self.assertEqual(laptop.offers(), [])
        self.assertEqual([self.shown(daemon)["devices"] for daemon in (laptop, desktop)], [1, 1])
        self.assertEqual([len(daemon.call("ListPeers")["peers"]) for daemon in (laptop, desktop)], [1, 1])
        # The control: as it was, it counts.
        self.deliver_until(server, [(subject, payload)], to, lambda: laptop.offer_titles() == ["One"])
        self.assertOnlySealedIsDialled()


class ProtocolTests(HostileServerTest):
    """What is no good NATS; while a session on the link goes on."""

    ERRORS = [
        "Unknown Protocol Operation", "Attempted To Connect To Route Port", "Authorization Violation",
        "Authorization Timeout", "Authentication Timeout", "User Authentication Revoked", "User Authentication Expired",
        "Account Authentication Expired", "Invalid Client Protocol", "Maximum Control Line Exceeded", "Parser Error",
        "Secure Connection - TLS Required", "Stale Connection", "Maximum Connections Exceeded", "Slow Consumer",
        "maximum account active connections exceeded", "Maximum Payload Violation", "Invalid Subject", "\x1b]0;x\x07" * 1000, "",
    ]

    def linked(self):
        """A session over a wire between both."""
        self.link(True)
        self.addCleanup(self.link, False)
        laptop, desktop, server = self.team("--no-relay")
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        return laptop, desktop, server

    def assertUndisturbed(self, laptop, desktop, lost):
        self.assertAnswers(laptop, desktop)
        self.assertEqual([daemon.call("GetStatus")["sessions"] for daemon in (laptop, desktop)], [1, 1])
        self.assertEqual([daemon.log_text().count("Lost a peer") for daemon in (laptop, desktop)], lost)
        for origin, receiver in ((laptop, desktop), (desktop, laptop)):
            held, activity = origin.publish(title=origin.name)
            receiver.wait_for_offer(activity)
            self.assertEqual(receiver.call("Continue", id=activity)["device"], origin.name)
            held.close()

    def test_what_is_said_to_a_session(self):
        laptop, desktop, server = self.linked()
        lost = [daemon.log_text().count("Lost a peer") for daemon in (laptop, desktop)]
        to = self.name(laptop, server)
        info = {"nonce": "n", "tls_required": True, "connect_urls": [f"{DECOY}:4222"] * 1000}
        messages = [
            f"MSG b.adv.{to} 1 1025\r\n".encode() + bytes(1025) + b"\r\n", b"A" * (1 << 20), b"MSG b.adv.x 1 -1\r\n",
            b"MSG b.adv.x 1 99999999999999999999\r\n", b"MSG b.adv.x 1 1\r\nxyz", bytes(range(256)) * 64, b"\n" * 1000,
            b"INFO " + json.dumps({**info, "ldm": True}).encode()[: 16 << 10] + b"\r\n", b"INFO {}}\r\n", b"INFO " + b"[" * 9000 + b"\r\n",
            b"INFO {\"nonce\":\"n\",\"ldm\":true}\r\n", *(f"-ERR '{text}'\r\n".encode() for text in self.ERRORS),
        ]
        for message in messages:
            number = server.number(to)
            server.say(message, to)
            wait_until(lambda: server.number(to) != number, f"it leaves after {message[:40]}")
            shown = self.shown(laptop)
            if shown["state"] == "waiting":
                self.assertLess(len(shown["problem"]), 300)
            self.assertAnswers(laptop)
            self.reconnect(laptop)
            wait_until(lambda: server.number(to) not in (None, number), f"it comes back after {message[:40]}")
            self.wait_until_ready(laptop)
        # What ends nothing.
        server.say(b"INFO " + json.dumps({"nonce": "n", "connect_urls": [f"{DECOY}:4222"] * 100}).encode() + b"\r\n", to)
        server.say(b"-ERR 'Permissions Violation for Subscription to \"b.>\"'\r\n+OK\r\nPONG\r\n", to)
        server.call("ask", to=to)
        self.assertIn(to, server.clients)
        self.assertUndisturbed(laptop, desktop, lost)
        self.assertOnlySealedIsDialled()

    def test_what_is_said_before_a_session(self):
        laptop, desktop, server = self.linked()
        lost = [daemon.log_text().count("Lost a peer") for daemon in (laptop, desktop)]
        to = self.name(laptop, server)
        plain = b'INFO {"nonce":"n"}\r\n'
        secure = b'INFO {"nonce":"n","tls_required":true}\r\n'
        cases = [("greeting", text) for text in (
            plain, b"SSH-2.0-x\r\n", b"A" * (64 << 10), b'INFO {"tls_required":true}\r\n', secure + b"PONG\r\n",
            secure + b"PING\r\n" * 9999, secure + b"MSG b.adv.x 1 640\r\n", secure + b"-ERR 'User Authentication Re",
            b"-ERR 'User Authentication Revoked'\r\n", b"PONG\r\n" * 9 + plain, b"")]
        cases += [("welcome", text) for text in (b"-ERR 'Authorization Violation'\r\n", b"MSG b.adv.x 1 1\r\nx\r\n", b"")]
        for kind, text in cases:
            connections = server.state["connections"]
            server.call("set", **{kind: encode(text)})
            server.call("close", to=to)
            self.reconnect(laptop)
            wait_until(lambda: server.state["connections"] > connections, "it connects")
            waiting = wait_until(
                lambda: (shown := self.shown(laptop))["state"] == "waiting" and shown, f"it gives up: {text[:40]}")
            self.assertNotIn("removed", waiting["problem"])
            self.assertAnswers(laptop)
            server.call("set", **{kind: None})
            self.reconnect(laptop)
            self.wait_until_ready(laptop)
        self.assertUndisturbed(laptop, desktop, lost)
        self.assertOnlySealedIsDialled()

    def test_a_server_that_refuses_and_takes_what_it_is_told(self):
        """The administrator's machine tells it about the account, and connects again; but not all the time."""
        laptop, desktop, server = self.linked()
        server.call("set", welcome=encode(b"-ERR 'Authorization Violation'\r\n"))
        connections = server.state["connections"]
        server.call("close", to=None)
        wait_until(lambda: server.state["connections"] >= connections + 3, "it is told")
        wait_until(lambda: self.shown(laptop)["state"] == "waiting" and self.shown(desktop)["state"] == "waiting", "both wait")
        before = server.state["connections"]
        for _ in range(100):
            self.assertAnswers(laptop)
        self.assertLessEqual(server.state["connections"], before + 4)


class FloodTests(HostileServerTest):
    COUNT = 100_000
    # What two builds without optimization may use of a processor, and what they may need of memory.
    SHARE, MEMORY = 0.25, 10 << 10

    def flood(self, texts):
        laptop, desktop, server = self.team("--no-relay")
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        to = self.name(laptop, server)
        sender = self.name(desktop, server)
        recorded = [(subject, payload) for name, subject, payload in server.messages() if name == sender]
        texts = texts(sender, to, recorded)
        # What the first calls need is not the flood's.
        for _ in range(50):
            self.assertAnswers(laptop)
        memory = self.memory(laptop)
        server.call("flood", texts=[encode(text) for text in texts], count=self.COUNT, to=to)
        wait_until(lambda: server.state["flooded"] > 1000, "the flood begins")
        began, used, rounds = os.times().elapsed, processor_time(laptop.process.pid), 0
        # As long as it lasts, or enough to see.
        while server.state["flooded"] < self.COUNT and os.times().elapsed < began + PROMPT:
            self.assertAnswers(laptop)
            rounds += 1
        seconds = os.times().elapsed - began
        used = processor_time(laptop.process.pid) - used
        growth = self.memory(laptop) - memory
        print(f"         {server.state['flooded']} in {seconds:.1f} s: {used:.1f} s of processor time, {growth} KiB, {rounds} answers")
        self.assertLess(growth, self.MEMORY)
        if seconds >= PROMPT:
            self.assertLess(used / seconds, self.SHARE)
        else:
            self.assertLess(used, PROMPT * self.SHARE)
        self.assertEqual(laptop.call("GetStatus")["sessions"], 1)
        _, activity = desktop.publish(title="Beside it")
        laptop.wait_for_offer(activity, PROMPT)
        # The real server takes its place.
        self.hostile_process.kill()
        self.hostile_process.wait(PATIENCE)
        self.start_server("nats", self.servers_directory)
        self.wait_until_ready(laptop, desktop)
        self.wait_for_devices(laptop, 1)
        self.assertOnlySealedIsDialled()

    def memory(self, daemon):
        return int(daemon.status_of_process("VmRSS").split()[0])

    def message(self, subject, payload):
        return f"MSG {subject} 1 {len(payload)}\r\n".encode() + payload + b"\r\n"

    def test_garbage_and_replays(self):
        self.flood(lambda sender, to, recorded: [
            *(self.message(subject, payload) for subject, payload in recorded),
            *(self.message(f"b.adv.{sender}", os.urandom(640)) for _ in range(50)),
            *(self.message(f"b.to.{to}.{sender}", os.urandom(640)) for _ in range(50)),
        ])

    def test_pings(self):
        self.flood(lambda sender, to, recorded: [b"PING\r\n" * 100])


class RelayTests(HostileServerTest):
    def test_a_relay_that_names_another_address(self):
        self.keep_apart()
        laptop, desktop, server = self.team()
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "relay")
        self.assertGreaterEqual(server.state["relayed"], 1)
        _, activity = desktop.publish(title="Canary title")
        laptop.wait_for_offer(activity)
        self.assertEqual(laptop.call("Continue", id=activity)["device"], "desktop")
        self.assertFalse(b"Canary title" in server.heard.read_bytes())
        self.assertOnlySealedIsDialled((SERVER, 22067))

    def test_a_relay_does_not_say_that_a_member_was_removed(self):
        """It sends the alert for that in place of the guest's certificate: the host is the server."""
        self.keep_apart()
        laptop, desktop = self.machines()
        server = self.start_hostile(laptop)
        server.call("set", alert=CERTIFICATE_REVOKED)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        wait_until(lambda: server.state["relayed"] >= 1, "they come to the relay")
        for daemon in 3 * (laptop, desktop):
            # It makes another attempt.
            found = subprocess.run(daemon.command_line("doctor"), env=daemon.environment, capture_output=True, timeout=60)
            self.assertNotIn(b"certificateRevoked", found.stdout)
            self.assertNotIn(b"removed", found.stdout)

    def test_a_relay_that_floods_its_host(self):
        self.keep_apart()
        laptop, desktop, server = self.team()
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "relay")
        before = [processor_time(daemon.process.pid) for daemon in (laptop, desktop)]
        flood = server.call("relay_flood", seconds=5)
        self.assertGreater(flood["answered"], 0, "the host reads it")
        used = [processor_time(daemon.process.pid) - time for daemon, time in zip((laptop, desktop), before)]
        print(f"         {max(used) / 5:.0%} of a core")
        self.assertLess(max(used), 0.5)
        self.assertAnswers(laptop, desktop)
        self.assertEqual([daemon.call("GetStatus")["sessions"] for daemon in (laptop, desktop)], [1, 1])


if __name__ == "__main__":
    unittest.main()
