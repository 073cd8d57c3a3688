# SPDX-License-Identifier: Apache-2.0
"""Another user of the machine sends signals on the system bus, as if they came from the login manager or the bus."""
# Labs: pair
import os
import pathlib
import subprocess

from hostile_server import processor_time
from lab import HOSTS, PATIENCE, ROOT, LabTest, on, wait_until
from test_clipboard import Machine
from test_wake import FakeLogind, Unnamed, is_there

# www-data, which each Debian has, because the bus turns away users without a name.
STRANGER = 33
NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = NAME + ".Manager"


class SpoofedSignalTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        if not (is_there("dbus") and is_there("gi.repository.GLib")):
            self.skipTest("needs python3-dbus and python3-gi")
        lab = pathlib.Path(os.environ["LAB_DIR"])
        # Others may connect to the bus.
        for directory in (lab.parent, lab, lab / HOSTS[0]):
            mode = directory.stat().st_mode & 0o777
            self.addCleanup(directory.chmod, mode)
            directory.chmod(mode | 0o011)
        self.logind = FakeLogind(self, self.host(0))
        self.laptop = Unnamed(self, self.host(0), "laptop", self.directory, prefix=("unshare", "--uts")).start()
        self.desktop = self.batond("desktop", 1).start()
        self.make_team(self.laptop, self.desktop)
        self.logind.expect("inhibited")
        self.logind.obey(f"add c1 {os.getuid()} x11")
        _, self.activity = self.laptop.publish(title="A")
        self.desktop.wait_for_offer(self.activity)

    def spoof(self, *words):
        """Returns when all programs on the bus have handled the signal."""
        command = on(HOSTS[0], "/usr/bin/python3", ROOT / "Tests/Lab/spoof_signals.py", STRANGER, *words)
        subprocess.run(command, check=True, timeout=PATIENCE)

    def spoof_owner(self, owner):
        self.spoof("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", f"s:{NAME}", "s::1.0", f"s:{owner}")

    def withheld(self):
        return self.laptop.call("GetStatus").get("withheld")

    def lock(self):
        self.logind.obey("lock c1")
        self.desktop.wait_until_not_offered(self.activity)

    def test_a_user_does_not_put_batond_to_sleep(self):
        self.spoof(PATH, MANAGER, "PrepareForSleep", "b:1")
        self.assertIsNone(self.withheld())
        # The true one counts.
        self.logind.obey("sleep")
        wait_until(lambda: self.withheld() == "asleep", "it sleeps")
        self.spoof(PATH, MANAGER, "PrepareForSleep", "b:0")
        self.assertEqual(self.withheld(), "asleep")
        self.logind.obey("wake")
        wait_until(lambda: self.withheld() is None, "it wakes")

    def test_a_user_does_not_unlock_anothers_screen(self):
        self.lock()
        self.spoof_owner("")
        self.spoof(PATH, MANAGER, "SessionRemoved", "s:c1", f"o:{PATH}/session/_c1")
        self.assertEqual(self.withheld(), "screenLocked")
        self.assertEqual(self.desktop.offers(), [])
        self.logind.obey("unlock c1")
        self.desktop.wait_for_offer(self.activity)

    def test_a_user_is_not_taken_for_the_login_manager(self):
        # What this user sends afterwards does not count, either.
        self.spoof_owner(":1.0")
        self.spoof(PATH, MANAGER, "PrepareForSleep", "b:1")
        self.assertIsNone(self.withheld())

    def test_a_login_manager_that_is_restarted_is_heard(self):
        self.logind.obey("drop")
        self.logind.obey("own")
        self.lock()
        self.assertEqual(self.withheld(), "screenLocked")

    def test_a_user_does_not_rename_the_machine(self):
        self.laptop.name_host("another")
        self.spoof("/org/freedesktop/hostname1", "org.freedesktop.DBus.Properties", "PropertiesChanged")
        self.assertNotEqual(self.laptop.call("GetStatus")["device"], "another")
        self.logind.obey("hostname")
        wait_until(lambda: self.laptop.call("GetStatus")["device"] == "another", "it reads its name")

    def test_a_user_who_ends_discovery_again_and_again_costs_little(self):
        """This bus has no policy, like that for a batond of a user's own. Avahi's library believes the signal."""
        before, began = processor_time(self.laptop.process.pid), len(self.laptop.log_text().splitlines())
        self.spoof("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", "--repeat", "5",
                   "s:org.freedesktop.Avahi", "s::1.0", "s:")
        used = processor_time(self.laptop.process.pid) - before
        lines = [line for line in self.laptop.log_text().splitlines()[began:] if "Avahi" in line]
        print(f"         {used / 5:.0%} of a core, {len(lines)} lines")
        self.assertLess(used / 5, 0.1)
        self.assertLess(len(lines), 12)
        wait_until(lambda: self.laptop.call("GetStatus")["discovery"] == "running", "Avahi is used again")

    def test_a_user_does_not_unlock_anothers_agent(self):
        bus = subprocess.run(on(self.host(0), "printenv", "DBUS_SYSTEM_BUS_ADDRESS"), capture_output=True, text=True)
        machine = Machine(self, self.laptop, DBUS_SYSTEM_BUS_ADDRESS=bus.stdout.strip())
        machine.start()
        machine.copy(b"text")
        self.logind.obey("lock c1")
        wait_until(lambda: not machine.copies(), "the agent knows that the screen is locked")
        machine.copy(b"more", status=5)
        self.spoof_owner("")
        machine.copy(b"more", status=5)
