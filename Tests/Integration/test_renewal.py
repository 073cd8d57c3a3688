# SPDX-License-Identifier: Apache-2.0
"""Lost machines and long lives: a second administrator, a team that is renewed, certificates that end."""
# Labs: lan 3
import json
import re
import struct
import subprocess

from lab import PROMPT, ROOT, LabTest, wait_until
from test_backup import Terminal

JUMP = ROOT / "Tests/Integration/clock-jump.c"
DAY = 24 * 60 * 60
PASSPHRASE = "correct horse battery"


class RenewalTest(LabTest):
    labs = ("lan",)

    def three(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        self.make_team(laptop, desktop, tablet)
        return laptop, desktop, tablet

    def teams(self, daemon):
        return daemon.call("ListTeams")["teams"]

    def connected(self, daemon):
        peers = daemon.call("ListPeers")["peers"]
        return sorted(peer["device"] for peer in peers if peer["state"] == "connected")

    def wait_for(self, daemon, *others):
        wait_until(lambda: self.connected(daemon) == sorted(others), f"{daemon.name} is connected to {others} alone")

    def devices(self, daemon):
        return {device["name"]: device for device in daemon.json("team", "devices")["devices"]}

    def file(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path


class AdministratorTests(RenewalTest):
    def test_a_second_administrator_takes_the_firsts_place(self):
        laptop, desktop, tablet = self.three()
        phone = self.batond("phone", 2).start()
        # Asked without a terminal nothing happens; at one the answer counts.
        laptop.baton("team", "promote", "desktop", status=2)
        self.assertIn("--yes", laptop.last_error)
        terminal = Terminal(self, laptop, "team", "promote", "desktop")
        terminal.wait_for("can't be undone")
        terminal.answer("Type 'yes' to continue:", "no", is_shown=True)
        self.assertEqual(terminal.finish(), 1)
        desktop.baton("team", "invite", status=8)
        terminal = Terminal(self, laptop, "team", "promote", "desktop")
        terminal.answer("Type 'yes' to continue:", "yes", is_shown=True)
        self.assertEqual(terminal.finish(), 0)
        self.assertRegex(terminal.shown, '"desktop" [(].*[)] now has the team\'s key')
        self.assertIn("  admin  ", desktop.baton("team", "list").decode())
        self.assertTrue(self.devices(laptop)["desktop"]["administrator"])
        # The first is lost, after the second was told whom it has admitted. The second removes it, and admits another.
        wait_until(lambda: "laptop" in self.devices(desktop), "the desktop knows the laptop")
        laptop.kill()
        said = desktop.baton("team", "revoke", "laptop")
        self.assertIn(b"Removed", said)
        self.assertIn("team renew", desktop.last_error)
        phone.baton("team", "join", desktop.json("team", "invite")["code"])
        self.wait_for(desktop, "phone", "tablet")
        laptop.start()
        tablet.wait_for_log("certificateRevoked")
        self.wait_for(tablet, "desktop", "phone")
        self.assertEqual(self.connected(laptop), [])

    def test_two_that_were_apart_end_with_one_list(self):
        laptop, desktop, tablet = self.three()
        phone = self.batond("phone", 1).start()
        watch = self.batond("watch", 2).start()
        for daemon in (phone, watch):
            daemon.baton("team", "join", laptop.json("team", "invite")["code"])
        laptop.baton("team", "promote", "desktop", "--yes")
        wait_until(lambda: len(self.devices(desktop)) == 4, "the desktop knows whom the laptop has admitted")
        everybody = (laptop, desktop, tablet, phone, watch)
        for daemon in everybody:
            daemon.terminate()
        # Each is alone, and removes another one.
        laptop.start()
        laptop.baton("team", "revoke", "phone")
        laptop.kill()
        desktop.start()
        desktop.baton("team", "revoke", "watch")
        desktop.kill()
        # The tablet hears of one after the other.
        laptop.start()
        tablet.start()
        self.wait_for(tablet, "laptop")
        tablet.wait_for_log("devices=1")
        laptop.terminate()
        for daemon in (desktop, phone, watch):
            daemon.start()
        tablet.wait_for_log("devices=2")
        laptop.start()
        for daemon, others in ((laptop, ("desktop", "tablet")), (desktop, ("laptop", "tablet")),
                               (tablet, ("desktop", "laptop"))):
            self.wait_for(daemon, *others)
        for daemon in (laptop, desktop):
            wait_until(
                lambda: {name for name, device in self.devices(daemon).items() if "revoked" in device}
                == {"phone", "watch"},
                f"{daemon.name} has removed both",
            )
        # Both admit and remove from here on; nothing is apart any more.
        again = self.batond("again", 2).start()
        again.baton("team", "join", desktop.json("team", "invite")["code"])
        self.wait_for(again, "desktop", "laptop", "tablet")
        laptop.baton("team", "revoke", "again")
        for daemon in (laptop, desktop, tablet):
            wait_until(lambda: "again" not in self.connected(daemon), f"{daemon.name} lets it go")

    def test_a_passphrase_is_asked_for(self):
        laptop, desktop, tablet = self.three()
        terminal = Terminal(self, laptop, "team", "passphrase")
        terminal.answer("Passphrase for the team's key: ", PASSPHRASE)
        terminal.answer("Repeat the passphrase: ", PASSPHRASE)
        self.assertEqual(terminal.finish(), 0)
        key = next(laptop.state.glob("teams/*/ca.key")).read_text()
        self.assertNotIn("PRIVATE", key)
        # It is open for now; a restart forgets it.
        laptop.baton("team", "invite")
        laptop.restart()
        self.assertIn("with a passphrase", laptop.baton("team", "list").decode())
        laptop.baton("team", "invite", status=8)
        self.assertFails("passphraseNeeded", laptop.call, "InviteDevice")
        terminal = Terminal(self, laptop, "team", "invite")
        terminal.answer("Passphrase for the team's key: ", "wrong horse battery")
        self.assertEqual(terminal.finish(), 8)
        terminal = Terminal(self, laptop, "team", "invite")
        terminal.answer("Passphrase for the team's key: ", PASSPHRASE)
        self.assertEqual(terminal.finish(), 0)
        self.assertNotIn("horse", terminal.shown)
        # The second has it with the same passphrase.
        laptop.wait_for_sessions(2)
        laptop.baton("team", "promote", "desktop", "--yes")
        phone = self.batond("phone", 2).start()
        self.assertFails("passphraseNeeded", desktop.call, "InviteDevice")
        file = self.file("passphrase", PASSPHRASE + "\n")
        code = desktop.json("team", "invite", "--passphrase-file", file)["code"]
        phone.baton("team", "join", code)
        self.wait_for(phone, "desktop", "laptop", "tablet")
        laptop.restart()
        laptop.baton("team", "unlock", "--passphrase-file", file)
        laptop.baton("team", "passphrase", "--remove")
        self.assertIn("PRIVATE", next(laptop.state.glob("teams/*/ca.key")).read_text())
        self.assertNotIn("passphrase", self.teams(laptop)[0])


class StolenTests(RenewalTest):
    def test_the_way_out_of_a_stolen_administrators_machine(self):
        laptop, desktop, tablet = self.three()
        phone = self.batond("phone", 1).start()
        phone.baton("team", "join", laptop.json("team", "invite")["code"])
        self.wait_for(phone, "desktop", "laptop", "tablet")
        old = self.teams(desktop)[0]["id"]
        file = self.directory / "tablet.backup"
        passphrase = self.file("passphrase", PASSPHRASE + "\n")
        tablet.baton("team", "backup", file, "--passphrase-file", passphrase)
        devices = {daemon.name: self.teams(daemon)[0]["deviceID"] for daemon in (desktop, tablet, phone)}
        # The laptop was stolen. The desktop is no administrator, and begins.
        desktop.baton("team", "renew", status=2)
        terminal = Terminal(self, desktop, "team", "renew")
        terminal.answer("Type 'yes' to continue:", "yes", is_shown=True)
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("baton team renew --accept", terminal.shown)
        code = re.search(r"[0-9A-Z]{5}(-[0-9A-Z]{5}){7}", terminal.shown).group()
        new = self.teams(desktop)[0]["id"]
        self.assertNotEqual(new, old)
        # The thief sees that, and makes a team and a code of his own: nobody is asked anything because of it.
        trap = laptop.json("team", "renew", "--yes")
        for daemon in (tablet, phone):
            self.assertEqual([team["id"] for team in self.teams(daemon)], [old])
        # One at a terminal, one by a pipe, as a person reads it on the desktop.
        terminal = Terminal(self, tablet, "team", "renew", "--accept")
        terminal.answer("Enter the code from `baton team renew`", code, is_shown=True)
        self.assertEqual(terminal.finish(), 0)
        phone.baton("team", "renew", "--accept", "-", input=code.encode())
        for daemon, others in ((desktop, ("phone", "tablet")), (tablet, ("desktop", "phone")),
                               (phone, ("desktop", "tablet"))):
            self.wait_for(daemon, *others)
            self.assertEqual([(team["id"], team["deviceID"]) for team in self.teams(daemon)], [(new, devices[daemon.name])])
        self.assertEqual(set(self.devices(desktop)), {"phone", "tablet"})
        # The old key opens nothing: not here, not after a restart, not with a code, a backup or an approval.
        for daemon in (desktop, tablet, phone):
            daemon.restart()
        _, ours = desktop.publish(title="Ours")
        for daemon in (tablet, phone):
            daemon.wait_for_offer(ours)
        self.assertEqual(self.connected(laptop), [])
        self.assertEqual(laptop.offers(), [])
        tablet.baton("team", "restore", file, "--passphrase-file", passphrase, status=8)
        self.assertIn("replaced", tablet.last_error)
        # He goes on in the old team, or in one of his own.
        other = self.batond("other", 2).start()
        self.assertEqual(self.teams(laptop)[0]["id"], trap["team"]["id"])
        other.baton("team", "join", laptop.json("team", "invite")["code"])
        self.wait_for(other, "laptop")
        for daemon in (tablet, phone):
            self.assertNotIn("laptop", self.connected(daemon))
        # The desktop admits and removes from here on.
        desktop.baton("team", "revoke", "phone")
        self.wait_for(desktop, "tablet")

    def test_a_machine_that_was_away_comes_later(self):
        laptop, desktop, tablet = self.three()
        tablet.terminate()
        desktop.baton("team", "renew", "--yes")
        laptop.kill()
        tablet.start()
        code = desktop.json("team", "invite")["code"]
        address = f"{self.address_of(desktop)}:{desktop.port}"
        said = tablet.baton("team", "renew", "--accept", code, "--address", address).decode()
        self.assertIn("now replaces", said)
        self.wait_for(tablet, "desktop")
        tablet.baton("team", "renew", "--accept", code, status=8)

    def address_of(self, daemon):
        return f"10.77.0.{int(daemon.host[1:]) + 1}"


class CertificateTests(RenewalTest):
    def setUp(self):
        super().setUp()
        self.library = self.directory / "clock-jump.so"
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", self.library, JUMP], check=True)
        self.jump = self.directory / "jump"
        self.jump.write_bytes(struct.pack("q", 0))

    def later(self, name, number=0):
        """A daemon whose clock goes with the others'."""
        return self.batond(name, number, prefix=["env", f"LD_PRELOAD={self.library}", f"CLOCK_JUMP={self.jump}"])

    def pass_days(self, days):
        with open(self.jump, "r+b") as file:
            file.write(struct.pack("q", int(days * DAY)))

    def expires(self, daemon):
        return self.teams(daemon)[0]["expires"]

    def test_certificates_go_on_as_long_as_machines_meet(self):
        laptop, desktop, tablet = self.later("laptop"), self.later("desktop", 1), self.later("tablet", 2)
        for daemon in (laptop, desktop, tablet):
            daemon.start()
        self.make_team(laptop, desktop, tablet)
        first = {daemon.name: self.expires(daemon) for daemon in (laptop, desktop, tablet)}
        tablet.terminate()
        # Too early for anything; then in the last third.
        self.pass_days(200)
        for daemon in (laptop, desktop):
            daemon.restart()
        laptop.wait_for_sessions(1)
        self.assertEqual(self.expires(desktop), first["desktop"])
        self.pass_days(260)
        for daemon in (laptop, desktop):
            daemon.restart()
        for daemon in (laptop, desktop):
            wait_until(lambda: self.expires(daemon) > first[daemon.name] + 200 * DAY, f"{daemon.name} has another one")
        # A year and more after the team was made.
        self.pass_days(400)
        for daemon in (laptop, desktop):
            daemon.restart()
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        # The tablet was away all the time: it is refused, is told so, and joins again as the device that it is.
        tablet.start()
        tablet.baton("doctor", status=5)
        device = self.teams(tablet)[0]["deviceID"]
        self.assertEqual(self.connected(tablet), [])
        self.assertIn(b"has expired", tablet.baton("doctor", status=5))
        tablet.baton("team", "join", laptop.json("team", "invite")["code"])
        self.wait_for(tablet, "desktop", "laptop")
        self.assertEqual(self.teams(tablet)[0]["deviceID"], device)
        tablet.baton("team", "join", laptop.json("team", "invite")["code"], "--json", status=8)
        self.assertEqual(json.loads(tablet.last_error)["reason"], "alreadyMember")
