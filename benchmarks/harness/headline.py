"""The chart of the README: the fastest way of each program for three kinds of work, beside aubench."""

import json
from html import escape
from statistics import median

from harness.figures import groups, ratios, short, times
from harness.plot import FASTER, GRID, INK, SLOWER, line, svg

PROGRAMS = {"sox": "SoX", "ffmpeg": "FFmpeg", "pedalboard": "pedalboard"}
# Case, our line, and the work in words.
WORKS = (
    ("stems", "aubench, 2 threads", "16 stereo stems of {seconds:g} s, each through 10 equalizer bands, into one mix; two cores"),
    ("batch", "aubench, best", "{files} files of 5 s: 3 equalizer bands, a gain, 44.1 to 48 kHz; two cores"),
    ("rate", "aubench, best, 1 thread", "{minutes:g} minutes of stereo from 44.1 to 48 kHz; one core"),
)
LABELS, BARS, ROW, HEAD = 300, 300, 18, 50
DIM = "#5a626c"


def write_headline(folder):
    """`headline.svg` in a folder of results; nothing where a case or a program is missing."""
    paths = [folder / f"{case}.json" for case, _, _ in WORKS]
    if not all(path.exists() for path in paths):
        return
    results = [json.loads(path.read_text()) for path in paths]
    works = [work(result, ours, words) for result, (_, ours, words) in zip(results, WORKS)]
    if all(len(bars) == 1 + len(PROGRAMS) for _, bars in works):
        (folder / "headline.svg").write_text(chart(works, results))


def work(result, ours, words):
    """The words for the work, and bars (label, seconds, ratios): aubench first, then the fastest line of each program."""
    base, lines = next((base, lines) for base, lines in groups(result["lines"]) if base and base["name"] == ours)
    files = base.get("check", {}).get("files")
    found = [(label(base, "aubench"), times(base), [1.0])]
    for word, name in PROGRAMS.items():
        own = [line for line in lines if line["name"].split(",")[0] == word and ratios(line, base)]
        if own:
            fastest = min(own, key=lambda line: median(ratios(line, base)))
            found.append((label(fastest, name), times(fastest), ratios(fastest, base)))
    return words.format(seconds=result["seconds"], minutes=result["seconds"] / 60, files=files), found


def label(line, name):
    """With the way that it ran and, of a conversion alone, the level of its mirror images: a fast converter may be a bad one."""
    way = ", ".join([name, *line["name"].split(", ")[1:]]).removesuffix(", 1 thread")
    check = line.get("check", {})
    return way + (f" (images −{-check['image dB']:.0f} dB)" if "image dB" in check and "files" not in check else "")


def chart(works, results):
    longest = 1.04 * max(max(found) for _, bars in works for _, _, found in bars)

    def x(ratio):
        return LABELS + BARS * ratio / longest

    marks = [
        '<text x="8" y="20" font-size="15" font-weight="bold">Time for the same work, as a multiple of aubench\'s</text>',
        f'<text x="8" y="38" fill="{DIM}">Shorter is faster. Of each program the fastest way that was tried. Images: the highest mirror image of a tone, lower is cleaner.</text>',
    ]
    y = HEAD
    for words, bars in works:
        marks.append(f'<text x="8" y="{y + 15}" font-weight="bold">{escape(words)}</text>')
        y += ROW + 3
        marks.append(line(x(1), y, x(1), y + ROW * len(bars), GRID))
        for name, seconds, found in bars:
            middle, color = median(found), FASTER if name.startswith("aubench") else SLOWER
            marks.append(f'<text x="{LABELS - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>')
            marks.append(f'<rect x="{LABELS}" y="{y + 3}" width="{x(middle) - LABELS:.1f}" height="{ROW - 6}" fill="{color}"/>')
            if len(found) > 1:
                marks.append(line(x(min(found)), y + ROW / 2, x(max(found)), y + ROW / 2, INK))
            text = f"{short(median(seconds))} s" + (f", {short(middle)} ×" if len(found) > 1 else "")
            marks.append(f'<text x="{x(max(found)) + 6:.1f}" y="{y + 13}">{text}</text>')
            y += ROW
        y += 8
    first = results[0]
    versions = ", ".join(f"{name} {first['versions'][word].split()[-1].removeprefix('v')}" for word, name in PROGRAMS.items())
    dates = " and ".join(sorted({result["date"] for result in results}))
    rounds = max(len(line["runs"]) for line in first["lines"])
    for text in (
        f"{first['cpu']}, {first['cores']} cores, {first['isa']}; {dates}; {versions}.",
        f"Medians of {rounds} rounds; the thin lines go from the shortest to the longest. All cases: benchmarks/RESULTS.md",
    ):
        marks.append(f'<text x="8" y="{y + 12}" fill="{DIM}">{escape(text)}</text>')
        y += 17
    return svg(y + 6, marks)
