# SPDX-License-Identifier: Apache-2.0
"""Upgrades of two machines from a signed repository; see Scripts/run-upgrade. The tests are one story, in their order."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Tests/Lab"))
from machine import OtherMachine  # noqa: E402
from waiting import TestCase, wait_until  # noqa: E402

SHARE = pathlib.Path(os.environ["BOOT_SHARE"])
PACKAGES = pathlib.Path(os.environ["BATON_UPGRADE_PACKAGES"])
REPOSITORY = SHARE / "repository"
URI = "file:///lab/share/repository"
TOOL = os.environ.get("MAKE_REPOSITORY", ROOT / "Scripts/make-repository")
# In seconds: apt does one thing after the other, on a busy machine.
APT_TIME = 120
# Slow enough that a transfer and a stream last until both machines are upgraded.
SPEED = "1500 kbytes/second"
FILE_SIZE = 160 << 20
# Writes a little more every moment until it's told to stop, and keeps what it has written.
SOURCE = "while ! test -e stop; do head -c 20000 /dev/urandom | tee -a sent; sleep 0.1; done | baton offer --type org.example.files --stream"
APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "-o", "Dpkg::Options::=--force-confold"]

# What the extension says first: a length in four bytes, and JSON.
HELLO = r"""printf '\037\0\0\0{"type":"hello","isTaken":true}'"""


class Signer:
    """A key, and repositories that it signs."""

    def __init__(self, name):
        self.home = PACKAGES / f"{SHARE.name}-{name}"
        self.home.mkdir(mode=0o700)
        self.environment = {**os.environ, "GNUPGHOME": str(self.home)}
        self.name = f"{name}@example.org"
        self.call("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", self.name, "rsa3072", "sign")

    def call(self, *words, **variables):
        done = subprocess.run(
            [str(word) for word in words], env={**self.environment, **variables}, capture_output=True, text=True, timeout=APT_TIME)
        if done.returncode:
            raise AssertionError(f"{words}: {done.stdout}{done.stderr}")

    def publish(self, *folders, to=REPOSITORY, **variables):
        # Only the real one has the package with its key.
        options = ["--uri", URI] if to == REPOSITORY else []
        self.call(TOOL, "--key", self.name, *options, to, *folders, **variables)


class RepositoryTest(TestCase):
    time_limit = 400

    @classmethod
    def setUpClass(cls):
        cls.machines = [OtherMachine(SHARE / name) for name in ("laptop", "desktop")]
        cls.laptop, cls.desktop = cls.machines
        wait_until(lambda: all(pathlib.Path(each.path).exists() for each in cls.machines), "the machines are up", 60)
        cls.signer = Signer("release")
        cls.addClassCleanup(lambda: [shutil.rmtree(PACKAGES / f"{SHARE.name}-{name}", True) for name in ("release", "stranger")])
        for machine in cls.machines:
            machine.run("useradd", "--create-home", "--shell", "/bin/bash", "ada")
            # Its own sources aren't reachable.
            machine.run("sh", "-c", "rm -rf /etc/apt/sources.list /var/lib/apt/lists/*")

    def version(self, machine):
        return machine.run("dpkg-query", "-f", "${Version}", "-W", "baton")

    def baton(self, machine, *words):
        return json.loads(machine.as_user("ada", "baton", *words, "--json"))

    def wait_for_sessions(self):
        for machine in self.machines:
            wait_until(lambda machine=machine: machine.ask(*machine.command_of("ada", "baton", "status"))[0] == 0, "batond answers")
            wait_until(lambda machine=machine: self.baton(machine, "status")["sessions"] == 1, "the machines are connected")

    def begin(self, machine, name, script):
        """Starts a script of ada's, which leaves its status in a file."""
        machine.as_user(
            "ada", "systemd-run", "--user", "--collect", "-q", f"--unit={name}", "--working-directory=/home/ada", "bash", "-c",
            f"{script}; echo $? >{name}.status")

    def status(self, machine, name):
        path = f"/home/ada/{name}.status"
        wait_until(lambda: machine.ask("test", "-s", path)[0] == 0, f"{name} ends", 200)
        return int(machine.run("cat", path))

    def size(self, machine, name):
        done = machine.ask("stat", "-c", "%s", f"/home/ada/{name}")
        return int(done[1]) if done[0] == 0 else 0

    def digest(self, machine, name):
        return machine.run("sha256sum", f"/home/ada/{name}").split()[0]

    def keys(self, machine):
        return machine.run("sh", "-c", "find /var/lib/baton/ -name '*key*' -type f -exec sha256sum {} + | sort")

    def agent(self, machine):
        return machine.as_user("ada", "systemctl", "--user", "show", "-P", "MainPID", "baton-agent").strip()

    def test_1_it_is_installed_from_the_repository(self):
        self.signer.publish(PACKAGES / "old")
        [keyring] = (REPOSITORY / "pool").glob("baton-archive-keyring_*.deb")
        for machine in self.machines:
            machine.run(*APT, "install", f"/lab/share/repository/pool/{keyring.name}")
            machine.run(*APT, "update")
            machine.run(*APT, "install", "baton")
            self.assertIn("o=Baton", machine.run("apt-cache", "policy"))
            machine.begin_manager("ada")
            machine.run("sh", "-c", "printf '[Files]\\nAccept=always\\n' >>/etc/baton/agent.conf")
            machine.as_user("ada", "systemctl", "--user", "restart", "baton-agent")
        type(self).before = self.version(self.laptop)

    def test_2_a_team_is_made(self):
        self.baton(self.laptop, "team", "create", "Home")
        code = self.baton(self.laptop, "team", "invite")["code"]
        self.baton(self.desktop, "team", "join", code, "--address", "10.74.0.1")
        self.wait_for_sessions()

    def test_3_both_are_upgraded_while_a_stream_and_a_transfer_run(self):
        kept = [self.keys(machine) for machine in self.machines]
        agents = [self.agent(machine) for machine in self.machines]
        for machine in self.machines:
            machine.run("nft", "add table inet slow; add chain inet slow input { type filter hook input priority 0; }; "
                        f"add rule inet slow input iifname host0 meta l4proto tcp limit rate over {SPEED} drop")
        self.laptop.as_user("ada", "sh", "-c", f"head -c {FILE_SIZE} /dev/urandom >/home/ada/big")
        self.begin(self.laptop, "source", f"set -o pipefail; {SOURCE}")
        self.begin(self.desktop, "sink", "baton continue --latest --stream --wait 60 </dev/null >received")
        wait_until(lambda: self.size(self.desktop, "received") > 0, "the stream runs")
        self.begin(self.laptop, "send", "baton send big desktop")
        wait_until(lambda: self.baton(self.laptop, "transfers")["transfers"], "the transfer runs")

        # Programs that live as long as an editor and a browser. The browser's has been told that it's there.
        for machine in self.machines:
            self.begin(machine, "editor", "tail -f /dev/null | baton editor-host >editor.said")
            self.begin(machine, "browser", f"({HELLO}; tail -f /dev/null) | baton browser-host >browser.said")
            for name in ("editor", "browser"):
                wait_until(lambda: self.hosts(machine, name), f"the host of the {name} runs")
            wait_until(lambda: self.size(machine, "browser.said"), "the browser's host answers")

        self.signer.publish(PACKAGES / "new")
        # One machine upgrades by itself, as every day.
        self.desktop.run("sh", "-c", "printf 'APT::Periodic::Update-Package-Lists \"always\";\\nAPT::Periodic::Unattended-Upgrade \"always\";\\n' "
                         ">/etc/apt/apt.conf.d/20auto-upgrades")
        self.desktop.run("systemctl", "start", "apt-daily.service")
        self.desktop.run("systemctl", "start", "apt-daily-upgrade.service")
        self.assertEqual(self.version(self.desktop), f"{self.before}+next", self.desktop.ask("cat", "/var/log/unattended-upgrades/unattended-upgrades.log")[1])
        # Then the versions differ, and everything works.
        self.assertEqual(self.version(self.laptop), self.before)
        self.wait_for_sessions()
        for origin, receiver in (self.machines, reversed(self.machines)):
            self.begin(origin, "offer", "baton offer --type org.example.note --title Note --url https://example.org/")
            wait_until(lambda: any(each["title"] == "Note" for each in self.baton(receiver, "list")["offers"]), "the offer is seen")
            origin.as_user("ada", "systemctl", "--user", "stop", "offer")
            wait_until(lambda: all(each["title"] != "Note" for each in self.baton(receiver, "list")["offers"]), "the offer ends")
        # The other one is upgraded by hand.
        self.laptop.run(*APT, "update")
        self.laptop.run(*APT, "upgrade")
        self.assertEqual(self.version(self.laptop), f"{self.before}+next")
        self.wait_for_sessions()

        # Both were still running, and end whole. (The command that sends may end with the agent; its transfer doesn't.)
        self.assertEqual([machine.ask("test", "-s", f"/home/ada/{name}.status")[0] for machine, name in (
            (self.laptop, "source"), (self.desktop, "sink"))], [1, 1])
        self.assertLess(self.size(self.desktop, "Handoff/big"), FILE_SIZE)
        for machine in self.machines:
            machine.run("nft", "delete", "table", "inet", "slow")
        self.laptop.as_user("ada", "touch", "/home/ada/stop")
        self.assertEqual((self.status(self.laptop, "source"), self.status(self.desktop, "sink")), (0, 0))
        self.assertEqual(self.digest(self.laptop, "sent"), self.digest(self.desktop, "received"))
        wait_until(lambda: self.size(self.desktop, "Handoff/big") == FILE_SIZE, "the file arrives", 120)
        # It has reported success, or that it lost the agent.
        self.assertIn(self.status(self.laptop, "send"), (0, 3))
        self.assertEqual(self.digest(self.laptop, "big"), self.digest(self.desktop, "Handoff/big"))

        self.assertEqual([self.keys(machine) for machine in self.machines], kept)
        for machine, agent in zip(self.machines, agents):
            self.assertEqual([each["name"] for each in self.baton(machine, "team", "list")["teams"]], ["Home"])
            # The agent is that of the new package, and no program of the old one is left.
            self.assertNotEqual(self.agent(machine), agent)
            old = "ls -l /proc/[0-9]*/exe 2>/dev/null | grep 'baton.*(deleted)' || true"
            wait_until(lambda: not machine.run("sh", "-c", old), lambda: machine.run("sh", "-c", old))
            self.assertEqual(len(self.hosts(machine, "editor")), 1)
            # The browser would start it again.
            self.assertEqual(self.hosts(machine, "browser"), [])
            self.assertEqual(machine.ask("systemctl", "is-failed", "batond")[1].strip(), "active")

    def hosts(self, machine, name):
        return machine.ask("pgrep", "-fx", f"baton {name}-host")[1].split()

    def refuse(self, what):
        """No machine takes anything from the repository as it is now."""
        for machine in self.machines:
            machine.run("sh", "-c", "rm -rf /var/lib/apt/lists/*")
            updated = machine.ask(*APT, "update", "-o", "APT::Update::Error-Mode=any")
            upgraded = machine.ask(*APT, "upgrade")
            self.assertNotEqual((updated[0], upgraded[0]), (0, 0), f"{what}: {updated}{upgraded}")
            self.assertEqual(self.version(machine), f"{self.before}+next", what)
        # Nor does one by itself.
        self.desktop.ask("systemctl", "start", "apt-daily.service")
        self.desktop.ask("systemctl", "start", "apt-daily-upgrade.service")
        self.assertEqual(self.version(self.desktop), f"{self.before}+next", what)

    def test_4_what_is_forged_or_damaged_is_refused(self):
        real, changed = SHARE / "real", SHARE / "changed"
        REPOSITORY.rename(real)
        evil = "nexter"

        def restore():
            shutil.rmtree(REPOSITORY, ignore_errors=True)
            shutil.copytree(real, REPOSITORY)

        def with_evil():
            """The index lists a package that the key's owner hasn't published, under the signature of the real index."""
            self.signer.publish(PACKAGES / "evil", to=changed)
            for path in changed.glob("dists/**/Packages*"):
                target = REPOSITORY / path.relative_to(changed)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
            for path in changed.glob("pool/*"):
                shutil.copy(path, REPOSITORY / "pool")
            # What the signature calls by its sum is replaced, too.
            for path in REPOSITORY.glob("dists/**/by-hash/SHA256/*"):
                path.write_bytes(next(changed.glob("dists/**/Packages")).read_bytes())

        def by_a_stranger():
            stranger = Signer("stranger")
            stranger.publish(PACKAGES / "evil", *[PACKAGES / "new"], to=changed)
            shutil.rmtree(REPOSITORY)
            shutil.copytree(changed, REPOSITORY)

        def unsigned():
            for path in REPOSITORY.glob("dists/**/InRelease"):
                text = path.read_text()
                path.write_text(text.replace("Description: Baton", "Description: Other"))

        def outdated():
            self.signer.publish(PACKAGES / "evil", to=changed, BATON_REPOSITORY_TIME="1600000000")
            shutil.rmtree(REPOSITORY)
            shutil.copytree(changed, REPOSITORY)

        def damaged():
            self.signer.publish(PACKAGES / "evil")
            [package] = [path for path in (REPOSITORY / "pool").glob("baton_*") if evil in path.name]
            data = bytearray(package.read_bytes())
            data[len(data) // 2] ^= 1
            package.write_bytes(data)

        for forge in (with_evil, by_a_stranger, unsigned, outdated, damaged):
            with self.subTest(forge.__name__):
                restore()
                forge()
                self.refuse(forge.__name__)
                shutil.rmtree(changed, ignore_errors=True)
        # The real one is accepted again.
        restore()
        for machine in self.machines:
            machine.run(*APT, "update", "-o", "APT::Update::Error-Mode=any")
        self.wait_for_sessions()


if __name__ == "__main__":
    unittest.main(verbosity=2)
