# SPDX-License-Identifier: Apache-2.0
"""What a stranger may announce on the link of two machines that belong together, and what they do about it: nothing."""
# Labs: lan 3
import os
import select
import shutil
import struct
import subprocess
import sys
import time
import unittest

from lab import HOSTS, PATIENCE, ROOT, on, wait_until
from packets import TYPE_PTR, records
from stranger import ADDRESSES, PORT, StrangerTest, instance, inviter_label, member_label, random_label, signed_text

# The third machine's own address, and one of another link that it would like to be dialled at.
OWN, ELSEWHERE = "10.77.0.4", "10.99.0.1"
HALF_AN_HOUR = 1800


class ReplayTests(StrangerTest):
    """Somebody has recorded an advert, and announces it with an address of his own."""

    def at_another_time(self, name, number):
        """A daemon whose clocks are ahead by what stands in a file (clock-jump.c), and that file."""
        if not shutil.which("cc"):
            self.skipTest("no C compiler is installed")
        library, file = self.directory / "clock-jump.so", self.directory / f"{name}.jump"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O", "-o", library, ROOT / "Tests/Integration/clock-jump.c"], check=True,
            timeout=PATIENCE)
        daemon = self.batond(
            name, number, arguments=["--port", PORT], prefix=["env", f"LD_PRELOAD={library}", f"CLOCK_JUMP={file}"])
        return daemon, lambda seconds: file.write_bytes(struct.pack("q", seconds))

    def alone(self, laptop, desktop):
        """The laptop's instance as it was announced; it is gone now, as is what the desktop remembers of it."""
        entries = self.record(2)
        laptop.terminate()
        desktop.terminate()
        self.forget_addresses(laptop, desktop)
        return next(entry for entry in entries if self.address(laptop) in entry["addresses"])

    def dials_of(self, desktop, laptop, entry):
        """How often the stranger is dialled by the desktop, from its start until it meets the laptop."""
        finish = self.capture(self.stranger)
        announcing = self.announce([entry])
        self.wait_until_seen(desktop.host, [entry["name"]])
        desktop.start()
        # What was there before it is known.
        wait_until(lambda: desktop.call("GetStatus")["discovery"] == "running", "Avahi is reached")
        laptop.start()
        self.meet(laptop, desktop)
        self.end_announcing(announcing)
        return len(self.dials(finish(), [OWN, ELSEWHERE]))

    def test_an_old_one_is_not_dialled(self):
        laptop, laptop_clock = self.at_another_time("laptop", 0)
        desktop, desktop_clock = self.at_another_time("desktop", 1)
        # Not half an hour back: this machine's uptime may be shorter than that.
        laptop_clock(0)
        desktop_clock(0)
        laptop.start()
        desktop.start()
        self.make_team(laptop, desktop)
        entry = {**self.alone(laptop, desktop), "host": random_label(), "addresses": [OWN]}
        # The control: soon after, somebody might still be there.
        finish = self.capture(self.stranger)
        announcing = self.announce([entry])
        desktop.start()
        wait_until(lambda: self.is_tried(desktop), "it is dialled")
        desktop.terminate()
        self.end_announcing(announcing)
        self.assertGreater(len(self.dials(finish(), [OWN])), 0)
        laptop_clock(HALF_AN_HOUR)
        desktop_clock(HALF_AN_HOUR)
        self.assertEqual(self.dials_of(desktop, laptop, entry), 0)

    def is_tried(self, daemon):
        """A peer was dialled in vain."""
        return any(peer.get("reason") for peer in daemon.call("ListPeers")["peers"])

    def test_one_with_another_name_is_not_dialled(self):
        laptop, desktop = self.pair()
        team = bytes.fromhex(laptop.call("ListTeams")["teams"][0]["fingerprint"])
        entry = {**self.alone(laptop, desktop), "name": member_label(team), "host": random_label(), "addresses": [OWN]}
        self.assertEqual(self.dials_of(desktop, laptop, entry), 0)

    def test_one_with_an_address_of_another_link_is_not_dialled(self):
        laptop, desktop = self.pair()
        entry = {**self.alone(laptop, desktop), "host": random_label(), "addresses": [ELSEWHERE]}
        # A way there is not what keeps it away.
        subprocess.run(["ip", "-n", desktop.host, "route", "add", f"{ELSEWHERE}/32", "via", OWN], check=True, timeout=PATIENCE)
        self.addCleanup(subprocess.run, ["ip", "-n", desktop.host, "route", "del", f"{ELSEWHERE}/32"], timeout=PATIENCE)
        self.assertEqual(self.dials_of(desktop, laptop, entry), 0)

    def test_who_has_a_session_is_not_dialled_elsewhere(self):
        """A fresh one, under its own name, at an address of the link, while the true one is there."""
        laptop, desktop = self.pair()
        entries = self.record(2)
        finish = self.capture(self.stranger)
        announcing = self.announce([{**entry, "host": random_label(), "addresses": [OWN]} for entry in entries])
        self.continue_both_ways(laptop, desktop, 20)
        self.assertEqual([daemon.call("GetStatus")["sessions"] for daemon in (laptop, desktop)], [1, 1])
        self.end_announcing(announcing)
        self.assertEqual(self.dials(finish(), [OWN]), set())


