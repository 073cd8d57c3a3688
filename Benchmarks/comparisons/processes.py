# SPDX-License-Identifier: Apache-2.0
"""What processes take: CPU time, memory, threads and wake-ups, from proc(5)."""
import contextlib
import os
import pathlib
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")
# clock_getcpuclockid(3), which Python does not have.
CPUCLOCK_SCHED = 2


def tree(roots):
    """The processes, and all that descend from them."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, left = [], list(roots)
    while left:
        process = left.pop()
        found.append(process)
        left.extend(children.get(process, []))
    return found


def processor_time(roots):
    """Seconds of the processes, and of their descendants, also of those that have ended and were waited for."""
    total = 0
    for process in tree(roots):
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            # The process's own clock is exact, and proc(5) counts in ticks of 10 ms.
            total += time.clock_gettime(~process << 3 | CPUCLOCK_SCHED) + sum(map(int, fields[13:15])) / TICK
    return total


def memory(process):
    """Rss, Pss and Anonymous (what the process has written, such as its heap) in MB of 10^6 bytes."""
    lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) * 1024 / 1e6 for name in ("Rss", "Pss", "Anonymous")}


def threads(process):
    return len(os.listdir(f"/proc/{process}/task"))


class WakeUps:
    """Counts how often the threads of a process have waited, in the `with` statement.

    The kernel counts by thread, and forgets those that have ended. Dispatch's threads end after some idle seconds, so this looks
    more often.
    """

    INTERVAL = 0.5

    def __init__(self, process):
        self.process = process
        self.count, self.seen, self.is_over = 0, {}, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.seen = self.counts()
        self.began = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        self.look()
        self.per_minute = self.count * 60 / (time.monotonic() - self.began)

    def watch(self):
        while not self.is_over.wait(self.INTERVAL):
            self.look()

    def look(self):
        now = self.counts()
        self.count += sum(count - self.seen.get(name, 0) for name, count in now.items())
        self.seen = now

    def counts(self):
        found = {}
        for task in pathlib.Path(f"/proc/{self.process}/task").iterdir():
            with contextlib.suppress(OSError):
                lines = (task / "status").read_text().splitlines()
                found[task.name] = next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
        return found
