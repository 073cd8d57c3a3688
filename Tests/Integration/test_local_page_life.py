# SPDX-License-Identifier: Apache-2.0
"""Pages of another machine's localhost in the long run: slow readers, silence, locked screens, sleep, and restarts."""
# Labs: pair
import os
import pathlib
import subprocess
import sys

from lab import PATIENCE, on, wait_until
from test_local_pages import LocalPageTest
from test_wake import FakeLogind

# Seconds: LocalPageLimits.idleTime and originIdleTime.
IDLE = 60
ORIGIN_IDLE = 90
# Seconds: LocalPageLimits.headTime.
HEAD_TIME = 30
PAGE = "http://laptop.localhost:8000/head"
READER = """
import socket, sys
client = socket.create_connection(("127.0.0.1", 8000))
client.sendall(sys.argv[1].encode() + b"\\r\\nHost: laptop.localhost:8000\\r\\n\\r\\n")
print(client.recv(1).decode(), flush=True)
sys.stdin.read()
"""

# Sends a byte of a request each second, and prints the answer.
SLOW = """
import select, socket, sys
client = socket.create_connection(("127.0.0.1", 8000))
for byte in b"GET /head HTTP/1.1\\r\\nX: " + b"x" * 2 * int(sys.argv[1]):
    if select.select([client], [], [], 1)[0]: break
    client.sendall(bytes([byte]))
while data := client.recv(4096): sys.stdout.buffer.write(data)
"""


class PageTest(LocalPageTest):
    def setUp(self):
        super().setUp()
        self.running = self.server()
        self.laptop.allow(8000)

    def get(self, address=PAGE):
        return self.desktop.curl(address, check=False).stdout

    def assertShown(self, address=PAGE):
        self.assertIn("Host: localhost:8000\r\n", self.get(address))

    def wait_until_closed(self, machine, time=PATIENCE):
        wait_until(lambda: not machine.list()["pages"], "the page is closed", time)

    def reader(self, line):
        """A program that sends a request and reads one byte of the answer."""
        reader = self.spawn(
            on(self.desktop.host, sys.executable, "-c", READER, line), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.assertEqual(reader.stdout.readline(), b"H\n")
        return reader


class LoadTests(PageTest):
    def memory(self):
        """The agents' and daemons' resident memory in KiB."""
        processes = [self.laptop.process, self.desktop.process, *(daemon.process for daemon in self.daemons)]
        texts = [pathlib.Path(f"/proc/{process.pid}/status").read_text() for process in processes]
        return [int(text.partition("VmRSS:")[2].split()[0]) for text in texts]

    def test_slow_readers_cost_a_window_each_and_stop_nobody(self):
        self.open()
        before = self.memory()
        readers = [self.reader("GET /bytes/50000000 HTTP/1.1") for _ in range(20)]
        sent = 0
        # Until the server has to wait: the kernels' buffers are full, too.
        while (count := int(self.get("http://laptop.localhost:8000/count"))) != sent:
            sent = count
        self.assertLess(sent, 20 * 25_000_000)
        for old, new in zip(before, self.memory()):
            self.assertLess(new - old, 60 * 1024)
        for _ in range(20):
            self.assertShown()
        self.desktop.curl("--fail", "--output", "/dev/null", "http://laptop.localhost:8000/bytes/20000000")
        for reader in readers:
            reader.stdin.close()
            reader.wait(PATIENCE)
        wait_until(lambda: self.desktop.list()["pages"][0]["connections"] == 0, "the connections are closed")
        wait_until(lambda: self.laptop.list()["pages"][0]["connections"] == 0, "the connections are closed there")

    def test_events_come_one_by_one(self):
        self.open()
        events = self.spawn(
            on(self.desktop.host, "curl", "--silent", "--no-buffer", "http://laptop.localhost:8000/events"),
            stdout=subprocess.PIPE,
        )
        self.assertEqual(events.stdout.readline(), b"data: first\n")
        for version in (2, 3, 4):
            events.stdout.readline()
            self.running.stdin.write("\n")
            self.assertEqual(events.stdout.readline(), f"data: version {version}\n".encode())
        # The server hears that the browser has gone.
        events.terminate()
        wait_until(lambda: self.laptop.list()["pages"][0]["connections"] == 0, "the connection is closed")

    def test_there_are_not_too_many_connections(self):
        self.open()
        waiting = [self.spawn(
            on(self.desktop.host, "curl", "--silent", "http://laptop.localhost:8000/never"), stdout=subprocess.PIPE
        ) for _ in range(64)]
        wait_until(lambda: self.desktop.list()["pages"][0]["connections"] == 64, "all are open")
        self.assertNotEqual(self.desktop.curl(PAGE, check=False).returncode, 0)
        waiting[0].terminate()
        wait_until(lambda: self.desktop.list()["pages"][0]["connections"] < 64, "one is closed")
        self.assertShown()


class SlowRequestTests(PageTest):
    def test_a_header_that_comes_byte_by_byte_ends_in_time(self):
        self.open()
        slow = self.spawn(on(self.desktop.host, sys.executable, "-c", SLOW, HEAD_TIME), stdout=subprocess.PIPE)
        self.assertShown()
        answer, _ = slow.communicate(timeout=2 * HEAD_TIME + PATIENCE)
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)
        self.assertIn(b"The request didn't arrive in time.", answer)


