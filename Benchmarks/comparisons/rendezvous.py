# SPDX-License-Identifier: Apache-2.0
"""What nats-server and strelaysrv take where machines meet: each client, advert, restart, failure and session."""
from comparisons.programs import parsed
from comparisons.results import Curve, Mixed

TITLE = "Rendezvous and relay"


def settings(options):
    return {
        "program": "Benchmarks/rendezvous" + (" --quick" if options.quick else "") + ", repeated as often as stated above",
        "servers": "Debian's; nats-server with the configuration of `baton rendezvous create --organization`, in the cluster "
                   "with a loopback address for each server",
        "clients": "simulated in Python, with TLS, tokens, subjects, adverts and pauses as batond has them; they share the "
                   "processors with the servers",
        "memory": "VmRSS and, for the maximum, VmHWM (proc(5))",
        "wire": "all bytes on the loopback interface, with acknowledgements",
    }


def run(options, progress):
    groups, sizes = {}, {}
    # One run takes twenty minutes.
    for number in range(1 if options.quick else 2):
        progress.say(f"Benchmarks/rendezvous, run {number + 1}")
        found = parsed("rendezvous", "--json", *(["--quick"] if options.quick else []))
        add(found, groups, sizes)
    return [*groups.values(), *sizes.values()]


def add(found, groups, sizes):
    machines = found["machines"]
    for question, figures in found["figures"].items():
        note = "" if question.startswith("Relay") else f"{machines:,} clients in {found['teams']} teams."
        table = groups.setdefault(question, Mixed(question, "", note))
        for name, value in figures.items():
            table.add(name, value)
    for question, how, unit, name, points in found["computed"]:
        curve = sizes.setdefault(question, Curve(f"{question}, for n machines in teams of ten", unit, f"Computed: {how}"))
        for point in points:
            curve.add(name, tuple(point))
