# SPDX-License-Identifier: Apache-2.0
"""How a figure grows with a count n: pure functions of points (n, figure), which are sorted by n."""
import math

# No cost grows faster than n with this exponent.
EXPONENT_GOAL = 1.1
# What doesn't depend on n is at most so many times as much with the largest n as with the smallest.
FLAT_GOAL = 1.2
LEAST_POINTS = 3


def dominated(points):
    """The points where n dominates: the upper half of those above 0, but no fewer than three."""
    positive = [(n, value) for n, value in points if n > 0 and value > 0]
    return positive[-max(LEAST_POINTS, math.ceil(len(positive) / 2)):]


def exponent(points):
    """The slope of log(figure) over log(n), by least squares; None with fewer than three points."""
    logarithms = [(math.log(n), math.log(value)) for n, value in dominated(points)]
    if len(logarithms) < LEAST_POINTS:
        return None
    middle_x, middle_y = (sum(values) / len(logarithms) for values in zip(*logarithms))
    square = sum((x - middle_x) ** 2 for x, _ in logarithms)
    return sum((x - middle_x) * (y - middle_y) for x, y in logarithms) / square if square else None


def change(points):
    """The figure with the largest n, divided by that with the smallest; None without two points."""
    return points[-1][1] / points[0][1] if len(points) > 1 and points[0][1] else None
