"""The installed service, inside of a booted systemd; see Scripts/run-systemd."""
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

from machine import Machine
from waiting import PATIENCE, TestCase, wait_until

SYSTEM = "/run/baton/baton.sock"
MEBIBYTE = 1 << 20
here = Machine()


def restart():
    # One who restarts it this often meets the limit of starts.
    here.systemctl("reset-failed", "batond")
    here.systemctl("restart", "batond")


class ServiceTest(TestCase):
    """The machine's batond, and another one that plays a second machine."""

    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")
        here.run("ip", "link", "set", "lo", "multicast", "on")
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        here.systemctl("reset-failed")
        here.systemctl("start", "batond")
        cls.other = here.begin_daemon("other", cls.directory)
        here.baton("team", "create", "Demo")
        code = here.baton("team", "invite")["code"]
        here.baton("team", "join", code, "--address", "127.0.0.1:22866", socket=cls.other)
        cls.wait_for_session()

    @classmethod
    def tearDownClass(cls):
        here.systemctl("stop", "other", "batond.socket")

    @classmethod
    def wait_for_session(cls):
        for socket in (SYSTEM, cls.other):
            here.wait_for_session(socket=socket)

    def spawn(self, socket, *arguments, **options):
        process = subprocess.Popen(["baton", *arguments], env={**os.environ, "BATON_SOCKET": str(socket)}, **options)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        return process

    def stream(self, origin, receiver):
        """A stream under way: (the pipe into it, its hash so far), the file at its end, and both programs."""
        source, pipe = os.pipe()
        advertiser = self.spawn(origin, "advertise", "--type", "org.example.files", "--stream", stdin=source)
        os.close(source)
        received = self.directory / f"{self.id()}.received"
        with open(received, "wb") as file:
            continuer = self.spawn(
                receiver, "continue", "--latest", "--stream", "--wait", "15", stdin=subprocess.DEVNULL, stdout=file
            )
        return pipe, received, advertiser, continuer

    def restart_under_a_stream(self, origin, receiver):
        pipe, received, *programs = self.stream(origin, receiver)
        digest = hashlib.sha256()
        for part in range(24):
            block = os.urandom(MEBIBYTE)
            digest.update(block)
            with open(pipe, "wb", closefd=False) as file:
                file.write(block)
            if part in (4, 14):
                wait_until(lambda: received.stat().st_size > 0, "the stream runs")
                restart()
        os.close(pipe)
        for program in programs:
            self.assertEqual(program.wait(60), 0)
        self.assertEqual(hashlib.sha256(received.read_bytes()).digest(), digest.digest())
        self.wait_for_session()

    def test_a_stream_from_this_machine_survives_restarts(self):
        self.restart_under_a_stream(SYSTEM, self.other)

    def test_a_stream_to_this_machine_survives_restarts(self):
        self.restart_under_a_stream(self.other, SYSTEM)

    def break_stream(self, break_off):
        pipe, received, advertiser, continuer = self.stream(SYSTEM, self.other)
        os.write(pipe, b"before")
        wait_until(lambda: received.read_bytes() == b"before", "the stream runs")
        break_off()
        # The program of this machine at once; the other machine waits for a while.
        self.assertEqual(advertiser.wait(PATIENCE), 7)
        self.assertEqual(continuer.wait(30 + PATIENCE), 7)
        os.close(pipe)

    def test_a_stop_is_a_definite_end(self):
        self.break_stream(lambda: here.systemctl("stop", "batond.socket"))
        here.systemctl("start", "batond")
        self.wait_for_session()

    def test_a_kill_is_a_definite_end(self):
        self.break_stream(lambda: here.systemctl("kill", "--signal=KILL", "batond"))
        self.wait_for_session()

    def test_without_a_store_a_restart_is_a_definite_end(self):
        self.addCleanup(self.wait_for_session)
        self.addCleanup(restart)
        self.addCleanup(here.restore, "batond.service")
        here.adjust("batond.service", "[Service]\nFileDescriptorStoreMax=0\nUnsetEnvironment=FDSTORE\n")
        restart()
        self.wait_for_session()
        self.break_stream(restart)


if __name__ == "__main__":
    unittest.main(verbosity=2)
