# SPDX-License-Identifier: Apache-2.0
"""What somebody who listens on the network learns of a whole demonstration: not who, nor what, nor which machine."""
# Labs: pair
import hashlib
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

import packets
from lab import HOSTS, PATIENCE, ROOT, LabTest, control, on, wait_until

CANARIES = {
    "the user's name": "wilhelmina-canary",
    "a device's name": "canary-notebook-of-wilhelmina",
    "the other device's name": "canary-desktop-machine",
    "a host's name": "canary-host-name-one",
    "the other host's name": "canary-host-name-two",
    "the activity's type": "org.canary-type.secret-editor",
    "the title": "Canary resignation letter",
    "the changed title": "Canary farewell speech",
    "a key of the userInfo": "canary-key-of-state",
    "a value of the userInfo": "canary-value-of-state",
    "the web page": "https://canary.example.org/canary-page",
    "the team's name": "Canary Family Team",
    "the stream's bytes": "canary bytes that flow in a stream",
    "the answer's bytes": "canary bytes that flow back",
}


class PrivacyTests(LabTest):
    labs = ("pair",)

    def capture(self):
        """Begins to capture on the wire; the returned function ends it and gives the packets."""
        path = self.directory / "capture"
        process = self.spawn(
            on(HOSTS[0], sys.executable, Path(__file__).with_name("capture.py"), "va", path), stdout=subprocess.PIPE
        )
        self.assertEqual(process.stdout.readline(), b"READY\n")

        def finish():
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.readline(), b"0\n", "packets were dropped")
            self.wait_for_exit(process)
            return list(packets.packets(path))

        return finish

    def daemon(self, number):
        host_name = CANARIES[("a host's name", "the other host's name")[number]]
        name = CANARIES[("a device's name", "the other device's name")[number]]
        return self.batond(name, number, prefix=[
            "env", "USER=wilhelmina-canary", "LOGNAME=wilhelmina-canary", "unshare", "--uts",
            "sh", "-c", 'hostname "$0" && exec "$@"', host_name,
        ])

    def device_id(self, daemon):
        """The hash of the device's public key."""
        certificate = next((daemon.state / "teams").iterdir()) / "device.pem"
        key = subprocess.run(
            f"openssl x509 -in {certificate} -noout -pubkey | openssl pkey -pubin -outform DER",
            shell=True, check=True, capture_output=True, timeout=PATIENCE,
        ).stdout
        return hashlib.sha256(key).digest()

    def demonstrate(self):
        """All that the programs do over the network. Returns (captured packets, our ports, secrets)."""
        finish = self.capture()
        laptop, desktop = self.daemon(0).start(), self.daemon(1).start()
        ports = {laptop.port, desktop.port}
        team = laptop.json("team", "create", CANARIES["the team's name"])["team"]
        code = laptop.json("team", "invite")["code"]
        desktop.baton("team", "join", code)
        laptop.wait_for_sessions(1)
        source, sink = os.pipe()
        advertiser = laptop.spawn_baton(
            "advertise", "--type", CANARIES["the activity's type"], "--title", CANARIES["the title"],
            "--info", f"{CANARIES['a key of the userInfo']}={CANARIES['a value of the userInfo']}",
            "--url", CANARIES["the web page"], "--stream", stdin=source, stdout=subprocess.PIPE,
        )
        os.close(source)
        wait_until(lambda: desktop.offer_titles() == [CANARIES["the title"]], "the offer")
        activity = desktop.offers()[0]["id"]
        laptop.call("UpdateActivity", activity={
            "id": activity, "activityType": CANARIES["the activity's type"], "title": CANARIES["the changed title"],
            "userInfo": {CANARIES["a key of the userInfo"]: CANARIES["a value of the userInfo"]},
            "supportsContinuationStreams": True,
        })
        wait_until(lambda: desktop.offer_titles() == [CANARIES["the changed title"]], "the change")
        answer = self.directory / "answer"
        answer.write_text(CANARIES["the answer's bytes"] * 100)
        with open(answer, "rb") as file:
            continuer = desktop.spawn_baton("continue", activity, "--stream", stdin=file, stdout=subprocess.PIPE)
        os.write(sink, CANARIES["the stream's bytes"].encode() * 100)
        os.close(sink)
        self.assertEqual(continuer.stdout.read(), CANARIES["the stream's bytes"].encode() * 100)
        self.assertEqual(advertiser.stdout.read(), CANARIES["the answer's bytes"].encode() * 100)
        self.wait_for_exit(continuer)
        self.wait_for_exit(advertiser)
        # An offer that only the advert tells of, and a fetch over a new session.
        desktop.terminate()
        held, second = laptop.publish(CANARIES["the activity's type"], title=CANARIES["the title"])
        desktop.start()
        ports.add(desktop.port)
        desktop.wait_for_offer(second)
        desktop.call("Continue", id=second)
        held.close()
        # A used code, a lost Avahi, a killed daemon.
        third = self.batond("canary-third", 1).start()
        ports.add(third.port)
        third.baton("team", "join", code, "--address", f"10.77.0.1:{laptop.port}", status=8)
        third.terminate()
        control("avahi-kill", HOSTS[0])
        control("avahi-start", HOSTS[0])
        laptop.restart()
        ports.add(laptop.port)
        desktop.wait_for_sessions(1)
        teams = [daemon.call("ListTeams")["teams"][0] for daemon in (laptop, desktop)]
        secrets = dict(CANARIES)
        secrets["the Team ID as people see it"] = team["id"]
        secrets["the Team ID"] = bytes.fromhex(team["fingerprint"])
        for number, entry in enumerate(teams):
            secrets[f"Device ID {number} as people see it"] = entry["deviceID"]
            secrets[f"Device ID {number}"] = self.device_id((laptop, desktop)[number])
        secrets["the activity's ID"] = bytes.fromhex(activity.replace("-", ""))
        secrets["the activity's ID as text"] = activity
        digits = code.replace("-", "")
        secrets["the invitation's code"] = digits
        secrets["the invitation's secret as text"] = digits[10:36]
        for daemon in (laptop, desktop):
            for name in ("discovery.key", "device.key"):
                path = next((daemon.state / "teams").iterdir()) / name
                secrets[f"{name} of {daemon.host}"] = path.read_bytes()
        laptop.terminate()
        desktop.terminate()
        return finish(), ports, secrets

    def test_nothing_can_be_read(self):
        captured, ports, secrets = self.demonstrate()
        ours = [packet for packet in captured if self.is_ours(packet, ports)]
        mdns = [packet for packet in captured if 5353 in (packet.source_port, packet.target_port)]
        self.assertGreater(len(ours), 100)
        self.assertGreater(len(mdns), 20)
        print(f"         {len(captured)} packets, {len(ours)} of ours over TCP, {len(mdns)} of mDNS")
        # No packet at all, whoever sent it, has one of the secrets.
        finder = packets.Finder(secrets)
        for packet in captured:
            self.assertEqual(finder.find(packet.raw), [], packet)
        # And no stream of packets, where one lies across two.
        self.assertEqual(finder.find(b"".join(packet.payload for packet in ours)), [])
        self.check_tls(ours)
        self.check_records([record for packet in mdns for record in packets.records(packet.payload)])

    def test_nothing_is_logged(self):
        """Not even with all that a developer wants to see."""
        laptop, desktop = self.daemon(0).start(), self.daemon(1).start()
        laptop.baton("team", "create", CANARIES["the team's name"])
        code = laptop.json("team", "invite")["code"]
        desktop.baton("team", "join", code)
        laptop.wait_for_sessions(1)
        advertiser = laptop.spawn_baton(
            "advertise", "--type", CANARIES["the activity's type"], "--title", CANARIES["the title"],
            "--info", f"{CANARIES['a key of the userInfo']}={CANARIES['a value of the userInfo']}",
            "--url", CANARIES["the web page"], "--stream", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        wait_until(lambda: desktop.offer_titles() == [CANARIES["the title"]], "the offer")
        activity = desktop.offers()[0]["id"]
        continuer = desktop.spawn_baton("continue", activity, "--stream", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        advertiser.stdin.write(CANARIES["the stream's bytes"].encode())
        advertiser.stdin.close()
        continuer.stdin.write(CANARIES["the answer's bytes"].encode())
        continuer.stdin.close()
        self.assertEqual(continuer.stdout.read(), CANARIES["the stream's bytes"].encode())
        self.assertEqual(advertiser.stdout.read(), CANARIES["the answer's bytes"].encode())
        self.wait_for_exit(continuer)
        self.wait_for_exit(advertiser)
        desktop.baton("continue", activity, status=4)
        for daemon in (laptop, desktop):
            daemon.baton("doctor")
            metrics = daemon.baton("metrics").decode()
            ended = re.compile(r"A stream ended peer=\S+ team=\w{10} stream=\S+ reason=complete")
            wait_until(lambda: ended.search(daemon.log_text()), "the stream's end is logged")
            log = daemon.log_text()
            # The control: what happened is there, with its IDs.
            self.assertIn(f"activity={activity}", log)
            self.assertIn("Connected to a peer peer=canary", log)
            for name, canary in CANARIES.items():
                self.assertNotIn(canary, metrics, name)
                # Devices have names so that people read them.
                if not name.startswith(("a device's", "the other device's")):
                    self.assertNotIn(canary, log, name)
            self.assertNotIn(code, log)
            self.assertNotIn(code.replace("-", ""), log)

    def is_ours(self, packet, ports):
        return packet.protocol == 6 and (packet.source_port in ports or packet.target_port in ports)

    def check_tls(self, ours):
        """Every connection is TLS from its first byte, and the server names are all different."""
        first, names = {}, []
        for packet in ours:
            if packet.payload:
                first.setdefault((str(packet.source), packet.source_port, packet.target_port), packet.payload)
        self.assertGreater(len(first), 4)
        for payload in first.values():
            self.assertEqual(payload[:2], b"\x16\x03", payload[:40])
            if payload[5] == 1:
                names.append(self.server_name(payload))
        self.assertGreater(len(names), 3)
        self.assertEqual(len(set(names)), len(names))
        for name in names:
            self.assertRegex(name, b"^[0-9a-hjkmnp-tv-z]{45}$")

    def server_name(self, record):
        """The server name in a client hello: extension 0."""
        body = record[9:]
        place = 34
        place += 1 + body[place]
        place += 2 + int.from_bytes(body[place : place + 2], "big")
        place += 1 + body[place]
        place += 2
        while place < len(body):
            kind, length = (int.from_bytes(body[place + 2 * i : place + 2 * i + 2], "big") for i in (0, 1))
            if kind == 0:
                return body[place + 9 : place + 4 + length]
            place += 4 + length
        self.fail("no server name")

    def check_records(self, records):
        """Records of our service, and of the hosts they name: nothing but random labels and a sealed advert."""
        service = "_baton._tcp.local"
        answers = [record for record in records if record.data]
        instances = {record.target for record in answers if record.type == packets.TYPE_PTR and record.name == service}
        services = [record for record in answers if record.type == packets.TYPE_SRV and record.name.endswith(service)]
        texts = [record for record in answers if record.type == packets.TYPE_TXT and record.name.endswith(service)]
        hosts = {record.target for record in services}
        # Two starts of each daemon.
        self.assertGreaterEqual(len(instances), 4)
        self.assertGreaterEqual(len(hosts), 4)
        for name in instances:
            self.assertRegex(name, r"^[0-9A-HJKMNP-TV-Z]{26}\._baton\._tcp\.local$")
        for name in hosts:
            self.assertRegex(name, r"^[0-9A-HJKMNP-TV-Z]{26}\.local$")
        # The instance does not tell which host it is on, nor one start of another.
        self.assertEqual(instances & {host.split(".")[0] for host in hosts}, set())
        for record in services + texts:
            self.assertNotIn(b"lab-", record.data)
        # The addresses of our hosts are records of theirs, and no record leads from Avahi's name to ours.
        addresses = [record for record in records if record.name in hosts]
        self.assertGreater(len(addresses), 0)
        for record in records:
            if record.name.startswith("lab-"):
                self.assertFalse(any(host.split(".")[0].encode() in record.data for host in hosts), record)
        reverse = [record for record in records if record.name.endswith(".arpa") and record.target in hosts]
        self.assertEqual(reverse, [])
        sealed = set()
        for record in texts:
            self.assertEqual(record.data[:12], b"\x09txtvers=1\xfca")
            self.assertLessEqual(len(record.data), 400)
            sealed.add(record.data)
        self.assertGreater(len(sealed), 4)
        self.check_unlinkable(sealed)

    def check_unlinkable(self, sealed):
        """Two adverts have nothing in common but the format: no 6 bytes of one are in another."""
        seen = {}
        for number, data in enumerate(sealed):
            body = self.secret_parts(data)
            for place in range(len(body) - 6):
                part = body[place : place + 6]
                self.assertIn(seen.setdefault(part, number), (number,), "two adverts share 6 bytes")

    @staticmethod
    def secret_parts(data):
        """What stands in a TXT record after `a=`, `r=` and `b=`."""
        return data[13:263] + data[266:282] + data[-114:]

    def test_three_periods_have_nothing_in_common(self):
        """Time passes for one machine: it is announced under one name after the other."""
        if not shutil.which("cc"):
            self.skipTest("no C compiler is installed")
        library, jump = self.directory / "clock-jump.so", self.directory / "jump"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O", "-o", library, ROOT / "Tests/Integration/clock-jump.c"], check=True,
            timeout=PATIENCE)
        jump.write_bytes(bytes(16))
        finish, browser = self.capture(), self.directory / "browsed"
        with open(browser, "wb") as file:
            self.spawn(on(HOSTS[1], "avahi-browse", "-p", "_baton._tcp"), stdout=file)

        def told(sign):
            lines = [line.split(";") for line in browser.read_text().splitlines()]
            return {name for mark, _, version, name, *_ in lines if mark == sign and version == "IPv4"}

        laptop = self.batond("laptop", prefix=[
            "env", f"LD_PRELOAD={library}", f"CLOCK_JUMP={jump}", "CLOCK_JUMP_ALL=1",
        ]).start()
        # In this order, because another activity than before is another announcement.
        held, _ = laptop.publish(title="The same all the time")
        laptop.baton("team", "create", "Demo")
        name = wait_until(lambda: told("+") - told("-"), "it is announced")
        passed = 0
        for _ in range(3):
            # Less than what a machine that is busy is late by, again and again.
            began, published = passed, self.published(laptop)
            while self.published(laptop) == published:
                self.assertLess(passed - began, 1000)
                passed += 4
                with open(jump, "r+b") as file:
                    file.write(struct.pack("q", passed))
                looks = self.looks(jump)
                wait_until(lambda: self.looks(jump) >= looks + 2, "the timers look at the clock", interval=0.002)
            self.assertGreater(passed - began, 800)
            wait_until(lambda: name <= told("-"), "the old name goes")
            name = wait_until(lambda: told("+") - told("-"), "there is a new name")
        self.assertEqual(len(name), 1)
        held.close()
        laptop.terminate()
        self.check_periods([
            record for packet in finish() if packet.source_port == 5353 for record in packets.records(packet.payload)
        ])

    @staticmethod
    def looks(jump):
        return struct.unpack("qq", jump.read_bytes())[1]

    @staticmethod
    def published(daemon):
        return int(re.search(r"(?m)^baton_adverts_published_total (\d+)$", daemon.call("GetMetrics")["text"])[1])

    def check_periods(self, records):
        """No 6 bytes of what an instance says, and of what it and its host are called, are in another."""
        service, said = "_baton._tcp.local", {}
        for record in records:
            instance = record.target if record.type == packets.TYPE_PTR else record.name
            if not record.data or not instance.endswith("." + service):
                continue
            parts = said.setdefault(instance, {instance.split(".")[0].encode()})
            if record.type == packets.TYPE_SRV:
                parts.add(record.target.split(".")[0].encode())
            elif record.type == packets.TYPE_TXT:
                parts.add(self.secret_parts(record.data))
        whole = {instance: parts for instance, parts in said.items() if len(parts) >= 3}
        self.assertGreaterEqual(len(whole), 4)
        owners = {}
        for instance, parts in said.items():
            for part in parts:
                for place in range(len(part) - 5):
                    self.assertEqual(owners.setdefault(part[place : place + 6], instance), instance)

    def test_the_finder_finds_what_it_is_to_find(self):
        """The control of the test above: canaries in every form, sent over the wire, are seen."""
        finish = self.capture()
        secret = CANARIES["the title"].encode()
        sent = [secret, secret.hex().encode(), packets.forms(secret)["whole, base 64 from 1"],
                packets.forms(bytes(range(32)))["first 8 bytes, base 32 of Crockford from 2"]]
        program = "import socket, sys\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n" \
            "for text in sys.argv[1:]: s.sendto(b'before' + text.encode() + b'after', ('10.77.0.2', 9999))"
        subprocess.run(
            on(HOSTS[0], sys.executable, "-c", program, *(text.decode() for text in sent)), check=True,
            timeout=PATIENCE,
        )
        captured = [packet for packet in finish() if packet.target_port == 9999]
        finder = packets.Finder({"title": secret, "key": bytes(range(32))})
        self.assertEqual(len(captured), len(sent))
        for packet in captured:
            self.assertNotEqual(finder.find(packet.raw), [])
