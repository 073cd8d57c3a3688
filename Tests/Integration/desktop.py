# SPDX-License-Identifier: Apache-2.0
"""A user's desktop for the integration tests: a session bus, programs on it that show notifications, and a screen."""
import json
import os
import pathlib
import subprocess
import threading

from lab import PATIENCE, ROOT, wait_until

# What is worth keeping of a test, for people to look at.
ARTIFACTS = ROOT / ".build/artifacts"
CONFIGURATION = """<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
  </policy>
</busconfig>"""


class SessionBus:
    """A session bus that starts nothing by itself. `user`: who else may connect, as a bus refuses whom the system does not know."""

    def __init__(self, case, name="session-bus", user=None):
        self.case = case
        self.prefix = []
        if user is not None:
            passwd = case.directory / f"{name}.passwd"
            passwd.write_text(pathlib.Path("/etc/passwd").read_text() + f"user:x:{user}:{user}::/:/bin/sh\n")
            self.prefix = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', passwd]
        self.path = case.directory / name
        self.address = f"unix:path={self.path}"
        self.configuration = case.directory / f"{name}.conf"
        self.configuration.write_text(CONFIGURATION.format(address=self.address))

    def start(self):
        self.path.unlink(missing_ok=True)
        log = self.case.directory / f"{self.path.name}.log"
        self.case.logs.append(log)
        with open(log, "ab") as output:
            self.process = self.case.spawn(
                [*self.prefix, "dbus-daemon", f"--config-file={self.configuration}", "--nofork", "--nopidfile"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )
        wait_until(self.path.exists, "the session bus")
        return self

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    @property
    def environment(self):
        return {**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address}

    def ask(self, method):
        """What the bus itself answers, as dbus-send(1) prints it."""
        command = ["dbus-send", f"--bus={self.address}", "--print-reply", "--dest=org.freedesktop.DBus"]
        return subprocess.run(
            [*command, "/org/freedesktop/DBus", f"org.freedesktop.DBus.{method}"],
            check=True, capture_output=True, timeout=PATIENCE,
        ).stdout.decode()

    def names(self):
        """The names on the bus, that of the program that asks left out."""
        output = self.ask("ListNames")
        asking = output.split("destination=", 1)[1].split()[0]
        return [name for name in output.split('"')[1::2] if name != asking]

    def client_count(self):
        return sum(name.startswith(":") for name in self.names())

    def listener_count(self, name):
        """How many clients hear the signals of a name, or who owns it."""
        clients = self.ask("Debug.Stats.GetAllMatchRules").split("dict entry(")[1:]
        return sum(f"'{name}'" in client for client in clients)


class ScriptedProgram:
    """A program on a bus that obeys lines, and says in JSON what was asked of it."""

    def __init__(self, bus, path, *arguments):
        self.bus = bus
        self.said = []
        self.process = bus.case.spawn(
            ["/usr/bin/python3", path, *arguments], env=bus.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        thread = threading.Thread(target=self.read, daemon=True)
        thread.start()
        bus.case.addCleanup(thread.join, PATIENCE)
        bus.case.addCleanup(self.process.kill)
        wait_until(lambda: self.said and self.said[0] == {"ready": True}, f"{path.name} is ready")

    def read(self):
        for line in self.process.stdout:
            self.said.append(json.loads(line))

    def obey(self, *words, deadline=PATIENCE):
        command = " ".join(map(str, words))
        count = self.said.count({"ok": command})
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        wait_until(lambda: self.said.count({"ok": command}) > count, f"{command} is obeyed", deadline)


class FakeServer(ScriptedProgram):
    """Tests/Lab/fake-notifications."""

    def __init__(self, bus):
        super().__init__(bus, ROOT / "Tests/Lab/fake-notifications")

    def calls(self, name="Notify"):
        return [said for said in self.said if said.get("call") == name]

    def wait_for(self, count, name="Notify", deadline=PATIENCE):
        """The last of so many calls."""
        return wait_until(lambda: self.calls(name)[count - 1:], f"call {count} of {name}", deadline)[0]


class Screen:
    """An X server that shows nothing to nobody, with dunst on a bus."""

    def __init__(self, bus):
        self.bus = bus
        directory = bus.case.directory
        reading, writing = os.pipe()
        try:
            bus.case.spawn(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x300x24", "-nolisten", "tcp", "-noreset"],
                pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            os.close(writing)
            with os.fdopen(reading, "rb") as lines:
                self.display = ":" + lines.readline().decode().strip()
        except OSError:
            os.close(reading)
            raise
        self.environment = {**bus.environment, "DISPLAY": self.display, "HOME": str(directory)}
        self.environment.pop("WAYLAND_DISPLAY", None)
        configuration = directory / "dunstrc"
        configuration.write_text("[global]\nfont = Monospace 12\nwidth = 500\nnotification_limit = 0\n")
        log = directory / "dunst.log"
        bus.case.logs.append(log)
        with open(log, "wb") as output:
            bus.case.spawn(
                ["dunst", "-conf", configuration], env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output,
            )
        wait_until(lambda: "org.freedesktop.Notifications" in bus.names(), "dunst")

    def count(self, kind):
        output = subprocess.run(
            ["dunstctl", "count", kind], env=self.environment, check=True, capture_output=True, timeout=PATIENCE
        )
        return int(output.stdout)

    def photograph(self, name):
        """A picture of the screen among the artifacts, and how many colours it has."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        path = ARTIFACTS / f"{name}.png"
        subprocess.run(
            ["import", "-window", "root", path], env=self.environment, check=True, timeout=60, stdin=subprocess.DEVNULL
        )
        colours = subprocess.run(
            ["identify", "-format", "%k", path], check=True, capture_output=True, timeout=60, env=self.environment
        )
        return path, int(colours.stdout)


class Monitor:
    """What goes over a bus to and from the notification server, as dbus-monitor(1) sees it."""

    def __init__(self, bus):
        self.lines = []
        self.process = bus.case.spawn(
            ["dbus-monitor", "--address", bus.address, "interface='org.freedesktop.Notifications'"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        )
        thread = threading.Thread(target=self.read, daemon=True)
        thread.start()
        bus.case.addCleanup(thread.join, PATIENCE)
        bus.case.addCleanup(self.process.kill)
        # It says first that it has its name, and loses it.
        wait_until(lambda: any("NameLost" in line for line in self.lines), "the monitor")

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace"))

    def count(self, member):
        return sum(f"member={member}" in line for line in self.lines)
