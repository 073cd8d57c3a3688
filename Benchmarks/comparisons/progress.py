# SPDX-License-Identifier: Apache-2.0
"""Says on standard error what is being measured."""
import os
import sys
import time


class Progress:
    def __init__(self, table):
        self.table = table
        # The clock of the whole run, which the labs share.
        self.began = float(os.environ.setdefault("BENCH_BEGAN", str(time.monotonic())))

    def say(self, what):
        print(f"[{time.monotonic() - self.began:5.0f} s] {self.table}: {what}", file=sys.stderr, flush=True)
