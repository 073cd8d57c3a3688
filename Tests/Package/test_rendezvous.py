# SPDX-License-Identifier: Apache-2.0
"""The package baton-rendezvous on a fresh Debian that has nothing else of Baton; see Scripts/run-package.

The tests are one story.
"""
import json
import pathlib
import re
import unittest

from machine import LIBRARY, Machine
from waiting import TestCase, wait_until

STATE = pathlib.Path("/var/lib/baton-rendezvous")
SERVER, RELAY = UNITS = ("baton-rendezvous.service", "baton-relay.service")
DEBIANS = ("nats-server.service", "syncthing-relaysrv.service")
IN_USE = 69
DIRECTORY = "/root/servers"
here = Machine()
run = here.run


def apt(*arguments):
    return run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", *arguments)


def states(units=UNITS):
    return [here.show(unit, "ActiveState") for unit in units]


def processes():
    return [here.show(unit, "MainPID") for unit in UNITS]


def links():
    """Those that start the units after a boot."""
    return list(pathlib.Path("/etc/systemd/system").rglob("baton-re*"))


class RendezvousPackageTest(TestCase):
    def is_ready(self):
        (team,) = here.baton("rendezvous", "show")["teams"]
        return team["state"] == "ready"

    def test_01_the_document_installs_it_without_starting_anything(self):
        text = (LIBRARY / "Servers.md").read_text()
        section = re.search(r"^## A server of your own\n(.*?)(?=^## )", text, re.M | re.S)[1]
        install = re.search(r"^ *```sh\n *(sudo systemctl mask .*?)^ *```", section, re.M | re.S)[1]
        run("cp", "/packages/baton-rendezvous.deb", "/tmp/baton-rendezvous_1_all.deb")
        install = install.replace("apt install", "apt-get install -y")
        run("env", "-C", "/tmp", "DEBIAN_FRONTEND=noninteractive", "bash", "-ec", install)
        self.assertEqual(states(UNITS + DEBIANS), ["inactive"] * 4)
        self.assertEqual(links(), [])
        self.assertNotEqual(here.ask("which", "baton")[0], 0)
        self.assertEqual(here.ask("baton-rendezvous", "status")[:2], (3, "No servers are set up on this machine.\n"))
        for path in ("share/man/man8/baton-rendezvous.8.gz", "lib/firewalld/services/baton-rendezvous.xml"):
            self.assertIn(f"/usr/{path}\n", run("dpkg", "-L", "baton-rendezvous"))

    def test_02_one_command_starts_both(self):
        apt("install", "--no-install-recommends", "/packages/baton.deb")
        here.baton("team", "create", "Home")
        run("baton", "rendezvous", "create", DIRECTORY, "--server", "127.0.0.1")
        # If Debian's own units run, it says how to stop them, and that is enough.
        run("systemctl", "unmask", *DEBIANS)
        run("systemctl", "start", *DEBIANS)
        for unit, port in zip(DEBIANS, (4222, 22067)):
            wait_until(lambda port=port: run("ss", "-Hltn", f"sport = :{port}"), f"{unit} has the port")
            status, _, errors = here.ask("baton-rendezvous", "start", DIRECTORY)
            self.assertEqual(status, IN_USE, errors)
            run("sh", "-c", re.search(f"run: (systemctl .* {unit})", errors)[1])
        run("baton-rendezvous", "start", DIRECTORY)
        wait_until(self.is_ready, "this machine is connected")
        self.assertEqual(states(), ["active"] * 2)
        self.assertEqual(len(links()), 2)
        for unit in UNITS:
            run("systemd-analyze", "security", "--threshold=25", unit)
            self.assertEqual([entry["MESSAGE"] for entry in here.journal("-u", unit, "-p", "warning")], [])

    def test_03_an_upgrade_keeps_them_running(self):
        before, accounts = processes(), run("ls", STATE / "accounts")
        apt("install", "/packages/next-rendezvous.deb")
        self.assertIn("+next", run("dpkg-query", "-f", "${Version}", "-W", "baton-rendezvous"))
        self.assertEqual(states(), ["active"] * 2)
        self.assertFalse(set(before) & set(processes()))
        self.assertEqual(run("ls", STATE / "accounts"), accounts)
        self.assertEqual(len(links()), 2)

    def test_04_a_server_that_debian_upgrades_is_restarted(self):
        before = processes()
        apt("install", "--reinstall", "nats-server")
        after = processes()
        self.assertNotIn(after[0], ("0", before[0]))
        self.assertEqual(after[1], before[1])

    def test_05_what_is_stopped_stays_so(self):
        run("baton-rendezvous", "stop")
        apt("install", "--reinstall", "/packages/next-rendezvous.deb")
        apt("install", "--reinstall", "nats-server", "syncthing-relaysrv")
        self.assertEqual(states(), ["inactive"] * 2)
        # The advice also holds for upgrades. Debian's nats-server counts as failed when it was stopped.
        self.assertNotIn("active", states(DEBIANS))
        self.assertEqual(links(), [])
        run("baton-rendezvous", "start", DIRECTORY)

    def test_06_removed_and_purged(self):
        apt("remove", "baton-rendezvous")
        self.assertEqual(states(), ["inactive"] * 2)
        self.assertTrue((STATE / "server/server.key").exists())
        apt("install", "/packages/next-rendezvous.deb")
        run("baton-rendezvous", "start", DIRECTORY)
        status = json.loads(run("baton-rendezvous", "status", "--json"))
        self.assertEqual([status[name]["state"] for name in ("server", "relay")], ["active"] * 2)
        apt("purge", "baton-rendezvous")
        self.assertFalse(STATE.exists())
        for user in ("baton-rendezvous", "baton-relay"):
            self.assertEqual([here.ask("getent", table, user)[0] for table in ("passwd", "group")], [2, 2], user)
        self.assertEqual(links(), [])
        self.assertEqual(run("ss", "-Hltn", "sport = :4222 or sport = :22067"), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
