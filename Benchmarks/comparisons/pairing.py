# SPDX-License-Identifier: Apache-2.0
"""Whether new programs are worse than old ones, from rounds in which both took turns. These are pure functions.

Each round gives one ratio, new to old. What disturbs the machine for a while affects both, so the ratios vary less than
the figures. The result is their median. Its noise is an interval that has the true median in 19 of 20 cases, whatever
the distribution: each ratio is above the true median with a chance of one half, so the interval goes from the k-th
lowest to the k-th highest ratio, where k comes from the binomial distribution. Of 15 rounds, it is the 4th.
"""
import dataclasses
import math
import statistics

# What is worse by more than this at the better end of the interval is a failure.
TOLERANCE = 1.05
# How often the true median may be outside of the interval. Five rounds need 0.0625, and then it goes from end to end.
DOUBT = 0.0625


@dataclasses.dataclass
class Verdict:
    # New to old, and the interval.
    ratio: float
    low: float
    high: float
    is_worse: bool


def rank(count):
    """k for so many rounds; 0 if they are too few."""
    found, chance = 0, 0.0
    for below in range(count // 2):
        chance += 2 * math.comb(count, below) / 2 ** count
        if chance > DOUBT:
            break
        found = below + 1
    return found


def verdict(old, new, more_is_better=False):
    """About the figures of the same rounds. With fewer than five, nothing is worse, because the noise is unknown."""
    ratios = sorted(b / a for a, b in zip(old, new) if a > 0 and b > 0)
    if not ratios:
        return Verdict(math.nan, math.nan, math.nan, False)
    place = rank(len(ratios))
    low, high = (ratios[place - 1], ratios[-place]) if place else (0, math.inf)
    is_worse = high < 1 / TOLERANCE if more_is_better else low > TOLERANCE
    return Verdict(statistics.median(ratios), low, high, is_worse)