class ForgeryTests(StrangerTest):
    LENGTH = 32 << 20

    def test_forged_records_end_no_session(self):
        """1,000 goodbyes and conflicting services in a peer's name, while a stream runs."""
        laptop, desktop = self.pair()
        entries = self.record(2)
        known = [daemon.call("ListPeers")["peers"] for daemon in (laptop, desktop)]
        near, far, _ = self.open_stream(laptop, desktop)
        forging = self.forge(entries, 1000)
        block, received = os.urandom(1 << 16), 0
        # As long as there is forging; and then the rest.
        sent = 0
        while sent < self.LENGTH or forging.poll() is None:
            near.sendall(block)
            sent += len(block)
            if sent > self.LENGTH:
                select.select([forging.stdout], [], [], 0.01)
            length = len(block)
            while length:
                part = far.recv(length)
                self.assertEqual(part, block[len(block) - length : len(block) - length + len(part)])
                length -= len(part)
                received += len(part)
        self.assertEqual(sent, received)
        messages = int(forging.stdout.readline())
        self.assertGreaterEqual(messages, 2000)
        print(f"         {received >> 20} MiB beside {messages} forged messages")
        for daemon, peers in zip((laptop, desktop), known, strict=True):
            self.assertEqual(daemon.log_text().count("Connected to a peer"), 1)
            self.assertEqual(daemon.log_text().count("Lost a peer"), 0)
            self.assertEqual([self.identity(peer) for peer in daemon.call("ListPeers")["peers"]], list(map(self.identity, peers)))
        self.continue_both_ways(laptop, desktop, 4)

    @staticmethod
    def identity(peer):
        return {key: peer.get(key) for key in ("device", "deviceID", "state", "team", "address")}


