# SPDX-License-Identifier: Apache-2.0
"""What surrounds the programs: files at the place of the socket, closed descriptors, full disks, signals, small limits."""
# Labs: lo
import itertools
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess

from lab import BUILD, PATIENCE, PROMPT, LabTest, wait_until


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
            "a file that isn't empty": lambda: lock.write_text("[[package]]"),
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
        self.assertIn("longer than the system's limit of 107 bytes", error)
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


class DescriptorTests(ProcessTest):
    """What the caller has closed becomes nothing else."""

    CLOSED = [numbers for count in range(1, 4) for numbers in itertools.combinations(range(3), count)]

    @staticmethod
    def closing(numbers, *command):
        """The command line that runs the command with these descriptors closed."""
        closed = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in numbers)
        return ["sh", "-c", f'exec "$@" {closed}', "sh", *map(str, command)]

    @staticmethod
    def has_socket(process):
        try:
            return any("socket:" in os.readlink(path) for path in pathlib.Path(f"/proc/{process.pid}/fd").iterdir())
        except FileNotFoundError:  # One was closed meanwhile.
            return False

    def targets(self, process):
        return [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in range(3)]

    def test_closed_descriptors_of_the_daemon(self):
        for number, numbers in enumerate(self.CLOSED):
            with self.subTest(closed=numbers):
                daemon = self.batond(f"laptop{number}", arguments=["--no-discovery"], prefix=self.closing(numbers))
                daemon.start()
                targets = self.targets(daemon.process)
                self.assertEqual({targets[number] for number in numbers}, {"/dev/null"})
                self.assertEqual(daemon.terminate(), 0)

    def test_closed_descriptors_of_the_command_and_the_agent(self):
        daemon = self.batond("laptop").start()
        for verb in ("watch", "agent"):
            for numbers in self.CLOSED:
                with self.subTest(verb=verb, closed=numbers):
                    process = self.spawn(
                        self.closing(numbers, *daemon.command_line(verb)), env=daemon.environment,
                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    )
                    wait_until(lambda: self.has_socket(process), "it is connected")
                    self.assertEqual(self.targets(process), ["/dev/null"] * 3)
                    process.terminate()
                    process.wait(PATIENCE)


class OutputTests(ProcessTest):
    """What cannot be written is said."""

    def fill(self, command, environment=None):
        with open("/dev/full", "wb") as full:
            result = subprocess.run(
                [str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, stdout=full,
                stderr=subprocess.PIPE, timeout=PATIENCE,
            )
        return result.returncode, result.stderr.decode()

    def test_a_full_disk_is_named_by_every_verb(self):
        daemon = self.batond("laptop").start()
        daemon.baton("team", "create", "Demo")
        daemon.publish(title="A")
        for arguments in (
            "--help", "--version", "help team", "version", "status", "status --json", "list --json", "metrics",
            "metrics --json", "doctor", "doctor --json", "peers --json", "team list", "team devices --json", "team invite",
            "team request", "advertise --type a.b", "advertise --type a.b --json", "watch --help",
        ):
            with self.subTest(arguments=arguments):
                status, error = self.fill(daemon.command_line(*arguments.split()), daemon.environment)
                self.assertEqual(status, 1, error)
                self.assertIn("Can't write to standard output: write: No space left on device", error)
                self.assertEqual(error.startswith("{"), "--json" in arguments)

    def test_a_full_disk_is_named_by_watch(self):
        laptop, desktop = self.two()
        laptop.publish(title="A")
        status, error = self.fill(desktop.command_line("watch"), desktop.environment)
        self.assertEqual((status, "No space left on device" in error), (1, True))

    def test_a_full_disk_is_named_by_the_daemon(self):
        for option in ("--help", "--version", "--check-config"):
            with self.subTest(option=option):
                status, error = self.fill([BUILD / "batond", option])
                self.assertEqual(status, 1, error)
                self.assertIn("Can't write to standard output: write: No space left on device", error)

    def test_a_pipe_that_nobody_reads_is_silent(self):
        daemon = self.batond("laptop").start()
        for command in (daemon.command_line("status"), daemon.command_line("--help"), [BUILD / "batond", "--help"]):
            reading, writing = os.pipe()
            os.close(reading)
            result = subprocess.run(
                [str(word) for word in command], env=daemon.environment, stdout=writing, stderr=subprocess.PIPE,
                timeout=PATIENCE,
            )
            os.close(writing)
            self.assertEqual((result.returncode, result.stderr), (1, b""))

    def test_a_limit_of_files_is_an_error_of_the_write(self):
        path = self.directory / "output"
        with open(path, "wb") as file:
            result = subprocess.run(
                ["prlimit", "--fsize=10", str(BUILD / "baton"), "--help"], stdout=file, stderr=subprocess.PIPE,
                timeout=PATIENCE,
            )
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"File too large", result.stderr)


