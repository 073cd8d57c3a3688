#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two releases of two architectures become one, and what isn't a release is never replaced."""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r"baton \((.*?)\)", (ROOT / "debian/changelog").read_text())[1]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class MergeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.first = self.make("first", "x86_64", "amd64")
        self.second = self.make("second", "aarch64", "arm64")
        self.whole = self.folder / "whole"

    def make(self, name, machine, debian, commit="0" * 40):
        """What make-dist makes, with short contents."""
        release = self.folder / name
        packages = [
            f"baton-{VERSION}-linux-{machine}.tar.zst", f"deb/baton_{VERSION}_{debian}.deb", f"deb/baton-desktop_{VERSION}_all.deb",
            f"rpm/baton-{VERSION}-1.{machine}.rpm", f"rpm/baton-desktop-{VERSION}-1.noarch.rpm", f"arch/baton-{VERSION}-1-{machine}.pkg.tar.zst",
        ]
        for path in (*packages, "io.baton.Agent.metainfo.xml"):
            (release / path).parent.mkdir(parents=True, exist_ok=True)
            (release / path).write_text(f"{path} of {name}")
        document = {
            "documentNamespace": "urn:uuid:0", "files": [],
            "packages": [{"name": "baton", "sourceInfo": f"commit {commit}"}, *({"packageFileName": pathlib.Path(path).name, "checksums": [
                {"algorithm": "SHA256", "checksumValue": digest(release / path)}]} for path in packages)],
        }
        (release / f"baton-{VERSION}-{machine}.spdx.json").write_text(json.dumps(document))
        self.call("make-pkgbuild", release)
        self.call("make-checksums", release)
        return release

    def run_tool(self, name, *words):
        return subprocess.run([ROOT / "Packaging" / name, *map(str, words)], capture_output=True, text=True)

    def call(self, name, *words):
        done = self.run_tool(name, *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def refuse(self, text, *words):
        done = self.run_tool("merge-dist", *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(text, done.stderr)

    def merge(self, *words):
        self.call("merge-dist", *(words or (self.first, self.second, self.whole)))

    def names(self):
        return {str(path.relative_to(self.whole)) for path in self.whole.rglob("*") if path.is_file()}

    def test_the_release_has_what_both_have_once(self):
        self.merge()
        both = {str(path.relative_to(each)) for each in (self.first, self.second) for path in each.rglob("*") if path.is_file()}
        self.assertEqual(self.names(), both)
        self.assertEqual((self.whole / f"deb/baton-desktop_{VERSION}_all.deb").read_text(), f"deb/baton-desktop_{VERSION}_all.deb of first")
        self.assertEqual((self.whole / f"deb/baton_{VERSION}_arm64.deb").read_text(), f"deb/baton_{VERSION}_arm64.deb of second")
        # Everything that names a sum names that of the merged release.
        sums = {line[66:]: line[:64] for line in (self.whole / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(set(sums), both - {"SHA256SUMS"})
        self.assertEqual(sums, {name: digest(self.whole / name) for name in sums})
        script = (self.whole / "arch/PKGBUILD").read_text()
        for machine in ("x86_64", "aarch64"):
            self.assertIn(sums[f"baton-{VERSION}-linux-{machine}.tar.zst"], script)
            document = json.loads((self.whole / f"baton-{VERSION}-{machine}.spdx.json").read_text())
            named = {each["packageFileName"]: each["checksums"][0]["checksumValue"] for each in document["packages"] if "packageFileName" in each}
            self.assertEqual(named, {name: digest(next(self.whole.rglob(name))) for name in named})
        # Again, over itself.
        before = sums
        self.merge()
        self.assertEqual({line[66:]: line[:64] for line in (self.whole / "SHA256SUMS").read_text().splitlines()}, before)

    def test_what_does_not_belong_together_is_refused(self):
        self.refuse("both for x86_64", self.first, self.first, self.whole)
        self.refuse("has no release", self.first, self.folder, self.whole)
        (self.second / f"deb/baton_{VERSION}_arm64.deb").write_text("broken")
        self.refuse("isn't as it was made", self.first, self.second, self.whole)
        self.assertFalse(self.whole.exists())

    def test_a_release_has_one_commit(self):
        for commit in ("1" * 40, "0" * 40 + "-dirty", "unknown"):
            shutil.rmtree(self.second)
            self.make("second", "aarch64", "arm64", commit)
            self.refuse(f"{self.second} of {commit}", self.first, self.second, self.whole)
        shutil.rmtree(self.first)
        self.make("first", "x86_64", "amd64", "unknown")
        self.refuse("One release has one commit", self.first, self.second, self.whole)
        self.assertFalse(self.whole.exists())

    def test_a_replacement_that_was_stopped_is_finished_by_the_next(self):
        self.merge()
        before = self.names()
        # The old release has gone, but for its sums, and a part of the new one has been moved.
        shutil.copytree(self.second, self.whole / ".new-release")
        for path in self.whole.iterdir():
            if path.name not in (".new-release", "SHA256SUMS"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (self.whole / ".new-release" / "deb").rename(self.whole / "deb")
        self.merge()
        self.assertEqual(self.names(), before)

    def test_nothing_but_a_release_is_replaced(self):
        def kept(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("mine")
            self.refuse(f"{self.whole} has files that aren't of a release: {path.relative_to(self.whole)}", self.first, self.second, self.whole)
            self.assertEqual(path.read_text(), "mine")

        # A folder of a person, one with sums of other things, and one with a file beside a release.
        kept(self.whole / "letter.txt")
        (self.whole / "SHA256SUMS").write_text(f"{digest(self.whole / 'letter.txt')}  letter.txt\n")
        self.refuse("aren't of a release", self.first, self.second, self.whole)
        shutil.rmtree(self.whole)
        self.merge()
        kept(self.whole / "deb" / "letter.txt")
        (self.whole / "deb" / "letter.txt").unlink()
        (self.whole / "a link").symlink_to("/nonexistent")
        self.refuse("a link", self.first, self.second, self.whole)
        (self.whole / "a link").unlink()
        # What an earlier release had goes, and its repository, which may be published, stays.
        (self.whole / "apt").mkdir()
        (self.whole / "apt" / "InRelease").write_text("signed")
        (self.whole / "deb" / "baton_0.0.1_amd64.deb").write_text("old")
        self.call("make-checksums", self.whole)
        self.merge()
        self.assertFalse((self.whole / "deb" / "baton_0.0.1_amd64.deb").exists())
        self.assertEqual((self.whole / "apt" / "InRelease").read_text(), "signed")
        # Nor by what makes only Debian's packages, or the whole of one architecture.
        kept = self.folder / "letters"
        kept.mkdir()
        (kept / "letter.txt").write_text("mine")
        for tool in ("Scripts/build-packages", "Packaging/make-dist"):
            done = subprocess.run([ROOT / tool, self.folder, kept], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("letter.txt", done.stderr)
            self.assertEqual((kept / "letter.txt").read_text(), "mine")
        file = self.folder / "file"
        file.write_text("mine")
        self.refuse("isn't a folder", self.first, self.second, file)
        self.assertEqual(file.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
