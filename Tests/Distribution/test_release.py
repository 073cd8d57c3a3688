# SPDX-License-Identifier: Apache-2.0
"""What Scripts/release has made, looked at from outside of any system: the same parts in all formats, the list of contents, the
signatures and the sums. See Scripts/run-distribution.

BATON_DIST is the release, made with throw-away keys: `release.signers` is beside it.
"""
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Tests/Lab"))
from waiting import TestCase  # noqa: E402

DIST = pathlib.Path(os.environ["BATON_DIST"])
SIGNERS = DIST.parent / "release.signers"
VERSION = re.search(r"baton \((.*?)\)", (ROOT / "debian/changelog").read_text())[1]
PARTS = ("main", "browser", "browser-chrome", "clipboard", "desktop", "editors")
RULES = [line.split() for line in (ROOT / "Packaging/parts").read_text().splitlines() if line.strip() and not line.startswith("#")]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def part_of(path):
    return next(part for part, pattern in RULES if fnmatch.fnmatchcase(path, pattern))


def is_documentation(path):
    """Files of packages that are about the package."""
    return re.match(r"/usr/(share/(doc|licenses|lintian)/|lib/\.build-id|lib/debug)", path) is not None


def in_one_place(path):
    """Where Debian and Arch have folders of their own."""
    path = re.sub(r"\.gz$", "", path) if path.startswith("/usr/share/man/") else path
    path = re.sub(r"^/lib/", "/usr/lib/", path)
    # RPMs bring the manifest for Firefox in both folders.
    path = path.replace("/usr/lib64/mozilla/", "/usr/lib/mozilla/")
    return path.replace("/zsh/vendor-completions/", "/zsh/site-functions/").replace("/usr/sbin/", "/usr/bin/")


def contents(part):
    """The files of a part in each format."""
    name = "baton" if part == "main" else f"baton-{part}"
    (deb,) = DIST.glob(f"deb/{name}_{VERSION}_*.deb")
    (rpm,) = DIST.glob(f"rpm/{name}-{VERSION}-1.*.rpm")
    (arch,) = DIST.glob(f"arch/{name}-{VERSION}-1-*.pkg.tar.zst")
    debian = subprocess.run(f"dpkg-deb --fsys-tarfile {deb} | tar t", shell=True, capture_output=True, text=True, check=True).stdout
    found = {
        "Debian": {line[1:] for line in debian.splitlines() if not line.endswith("/")},
        "RPM": {path for mode, path in (line.split(" ", 1) for line in run("rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", rpm).splitlines()) if mode[0] != "d"},
        "Arch": {"/" + line for line in run("bsdtar", "-tf", arch).splitlines() if not line.endswith("/") and not line.startswith(".")},
    }
    return {kind: {in_one_place(path) for path in paths if not is_documentation(path)} for kind, paths in found.items()}


