# SPDX-License-Identifier: Apache-2.0
"""A third machine beside two that belong together, and what it does to them; on the lab `lan 3`."""
import base64
import hmac
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time

from lab import HOSTS, PATIENCE, PROMPT, ROOT, LabTest, control, on, wait_until
from packets import packets

LAB = ROOT / "Tests/Lab"
PORT = 22866
# Who attacks has them on the same interface.
ADDRESSES = [f"10.77.7.{number}" for number in range(1, 9)]
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def random_label():
    return "".join(secrets.choice(BASE32) for _ in range(26))


def base32(data):
    """Crockford's, the last digit filled with zero bits."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(BASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def member_label(team, hint=None):
    """The name of an instance of a team, as everyone can make it who was ever in the team (Protocol.md section 2)."""
    nonce = os.urandom(8) if hint is None else hint
    key = hmac.digest(team, b"baton instance name 1", "sha256")
    return base32(nonce + hmac.digest(key, nonce, "sha256")[:8])


def inviter_label(short, team=b""):
    """The name of an instance that machines with a code of a team recognize, as everyone can make it who knows its short ID."""
    start = os.urandom(4)
    key = hmac.digest(short.encode(), b"baton invitation instance 1", "sha256")
    return member_label(team, start + hmac.digest(key, start, "sha256")[:4])


def text_record(*strings):
    """A TXT record of an instance, as Tests/Lab/mdns.py takes it."""
    return base64.b64encode(b"".join(bytes([len(string)]) + string for string in strings)).decode()


def instance(address, text="", name=None, port=PORT):
    return {"name": name or random_label(), "host": random_label(), "port": port, "text": text, "addresses": [address]}


def processor_time(process):
    """Seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def signed_text(team, name, when=None):
    """The TXT record of somebody who was in the team, and has none of its keys any more (Protocol.md section 2)."""
    key = hmac.digest(team, b"baton return advert 1", "sha256")
    nonce = os.urandom(4)
    mask = hmac.digest(key, nonce, "sha256")
    body = nonce + bytes(a ^ b for a, b in zip(int(when or time.time()).to_bytes(4, "big"), mask))
    sign = body + hmac.digest(key, body + name.encode(), "sha256")[:8]
    return text_record(b"txtvers=1", b"a=" + os.urandom(250), b"r=" + sign, b"b=" + os.urandom(114))


