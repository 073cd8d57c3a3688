"""The installed service, inside of a booted systemd; see Tests/run-systemd."""
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

PATIENCE = 30
SYSTEM = "/run/baton/baton.sock"
MEBIBYTE = 1 << 20


def run(*command, **options):
    words = [str(word) for word in command]
    options = {"stdin": subprocess.DEVNULL, **options}
    return subprocess.run(words, check=True, capture_output=True, timeout=60, **options).stdout


def wait_until(condition, what, deadline=PATIENCE):
    end = time.monotonic() + deadline
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {deadline} s")
        time.sleep(0.01)
    return value


def restart():
    # One who restarts it this often meets the limit of starts.
    run("systemctl", "reset-failed", "batond")
    run("systemctl", "--no-ask-password", "restart", "batond")


def baton(socket, *arguments):
    return json.loads(run("baton", *arguments, "--json", env={**os.environ, "BATON_SOCKET": str(socket)}))


class ServiceTest(unittest.TestCase):
    """The machine's batond, and another one that plays a second machine."""

    @classmethod
    def setUpClass(cls):
        run("systemd-sysusers")
        run("ip", "link", "set", "lo", "multicast", "on")
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        cls.other = cls.directory / "other.sock"
        subprocess.run(["systemctl", "reset-failed"], check=True)
        run("systemctl", "--no-ask-password", "start", "batond")
        run(
            "systemd-run", "--unit=other", "/usr/local/sbin/batond", "--name", "other", "--port", "0",
            "--socket", cls.other, "--state-directory", cls.directory / "other",
        )
        wait_until(cls.other.exists, "the second daemon serves")
        baton(SYSTEM, "team", "create", "Demo")
        code = baton(SYSTEM, "team", "invite")["code"]
        baton(cls.other, "team", "join", code, "--address", "127.0.0.1:22866")
        cls.wait_for_session()

    @classmethod
    def tearDownClass(cls):
        run("systemctl", "stop", "other", "batond.socket")

    @classmethod
    def wait_for_session(cls):
        def is_connected():
            try:
                return all(baton(socket, "status")["sessions"] == 1 for socket in (SYSTEM, cls.other))
            except subprocess.CalledProcessError:
                return False

        wait_until(is_connected, "the two are connected", 30)

    def spawn(self, socket, *arguments, **options):
        process = subprocess.Popen(["baton", *arguments], env={**os.environ, "BATON_SOCKET": str(socket)}, **options)
        self.addCleanup(process.wait)
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
        self.break_stream(lambda: run("systemctl", "--no-ask-password", "stop", "batond.socket"))
        run("systemctl", "--no-ask-password", "start", "batond")
        self.wait_for_session()

    def test_a_kill_is_a_definite_end(self):
        self.break_stream(lambda: run("systemctl", "--no-ask-password", "kill", "--signal=KILL", "batond"))
        self.wait_for_session()

    def test_without_a_store_a_restart_is_a_definite_end(self):
        drop_in = pathlib.Path("/run/systemd/system/batond.service.d/store.conf")
        drop_in.parent.mkdir(parents=True, exist_ok=True)
        drop_in.write_text("[Service]\nFileDescriptorStoreMax=0\nUnsetEnvironment=FDSTORE\n")
        self.addCleanup(self.wait_for_session)
        self.addCleanup(restart)
        self.addCleanup(run, "systemctl", "--no-ask-password", "daemon-reload")
        self.addCleanup(drop_in.unlink)
        run("systemctl", "--no-ask-password", "daemon-reload")
        restart()
        self.wait_for_session()
        self.break_stream(restart)


if __name__ == "__main__":
    unittest.main(verbosity=2)
