# SPDX-License-Identifier: Apache-2.0
"""Daemons and commands for the integration tests.

Tests run inside a lab (Tests/Lab/avahi-lab): they find its hosts in LAB_HOSTS. Everything that is started here is ended
by its ID, the last first; logs are shown where a test fails.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Lab"))
from control_socket import INTERFACE, Varlink, VarlinkError, receive_whole  # noqa: E402
from waiting import PATIENCE, Deadline, TestCase, wait_until  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BATON_BUILD", ROOT / ".build/release"))
HOSTS = os.environ.get("LAB_HOSTS", "").split()
# The network's name: `lo`, `pair`, `lan` or `routed`.
LAB = os.environ.get("LAB_NETWORK", "lan")
# Seconds in which comes what waits for no time of its own, on a busy machine, too: fewer than those after which a silent
# session is given up, and a frozen Avahi.
PROMPT = 10


def on(host, *command):
    """The command line that runs a command on a host of the lab."""
    return [os.environ["LAB_ON"], host, *map(str, command)]


def control(verb, host):
    """Does something to a host's Avahi, bus or link; see Tests/Lab/avahi-lab."""
    subprocess.run([os.environ["LAB_CTL"], verb, host], check=True, timeout=60, stdin=subprocess.DEVNULL)


def thread_states(process):
    """The letters with which proc(5) says what each thread does."""
    states = set()
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        # Threads end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            states.add((task / "stat").read_text().rsplit(")", 1)[1].split()[0])
    return states


def freeze(process):
    """SIGSTOP; returns when the whole process has stopped, which takes until its threads have run once more."""
    os.kill(process, signal.SIGSTOP)
    wait_until(lambda: thread_states(process) <= {"T", "Z"}, f"{process} has stopped")


def copy_descriptor(process, path):
    """A descriptor of our own for the file that the process has open at this path (pidfd_getfd(2))."""
    number = next(entry.name for entry in pathlib.Path(f"/proc/{process}/fd").iterdir() if os.readlink(entry) == str(path))
    pidfd_getfd = 438
    with contextlib.closing(open(os.pidfd_open(process), "rb")) as running:
        copy = ctypes.CDLL(None, use_errno=True).syscall(pidfd_getfd, running.fileno(), int(number), 0)
    if copy < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    return copy


