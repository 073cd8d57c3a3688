# SPDX-License-Identifier: Apache-2.0
"""What comes over the control socket and is no proper call: an error by name or a closed connection.

Other clients notice nothing of it.
"""
# Labs: lo
import json
import os
import random
import socket
import struct
import time

from lab import PATIENCE, PROMPT, LabTest, Varlink, VarlinkError, wait_until

STATUS = b'{"method":"io.baton.Handoff.GetStatus"}\0'


class HostileControlTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.daemon = self.batond("laptop").start()
        # Its descriptors are counted below.
        wait_until(lambda: self.daemon.call("GetStatus")["discovery"] == "running", "Avahi is reached")
        # Another client, which must not notice anything.
        self.watcher = self.daemon.connect().more("ListOffers")
        self.watcher.receive()

    def tearDown(self):
        if not hasattr(self, "daemon"):
            return
        began = time.monotonic()
        self.assertEqual(self.daemon.call("GetStatus")["device"], "laptop")
        self.assertLess(time.monotonic() - began, PROMPT)
        self.watcher.socket.setblocking(False)
        self.assertRaises(BlockingIOError, self.watcher.socket.recv, 1)

    def exchange(self, data, ends=True):
        """What the daemon says to these bytes until it closes; with `ends`, we say that nothing follows."""
        with Varlink(self.daemon.socket) as connection:
            try:
                connection.socket.sendall(data)
                if ends:
                    connection.socket.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            answer = b""
            try:
                while chunk := connection.socket.recv(65536):
                    answer += chunk
            except ConnectionResetError:
                pass
            return answer

    def error(self, method, parameters=None, **flags):
        with Varlink(self.daemon.socket) as connection:
            connection.send(method, parameters, **flags)
            try:
                connection.receive()
            except VarlinkError as error:
                return error.name, error.parameters

    def test_malformed_messages_close_the_connection(self):
        for data in (
            b"\0", b"{\0", b"[]\0", b"null\0", b'"text"\0', b"{}\0", b'{"method":1}\0', b'{"method":""',
            b'{"method":"io.baton.Handoff.GetStatus"}{}\0', b'{"method":"a.b.C","parameters":[]}\0', b"\xff\xfe\0",
            b'{"method":"io.baton.Handoff.GetStatus","more":1}\0',
            b'{"method":"io.baton.Handoff.GetStatus","more":true,"upgrade":true}\0',
            b'{"method":"io.baton.Handoff.GetStatus","unknown":1}\0', b"GET / HTTP/1.1\r\n\r\n",
            b'{"method":"io.baton.Handoff.GetStatus","parameters":' + b"[" * 10000 + b"]" * 10000 + b"}\0",
            b'{"method":"io.baton.Handoff.GetStatus","parameters":' + b'{"a":' * 100 + b"1" + b"}" * 100 + b"}\0",
        ):
            with self.subTest(data=data[:60]):
                self.assertEqual(self.exchange(data), b"")

    def test_one_mebibyte_without_an_end(self):
        memory = int(self.daemon.status_of_process("VmRSS").split()[0])
        for _ in range(8):
            self.assertEqual(self.exchange(b"x" * (1 << 20), ends=False), b"")
            self.assertEqual(self.exchange(b'{"method":"' + b"a" * (1 << 20), ends=False), b"")
        self.assertLess(int(self.daemon.status_of_process("VmRSS").split()[0]) - memory, 4096)

    def test_half_a_message_waits_and_is_forgotten_with_its_connection(self):
        with Varlink(self.daemon.socket) as connection:
            connection.socket.sendall(STATUS[:20])
            self.assertEqual(self.daemon.call("GetStatus")["device"], "laptop")
            connection.socket.sendall(STATUS[20:])
            self.assertEqual(connection.receive()["device"], "laptop")
        self.assertEqual(self.exchange(STATUS[:20]), b"")
        with Varlink(self.daemon.socket) as connection:
            for byte in STATUS:
                connection.socket.sendall(bytes([byte]))
            self.assertEqual(connection.receive()["device"], "laptop")

    def test_unknown_methods_and_wrong_parameters_are_errors_by_name(self):
        service = "org.varlink.service."
        self.assertEqual(self.error("io.baton.Handoff.Nothing")[0], service + "MethodNotFound")
        self.assertIn(
            self.error("org.example.none.A")[0], (service + "MethodNotFound", service + "InterfaceNotFound")
        )
        self.assertEqual(
            self.error("ListOffers", {"activityType": 7}), (service + "InvalidParameter", {"parameter": "activityType"})
        )
        self.assertEqual(
            self.error("ListOffers", {"nothing": 1}), (service + "InvalidParameter", {"parameter": "nothing"})
        )
        self.assertEqual(self.error("Continue"), (service + "InvalidParameter", {"parameter": "id"}))
        activity = {"activityType": "a.b"}
        self.assertEqual(self.error("BecomeCurrent", {"activity": activity})[0], service + "ExpectedMore")
        self.assertEqual(self.error("OpenStream", {"activity": "x"})[0], service + "ExpectedUpgrade")

    def test_activities_that_break_a_rule_are_refused_by_name(self):
        good = {"activityType": "org.example.a"}
        for reason, members in (
            ("activityTypeInvalid", {"activityType": ""}),
            ("activityTypeInvalid", {"activityType": "no spaces allowed"}),
            ("activityTypeInvalid", {"activityType": "a." * 200}),
            ("persistentIdentifierInvalid", {"persistentIdentifier": "x" * 1025}),
            ("urlInvalid", {"webpageURL": "ftp://example.org/"}),
            ("urlInvalid", {"webpageURL": "javascript:alert(1)"}),
            ("userInfoTooLarge", {"userInfo": {"a": "x" * 3072}}),
            ("userInfoInvalid", {"userInfo": {"a": {"$unknown": 1}}}),
        ):
            with self.subTest(reason=reason, members=str(members)[:60]):
                name, parameters = self.error("BecomeCurrent", {"activity": {**good, **members}}, more=True)
                self.assertEqual((name, parameters["reason"]), ("io.baton.Handoff.Failed", reason))

    def test_an_address_that_is_too_long_is_left_out_and_named(self):
        long = "https://example.org/?" + "x" * 2048
        activity = {"activityType": "org.example.a", "title": "note", "webpageURL": long, "referrerURL": "https://example.org/"}
        with Varlink(self.daemon.socket) as connection:
            connection.send("BecomeCurrent", {"activity": activity}, more=True)
            reply = connection.receive()
            self.assertEqual((reply["event"], reply["omitted"]), ("current", ["webpageURL"]))
            update = self.daemon.call("UpdateActivity", activity={**activity, "id": reply["id"], "referrerURL": long})
            self.assertEqual(update["omitted"], ["webpageURL", "referrerURL"])
        # Nothing would be left of a page.
        page = {"activity": {**activity, "activityType": "NSUserActivityTypeBrowsingWeb"}}
        self.assertEqual(self.error("BecomeCurrent", page, more=True)[1]["reason"], "urlInvalid")

    def test_pipelined_calls_are_all_answered(self):
        answer = self.exchange(STATUS * 50)
        self.assertEqual(answer.count(b"\0"), 50)

    def test_clients_that_do_not_read_are_dropped_or_wait(self):
        hogs = []
        for _ in range(20):
            hog = socket.socket(socket.AF_UNIX)
            self.addCleanup(hog.close)
            hog.connect(str(self.daemon.socket))
            hog.setblocking(False)
            try:
                for _ in range(200):
                    hog.send(STATUS * 20)
            except (BlockingIOError, BrokenPipeError):
                pass
            hogs.append(hog)
        self.assertEqual(self.daemon.call("GetStatus")["device"], "laptop")
        self.assertLess(int(self.daemon.status_of_process("VmRSS").split()[0]), 64 * 1024)

    def test_clients_that_leave_without_reading_are_forgotten(self):
        descriptors = f"/proc/{self.daemon.process.pid}/fd"
        before = len(os.listdir(descriptors))
        for number in range(3000):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(self.daemon.socket))
                client.sendall(STATUS[: 20 if number % 3 else len(STATUS)])
            except (BlockingIOError, BrokenPipeError, ConnectionResetError):
                pass  # It may have too many for a moment.
            client.close()
        wait_until(lambda: len(os.listdir(descriptors)) <= before, f"{before} descriptors as before")

    def test_more_connections_than_there_are_places(self):
        clients = []
        for _ in range(2200):
            client = socket.socket(socket.AF_UNIX)
            self.addCleanup(client.close)
            client.connect(str(self.daemon.socket))
            client.settimeout(PATIENCE)
            clients.append(client)

        def first_is_served():
            clients[0].sendall(STATUS)
            return clients[0].recv(65536)

        self.assertTrue(first_is_served())
        self.assertEqual(clients[-1].recv(1), b"")
        for client in clients:
            client.close()

        self.daemon.wait_until_served()

    def test_more_connections_than_there_are_descriptors(self):
        poor = self.batond("poor", prefix=["prlimit", "--nofile=48"]).start()
        clients = []
        for _ in range(100):
            client = socket.socket(socket.AF_UNIX)
            self.addCleanup(client.close)
            client.connect(str(poor.socket))
            clients.append(client)

        def processor_time():
            with open(f"/proc/{poor.process.pid}/stat") as file:
                return sum(map(int, file.read().split()[13:15])) / os.sysconf("SC_CLK_TCK")

        before, end = processor_time(), time.monotonic() + 1
        wait_until(lambda: time.monotonic() > end, "a second")
        self.assertLess(processor_time() - before, 0.1)
        for client in clients:
            client.close()
        poor.wait_until_served()

    def test_descriptors_that_nobody_asked_for(self):
        with Varlink(self.daemon.socket) as connection:
            descriptors = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
            # It has accepted, and counts with this connection.
            self.assertEqual(connection.call("GetStatus")["device"], "laptop")
            before = len(os.listdir(f"/proc/{self.daemon.process.pid}/fd"))
            connection.socket.sendmsg(
                [STATUS], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(descriptors)}i", *descriptors))]
            )
            self.assertEqual(connection.receive()["device"], "laptop")
            self.assertLessEqual(len(os.listdir(f"/proc/{self.daemon.process.pid}/fd")), before)
            for descriptor in descriptors:
                os.close(descriptor)

    def test_random_bytes_and_mutated_calls(self):
        chance = random.Random(20)
        calls = [
            json.dumps({"method": "io.baton.Handoff." + method, "parameters": parameters}).encode() + b"\0"
            for method, parameters in (
                ("GetStatus", {}), ("ListOffers", {"activityType": "a.b", "team": None}), ("Continue", {"id": "x"}),
                ("UpdateActivity", {"activity": {"id": "x", "activityType": "a.b", "userInfo": {"a": [1, 2.5, None]}}}),
                ("JoinTeam", {"code": "A" * 40, "address": "::1"}), ("ApproveRequest", {"request": "x"}),
                ("ImportApproval", {"approval": "{}"}), ("AwaitStream", {"stream": "s"}), ("LeaveTeam", {"team": "x"}),
            )
        ]
        for _ in range(600):
            data = bytearray(chance.choice(calls))
            for _ in range(chance.randint(1, 6)):
                place = chance.randrange(len(data))
                match chance.randrange(3):
                    case 0:
                        data[place] = chance.randrange(256)
                    case 1:
                        del data[place]
                    case 2:
                        data[place:place] = chance.randbytes(chance.randint(1, 40))
            self.exchange(bytes(data) + b"\0")
        for _ in range(50):
            self.exchange(chance.randbytes(chance.randint(1, 100_000)))
