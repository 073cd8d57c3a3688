# SPDX-License-Identifier: Apache-2.0
"""The archive in a root that isn't booted, of a Debian that is newer than the programs; see Scripts/run-distribution."""
import os
import pathlib
import subprocess
import unittest

from system import ARCHIVE, ask, changes, files, run
from waiting import TestCase, wait_until

INSTALL, PREFIX = ARCHIVE / "old/install.sh", pathlib.Path("/opt/baton")


class ChrootTest(TestCase):
    def test_01_it_is_installed_for_the_next_boot(self):
        type(self).before = files()
        status, output = ask("sh", INSTALL)
        self.assertEqual(status, 0, output)
        self.assertIn("starts at the next boot", output)
        self.assertTrue(os.path.islink("/etc/systemd/system/multi-user.target.wants/batond.service"))
        self.assertTrue(os.path.islink("/etc/systemd/user/default.target.wants/baton-agent.service"))
        self.assertIn("batond:", pathlib.Path("/etc/passwd").read_text())

    def test_02_systemd_accepts_the_units(self):
        status, output = ask("systemd-analyze", "verify", "--man=no", "batond.service", "batond.socket")
        ours = [line for line in output.splitlines() if "baton" in line and "/bin/kill is not executable" not in line]
        self.assertEqual(ours, [], output)

    def test_03_the_programs_run(self):
        self.assertRegex(run("baton", "version"), r"\d+\.\d+\.\d+")
        directory = pathlib.Path("/tmp/batond")
        directory.mkdir()
        socket = directory / "baton.sock"
        arguments = ["--port", "0", "--socket", str(socket), "--state-directory", str(directory / "state"), "--name", "sid"]
        with open(directory / "log", "w") as log:
            daemon = subprocess.Popen(["batond", *arguments], stdout=log, stderr=log)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        wait_until(lambda: ask("baton", "status", BATON_SOCKET=str(socket))[0] == 0, (directory / "log").read_text)
        status, output = ask("baton", "team", "create", "Home", BATON_SOCKET=str(socket))
        self.assertEqual(status, 0, output)
        self.assertIn("Home", ask("baton", "team", "list", BATON_SOCKET=str(socket))[1])

    def test_04_everything_is_removed(self):
        status, output = ask("sh", PREFIX / "lib/baton/install.sh", "uninstall")
        self.assertEqual(status, 0, output)
        self.assertEqual([path for path in changes(self.before, files()) if not path.startswith("/etc/baton")], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
