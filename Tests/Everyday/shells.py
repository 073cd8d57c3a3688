# SPDX-License-Identifier: Apache-2.0
"""A person who types into a real shell in a terminal of its own."""
import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import termios
import time

import lab

# Prompts that say the last status, and how many there were: what was typed before is over when the next one is shown.
START = {
    "bash": (["bash", "--norc", "--noediting", "-i"], "n=0; PS1='<$((n+=1)):$?>' PS2=; stty -echo\n"),
    "zsh": (["zsh", "-f", "+Z", "-i"], "n=0; setopt prompt_subst no_prompt_sp; PS1='<$((n+=1)):%?>' PS2=; stty -echo\n"),
    "fish": (
        ["fish", "-i"],
        "set -g n 0; function fish_prompt; set -l s $status; set n (math $n + 1); echo -n \"<$n:$s>\"; end; "
        "function fish_right_prompt; end; function fish_title; end\n",
    ),
}
LOAD = {
    "bash": 'eval "$(baton shell-init bash {})"',
    "zsh": 'eval "$(baton shell-init zsh {})"',
    "fish": "baton shell-init fish {} | source",
}


class Shell:
    """An interactive shell on a host of the lab."""

    def __init__(self, case, name, host=None, environment=None, prefix=(), command=None, directory="/"):
        self.name = name
        self.count = 0
        self.shown = ""
        self.terminal, side = pty.openpty()
        words, start = START[name]
        words = [*prefix, *(command or words)]
        self.process = subprocess.Popen(
            lab.on(host, *words) if host else words,
            stdin=side, stdout=side, stderr=side, env=environment, cwd=directory, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(side)
        case.addCleanup(self.close)
        self.type(start)
        self.status()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, pattern, deadline=lab.PATIENCE):
        """Waits until this is shown; returns the match. What is shown up to it is forgotten."""
        end = time.monotonic() + deadline
        while not (match := re.search(pattern, self.shown)):
            if time.monotonic() > end:
                raise AssertionError(f"{self.name}: {pattern} was not shown, but {self.shown[-2000:]!r}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    data = os.read(self.terminal, 65536)
                except OSError:
                    data = b""
                if not data:
                    raise AssertionError(f"{self.name} ended; it showed {self.shown[-2000:]!r}")
                self.shown += data.decode(errors="replace")
        self.before, self.shown = self.shown[:match.start()], self.shown[match.end():]
        return match

    def status(self):
        """Waits for the next prompt; returns the status that it shows."""
        self.count += 1
        return int(self.expect(f"<{self.count}:(\\d+)>")[1])

    def run(self, line):
        """Returns the command's status. What it wrote is in `before`."""
        self.type(line + "\n")
        return self.status()

    def value(self, expression):
        """What the shell says an expression is."""
        self.run(f"printf '\\n[[%s]]\\n' {expression}")
        return re.search(r"\n\[\[(.*)\]\]\r?\n", self.before, re.S)[1].replace("\r\n", "\n")

    def load(self, *options):
        return self.run(LOAD[self.name].format(" ".join(options)))

    @property
    def quiet(self):
        """What the last command showed, without the command and the shell's own marks."""
        shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|<\d+:\d+>|⏎| +\r|\r", "", self.before).strip()
        return re.sub("^(false|true)", "", shown)

    @property
    def pid(self):
        return int(self.value("$fish_pid" if self.name == "fish" else "$$"))

    def close(self):
        """Closes the terminal, as a person closes the window."""
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None
        try:
            self.process.wait(lab.PROMPT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ShellTest(lab.LabTest):
    """A test of one shell, with a runtime directory of its own."""

    shell = None

    def setUp(self):
        super().setUp()
        self.runtime = self.make_runtime("run")
        self.addCleanup(self.end_hosts)

    def make_runtime(self, name):
        """In memory, as those of logged-in users are: the lab's /run is."""
        parent = pathlib.Path(f"/run/{self.directory.name}")
        if not parent.exists():
            parent.mkdir(mode=0o755)
            self.addCleanup(shutil.rmtree, parent)
        path = parent / name
        path.mkdir(mode=0o700)
        return path

    def environment(self, daemon=None, **more):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("BATON_", "SSH_"))}
        environment.update(
            PATH=f"{lab.BUILD}:{os.environ['PATH']}", TERM="dumb", XDG_RUNTIME_DIR=str(self.runtime),
            HOME=str(self.directory), HISTFILE="/dev/null", LC_ALL="C.UTF-8",
            BATON_SOCKET=str(daemon.socket if daemon else self.directory / "none.sock"),
        )
        environment.update(more)
        return environment

    def start(self, name=None, loads=True, options=(), daemon=None, **more):
        shell = Shell(self, name or self.shell, environment=self.environment(daemon, **more.pop("env", {})), **more)
        if loads:
            shell.load(*options)
        return shell

    @property
    def folder(self):
        return self.runtime / "baton-shells"

    def host_pid(self):
        try:
            return int(os.readlink(self.folder / "host").rsplit("/", 1)[1])
        except FileNotFoundError:
            return None

    def end_hosts(self):
        """Ends the hosts of all shells of this test, and waits until nothing is written into their directories any more."""
        runtime = f"XDG_RUNTIME_DIR=/run/{self.directory.name}/".encode()
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if b"shell-host" not in (path / "cmdline").read_bytes() or runtime not in (path / "environ").read_bytes():
                    continue
                process = os.pidfd_open(int(path.name))
                for number in (signal.SIGCONT, signal.SIGTERM):
                    signal.pidfd_send_signal(process, number)
                # It can be read as soon as the process has ended.
                ended, _, _ = select.select([process], [], [], lab.PATIENCE)
                os.close(process)
                self.assertTrue(ended, "the host ends")

    def wait_for_host(self):
        return lab.wait_until(
            lambda: (pid := self.host_pid()) and pathlib.Path(f"/proc/{pid}").exists() and pid, "there is a host"
        )

    def report(self, shell):
        """What the shell has written: its directory, exclusions and command."""
        try:
            text = (self.folder / str(shell)).read_bytes()
        except FileNotFoundError:
            return None
        if b"\0" in text:
            fields = text.split(b"\0")
            del fields[2]
            return [field.decode() for field in fields[:-1]] if len(fields) == 4 else None
        # Bash writes an error message. There is a separator before each element of an array but the first.
        fields = text.split(b"\1")[1:-1]
        if not fields:
            return None
        elements = fields[2].split(b"\2")[:-1]
        exclusions = b":".join(elements[:1] + [element[1:] for element in elements[1:]])
        return [field.decode() for field in (fields[0], exclusions, fields[-1])]

    def wait_for_report(self, shell, directory):
        lab.wait_until(lambda: (self.report(shell) or [None])[0] == str(directory), f"{shell} reports {directory}")
