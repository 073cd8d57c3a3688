# SPDX-License-Identifier: Apache-2.0
"""Transfers whose programs are killed, and whose folders are full, unplugged or replaced.

TRANSFER_KILLS (8) is how often a program is killed; TRANSFER_SEED makes the same choices again.
"""
# Labs: lo
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import uuid

from lab import PATIENCE, freeze, wait_until
from test_transfers import TransferTest, tree

KILLS = int(os.environ.get("TRANSFER_KILLS", "8"))
SEED = int(os.environ.get("TRANSFER_SEED", random.SystemRandom().randrange(1 << 32)))
MEBIBYTE = 1 << 20


class FaultTest(TransferTest):
    labs = ("lo",)

    @property
    def incoming(self):
        return self.desktop.arrived / ".baton-incoming"

    def staged(self):
        """The number of bytes in the files that arrive."""
        size = 0
        for folder, _, files in os.walk(self.incoming):
            for name in files:
                try:
                    size += os.lstat(os.path.join(folder, name)).st_size
                except OSError:
                    pass
        return size

    def arrived(self):
        return self.desktop.names()

    def restart(self, part):
        if part in self.daemons:
            part.kill()
            part.start()
        else:
            part.process.kill()
            part.process.wait(PATIENCE)
            part.start()

    def wait_until_both_are(self, state, deadline=120):
        for machine in (self.laptop, self.desktop):
            wait_until(
                lambda: machine.state()[:1] == [state],
                lambda: f"{state} on {machine.daemon.name}, not {machine.transfers()[:1]}", deadline, interval=0.05,
            )

    def assertFailed(self, *reasons):
        """Both sides know why, and nothing has a final name."""
        self.wait_until_both_are("failed")
        told = [machine.transfers()[0]["reason"] for machine in (self.laptop, self.desktop)]
        self.assertEqual(told[0], told[1])
        self.assertIn(told[0], reasons)
        self.assertEqual(self.arrived(), [])

    def begin(self, mebibytes):
        """Sends a file, and returns once some of it is there. The origin does not go on by itself."""
        path = self.make("big", mebibytes * MEBIBYTE)
        self.send(path)
        self.desktop.accept()
        self.wait_and_freeze(lambda: self.staged() > MEBIBYTE)
        return path

    def wait_and_freeze(self, condition):
        wait_until(condition, "it begins", interval=0.0005)
        freeze(self.laptop.process.pid)
        self.addCleanup(self.go_on)
        self.assertEqual(self.arrived(), [])

    def go_on(self):
        self.laptop.process.send_signal(signal.SIGCONT)

    def assertArrived(self, path):
        self.wait_until_both_are("done")
        self.assertEqual(self.arrived(), [path.name])
        self.assertEqual((self.desktop.arrived / path.name).read_bytes(), path.read_bytes())

    def retry(self):
        for machine in (self.desktop, self.laptop):
            machine.ask("Retry", id=machine.transfers()[0]["id"])