class StrangerTest(LabTest):
    labs = ("lan",)

    def setUp(self):
        super().setUp()
        self.stranger = HOSTS[2]

    def pair(self):
        """Two members with a session; each has the same port after each start."""
        laptop, desktop = (self.batond(name, number, arguments=["--port", PORT]) for number, name in enumerate(("laptop", "desktop")))
        for daemon in (laptop, desktop):
            daemon.start()
        self.make_team(laptop, desktop)
        return laptop, desktop

    def address(self, daemon):
        return f"10.77.0.{HOSTS.index(daemon.host) + 2}"

    def meet(self, *daemons):
        for daemon in daemons:
            daemon.wait_for_sessions(1, PROMPT)

    def forget_addresses(self, *daemons):
        """What daemons that do not run remember of where others were."""
        for daemon in daemons:
            (daemon.state / "remembered-addresses.json").unlink(missing_ok=True)

    def continue_both_ways(self, laptop, desktop, count):
        """So many activities go from one to the other, in turns, as their users made them."""
        for number in range(count):
            origin, receiver = (laptop, desktop) if number % 2 == 0 else (desktop, laptop)
            held, activity = origin.publish(title=f"N{number}", userInfo={"number": number})
            receiver.wait_for_offer(activity)
            continued = receiver.call("Continue", id=activity)
            self.assertEqual(continued["device"], origin.name)
            self.assertEqual(continued["activity"]["userInfo"], {"number": number})
            self.assertEqual(held.receive()["event"], "continued")
            held.close()

    def descriptors(self, daemon):
        return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))

    # What the stranger does.

    def enlarge_caches(self, *hosts, entries=32768):
        """Room for the records of some thousand strangers. Avahi's usual 4,096 are full with 1,000 (Installation.md)."""
        for host in hosts:
            file = pathlib.Path(os.environ["LAB_DIR"], host, "avahi.conf")
            text = file.read_text()
            self.addCleanup(self.restart_avahi, host, file, text)
            self.restart_avahi(host, file, text.replace("[server]\n", f"[server]\ncache-entries-max={entries}\n", 1))

    @staticmethod
    def restart_avahi(host, file, text):
        control("avahi-kill", host)
        file.write_text(text)
        control("avahi-start", host)

    @staticmethod
    def avahi(host):
        return int(pathlib.Path(os.environ["LAB_DIR"], host, "avahi.pid").read_text())

    def wait_for_rest(self):
        """Until every host's Avahi has done what there was to do. What somebody knows of thousands keeps all of them busy."""
        avahis = [self.avahi(host) for host in HOSTS]
        last = [sum(map(processor_time, avahis))]

        def rests():
            last.append(sum(map(processor_time, avahis)))
            return last[-1] - last[-2] <= 0.02

        wait_until(rests, "Avahi rests", 10 * PATIENCE, interval=0.5)

    def forget_instances(self):
        for host in HOSTS:
            control("avahi-kill", host)
            control("avahi-start", host)

    def on_stranger(self, program, *arguments, input=None, **options):
        """One of the programs of Tests/Lab, when it has said READY."""
        process = self.spawn(
            on(self.stranger, sys.executable, LAB / program, *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            **options,
        )
        process.stdin.write(input or b"")
        process.stdin.close()
        self.assertEqual(process.stdout.readline(), b"READY\n")
        return process

    def add_addresses(self):
        for address in ADDRESSES:
            subprocess.run(on(self.stranger, "ip", "addr", "replace", f"{address}/16", "dev", "eth0"), check=True, timeout=PATIENCE)

    def flood(self, daemon, kind, rate, input=None):
        return self.on_stranger("flood.py", self.address(daemon), PORT, kind, rate, *ADDRESSES, input=input)

    def end_flood(self, process):
        """What it did."""
        process.send_signal(signal.SIGTERM)
        return json.loads(process.stdout.readline())

    def record(self, count):
        """So many instances of others, as they are announced."""
        done = subprocess.run(
            on(self.stranger, sys.executable, LAB / "mdns.py", "record", count), capture_output=True, timeout=2 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refusals(self, daemon, reason):
        """How many connections a daemon has refused."""
        text = daemon.call("GetMetrics")["text"]
        return sum(int(line.split()[-1]) for line in text.splitlines() if "refus" in line and f'reason="{reason}"' in line)

    def announce(self, instances):
        return self.on_stranger("mdns.py", "announce", input=json.dumps(instances).encode())

    def end_announcing(self, process):
        """It says that they are gone."""
        process.terminate()
        process.wait(PATIENCE)

    def forge(self, instances, count):
        """Begins to send; the number of messages is what it prints."""
        process = self.spawn(
            on(self.stranger, sys.executable, LAB / "mdns.py", "forge", count), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(json.dumps(instances).encode())
        process.stdin.close()
        return process

    # What others do to it.

    def capture(self, host):
        """Begins to capture; the returned function ends it and gives the packets."""
        path = self.directory / f"capture-{host}-{random_label()}"
        program = pathlib.Path(__file__).with_name("capture.py")
        process = self.spawn(on(host, sys.executable, program, "eth0", path), stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"READY\n")

        def finish():
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.readline(), b"0\n", "packets were dropped")
            self.wait_for_exit(process)
            return list(packets(path))

        return finish

    @staticmethod
    def dials(captured, addresses):
        """Connections that were begun to one of the addresses: one for each port that they came from."""
        targets = {bytes(map(int, address.split("."))) for address in addresses}
        return {
            (str(packet.source), packet.source_port) for packet in captured
            if packet.protocol == 6 and packet.raw[12:14] == b"\x08\x00" and packet.raw[30:34] in targets
            and packet.raw[14 + (packet.raw[14] & 15) * 4 + 13] & 0x12 == 0x02
        }

    def wait_until_seen(self, host, names):
        """A host's Avahi knows these instances."""
        path, names = self.directory / f"browsed-{random_label()}", set(names)
        with open(path, "wb") as file:
            browser = self.spawn(on(host, "avahi-browse", "-p", "_baton._tcp"), stdout=file)

        def seen():
            return {line.split(";")[3] for line in path.read_text().splitlines() if line.startswith("+")} & names

        # A thousand take Avahi some seconds, and far more where others compute.
        wait_until(lambda: len(names) - len(seen()) == 0, f"{len(names)} instances are seen at {host}", 4 * PATIENCE, interval=0.1)
        browser.kill()
