# SPDX-License-Identifier: Apache-2.0
"""The first hour, led by `baton setup`: two people at two terminals, or one who has second thoughts."""
# Labs: pair
import ctypes.util
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import termios
import unittest
from types import SimpleNamespace

from command_terminal import Terminal
from lab import LabTest, wait_until

CODE = r"^    (?:\x1b\[1m)?([A-Z0-9-]{20,})"
MARK = "# Added by `baton setup`."


class SetupTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.home = self.directory / "home"
        self.home.mkdir()
        self.bashrc = self.home / ".bashrc"
        self.bashrc.write_text("alias l=ls\n")

    def environment(self, daemon, **more):
        """Of somebody who has Bash, no desktop, and no program that Baton connects."""
        kept = {name: value for name, value in daemon.environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "ZDOTDIR", "SUDO_USER")}
        tools = self.directory / "bin"
        tools.mkdir(exist_ok=True)
        return {**kept, "HOME": str(self.home), "SHELL": "/bin/bash", "PATH": str(tools), **more}

    def setup(self, daemon, *arguments, **environment):
        return Terminal(self, daemon, "setup", *arguments, environment=self.environment(daemon, **environment))

    def report(self, daemon, *arguments, status=0, **environment):
        """What the command reports to programs."""
        result = subprocess.run(
            daemon.command_line("setup", "--json", *arguments), env=self.environment(daemon, **environment),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def details(self, report, check):
        return [each["detail"] for each in report["checks"] if each["check"] == check]

    def code(self, terminal):
        wait_until(lambda: terminal.read() and re.search(CODE, terminal.shown, re.M), "a code is shown")
        return re.search(CODE, terminal.shown, re.M)[1]

    def test_two_machines_and_the_first_hand_off(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        first = self.setup(laptop)
        first.answer("Type a number:", "1", is_shown=True)
        first.answer("A name for the team [Home]:", "", is_shown=True)
        first.answer("Add another machine to the team now? [Y/n]", "y", is_shown=True)
        code = self.code(first)
        second = self.setup(desktop)
        second.answer("Type a number:", "2", is_shown=True)
        second.answer("Type it here:", code, is_shown=True)
        second.wait_for('Joined the team "Home".')
        first.wait_for("desktop has joined the team.")
        first.answer("Add the hook to ~/.bashrc?", "y", is_shown=True)
        second.answer("[Y/n]", "n", is_shown=True)
        first.wait_for("Try it: open a web page on desktop")
        second.wait_for("Try it: open a web page on laptop")
        laptop.publish(title="Moby-Dick", activityType="org.example.reading")
        second.wait_for("Moby-Dick")
        second.press("\n")
        self.assertEqual(second.finish(), 0, second.shown)
        self.assertIn("It works: you've continued something from another machine.", second.shown)
        first.wait_for("It works: another machine has continued what you offered here.")
        self.assertEqual(first.finish(), 0)

    def test_it_changes_nothing_that_is_right(self):
        laptop, _ = self.two()
        before = laptop.call("ListTeams")
        first = self.report(laptop, "--yes")
        self.assertEqual(first["changed"], ["shell"])
        text = self.bashrc.read_text()
        self.assertEqual(text.count(MARK), 1)
        second = self.report(laptop, "--yes")
        self.assertEqual(second["changed"], [])
        self.assertEqual(self.bashrc.read_text(), text)
        self.assertEqual(laptop.call("ListTeams"), before)
        self.assertEqual(self.details(second, "shell"), ["The bash hook is in ~/.bashrc."])

    def test_a_report_changes_nothing(self):
        laptop = self.batond("laptop").start()
        report = self.report(laptop)
        self.assertEqual(report["changed"], [])
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")
        self.assertEqual(laptop.call("ListTeams")["teams"], [])
        (team,) = [each for each in report["checks"] if each["check"] == "team"]
        self.assertIn("baton team create", team["advice"])
        # Whom to join is no safe guess, so `--yes` alone makes no team.
        self.assertEqual(self.report(laptop, "--yes")["changed"], ["shell"])
        self.assertEqual(laptop.call("ListTeams")["teams"], [])

    def test_programs_make_and_join_a_team(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        self.assertEqual(self.report(laptop, "--yes", "--team", "Home")["changed"], ["team", "shell"])
        code = laptop.json("team", "invite")["code"]
        self.assertIn("team", self.report(desktop, "--yes", "--code", code)["changed"])
        laptop.wait_for_sessions(1)
        # Once more: both are in a team already, and the code is used up.
        self.assertNotIn("team", self.report(laptop, "--yes", "--team", "Home")["changed"])
        self.assertNotIn("team", self.report(desktop, "--yes", "--code", code)["changed"])
        self.assertEqual(len(laptop.call("ListTeams")["teams"]), 1)

    def test_other_machines_count_that_are_off(self):
        """Also where the team wasn't created."""
        laptop, desktop = self.two()
        expected = ['This machine is in the team "Demo" with one other machine.']
        self.assertEqual(self.details(self.report(desktop), "team"), expected)
        laptop.terminate()
        self.assertEqual(self.details(self.report(desktop), "team"), expected)
        self.assertEqual(self.details(self.report(desktop), "continuation"), [])

    def test_undo_takes_out_what_setup_has_added(self):
        laptop = self.batond("laptop").start()
        self.bashrc.chmod(0o640)
        os.chown(self.bashrc, 1234, 1234)
        self.report(laptop, "--yes")
        self.assertIn(MARK, self.bashrc.read_text())
        self.assertEqual(self.report(laptop, "--undo")["changed"], ["shell"])
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")
        self.assertEqual(self.bashrc.stat().st_mode & 0o777, 0o640)
        self.assertEqual((self.bashrc.stat().st_uid, self.bashrc.stat().st_gid), (1234, 1234))
        self.assertEqual(self.report(laptop, "--undo")["changed"], [])

    def test_undo_leaves_lines_that_people_have_changed(self):
        laptop = self.batond("laptop").start()
        self.report(laptop, "--yes")
        added = self.bashrc.read_text()
        for text in (
            added.replace('bash)"\n', 'bash)"; export EDITOR=vi\n'), added.replace('bash)"\n', 'bash)" || {\n  true\n}\n'),
            added.replace("\n", "\r\n"), added.replace("# Added", "  # Added"),
        ):
            with self.subTest(text):
                self.bashrc.write_bytes(text.encode())
                report = self.report(laptop, "--undo")
                self.assertEqual(report["changed"], [])
                self.assertIn("have been changed since", self.details(report, "shell")[0])
                self.assertEqual(self.bashrc.read_bytes(), text.encode())

    def test_undo_keeps_links_and_attributes(self):
        laptop = self.batond("laptop").start()
        link = self.directory / "backup-bashrc"
        os.link(self.bashrc, link)
        os.setxattr(self.bashrc, "user.comment", b"mine")
        for after in ("", "alias m=more\n"):
            with self.subTest(after):
                self.assertEqual(self.report(laptop, "--yes")["changed"], ["shell"])
                with self.bashrc.open("a") as file:
                    file.write(after)
                self.assertEqual(self.report(laptop, "--undo")["changed"], ["shell"])
                self.assertEqual(link.read_text(), "alias l=ls\n" + after)
                self.assertTrue(self.bashrc.samefile(link))
                self.assertEqual(os.getxattr(self.bashrc, "user.comment"), b"mine")
                self.assertEqual(sorted(os.listdir(self.home)), [".bashrc"])

    def test_undo_that_fails_says_only_that(self):
        laptop = self.batond("laptop").start()
        self.report(laptop, "--yes")
        before = self.bashrc.read_bytes()
        self.make_read_only(self.bashrc)
        details = self.details(self.report(laptop, "--undo", status=1), "shell")
        self.assertEqual(len(details), 1, details)
        self.assertIn(f"Can't write to {self.bashrc}:", details[0])
        self.assertEqual(self.bashrc.read_bytes(), before)

    def make_read_only(self, path):
        """Also for root."""
        subprocess.run(["mount", "--bind", path, path], check=True)
        self.addCleanup(subprocess.run, ["umount", path], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", path], check=True)

    def test_a_full_disk(self):
        laptop = self.batond("laptop").start()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.home], check=True)
        self.addCleanup(subprocess.run, ["umount", self.home], check=True)
        filler = self.home / "filler"

        def fill():
            with open(filler, "wb", buffering=0) as file:
                try:
                    while file.write(b"x" * 4096):
                        pass
                except OSError:
                    pass

        for shell, name in (("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/config.fish")):
            with self.subTest(shell):
                path, options = self.home / name, {"SHELL": f"/bin/{shell}"}
                fill()
                report = self.report(laptop, "--yes", **options)
                self.assertEqual(report["changed"], [])
                self.assertIn("No space left on device", self.details(report, "shell")[0])
                # Some shells do something else if they have no startup file.
                self.assertFalse(path.exists())
                filler.unlink()
                self.assertEqual(self.report(laptop, "--yes", **options)["changed"], ["shell"])
                fill()
                self.assertEqual(self.report(laptop, "--undo", **options)["changed"], ["shell"])
                self.assertEqual(path.read_bytes(), b"")
                filler.unlink()
        self.report(laptop, "--yes")
        with self.bashrc.open("a") as file:
            file.write("alias m=more\n")
        before = self.bashrc.read_bytes()
        fill()
        # There is no room for a copy of what would be lost if the machine stopped now.
        self.assertIn("No space left on device", self.details(self.report(laptop, "--undo", status=1), "shell")[0])
        self.assertEqual(self.bashrc.read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.home)), [".bashrc", ".config", ".zshrc", "filler"])

    def test_a_home_that_does_not_exist(self):
        laptop = self.batond("laptop").start()
        missing = self.directory / "missing"
        for home in (str(missing / "home"), "", "home"):
            for shell in ("bash", "fish"):
                with self.subTest(home, shell=shell):
                    report = self.report(laptop, "--yes", HOME=home, SHELL=f"/bin/{shell}")
                    self.assertEqual(report["changed"], [])
                    (detail,) = self.details(report, "shell")
                    self.assertIn("Your home directory doesn't exist", detail)
                    undone = self.details(self.report(laptop, "--undo", HOME=home, SHELL=f"/bin/{shell}"), "shell")
                    self.assertEqual(undone, [detail])
                    self.assertFalse(missing.exists())

    def test_a_hook_that_the_shell_does_not_reach(self):
        laptop = self.batond("laptop").start()
        hook = 'eval "$(baton shell-init bash)"\n'
        for text, line in (("alias l=ls\nreturn\n", 2), (f"exit 0 # enough\n\n{hook}", 1)):
            with self.subTest(text):
                self.bashrc.write_text(text)
                report = self.report(laptop, "--yes")
                (shell,) = [each for each in report["checks"] if each["check"] == "shell"]
                self.assertEqual((report["changed"], shell["outcome"]), ([], "skipped"))
                self.assertIn(f"Line {line} ", shell["detail"])
                self.assertIn("above it", shell["advice"])
                self.assertEqual(self.bashrc.read_text(), text)
        for text in ("[ -z x ] && return\n", "if x; then\nreturn\nfi\n", "f() {\nreturn 1\n# end\n\n}\n", "# return\n"):
            with self.subTest(text):
                self.bashrc.write_text(text)
                self.assertEqual(self.report(laptop, "--yes")["changed"], ["shell"])
                self.assertTrue(self.bashrc.read_text().startswith(f"{text}\n{MARK}"))

    def test_undo_needs_no_terminal(self):
        laptop = self.batond("laptop").start()
        self.report(laptop, "--yes")
        subprocess.run(
            laptop.command_line("setup", "--undo"), env=self.environment(laptop), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, timeout=60, check=True,
        )
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")

    def test_undo_says_which_file_it_cannot_read(self):
        laptop = self.batond("laptop").start()
        self.bashrc.write_text("#" * (1 << 20) + "\n")
        self.assertEqual(self.details(self.report(laptop, "--undo"), "shell"), ["Can't read ~/.bashrc."])

    def test_the_file_changes_while_a_person_thinks(self):
        laptop = self.batond("laptop").start()
        laptop.call("CreateTeam", name="Home")
        terminals = [self.setup(laptop) for _ in range(2)]
        for terminal in terminals:
            terminal.answer("team now? [Y/n]", "n", is_shown=True)
            terminal.wait_for("Add the hook to ~/.bashrc?")
        # Without a line end.
        self.bashrc.write_text("alias l=ls\nalias m=more")
        for terminal in terminals:
            terminal.press("y\n")
            self.assertEqual(terminal.finish(), 0, terminal.shown)
        self.assertIn(f"alias m=more\n\n{MARK}", self.bashrc.read_text())
        self.assertEqual(self.bashrc.read_text().count(MARK), 1)

    def test_lines_that_people_wrote_stay(self):
        laptop = self.batond("laptop").start()
        own = 'alias l=ls\neval "$(baton shell-init bash)"\n'
        self.bashrc.write_text(own)
        self.assertEqual(self.report(laptop, "--yes")["changed"], [])
        self.report(laptop, "--undo")
        self.assertEqual(self.bashrc.read_text(), own)

    def test_a_linked_startup_file_stays_a_link(self):
        laptop = self.batond("laptop").start()
        real = self.directory / "dotfiles-bashrc"
        self.bashrc.rename(real)
        self.bashrc.symlink_to(real)
        self.report(laptop, "--yes")
        self.assertTrue(self.bashrc.is_symlink())
        self.assertIn(MARK, real.read_text())
        self.report(laptop, "--undo")
        self.assertTrue(self.bashrc.is_symlink())
        self.assertEqual(real.read_text(), "alias l=ls\n")

    def test_zsh_and_fish(self):
        laptop = self.batond("laptop").start()
        zdotdir = self.directory / "zsh"
        zdotdir.mkdir()
        for shell, file, more in (
            ("zsh", self.home / ".zshrc", {}),
            ("zsh", zdotdir / ".zshrc", {"ZDOTDIR": str(zdotdir)}),
            ("fish", self.home / ".config/fish/config.fish", {}),
        ):
            with self.subTest(shell, **more):
                self.assertEqual(self.report(laptop, "--yes", SHELL=f"/usr/bin/{shell}", **more)["changed"], ["shell"])
                self.assertIn(f"baton shell-init {shell}", file.read_text())
                self.report(laptop, "--undo", SHELL=f"/usr/bin/{shell}", **more)
                self.assertEqual(file.read_text(), "")
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")

    def test_zsh_that_looks_elsewhere(self):
        """Most people who move zsh's files set ZDOTDIR in ~/.zshenv, and don't export it."""
        laptop = self.batond("laptop").start()
        (self.home / "zsh").mkdir()
        (self.home / ".zshenv").write_text("echo /etc is read\nZDOTDIR=$HOME/zsh\n")
        tools = self.directory / "bin"
        tools.mkdir()
        (tools / "zsh").symlink_to("/bin/zsh")
        self.report(laptop, "--yes", SHELL="/bin/zsh")
        self.assertIn("baton shell-init zsh", (self.home / "zsh/.zshrc").read_text())
        self.assertFalse((self.home / ".zshrc").exists())

    def test_a_login_shell_and_another_one(self):
        """Bash started from fish: both are used, so both get the hook."""
        laptop = self.batond("laptop").start()
        words = [*laptop.command_line("setup", "--json", "--yes")]
        line = " ".join(f"'{word}'" for word in words) + "; true"
        subprocess.run(["/bin/bash", "-c", line], env=self.environment(laptop, SHELL="/usr/bin/fish"), stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=60, check=True)
        self.assertIn("baton shell-init bash", self.bashrc.read_text())
        self.assertIn("baton shell-init fish", (self.home / ".config/fish/config.fish").read_text())

    def test_startup_files_that_another_program_makes(self):
        """Home Manager's are links to files that nobody can change."""
        laptop = self.batond("laptop").start()
        real = self.directory / "store-bashrc"
        self.bashrc.rename(real)
        self.bashrc.symlink_to(real)
        self.make_read_only(real)
        report = self.report(laptop, "--yes")
        (shell,) = [each for each in report["checks"] if each["check"] == "shell"]
        self.assertEqual(report["changed"], [])
        self.assertIn('eval "$(baton shell-init bash)"', shell["advice"])

    def test_a_shell_without_a_hook(self):
        laptop = self.batond("laptop").start()
        report = self.report(laptop, "--yes", SHELL="/bin/dash")
        self.assertEqual(report["changed"], [])
        self.assertIn("Bash, zsh and fish", self.details(report, "shell")[0])

    def test_a_startup_file_that_cannot_be_written(self):
        laptop = self.batond("laptop").start()
        self.bashrc.unlink()
        self.bashrc.mkdir()
        report = self.report(laptop, "--yes")
        (shell,) = [each for each in report["checks"] if each["check"] == "shell"]
        self.assertEqual(shell["outcome"], "skipped")
        self.assertIn('eval "$(baton shell-init bash)"', shell["advice"])
        self.bashrc.rmdir()
        os.mkfifo(self.bashrc)
        self.assertEqual(self.report(laptop, "--yes")["changed"], [])

    def test_every_question_can_be_interrupted(self):
        laptop = self.batond("laptop").start()
        answers = [("Type a number:", "1"), ("[Home]:", ""), ("now? [Y/n]", "y"), ("carry on without it", ""), ("[Y/n]", "n")]
        for count in range(len(answers)):
            for keys, status in (("\x03", -signal.SIGINT), ("\x04", 0)):
                with self.subTest(count=count, keys=keys):
                    for team in laptop.call("ListTeams")["teams"]:
                        laptop.call("LeaveTeam", team=team["id"])
                    terminal = self.setup(laptop)
                    for prompt, answer in answers[:count]:
                        terminal.answer(prompt, answer, is_shown=True)
                    terminal.wait_for(answers[count][0])
                    terminal.press(keys)
                    self.assertEqual(terminal.finish(), status, terminal.shown)
                    self.assertIn("Nothing was left half done.", terminal.shown)
                    self.assertEqual(len(laptop.call("ListTeams")["teams"]), 1 if count >= 2 else 0)
                    self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")

    def test_ctrl_c_also_ends_a_script(self):
        """Bash goes on if a program only says that it was interrupted."""
        laptop = self.batond("laptop").start()
        words = " ".join(f"'{word}'" for word in laptop.command_line("setup"))
        shell = SimpleNamespace(command_line=lambda: ["/bin/bash", "-c", f"{words}; echo 'Going on'"])
        terminal = Terminal(self, shell, environment=self.environment(laptop))
        terminal.wait_for("Type a number:")
        terminal.press("\x03")
        self.assertEqual(terminal.finish(), -signal.SIGINT, terminal.shown)
        self.assertIn("Nothing was left half done.", terminal.shown)
        self.assertNotIn("Going on", terminal.shown)

    def test_ctrl_c_while_an_offer_is_continued(self):
        laptop, desktop = self.two()
        connection = laptop.connect()
        self.addCleanup(connection.close)
        activity = {"activityType": "org.example.reading", "title": "Moby-Dick", "needsSave": True}
        connection.more("BecomeCurrent", activity=activity)
        desktop.wait_for_offer(connection.receive()["id"])
        terminal = self.setup(desktop)
        terminal.answer("[Y/n]", "n", is_shown=True)
        terminal.wait_for("continue it here.\r\n")
        terminal.press("\n")
        # It asks the app on the other machine, which doesn't answer.
        terminal.wait_for("Waiting for laptop.")
        terminal.press("\x03")
        # Setup goes on, because it can't know whether anything is half done.
        wait_until(lambda: terminal.read() and "continue it here." in terminal.shown, "the offer is shown again")
        self.assertNotIn("half done", terminal.shown)
        terminal.press("\x03")
        self.assertEqual(terminal.finish(), -signal.SIGINT, terminal.shown)

    def test_an_offer_for_a_running_app_opens_there(self):
        laptop, desktop = self.two()
        app = desktop.connect(60).more("RegisterApplication", activityTypes=["org.example.drawing"])
        self.assertEqual(app.receive()["event"], "registered")
        _, activity = laptop.publish("org.example.drawing", title="Sketch")
        desktop.wait_for_offer(activity)
        terminal = self.setup(desktop)
        terminal.answer("[Y/n]", "n", is_shown=True)
        terminal.wait_for("continue it here.\r\n")
        terminal.press("\n")
        self.assertEqual(app.receive()["id"], activity)
        desktop.call("Continue", id=activity)
        self.assertEqual(terminal.finish(), 0, terminal.shown)
        self.assertIn("It works: you've continued something from another machine.", terminal.shown)

    def test_an_editor_that_an_offer_opens(self):
        """It runs in the same terminal, and the setup ends after it."""
        laptop, desktop = self.two()
        file = self.home / "notes.txt"
        file.write_text("one\n")
        described = subprocess.run(
            laptop.command_line("document", "describe", "--json", file), env=self.environment(laptop),
            capture_output=True, timeout=60, check=True,
        )
        user_info = {"document": json.loads(described.stdout), "line": 1}
        _, activity = laptop.publish("io.baton.text-position", title="notes.txt", userInfo=user_info)
        desktop.wait_for_offer(activity)
        editor = self.directory / "editor"
        editor.write_text('#!/bin/sh\necho "Editing $*"\n')
        editor.chmod(0o755)
        terminal = self.setup(desktop, EDITOR=str(editor))
        terminal.answer("[Y/n]", "n", is_shown=True)
        terminal.wait_for("continue it here.\r\n")
        terminal.press("\n")
        self.assertEqual(terminal.finish(), 0, terminal.shown)
        self.assertIn("Editing ", terminal.shown)
        self.assertIn("It works: you've continued something from another machine.", terminal.shown)

    @unittest.skipUnless(ctypes.util.find_library("qrencode"), "needs libqrencode")
    def test_where_a_qr_code_is_shown(self):
        """Only where it fits, and where the colours are shown that a camera needs."""
        laptop = self.batond("laptop").start()
        laptop.call("CreateTeam", name="Home")
        for columns, kind, is_shown in ((80, "xterm", True), (40, "xterm", False), (80, "dumb", False)):
            with self.subTest(columns=columns, kind=kind):
                terminal = self.setup(laptop, TERM=kind, LANG="C.UTF-8", LC_ALL="C.UTF-8")
                fcntl.ioctl(terminal.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                terminal.answer("[Y/n]", "y", is_shown=True)
                wait_until(lambda: terminal.read() and "without it…" in terminal.shown, "it waits")
                self.assertEqual("█" in terminal.shown, is_shown)
                # The code itself is still in sight.
                self.assertTrue(any(re.match(CODE, line) for line in terminal.shown.splitlines()[-23:]), terminal.shown)

    def test_a_wrong_answer_is_asked_again(self):
        laptop = self.batond("laptop").start()
        terminal = self.setup(laptop)
        terminal.answer("Type a number:", "3", is_shown=True)
        terminal.wait_for("Type a number from 1 to 2")
        terminal.answer("Type a number:", "2", is_shown=True)
        for wrong in ("", "not-a-code", "AAAA"):
            terminal.answer("Type it here:", wrong, is_shown=True)
        terminal.wait_for("This machine hasn't joined a team.")
        terminal.answer("[Y/n]", "perhaps", is_shown=True)
        terminal.wait_for("Type y for yes or n for no")
        terminal.answer("[Y/n]", "n", is_shown=True)
        self.assertEqual(terminal.finish(), 0)

    def test_what_was_typed_before_a_question_is_no_answer(self):
        laptop = self.batond("laptop").start()
        terminal = self.setup(laptop)
        terminal.wait_for("Type a number:")
        terminal.press("1\n\n\n\n\n\n")
        terminal.wait_for("[Home]:")
        self.assertEqual(laptop.call("ListTeams")["teams"], [])

    def test_the_rest_of_a_long_answer_is_not_for_the_shell(self):
        laptop = self.batond("laptop").start()
        words = " ".join(f"'{word}'" for word in laptop.command_line("setup"))
        shell = SimpleNamespace(command_line=lambda: ["/bin/sh", "-c", f'{words}; read -r line; echo "It reads ($line)"'])
        terminal = Terminal(self, shell, environment=self.environment(laptop))
        terminal.answer("Type a number:", "1", is_shown=True)
        terminal.answer("[Home]:", "A" * 1025 + ";reboot", is_shown=True)
        terminal.wait_for("Stopped.")
        terminal.press("own\n")
        terminal.wait_for("It reads (own)")
        self.assertEqual(terminal.finish(), 0)

    def test_a_wrong_passphrase_does_not_end_the_setup(self):
        laptop = self.batond("laptop").start()
        laptop.call("CreateTeam", name="Home", passphrase="a long passphrase")
        # This locks the team's key.
        laptop.restart()
        terminal = self.setup(laptop)
        terminal.answer("team now? [Y/n]", "y", is_shown=True)
        terminal.answer("Current passphrase for the team's key:", "wrong")
        terminal.wait_for("The passphrase is wrong")
        terminal.answer("Add the hook to ~/.bashrc?", "n", is_shown=True)
        self.assertEqual(terminal.finish(), 0, terminal.shown)

    def test_a_name_that_is_none_is_asked_again(self):
        laptop = self.batond("laptop").start()
        terminal = self.setup(laptop)
        terminal.answer("Type a number:", "1", is_shown=True)
        terminal.answer("[Home]:", "x" * 64, is_shown=True)
        terminal.wait_for("That isn't a valid team name.")
        terminal.answer("[Home]:", "Ours", is_shown=True)
        terminal.wait_for('Created the team "Ours".')

    def test_enter_before_an_offer_is_shown_does_not_take_it(self):
        laptop, desktop = self.two()
        _, activity = laptop.publish(title="Moby-Dick", activityType="org.example.reading")
        desktop.wait_for_offer(activity)
        terminal = self.setup(desktop)
        terminal.wait_for("[Y/n]")
        terminal.press("n\n\n\n")
        terminal.wait_for("Moby-Dick")
        terminal.wait_for("continue it here.\r\n")
        self.assertTrue(terminal.read(2), "it waits for Enter")
        self.assertNotIn("Continued", terminal.shown)
        terminal.press("\n")
        self.assertEqual(terminal.finish(), 0, terminal.shown)

    def test_without_a_daemon_or_a_terminal(self):
        laptop = self.batond("laptop")
        report = self.report(laptop, "--yes", status=3)
        self.assertEqual([each["check"] for each in report["checks"]], ["daemon"])
        self.assertIn("systemctl start batond", report["checks"][0]["advice"])
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")
        result = subprocess.run(
            laptop.command_line("setup"), env=self.environment(laptop), stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"--yes", result.stderr)

    def test_sudo_is_refused(self):
        laptop = self.batond("laptop").start()
        result = subprocess.run(
            laptop.command_line("setup", "--yes"), env=self.environment(laptop, SUDO_USER="ada"), stdin=subprocess.DEVNULL,
            capture_output=True, timeout=60,
        )
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"without sudo", result.stderr)
        self.assertEqual(self.bashrc.read_text(), "alias l=ls\n")

    def test_packages_come_from_beside_the_person(self):
        laptop = self.batond("laptop").start()
        tools = self.directory / "bin"
        tools.mkdir()
        for name in ("vim", "apt"):
            (tools / name).write_text(f"#!/bin/sh\necho {name} \"$@\" > '{self.directory}/{name}-ran'\n")
            (tools / name).chmod(0o755)
        folder = self.home / "Downloads"
        folder.mkdir()
        for name in ("baton-editors_0.1.0_all.deb", "baton-editors_0.1.0;reboot_all.deb", "baton-editors.deb"):
            (folder / name).write_bytes(b"")
        report = self.report(laptop, "--yes")
        self.assertFalse((self.directory / "apt-ran").exists())
        (advice,) = [each["advice"] for each in report["checks"] if "baton-editors" in each["detail"]]
        self.assertIn(f"apt install {folder}/baton-editors_0.1.0_all.deb", advice)
        terminal = self.setup(laptop, "--team", "Home")
        terminal.answer("Add another machine to the team now? [Y/n]", "n", is_shown=True)
        terminal.wait_for("Some programs here aren't connected yet:")
        terminal.answer("[Y/n]", "y", is_shown=True)
        terminal.wait_for("Installed baton-editors.")
        self.assertEqual((self.directory / "apt-ran").read_text(), f"apt install {folder}/baton-editors_0.1.0_all.deb\n")

    def test_packages_without_sudo(self):
        """As on a Debian whose root has a password."""
        laptop = self.batond("laptop").start()
        tools = self.directory / "bin"
        tools.mkdir()
        for name in ("vim", "apt"):
            (tools / name).write_text("#!/bin/sh\n")
            (tools / name).chmod(0o755)
        (self.home / "Downloads").mkdir()
        package = self.home / "Downloads/baton-editors_0.1.0_all.deb"
        package.write_bytes(b"")
        self.directory.chmod(0o755)
        result = subprocess.run(
            ["/usr/bin/setpriv", "--reuid", "12345", "--clear-groups", *laptop.command_line("setup", "--json")],
            env=self.environment(laptop), stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )
        if result.returncode == 127 or b"setresuid" in result.stderr:
            self.skipTest("needs the right to become another user")
        checks = json.loads(result.stdout)["checks"]
        (advice,) = [each["advice"] for each in checks if "would connect" in each["detail"] and "baton-editors" in each["detail"]]
        self.assertEqual(advice, f"Run `apt install {package}` as root.")

    def test_packages_that_others_put_there_are_not_offered(self):
        """Their scripts would run as root."""
        laptop = self.batond("laptop").start()
        tools = self.directory / "bin"
        tools.mkdir()
        for name in ("vim", "apt"):
            (tools / name).write_text("#!/bin/sh\n")
            (tools / name).chmod(0o755)
        folder = self.home / "Downloads"
        folder.mkdir()
        package = folder / "baton-editors_9_all.deb"

        def is_offered():
            checks = self.report(laptop)["checks"]
            (advice,) = [each["advice"] for each in checks if "would connect" in each["detail"] and "baton-editors" in each["detail"]]
            return str(package) in advice

        package.write_bytes(b"")
        self.assertTrue(is_offered())
        os.chown(package, 65534, 65534)
        self.assertFalse(is_offered())
        package.rename(self.directory / "real.deb")
        os.chown(self.directory / "real.deb", 0, 0)
        package.symlink_to(self.directory / "real.deb")
        self.assertFalse(is_offered())
        package.unlink()
        package.write_bytes(b"")
        folder.chmod(0o777)
        self.assertFalse(is_offered())
        folder.chmod(0o1777)
        self.assertTrue(is_offered())
