# SPDX-License-Identifier: Apache-2.0
"""Whether new programs are worse than old ones, from rounds in which both took turns. These are pure functions.

Each round gives one ratio, new to old. What disturbs the machine for a while affects both, so the ratios vary less than the
figures. The result is their median. Its noise is two standard errors of a median, from the median absolute deviation, which
a few disturbed rounds don't change. All of this is done with logarithms, so that it doesn't matter what is divided by what.
"""
import dataclasses
import math
import statistics

# What is worse by more than this, beyond the noise, is a failure.
TOLERANCE = 1.05
LEAST_ROUNDS = 3
# The standard deviation of normal values, for a median absolute deviation of 1; and what a median varies more than a mean.
DEVIATION, MEDIAN = 1.4826, math.sqrt(math.pi / 2)


@dataclasses.dataclass
class Verdict:
    # New to old, and the factor by which that may be off in both directions.
    ratio: float
    noise: float
    is_worse: bool


def verdict(old, new, more_is_better=False):
    """About the figures of the same rounds. With fewer than three rounds nothing is worse, because the noise is unknown."""
    logarithms = [math.log(b / a) for a, b in zip(old, new) if a > 0 and b > 0]
    if not logarithms:
        return Verdict(math.nan, math.nan, False)
    middle = statistics.median(logarithms)
    deviation = statistics.median(abs(value - middle) for value in logarithms)
    noise = 2 * DEVIATION * MEDIAN * deviation / math.sqrt(len(logarithms))
    worsening = (-middle if more_is_better else middle) - noise
    return Verdict(
        math.exp(middle), math.exp(noise), len(logarithms) >= LEAST_ROUNDS and worsening > math.log(TOLERANCE))