class Batond:
    """A daemon that was spawned on a host of the lab; `prefix` is a command that runs it, and `build` has the programs."""

    def __init__(self, case, host, name, directory, arguments=(), prefix=(), build=BUILD):
        self.case = case
        self.host = host
        self.name = name
        self.state = directory / name
        self.socket = directory / f"{name}.sock"
        self.log = directory / f"{name}.log"
        self.arguments = list(arguments)
        self.prefix = prefix
        self.build = build
        self.process = None
        case.logs.append(self.log)
        case.addCleanup(self.end)

    def command(self, *more):
        command = [self.build / "batond", "--name", self.name, "--socket", self.socket, "--state-directory", self.state]
        for option, value in (("--log-level", "debug"), ("--port", "0")):
            if option not in self.arguments:
                command += [option, value]
        command += [*self.arguments, *more]
        return on(self.host, *self.prefix, *command)

    def spawn(self):
        """Starts it and does not wait."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def start(self):
        self.spawn()
        self.wait_until_served()
        return self

    def wait_until_served(self):
        def is_served():
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} ended with {self.process.returncode}")
            try:
                return self.call("GetStatus")
            except (OSError, EOFError):
                return None

        return wait_until(is_served, f"{self.name} serves its socket")

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        os.kill(self.process.pid, number)

    def freeze(self):
        freeze(self.process.pid)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def terminate(self, deadline=PATIENCE):
        """SIGTERM; returns the exit status."""
        self.signal(signal.SIGTERM)
        return self.process.wait(deadline)

    def end(self):
        if not self.is_running:
            return
        self.signal(signal.SIGCONT)
        try:
            self.terminate(PROMPT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not stop within {PROMPT} s") from None

    def restart(self):
        self.kill()
        return self.start()

    def connect(self, timeout=PATIENCE):
        """A connection that is closed at the test's end."""
        connection = Varlink(self.socket, timeout)
        self.case.addCleanup(connection.close)
        return connection

    def call(self, method, **parameters):
        with Varlink(self.socket) as connection:
            return connection.call(method, **parameters)

    def log_text(self):
        return self.log.read_text(errors="replace")

    @property
    def port(self):
        return self.call("GetStatus")["port"]

    # What others do with it.

    def command_line(self, *arguments):
        return [str(self.build / "baton"), *map(str, arguments)]

    @property
    def environment(self):
        return {**os.environ, "BATON_SOCKET": str(self.socket)}

    def baton(self, *arguments, input=b"", status=0, timeout=60):
        """Runs `baton`, expects the status, and returns its output (bytes)."""
        result = subprocess.run(
            self.command_line(*arguments), env=self.environment, input=input, capture_output=True, timeout=timeout
        )
        if result.returncode != status:
            raise AssertionError(
                f"baton {' '.join(map(str, arguments))} on {self.name}: status {result.returncode}, not {status}\n"
                f"{result.stdout[:2000]!r}\n{result.stderr[:2000]!r}"
            )
        self.last_error = result.stderr.decode(errors="replace")
        return result.stdout

    def json(self, *arguments, **options):
        return json.loads(self.baton(*arguments, "--json", **options))

    def spawn_baton(self, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        """Starts `baton`, ended at the test's end."""
        return self.case.spawn(
            self.command_line(*arguments), env=self.environment, stdin=stdin, stdout=stdout, stderr=stderr
        )

    def offers(self, **filters):
        return self.call("ListOffers", **filters)["offers"]

    def offer_titles(self):
        return sorted(offer.get("title") or "" for offer in self.offers())

    def publish(self, activity_type="org.example.notes", **members):
        """Makes an activity current over a connection of its own: (connection, id)."""
        connection = self.connect()
        connection.more("BecomeCurrent", activity={"activityType": activity_type, **members})
        reply = connection.receive()
        self.case.assertEqual(reply["event"], "current")
        return connection, reply["id"]

    def wait_for_current(self, title, deadline=PATIENCE):
        """Returns the ID of root's activity. After a restart, others still list what was offered before."""

        def current():
            activity = self.call("GetStatus").get("current") or {}
            return activity.get("title") == title and activity["id"]

        return wait_until(current, f"{title!r} is current on {self.name}", deadline)

    def wait_for_offer(self, activity, deadline=PATIENCE):
        def offer():
            return next((offer for offer in self.offers() if offer["id"] == activity), None)

        return wait_until(offer, f"{self.name} sees {activity}", deadline)

    def wait_until_not_offered(self, activity, deadline=PATIENCE):
        def is_gone():
            return all(offer["id"] != activity for offer in self.offers())

        wait_until(is_gone, f"{activity} leaves the list of {self.name}", deadline)

    def wait_for_sessions(self, count=1, deadline=PATIENCE):
        def has_them():
            return self.call("GetStatus")["sessions"] == count

        wait_until(has_them, f"{self.name} has {count} sessions", deadline)

    def wait_for_log(self, text, count=1, deadline=PATIENCE):
        wait_until(lambda: self.log_text().count(text) >= count, f"{text!r} in the log of {self.name}", deadline)

    def status_of_process(self, key):
        """A line of /proc/PID/status."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith(key + ":"))


class LabTest(TestCase):
    """A test with a directory of its own, daemons, and their logs where it fails."""

    maxDiff = 4000
    # The labs that the tests of a class need.
    labs = ("lo", "pair", "lan")

    def run(self, result=None):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="baton-test."))
        self.logs = []
        failed = len(result.failures) + len(result.errors)
        try:
            super().run(result)
            if len(result.failures) + len(result.errors) > failed:
                self.show_logs()
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        return result

    def setUp(self):
        if LAB not in self.labs or not HOSTS:
            self.skipTest(f"needs the lab {' or '.join(self.labs)}")

    def show_logs(self):
        for log in self.logs:
            if log.exists():
                print(f"--- {log.name} of {self.id()}", file=sys.stderr)
                print("\n".join(log.read_text(errors="replace").splitlines()[-60:]), file=sys.stderr)

    def host(self, number):
        """The lab's host of this number; on `lo` there is only one."""
        return HOSTS[number % len(HOSTS)]

    def instances(self, number):
        """The names that a host's Avahi sees of all daemons."""
        command = on(self.host(number), "avahi-browse", "--terminate", "--parsable", "_baton._tcp")
        lines = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
        return {line.split(";")[3] for line in lines if line.startswith("+")}

    def wait_until_none_is_announced(self, number):
        """What the test before announced is heard of for a second after it."""
        wait_until(lambda: not self.instances(number), "nobody is announced", interval=0.2)

    def batond(self, name, number=0, arguments=(), **options):
        """A daemon on host `number`, which is not started."""
        return Batond(self, self.host(number), name, self.directory, arguments, **options)

    def spawn(self, command, **options):
        """A process that is killed at the test's end where it still runs."""
        process = subprocess.Popen([str(word) for word in command], **options)

        def end():
            if process.poll() is None:
                process.kill()
                process.wait(PATIENCE)
            for file in (process.stdin, process.stdout, process.stderr):
                if file:
                    file.close()

        self.addCleanup(end)
        return process

    def make_team(self, first, *others, name="Demo"):
        """A team of running daemons, with sessions between all. Returns its ID."""
        team = first.json("team", "create", name)["team"]["id"]
        for other in others:
            other.baton("team", "join", first.json("team", "invite", "--team", team)["code"])
        for daemon in (first, *others):
            daemon.wait_for_sessions(len(others))
        return team

    def admit_by_files(self, first, *others):
        """The same without a network: none learns where the first is."""
        for other in others:
            other.baton("team", "import", input=first.baton("team", "approve", input=other.baton("team", "request")))

    def two(self):
        """Two daemons of one team, on two hosts where there are two, with a session."""
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        self.make_team(laptop, desktop)
        return laptop, desktop

    def open_stream(self, origin, receiver, timeout=PATIENCE):
        """The two sockets that are the ends of a stream, and what each daemon calls it."""
        connection, activity = origin.publish(title="S", supportsContinuationStreams=True)
        receiver.wait_for_offer(activity)
        receiver.call("Continue", id=activity)
        opener = receiver.connect(timeout)
        opener.send("OpenStream", {"activity": activity}, upgrade=True)
        requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        accepted, early, near = origin.connect(timeout).upgrade("AcceptStream", stream=requested["stream"])
        opened = opener.receive()
        self.assertEqual((early, opener.buffer), (b"", b""))
        return near, opener.socket, (accepted["stream"], opened["stream"])

    def cut(self, *daemons):
        """Every TCP connection between the daemons is reset."""
        for daemon in daemons:
            ports = f"( sport = :{daemon.port} or dport = :{daemon.port} )"
            subprocess.run(on(daemon.host, "ss", "-K", "-t", ports), capture_output=True, timeout=PATIENCE)

    def wait_for_exit(self, process, status=0, deadline=PATIENCE):
        self.assertEqual(process.wait(deadline), status)

    def assertFails(self, reason, call, *arguments, **parameters):
        """The call fails with the interface's error and this reason."""
        with self.assertRaises(VarlinkError) as caught:
            call(*arguments, **parameters)
        self.assertEqual(caught.exception.name, INTERFACE + ".Failed")
        self.assertEqual(caught.exception.reason, reason)
