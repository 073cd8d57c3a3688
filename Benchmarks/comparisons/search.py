# SPDX-License-Identifier: Apache-2.0
"""The search index of `baton agent` with 100,000 activities, and recoll with the same texts."""
from comparisons.programs import printed

TITLE = "Search"


def settings(options):
    return {"program": "Benchmarks/search; Debian's recollcmd"}


def run(options, progress):
    progress.say("Benchmarks/search")
    return [printed("100,000 entries", "search")]
