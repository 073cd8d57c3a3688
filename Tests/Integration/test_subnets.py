# SPDX-License-Identifier: Apache-2.0
"""Machines that see each other's announcements, but have addresses of two networks: as behind a reflector."""
# Labs: pair
import subprocess

from lab import HOSTS, PATIENCE, LabTest, on, wait_until

HERE, THERE = ("10.77.0.0/24", "10.77.0.1"), ("10.99.0.0/24", "10.99.0.2")


class SubnetTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        # The second host moves to another subnet; IPv6 would connect them all the same.
        self.ip(1, "addr", "add", f"{THERE[1]}/24", "dev", "vb")
        self.ip(1, "addr", "del", "10.77.0.2/24", "dev", "vb")
        self.addCleanup(self.ip, 1, "addr", "del", f"{THERE[1]}/24", "dev", "vb")
        self.addCleanup(self.ip, 1, "addr", "add", "10.77.0.2/24", "dev", "vb")
        for number, device in enumerate(("va", "vb")):
            self.sysctl(number, device, 1)
            self.addCleanup(self.sysctl, number, device, 0)
        self.laptop = self.batond("laptop", arguments=["--port", "24866"]).start()
        self.desktop = self.batond("desktop", 1, ["--port", "24866"]).start()

    def ip(self, number, *words):
        subprocess.run(on(HOSTS[number], "ip", *words), check=True, timeout=PATIENCE)

    def sysctl(self, number, device, value):
        """Whether an interface has no IPv6 addresses."""
        subprocess.run(
            on(HOSTS[number], "sh", "-c", f"echo {value} > /proc/sys/net/ipv6/conf/{device}/disable_ipv6"), check=True,
            timeout=PATIENCE)

    def route(self):
        """A way between the two, as through a router."""
        for number, network, device in ((0, THERE[0], "va"), (1, HERE[0], "vb")):
            self.ip(number, "route", "add", network, "dev", device)
            self.addCleanup(self.ip, number, "route", "flush", network)

    def test_the_address_of_a_machine_that_joins_is_named_and_leads_to_it(self):
        self.laptop.baton("team", "create", "Demo")
        code = self.laptop.json("team", "invite")["code"]
        self.desktop.baton("team", "join", code, status=8)
        place = f"{HERE[1]}:{self.laptop.port}"
        self.assertIn(f"run `baton team join --address {place}`.", self.desktop.last_error)
        self.desktop.baton("team", "join", code, "--address", place, status=6)
        self.route()
        self.desktop.baton("team", "join", code, "--address", place)
        self.desktop.wait_for_sessions()

    def test_doctor_names_the_address_and_why(self):
        self.route()
        self.laptop.baton("team", "create", "Demo")
        code = self.laptop.json("team", "invite")["code"]
        self.desktop.baton("team", "join", code, "--address", f"{HERE[1]}:{self.laptop.port}")
        self.desktop.wait_for_sessions()
        self.laptop.wait_for_sessions()
        for daemon in (self.laptop, self.desktop):
            daemon.terminate()
        for daemon in (self.laptop, self.desktop):
            # Who ends so soon may have noted none yet.
            (daemon.state / "remembered-addresses.json").unlink(missing_ok=True)
            daemon.start()
        place = f"{THERE[1]}:{self.desktop.port}"
        wait_until(lambda: self.laptop.call("ListPeers")["peers"], "the desktop is seen")
        text = self.laptop.baton("doctor", status=6).decode()
        self.assertIn(f"It's announced at {place}, but that address isn't on the network", text)
        self.assertIn(f"If that's an address of desktop, run `baton machine add {place}`.", text)
        self.laptop.baton("peer", "add", place)
        self.laptop.wait_for_sessions()
        # Without a way, the place is known and does not lead there; without a listener, that is what it says.
        self.desktop.terminate()
        self.assertIn("refused", self.laptop.baton("doctor", "desktop", status=6).decode())
        self.ip(0, "route", "flush", THERE[0])
        self.assertIn("no route", self.laptop.baton("doctor", "desktop", status=6).decode())


class SilenceTests(LabTest):
    labs = ("pair",)

    def test_who_cannot_find_others_says_so_immediately(self):
        laptop = self.batond("laptop", arguments=["--no-discovery"]).start()
        laptop.baton("team", "create", "Demo")
        code = laptop.baton("team", "invite").split()[0].decode()
        self.assertIn("Discovery is turned off", laptop.last_error)
        desktop = self.batond("desktop", 1, arguments=["--no-discovery"]).start()
        joining = desktop.spawn_baton("team", "join", code, stderr=subprocess.PIPE)
        self.assertIn(b"Run `baton team join --address HOST`.", joining.stderr.readline())
        self.assertIsNone(joining.poll())
        self.assertEqual(joining.wait(PATIENCE), 8)
        self.assertIn(b"Discovery is turned off here. Specify the machine's address", joining.stderr.read())
