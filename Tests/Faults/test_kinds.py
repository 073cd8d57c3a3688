# SPDX-License-Identifier: Apache-2.0
"""Something else stands where a file or a directory should, or it belongs to somebody else."""
import os
import socket
import stat

from damage import FILES, DamageTest, title
from faultlab import sample

# A user who has no rights.
SOMEBODY = 12345
# In a namespace of a user who is not root there are no others, and no devices can be made.
HAS_USERS = open("/proc/self/uid_map").read().split() == ["0", "0", "4294967295"]


def fifo(path, _):
    os.mkfifo(path, 0o600)


def unix_socket(path, _):
    # Its name may be too long to bind.
    here = os.getcwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
    os.rename("s", path.name)
    os.chdir(here)


def directory(path, _):
    path.mkdir()


def link_to_nothing(path, _):
    path.symlink_to("/nonexistent/file")


def link_to_file(path, content):
    # Beside the state directory `a`.
    state = next(parent for parent in path.parents if parent.name == "a")
    (state.parent / "elsewhere").write_bytes(content)
    path.symlink_to(state.parent / "elsewhere")


def link_to_zeros(path, _):
    path.symlink_to("/dev/zero")


def device(name, minor):
    def make(path, _):
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, minor))

    make.__name__ = name
    return make


def empty(path, _):
    path.write_bytes(b"")


def gibibyte(path, _):
    with open(path, "wb") as file:
        file.truncate(1 << 30)


DEVICES = [device("null", 3), device("zero", 5), device("full", 7)]
KINDS = [fifo, unix_socket, directory, link_to_nothing, link_to_file, link_to_zeros, *DEVICES, empty, gibibyte]
# Where the daemon makes them itself.
DIRECTORIES = ["teams", "pending", "Home", "Home/invitations"]


class KindTests(DamageTest):
    """Of a file: it starts at once, names what is wrong, does without, and is whole when the file is back."""

    def replace(self, name, make):
        with self.point(kind=make.__name__):
            a = self.machine("a")
            path = self.file(a, name)
            original = path.read_bytes()
            path.unlink()
            make(path, original)
            if self.begin_damaged(a, path):
                self.look(a, name, path, original)
            self.assertWholeAgain(a, path, original)

    def look(self, a, name, path, original):
        self.use(a, name)
        if name == "Home/ca.key":
            self.assertIn(a.attempt("team", "invite", "--team", self.home).reason, (None, "storageFailed", "teamNotFound"))
        if name == "Home/revocations.json" and not path.is_symlink():
            self.assertFalse(self.has_team(a, "Home"), "those that were removed are let in")
        if name != "Home/discovery.key":
            self.assertSaid(a, path)
        self.assertOthersWork(a, name)


class DirectoryTests(DamageTest):
    """The same of directories: it need not serve, and must not harm."""

    def replace(self, name, make):
        with self.point(kind=make.__name__):
            a = self.machine("a")
            path = a.path(name)
            aside = self.directory / "aside"
            path.rename(aside)
            make(path, b"")
            status = a.begin()
            if status is not None:
                self.assertEqual(status, 1)
            if status is not None or name != "Home/invitations":
                self.assertSaid(a, path)
            a.stop()
            (path.rmdir if path.is_dir() and not path.is_symlink() else path.unlink)()
            aside.rename(path)
            a.start()
            self.assertWhole(a)


class OwnerTests(DamageTest):
    """Rights that are too wide or too narrow."""

    def setUp(self):
        super().setUp()
        if not HAS_USERS:
            self.skipTest("this namespace has only one user")

    def unprivileged(self):
        """A daemon of a user without rights, with a directory of its own."""
        a = self.machine("a", prefix=["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"])
        self.directory.chmod(0o755)
        self.directory.parent.chmod(0o755)
        for path in [a.state, *a.state.rglob("*")]:
            os.chown(path, SOMEBODY, SOMEBODY, follow_symlinks=False)
        a.socket = a.state.parent / "run" / "a.sock"
        a.socket.parent.mkdir()
        os.chown(a.socket.parent, SOMEBODY, SOMEBODY)
        return a

    def test_rights_that_are_too_wide(self):
        a = self.machine("a")
        for path in [a.state, *a.state.rglob("*")]:
            path.chmod(0o777 if path.is_dir() else 0o666)
        a.start()
        a.must("peer", "add", "127.0.0.1:12", "--team", self.home)
        self.assertWhole(a, more_addresses=("127.0.0.1:12",))
        for name in ("epoch", "static-peers.json"):
            self.assertEqual((a.state / name).stat().st_mode & 0o777, 0o600, f"what is written anew: {name}")

    def test_a_file_without_rights(self):
        for name in FILES:
            with self.point(file=name):
                self.refuse(name)

    def test_own_files_without_rights(self):
        for name in FILES:
            with self.point(file=name):
                a = self.unprivileged()
                path = self.file(a, name)
                path.chmod(0)
                a.start()
                self.assertWhole(a)
                self.assertSaid(a, path)
                self.assertEqual(path.stat().st_mode & 0o777, 0o600)

    def refuse(self, name):
        a = self.unprivileged()
        path = self.file(a, name)
        original = path.read_bytes()
        path.chmod(0)
        os.chown(path, 0, 0)
        if self.begin_damaged(a, path):
            self.use(a, name)
            if name == "Home/revocations.json":
                self.assertFalse(self.has_team(a, "Home"), "those that were removed are let in")
            if name != "Home/discovery.key":
                self.assertSaid(a, path)
            self.assertOthersWork(a, name)
        self.assertKept(a, path, original)
        a.stop()
        path.write_bytes(original)
        path.chmod(0o600)
        os.chown(path, SOMEBODY, SOMEBODY)
        a.start()
        self.assertWhole(a, more_addresses=("127.0.0.1:12",))

    def test_a_directory_without_rights(self):
        for name in (".", "teams", "pending", "Home", "Home/invitations"):
            for mode in (0, 0o500):
                with self.point(directory=name, mode=oct(mode)):
                    a = self.unprivileged()
                    path = a.path(name)
                    path.chmod(mode)
                    if a.begin() is not None:
                        self.assertSaid(a, path)
                    elif mode == 0:
                        self.assertSaid(a, path)
                    a.stop()
                    path.chmod(0o700)
                    a.start()
                    self.assertWhole(a)

    def test_files_with_a_second_name(self):
        for name in FILES:
            with self.point(file=name):
                a = self.machine("a")
                path = self.file(a, name)
                if path.parent.name in ("invitations", "pending"):
                    os.link(path, self.directory / "second")
                else:
                    os.link(path, path.parent / "second-name")
                a.start()
                self.assertWhole(a)


def make_tests():
    for case, names in ((KindTests, FILES), (DirectoryTests, DIRECTORIES)):
        for name in names:
            def test(self, name=name, number=names.index(name)):
                kinds = KINDS if HAS_USERS else [make for make in KINDS if make not in DEVICES]
                if name in DIRECTORIES:
                    kinds = [make for make in kinds if make is not directory]
                # In the short ring each file meets some, and all kinds come.
                for make in sample(kinds[number % len(kinds) :] + kinds[: number % len(kinds)], 4):
                    self.replace(name, make)

            setattr(case, f"test_{title(name)}", test)


make_tests()
