#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run-test.py TEST: one test, in the namespaces around it (Scripts/run-faults). The last line is `PASSED FAILED SKIPPED`."""
import os
import pathlib
import subprocess
import sys
import time
import traceback
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# Failures that are shown in full.
SHOWN = 3


class Result(unittest.TestResult):
    """Says what has failed, at once."""

    def tell(self, test, error):
        number = len(self.failures) + len(self.errors)
        text = "".join(traceback.format_exception(*error)) if number < SHOWN else f"{error[1]}\n"
        lines = text.splitlines()
        print(f"FAILED   {test}", *(f"         {line}" for line in lines[-40:]), sep="\n", flush=True)

    def addFailure(self, test, error):
        self.tell(test, error)
        super().addFailure(test, error)

    def addError(self, test, error):
        self.tell(test, error)
        super().addError(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            self.tell(subtest, error)
        super().addSubTest(test, subtest, error)


def main(name):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    result = Result()
    began = time.monotonic()
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    test = next(iter(suite), None)
    suite.run(result)
    took = time.monotonic() - began
    failed = len(result.failures) + len(result.errors)
    for _, reason in result.skipped:
        print(f"skipped  {name}: {reason}")
    points = getattr(test, "points", 0)
    count = f"{points} points, " if points else ""
    if failed or not result.skipped:
        print(f"{'FAILED ' if failed else 'passed '}  {name} ({count}{f'{failed} failed, ' if failed else ''}{took:.1f} s)")
    print(int(not failed and not result.skipped), int(failed > 0), int(bool(result.skipped and not failed)), flush=True)
    return int(failed > 0)


status = main(sys.argv[1])
sys.stdout.flush()
# A thread that hangs holds nothing up.
os._exit(status)
