# SPDX-License-Identifier: Apache-2.0
"""Real ufw, opened through pkexec; see Scripts/run-firewall."""
import re
import unittest

from firewalled import PASSWORD, Firewalled, Person, here, run

QUESTION = r"Open it permanently, for your other machines\? \[Y/n\]"


class UfwTests(Firewalled):
    def setUp(self):
        run("systemctl", "stop", "firewalld")
        run("ufw", "--force", "reset")
        run("ufw", "--force", "enable")
        self.addCleanup(run, "ufw", "--force", "disable")
        super().setUp()

    def create(self, answer="y"):
        person = Person("baton", "team", "create", "Home")
        person.expect(QUESTION)
        person.type(answer)
        return person

    def test_the_doctor_says_what_it_can_see(self):
        [finding] = self.findings()
        self.assertEqual(finding["outcome"], "note")
        self.assertIn("ufw is active, and may block TCP port 22866. Only root can see its rules.", finding["detail"])
        [finding] = self.findings("root")
        self.assertEqual((finding["outcome"], finding["reason"]), ("failed", "portClosed"))
        self.assertFalse(self.is_reachable())
        [open, close] = re.findall(r"`([^`]+)`", finding["advice"])
        run("sh", "-c", open.replace("sudo ", ""))
        self.assertTrue(self.is_reachable())
        self.assertEqual([each["outcome"] for each in self.findings("root")], ["passed"])
        run("sh", "-c", close.replace("sudo ", ""))
        self.assertFalse(self.is_reachable())
        self.assertEqual([each["outcome"] for each in self.findings("root")], ["failed"])

    def test_a_password_opens_it(self):
        person = self.create()
        person.type_password(PASSWORD)
        shown, status = person.finish()
        self.assertEqual(status, 0, shown)
        self.assertIn("Opened the firewall.", shown)
        self.assertIn("Baton", run("ufw", "status"))
        self.assertTrue(self.is_reachable())
        self.undo(shown)
        self.assertNotIn("Baton", run("ufw", "status"))

    def test_without_a_password_it_stays_shut(self):
        person = self.create()
        person.expect("Password:")
        person.press(b"\x03")
        shown, status = person.finish()
        self.assertEqual(status, 0, shown)
        self.assertIn("The firewall wasn't opened", shown)
        self.assertIn("sudo ufw allow Baton", shown)
        self.assertFalse(self.is_reachable())

    def test_no_and_no_terminal(self):
        shown, _ = self.create("n").finish()
        self.assertIn("sudo ufw allow Baton", shown)
        status, output, errors = here.ask("runuser", "-u", "ada", "--", "baton", "team", "create", "Work")
        self.assertEqual(status, 0)
        self.assertIn("sudo ufw allow Baton", errors)
        self.assertNotIn("sudo", output)
        self.assertFalse(self.is_reachable())

    def test_root_sees_what_opens_it(self):
        for words in (("allow", "22866"), ("allow", "22000:23000/tcp"), ("allow", "from", "10.9.0.0/24"), ("default", "allow"), ("limit", "Baton")):
            with self.subTest(words=words):
                run("ufw", "--force", "reset")
                run("ufw", "default", "deny")
                run("ufw", "--force", "enable")
                run("ufw", *words)
                self.assertTrue(self.is_reachable())
                self.assertEqual([each["outcome"] for each in self.findings("root")], ["passed"])
        run("ufw", "default", "allow")
        run("ufw", "--force", "reset")
        run("ufw", "default", "deny")
        run("ufw", "--force", "enable")
        for words in (("deny", "22866/tcp"), ("allow", "22866/tcp")):
            run("ufw", *words)
        # A denial after which the same is allowed takes its place.
        self.assertEqual(self.is_reachable(), self.findings("root")[0]["outcome"] == "passed")

    def test_rules_for_others_do_not_count(self):
        for words in (
            ("allow", "from", "192.168.0.0/16"), ("allow", "in", "on", "wlan0", "to", "any", "port", "22866"),
            ("allow", "proto", "tcp", "to", "192.168.1.5", "port", "22866"), ("allow", "proto", "tcp", "to", "::/0", "port", "22866"),
            ("allow", "proto", "tcp", "from", "any", "port", "53", "to", "any", "port", "22866"),
        ):
            with self.subTest(words=words):
                run("ufw", "--force", "reset")
                run("ufw", "--force", "enable")
                run("ufw", *words)
                self.assertFalse(self.is_reachable())
                self.assertEqual([each["outcome"] for each in self.findings("root")], ["failed"])

    def test_another_port(self):
        self.configure("Port=4000")
        self.assertIn("ufw allow 4000/tcp", self.findings()[0]["advice"])
        run("ufw", "allow", "4000/tcp")
        self.assertTrue(self.is_reachable(4000))
        self.assertEqual([each["outcome"] for each in self.findings("root")], ["passed"])

    def test_a_firewall_that_is_off_is_not_mentioned(self):
        run("ufw", "--force", "disable")
        self.assertEqual(self.findings(), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
