"""Line charts over numbered positions, with the names at the ends of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.paper.charts.drawing import line, polyline, text
from mahc.paper.charts.panels import Panel
from mahc.paper.charts.scale import Scale, tick


@dataclass(frozen=True)
class Curve:
    """The values of one name, one for each position."""

    name: str
    values: tuple[float, ...]
    colour: str
    dash: str = ""


@dataclass(frozen=True)
class Break:
    """A position where a group begins: its name below the axis and, where a part begins, the part's name above."""

    place: int
    name: str
    part: str = ""


def curves(title: str, lines: Sequence[Curve], breaks: Sequence[Break], scale: Scale, *, width: float) -> Panel:
    """Lines from left to right; `breaks` are the positions where groups begin."""
    left, top, bottom, right = 58.0, 46.0, 340.0, width - 150
    longest = max((len(one.values) for one in lines), default=1)

    def across(place: float) -> float:
        return left + (right - left) * place / max(longest - 1, 1)

    def up(value: float) -> float:
        return bottom - (bottom - top) * scale.place(value)

    elements = [text(0, 14, title, bold=True, size=13)]
    for mark in scale.marks:
        elements.append(line(left, up(mark), right, up(mark)))
        elements.append(text(left - 6, up(mark) + 4, tick(mark), anchor="end", kind="soft", size=11))
    for one in breaks:
        x = across(max(one.place - 0.5, 0))
        elements.append(line(x, top - 14 if one.part else top, x, bottom, "axis" if one.part else "rule"))
        elements.append(text(x + 3, bottom + 16, one.name, kind="soft", size=11))
        elements.append(text(x + 5, top - 5, one.part, kind="soft", size=11))
    ends = sorted(((up(one.values[-1]), one) for one in lines if one.values), key=lambda end: (end[0], end[1].name))
    previous = 0.0
    for y, curve in ends:
        elements.append(polyline([(across(k), up(v)) for k, v in enumerate(curve.values)], curve.colour, curve.dash))
        previous = max(y, previous + 14)  # names do not overlap
        elements.append(f'<path d="M{right + 4:.1f} {y:.1f}L{right + 12:.1f} {previous:.1f}" stroke="{curve.colour}"/>')
        elements.append(text(right + 15, previous + 4, curve.name))
    return Panel(width, max(bottom + 26, previous + 12), tuple(elements))
