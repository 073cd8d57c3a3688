# SPDX-License-Identifier: Apache-2.0
"""The credential that seals batond's keys, as systemd hands it over; inside of a booted systemd, see Scripts/run-systemd."""
import base64
import json
import pathlib
import secrets
import shutil
import subprocess
import unittest

from machine import Failed
from test_service import here, restart
from waiting import TestCase, wait_until

STORE = pathlib.Path("/etc/credstore.encrypted")
STATE = pathlib.Path("/var/lib/baton")
MARK = b"baton sealed 2\n"


class SealedTest(TestCase):
    def setUp(self):
        here.run("systemd-sysusers")
        here.systemctl("start", "batond")
        self.addCleanup(here.systemctl, "stop", "batond.socket")
        self.team = here.baton("team", "create", "Sealed")["team"]["id"]
        here.baton("team", "invite", "--team", self.team)
        # Other tests have left teams.
        self.directory = next(
            file.parent for file in STATE.glob("teams/*/team.json") if json.loads(file.read_bytes())["name"] == "Sealed"
        )

    def tearDown(self):
        for name in ("baton.state-key", "baton.previous-state-key"):
            (STORE / name).unlink(missing_ok=True)
        restart()
        here.baton("team", "leave", "--yes", self.team)

    def give(self, name, key):
        STORE.mkdir(mode=0o700, exist_ok=True)
        plain = pathlib.Path("/run/credential")
        plain.write_bytes(key)
        here.run("systemd-creds", "encrypt", f"--name={name}", plain, STORE / name)
        plain.unlink()

    def process(self):
        return here.show("batond", "MainPID")

    def journal(self, *filters):
        return "\n".join(str(entry["MESSAGE"]) for entry in here.journal("--unit=batond", *filters))

    def teams(self):
        return [team["id"] for team in here.baton("team", "list")["teams"]]

    def keys(self):
        return [path.read_bytes() for path in self.directory.glob("*.key")]


class CredentialTest(SealedTest):
    def test_the_keys_are_sealed_while_there_is_a_credential(self):
        plain = self.keys()
        self.assertEqual(sum(b"PRIVATE KEY" in key for key in plain), 2)
        discovery = next(key for key in plain if b"PRIVATE KEY" not in key)
        key = secrets.token_bytes(32)
        self.give("baton.state-key", key)
        restart()
        self.assertIn(self.team, self.teams())
        sealed = [path for path in self.directory.rglob("*") if path.is_file() and path.read_bytes().startswith(MARK)]
        self.assertEqual(len(sealed), 4, sealed)
        files = [path.read_bytes() for path in STATE.rglob("*") if path.is_file()]
        for file in files:
            self.assertNotIn(b"PRIVATE KEY", file)
            self.assertNotIn(discovery, file)
        # It is nowhere where others look.
        process = self.process()
        for name in ("environ", "cmdline"):
            self.assertNotIn(key, pathlib.Path(f"/proc/{process}/{name}").read_bytes())

        # Without it the team is not used, and the journal says why; nothing is lost.
        (STORE / "baton.state-key").unlink()
        restart()
        self.assertNotIn(self.team, self.teams())
        self.assertIn("it's sealed, and no key was given", self.journal(f"_PID={self.process()}"))
        self.give("baton.previous-state-key", key)
        restart()
        self.assertIn(self.team, self.teams())
        self.assertEqual(sorted(self.keys()), sorted(plain))

    def test_a_credential_that_is_no_key_keeps_batond_from_starting(self):
        self.give("baton.state-key", b"short")
        with self.assertRaises(Failed):
            restart()
        journal = self.journal("--lines=30")
        self.assertIn("Can't use the credential baton.state-key: it isn't 16 to 4096 bytes long", journal)
        self.assertIn("status=78", journal)


class CrashTest(SealedTest):
    """What is left of a batond that crashes, where nothing but itself keeps its memory from a core file."""

    CORES = pathlib.Path("/var/cores")
    # What the kernel runs for a pipe is in the namespaces of the machine around: it finds these files by the process that crashes.
    PATTERNS = (f"{CORES}/file.%e", f"|/usr/bin/tee /proc/%P/root{CORES}/pipe.%e")

    def setUp(self):
        super().setUp()
        self.CORES.mkdir(exist_ok=True)
        self.CORES.chmod(0o1777)
        self.addCleanup(shutil.rmtree, self.CORES)
        # Of the whole machine, also of the one around, and /proc/sys is read-only here.
        before = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
        self.addCleanup(self.set_pattern, before)
        self.addCleanup(restart)
        self.addCleanup(here.restore, "batond.service")
        here.adjust("batond.service", f"[Service]\nLimitCORE=infinity\nReadWritePaths={self.CORES}\n")

    def set_pattern(self, pattern):
        script = 'mount -t proc proc /proc && printf %s "$1" >/proc/sys/kernel/core_pattern'
        here.run("unshare", "--mount", "sh", "-c", script, "sh", pattern)

    def crash(self, unit):
        """The number of the process that ends, and what systemd says of its end."""
        def ends():
            lines = [str(entry["MESSAGE"]) for entry in here.journal("_PID=1", f"UNIT={unit}.service")]
            return [line for line in lines if "Main process exited" in line]

        process, before = here.show(unit, "MainPID"), len(ends())
        here.systemctl("kill", "--kill-whom=main", "--signal=ABRT", unit)
        return process, wait_until(lambda: ends()[before:], "its end")[0]

    def test_a_crash_leaves_nothing_of_its_memory(self):
        plain = self.keys()
        key = secrets.token_bytes(32)
        self.give("baton.state-key", key)
        for number, pattern in enumerate(self.PATTERNS):
            self.set_pattern(pattern)
            # Another program of the same user is kept.
            here.begin(f"dumped{number}", "batond", "sleep", "100", LimitCORE="infinity")
            self.addCleanup(here.end, f"dumped{number}")
            self.assertIn("code=dumped, status=6/ABRT", self.crash(f"dumped{number}")[1])
            wait_until(lambda: len(list(self.CORES.iterdir())) == number + 1, "its core file")
            restart()
            self.assertIn(self.team, self.teams())
            process, end = self.crash("batond")
            self.assertIn("code=killed, status=6/ABRT", end)
            self.assertFalse([path for path in self.CORES.iterdir() if path.name.endswith("batond")])
            # systemd starts it again.
            wait_until(lambda: self.process() not in ("0", process), "another batond")
        self.assertFalse(self.found_in_journal([key, *plain]))
        # What is looked for would be found.
        here.run("logger", base64.b64encode(key).decode())
        self.assertTrue(self.found_in_journal([key]))
        (STORE / "baton.state-key").unlink()
        self.give("baton.previous-state-key", key)
        restart()

    def found_in_journal(self, keys):
        """Whether any of it is in there: as it is, in hexadecimal digits or in base 64."""
        here.run("journalctl", "--sync")
        journal = subprocess.run(["journalctl", "-q", "-o", "export"], capture_output=True, check=True).stdout
        for key in keys:
            # Of PEM what is between the first line and the last, which is in base 64.
            body = base64.b64decode(b"".join(key.splitlines()[1:-1])) if b"-----BEGIN" in key else key
            forms = [body, body.hex().encode(), body.hex().upper().encode(), base64.b64encode(body), base64.urlsafe_b64encode(body)]
            if any(form[at:at + 16] in journal for form in forms for at in range(0, len(form) - 15, 16)):
                return True
        return False


if __name__ == "__main__":
    unittest.main(verbosity=2)
