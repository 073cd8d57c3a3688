# SPDX-License-Identifier: Apache-2.0
"""From one daemon to the other: publish, list, continue, withdraw; on loopback and between two hosts."""
# Labs: lo, pair
import json
import pathlib
import subprocess
import urllib.parse

from lab import PROMPT, LabTest, wait_until


class HandoffTests(LabTest):
    labs = ("lo", "pair")

    def test_an_activity_is_listed_and_continued_with_its_state(self):
        laptop, desktop = self.two()
        advertiser = laptop.spawn_baton(
            "advertise", "--type", "org.example.reading", "--title", "Chapter 3", "--info", "page=42",
            "--info-json", '{"ratio": 0.25, "tags": ["a", null, true]}', "--url", "https://example.org/3", "--json",
            stdout=subprocess.PIPE,
        )
        event = json.loads(advertiser.stdout.readline())
        self.assertEqual(event["event"], "current")
        offer = desktop.wait_for_offer(event["id"])
        self.assertEqual(
            (offer["activityType"], offer["title"], offer["device"], offer["source"]),
            ("org.example.reading", "Chapter 3", "laptop", "session"),
        )
        self.assertEqual(laptop.offers(), [])
        reply = desktop.json("continue", event["id"][:6])
        self.assertEqual(reply["device"], "laptop")
        self.assertEqual(reply["activity"]["userInfo"], {"page": "42", "ratio": 0.25, "tags": ["a", None, True]})
        self.assertEqual(reply["activity"]["webpageURL"], "https://example.org/3")
        event = json.loads(advertiser.stdout.readline())
        self.assertEqual((event["event"], event["device"]), ("continued", "desktop"))
        self.wait_for_exit(advertiser)
        desktop.wait_until_not_offered(event["id"])
        self.assertEqual(desktop.baton("continue", event["id"], status=4), b"")

    def test_joining_and_meeting_is_no_refusal(self):
        for daemon in self.two():
            self.assertNotIn("Refused", daemon.log_text())

    def test_both_directions_at_once(self):
        laptop, desktop = self.two()
        _, first = laptop.publish(title="from laptop")
        _, second = desktop.publish(title="from desktop")
        self.assertEqual(laptop.wait_for_offer(second)["title"], "from desktop")
        self.assertEqual(desktop.wait_for_offer(first)["title"], "from laptop")

    def test_an_app_that_dies_withdraws_its_activity(self):
        laptop, desktop = self.two()
        app = laptop.spawn_baton("advertise", "--type", "org.example.a", "--title", "A")
        wait_until(lambda: desktop.offer_titles() == ["A"], "A is offered")
        app.kill()
        wait_until(lambda: desktop.offers() == [], "A is withdrawn", PROMPT)

    def test_an_update_and_a_resignation_are_seen(self):
        laptop, desktop = self.two()
        connection, activity = laptop.publish(title="One")
        desktop.wait_for_offer(activity)
        laptop.call("UpdateActivity", activity={"id": activity, "activityType": "org.example.notes", "title": "Two"})
        wait_until(lambda: desktop.offer_titles() == ["Two"], "the new title")
        laptop.call("ResignCurrent", id=activity)
        self.assertEqual(connection.receive()["event"], "resigned")
        desktop.wait_until_not_offered(activity)

    def test_a_new_activity_takes_the_place_of_the_old(self):
        laptop, desktop = self.two()
        first, old = laptop.publish(title="Old")
        desktop.wait_for_offer(old)
        _, new = laptop.publish(title="New")
        reply = first.receive()
        self.assertEqual((reply["event"], reply["reason"]), ("resigned", "superseded"))
        wait_until(lambda: desktop.offer_titles() == ["New"], "only the new one")
        self.assertEqual(desktop.call("Continue", id=new)["activity"]["title"], "New")

    def test_the_app_is_asked_for_its_fresh_state(self):
        laptop, desktop = self.two()
        connection, activity = laptop.publish(title="Draft", userInfo={"text": "old"}, needsSave=True)
        desktop.wait_for_offer(activity)
        receiver = desktop.connect()
        receiver.send("Continue", {"id": activity})
        self.assertEqual(connection.receive()["event"], "willSave")
        fresh = {"id": activity, "activityType": "org.example.notes", "title": "Draft", "userInfo": {"text": "fresh"}}
        laptop.call("UpdateActivity", activity=fresh)
        self.assertEqual(receiver.receive()["activity"]["userInfo"], {"text": "fresh"})
        self.assertEqual(connection.receive()["event"], "continued")

    def test_an_app_that_does_not_save_in_time_gives_its_last_state(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(userInfo={"text": "last"}, needsSave=True)
        desktop.wait_for_offer(activity)
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["userInfo"], {"text": "last"})

    def test_a_file_in_a_shared_folder_is_found_at_its_path_on_the_other_machine(self):
        # One folder at two paths, as machines mount that of a server.
        home, mounted = self.directory / "home of ada", self.directory / "mounted"
        (mounted / "sub").mkdir(parents=True)
        home.symlink_to(mounted)
        (home / "sub" / "to do?.txt").write_text("Read it there")
        daemons = []
        for number, (name, path) in enumerate({"laptop": home, "desktop": mounted}.items()):
            file = self.directory / f"{name}.conf"
            file.write_text(f"[shared-folders]\nOther=/srv\nNotes={path}\n")
            daemons.append(self.batond(name, number, ["--config", file]).start())
        laptop, desktop = daemons
        self.make_team(laptop, desktop)
        document = {"$url": (home / "sub" / "to do?.txt").as_uri()}
        foreign = {"$url": "file:///etc/hosts"}
        _, activity = laptop.publish(userInfo={"documents": [document, foreign]})
        self.assertEqual(laptop.call("GetStatus")["current"]["userInfo"], {"documents": [document, foreign]})
        desktop.wait_for_offer(activity)
        received = desktop.json("continue", activity)["activity"]["userInfo"]["documents"]
        self.assertEqual(received[1], foreign)
        path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(received[0]["$url"]).path))
        self.assertEqual(path, mounted / "sub" / "to do?.txt")
        self.assertEqual(path.read_text(), "Read it there")

    def test_a_wrong_shared_folder_is_named_with_its_line(self):
        file = self.directory / "wrong.conf"
        file.write_text("[shared-folders]\nNotes=../notes\n")
        command = self.batond("wrong", arguments=["--config", file]).command("--check-config")
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=30)
        self.assertEqual(result.returncode, 78)
        self.assertIn(f"{file}:2: a folder's path must be absolute", result.stderr)

    def test_watch_tells_each_change(self):
        laptop, desktop = self.two()
        watcher = desktop.spawn_baton("watch", "--json", stdout=subprocess.PIPE)
        _, activity = laptop.publish(title="Seen")
        event = json.loads(watcher.stdout.readline())
        self.assertEqual((event["event"], event["offer"]["id"]), ("offered", activity))
        laptop.call("ResignCurrent", id=activity)
        event = json.loads(watcher.stdout.readline())
        self.assertEqual((event["event"], event["offer"]["id"]), ("withdrawn", activity))

    def test_a_daemon_that_starts_late_finds_what_is_offered(self):
        laptop, desktop = self.two()
        self.assertEqual(desktop.terminate(), 0)
        laptop.wait_for_sessions(0)
        _, activity = laptop.publish(title="Before")
        desktop.start()
        self.assertEqual(desktop.wait_for_offer(activity)["title"], "Before")

    def as_other_user(self, daemon, *arguments):
        """What `baton` says to a user who is not root."""
        self.directory.chmod(0o755)
        command = ["setpriv", "--reuid", "12345", "--clear-groups", *daemon.command_line(*arguments)]
        result = subprocess.run(command, env=daemon.environment, capture_output=True, text=True, timeout=30)
        if result.returncode == 127 or "setresuid" in result.stderr:
            self.skipTest("needs the right to become another user")
        return result

    def test_nobody_is_told_that_the_machine_is_in_a_team_of_another_user(self):
        # It would be asked, too.
        self.wait_until_none_is_announced(0)
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        codes = [laptop.json("team", "invite")["code"]]
        # One that nobody gave out, of a team that is here; and one of a team that is nowhere.
        for invitation in laptop.state.glob("teams/*/invitations/*"):
            invitation.unlink()
        gone = laptop.json("team", "create", "Gone")["team"]["id"]
        codes.append(laptop.json("team", "invite", "--team", gone)["code"])
        wait_until(lambda: len(self.instances(0)) == 2, "both teams' instances are announced", interval=0.2)
        laptop.baton("team", "leave", "--yes", gone)
        # Its instance would be asked, too, the first time.
        wait_until(lambda: len(self.instances(0)) == 1, "the other team's instance is gone", interval=0.2)
        for address in ([], ["--address", f"127.0.0.1:{laptop.port}"], ["--address", f"127.0.0.2:{laptop.port}"]):
            here, nowhere = (self.as_other_user(laptop, "team", "join", code, *address) for code in codes)
            self.assertNotEqual(here.returncode, 0)
            self.assertEqual(
                (here.returncode, here.stdout, here.stderr), (nowhere.returncode, nowhere.stdout, nowhere.stderr)
            )
        good = laptop.json("team", "invite")["code"]
        result = self.as_other_user(laptop, "team", "join", good, "--address", f"127.0.0.1:{laptop.port}")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_user_who_leaves_a_team_takes_it_from_nobody_else(self):
        laptop, desktop = self.two()
        team = laptop.json("team", "list")["teams"][0]["id"]
        devices = len(laptop.json("team", "devices")["devices"])
        for daemon in (laptop, desktop):
            result = self.as_other_user(daemon, "team", "join", laptop.json("team", "invite")["code"])
            self.assertEqual(result.returncode, 0, result.stderr)
        # The machines stay the devices that they are.
        self.assertEqual(len(laptop.json("team", "devices")["devices"]), devices)
        _, activity = laptop.publish(title="Shared")
        desktop.wait_for_offer(activity)
        self.assertIn(activity, self.as_other_user(desktop, "list", "--json").stdout)
        for daemon in (laptop, desktop):
            self.assertEqual(self.as_other_user(daemon, "team", "leave", "--yes", team).returncode, 0)
            self.assertEqual(json.loads(self.as_other_user(daemon, "team", "list", "--json").stdout), {"teams": []})
        self.assertEqual(json.loads(self.as_other_user(desktop, "list", "--json").stdout), {"offers": []})
        self.assertEqual([offer["id"] for offer in desktop.offers()], [activity])
        self.assertTrue(laptop.json("team", "invite")["code"])

    def test_other_users_of_a_machine_see_nothing(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="Mine")
        desktop.wait_for_offer(activity)
        result = self.as_other_user(desktop, "list", "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(json.loads(result.stdout), {"offers": []})
        result = self.as_other_user(desktop, "continue", activity)
        self.assertEqual(result.returncode, 4, result.stderr)
