# SPDX-License-Identifier: Apache-2.0
# Labs: lo
"""Completion in bash, zsh and fish, each in a terminal or asked as it asks itself, with a daemon to ask."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

from lab import BUILD, PATIENCE, ROOT, LabTest

COMPLETIONS = ROOT / "Config/completions"


class Terminal:
    """A shell in a terminal of its own."""

    def __init__(self, case, environment, *command):
        self.output = ""
        process, self.terminal = pty.fork()
        if process == 0:
            os.execvpe(command[0], command, environment)
        case.addCleanup(os.waitpid, process, 0)
        case.addCleanup(os.close, self.terminal)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, pattern):
        """Waits until the output since the last call has this, and returns it."""
        end = time.monotonic() + PATIENCE
        while not (match := re.search(pattern, self.output)):
            readable, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not readable:
                raise AssertionError(f"{pattern} not within {PATIENCE} s in {self.output!r}")
            self.output += os.read(self.terminal, 65536).decode(errors="replace")
        self.output = self.output[match.end():]
        return match


class CompletionTest(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()
        self.desktop = self.batond("desktop", 1).start()
        self.team = self.make_team(self.laptop, self.desktop)
        _, self.offer = self.desktop.publish("org.example.notes")
        self.laptop.wait_for_offer(self.offer)
        path = f"{BUILD}:{os.environ['PATH']}"
        self.environment = {**self.laptop.environment, "PATH": path, "TERM": "dumb", "HOME": str(self.directory)}
        # The name of a machine is what its owner wrote; no shell may expand it.
        self.evil = self.batond("evil", 2, arguments=["--name", "$(touch expanded)"])

    def needs(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")

    # What was typed, what completes it, and what does not.
    @property
    def cases(self):
        return [
            ("baton off", ["offer"], []),
            # Words of earlier versions work, but are not offered.
            ("baton adv", [], ["advertise"]),
            ("baton mach", ["machines", "machine"], ["doctor"]),
            ("baton pee", [], ["peers", "peer"]),
            ("baton machine ", ["list", "add", "remove"], ["create"]),
            ("baton team re", ["request", "revoke"], ["create"]),
            ("baton continue ", [self.offer], []),
            ("baton open --type org.example.notes ", [], []),
            ("baton continue --type ", ["org.example.notes"], []),
            ("baton continue --la", ["--latest"], ["--stream"]),
            ("baton list --team ", [self.team], []),
            ("baton doctor d", ["desktop"], []),
            ("baton team leave ", [self.team], []),
            ("baton team revoke d", ["desktop"], []),
            ("baton team join --add", ["--address"], []),
            ("baton help met", ["metrics"], []),
            ("baton help diag", ["diagnosis"], []),
            ("baton sea", ["search"], []),
            ("baton search white whale --fo", ["--forget"], ["--all"]),
        ]

    def check(self, complete):
        for typed, expected, others in self.cases:
            found = complete(typed)
            self.assertTrue(set(expected) <= set(found), f"{typed!r}: {found}")
            self.assertFalse(set(others) & set(found), f"{typed!r}: {found}")

    def run_shell(self, *command):
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, cwd=self.directory)
        self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        return result.stdout

    def test_bash_completes(self):
        self.needs("bash")
        script = f"""
            . {COMPLETIONS}/baton.bash
            read -ra COMP_WORDS <<<"$1"; [ "${{1% }}" = "$1" ] || COMP_WORDS+=("")
            COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _baton; printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        self.check(lambda typed: self.run_shell("bash", "-c", script, "bash", typed).split())

    def test_bash_completes_in_a_terminal(self):
        self.needs("bash")
        shell = Terminal(self, {**self.environment, "PS1": "READY> "}, "bash", "--norc", "-i")
        shell.expect("READY> ")
        shell.send(f". {COMPLETIONS}/baton.bash\n")
        shell.expect("READY> ")
        shell.send("baton team inv\t")
        shell.expect("team invite ")
        shell.send("\x15baton continue " + self.offer[:4] + "\t")
        shell.expect(self.offer)
        (self.directory / "an approval").touch()
        shell.send(f"\x15cd {self.directory}; echo THERE\n")
        shell.expect("\nTHERE")
        for typed, expected in (
            # An option with its value, in both forms, before the verb and after it.
            ("baton --socket /none list --ty", "--type "),
            ("baton --socket=/none list --ty", "--type "),
            (f"baton list --team={self.team[:3]}", f"--team={self.team}"),
            ("baton list --team=", f"--team={self.team}"),
            ("baton team import an", r"import an\\ approval"),
        ):
            shell.send("\x15" + typed + "\t")
            shell.expect(expected)
        shell.send("\x15exit\n")

    def test_zsh_completes_in_a_terminal(self):
        self.needs("zsh")
        environment = {**self.environment, "PS1": "READY> ", "ZDOTDIR": str(self.directory)}
        shell = Terminal(self, environment, "zsh", "-f", "-i")
        shell.expect("READY> ")
        shell.send(f"fpath=({COMPLETIONS} $fpath); autoload -U compinit; compinit -u -d {self.directory}/dump; echo LOADED\n")
        shell.expect("\nLOADED")
        for typed, expected in (
            ("baton team inv", "team invite "), ("baton off", "offer "),
            ("baton continue " + self.offer[:4], re.escape(self.offer)), ("baton doctor de", "doctor desktop"),
            ("baton team revoke de", "revoke desktop"), ("baton continue --la", "--latest "),
            ("baton list --team=" + self.team[:3], f"--team={self.team}"), ("baton help met", "metrics "),
        ):
            shell.send("\x15" + typed + "\t")
            shell.expect(expected)
        shell.send("\x15exit\n")

    def test_fish_completes(self):
        self.needs("fish")

        def complete(typed):
            script = f"source {COMPLETIONS}/baton.fish; complete -C {quoted(typed)}"
            return [line.split("\t")[0] for line in self.run_shell("fish", "--no-config", "-c", script).splitlines()]

        self.check(complete)

    def test_the_scripts_are_well_formed(self):
        for shell, name in (("bash", "baton.bash"), ("zsh", "_baton"), ("fish", "baton.fish")):
            self.needs(shell)
            self.run_shell(shell, "-n", COMPLETIONS / name)

    def test_what_others_are_called_is_not_run(self):
        self.evil.start()
        self.evil.baton("team", "join", self.laptop.json("team", "invite")["code"])
        self.laptop.wait_for_sessions(2)
        script = f". {COMPLETIONS}/baton.bash; COMP_WORDS=(baton doctor ''); COMP_CWORD=2; _baton; echo ${{COMPREPLY[@]}}"
        self.assertEqual(self.run_shell("bash", "-c", script).split(), ["desktop"])
        self.assertFalse((self.directory / "expanded").exists())


    def test_a_program_that_was_only_typed_does_not_run(self):
        (self.directory / "baton").write_text("#!/bin/sh\ntouch run\necho words\n")
        (self.directory / "baton").chmod(0o755)
        script = f". {COMPLETIONS}/baton.bash; COMP_WORDS=(./baton doctor ''); COMP_CWORD=2; _baton; echo ${{COMPREPLY[@]}}"
        self.assertEqual(self.run_shell("bash", "-c", script).split(), ["desktop"])
        self.assertFalse((self.directory / "run").exists())


def quoted(text):
    return f"'{text}'"
