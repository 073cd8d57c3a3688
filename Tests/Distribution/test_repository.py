# SPDX-License-Identifier: Apache-2.0
"""The signed apt repository, on a booted Debian; see Scripts/run-distribution. The tests are one story, in their order.

/repositories has states of one repository, which are published at one address: the first version, the next one, and forged ones.
"""
import functools
import http.server
import pathlib
import threading
import unittest

from system import ask, here, is_active, run
from waiting import TestCase, wait_until

REPOSITORIES = pathlib.Path("/repositories")
PORT = 8080
# Debian's own repository can't be reached. Its packages are in the cache (Scripts/make-debian-root).
OWN_ONLY = ("-o", "Dir::Etc::sourcelist=/dev/null", "-o", "APT::Get::List-Cleanup=0")


class Files(http.server.SimpleHTTPRequestHandler):
    asked = []

    def send_head(self):
        # The states have the times of copies, so a newer one can be an older file.
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, *_):
        self.asked.append(self.path)


class RepositoryTest(TestCase):
    server = None

    def publish(self, name):
        """What is at the repository's address from now on."""
        self.end()
        Files.asked.clear()
        handler = functools.partial(Files, directory=REPOSITORIES / name)
        type(self).server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @classmethod
    def end(cls):
        if cls.server:
            cls.server.shutdown()
            cls.server.server_close()
            cls.server = None

    tearDownClass = end

    def apt(self, *arguments):
        return ask("apt-get", "-y", "-q", *arguments, DEBIAN_FRONTEND="noninteractive")

    def update(self):
        # Otherwise an index whose sum is known isn't fetched again.
        for path in pathlib.Path("/var/lib/apt/lists").glob("127.0.0.1*"):
            path.unlink()
        return self.apt("update", "--error-on=any", *OWN_ONLY)

    def succeed(self, *arguments):
        status, output = self.apt(*arguments)
        self.assertEqual(status, 0, output)
        return output

    def version(self):
        return run("dpkg-query", "-W", "-f", "${Version}", "baton")

    def test_01_one_package_brings_the_key_and_the_address(self):
        (package,) = (REPOSITORIES / "first/pool").glob("baton-archive-keyring_*.deb")
        self.publish("first")
        self.succeed("install", str(package))
        status, output = self.update()
        self.assertEqual(status, 0, output)
        self.assertTrue(any("/by-hash/SHA256/" in path for path in Files.asked), Files.asked)
        # The key is for this repository only.
        self.assertEqual(list(pathlib.Path("/etc/apt/trusted.gpg.d").glob("*baton*")), [])
        self.assertIn("Signed-By: /usr/share/keyrings/baton-archive-keyring.gpg", pathlib.Path("/etc/apt/sources.list.d/baton.sources").read_text())

    def test_02_baton_is_installed(self):
        self.succeed("install", "baton", "baton-browser")
        wait_until(is_active, "batond runs")
        policy = run("apt-cache", "policy", "baton")
        self.assertIn(f"http://127.0.0.1:{PORT} stable/main", policy)
        run("baton", "team", "create", "Home")

    def test_03_forged_repositories_are_refused(self):
        before = self.version()
        for name in ("forged-index", "forged-release", "other-key", "unsigned", "expired"):
            with self.subTest(name):
                self.publish(name)
                status, output = self.update()
                self.assertNotEqual(status, 0, output)
                status, output = self.apt("upgrade")
                self.assertEqual(self.version(), before)
                self.assertNotIn("+evil", run("apt-cache", "policy", "baton"))

    def test_04_a_forged_package_is_refused(self):
        self.publish("forged-package")
        before = self.version()
        self.assertEqual(self.update()[0], 0)
        status, output = self.apt("upgrade")
        self.assertNotEqual(status, 0, output)
        self.assertEqual(self.version(), before)
        self.assertTrue(is_active())

    def test_05_an_index_that_is_replaced_meanwhile_is_complete(self):
        self.publish("between")
        status, output = self.update()
        self.assertEqual(status, 0, output)

    def test_06_an_upgrade_comes_with_the_system(self):
        self.publish("next")
        before, teams = self.version(), here.baton("team", "list")
        process = here.show("batond", "MainPID")
        self.assertEqual(self.update()[0], 0)
        self.succeed("upgrade")
        self.assertEqual(self.version(), f"{before}+next")
        wait_until(lambda: here.show("batond", "MainPID") not in ("0", process), "batond is the new one")
        wait_until(is_active, "batond runs")
        self.assertEqual(here.baton("team", "list"), teams)

    def test_07_the_key_goes_with_its_package(self):
        self.succeed("purge", "baton-archive-keyring")
        self.assertFalse(pathlib.Path("/etc/apt/sources.list.d/baton.sources").exists())
        self.assertFalse(pathlib.Path("/usr/share/keyrings/baton-archive-keyring.gpg").exists())
        self.assertTrue(is_active())


if __name__ == "__main__":
    unittest.main(verbosity=2)
