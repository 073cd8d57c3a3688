# SPDX-License-Identifier: Apache-2.0
"""The same document on the other machine: what one describes, the other one finds."""
# Labs: lo
import hashlib
import json
import os
import subprocess
import time

from lab import LabTest

TEXT = b"Hello\n"


class DocumentsTest(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.machines = {}
        for name in ("laptop", "desktop"):
            notes = self.directory / f"{name}-notes"
            notes.mkdir()
            home = self.directory / f"{name}-home"
            home.mkdir()
            configuration = self.directory / f"{name}.conf"
            configuration.write_text(f"[shared-folders]\nNotes={notes}\n")
            daemon = self.batond(name, arguments=["--config", configuration]).start()
            daemon.home, daemon.notes = home, notes
            setattr(self, name, daemon)
        self.make_team(self.laptop, self.desktop)
        for daemon in (self.laptop, self.desktop):
            daemon.wait_for_sessions()

    def run_baton(self, daemon, *arguments, input=b""):
        environment = {
            **os.environ, "HOME": str(daemon.home), "XDG_STATE_HOME": str(daemon.home / "state"),
            "BATON_SOCKET": str(daemon.socket),
        }
        return subprocess.run(
            daemon.command_line(*arguments), input=input, capture_output=True, env=environment, timeout=60)

    def describe(self, path):
        result = self.run_baton(self.laptop, "document", "describe", "--json", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def hand_over(self, document):
        """What the other machine gets, through both daemons."""
        connection, activity = self.laptop.publish("io.baton.text-position", userInfo={"document": document, "line": 1})
        self.desktop.wait_for_offer(activity)
        arrived = self.desktop.call("Continue", id=activity)["activity"]["userInfo"]["document"]
        connection.close()
        return arrived

    def find(self, document, status=0):
        result = self.run_baton(self.desktop, "document", "find", "--json", input=json.dumps(document).encode())
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout or result.stderr)

    def clone(self, directory, url, text=TEXT):
        directory.mkdir(parents=True)
        (directory / "notes.txt").write_bytes(text)

        def git(*arguments):
            command = ["git", "-C", directory, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments]
            subprocess.run(command, check=True, capture_output=True)

        git("init", "-q")
        git("remote", "add", "origin", url)
        git("add", "-A")
        git("commit", "-qm", "One")
        return directory / "notes.txt"

    def test_a_shared_folder_comes_first(self):
        (self.laptop.notes / "to do.txt").write_bytes(TEXT)
        (self.desktop.notes / "to do.txt").write_bytes(TEXT)
        (self.desktop.notes / "copy.txt").write_bytes(TEXT)
        document = self.hand_over(self.describe(self.laptop.notes / "to do.txt"))
        self.assertEqual(document["path"], str(self.laptop.notes / "to do.txt"))
        found = self.find(document)
        self.assertEqual(found, {"path": str(self.desktop.notes / "to do.txt"), "how": "in the shared folder Notes"})

    def test_a_clone_with_another_url_of_the_repository(self):
        path = self.clone(self.laptop.home / "src/baton", "git@github.com:Ada/baton.git")
        other = self.clone(self.desktop.home / "work/baton", "https://ada:secret@github.com/ada/baton", b"Other\n")
        document = self.describe(path)
        self.assertEqual(document["repositories"], ["github.com/ada/baton"])
        found = self.find(self.hand_over(document))
        self.assertEqual(found["path"], str(other))
        self.assertIn("a different commit is checked out", found["how"])
        self.assertIn("its content is different", found["how"])

    def test_several_clones_are_listed(self):
        path = self.clone(self.laptop.home / "baton", "git@github.com:ada/baton.git")
        for name in ("one", "two"):
            self.clone(self.desktop.home / name, "https://github.com/ada/baton")
        document = self.hand_over(self.describe(path))
        result = self.run_baton(self.desktop, "document", "find", input=json.dumps(document).encode())
        self.assertEqual(result.returncode, 9, result.stderr)
        self.assertEqual(
            sorted(result.stdout.decode().splitlines()),
            [str(self.desktop.home / name / "notes.txt") for name in ("one", "two")])
        self.assertIn(b"2 clones of github.com/ada/baton contain it", result.stderr)

    def test_the_same_content_in_a_shared_folder(self):
        path = self.laptop.home / "elsewhere.txt"
        path.write_bytes(TEXT)
        (self.desktop.notes / "other name.txt").write_bytes(TEXT)
        self.assertEqual(self.find(self.hand_over(self.describe(path)))["path"], str(self.desktop.notes / "other name.txt"))

    def test_what_is_nowhere_is_not_found(self):
        path = self.laptop.home / "elsewhere.txt"
        path.write_bytes(TEXT)
        # The same path is there, but nothing says that it is the same file.
        document = self.describe(path)
        self.assertEqual(document["sha256"], hashlib.sha256(TEXT).hexdigest())
        self.assertIn("Can't find", self.find(self.hand_over(document), status=4)["message"])

    def test_copies_that_arrived_are_compared_in_the_time_of_one(self):
        """People wait for it. Each is read for 5 s, if all have that time."""
        (self.desktop.home / "Handoff").mkdir()
        for name in ("film", *(f"film-{number}" for number in range(2, 9))):
            with open(self.desktop.home / f"Handoff/{name}.mkv", "wb") as file:
                file.truncate(1 << 42)
        begin = time.monotonic()
        self.find({"path": "/x/film.mkv", "size": 1 << 42, "sha256": "0" * 64}, status=4)
        self.assertLess(time.monotonic() - begin, 25)

    def test_a_link_in_a_shared_folder_does_not_lead_out(self):
        secret = self.desktop.home / "secret"
        secret.write_bytes(TEXT)
        (self.desktop.notes / "link").symlink_to(secret)
        document = {"path": "/x", "url": {"$url": f"file://{self.desktop.notes}/link"}, "size": 6}
        self.find(document, status=4)
        document["url"] = {"$url": f"file://{secret}"}
        self.find(document, status=4)

    def test_a_description_that_is_none_is_refused(self):
        for text in (b"", b"[]", b"{}", b'{"path": "relative"}', b'{"path": "/x", "repositoryPath": "../x"}', b"{" * 70000):
            result = self.run_baton(self.desktop, "document", "find", input=text)
            self.assertEqual(result.returncode, 2, result.stderr)

    def test_shared_folders_are_listed(self):
        self.assertEqual(
            self.desktop.call("ListSharedFolders"), {"folders": [{"name": "Notes", "path": str(self.desktop.notes)}]})