class InputTests(ProcessTest):
    """What is too long is refused before it is sent, and reading ends."""

    def setUp(self):
        super().setUp()
        self.daemon = self.batond("laptop").start()

    def error(self, *arguments, status, **options):
        self.daemon.baton(*arguments, status=status, timeout=PROMPT, **options)
        return self.daemon.last_error

    def test_arguments_that_are_too_long_are_named_with_their_limit(self):
        long = "x" * 100_000
        for option, limit, status in (
            ("--type", 128, 5), ("--title", 16384, 5), ("--url", 2048, 5), ("--info", 3072, 5), ("--info-json", 32768, 5),
            ("--team", 4096, 2), ("--expires", 4096, 2), ("--socket", 4096, 2),
        ):
            with self.subTest(option=option):
                type_ = () if option == "--type" else ("--type", "a.b")
                error = self.error("advertise", *type_, option, long, status=status)
                self.assertEqual(error.splitlines()[0], f"baton: '{option}' is too long: 100000 bytes, but the limit is {limit}.")
        for words, limit, status in (
            ("team create", 63, 8), ("team join", 256, 8), ("team revoke", 4096, 2), ("team leave", 4096, 2),
            ("team approve", 4096, 2), ("team import", 4096, 2), ("peer add", 4096, 2), ("peer remove", 4096, 2),
            ("doctor", 4096, 2), ("continue", 4096, 2), ("open", 4096, 2),
        ):
            with self.subTest(words=words):
                error = self.error(*words.split(), long, status=status)
                self.assertIn(f"is too long: 100000 bytes, but the limit is {limit}.", error)

    def test_limits_themselves_are_taken(self):
        url = "http://e.org/" + "x" * 2035
        # A title that is only too long, or ugly, takes nothing else with it.
        for title, offered in (
            ("x" * 512, "x" * 512), ("x" * 513, "x" * 509 + "…"), ("x" * 16384, "x" * 509 + "…"), ("a\nb\u200f", "a b"),
        ):
            process = self.daemon.spawn_baton("advertise", "--type", "a.b", "--title", title, "--url", url)
            wait_until(lambda: (self.daemon.call("GetStatus").get("current") or {}).get("title") == offered, "it is current")
            process.terminate()
            process.wait(PROMPT)

    def test_what_is_too_long_in_all_is_not_sent(self):
        values = [word for number in range(40) for word in ("--info", f"k{number}={'x' * 3000}")]
        error = self.error("advertise", "--type", "a.b", *values, status=2)
        self.assertRegex(error, "The call is 12[0-9]{4} bytes long, but batond accepts at most 65536")

    def test_input_without_an_end(self):
        for words, status in (("team join", 8), ("team join -", 8), ("team approve", 8), ("team import -", 8)):
            with self.subTest(words=words), open("/dev/zero", "rb") as zero:
                result = subprocess.run(
                    self.daemon.command_line(*words.split()), env=self.daemon.environment, stdin=zero,
                    capture_output=True, timeout=PROMPT,
                )
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertRegex(result.stderr.decode(), "tandard input is too long: .* bytes")

    def test_files_that_are_none(self):
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        for verb in ("approve", "import"):
            self.assertIn("at most 16384 bytes", self.error("team", verb, "/dev/zero", status=8))
            self.assertIn(f"{pipe} is a pipe that no program is writing to.", self.error("team", verb, pipe, status=1))
            self.assertIn(f"{self.directory}: Is a directory", self.error("team", verb, self.directory, status=1))
            self.assertIn("/nonexistent: No such file", self.error("team", verb, "/nonexistent", status=1))

    def test_a_file_that_another_command_writes(self):
        self.daemon.baton("team", "create", "Demo")
        request = self.batond("desktop").start().baton("team", "request")
        (self.directory / "request").write_bytes(request)
        result = subprocess.run(
            ["bash", "-c", f'"{BUILD}/baton" team approve <(sleep 0.2; cat {self.directory}/request)'],
            env=self.daemon.environment, capture_output=True, timeout=PATIENCE,
        )
        self.assertEqual(result.returncode, 0, result.stderr)


