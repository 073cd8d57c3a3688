# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's own client at the port for peers: who is no device of a team is refused by name, and learns nothing."""
# Labs: lo
import base64
import contextlib
import hashlib
import hmac
import os
import socket
import subprocess
import time

from lab import PATIENCE, LabTest, wait_until

BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def base32(data):
    """Crockford's, the last digit filled with zero bits."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(BASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


class ForeignPeerTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()
        self.laptop.baton("team", "create", "Demo")
        self.team = next((self.laptop.state / "teams").iterdir())

    def server_name(self, nonce=None):
        """Protocol.md section 3, from the team's discovery key."""
        key = self.read_discovery_key()
        name_key = hmac.digest(key, b"baton server name 1", "sha256")
        nonce = nonce or os.urandom(8)
        mask = hmac.digest(name_key, nonce, "sha256")[:4]
        body = nonce + bytes(a ^ b for a, b in zip(int(time.time()).to_bytes(4, "big"), mask))
        return base32(body + hmac.digest(name_key, body + bytes(32), "sha256")[:16]).lower()

    def read_discovery_key(self):
        data = (self.team / "discovery.key").read_bytes()
        return data if len(data) == 32 else base64.b64decode(data)

    def client(self, *arguments, name="", alpn="baton/1", version="-tls1_3", input=b"", ends=True):
        """`openssl s_client`; all that it printed, with spaces for underscores."""
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{self.laptop.port}", "-msg", "-showcerts", version]
        command += ["-servername", name] if name else ["-noservername"]
        if alpn:
            command += ["-alpn", alpn]
        result = subprocess.run(
            [*command, "-ign_eof", *map(str, arguments)], input=input, capture_output=True, timeout=PATIENCE
        )
        # Versions of OpenSSL differ in how they write an alert's name.
        return (result.stdout + result.stderr).decode(errors="replace").replace("_", " ")

    def member(self):
        """A certificate and key of another device of the team, with its CA: of a daemon that is stopped."""
        desktop = self.batond("desktop").start()
        desktop.baton("team", "join", self.laptop.json("team", "invite")["code"])
        desktop.terminate()
        state = next((desktop.state / "teams").iterdir())
        files = {"-cert": "device.pem", "-key": "device.key", "-cert_chain": "ca.pem"}
        return [word for option, name in files.items() for word in (option, state / name)]

    def make_certificate(self, name):
        """An own CA and a device certificate of it, made as the protocol says."""
        def openssl(*arguments):
            subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=PATIENCE)

        ca, ca_key = self.directory / f"{name}-ca.pem", self.directory / f"{name}-ca.key"
        leaf, key, request = (self.directory / f"{name}{end}" for end in (".pem", ".key", ".csr"))
        openssl(
            "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", ca_key, "-out", ca, "-subj", "/CN=Baton team",
            "-days", "30", "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        )
        openssl("req", "-newkey", "ed25519", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=Baton device")
        extensions = self.directory / "extensions"
        extensions.write_text(
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n"
            "extendedKeyUsage=serverAuth,clientAuth\n"
        )
        openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-out", leaf, "-days", "30",
                "-extfile", extensions)
        return ["-cert", leaf, "-key", key, "-cert_chain", ca]

    def assertLearnsNothing(self, output):
        self.assertNotIn("BEGIN CERTIFICATE", output)
        self.assertNotIn("Baton", output)
        self.assertNotIn(", Certificate\n", output)

    def refusals(self, reason):
        return self.laptop.log_text().count(f"reason={reason}")

    def test_without_a_server_name(self):
        output = self.client()
        self.assertIn("unrecognized name", output)
        self.assertLearnsNothing(output)
        self.laptop.wait_for_log("reason=otherTeam")

    def test_with_names_that_are_none_of_ours(self):
        good = self.server_name()
        wrong_code = good[:-3] + ("a" if good[-3] != "a" else "b") + good[-2:]
        member = self.member()
        for name in ("localhost", "baton", wrong_code, good[:-1], "a" * 63, base32(os.urandom(28)).lower()):
            with self.subTest(name=name):
                output = self.client(*member, name=name)
                self.assertIn("unrecognized name", output)
                self.assertLearnsNothing(output)

    def test_a_valid_name_shows_the_certificate_and_no_certificate_is_refused(self):
        """The positive control of the two above; and TLS 1.3 lets a client believe that it is in."""
        output = self.client(name=self.server_name())
        self.assertIn("Baton device", output)
        self.assertIn("certificate required", output)
        self.laptop.wait_for_log("reason=certificateMissing")

    def test_the_certificate_of_another_team(self):
        output = self.client(*self.make_certificate("other"), name=self.server_name(), input=b"\0\0\2\1{}")
        self.assertRegex(output, "unknown ca|bad certificate|certificate unknown")
        self.assertFalse(self.was_accepted(output))
        self.assertEqual(self.laptop.call("GetStatus")["sessions"], 0)
        self.assertRegex(
            wait_until(lambda: "Refused" in self.laptop.log_text() and self.laptop.log_text(), "a refusal"),
            "reason=(otherTeam|certificateInvalid)",
        )

    def was_accepted(self, output):
        """Something came after the handshake that was no alert."""
        return '"version"' in output or '"maximum"' in output

    def test_tls_1_2(self):
        output = self.client(*self.member(), name=self.server_name(), version="-tls1_2")
        self.assertIn("protocol version", output)
        self.assertLearnsNothing(output)

    def test_another_application_protocol_or_none(self):
        member = self.member()
        for alpn in ("http/1.1", "baton/2", "h2,http/1.1", None):
            with self.subTest(alpn=alpn):
                output = self.client(*member, name=self.server_name(), alpn=alpn)
                self.assertRegex(output, "alert no application protocol")
                self.assertLearnsNothing(output)

    def test_a_member_is_greeted(self):
        """The other positive control: with all that a device has, the daemon says hello."""
        output = self.client(*self.member(), name=self.server_name())
        self.assertTrue(self.was_accepted(output) or '"device"' in output, output[-3000:])

    def test_no_session_tickets(self):
        session = self.directory / "session"
        output = self.client(*self.member(), "-sess_out", session, name=self.server_name())
        self.assertNotIn("NewSessionTicket", output)
        self.assertFalse(session.exists())

    def test_early_data_is_refused(self):
        """With a session of another server that takes it, as a client cannot know better."""
        early, session = self.directory / "early", self.directory / "session"
        early.write_bytes(b"\0\0\2\1{}")
        name, own = self.server_name(), self.make_certificate("own")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        server = self.spawn(
            ["openssl", "s_server", "-accept", port, "-tls1_3", "-early_data", "-alpn", "baton/1", *own[:4]],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def resume(port, *arguments, name=name):
            command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_3", "-alpn", "baton/1"]
            done = subprocess.run(
                [*command, "-servername", name, *map(str, arguments)], input=b"Q\n", capture_output=True, timeout=PATIENCE)
            return (done.stdout + done.stderr).decode(errors="replace")

        wait_until(lambda: "BEGIN" in resume(port, "-sess_out", session) and session.exists(), "the server gives a session")
        # The control: there it is taken.
        self.assertIn("Early data was accepted", resume(port, "-sess_in", session, "-early_data", early))
        server.kill()
        output = resume(self.laptop.port, *self.member(), "-sess_in", session, "-early_data", early)
        self.assertIn("Early data was rejected", output)
        self.assertIn("New, TLSv1.3", output)
        self.assertEqual(self.laptop.call("GetStatus")["sessions"], 0)

    def test_what_is_no_tls_at_all(self):
        for data in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 1000, b"\x16\x03\x01\xff\xff" + b"x" * 70000, b"SSH-2.0-x\r\n"):
            with socket.create_connection(("127.0.0.1", self.laptop.port), 10) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    answer = connection.recv(65536)
                except OSError:  # It was closed already.
                    answer = b""
                # An alert at most: its record has 7 bytes.
                self.assertLessEqual(len(answer), 7)
        self.laptop.wait_for_log("reason=notTLS")

    def test_who_is_silent_is_closed_and_others_are_served(self):
        began = time.monotonic()
        silent = [socket.create_connection(("127.0.0.1", self.laptop.port), PATIENCE) for _ in range(17)]
        for connection in silent:
            self.addCleanup(connection.close)
        # Of one source there are sixteen; the oldest gives way.
        self.assertEqual(silent[0].recv(1), b"")
        self.laptop.wait_for_log("reason=tooManyConnections")
        self.assertEqual(silent[-1].recv(1), b"")
        self.assertGreater(time.monotonic() - began, 1.9)
        self.laptop.wait_for_log("reason=handshakeTimedOut")
        # Now another device is let in.
        desktop = self.batond("desktop").start()
        desktop.baton("team", "join", self.laptop.json("team", "invite")["code"])
        desktop.wait_for_sessions(1)

    def test_strangers_do_not_fill_the_log(self):
        for _ in range(200):
            # Those that come too fast are reset at once.
            with contextlib.suppress(ConnectionResetError), \
                    socket.create_connection(("127.0.0.1", self.laptop.port), 10) as connection:
                connection.sendall(b"x" * 100)
                connection.recv(100)
        self.laptop.wait_for_log("reason=notTLS")
        self.assertLess(self.laptop.log_text().count("Refused"), 20)

    def test_a_daemon_in_no_team_shows_nothing(self):
        fresh = self.batond("fresh").start()
        with socket.create_connection(("127.0.0.1", fresh.port), 10) as connection:
            self.assertEqual(connection.recv(100), b"")
        fresh.wait_for_log("reason=teamNotFound")

    def test_connections_that_break_off_anywhere(self):
        """A client hello, cut at every tenth byte, and ended in both ways."""
        recorder = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(recorder.close)
        client = self.spawn(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{recorder.getsockname()[1]}", "-servername",
             self.server_name(), "-alpn", "baton/1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        recorder.settimeout(PATIENCE)
        accepted, _ = recorder.accept()
        accepted.settimeout(PATIENCE)
        hello = accepted.recv(65536)
        accepted.close()
        client.wait(PATIENCE)
        for length in range(0, len(hello) + 1, 10):
            for reset in (False, True):
                connection = socket.create_connection(("127.0.0.1", self.laptop.port), 10)
                connection.sendall(hello[:length])
                if reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                connection.close()
        descriptors = f"/proc/{self.laptop.process.pid}/fd"
        self.assertEqual(self.laptop.call("GetStatus")["sessions"], 0)
        wait_until(lambda: len(os.listdir(descriptors)) < 25, "the descriptors are closed")

    def test_the_team_id_is_the_hash_of_its_key(self):
        """As Protocol.md says, by means of OpenSSL alone."""
        public = subprocess.run(
            f"openssl x509 -in {self.team}/ca.pem -noout -pubkey | openssl pkey -pubin -outform DER",
            shell=True, check=True, capture_output=True, timeout=PATIENCE,
        ).stdout
        team = self.laptop.call("ListTeams")["teams"][0]
        digest = hashlib.sha256(public)
        self.assertEqual(team["fingerprint"], digest.hexdigest())
        self.assertEqual(team["id"], base32(digest.digest())[:10])
