#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keys of the apt repository that are replaced, without a moment in which a client that is up to date refuses it."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = "etc/apt/sources.list.d/baton.sources"


class KeyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "GNUPGHOME": str(self.folder / "gnupg"), "LC_ALL": "C.UTF-8"}
        (self.folder / "gnupg").mkdir(mode=0o700)
        self.addCleanup(lambda: self.run_program("gpgconf", "--kill", "all"))
        for name in ("first", "second"):
            self.call("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", f"{name}@example.org", "ed25519", "sign")
        self.repository = self.folder / "repository"
        self.time = 1_800_000_000

    def run_program(self, *words, **variables):
        return subprocess.run([str(word) for word in words], env={**self.environment, **variables}, capture_output=True, text=True)

    def call(self, *words, **variables):
        done = self.run_program(*words, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def command(self, key, *more):
        self.time += 1
        return ROOT / "Scripts/make-repository", "--key", f"{key}@example.org", *more, self.repository

    def publish(self, key, *more):
        self.call(*self.command(key, *more), BATON_REPOSITORY_TIME=str(self.time))

    def refuse(self, text, key, *more):
        before = sorted((path, path.stat().st_mtime_ns) for path in self.repository.rglob("*"))
        done = self.run_program(*self.command(key, *more), BATON_REPOSITORY_TIME=str(self.time))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(sorted((path, path.stat().st_mtime_ns) for path in self.repository.rglob("*")), before)

    def keyrings(self):
        return sorted((self.repository / "pool").glob("baton-archive-keyring_*.deb"))

    def accepts(self, keyring):
        """Whether a client with this keyring accepts the index, as apt finds out."""
        client = self.folder / "client"
        self.call("dpkg-deb", "-x", keyring, client)
        done = self.run_program(
            "gpgv", "--keyring", client / "usr/share/keyrings/baton-archive-keyring.gpg", self.repository / "dists/stable/InRelease")
        return done.returncode == 0

    def test_a_key_is_replaced(self):
        uri = ("--uri", "https://example.org/apt")
        self.publish("first", *uri)
        [one] = self.keyrings()
        # Nothing is new.
        self.publish("first", *uri)
        self.assertEqual(self.keyrings(), [one])
        # Whoever has only this keyring would be cut off.
        self.refuse("clients don't trust 'second@example.org'", "second")
        self.refuse("clients don't trust 'second@example.org'", "second", *uri)
        self.refuse("clients don't trust 'second@example.org'", "second", *uri, "--trust", "first@example.org")
        self.refuse("--trust needs --uri", "first", "--trust", "second@example.org")
        self.publish("first", *uri, "--trust", "second@example.org")
        [_, both] = self.keyrings()
        self.assertTrue(self.accepts(one))
        self.assertTrue(self.accepts(both))
        versions = [self.call("dpkg-deb", "-f", package, "Version").strip() for package in self.keyrings()]
        self.assertEqual(self.run_program("dpkg", "--compare-versions", versions[1], "gt", versions[0]).returncode, 0)
        # The new key signs, and then the old one goes.
        self.publish("second")
        self.assertTrue(self.accepts(both))
        self.publish("second", *uri)
        last = self.keyrings()[-1]
        self.assertTrue(self.accepts(both) and self.accepts(last))
        self.refuse("clients don't trust 'first@example.org'", "first")

    def test_a_keyring_from_the_future_is_not_followed_by_an_older_one(self):
        self.publish("first", "--uri", "https://example.org/apt")
        self.time -= 1000
        self.refuse("is newer than one that is made now", "first", "--uri", "https://example.com/apt")

    @unittest.skipUnless(os.geteuid() == 0, "needs root, as dpkg does")
    def test_the_source_goes_and_comes_with_the_key(self):
        self.publish("first", "--uri", "https://example.org/apt")
        [package] = self.keyrings()
        root = self.folder / "root"
        (root / "var/lib/dpkg/updates").mkdir(parents=True)
        (root / "var/lib/dpkg/info").mkdir()
        (root / "var/lib/dpkg/status").touch()

        def dpkg(*words):
            self.call("dpkg", f"--root={root}", "--force-script-chrootless", "--log=/dev/null", *words)

        source = root / SOURCE
        dpkg("-i", package)
        text = source.read_text()
        source.write_text(text + "# mine\n")
        dpkg("-r", "baton-archive-keyring")
        self.assertEqual([path.name for path in source.parent.iterdir()], ["baton.sources.disabled"])
        dpkg("-i", package)
        self.assertEqual(source.read_text(), text + "# mine\n")
        dpkg("-r", "baton-archive-keyring")
        dpkg("-P", "baton-archive-keyring")
        self.assertFalse(source.parent.exists() and list(source.parent.iterdir()))


if __name__ == "__main__":
    unittest.main()
