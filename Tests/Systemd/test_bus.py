# SPDX-License-Identifier: Apache-2.0
"""What other users of the machine send to batond on the system bus; see Scripts/run-systemd."""
import pathlib
import subprocess
import unittest

from machine import Machine
from waiting import PATIENCE, TestCase, wait_until

here = Machine()
LIBRARY = pathlib.Path(__file__).resolve().parent
WAITING, RUNNING = "Waiting for Avahi", "Avahi is running"
# www-data, which each Debian has.
STRANGER = 33


class BusTest(TestCase):
    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")
        # The bus has read its policy before the user was there.
        here.systemctl("reload", "dbus")
        here.run("ip", "link", "set", "lo", "multicast", "on")
        here.systemctl("reset-failed")
        # The journal has the lines of earlier tests, too.
        before = len(cls.lines())
        here.systemctl("restart", "batond")
        wait_until(lambda: any(RUNNING in line for line in cls.lines()[before:]), "Avahi is used")

    @classmethod
    def tearDownClass(cls):
        here.systemctl("stop", "batond.socket")

    @staticmethod
    def lines():
        command = ["journalctl", "--unit=batond", "--output=cat", "--no-pager"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.splitlines()

    def send(self, *words):
        """A user sends signals to all programs. Returns when the bus has passed them on, or has refused to."""
        command = ["/usr/bin/python3", LIBRARY / "spoof_signals.py", STRANGER, *words]
        subprocess.run(list(map(str, command)), check=True, timeout=60)

    def told(self, before):
        """How often batond has lost and found Avahi since it had said that many lines; and those lines."""
        lines = self.lines()[before:]
        return [sum(text in line for line in lines) for text in (WAITING, RUNNING)], lines

    def restart_avahi(self, before):
        """batond hears the bus and Avahi. Then it has handled what was sent before."""
        here.systemctl("restart", "avahi-daemon")
        wait_until(lambda: self.told(before)[0][1], "Avahi is used again")
        return self.told(before)

    def rename(self, name):
        """batond hears hostnamed. Then it has handled what was sent before."""
        here.run("hostnamectl", "hostname", name)
        wait_until(lambda: here.baton("status")["device"] == name, f"it is called {name}")

    def test_signals_of_users_change_nothing(self):
        before = len(self.lines())
        name = here.run("hostnamectl", "hostname").strip()
        self.addCleanup(self.rename, name)
        self.send("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b:1")
        for service in ("org.freedesktop.login1", "org.freedesktop.Avahi"):
            self.send("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", f"s:{service}", "s::1.0", "s:")
        self.rename("another")
        self.assertNotIn("withheld", here.baton("status"))
        self.assertEqual(self.restart_avahi(before)[0], [1, 1])

    def test_a_flood_of_signals_is_not_logged_and_takes_no_discovery_away(self):
        for path, interface, member, *words in (
            ("/org/example", "org.example.Forged", "Refused_a_connection"),
            ("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", "s:org.freedesktop.Avahi", "s::1.0", "s:"),
        ):
            before = len(self.lines())
            self.send(path, interface, member, "--repeat", 3, *words)
            told, lines = self.restart_avahi(before)
            self.assertEqual(told, [1, 1])
            self.assertEqual([line for line in lines if "Forged" in line or "WARNING" in line], [])


if __name__ == "__main__":
    unittest.main()
