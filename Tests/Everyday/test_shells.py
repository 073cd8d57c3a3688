# SPDX-License-Identifier: Apache-2.0
"""The hooks of Bash, zsh and fish: what they tell, and that nobody notices them."""
# Labs: lo
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import lab
from shells import LOAD, START, Shell, ShellTest


class HookTests:
    """The same for each of the three shells."""

    def test_status_is_untouched(self):
        shell = self.start(loads=False)
        # fish itself starts a job before its first prompt.
        last_job = shell.value(self.last_job)
        shell.load()
        self.wait_for_host()
        self.assertEqual([shell.run(line) for line in ("false", "sh -c 'exit 3'", "true")], [1, 3, 0])
        shell.run("sh -c 'exit 4' | true")
        self.assertEqual(shell.value(self.pipestatus).split(), ["4", "0"])
        shell.run("jobs")
        self.assertNotIn("baton", shell.before)
        self.assertEqual(shell.value(self.last_job), last_job)

    def test_each_prompt_writes_the_directory(self):
        shell = self.start()
        process = shell.pid
        self.wait_for_host()
        for name in ("a b", "-n", "q'uo\"te", "line\nbreak", "$(touch x)", "back\\slash", "é"):
            (self.directory / name).mkdir()
            quoted = "'" + name.replace("\\", "\\\\" if self.shell == "fish" else "\\").replace("'", "'\"'\"'") + "'"
            self.assertEqual(shell.run(f"cd {self.directory}/{quoted}"), 0)
            self.assertEqual(self.report(process), [f"{self.directory}/{name}", "", ""])
        shell.close()
        lab.wait_until(lambda: not (self.folder / str(process)).exists(), "the host forgets the shell")
        lab.wait_until(lambda: self.host_pid() is None, "the host ends")

    def test_a_prompt_needs_no_process(self):
        """Children that a process has waited for leave their page faults in its statistics. The host is stopped: so this
        also proves that no prompt waits for it."""
        def faults():
            return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[8])

        shell = self.start()
        process = shell.pid
        lab.freeze(self.wait_for_host())
        shell.run("cd /")
        before = faults()
        for _ in range(200):
            shell.run("cd /usr")
            shell.run("cd /tmp")
        self.assertEqual(faults(), before)
        self.assertEqual(self.report(process)[0], "/tmp")
        shell.run("sh -c 'exit 0'")
        self.assertGreater(faults(), before)

    def test_loading_twice_is_harmless(self):
        shell = self.start()
        process = shell.pid
        self.wait_for_host()
        hooks = shell.value(self.hooks)
        shell.load()
        self.assertEqual(shell.value(self.hooks), hooks)
        self.assertEqual(hooks.count("/host/stat") if self.shell == "bash" else hooks.split().count("_baton_prompt"), 1)
        self.wait_for_report(process, "/")

    def test_loading_again_brings_the_hook_back(self):
        """As after a startup file that sets the list of hooks anew, and after a change of the options."""
        shell = self.start(options=["--last-command"])
        process = shell.pid
        self.wait_for_host()
        shell.run("echo one")
        self.assertIn("echo one", self.report(process)[2])
        shell.run(self.forget)
        shell.run("cd /usr")
        self.assertEqual(self.report(process)[0], "/")
        shell.load()
        shell.run("cd /tmp")
        self.assertEqual(self.report(process), ["/tmp", "", ""])

    def test_nested_shells_and_subshells(self):
        shell = self.start()
        process = shell.pid
        self.wait_for_host()
        if self.shell != "fish":
            shell.run("(cd /usr; true)")
        self.assertEqual(self.report(process)[0], "/")
        shell.run("cd /usr")
        words, start = START[self.shell]
        shell.count = 0
        shell.type(" ".join(words) + "\n" + start)
        shell.status()
        shell.load()
        inner = shell.pid
        self.assertNotEqual(inner, process)
        shell.run("cd /tmp")
        self.assertEqual((self.report(process)[0], self.report(inner)[0]), ("/usr", "/tmp"))
        # The new program of the same process loads the hook as any other.
        shell.count = 0
        shell.type("exec " + " ".join(words) + "\n" + start)
        shell.status()
        shell.load()
        self.assertEqual(shell.pid, inner)
        shell.run("cd /usr")
        self.assertEqual(self.report(inner)[0], "/usr")
        shell.count = 0
        shell.type("exit\n")
        lab.wait_until(lambda: not (self.folder / str(inner)).exists(), "the host forgets the inner shell")
        # The outer shell writes it again for its next prompt.
        self.wait_for_report(process, "/usr")

    def test_a_new_host_follows_one_that_was_killed(self):
        shell = self.start()
        first = self.wait_for_host()
        os.kill(first, signal.SIGKILL)
        lab.wait_until(lambda: not pathlib.Path(f"/proc/{first}").exists(), "the host is gone")
        shell.run("cd /usr")
        lab.wait_until(lambda: self.host_pid() not in (None, first), "there is another host")
        self.wait_for_report(shell.pid, "/usr")

    def test_a_new_host_follows_one_that_was_killed_while_it_started_a_program(self):
        """Until that program runs, it has all descriptors of the host, as this test has one."""
        shell = self.start()
        first = self.wait_for_host()
        copy = lab.copy_descriptor(first, self.folder / "lock")
        self.addCleanup(os.close, copy)
        os.kill(first, signal.SIGKILL)
        lab.wait_until(lambda: not pathlib.Path(f"/proc/{first}").exists(), "the host is gone")
        shell.run("cd /usr")
        lab.wait_until(lambda: self.host_pid() not in (None, first), "there is another host")
        self.wait_for_report(shell.pid, "/usr")

    def test_without_baton_nothing_is_shown_and_it_gives_up(self):
        hook = subprocess.run([lab.BUILD / "baton", "shell-init", self.shell], capture_output=True, check=True).stdout
        (self.directory / "hook").write_bytes(hook)
        bare = {"PATH": os.environ["PATH"]}
        self.assertIsNone(next((p for p in bare["PATH"].split(":") if pathlib.Path(p, "baton").exists()), None))
        shell = self.start(loads=False, env=bare)
        shell.run(f". {self.directory}/hook")
        for _ in range(8):
            self.assertEqual(shell.run("true"), 0)
            self.assertEqual(shell.quiet, "")
        self.assertEqual(shell.value("$_baton_starts"), "5")
        self.assertEqual(shell.run("baton continue"), 127)

    def test_without_a_runtime_directory_of_ones_own(self):
        other = self.make_runtime("other")
        os.chown(other, 12345, 12345)
        other.chmod(0o755)
        for directory in ("/proc/nonexistent", str(other), ""):
            with self.subTest(directory):
                shell = self.start(env={"XDG_RUNTIME_DIR": directory})
                self.assertEqual(shell.run("false"), 1)
                self.assertEqual(shell.quiet, "")
                self.assertEqual(list(other.iterdir()), [])

    def test_a_removed_runtime_directory(self):
        """As at the last logout, while a shell goes on in tmux. The next login makes it again."""
        shell = self.start()
        first = self.wait_for_host()
        subprocess.run(["rm", "-r", self.runtime], check=True)
        lab.wait_until(lambda: not pathlib.Path(f"/proc/{first}").exists(), "the host ends")
        for _ in range(8):
            self.assertEqual(shell.run("false"), 1)
            self.assertEqual(shell.quiet, "")
        # fish has made it itself.
        self.runtime.mkdir(mode=0o700, exist_ok=True)
        self.work_until_there_is_a_host(shell)

    def test_a_runtime_directory_that_was_away(self):
        away = self.runtime.with_name("away")
        for steps in (
            (lambda: self.runtime.rename(away), lambda: away.rename(self.runtime)),
            (
                lambda: subprocess.run(["mount", "-t", "tmpfs", "none", self.runtime], check=True),
                lambda: subprocess.run(["umount", "--lazy", self.runtime], check=True),
            ),
        ):
            shell = self.start()
            first = self.wait_for_host()
            steps[0]()
            lab.wait_until(lambda: not pathlib.Path(f"/proc/{first}").exists(), "the host ends")
            for _ in range(8):
                self.assertEqual(shell.run("false"), 1)
                self.assertEqual(shell.quiet, "")
            if self.shell == "fish" and away.exists():
                shutil.rmtree(self.runtime, ignore_errors=True)
            steps[1]()
            self.assertNotEqual(self.work_until_there_is_a_host(shell), first)
            shell.close()

    def test_a_runtime_directory_that_comes_later(self):
        away = self.runtime.with_name("away")
        self.runtime.rename(away)
        shell = self.start()
        self.assertEqual(shell.run("false"), 1)
        if self.runtime.exists():
            # fish has made it itself.
            shutil.rmtree(self.runtime)
        away.rename(self.runtime)
        self.work_until_there_is_a_host(shell)

    def work_until_there_is_a_host(self, shell):
        """A host of the directory that was there before may be about to end. Returns the new one's number."""
        process = shell.pid

        def host():
            shell.run("cd /usr")
            number = self.host_pid()
            return number if number and pathlib.Path(f"/proc/{number}").exists() else None

        number = lab.wait_until(host, "there is a host")
        self.wait_for_report(process, "/usr")
        return number

    def test_other_shells_are_left_alone(self):
        """Shells that are not interactive, and restricted ones."""
        program = START[self.shell][0][0]
        script = f"{LOAD[self.shell].format('')}; echo done"
        result = subprocess.run([program, "-c", script], env=self.environment(), capture_output=True, text=True)
        self.assertEqual((result.stdout, result.stderr, list(self.runtime.iterdir())), ("done\n", "", []))

    def test_the_last_command_is_told_if_wanted(self):
        shell = self.start(options=["--last-command"], env={"HISTCONTROL": ""})
        process = shell.pid
        self.wait_for_host()
        shell.run("echo one")
        shell.run("echo two")
        self.assertIn("echo two", self.report(process)[2])
        shell.run(" echo hidden")
        # Bash writes what is in the history. The host drops what begins with a space.
        self.assertIn(self.report(process)[2], ("", " echo hidden"))

    def test_the_terminal_tells_its_focus_at_prompts_only(self):
        shell = self.start(options=["--focus"], env={"TERM": "xterm"})
        shell.run("true")
        shell.type("\x04")
        with self.assertRaisesRegex(AssertionError, "ended"):
            shell.expect("never")
        self.assertIn("\x1b[?1004l", shell.shown)

    def test_a_terminal_without_sequences_gets_none(self):
        shell = self.start(options=["--focus"])
        shell.run("true")
        self.assertNotIn("1004", shell.before)

    def test_a_prompt_takes_little_longer(self):
        def measure(shell):
            """The least time to the next prompt, and the shell's least CPU time for one, in seconds. What else the machine
            does makes some longer, and none shorter."""
            statistic = pathlib.Path(f"/proc/{shell.pid}/schedstat")
            times, costs = [], []
            for _ in range(1000):
                before, began = int(statistic.read_text().split()[0]), time.perf_counter()
                shell.run("")
                times.append(time.perf_counter() - began)
                costs.append(int(statistic.read_text().split()[0]) - before)
            return min(times), min(costs) / 1e9

        bare, hooked = self.start(loads=False), self.start()
        self.wait_for_host()
        hooked.run("")
        (without, idle), (with_hook, busy) = measure(bare), measure(hooked)
        print(
            f"{self.shell}: a prompt takes {without * 1e6:.0f} µs, with the hook {with_hook * 1e6:.0f} µs "
            f"({with_hook / without:.2f} times); CPU {idle * 1e6:.0f} µs and {busy * 1e6:.0f} µs", flush=True,
        )
        # Another process would take more than that.
        self.assertLess(busy - idle, 400e-6)


