# SPDX-License-Identifier: Apache-2.0
"""A machine with a firewall, an ordinary user at a terminal, an administrator with a password, and another machine on its wire."""
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import subprocess
import termios
import time

from machine import Machine
from waiting import PATIENCE, TestCase, wait_until

here = Machine()
run = here.run
PASSWORD = "correct horse"
CONFIGURATION = pathlib.Path("/etc/baton/batond.conf.d/test.conf")
ADDRESS, OTHER = "10.9.0.2", "10.9.0.1"
# Connects and says whether that worked. Firewalls drop or refuse.
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)"


class Person:
    """A user who has logged in at a terminal, without which polkit asks nobody, and runs one command there."""

    def __init__(self, *words, user="ada"):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe("login", ["login", "-f", user], {"TERM": "dumb", "PATH": os.environ["PATH"]})
        self.shown = ""
        self.expect(r"\$ $")
        self.type(f"{shlex.join(words)}; echo \"<status $?>\"; exit")
        self.expect("exit\n")

    def expect(self, pattern, deadline=PATIENCE):
        """Waits until this is shown, and returns what was shown before it."""
        end = time.monotonic() + deadline
        while not (match := re.search(pattern, self.shown)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            try:
                data = os.read(self.terminal, 65536) if ready else b""
            except OSError:
                data = b""
            # Debian 13's login closes its terminal and opens it again.
            if not data and time.monotonic() < end and not os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                time.sleep(0.01)
                continue
            if not data:
                raise AssertionError(f"{pattern} was not shown, but\n{self.shown}")
            self.shown += data.decode(errors="replace").replace("\r", "")
        before, self.shown = self.shown[:match.start()], self.shown[match.end():]
        return before

    def type(self, line):
        os.write(self.terminal, f"{line}\n".encode())

    def type_password(self, password):
        self.expect("Password:")
        # The prompt comes first, and what is typed before the echo ends is dropped.
        wait_until(lambda: not termios.tcgetattr(self.terminal)[3] & termios.ECHO, "the echo ends")
        self.type(password)

    def press(self, key):
        os.write(self.terminal, key)

    def finish(self, deadline=PATIENCE):
        """Returns what the command shows until it ends, and its status."""
        self.shown = self.expect(r"(?=<status \d+>\n)", deadline) + self.shown
        shown, status = re.search(r"(?s)(.*)<status (\d+)>", self.shown).groups()
        end = time.monotonic() + deadline
        while True:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            try:
                data = os.read(self.terminal, 65536) if ready else b""
            except OSError:
                data = b""
            if not data:
                break
            self.shown += data.decode(errors="replace").replace("\r", "")
        if time.monotonic() >= end:
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)
        return shown, int(status)

    def leave(self):
        """Closes the terminal, as a person closes a window."""
        os.close(self.terminal)
        os.waitpid(self.process, 0)


class Firewalled(TestCase):
    time_limit = 200

    @classmethod
    def setUpClass(cls):
        if pathlib.Path("/home/ada").exists():
            return
        for user in ("ada", "admin"):
            run("useradd", "--create-home", "--shell", "/bin/bash", user)
        run("usermod", "--append", "--groups", "sudo", "admin")
        run("chpasswd", text=f"admin:{PASSWORD}\n")
        run("ip", "netns", "add", "other")
        run("ip", "link", "add", "lan0", "type", "veth", "peer", "name", "lan0", "netns", "other")
        run("ip", "address", "add", f"{ADDRESS}/24", "dev", "lan0")
        run("ip", "link", "set", "lan0", "up")
        for words in (("address", "add", f"{OTHER}/24", "dev", "lan0"), ("link", "set", "lan0", "up")):
            run("ip", "-n", "other", *words)
        run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "--no-install-recommends", "install", "/packages/baton.deb")

    def setUp(self):
        self.forget()
        self.addCleanup(self.forget)
        wait_until(lambda: "lan0" in (here.baton("status", user="ada").get("interfaces") or []), "the interface is in use")

    def forget(self):
        """A machine without a team, on the usual port."""
        CONFIGURATION.unlink(missing_ok=True)
        run("systemctl", "stop", "batond.socket", "batond.service")
        run("find", "/var/lib/baton/", "-mindepth", "1", "-delete")
        run("systemctl", "reset-failed")
        run("systemctl", "start", "batond")
        wait_until(lambda: here.ask("baton", "status")[0] == 0, "batond answers")

    def configure(self, line):
        CONFIGURATION.parent.mkdir(exist_ok=True)
        CONFIGURATION.write_text(f"[Network]\n{line}\n")
        run("systemctl", "restart", "batond")
        wait_until(lambda: here.ask("baton", "status")[0] == 0, "batond answers")

    def is_reachable(self, port=22866):
        """Whether another machine can connect."""
        return here.ask("ip", "netns", "exec", "other", "python3", "-c", CONNECT, ADDRESS, str(port))[0] == 0

    def findings(self, user="ada"):
        """What the doctor says about firewalls to a user."""
        import json
        document = json.loads(here.ask("runuser", "-u", user, "--", "baton", "doctor", "--json")[1])
        return [check for check in document["checks"] if check["check"] == "firewall"]

    def undo(self, text):
        """Runs the command with which Baton says that its change is undone."""
        [command] = re.findall(r"To undo this, run `([^`]+)`", text)
        subprocess.run(command.replace("sudo ", ""), shell=True, check=True, stdout=subprocess.DEVNULL)
