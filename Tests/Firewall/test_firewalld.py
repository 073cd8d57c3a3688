# SPDX-License-Identifier: Apache-2.0
"""Real firewalld, opened for a user over D-Bus, with real polkit; see Scripts/run-firewall."""
import pathlib
import re
import unittest

from firewalled import PASSWORD, Firewalled, Person, here, run
from waiting import wait_until

RULE = pathlib.Path("/etc/polkit-1/rules.d/10-test.rules")
POLICY = "/usr/share/polkit-1/actions/org.fedoraproject.FirewallD1"
ZONES = pathlib.Path("/etc/firewalld")
QUESTION = r"Open it permanently in the zone (\w+), for your other machines\? \[Y/n\]"


def ports(*options):
    return set(run("firewall-cmd", *options, "--list-ports").split())


class FirewalldTests(Firewalled):
    def setUp(self):
        self.start()
        super().setUp()
        self.addCleanup(lambda: RULE.unlink(missing_ok=True))
        self.before = self.rules()
        # Nobody was asked for a password who was only looking.
        self.since = run("date", "+%F %T").strip()

    def start(self, policy="desktop"):
        """firewalld as after its installation, with the policy for desktops, or with Debian's default, that for servers."""
        run("systemctl", "stop", "firewalld", "ufw")
        RULE.unlink(missing_ok=True)
        run("update-alternatives", "--set", "org.fedoraproject.FirewallD1.policy", f"{POLICY}.{policy}.policy.choice")
        run("systemctl", "restart", "polkit")
        for folder in ("zones", "policies", "services"):
            run("find", ZONES / folder, "-type", "f", "-delete")
        run("sed", "-i", "s/^DefaultZone=.*/DefaultZone=public/", ZONES / "firewalld.conf")
        run("systemctl", "start", "firewalld")
        wait_until(lambda: here.ask("firewall-cmd", "--state")[0] == 0, "firewalld runs")

    def rules(self):
        return [run("firewall-cmd", *options, "--list-all-zones") for options in ((), ("--permanent",))]

    def allow(self, action):
        """Lets ada do this without a password."""
        RULE.write_text(
            f'polkit.addRule(function(action, subject) {{ if (action.id == "{action}" && subject.user == "ada") return "yes"; }});\n')
        run("systemctl", "restart", "polkit")

    def create(self, answer="y", password=None):
        """Creates a team at a terminal. Returns what is shown after the answer."""
        person = Person("baton", "team", "create", "Home")
        person.expect("Created the team")
        person.expect(QUESTION)
        person.type(answer)
        if password is not None:
            person.type_password(password)
        shown, status = person.finish()
        self.assertEqual(status, 0, shown)
        return shown

    def test_the_doctor_finds_what_is_shut_and_asks_nobody(self):
        [finding] = self.findings()
        self.assertEqual((finding["outcome"], finding["reason"]), ("failed", "portClosed"))
        self.assertIn("TCP port 22866 and multicast DNS on lan0 (zone public)", finding["detail"])
        self.assertFalse(self.is_reachable())
        self.assertEqual(self.rules(), self.before)
        self.assertNotIn("AUTHENTICATION", run("journalctl", "-q", "-u", "polkit", "--since", self.since).upper())
        # Its advice is true: after it, the other machine connects and the doctor is content. And what undoes it is, too.
        [open, close] = re.findall(r"`([^`]+)`", finding["advice"])
        run("sh", "-c", open.replace("sudo ", ""))
        self.assertTrue(self.is_reachable())
        self.assertEqual([each["outcome"] for each in self.findings()], ["passed"])
        run("sh", "-c", close.replace("sudo ", ""))
        self.assertEqual(self.rules(), self.before)
        self.assertEqual([each["outcome"] for each in self.findings()], ["failed"])

    def test_without_a_terminal_it_is_never_opened(self):
        for words in (("team", "create", "Home"), ("setup", "--yes", "--team", "Home")):
            status, output, errors = here.ask("runuser", "-u", "ada", "--", "env", "HOME=/home/ada", "baton", *words)
            self.assertEqual(status, 0, output + errors)
            self.assertIn("sudo firewall-cmd --permanent --zone=public --add-port=22866/tcp && ", output + errors)
        here.baton("setup", user="ada")
        here.baton("team", "create", "Other", user="ada")
        self.assertEqual(self.rules(), self.before)

    def test_no_is_no(self):
        shown = self.create("n")
        self.assertIn("To open it, run `sudo firewall-cmd", shown)
        self.assertEqual(self.rules(), self.before)

    def test_an_administrators_password_opens_it_until_it_is_undone(self):
        self.assertFalse(self.is_reachable())
        shown = self.create(password=PASSWORD)
        self.assertIn("Opened the firewall in the zone public.", shown)
        self.assertIn("22866/tcp", ports() & ports("--permanent"))
        self.assertTrue(self.is_reachable())
        self.assertEqual([each["outcome"] for each in self.findings()], ["passed"])
        # It stays open.
        run("systemctl", "restart", "firewalld")
        self.assertTrue(self.is_reachable())
        # Nothing more is asked.
        person = Person("baton", "team", "create", "Work")
        self.assertNotIn("firewall", person.finish()[0])
        self.undo(shown)
        self.assertEqual(self.rules(), self.before)
        self.assertFalse(self.is_reachable())

    def test_a_wrong_password_leaves_it_shut(self):
        person = Person("baton", "team", "create", "Home")
        person.expect(QUESTION)
        person.type("y")
        person.type_password("wrong")
        person.expect("(?i)authentication failed|not authorized|Password:")
        person.press(b"\x03")
        shown, status = person.finish()
        self.assertEqual(status, 0, shown)
        self.assertIn("The firewall wasn't opened: nobody confirmed it with an administrator's password.", shown)
        self.assertEqual(self.rules(), self.before)

    def test_control_c_at_the_password_gives_the_terminal_back(self):
        person = Person("bash", "-c", "baton team create Home; stty -a | grep -c ' echo '")
        person.expect(QUESTION)
        person.type("")
        person.expect("Password:")
        person.press(b"\x03")
        shown, _ = person.finish()
        self.assertIn("wasn't opened", shown)
        self.assertTrue(shown.rstrip().endswith("\n1"), shown)
        self.assertEqual(self.rules(), self.before)

    def test_setup_opens_it_and_says_so(self):
        self.allow("org.fedoraproject.FirewallD1.config")
        person = Person("baton", "setup", "--team", "Home")
        person.expect(QUESTION)
        person.type("y")
        person.expect("Opened the firewall in the zone public.")
        person.expect("To undo this, run `sudo firewall-cmd")
        person.leave()
        self.assertIn("22866/tcp", ports() & ports("--permanent"))
        self.assertTrue(self.is_reachable())

    def test_joining_asks_before_it_looks_for_the_other_machine(self):
        self.allow("org.fedoraproject.FirewallD1.config")
        person = Person("baton", "team", "join", "ABCD-EFGH-JKMN")
        person.expect(QUESTION)
        person.type("y")
        person.expect("Opened the firewall")
        person.finish()
        self.assertTrue(self.is_reachable())

    def test_only_the_zone_of_the_interface_is_opened(self):
        run("firewall-cmd", "--zone=internal", "--change-interface=lan0")
        run("firewall-cmd", "--permanent", "--zone=internal", "--change-interface=lan0")
        self.allow("org.fedoraproject.FirewallD1.config")
        self.assertIn("zone internal", self.findings()[0]["detail"])
        # This zone lets in multicast DNS.
        self.assertNotIn("multicast", self.findings()[0]["detail"])
        self.create()
        self.assertIn("22866/tcp", ports("--zone=internal"))
        self.assertNotIn("22866/tcp", ports("--zone=public"))
        self.assertTrue(self.is_reachable())

    def test_rules_for_other_networks_do_not_count(self):
        for words in (
            ("--add-rich-rule=rule family=ipv4 source address=192.168.0.0/16 port port=22866 protocol=tcp accept", "--add-service=mdns"),
            ("--add-rich-rule=rule family=ipv6 port port=22866 protocol=tcp accept", "--add-service=mdns"),
            ("--add-rich-rule=rule family=ipv4 source NOT address=10.9.0.0/24 port port=22866 protocol=tcp accept", "--add-service=mdns"),
            ("--zone=trusted --add-source=192.168.0.0/16",),
        ):
            with self.subTest(words=words):
                self.start()
                for word in words:
                    run("firewall-cmd", *(word.split() if word.startswith("--zone") else [word]))
                self.assertFalse(self.is_reachable())
                self.assertEqual([each["outcome"] for each in self.findings()], ["failed"])

    def test_opening_is_all_or_nothing(self):
        """The first of two rules is removed again if firewalld refuses the second."""
        service = pathlib.Path("/usr/lib/firewalld/services/mdns.xml")
        text = service.read_text()
        service.unlink()
        self.addCleanup(service.write_text, text)
        for zone in pathlib.Path("/usr/lib/firewalld/zones").glob("*.xml"):
            content = zone.read_text()
            self.addCleanup(zone.write_text, content)
            zone.write_text(content.replace('<service name="mdns"/>', ""))
        run("systemctl", "restart", "firewalld")
        wait_until(lambda: here.ask("firewall-cmd", "--state")[0] == 0, "firewalld runs")
        before = self.rules()
        self.allow("org.fedoraproject.FirewallD1.config")
        shown = self.create()
        self.assertIn("The firewall wasn't opened: ", shown)
        self.assertNotIn("To undo", shown)
        self.assertEqual(self.rules(), before)

    def test_only_what_was_added_is_undone(self):
        run("firewall-cmd", "--permanent", "--zone=public", "--add-port=22866/tcp")
        run("firewall-cmd", "--zone=public", "--add-port=4000/tcp")
        before = self.rules()
        self.allow("org.fedoraproject.FirewallD1.config")
        shown = self.create()
        self.assertIn("Opened the firewall", shown)
        self.assertTrue(self.is_reachable())
        self.undo(shown)
        self.assertEqual(self.rules(), before)

    def test_whatever_opens_it_counts(self):
        for words in (
            ("--set-default-zone=trusted",),
            ("--add-port=22000-23000/tcp", "--add-service=mdns"),
            ("--add-rich-rule=rule family=ipv4 source address=10.9.0.0/24 port port=22866 protocol=tcp accept", "--add-service=mdns"),
            ("--add-protocol=tcp", "--add-protocol=udp"),
        ):
            with self.subTest(words=words):
                self.start()
                for word in words:
                    run("firewall-cmd", word)
                self.assertTrue(self.is_reachable())
                self.assertEqual([each["outcome"] for each in self.findings()], ["passed"])
        self.start()
        run("firewall-cmd", "--set-default-zone=trusted")
        run("firewall-cmd", "--zone=trusted", "--add-rich-rule=rule port port=22866 protocol=tcp drop")
        self.assertFalse(self.is_reachable())
        self.assertIn("TCP port 22866 on lan0 (zone trusted)", self.findings()[0]["detail"])

    def test_senders_that_may_connect_were_chosen(self):
        run("firewall-cmd", "--zone=home", "--add-source=10.9.0.0/24")
        run("firewall-cmd", "--zone=home", "--add-service=baton")
        self.assertTrue(self.is_reachable())
        self.assertEqual([each["outcome"] for each in self.findings()], ["passed"])

    def test_another_port(self):
        self.configure("Port=4000")
        self.allow("org.fedoraproject.FirewallD1.config")
        self.assertIn("TCP port 4000", self.findings()[0]["detail"])
        shown = self.create()
        self.assertTrue(self.is_reachable(4000))
        self.assertFalse(self.is_reachable(22866))
        self.undo(shown)
        self.assertEqual(self.rules(), self.before)

    def test_any_port(self):
        self.configure("Port=0")
        [finding] = self.findings()
        self.assertEqual(finding["outcome"], "note")
        self.assertIn("Set a fixed Port=", finding["advice"])

    def test_the_rules_of_others_outlive_baton(self):
        """firewalld refuses all of its configuration if a zone names a service that no longer exists."""
        run("firewall-cmd", "--permanent", "--zone=public", "--add-port=4000/tcp")
        self.addCleanup(run, "firewall-cmd", "--permanent", "--zone=public", "--remove-port=4000/tcp")
        self.allow("org.fedoraproject.FirewallD1.config")
        shown = self.create()
        self.assertIn("Opened the firewall", shown)
        service = pathlib.Path("/usr/lib/firewalld/services/baton.xml")
        text = service.read_text()
        service.unlink()
        self.addCleanup(service.write_text, text)
        run("systemctl", "restart", "firewalld")
        wait_until(lambda: here.ask("firewall-cmd", "--state")[0] == 0, "firewalld runs")
        self.assertEqual({"4000/tcp", "22866/tcp"} - ports(), set())
        self.undo(shown)
        self.assertNotIn("22866/tcp", ports() | ports("--permanent"))

    def test_rules_that_only_root_may_see(self):
        """Debian's policy lets nobody look without a password, so nobody is made to type one for that."""
        self.start("server")
        [finding] = self.findings()
        self.assertEqual(finding["outcome"], "note")
        self.assertIn("Only root can see its rules", finding["detail"])
        self.assertEqual(self.findings("root")[0]["outcome"], "failed")
        # Who agrees to open it types it once.
        shown = self.create(password=PASSWORD)
        self.assertIn("Opened the firewall in the zone public.", shown)
        self.assertTrue(self.is_reachable())
        self.assertEqual(self.findings("root")[0]["outcome"], "passed")
        # What is open already stays as it is.
        person = Person("baton", "team", "create", "Work")
        person.expect(QUESTION)
        person.type("y")
        person.type_password(PASSWORD)
        self.assertIn("Opened the firewall", person.finish()[0])
        self.undo(shown)
        self.assertEqual(self.rules(), self.before)

    def test_without_firewalld_nothing_is_said(self):
        run("systemctl", "stop", "firewalld")
        self.assertEqual(self.findings(), [])
        person = Person("baton", "team", "create", "Home")
        self.assertNotIn("firewall", person.finish()[0])
        # Nobody has started it.
        self.assertNotEqual(here.ask("systemctl", "is-active", "firewalld")[0], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
