# SPDX-License-Identifier: Apache-2.0
"""What processes take, and how much of a processor they may take."""
import contextlib
import os
import pathlib
import time

# clock_getcpuclockid(3), which Python does not have.
CPUCLOCK_SCHED = 2


def processor_time(process):
    return time.clock_gettime(~process << 3 | CPUCLOCK_SCHED)


def memory(process):
    """Resident, now and at most, in MB of 10^6 bytes."""
    fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines())
    return tuple(int(fields[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))


def loopback_bytes():
    line = next(line for line in pathlib.Path("/proc/net/dev").read_text().splitlines() if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


class Load:
    """The CPU time of a process: all of it, and the most in a second."""

    def __init__(self, process):
        self.process, self.peak, self.samples = process, 0, []
        self.began = self.look()

    def look(self):
        now, used = time.monotonic(), processor_time(self.process)
        self.samples = [sample for sample in self.samples if now - sample[0] < 1.3] + [(now, used)]
        first, before = self.samples[0]
        if now - first > 0.95:
            self.peak = max(self.peak, (used - before) / (now - first))
        return used

    @property
    def total(self):
        return self.look() - self.began


@contextlib.contextmanager
def share_of_a_processor(share):
    """Yields a function that gives a process no more than this share; None if this machine has no control groups for it."""
    name, period = f"baton-benchmark-{os.getpid()}-{time.monotonic_ns()}", 100_000
    quota = int(period * share)
    # Version 1 and 2.
    for root, settings in (("cpu", {"cpu.cfs_period_us": period, "cpu.cfs_quota_us": quota}), ("", {"cpu.max": f"{quota} {period}"})):
        group = pathlib.Path("/sys/fs/cgroup") / root / name
        try:
            group.mkdir()
            for file, value in settings.items():
                with open(group / file, "r+") as setting:
                    setting.write(f"{value}")
            break
        except OSError:
            with contextlib.suppress(OSError):
                group.rmdir()
    else:
        yield None
        return
    try:
        yield lambda process: (group / "cgroup.procs").write_text(f"{process}")
    finally:
        with contextlib.suppress(OSError):
            group.rmdir()
