# SPDX-License-Identifier: Apache-2.0
"""Old and new programs in turn, and whether the new ones are worse: what `make bench BASE=` runs."""
import os
import pathlib
import statistics

from comparisons import files, pairing, routes, starts
from comparisons.machines import BUILD, Machines, Refused, benchmark
from comparisons.results import Pairs, quantile
from comparisons.throughput import MODES

TITLE = "Old and new programs"
SIDES = ("old", "new")
# In each round.
STARTS, LISTS, FILES, FILE_SIZE = 5, 20, 1000, 16384
# A sample of p99 needs more than a hundred.
SAMPLES = 200


def labs(options):
    yield ["lo"], {"BATON_BUILD": os.environ.get("BENCH_STRIPPED", "")}, None


def settings(options):
    return {
        "old": options.base,
        "turns": f"{options.rounds} rounds, in each of which both take turns: old, new, old, new",
        "noise": f"an interval that has the median in 19 of 20 cases (comparisons/pairing.py); worse is what is worse "
        f"by more than {100 * (pairing.TOLERANCE - 1):.0f}% at both of its ends",
        "programs": "stripped, as installed; what acts as the apps (Benchmarks/Benchmark) is the same for both",
        "bytes of a transfer": options.size,
        "a file": f"of {options.size // 4:,} bytes; and {FILES:,} of {FILE_SIZE:,} bytes in one sending",
    }


class Side:
    """Two daemons with a session, two agents, and a daemon that only starts and ends."""

    def __init__(self, machines, name, build):
        self.name = name
        folder = machines.directory / name
        folder.mkdir()
        self.build = build
        self.route = routes.Baton(machines, folder)
        self.sender = files.Baton(machines, folder)
        for part in (self.route, self.sender):
            part.build, part.prefix = build, f"{name}-"
        self.route.start()
        self.sender.start(self.route)
        self.starts = starts.Starts(machines, f"{name}-starting", build)
        self.environment = {**os.environ, "BATON_SOCKET": str(self.route.daemons[1].socket)}


class Rounds:
    def __init__(self, options, progress, machines):
        self.options, self.progress, self.machines = options, progress, machines
        self.pairs = Pairs("New programs and old ones", "", "More MB/s are better; less of everything else.")
        builds = dict(zip(SIDES, (os.environ["BENCH_STRIPPED_BASE"], BUILD)))
        self.sides = [Side(machines, name, pathlib.Path(build)) for name, build in builds.items()]
        self.sources = self.make_files()

    def make_files(self):
        block = os.urandom(FILE_SIZE)
        one, many = self.machines.directory / "one", self.machines.directory / "many"
        with open(one, "wb") as file:
            for _ in range(self.options.size // 4 // len(block)):
                file.write(block)
        many.mkdir()
        for number in range(FILES):
            (many / f"{number:04}.dat").write_bytes(block)
        return {"one file, s": one, f"{FILES:,} files, s": many}

    def measure(self):
        parts = (self.throughput, self.latency, self.files, self.start, self.list)
        for number in range(self.options.rounds):
            for part in parts:
                self.progress.say(f"round {number + 1} of {self.options.rounds}: {part.__name__}")
                for side in self.sides:
                    try:
                        for figure, value in part(side):
                            self.pairs.add(side.name, value, figure)
                    except Refused as error:
                        self.pairs.fail(side.name, str(error), part.__name__)
        self.pairs.more = [figure for figure in self.pairs.values if figure.endswith("MB/s")]
        return [self.pairs]

    def throughput(self, side):
        for mode, arguments in MODES.items():
            before = side.route.processor_time()
            measured = benchmark("throughput", *side.route.arguments, "--bytes", self.options.size, *arguments)
            yield f"{mode}, MB/s", measured["bytesPerSecond"] / 1e6
            yield f"{mode}, CPU s/GB", (side.route.processor_time() - before) / measured["bytes"] * 1e9

    def latency(self, side):
        found = benchmark("latency", *side.route.arguments, "--rounds", SAMPLES, "--pause", 2)
        for figure, key in (("an offer is listed", "listed"), ("continue", "continued")):
            for name, share in (("p50", 0.5), ("p99", 0.99)):
                yield f"{figure}, {name}, ms", quantile(found[key], share) * 1000

    def files(self, side):
        for figure, source in self.sources.items():
            yield figure, files.send(self.machines, side.sender, source)

    def start(self, side):
        seconds = []
        for number in range(STARTS):
            seconds.append(side.starts.once())
            if number == STARTS - 1:
                found = side.starts.memory()
            side.starts.end()
        yield "start of batond until it answers, ms", statistics.median(seconds) * 1000
        yield "memory of batond alone, PSS, MB", found["Pss"]
        yield "memory of batond alone, anonymous, MB", found["Anonymous"]

    def list(self, side):
        laptop, desktop = side.route.daemons
        held, activity = laptop.publish(title="A")
        desktop.wait_for_offer(activity)
        command = [side.build / "baton", "list"]
        yield "baton list, ms", statistics.median(starts.run(command, side.environment) for _ in range(LISTS)) * 1000
        held.close()


def measure(options, progress, part):
    with Machines() as machines:
        return Rounds(options, progress, machines).measure()
