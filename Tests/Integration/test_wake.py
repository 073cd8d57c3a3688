# SPDX-License-Identifier: Apache-2.0
# Labs: pair
"""What the system tells a daemon: sleep, locked screens, clocks that jump, other addresses; and how soon others know.

logind is Tests/Lab/fake-logind. Times are measured at the other machine, and printed.
"""
import ctypes
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import time

from lab import HOSTS, PATIENCE, ROOT, Batond, LabTest, VarlinkError, control, on, wait_until

LOGIND = ROOT / "Tests/Lab/fake-logind"
JUMP = ROOT / "Tests/Integration/clock-jump.c"
# In seconds. A busy machine does what it is told in this time; what is only noticed by silence, or tried again later,
# takes longer.
SOON = 10


class FakeLogind:
    """A login manager on a host's bus."""

    def __init__(self, case, host):
        self.process = case.spawn(
            on(host, "/usr/bin/python3", LOGIND), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.expect("ready")

    def expect(self, line):
        for said in self.process.stdout:
            if said.strip() == line:
                return
        raise AssertionError(f"the login manager ended before it said {line}")

    def obey(self, command):
        self.process.stdin.write(command + "\n")
        self.expect("ok " + command)


def is_there(module):
    command = ["/usr/bin/python3", "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode == 0


class Unnamed(Batond):
    """A daemon on a machine of its own name, which is what the daemon is called."""

    def command(self, *more):
        words = super().command(*more)
        place = words.index("--name")
        return words[:place] + words[place + 2:]

    def name_host(self, name):
        subprocess.run(
            ["nsenter", "--uts", "--target", str(self.process.pid), "hostname", name], check=True, timeout=PATIENCE
        )


class WakeTest(LabTest):
    labs = ("pair",)

    def measured(self, what, limit, wait):
        """Runs `wait`, and expects it to take at most so many seconds."""
        began = time.monotonic()
        wait()
        duration = time.monotonic() - began
        print(f"         {what}: {duration:.2f} s")
        self.assertLessEqual(duration, limit, what)
        return duration

    def gone(self, daemon, activity, what, limit):
        return self.measured(what, limit, lambda: daemon.wait_until_not_offered(activity, limit + PATIENCE))

    def back(self, daemon, activity, what, limit):
        return self.measured(what, limit, lambda: daemon.wait_for_offer(activity, limit + PATIENCE))

    def browse(self, number):
        """A file that is written while a host looks for instances, and those that it knows already, of earlier tests."""
        path = self.directory / "browsed"
        with open(path, "wb") as file:
            self.spawn(on(self.host(number), "stdbuf", "-oL", "avahi-browse", "--verbose", "_baton._tcp"), stdout=file)
        wait_until(lambda: ": Cache exhausted\n" in path.read_text(), "what is known is told")
        return path, self.names(path)

    def cut_off(self, number):
        """Nothing that others send arrives at a host any more; its links stay up. The returned function ends it."""
        if not shutil.which("nft"):
            self.skipTest("nft is not installed")

        def nft(*words, check=True):
            subprocess.run(on(self.host(number), "nft", *words), check=check, capture_output=True, timeout=PATIENCE)

        def end():
            nft("delete table inet cut", check=False)

        nft("add table inet cut")
        self.addCleanup(end)
        nft("add chain inet cut input { type filter hook input priority 0; }")
        nft('add rule inet cut input iifname != "lo" drop')
        return end

    @staticmethod
    def names(path):
        """The instances that the host sees over IPv4."""
        seen = set()
        for line in path.read_text().splitlines():
            match line.split():
                case ["+", _, "IPv4", name, *_]:
                    seen.add(name)
                case ["-", _, "IPv4", name, *_]:
                    seen.discard(name)
        return seen


class LogindTests(WakeTest):
    def setUp(self):
        super().setUp()
        if not (is_there("dbus") and is_there("gi.repository.GLib")):
            self.skipTest("needs python3-dbus and python3-gi")
        self.logind = FakeLogind(self, self.host(0))
        self.user = os.getuid()

    def test_a_machine_that_is_renamed_is_known_by_its_new_name(self):
        laptop = Unnamed(self, self.host(0), "laptop", self.directory, prefix=("unshare", "--uts")).start()
        laptop.name_host("first.example.org")
        self.logind.obey("hostname")
        wait_until(lambda: laptop.call("GetStatus")["device"] == "first", "it reads its name")
        desktop = self.batond("desktop", 1).start()
        self.make_team(laptop, desktop)
        laptop.name_host("second")
        self.logind.obey("hostname")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        wait_until(lambda: desktop.call("ListPeers")["peers"][0]["device"] == "second", "the other machine hears of it")
        wait_until(lambda: desktop.offers()[0]["device"] == "second", "so do those who ask what is offered")

    def test_nothing_is_offered_while_the_machine_sleeps(self):
        laptop, desktop = self.two()
        self.logind.expect("inhibited")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        for _ in range(3):
            began = time.monotonic()
            self.logind.obey("sleep")
            self.gone(desktop, activity, "withdrawn before a sleep", SOON)
            self.assertEqual(laptop.call("GetStatus")["withheld"], "asleep")
            self.logind.expect("released")
            # logind goes on without us after 5 s.
            self.assertLess(time.monotonic() - began, 4)
            self.assertEqual(desktop.call("GetStatus")["sessions"], 1)
            self.logind.obey("wake")
            self.back(desktop, activity, "offered after a sleep", SOON)
            self.logind.expect("inhibited")
        self.assertNotIn("withheld", laptop.call("GetStatus"))

    def test_a_sleeping_machine_is_not_announced(self):
        desktop = self.batond("desktop", 1).start()
        browser, earlier = self.browse(1)
        desktop.baton("team", "create", "Demo")
        wait_until(lambda: self.names(browser) - earlier, "the desktop is announced")
        first = self.names(browser)
        code = desktop.json("team", "invite")["code"]
        wait_until(lambda: self.names(browser) - first, "the desktop has a name for those who join")
        others = self.names(browser)
        laptop = self.batond("laptop").start()
        laptop.baton("team", "join", code)
        wait_until(lambda: self.names(browser) - others, "the laptop is announced")
        seen = self.names(browser) - others
        laptop.wait_for_sessions(1)
        self.logind.expect("inhibited")
        self.logind.obey("sleep")
        wait_until(lambda: not self.names(browser) & seen, "its advert is gone", SOON)
        # What becomes current meanwhile is not announced.
        _, activity = laptop.publish(title="A")
        self.assertEqual(desktop.offers(), [])
        self.logind.obey("wake")
        self.back(desktop, activity, "offered after a sleep", SOON)
        wait_until(lambda: self.names(browser) - seen - others, "it is announced under a new name", SOON)

    def test_a_locked_screen_withholds(self):
        laptop, desktop = self.two()
        self.logind.expect("inhibited")
        self.logind.obey(f"add 1 {self.user}")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        for _ in range(3):
            self.logind.obey("lock 1")
            self.gone(desktop, activity, "withdrawn when locked", SOON)
            self.assertFails("activityNotFound", desktop.call, "Continue", id=activity)
            self.assertEqual(laptop.call("GetStatus")["withheld"], "screenLocked")
            self.assertIn(b", hidden while the screen is locked", laptop.baton("status"))
            self.logind.obey("unlock 1")
            self.back(desktop, activity, "offered when unlocked", SOON)
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["title"], "A")

    def test_one_unlocked_session_is_enough(self):
        laptop, desktop = self.two()
        self.logind.expect("inhibited")
        self.logind.obey(f"add 1 {self.user}")
        self.logind.obey(f"add 2 {self.user} tty")
        self.logind.obey(f"add 3 {self.user + 1}")
        self.logind.obey("lock 1")
        self.logind.obey("lock 3")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        self.logind.obey("remove 2")
        self.gone(desktop, activity, "withdrawn with the last open session", SOON)
        self.logind.obey("drop")
        self.back(desktop, activity, "offered without a login manager", SOON)

    def test_it_can_be_turned_off(self):
        configuration = self.directory / "batond.conf"
        configuration.write_text("[Privacy]\nWithholdWhenLocked=no\n")
        laptop = self.batond("laptop", arguments=["--config", configuration]).start()
        desktop = self.batond("desktop", 1).start()
        self.make_team(laptop, desktop)
        self.logind.expect("inhibited")
        self.logind.obey(f"add 1 {self.user}")
        self.logind.obey("lock 1")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        self.assertNotIn("withheld", laptop.call("GetStatus"))

    def test_the_login_manager_and_the_bus_come_and_go(self):
        laptop, desktop = self.two()
        self.logind.expect("inhibited")
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        self.logind.obey("sleep")
        desktop.wait_until_not_offered(activity)
        control("bus-kill", HOSTS[0])
        try:
            self.back(desktop, activity, "offered when the bus that told of a sleep is gone", SOON)
        finally:
            control("bus-start", HOSTS[0])
            control("avahi-start", HOSTS[0])
        self.logind = FakeLogind(self, self.host(0))
        self.logind.expect("inhibited")
        self.logind.obey("sleep")
        self.gone(desktop, activity, "withdrawn over the new bus", SOON)
        self.logind.obey("wake")
        self.back(desktop, activity, "offered after a sleep", SOON)


class timex(ctypes.Structure):
    _fields_ = [
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long), ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long), ("status", ctypes.c_int), ("constant", ctypes.c_long),
        ("precision", ctypes.c_long), ("tolerance", ctypes.c_long), ("seconds", ctypes.c_long),
        ("fraction", ctypes.c_long), ("rest", ctypes.c_byte * 256),
    ]


