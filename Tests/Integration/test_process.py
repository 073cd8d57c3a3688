"""What surrounds the programs: files at the place of the socket, closed descriptors, full disks, signals, small limits."""
# Labs: lo
import os
import signal
import socket
import stat
import subprocess
import tempfile
import time

from lab import BUILD, PATIENCE, PROMPT, LabTest, Varlink, wait_until


class ProcessTest(LabTest):
    labs = ("lo",)

    def run_batond(self, *arguments, status, prefix=(), **options):
        """Runs batond to its end, and returns what it wrote to standard error."""
        command = [*prefix, BUILD / "batond", *arguments]
        result = subprocess.run(
            [str(word) for word in command], capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, **options
        )
        text = result.stderr.decode(errors="replace")
        self.assertEqual(result.returncode, status, text)
        return text

    def refuse(self, path, status=69):
        """Runs batond with its socket at the path, and expects that it refuses."""
        state = self.directory / "state"
        return self.run_batond(
            "--socket", path, "--state-directory", state, "--port", "0", "--no-discovery", status=status
        )


class SocketPlaceTests(ProcessTest):
    """Only a socket that nobody serves may be replaced."""

    def setUp(self):
        super().setUp()
        self.place = self.directory / "b.sock"

    def test_a_file_stays(self):
        self.place.write_text("letters")
        error = self.refuse(self.place)
        self.assertIn(f"{self.place} is a file", error)
        self.assertEqual(self.place.read_text(), "letters")
        self.assertEqual(os.listdir(self.directory), ["b.sock"])

    def test_a_directory_a_link_a_pipe_and_a_device_stay(self):
        target = self.directory / "target"
        socket.socket(socket.AF_UNIX).bind(str(target))
        for kind, make in {
            "a directory": lambda: self.place.mkdir(),
            "a symbolic link": lambda: self.place.symlink_to(target),
            "a named pipe": lambda: os.mkfifo(self.place),
            "a device": lambda: os.mknod(self.place, 0o600 | stat.S_IFCHR, os.makedev(1, 3)),
        }.items():
            with self.subTest(kind=kind):
                try:
                    make()
                except PermissionError:
                    continue
                before = os.lstat(self.place)
                self.assertIn(f"{self.place} is {kind}", self.refuse(self.place))
                self.assertEqual(os.lstat(self.place), before)
                self.assertEqual(sorted(os.listdir(self.directory)), ["b.sock", "target"])
                os.rmdir(self.place) if self.place.is_dir() and not self.place.is_symlink() else self.place.unlink()

    def test_a_socket_of_another_kind_that_is_served_stays(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
            log.bind(str(self.place))
            before = os.lstat(self.place)
            self.assertIn("Another batond or program", self.refuse(self.place))
            self.assertEqual(os.lstat(self.place), before)
            self.assertEqual(os.listdir(self.directory), ["b.sock"])

    def test_a_socket_that_a_killed_daemon_left_is_replaced(self):
        daemon = self.batond("laptop").start()
        daemon.restart()
        self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["laptop", "laptop.log"])

    def test_a_lock_that_is_none_stays(self):
        lock = self.directory / "b.sock.lock"
        for kind, make in {
            "a file that is not empty": lambda: lock.write_text("[[package]]"),
            "a symbolic link": lambda: lock.symlink_to("elsewhere"),
            "a named pipe": lambda: os.mkfifo(lock),
            "a directory": lambda: lock.mkdir(),
        }.items():
            with self.subTest(kind=kind):
                make()
                before = os.lstat(lock)
                self.assertIn(f"{lock} is {kind}", self.refuse(self.place))
                self.assertEqual(os.lstat(lock), before)
                self.assertEqual(os.listdir(self.directory), [lock.name])
                lock.rmdir() if kind == "a directory" else lock.unlink()

    def test_what_has_come_to_the_place_since_stays_at_the_end(self):
        daemon = self.batond("laptop").start()
        daemon.socket.unlink()
        daemon.socket.write_text("letters")
        self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(daemon.socket.read_text(), "letters")
        self.assertFalse(daemon.socket.with_name("laptop.sock.lock").exists())

    def test_one_of_many_that_start_at_once_serves(self):
        """Some of them find the lock of one that is just stopping."""
        daemons = [self.batond("laptop", arguments=["--no-discovery"]) for _ in range(6)]
        for number, daemon in enumerate(daemons):
            daemon.socket = self.directory / "shared.sock"
            daemon.state = self.directory / f"state{number}"
        for _ in range(3):
            for daemon in daemons:
                daemon.spawn()
            wait_until(
                lambda: sum(daemon.is_running for daemon in daemons) == 1 and daemons[0].socket.exists(), "one is left"
            )
            serving = next(daemon for daemon in daemons if daemon.is_running)
            serving.wait_until_served()
            self.assertEqual({daemon.process.returncode for daemon in daemons if daemon is not serving}, {69})
            self.assertEqual(serving.terminate(), 0)
            self.assertEqual([path.name for path in self.directory.iterdir() if "sock" in path.name], [])

    def test_a_path_that_is_too_long_or_empty(self):
        self.refuse(f"/tmp/{'x' * 102}/", status=64)
        error = self.refuse(self.directory / ("x" * 108), status=64)
        self.assertIn("longer than 107 bytes", error)
        self.assertIn("must not be empty", self.refuse("", status=64))
        self.assertEqual(os.listdir(self.directory), [])

    def test_a_directory_that_was_there_keeps_its_mode(self):
        place = self.directory / "run"
        place.mkdir(0o711)
        place.chmod(0o711)
        daemon = self.batond("laptop")
        daemon.socket = place / "new/b.sock"
        daemon.start()
        self.assertEqual(stat.S_IMODE(place.stat().st_mode), 0o711)
        self.assertEqual(stat.S_IMODE((place / "new").stat().st_mode), 0o755)
        self.assertEqual(stat.S_IMODE(daemon.socket.stat().st_mode), 0o666)
