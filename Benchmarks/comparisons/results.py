# SPDX-License-Identifier: Apache-2.0
"""Results: all raw figures, and how they read as text and as Markdown."""
import re
import statistics

from comparisons import pairing, trends


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def brief(value):
    """Three significant digits."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    magnitude = abs(value)
    digits = 0 if magnitude >= 100 else 1 if magnitude >= 10 else 2 if magnitude >= 1 else 3
    return f"{value:,.{digits}f}"


class Result:
    """An answer to one question. `kind` says which."""

    def __init__(self, question, unit, note="", values=None, failures=None):
        self.question, self.unit, self.note = question, unit, note
        # {case: {contestant: [value]}}; a question without cases has the case "".
        self.values = values or {}
        # {case: {contestant: why there are no values}}
        self.failures = failures or {}

    def add(self, contestant, value, case=""):
        self.values.setdefault(case, {}).setdefault(contestant, []).append(value)

    def fail(self, contestant, why, case=""):
        self.failures.setdefault(case, {})[contestant] = why

    def findings(self):
        """What misses its goal."""
        return []

    def encoded(self):
        return {"kind": type(self).__name__, **vars(self)}

    def rows(self):
        """The head, and rows of text."""
        raise NotImplementedError

    def names(self):
        """(case, contestant) in the order in which they were measured, also of those that failed."""
        both = self.values, self.failures
        names = dict.fromkeys(name for cases in both for case in cases.values() for name in case)
        for case in dict.fromkeys([*self.values, *self.failures]):
            yield from ((case, name) for name in names if any(name in cases.get(case, {}) for cases in both))

    def cells(self, case, name, count):
        """Why there are no values; None if there are."""
        why = self.failures.get(case, {}).get(name)
        return [f"refused: {why}", *[""] * (count - 1)] if why and not self.values.get(case, {}).get(name) else None

    def labels(self, case, name):
        return [case, name] if set(self.values) | set(self.failures) != {""} else [name]

    def ratio(self, case, value, middle):
        """To what stands first in the table, which is Baton; "–" if that has no values in this case."""
        first = next((name for _, name in self.names()), None)
        values = self.values.get(case, {}).get(first)
        base = middle(values) if values else 0
        return f"{value / base:.2f}" if base else "–"


class Rounds(Result):
    """One value of each contestant in each round."""

    def rows(self):
        labels = self.labels("case", "")
        head = [*(["case", "program"] if len(labels) == 2 else ["program"]), self.unit, "min–max", "ratio"]
        rows = []
        for case, name in self.names():
            cells = self.cells(case, name, 3)
            if not cells:
                values = self.values[case][name]
                median = statistics.median(values)
                cells = [brief(median), f"{brief(min(values))}–{brief(max(values))}", self.ratio(case, median, statistics.median)]
            rows.append([*self.labels(case, name), *cells])
        return head, rows


class Samples(Result):
    """Many values of each contestant."""

    def rows(self):
        labels = self.labels("case", "")
        head = [*(["case", "program"] if len(labels) == 2 else ["program"]), "count", f"p50, {self.unit}", "p99", "min–max", "ratio"]
        rows = []
        for case, name in self.names():
            cells = self.cells(case, name, 5)
            if not cells:
                values = self.values[case][name]
                middle = quantile(values, 0.5)
                cells = [str(len(values)), brief(middle), brief(quantile(values, 0.99)),
                         f"{brief(min(values))}–{brief(max(values))}", self.ratio(case, middle, lambda base: quantile(base, 0.5))]
            rows.append([*self.labels(case, name), *cells])
        return head, rows


class Figures(Result):
    """Figures of Baton alone, each with a unit of its own at the end of its name."""

    def rows(self):
        rows = []
        for case, name in self.names():
            cells = self.cells(case, name, 2)
            if not cells:
                values = self.values[case][name]
                spread = f"{brief(min(values))}–{brief(max(values))}" if len(values) > 1 else ""
                cells = [brief(statistics.median(values)), spread]
            rows.append([name, *cells])
        return ["", self.unit or "value", "min–max"], rows


class Mixed(Figures):
    """Figures with units that no plot can have on one axis."""


class Curve(Result):
    """Values against a count n: each is a pair of n and the figure.

    `growth` says what is learnt from them: the exponent of what `total` takes, or of what is divided by n (`each`);
    whether it's `flat`; or else the slope. `share` is the quantile of the values of one n.
    """

    def __init__(self, question, unit, note="", growth="", share=0.5, values=None, failures=None):
        super().__init__(question, unit, note, values, failures)
        self.growth, self.share = growth, share

    def medians(self, case, name):
        """[(n, median)], by n; or another quantile."""
        by_count = {}
        for n, value in self.values[case][name]:
            by_count.setdefault(n, []).append(value)
        middle = statistics.median if self.share == 0.5 else lambda values: quantile(values, self.share)
        return [(n, middle(by_count[n])) for n in sorted(by_count)]

    def trend(self, case, name):
        """The exponent, or the change from the smallest to the largest n, and whether it's above the goal."""
        points = self.medians(case, name)
        if self.growth == "flat":
            found, goal = trends.change(points), trends.FLAT_GOAL
        elif self.growth:
            found, goal = trends.exponent(points), trends.EXPONENT_GOAL
            found = found + 1 if found is not None and self.growth == "each" else found
        else:
            return None, False
        return found, found is not None and found > goal

    def trend_text(self, case, name):
        found, is_above = self.trend(case, name)
        if found is None:
            return ""
        text = f"last to first {found:.2f}" if self.growth == "flat" else f"exponent {found:.2f}"
        goal = trends.FLAT_GOAL if self.growth == "flat" else trends.EXPONENT_GOAL
        return text + (f", goal {goal}" if is_above else "")

    def findings(self):
        """What is above its goal."""
        return [
            f"{self.question}: {f'{case}, ' if case else ''}{name}: {self.trend_text(case, name)}"
            for case, name in self.names() if self.values.get(case, {}).get(name) and self.trend(case, name)[1]]

    def rows(self):
        rows = []
        for case, name in self.names():
            cells = self.cells(case, name, 2)
            if not cells:
                points = self.medians(case, name)
                (first, low), (last, high) = points[0], points[-1]
                why = self.failures.get(case, {}).get(name)
                text = ", ".join(f"{n:,}: {brief(value)}" for n, value in points) + (f"; {why}" if why else "")
                slope = brief((high - low) / (last - first)) if last > first else ""
                cells = [text, self.trend_text(case, name) if self.growth else slope]
            rows.append([*self.labels(case, name), *cells])
        return [*[""] * len(self.labels("", "")), f"n: {self.unit}", "growth" if self.growth else "slope"], rows