class KillTests(FaultTest):
    time_limit = 300 + 15 * KILLS

    def fill(self, top, choices):
        """A folder with what transfers treat differently."""
        self.make(f"{top}/big", content=choices.randbytes(24 * MEBIBYTE))
        for number in range(100):
            self.make(f"{top}/small/{number % 7}/{number}", content=choices.randbytes(choices.randrange(20_000)))
        sparse = self.make(f"{top}/sparse", content=b"begin")
        with open(sparse, "r+b") as file:
            file.seek(choices.randrange(50 * MEBIBYTE))
            file.write(choices.randbytes(5 * MEBIBYTE))
            file.truncate(100 * MEBIBYTE)
        (self.laptop.home / top / "link").symlink_to("small/3")
        return tree(self.laptop.home / top)

    def test_what_arrives_is_whole_and_arrives_once(self):
        print(f"         TRANSFER_SEED={SEED}", flush=True)
        choices = random.Random(SEED)
        kills, counts, slowest = 0, {}, 0
        number = 0
        expected = {}
        while kills < KILLS:
            number += 1
            top = f"top{number}"
            content = self.fill(top, choices)
            transfer = self.send(self.laptop.home / top)["id"]
            self.desktop.accept()
            began = time.monotonic()
            for _ in range(choices.randrange(1, 9)):
                if kills == KILLS or not self.kill(choices, transfer, top, content, counts):
                    break
                kills += 1
            # Nobody is killed any longer.
            self.wait_until_both_are("done")
            slowest = max(slowest, time.monotonic() - began)
            expected[top] = content
            self.assertEqual(self.arrived(), sorted(expected), f"TRANSFER_SEED={SEED}")
            self.assertEqual(tree(self.desktop.arrived / top), content, f"TRANSFER_SEED={SEED}")
            wait_until(lambda: not self.incoming.exists(), f"nothing is left in {self.incoming}")
            shutil.rmtree(self.laptop.home / top)
        kinds = ", ".join(f"{count} times {names}" for names, count in sorted(counts.items()))
        print(f"         {kills} kills in {number} transfers ({kinds}); the slowest took {slowest:.1f} s", flush=True)

    def kill(self, choices, transfer, top, content, counts):
        """Kills somebody at some moment, unless everything is done before. Then starts what was killed."""
        agents = [self.laptop, self.desktop]
        victims = choices.choice([[part] for part in (*agents, *self.daemons)] + [agents, self.daemons])
        moment = choices.choice(["size", "size", "time", "end"])
        share, delay = choices.random(), choices.uniform(0, 0.5)
        size = sum(path.stat().st_size for path in (self.laptop.home / top).rglob("*") if path.is_file())
        begun = time.monotonic()
        final = self.desktop.arrived / top
        while not final.exists():
            if moment == "size" and self.staged() >= share * size:
                break
            if moment == "time" and time.monotonic() - begun >= delay:
                break
            if moment == "end" and (self.incoming / transfer / "complete").exists():
                break
            self.assertLess(time.monotonic() - begun, 120, f"TRANSFER_SEED={SEED}: it does not go on")
            time.sleep(0.0005)
        if final.exists():
            # What has its name is whole, whatever happens from now on.
            self.assertEqual(tree(final), content, f"TRANSFER_SEED={SEED}")
            if all(machine.state()[:1] == ["done"] for machine in agents):
                return False
        for part in victims:
            part.process.kill()
        for part in victims:
            part.process.wait(PATIENCE)
        if final.exists():
            self.assertEqual(tree(final), content, f"TRANSFER_SEED={SEED}")
        for part in victims:
            part.start()
        names = " and ".join(
            f"{part.name}'s daemon" if part in self.daemons else f"{part.daemon.name}'s agent" for part in victims
        )
        counts[names] = counts.get(names, 0) + 1
        return True

    def test_the_receiver_is_restarted_at_every_tenth(self):
        size = 100_000_000
        path = self.make("big", size)
        self.send(path)
        self.desktop.accept()
        for tenth in range(10):
            wait_until(lambda: self.staged() >= tenth * size // 10 or self.arrived(), f"{tenth} tenths", interval=0.001)
            self.restart(self.desktop)
        self.wait_until_both_are("done")
        self.assertEqual(self.arrived(), ["big"])
        self.assertEqual((self.desktop.arrived / "big").read_bytes(), path.read_bytes())


class DiskTests(FaultTest):
    """A disk of its own for what arrives."""

    def mount(self, mebibytes):
        self.desktop.write_settings("[Files]", "KeepFree=64M")
        self.desktop.arrived.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "none", self.desktop.arrived]
        if subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode != 0:
            self.skipTest("mounting is not allowed")
        self.addCleanup(self.unmount)

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.desktop.arrived], check=True, timeout=PATIENCE)

    def unmount(self):
        subprocess.run(["umount", "--lazy", self.desktop.arrived], capture_output=True, timeout=PATIENCE)

    def test_a_disk_that_is_too_small(self):
        self.mount(100)
        path = self.make("big", 50 * MEBIBYTE)
        self.send(path)
        self.desktop.accept()
        self.assertFailed("diskFull")
        self.remount("size=200m")
        self.retry()
        self.assertArrived(path)

    def test_a_disk_that_others_fill_meanwhile(self):
        self.mount(250)
        path = self.begin(100)
        with open(self.desktop.arrived / ".filler", "wb") as file:
            try:
                while True:
                    os.write(file.fileno(), bytes(MEBIBYTE))
            except OSError:
                pass
        self.go_on()
        self.wait_until_both_are("failed")
        self.assertEqual({machine.transfers()[0]["reason"] for machine in (self.laptop, self.desktop)}, {"diskFull"})
        self.assertEqual(self.arrived(), [".filler"])
        (self.desktop.arrived / ".filler").unlink()
        self.retry()
        self.assertArrived(path)

    def test_a_disk_that_is_unplugged(self):
        self.mount(250)
        path = self.begin(100)
        self.unmount()
        self.go_on()
        self.assertFailed("folderUnavailable")
        self.retry()
        self.assertArrived(path)


