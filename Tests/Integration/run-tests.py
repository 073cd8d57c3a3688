#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run-tests.py DIRECTORY MODULE...: runs the tests of the modules in the lab around it.

The last line is `PASSED FAILED SKIPPED LEFT`, in numbers. LEFT is how many tests this ring leaves out (Tests/long-ring). A class's
tests that are for another lab are left out, too, and not counted.
"""
import os
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, sys.argv[1])
import lab  # noqa: E402
import ring  # noqa: E402

# The area's name in Tests/long-ring.
AREA = {"Integration": "integration", "Everyday": "everyday"}[pathlib.Path(sys.argv[1]).name]


def processor_time():
    """What this process and those that it has waited for have used, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Result(unittest.TextTestResult):
    """One line for each test, with its time; stops nothing."""

    def startTest(self, test):
        self.began = time.monotonic(), processor_time()
        self.outcome = "passed "
        self.reason = ""
        super().startTest(test)

    def addFailure(self, test, error):
        self.outcome = "FAILED "
        super().addFailure(test, error)

    def addError(self, test, error):
        self.outcome = "FAILED "
        super().addError(test, error)

    def addSkip(self, test, reason):
        self.outcome = "skipped"
        self.reason = f": {reason}"
        super().addSkip(test, reason)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.outcome = "FAILED "
        super().addSubTest(test, subtest, error)

    def stopTest(self, test):
        duration, used = time.monotonic() - self.began[0], processor_time() - self.began[1]
        print(f"{self.outcome} {lab.LAB:4} {test.id()} ({duration:.1f} s, {used:.1f} of CPU){self.reason}", flush=True)
        super().stopTest(test)


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        elif lab.LAB in getattr(test, "labs", (lab.LAB,)):
            yield test


def main():
    found = list(tests_of(unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])))
    kept = [test for test in found if not ring.is_left_out(AREA, test.id(), lab.LAB)]
    suite = unittest.TestSuite(kept)
    runner = unittest.TextTestRunner(stream=sys.stderr, verbosity=0, resultclass=Result)
    result = runner.run(suite)
    failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
    skipped = len(result.skipped)
    print(result.testsRun - failed - skipped, failed, skipped, len(found) - len(kept), flush=True)
    return 1 if failed else 0


status = main()
sys.stderr.flush()
# A thread that hangs does not hold the others' tests up.
os._exit(status)
