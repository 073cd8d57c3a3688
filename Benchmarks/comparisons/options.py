# SPDX-License-Identifier: Apache-2.0
"""What `bench` was asked for."""
import argparse
import dataclasses
import json
import os
import pathlib

MEBIBYTE = 1 << 20


@dataclasses.dataclass
class Options:
    tables: list
    quick: bool
    rounds: int
    # Bytes of one transfer, in each table with transfers.
    size: int
    # Samples of each latency.
    samples: int
    # Round trips in ms, percent of loss, and Mbit/s of the wire of `far`.
    delays: list
    losses: list
    rate: int
    congestion: str
    # Bytes of each transfer over that wire.
    transfers: list
    # Machines in the networks of `wire`, and the seconds in which packets are counted there and in `footprint`.
    machines: list
    window: int
    # Of the largest index of `search`.
    entries: int
    # The old programs of `pairs`: a commit, or a folder.
    base: str

    def encoded(self):
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def decoded(cls, text):
        return cls(**json.loads(text))


def numbers(text):
    return [float(word) if "." in word else int(word) for word in text.split(",")]


def sizes(text):
    return [size(word) for word in text.split(",")]


def size(text):
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text)


def parse(description, tables, brief_tables, quick_tables):
    """Returns what to measure, and the words that say what to do with it: `json`, `output` and `document`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help="which tables (default: those of the core, with fewer rounds)")
    parser.add_argument("--full", action="store_true", help="all tables, in about two hours")
    parser.add_argument("--quick", action="store_true", help="fewer rounds of less, in five minutes")
    parser.add_argument("--json", action="store_true", help="print all results as JSON instead of tables")
    parser.add_argument("--document", action="store_true", help="also renew the tables and plots of Documentation/reference/Performance.md")
    parser.add_argument("--output", default=".build/bench", metavar="DIR", help="for JSON, Markdown and plots (default: %(default)s)")
    parser.add_argument(
        "--rounds", type=int,
        help="rounds in which all take turns (default: 5; quick or without tables: 3; with --base: 15)")
    parser.add_argument("--size", type=size, metavar="BYTES", help="bytes of a transfer, such as 2G (default: 2G; quick: 256M)")
    parser.add_argument("--samples", type=int, help="samples of each latency (default: 1000; quick: 100)")
    parser.add_argument("--delays", type=numbers, metavar="MS,...", help="round trips of `far` (default: 5,40,80,150; quick: 40)")
    parser.add_argument("--losses", type=numbers, metavar="PERCENT,...", help="losses of `far` (default: 0,0.5)")
    parser.add_argument("--rate", type=int, metavar="MBIT", help="speed of the wire of `far`; 0 is unlimited (default: 1000)")
    parser.add_argument("--transfers", type=sizes, metavar="BYTES,...", help="transfers of `far` (default: 64M; quick: none)")
    parser.add_argument("--congestion", help="congestion control of `far` (default: this machine's); the kernel must allow it to all users")
    parser.add_argument("--machines", type=numbers, metavar="N,...", help="sizes of the networks of `wire` (default: 2,5,10,20; quick: 3)")
    parser.add_argument("--window", type=int, metavar="SECONDS", help="how long packets are counted (default: 60; quick: 5)")
    parser.add_argument(
        "--entries", type=int, metavar="N", help="entries that `search` saves (default: 1000000; quick: 10000)")
    parser.add_argument(
        "--base", default="", metavar="COMMIT",
        help="compare with the programs of a commit, or of a folder, in about 5 minutes; the status is 1 if the "
        "present ones are worse")
    words = parser.parse_args()
    unknown = [name for name in words.tables if name not in tables]
    if unknown:
        parser.error(f"there is no table {unknown[0]}; choose from {', '.join(tables)}")
    if words.base and (words.tables or words.full or words.document):
        parser.error("--base takes no tables")
    if os.geteuid() != 0:
        parser.exit(1, "bench: this needs root, for network devices of its own\n")

    is_brief = not (words.tables or words.full or words.quick or words.document or words.base)

    def chosen(given, full, quick, brief=None, base=None):
        """What is given, or else what is usual for this kind of run."""
        if given is not None:
            return given
        short = quick if words.quick else brief if is_brief else base if words.base else None
        return full if short is None else short

    options = Options(
        tables=["pairs"] if words.base else words.tables or (
            quick_tables if words.quick else brief_tables if is_brief else tables),
        quick=words.quick or is_brief,
        rounds=chosen(words.rounds, 5, 5 if words.base else 3, brief=3, base=15),
        size=chosen(words.size, 2048 * MEBIBYTE, 256 * MEBIBYTE, brief=512 * MEBIBYTE, base=256 * MEBIBYTE),
        samples=chosen(words.samples, 1000, 100, brief=300),
        delays=chosen(words.delays, [5, 40, 80, 150], [40]),
        losses=chosen(words.losses, [0, 0.5], [0, 0.5]),
        rate=chosen(words.rate, 1000, 1000),
        transfers=chosen(words.transfers, [64 * MEBIBYTE], []),
        congestion=words.congestion or pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip(),
        machines=chosen(words.machines, [2, 5, 10, 20], [3]),
        window=chosen(words.window, 60, 5, brief=5),
        entries=chosen(words.entries, 1_000_000, 10_000),
        base=words.base,
    )
    return options, words
