# SPDX-License-Identifier: Apache-2.0
"""Nothing runs when nothing happens: two machines in a team, with agents, clipboards, a shell and a browser."""
# Labs: lo, pair

import contextlib
import os
import pathlib
import shutil
import time

import pages
from browsers import Chromium, Firefox
from clipboards import DesktopTest
from lab import HOSTS, LabTest
from shells import ShellTest
from users import call

USER = 61002


def switches(process):
    """How often each thread of a process has begun to wait, by thread."""
    found = {}
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        # A thread can end at any time.
        with contextlib.suppress(OSError):
            fields = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)
            found[task.name, fields["Name"]] = int(fields["voluntary_ctxt_switches"])
    return found


def name(process):
    return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()


class IdleTest(LabTest):
    """Wake-ups are counted, so a busy machine makes no difference."""

    # IDLE_WINDOW=600 counts for ten minutes.
    WINDOW = int(os.environ.get("IDLE_WINDOW", 60))
    # In a minute, for each process.
    LIMIT = 2
    # Until threads that have nothing to do have ended, and what just happened is known everywhere.
    REST = 20
    time_limit = 120 + WINDOW

    def assert_idle(self, *processes):
        time.sleep(self.REST)
        before = {process: switches(process) for process in processes}
        time.sleep(self.WINDOW)
        busy = []
        for process, earlier in before.items():
            grown = {thread: count - earlier.get(thread, 0) for thread, count in switches(process).items()}
            count = sum(grown.values()) * 60 / self.WINDOW
            print(f"         {count:3.0f} a minute: {name(process)[:60]}")
            if count > self.LIMIT:
                busy.append((name(process), grown))
        self.assertEqual(busy, [])


class DesktopTests(IdleTest, DesktopTest, ShellTest):
    shell = "bash"

    def buses(self):
        bus = f"unix:path={os.environ['LAB_DIR']}/{HOSTS[0]}/bus"
        return {"DBUS_SESSION_BUS_ADDRESS": bus, "DBUS_SYSTEM_BUS_ADDRESS": bus}

    def test_daemons_agents_clipboards_and_a_shell(self):
        folder = self.directory / "notes"
        folder.mkdir()
        shell = self.start(daemon=self.daemons[0])
        shell.run(f"cd {folder}")
        host = self.wait_for_host()
        self.near.copy(b"copied text")
        self.wait_until_mirrored(self.far)
        self.assert_idle(
            *(daemon.process.pid for daemon in self.daemons), *(machine.process.pid for machine in self.machines),
            *map(self.helper, self.machines), host,
        )


class BrowserTests(IdleTest):
    labs = ("pair",)

    def test_browsers_with_a_page(self):
        missing = [tool for tool in ("chromium", "firefox-esr") if not shutil.which(tool)]
        if missing:
            self.skipTest(f"{', '.join(missing)} is not installed")
        self.directory.chmod(0o755)
        for server in pages.serve():
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
        laptop, desktop = self.batond("laptop").start(), self.batond("desktop", 1).start()
        call(laptop, USER, "CreateTeam", name="Home")
        call(desktop, USER, "JoinTeam", code=call(laptop, USER, "InviteDevice")["code"])
        browsers = [
            Chromium(self, HOSTS[0], laptop, USER).start(f"{pages.BASE}/start"),
            Firefox(self, HOSTS[1], desktop, USER).start(f"{pages.BASE}/start"),
        ]
        hosts = [number for browser in browsers for number in browser.wait_for_host()]
        self.assert_idle(laptop.process.pid, desktop.process.pid, *hosts)