class FolderTests(FaultTest):
    def test_what_is_deleted_after_a_kill_is_nothing_that_arrives(self):
        path = self.make("new", 50_000_000)
        transfer = self.send(path)["id"]
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        self.desktop.process.kill()
        self.desktop.process.wait()
        # Its record was not on the disk yet. Of it and of others, something has arrived.
        (self.desktop.home / ".local/share/baton/transfers" / f"{transfer}.json").unlink(missing_ok=True)
        for left in [transfer, *(str(uuid.uuid4()) for _ in range(200))]:
            files = self.incoming / left / "files"
            files.mkdir(parents=True)
            for number in range(100):
                (files / str(number)).touch()
        self.desktop.start()
        self.desktop.accept()
        self.wait_until_both_are("done")
        self.assertEqual((self.desktop.arrived / "new").read_bytes(), path.read_bytes())
        wait_until(lambda: not self.incoming.exists(), f"nothing is left in {self.incoming}")

    def test_a_folder_that_is_deleted(self):
        path = self.begin(100)
        while self.desktop.arrived.exists():
            shutil.rmtree(self.desktop.arrived, ignore_errors=True)
        self.go_on()
        self.assertFailed("folderUnavailable")
        self.retry()
        self.assertArrived(path)

    def test_a_folder_that_becomes_a_link(self):
        path = self.begin(100)
        outside = self.directory / "outside"
        outside.mkdir()
        self.desktop.arrived.rename(self.directory / "old")
        self.desktop.arrived.symlink_to(outside)
        self.go_on()
        self.assertFailed("folderUnavailable")
        self.assertEqual(os.listdir(outside), [])
        self.desktop.arrived.unlink()
        (self.directory / "old").rename(self.desktop.arrived)
        self.retry()
        self.assertArrived(path)

    def test_what_arrives_is_replaced_by_a_link(self):
        self.make("top/big", 100 * MEBIBYTE)
        self.make("top/late/file", 1000)
        self.send(self.laptop.home / "top")
        transfer = self.desktop.accept()["id"]
        outside = self.directory / "outside"
        outside.mkdir()
        late = self.incoming / transfer / "files/top/late"
        self.wait_and_freeze(late.exists)
        late.rename(self.directory / "late")
        late.symlink_to(outside)
        self.go_on()
        self.assertFailed("folderUnavailable")
        self.assertEqual(os.listdir(outside), [])

    def test_a_file_where_the_folder_is_to_be(self):
        self.desktop.arrived.write_bytes(b"mine")
        path = self.make("notes", 1000)
        self.send(path)
        self.desktop.accept()
        self.wait_until_both_are("failed")
        self.assertEqual(self.desktop.transfers()[0]["reason"], "folderUnavailable")
        self.assertEqual(self.desktop.arrived.read_bytes(), b"mine")
        self.desktop.arrived.unlink()
        self.retry()
        self.assertArrived(path)


class LimitTests(FaultTest):
    def test_no_descriptor_or_thread_stays(self):
        def count(machine):
            process = pathlib.Path(f"/proc/{machine.process.pid}")
            return len(os.listdir(process / "fd")), len(os.listdir(process / "task"))

        before = None
        for number in range(12):
            self.send(self.make(f"file{number}", 10_000))
            self.desktop.accept()
            self.wait_until_both_are("done")
            before = before or [count(machine) for machine in (self.laptop, self.desktop)]
        # Something else can be going on at the moment that was looked at first.
        for machine, counts in zip((self.laptop, self.desktop), before):
            for kind, first, now in zip(("descriptors", "threads"), counts, count(machine)):
                self.assertLessEqual(now, first + 4, f"{kind} of {machine.daemon.name}'s agent")
