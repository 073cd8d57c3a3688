"""The agent as a unit of an ordinary user, inside of a booted systemd; see Tests/run-systemd."""
import json
import os
import pathlib
import pwd
import signal
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 30
TYPE = "org.example.notes"


def run(*command, **options):
    words = [str(word) for word in command]
    options = {"stdin": subprocess.DEVNULL, **options}
    result = subprocess.run(words, capture_output=True, timeout=60, **options)
    if result.returncode:
        raise AssertionError(f"{words}: {result.returncode}\n{result.stdout[-2000:]!r}\n{result.stderr[-2000:]!r}")
    return result.stdout


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.02)
    return value


class AgentTest(unittest.TestCase):
    """Grace's agent at the machine's batond, and another batond that plays a second machine."""

    @classmethod
    def setUpClass(cls):
        run("systemd-sysusers")
        run("useradd", "--create-home", "--shell", "/bin/bash", "grace")
        cls.user = pwd.getpwnam("grace")
        cls.home = pathlib.Path(cls.user.pw_dir)
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        cls.other = cls.directory / "other.sock"
        run("systemctl", "--no-ask-password", "start", "batond")
        run(
            "systemd-run", "--unit=other", "/usr/local/sbin/batond", "--name", "other", "--port", "0", "--no-discovery",
            "--socket", cls.other, "--state-directory", cls.directory / "other",
        )
        wait_until(cls.other.exists, "the second daemon serves")
        # As a log-in does it.
        run("loginctl", "enable-linger", "grace")
        bus = pathlib.Path(f"/run/user/{cls.user.pw_uid}/bus")
        wait_until(bus.exists, "the user's bus is there")
        cls.baton("team", "create", "Demo")
        code = cls.baton("team", "invite")["code"]
        cls.baton_there("team", "join", code, "--address", "127.0.0.1:22866")
        cls.baton_there("peer", "add", "127.0.0.1:22866")
        wait_until(lambda: cls.baton("status")["sessions"] == 1, "the two are connected")
        cls.systemctl("start", "baton-agent")

    @classmethod
    def as_grace(cls, *command):
        # systemd's own variables of the user, and nothing of ours.
        environment = {
            "HOME": str(cls.home), "PATH": "/usr/local/bin:/usr/bin:/bin",
            "XDG_RUNTIME_DIR": f"/run/user/{cls.user.pw_uid}",
        }
        return run("setpriv", "--reuid", "grace", "--regid", "grace", "--init-groups", *command, env=environment, cwd="/")

    @classmethod
    def systemctl(cls, *arguments):
        return cls.as_grace("systemctl", "--user", *arguments).decode().strip()

    @classmethod
    def baton(cls, *arguments):
        return json.loads(cls.as_grace("/usr/local/bin/baton", *arguments, "--json"))

    @classmethod
    def baton_there(cls, *arguments):
        return json.loads(run("baton", *arguments, "--json", env={**os.environ, "BATON_SOCKET": str(cls.other)}))

    def install(self, name, *keys, python="python3"):
        report = self.home / f"{name}.report"
        folder = self.home / ".local/share/applications"
        self.as_grace("mkdir", "-p", folder)
        entry = self.directory / f"{name}.desktop"
        entry.write_text(
            f"[Desktop Entry]\nType=Application\nName=Notes of Grace\nX-Baton-ActivityTypes={TYPE}\n"
            f"Exec={python} {HERE / 'desktop_app.py'} {report} {TYPE}\n" + "".join(f"{key}\n" for key in keys)
        )
        run("install", "-m", "644", entry, folder)
        return report

    def events(self, report, event):
        lines = report.read_text().splitlines(True) if report.exists() else []
        return [line for line in (json.loads(line) for line in lines if line.endswith("\n")) if line["event"] == event]

    def publish(self, title):
        process = subprocess.Popen(
            ["baton", "advertise", "--type", TYPE, "--title", title, "--json"], stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL, env={**os.environ, "BATON_SOCKET": str(self.other)},
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        activity = json.loads(process.stdout.readline())["id"]
        wait_until(lambda: any(offer["id"] == activity for offer in self.baton("list")["offers"]), "it is offered")
        return activity

    def test_an_app_runs_in_a_scope_of_its_own_and_outlives_the_agent(self):
        # A desktop that begins after the agent, with programs that the agent does not see.
        programs = self.home / "programs"
        self.as_grace("mkdir", programs)
        self.as_grace("ln", "-s", "/usr/bin/python3", programs / "notes-python")
        path = f"PATH={programs}:/usr/local/bin:/usr/bin:/bin"
        self.systemctl("set-environment", "WAYLAND_DISPLAY=wayland-7", path)
        agent = self.systemctl("show", "-P", "MainPID", "baton-agent")
        report = self.install("org.example.Grace-Notes", "TryExec=notes-python", python="notes-python")
        self.baton("open", self.publish("First"), "--wait", "10")
        started = wait_until(lambda: self.events(report, "started"), "the app is there")[-1]
        wait_until(lambda: self.events(report, "continued"), "it has the activity")
        process = pathlib.Path(f"/proc/{started['pid']}")
        cgroup = (process / "cgroup").read_text().strip()
        self.assertRegex(cgroup, r"/app\.slice/app-baton-org\.example\.Grace\\x2dNotes-[0-9a-f]{16}\.scope$")
        scope = cgroup.rsplit("/", 1)[1]
        self.assertEqual(self.systemctl("show", "-P", "Description", scope), "Notes of Grace")
        status = (process / "status").read_text()
        self.assertIn("NoNewPrivs:\t0\n", status)
        # The container has filters of its own.
        filters = self.as_grace("grep", "Seccomp_filters", "/proc/self/status").decode()
        self.assertIn(filters, status)
        self.assertEqual(started["environment"]["WAYLAND_DISPLAY"], "wayland-7")
        self.assertEqual(started["descriptors"], [0, 1, 2])
        for name in ("NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID"):
            self.assertNotIn(name, started["environment"])
        self.systemctl("restart", "baton-agent")
        self.assertNotEqual(self.systemctl("show", "-P", "MainPID", "baton-agent"), agent)
        self.baton("open", self.publish("Second"), "--wait", "10")
        wait_until(lambda: len(self.events(report, "continued")) == 2, "the same app has the second")
        self.assertEqual(len(self.events(report, "started")), 1)
        os.kill(started["pid"], signal.SIGKILL)
        wait_until(lambda: self.systemctl("show", "-P", "LoadState", scope) == "not-found", "the scope is gone")

    def test_the_unit_is_ready_and_stops(self):
        self.assertEqual(self.systemctl("is-active", "baton-agent"), "active")
        self.assertEqual(
            self.systemctl("show", "-P", "StatusText", "baton-agent"), "Waiting for activities to continue"
        )
        self.systemctl("stop", "baton-agent")
        self.assertEqual(self.systemctl("show", "-P", "Result", "baton-agent"), "success")
        self.systemctl("start", "baton-agent")


if __name__ == "__main__":
    unittest.main(verbosity=2)