class IdleTests(PageTest):
    def test_both_machines_close_a_page_that_nobody_uses(self):
        self.open()
        events = self.reader("GET /events HTTP/1.1")
        self.assertShown()
        # A connection keeps it, even if it is silent.
        with self.assertRaises(AssertionError):
            self.wait_until_closed(self.desktop, IDLE + 5)
        events.stdin.close()
        self.wait_until_closed(self.desktop, IDLE + PATIENCE)
        self.wait_until_closed(self.laptop)
        self.assertNotEqual(self.desktop.curl(PAGE, check=False).returncode, 0)
        self.assertEqual(self.open(), PAGE)
        self.assertShown()

    def test_the_origin_closes_one_that_a_receiver_keeps(self):
        connection, activity = self.offer()
        self.daemons[1].call("Continue", id=activity)
        opener = self.daemons[1].connect(ORIGIN_IDLE + PATIENCE)
        opener.send("OpenStream", {"activity": activity}, upgrade=True)
        self.serve(connection)
        opener.receive()
        self.wait_until_closed(self.laptop, ORIGIN_IDLE + PATIENCE)
        received = b""
        while piece := opener.socket.recv(100):
            received += piece
        # The stream's end can overtake its reason.
        self.assertIn(received, (b"", b"\x05\0\0\0\0\0\x01\x07"))

    def test_a_page_that_reloads_waits_for_the_users_answer(self):
        self.laptop.forget(8000)
        self.open()
        self.assertIn("is asking", self.get())
        with self.assertRaises(AssertionError):
            wait_until(lambda: "is asking" not in self.get(), "it is over", ORIGIN_IDLE + 10)
        self.laptop.allow(8000)
        self.assertShown()


class AwayTests(PageTest):
    def end(self, number, command, back):
        """One of the machines is locked or sleeps, and comes back."""
        logind = FakeLogind(self, self.host(number))
        logind.obey(f"add 1 {os.getuid()}")
        self.assertEqual(self.open(), PAGE)
        self.assertShown()
        events = self.reader("GET /events HTTP/1.1")
        logind.obey(command)
        machines = (self.laptop, self.desktop)
        for machine in machines if number == 1 else machines[:1]:
            self.wait_until_closed(machine)
        if number == 0:
            self.assertIn("laptop is asleep, locked or out of reach", self.get())
        else:
            self.assertNotEqual(self.desktop.curl(PAGE, check=False).returncode, 0)
        events.stdin.close()
        logind.obey(back)
        machines[number].wait_for_log("Local pages can be opened again")
        self.assertEqual(self.open(), PAGE)
        self.assertShown()

    def test_the_screen_of_the_origin_is_locked(self):
        self.end(0, "lock 1", "unlock 1")

    def test_the_screen_of_the_receiver_is_locked(self):
        self.end(1, "lock 1", "unlock 1")

    def test_the_receiver_sleeps(self):
        self.end(1, "sleep", "wake")

    def test_a_locked_origin_says_so_to_one_who_comes(self):
        logind = FakeLogind(self, self.host(0))
        logind.obey(f"add 1 {os.getuid()}")
        self.open()
        logind.obey("lock 1")
        self.wait_until_closed(self.laptop)
        # What was open says why, in each form that a request can have.
        for arguments in ((), ("--header", "Accept: text/html"), ("--request", "POST", "--data", "x"), ("--head",)):
            answer = self.desktop.curl("--include", *arguments, PAGE).stdout
            self.assertTrue(answer.startswith("HTTP/1.1 502 "), answer)


