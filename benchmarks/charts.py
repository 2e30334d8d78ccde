"""A log-log line chart as SVG, for the growth pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, MARGIN = 640, 420, 64
COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#555555")
Points = Sequence[tuple[float, float]]


def log_chart(title: str, x_label: str, y_label: str, lines: Mapping[str, Points]) -> str:
    """Lines over logarithmic axes; a dashed line shows growth in proportion from the first line's first point."""
    everything = [point for points in lines.values() for point in points]
    x_low, x_high = _span([x for x, _ in everything])
    y_low, y_high = _span([y for _, y in everything])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_low) / (y_high - y_low)
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    parts = [f'<text x="{WIDTH / 2}" y="28" text-anchor="middle" font-size="15">{escape(title)}</text>']
    for value in _ticks(x_low, x_high):
        x, _ = place(value, 10**y_low)
        parts.append(f'<path d="M{x:.1f} {MARGIN}V{HEIGHT - MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{_label(value)}</text>')
    for value in _ticks(y_low, y_high):
        _, y = place(10**x_low, value)
        parts.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{_label(value)}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 16}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(
        f'<text transform="translate(18 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )
    first = next(iter(lines.values()))[0]
    end = min(10**x_high, first[0] * 10**y_high / first[1])
    a, b = place(*first), place(end, first[1] * end / first[0])
    parts.append(f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="#999" stroke-dasharray="5 4"/>')
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [place(x, y) for x, y in points]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        y_text = MARGIN + 16 + 18 * number
        parts.append(f'<text x="{MARGIN + 12}" y="{y_text}" fill="{colour}">{escape(name)}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
    return (low, high) if high - low > 0.5 else (low - 0.5, high + 0.5)


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten within the logarithms given; twice and five times a power too where there is at most one."""
    powers = range(math.floor(low), math.floor(high) + 1)
    for digits in ((1,), (1, 2, 5)):
        found = [digit * 10.0**power for power in powers for digit in digits]
        found = [value for value in found if low <= math.log10(value) <= high]
        if len(found) > 1:
            break
    return found


def _label(value: float) -> str:
    return f"{value:,.0f}" if 1 <= value < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
