# SPDX-License-Identifier: Apache-2.0
"""How long it takes until a program that is started has answered, or has ended."""
import contextlib
import os
import subprocess
import time

from comparisons.machines import bus_of, inside
from comparisons.processes import memory

TRUE = "/bin/true"
# The seconds in which what just started comes to rest. After two, batond and the agent give back what only the start needed.
REST = 3


class Starts:
    """Starts of one batond, with a state directory of its own and without a team."""

    def __init__(self, machines, name, build):
        self.daemon = machines.daemon(name, build=build)
        # The first time, it makes its keys.
        self.once()
        self.end()

    def once(self):
        """Seconds from fork to its first answer. It stays until `end`."""
        return until_answer(self.daemon)

    def end(self):
        self.daemon.terminate()

    def memory(self):
        """Of one that has just started and has come to rest."""
        time.sleep(REST)
        return memory(self.daemon.process.pid)


def until_answer(daemon):
    """Seconds from fork to its first answer. Not through the shell of the lab, which takes longer than the daemon."""
    began = time.perf_counter()
    with open(daemon.log, "ab") as log:
        daemon.process = subprocess.Popen(
            [str(word) for word in daemon.command()[2:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=bus_of(daemon.host), preexec_fn=inside(daemon.host))
    while True:
        with contextlib.suppress(OSError, EOFError):
            daemon.call("GetStatus")
            return time.perf_counter() - began
        if not daemon.is_running:
            raise AssertionError(f"{daemon.name} ended with {daemon.process.returncode}")
        time.sleep(0.0002)


def run(command, environment=None):
    """Seconds from fork to exit."""
    began = time.perf_counter()
    subprocess.run(
        [str(word) for word in command], env=environment, check=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def forget(path):
    """The file leaves the page cache, unless a process runs it."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
