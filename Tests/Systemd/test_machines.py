"""Two booted machines on one wire, and the people who use them; see Tests/run-systemd."""
import json
import os
import unittest

from machine import Machine, OtherMachine, wait_until

laptop = Machine()
desktop = OtherMachine(os.environ.get("BATON_OTHER_MACHINE", ""))
LAPTOP_ADDRESS = "10.71.0.1"


class MachinesTest(unittest.TestCase):
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
            machine.baton("team", "leave", cls.team, user="ada")
            machine.systemctl("stop", "batond.socket")

    @classmethod
    def wait_for_session(cls):
        for machine in (laptop, desktop):
            wait_until(lambda: machine.baton("status", user="ada")["sessions"] == 1, "the machines are connected")

    def offers(self, user="ada"):
        return desktop.baton("list", user=user)["offers"]

    def advertise(self, title, **properties):
        """An activity of Ada's on the laptop."""
        self.addCleanup(laptop.end, "activity")
        laptop.begin(
            "activity", "ada", "baton", "advertise", "--type", "org.example.notes", "--title", title, **properties
        )

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
        continued = desktop.baton("continue", offer["id"], user="ada")
        self.assertEqual(continued["activity"]["title"], "Plan")
        wait_until(
            lambda: laptop.baton("status", user="ada")["counters"]["activitiesHandedOver"] == 1, "the laptop knows"
        )
        text = desktop.run("journalctl", "-q", "-o", "json", "-u", "batond", f"BATON_ACTIVITY={offer['id']}")
        entry = json.loads(text.splitlines()[0])
        self.assertEqual((entry["BATON_PEER"], entry["PRIORITY"]), ("laptop", "6"))
        # The journal tells that something went on, and not what.
        for machine in (laptop, desktop):
            self.assertNotIn("Plan", machine.run("journalctl", "-q", "-o", "json", "-u", "batond"))

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
        """What the desktop hears from the laptop by multicast."""
        lines = desktop.run("avahi-browse", "--resolve", "--parsable", "--terminate", "_baton._tcp").splitlines()
        return [line for line in lines if line.startswith("=") and line.split(";")[7] == LAPTOP_ADDRESS]

    def test_a_stop_withdraws_the_advert_and_a_start_brings_it_back(self):
        wait_until(self.adverts, "the laptop is announced")
        laptop.systemctl("stop", "batond.socket")
        wait_until(lambda: not self.adverts(), "the laptop is announced no more")
        self.assertEqual(desktop.baton("status", user="ada")["sessions"], 0)
        laptop.systemctl("start", "batond")
        wait_until(self.adverts, "the laptop is announced again")
        self.wait_for_session()

    def test_what_is_connected_is_in_the_status_of_the_service(self):
        self.advertise("Page")
        self.wait_for_offer("Page")
        wait_until(
            lambda: desktop.show("batond", "StatusText").startswith("1 peer connected, 1 offer, 0 streams; 1 team"),
            "the offer is counted",
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
