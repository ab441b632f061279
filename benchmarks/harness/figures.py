"""Medians, spreads and ratios, as tables and plots show them."""

import math
from statistics import median


def times(line):
    return [run["time"] for run in line["runs"]]


def ratios(line, base):
    """Times of the same round, one over the other. A difference of two runs that are too short can be no time at all: not counted."""
    return [a / b for a, b in zip(times(line), times(base)) if a > 0 and b > 0]


def short(value):
    """Three digits, without an exponent."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{min(max(digits, 0), 4)}f}"


def spread(values):
    """Median (min..max)."""
    if not values:
        return ""
    middle, low, high = short(median(values)), short(min(values)), short(max(values))
    return middle if low == high else f"{middle} ({low}..{high})"


def groups(lines):
    """Each of our lines with the lines that are compared with it; at the end, with None, those that have none here."""
    ours = [line for line in lines if not line.get("beside")]
    for base in ours:
        yield base, [line for line in lines if base["name"] in line.get("beside", ())]
    names = {line["name"] for line in ours}
    if left := [line for line in lines if line.get("beside") and not names.intersection(line["beside"])]:
        yield None, left


def peers(lines):
    return [line for line in lines if not line.get("is_bound")]


def name_beside(line, base):
    """A line's name without what it has in common with ours: `sox, 10 bands` beside `aubench, 10 bands` is `sox`."""
    return line["name"].removesuffix(base["name"].removeprefix("aubench")) if base else line["name"]