class ReleaseTest(TestCase):
    def test_all_formats_have_the_same_parts(self):
        for part in PARTS:
            found = contents(part)
            self.assertGreater(len(found["Debian"]), 0)
            self.assertEqual(found["RPM"], found["Debian"], part)
            self.assertEqual(found["Arch"], found["Debian"], part)
            for path in found["RPM"]:
                self.assertEqual(part_of(path.replace("/usr/bin/batond", "/usr/sbin/batond")), part, path)

    def test_the_archive_has_everything_and_its_libraries(self):
        (archive,) = DIST.glob(f"baton-{VERSION}-linux-*.tar.zst")
        names = run("tar", "--zstd", "-tvf", archive, "--numeric-owner").splitlines()
        self.assertEqual({line.split()[1] for line in names}, {"0/0"})
        self.assertEqual({line[7:9] + line[8] for line in names if line[0] != "l"} & {"-w-", "rww"}, set())
        paths = {line.split()[5].split("/", 1)[-1] for line in names}
        libraries = [line.split()[1] for line in (ROOT / "Packaging/libraries").read_text().splitlines() if line.startswith("bundled ")]
        self.assertGreater(len(libraries), 5)
        for library in libraries:
            self.assertIn(f"tree/lib/baton/{library}", paths)
            self.assertIn(f"tree/share/licenses/baton/{library}", paths)
        # Browsers that are set up by policy say that they're managed, so that's a package of its own only.
        whole = set().union(*(contents(part)["Debian"] for part in PARTS if part != "browser-chrome"))
        self.assertEqual(len([path for path in paths if path.endswith("/batond")]), 1)
        missing = {os.path.basename(path) for path in whole if "-preset/" not in path} - {os.path.basename(path) for path in paths}
        self.assertEqual(missing, set())

    def test_the_list_of_contents_is_valid_and_true(self):
        (file,) = DIST.glob("*.spdx.json")
        document = json.loads(file.read_text())
        # What SPDX 2.3 requires (https://spdx.github.io/spdx-spec/v2.3).
        for field in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"):
            self.assertTrue(document[field])
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(document["documentNamespace"], r"^[a-z]+:[^#\s]+$")
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        for creator in document["creationInfo"]["creators"]:
            self.assertRegex(creator, r"^(Person|Organization|Tool): \S")
        elements = [document, *document["packages"], *document["files"]]
        names = [element["SPDXID"] for element in elements]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for package in document["packages"]:
            self.assertTrue(package["name"] and package["downloadLocation"] and package["licenseConcluded"] and package["copyrightText"])
            self.assertEqual(package["filesAnalyzed"], "packageVerificationCode" in package)
        for relation in document["relationships"]:
            self.assertIn(relation["spdxElementId"], names)
            self.assertIn(relation["relatedSpdxElement"], names)
            self.assertIn(relation["relationshipType"], ("DESCRIBES", "CONTAINS", "STATIC_LINK", "DYNAMIC_LINK", "GENERATED_FROM"))
        # And what it says of this release.
        with tempfile.TemporaryDirectory() as folder:
            run("tar", "-C", folder, "--zstd", "-xf", *DIST.glob("*.tar.zst"))
            (top,) = pathlib.Path(folder).iterdir()
            here = {f"./{path.relative_to(top)}": path for path in top.rglob("*") if path.is_file() and not path.is_symlink()}
            self.assertEqual({each["fileName"] for each in document["files"]}, set(here))
            first = []
            for each in document["files"]:
                sums = {sum["algorithm"]: sum["checksumValue"] for sum in each["checksums"]}
                data = here[each["fileName"]].read_bytes()
                self.assertEqual(sums, {"SHA1": hashlib.sha1(data).hexdigest(), "SHA256": hashlib.sha256(data).hexdigest()})
                first.append(sums["SHA1"])
        (baton,) = (package for package in document["packages"] if package["name"] == "baton")
        code = hashlib.sha1("".join(sorted(first)).encode()).hexdigest()
        self.assertEqual(baton["packageVerificationCode"]["packageVerificationCodeValue"], code)
        named = {package["packageFileName"]: package["checksums"][0]["checksumValue"] for package in document["packages"] if "packageFileName" in package}
        packages = {path.name: path for kind in ("deb/*.deb", "rpm/*.rpm", "arch/*.zst", "*.zst", "*.raw") for path in DIST.glob(kind)}
        self.assertEqual(named, {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in packages.items()})

    def test_every_script_is_for_every_sh(self):
        with tempfile.TemporaryDirectory() as folder:
            run("tar", "-C", folder, "--zstd", "-xf", *DIST.glob("*.tar.zst"))
            (script,) = pathlib.Path(folder).glob("*/install.sh")
            run("shellcheck", "--shell=sh", "--exclude=SC2016", script)
            run("dash", "-n", script)
            self.assertNotRegex(script.read_text(), r"@[a-z]+@|#INCLUDE")

    def check(self, folder, *, signers=SIGNERS):
        return subprocess.run([ROOT / "Scripts/check-release", folder, signers], capture_output=True, text=True)

    def test_a_release_that_was_changed_is_refused(self):
        names = {line[66:] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
        here = {str(path.relative_to(DIST)) for path in DIST.rglob("*") if path.is_file() and DIST / "apt" not in path.parents}
        self.assertEqual(names, here - {"SHA256SUMS", "SHA256SUMS.sig"})
        done = self.check(DIST)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "copy")

            def fresh():
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(DIST, copy)

            def refused(text, **options):
                done = self.check(copy, **options)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(text, done.stdout + done.stderr)

            fresh()
            (script,) = copy.glob("*.tar.zst")
            script.write_bytes(script.read_bytes() + b"\0")
            refused(script.name)
            fresh()
            sums = copy / "SHA256SUMS"
            sums.write_text(sums.read_text().replace("0", "1", 1))
            refused("isn't signed by a key")
            fresh()
            (copy / "SHA256SUMS.sig").unlink()
            refused("isn't signed")
            fresh()
            (copy / "more.deb").write_text("")
            refused("more.deb")
            # Somebody else's signature, one for something else, and the list of the project, where no key is yet.
            for key, namespace in (("other", "baton-release"), ("release", "file")):
                fresh()
                (copy / "SHA256SUMS.sig").unlink()
                run("ssh-keygen", "-q", "-Y", "sign", "-f", DIST.parent / key, "-n", namespace, sums)
                refused("isn't signed by a key")
            fresh()
            refused("isn't signed by a key", signers=ROOT / "Packaging/release-signers")

    def test_rpms_are_signed(self):
        with tempfile.TemporaryDirectory() as folder:
            database = ["--define", f"_dbpath {folder}", "--define", "_pkgverify_level all"]
            packages = sorted(DIST.glob("rpm/*.rpm"))
            self.assertEqual(len(packages), len(PARTS))
            unknown = subprocess.run(["rpmkeys", *database, "-K", packages[0]], capture_output=True, text=True)
            self.assertNotEqual(unknown.returncode, 0)
            run("rpmkeys", *database, "--import", DIST / "rpm/baton-key.asc")
            for package in packages:
                self.assertIn("digests signatures OK", run("rpmkeys", *database, "-K", package))
            forged = pathlib.Path(folder, "forged.rpm")
            data = bytearray(packages[0].read_bytes())
            data[-1] ^= 1
            forged.write_bytes(data)
            self.assertNotEqual(subprocess.run(["rpmkeys", *database, "-K", forged], capture_output=True).returncode, 0)

    def test_the_software_centre_accepts_its_data(self):
        run("appstreamcli", "validate", "--no-net", "--no-color", DIST / "io.baton.Agent.metainfo.xml")
        self.assertIn(f'<release version="{VERSION}"', (DIST / "io.baton.Agent.metainfo.xml").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
