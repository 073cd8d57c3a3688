#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A directory that make-debian-root hasn't made stays as it is."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "Scripts/make-debian-root"


class RefusalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_refused(self, directory):
        before = sorted(self.folder.rglob("*"))
        run = subprocess.run([SCRIPT, "trixie", directory], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(f"{directory} isn't a root that this made", run.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_what_it_has_not_made_stays(self):
        home = self.folder / "home"
        home.mkdir()
        (home / "letter").write_text("Dear")
        self.assert_refused(home)
        # A file of that name beside it proves nothing.
        (self.folder / "home.stamp").touch()
        self.assert_refused(home)
        self.assertEqual((home / "letter").read_text(), "Dear")

    def test_a_file_and_a_link_stay(self):
        file = self.folder / "file"
        file.touch()
        self.assert_refused(file)
        link = self.folder / "link"
        link.symlink_to(self.folder)
        self.assert_refused(link)

    def test_another_debian_stays(self):
        (self.folder / "debian/var/lib/dpkg").mkdir(parents=True)
        (self.folder / "debian/var/lib/dpkg/status").touch()
        self.assert_refused(self.folder / "debian")


if __name__ == "__main__":
    unittest.main()
