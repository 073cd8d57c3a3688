"""Machines that share no network meet at real servers: nats-server and strelaysrv."""
# Labs: routed
import unittest

from lab import PATIENCE
from rendezvous import RendezvousTest, nat, run


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


if __name__ == "__main__":
    unittest.main()
