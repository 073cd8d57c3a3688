"""Machines that share no network meet at real servers: nats-server and strelaysrv."""
# Labs: routed
import unittest

from lab import PATIENCE
from rendezvous import SERVER, RendezvousTest, Zone, nat, run


class MeetingTests(RendezvousTest):
    def test_two_links_behind_routers(self):
        laptop, desktop = self.machines()
        self.start_servers(laptop)
        # The approval says where the team meets.
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        paths = {self.path(laptop), self.path(desktop)}
        self.assertLessEqual(paths, {"rendezvous", "routed"})
        self.assertIn("rendezvous", paths)
        _, activity = desktop.publish(title="Far away")
        laptop.wait_for_offer(activity)
        self.assertEqual(laptop.call("Continue", id=activity)["device"], "desktop")

    def test_two_links_behind_nat(self):
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.machines()
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "relay")
        _, activity = desktop.publish(title="Far away")
        laptop.wait_for_offer(activity)
        self.assertEqual(laptop.call("Continue", id=activity)["device"], "desktop")


class ZoneTests(RendezvousTest):
    """Teams that run no server but have a DNS zone."""

    def check(self, kind):
        laptop, desktop = self.machines()
        zone = Zone(self, kind).start()
        laptop.baton("rendezvous", "zone", "home.test", "--server", SERVER, "--key", zone.key)
        self.admit_by_files(laptop, desktop)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1, deadline=90)
        # Nothing of what people do is in the zone.
        _, activity = desktop.publish(title="Far away")
        laptop.wait_for_offer(activity)
        self.assertEqual(laptop.call("Continue", id=activity)["device"], "desktop")
        self.assertIn("rendezvous", {self.path(laptop), self.path(desktop)})

    def test_knot(self):
        self.check("knot")

    def test_bind(self):
        self.check("bind")


if __name__ == "__main__":
    unittest.main()
