# SPDX-License-Identifier: Apache-2.0
"""The file system of the state directory is full, may not be written, or goes away."""
import shutil
import subprocess

from faultlab import WORLD, FaultTest


def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


class DiskTests(FaultTest):
    def setUp(self):
        super().setUp()
        # The file system, and where the daemon has it.
        self.disk, self.place = self.directory / "disk", self.directory / "place"

    def machine_on_disk(self, options="size=4m"):
        for path in (self.disk, self.place):
            path.mkdir(exist_ok=True)
        mount("-t", "tmpfs", "-o", options, "tmpfs", self.disk)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        shutil.copytree(WORLD / "a", self.disk / "a", symlinks=True)
        self.appear()
        a = self.machine("a")
        shutil.rmtree(a.state)
        a.state = self.place / "a"
        return a

    def appear(self):
        mount("--bind", self.disk, self.place)

    def vanish(self):
        subprocess.run(["umount", "-l", self.place], check=True)

    def fill(self):
        with open(self.disk / "filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def use_up_names(self):
        try:
            for number in range(10_000):
                (self.disk / f"filler{number}").touch()
        except OSError:
            pass

    def free(self):
        for path in self.disk.glob("filler*"):
            path.unlink()

    def assertCommandsFail(self, a):
        """What must be written is refused, for the right reason; the rest goes on."""
        other = self.world["teams"]["Other"]["id"]
        for words in (
            ["team", "create", "New"], ["team", "invite", "--team", self.home], ["team", "request"],
            ["peer", "add", "127.0.0.1:11", "--team", other], ["peer", "remove", "127.0.0.1:9", "--team", self.home],
            ["team", "revoke", "b", "--team", self.home],
        ):
            outcome = a.attempt(*words)
            self.assertEqual(outcome.reason, "storageFailed", f"{words}: {outcome}")
        self.assertIn(str(a.state), a.said)
        self.assertEqual(set(a.teams()), {"Home", "Guest", "Other"})

    def go_through(self, a, harm, mend):
        self.addCleanup(mend)
        with self.subTest("while it runs"):
            a.start()
            harm()
            self.assertCommandsFail(a)
            mend()
            a.must("team", "invite", "--team", self.home)
            self.assertWhole(a)
            a.stop()
        with self.subTest("when it starts"):
            a.end()
            harm()
            self.assertIsNone(a.begin(), a.said)
            self.assertIn(str(a.state), a.said)
            self.assertCommandsFail(a)
            a.stop()
        mend()
        a.end()
        a.start()
        self.assertWhole(a)
        self.assertEqual(a.leftovers(), [])

    def test_a_full_disk(self):
        self.go_through(self.machine_on_disk(), self.fill, self.free)

    def test_a_disk_without_names_left(self):
        # Only files can be refused; what has a name can be replaced by none without another.
        self.go_through(self.machine_on_disk("size=4m,nr_inodes=200"), self.use_up_names, self.free)

    def test_a_disk_that_may_not_be_written(self):
        a = self.machine_on_disk()
        self.go_through(
            a, lambda: mount("-o", "remount,ro,bind", self.place), lambda: mount("-o", "remount,rw,bind", self.place)
        )

    def test_a_disk_that_vanishes(self):
        a = self.machine_on_disk().start()
        self.vanish()
        self.assertCommandsFail(a)
        self.appear()
        a.must("team", "invite", "--team", self.home)
        a.stop()
        a.start()
        self.assertWhole(a)
