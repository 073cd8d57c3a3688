# SPDX-License-Identifier: Apache-2.0
"""The daemons and programs of a benchmark, in a lab (Tests/Lab/avahi-lab). They end with the `with` statement."""
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
LAB_DIRECTORY = ROOT / "Tests/Lab"
sys.path.append(str(ROOT / "Tests/Integration"))
from lab import BUILD, HOSTS, LAB, PATIENCE, LabTest, on, wait_until  # noqa: E402, F401

CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """A program said why it does not do what it was asked."""


class Damaged(Exception):
    """Other bytes arrived than were sent. Such a program has no figures."""


class Machines(LabTest):
    """Makes what the integration tests make, outside of a test."""

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="bench."))
        self.logs = []
        return self

    def __exit__(self, kind, *_):
        if kind not in (None, KeyboardInterrupt):
            self.show_logs()
        self.doCleanups()
        shutil.rmtree(self.directory, ignore_errors=True)

    def daemon(self, name, number=0, arguments=(), build=BUILD):
        """A daemon on host `number`, which is not started. Its log has only what is wrong."""
        return self.batond(name, number, arguments=["--log-level", "warning", *arguments], build=build)

    def admit(self, first, *others):
        """Lets others, which do not run yet, into the team of the first one. Then they start, as machines do that are
        switched on, and look for each other."""
        for other in others:
            other.arguments.append("--no-discovery")
            other.spawn()
        for other in others:
            other.wait_until_served()
        self.admit_by_files(first, *others)
        for other in others:
            other.signal(signal.SIGTERM)
        for other in others:
            other.process.wait(PATIENCE)
            other.arguments.remove("--no-discovery")
            other.spawn()
        for other in others:
            other.wait_until_served()

    def address(self, number):
        return {"lo": "127.0.0.1", "pair": f"10.77.0.{number % 2 + 1}", "lan": f"10.77.0.{number + 2}"}[LAB]

    def on(self, number, *command):
        return on(self.host(number), *command)

    def spawn_on(self, number, *command, **options):
        """A program on host `number`, with a log that is shown if the benchmark fails."""
        path = self.directory / f"{pathlib.Path(str(command[0])).name}-{len(self.logs)}.log"
        self.logs.append(path)
        with open(path, "wb") as log:
            options = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, **options}
            return self.spawn(on(self.host(number), *command), **options)


def inside(host):
    """A function for `preexec_fn` that moves a process to a host of the lab, without a shell that takes time."""
    if LAB == "lo":
        return None
    path = f"/run/netns/{host}".encode()

    def move():
        descriptor = os.open(path, os.O_RDONLY)
        if libc.setns(descriptor, CLONE_NEWNET):
            os._exit(99)
        os.close(descriptor)

    return move


def bus_of(host):
    """The environment of a process on a host of the lab."""
    return {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={os.environ['LAB_DIR']}/{host}/bus"}


def benchmark(*arguments, timeout=1200):
    """What the program `benchmark` (Benchmarks/Benchmark) measures."""
    done = subprocess.run(
        [str(BUILD / "benchmark"), *map(str, arguments)], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    if done.returncode == os.EX_DATAERR:
        raise Damaged(done.stderr.strip())
    if done.returncode != 0:
        raise Refused(done.stderr.strip().removeprefix("benchmark: ") or f"benchmark ended with {done.returncode}")
    return json.loads(done.stdout)


def in_turns(progress, question, contestants, rounds, measure):
    """Measures each contestant once in each round. One that refuses is left out from then on, and `measure` is told."""
    refused = {}
    for number in range(rounds):
        for contestant in contestants:
            if contestant.name in refused:
                continue
            progress.say(f"{question}: round {number + 1} of {rounds}, {contestant.name}")
            try:
                measure(contestant, number)
            except Refused as error:
                refused[contestant.name] = str(error)
                progress.say(f"{question}: {contestant.name} refuses: {error}")
    return refused
