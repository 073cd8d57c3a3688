# SPDX-License-Identifier: Apache-2.0
"""Draws the results of a table as one SVG file, with Matplotlib, which brings some 50 packages."""
import importlib.util
import statistics

from comparisons.results import Curve, Figures, Parts, Rounds, Samples, quantile

COLOURS = ["#1f5fa8", "#c8553d", "#6a9a3b", "#8a5a9e", "#c99a2e", "#4aa3a3", "#777777"]

# One for each part of a bar.
SHADES = [
    "#1f5fa8", "#4c86c6", "#86b0dd", "#b9d3ee", "#d9e4f0", "#c8553d", "#e39a88", "#c99a2e", "#e3c67e", "#6a9a3b",
    "#a5c585", "#8a5a9e", "#999999"]


def can_draw():
    return importlib.util.find_spec("matplotlib") is not None


def draw(path, title, results):
    import matplotlib
    matplotlib.use("Agg")
    # The same figures make the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "baton", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10})
    from matplotlib import pyplot
    drawn = [result for result in results if type(result) in DRAWING and any(result.values.values())]
    if not drawn:
        return
    heights = [height(result) for result in drawn]
    figure, axes = pyplot.subplots(
        len(drawn), 1, figsize=(8, sum(heights)), gridspec_kw={"height_ratios": heights}, squeeze=False, layout="constrained")
    figure.suptitle(title)
    for result, ax in zip(drawn, axes[:, 0]):
        ax.set_title(result.question, loc="left")
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        DRAWING[type(result)](ax, result)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def bars(result):
    """(label, contestant, values) from the top down."""
    for case, contestants in result.values.items():
        for name, values in contestants.items():
            if values:
                yield (f"{case}: {name}" if case else name), name, values


def height(result):
    if isinstance(result, Parts):
        return 0.9 + 0.3 * len(result.columns()) + 0.12 * len(result.values)
    return 3.2 if isinstance(result, Curve) else 0.9 + 0.24 * len(list(bars(result)))


def colours(result):
    names = list(dict.fromkeys(name for _, name, _ in bars(result)))
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}


def draw_bars(ax, result, middle, low, high):
    items, by_name = list(bars(result)), colours(result)
    for place, (_, name, values) in enumerate(items):
        value = middle(values)
        ax.barh(place, value, color=by_name[name], height=0.7)
        ax.plot([low(values), high(values)], [place, place], color="black", linewidth=1)
    ax.set_yticks(range(len(items)), [label for label, _, _ in items])
    ax.invert_yaxis()
    ax.set_xlabel(result.unit)


def draw_rounds(ax, result):
    draw_bars(ax, result, statistics.median, min, max)


def draw_samples(ax, result):
    draw_bars(ax, result, statistics.median, min, lambda values: quantile(values, 0.99))
    # The bars begin nowhere on a scale without 0.
    for bar, (_, name, values) in zip(list(ax.patches), bars(result)):
        bar.set_visible(False)
        ax.plot(statistics.median(values), bar.get_y() + bar.get_height() / 2, "o", color=colours(result)[name])
    ax.set_xscale("log")
    ax.set_xlabel(f"{result.unit}: p50, with a line from the minimum to p99")


def spread(result):
    """By how much the greatest value exceeds the least."""
    values = [value for contestants in result.values.values() for pairs in contestants.values() for _, value in pairs if value > 0]
    return max(values) / min(values) if values else 1


def draw_curve(ax, result):
    for number, (label, key) in enumerate((f"{case}: {name}" if case else name, (case, name)) for case, name in result.names()
                                          if result.values.get(case, {}).get(name)):
        points, trend = result.medians(*key), result.trend_text(*key)
        label += f" ({trend})" if trend else ""
        ax.plot(*zip(*points), marker="o", markersize=3, label=label, color=COLOURS[number % len(COLOURS)])
    ax.set_xscale("log" if all(line.get_xdata()[0] > 0 for line in ax.get_lines()) else "symlog")
    if spread(result) > 100:
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlabel("n")
    ax.set_ylabel(result.unit)
    ax.legend(frameon=False)


def draw_parts(ax, result):
    """One bar for each contestant, of the medians of its parts."""
    names = result.columns()
    *parts, _ = result.values
    ends = [0] * len(names)
    for number, part in enumerate(parts):
        values = [statistics.median(result.values[part].get(name, [0])) for name in names]
        ax.barh(range(len(names)), values, left=ends, height=0.7, label=part, color=SHADES[number % len(SHADES)])
        ends = [end + value for end, value in zip(ends, values)]
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlabel(result.unit)
    ax.legend(frameon=False, fontsize=7, ncols=2, loc="upper center", bbox_to_anchor=(0.4, -0.2))


DRAWING = {Rounds: draw_rounds, Samples: draw_samples, Figures: draw_rounds, Curve: draw_curve, Parts: draw_parts}
