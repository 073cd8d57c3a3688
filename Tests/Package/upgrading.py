# SPDX-License-Identifier: Apache-2.0
"""What the tests of packages share: two users of one machine, their team, and an upgrade while a stream runs."""
import hashlib
import os
import pathlib
import subprocess

from machine import Machine
from waiting import PATIENCE, wait_until

MEBIBYTE = 1 << 20
SYSTEM = "/run/baton/baton.sock"
STATE = pathlib.Path("/var/lib/baton")
CONFIGURATION = pathlib.Path("/etc/baton/batond.conf")
OTHER = pathlib.Path("/tmp/other")
here = Machine()
run = here.run


def apt(*arguments):
    return run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", *arguments)


def baton(user, *arguments, socket=None):
    """What an ordinary user's command says."""
    return here.baton(*arguments, user=user, socket=socket)


def is_active(unit="batond"):
    return here.ask("systemctl", "is-active", "--quiet", unit)[0] == 0


def keys():
    """Of all files of the state: name and content."""
    return {str(path): path.read_bytes() for path in STATE.rglob("*") if path.is_file() and "key" in path.name}


class Upgrading:
    """A test on a machine with two users, whose second daemon plays another machine."""

    @classmethod
    def setUpClass(cls):
        run("ip", "link", "set", "lo", "multicast", "on")
        for user in ("ada", "ben"):
            run("useradd", "--create-home", "--shell", "/bin/bash", user)

    def make_team(self):
        """A team of ada, on this machine, and ben, on the other."""
        team = baton("ada", "team", "create", "Home")["team"]["id"]
        self.assertEqual([each["id"] for each in baton("ada", "team", "list")["teams"]], [team])
        OTHER.mkdir()
        run("chown", "ben:ben", OTHER)
        type(self).other = here.begin_daemon("other", OTHER, "--log-level", "debug", user="ben")
        code = baton("ada", "team", "invite")["code"]
        baton("ben", "team", "join", code, "--address", "127.0.0.1:22866", socket=self.other)
        here.wait_for_session("ada")
        return team

    def spawn(self, user, *arguments, socket=SYSTEM, **options):
        words = ["runuser", "-u", user, "--", "env", f"BATON_SOCKET={socket}", "baton", *arguments]
        process = subprocess.Popen(words, **options)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        return process

    def upgrade(self, package):
        """Installs a package while a stream runs; teams, keys, settings and the stream are kept."""
        before, configuration = keys(), CONFIGURATION.read_text()
        self.assertTrue(before)
        process = run("systemctl", "show", "--property=MainPID", "batond")
        listening = run("systemctl", "show", "--property=ActiveEnterTimestampMonotonic", "batond.socket")
        source, pipe = os.pipe()
        advertiser = self.spawn("ada", "advertise", "--type", "org.example.files", "--stream", stdin=source)
        os.close(source)
        received = pathlib.Path("/tmp/received")
        with open(received, "wb") as file:
            continuer = self.spawn(
                "ben", "continue", "--latest", "--stream", "--wait", "30", socket=self.other,
                stdin=subprocess.DEVNULL, stdout=file,
            )
        digest = hashlib.sha256()
        for part in range(12):
            block = os.urandom(MEBIBYTE)
            digest.update(block)
            with open(pipe, "wb", closefd=False) as file:
                file.write(block)
            if part == 4:
                wait_until(lambda: received.stat().st_size > 0, "the stream runs")
                apt("-o", "Dpkg::Options::=--force-confold", "install", package)
        os.close(pipe)
        self.assertEqual((advertiser.wait(60), continuer.wait(60)), (0, 0))
        self.assertEqual(hashlib.sha256(received.read_bytes()).digest(), digest.digest())
        self.assertNotEqual(run("systemctl", "show", "--property=MainPID", "batond"), process)
        # No program is turned away meanwhile.
        self.assertEqual(run("systemctl", "show", "--property=ActiveEnterTimestampMonotonic", "batond.socket"), listening)
        self.assertEqual(keys(), before)
        self.assertEqual(CONFIGURATION.read_text(), configuration)
        self.assertTrue(is_active())
        here.wait_for_session("ada")