class AimTests(StrangerTest):
    """Many instances name one machine that is none of ours."""

    COUNT = 200

    def refused_here(self):
        """How many connections the stranger's machine has refused: nobody listens there."""
        text = subprocess.run(
            on(self.stranger, "cat", "/proc/net/snmp"), check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
        names, values = (line.split() for line in text.splitlines() if line.startswith("Tcp:"))
        return int(values[names.index("OutRsts")])

    def test_a_third_machine_is_dialled_seldom(self):
        laptop, desktop = self.pair()
        team = bytes.fromhex(laptop.call("ListTeams")["teams"][0]["fingerprint"])
        victim = ADDRESSES[0]
        self.add_addresses()
        finish, refused = self.capture(self.stranger), self.refused_here()
        began = time.monotonic()
        names = [member_label(team) for _ in range(self.COUNT)]
        announcing = self.announce([
            instance(victim, signed_text(team, name), name) for name in names
        ])
        self.wait_until_seen(desktop.host, names)
        for _ in range(3):
            desktop.restart()
            self.meet(laptop, desktop)
        self.continue_both_ways(laptop, desktop, 20)
        # A busy machine asks late what the instances are.
        wait_until(lambda: self.refused_here() > refused, "somebody dials")
        seconds = time.monotonic() - began
        self.end_announcing(announcing)
        captured = finish()
        for daemon, starts in ((laptop, 1), (desktop, 4)):
            dials = [dial for dial in self.dials(captured, [victim]) if dial[0] == self.address(daemon)]
            print(f"         {daemon.name} dialled {len(dials)} times in {seconds:.1f} s")
            # Three at once with each start, and one a second.
            self.assertLessEqual(len(dials), 3 * starts + seconds + 1)
        # The control: a sign is worth a visit.
        self.assertGreater(len(self.dials(captured, [victim])), 0)


class JoinTests(StrangerTest):
    """A machine joins while the stranger announces instances."""

    SILENT = """if True:
        import selectors, socket, sys
        listeners = selectors.DefaultSelector()
        for port in sys.argv[1:]:
            listeners.register(socket.create_server(("", int(port)), backlog=1024), selectors.EVENT_READ)
        print("READY", flush=True)
        kept = []
        while True:
            kept += [key.fileobj.accept()[0] for key, _ in listeners.select()]
    """

    def join(self, make_instances):
        """What the stranger is dialled by a machine that joins beside instances that are made for the short ID of its team."""
        self.add_addresses()
        laptop, desktop = (self.batond(name, number, arguments=["--port", PORT]) for number, name in enumerate(("laptop", "desktop")))
        laptop.start()
        laptop.baton("team", "create", "Demo")
        instances = make_instances(laptop.call("ListTeams")["teams"][0]["id"])
        ports = sorted({str(instance["port"]) for instance in instances})
        silent = self.spawn(on(self.stranger, sys.executable, "-c", self.SILENT, *ports), stdout=subprocess.PIPE)
        self.assertEqual(silent.stdout.readline(), b"READY\n")
        announcing = self.announce(instances)
        for host in HOSTS[:2]:
            self.wait_until_seen(host, [instance["name"] for instance in instances])
        self.wait_for_rest()
        desktop.start()
        wait_until(lambda: laptop.call("GetStatus")["discovery"] == "running", "Avahi is reached")
        finish = self.capture(self.stranger)
        desktop.baton("team", "join", laptop.json("team", "invite")["code"], timeout=PATIENCE)
        dials = self.dials(finish(), [OWN, *ADDRESSES])
        self.meet(laptop, desktop)
        self.end_announcing(announcing)
        return len(dials)

    def test_a_join_beside_silent_strangers(self):
        addresses = [OWN, *ADDRESSES]
        dials = self.join(lambda short: [
            instance(address, name=inviter_label(short), port=port) for address in addresses for port in (PORT, PORT + 1)])
        self.assertLessEqual(dials, 2 * len(addresses))

    def test_a_third_machine_is_dialled_once(self):
        self.assertLessEqual(self.join(lambda short: [instance(OWN, name=inviter_label(short)) for _ in range(200)]), 1)

    def test_strangers_are_not_dialled(self):
        """500 of them, which were there first. Where three hosts share two processors, 2,000 keep Avahi busy for a join's 10 s."""
        self.addCleanup(self.forget_instances)
        host = random_label()
        self.assertEqual(self.join(lambda short: [{**instance(OWN), "host": host} for _ in range(500)]), 0)


class CrowdTests(StrangerTest):
    """So many instances that say nothing."""

    def meet_in_a_crowd(self, names):
        """Two machines that find each other beside these, which were there first; what both of them sent meanwhile."""
        laptop, desktop = self.pair()
        for daemon in (laptop, desktop):
            daemon.terminate()
        self.forget_addresses(laptop, desktop)
        # What was announced would be there for the next test, too.
        self.addCleanup(self.forget_instances)
        names = names(bytes.fromhex(self.fingerprint))
        host = random_label()
        announcing = self.announce([{**instance(OWN, name=name), "host": host} for name in names])
        for daemon in (laptop, desktop):
            self.wait_until_seen(daemon.host, names)
        self.wait_for_rest()
        finish = self.capture(self.stranger)
        began = time.monotonic()
        for daemon in (laptop, desktop):
            daemon.start()
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1, 4 * PATIENCE)
        print(f"         beside {len(names)} instances they met after {time.monotonic() - began:.1f} s")
        self.continue_both_ways(laptop, desktop, 4)
        captured = finish()
        self.end_announcing(announcing)
        return captured

    def pair(self):
        laptop, desktop = super().pair()
        self.fingerprint = laptop.call("ListTeams")["teams"][0]["fingerprint"]
        return laptop, desktop

    def test_names_of_the_team(self):
        """Somebody who was in it makes more names than there are places."""
        self.enlarge_caches(*HOSTS[:2])
        self.meet_in_a_crowd(lambda team: [member_label(team) for _ in range(1200)])

    def test_2000_strangers(self):
        """Nothing of theirs is asked for, and none of them is dialled."""
        self.enlarge_caches(*HOSTS[:2])
        names = [random_label() for _ in range(2000)]
        captured = self.meet_in_a_crowd(lambda team: names)
        strangers = {f"{name}._baton._tcp.local" for name in names}
        asked = [
            record for packet in captured if packet.protocol == 17 and 5353 in (packet.source_port, packet.target_port)
            for record in records(packet.payload) if not record.data
        ]
        # The control: each of them asks for instances, and for those of the other.
        self.assertTrue(any(record.type == TYPE_PTR and record.name == "_baton._tcp.local" for record in asked))
        self.assertEqual([record for record in asked if record.name in strangers], [])
        self.assertEqual(self.dials(captured, [OWN]), set())


if __name__ == "__main__":
    unittest.main()
