# SPDX-License-Identifier: Apache-2.0
"""Own machines among thousands of other teams' instances, if Benchmarks/strangers is there."""
import json

from comparisons import waits
from comparisons.programs import HERE, output
from comparisons.results import Curve, Printed

TITLE = "Strangers"
COUNTS, QUICK_COUNTS = "0,125,250,500,1000,2000", "0,60,125,250"


def settings(options):
    return {"program": f"Benchmarks/strangers {' '.join(map(str, arguments(options)))}"}


def arguments(options):
    counts = QUICK_COUNTS if options.quick else COUNTS
    rounds = 1 if options.quick else options.rounds
    return ["--json", "--strangers", counts, "--rounds", rounds, "--continuations", waits.QUICK_COUNT]


def run(options, progress):
    if not (HERE / "strangers").exists():
        progress.say("there is no Benchmarks/strangers")
        return []
    progress.say("Benchmarks/strangers")
    found = json.loads(output("strangers", *arguments(options)))
    try:
        return curves(found["rows"])
    except (KeyError, TypeError):
        return [Printed("Strangers", json.dumps(found, indent=1).splitlines())]


def curves(rows):
    """Each row is about a count of strangers."""
    times = Curve("An own machine among n strangers", "s", "Until it is met, and CPU time until then.", growth="total")
    continued = waits.Waits()
    memory = Curve("Memory of the daemon among n strangers", "MB")
    for row in rows:
        n = row["strangers"]
        for seconds in row["found_seconds"]:
            times.add("met", (n, seconds))
        times.add("CPU time of batond", (n, row["daemon_cpu_seconds"]))
        times.add("CPU time of its Avahi", (n, row["avahi_cpu_seconds"]))
        memory.add("batond", (n, row["daemon_memory_bytes"] / 1e6))
        continued.add("n strangers", n, row["continue_milliseconds"])
    return [times, *continued.curves, memory]
