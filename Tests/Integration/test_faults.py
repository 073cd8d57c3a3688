# SPDX-License-Identifier: Apache-2.0
"""Daemons, Avahi and the bus that are killed, stopped, started late or hang, while others go on."""
# Labs: pair
import os
import pathlib
import signal
import statistics
import subprocess
import threading
import time

from lab import HOSTS, PATIENCE, PROMPT, LabTest, control, freeze, wait_until


class FaultTest(LabTest):
    labs = ("pair",)

    def assertWorks(self, origin, receiver, deadline=PATIENCE):
        """What is published is listed and continued."""
        connection, activity = origin.publish(title="Works")
        receiver.wait_for_offer(activity, deadline)
        self.assertEqual(receiver.call("Continue", id=activity)["activity"]["title"], "Works")
        connection.close()


class KilledDaemonTests(FaultTest):
    def test_the_peer_of_a_killed_daemon_sees_its_offers_go_and_the_new_one_come(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        laptop.kill()
        desktop.wait_until_not_offered(activity, PROMPT)
        laptop.start()
        desktop.wait_for_sessions(1, PROMPT)
        self.assertWorks(laptop, desktop)
        self.assertWorks(desktop, laptop)

    def test_a_killed_receiver_sees_the_offers_again_when_it_is_back(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        desktop.kill()
        laptop.wait_for_sessions(0, PROMPT)
        desktop.start()
        desktop.wait_for_offer(activity, PROMPT)
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["title"], "A")

    def test_ten_kills_in_a_row(self):
        laptop, desktop = self.two()
        for number in range(10):
            (laptop, desktop)[number % 2].restart()
        self.assertWorks(laptop, desktop)
        desktop.wait_for_sessions(1)
        laptop.wait_for_sessions(1)

    def test_the_programs_of_a_killed_daemon_are_told(self):
        laptop, desktop = self.two()
        advertiser = laptop.spawn_baton("advertise", "--type", "org.example.a", "--title", "A")
        watcher = laptop.spawn_baton("watch")
        wait_until(lambda: desktop.offer_titles() == ["A"], "A is offered")
        laptop.kill()
        self.wait_for_exit(advertiser, 3)
        self.wait_for_exit(watcher, 3)
        laptop.baton("list", status=3)

    def break_stream(self, number):
        """Kills one daemon in the middle of a stream; returns the statuses of advertiser and continuer."""
        daemons = self.two()
        laptop, desktop = daemons
        advertiser = laptop.spawn_baton(
            "advertise", "--type", "org.example.files", "--title", "F", "--stream", stdin=open("/dev/zero", "rb")
        )
        received = self.directory / "received"
        with open(received, "wb") as file:
            continuer = desktop.spawn_baton("continue", "--latest", "--stream", "--wait", "15", stdout=file)
        wait_until(lambda: received.exists() and received.stat().st_size > 1 << 20, "the stream runs")
        # What comes after it has none of its streams.
        daemons[number].restart()
        statuses = (advertiser.wait(PATIENCE), continuer.wait(PATIENCE))
        other = daemons[1 - number]
        wait_until(lambda: other.call("GetStatus")["streams"] == 0, "the other daemon forgets the stream")
        self.assertWorks(laptop, desktop)
        return statuses

    def test_a_killed_origin_breaks_the_stream_for_both_programs(self):
        self.assertEqual(self.break_stream(0), (7, 7))

    def test_a_killed_receiver_breaks_the_stream_for_both_programs(self):
        self.assertEqual(self.break_stream(1), (7, 7))

    def test_a_stream_goes_on_while_avahi_is_killed(self):
        laptop, desktop = self.two()
        source, sink = os.pipe()
        advertiser = laptop.spawn_baton(
            "advertise", "--type", "org.example.files", "--title", "F", "--stream", stdin=source
        )
        os.close(source)
        received = self.directory / "received"
        with open(received, "wb") as file:
            continuer = desktop.spawn_baton("continue", "--latest", "--stream", "--wait", "15", stdout=file)
        expected = b""
        for number, event in enumerate((None, "avahi-kill", "avahi-start", "bus-kill", "bus-start", "avahi-start")):
            if event:
                control(event, HOSTS[0])
            os.write(sink, b"%d" % number * 1000)
            expected += b"%d" % number * 1000
            wait_until(lambda: received.read_bytes() == expected, f"the bytes after {event}", PROMPT)
        os.close(sink)
        self.wait_for_exit(continuer)
        self.wait_for_exit(advertiser)

    def test_a_peer_that_hangs_is_noticed(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        laptop.freeze()
        began = time.monotonic()
        self.assertFails("peerTimedOut", desktop.call, "Continue", id=activity)
        self.assertLess(time.monotonic() - began, PROMPT)
        laptop.signal(signal.SIGCONT)
        self.assertWorks(laptop, desktop)


class AvahiTests(FaultTest):
    """Each leaves the network as it found it."""

    def discovery(self, daemon, state, deadline=PATIENCE):
        wait_until(lambda: daemon.call("GetStatus")["discovery"] == state, f"discovery is {state}", deadline)

    def find_each_other_anew(self, laptop, desktop):
        """Both are findable: a daemon that starts again finds, and is found by, one that went on."""
        for daemon in (laptop, desktop):
            daemon.restart()
            laptop.wait_for_sessions(1)
            desktop.wait_for_sessions(1)

    def lose_avahi(self, down, up):
        laptop, desktop = self.two()
        for verb in down:
            control(verb, HOSTS[0])
        self.discovery(laptop, "connecting", PROMPT)
        self.assertWorks(laptop, desktop, PROMPT)
        self.assertWorks(desktop, laptop, PROMPT)
        for verb in up:
            control(verb, HOSTS[0])
        self.discovery(laptop, "running")
        self.assertEqual(laptop.call("GetStatus")["sessions"], 1)
        self.find_each_other_anew(laptop, desktop)
        self.assertWorks(laptop, desktop)

    def test_avahi_is_stopped_and_started(self):
        self.lose_avahi(["avahi-stop"], ["avahi-start"])

    def test_avahi_is_killed_and_started(self):
        self.lose_avahi(["avahi-kill"], ["avahi-start"])

    def test_the_bus_is_killed_and_started(self):
        self.lose_avahi(["bus-kill"], ["bus-start", "avahi-start"])

    def test_avahi_starts_late(self):
        control("avahi-stop", HOSTS[0])
        started = False
        try:
            laptop = self.batond("laptop").start()
            desktop = self.batond("desktop", 1).start()
            self.discovery(laptop, "connecting")
            laptop.baton("team", "create", "Demo")
            self.admit_by_files(laptop, desktop)
            control("avahi-start", HOSTS[0])
            started = True
            laptop.wait_for_sessions(1)
            self.assertWorks(laptop, desktop)
        finally:
            if not started:
                control("avahi-start", HOSTS[0])

    def test_the_bus_and_avahi_start_late(self):
        control("bus-kill", HOSTS[0])
        try:
            laptop = self.batond("laptop").start()
            self.discovery(laptop, "connecting")
        finally:
            control("bus-start", HOSTS[0])
            control("avahi-start", HOSTS[0])
        self.discovery(laptop, "running")

    def test_restarts_of_avahi_leak_no_descriptors(self):
        laptop, desktop = self.two()
        descriptors = pathlib.Path(f"/proc/{laptop.process.pid}/fd")
        before = len(list(descriptors.iterdir()))
        for _ in range(5):
            control("avahi-kill", HOSTS[0])
            self.discovery(laptop, "connecting")
            control("avahi-start", HOSTS[0])
            self.discovery(laptop, "running")
        wait_until(lambda: len(list(descriptors.iterdir())) <= before, f"{before} descriptors as before")
        self.assertEqual(desktop.call("GetStatus")["sessions"], 1)

    def answers_while(self, laptop, desktop, seconds):
        """How long calls to the daemon, and an activity's way to the other, took: two lists of seconds."""
        end = time.monotonic() + seconds
        calls, ways = [], []
        offers = desktop.connect().more("ListOffers")
        offers.receive()
        while time.monotonic() < end:
            for method in ("GetStatus", "ListOffers", "ListPeers", "ListTeams"):
                began = time.monotonic()
                laptop.call(method)
                calls.append(time.monotonic() - began)
            began = time.monotonic()
            connection, activity = laptop.publish(title="While it hangs")
            offers.receive_until(lambda reply: any(offer["id"] == activity for offer in reply["offers"]))
            ways.append(time.monotonic() - began)
            connection.close()
            offers.receive_until(lambda reply: not reply["offers"])
        return calls, ways

    def hang(self, freeze, thaw):
        laptop, desktop = self.two()
        freeze()
        self.addCleanup(thaw)
        calls, ways = self.answers_while(laptop, desktop, 8)
        print(f"         slowest call {max(calls) * 1000:.1f} ms, slowest offer {max(ways) * 1000:.1f} ms")
        # What waits for Avahi waits as long as it hangs; a busy machine delays some.
        self.assertLess(statistics.median(calls), 0.1)
        self.assertLess(statistics.median(ways), 0.5)
        self.assertLess(max(calls + ways), 5)
        self.assertEqual((laptop.call("GetStatus")["sessions"], desktop.call("GetStatus")["sessions"]), (1, 1))
        thaw()
        # A call to Avahi may wait for up to 25 s.
        self.discovery(laptop, "running", 40)
        self.find_each_other_anew(laptop, desktop)

    def test_nobody_notices_that_avahi_hangs(self):
        self.hang(lambda: control("avahi-freeze", HOSTS[0]), lambda: control("avahi-thaw", HOSTS[0]))

    def test_nobody_notices_that_the_bus_hangs(self):
        process = int(pathlib.Path(os.environ["LAB_DIR"], HOSTS[0], "bus.pid").read_text())
        self.hang(lambda: freeze(process), lambda: os.kill(process, signal.SIGCONT))

    def test_a_daemon_stops_while_avahi_hangs(self):
        laptop, _ = self.two()
        _, _ = laptop.publish(title="A")
        control("avahi-freeze", HOSTS[0])
        self.addCleanup(control, "avahi-thaw", HOSTS[0])
        self.assertEqual(laptop.terminate(PROMPT), 0)

    def test_a_daemon_starts_while_avahi_hangs(self):
        control("avahi-freeze", HOSTS[0])
        self.addCleanup(control, "avahi-thaw", HOSTS[0])
        laptop = self.batond("laptop")
        began = time.monotonic()
        laptop.start()
        self.assertLess(time.monotonic() - began, PROMPT)
        control("avahi-thaw", HOSTS[0])
        self.discovery(laptop, "running", 40)

    def test_a_link_that_goes_down_and_up(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        control("link-down", HOSTS[1])
        try:
            self.assertEqual(desktop.call("GetStatus")["port"], desktop.port)
        finally:
            control("link-up", HOSTS[1])
        self.assertWorks(laptop, desktop, 40)
        self.assertWorks(desktop, laptop, 40)


class StoppingTests(FaultTest):
    def test_sigterm_withdraws_everything(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        began = time.monotonic()
        self.assertEqual(laptop.terminate(), 0)
        # It waits for streams only.
        self.assertLess(time.monotonic() - began, 3)
        desktop.wait_until_not_offered(activity, PROMPT)
        self.assertFalse(laptop.socket.exists())
        # The advert's goodbye takes a second.
        wait_until(lambda: desktop.call("ListPeers")["peers"] == [], "the peer is forgotten", PROMPT)

    def test_programs_are_told_of_the_stop(self):
        laptop, _ = self.two()
        advertiser = laptop.spawn_baton("advertise", "--type", "org.example.a", "--title", "A")
        watcher = laptop.spawn_baton("watch")
        wait_until(lambda: laptop.call("GetStatus").get("current"), "A is current")
        self.assertEqual(laptop.terminate(), 0)
        self.wait_for_exit(advertiser, 3)
        self.wait_for_exit(watcher, 3)

    def stream(self, laptop, desktop, stdin):
        advertiser = laptop.spawn_baton(
            "advertise", "--type", "org.example.files", "--title", "F", "--stream", stdin=stdin
        )
        received = self.directory / "received"
        self.errors = self.directory / "errors"
        with open(received, "wb") as file, open(self.errors, "wb") as errors:
            continuer = desktop.spawn_baton(
                "continue", "--latest", "--stream", "--wait", "15", "--json", stdout=file, stderr=errors
            )
        wait_until(lambda: received.exists() and received.stat().st_size > 0, "the stream runs")
        return advertiser, continuer, received

    def test_a_stream_may_finish_while_the_daemon_stops(self):
        laptop, desktop = self.two()
        source, sink = os.pipe()
        advertiser, continuer, received = None, None, None
        os.write(sink, b"first ")
        advertiser, continuer, received = self.stream(laptop, desktop, source)
        os.close(source)
        laptop.signal(signal.SIGTERM)
        laptop.wait_for_log("Stopping")
        os.write(sink, b"last")
        os.close(sink)
        self.wait_for_exit(continuer, 0)
        self.wait_for_exit(advertiser, 0)
        self.assertEqual(laptop.process.wait(PROMPT), 0)
        self.assertEqual(received.read_bytes(), b"first last")

    def test_a_stream_that_does_not_finish_is_reset_by_name(self):
        laptop, desktop = self.two()
        with open("/dev/zero", "rb") as zero:
            advertiser, continuer, _ = self.stream(laptop, desktop, zero)
        began = time.monotonic()
        self.assertEqual(laptop.terminate(), 0)
        self.assertLess(time.monotonic() - began, PROMPT)
        self.assertEqual((advertiser.wait(PATIENCE), continuer.wait(PATIENCE)), (7, 7))
        self.assertIn('"reason":"shuttingDown"', self.errors.read_text())

    def test_a_second_daemon_on_the_same_socket(self):
        laptop = self.batond("laptop").start()
        result = subprocess.run(laptop.command(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 69)
        self.assertIn(b"Another batond or program is already listening on", result.stderr)
        self.assertIn(bytes(laptop.socket), result.stderr)
        self.assertEqual(laptop.call("GetStatus")["device"], "laptop")

    def test_a_second_daemon_on_the_same_port(self):
        laptop = self.batond("laptop").start()
        port = laptop.port
        other = self.batond("other", arguments=["--port", port]).start()
        self.assertNotIn(other.port, (0, port))
        self.assertRegex(other.log_text(), f"port is in use.*{port}")
        # It goes back when the port is free.
        laptop.terminate()
        wait_until(lambda: other.port == port, "the port is free again")

    def test_a_state_directory_that_cannot_be_used(self):
        (self.directory / "broken").write_text("a file")
        broken = self.batond("broken").spawn()
        self.assertEqual(broken.process.wait(PATIENCE), 1)
        self.assertIn("state directory", broken.log_text())
        self.assertFalse(broken.socket.exists())

    def test_signals_in_a_row_and_while_starting(self):
        laptop = self.batond("laptop")
        for _ in range(25):
            laptop.spawn()
            wait_until(lambda: laptop.socket.exists() or not laptop.is_running, "the socket is there")
            for _ in range(3):
                if laptop.is_running:
                    laptop.signal(signal.SIGTERM)
            self.assertEqual(laptop.process.wait(PROMPT), 0)


class ConcurrencyTests(FaultTest):
    def test_a_team_goes_on_while_programs_come_and_go(self):
        """Twenty programs publish and leave at once, some killed; in the end nothing is left."""
        laptop, desktop = self.two()

        def churn(number):
            for _ in range(5):
                process = laptop.spawn_baton("advertise", "--type", f"org.example.n{number}", "--title", str(number))
                time.sleep(0.02 * (number % 5))
                process.send_signal((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[number % 3])
                process.wait(PATIENCE)

        threads = [threading.Thread(target=churn, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE * 2)
        wait_until(lambda: desktop.offers() == [], "nothing is left")
        self.assertWorks(laptop, desktop)
