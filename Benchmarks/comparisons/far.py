# SPDX-License-Identifier: Apache-2.0
"""A stream, a transfer, and what is interactive beside a stream, on a long wire with and without loss."""
import contextlib
import json
import os
import pathlib
import subprocess
import time

from comparisons import routes
from comparisons.machines import Machines, Refused, benchmark, in_turns
from comparisons.results import Rounds, Samples

TITLE = "Far away"
BUFFER = 64 << 20
# The seconds after which a transfer is given up.
PATIENCE = 60
# The round trip in ms at which waits are measured.
INTERACTIVE_DELAY = 40
SYSCTLS = {
    "net.ipv4.tcp_rmem": f"4096 131072 {BUFFER}",
    "net.ipv4.tcp_wmem": f"4096 16384 {BUFFER}",
}
SETTINGS = (
    "Benchmarks/wire.c between two network namespaces; its queue holds what passes in one round trip, at least 256 KiB; "
    + ", ".join(f"{name}={value!r}" for name, value in SYSCTLS.items()) + " in both"
)


class Iperf:
    """TCP without anything else: what the wire gives."""

    name = "iperf3"
    settings = "iperf3, one connection, with the same buffers; the data that arrives in the second half of the time"
    port = 5201

    def __init__(self, machines):
        self.machines = machines

    def start(self):
        """Each measurement starts a server of its own."""

    def rate(self, seconds):
        """Bytes per second, as the server sees them: the client counts what it has in its buffers, too."""
        server = self.machines.spawn(
            self.machines.on(1, "iperf3", "-s", "-1", "-J", "-i", "0.1", "-p", self.port), stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL)
        routes.Route.wait_for_port(self, 1, self.port)
        client = subprocess.run(
            self.machines.on(0, "iperf3", "-c", self.machines.address(1), "-p", self.port, "-t", round(seconds)),
            capture_output=True, text=True, timeout=seconds + 60)
        if client.returncode != 0:
            raise Refused(client.stderr.strip())
        parts = [part["sum"] for part in json.loads(server.communicate(timeout=60)[0])["intervals"]]
        late = [part for part in parts if part["start"] >= seconds / 2 and part["seconds"] > 0.05]
        return sum(part["bytes"] for part in late) / sum(part["seconds"] for part in late)


KINDS = (routes.Baton, routes.SSH, routes.TCP, Iperf)


class Wire:
    """Steers the wire of the lab."""

    def __init__(self, options):
        self.rate = options.rate
        self.file = pathlib.Path(os.environ["LAB_DIR"], "wire")

    def set(self, round_trip, loss):
        queue = max(256 * 1024, int(round_trip / 1000 * self.rate * 1e6 / 8))
        self.file.write_text(f"delay={round_trip / 2} loss={loss} rate={self.rate} queue={queue if self.rate else 0}\n")
        # It reads the file every 50 ms.
        time.sleep(0.2)


def labs(options):
    yield ["pair"], {"LAB_WIRE": os.environ.get("BENCH_WIRE", "")}, None


def settings(options):
    speed = f"{options.rate} Mbit/s" if options.rate else "as fast as it can"
    return {kind.name: kind.settings for kind in KINDS} | {
        "wire": f"{speed}; {SETTINGS}; net.ipv4.tcp_congestion_control={options.congestion}"}


def prepare(machines, options):
    for number, interface in enumerate(("va", "vb")):
        congestion = {"net.ipv4.tcp_congestion_control": options.congestion}
        for name, value in {**SYSCTLS, **congestion}.items():
            # The new network has this machine's default, and the kernel lets it change to few others.
            if subprocess.run(machines.on(number, "sysctl", "-n", name), capture_output=True, text=True).stdout.strip() != value:
                subprocess.run(machines.on(number, "sysctl", "-qw", f"{name}={value}"), check=True)
        # The wire drops what exceeds its queue; the device before it does not.
        subprocess.run(machines.on(number, "ip", "link", "set", interface, "txqueuelen", "10000"), check=True)


def measure(options, progress, part):
    streams = Rounds("A stream at full speed", "MB/s", "The data that arrives in the second half of 3 s (quick: 2 s), or of 30 round trips if they take longer.")
    transfers = Rounds("A transfer", "s", f"Less is better. Transfers are abandoned after {PATIENCE} s.")
    wire = Wire(options)
    for round_trip in options.delays:
        with connected(options, progress, wire, round_trip, KINDS[:3] if options.quick else KINDS) as contestants:
            for loss in options.losses:
                wire.set(round_trip, loss)
                case = f"{round_trip} ms, {loss}% loss"
                seconds = (2 if options.quick else 3) if round_trip <= 100 else 30 * round_trip / 1000

                def once(route, number):
                    if isinstance(route, Iperf):
                        streams.add(route.name, route.rate(round(seconds)) / 1e6, case)
                        return
                    found = benchmark("throughput", *route.arguments, "--seconds", seconds)
                    streams.add(route.name, found["lateBytesPerSecond"] / 1e6, case)
                    for size in options.transfers:
                        found = benchmark("throughput", *route.arguments, "--bytes", size, "--limit", PATIENCE)
                        transfers.add(route.name, found["seconds"], f"{size >> 20} MiB, {case}")

                for name, why in in_turns(progress, case, contestants, options.rounds, once).items():
                    streams.fail(name, why, case)
    with connected(options, progress, wire, INTERACTIVE_DELAY, KINDS[:3]) as contestants:
        waits = measure_waits(options, progress, contestants)
    return [result for result in (streams, transfers, *waits) if result.values]


@contextlib.contextmanager
def connected(options, progress, wire, round_trip, kinds):
    """All contestants, whose connections have never known another round trip: TCP would expect it for 10 s more (BBR)."""
    wire.set(round_trip, 0)
    with Machines() as machines:
        prepare(machines, options)
        yield routes.start(progress, machines, kinds)


def measure_waits(options, progress, contestants):
    """A byte there and back, and a continuation, alone and next to a full stream."""
    echoes = Samples(f"Round trip of a byte over a second stream, at {INTERACTIVE_DELAY} ms", "ms")
    continuations = Samples(f"`continue` at {INTERACTIVE_DELAY} ms", "ms")
    rounds = 1 if options.quick else options.rounds
    samples = max(20, options.samples // 5 // rounds) if not options.quick else 20
    for case, arguments in (("idle", []), ("next to a full stream", ["--beside", 1 if options.quick else 3])):

        def once(route, number):
            found = benchmark("echo", *route.arguments, "--rounds", samples, *arguments)
            for value in found["echo"]:
                echoes.add(route.name, value * 1000, case)
            if isinstance(route, routes.Baton):
                found = benchmark("latency", *route.arguments, "--rounds", samples, *arguments)
                for value in found["continued"]:
                    continuations.add(route.name, value * 1000, case)

        for name, why in in_turns(progress, f"waits, {case}", contestants, rounds, once).items():
            echoes.fail(name, why, case)
    return echoes, continuations
