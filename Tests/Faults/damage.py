# SPDX-License-Identifier: Apache-2.0
"""What must be true where a file of the state directory is not what it was."""
import os
import stat

from faultlab import WORLD, FaultTest

# `Home` and so on are the teams' directories.
FILES = [
    "epoch", "static-peers.json", "remembered-addresses.json", "Home/ca.pem", "Home/ca.key", "Home/device.key",
    "Home/device.pem", "Home/discovery.key", "Home/team.json", "Home/revocations.json", "Home/devices.json",
    "Home/invitations/*.json", "Home/invitations/*.used", "Guest/discovery.key", "pending/*",
]


def title(name):
    """A part of a test's name."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.replace("*", "file")).lower()


class DamageTest(FaultTest):
    def file(self, machine, name):
        """The state file of a name, which may have one asterisk."""
        path = machine.path(name)
        return min(path.parent.glob(path.name)) if "*" in name else path

    def original(self, name):
        """What the world has there."""
        first, _, rest = name.partition("/")
        team = self.world["teams"].get(first)
        path = WORLD / "a" / "teams" / team["directory"] / rest if team else WORLD / "a" / name
        return (min(path.parent.glob(path.name)) if "*" in name else path).read_bytes()

    def is_said(self, machine, path):
        return str(path) in machine.said

    def assertSaid(self, machine, path):
        self.assertIn(str(path), machine.said, "the log does not name it")

    def assertKept(self, machine, path, content):
        """What cannot be read stays, where it was or moved aside."""
        files = [file for file in machine.state.rglob("*") if stat.S_ISREG(file.lstat().st_mode)]
        found = [file for file in files if file.lstat().st_size == len(content) and file.read_bytes() == content]
        self.assertTrue(found, f"{path.name} is lost; there are {os.listdir(path.parent)}")
        self.assertTrue(path in found or any("unreadable" in file.name for file in found), f"it became {found}")

    def use(self, machine, name):
        """Does what reads a file that a start does not read."""
        if name == "pending/*":
            return machine.attempt("team", "import", input=self.world["approval"].encode())
        return machine.attempt("team", "devices", "--team", self.home)

    def begin_damaged(self, machine, path):
        """It serves, or refuses and names the path; whether it serves."""
        status = machine.begin()
        if status is not None:
            self.assertEqual(status, 1)
            self.assertSaid(machine, path)
        return status is None

    def assertOthersWork(self, machine, name):
        """What has nothing to do with the team of the file, and what it needs of the files that all share."""
        teams, before = machine.teams(), self.world["machines"]["a"]["teams"]
        for other in {"Home", "Guest", "Other"} - {name.partition("/")[0]}:
            self.assertEqual(teams.get(other), before[other], machine.said[-800:])
        machine.must("team", "invite", "--team", before["Other"]["id"])
        machine.must("peer", "add", "127.0.0.1:12", "--team", before["Other"]["id"])
        self.assertGreater(machine.epoch(), self.world["machines"]["a"]["epoch"])

    def has_team(self, machine, name):
        identifier = self.world["machines"]["a"]["teams"][name]["id"]
        return any(team["id"] == identifier for team in machine.teams().values())

    def assertWholeAgain(self, machine, path, original):
        """With the original file all is as it was."""
        machine.stop()
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.write_bytes(original)
        path.chmod(0o600)
        machine.start()
        self.assertWhole(machine, extra=("Club",), more_addresses=("127.0.0.1:12",))