def touch_clock():
    """Sets the machine's clock, by a nanosecond: the kernel tells of it as of any jump. False where that is forbidden."""
    change = timex(modes=0x0100 | 0x2000, seconds=0, fraction=1)  # ADJ_SETOFFSET | ADJ_NANO
    return ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(change)) >= 0


class ClockTests(WakeTest):
    """Without a login manager. A daemon's clocks are moved by Tests/Integration/clock-jump.c."""

    def setUp(self):
        super().setUp()
        compiler = shutil.which("cc") or shutil.which("clang")
        if not compiler:
            self.skipTest("needs a C compiler")
        if not touch_clock():
            self.skipTest("needs the right to set this machine's clock")
        self.library = self.directory / "clock-jump.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, JUMP], check=True, timeout=60)

    def jumping(self, name, number=0):
        """A daemon whose clocks can be moved."""
        file = self.directory / f"{name}.jump"
        file.write_bytes(struct.pack("q", 0))
        daemon = self.batond(
            name, number, prefix=["env", f"LD_PRELOAD={self.library}", f"CLOCK_JUMP={file}"]
        )
        daemon.jump = file
        daemon.jumped = 0
        return daemon.start()

    @staticmethod
    def move(daemon, seconds):
        daemon.jumped += seconds
        with open(daemon.jump, "r+b") as file:
            file.write(struct.pack("q", daemon.jumped))

    def test_a_sleep_is_noticed_by_the_clocks(self):
        laptop = self.jumping("laptop")
        desktop = self.batond("desktop", 1).start()
        self.make_team(laptop, desktop)
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        self.assertNotIn("was asleep", laptop.log_text())
        touch_clock()
        self.move(laptop, 600)
        touch_clock()
        laptop.wait_for_log("The machine was asleep")
        self.back(desktop, activity, "offered after a jump", SOON)
        # A clock that is set by little, and one that did not move.
        touch_clock()
        self.move(laptop, 600)
        touch_clock()
        laptop.wait_for_log("The machine was asleep", 2)
        self.assertEqual(laptop.log_text().count("The machine was asleep"), 2)

    def test_offers_are_back_soon_after_ten_minutes(self):
        """Ten machines fall silent at once, and wake ten minutes later by their clocks; twice: twenty rounds."""
        laptops = [self.jumping(f"laptop{number}") for number in range(10)]
        desktop = self.batond("desktop", 1).start()
        self.make_team(desktop, *laptops)
        offers = {}
        for laptop in laptops:
            _, offers[laptop] = laptop.publish(title=laptop.name)
        times = []
        for _ in range(2):
            for activity in offers.values():
                desktop.wait_for_offer(activity)
            for laptop in laptops:
                laptop.freeze()
            end = self.cut_off(1)
            self.measured("ten silent machines are gone", 30, lambda: wait_until(lambda: not desktop.offers(), "gone", 45))
            for laptop in laptops:
                self.move(laptop, 570)
            end()
            touch_clock()
            began = time.monotonic()
            for laptop in laptops:
                laptop.signal(signal.SIGCONT)
            missing = set(offers.values())
            while missing and time.monotonic() - began < PATIENCE:
                for offer in desktop.offers():
                    if offer["id"] in missing:
                        missing.remove(offer["id"])
                        times.append(time.monotonic() - began)
                time.sleep(0.01)
            self.assertEqual(missing, set())
            desktop.wait_for_sessions(len(laptops))
        times.sort()
        print(f"         median {times[len(times) // 2]:.2f} s, p95 {times[18]:.2f} s, worst {times[-1]:.2f} s")
        self.assertEqual(len(times), 20)
        self.assertLessEqual(times[18], 3)