class ProcessTests:
    """For shells without threads, which have numbers like processes."""

    def test_a_prompt_leaves_no_process_behind(self):
        """In a PID namespace, each new process takes the next number, whoever waits for it."""
        command = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", *START[self.shell][0]]
        shell = self.start(command=command)
        lab.wait_until(lambda: os.path.lexists(self.folder / "host"), "there is a host")
        shell.run(f"kill -STOP $(readlink {self.folder}/host | tr -dc 0-9)")
        # zsh's read asks for single bytes, which this file does not give.
        last = f"{'zmodload zsh/system; sysread' if self.shell == 'zsh' else 'read'} x </proc/sys/kernel/ns_last_pid"
        shell.run(last)
        before = int(shell.value("$x"))
        for _ in range(50):
            shell.run("cd /usr")
            shell.run("cd /tmp")
        shell.run(last)
        self.assertEqual(int(shell.value("$x")), before)
        shell.run("sh -c 'exit 0'")
        shell.run(last)
        self.assertEqual(int(shell.value("$x")), before + 1)


class BashTests(HookTests, ProcessTests, ShellTest):
    shell = "bash"
    pipestatus = '"${PIPESTATUS[*]}"'
    last_job = '"$!"'
    hooks = '"${PROMPT_COMMAND[*]}"'
    forget = "unset PROMPT_COMMAND; PROMPT_COMMAND=:"

    def test_options_stay_and_do_no_harm(self):
        for option in ("-u", "-o posix", "-C", "-a", "-T", "-E", "-f", "-m", "-b"):
            with self.subTest(option):
                shell = self.start(loads=False)
                shell.run(f"set {option}")
                before = shell.value('"$-"')
                self.assertEqual(shell.load(), 0)
                self.assertEqual(shell.quiet, "")
                self.wait_for_host()
                self.assertEqual(shell.run("false"), 1)
                self.assertEqual(shell.quiet, "")
                self.assertEqual(shell.value('"$-"'), before)
                shell.run("cd /usr")
                self.wait_for_report(shell.pid, "/usr")

    def test_errexit_and_the_err_trap_see_nothing_of_it(self):
        shell = self.start(loads=False)
        shell.run("trap 'errors=$((errors+1))' ERR; trap 'debugs=$((debugs+1))' DEBUG; trap 'echo bye' EXIT")
        traps = "trap -p"
        shell.run(traps)
        before = shell.before
        shell.load()
        shell.run(traps)
        self.assertEqual(shell.before, before)
        shell.run("false")
        self.assertEqual(shell.value("$errors"), "1")
        shell.run("set -e")
        self.assertEqual(shell.run("! true"), 1)
        self.assertEqual(shell.run("true"), 0)

    def test_debug_traps_see_nothing_of_it(self):
        """They start a timer, or take what they see for the command that was typed. One that is set before the hook, after
        it, and by what replaces the prompt commands; and of a shell whose functions inherit it."""
        trap = f"trap '[[ $BASH_COMMAND != *_baton* ]] || echo \"$BASH_COMMAND\" >>{self.directory}/seen; commands+=1' DEBUG"
        for before, after in (
            (trap, ""), ("", trap), ("", trap + "; PROMPT_COMMAND=later=1"), ("", trap + "; PROMPT_COMMAND+=(later=1)"),
            ("PROMPT_COMMAND=first=1", "set -o functrace; shopt -s extdebug; " + trap),
        ):
            for options in ([], ["--focus", "--last-command"]):
                with self.subTest(before=before, after=after, options=options):
                    shell = self.start(loads=False, env={"TERM": "xterm"})
                    shell.run(before)
                    shell.load(*options)
                    self.wait_for_host()
                    shell.run(after)
                    process = shell.pid
                    # It may have seen how the hook was loaded.
                    (self.directory / "seen").unlink(missing_ok=True)
                    for line in ("cd /usr", "", "", "false"):
                        shell.run(line)
                    shell.type("\x1b[I")
                    shell.run("")
                    self.wait_for_report(process, "/usr")
                    self.assertNotEqual(shell.value('"$commands"'), "")
                    self.assertEqual(self.report(process)[2], "")
                    self.assertFalse((self.directory / "seen").exists(), "commands of the hook were seen")
                    shell.close()

    def test_a_timer_that_is_set_after_it_measures_nothing_at_an_empty_line(self):
        """What undistract-me does: its time ends with its prompt command, and begins with the next command that it
        sees."""
        shell = self.start()
        self.wait_for_host()
        for line in (
            "ended() { if [[ $began ]]; then took=$((took + 1)); fi; began= ready=1; }",
            "seen() { if [[ $ready && $BASH_COMMAND != ended ]]; then began=1; fi; ready=; }",
            "set -o functrace; shopt -s extdebug; PROMPT_COMMAND=\"${PROMPT_COMMAND:+$PROMPT_COMMAND;}ended\"; trap seen DEBUG",
            "took=0",
        ):
            shell.run(line)
        before = int(shell.value("$took"))
        for _ in range(5):
            shell.run("")
        self.assertEqual(int(shell.value("$took")), before + 1)

    def test_vs_code_sees_nothing_of_it(self):
        """Its own script wraps the element that it knows, and waits for a command after it."""
        shell = self.start(loads=False)
        shell.run("ready() { seen=; }; PROMPT_COMMAND=ready; trap 'seen=${seen:-$BASH_COMMAND}' DEBUG; TERM_PROGRAM=vscode")
        shell.load()
        process = shell.pid
        self.wait_for_host()
        shell.run("cd /usr")
        self.wait_for_report(process, "/usr")
        shell.run("")
        self.assertEqual(shell.value('"$seen"'), "printf '\\n[[%s]]\\n' \"$seen\"")

    def test_focus_in_vi_mode_changes_no_line(self):
        for mode, keys in (("vi", "\x1b"), ("emacs", "")):
            with self.subTest(mode):
                shell = self.start(loads=False, env={"TERM": "xterm"}, command=["bash", "--norc", "-i"])
                shell.run(f"set -o {'emacs' if mode == 'vi' else 'vi'}")
                shell.load("--focus")
                shell.run(f"set -o {mode}")
                shell.run("echo first second")
                # The line is finished, and the window selected.
                shell.type(f"printf '[%s]' \"$_\"{keys}\x1b[I\r")
                shell.status()
                self.assertIn("[second]", shell.before)
                self.assertNotIn("not found", shell.before)

    def test_prompt_commands_of_others(self):
        cases = {
            "": "",
            "PROMPT_COMMAND='a=\"$?|${PIPESTATUS[*]}\";'": "3|3 0",
            "PROMPT_COMMAND='a=\"$?|${PIPESTATUS[*]}\" # ends'": "3|3 0",
            "PROMPT_COMMAND=(: 'a=\"$?|${PIPESTATUS[*]}\"')": "3|3 0",
            "export PROMPT_COMMAND='a=\"$?|${PIPESTATUS[*]}\"'": "3|3 0",
            "declare -a PROMPT_COMMAND": "",
        }
        for setting, expected in cases.items():
            with self.subTest(setting):
                shell = self.start(loads=False)
                shell.run("unset PROMPT_COMMAND; a=;" + setting)
                shell.load()
                self.assertEqual(shell.quiet, "")
                process = shell.pid
                self.wait_for_host()
                shell.run("set -o pipefail; (exit 3) | true")
                if expected:
                    self.assertEqual(shell.value('"$a"'), expected)
                shell.run("cd /usr")
                self.wait_for_report(process, "/usr")
                # A shell without the hook gets what it got before.
                shell.run("bash --norc -i -c 'eval \"$PROMPT_COMMAND\"'")
                self.assertNotIn("not found", shell.before)

    def test_bash_preexec_sees_what_was_typed_and_nothing_else(self):
        """What bash-preexec does: Ghostty, Atuin and others bring it along."""
        shell = self.start(loads=False)
        for line in (
            "__bp_imported=defined; before() { status=$?; }; precmd_functions=(before)",
            '__bp_invoke() { local s=$? f; for f in "${precmd_functions[@]}"; do (exit $s) || :; (exit $s); $f; done; }',
            "__bp_typed() { [[ ${ready-} ]] && { ready=; seen+=\"[$BASH_COMMAND]\"; }; }",
            "PROMPT_COMMAND=$'__bp_invoke\\nready=1'; trap __bp_typed DEBUG",
        ):
            shell.run(line)
        shell.load()
        process = shell.pid
        self.wait_for_host()
        shell.run("seen=")
        shell.run("cd /usr")
        shell.run("false")
        self.assertEqual(shell.value('"$status"'), "1")
        self.assertRegex(shell.value('"$seen"'), r"^\[cd /usr\]\[false\]\[printf [^_]*\]\[printf [^_]*\]$")
        self.wait_for_report(process, "/usr")

    def test_only_the_commands_of_this_shell_are_told(self):
        """Shells that share their history."""
        for number, sharing in enumerate(("history -a; history -n", "history -a; history -c; history -r")):
            with self.subTest(sharing):
                history = {"HISTFILE": str(self.directory / f"history-{number}"), "HISTCONTROL": "ignorespace"}
                shell, other = (self.start(loads=False, env=history) for _ in range(2))
                for each in (shell, other):
                    each.run(f"PROMPT_COMMAND='{sharing}'")
                    each.load("--last-command")
                process = shell.pid
                shell.run("echo one")
                self.assertEqual(self.report(process)[2], "echo one")
                shell.run("")
                self.assertEqual(self.report(process)[2], "echo one")
                other.run("echo other")
                for line in ("", " echo hidden", ""):
                    shell.run(line)
                    self.assertNotIn("other", self.report(process)[2])
                for each in (shell, other):
                    each.close()

    def test_a_hidden_command_after_a_hook_that_reads_the_history(self):
        """What runs after the hook could read what another shell has written."""
        (self.directory / "history").write_text("echo other\n")
        shell = self.start(options=["--last-command"], env={"HISTCONTROL": "ignorespace"})
        process = shell.pid
        shell.run(f"PROMPT_COMMAND+=('history -r {self.directory}/history')")
        shell.run(" echo hidden")
        self.assertNotIn("other", self.report(process)[2])

    def test_a_new_program_of_the_process_gets_the_hook(self):
        """With `set -a`, it inherits the variables of the hook."""
        shell = self.start()
        shell.run("set -a")
        shell.load()
        process = shell.pid
        words, start = START["bash"]
        shell.count = 0
        shell.type("exec " + " ".join(words) + "\n" + start)
        shell.status()
        shell.load()
        shell.run("cd /usr")
        self.assertEqual((shell.pid, self.report(process)[0]), (process, "/usr"))

    def test_a_hidden_command_stays_hidden_in_posix_mode(self):
        shell = self.start(options=["--last-command"], env={"HISTCONTROL": ""})
        process = shell.pid
        self.wait_for_host()
        shell.run("set -o posix")
        shell.run(" echo hidden")
        self.assertEqual(self.report(process)[2], "")
        shell.run("set +o posix")
        shell.run("echo shown")
        self.assertEqual(self.report(process)[2], "echo shown")

    def test_a_readonly_prompt_command_stays(self):
        shell = self.start(loads=False)
        shell.run("readonly PROMPT_COMMAND='a=1'")
        self.assertEqual(shell.load(), 0)
        self.assertEqual(shell.quiet, "")
        self.assertEqual(shell.value('"$PROMPT_COMMAND"'), "a=1")

    def test_a_later_prompt_command_of_text_keeps_the_hook(self):
        shell = self.start()
        shell.run("PROMPT_COMMAND='later=1'")
        self.wait_for_host()
        shell.run("cd /usr")
        self.wait_for_report(shell.pid, "/usr")

    def test_restricted_shells_are_left_alone(self):
        shell = self.start(command=[*START["bash"][0], "-r"])
        self.assertEqual((shell.quiet, shell.run("false"), shell.quiet), ("", 1, ""))
        shell = self.start()
        self.wait_for_host()
        shell.run("set -r")
        self.assertEqual((shell.run("false"), shell.quiet), (1, ""))

    def test_the_script_is_clean(self):
        for options in ([], ["--focus", "--last-command"]):
            script = subprocess.run(
                [lab.BUILD / "baton", "shell-init", "bash", *options], capture_output=True, check=True
            ).stdout
            subprocess.run(["bash", "-n"], input=script, check=True)
            result = subprocess.run(["shellcheck", "-"], input=script, capture_output=True)
            self.assertEqual(result.stdout.decode(), "")


