# SPDX-License-Identifier: Apache-2.0
"""What other numbers of machines would take, computed from what was measured."""

COUNTS = [10_000, 100_000]
# A machine advertises after 0.8 to 1 of the period.
IDLE_PAUSE, USED_PAUSE = 0.9 * 300, 0.9 * 30


def computed(figures, machines):
    """[(question, how it is computed, unit, name, [(n, value)])]. `machines` were measured."""
    connections, adverts = figures["Connections"], figures["Adverts of 640 bytes, each to 9 others"]
    base = connections["server memory without clients, MB"]
    memory = connections["server memory per client, kB"] / 1000
    idle = connections["CPU use while idle, % of one processor"] / 100 / machines
    arrival = connections["CPU time of a handshake with its tokens, ms"]
    arrival += connections["CPU time of an arrival: 2 subscriptions, an advert and its answers, ms"]

    def rows(name, value):
        return name, [(n, value(n)) for n in COUNTS]

    yield "Memory of a server", "Memory without clients + n × memory per client.", "MB", *rows("server", lambda n: base + n * memory)
    cost = adverts["CPU time of an advert, ms"] / 1000
    length = adverts["bytes of an advert on the wire"]
    for name, pause in (("all idle", IDLE_PAUSE), ("all in use", USED_PAUSE)):
        yield ("Adverts", "n / 270 s, and n / 27 s if each machine in use changes its activity every 30 s.", "a second",
               *rows(name, lambda n, pause=pause: n / pause))
        yield ("CPU use", "n × CPU share of an idle client + adverts a second × CPU time of an advert.", "% of one processor",
               *rows(name, lambda n, pause=pause: n * (idle + cost / pause) * 100))
        yield ("Traffic", "Adverts a second × bytes per advert, each of which comes in once and goes out nine times.", "Mbit/s",
               *rows(name, lambda n, pause=pause: n / pause * length * 8 / 1e6))
    yield ("Minimum time until all are back after a restart", "n × CPU time of a handshake and an arrival, on one processor.",
           "s", *rows("server", lambda n: n * arrival / 1000))
