# SPDX-License-Identifier: Apache-2.0
"""Machines that share no network meet at real servers: nats-server and strelaysrv."""
# Labs: routed
import json
import os
import shutil
import signal
import subprocess
import unittest

from lab import PATIENCE, wait_until
from rendezvous import SERVER, Pump, RendezvousTest, nat


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


class DoctorTests(RendezvousTest):
    def checks(self, daemon, name):
        """Whatever else is wrong in the lab."""
        command = [str(word) for word in daemon.command_line("doctor", "--json")]
        result = subprocess.run(command, env=daemon.environment, capture_output=True, timeout=60)
        return [check for check in json.loads(result.stdout)["checks"] if check["check"] == name]

    def test_the_doctor_walks_the_way(self):
        laptop, desktop = self.machines()
        self.assertEqual([check["outcome"] for check in self.checks(laptop, "rendezvous")], ["skipped"])
        for router in ("ra", "rb"):
            nat(router)
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        self.wait_for_path(laptop, "relay")
        (server,) = self.checks(laptop, "rendezvous")
        self.assertEqual(server["outcome"], "passed")
        self.assertIn("Also connected to it: desktop.", server["detail"])
        (peer,) = self.checks(laptop, "peer")
        self.assertEqual(peer["outcome"], "passed")
        self.assertIn("relay", peer["detail"])
        # Nothing is wrong with the port of a machine behind a router.
        (port,) = self.checks(laptop, "port")
        self.assertEqual((port["outcome"], port.get("reason")), ("note", None))
        metrics = laptop.baton("metrics").decode()
        self.assertIn("baton_rendezvous_sessions_total 1", metrics)
        self.assertRegex(metrics, "baton_relayed_sessions_total [1-9]")
        for name in ("nats", "relay"):
            self.stop_server(name, signal.SIGKILL)
        laptop.wait_for_sessions(0)

        def failed():
            found = self.checks(laptop, "rendezvous")
            return found[0]["outcome"] == "failed" and found

        server = wait_until(failed, "the doctor notices")[0]
        self.assertEqual(server["reason"], "rendezvousUnreachable")
        (peer,) = self.checks(laptop, "peer")
        self.assertNotEqual(peer["outcome"], "passed")
        self.assertIn("10.2.0.2:22866 (no answer", peer["detail"])


class OrganizationTests(RendezvousTest):
    """Servers that somebody runs for the teams of others."""

    def let_in(self, owner, administrator):
        request = administrator.baton("rendezvous", "request")
        administrator.baton("rendezvous", "import", input=owner.baton("rendezvous", "authorize", input=request))

    def devices(self, daemon):
        return [team["devices"] for team in daemon.json("rendezvous", "show")["teams"]]

    def test_two_teams_of_an_organization(self):
        owner = self.batond("owner").start()
        laptop, desktop = self.machines()
        stranger = self.batond("stranger").start()
        stranger.baton("team", "create", "Others")
        directory = self.directory / "servers"
        owner.baton("rendezvous", "create", directory, "--server", SERVER, "--organization", "Example")
        # Without a server, nobody can be let in, and the same request is good for later.
        request = laptop.baton("rendezvous", "request")
        owner.baton("rendezvous", "authorize", input=request, status=1)
        self.assertIn("Couldn't update the servers", owner.last_error)
        for name in ("nats", "relay"):
            self.start_server(name, directory)
        answer = owner.baton("rendezvous", "authorize", input=request)
        # The answer is for the team that has asked.
        stranger.baton("rendezvous", "import", input=answer, status=8)
        laptop.baton("rendezvous", "import", input=answer)
        self.let_in(owner, stranger)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop, stranger)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        wait_until(lambda: [self.devices(daemon) for daemon in (laptop, desktop)] == [[1], [1]], "both see each other")
        self.assertEqual(self.devices(stranger), [0])
        # A removed device is no longer let in after the next request.
        laptop.baton("team", "revoke", "desktop")
        self.let_in(owner, laptop)
        wait_until(lambda: self.state(desktop) == "waiting", "the server ends the removed device's connection")
        self.wait_until_ready(laptop, stranger)

    def state(self, daemon):
        return daemon.json("rendezvous", "show")["teams"][0]["state"]

    def test_a_cluster_of_which_a_server_fails(self):
        laptop, desktop = self.machines()
        hosts = ["203.0.113.10", "203.0.113.1"]
        directory = self.directory / "servers"
        options = [option for host in hosts for option in ("--server", host)]
        laptop.baton("rendezvous", "create", directory, *options)
        copy = self.directory / "copy"
        shutil.copytree(directory, copy)
        # The second server is on a router, so that the machines reach it.
        first = self.start_server("nats", directory)
        self.start_server("nats", copy, host="ra")
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        wait_until(lambda: self.devices(laptop) == [1], "messages get from one server to the other")
        first.kill()
        first.wait(PATIENCE)
        wait_until(lambda: self.server(laptop).startswith(hosts[1]), "the laptop is at the other server", 60)
        wait_until(lambda: self.server(desktop).startswith(hosts[1]), "the desktop is at the other server", 60)
        self.wait_until_ready(laptop, desktop)
        _, activity = desktop.publish(title="At the other server")
        laptop.wait_for_offer(activity)

    def server(self, daemon):
        team = daemon.json("rendezvous", "show")["teams"][0]
        return team["server"] if team["state"] == "ready" else ""


