# SPDX-License-Identifier: Apache-2.0
"""What is accepted of what other machines send: rules, quotas, sizes, and what people are asked and told."""
# Labs: lo

import json
import os
import signal
import subprocess

from desktop import FakeServer, SessionBus
from lab import freeze, wait_until
from test_agent import Agent
from test_transfers import STAGING, Machine, TransferTest


class RuleTests(TransferTest):
    def configure(self, *lines):
        self.desktop.write_settings("[Files]", *lines)

    def arrive(self, *paths):
        """Sends files that nobody has to accept."""
        self.send(*paths)
        wait_until(lambda: self.laptop.transfers()[0]["state"] in ("done", "failed"), f"{self.laptop.transfers()}")
        wait_until(lambda: self.desktop.transfers()[0]["state"] in ("done", "failed"), f"{self.desktop.transfers()}")
        reasons = {machine.transfers()[0].get("reason") for machine in (self.laptop, self.desktop)}
        self.assertEqual(len(reasons), 1, "both machines say the same")
        return reasons.pop()

    def test_a_rule_for_all(self):
        self.configure("Accept=always")
        self.assertIsNone(self.arrive(self.make("notes.txt", 1000)))
        self.assertEqual(self.desktop.names(), ["notes.txt"])
        self.configure("Accept=never")
        self.assertEqual(self.arrive(self.make("other.txt", 1000)), "notAllowed")
        self.assertEqual(self.desktop.names(), ["notes.txt"])

    def test_rules_for_a_machine(self):
        laptop = next(peer for peer in self.daemons[1].call("ListPeers")["peers"] if peer["device"] == "laptop")
        self.configure(f"AcceptFrom={laptop['deviceID']}")
        self.assertIsNone(self.arrive(self.make("notes.txt", 1000)))
        self.configure("Accept=always", f"RefuseFrom={laptop['deviceID']}")
        self.assertEqual(self.arrive(self.make("other.txt", 1000)), "notAllowed")

    def test_another_folder(self):
        folder = self.desktop.home / "in box"
        self.configure("Accept=always", f"Folder={folder}")
        self.assertIsNone(self.arrive(self.make("notes.txt", 1000)))
        self.assertEqual(set(os.listdir(folder)) - {STAGING}, {"notes.txt"})

    def test_a_size(self):
        self.configure("Accept=always", "MaximumSize=1000")
        self.assertEqual(self.arrive(self.make("large", 1001)), "tooLarge")
        self.assertIsNone(self.arrive(self.make("small", 1000)))
        self.assertEqual(self.desktop.names(), ["small"])

    def test_a_disk_that_would_be_too_full(self):
        self.configure("Accept=always", "KeepFree=1000T")
        self.assertEqual(self.arrive(self.make("notes.txt", 1)), "diskFull")

    def test_a_disk_that_would_have_too_many_files(self):
        """A disk has room for so many files, however small they are. As many of them as bytes stay free."""
        folder = self.desktop.home / "Disk"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,nr_inodes=2000", "none", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder])
        self.desktop.write_settings("[Files]", "Accept=always", f"Folder={folder}", "KeepFree=16M")
        for number in range(1600):
            self.make(f"many/{number}", content=b"")
        self.send(self.laptop.home / "many")
        wait_until(lambda: self.desktop.state() in (["done"], ["failed"]), f"{self.desktop.transfers()}")
        self.assertEqual(self.desktop.transfers()[0].get("reason"), "diskFull")
        self.assertGreater(os.statvfs(folder).f_favail, 1900)

    def test_a_quota(self):
        # Each file takes 4,096 bytes beside its content.
        self.configure("Accept=always", "Quota=200000")
        self.assertIsNone(self.arrive(self.make("first", 100_000)))
        self.assertEqual(self.arrive(self.make("second", 91_809)), "quotaExceeded")
        self.assertIsNone(self.arrive(self.make("third", 91_808)))
        # The agent remembers, even if nobody lists the transfers any longer.
        self.desktop.baton("transfers", "--all")
        self.assertEqual(self.desktop.transfers(), [])
        self.desktop.stop()
        self.desktop.start()
        self.assertEqual(self.arrive(self.make("fourth", 1)), "quotaExceeded")
        self.configure("Accept=always", "Quota=300000")
        self.assertEqual(self.arrive(self.make("fifth", 95_905)), "quotaExceeded")
        self.assertIsNone(self.arrive(self.make("sixth", 95_904)))

    def test_what_failed_is_tried_again_by_the_sender(self):
        self.configure("Accept=always", "MaximumSize=1000")
        path = self.make("large", 2000)
        self.assertEqual(self.arrive(path), "tooLarge")
        path.write_bytes(b"x" * 900)
        self.laptop.ask("Retry", id=self.laptop.transfers()[0]["id"])
        self.laptop.wait_for("done")
        self.assertEqual((self.desktop.arrived / "large").read_bytes(), b"x" * 900)
        self.assertEqual(self.laptop.transfers()[0]["title"], "large (900 bytes)")

    def test_what_differs_much_from_what_was_accepted(self):
        path = self.make("small", 10)
        self.send(path)
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        os.truncate(path, 100_000_000)
        self.desktop.accept()
        self.laptop.wait_for("failed")
        self.assertEqual(self.laptop.transfers()[0]["reason"], "notAsOffered")
        self.assertEqual(self.desktop.names(), [])
        # The sender looks again, and the other user is asked again.
        self.laptop.ask("Retry", id=self.laptop.transfers()[0]["id"])
        asked = self.desktop.accept()
        self.assertEqual(asked["title"], "small (100.0 MB)")
        self.laptop.wait_for("done")


