# SPDX-License-Identifier: Apache-2.0
"""A user's session on a booted machine, in which apps gave the index something to find; see Scripts/run-desktop."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import uuid

from machine import LIBRARY, Machine
from waiting import PATIENCE, TestCase, wait_until

here = Machine()
# Where pictures are kept.
PICTURES = pathlib.Path("/lab/share")
# They look like those of Scripts/record: the same font, and the same light sky behind what they show.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias></fontconfig>
"""
SKY = "#5d86a8-#b9cfdc"
TYPE = "org.example.read"


class SessionTest(TestCase):
    """A user with a desktop to search in, at the machine's batond. Another batond plays a second machine."""

    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")
        here.run("useradd", "--create-home", "--shell", "/bin/bash", cls.name)
        cls.home = pathlib.Path("/home") / cls.name
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        here.systemctl("start", "batond")
        cls.other = here.begin_daemon(f"laptop-{cls.name}", cls.directory, "--name", "laptop", "--no-discovery")
        cls.addClassCleanup(here.systemctl, "stop", f"laptop-{cls.name}")
        here.begin_manager(cls.name)
        cls.as_user("mkdir", "-p", cls.home / ".config/fontconfig")
        cls.as_user("tee", cls.home / ".config/fontconfig/fonts.conf", text=FONTS)
        # As where the package is installed.
        cls.systemctl("enable", "--now", "baton-agent.socket")
        cls.baton("team", "create", "Demo")
        code = cls.baton("team", "invite")["code"]
        here.baton("team", "join", code, "--address", "127.0.0.1:22866", socket=cls.other)
        here.baton("peer", "add", "127.0.0.1:22866", socket=cls.other)
        here.wait_for_session(cls.name)
        # Before the desktop starts, because GNOME Shell clears its results when an app is installed.
        cls.reader = cls.install("org.example.Reader", "Reader", TYPE, "x-office-document")
        cls.notes = cls.install("org.example.Notes", "Notes", "org.example.note", "accessories-text-editor")

    def setUp(self):
        self.reader.unlink(missing_ok=True)
        self.notes.unlink(missing_ok=True)
        # What the tests start does not count for systemd's limit of starts.
        self.systemctl("reset-failed")
        self.addCleanup(self.call, "Forget", all=True)

    @classmethod
    def as_user(cls, *command, **options):
        bus = f"DBUS_SESSION_BUS_ADDRESS=unix:path={here.runtime(cls.name)}/bus"
        return here.as_user(cls.name, "env", bus, "LANG=C.UTF-8", *command, **options)

    @classmethod
    def systemctl(cls, *arguments):
        return cls.as_user("systemctl", "--user", *arguments).strip()

    @classmethod
    def baton(cls, *arguments):
        return json.loads(cls.as_user("baton", *arguments, "--json"))

    @classmethod
    def begin(cls, unit, *command, **environment):
        """Starts a program of the session, and returns what stops it."""
        variables = [f"--setenv={name}={value}" for name, value in environment.items()]
        cls.as_user("systemd-run", "--user", "-q", "--collect", f"--unit={unit}", *variables, *command)
        return lambda: cls.systemctl("stop", unit)

    @classmethod
    def call(cls, method, **parameters):
        return json.loads(cls.as_user("python3", LIBRARY / "search_call.py", method, text=json.dumps(parameters)))

    @classmethod
    def install(cls, application, name, activity_type, icon):
        """Installs an app for the user, and returns the report that it writes."""
        report = cls.home / f"{application}.report"
        folder = cls.home / ".local/share/applications"
        cls.as_user("mkdir", "-p", folder)
        text = (
            f"[Desktop Entry]\nType=Application\nName={name}\nIcon={icon}\nX-Baton-ActivityTypes={activity_type}\n"
            f"Exec=env APPLICATION={application} python3 {LIBRARY / 'desktop_app.py'} {report} {activity_type}\n"
        )
        cls.as_user("tee", folder / f"{application}.desktop", text=text)
        return report

    def save_picture(self, file, name, shown, size, *place, radius):
        """Keeps the upper part of what a file shows, with round corners and a shadow, in front of the sky.

        `shown` is its width, height and offset from the left, `size` that of the picture.
        """
        width, height, left = shown
        corners = f"roundrectangle 0,0 {width - 1},{height - 1} {radius},{radius}"
        self.as_user(
            "convert", "-size", size, f"gradient:{SKY}", "(",
            file, "-crop", f"{width}x{height}+{left}+0", "+repage", "-alpha", "set",
            "(", "+clone", "-alpha", "transparent", "-fill", "white", "-draw", corners, ")",
            "-compose", "DstIn", "-composite",
            "(", "+clone", "-background", "black", "-shadow", "40x10+0+8", ")", "+swap", "-background", "none",
            "-compose", "Over", "-layers", "merge", "+repage", ")",
            *place, "-composite", "-alpha", "off", f"PNG24:{file}.framed",
        )
        (PICTURES / f"{name}.png").write_bytes(pathlib.Path(f"{file}.framed").read_bytes())

    def donate(self, application, activity_type, title, **members):
        """Gives the index an activity as an app does."""
        activity = {"id": str(uuid.uuid4()), "activityType": activity_type, "title": title, "userInfo": {"title": title}}
        self.call("Index", application=application, entries=[{
            "identifier": activity["id"], "title": title, "isEligibleForSearch": True, "activity": activity, **members,
        }])

    def offer(self, title, activity_type):
        """Lets the other machine offer an activity until the end of the test."""
        process = subprocess.Popen(
            ["baton", "advertise", "--type", activity_type, "--title", title, "--json"],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env={**os.environ, "BATON_SOCKET": str(self.other)},
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        activity = json.loads(process.stdout.readline())["id"]
        wait_until(lambda: any(offer["id"] == activity for offer in self.baton("list")["offers"]), "it is offered")

    def events(self, report, event):
        lines = report.read_text().splitlines(True) if report.exists() else []
        return [line for line in (json.loads(line) for line in lines if line.endswith("\n")) if line["event"] == event]

    def wait_for_continuation(self, report, title, count=1):
        """Waits until the app continues an activity with this title, as the one of so many. It is started once."""
        continued = wait_until(
            lambda: len(found := self.events(report, "continued")) >= count and found, "the app continues the activity"
        )
        started = self.events(report, "started")
        self.assertEqual(len(started), 1)
        if count == 1:
            self.addCleanup(os.kill, started[0]["pid"], signal.SIGKILL)
        self.assertEqual(len(continued), count)
        self.assertEqual(continued[-1]["activity"]["title"], title)
        return continued[-1]["activity"]

    def donate_a_library(self):
        """A book, a note, and what the other machine offers."""
        # No word of it begins like the titles, because what is shown of a result depends on what was typed first.
        self.donate("org.example.Reader", TYPE, "Moby-Dick", contentDescription="It was the whiteness of the whale")
        self.donate("org.example.Notes", "org.example.note", "Essay on Moby-Dick", keywords=["novel"])
        self.offer("Moby-Dick, chapter 42", TYPE)
