# SPDX-License-Identifier: Apache-2.0
"""How the ratios to Baton stand, beside those in Benchmarks/results, which the document shows. Pure functions."""
import statistics

from comparisons import results


def ratios(found):
    """{(question, case, contestant): ratio to Baton} of the results of a table."""
    middles = {results.Rounds: statistics.median, results.Samples: lambda values: results.quantile(values, 0.5)}
    answer = {}
    for result in found:
        middle = middles.get(type(result))
        first = next((name for _, name in result.names()), "")
        for case, name in result.names() if middle and is_baton(first) else ():
            base, values = (result.values.get(case, {}).get(who) for who in (first, name))
            if not is_baton(name) and base and values and middle(base):
                answer[result.question, case, name] = middle(values) / middle(base)
    return answer


def is_baton(name):
    return name.startswith("baton") and not name.startswith("batond")


def as_text(tables):
    """Lines about {title: (ratios now, documented ratios)}."""
    rows = [
        (title, question, case, name, f"{ratio:.2f}", f"{documented[key]:.2f}" if key in documented else "–")
        for title, (now, documented) in tables.items() for key, ratio in now.items() for question, case, name in [key]]
    rows.insert(0, ("", "", "", "ratio to Baton", "now", "documented"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:4], widths)),
                   *(cell.rjust(width) for cell, width in zip(row[4:], widths[4:]))]).rstrip() for row in rows)
