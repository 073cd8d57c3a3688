# SPDX-License-Identifier: Apache-2.0
"""State that is sealed, and a daemon that was not given the key."""
from faultlab import FaultTest

FILES = ("static-peers.json", "remembered-addresses.json")


class CredentialTests(FaultTest):
    def setUp(self):
        super().setUp()
        for name, byte in (("right", b"k"), ("wrong", b"w")):
            (self.directory / name).mkdir()
            (self.directory / name / "baton.state-key").write_bytes(byte * 32)
        self.a = self.machine("a")
        self.give("right")
        self.a.start()
        self.a.stop()
        key = self.a.path("Home/device.key").read_bytes()
        self.assertTrue(key.startswith(b"baton sealed"), "it is not sealed")

    def give(self, name):
        self.a.prefix = ["env", f"CREDENTIALS_DIRECTORY={self.directory / name}"] if name else []

    def content(self):
        return {path: path.read_bytes() for path in self.a.state.rglob("*") if path.is_file() and path.name != "epoch"}

    def start_without(self, name):
        before = self.content()
        self.give(name)
        if self.a.begin() is None:
            self.assertEqual(self.a.teams(), {})
            self.assertEqual(self.a.attempt("team", "invite").reason, "storageFailed")
            self.a.stop()
        self.assertIn(str(self.a.path("Home")), self.a.said)
        self.assertEqual(self.content(), before)
        for name in FILES:
            self.assertTrue((self.a.state / name).stat().st_size > 2)
        self.give("right")
        self.a.start()
        self.assertWhole(self.a)
        self.a.meets(self.machine("c").start())

    def test_no_key(self):
        self.start_without(None)

    def test_another_key(self):
        self.start_without("wrong")

    def test_many_starts_without_it(self):
        self.give(None)
        for _ in range(3):
            self.a.start()
            self.a.stop()
        self.start_without(None)
