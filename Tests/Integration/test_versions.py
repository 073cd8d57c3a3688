# SPDX-License-Identifier: Apache-2.0
"""A machine of the team that speaks another version of the protocol is named as such, whichever of the two dials."""
# Labs: pair
import pathlib
import subprocess
import sys

from lab import HOSTS, PATIENCE, LabTest, on, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Lab"))
from hostile_member import server_name  # noqa: E402

PORT = 24866
CERTIFICATE_REVOKED, CERTIFICATE_EXPIRED, NO_APPLICATION_PROTOCOL = 44, 45, 120
# Answers each client with a fatal alert: with no_application_protocol as a listener does whose version of the protocol the
# client does not offer.
LISTENER = """
import socket, sys
listener = socket.create_server(("::", int(sys.argv[1])), family=socket.AF_INET6, dualstack_ipv6=True)
print("listens", flush=True)
while True:
    connection, _ = listener.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(bytes([21, 3, 3, 0, 2, 2, int(sys.argv[2])]))
"""

# A client without a certificate says what is wrong with the server's, and waits until the server ends the connection.
CALLER = """
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.minimum_version = ssl.TLSVersion.TLSv1_3
context.set_alpn_protocols(["baton/1"])
arrived, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
session = context.wrap_bio(arrived, sent, server_hostname=sys.argv[3])
try:
    session.do_handshake()
except ssl.SSLWantReadError:
    pass
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20)
connection.sendall(sent.read())
assert connection.recv(65536)
connection.sendall(bytes([21, 3, 3, 0, 2, 2, int(sys.argv[4])]))
while connection.recv(65536):
    pass
"""


class VersionTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()
        self.desktop = self.batond("desktop", 1, ["--port", str(PORT)]).start()
        self.make_team(self.laptop, self.desktop)
        self.desktop.terminate()
        wait_until(lambda: self.laptop.call("ListPeers").get("away"), "the laptop misses the desktop")

    def listen(self, alert=NO_APPLICATION_PROTOCOL):
        listener = self.spawn(on(HOSTS[1], "python3", "-c", LISTENER, PORT, alert), stdout=subprocess.PIPE)
        self.assertEqual(listener.stdout.readline(), b"listens\n")

    def address(self):
        """The laptop's."""
        command = on(HOSTS[0], "hostname", "-I")
        return subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE).stdout.decode().split()[0]

    def call(self, name):
        """A client on the desktop's host, which speaks an older version only; what it was told."""
        command = ["openssl", "s_client", "-connect", f"{self.address()}:{self.laptop.port}", "-tls1_3", "-alpn", "baton/0",
                   "-servername", name]
        result = subprocess.run(on(HOSTS[1], *command), input=b"", capture_output=True, timeout=PATIENCE)
        return (result.stdout + result.stderr).decode(errors="replace").replace("_", " ")

    def row(self):
        reply = self.laptop.call("ListPeers")
        return next(peer for peer in reply["peers"] + reply.get("away", []) if peer["device"] == "desktop")

    def assertNamed(self):
        wait_until(lambda: self.row().get("reason") == "versionMismatch", "the list says why")
        self.assertIn("incompatible versions of Baton", self.laptop.baton("peers").decode())
        text = self.laptop.baton("doctor", "desktop", status=5).decode()
        self.assertIn("Upgrade Baton on the machine with the older version.", text)
        self.laptop.wait_for_log("reason=versionMismatch")

    def test_a_listener_of_another_version_is_named(self):
        self.listen()
        self.laptop.terminate()
        self.laptop.start()
        self.assertNamed()

    def test_a_client_of_another_version_is_named(self):
        state = next((self.desktop.state / "teams").iterdir())
        self.assertIn("no application protocol", self.call(server_name(state)))
        self.assertNamed()

    def test_a_client_whose_name_only_its_own_version_knows_is_named_and_learns_nothing(self):
        for name in ("a" * 45, "baton2-name"):
            self.assertIn("unrecognized name", self.call(name))
            self.laptop.wait_for_log("reason=versionMismatch")
        # Anyone can pretend to be one.
        self.assertNotIn("incompatible versions", self.laptop.baton("doctor", "desktop", status=6).decode())

    def test_a_caller_does_not_say_that_a_certificate_is_wrong(self):
        state = next((self.desktop.state / "teams").iterdir())
        for alert, reason in ((CERTIFICATE_EXPIRED, "certificateExpired"), (CERTIFICATE_REVOKED, "certificateRevoked"),
                              (NO_APPLICATION_PROTOCOL, "versionMismatch")):
            command = ["python3", "-c", CALLER, self.address(), self.laptop.port, server_name(state), alert]
            subprocess.run(on(HOSTS[1], *command), check=True, timeout=PATIENCE)
            self.laptop.wait_for_log(f"reason={reason}")
        found = subprocess.run(self.laptop.command_line("doctor"), env=self.laptop.environment, capture_output=True, timeout=60)
        for text in (b"expired", b"removed", b"incompatible", b"refused a connection"):
            self.assertNotIn(text, found.stdout)
        self.assertNotIn(self.row().get("reason"), ("certificateExpired", "certificateRevoked", "versionMismatch"))

    def test_a_stranger_does_not_say_that_a_member_was_removed(self):
        self.listen(CERTIFICATE_REVOKED)
        self.laptop.terminate()
        self.laptop.start()
        text = self.laptop.baton("doctor", "desktop", status=5).decode()
        self.assertNotIn("removed", text)
        self.assertNotEqual(self.row().get("reason"), "certificateRevoked")

    def test_a_stranger_does_not_say_that_a_members_certificate_is_wrong(self):
        """Its own one has the authority's name, which all teams have, and an extension that is wrong for a device."""
        def make(*words):
            subprocess.run(["openssl", *words], cwd=self.directory, check=True, capture_output=True, timeout=PATIENCE)

        (self.directory / "extensions").write_text(
            "extendedKeyUsage=emailProtection\nauthorityKeyIdentifier=none\nsubjectKeyIdentifier=none\n")
        make("req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Baton team")
        make("req", "-newkey", "ed25519", "-nodes", "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=Baton device")
        make("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "leaf.pem",
             "-extfile", "extensions")
        server = ["openssl", "s_server", "-accept", PORT, "-tls1_3", "-alpn", "baton/1", "-quiet", "-cert",
                  self.directory / "leaf.pem", "-key", self.directory / "leaf.key"]
        self.spawn(on(HOSTS[1], *server), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = on(HOSTS[1], "ss", "-Hltn", f"sport = :{PORT}")
        wait_until(lambda: subprocess.run(port, capture_output=True, timeout=PATIENCE).stdout, "it listens")
        self.laptop.terminate()
        self.laptop.start()
        self.assertIn("otherTeam", self.laptop.baton("doctor", "desktop", status=5).decode())
