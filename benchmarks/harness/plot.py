"""Bar charts of ratios, and circles of levels, as small SVG files with a white ground for light and dark viewers."""

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
    return svg(height, marks)


def svg(height, marks):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n' + "\n".join(marks) + "\n</svg>\n"
    )


def line(x1, y1, x2, y2, color):
    return f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" stroke="{color}"/>'


RADIUS, PANEL, LOWEST, HIGHEST, LEVEL_STEP = 100, 266, -30, 15, 10  # of circles; dB
HALO = 'stroke="white" stroke-width="3" paint-order="stroke"'


def polar(title, azimuths, rows):
    """Circles of levels in dB, seen from above, 0° at the top and 90° on the right. Rows are (label, panels), a panel (label, curves,
    dots): two lists each, of the left and the right ear; there may be no dots."""
    marks = [f'<text x="8" y="18" font-size="14" font-weight="bold">{escape(title)}</text>']
    for x, color, text in ((WIDTH - 150, SLOWER, "left ear"), (WIDTH - 75, FASTER, "right ear")):
        marks.append(f'<text x="{x}" y="18" fill="{color}">{text}</text>')
    top = HEAD
    for label, panels in rows:
        marks.append(f'<text x="8" y="{top + 18}" font-weight="bold">{escape(label)}</text>')
        for column, panel in enumerate(panels):
            marks += circle(PANEL * column + PANEL / 2, top + 40 + RADIUS, azimuths, *panel)
        top += 2 * RADIUS + 66
    return svg(top, marks)


def circle(x, y, azimuths, label, curves, dots):
    def place(azimuth, level):
        far = RADIUS * (min(max(level, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
        return f"{x + far * math.sin(math.radians(azimuth)):.1f}", f"{y - far * math.cos(math.radians(azimuth)):.1f}"

    for azimuth in range(0, 180, 30):
        (x1, y1), (x2, y2) = place(azimuth, HIGHEST), place(azimuth + 180, HIGHEST)
        yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{GRID}"/>'
    for level in range(LOWEST + LEVEL_STEP, HIGHEST + 1, LEVEL_STEP):
        far = RADIUS * (level - LOWEST) / (HIGHEST - LOWEST)
        yield f'<circle cx="{x}" cy="{y}" r="{far:.1f}" fill="none" stroke="{GRID if level else INK}" stroke-width="{1 if level else 0.5}"/>'
        yield f'<text x="{x + 2}" y="{y + far - 2:.1f}" font-size="9" fill="#5a626c" {HALO}>{f"{level:+d}" if level else "0 dB"}</text>'
    yield f'<text x="{x}" y="{y - RADIUS - 6}" text-anchor="middle">{escape(label)}</text>'
    for color, levels in zip((SLOWER, FASTER), curves):
        points = " ".join(",".join(place(azimuth, level)) for azimuth, level in zip(azimuths, levels))
        yield f'<polygon points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>'
    for color, levels in zip((SLOWER, FASTER), dots):
        for azimuth, level in zip(azimuths, levels):
            cx, cy = place(azimuth, level)
            yield f'<circle cx="{cx}" cy="{cy}" r="1.8" fill="{color}"/>'
