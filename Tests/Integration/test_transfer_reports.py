# SPDX-License-Identifier: Apache-2.0
"""What users of other programs that send files have reported, replayed."""
# Labs: lo
import os
import subprocess

from lab import PATIENCE, wait_until
from test_transfers import TransferTest, tree


class ReportTests(TransferTest):
    def sent(self, *arguments, folder=None, status=0):
        """Sends as a person would, from a folder, and returns what the command said."""
        sending = self.laptop.popen("send", *arguments, "desktop", folder=folder or self.laptop.home)
        self.desktop.accept()
        output, errors = sending.communicate(timeout=PATIENCE)
        self.assertEqual(sending.returncode, status, errors)
        return output + errors

    def date(self, path, seconds):
        subprocess.run(["touch", "-d", f"@{seconds}", path], check=True)

    def test_dates_before_1970_and_far_in_the_future_stay(self):
        dates = {"old": -1_333_000_000, "odd": -0.25, "future": 4_102_444_800, "later": 253_402_300_000}
        paths = [path for name in dates for path in (f"{name}.jpg", f"folder/{name}/x", f"folder/{name}")]
        for name, seconds in dates.items():
            self.make(f"{name}.jpg", 10)
            self.make(f"folder/{name}/x", 10)
            for path in (f"{name}.jpg", f"folder/{name}/x", f"folder/{name}"):
                self.date(self.laptop.home / path, seconds)
        self.sent(*[f"{name}.jpg" for name in dates], "folder")
        for path in paths:
            here, there = ((home / path).stat().st_mtime_ns for home in (self.laptop.home, self.desktop.arrived))
            self.assertEqual(here, there, path)

    def test_the_current_folder_and_the_one_above_have_names(self):
        self.make("project/sub/a.txt", 10)
        self.sent(".", folder=self.laptop.home / "project")
        self.sent("..", "./", folder=self.laptop.home / "project/sub")
        self.sent("project//sub/", "project/sub//a.txt")
        self.assertEqual(self.desktop.names(), ["a.txt", "project", "project-2", "sub", "sub-2"])

    def test_files_of_one_name_replace_nothing_and_keep_their_ends(self):
        for folder in "abc":
            self.make(f"{folder}/frame.png", content=folder.encode())
        self.sent("a/frame.png", "b/frame.png", "c/frame.png")
        self.assertEqual(self.desktop.names(), ["frame-2.png", "frame-3.png", "frame.png"])
        self.assertEqual({(self.desktop.arrived / name).read_bytes() for name in self.desktop.names()}, {b"a", b"b", b"c"})
        names = ["ECO-606.pdf", "archive.tar.gz", "no-end", "v1.2 notes"]
        for name in names:
            self.make(name, 10)
        for _ in range(2):
            self.sent(*names)
        for name in [*names, "ECO-606-2.pdf", "archive-2.tar.gz", "no-end-2", "v1.2 notes-2"]:
            self.assertIn(name, self.desktop.names())

    def test_signs_that_other_systems_refuse_stay(self):
        names = ["ñ", "e\u0301", "🙂", "a|b", "a:b", "a?b*", "C:\\x", "aux", "con.txt", " lead", "trail ", "dot.", "100%", "a#b?c&d"]
        for name in names:
            self.make(name, content=name.encode())
            self.make(f"top/{name}", content=name.encode())
        self.sent(*[f"./{name}" for name in names], "top")
        self.assertEqual(set(self.desktop.names()), {*names, "top"})
        self.assertEqual(tree(self.desktop.arrived / "top"), tree(self.laptop.home / "top"))

    def test_what_is_empty_a_link_or_no_file_stops_nothing(self):
        self.make("empty.txt")
        (self.laptop.home / "top/deep/er").mkdir(parents=True)
        for link, target in (("dangling", "gone"), ("loop", ".")):
            os.symlink(target, self.laptop.home / "top" / link)
        sent = tree(self.laptop.home / "top")
        os.mkfifo(self.laptop.home / "top/pipe")
        os.symlink("top", self.laptop.home / "link")
        said = self.sent("empty.txt", "link", status=1)
        self.assertIn("link/pipe: it's neither a file nor a folder", said)
        self.assertEqual((self.desktop.arrived / "empty.txt").read_bytes(), b"")
        self.assertEqual(tree(self.desktop.arrived / "link"), sent)

    def test_a_file_with_holes_takes_no_more_room_there(self):
        with open(self.laptop.home / "disk.img", "wb") as file:
            file.truncate(300_000_000)
            file.seek(200_000_000)
            file.write(b"x" * 5000)
        self.sent("disk.img")
        here, there = (os.stat(home / "disk.img") for home in (self.laptop.home, self.desktop.arrived))
        self.assertEqual(here.st_size, there.st_size)
        self.assertLess(there.st_blocks, here.st_blocks + 2048)

    def test_files_that_grow_and_shrink_after_the_question(self):
        for name, change in (("log", lambda path: path.write_bytes(path.read_bytes() + b"more" * 1000)), ("short", lambda path: os.truncate(path, 5))):
            path = self.make(name, 1_000_000)
            sending = self.laptop.popen("send", name, "desktop", folder=self.laptop.home)
            wait_until(lambda: "asking" in self.desktop.state(), "it asks")
            change(path)
            self.desktop.accept()
            _, errors = sending.communicate(timeout=PATIENCE)
            self.assertEqual(sending.returncode, 0, errors)
            self.assertEqual((self.desktop.arrived / name).read_bytes(), path.read_bytes())
