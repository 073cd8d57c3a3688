# SPDX-License-Identifier: Apache-2.0
"""The directory of a terminal, handed over: offered, found on the other machine, opened there with ssh, and by tmux."""
# Labs: pair
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import lab
from shells import Shell, ShellTest

SHELLS = ("bash", "zsh", "fish")
DIRECTORY = "io.baton.directory"


class DirectoryTest(ShellTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two()

    def open(self, name="bash", options=(), loads=True, on=None, **more):
        """A shell on the laptop, or on another daemon's host, which has its own runtime directory."""
        daemon = on or self.laptop
        shell = Shell(self, name, host=daemon.host, environment=self.environment(daemon, **more.pop("env", {})), **more)
        if loads:
            shell.load(*options)
        return shell

    def offers(self):
        return [offer for offer in self.desktop.offers() if offer["activityType"] == DIRECTORY]

    def offered(self):
        return sorted(offer.get("title", "") for offer in self.offers())

    def wait_for(self, *titles):
        lab.wait_until(lambda: self.offered() == list(titles), lambda: f"{titles} are offered, not {self.offered()}")

    def work(self, shell, *titles):
        """Presses Enter until that is offered. The host may not know yet that another activity is current, or that a
        machine has continued its own."""
        def works():
            shell.run("")
            return self.offered() == list(titles)

        lab.wait_until(works, f"{titles} are offered when somebody works")

    def make(self, name):
        path = self.directory / name
        path.mkdir()
        return path

    def user_info(self):
        return self.desktop.call("Continue", id=self.offers()[0]["id"])["activity"]["userInfo"]


class OfferTests(DirectoryTest):
    def test_the_directory_is_offered_while_the_shell_lives(self):
        for name in SHELLS:
            with self.subTest(name):
                work = self.make(f"work-{name}")
                shell = self.open(name)
                shell.run(f"cd {work}")
                self.wait_for(work.name)
                self.laptop.restart()
                self.desktop.wait_for_offer(self.laptop.wait_for_current(work.name))
                self.wait_for(work.name)
                info = self.user_info()
                self.assertEqual(info["document"]["path"], str(work))
                self.assertEqual((info["host"], info["user"]), (os.uname().nodename, "root"))
                self.assertNotIn("command", info)
                # Continued, it is no longer offered, until somebody works there again.
                self.wait_for()
                self.work(shell, work.name)
                shell.close()
                self.wait_for()

    def test_the_last_prompt_wins(self):
        one, two = self.make("one"), self.make("two")
        first, second = self.open(), self.open("zsh")
        first.run(f"cd {one}")
        self.wait_for("one")
        second.run(f"cd {two}")
        self.wait_for("two")
        first.run("")
        self.wait_for("one")
        # The other terminal's end changes nothing, and the end of this one shows nothing else.
        second.close()
        second = self.open("fish", directory=two)
        self.wait_for("two")
        first.close()
        self.assertEqual(self.offered(), ["two"])
        second.close()
        self.wait_for()
        lab.wait_until(lambda: self.host_pid() is None, "the host ends with the last shell")

    def test_another_activity_stays_until_the_next_prompt(self):
        shell = self.open(directory=self.make("one"))
        self.wait_for("one")
        connection, activity = self.laptop.publish(title="other")
        self.desktop.wait_for_offer(activity)
        self.wait_for()
        self.work(shell, "one")
        connection.close()

    def test_a_long_command_that_ends_while_the_person_is_elsewhere(self):
        one, two = self.make("one"), self.make("two")
        first, second = self.open(), self.open("zsh")
        process = first.pid
        # The kernel notes in steps of 8 s when somebody typed, so this takes more than 16 s.
        first.type(f"sleep 17; cd {one}\n")
        second.run(f"cd {two}")
        self.wait_for("two")
        count = self.laptop.call("GetStatus")["counters"]["offersSent"]
        first.status()
        self.wait_for_report(process, one)
        second.run("cd /")
        self.wait_for("/")
        self.assertEqual(self.laptop.call("GetStatus")["counters"]["offersSent"], count + 1)
        first.run("")
        self.wait_for("one")

    def test_excluded_directories_are_never_told(self):
        public, private = self.make("public"), self.make("private")
        (private / "inside").mkdir()
        (self.directory / "link").symlink_to(private / "inside")
        for name in SHELLS:
            with self.subTest(name):
                # The first prompt starts the host, and is excluded, too.
                setting = "set -g" if name == "fish" else ""
                shell = self.open(name, loads=False, directory=private)
                sign = " " if name == "fish" else "="
                shell.run(f"{setting} BATON_EXCLUDE{sign}/nowhere:{private}")
                shell.load()
                for directory in (private / "inside", self.directory / "link", private):
                    shell.run(f"cd {public}")
                    self.wait_for("public")
                    shell.run(f"cd {directory}")
                    self.wait_for()
                shell.close()
        self.assertNotIn("private", self.desktop.log_text())

    def test_excluded_directories_are_not_told_by_other_names(self):
        """Where they are mounted, and where letters of both cases mean the same."""
        public, private = self.make("public"), self.make("private")
        (private / "inside").mkdir()
        (private / "disk").mkdir()
        shell = self.open(directory=public, env={"BATON_EXCLUDE": str(private)})
        self.wait_for("public")
        shell.run(f"mkdir {public}/a {public}/b {public}/c; mount -t tmpfs none {private}/disk; mkdir {private}/disk/x")
        for source, name in (("", "a"), ("inside", "b"), ("disk/x", "c")):
            self.assertEqual(shell.run(f"mount --bind {private}/{source} {public}/{name}"), 0)
            shell.run(f"cd {public}/{name}")
            self.wait_for()
            shell.run(f"cd {public}")
            self.wait_for("public")
        shell.run(f"umount {public}/a {public}/b {public}/c {private}/disk")

    def test_two_ways_to_write_a_directory_are_two(self):
        """What was typed in the one is told with neither, although Swift takes their names for the same."""
        public, private = self.make("caf\u00e9"), self.make("cafe\u0301")
        (self.directory / "link").symlink_to(private)
        shell = self.open(options=("--last-command",), directory=public, env={"BATON_EXCLUDE": str(private)})
        self.wait_for(public.name)
        for name in (private.name, "link"):
            shell.run(f"cd ../{name}; : first")
            self.wait_for()
            shell.run(": vi the plan")
            shell.run(f"cd ../{public.name}")
            self.wait_for(public.name)
            self.assertNotIn("plan", json.dumps(self.user_info()))

    def test_the_first_shell_decides_for_no_other(self):
        """One host serves all, and it has the environment of the shell that started it."""
        public, private, tools = self.make("public"), self.make("private"), self.make("tools")
        used = self.directory / "used"
        (tools / "git").write_text(f'#!/bin/sh\necho "$HOME" >>{used}\nexec /usr/bin/git "$@"\n')
        (tools / "git").chmod(0o755)
        first = self.open(directory="/", env={"HOME": "/nowhere", "BATON_EXCLUDE": "~/private"})
        self.wait_for("/")
        path = f"{tools}:{self.environment()['PATH']}"
        for name in SHELLS:
            with self.subTest(name):
                used.unlink(missing_ok=True)
                shell = self.open(name, directory=public, env={"BATON_EXCLUDE": "~/private", "PATH": path})
                self.wait_for("public")
                self.assertEqual(set(used.read_text().split()), {str(self.directory)})
                shell.run(f"cd {private}")
                self.wait_for()
                shell.run("cd ~")
                self.wait_for("~")
                shell.close()
        first.run("cd /usr")
        self.wait_for("usr")

    def test_nothing_stays_offered_when_the_runtime_directory_is_away(self):
        public, other = self.make("public"), self.make("other")
        shell = self.open(directory=public)
        self.wait_for("public")
        self.runtime.rename(self.runtime.with_name("away"))
        self.wait_for()
        for _ in range(8):
            shell.run(f"cd {other}")
        self.assertEqual(self.offered(), [])
        self.runtime.with_name("away").rename(self.runtime)
        self.work(shell, "other")

    def test_a_list_in_quotes_or_in_an_array(self):
        """What shells leave to the reader: a tilde in quotes or after a colon, and arrays."""
        public, private = self.make("public"), self.make("private")
        for name, setting in (
            ("bash", 'BATON_EXCLUDE="~/private:/etc"'), ("zsh", 'BATON_EXCLUDE="~/private:/etc"'),
            ("fish", "set -g BATON_EXCLUDE /etc:~/private"),
            ("bash", "BATON_EXCLUDE=(/etc ~/private)"), ("zsh", "BATON_EXCLUDE=(/etc ~/private)"),
        ):
            with self.subTest(setting, shell=name):
                shell = self.open(name, loads=False, directory=private)
                shell.run(setting)
                shell.load()
                shell.run(f"cd {public}")
                self.wait_for("public")
                shell.run(f"cd {private}")
                self.wait_for()
                shell.run(f"cd {public}")
                self.wait_for("public")
                # What cannot be understood may mean any directory.
                shell.run("set -g BATON_EXCLUDE private" if name == "fish" else "BATON_EXCLUDE=private")
                self.wait_for()
                shell.close()
        self.assertNotIn("private", self.desktop.log_text())

    def sockets(self, process):
        count = 0
        for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                count += os.readlink(descriptor).startswith("socket:")
        return count

    def test_late_news_of_a_withdrawal_withdraws_nothing_else(self):
        public, private = self.make("public"), self.make("private")
        shell = self.open(directory=public, env={"BATON_EXCLUDE": str(private)})
        self.wait_for("public")
        host = self.wait_for_host()
        calls = self.sockets(host)
        self.laptop.freeze()
        shell.run(f"cd {private}")
        lab.wait_until(lambda: self.sockets(host) > calls, "the daemon is called")
        lab.wait_until(lambda: lab.thread_states(host) == {"S"}, "the call is sent")
        # The host learns of the next directory, and then that the first one was withdrawn.
        lab.freeze(host)
        shell.run(f"cd {public}")
        self.laptop.signal(signal.SIGCONT)
        self.wait_for()
        os.kill(host, signal.SIGCONT)
        self.wait_for("public")

    def test_the_last_command_is_sent_if_wanted(self):
        for name in SHELLS:
            with self.subTest(name):
                work = self.make(f"work-{name}")
                shell = self.open(name, options=["--last-command"], directory=work)
                self.wait_for(work.name)
                seen = set()

                def wait_for_command(command):
                    def is_told():
                        seen.add(self.told("command"))
                        # Continued, it is offered again at the next prompt.
                        shell.run("")
                        return command in seen

                    lab.wait_until(is_told, f"{command} is told")

                shell.run("echo one")
                wait_for_command("echo one")
                for line in (" echo hidden", "echo --password=x >/dev/null", "echo " + "x" * 600):
                    shell.run(line)
                    seen.add(self.told("command"))
                shell.run("echo two")
                wait_for_command("echo two")
                self.assertLessEqual(seen, {None, "echo one", "echo two"})
                shell.close()

    def told(self, key):
        """What the desktop is told when it continues the directory; None if it is not offered."""
        offers = [offer for offer in self.desktop.offers() if offer["activityType"] == DIRECTORY]
        if not offers:
            return None
        return self.desktop.call("Continue", id=offers[0]["id"])["activity"]["userInfo"].get(key)

    def test_tmux_tells_which_pane_has_the_focus(self):
        one, two = self.make("one"), self.make("two")
        environment = self.environment(self.laptop, TERM="screen", TMUX_TMPDIR=str(self.directory), SHELL="/bin/bash")
        (self.directory / ".bashrc").write_text('eval "$(baton shell-init bash)"\n')
        hooks = subprocess.run([lab.BUILD / "baton", "shell-init", "tmux"], capture_output=True, check=True).stdout
        (self.directory / ".tmux.conf").write_bytes(b"set-option -g default-command 'bash'\n" + hooks)
        tmux = ["tmux", "-f", self.directory / ".tmux.conf"]

        def control(*words):
            subprocess.run([*map(str, tmux), *map(str, words)], env=environment, check=True, capture_output=True)

        outer = self.open(loads=False, env={"TERM": "screen", "TMUX_TMPDIR": str(self.directory), "SHELL": "/bin/bash"})
        self.addCleanup(lambda: subprocess.run([*map(str, tmux), "kill-server"], env=environment, capture_output=True))
        outer.type(f"cd {one}; tmux -f {self.directory}/.tmux.conf new-session -s S\n")
        self.wait_for("one")
        control("split-window", "-c", two)
        self.wait_for("two")
        control("select-pane", "-t", "S:0.0")
        self.wait_for("one")
        control("select-pane", "-t", "S:0.1")
        self.wait_for("two")
        hooks = lambda: subprocess.run(  # noqa: E731
            [*map(str, tmux), "show-hooks", "-g"], env=environment, check=True, capture_output=True).stdout
        before = hooks()
        control("source-file", self.directory / ".tmux.conf")
        self.assertEqual(hooks(), before)

    def test_the_terminal_tells_its_focus(self):
        one, two = self.make("one"), self.make("two")
        for name in SHELLS:
            with self.subTest(name):
                words = {"bash": ["bash", "--norc", "-i"], "zsh": ["zsh", "-f", "-i"]}.get(name)
                first = self.open(name, options=["--focus"], directory=one, command=words, env={"TERM": "xterm"})
                self.wait_for("one")
                other = self.open("bash", directory=two)
                self.wait_for("two")
                first.type("\x1b[O\x1b[I")
                self.wait_for("one")
                first.run("true")
                first.close()
                other.close()


class ContinueTests(DirectoryTest):
    def setUp(self):
        super().setUp()
        self.homes = {}
        for daemon in (self.laptop, self.desktop):
            home = self.make(f"home-{daemon.name}")
            clone = home / "src" / "baton"
            clone.mkdir(parents=True)
            for command in (["init", "-q"], ["remote", "add", "origin", "git@example.org:ada/baton.git"]):
                subprocess.run(["git", "-C", clone, *command], check=True)
            self.homes[daemon] = home
        self.there, self.here = (self.homes[daemon] / "src" / "baton" for daemon in (self.laptop, self.desktop))
        self.desktop_runtime = self.make_runtime("desktop")

    def terminal(self, name, **more):
        environment = {"HOME": str(self.homes[self.desktop]), "XDG_RUNTIME_DIR": str(self.desktop_runtime),
                       "BATON_EXCLUDE": "/", **more.pop("env", {})}
        return self.open(name, on=self.desktop, env=environment, **more)

    def work_in(self, directory):
        """Offers a directory of the laptop."""
        shell = self.open(env={"HOME": str(self.homes[self.laptop])}, directory=directory)
        self.wait_for(os.path.basename(directory))
        return shell

    def test_the_terminal_changes_to_the_same_clone(self):
        for name in SHELLS:
            for number, directory in enumerate(("plain", "-n", "a b", "q'uo\"te", "line\nbreak\n", "$(exit)", "b\\\\s")):
                with self.subTest(shell=name, directory=directory):
                    for clone in (self.there, self.here):
                        (clone / directory).mkdir(exist_ok=True)
                    shell = self.open(env={"HOME": str(self.homes[self.laptop])}, directory=self.there / directory)
                    lab.wait_until(lambda: self.offered(), "it is offered")
                    terminal = self.terminal(name)
                    lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
                    self.assertEqual(terminal.run("baton continue"), 0, terminal.before)
                    terminal.run("pwd >/dev/null")
                    where = os.readlink(f"/proc/{terminal.pid}/cwd")
                    self.assertEqual(where, str(self.here / directory))
                    terminal.close()
                    shell.close()
                    self.wait_for()

    def test_the_terminal_changes_to_the_same_path_in_the_other_home(self):
        for home in self.homes.values():
            (home / "work" / "letters").mkdir(parents=True)
        shell = self.work_in(self.homes[self.laptop] / "work" / "letters")
        terminal = self.terminal("bash")
        lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
        self.assertEqual(terminal.run("baton continue"), 0, terminal.before)
        self.assertIn("at the same path in your home directory", terminal.before)
        terminal.run("true")
        self.assertEqual(os.readlink(f"/proc/{terminal.pid}/cwd"), str(self.homes[self.desktop] / "work" / "letters"))
        shell.close()

    def test_setup_changes_the_directory_as_well(self):
        for name in SHELLS:
            with self.subTest(shell=name):
                shell = self.work_in(self.there)
                terminal = self.terminal(name)
                lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
                terminal.type("baton setup\n")
                while terminal.expect(r"\[Y/n\]|continue it here\.")[0] == "[Y/n]":
                    terminal.type("n\n")
                terminal.type("\n")
                terminal.expect("It works: you've continued")
                self.assertEqual(terminal.status(), 0)
                terminal.run("pwd >/dev/null")
                self.assertEqual(os.readlink(f"/proc/{terminal.pid}/cwd"), str(self.here))
                terminal.close()
                shell.close()
                self.wait_for()

    def stop_and_go_on(self, name):
        """Stops `baton continue` at its question, and answers when it goes on. What is shown is in the terminal's `before`."""
        shutil.copytree(self.here, self.here.parent / "second")
        self.work_in(self.there)
        terminal = self.terminal(name)
        terminal.type("baton continue\n")
        terminal.expect("Type a number")
        terminal.type("\x1a")
        self.assertNotEqual(terminal.status(), 0)
        terminal.type("fg\n")
        terminal.type("2\n")
        terminal.status()
        return terminal

    def test_a_command_that_was_stopped_shows_the_directory(self):
        """The function of the hook has returned, so nobody would change the directory."""
        terminal = self.stop_and_go_on("bash")
        self.assertIn("cd -- '/", terminal.before)
        self.assertNotIn("Now in", terminal.before)

    def test_a_stopped_command_of_zsh_says_how_to_change_the_directory(self):
        """zsh goes on with the function in another process."""
        terminal = self.stop_and_go_on("zsh")
        self.assertIn("Can't change this shell's directory. Run: cd -- /", terminal.before)
        self.assertEqual(list((self.desktop_runtime / "baton-shells").glob("cd-*")), [])

    def test_a_subshell_of_zsh_changes_its_own_directory(self):
        self.work_in(self.there)
        terminal = self.terminal("zsh")
        terminal.run("(baton continue && pwd)")
        self.assertIn(f"\n{self.here}\r", terminal.before)

    def test_the_new_shell_does_not_know_the_file_of_the_old_one(self):
        shell = self.work_in(self.there)
        terminal = self.terminal("bash", env={"SHELL": "/bin/sh"})
        lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
        terminal.type("baton continue --shell\n")
        terminal.expect("Now in")
        terminal.type('echo "[${BATON_CD-none}]"\n')
        self.assertEqual(terminal.expect(r"\[(none|/.*)\]\r\n")[1], "none")
        shell.close()

    def test_without_the_hook_the_command_is_shown(self):
        shell = self.work_in(self.there)
        terminal = self.terminal("bash", loads=False)
        self.assertEqual(terminal.run("baton continue"), 0)
        self.assertIn(f"cd -- '{self.here}'", terminal.before)
        self.assertIn("shell-init", terminal.before)
        shell.close()

    def test_a_clone_that_another_machine_has_sent_is_none(self):
        """Its configuration lets git run programs, which prompts ask for its state."""
        trap = self.directory / "trap"
        shell = self.work_in(self.there)
        for where in ("Handoff/photos", "Handoff/a/b"):
            (self.homes[self.desktop] / where).parent.mkdir(parents=True, exist_ok=True)
            self.here.rename(self.homes[self.desktop] / where)
            self.here = self.homes[self.desktop] / where
            subprocess.run(["git", "-C", self.here, "config", "core.fsmonitor", f"touch {trap}; false"], check=True)
            self.work(shell, self.there.name)
            terminal = self.terminal("bash")
            terminal.type("baton continue\n")
            terminal.expect(r"it isn't on this machine")
            terminal.expect(r"with ssh\? \[Y/n\]")
            terminal.type("n\n")
            terminal.status()
            self.assertNotEqual(terminal.value("$PWD"), str(self.here))
            self.assertFalse(trap.exists())
            terminal.close()
        shell.close()

    def test_a_repository_in_a_clone_is_no_part_of_it(self):
        """Whoever wrote the clone's files wrote its configuration, and git takes such a folder for one without `.git`."""
        trap = self.directory / "trap"
        folder = self.here / "docs"
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        for key, value in (("core.bare", "false"), ("core.worktree", ".."), ("core.fsmonitor", f"touch {trap}; false")):
            subprocess.run(["git", "config", "--file", folder / "config", key, value], check=True)
        document = {"path": "/x/docs", "repositories": ["example.org/ada/baton"], "repositoryPath": "docs", "homePath": "src/baton/docs"}
        connection, activity = self.laptop.publish(DIRECTORY, title="docs", userInfo={"document": document})
        self.desktop.wait_for_offer(activity)
        terminal = self.terminal("bash")
        terminal.run("PROMPT_COMMAND='git status >/dev/null 2>&1'")
        terminal.run("baton continue")
        terminal.run("true")
        self.assertFalse(trap.exists(), terminal.before)
        connection.close()

    def test_of_two_clones_the_person_chooses(self):
        shutil.copytree(self.here, self.here.parent / "second")
        shell = self.work_in(self.there)
        terminal = self.terminal("bash")
        lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
        terminal.type("baton continue\n")
        terminal.expect("Type a number")
        chosen = re.search(r"^ +2 +(/\S+)", terminal.before, re.M)[1]
        self.assertEqual(terminal.run("2"), 0)
        self.assertEqual(os.readlink(f"/proc/{terminal.pid}/cwd"), chosen)
        shell.close()

    def test_a_directory_that_is_only_there_is_opened_with_ssh(self):
        only = self.there.parent / "it's \"only\" $(there)\\n"
        only.mkdir()
        programs = self.start_sshd()
        # The name of this machine is that of the lab's two hosts. The other one has a name that nobody knows.
        shell = self.open(
            env={"HOME": str(self.homes[self.laptop])}, directory=only,
            prefix=["unshare", "--uts", "sh", "-c", 'hostname lab-laptop && exec "$@"', "sh"],
        )
        self.wait_for(only.name)
        terminal = self.terminal("bash", env={"PATH": f"{programs}:{lab.BUILD}:{os.environ['PATH']}"})
        lab.wait_until(lambda: (self.desktop_runtime / "baton-shells/host").is_symlink(), "the host is there")
        terminal.type("baton continue\n")
        terminal.expect(r"root@lab-laptop.*with ssh\? \[Y/n\]")
        terminal.type("y\n")
        terminal.expect(r"[$#] ")
        terminal.type("printf '[%s|%s]\\n' there \"$PWD\"\n")
        self.assertEqual(terminal.expect(r"\[there\|(.*)\]")[1], str(only))
        terminal.type("exit\n")
        self.assertEqual(terminal.status(), 0)
        words = json.loads((self.directory / "ssh.json").read_text())
        self.assertIn("HostKeyAlias=lab-laptop", words)
        # Only yes, and Enter alone, mean yes. Ctrl-D ends the input.
        (self.directory / "ssh.json").unlink()
        for answer in ("n\n", "\x04", "y\x04\x04", "yess\n", " \n"):
            with self.subTest(answer):
                self.work(shell, only.name)
                terminal.type("baton continue\n")
                terminal.expect(r"\[Y/n\]")
                terminal.type(answer)
                self.assertEqual(terminal.status(), 0)
                self.assertFalse((self.directory / "ssh.json").exists())

    def test_a_machine_with_the_same_name_is_another_one(self):
        for host in (os.uname().nodename, "localhost"):
            with self.subTest(host):
                info = {"document": {"path": "/nonexistent/x"}, "host": host, "user": "ada"}
                connection, activity = self.laptop.publish(DIRECTORY, title="there", userInfo=info)
                self.desktop.wait_for_offer(activity)
                terminal = self.terminal("bash")
                terminal.type(f"baton continue {activity}\n")
                terminal.expect(re.escape(f"Open it on ada@{host} (") + r"(10\.77\.0\.1|fe80\S+)\) with ssh\?")
                self.assertEqual(terminal.run("n"), 0)
                connection.close()
                terminal.close()

    def test_a_name_of_the_configuration_of_ssh_is_used(self):
        (self.homes[self.desktop] / ".ssh").mkdir()
        (self.homes[self.desktop] / ".ssh/config").write_text("Host Work\n  HostName 10.77.0.1\n  Port 2222\n")
        programs = self.make("programs")
        (programs / "ssh").write_text(
            f'#!/bin/sh\n[ "$1" != -G ] || {{ [ "$3" != Work ] || echo hostname 10.77.0.1; exit 0; }}\n'
            f'printf "%s\\n" "$@" >{self.directory}/ssh\n'
        )
        (programs / "ssh").chmod(0o755)
        info = {"document": {"path": "/nonexistent/x"}, "host": "Work", "user": "ada"}
        connection, activity = self.laptop.publish(DIRECTORY, title="there", userInfo=info)
        self.desktop.wait_for_offer(activity)
        terminal = self.terminal("bash", env={"PATH": f"{programs}:{lab.BUILD}:{os.environ['PATH']}"})
        terminal.type(f"baton continue {activity}\n")
        terminal.expect(r"Open it on ada@Work with ssh\?")
        self.assertEqual(terminal.run("y"), 0, terminal.before)
        words = (self.directory / "ssh").read_text().splitlines()
        self.assertEqual(words[:5], ["-t", "-l", "ada", "--", "Work"])
        connection.close()

    def test_without_ssh_it_is_said_what_to_install(self):
        info = {"document": {"path": "/nonexistent/x"}, "host": "Work", "user": "ada"}
        connection, activity = self.laptop.publish(DIRECTORY, title="there", userInfo=info)
        self.desktop.wait_for_offer(activity)
        terminal = self.terminal("bash")
        self.assertEqual(terminal.run(f"PATH={lab.BUILD} baton continue {activity}"), 1)
        self.assertIn("sudo apt install openssh-client", terminal.before)
        self.assertNotIn("[Y/n]", terminal.before)
        connection.close()

    def start_sshd(self):
        """Debian's sshd on the laptop's host; returns a directory with an `ssh` that knows its key."""
        programs = self.make("programs")
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.directory / key], check=True)
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        # The profile of the account that runs the test may start anything, and wait for it.
        (self.directory / "sshd_config").write_text(
            f"Port 22\nHostKey {self.directory}/host\nAuthorizedKeysFile {self.directory}/user.pub\nStrictModes no\n"
            f"SetEnv HOME={self.homes[self.laptop]}\nPermitRootLogin yes\nUsePAM no\nPidFile none\n"
        )
        key = (self.directory / "host.pub").read_text()
        (self.directory / "known").write_text(f"lab-laptop {key}")
        (self.directory / "ssh_config").write_text(
            f"IdentityFile {self.directory}/user\nUserKnownHostsFile {self.directory}/known\nStrictHostKeyChecking yes\n"
        )
        (programs / "ssh").write_text(
            "#!/usr/bin/env python3\nimport json, os, sys\n"
            f"json.dump(sys.argv, open('{self.directory}/ssh.json', 'w'))\n"
            f"os.execv('/usr/bin/ssh', ['ssh', '-F', '{self.directory}/ssh_config', *sys.argv[1:]])\n"
        )
        (programs / "ssh").chmod(0o755)
        self.spawn(lab.on(self.laptop.host, "/usr/sbin/sshd", "-D", "-e", "-f", self.directory / "sshd_config"),
                   stderr=subprocess.DEVNULL)
        lab.wait_until(
            lambda: subprocess.run(lab.on(self.laptop.host, "ss", "-ltnH", "sport = :22"), capture_output=True).stdout,
            "sshd listens",
        )
        return programs

    def test_what_arrives_cannot_become_an_option_or_a_command(self):
        for host, user in (("-oProxyCommand=touch x", "ada"), ("laptop", "-l"), ("lap top", "ada"), ("laptop", "a;b")):
            with self.subTest(host=host, user=user):
                info = {"document": {"path": "/nonexistent/x"}, "host": host, "user": user}
                connection, activity = self.laptop.publish(DIRECTORY, title="hostile", userInfo=info)
                self.desktop.wait_for_offer(activity)
                terminal = self.terminal("bash")
                terminal.run(f"baton continue {activity}")
                self.assertNotIn("ssh?", terminal.before)
                connection.close()
                terminal.close()
