# SPDX-License-Identifier: Apache-2.0
"""From a key that somebody types to what it shows, in a tmux session on another machine, through Baton and through ssh."""
from comparisons.programs import parsed
from comparisons.results import Samples

TITLE = "Keys"


def settings(options):
    return {"programs": "Benchmarks/keys: `baton terminal share` and `baton continue`, and `ssh -t HOST tmux attach`, over loopback"}


def run(options, progress):
    progress.say("Benchmarks/keys")
    keys = Samples("From a key press to its echo", "ms")
    for name, seconds in parsed("keys", options.samples, "--json").items():
        for value in seconds:
            keys.add(name, value * 1000)
    return [keys]
