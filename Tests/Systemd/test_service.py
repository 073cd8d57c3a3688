# SPDX-License-Identifier: Apache-2.0
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

    def test_nobody_gets_the_port_while_it_restarts(self):
        log = self.directory / "taker"
        self.directory.chmod(0o755)
        log.touch()
        here.begin("taker", "nobody", "python3", "-c", TAKER, "22866", StandardOutput=f"file:{log}")
        self.addCleanup(here.end, "taker")
        wait_until(lambda: "refused" in log.read_text(), "somebody tries to get the port")
        for act in (restart, restart, lambda: here.systemctl("kill", "--signal=KILL", "batond"), restart):
            act()
            self.wait_for_session()
        self.assertNotIn("taken", log.read_text())
        self.assertEqual(here.baton("status")["port"], 22866)

    def test_a_port_that_somebody_has_takes_nothing_with_it(self):
        log = self.directory / "taker"
        self.directory.chmod(0o755)
        log.touch()
        here.systemctl("stop", "batond")
        here.begin("taker", "nobody", "python3", "-c", TAKER, "22866", StandardOutput=f"file:{log}")
        self.addCleanup(here.end, "taker")
        wait_until(lambda: "taken" in log.read_text(), "somebody has the port")
        here.systemctl("start", "batond")
        process = here.show("batond", "MainPID")
        # Both the control socket and the sessions work, by another port.
        port = here.baton("status")["port"]
        self.assertNotIn(port, (0, 22866))
        self.wait_for_session()
        here.run("bash", "-c", f"</dev/tcp/127.0.0.1/{port}")
        user = here.run("id", "-u", "nobody").strip()
        (entry,) = here.journal(f"_PID={process}", "BATON_PORT=22866", "-p", "warning")
        self.assertEqual((entry["BATON_USER"], entry["BATON_INSTEAD"]), (user, str(port)))
        (check,) = [each for each in here.doctor() if each["check"] == "port" and each["outcome"] == "failed"]
        self.assertIn(f"the user {user} is using TCP port 22866", check["detail"])
        self.assertIn(f"TCP port {port} because 22866 is in use", here.show("batond", "StatusText"))
        here.end("taker")
        wait_until(lambda: here.baton("status")["port"] == 22866, "the port is free again")
        self.assertEqual(here.show("batond", "MainPID"), process)
        self.assertEqual([each["outcome"] for each in here.doctor() if each["check"] == "port"], ["passed"])


# Takes a port as soon as nobody has it, and keeps it.
TAKER = """
import socket, sys, time
while True:
    taker = socket.socket(socket.AF_INET6)
    taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taker.bind(("", int(sys.argv[1])))
        taker.listen()
        break
    except OSError:
        print("refused", flush=True)
        taker.close()
    time.sleep(0.001)
print("taken", flush=True)
while True:
    taker.accept()[0].close()
"""

if __name__ == "__main__":
    unittest.main(verbosity=2)
