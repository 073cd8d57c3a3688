# SPDX-License-Identifier: Apache-2.0
"""The Arch packages in an empty root, with pacman, and the PKGBUILD with makepkg; see Scripts/run-distribution."""
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from roots import DIST, ask, debian, files, ours, run
from waiting import TestCase

PACKAGES = sorted(DIST.glob("arch/*.pkg.tar.zst"))
NAMES = ("baton", "baton-browser", "baton-browser-chrome", "baton-clipboard", "baton-desktop", "baton-editors")


def information(package, key):
    return re.findall(rf"^{key} = (.*)$", run("bsdtar", "-xOf", package, ".PKGINFO"), re.M)


class ArchTest(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.chmod(cls.folder, 0o755)

    def pacman(self, root, *arguments):
        (root / "var/lib/pacman").mkdir(parents=True, exist_ok=True)
        configuration = self.folder / "pacman.conf"
        configuration.write_text("[options]\nArchitecture = auto\nSigLevel = Never\n")
        return ask("pacman", "--noconfirm", "--config", configuration, "--root", root, "--dbpath", root / "var/lib/pacman", *arguments)

    def installed(self):
        needed = {name for package in PACKAGES for name in information(package, "depend") if not name.startswith("baton")}
        return [f"--assume-installed={name}" for name in sorted(needed)]

    def test_pacman_installs_and_removes(self):
        self.assertEqual(len(PACKAGES), len(NAMES))
        root = self.folder / "root"
        root.mkdir()
        # Without what they depend on, nothing is installed.
        status, output = self.pacman(root, "-U", "--noscriptlet", *PACKAGES)
        self.assertNotEqual(status, 0, output)
        self.assertIn("openssl", output)
        status, output = self.pacman(root, "-U", "--noscriptlet", *self.installed(), *PACKAGES)
        self.assertEqual(status, 0, output)
        for option in ("-Qk", "-Qkk"):
            status, output = self.pacman(root, option, *NAMES)
            self.assertEqual(status, 0, output)
            self.assertEqual(re.findall(r"[1-9]\d* (?:missing|altered) file", output), [], output)
        self.assertTrue((root / "usr/bin/batond").exists())
        self.assertFalse((root / "usr/sbin").exists())
        self.assertEqual([path for path in files(root) if path.endswith(".service") and "/usr/sbin/batond" in (root / path[1:]).read_text()], [])
        status, output = self.pacman(root, "-R", "--noscriptlet", *NAMES)
        self.assertEqual(status, 0, output)
        self.assertEqual(ours(root), [])

    def test_scripts_run(self):
        with debian() as root:
            before = ours(root)
            status, output = self.pacman(root, "-Udd", *PACKAGES)
            self.assertEqual(status, 0, output)
            self.assertIn("systemctl enable --now batond.service", output)
            self.assertNotIn("error", output)
            run("chroot", root, "systemctl", "enable", "batond.service")
            self.assertTrue((root / "usr/bin/batond").exists())
            status, output = self.pacman(root, "-Rdd", *NAMES)
            self.assertEqual(status, 0, output)
            self.assertNotIn("error", output)
            self.assertEqual([path for path in ours(root) if path not in before and not path.startswith("/var/log")], [])

    def files(self, package):
        """The files in a package. makepkg compresses manual pages."""
        return {line.removesuffix(".gz") for line in run("bsdtar", "-tf", package).splitlines() if line[-1] != "/" and line[0] != "."}

    def test_makepkg_makes_the_same_from_the_archive(self):
        build = self.folder / "build"
        shutil.copytree(DIST / "arch", build, ignore=shutil.ignore_patterns("*.zst"))
        (archive,) = DIST.glob("*.tar.zst")
        shutil.copy(archive, build)
        for path in [build, *build.iterdir()]:
            os.chown(path, 65534, 65534)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={build}", "PKGEXT=.pkg.tar", "makepkg", "--nodeps"]
        run(*command, cwd=build)
        (made,) = build.glob("*.pkg.tar")
        names, expected = self.files(made), set().union(*(self.files(package) for package in PACKAGES if "browser-chrome" not in package.name))
        # Presets are for package managers that use them. Arch doesn't.
        self.assertEqual({name for name in expected ^ names if "-preset/" not in name}, set())
        # The extension's package, which isn't in the archive, goes with it.
        root = self.folder / "made"
        root.mkdir()
        (extension,) = (package for package in PACKAGES if "browser-chrome" in package.name)
        status, output = self.pacman(root, "-U", "--noscriptlet", *self.installed(), made, extension)
        self.assertEqual(status, 0, output)
        # Another archive is refused.
        with open(build / archive.name, "ab") as file:
            file.write(b"\0")
        status, output = ask(*command, "--force", cwd=build)
        self.assertNotEqual(status, 0)
        self.assertIn("FAILED", output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
