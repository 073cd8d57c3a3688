# SPDX-License-Identifier: Apache-2.0
"""A team in a file: written, lost, brought back, and interrupted at any moment."""
# Labs: lo
import os
import random
import shutil
import signal
import subprocess
import time

from command_terminal import Terminal
from lab import PATIENCE, LabTest, wait_until

PASSPHRASE = "correct horse battery"
# How often something is killed, each time at another moment.
ROUNDS = 12


class BackupTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.file = self.directory / "home.backup"
        self.passphrase = self.directory / "passphrase"
        self.passphrase.write_text(PASSPHRASE + "\n")

    def back_up(self, daemon, *arguments, file=None, **options):
        return daemon.baton("team", "backup", file or self.file, "--passphrase-file", self.passphrase, *arguments, **options)

    def restore(self, daemon, *arguments, **options):
        return daemon.baton("team", "restore", self.file, "--passphrase-file", self.passphrase, *arguments, **options)

    def lose(self, daemon):
        """Its disk is lost, and it starts on another."""
        daemon.kill()
        shutil.rmtree(daemon.state)
        daemon.start()

    def test_an_administrator_whose_disk_was_lost_is_back(self):
        laptop, desktop = self.two()
        before = laptop.call("ListTeams")
        old = laptop.json("team", "invite")["code"]
        self.back_up(laptop)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        secret = (laptop.state / "teams").glob("*/ca.key")
        self.assertNotIn(next(secret).read_bytes().splitlines()[1], self.file.read_bytes())
        self.lose(laptop)
        self.assertEqual(laptop.call("ListTeams")["teams"], [])

        self.assertIn(b"The backup is good", self.restore(laptop, "--check"))
        self.assertEqual(laptop.call("ListTeams")["teams"], [])
        self.restore(laptop)
        self.assertIn("second machine", laptop.last_error)
        self.assertEqual(laptop.call("ListTeams"), before)
        # The other one meets it again by itself, and what is offered there is seen here.
        laptop.wait_for_sessions(1)
        desktop.wait_for_sessions(1)
        _, activity = laptop.publish(title="Back")
        desktop.wait_for_offer(activity)
        self.assertEqual([device["name"] for device in laptop.json("team", "devices")["devices"]], ["desktop"])
        # Codes from before are not good, new ones are.
        phone = self.batond("phone").start()
        address = f"127.0.0.1:{laptop.json('status')['port']}"
        phone.baton("team", "join", old, "--address", address, "--json", status=8)
        self.assertIn("invitationForeign", phone.last_error)
        phone.baton("team", "join", laptop.json("team", "invite")["code"])
        laptop.wait_for_sessions(2)
        laptop.baton("team", "revoke", "phone")
        laptop.wait_for_sessions(1)
        self.restore(laptop, status=8)
        laptop.restart()
        self.assertEqual(laptop.call("ListTeams"), before)

    def test_a_member_whose_disk_was_lost_is_back(self):
        laptop, desktop = self.two()
        self.back_up(desktop)
        self.lose(desktop)
        laptop.wait_for_sessions(0)
        self.restore(desktop)
        laptop.wait_for_sessions(1)
        desktop.baton("team", "invite", status=8)

    # Interrupted.

    def moment(self, number, whole):
        """Moments from the begin of what takes `whole` seconds to after its end."""
        return whole * 1.2 * number / ROUNDS

    def test_a_command_that_is_killed_leaves_no_half_file(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        start = time.monotonic()
        self.back_up(laptop, file=self.directory / "first")
        whole, target = time.monotonic() - start, self.directory / "target"
        target.mkdir()
        kept = 0
        for number in range(ROUNDS):
            file = target / f"{number}.backup"
            command = laptop.spawn_baton("team", "backup", file, "--passphrase-file", self.passphrase)
            time.sleep(self.moment(number, whole))
            command.send_signal(random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            command.wait(PATIENCE)
            if file.exists():
                kept += 1
                # A call that was interrupted holds the user's place for another while.
                wait_until(lambda: self.opens(laptop, file), "the file opens")
            self.assertEqual(sorted(path.name for path in target.iterdir()), [file.name] if file.exists() else [])
            file.unlink(missing_ok=True)
        self.assertLess(kept, ROUNDS)

    def opens(self, daemon, file):
        line = daemon.command_line("team", "restore", "--check", file, "--passphrase-file", self.passphrase, "--json")
        result = subprocess.run(line, env=daemon.environment, capture_output=True, timeout=60)
        self.assertNotIn(b"backupInvalid", result.stderr)
        return result.returncode == 0

    def test_a_daemon_that_is_killed_has_the_team_or_not(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop").start()
        laptop.baton("team", "create", "Home")
        team = laptop.call("ListTeams")["teams"]
        self.back_up(laptop)
        start = time.monotonic()
        self.restore(desktop)
        whole = time.monotonic() - start
        outcomes = []
        for number in range(ROUNDS):
            self.lose(desktop)
            command = desktop.spawn_baton("team", "restore", self.file, "--passphrase-file", self.passphrase)
            time.sleep(self.moment(number, whole))
            desktop.restart()
            status = command.wait(PATIENCE)
            teams = desktop.call("ListTeams")["teams"]
            self.assertIn(teams, ([], team))
            if status == 0:
                self.assertEqual(teams, team, "What was said to be restored is there")
            self.assertNotIn("Can't use", desktop.log_text())
            outcomes.append(bool(teams))
            if not teams:
                self.restore(desktop)
        self.assertIn(False, outcomes)

    def test_a_full_disk_leaves_no_file(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        disk = self.directory / "disk"
        disk.mkdir()
        # The second page does not fit: it has one, and the file needs two at least.
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        (disk / "others").write_bytes(bytes(4096))
        (disk / "more").write_bytes(bytes(4096))
        self.back_up(laptop, file=disk / "home.backup", status=1)
        self.assertIn("No space left on device", laptop.last_error)
        self.assertEqual(sorted(path.name for path in disk.iterdir()), ["more", "others"])
        (disk / "more").unlink()
        self.back_up(laptop, file=disk / "home.backup")

    def test_a_full_state_directory_leaves_no_half_team(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        self.back_up(laptop)
        desktop = self.batond("desktop")
        desktop.state.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", desktop.state], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        # The daemon has it as its directory, and ends before.
        self.addCleanup(subprocess.run, ["umount", "-l", desktop.state], check=True)
        desktop.start()
        space = os.statvfs(desktop.state).f_bfree
        for rest in range(space):
            filler = desktop.state / "filler"
            filler.write_bytes(bytes(4096 * (space - rest)))
            result = subprocess.run(
                desktop.command_line("team", "restore", self.file, "--passphrase-file", self.passphrase, "--json"),
                env=desktop.environment,
                capture_output=True,
                timeout=60,
            )
            filler.unlink()
            if result.returncode == 0:
                break
            self.assertIn(b"storageFailed", result.stderr)
            self.assertEqual(list((desktop.state / "teams").iterdir()), [])
            self.assertEqual(desktop.call("ListTeams")["teams"], [])
        self.assertGreater(rest, 3)
        self.assertEqual(desktop.call("ListTeams"), laptop.call("ListTeams"))

    # At a terminal.

    def test_a_passphrase_is_asked_for_and_not_shown(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        terminal = Terminal(self, laptop, "team", "backup", self.file)
        terminal.answer("Passphrase for the backup: ", PASSPHRASE)
        terminal.answer("Repeat the passphrase: ", PASSPHRASE)
        self.assertEqual(terminal.finish(), 0)
        self.assertNotIn("horse", terminal.shown)
        self.restore(laptop, "--check")
        # Standard input may be the file.
        terminal = Terminal(self, laptop, "team", "restore", "--check", self.file)
        terminal.answer("Passphrase for the backup: ", PASSPHRASE)
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("The backup is good", terminal.shown)

    def test_two_that_differ_and_one_too_short(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        terminal = Terminal(self, laptop, "team", "backup", self.file)
        terminal.answer("Passphrase for the backup: ", PASSPHRASE)
        terminal.answer("Repeat the passphrase: ", PASSPHRASE + "!")
        self.assertEqual(terminal.finish(), 1)
        self.assertIn("don't match", terminal.shown)
        terminal = Terminal(self, laptop, "team", "backup", self.file)
        terminal.answer("Passphrase for the backup: ", "short")
        self.assertEqual(terminal.finish(), 8)
        self.assertFalse(self.file.exists())

    def test_whatever_ends_the_question_the_terminal_shows_again(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        for number in (signal.SIGTERM, signal.SIGHUP, "\x03"):
            terminal = Terminal(self, laptop, "team", "backup", self.file)
            terminal.wait_for("Passphrase for the backup: ")
            terminal.assert_hidden()
            if number == "\x03":
                os.write(terminal.descriptor, b"\x03")
                number = signal.SIGINT
            else:
                os.kill(terminal.process, number)
            self.assertEqual(terminal.finish(), -number)
            self.assertTrue(terminal.echoes)
        self.assertEqual(list(self.directory.glob("*.backup")), [])

    def test_a_question_goes_on_after_a_stop(self):
        laptop = self.batond("laptop").start()
        laptop.baton("team", "create", "Home")
        terminal = Terminal(self, laptop, "team", "backup", self.file)
        terminal.wait_for("Passphrase for the backup: ")
        terminal.assert_hidden()
        os.kill(terminal.process, signal.SIGTSTP)
        # Its process group is an orphan, which SIGTSTP does not stop: it asks again at once.
        terminal.answer("Passphrase for the backup: ", PASSPHRASE)
        terminal.answer("Repeat the passphrase: ", PASSPHRASE)
        self.assertEqual(terminal.finish(), 0)
        self.assertTrue(self.file.exists())
