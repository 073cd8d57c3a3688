"""What the tests of the service share: commands on this machine, and on another one that was booted beside it.

Run as a program it is the other machine, `machine.py serve SOCKET`: it runs what it is asked to over a socket in a directory that
both have, until `machine.py end SOCKET`.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

PATIENCE = 30
LIBRARY = pathlib.Path(__file__).resolve().parent


def wait_until(condition, what, deadline=PATIENCE):
    end = time.monotonic() + deadline
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {deadline} s")
        time.sleep(0.02)
    return value


class Failed(Exception):
    pass


def execute(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, errors="replace")
    return done.returncode, done.stdout, done.stderr


class Machine:
    """Runs commands as root on this machine."""

    def ask(self, *command, text=""):
        """The exit status, standard output and standard error of a command."""
        return execute([str(word) for word in command], text)

    def run(self, *command, **options):
        """Standard output of a command that succeeds."""
        status, output, errors = self.ask(*command, **options)
        if status != 0:
            raise Failed(f"{' '.join(map(str, command))}: {status}: {output}{errors}")
        return output

    def systemctl(self, *arguments):
        return self.run("systemctl", "--no-ask-password", *arguments).strip()

    def show(self, unit, name):
        return self.systemctl("show", "-P", name, unit)

    def journal(self, *filters):
        """What the journal has, once it has everything that was said before this call."""
        self.run("journalctl", "--sync")
        return [json.loads(line) for line in self.run("journalctl", "-q", "-o", "json", *filters).splitlines()]

    def begin_manager(self, user):
        """Starts a user's systemd, as a log-in does."""
        self.run("loginctl", "enable-linger", user)
        bus = f"{self.runtime(user)}/bus"
        wait_until(lambda: self.ask("test", "-S", bus)[0] == 0, f"the bus of {user} is there")

    def end_manager(self, user):
        self.run("loginctl", "disable-linger", user)
        self.ask("loginctl", "terminate-user", user)

    def runtime(self, user):
        return f"/run/user/{self.run('id', '-u', user).strip()}"

    def as_user(self, user, *command, **options):
        """Standard output of a command of a user whose systemd runs."""
        environment = ["env", f"XDG_RUNTIME_DIR={self.runtime(user)}", f"HOME=/home/{user}"]
        return self.run("runuser", "-u", user, "--", *environment, *command, **options)

    def baton(self, *arguments, user="root"):
        """What a user's `baton` says."""
        return json.loads(self.run("runuser", "-u", user, "--", "baton", *arguments, "--json"))

    def begin(self, unit, user, *command, **properties):
        """Runs a command of a user for as long as it likes."""
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
            with connection.makefile("rw") as file:
                file.write(json.dumps([[str(word) for word in command], text]) + "\n")
                file.flush()
                return tuple(json.loads(file.readline()))


def serve(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("rw") as file:
                command, text = json.loads(file.readline())
                if not command:
                    return
                try:
                    answer = execute(command, text)
                except (OSError, subprocess.TimeoutExpired) as error:
                    answer = (127, "", str(error))
                file.write(json.dumps(answer) + "\n")


def end(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b'[[], ""]\n')


if __name__ == "__main__":
    {"serve": serve, "end": end}[sys.argv[1]](sys.argv[2])