class RemovalTests(RendezvousTest):
    def test_a_second_administrator(self):
        laptop, desktop = self.machines()
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        self.assertFalse(self.show(desktop)["isAdministrator"])
        laptop.baton("team", "promote", "desktop", "--yes")
        wait_until(lambda: self.show(desktop)["isAdministrator"], "the desktop can make it for others, too")
        laptop.terminate()
        tablet = self.batond("tablet", 1).start()
        self.admit_by_files(desktop, tablet)
        self.wait_until_ready(desktop, tablet)
        tablet.wait_for_sessions(1)
        desktop.baton("team", "revoke", "tablet")
        wait_until(lambda: self.problem(tablet), "the server ends the removed device's connection")
        self.wait_until_ready(desktop)

    def show(self, daemon):
        return daemon.json("rendezvous", "show")["teams"][0]

    def test_a_removed_device(self):
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.machines()
        tablet = self.batond("tablet", 1).start()
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop, tablet)
        daemons = (laptop, desktop, tablet)
        self.wait_until_ready(*daemons)
        for daemon in daemons:
            daemon.wait_for_sessions(2)
        laptop.baton("team", "revoke", "desktop")
        problem = "this machine was removed from the team"
        wait_until(lambda: self.problem(desktop) == problem, "the server ends the removed device's connection")
        # The others get a new key, and meet again.
        self.wait_until_ready(laptop, tablet)
        for daemon in (laptop, tablet):
            daemon.wait_for_sessions(1)
        _, activity = tablet.publish(title="After the removal")
        laptop.wait_for_offer(activity)
        # Also after a restart, which begins with what is on the disk.
        desktop.restart()
        wait_until(lambda: "rejected" in (self.problem(desktop) or ""), "the server does not let it in again")
        self.assertEqual(desktop.offers(), [])

    def test_an_administrator_who_has_not_heard_of_a_removal(self):
        """It takes back nothing that the server knows."""
        laptop, desktop = self.machines()
        tablet = self.batond("tablet", 1).start()
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop, tablet)
        self.wait_until_ready(laptop, desktop, tablet)
        laptop.wait_for_sessions(2)
        laptop.baton("team", "promote", "desktop", "--yes")
        wait_until(lambda: self.show(desktop).get("runsServers"), "the desktop can tell the server, too")
        desktop.terminate()
        laptop.baton("team", "revoke", "tablet")
        wait_until(lambda: self.problem(tablet) == "this machine was removed from the team", "the tablet is cut off")
        laptop.terminate()
        tablet.terminate()
        desktop.start()
        self.wait_until_ready(desktop)
        tablet.start()
        wait_until(lambda: "rejected" in (self.problem(tablet) or ""), "the tablet is not let in")
        # The desktop tells the server at each start. It is let in with its own user, and knows of no removal.
        for _ in range(3):
            desktop.restart()
            self.wait_until_ready(desktop)
        tablet.restart()
        wait_until(lambda: "rejected" in (self.problem(tablet) or ""), "the tablet is still not let in")

    def problem(self, daemon):
        return self.show(daemon).get("problem")


