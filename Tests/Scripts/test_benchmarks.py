#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks conclude from figures: exponents, flat curves, and whether new programs are worse than old."""
import json
import math
import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))
from comparisons import documents, pairing, results, standing, trends  # noqa: E402


class TrendTests(unittest.TestCase):
    def test_exponents_of_powers(self):
        for power in (0, 0.5, 1, 2):
            points = [(n, 3 * n ** power) for n in (1, 3, 10, 30, 100)]
            self.assertAlmostEqual(trends.exponent(points), power)

    def test_what_a_start_costs_does_not_count(self):
        """The upper half of the points decides."""
        points = [(n, 50 + n) for n in (1, 10, 100, 1000, 10_000, 100_000)]
        self.assertEqual(trends.dominated(points), points[3:])
        self.assertGreater(trends.exponent(points), 0.97)

    def test_no_exponent_without_points(self):
        self.assertIsNone(trends.exponent([(1, 1), (2, 2)]))
        self.assertIsNone(trends.exponent([(0, 1), (1, 0), (2, 2), (4, 4)]))
        self.assertIsNone(trends.exponent([]))
        self.assertIsNone(trends.change([(1, 1)]))

    def test_change(self):
        self.assertEqual(trends.change([(0, 2), (10, 9), (20, 3)]), 1.5)


class CurveTests(unittest.TestCase):
    def curve(self, growth, figure, **more):
        made = results.Curve("Question", "ms", growth=growth, **more)
        for n in (1, 10, 100, 1000):
            made.add("baton", (n, figure(n)))
        return made

    def test_total(self):
        self.assertEqual(self.curve("total", lambda n: n).findings(), [])
        findings = self.curve("total", lambda n: n ** 1.5).findings()
        self.assertEqual(findings, ["Question: baton: exponent 1.50, goal 1.1"])

    def test_what_is_divided_by_n(self):
        self.assertEqual(self.curve("each", lambda n: 7).trend_text("", "baton"), "exponent 1.00")
        self.assertEqual(len(self.curve("each", lambda n: n).findings()), 1)

    def test_flat(self):
        self.assertEqual(self.curve("flat", lambda n: 1 + n / 10_000).findings(), [])
        findings = self.curve("flat", lambda n: 1 + n / 1000).findings()
        self.assertEqual(findings, ["Question: baton: last to first 2.00, goal 1.2"])

    def test_without_a_goal(self):
        self.assertEqual(self.curve("", lambda n: n * n).findings(), [])
        self.assertEqual(self.curve("", lambda n: 2 * n).rows()[1][0][-1], "2.00")

    def test_quantile(self):
        made = results.Curve("Question", "ms", growth="flat", share=0.99)
        for value in range(1, 201):
            made.add("baton", (1, value))
        self.assertEqual(made.medians("", "baton"), [(1, 199)])

    def test_tables(self):
        made = self.curve("total", lambda n: n)
        self.assertIn("exponent 1.00", results.as_text(made))
        self.assertEqual(
            results.as_markdown(made), "- baton (n: ms): 1: 1.00, 10: 10.0, 100: 100, 1,000: 1,000; exponent 1.00")

    def test_a_curve_survives_its_json(self):
        made = self.curve("each", lambda n: 1 / 3)
        again = results.decoded(json.loads(documents.as_json(made.encoded())))
        self.assertEqual(again.trend_text("", "baton"), made.trend_text("", "baton"))
        self.assertEqual(
            documents.as_json({"a": [{"b": [1, 0.123456]}], "c": []}),
            '{\n "a": [\n  {\n   "b": [1, 0.1235]\n  }\n ],\n "c": []\n}\n')


class PairTests(unittest.TestCase):
    OLD = [10, 11, 10, 30, 10, 9, 10, 10, 12, 10, 10, 10, 10, 10, 10]

    def verdict(self, factor, more_is_better=False, spread=0.0, count=15):
        generator = random.Random(1)
        new = [value * factor * math.exp(generator.gauss(0, spread)) for value in self.OLD[:count]]
        return pairing.verdict(self.OLD[:count], new, more_is_better)

    def test_ranks(self):
        self.assertEqual([pairing.rank(count) for count in (0, 1, 4, 5, 9, 15)], [0, 0, 0, 1, 2, 4])

    def test_what_disturbs_both_cancels_out(self):
        found = self.verdict(1.1)
        self.assertAlmostEqual(found.ratio, 1.1)
        self.assertTrue(found.is_worse)

    def test_tolerance(self):
        self.assertFalse(self.verdict(1.04).is_worse)
        self.assertFalse(self.verdict(0.5).is_worse)
        self.assertTrue(self.verdict(0.9, more_is_better=True).is_worse)
        self.assertFalse(self.verdict(0.96, more_is_better=True).is_worse)

    def test_noise(self):
        """What could be chance is no failure, and what is much worse is one in spite of it."""
        self.assertFalse(self.verdict(1.1, spread=0.3).is_worse)
        self.assertTrue(self.verdict(2, spread=0.3).is_worse)

    def test_one_bad_round_changes_nothing(self):
        self.assertFalse(pairing.verdict(self.OLD, [*self.OLD[:-1], 1000]).is_worse)

    def test_too_few_rounds_say_nothing(self):
        self.assertFalse(self.verdict(3, count=4).is_worse)
        self.assertTrue(self.verdict(3, count=5).is_worse)
        self.assertTrue(math.isnan(pairing.verdict([], []).ratio))

    def test_table(self):
        made = results.Pairs("Question", more=["one stream, MB/s"])
        for _ in range(5):
            for side, speed, time in (("old", 100, 10), ("new", 90, 10)):
                made.add(side, speed, "one stream, MB/s")
                made.add(side, time, "list, ms")
        self.assertEqual(made.findings(), ["one stream, MB/s: new/old 0.900 (0.900–0.900)"])
        self.assertEqual([row[-1] for row in made.rows()[1]], ["worse", ""])


class StandingTests(unittest.TestCase):
    def test_ratios(self):
        rounds = results.Rounds("Speed", "MB/s", values={"": {"baton": [2, 2, 2], "ssh": [1, 1, 9]}})
        rounds.fail("scp", "no", "")
        self.assertEqual(standing.ratios([rounds]), {("Speed", "", "ssh"): 0.5})
        text = standing.as_text({"Files": (standing.ratios([rounds]), {})})
        self.assertEqual(text.splitlines()[1].split(), ["Files", "Speed", "ssh", "0.50", "–"])


if __name__ == "__main__":
    unittest.main()
