# SPDX-License-Identifier: Apache-2.0
"""A state directory that was put back: what was used up since is not good again."""
import shutil
import subprocess

from faultlab import PATIENCE, FaultTest, wait_until
from steps import CODE_IS_OVER


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


# How people copy a directory to a place that is not there, and back.
TOOLS = {
    "cp -a": lambda source, target: run("cp", "-a", source, target),
    "cp -al": lambda source, target: run("cp", "-al", source, target),
    "tar": lambda source, target: run(
        "sh", "-c", 'mkdir "$1" && tar -C "$0" -cf - . | tar -C "$1" -xpf -', source, target
    ),
    "rsync": lambda source, target: run("rsync", "-aH", f"{source}/", f"{target}/"),
}


class BackupTests(FaultTest):
    def restore(self, machine, backup, copy=shutil.move):
        """Puts a backup in the place of what is there."""
        machine.stop()
        shutil.rmtree(machine.state)
        copy(backup, machine.state)

    def use_code_again(self, copy, back, is_running):
        a, n, m = self.machine("a").start(), self.machine("n").start(), self.machine("m").start()
        code = a.must("team", "invite", "--team", self.home).json["code"]
        backup = self.directory / "backup"
        if not is_running:
            a.stop()
        copy(a.state, backup)
        if not is_running:
            a.start()
        n.must("team", "join", code, "--address", a.address)
        self.restore(a, backup, back)
        a.start()
        self.assertWhole(a)
        outcome = m.attempt("team", "join", code, "--address", a.address)
        self.assertIn(outcome.reason, CODE_IS_OVER, "a code admits two machines")
        # And who has come in by it is still in.
        n.meets(a)

    def test_a_code_that_was_used_since(self):
        for tool, copy in TOOLS.items():
            if tool == "rsync" and not shutil.which("rsync"):
                continue
            for is_running in (False, True):
                with self.point(tool=tool, is_running=is_running):
                    self.use_code_again(copy, copy, is_running)
        with self.point(tool="mv"):
            self.use_code_again(TOOLS["cp -a"], shutil.move, False)

    def test_a_code_that_was_used_since_and_the_old_files_over_the_new(self):
        """As `tar -x` over what is there does."""
        a, n, m = self.machine("a").start(), self.machine("n").start(), self.machine("m").start()
        code = a.must("team", "invite", "--team", self.home).json["code"]
        TOOLS["cp -a"](a.state, self.directory / "backup")
        n.must("team", "join", code, "--address", a.address)
        a.stop()
        shutil.copytree(self.directory / "backup", a.state, dirs_exist_ok=True)
        a.start()
        outcome = m.attempt("team", "join", code, "--address", a.address)
        self.assertIn(outcome.reason, CODE_IS_OVER, "a code admits two machines")

    def test_devices_that_were_removed_before_and_after_stay_out(self):
        a, b, c, n, m = (self.machine(name).start() for name in "abcnm")
        for machine in (n, m):
            code = a.must("team", "invite", "--team", self.home).json["code"]
            machine.must("team", "join", code, "--address", a.address)
        for machine in (n, m):
            machine.must("peer", "add", b.address)
        members = {"a", "b", "c", "n", "m"}
        wait_until(lambda: a.connected(self.home) == members - {"a"}, "all have met a", PATIENCE)
        wait_until(lambda: b.connected(self.home) == members - {"b"}, "all have met b", PATIENCE)
        TOOLS["cp -a"](a.state, self.directory / "backup")
        a.must("team", "revoke", "c", "--team", self.home)
        for machine in (b, m):
            wait_until(lambda: "c" not in machine.connected(self.home), f"{machine.name} was told", PATIENCE)
        for machine in (b, c, n, m):
            machine.stop()
        self.restore(a, self.directory / "backup")
        a.start()
        a.must("team", "revoke", "n", "--team", self.home)
        for machine in (b, c, n, m):
            machine.start()
        for machine in (c, n):
            for other in (a, b, m):
                machine.is_refused_by(other)
        wait_until(lambda: {"a", "m"} <= b.connected(self.home), "b meets a and m again", PATIENCE)
        wait_until(lambda: {"b", "m"} <= a.connected(self.home), "a meets b and m again", PATIENCE)
        for machine in (a, b, m):
            self.assertFalse({"c", "n", "e"} & machine.connected(self.home))
        revoked = {device["name"] for device in a.devices(self.home) if "revoked" in device}
        self.assertEqual(revoked, {"c", "n", "e"})
        code = a.must("team", "invite", "--team", self.home).json["code"]
        c.must("team", "leave", "--yes", self.home)
        c.must("team", "join", code, "--address", a.address)
        c.meets(a)
