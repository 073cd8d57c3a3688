"""The credential that seals batond's keys, as systemd hands it over; inside of a booted systemd, see Tests/run-systemd."""
import json
import pathlib
import secrets
import unittest

from machine import Failed
from test_service import here, restart
from waiting import TestCase

STORE = pathlib.Path("/etc/credstore.encrypted")
STATE = pathlib.Path("/var/lib/baton")
MARK = b"baton sealed 1\n"


class CredentialTest(TestCase):
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
        here.baton("team", "leave", self.team)

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
        self.assertIn("it is sealed, and no key was given", self.journal(f"_PID={self.process()}"))
        self.give("baton.previous-state-key", key)
        restart()
        self.assertIn(self.team, self.teams())
        self.assertEqual(sorted(self.keys()), sorted(plain))

    def test_a_credential_that_is_no_key_keeps_batond_from_starting(self):
        self.give("baton.state-key", b"short")
        with self.assertRaises(Failed):
            restart()
        journal = self.journal("--lines=30")
        self.assertIn("The credential baton.state-key cannot be used: it must have 16 to 4096 bytes", journal)
        self.assertIn("status=78", journal)


if __name__ == "__main__":
    unittest.main(verbosity=2)
