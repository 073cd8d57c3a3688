# SPDX-License-Identifier: Apache-2.0
"""One stream, both directions at the same time, and 16 streams, from Unix socket to Unix socket on one machine."""
from comparisons import routes
from comparisons.machines import Machines, benchmark, in_turns
from comparisons.results import Rounds

TITLE = "Throughput"
LABS = [["lo"]]
MODES = {
    "one stream": [],
    "both directions": ["--both"],
    "16 streams": ["--streams", 16],
}
KINDS = (routes.Baton, routes.SSH, routes.Stunnel, routes.SocatTLS, routes.TCP)


def labs(options):
    yield ["lo"], {}, None


def settings(options):
    return {kind.name: kind.settings for kind in KINDS} | {"bytes of a transfer": options.size}


def measure(options, progress, part):
    rates = Rounds("Bytes a second", "MB/s", "More is better. Both directions and all streams count together.")
    costs = Rounds("CPU time of both relays", "s/GB", "Less is better.")
    with Machines() as machines:
        contestants = routes.start(progress, machines, KINDS)
        for mode, arguments in MODES.items():

            def once(route, number):
                before = route.processor_time()
                measured = benchmark("throughput", *route.arguments, "--bytes", options.size, *arguments)
                rates.add(route.name, measured["bytesPerSecond"] / 1e6, mode)
                costs.add(route.name, (route.processor_time() - before) / measured["bytes"] * 1e9, mode)

            for name, why in in_turns(progress, mode, contestants, options.rounds, once).items():
                rates.fail(name, why, mode)
    return [rates, costs]
