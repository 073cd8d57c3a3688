# SPDX-License-Identifier: Apache-2.0
"""`baton doctor`: each thing that can be wrong is caused, and named."""
# Labs: pair
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

from lab import HOSTS, PATIENCE, LabTest, Varlink, control, freeze, on, wait_until
from test_wake import FakeLogind, is_there

# Seconds: a diagnosis takes no longer.
DIAGNOSIS_TIME = 20


class DoctorTest(LabTest):
    labs = ("pair",)

    def doctor(self, daemon, *arguments, status=0):
        """The checks of a diagnosis by their names, the first of each, and its reason."""
        began = time.monotonic()
        document = json.loads(daemon.baton("doctor", *arguments, "--json", status=status))
        self.assertLess(time.monotonic() - began, DIAGNOSIS_TIME)
        checks = {}
        for check in document["checks"]:
            checks.setdefault(check["check"], check)
        failed = [check for check in document["checks"] if check["outcome"] == "failed"]
        self.assertEqual(document.get("reason"), failed[0]["reason"] if failed else None)
        return checks, document.get("reason")

    def assertFirst(self, reason, check, daemon, *arguments, status):
        """The first thing that is wrong, and that people are told what to do."""
        checks, first = self.doctor(daemon, *arguments, status=status)
        self.assertEqual((first, checks[check].get("reason")), (reason, reason), checks)
        self.assertTrue(checks[check]["advice"])
        return checks

    def drop(self, host, *rules):
        """Lets a host drop packets from now on; the returned function ends it."""
        if not shutil.which("nft"):
            self.skipTest("nft is not installed")

        def nft(*words, check=True):
            errors = None if check else subprocess.DEVNULL
            subprocess.run(
                on(host, "nft", *words), check=check, stdin=subprocess.DEVNULL, stderr=errors, timeout=PATIENCE
            )

        nft("add table inet test")
        for hook in ("input", "output"):
            nft(f"add chain inet test {hook} {{ type filter hook {hook} priority 0; }}")
        for rule in rules:
            nft(f"add rule inet test {rule} drop")

        def end():
            nft("delete table inet test", check=False)

        self.addCleanup(end)
        return end


