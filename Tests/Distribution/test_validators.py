# SPDX-License-Identifier: Apache-2.0
"""What programs that others wrote say of the data about a release; see Scripts/run-distribution. They come from Debian 13 and
from PyPI, so this needs a network."""
import pathlib
import sys
import tempfile
import unittest

from roots import DIST, debian, run
from waiting import TestCase


class ValidatorTest(TestCase):
    def test_spdx_tools_accept_the_list_of_contents(self):
        with tempfile.TemporaryDirectory() as folder:
            run(sys.executable, "-m", "venv", folder)
            run(f"{folder}/bin/pip", "-q", "install", "spdx-tools==0.8.3")
            (document,) = DIST.glob("*.spdx.json")
            run(f"{folder}/bin/pyspdxtools", "--infile", document, "--version", "SPDX-2.3")

    def test_a_newer_appstreamcli_accepts_its_data(self):
        with debian() as root:
            (root / "etc/resolv.conf").write_text(pathlib.Path("/etc/resolv.conf").read_text())
            environment = {"DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
            run("chroot", root, "apt-get", "-y", "-q", "update", env=environment)
            run("chroot", root, "apt-get", "-y", "-q", "install", "--no-install-recommends", "appstream", env=environment)
            (root / "tmp/io.baton.Agent.metainfo.xml").write_bytes((DIST / "io.baton.Agent.metainfo.xml").read_bytes())
            run("chroot", root, "appstreamcli", "validate", "--no-net", "--no-color", "/tmp/io.baton.Agent.metainfo.xml", env=environment)


if __name__ == "__main__":
    unittest.main(verbosity=2)