class NetworkTests(WakeTest):
    def ip(self, *words):
        subprocess.run(on(self.host(0), "ip", *words), check=True, timeout=PATIENCE)

    def test_another_address_is_found(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)

        def restore():
            self.ip("addr", "flush", "dev", "va")
            self.ip("addr", "add", "10.77.0.1/24", "dev", "va")
            # The link-local address comes back with the link.
            control("link-down", HOSTS[0])
            control("link-up", HOSTS[0])

        self.addCleanup(restore)
        self.ip("addr", "flush", "dev", "va")
        self.ip("addr", "add", "10.77.0.9/24", "dev", "va")
        laptop.wait_for_log("This machine's network has changed")

        def is_continued():
            try:
                return desktop.call("Continue", id=activity)
            except VarlinkError:
                return None

        # The old session is noticed by its silence at the latest.
        self.measured("continued at another address", 30, lambda: wait_until(is_continued, "it is continued", 45))
        laptop.wait_for_sessions(1)

    def test_another_route_is_noticed(self):
        laptop, desktop = self.two()
        before = laptop.log_text().count("This machine's network has changed")
        self.ip("route", "add", "default", "via", "10.77.0.2")
        self.addCleanup(self.ip, "route", "del", "default", "via", "10.77.0.2")
        laptop.wait_for_log("This machine's network has changed", before + 1)
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)

    def test_a_link_that_was_gone_for_a_moment_is_noticed(self):
        laptop, desktop = self.two()
        before = laptop.log_text().count("This machine's network has changed")
        # The other end: our address stays.
        control("link-down", HOSTS[1])
        control("link-up", HOSTS[1])
        laptop.wait_for_log("This machine's network has changed", before + 1)

    def test_an_excluded_interface_is_neither_announced_nor_heard(self):
        configuration = self.directory / "batond.conf"
        configuration.write_text("[Network]\nExcludeInterfaces=v?\n")
        laptop = self.batond("laptop", arguments=["--config", configuration]).start()
        desktop = self.batond("desktop", 1).start()
        laptop.baton("team", "create", "Demo")
        self.admit_by_files(laptop, desktop)
        # A third machine, on the same host as the second, finds the second and not the first.
        other = self.batond("other", 1).start()
        self.admit_by_files(laptop, other)
        other.wait_for_sessions(1)
        self.assertEqual([peer["device"] for peer in other.call("ListPeers")["peers"]], ["desktop"])
        self.assertEqual(laptop.call("ListPeers")["peers"], [])

    def test_docker_like_interfaces_make_no_difference(self):
        laptop, desktop = self.two()
        before = laptop.log_text().count("This machine's network has changed")
        self.ip("link", "add", "docker0", "type", "bridge")
        self.addCleanup(self.ip, "link", "del", "docker0")
        self.ip("addr", "add", "172.17.0.1/16", "dev", "docker0")
        self.ip("link", "set", "docker0", "up")
        # What follows is noticed, and alone.
        for number, verb in enumerate(("add", "del"), 1):
            self.ip("addr", verb, "10.77.0.8/24", "dev", "va")
            laptop.wait_for_log("This machine's network has changed", before + number)
        self.assertEqual(laptop.log_text().count("This machine's network has changed"), before + 2)
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)

    def test_the_records_are_back_soon_after_avahi_restarts(self):
        browser, others = self.browse(1)
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Demo")
        wait_until(lambda: self.names(browser) - others, "the record is there")
        ours = self.names(browser) - others
        for _ in range(5):
            control("avahi-stop", HOSTS[0])
            wait_until(lambda: not self.names(browser) & ours, "the record is gone")
            control("avahi-start", HOSTS[0])
            self.measured(
                "records back after Avahi's start", SOON,
                lambda: wait_until(lambda: ours <= self.names(browser), "the record is back"),
            )


class LossTests(WakeTest):
    def test_a_peer_that_stops_answering_is_gone_when_somebody_continues(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        laptop.freeze()
        self.assertFails("peerTimedOut", desktop.call, "Continue", id=activity)
        self.gone(desktop, activity, "a stopped peer's offer is gone", SOON)
        laptop.signal(signal.SIGCONT)
        self.back(desktop, activity, "offered when it goes on", SOON)

    def test_a_machine_that_is_cut_off_is_gone(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        end = self.cut_off(1)
        self.gone(desktop, activity, "its offer is gone", 30)
        end()
        self.back(desktop, activity, "offered when it is back", SOON)

    def test_a_killed_app_withdraws_at_once(self):
        laptop, desktop = self.two()
        advertiser = laptop.spawn_baton("advertise", "--type", "org.example.a", "--title", "A")
        wait_until(lambda: desktop.offer_titles() == ["A"], "A is offered")
        advertiser.kill()
        self.measured("a killed app's offer is gone", SOON, lambda: wait_until(lambda: not desktop.offers(), "gone"))

    def test_a_daemon_that_stops_withdraws_at_once(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        laptop.signal(signal.SIGTERM)
        self.gone(desktop, activity, "a stopping daemon's offer is gone", SOON)
