# SPDX-License-Identifier: Apache-2.0
"""A disk that takes its time: what does not depend on a change of the teams does not wait for it (slow-disk.c)."""
# Labs: pair
import pathlib
import shutil
import subprocess
import threading

from lab import PATIENCE, LabTest, wait_until

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class SlowDiskTests(LabTest):
    labs = ("pair",)

    def on_slow_disk(self, name, number=0):
        """A daemon for which fsync(2) does not return while the file `slow` is there."""
        if not shutil.which("cc"):
            self.skipTest("no C compiler is installed")
        library, count = self.directory / "slow-disk.so", self.directory / f"{name}.syncs"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O", "-o", library, ROOT / "Tests/Integration/slow-disk.c"], check=True,
            timeout=PATIENCE)
        count.write_bytes(bytes(8))
        self.slow, self.syncs = self.directory / "slow", lambda: int.from_bytes(count.read_bytes(), "little")
        daemon = self.batond(name, number, prefix=[
            "env", f"LD_PRELOAD={library}", f"SLOW_DISK={self.slow}", f"SLOW_DISK_COUNT={count}",
            f"SLOW_DISK_DIRECTORY={(self.directory / name).resolve()}"])
        # Before the daemon is stopped.
        self.addCleanup(self.slow.unlink, missing_ok=True)
        return daemon

    def in_thread(self, body):
        """Runs `body` meanwhile. Returns what gets its result, and the list that has it when there is one."""
        results = []
        thread = threading.Thread(target=lambda: results.append(body()), daemon=True)
        thread.start()

        def result():
            thread.join(PATIENCE)
            self.assertEqual(len(results), 1, "no result in time")
            return results[0]

        return result, results

    def test_calls_are_answered_and_streams_go_on_while_invitations_are_written(self):
        laptop, desktop = self.on_slow_disk("laptop").start(), self.batond("desktop", 1).start()
        self.make_team(laptop, desktop)
        near, far, *_ = self.open_stream(desktop, laptop)
        self.slow.touch()
        codes = [self.in_thread(lambda: laptop.call("InviteDevice")["code"]) for _ in range(8)]
        wait_until(lambda: self.syncs() > 0, "an invitation is being written")
        # All of this is answered before the first fsync returns.
        status = laptop.call("GetStatus")
        self.assertEqual((status["sessions"], len(status["teams"])), (1, 1))
        self.assertEqual(len(laptop.call("ListTeams")["teams"]), 1)
        self.assertEqual([device["name"] for device in laptop.call("ListDevices")["devices"]], ["desktop"])
        connection, activity = laptop.publish(title="While the disk is busy")
        desktop.wait_for_offer(activity)
        self.assertEqual(desktop.call("Continue", id=activity)["activity"]["title"], "While the disk is busy")
        connection.close()
        for sender, receiver in ((near, far), (far, near)):
            sender.sendall(b"x" * 1000)
            self.assertEqual(receiver.recv(1000, 0x100), b"x" * 1000)  # MSG_WAITALL
        # No invitation is answered before it is on the disk.
        self.assertEqual([results for _, results in codes], [[]] * 8)
        self.slow.unlink()
        self.assertEqual(len({result() for result, _ in codes}), 8)

    def test_a_machine_that_joins_is_admitted_when_that_is_on_the_disk(self):
        laptop, desktop = self.on_slow_disk("laptop").start(), self.batond("desktop", 1).start()
        laptop.baton("team", "create", "Demo")
        code = laptop.json("team", "invite")["code"]
        self.slow.touch()
        before = self.syncs()
        team, results = self.in_thread(lambda: desktop.json("team", "join", code)["team"]["name"])
        wait_until(lambda: self.syncs() > before, "that the code is used is being written")
        self.assertEqual(len(laptop.call("GetStatus")["teams"]), 1)
        self.assertEqual((results, desktop.call("GetStatus")["teams"]), ([], []))
        self.slow.unlink()
        self.assertEqual(team(), "Demo")

    def test_a_daemon_that_stops_finishes_what_it_writes(self):
        laptop = self.on_slow_disk("laptop").start()
        laptop.baton("team", "create", "Demo")
        self.slow.touch()
        before = self.syncs()
        laptop.spawn_baton("team", "create", "Other")
        wait_until(lambda: self.syncs() > before, "a team is being written")
        process = laptop.process
        process.terminate()
        self.slow.unlink()
        self.assertEqual(process.wait(PATIENCE), 0)
        laptop.start()
        self.assertEqual({team["name"] for team in laptop.call("ListTeams")["teams"]}, {"Demo", "Other"})