class ChangingPathTests(RendezvousTest):
    """Streams go on while the path changes. SIZE bytes run each way on each path; `make soak` takes more."""

    SIZE = int(os.environ.get("RENDEZVOUS_BYTES", 8 << 20))
    DEADLINE = PATIENCE + SIZE // (2 << 20)

    def set_up(self):
        laptop, desktop = self.machines()
        self.start_servers(laptop)
        self.admit_by_files(laptop, desktop)
        self.wait_until_ready(laptop, desktop)
        return laptop, desktop

    def test_from_a_link_to_a_relay_to_a_direct_path(self):
        self.addCleanup(self.link, False)
        self.link(True)
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.set_up()
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "link")
        near, far, _ = self.open_stream(laptop, desktop, timeout=self.DEADLINE)
        pump = Pump(near, far)
        pump.wait_for(self.SIZE, self.DEADLINE)
        self.link(False)
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "relay", deadline=100)
        pump.wait_for(self.SIZE, self.DEADLINE)
        for router in ("ra", "rb"):
            nat(router, False)
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "rendezvous", "routed", deadline=100)
        pump.wait_for(self.SIZE, self.DEADLINE)
        self.assertTrue(pump.finish(self.DEADLINE), "every byte arrived once")
        self.assertEqual(laptop.call("GetStatus")["counters"]["streamsBroken"], {})

    def test_a_relay_that_starts_again(self):
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.set_up()
        self.wait_for_path(laptop, "relay")
        near, far, _ = self.open_stream(laptop, desktop, timeout=self.DEADLINE)
        pump = Pump(near, far)
        pump.wait_for(self.SIZE, self.DEADLINE)
        self.stop_server("relay", signal.SIGKILL)
        # The server, too: the machines find each other there again when it is back.
        self.stop_server("nats", signal.SIGKILL)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(0)
        for name in ("nats", "relay"):
            self.start_server(name, self.directory / "servers")
        pump.wait_for(self.SIZE, self.DEADLINE + 100)
        self.assertTrue(pump.finish(self.DEADLINE), "every byte arrived once")

    def test_a_server_that_freezes(self):
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.set_up()
        self.wait_for_path(laptop, "relay")
        near, far, _ = self.open_stream(laptop, desktop, timeout=self.DEADLINE)
        pump = Pump(near, far)
        self.servers["nats"].send_signal(signal.SIGSTOP)
        pump.wait_for(self.SIZE, self.DEADLINE)
        self.servers["nats"].send_signal(signal.SIGCONT)
        self.servers["relay"].send_signal(signal.SIGSTOP)
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(0, deadline=60)
        self.servers["relay"].send_signal(signal.SIGCONT)
        pump.wait_for(self.SIZE, self.DEADLINE + 100)
        self.assertTrue(pump.finish(self.DEADLINE), "every byte arrived once")

    def test_daemons_that_start_again(self):
        for router in ("ra", "rb"):
            nat(router)
        laptop, desktop = self.set_up()
        self.wait_for_path(laptop, "relay")
        for daemon in (laptop, desktop):
            daemon.kill()
        for daemon in (laptop, desktop):
            daemon.start()
        for daemon in (laptop, desktop):
            self.wait_for_path(daemon, "relay", deadline=60)


if __name__ == "__main__":
    unittest.main()
