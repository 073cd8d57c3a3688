# SPDX-License-Identifier: Apache-2.0
"""Each file of the state directory is cut at every length, and each of its bytes flipped."""
import json

from damage import FILES, DamageTest, title
from faultlab import ALL, sample

MASKS = (0x01, 0x20, 0x80) if ALL else (0x80,)
# Points of each file in the short ring.
POINTS = 3
SEALED = b"baton sealed 2\n"
# What is sealed where there is a key for it.
SECRETS = [name for name in FILES if name.endswith((".key", "*")) or "invitations" in name or "revocations" in name]


def makes_sense(name, content):
    """Whether nobody can tell, or need, that a file was damaged."""
    if content.startswith(SEALED):
        return False
    if name == "epoch":
        return content.strip().isdigit()
    if ".json" in name or ".used" in name:
        try:
            return bool(json.loads(content)) or content.strip() == b"[]"
        except ValueError:
            return False
    if name == "Guest/discovery.key":
        return len(content) == 32
    # Where there are revocations, the discovery key is with them. Of the other files what was done may be of no matter: then all
    # works. A key that waits is read when its approval comes.
    return name == "Home/discovery.key" or name.endswith((".pem", ".key", "pending/*"))


class FileTest(DamageTest):
    def setUp(self):
        super().setUp()
        self.c = self.machine("c").start()

    def administrator(self):
        return self.machine("a")

    def damage(self, name, change, **point):
        with self.point(**point):
            a = self.administrator()
            path = self.file(a, name)
            original = path.read_bytes()
            damaged = change(original)
            code = self.code_of(a) if name == "Home/ca.key" else None
            path.write_bytes(damaged)
            if self.begin_damaged(a, path):
                self.look(a, name, path, damaged, code)
            self.assertWholeAgain(a, path, original)
            if code:
                self.machine("m").start().must("team", "join", code, "--address", a.address)
            if name == "pending/*" and "Club" not in a.teams():
                a.must("team", "import", input=self.world["approval"].encode())

    def code_of(self, a):
        """One that is good when the damage comes."""
        a.start()
        code = a.must("team", "invite", "--team", self.home).json["code"]
        a.stop()
        return code

    def look(self, a, name, path, damaged, code):
        """At a daemon that serves all the same."""
        team = name.partition("/")[0]
        if team in ("Home", "Guest") and not self.has_team(a, team):
            self.assertSaid(a, path)
        elif name.startswith("Home") and not self.is_said(a, path):
            self.c.meets(a)
        if name == "Home/revocations.json" and not makes_sense(name, damaged):
            self.assertFalse(self.has_team(a, "Home"), "those that were removed are let in")
        if code:
            self.look_without_authority(a, code)
        outcome = self.use(a, name)
        if name == "Home/devices.json" and not makes_sense(name, damaged):
            self.assertEqual(outcome.reason, "storageFailed")
        if not makes_sense(name, damaged):
            self.assertSaid(a, path)
        self.assertOthersWork(a, name)
        if self.is_said(a, path):
            self.assertKept(a, path, damaged)

    def look_without_authority(self, a, code):
        """No code is given out, and none is used up, unless the key is as good as before."""
        n = self.machine("n").start()
        invited = a.attempt("team", "invite", "--team", self.home)
        if invited.ok:
            n.must("team", "join", invited.json["code"], "--address", a.address)
            return
        self.assertIn(invited.reason, ("storageFailed", "teamNotFound"))
        self.assertIn("ca.key", a.said)
        self.assertFalse(n.attempt("team", "join", code, "--address", a.address).ok)
        n.stop()


def flipped(content, offset, mask):
    changed = bytearray(content)
    changed[offset] ^= mask
    return bytes(changed)


class DamagedFileTests(FileTest):
    """Plain files."""


class SealedFileTests(FileTest):
    """The same where the secrets are sealed: every change is seen."""

    def administrator(self):
        directory = self.directory / "credentials"
        directory.mkdir()
        (directory / "baton.state-key").write_bytes(b"k" * 32)
        a = self.machine("a", prefix=["env", f"CREDENTIALS_DIRECTORY={directory}"])
        a.start()
        # The world's own code is over when the long ring has run for a quarter of an hour.
        a.must("team", "invite", "--team", self.home)
        a.stop()
        return a


def make_tests():
    # What the daemon has sealed is that much longer.
    for case, names, more, points in ((DamagedFileTests, FILES, 0, POINTS), (SealedFileTests, SECRETS, 43, 2)):
        for name in names:
            def test_cut(self, name=name, more=more, points=points):
                for length in sample(range(len(self.original(name)) + more), points):
                    self.damage(name, lambda content: content[:length], cut=length)

            def test_flipped(self, name=name, more=more, points=points):
                for offset in sample(range(len(self.original(name)) + more), points):
                    for mask in MASKS:
                        self.damage(name, lambda content: flipped(content, offset, mask), byte=offset, mask=mask)

            setattr(case, f"test_cut_{title(name)}", test_cut)
            setattr(case, f"test_flipped_{title(name)}", test_flipped)


make_tests()