class LocalTests(DoctorTest):
    def test_two_machines_that_are_well(self):
        laptop, desktop = self.two()
        for daemon in (laptop, desktop):
            # Their adverts may come after their session.
            wait_until(lambda: self.doctor(daemon)[0]["multicast"]["outcome"] == "passed", "the advert is seen")
            checks, _ = self.doctor(daemon)
            for name in ("daemon", "team", "certificate", "bus", "avahi", "interfaces", "multicast", "port", "peer",
                         "clock"):
                self.assertEqual(checks[name]["outcome"], "passed", checks[name])
        text = laptop.baton("doctor", "desktop").decode()
        self.assertIn("✓ machine", text)
        self.assertTrue(text.endswith("No problems found.\n"))
        self.assertNotIn("\x1b", text)

    def test_no_daemon(self):
        laptop = self.batond("laptop").start()
        laptop.terminate()
        self.assertFirst("daemonUnreachable", "daemon", laptop, status=3)
        # A socket that nobody listens on.
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(laptop.socket))
        self.assertFirst("daemonUnreachable", "daemon", laptop, status=3)

    def test_a_daemon_that_hangs(self):
        laptop = self.batond("laptop").start()
        laptop.freeze()
        self.assertFirst("daemonUnreachable", "daemon", laptop, status=3)
        laptop.signal(signal.SIGCONT)

    def test_no_team(self):
        laptop = self.batond("laptop").start()
        self.assertFirst("teamNotFound", "team", laptop, status=8)
        command = [str(word) for word in laptop.command_line("doctor")]
        result = subprocess.run(command, env=laptop.environment, capture_output=True, text=True, timeout=30)
        self.assertEqual(result.stderr, "baton: First problem: You're not in a team on this machine.\n")

    def test_the_state_directory_is_full(self):
        laptop = self.batond("laptop")
        laptop.state.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", laptop.state]
        if subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode:
            self.skipTest("file systems cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", laptop.state], check=True, timeout=PATIENCE)
        laptop.start()
        self.addCleanup(laptop.end)
        laptop.baton("team", "create", "Demo")
        rest = laptop.state / "rest"
        with contextlib.suppress(OSError), open(rest, "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        document = json.loads(laptop.baton("doctor", "--json", status=1))
        self.assertEqual(document["reason"], "storageFailed")
        full = next(check for check in document["checks"] if check.get("reason") == "storageFailed")
        self.assertIn("No space left on device", full["detail"])
        rest.unlink()
        connection = laptop.connect().more("Diagnose")
        self.assertEqual([connection.receive()["outcome"] for _ in range(2)], ["passed", "passed"])

    def test_avahi_is_stopped(self):
        laptop, _ = self.two()
        control("avahi-stop", HOSTS[0])
        self.addCleanup(control, "avahi-start", HOSTS[0])
        checks = self.assertFirst("discoveryUnavailable", "avahi", laptop, status=1)
        self.assertEqual(checks["bus"]["outcome"], "passed")

    def test_avahi_lets_nobody_announce(self):
        laptop = self.batond("laptop").start()
        path = pathlib.Path(os.environ["LAB_DIR"], HOSTS[0], "avahi.conf")
        text = path.read_text()

        def restart(text):
            control("avahi-stop", HOSTS[0])
            path.write_text(text)
            control("avahi-start", HOSTS[0])

        self.addCleanup(restart, text)
        laptop.baton("team", "create", "Demo")
        for number, setting in enumerate(("disable-user-service-publishing", "disable-publishing"), 1):
            restart(text.replace("[publish]", f"[publish]\n{setting}=yes"))
            laptop.wait_for_log("Avahi refused a call", number)
            checks = self.assertFirst("discoveryUnavailable", "avahi", laptop, status=1)
            self.assertIn(f"{setting}=yes", checks["avahi"]["advice"])
            self.assertEqual(laptop.call("GetStatus")["discovery"], "muted")
            laptop.baton("team", "invite")
            self.assertIn("Avahi doesn't let programs announce this machine", laptop.last_error)
            self.assertIn("On the other machine, run `baton team join --address HOST`.", laptop.last_error)
            restart(text)
            wait_until(lambda: self.instances(0), "it is announced", 60)
            connection = laptop.connect().more("Diagnose")
            wait_until(lambda: connection.receive() == {"check": "avahi", "outcome": "passed", "detail": "Avahi is running."}, "it says so")

    def test_avahi_hangs(self):
        laptop, _ = self.two()
        control("avahi-freeze", HOSTS[0])
        self.addCleanup(control, "avahi-thaw", HOSTS[0])
        checks = self.assertFirst("discoveryUnavailable", "avahi", laptop, status=1)
        self.assertEqual(checks["bus"]["outcome"], "passed")

    def test_the_bus_is_gone(self):
        laptop, _ = self.two()
        control("bus-kill", HOSTS[0])

        def restore():
            control("bus-start", HOSTS[0])
            # It ended with its bus.
            control("avahi-stop", HOSTS[0])
            control("avahi-start", HOSTS[0])

        self.addCleanup(restore)
        checks = self.assertFirst("busUnavailable", "bus", laptop, status=1)
        self.assertEqual(checks["avahi"]["outcome"], "skipped")

    def test_a_daemon_that_cannot_reach_the_bus(self):
        laptop = self.batond("laptop", prefix=["env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent/bus"]).start()
        laptop.baton("team", "create", "Demo")
        self.assertFirst("busUnavailable", "bus", laptop, status=1)

    def test_a_bus_that_never_answers(self):
        path = self.directory / "bus"
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(path))
        listener.listen()
        laptop = self.batond("laptop", prefix=["env", f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={path}"]).start()
        laptop.baton("team", "create", "Demo")
        self.assertFirst("busUnavailable", "bus", laptop, status=1)

    def test_no_interface_is_up(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Demo")
        control("link-down", HOSTS[0])
        self.addCleanup(control, "link-up", HOSTS[0])
        checks = self.assertFirst("interfaceExcluded", "interfaces", laptop, status=1)
        self.assertIn("va", checks["interfaces"]["detail"])

    def test_an_interface_that_cannot_multicast(self):
        laptop, _ = self.two()

        def multicast(state):
            subprocess.run(on(HOSTS[0], "ip", "link", "set", "va", "multicast", state), check=True, timeout=PATIENCE)

        multicast("off")
        self.addCleanup(multicast, "on")
        self.assertFirst("multicastBlocked", "multicast", laptop, status=6)

    def test_the_own_certificate_has_expired(self):
        laptop, desktop = self.two()
        team, own = (next((daemon.state / "teams").iterdir()) for daemon in (laptop, desktop))
        desktop.terminate()
        (own / "device.pem").write_bytes(expired_certificate(self.directory, team, own / "device.key").read_bytes())
        desktop.start()
        self.assertFirst("certificateExpired", "certificate", desktop, status=5)
        self.assertFirst("certificateExpired", "peer", laptop, status=5)


class FirewallTests(DoctorTest):
    def test_a_port_that_the_firewall_closes(self):
        laptop, desktop = self.two()
        # As firewalls do: connections that are there go on.
        self.drop(HOSTS[1], f"input tcp dport {desktop.port} tcp flags & (syn | ack) == syn")
        checks = self.assertFirst("portClosed", "port", desktop, status=6)
        self.assertIn(str(desktop.port), checks["port"]["advice"])
        # The other one is well.
        checks, _ = self.doctor(laptop)
        self.assertEqual(checks["port"]["outcome"], "passed")

    def test_a_port_that_is_closed_under_a_session(self):
        """Whoever dialled: what comes to the port is dropped, of connections that are there, too."""
        laptop, desktop = self.two()
        end = self.drop(HOSTS[1], f"input tcp dport {desktop.port}")
        self.assertFirst("portClosed", "port", desktop, status=6)
        end()
        self.drop(HOSTS[0], f"input tcp dport {laptop.port}")
        self.assertFirst("portClosed", "port", laptop, status=6)

    def test_multicast_that_the_firewall_drops(self):
        laptop, desktop = self.two()
        for hook in ("input", "output"):
            with self.subTest(hook=hook):
                end = self.drop(HOSTS[1], f"{hook} ip daddr 224.0.0.251", f"{hook} ip6 daddr ff02::fb")
                self.assertFirst("multicastBlocked", "multicast", desktop, status=6)
                end()
        checks, _ = self.doctor(desktop)
        self.assertEqual(checks["multicast"]["outcome"], "passed")

    def test_who_is_connected_but_never_seen(self):
        """What arrives from the wire is dropped, what this machine says to itself is not."""
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1)
        self.drop(HOSTS[1], "input ip saddr 10.77.0.1 udp dport 5353", "input ip6 saddr != ::1 udp dport 5353")
        desktop.start()
        laptop.baton("team", "create", "Demo")
        code = laptop.json("team", "invite")["code"]
        desktop.baton("team", "join", code, "--address", f"10.77.0.1:{laptop.port}")
        desktop.wait_for_sessions(1)

        def is_blocked():
            result = subprocess.run(desktop.command_line("doctor", "--json"), env=desktop.environment,
                                    capture_output=True, timeout=30)
            return json.loads(result.stdout).get("reason") == "multicastBlocked"

        wait_until(is_blocked, "the missing advert is noticed")

    def test_a_peer_that_hangs(self):
        laptop, desktop = self.two()
        desktop.freeze()
        checks = self.assertFirst("peerTimedOut", "peer", laptop, status=6)
        self.assertIn("isn't responding", checks["peer"]["detail"])
        desktop.signal(signal.SIGCONT)

    def test_a_peer_that_is_seen_and_not_reached(self):
        laptop, desktop = self.two()
        desktop.kill()
        # Avahi tells of the killed daemon for another second.
        wait_until(lambda: not laptop.call("ListPeers")["peers"], "its name is gone")
        self.drop(HOSTS[1], "input meta l4proto tcp", "output meta l4proto tcp")
        desktop.start()
        port = desktop.port
        wait_until(lambda: laptop.call("ListPeers")["peers"], "the peer is seen")
        checks = self.assertFirst("peerUnreachable", "peer", laptop, "desktop", status=6)
        self.assertIn("(no answer: a firewall, or a network with client isolation)", checks["peer"]["detail"])
        self.assertFirst("peerUnreachable", "peer", laptop, f"10.77.0.2:{port}", status=6)


class PeerTests(DoctorTest):
    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()
        self.laptop.baton("team", "create", "Demo")
        self.team = next((self.laptop.state / "teams").iterdir())

    def member(self):
        """The directory of another device of the team, whose daemon has stopped."""
        desktop = self.batond("desktop").start()
        desktop.baton("team", "join", self.laptop.json("team", "invite")["code"])
        desktop.terminate()
        return next((desktop.state / "teams").iterdir())

    def listen(self, conversation):
        """A listener on the laptop's host, where the tests run; `conversation` is had with each. Its address."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        self.calls = []

        def serve():
            try:
                while True:
                    connection, _ = listener.accept()
                    self.calls.append(time.monotonic())
                    with connection:
                        conversation(connection)
            except OSError:
                pass

        threading.Thread(target=serve, daemon=True).start()
        return f"127.0.0.1:{listener.getsockname()[1]}"

    def foreign_peer(self, directory, certificate=None, **hello):
        """A listener with a device's certificate that says this hello; its address."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.num_tickets = 0
        chain = self.directory / "chain.pem"
        chain.write_bytes((certificate or directory / "device.pem").read_bytes() + (directory / "ca.pem").read_bytes())
        context.load_cert_chain(chain, directory / "device.key")
        context.load_verify_locations(directory / "ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        context.set_alpn_protocols(["baton/1"])
        members = {"minimum": 1, "maximum": 1, "device": "foreign", "epoch": 1, "revocations": 0, **hello}
        payload = json.dumps(members).encode()

        def conversation(connection):
            try:
                with context.wrap_socket(connection, server_side=True) as stream:
                    stream.sendall(len(payload).to_bytes(3, "big") + b"\1" + payload)
                    while stream.recv(4096):
                        pass
            except OSError:
                pass

        return self.listen(conversation)

    def test_another_team(self):
        other = self.batond("other").start()
        other.baton("team", "create", "Other")
        self.assertPeer("otherTeam", f"127.0.0.1:{other.port}", 5)

    def assertPeer(self, reason, address, status):
        """A machine that is the only one of its team has other findings before: the one of the address counts."""
        checks, _ = self.doctor(self.laptop, address, status=status)
        self.assertEqual(checks["peer"].get("reason"), reason, checks)
        return checks

    def test_what_is_no_baton(self):
        def conversation(connection):
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        self.assertPeer("notTLS", self.listen(conversation), 5)

    def test_nobody_there(self):
        checks = self.assertPeer("peerUnreachable", "127.0.0.1:1", 6)
        self.assertEqual(checks["peer"]["detail"], "Can't reach 127.0.0.1:1: refused: batond isn't listening there.")
        self.assertPeer("peerNotFound", "no-such-machine.invalid", 4)

    def test_a_machine_that_never_answers(self):
        silent = threading.Event()
        self.addCleanup(silent.set)
        checks, _ = self.doctor(self.laptop, self.listen(lambda connection: silent.wait(30)), status=6)
        self.assertIn(checks["peer"]["reason"], ("handshakeTimedOut", "peerTimedOut"))

    def test_a_member_that_is_well(self):
        address = self.foreign_peer(self.member(), time=int(time.time()))
        checks, reason = self.doctor(self.laptop, address)
        self.assertIsNone(reason)
        self.assertIn("foreign", checks["peer"]["detail"])
        self.assertEqual(checks["clock"]["outcome"], "passed")

    def test_another_version(self):
        self.assertPeer("versionMismatch", self.foreign_peer(self.member(), minimum=2, maximum=3), 5)

    def test_another_version_is_named_and_called_less_and_less_often(self):
        address = self.foreign_peer(self.member(), minimum=2, maximum=2)
        self.laptop.baton("peer", "add", address)

        def entry():
            return next(peer for peer in self.laptop.json("peer", "list")["peers"] if peer["address"] == address)

        wait_until(lambda: entry().get("reason") == "versionMismatch", "the reason is told")
        wait_until(lambda: len(self.calls) >= 4, "it is called again")
        self.assertGreater(self.calls[3] - self.calls[0], 1)
        self.assertIn("reason=versionMismatch", self.laptop.log_text())

    def test_a_clock_that_is_wrong(self):
        address = self.foreign_peer(self.member(), time=int(time.time()) + 3600)
        checks = self.assertFirst("clockSkewed", "clock", self.laptop, address, status=5)
        self.assertIn("60 minutes ahead", checks["clock"]["detail"])

    def test_a_certificate_that_has_expired(self):
        member = self.member()
        certificate = expired_certificate(self.directory, self.team, member / "device.key")
        self.assertPeer("certificateExpired", self.foreign_peer(member, certificate), 5)


class AppTests(DoctorTest):
    def test_an_app_that_does_not_answer(self):
        laptop, desktop = self.two()
        # Nobody answers its willSave.
        _, activity = laptop.publish(title="A", needsSave=True)
        desktop.wait_for_offer(activity)
        self.assertFails("appTimedOut", desktop.call, "Continue", id=activity)
        checks = self.assertFirst("appTimedOut", "continuation", desktop, status=6)
        self.assertIn("laptop", checks["continuation"]["detail"])

    def test_an_app_that_is_stopped(self):
        laptop, desktop = self.two()
        app = laptop.spawn_baton("advertise", "--type", "org.example.a", "--title", "A", "--stream",
                                 stdin=subprocess.PIPE)
        wait_until(lambda: desktop.offer_titles() == ["A"], "the offer")
        freeze(app.pid)
        self.addCleanup(os.kill, app.pid, signal.SIGCONT)
        # What needs no answer of the app comes all the same.
        desktop.call("Continue", id=desktop.offers()[0]["id"])
        self.doctor(desktop)

    def test_an_activity_that_its_app_keeps_to_its_machine(self):
        laptop, desktop = self.two()
        connection, activity = laptop.publish(title="A", isEligibleForHandoff=False)
        self.assertEqual(laptop.call("GetStatus")["withheld"], "notEligible")
        checks, reason = self.doctor(laptop)
        self.assertIsNone(reason)
        self.assertEqual((checks["offer"]["outcome"], checks["offer"]["reason"]), ("note", "notEligible"))
        self.assertEqual(desktop.offers(), [])
        self.assertFails("activityNotFound", desktop.call, "Continue", id=activity)
        laptop.call("UpdateActivity", activity={"id": activity, "activityType": "org.example.notes", "title": "A"})
        desktop.wait_for_offer(activity)
        self.assertEqual(self.doctor(laptop)[0]["offer"]["outcome"], "passed")
        connection.close()

    def test_a_type_that_no_app_takes_is_a_note(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish("org.example.drawing")
        desktop.wait_for_offer(activity)
        checks, reason = self.doctor(desktop)
        self.assertIsNone(reason)
        self.assertEqual((checks["application"]["outcome"], checks["application"]["reason"]),
                         ("note", "applicationNotFound"))
        self.assertIn("org.example.drawing", checks["application"]["detail"])
        app = desktop.connect().more("RegisterApplication", activityTypes=["org.example.drawing"])
        self.assertEqual(app.receive()["event"], "registered")
        self.assertEqual(self.doctor(desktop)[0]["application"]["outcome"], "passed")
        self.assertEqual(self.doctor(laptop)[0]["offer"]["outcome"], "passed")


class WithheldTests(DoctorTest):
    def setUp(self):
        super().setUp()
        if not (is_there("dbus") and is_there("gi.repository.GLib")):
            self.skipTest("needs python3-dbus and python3-gi")
        self.logind = FakeLogind(self, self.host(0))

    def test_a_locked_screen_and_a_sleep_withhold(self):
        laptop, desktop = self.two()
        self.logind.expect("inhibited")
        self.logind.obey(f"add 1 {os.getuid()}")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        for reason, begin, end in (("screenLocked", "lock 1", "unlock 1"), ("asleep", "sleep", "wake")):
            self.logind.obey(begin)
            desktop.wait_until_not_offered(activity)
            self.assertFirst(reason, "offer", laptop, status=5)
            self.logind.obey(end)
            desktop.wait_for_offer(activity)
            self.assertEqual(self.doctor(laptop)[0]["offer"]["outcome"], "passed")


class RevokedTests(DoctorTest):
    def test_a_device_that_was_removed(self):
        laptop, desktop = self.two()
        laptop.baton("team", "revoke", "desktop")
        desktop.wait_for_sessions(0)
        self.assertFirst("certificateRevoked", "peer", desktop, "laptop", status=5)
        # Nobody blames the network, though nothing is seen of the others.
        for _ in range(2):
            checks = self.assertFirst("certificateRevoked", "peer", desktop, status=5)
            self.assertIn("removed from the team", checks["peer"]["detail"])
            desktop.terminate()
            desktop.start()


class ClientTests(DoctorTest):
    def test_any_varlink_client_gets_one_reply_for_each_check(self):
        laptop, _ = self.two()
        connection = laptop.connect().more("Diagnose")
        checks = []
        while "offer" not in checks:
            checks.append(connection.receive()["check"])
        self.assertEqual(checks, ["team", "certificate", "bus", "avahi", "interfaces", "multicast", "port",
                                  "rendezvous", "peer", "clock", "continuation", "application", "offer"])
        # The connection can be used again: the last reply was the last.
        self.assertEqual(connection.call("GetStatus")["device"], "laptop")

    def test_clients_that_leave_leave_nothing(self):
        laptop, desktop = self.two()
        descriptors = f"/proc/{laptop.process.pid}/fd"
        before = len(os.listdir(descriptors))
        desktop.freeze()
        for _ in range(20):
            with Varlink(laptop.socket) as connection:
                connection.more("Diagnose")
                try:
                    connection.receive()
                except Exception as error:
                    self.assertEqual(getattr(error, "reason", None), "limitReached")
        desktop.signal(signal.SIGCONT)
        wait_until(lambda: len(os.listdir(descriptors)) <= before, "the descriptors are closed")

    def test_metrics(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish("org.canary.type", title="Canary title")
        desktop.wait_for_offer(activity)
        desktop.call("Continue", id=activity)
        text = desktop.baton("metrics").decode()
        self.assertIn("\nbaton_activities_continued_total 1\n", text)
        self.assertRegex(text, r"(?m)^# TYPE baton_sessions_begun_total counter$")
        for secret in ("canary", "Canary", "laptop", "desktop", "Demo", activity):
            self.assertNotIn(secret, text)
        counters = desktop.json("status")["counters"]
        self.assertEqual(counters["activitiesContinued"], 1)
        control("avahi-stop", HOSTS[1])
        control("avahi-start", HOSTS[1])
        wait_until(lambda: desktop.json("status")["counters"]["avahiReconnects"] == 1, "Avahi's return is counted")


def expired_certificate(directory, team, key):
    """A device certificate for a key that the team's CA signed, and that ended in 2021. By OpenSSL alone."""
    place = directory / "authority"
    place.mkdir()
    (place / "index").touch()
    (place / "serial").write_text("4D1F00DA7A0B4C5E\n")
    (place / "config").write_text(f"""[ca]
default_ca = team
[team]
new_certs_dir = {place}
database = {place}/index
serial = {place}/serial
certificate = {team}/ca.pem
private_key = {team}/ca.key
default_md = default
policy = any
x509_extensions = device
[any]
commonName = supplied
[device]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth,clientAuth
authorityKeyIdentifier = keyid
""")

    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=PATIENCE)

    openssl("req", "-new", "-key", key, "-subj", "/CN=Baton device", "-out", place / "request")
    openssl("ca", "-batch", "-notext", "-config", place / "config", "-in", place / "request", "-out", place / "cert.pem",
            "-startdate", "20200101000000Z", "-enddate", "20210101000000Z")
    return place / "cert.pem"
