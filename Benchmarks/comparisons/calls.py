# SPDX-License-Identifier: Apache-2.0
"""The system calls of relays: how many of each kind, and how many bytes each moves."""
import collections
import contextlib
import os
import pathlib
import re
import subprocess
import threading

READS = {"read", "readv", "pread64", "preadv", "preadv2", "recvfrom", "recvmsg", "recvmmsg"}
WRITES = {"write", "writev", "pwrite64", "pwritev", "pwritev2", "sendto", "sendmsg", "sendmmsg", "sendfile", "splice"}
WAITS = {"poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2"}
FUTEXES = {"futex", "futex_wait", "futex_waitv", "futex_wake", "futex_requeue"}
UNIX, NETWORK = "Unix", "network"


def names():
    """{number: name} of this machine's system calls."""
    text = subprocess.run(["cc", "-E", "-dM", "-x", "c", "-include", "sys/syscall.h", "/dev/null"],
                          check=True, capture_output=True, text=True).stdout
    return {int(number): name for name, number in re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.M)}


def finished(events):
    """(process, number, first argument, result) of each call of which both ends were recorded."""
    begun = {}
    for thread, process, begins, number, value in events:
        if begins:
            begun[thread] = number, value
        elif begun.get(thread, (None,))[0] == number:
            yield process, number, begun.pop(thread)[1], value


class Count:
    """The calls of one side of a relay. It reads the data from `source` and writes it to the other kind of socket."""

    def __init__(self, source):
        self.source = source
        self.calls, self.bytes = collections.Counter(), collections.Counter()

    def add(self, name, kind, result):
        """- kind: Of the call's descriptor: `UNIX`, `NETWORK`, or None for others."""
        what = self.kind(name, kind, result)
        self.calls[what] += 1
        self.bytes[what] += max(0, result)

    def kind(self, name, kind, result):
        if name in WAITS:
            return "waits"
        if name in FUTEXES:
            return "futexes"
        if kind is None or name not in READS | WRITES:
            return "others"
        if result <= 0:
            return "empty"
        is_read = name in READS
        if is_read == (kind == self.source):
            return "reads" if is_read else "writes"
        return "back"

    def size(self, what):
        """The mean bytes of a call."""
        return self.bytes[what] / self.calls[what] if self.calls[what] else 0


class Descriptors:
    """What the descriptors of processes are, in the `with` statement: the streams' sockets come and go."""

    INTERVAL = 0.05

    def __init__(self, processes):
        self.processes = processes
        self.kinds, self.is_over = {}, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def watch(self):
        while not self.is_over.wait(self.INTERVAL):
            for process in self.processes:
                with contextlib.suppress(OSError):
                    self.look(process)

    def look(self, process):
        network = {line.split()[9] for name in ("tcp", "tcp6") for line in table(process, name)}
        local = {line.split()[6] for line in table(process, "unix")}
        for entry in os.scandir(f"/proc/{process}/fd"):
            with contextlib.suppress(FileNotFoundError):
                if match := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry.path)):
                    kind = NETWORK if match[1] in network else UNIX if match[1] in local else None
                    if kind:
                        self.kinds[process, int(entry.name)] = kind


def table(process, name):
    path = pathlib.Path(f"/proc/{process}/net/{name}")
    return path.read_text().splitlines()[1:] if path.exists() else []
