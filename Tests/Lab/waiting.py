# SPDX-License-Identifier: Apache-2.0
"""Waiting in Python tests: for a condition, with a deadline, and for nothing longer than a test may take."""
import signal
import time
import unittest

# The time limit, in seconds, of anything that does not have its own limit. It is long, because this machine may be
# busy.
PATIENCE = 30


class Deadline(AssertionError):
    """What a test waited for did not happen in time."""


def wait_until(condition, what, deadline=PATIENCE, interval=0.01):
    """Returns the condition's first true value. Raises Deadline after this many seconds, which says `what` was awaited.

    What changes meanwhile is said by a function, which is called at the end.

    Each check takes processor time that other tests need, so what takes long is checked less often.
    """
    start = time.monotonic()
    while not (value := condition()):
        passed = time.monotonic() - start
        if passed > deadline:
            raise Deadline(f"{what() if callable(what) else what}: not within {deadline} s; last value {value!r}")
        time.sleep(max(interval, min(passed / 10, 0.1)))
    return value


class TestCase(unittest.TestCase):
    """A test that is interrupted if it hangs, whatever it waits for."""

    # In seconds: more than any test takes. Each cleanup step of an interrupted test gets as much time.
    time_limit = 300

    def run(self, result=None):
        def interrupt(*_):
            raise Deadline(f"It hangs: {self.time_limit} s have passed")

        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, self.time_limit, self.time_limit)
        try:
            return super().run(result)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
