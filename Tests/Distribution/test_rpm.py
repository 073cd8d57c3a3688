# SPDX-License-Identifier: Apache-2.0
"""The RPMs in an empty root, with dnf and a distribution that has only the names of what they need; see Scripts/run-distribution."""
import pathlib
import re
import shutil
import tempfile
import unittest

from roots import DIST, ask, debian, ours, run
from waiting import TestCase

NAMES = ("baton", "baton-browser", "baton-browser-chrome", "baton-clipboard", "baton-desktop", "baton-editors")


class RPMTest(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.repository = cls.folder / "repository"
        shutil.copytree(DIST / "rpm", cls.repository)
        cls.packages = sorted(cls.repository.glob("*.rpm"))
        run("createrepo_c", "-q", cls.repository)

    def distribution(self, name, *, without=()):
        """A repository with one package, which provides what the RPMs need from a distribution."""
        needed = set()
        for package in self.packages:
            needed |= set(run("rpm", "-qp", "--requires", package).splitlines())
        provided = {re.sub(r" >= (\d+)$", r" = \1", line) for line in needed if not re.match(r"rpmlib|config\(|baton|\(", line)}
        provided = {"gtk3", "/usr/bin/python3", "/bin/sh"} | {line for line in provided if not any(text in line for text in without)}
        specification = self.folder / f"{name}.spec"
        lines = [f"Provides: {line}" for line in sorted(provided)]
        specification.write_text("\n".join([f"Name: {name}", "Version: 1", "Release: 1", "Summary: A distribution", "License: none",
                                            "BuildArch: noarch", *lines, "%description", "A distribution", "%files", ""]))
        folder = self.folder / name
        run("rpmbuild", "--quiet", "-bb", "--define", f"_topdir {self.folder}/build", "--define", f"_rpmdir {folder}", specification)
        run("createrepo_c", "-q", folder)
        return folder

    def dnf(self, root, distribution, *arguments):
        """dnf with two repositories: the distribution's, and Baton's, whose packages must be signed."""
        definitions = root / "etc/yum.repos.d"
        definitions.mkdir(parents=True, exist_ok=True)
        (definitions / "all.repo").write_text(
            f"[distribution]\nname=A distribution\nbaseurl=file://{distribution}\ngpgcheck=0\n"
            f"[baton]\nname=Baton\nbaseurl=file://{self.repository}\ngpgcheck=1\ngpgkey=file://{DIST}/rpm/baton-key.asc\n")
        return ask("dnf", "-y", f"--installroot={root}", "--releasever=1", f"--setopt=reposdir={definitions}", "--setopt=install_weak_deps=False",
                   "--setopt=tsflags=noscripts", f"--setopt=cachedir={self.folder}/cache", *arguments)

    def test_dnf_installs_what_is_signed(self):
        root = self.folder / "root"
        distribution = self.distribution("complete")
        status, output = self.dnf(root, distribution, "install", *NAMES)
        self.assertEqual(status, 0, output)
        for name in NAMES:
            self.assertEqual(run("rpm", "--root", root, "-V", name), "")
        self.assertTrue((root / "usr/sbin/batond").exists())
        status, output = self.dnf(root, distribution, "remove", *NAMES)
        self.assertEqual(status, 0, output)
        self.assertEqual([path for path in ours(root) if path.startswith(("/usr", "/etc"))], [])

    def test_dnf_refuses_what_is_not_signed(self):
        self.addCleanup(run, "createrepo_c", "-q", self.repository)
        (package,) = (path for path in self.packages if path.name.startswith("baton-0"))
        signed = package.read_bytes()
        self.addCleanup(package.write_bytes, signed)
        run("rpmsign", "--delsign", package)
        run("createrepo_c", "-q", self.repository)
        root = self.folder / "unsigned"
        status, output = self.dnf(root, self.distribution("other"), "install", "baton")
        self.assertNotEqual(status, 0, output)
        self.assertFalse((root / "usr/bin/baton").exists())

    def test_dnf_refuses_an_older_system(self):
        (newest,) = re.findall(r"^libc\.so\.6\((GLIBC_2\.3\d)\)", self.newest(), re.M)[-1:] or [None]
        for missing in filter(None, (newest, "OPENSSL_3.0.0", "systemd")):
            root = self.folder / f"old-{missing}"
            status, output = self.dnf(root, self.distribution(f"without-{missing.lower()}", without=[missing]), "install", "baton")
            self.assertNotEqual(status, 0, output)
            self.assertIn("nothing provides", output)
            self.assertIn(missing, output)

    def newest(self):
        (package,) = (path for path in self.packages if path.name.startswith("baton-0"))
        return run("bash", "-c", f"rpm -qp --requires {package} | sort -V")

    def test_scripts_run(self):
        """What the packages do when they're installed and removed, in a system with systemd that isn't running."""
        with debian() as root:
            before = ours(root)
            database = ["--root", root, "--dbpath", "/var/lib/rpm"]
            output = run("rpm", *database, "-i", "--nodeps", "--noverify", "--nosignature", *self.packages)
            # Debian's rpm has a warning of its own.
            self.assertEqual([line for line in output.splitlines() if not line.startswith("rpm: ")], [])
            self.assertIn("batond:", (root / "etc/passwd").read_text())
            enabled = root / "etc/systemd/system/multi-user.target.wants/batond.service"
            self.assertTrue(enabled.is_symlink())
            run("rpm", *database, "-e", "--nodeps", *NAMES)
            self.assertFalse(enabled.is_symlink())
            self.assertEqual([path for path in ours(root) if path not in before and not path.startswith("/var/lib/rpm")], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