class ZshTests(HookTests, ProcessTests, ShellTest):
    shell = "zsh"
    pipestatus = '"$pipestatus"'
    last_job = '"${${!}#0}"'
    hooks = '"${precmd_functions[*]}"'
    forget = "precmd_functions=()"

    def test_options_stay_and_do_no_harm(self):
        for option in (
            "setopt nounset", "setopt noclobber", "setopt ksharrays", "setopt shwordsplit", "setopt noglob",
            "setopt errreturn", "setopt globassign", "emulate sh", "emulate ksh", "alias -g G=grep; alias print=false",
            "setopt ignorebraces", "setopt allexport", "setopt warncreateglobal", "setopt cshnullglob",
        ):
            with self.subTest(option):
                shell = self.start(loads=False)
                shell.run(option + "; setopt promptsubst")
                before = shell.value('"$(setopt)"')
                self.assertEqual(shell.load(), 0)
                self.assertEqual(shell.quiet, "")
                self.wait_for_host()
                self.assertEqual(shell.run("false"), 1)
                self.assertEqual(shell.quiet, "")
                self.assertEqual(shell.value('"$(setopt)"'), before)
                shell.run("cd /usr")
                self.wait_for_report(shell.pid, "/usr")

    def test_what_the_history_leaves_out_is_not_told(self):
        shell = self.start(options=["--last-command"])
        process = shell.pid
        self.wait_for_host()
        for setting, line, told in (
            ("HISTORY_IGNORE='(echo hidden*)'", "echo shown", "echo shown"),
            ("HISTORY_IGNORE='(echo hidden*)'", "echo hidden 1", ""),
            ("setopt extended_glob; HISTORY_IGNORE='(#i)ECHO HIDDEN*'", "echo hidden 2", ""),
            ("HISTORY_IGNORE='((('", "echo hidden 3", ""),
            ("unset HISTORY_IGNORE; setopt nounset", "echo shown again", "echo shown again"),
            ("alias hidden=' echo'", "hidden without the option", "hidden without the option"),
            ("setopt hist_ignore_space", "hidden by an alias", ""),
            ("unalias hidden", "echo shown then", "echo shown then"),
            ("zshaddhistory() { return 1 }", "echo hidden 4", ""),
            ("unfunction zshaddhistory; f() { return 1 }; zshaddhistory_functions=(f)", "echo hidden 5", ""),
        ):
            with self.subTest(line):
                shell.run(setting)
                shell.run(line)
                self.assertEqual(self.report(process)[2], told)
                self.assertNotIn("pattern", shell.before)

    def test_errexit_sees_nothing_of_it(self):
        shell = self.start(loads=False)
        shell.load()
        self.wait_for_host()
        shell.run("setopt errexit")
        self.assertEqual(shell.run("! true"), 1)
        self.assertEqual(shell.run("true"), 0)

    def test_other_hooks_see_the_status(self):
        shell = self.start(loads=False)
        shell.run("seen() { a=$? b=\"$pipestatus\" }; precmd_functions+=(seen)")
        shell.load()
        shell.run("late() { c=$? d=\"$pipestatus\" }; precmd_functions+=(late)")
        self.wait_for_host()
        shell.run("(exit 3) | (exit 4)")
        self.assertEqual(shell.value('"$a|$b|$c|$d"'), "4|3 4|4|3 4")

    def test_the_script_is_clean(self):
        for options in ([], ["--focus", "--last-command"]):
            script = subprocess.run(
                [lab.BUILD / "baton", "shell-init", "zsh", *options], capture_output=True, check=True
            ).stdout
            subprocess.run(["zsh", "-n"], input=script, check=True)


class FishTests(HookTests, ShellTest):
    shell = "fish"
    pipestatus = '"$pipestatus"'
    last_job = '"$last_pid"'
    hooks = "(functions --handlers | string collect)"
    forget = "functions --erase _baton_prompt"

    def test_what_the_history_leaves_out_is_not_told(self):
        shell = self.start(options=["--last-command"])
        process = shell.pid
        self.wait_for_host()
        for setting, line, told in (
            ("set -g fish_history ''", "echo hidden 1", ""), ("set -g fish_history x", "echo shown", "echo shown"),
            ("function fish_should_add_to_history; not string match -q '*hidden*' -- $argv; end", "echo hidden 2", ""),
            ("true", "echo shown again", "echo shown again"),
        ):
            with self.subTest(line):
                shell.run(setting)
                shell.run(line)
                self.assertEqual(self.report(process)[2], told)

    def test_the_script_is_clean(self):
        for options in ([], ["--focus", "--last-command"]):
            script = subprocess.run(
                [lab.BUILD / "baton", "shell-init", "fish", *options], capture_output=True, check=True
            ).stdout
            subprocess.run(["fish", "-n"], input=script, check=True)


if __name__ == "__main__":
    unittest.main()
