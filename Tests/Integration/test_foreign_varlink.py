# SPDX-License-Identifier: Apache-2.0
"""Clients that were not written here: the PyPI package `varlink`, and systemd's varlinkctl."""
# Labs: lo
import hashlib
import json
import os
import pathlib
import subprocess
import threading

from lab import INTERFACE, ROOT, LabTest, wait_until

try:
    import varlink
except ImportError:
    varlink = None

CLIENTS = pathlib.Path(os.environ.get("VARLINK_CLIENTS", ROOT / ".build/varlink-clients"))


class PythonPackageTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        if varlink is None:
            self.skipTest("the Python package varlink is not installed")

    def open(self, daemon, interface=INTERFACE):
        client = varlink.Client(f"unix:{daemon.socket}")
        connection = client.open(interface)
        self.addCleanup(client.cleanup)
        self.addCleanup(connection.close)
        return connection

    def test_introspection(self):
        laptop = self.batond("laptop").start()
        with varlink.Client(f"unix:{laptop.socket}") as client:
            self.assertEqual(sorted(client.get_interfaces()), [INTERFACE, "org.varlink.service"])
            service = client.open("org.varlink.service")
            info = service.GetInfo()
            description = service.GetInterfaceDescription(INTERFACE)["description"]
            service.close()
        self.assertEqual(sorted(info["interfaces"]), [INTERFACE, "org.varlink.service"])
        # Lines with #: are for Scripts/make-interfaces.
        lines = (ROOT / "Documentation/reference/io.baton.Handoff.varlink").read_text().splitlines(True)
        self.assertEqual(description, "".join(line for line in lines if not line.lstrip().startswith("#:")))

    def test_a_whole_continuation(self):
        laptop, desktop = self.two()
        publisher, receiver = self.open(laptop), self.open(desktop)
        activity = {"activityType": "org.example.notes", "title": "From Python", "userInfo": {"cursor": 7, "x": [1.5]}}
        events = publisher.BecomeCurrent(activity, _more=True)
        current = next(events)
        self.assertEqual(current["event"], "current")
        for reply in self.open(desktop).ListOffers(_more=True):
            if reply["offers"]:
                break
        self.assertEqual([offer["title"] for offer in reply["offers"]], ["From Python"])
        continued = receiver.Continue(current["id"])
        self.assertEqual(continued["device"], "laptop")
        self.assertEqual(continued["activity"]["userInfo"], activity["userInfo"])
        self.assertEqual(next(events)["event"], "continued")
        wait_until(lambda: receiver.ListOffers()["offers"] == [], "it is not offered any more")

    def test_errors_have_their_names_and_parameters(self):
        laptop = self.batond("laptop").start()
        connection = self.open(laptop)
        with self.assertRaises(varlink.VarlinkError) as caught:
            connection.Continue("4a7f9a5e-0000-4000-8000-000000000000")
        self.assertEqual(caught.exception.error(), INTERFACE + ".Failed")
        self.assertEqual(caught.exception.parameters()["reason"], "activityNotFound")
        with self.assertRaises(varlink.VarlinkError) as caught:
            connection.BecomeCurrent({"activityType": "a.b"})
        self.assertEqual(caught.exception.error(), "org.varlink.service.ExpectedMore")
        # The connection goes on.
        self.assertEqual(connection.GetStatus()["device"], "laptop")

    def test_a_call_that_wants_no_answer(self):
        laptop = self.batond("laptop").start()
        connection = self.open(laptop)
        connection.CreateTeam("Quiet", _oneway=True)
        self.assertEqual(connection.ListTeams()["teams"][0]["name"], "Quiet")

    def test_its_command_line(self):
        laptop = self.batond("laptop").start()
        interpreter = CLIENTS / "python/bin/python3"
        if not interpreter.exists():
            self.skipTest("the interpreter of the Python package varlink is not installed")

        def run(*arguments):
            return subprocess.run(
                [interpreter, "-m", "varlink.cli", *arguments], check=True, capture_output=True, timeout=30
            ).stdout.decode()

        self.assertIn("Baton", run("info", f"unix:{laptop.socket}"))
        self.assertIn("method BecomeCurrent", run("help", f"unix:{laptop.socket}/{INTERFACE}"))
        self.assertEqual(json.loads(run("call", f"unix:{laptop.socket}/{INTERFACE}.GetStatus"))["device"], "laptop")

    def test_a_stream_over_a_plain_socket(self):
        """The package cannot upgrade: the few lines that do."""
        laptop, desktop = self.two()
        events = self.open(laptop).BecomeCurrent(
            {"activityType": "org.example.files", "supportsContinuationStreams": True}, _more=True
        )
        activity = next(events)["id"]
        desktop.wait_for_offer(activity)
        self.open(desktop).Continue(activity)
        payload = os.urandom(8 << 20)
        received = []

        def receive():
            _, early, stream = desktop.connect().upgrade("OpenStream", activity=activity)
            chunks = [early]
            while chunk := stream.recv(65536):
                chunks.append(chunk)
            received.append(b"".join(chunks))
            stream.sendall(hashlib.sha256(received[0]).digest())
            stream.shutdown(1)

        thread = threading.Thread(target=receive)
        thread.start()
        requested = next(event for event in events if event["event"] == "streamRequested")
        _, early, stream = laptop.connect().upgrade("AcceptStream", stream=requested["stream"])
        stream.sendall(payload)
        stream.shutdown(1)
        answer = early
        while chunk := stream.recv(65536):
            answer += chunk
        thread.join(10)
        self.assertEqual(received, [payload])
        self.assertEqual(answer, hashlib.sha256(payload).digest())


