"""Bar charts of ratios as small SVG files, with a white ground for light and dark viewers."""

import math
from html import escape
from statistics import median

WIDTH, LABELS, RIGHT, ROW, HEAD = 800, 290, 120, 19, 26
SLOWER, FASTER, BOUND, INK, GRID = "#3b6fb6", "#d1772c", "#a3a9b2", "#222831", "#dde1e6"
TICKS = [base * 10**power for power in range(-3, 5) for base in (1, 2, 5)]


def chart(title, rows):
    """Rows are headings (text, None) and bars (text, ratios) or (text, ratios, True) for what is no peer. The axis is logarithmic;
    bars begin at 1, which is aubench: to the right a peer takes longer."""
    values = [value for _, ratios, *_ in rows if ratios for value in ratios if value > 0]
    low, high = min([0.8, *values]) / 1.05, max([2, *values]) * 1.05
    scale = (WIDTH - LABELS - RIGHT) / math.log(high / low)

    def x(value):
        return LABELS + scale * math.log(max(value, low) / low)

    ground = HEAD + 14 + ROW * len(rows)
    marks = [f'<text x="8" y="18" font-size="14" font-weight="bold">{escape(title)}</text>']
    for tick in (tick for tick in TICKS if low <= tick <= high):
        marks.append(line(x(tick), HEAD + 4, x(tick), ground, INK if tick == 1 else GRID))
        marks.append(f'<text x="{x(tick):.1f}" y="{ground + 14}" text-anchor="middle" fill="#5a626c">{tick:g}</text>')
    for number, (label, ratios, *is_bound) in enumerate(rows):
        y = HEAD + 10 + ROW * number
        if ratios is None:
            marks.append(f'<text x="8" y="{y + 12}" font-weight="bold">{escape(label)}</text>')
            continue
        middle = median(ratios)
        left, right = sorted((x(1), x(middle)))
        color = BOUND if is_bound and is_bound[0] else SLOWER if middle >= 1 else FASTER
        marks.append(f'<text x="{LABELS - 8}" y="{y + 12}" text-anchor="end">{escape(label)}</text>')
        marks.append(f'<rect x="{left:.1f}" y="{y + 3}" width="{max(right - left, 1):.1f}" height="{ROW - 7}" fill="{color}"/>')
        marks.append(line(x(min(ratios)), y + ROW / 2 - 0.5, x(max(ratios)), y + ROW / 2 - 0.5, INK))
        end = max(x(max(ratios)), right) + 6
        marks.append(f'<text x="{end:.1f}" y="{y + 12}">{middle:.3g}</text>')
    height = ground + 22
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n' + "\n".join(marks) + "\n</svg>\n"
    )


def line(x1, y1, x2, y2, color):
    return f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" stroke="{color}"/>'
