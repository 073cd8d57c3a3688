# SPDX-License-Identifier: Apache-2.0
"""A machine that was booted for tests, as seen from itself or from outside (machine_server.py)."""
import json
import pathlib
import secrets
import socket
import subprocess

from waiting import PATIENCE, wait_until

# The maximum time of a command, in seconds.
COMMAND_TIME = 120
LIBRARY = pathlib.Path(__file__).resolve().parent


class Failed(AssertionError):
    """A command did not succeed."""


def execute(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=COMMAND_TIME, errors="replace")
    return done.returncode, done.stdout, done.stderr


class Machine:
    """Runs commands as root on this machine."""

    def ask(self, *command, text=""):
        """Returns the exit status, standard output and standard error of a command."""
        return execute([str(word) for word in command], text)

    def run(self, *command, **options):
        """Returns the standard output of a command, which must succeed."""
        status, output, errors = self.ask(*command, **options)
        if status != 0:
            raise Failed(f"{' '.join(map(str, command))}: {status}: {output}{errors}")
        return output

    def systemctl(self, *arguments):
        return self.run("systemctl", "--no-ask-password", *arguments).strip()

    def show(self, unit, name):
        return self.systemctl("show", "-P", name, unit)

    def journal(self, *filters):
        """Returns the journal's entries, including everything that was logged before this call."""
        self.run("journalctl", "--sync")
        return [json.loads(line) for line in self.run("journalctl", "-q", "-o", "json", *filters).splitlines()]

    def begin_manager(self, user):
        """Starts a user's systemd, as logging in does."""
        self.run("loginctl", "enable-linger", user)
        bus = f"{self.runtime(user)}/bus"
        wait_until(lambda: self.ask("test", "-S", bus)[0] == 0, f"the bus of {user} is there")

    def end_manager(self, user):
        self.run("loginctl", "disable-linger", user)
        self.ask("loginctl", "terminate-user", user)

    def runtime(self, user):
        return f"/run/user/{self.run('id', '-u', user).strip()}"

    def command_of(self, user, *command):
        """Returns the words that run a command as a user whose systemd is running, without our variables."""
        return [
            "runuser", "-u", user, "--", "env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", f"HOME=/home/{user}",
            f"XDG_RUNTIME_DIR={self.runtime(user)}", *command,
        ]

    def as_user(self, user, *command, **options):
        """Returns the standard output of a user's command."""
        return self.run(*self.command_of(user, *command), **options)

    def baton(self, *arguments, user="root", socket=None):
        """Returns what a user's `baton` prints."""
        words = ["env", f"BATON_SOCKET={socket}"] if socket else []
        return json.loads(self.run("runuser", "-u", user, "--", *words, "baton", *arguments, "--json"))

    def doctor(self):
        """Returns the doctor's checks."""
        return json.loads(self.ask("baton", "doctor", "--json")[1])["checks"]

    def wait_for_session(self, user="root", socket=None):
        """Waits until a daemon has a session, as this user sees it; it may be about to start."""
        def is_connected():
            try:
                return self.baton("status", user=user, socket=socket)["sessions"] == 1
            except Failed:
                return False

        wait_until(is_connected, "the machines are connected")

    def begin_daemon(self, unit, directory, *arguments, user="root"):
        """Starts a user's batond that plays another machine, and returns its socket."""
        socket = f"{directory}/{unit}.sock"
        command = ["batond", "--name", unit, "--port", "0", "--socket", socket, "--state-directory", f"{directory}/{unit}"]
        self.begin(unit, user, *command, *arguments)
        words = ["env", f"BATON_SOCKET={socket}", "baton", "status"]
        wait_until(lambda: self.ask(*words)[0] == 0, "the second daemon serves")
        return socket

    def begin(self, unit, user, *command, **properties):
        """Starts a user's command as a unit, and does not wait for it."""
        settings = [f"--property={name}={value}" for name, value in properties.items()]
        self.run("systemd-run", "-q", f"--unit={unit}", f"--uid={user}", *settings, *command)

    def end(self, unit):
        self.ask("systemctl", "stop", unit)
        self.ask("systemctl", "reset-failed", unit)

    def adjust(self, unit, text):
        """Changes a unit until ``restore``."""
        directory = f"/run/systemd/system/{unit}.d"
        self.run("mkdir", "-p", directory)
        self.run("tee", f"{directory}/test.conf", text=text)
        self.systemctl("daemon-reload")

    def probe(self, unit):
        """Restarts a service with Tests/Systemd/probe.py in its sandbox; returns what that found out."""
        python = self.run("readlink", "-f", "/usr/bin/python3").strip()
        token = secrets.token_hex()
        self.adjust(f"{unit}.service", f"[Service]\nExecStartPre={python} {LIBRARY}/probe.py {token}\nExecPaths={python}\n")
        try:
            self.systemctl("restart", unit)
            return self.found_out(token)
        finally:
            self.restore(f"{unit}.service")

    def probe_of(self, user, unit):
        """The same for a service of a user's systemd."""
        folder = f"/home/{user}/.config/systemd/user/{unit}.service.d"
        self.as_user(user, "mkdir", "-p", folder)
        token = secrets.token_hex()
        start = f"ExecStartPre=/usr/bin/python3 {LIBRARY}/probe.py {token}"
        self.as_user(user, "tee", f"{folder}/probe.conf", text=f"[Service]\n{start}\n")
        try:
            self.as_user(user, "systemctl", "--user", "daemon-reload")
            self.as_user(user, "systemctl", "--user", "restart", unit)
            return self.found_out(token)
        finally:
            self.as_user(user, "rm", "-r", folder)
            self.as_user(user, "systemctl", "--user", "daemon-reload")

    def found_out(self, token):
        """What the probe with this token has printed. The journal knows whose a line is only if the program still runs
        when it reads the line."""
        [line] = [entry["MESSAGE"] for entry in self.journal("-b", "-g", token) if entry["MESSAGE"].startswith("{")]
        return json.loads(line)

    def restore(self, *units):
        for unit in units:
            self.run("rm", "-rf", f"/run/systemd/system/{unit}.d")
        self.systemctl("daemon-reload")
        self.ask("systemctl", "reset-failed")


class OtherMachine(Machine):
    """Runs commands as root on the machine that serves ``path``."""

    def __init__(self, path):
        self.path = str(path)

    def ask(self, *command, text=""):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.path)
            connection.settimeout(2 * COMMAND_TIME)
            with connection.makefile("rw") as file:
                file.write(json.dumps([[str(word) for word in command], text]) + "\n")
                file.flush()
                return tuple(json.loads(file.readline()))