class VarlinkctlTests:
    """The same for each version; see below."""

    suite = None
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.program = CLIENTS / self.suite / "varlinkctl"
        if not self.program.exists():
            self.skipTest(f"varlinkctl of {self.suite} is not installed")

    def run_it(self, *arguments, status=0, **options):
        result = subprocess.run([self.program, *map(str, arguments)], capture_output=True, timeout=60, **options)
        self.assertEqual(result.returncode, status, result)
        return result.stdout.decode()

    def test_info_introspect_and_methods(self):
        laptop = self.batond("laptop").start()
        self.assertIn(INTERFACE, self.run_it("info", laptop.socket))
        self.assertIn("org.varlink.service", self.run_it("list-interfaces", laptop.socket))
        self.assertIn("method BecomeCurrent", self.run_it("introspect", laptop.socket, INTERFACE))
        methods = self.run_it("list-methods", laptop.socket, INTERFACE).split()
        self.assertIn(INTERFACE + ".ListOffers", methods)

    def test_a_whole_continuation(self):
        laptop, desktop = self.two()
        parameters = {"activity": {"activityType": "org.example.a", "title": "From varlinkctl"}}
        publisher = self.spawn(
            [self.program, "--more", "--json=short", "call", laptop.socket, INTERFACE + ".BecomeCurrent",
             json.dumps(parameters)],
            stdout=subprocess.PIPE,
        )
        activity = json.loads(publisher.stdout.readline().strip(b"\x1e"))["id"]
        desktop.wait_for_offer(activity)
        offers = json.loads(self.run_it("call", desktop.socket, INTERFACE + ".ListOffers", "{}"))["offers"]
        self.assertEqual([offer["title"] for offer in offers], ["From varlinkctl"])
        reply = json.loads(
            self.run_it("call", desktop.socket, INTERFACE + ".Continue", json.dumps({"id": activity}))
        )
        self.assertEqual(reply["device"], "laptop")
        self.assertEqual(json.loads(publisher.stdout.readline().strip(b"\x1e"))["event"], "continued")

    def test_errors(self):
        laptop = self.batond("laptop").start()
        result = subprocess.run(
            [self.program, "call", laptop.socket, INTERFACE + ".LeaveTeam", '{"team":"AAAAAAAAAA"}'],
            capture_output=True, timeout=60,
        )
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"io.baton.Handoff.Failed", result.stderr + result.stdout)
        self.assertIn(b"teamNotFound", result.stderr + result.stdout)


class VarlinkctlOfTrixieTests(VarlinkctlTests, LabTest):
    suite = "trixie"


class VarlinkctlOfSidTests(VarlinkctlTests, LabTest):
    suite = "sid"

    def test_a_stream_by_upgrade(self):
        laptop, desktop = self.two()
        connection, activity = laptop.publish(supportsContinuationStreams=True)
        desktop.wait_for_offer(activity)
        desktop.call("Continue", id=activity)
        opener = self.spawn(
            [self.program, "--upgrade", "call", desktop.socket, INTERFACE + ".OpenStream",
             json.dumps({"activity": activity})],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        _, early, stream = laptop.connect().upgrade("AcceptStream", stream=requested["stream"])
        stream.sendall(b"to varlinkctl\n")
        self.assertEqual(opener.stdout.readline(), b"to varlinkctl\n")
        opener.stdin.write(b"from varlinkctl\n")
        opener.stdin.flush()
        self.assertEqual(early + stream.recv(100), b"from varlinkctl\n")