class LimitTests(ProcessTest):
    """Programs work with what they have, or say at the start what is missing."""

    LIMITS = (("as", "address space"), ("data", "data"), ("stack", "stack"), ("nofile", "open files"))

    def test_limits_that_are_too_small_are_named(self):
        for (limit, name), daemon, command in zip(
            self.LIMITS, ("48M", "16M", "64K", "20"), ("32M", "8M", "256K", "8"), strict=True
        ):
            with self.subTest(limit=limit):
                error = self.run_batond(
                    "--socket", self.directory / "s", "--state-directory", self.directory / "d",
                    prefix=["prlimit", f"--{limit}={number(daemon)}"], status=78,
                )
                self.assertIn(f"batond: The limit for {name}", error)
                result = subprocess.run(
                    ["prlimit", f"--{limit}={number(command)}", str(BUILD / "baton"), "version"], capture_output=True,
                    timeout=PATIENCE,
                )
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"baton: The limit for {name}".encode(), result.stderr)
        self.assertEqual(os.listdir(self.directory), [])

    def test_the_least_limits_suffice(self):
        for limit, daemon, command in (
            ("as", "384M", "64M"), ("data", "64M", "32M"), ("stack", "512K", "512K"), ("nofile", "32", "10"),
        ):
            with self.subTest(limit=limit):
                laptop = self.batond(f"l-{limit}", prefix=["prlimit", f"--{limit}={number(daemon)}"]).start()
                desktop = self.batond(f"d-{limit}", prefix=["prlimit", f"--{limit}={number(daemon)}"]).start()
                self.make_team(laptop, desktop)
                data = os.urandom(1 << 20)
                prefix = ["prlimit", f"--{limit}={number(command)}"]
                (self.directory / "data").write_bytes(data)
                with open(self.directory / "data", "rb") as file:
                    self.spawn(
                        [*prefix, *laptop.command_line("advertise", "--type", "a.b", "--stream")],
                        env=laptop.environment, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    )
                result = subprocess.run(
                    [*prefix, *desktop.command_line("continue", "--latest", "--stream", "--wait", "20")],
                    env=desktop.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                )
                self.assertEqual((result.returncode, result.stdout == data), (0, True), result.stderr)
                self.assertEqual((desktop.terminate(), laptop.terminate()), (0, 0))

    def test_threads_that_cannot_be_started(self):
        """Root may have any number: as another user."""
        shutil.chown(self.directory, 54321)
        poor = ["setpriv", "--reuid=54321", "--clear-groups", "prlimit", "--nproc=1"]
        error = self.run_batond(
            "--socket", self.directory / "s", "--state-directory", self.directory / "d", prefix=poor, status=1
        )
        self.assertRegex(error, r"Can't start \d+ threads \(Resource temporarily unavailable\)")
        result = subprocess.run(
            [*poor, str(BUILD / "baton"), "agent"], env={"HOME": str(self.directory)}, capture_output=True,
            timeout=PATIENCE,
        )
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, rb"Can't start \d+ threads")

    def test_files_that_must_not_grow(self):
        daemon = self.batond("laptop", prefix=["prlimit", "--fsize=100"])
        daemon.log = pathlib.Path("/dev/null")
        daemon.start()
        self.assertFails("storageFailed", daemon.call, "CreateTeam", name="Demo")
        self.assertEqual(daemon.terminate(), 0)


