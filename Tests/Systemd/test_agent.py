# SPDX-License-Identifier: Apache-2.0
"""The agent as a unit of an ordinary user, inside of a booted systemd; see Scripts/run-systemd."""
import json
import os
import pathlib
import pwd
import signal
import subprocess
import tempfile
import unittest

from machine import LIBRARY, Machine
from waiting import PATIENCE, TestCase, wait_until

TYPE = "org.example.notes"
here = Machine()


class AgentTest(TestCase):
    """A user's agent at the machine's batond, and another batond that plays a second machine."""

    has_bus = True

    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")
        here.run("useradd", "--create-home", "--shell", "/bin/bash", cls.name)
        cls.user = pwd.getpwnam(cls.name)
        cls.home = pathlib.Path(cls.user.pw_dir)
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        here.systemctl("start", "batond")
        cls.other = here.begin_daemon(f"other-{cls.name}", cls.directory, "--no-discovery")
        cls.addClassCleanup(here.systemctl, "stop", f"other-{cls.name}")
        directory = pathlib.Path(f"/run/user/{cls.user.pw_uid}")
        if not cls.has_bus:
            # As where dbus-user-session is not installed.
            units = cls.home / ".config/systemd/user"
            cls.as_user("mkdir", "-p", units)
            for unit in ("dbus.socket", "dbus.service"):
                cls.as_user("ln", "-s", "/dev/null", units / unit)
        # As a log-in does it.
        here.run("loginctl", "enable-linger", cls.name)
        wait_until((directory / ("bus" if cls.has_bus else "systemd/private")).exists, "the user's systemd is there")
        cls.baton("team", "create", "Demo")
        code = cls.baton("team", "invite")["code"]
        here.baton("team", "join", code, "--address", "127.0.0.1:22866", socket=cls.other)
        here.baton("peer", "add", "127.0.0.1:22866", socket=cls.other)
        here.wait_for_session(cls.name)
        cls.systemctl("start", "baton-agent")

    def setUp(self):
        # What the tests start does not count for systemd's limit of starts.
        self.systemctl("reset-failed", "baton-agent")

    @classmethod
    def as_user(cls, *command):
        return here.as_user(cls.name, *command)

    @classmethod
    def systemctl(cls, *arguments):
        return cls.as_user("systemctl", "--user", *arguments).strip()

    @classmethod
    def baton(cls, *arguments):
        return json.loads(cls.as_user("baton", *arguments, "--json"))

    def install(self, name, activity_type=TYPE, *keys, says=None, python="python3"):
        report = self.home / f"{name}.report"
        folder = self.home / ".local/share/applications"
        self.as_user("mkdir", "-p", folder)
        command = f"{python} {LIBRARY / 'desktop_app.py'} {report} {activity_type}"
        if says:
            command = f'sh -c "echo {says}; echo {says} >&2; exec {command}"'
        entry = self.directory / f"{name}.desktop"
        entry.write_text(
            f"[Desktop Entry]\nType=Application\nName=Notes of {self.name}\nX-Baton-ActivityTypes={activity_type}\n"
            f"Exec={command}\n" + "".join(f"{key}\n" for key in keys)
        )
        # At once whole, as packages do it.
        here.run("install", "-m", "644", entry, folder / f".{name}.new")
        here.run("mv", folder / f".{name}.new", folder / f"{name}.desktop")
        return report

    def events(self, report, event):
        lines = report.read_text().splitlines(True) if report.exists() else []
        return [line for line in (json.loads(line) for line in lines if line.endswith("\n")) if line["event"] == event]

    def publish(self, title, activity_type=TYPE, *options):
        process = subprocess.Popen(
            ["baton", "advertise", "--type", activity_type, "--title", title, *options, "--json"],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env={**os.environ, "BATON_SOCKET": str(self.other)},
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        activity = json.loads(process.stdout.readline())["id"]
        wait_until(lambda: any(offer["id"] == activity for offer in self.baton("list")["offers"]), "it is offered")
        return activity

    def start(self, report, activity_type=TYPE):
        """Opens an activity: how its app was started, and the app's control group."""
        self.baton("open", self.publish("First", activity_type))
        started = wait_until(lambda: self.events(report, "started"), "the app is there")[-1]
        self.addCleanup(self.kill, started["pid"])
        wait_until(lambda: self.events(report, "continued"), "it has the activity")
        return started, pathlib.Path(f"/proc/{started['pid']}/cgroup").read_text().strip()

    def set_environment(self, variables):
        """Variables of the agent, until the end of the test."""
        drop_in = self.home / ".config/systemd/user/baton-agent.service.d/test.conf"
        self.as_user("mkdir", "-p", drop_in.parent)
        drop_in.write_text(f"[Service]\nEnvironment={variables}\n")
        # The last first.
        self.addCleanup(self.systemctl, "restart", "baton-agent")
        self.addCleanup(self.systemctl, "daemon-reload")
        self.addCleanup(drop_in.unlink)
        self.systemctl("daemon-reload")
        self.systemctl("restart", "baton-agent")

    @staticmethod
    def kill(process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def check_it_outlives_the_agent(self, report, activity_type=TYPE):
        agent = self.systemctl("show", "-P", "MainPID", "baton-agent")
        self.systemctl("restart", "baton-agent")
        self.assertNotEqual(self.systemctl("show", "-P", "MainPID", "baton-agent"), agent)
        self.baton("open", self.publish("Second", activity_type))
        wait_until(lambda: len(self.events(report, "continued")) == 2, "the same app has the second")
        self.assertEqual(len(self.events(report, "started")), 1)


class SessionTest(AgentTest):
    name = "grace"

    def test_an_app_runs_in_a_scope_of_its_own_and_outlives_the_agent(self):
        # A desktop that begins after the agent, and one that has ended before.
        self.systemctl("set-environment", "XAUTHORITY=/gone")
        self.systemctl("restart", "baton-agent")
        self.systemctl("unset-environment", "XAUTHORITY")
        # It has programs that the agent does not see.
        programs = self.home / "programs"
        self.as_user("mkdir", programs)
        self.as_user("ln", "-s", "/usr/bin/python3", programs / "notes-python")
        path = f"PATH={programs}:/usr/local/bin:/usr/bin:/bin"
        self.systemctl("set-environment", "WAYLAND_DISPLAY=wayland-7", path)
        report = self.install("org.example.Grace-Notes", TYPE, "TryExec=notes-python", python="notes-python")
        started, cgroup = self.start(report)
        self.assertRegex(cgroup, r"/app\.slice/app-baton-org\.example\.Grace\\x2dNotes-[0-9a-f]{16}\.scope$")
        scope = cgroup.rsplit("/", 1)[1]
        self.assertEqual(self.systemctl("show", "-P", "Description", scope), "Notes of grace")
        status = pathlib.Path(f"/proc/{started['pid']}/status").read_text()
        self.assertIn("NoNewPrivs:\t0\n", status)
        # The container has filters of its own.
        filters = self.as_user("grep", "Seccomp_filters", "/proc/self/status")
        self.assertIn(filters, status)
        self.assertEqual(started["environment"]["WAYLAND_DISPLAY"], "wayland-7")
        self.assertEqual(started["descriptors"], [0, 1, 2])
        for name in ("NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "XAUTHORITY"):
            self.assertNotIn(name, started["environment"])
        self.check_it_outlives_the_agent(report)
        os.kill(started["pid"], signal.SIGKILL)
        wait_until(lambda: self.systemctl("show", "-P", "LoadState", scope) == "not-found", "the scope is gone")

    def test_what_an_app_writes_is_in_the_journal_as_its_own(self):
        activity_type = "org.example.talk"
        report = self.install("org.example.Talk", activity_type, says="hello-of-an-app")
        _, cgroup = self.start(report, activity_type)
        journal = here.journal(f"_UID={self.user.pw_uid}")
        entries = [entry for entry in journal if entry.get("MESSAGE") == "hello-of-an-app"]
        self.assertEqual(len(entries), 2)
        for entry in entries:
            self.assertEqual(entry["SYSLOG_IDENTIFIER"], "org.example.Talk")
            self.assertEqual(entry["_SYSTEMD_USER_UNIT"], cgroup.rsplit("/", 1)[1])

    def test_an_app_without_a_scope_outlives_the_agent(self):
        # Where the agent looks for it, there is no systemd.
        self.set_environment("XDG_RUNTIME_DIR=/run/nowhere DBUS_SESSION_BUS_ADDRESS=unix:path=/run/nowhere")
        activity_type = "org.example.child"
        report = self.install("org.example.Child", activity_type)
        started, cgroup = self.start(report, activity_type)
        self.assertTrue(cgroup.endswith("/baton-agent.service"), cgroup)
        self.check_it_outlives_the_agent(report, activity_type)
        self.systemctl("stop", "baton-agent")
        self.assertEqual(self.systemctl("show", "-P", "Result", "baton-agent"), "success")
        os.kill(started["pid"], 0)

    def test_a_page_gets_to_a_desktop_that_began_after_the_agent(self):
        browser = pathlib.Path("/usr/local/bin/xdg-open")
        pages = self.home / "pages"
        browser.write_text(f'#!/bin/sh\necho "$DISPLAY $1" >>{pages}\n')
        browser.chmod(0o755)
        self.addCleanup(browser.unlink)
        self.systemctl("set-environment", "DISPLAY=:7")
        self.addCleanup(self.systemctl, "unset-environment", "DISPLAY")
        self.baton("open", self.publish("Page", "org.example.page", "--url", "https://example.org/"))
        wait_until(lambda: pages.exists() and pages.read_text() == ":7 https://example.org/\n", "the page")

    def test_an_app_does_not_get_the_socket_of_the_index(self):
        activity_type = "org.example.descriptors"
        started, _ = self.start(self.install("org.example.Descriptors", activity_type), activity_type)
        self.assertEqual(started["descriptors"], [0, 1, 2])
        for name in ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"):
            self.assertNotIn(name, started["environment"])

    def test_the_unit_is_ready_and_stops(self):
        self.assertEqual(self.systemctl("is-active", "baton-agent"), "active")
        self.assertEqual(
            self.systemctl("show", "-P", "StatusText", "baton-agent"), "Waiting for activities to continue"
        )
        self.systemctl("stop", "baton-agent")
        self.assertEqual(self.systemctl("show", "-P", "Result", "baton-agent"), "success")
        self.systemctl("start", "baton-agent")


class WithoutBusTest(AgentTest):
    name = "heidi"
    has_bus = False

    def test_an_app_runs_in_a_scope_of_its_own_and_outlives_the_agent(self):
        self.assertFalse(pathlib.Path(f"/run/user/{self.user.pw_uid}/bus").exists())
        self.systemctl("set-environment", "DISPLAY=:7")
        report = self.install("org.example.Notes")
        started, cgroup = self.start(report)
        self.assertRegex(cgroup, r"/app\.slice/app-baton-org\.example\.Notes-[0-9a-f]{16}\.scope$")
        self.assertEqual(started["environment"]["DISPLAY"], ":7")
        self.check_it_outlives_the_agent(report)

    def test_a_bus_that_systemd_is_not_on_leads_to_it_nevertheless(self):
        # As desktops start one where dbus-x11 is installed in the other's place.
        bus = pathlib.Path(f"/run/user/{self.user.pw_uid}/own-bus")
        self.as_user(
            "systemd-run", "--user", "--unit=own-bus", "dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus}"
        )
        self.addCleanup(self.systemctl, "stop", "own-bus")
        wait_until(bus.exists, "the bus is there")
        self.set_environment(f"DBUS_SESSION_BUS_ADDRESS=unix:path={bus}")
        activity_type = "org.example.own"
        _, cgroup = self.start(self.install("org.example.Own", activity_type), activity_type)
        self.assertRegex(cgroup, r"/app\.slice/app-baton-org\.example\.Own-[0-9a-f]{16}\.scope$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
