# SPDX-License-Identifier: Apache-2.0
"""Two booted machines on one wire, and the people who use them; see Scripts/run-systemd."""
import json
import os
import re
import unittest

from machine import LIBRARY, Machine, OtherMachine
from waiting import TestCase, wait_until

laptop = Machine()
desktop = OtherMachine(os.environ.get("BATON_OTHER_MACHINE", ""))
TYPE = "org.example.notes"


class MachinesTest(TestCase):
    """Ada has a team of both machines; Bob, who uses the same machines, has none."""

    @classmethod
    def setUpClass(cls):
        wait_until(lambda: os.path.exists(desktop.path), "the other machine is there")
        for machine in (laptop, desktop):
            machine.run("systemd-sysusers")
            for user in ("ada", "bob"):
                machine.run("useradd", "--create-home", user)
            machine.ask("systemctl", "reset-failed")
            machine.systemctl("restart", "batond.socket", "batond.service")
        cls.team = laptop.baton("team", "create", "Home", user="ada")["team"]["id"]
        code = laptop.baton("team", "invite", user="ada")["code"]
        desktop.baton("team", "join", code, user="ada")
        cls.wait_for_session()

    @classmethod
    def tearDownClass(cls):
        for machine in (laptop, desktop):
            machine.baton("team", "leave", "--yes", cls.team, user="ada")
            machine.systemctl("stop", "batond.socket")

    @classmethod
    def wait_for_session(cls):
        for machine in (laptop, desktop):
            wait_until(lambda: machine.baton("status", user="ada")["sessions"] == 1, "the machines are connected")

    def counters(self, machine, user="ada"):
        return machine.baton("status", user=user)["counters"]

    def offers(self, user="ada"):
        return desktop.baton("list", user=user)["offers"]

    def advertise(self, title, *arguments, **properties):
        """An activity of Ada's on the laptop."""
        self.addCleanup(laptop.end, "activity")
        words = ["baton", "advertise", "--type", TYPE, "--title", title, *arguments]
        laptop.begin("activity", "ada", *words, **properties)

    def wait_for_offer(self, title):
        return wait_until(
            lambda: next((offer for offer in self.offers() if offer.get("title") == title), None), f"{title} is offered"
        )

    def wait_for_no_offer(self):
        wait_until(lambda: not self.offers(), "nothing is offered")

    def test_an_activity_is_handed_off(self):
        self.advertise("Plan")
        offer = self.wait_for_offer("Plan")
        self.assertEqual(offer["device"], "laptop")
        count = self.counters(laptop)["activitiesHandedOver"]
        continued = desktop.baton("continue", offer["id"], user="ada")
        self.assertEqual(continued["activity"]["title"], "Plan")
        wait_until(lambda: self.counters(laptop)["activitiesHandedOver"] > count, "the laptop knows")
        filters = ("-u", "batond", f"BATON_ACTIVITY={offer['id']}")
        entry = wait_until(lambda: desktop.journal(*filters), "it is in the journal")[0]
        self.assertEqual((entry["BATON_PEER"], entry["PRIORITY"]), ("laptop", "6"))
        # The journal tells that something went on, and not what.
        for machine in (laptop, desktop):
            self.assertNotIn("Plan", json.dumps(machine.journal("-u", "batond")))

    def install_app(self, user):
        """An app on the desktop, for one user.

        :returns: The file that it reports to.
        """
        folder = f"/home/{user}/.local/share/applications"
        report = f"/home/{user}/notes.report"
        desktop.as_user(user, "mkdir", "-p", folder)
        entry = (
            f"[Desktop Entry]\nType=Application\nName=Notes\nX-Baton-ActivityTypes={TYPE}\n"
            f"Exec=python3 {LIBRARY / 'desktop_app.py'} {report} {TYPE}\n"
        )
        # At once whole, as packages do it.
        desktop.as_user(user, "tee", f"{folder}/new", text=entry)
        desktop.as_user(user, "mv", f"{folder}/new", f"{folder}/org.example.Notes.desktop")
        return report

    def report(self, path, event):
        """The last report of an app on what happened to it."""
        status, text, _ = desktop.ask("cat", path)
        lines = [json.loads(line) for line in text.splitlines(True) if line.endswith("\n")] if status == 0 else []
        return next((line for line in reversed(lines) if line["event"] == event), None)

    def begin_agent(self, user):
        self.addCleanup(desktop.end_manager, user)
        desktop.begin_manager(user)
        desktop.as_user(user, "systemctl", "--user", "start", "baton-agent")
        # Each user has an index of their own.
        socket = f"{desktop.runtime(user)}/baton/search.sock"
        self.assertEqual(desktop.run("stat", "-c", "%U %a", socket).strip(), f"{user} 600")

    def test_an_activity_is_handed_off_to_an_app_that_the_agent_starts(self):
        reports = {}
        for user in ("ada", "bob"):
            reports[user] = self.install_app(user)
            self.begin_agent(user)
        events = "/run/activity.events"
        before = self.counters(desktop, user="bob")
        self.advertise(
            "Travel", "--info", "page=7", "--info-json", '{"places": ["Oslo", 3]}', "--json",
            StandardOutput=f"truncate:{events}",
        )
        offer = self.wait_for_offer("Travel")
        # Bob has the same app, and an agent.
        status, output, errors = desktop.ask("runuser", "-u", "bob", "--", "baton", "open", offer["id"])
        self.assertEqual(status, 4, output + errors)
        self.assertNotIn("Travel", output + errors)

        desktop.as_user("ada", "baton", "open", offer["id"])
        started = wait_until(lambda: self.report(reports["ada"], "started"), "the app is there")
        activity = wait_until(lambda: self.report(reports["ada"], "continued"), "it has the activity")["activity"]
        self.assertEqual(activity["title"], "Travel")
        self.assertEqual(activity["userInfo"], {"page": "7", "places": ["Oslo", 3]})
        process = f"/proc/{started['pid']}"
        self.assertEqual(desktop.run("stat", "-c", "%U", process).strip(), "ada")
        user = desktop.run("id", "-u", "ada").strip()
        self.assertRegex(
            desktop.run("cat", f"{process}/cgroup"),
            rf"/user@{user}\.service/app\.slice/app-baton-org\.example\.Notes-[0-9a-f]+\.scope\n",
        )

        def continued():
            lines = [json.loads(line) for line in laptop.run("cat", events).splitlines(True) if line.endswith("\n")]
            return next((line for line in lines if line["event"] == "continued"), None)

        self.assertEqual(wait_until(continued, "the laptop knows")["device"], "desktop")
        self.wait_for_no_offer()
        # Nothing of it has reached Bob: no app, no word, no number.
        self.assertIsNone(self.report(reports["bob"], "started"))
        self.assertEqual(self.counters(desktop, user="bob"), before)
        user = desktop.run("id", "-u", "bob").strip()
        self.assertNotIn("Travel", json.dumps(desktop.journal(f"_UID={user}")))
        said = [entry["MESSAGE"] for entry in desktop.journal(f"_UID={user}", "_SYSTEMD_USER_UNIT=baton-agent.service")]
        self.assertTrue(said)
        self.assertNotIn(offer["id"], " ".join(said))

    def test_a_local_page_outlives_restarts_of_batond_and_says_why_if_an_agent_restarts(self):
        address = "http://laptop.localhost:8000/"
        for machine in (laptop, desktop):
            self.addCleanup(machine.end_manager, "ada")
            machine.begin_manager("ada")
            machine.as_user("ada", "systemctl", "--user", "start", "baton-agent")
        for unit, *command in (("server", "-m", "http.server", "8000", "--bind", "127.0.0.1", "--directory", LIBRARY),
                               ("page", LIBRARY / "page_host.py", "http://localhost:8000/", "My app")):
            self.addCleanup(laptop.end, unit)
            laptop.begin(unit, "ada", "env", f"XDG_RUNTIME_DIR={laptop.runtime('ada')}", "python3", *command)
        laptop.as_user("ada", "baton", "ports", "--allow", "8000")

        def get():
            return desktop.ask(*desktop.command_of("ada", "curl", "--silent", "--max-time", "20", address))[1]

        def open_page():
            desktop.as_user("ada", "baton", "open", self.wait_for_offer("My app")["id"])
            wait_until(lambda: "Directory listing for /" in get(), "the page is shown")

        open_page()
        for machine in (laptop, desktop):
            process = machine.show("batond", "MainPID")
            machine.systemctl("reset-failed", "batond")
            machine.systemctl("restart", "batond")
            self.assertNotEqual(machine.show("batond", "MainPID"), process)
            # Nobody continues it again: systemd has kept its stream.
            self.assertIn("Directory listing for /", get())
            self.wait_for_session()
            self.assertIn("Directory listing for /", get())
        laptop.systemctl("restart", "server")
        wait_until(lambda: "Directory listing for /" in get(), "the server is back")
        laptop.as_user("ada", "systemctl", "--user", "restart", "baton-agent")
        # The stream may end before the reason arrives.
        wait_until(lambda: re.search("agent isn't running on laptop|laptop is asleep, locked or out of reach", get()), "the page says why")
        # As the person does who goes back to the page.
        laptop.systemctl("restart", "page")
        open_page()

    def test_another_user_of_the_same_machine_sees_nothing(self):
        self.advertise("Secret")
        offer = self.wait_for_offer("Secret")
        for machine in (laptop, desktop):
            self.assertEqual(machine.baton("list", user="bob")["offers"], [])
            self.assertEqual(machine.baton("team", "list", user="bob")["teams"], [])
            self.assertEqual(machine.baton("peers", user="bob")["peers"], [])
            self.assertIsNone(machine.baton("status", user="bob").get("current"))
            status, output, errors = machine.ask("runuser", "-u", "bob", "--", "baton", "continue", offer["id"])
            self.assertNotEqual(status, 0)
            self.assertNotIn("Secret", output + errors)
            self.assertNotIn("Secret", machine.show("batond", "StatusText"))
        # Nor can Bob look into the state, or at the process.
        for path in ("/var/lib/baton/", f"/proc/{desktop.show('batond', 'MainPID')}/fd"):
            self.assertNotEqual(desktop.ask("runuser", "-u", "bob", "--", "ls", path)[0], 0, path)

    def test_the_activity_of_a_user_who_logs_out_is_gone(self):
        self.advertise("Draft", PAMName="login")
        self.wait_for_offer("Draft")
        laptop.run("loginctl", "terminate-user", "ada")
        self.wait_for_no_offer()

    def adverts(self):
        """What the desktop hears from the laptop by multicast, whichever address of it is told; nothing where it cannot say."""
        text = laptop.run("ip", "-j", "address", "show", "host0")
        addresses = {address["local"] for address in json.loads(text)[0]["addr_info"]}
        # It waits for ever for the address of what goes while it asks.
        browse = ("timeout", "10", "avahi-browse", "--resolve", "--parsable", "--terminate", "_baton._tcp")
        status, output, _ = desktop.ask(*browse)
        if status != 0:
            return None
        return [line for line in output.splitlines() if line.startswith("=") and line.split(";")[7] in addresses]

    def test_a_stop_withdraws_the_advert_and_a_start_brings_it_back(self):
        wait_until(self.adverts, "the laptop is announced")
        laptop.systemctl("stop", "batond.socket")
        wait_until(lambda: self.adverts() == [], "the laptop is announced no more")
        wait_until(lambda: desktop.baton("status", user="ada")["sessions"] == 0, "the session is over")
        laptop.systemctl("start", "batond")
        wait_until(self.adverts, "the laptop is announced again")
        self.wait_for_session()

    def test_the_status_of_the_service_tells_nothing_of_teams_and_peers(self):
        self.assertEqual(desktop.baton("status", user="ada")["sessions"], 1)
        status, output, errors = desktop.ask("runuser", "-u", "bob", "--", "systemctl", "show", "-P", "StatusText", "batond")
        self.assertEqual((status, output), (0, "TCP port 22866; discovery is running\n"), errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
