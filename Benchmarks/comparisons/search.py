# SPDX-License-Identifier: Apache-2.0
"""The search index of `baton agent` after up to 1,000,000 entries were saved, and recoll with the same texts."""
import itertools
import random
import time

from comparisons import waits
from comparisons.entries import Connection, entry, queries, texts, words
from comparisons.files import Baton
from comparisons.machines import Machines
from comparisons.processes import memory, processor_time
from comparisons.programs import printed
from comparisons.results import Curve

TITLE = "Search"
COUNTS = (1000, 3000, 10_000, 30_000, 100_000, 200_000, 500_000, 1_000_000)
# The agent takes entries of one app at a time.
CALL, APPLICATIONS = 64, 20
# Of each kind.
QUERIES = 100


def labs(options):
    yield ["lo"], {}, "growth"
    if not options.quick:
        yield ["lo"], {}, "recoll"


def settings(options):
    return {
        "program": "Benchmarks/search; Debian's recollcmd",
        "n entries": f"up to {options.entries:,}, {CALL} in a call, of {APPLICATIONS} apps; one of two agents has "
        "them, and keeps as many of the newest as IndexLimits allows",
    }


class Growth:
    def __init__(self, options, progress, machines):
        self.options, self.progress = options, progress
        self.saving = Curve("Saving n entries in all", "s", growth="total")
        self.searching = Curve("Searching among n entries, p50", "ms", "A flat curve is good.", growth="total")
        self.memory = Curve("Memory of the agent with n entries", "MB", "Anonymous")
        self.size = Curve("Files of the index with n entries", "MB", growth="total")
        self.kept = Curve("How many of n entries the index keeps", "entries")
        self.waits = waits.Waits()
        self.baton = Baton(machines, machines.directory)
        self.baton.start()
        self.agent = self.baton.processes[-2]
        self.connection = Connection(self.baton.sending["BATON_SEARCH_SOCKET"])
        self.vocabulary, _ = words(random.Random(1))

    def measure(self):
        known, seconds, cost, all_texts = 0, 0, 0, texts(self.options.entries)
        for n in (n for n in COUNTS if n <= self.options.entries):
            self.progress.say(f"{n:,} entries")
            before = processor_time([self.agent])
            while known < n:
                part = [entry(*text) for text in itertools.islice(all_texts, min(CALL, n - known))]
                began = time.perf_counter()
                self.connection.call("Index", application=f"app{known // 1024 % APPLICATIONS}", entries=part)
                seconds += time.perf_counter() - began
                known += len(part)
            cost += processor_time([self.agent]) - before
            self.saving.add("time", (n, seconds))
            self.saving.add("CPU time of the agent", (n, cost))
            self.memory.add("agent", (n, memory(self.agent)["Anonymous"]))
            status = self.connection.call("GetStatus")
            self.size.add("files", (n, status["size"] / 1e6))
            self.kept.add("entries", (n, status["entries"]))
            for kind, calls in queries(self.connection, self.vocabulary, n, QUERIES).items():
                for call in calls:
                    began = time.perf_counter()
                    call()
                    self.searching.add(kind, (n, (time.perf_counter() - began) * 1000))
            number = waits.count(self.options)
            self.waits.add("n entries that were saved", n, waits.continuations(*self.baton.daemons, number))
        return [self.saving, self.searching, *self.waits.curves, self.memory, self.size, self.kept]


def measure(options, progress, part):
    if part == "recoll":
        progress.say("Benchmarks/search")
        return [printed("100,000 entries", "search")]
    with Machines() as machines:
        return Growth(options, progress, machines).measure()
