# SPDX-License-Identifier: Apache-2.0
"""Multicast packets of networks with several machines, idle and busy, and what they take of the air on Wi-Fi."""
import itertools
import math
import threading
import time

from comparisons.machines import Machines
from comparisons.multicast import Capture, is_mdns
from comparisons.results import Curve

TITLE = "On the wire"
# The seconds until what is said at a start has been said, and between two changes of a busy user.
REST, QUICK_REST, CHANGE = 90, 2, 3
# The seconds in which a busy machine has used up what it may announce in a row.
BURST = 15
FORECAST = (10, 100, 1000)

# IEEE 802.11 OFDM at 6 Mbit/s: DIFS, the mean of 15 slots of backoff, preamble; then symbols of 4 µs with 24 bits for service
# bits, MAC header, LLC, the packet, checksum and tail bits.
DIFS, BACKOFF, PREAMBLE, SYMBOL, SYMBOL_BITS = 34, 7.5 * 9, 20, 4, 24
MAC, LLC, CHECKSUM, ETHERNET = 24, 8, 4, 14
AIR = (
    f"Air time of an Ethernet frame of L bytes: {DIFS} + {BACKOFF} + {PREAMBLE} µs + {SYMBOL} µs × ceil((22 + 8 × (L + "
    f"{MAC + LLC + CHECKSUM - ETHERNET})) / {SYMBOL_BITS}): multicast at the basic rate of 6 Mbit/s, sent once by the access point."
)
MODEL = "c + a × n + b × n², fitted to the measurements (least squares, none below 0)"


def air_time(length):
    """Microseconds."""
    bits = 22 + 8 * (length - ETHERNET + MAC + LLC + CHECKSUM)
    return DIFS + BACKOFF + PREAMBLE + SYMBOL * math.ceil(bits / SYMBOL_BITS)


def labs(options):
    for count in options.machines:
        yield ["lan", str(count)], {}, count


def settings(options):
    return {
        "network": f"{options.machines} network namespaces on one bridge, each with an Avahi and a batond; all in one team, with sessions "
                   f"between all; packets are counted at one of them for {options.window} s, {REST} s (quick: {QUICK_REST} s) after the last session began",
        "busy": f"a user's activity changes every {CHANGE} s",
        "air": AIR,
    }


class Users(threading.Thread):
    """Changes the activities on machines until the end of the `with` statement."""

    def __init__(self, daemons):
        super().__init__()
        self.daemons, self.is_over = daemons, threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join()

    def run(self):
        held, number = {}, 0
        while not self.is_over.wait(CHANGE / len(self.daemons)):
            daemon = self.daemons[number % len(self.daemons)]
            connection, _ = daemon.publish(title=f"Document {number}")
            if daemon in held:
                held[daemon].close()
            held[daemon] = connection
            number += 1


def measure(options, progress, count):
    packets = Curve("Multicast packets a minute", "packets a minute", "For all machines together, by the number of machines, n.")
    lengths = Curve("Mean packet size", "bytes", "Including the Ethernet header.")

    def add(name, wire):
        packets.add(name, (count, wire.per_minute(is_mdns)))
        if wire.mdns():
            lengths.add(name, (count, sum(wire.mdns()) / len(wire.mdns())))

    def capture(name):
        progress.say(f"{count} machines, {name}, {options.window} s")
        with Capture("eth0") as wire:
            time.sleep(options.window)
        add(name, wire)

    with Machines() as machines:
        rest = QUICK_REST if options.quick else REST
        progress.say(f"starting {count} machines")
        daemons = [machines.daemon(f"machine{number}", number) for number in range(count)]
        daemons[0].start().json("team", "create", "Benchmark")
        machines.admit(*daemons)
        for daemon in daemons:
            daemon.wait_for_sessions(count - 1, 120)
        time.sleep(rest)
        capture("Baton, idle")
        users = (("Baton, one busy machine", daemons[:1]), ("Baton, all busy", daemons))
        for name, busy in users[1:] if options.quick else users:
            with Users(busy):
                # What may be said in a row has been said by then.
                time.sleep(QUICK_REST if options.quick else BURST)
                capture(name)
    return [packets, lengths]


def fit(pairs):
    """c, a and b of the model: of all fits that leave some of them out, the closest one without negative ones."""
    import numpy
    counts, values = (numpy.array(column, float) for column in zip(*pairs))
    best, least = numpy.zeros(3), math.inf
    for size in range(1, min(3, len(set(counts))) + 1):
        for powers in itertools.combinations(range(3), size):
            terms = numpy.stack([counts ** power for power in powers], axis=1)
            found = numpy.linalg.lstsq(terms, values, rcond=None)[0]
            error = float(((terms @ found - values) ** 2).sum())
            # One more part must explain something.
            if (found >= 0).all() and error < least * 0.99:
                best, least = numpy.zeros(3), error
                best[list(powers)] = found
    return [float(part) for part in best]


def combine(options, parts):
    packets, lengths = parts[0]
    for more_packets, more_lengths in parts[1:]:
        for whole, part in ((packets, more_packets), (lengths, more_lengths)):
            for name, pairs in part.values.get("", {}).items():
                whole.values.setdefault("", {}).setdefault(name, []).extend(pairs)
    sites = Curve("Multicast packets a minute at a site", "packets a minute", f"Computed: {MODEL}.")
    air = Curve("Wi-Fi air time at a site", "percent", AIR)
    for name, pairs in packets.values.get("", {}).items():
        if len(pairs) < 2:
            # One size says nothing about others.
            return [packets, lengths]
        c, a, b = fit(pairs)
        length = max((value for _, value in lengths.values.get("", {}).get(name, [])), default=0)
        for n in FORECAST:
            count = c + a * n + b * n * n
            sites.add(name, (n, count))
            air.add(name, (n, count / 60 * air_time(length) / 1e6 * 100))
        sites.note += f" {name}: c = {c:.3g}, a = {a:.3g}, b = {b:.3g}."
    return [packets, lengths, sites, air]
