# SPDX-License-Identifier: Apache-2.0
"""Two Debians that have nothing of Baton but what a format brings hand over to each other; see Scripts/run-distribution.

BATON_FORMAT is `archive` or `extension`. The laptop is a Debian 12 and the desktop a Debian 13. Both run outside of this program.
The tests are one story, in their order.
"""
import json
import os
import pathlib
import sys
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Tests/Lab"))
from machine import Failed, OtherMachine  # noqa: E402
from waiting import TestCase, wait_until  # noqa: E402

SHARE = pathlib.Path(os.environ["BATON_SHARE"])
FORMAT = os.environ["BATON_FORMAT"]
INSTALL = {
    "archive": ["sh /archive/old/install.sh"],
    "extension": [
        "mkdir -p /var/lib/extensions && cp /archive/baton.raw /var/lib/extensions/",
        "systemd-sysext merge",
        "/usr/lib/baton/extension start",
    ],
}[FORMAT]
UNINSTALL = {
    "archive": ["sh /opt/baton/lib/baton/install.sh uninstall"],
    "extension": ["/usr/lib/baton/extension stop", "systemd-sysext unmerge", "rm /var/lib/extensions/baton.raw", "systemctl daemon-reload"],
}[FORMAT]
# A list of everything but state, configuration, and what changes by itself.
LIST = ("find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /lab -o -path /tmp -o -path /var/tmp -o -path /var/log"
        " -o -path /var/cache -o -path /home -o -path /root -o -path /var/lib/systemd -o -path '/etc/*-' -o -path /etc/.updated -o -path /var/.updated"
        " -o -path /usr/local/lib/baton-tests"
        " -o -path /var/lib/extensions -o -path /etc/baton -o -path /var/lib/baton -o -path /var/lib/private \\) -prune -o -print | sort")


class HandoverTest(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.laptop, cls.desktop = OtherMachine(SHARE / "laptop"), OtherMachine(SHARE / "desktop")
        wait_until(lambda: all((SHARE / name).exists() for name in ("laptop", "desktop")), "the machines are up", 90)
        cls.people = ((cls.laptop, "ada"), (cls.desktop, "ben"))
        cls.before = {}
        for machine, user in cls.people:
            machine.run("useradd", "--create-home", "--shell", "/bin/bash", user)
            machine.run("loginctl", "enable-linger", user)
            wait_until(lambda: machine.ask("test", "-S", f"{machine.runtime(user)}/systemd/private")[0] == 0, "the user's systemd runs")
            # The programs must run with the libraries that they bring.
            machine.run("bash", "-c", "rm -f /usr/lib/*/lib{sqlite3,ffi,avahi-client,wayland-client,xcb}.so*")
            cls.before[user] = machine.run("bash", "-c", LIST)

    def person(self, machine, user, line):
        return machine.as_user(user, "bash", "-c", line)

    def test_01_it_is_installed(self):
        for machine, user in self.people:
            for line in INSTALL:
                machine.run("bash", "-c", line)
            wait_until(lambda: machine.ask("systemctl", "is-active", "batond")[0] == 0, "batond runs")
            process = machine.show("batond", "MainPID")
            maps = machine.run("cat", f"/proc/{process}/maps")
            for library in ("libavahi-client", "libavahi-common"):
                self.assertRegex(maps, rf"/lib/baton/{library}\.so")
            wait_until(lambda: machine.ask(*machine.command_of(user, "systemctl", "--user", "is-active", "baton-agent"))[0] == 0, "the agent runs")

    def test_02_two_people_hand_over(self):
        self.person(self.laptop, "ada", "baton team create Home")
        code = json.loads(self.person(self.laptop, "ada", "baton team invite --json"))["code"]
        self.person(self.desktop, "ben", f"baton team join {code}")
        for machine, user in self.people:
            machine.wait_for_session(user)
        sums = {}

        def offer():
            line = "head -c 5000000 /dev/urandom >~/big && sha256sum <~/big && baton offer --type org.example.files --title Notes --stream <~/big"
            sums["laptop"] = self.person(self.laptop, "ada", line).split()[0]

        thread = threading.Thread(target=offer)
        thread.start()
        wait_until(lambda: "Notes" in self.person(self.desktop, "ben", "baton list"), "it's offered")
        sums["desktop"] = self.person(self.desktop, "ben", "baton continue --latest --stream | sha256sum").split()[0]
        thread.join()
        self.assertEqual(sums["laptop"], sums["desktop"])

    def test_03_the_agents_copy_and_paste(self):
        self.person(self.laptop, "ada", "echo hello | baton copy")

        def pasted():
            try:
                return self.person(self.desktop, "ben", "baton paste")
            except Failed:
                return None

        self.assertEqual(wait_until(pasted, "it can be pasted"), "hello\n")

    def test_04_a_restart_keeps_the_team(self):
        for machine, user in self.people:
            machine.systemctl("restart", "batond")
        for machine, user in self.people:
            machine.wait_for_session(user)

    def test_05_only_state_and_configuration_stay(self):
        for machine, user in self.people:
            for line in UNINSTALL:
                machine.run("bash", "-c", line)
            self.assertEqual(machine.run("bash", "-c", LIST), self.before[user])
            self.assertEqual(machine.show("batond", "LoadState"), "not-found")
            self.assertNotEqual(machine.ask("bash", "-c", "ls -l /proc/*/exe 2>/dev/null | grep -E '/batond?$'")[0], 0)
            self.assertEqual(machine.ask("test", "-d", "/var/lib/baton/teams")[0], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
