# SPDX-License-Identifier: Apache-2.0
"""How long `continue` takes beside something that grows."""
import time

from comparisons.results import Curve

COUNT, QUICK_COUNT = 300, 100
# A person continues what has been there for a while. Right after other work, the processors are still awake, more often
# with few machines than with many, and that alone halved the time.
PAUSE = 0.01


class Waits:
    """Two curves of the same continuations."""

    def __init__(self):
        self.curves = [
            Curve(f"A continuation next to n, {name}", "ms", "A flat curve is good.", growth="flat", share=share)
            for name, share in (("p50", 0.5), ("p99", 0.99))]

    def add(self, name, n, milliseconds):
        for curve in self.curves:
            for value in milliseconds:
                curve.add(name, (n, value))


def count(options):
    return QUICK_COUNT if options.quick else COUNT


def continuations(origin, receiver, number, settle=lambda title: None):
    """Milliseconds of each continuation of an activity of one daemon by another one. `settle` returns when all others
    have heard of the activity with this title."""
    found = []
    with receiver.connect() as connection, receiver.connect() as offers:
        offers.more("ListOffers").receive()
        for turn in range(number):
            title = f"continued-{turn}-{time.monotonic_ns()}"
            held, activity = origin.publish(title=title)
            offers.receive_until(lambda reply: any(offer["id"] == activity for offer in reply["offers"]))
            settle(title)
            found.append(continue_once(connection, activity))
            held.close()
    return found


def continue_once(connection, activity):
    """Milliseconds."""
    time.sleep(PAUSE)
    began = time.perf_counter()
    connection.call("Continue", id=activity)
    return (time.perf_counter() - began) * 1000
