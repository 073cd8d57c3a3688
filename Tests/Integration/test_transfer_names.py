# SPDX-License-Identifier: Apache-2.0
"""What `baton send` takes: odd names, links, and many files."""
# Labs: lo
import os
import subprocess
import sys

from lab import wait_until
from test_transfers import STAGING, TransferTest, tree


class NameTests(TransferTest):
    labs = ("lo",)

    def send_by_name(self, *paths):
        """Runs `baton send`, accepts the files, and returns what it printed."""
        process = self.laptop.popen("send", "--to", "desktop", "--", *map(os.fsdecode, paths))
        self.addCleanup(process.kill)
        self.desktop.accept()
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, ""), output)
        return output

    def test_names_that_no_program_expects(self):
        home = os.fsencode(self.laptop.home)
        names = [
            b"\xff\xfe", b"a\xff", b"a\xfe", b"new\nline", b"\xe2\x80\xae" b"gpj.exe", b"-rf", b"n" * 255, b"\xc3\xa9",
            b"e\xcc\x81", b"%41", b"\x1b[31m", b" ", b"...", b"\\", b"*",
        ]
        for name in names:
            with open(os.path.join(home, name), "wb") as file:
                file.write(b"content of " + name)
        output = self.send_by_name(*(os.path.join(home, name) for name in names))
        self.assertNotIn("\x1b", output)
        self.assertNotIn("\u202e", output)
        wait_until(lambda: len(self.desktop.names()) == len(names), f"{self.desktop.names()}")
        there = os.fsencode(self.desktop.arrived)
        # Nobody was asked about some of these, because a title names two, and nobody sees all of the others.
        others = {b"-rf": b"rf", b"...": b"Document", b"new\nline": b"new_line", b"\xe2\x80\xae" b"gpj.exe": b"gpj.exe", b"\x1b[31m": b"_[31m"}
        arrived = {name: others.get(name, name) for name in names}
        self.assertEqual(set(os.listdir(there)) - {os.fsencode(STAGING)}, set(arrived.values()))
        for name in names:
            with open(os.path.join(there, arrived[name]), "rb") as file:
                self.assertEqual(file.read(), b"content of " + name)

    def test_no_folder_and_no_file_is_a_module_of_pythons(self):
        """The list of modules is this Python's own. A program that is started in ~/Handoff looks there first."""
        # Modules of other versions, which this Python may not have: `random` of 3.12 imports `_sha2`.
        others = {"_pydatetime", "_pylong", "_sha2", "_wmi", "binhex", "compression", "profiling"}
        modules = sorted(sys.stdlib_module_names | others)
        trap = self.directory / "trap"
        code = f"open({str(trap)!r}, 'w')".encode()
        # A title names two.
        paths = [self.make("a1"), self.make("a2")]
        for module in modules:
            paths += [self.make(f"folders/{module}/__init__.py", content=code).parent, self.make(f"files/{module}.py", content=code)]
        paths += [self.make("google/auth/__init__.py", content=code).parent.parent, self.make("lxml/etree.py", content=code).parent]
        self.send_by_name(*paths)
        names = self.desktop.names()
        self.assertEqual(len(names), len(paths))
        self.assertEqual(sorted(set(names) & {"html", "_html", "html.py", "_html.py"}), ["_html", "_html.py"])
        found = subprocess.run(
            [sys.executable, "-c", f"import importlib.util, sys; print([name for name in {modules + ['google', 'lxml']}"
             " if (spec := importlib.util.find_spec(name)) and '/Handoff/' in f'{spec.origin} {spec.submodule_search_locations}'])"],
            cwd=self.desktop.arrived, capture_output=True, text=True,
        )
        self.assertEqual((found.stdout, found.stderr), ("[]\n", ""))
        self.assertFalse(trap.exists())
        # Who accepts a folder does not see what is in it.
        self.send_by_name(self.make("other/html/__init__.py", content=code).parent)
        wait_until(lambda: len(self.desktop.names()) == len(paths) + 1, "it arrives")
        self.assertIn("_html-2", self.desktop.names())

    def test_a_name_as_long_as_possible_is_judged_as_it_arrives(self):
        folders = [f"{'d' * 245}.dist-info", f"{'e' * 246}.egg-info", f"_sysconfigdata_{'y' * 230}.egg-infoZ"]
        self.send_by_name(self.make("a1"), self.make("a2"), *(self.make(f"{name}/x.py").parent for name in folders))
        self.assertEqual([name for name in self.desktop.names() if name.endswith(("-info", "Z"))], [])

    def test_a_file_at_the_top_cannot_be_run(self):
        """File managers start programs without a question, and show the name that a desktop entry has in it."""
        names = ["photo.desktop", "run.sh", "folder/x.desktop", "folder/run.sh"]
        paths = [self.make(name) for name in names]
        for path in paths:
            path.chmod(0o755)
        self.send_by_name(*paths[:2], paths[2].parent)
        modes = {name: (self.desktop.arrived / name).stat().st_mode for name in names}
        self.assertEqual([name for name, mode in modes.items() if mode & 0o111], ["folder/run.sh"])

    def test_a_link_arrives_under_its_own_name(self):
        self.make("top/file", 1000)
        path = self.make("real", 1000)
        home = self.laptop.home
        for name, target in (("link", "real"), ("folder", "top"), ("other", "top"), ("again", "link")):
            (home / name).symlink_to(target)
        self.send_by_name(home / "link", home / "folder", f"{home}/other/", home / "again")
        wait_until(lambda: self.desktop.names() == ["again", "folder", "link", "top"], f"{self.desktop.names()}")
        for name in ("link", "again"):
            self.assertFalse((self.desktop.arrived / name).is_symlink())
            self.assertEqual((self.desktop.arrived / name).read_bytes(), path.read_bytes())
        for name in ("folder", "top"):
            self.assertEqual(tree(self.desktop.arrived / name), tree(home / "top"))

    def test_many_names_survive_a_restart(self):
        paths = [self.make(f"{number:03}" + "n" * 200, content=b"%d" % number) for number in range(200)]
        self.send(*paths)
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        for machine in (self.laptop, self.desktop):
            machine.process.kill()
            machine.process.wait()
            machine.start()
        self.laptop.wait_for("waiting")
        self.desktop.accept()
        self.laptop.wait_for("done")
        self.desktop.wait_for("done")
        self.desktop.stop()
        self.desktop.start()
        self.desktop.wait_for("done")
        names = [os.path.basename(url) for url in self.desktop.transfers()[0]["files"]]
        self.assertEqual(names, [path.name for path in paths])

    def test_a_long_list_is_listed(self):
        paths = [self.make(f"{number:03}" + "n" * 200, content=b"") for number in range(200)]
        transfers = {self.send(*paths)["id"] for _ in range(30)}
        self.assertEqual({transfer["id"] for transfer in self.laptop.transfers()}, transfers)
        self.assertEqual(len(self.laptop.transfers()[0]["files"]), 200)
        self.assertEqual(len(self.laptop.baton("transfers", "--json").stdout.splitlines()), 1)
