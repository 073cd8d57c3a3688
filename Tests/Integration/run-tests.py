#!/usr/bin/env python3
"""run-tests.py DIRECTORY MODULE...: runs the tests of the modules in the lab around it.

The last line is `PASSED FAILED SKIPPED`, in numbers. A class's tests that are for another lab are left out.
"""
import os
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, sys.argv[1])
import lab  # noqa: E402


class Result(unittest.TextTestResult):
    """One line for each test, with its time; stops nothing."""

    def startTest(self, test):
        self.began = time.monotonic()
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
        duration = time.monotonic() - self.began
        print(f"{self.outcome} {lab.LAB:4} {test.id()} ({duration:.1f} s){self.reason}", flush=True)
        super().stopTest(test)


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        elif lab.LAB in getattr(test, "labs", (lab.LAB,)):
            yield test


def main():
    suite = unittest.TestSuite(tests_of(unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])))
    runner = unittest.TextTestRunner(stream=sys.stderr, verbosity=0, resultclass=Result)
    result = runner.run(suite)
    failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
    skipped = len(result.skipped)
    print(result.testsRun - failed - skipped, failed, skipped, flush=True)
    return 1 if failed else 0


status = main()
sys.stderr.flush()
# A thread that hangs does not hold the others' tests up.
os._exit(status)
