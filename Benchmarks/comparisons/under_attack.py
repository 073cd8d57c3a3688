# SPDX-License-Identifier: Apache-2.0
"""How long a person waits while somebody attacks, against how long without."""
from comparisons.programs import printed

TITLE = "Under attack"


def settings(options):
    return {"program": "Benchmarks/under-attack"}


def run(options, progress):
    progress.say("Benchmarks/under-attack")
    # 1 says that a ratio exceeds its goal, which the table shows.
    return [printed("A continuation next to attacks", "under-attack", options.rounds, expected=(0, 1))]
