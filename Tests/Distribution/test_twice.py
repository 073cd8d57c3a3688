# SPDX-License-Identifier: Apache-2.0
"""Two runs of Packaging/make-dist with the same programs make the same bytes, wherever and by whomever; see Scripts/run-distribution."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from waiting import TestCase

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("baton", "batond", "baton-clipboard")


class TwiceTest(TestCase):
    time_limit = 900

    def made(self, folder, umask, **environment):
        """The sums of what a copy of the sources makes, with a copy of the programs."""
        source = pathlib.Path(folder, "source")
        source.mkdir(parents=True)
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=True).stdout
        names = b"\0".join(name for name in names.split(b"\0") if name and os.path.lexists(os.path.join(os.fsencode(ROOT), name)))
        packed = subprocess.run(["tar", "-C", ROOT, "-c", "--null", "-T", "-"], input=names, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-C", source, "-x"], input=packed, check=True)
        programs = pathlib.Path(folder, "programs")
        programs.mkdir()
        for name in PROGRAMS:
            shutil.copy(pathlib.Path(os.environ["BATON_BUILD"], name), programs)
        subprocess.run([source / "Packaging/make-dist", programs, pathlib.Path(folder, "made")], check=True, umask=umask,
                       env={**os.environ, **environment}, capture_output=True)
        return pathlib.Path(folder, "made/SHA256SUMS").read_text()

    def test_two_runs_make_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.made(f"{folder}/a", 0o022)
            second = self.made(f"{folder}/another-place", 0o077, TZ="Asia/Tokyo", LANG="de_DE.UTF-8", XZ_OPT="-0", GZIP="-1", HOME="/nonexistent", USER="nobody")
        self.assertGreater(len(first.splitlines()), 20)
        self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main(verbosity=2)
