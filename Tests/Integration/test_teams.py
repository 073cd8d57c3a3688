# SPDX-License-Identifier: Apache-2.0
"""Who is let in, who is not, and what those see who are not: three machines on one network."""
# Labs: lan 3
import json
import shutil
import subprocess
import threading
import time

from lab import HOSTS, PATIENCE, PROMPT, LabTest, wait_until


class TeamsTests(LabTest):
    labs = ("lan",)

    def test_a_machine_of_another_team_sees_nothing(self):
        laptop, desktop = self.two()
        stranger = self.batond("stranger", 2).start()
        stranger.baton("team", "create", "Strangers")
        connection, activity = laptop.publish(title="Ours", supportsContinuationStreams=True)
        desktop.wait_for_offer(activity)
        _, theirs = stranger.publish(title="Theirs")
        # The stranger's own advert has travelled meanwhile: a fourth machine of its team sees it.
        friend = self.batond("friend", 2).start()
        friend.baton("team", "join", stranger.json("team", "invite")["code"])
        friend.wait_for_offer(theirs)
        stranger.wait_for_sessions(1)
        self.assertEqual(stranger.offers(), [])
        self.assertEqual([peer["device"] for peer in stranger.call("ListPeers")["peers"]], ["friend"])
        self.assertEqual([peer["device"] for peer in laptop.call("ListPeers")["peers"]], ["desktop"])
        self.assertEqual(laptop.offers(), [])
        self.assertFails("activityNotFound", stranger.call, "Continue", id=activity)
        self.assertFails("streamNotFound", stranger.connect().upgrade, "AcceptStream", stream="stream-1")
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["title"], "Ours")
        connection.receive_until(lambda reply: reply["event"] == "continued")

    def test_an_activity_of_one_team_stays_in_it(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        work = laptop.json("team", "create", "Work")["team"]["id"]
        home = laptop.json("team", "create", "Home")["team"]["id"]
        desktop.baton("team", "join", laptop.json("team", "invite", "--team", work)["code"])
        tablet.baton("team", "join", laptop.json("team", "invite", "--team", home)["code"])
        laptop.wait_for_sessions(2)
        connection = laptop.connect()
        connection.more("BecomeCurrent", activity={"activityType": "org.example.a", "title": "Work only"}, team=work)
        activity = connection.receive()["id"]
        self.assertEqual(desktop.wait_for_offer(activity)["team"], work)
        self.assertEqual(tablet.offers(), [])
        # Something for both shows that the first had its time to arrive.
        _, both = laptop.publish(title="Both")
        tablet.wait_for_offer(both)
        self.assertEqual(tablet.offer_titles(), ["Both"])
        self.assertFails("activityNotFound", tablet.call, "Continue", id=activity)
        self.assertFails("teamAmbiguous", laptop.call, "InviteDevice")

    def test_three_machines_and_one_activity(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        self.make_team(laptop, desktop, tablet)
        _, activity = laptop.publish(title="Once")
        for daemon in (desktop, tablet):
            daemon.wait_for_offer(activity)
        outcomes = []

        def take(daemon):
            try:
                daemon.call("Continue", id=activity)
                outcomes.append("continued")
            except Exception as error:  # Its reason is looked at below.
                outcomes.append(getattr(error, "reason", repr(error)))

        threads = [threading.Thread(target=take, args=(daemon,)) for daemon in (desktop, tablet)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(outcomes.count("continued"), 1, outcomes)
        other = next(outcome for outcome in outcomes if outcome != "continued")
        self.assertIn(other, ("alreadyContinued", "activityNotFound", "activityWithdrawn"))
        for daemon in (desktop, tablet):
            daemon.wait_until_not_offered(activity)

    def test_a_member_that_leaves_is_gone(self):
        laptop, desktop = self.two()
        team = desktop.call("ListTeams")["teams"][0]["id"]
        _, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        # Without the key, nothing is lost for the others.
        desktop.baton("team", "leave", team)
        laptop.wait_for_sessions(0, PROMPT)
        self.assertEqual(desktop.offers(), [])
        self.assertEqual(desktop.call("ListPeers")["peers"], [])
        self.assertFails("activityNotFound", desktop.call, "Continue", id=activity)
        desktop.restart()
        self.assertEqual(desktop.call("ListTeams")["teams"], [])

    # Lost devices.

    def test_a_lost_machine_is_out_at_once(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        phone = self.batond("phone", 2).start()
        self.make_team(laptop, desktop, phone)
        _, activity = phone.publish(title="Stolen")
        for daemon in (laptop, desktop):
            daemon.wait_for_offer(activity)
        self.assertEqual([device["name"] for device in laptop.json("team", "devices")["devices"]], ["desktop", "phone"])
        said = laptop.baton("team", "revoke", "phone").decode()
        self.assertIn('Removed "phone" (', said)
        for daemon in (laptop, desktop):
            daemon.wait_until_not_offered(activity, PROMPT)
            daemon.wait_for_sessions(1, PROMPT)
            wait_until(lambda: len(daemon.call("ListPeers")["peers"]) == 1, f"{daemon.name} knows one machine", PROMPT)
        phone.wait_for_sessions(0, PROMPT)
        self.assertIn("already", laptop.baton("team", "revoke", "phone").decode())
        # It starts again and is still out; the others find one another under new names.
        phone.restart()
        for daemon in (laptop, desktop):
            daemon.restart()
        laptop.wait_for_sessions(1)
        _, ours = desktop.publish(title="Ours")
        laptop.wait_for_offer(ours)
        self.assertEqual(phone.offers(), [])
        self.assertEqual(phone.call("GetStatus")["sessions"], 0)
        devices = laptop.json("team", "devices")["devices"]
        self.assertEqual([("revoked" in device) for device in devices], [False, True])
        # It was found again.
        phone.baton("team", "leave", "--yes", phone.call("ListTeams")["teams"][0]["id"])
        phone.baton("team", "join", laptop.json("team", "invite")["code"])
        phone.wait_for_offer(ours)

    def test_who_has_the_key_is_asked_before_leaving(self):
        laptop, _ = self.two()
        team = laptop.call("ListTeams")["teams"][0]["id"]
        outcome = subprocess.run(
            laptop.command_line("team", "leave", team), env=laptop.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE,
        )
        self.assertEqual(outcome.returncode, 2, outcome)
        for words in ("baton team backup", "baton team promote", "add '--yes'"):
            self.assertIn(words, outcome.stderr)
        self.assertEqual([each["id"] for each in laptop.call("ListTeams")["teams"]], [team])
        laptop.baton("team", "leave", "--yes", team)
        self.assertEqual(laptop.call("ListTeams")["teams"], [])

    def test_a_machine_that_was_away_hears_of_it_from_another(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        phone = self.batond("phone", 1).start()
        self.make_team(laptop, desktop, tablet, phone)
        tablet.kill()
        laptop.baton("team", "revoke", "phone")
        desktop.wait_for_sessions(1)
        # The machine that removed it is gone, killed a moment later.
        laptop.kill()
        tablet.start()
        tablet.wait_for_sessions(1)
        wait_until(
            lambda: [peer["device"] for peer in tablet.call("ListPeers")["peers"] if peer["state"] == "connected"]
            == ["desktop"],
            "the tablet is connected to the desktop alone",
        )
        phone.wait_for_sessions(0)
        laptop.start()
        laptop.wait_for_sessions(2)
        self.assertIn("revoked", laptop.json("team", "devices")["devices"][2])

    def test_a_backup_that_is_put_back_lets_nobody_in(self):
        laptop = self.batond("laptop", arguments=("--port", "22866")).start()
        desktop = self.batond("desktop", 1, arguments=("--port", "22866")).start()
        tablet = self.batond("tablet", 2, arguments=("--port", "22866")).start()
        phone = self.batond("phone", 1, arguments=("--port", "22867")).start()
        watch = self.batond("watch", 2, arguments=("--port", "22867")).start()
        everybody = (laptop, desktop, tablet, phone, watch)
        self.make_team(*everybody)
        # While it runs, as Teams.md explains.
        backup = self.directory / "baton-keys.tar.gz"
        subprocess.run(["tar", "-C", laptop.state, "-czf", backup, "."], check=True)
        for daemon in everybody:
            daemon.terminate()
        # The desktop hears of the first that is removed.
        laptop.start()
        desktop.start()
        desktop.wait_for_sessions(1)
        laptop.baton("team", "revoke", "phone")
        desktop.wait_for_log("Machines were removed")
        for daemon in (laptop, desktop):
            daemon.terminate()
        # The disk is a new one. The tablet hears of the second.
        shutil.rmtree(laptop.state)
        laptop.state.mkdir(mode=0o700)
        subprocess.run(["tar", "-C", laptop.state, "-xzf", backup], check=True)
        laptop.start()
        laptop.baton("team", "revoke", "watch")
        tablet.start()
        tablet.wait_for_log("Machines were removed")
        laptop.kill()
        # All come back but the one that could tell.
        for daemon in (desktop, phone, watch):
            daemon.start()
        for daemon in (desktop, tablet):
            daemon.wait_for_log("devices=2")
            daemon.wait_for_sessions(1)
        laptop.start()
        for daemon in (laptop, desktop, tablet):
            daemon.wait_for_sessions(2)

        def connected(daemon):
            return [peer["device"] for peer in daemon.call("ListPeers")["peers"] if peer["state"] == "connected"]

        # Those who were removed meet nobody who knows. They may meet each other, or have heard of the other's removal.
        for daemon, other in ((phone, "watch"), (watch, "phone")):
            wait_until(lambda: set(connected(daemon)) <= {other}, f"{daemon.name} has no session with the team")

        def removed():
            return {device["name"]: "revoked" in device for device in laptop.json("team", "devices")["devices"]}

        # It writes what the others tell it after the sessions have begun.
        expected = {"desktop": False, "tablet": False, "phone": True, "watch": True}
        wait_until(lambda: removed() == expected, "the laptop knows all who were removed")
        _, ours = desktop.publish(title="Ours")
        for daemon in (laptop, tablet):
            daemon.wait_for_offer(ours)
        for daemon in (phone, watch):
            self.assertEqual(daemon.offers(), [])
        laptop.baton("team", "revoke", "tablet")
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        tablet.wait_for_sessions(0)

    def test_a_crash_while_removing_loses_nothing(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        laptop.baton("team", "create", "Demo")
        for _ in range(8):
            laptop.baton("team", "approve", input=desktop.baton("team", "request"))
        devices = [device["deviceID"] for device in laptop.json("team", "devices")["devices"]]
        self.assertEqual(len(devices), 8)
        for number, device in enumerate(devices):
            command = laptop.spawn_baton("team", "revoke", device)
            # At another moment each time, from before the call to after its end.
            time.sleep(0.004 * number)
            laptop.restart()
            command.wait(PATIENCE)
            removed = [entry["deviceID"] for entry in laptop.json("team", "devices")["devices"] if "revoked" in entry]
            self.assertIn(removed, (devices[:number], devices[: number + 1]))
            laptop.baton("team", "revoke", device)
        self.assertTrue(all("revoked" in entry for entry in laptop.json("team", "devices")["devices"]))

    def test_what_cannot_be_removed(self):
        laptop, desktop = self.two()
        laptop.baton("team", "revoke", "nobody", status=4)
        laptop.baton("team", "revoke", "laptop", status=5)
        desktop.baton("team", "revoke", "laptop", status=8)
        desktop.baton("team", "devices", status=8)
        twin = self.batond("twin", 2)
        twin.name = "desktop"
        twin.start()
        twin.baton("team", "join", laptop.json("team", "invite")["code"])
        laptop.baton("team", "revoke", "desktop", status=8)
        said = laptop.last_error
        self.assertIn("More than one machine", said)
        device = laptop.json("team", "devices")["devices"][1]["deviceID"]
        self.assertIn(device[:10], said)
        self.assertEqual(laptop.json("team", "revoke", device[:10])["device"]["deviceID"], device)
        laptop.wait_for_sessions(1)

    # Codes.

    def failing_join(self, daemon, code, *arguments):
        """`baton team join` fails with the status for teams; returns the reason."""
        daemon.baton("team", "join", code, *arguments, "--json", status=8)
        return json.loads(daemon.last_error)["reason"]

    def test_codes_that_do_not_open(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        laptop.baton("team", "create", "Demo")
        address = ("--address", f"{self.address(0)}:{laptop.port}")
        code = laptop.json("team", "invite")["code"]
        mistyped = code[:-1] + ("0" if code[-1] != "0" else "1")
        self.assertEqual(self.failing_join(desktop, mistyped), "invitationInvalid")
        self.assertEqual(self.failing_join(desktop, "nonsense"), "invitationInvalid")
        desktop.baton("team", "join", code)
        # Used, by another machine.
        self.assertEqual(self.failing_join(tablet, code, *address), "invitationUsed")
        # Of a team that the machine which was asked is not in.
        tablet.baton("team", "create", "Others")
        foreign = tablet.json("team", "invite")["code"]
        self.assertEqual(self.failing_join(desktop, foreign, *address), "invitationForeign")
        # Nobody is there, or nobody answers.
        tablet.terminate()

        def reason():
            command = desktop.command_line("team", "join", foreign, "--json")
            result = subprocess.run(command, env=desktop.environment, capture_output=True, timeout=PATIENCE)
            return json.loads(result.stderr)["reason"]

        # Avahi tells of the tablet for another second. The laptop's name says that it has not given out the code.
        wait_until(lambda: reason() == "inviterNotFound", "the tablet's name is gone")
        self.assertEqual(len(desktop.call("ListTeams")["teams"]), 1)
        # Who is no administrator cannot invite.
        self.assertFails("notAdministrator", desktop.call, "InviteDevice")
        laptop.wait_for_log("invitationUsed")

    def test_a_member_does_not_use_a_code_up(self):
        laptop, desktop = self.two()
        tablet = self.batond("tablet", 2).start()
        code = laptop.json("team", "invite")["code"]
        for daemon in (laptop, desktop):
            self.assertEqual(self.failing_join(daemon, code), "alreadyMember")
        tablet.baton("team", "join", code)

    def test_a_code_is_for_one_machine_however_many_race(self):
        laptop = self.batond("laptop").start()
        others = [self.batond(f"machine{number}", number).start() for number in (1, 2)]
        laptop.baton("team", "create", "Demo")
        code = laptop.json("team", "invite")["code"]
        outcomes = []

        def join(daemon):
            try:
                daemon.call("JoinTeam", code=code)
                outcomes.append("joined")
            except Exception as error:  # Its reason is looked at below.
                outcomes.append(getattr(error, "reason", repr(error)))

        threads = [threading.Thread(target=join, args=(daemon,)) for daemon in others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(sorted(outcomes), ["invitationUsed", "joined"])

    def address(self, number):
        """The IPv4 address that the lab gives to a host."""
        return f"10.77.0.{int(HOSTS[number][1:]) + 1}"

    def test_joining_by_address_without_discovery(self):
        laptop = self.batond("laptop", arguments=["--no-discovery"]).start()
        desktop = self.batond("desktop", 1, arguments=["--no-discovery"]).start()
        laptop.baton("team", "create", "Demo")
        code = laptop.json("team", "invite")["code"]
        self.assertEqual(laptop.call("GetStatus")["discovery"], "disabled")
        for address in ("host:port", "10.77.0.2:70000", "[::1", ""):
            self.assertEqual(self.failing_join(desktop, code, "--address", address), "addressInvalid", address)
        desktop.baton("team", "join", code, "--address", f"{self.address(1)}:1", status=6)
        desktop.baton("team", "join", code, "--address", f"{self.address(0)}:{laptop.port}")
        self.assertEqual(desktop.call("ListTeams")["teams"][0]["name"], "Demo")

    def test_joining_with_files(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        laptop.baton("team", "create", "Demo")
        request = desktop.baton("team", "request")
        approval = laptop.baton("team", "approve", input=request)
        # For nobody else.
        tablet.baton("team", "import", input=approval, status=8)
        desktop.baton("team", "import", input=approval)
        laptop.wait_for_sessions(1)
        _, activity = laptop.publish(title="Over files")
        desktop.wait_for_offer(activity)
        # Not a second time, and not what is none.
        desktop.baton("team", "import", input=approval, status=8)
        desktop.baton("team", "import", input=b"{}", status=8)
        laptop.baton("team", "approve", input=b"no request", status=8)

    def test_teams_survive_a_restart(self):
        laptop, desktop = self.two()
        before = [daemon.call("ListTeams") for daemon in (laptop, desktop)]
        for daemon in (laptop, desktop):
            daemon.restart()
        self.assertEqual([daemon.call("ListTeams") for daemon in (laptop, desktop)], before)
        wait_until(lambda: laptop.call("GetStatus")["sessions"] == 1, "they meet again")
        self.assertTrue(laptop.call("ListTeams")["teams"][0]["administrator"])
        self.assertFalse(desktop.call("ListTeams")["teams"][0]["administrator"])