def number(text):
    """Bytes of `64K` and `8M`."""
    return int(text.rstrip("KM")) << {"K": 10, "M": 20}.get(text[-1], 0)


class SignalTests(ProcessTest):
    # What ends a daemon, or shows where it has failed.
    FATAL = {
        signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS,
        signal.SIGFPE, signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN,
        signal.SIGTTOU, signal.SIGXCPU, signal.SIGSYS,
    }

    def test_stray_signals_end_nothing(self):
        daemon = self.batond("laptop").start()
        agent = daemon.spawn_baton("agent")
        wait_until(lambda: "SigCgt" in open(f"/proc/{agent.pid}/status").read(), "it runs")

        def ignores(process):
            line = next(line for line in open(f"/proc/{process.pid}/status") if line.startswith("SigIgn:"))
            return {number for number in range(1, 65) if int(line.split()[1], 16) >> (number - 1) & 1}

        wait_until(lambda: signal.SIGUSR1 in ignores(agent), "the agent ignores signals")
        # SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing by themselves; 32 and 33 are Glibc's.
        for number in set(range(1, 65)) - self.FATAL - {32, 33}:
            daemon.signal(number)
            if number != signal.SIGXFSZ:
                os.kill(agent.pid, number)
        self.assertEqual(daemon.call("GetStatus")["device"], "laptop")
        self.assertIsNone(agent.poll())
        self.assertEqual(daemon.terminate(), 0)

    def test_signals_in_the_middle_of_the_start(self):
        """A reload is done afterwards, and a stop is clean."""
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            for attempt in range(3):
                with self.subTest(number=number, attempt=attempt):
                    # It is there when batond begins.
                    hold = f"import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [{number:d}]); "
                    send = f"os.kill(os.getpid(), {number:d}); os.execvp(sys.argv[1], sys.argv[1:])"
                    daemon = self.batond(
                        f"laptop{number}{attempt}", arguments=["--no-discovery"],
                        prefix=["python3", "-c", hold + send],
                    ).spawn()
                    if number == signal.SIGHUP:
                        daemon.wait_for_log("Reloaded the configuration")
                        self.assertEqual(daemon.terminate(), 0)
                    else:
                        self.assertEqual(daemon.process.wait(PATIENCE), 0)
                    self.assertIn("Started", daemon.log_text())
                    self.assertFalse(daemon.socket.exists())


class EnvironmentTests(ProcessTest):
    def test_without_proc_nothing_runs_with_other_arguments(self):
        """Swift takes the arguments from there, and finds none."""
        for program, arguments in (("batond", ["--socket", self.directory / "s"]), ("baton", ["status"])):
            with self.subTest(program=program):
                hide = 'mount -t tmpfs none /proc && exec "$@"'
                command = ["unshare", "--mount", "sh", "-c", hide, "sh", BUILD / program, *arguments]
                result = subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE)
                self.assertEqual(result.returncode, 1)
                self.assertIn(b"Can't read the arguments. Check that /proc is mounted.", result.stderr)
        self.assertEqual(os.listdir(self.directory), [])

    def test_no_mask_of_modes_takes_anything_from_files(self):
        daemon = self.batond("laptop", prefix=["sh", "-c", 'umask 0777; exec "$@"', "sh"])
        daemon.socket = self.directory / "run/b.sock"
        daemon.start()
        daemon.baton("team", "create", "Demo")
        self.assertEqual(stat.S_IMODE(daemon.socket.parent.stat().st_mode), 0o755)
        self.assertEqual(stat.S_IMODE(daemon.socket.stat().st_mode), 0o666)
        modes = {
            stat.S_IMODE(path.stat().st_mode) for path in daemon.state.rglob("*") if path.is_file()
        }
        self.assertEqual(modes, {0o600})

    def test_without_an_environment(self):
        daemon = self.batond("laptop", prefix=["env", "-i"]).start()
        result = subprocess.run(
            ["env", "-i", "LANG=xx_YY.none", f"BATON_SOCKET={daemon.socket}", str(BUILD / "baton"), "status"],
            capture_output=True, timeout=PATIENCE,
        )
        self.assertEqual(result.returncode, 0, result.stderr)