class Pairs(Result):
    """Figures of old and new programs: {figure: {"old" or "new": [value of each round]}}. Their names have the units.

    `more` names the figures of which more is better.
    """

    def __init__(self, question, unit="", note="", more=None, values=None, failures=None):
        super().__init__(question, unit, note, values, failures)
        self.more = more or []

    def verdict(self, figure):
        found = self.values[figure]
        return pairing.verdict(found.get("old", []), found.get("new", []), figure in self.more)

    def findings(self):
        verdicts = {figure: self.verdict(figure) for figure in self.values}
        return [
            f"{figure}: new/old {verdict.ratio:.3f} ({verdict.low:.3f}–{verdict.high:.3f})"
            for figure, verdict in verdicts.items() if verdict.is_worse]

    def rows(self):
        rows = []
        for figure, found in self.values.items():
            verdict = self.verdict(figure)
            noise = f"{verdict.low:.3f}–{verdict.high:.3f}" if verdict.low > 0 else "unknown"
            middles = [brief(statistics.median(found[name])) if found.get(name) else "–" for name in ("old", "new")]
            rows.append([
                figure, *middles, f"{verdict.ratio:.3f}", noise, "worse" if verdict.is_worse else ""])
        for figure, why in self.failures.items():
            rows.append([figure, *[f"refused: {name}: {text}" for name, text in why.items()][:1], "", "", "", ""])
        return ["", "old", "new", "new/old", "noise", ""], rows


class Matrix(Result):
    """The medians of figures: a row for each, and a column for each contestant. A figure stands where a case does."""

    def rows(self):
        names = self.columns()
        cases = dict.fromkeys([*self.values, *self.failures])
        return ["", *names], [[case, *(self.cell(case, name) for name in names)] for case in cases]

    def columns(self):
        return list(dict.fromkeys(name for _, name in self.names()))

    def cell(self, case, name):
        values = self.values.get(case, {}).get(name)
        if values:
            return brief(statistics.median(values))
        why = self.failures.get(case, {}).get(name)
        return f"refused: {why}" if why else "–"


class Parts(Matrix):
    """The last row is the sum of the others."""


class Printed(Result):
    """What a program printed, in lines."""

    def __init__(self, question, lines, note="", **_):
        super().__init__(question, "", note)
        self.lines = lines


KINDS = {
    kind.__name__: kind for kind in (Rounds, Samples, Figures, Mixed, Curve, Pairs, Matrix, Parts, Printed)}


def decoded(members):
    kind = KINDS[members.pop("kind")]
    return kind(**members)


def as_text(result):
    if isinstance(result, Printed):
        return "\n".join(result.lines)
    head, rows = result.rows()
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    numbers = [column for column in range(len(head)) if all(is_figure(row[column]) for row in rows)]
    return "\n".join(
        "  ".join(cell.rjust(width) if column in numbers else cell.ljust(width)
                  for column, (cell, width) in enumerate(zip(line, widths))).rstrip()
        for line in lines)


def as_markdown(result):
    if isinstance(result, Printed):
        return "\n".join(["```", *result.lines, "```"])
    head, rows = result.rows()
    if isinstance(result, Curve):
        # Lists, because tables would be too wide.
        return "\n".join(
            f"- {', '.join(row[:-2])} (n: {result.unit}): {row[-2]}"
            + (f"; {row[-1]}" if result.growth and row[-1] else "") for row in rows)
    numbers = [column for column in range(len(head)) if all(is_figure(row[column]) for row in rows)]
    rule = ["---:" if column in numbers else "---" for column in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rows))


def is_figure(cell):
    return cell.startswith("refused") or re.fullmatch(r"[-–\d.,]*", cell) is not None
