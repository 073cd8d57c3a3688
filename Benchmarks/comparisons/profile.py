# SPDX-License-Identifier: Apache-2.0
"""Where the CPU time of a stream goes, for the sender and the receiver, and how many system calls they make."""
import collections

from comparisons import calls, perf, routes
from comparisons.machines import Machines, benchmark, in_turns
from comparisons.places import PLACES, place
from comparisons.processes import processor_time, tree
from comparisons.results import Matrix, Parts

TITLE = "Profile"
MODES = {"one stream": [], "16 streams": ["--streams", 16]}
KINDS = (routes.Baton, routes.SSH, routes.Stunnel)
SIDES = ("sends", "receives")
WHOLE = "all"


def labs(options):
    yield ["lo"], {}, None


def settings(options):
    return {kind.name: kind.settings for kind in KINDS} | {
        "bytes of a transfer": options.size,
        "each round": (
            "a transfer each for the CPU time (clock_getcpuclockid), for its shares (perf record -e cpu-clock -F 999 -g), "
            "and for the system calls (perf record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit)"),
    }


class Profile:
    """The figures of one number of streams."""

    def __init__(self, options, directory, mode, arguments):
        self.directory, self.arguments, self.size = directory, arguments, options.size
        self.names = calls.names()
        self.times = Parts(
            f"CPU time, {mode}", "s/GB", "Seconds per GB. Each part is a median, so they don't add up exactly.")
        self.calls = Matrix(
            f"System calls, {mode}", "calls/GB", "Calls per GB, and the bytes of each that moves data.")

    def once(self, route, number):
        ends = [tree(processes) for processes in route.ends]
        every = [process for end in ends for process in end]
        columns = [f"{route.name} {side}" for side in SIDES]
        # All of the round, or nothing.
        times, gigabytes = self.measured_times(route)
        shares = self.measured_shares(route, ends, every)
        counts, traced = self.measured_calls(route, ends, every)
        for column, seconds, share, count in zip(columns, times, shares, counts):
            for row in PLACES:
                self.times.add(column, share[row] * seconds / gigabytes, row)
            self.times.add(column, seconds / gigabytes, WHOLE)
            for row, value in call_rows(count, traced):
                self.calls.add(column, value, row)

    def transfer(self, route):
        return benchmark("throughput", *route.arguments, "--bytes", self.size, *self.arguments)["bytes"] / 1e9

    def measured_times(self, route):
        before = [processor_time(processes) for processes in route.ends]
        gigabytes = self.transfer(route)
        return [processor_time(processes) - was for processes, was in zip(route.ends, before)], gigabytes

    def measured_shares(self, route, ends, every):
        with perf.Recording(self.directory / "samples", every, perf.SAMPLES) as recording:
            self.transfer(route)
        found = [collections.Counter() for _ in ends]
        for process, frames in recording.samples():
            found[process not in ends[0]][place(frames)] += 1
        return [{row: count[row] / max(1, count.total()) for row in PLACES} for count in found]

    def measured_calls(self, route, ends, every):
        recording = perf.Recording(self.directory / "calls", every, perf.CALLS)
        descriptors = calls.Descriptors(every)
        with recording, descriptors:
            gigabytes = self.transfer(route)
        counts = [calls.Count(calls.UNIX), calls.Count(calls.NETWORK)]
        for process, number, descriptor, result in calls.finished(recording.calls()):
            kind = descriptors.kinds.get((process, descriptor))
            counts[process not in ends[0]].add(self.names.get(number, ""), kind, result)
        return counts, gigabytes

    def fail(self, name, why):
        for side in SIDES:
            for result in (self.times, self.calls):
                result.fail(f"{name} {side}", why, WHOLE)


def call_rows(count, gigabytes):
    yield "reads of data", count.calls["reads"] / gigabytes
    yield "kB of each read", count.size("reads") / 1000
    yield "writes of data", count.calls["writes"] / gigabytes
    yield "kB of each write", count.size("writes") / 1000
    yield "reads and writes the other way", count.calls["back"] / gigabytes
    yield "reads and writes that move nothing", count.calls["empty"] / gigabytes
    yield "waits (epoll_wait, poll)", count.calls["waits"] / gigabytes
    yield "futex", count.calls["futexes"] / gigabytes
    yield "others", count.calls["others"] / gigabytes
    yield WHOLE, count.calls.total() / gigabytes


def measure(options, progress, part):
    found = []
    with Machines() as machines:
        contestants = routes.start(progress, machines, KINDS)
        for mode, arguments in MODES.items():
            profile = Profile(options, machines.directory, mode, arguments)
            for name, why in in_turns(progress, mode, contestants, options.rounds, profile.once).items():
                profile.fail(name, why)
            found += [profile.times, profile.calls]
    return found