class RestartTests(PageTest):
    def test_the_daemons_start_again(self):
        self.open()
        for daemon in self.daemons:
            self.assertShown()
            daemon.restart()
            # Without systemd, which keeps the socket, the stream is over.
            wait_until(lambda: "laptop is asleep, locked or out of reach" in self.get(), "the page says why")
            for other in self.daemons:
                wait_until(lambda: other.call("ListPeers")["peers"], "the machines have found each other")
            self.assertEqual(self.open(), PAGE)
            self.assertShown()

    def test_a_name_means_the_same_machine_after_the_agents_restart(self):
        self.assertEqual(self.open(), PAGE)
        self.desktop.stop()
        # A machine of the same name was here before this one.
        file = self.desktop.data / "baton/ports.json"
        text = file.read_text()
        self.assertIn('"label":"laptop"', text.replace(" ", ""))
        self.desktop.start()
        self.assertEqual(self.open(), PAGE)
        self.desktop.stop()
        device = self.daemons[0].call("ListTeams")["teams"][0]["deviceID"]
        self.assertIn(device, text)
        file.write_text(text.replace(device, "A" * len(device)))
        self.desktop.start()
        self.assertEqual(self.open(), f"http://laptop-{device[:6].lower()}.localhost:8000/head")
        self.assertIn("Host: localhost:8000", self.get(f"http://laptop-{device[:6].lower()}.localhost:8000/head"))


class NotificationTests(LocalPageTest):
    def failure(self, notifications):
        """The notification that isn't an offer."""
        failures = lambda: [one for one in notifications.calls() if one["hints"]["category"] == "x-baton.failure"]
        return wait_until(failures, "the failure is shown")[0]

    def test_a_page_that_cannot_be_shown_says_why(self):
        notifications = self.desktop.notify()
        _, activity = self.offer("http://example.org/")
        self.daemons[1].call("OpenOffer", id=activity)
        shown = self.failure(notifications)
        self.assertEqual(shown["summary"], "Page")
        self.assertEqual(shown["body"], "Couldn't continue from laptop: Its address can't be used.")

    def test_the_browser_gets_the_token_and_its_failure_is_shown(self):
        self.server()
        self.laptop.allow(8000)
        notifications = self.desktop.notify()
        self.desktop.program("xdg-open", f'#!/bin/sh\necho "$XDG_ACTIVATION_TOKEN" >>{self.desktop.shown}\nexit 3\n')
        connection, activity = self.offer()
        self.daemons[1].call("OpenOffer", id=activity, activationToken="token_TIME9")
        self.serve(connection)
        self.assertEqual(wait_until(self.desktop.addresses, "the browser is started"), ["token_TIME9"])
        shown = self.failure(notifications)
        self.assertIn("No browser could be started. Open http://laptop.localhost:8000/head yourself.", shown["body"])

    def test_a_port_that_is_taken_here_is_named(self):
        for port in (8000, 24678):
            self.server(port)
            self.laptop.allow(port)
        notifications = self.desktop.notify()
        self.spawn(
            on(self.desktop.host, sys.executable, "-c",
               "import socket,time; s=socket.create_server(('127.0.0.1',24678)); print(flush=True); time.sleep(600)"),
            stdout=subprocess.PIPE,
        ).stdout.readline()
        self.assertEqual(self.open(ports=[24678, 24679]), PAGE)
        shown = self.failure(notifications)
        self.assertEqual(shown["summary"], "Port 24678")
        self.assertIn("A page of laptop needs what isn't free on this machine.", shown["body"])
        self.assertIn("Host: localhost:8000\r\n", self.desktop.curl(PAGE).stdout)
        # It's there under another number.
        here = {one["port"]: one["address"] for page in self.desktop.list()["pages"] for one in page["ports"]}
        self.assertIn("Host: localhost:24678\r\n", self.desktop.curl(f"{here[24678]}/head").stdout)