class NotificationTests(TransferTest):
    def setUp(self):
        super(TransferTest, self).setUp()
        self.daemons = self.two()
        self.bus = SessionBus(self).start()
        self.server = FakeServer(self.bus)
        self.laptop = Machine(self, self.daemons[0])
        self.laptop.start()
        self.desktop = Machine(self, self.daemons[1], DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        Agent.start(self.desktop)
        wait_until(self.desktop.answers, "the agent answers")

    def test_a_person_accepts_and_opens_the_folder(self):
        report = self.desktop.home / "opened"
        self.desktop.program("xdg-open", f'#!/bin/sh\nprintf %s "$1" > {report}.new && mv {report}.new {report}\n')
        self.send(self.make("notes & <more>.txt", 1000))
        asked = self.server.wait_for(1)
        self.assertEqual(asked["summary"], "notes & <more>.txt (1.0 kB)")
        self.assertEqual(
            asked["actions"],
            ["default", "Accept", "continue", "Accept", "decline", "Decline", "mute", "Mute laptop"],
        )
        self.server.obey("invoke", asked["id"])
        arrived = self.server.wait_for(2)
        self.assertEqual(arrived["summary"], "Received from laptop")
        self.assertEqual(arrived["body"], "notes &amp; &lt;more&gt;.txt (1.0 kB)")
        self.assertEqual(self.desktop.names(), ["notes & <more>.txt"])
        # Its popup is over, and a list of old notifications still has it.
        self.server.obey("dismiss", arrived["id"], 1)
        self.server.obey("invoke", arrived["id"], "token", "default")
        wait_until(report.exists, "the folder is shown")
        self.assertEqual(report.read_text(), str(self.desktop.arrived))

    def test_baton_alone_says_that_files_wait(self):
        self.send(self.make("notes.txt", 1000))
        self.server.wait_for(1)
        waiting = self.desktop.transfers()[0]["id"][:8]
        self.assertRegex(
            self.desktop.baton().stdout, rf"notes.txt \(1.0 kB\), from laptop +baton transfers --accept {waiting}\n",
        )

    def test_a_person_declines(self):
        self.send(self.make("notes.txt", 1000))
        asked = self.server.wait_for(1)
        self.server.obey("invoke", asked["id"], "token", "decline")
        self.laptop.wait_for("failed")
        self.assertEqual(self.laptop.transfers()[0]["reason"], "declined")

    def test_what_was_accepted_elsewhere_asks_no_longer(self):
        self.send(self.make("notes.txt", 1000))
        asked = self.server.wait_for(1)
        self.desktop.accept()
        self.desktop.wait_for("done")
        self.assertEqual(self.server.wait_for(1, "CloseNotification")["id"], asked["id"])

    def test_progress_and_the_end(self):
        self.desktop.write_settings("[Files]", "Accept=always")
        folder = self.laptop.home / "top"
        folder.mkdir()
        os.mkfifo(folder / "pipe")
        self.make("top/large", 200_000_000)
        self.send(folder)
        wait_until(lambda: self.desktop.state() == ["running"], "it runs", interval=0.001)
        freeze(self.laptop.process.pid)
        self.addCleanup(self.laptop.process.send_signal, signal.SIGCONT)
        shown = self.server.wait_for(1)
        self.assertEqual(shown["summary"], "Receiving from laptop")
        self.assertEqual(shown["actions"], ["default", "Close", "cancel", "Stop"])
        self.assertEqual((shown["hints"]["urgency"], shown["hints"]["suppress-sound"]), (0, True))
        self.assertIn("value", shown["hints"])
        self.laptop.process.send_signal(signal.SIGCONT)
        done = wait_until(
            lambda: [call for call in self.server.calls() if call["summary"].startswith("Received")], "the end",
        )[0]
        self.assertEqual(done["replaced"], shown["id"])
        self.assertNotIn("value", done["hints"])
        self.assertIn("1 file couldn't be transferred", done["body"])

    def test_a_click_at_gnome_43_reads_and_a_button_accepts(self):
        self.server.obey("be", "gnome-shell", "43.9")
        self.send(self.make("notes.txt", 1000))
        asked = self.server.wait_for(1)
        self.assertEqual((asked["hints"]["urgency"], asked["timeout"]), (1, 0))
        self.server.obey("invoke", asked["id"], "token", "default")
        again = self.server.wait_for(2)
        self.assertEqual((again["summary"], again["hints"]["urgency"]), (asked["summary"], 2))
        self.assertEqual(self.desktop.state(), ["asking"])
        self.server.obey("invoke", again["id"], "token", "continue")
        self.desktop.wait_for("done")

    def test_why_it_failed(self):
        self.desktop.write_settings("[Files]", "Accept=always", "MaximumSize=10")
        self.send(self.make("notes.txt", 1000))
        told = self.server.wait_for(1)
        self.assertEqual(told["summary"], "Couldn't receive from laptop")
        self.assertIn("larger than the receiving machine allows", told["body"])


class SenderTests(TransferTest):
    """The desktop of the machine that sends, where no terminal shows the transfer."""

    def setUp(self):
        super(TransferTest, self).setUp()
        self.daemons = self.two()
        self.bus = SessionBus(self).start()
        self.server = FakeServer(self.bus)
        self.desktop = Machine(self, self.daemons[1])
        self.desktop.start()
        self.laptop = Machine(self, self.daemons[0], DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        Agent.start(self.laptop)
        wait_until(self.laptop.answers, "the agent answers")

    def test_it_sees_that_somebody_is_asked_and_stops(self):
        self.send(self.make("notes.txt", 1000))
        waiting = self.server.wait_for(1)
        self.assertEqual((waiting["summary"], waiting["body"]), ("Waiting for desktop to accept", "notes.txt (1.0 kB)"))
        self.assertEqual(waiting["actions"], ["default", "Close", "cancel", "Stop"])
        self.desktop.wait_for("asking")
        self.server.obey("invoke", waiting["id"], "token", "cancel")
        self.laptop.wait_for("failed")
        self.assertEqual(self.laptop.transfers()[0]["reason"], "withdrawn")

    def test_what_a_terminal_shows_is_not_said_twice(self):
        terminal = self.laptop.popen("send", str(self.make("first.txt", 1000)), "desktop")
        self.addCleanup(terminal.communicate)
        self.addCleanup(terminal.terminate)
        self.desktop.wait_for("asking")
        self.send(self.make("second.txt", 1000))
        self.assertEqual(self.server.wait_for(1)["body"], "second.txt (1.0 kB)")
        self.desktop.wait_for("asking", "asking")
        self.assertEqual(len(self.server.calls()), 1)

    def test_the_end_takes_the_place_of_the_question(self):
        self.send(self.make("notes.txt", 1000))
        waiting = self.server.wait_for(1)
        self.desktop.accept()
        sent = wait_until(
            lambda: [call for call in self.server.calls() if call["summary"] == "Sent to desktop"], "the end",
        )[0]
        self.assertEqual((sent["replaced"], sent["actions"]), (waiting["id"], ["default", "Close"]))


class DoctorTests(TransferTest):
    def doctor(self, machine):
        """What the doctor says of files."""
        output, errors = machine.popen("doctor", "--json").communicate(timeout=60)
        found = [check for check in json.loads(output)["checks"] if check["check"] == "files"]
        self.assertEqual(len(found), 1, errors)
        return found[0]["outcome"], found[0]["detail"]

    def test_the_folder(self):
        folder = self.desktop.home / "disk/in"
        outcome, summary = self.doctor(self.desktop)
        self.assertEqual((outcome, summary.split(",")[0]), ("passed", f"Files arrive in {self.desktop.arrived}"))
        self.desktop.write_settings("[Files]", f"Folder={folder}")
        self.assertEqual(
            self.doctor(self.desktop),
            ("failed", f"Can't receive files in {folder}: {folder.parent}: No such file or directory."),
        )
        folder.parent.mkdir()
        self.assertEqual(self.doctor(self.desktop)[0], "passed")
        folder.write_bytes(b"")
        self.assertEqual(
            self.doctor(self.desktop), ("failed", f"Can't receive files in {folder}: {folder}: Not a directory.")
        )

    def test_a_link_that_leads_nowhere(self):
        self.desktop.arrived.symlink_to("/run/media/unplugged")
        self.assertIn("No such file or directory", self.desktop.ask("GetStatus").get("trouble") or "")

    def test_a_full_disk(self):
        self.desktop.write_settings("[Files]", "KeepFree=1000T")
        outcome, summary = self.doctor(self.desktop)
        self.assertEqual(outcome, "failed")
        self.assertRegex(summary, "^Can't receive files: .* has .* free, but KeepFree= reserves 1.0 PB of it")

    def test_what_waits_for_a_machine(self):
        self.desktop.stop()
        self.daemons[1].kill()
        self.laptop.baton("send", self.make("notes.txt", 10), "desktop", "--later")
        self.assertTrue(self.doctor(self.laptop)[1].endswith(" 1 transfer is queued."))
        self.daemons[0].baton("team", "revoke", "desktop")
        self.laptop.wait_for("failed")
        self.assertEqual(
            self.doctor(self.laptop),
            ("note", "Can't send notes.txt (10 bytes), because desktop was removed from the team."),
        )
