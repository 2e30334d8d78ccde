"""Panels side by side under one title, with one legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.paper.charts.drawing import Drawing, rectangle, shifted, text

GAP, EDGE = 28, 12


@dataclass(frozen=True)
class Panel:
    """A chart in a figure."""

    width: float
    height: float
    elements: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """An entry of the legend."""

    name: str
    colour: str


def arrange(title: str, panels: Sequence[Panel], columns: int, legend: Sequence[Entry] = ()) -> Drawing:
    """Panels in rows of `columns`, below the legend."""
    width = max(sum(panel.width for panel in panels[:columns]) + GAP * (columns - 1), 300.0) if panels else 300.0
    top, elements = _legend(legend, width)
    for start in range(0, len(panels), columns):
        row = panels[start : start + columns]
        left = 0.0
        for panel in row:
            elements.append(shifted(panel.elements, left, top))
            left += panel.width + GAP
        top += max(panel.height for panel in row) + GAP
    return Drawing(width + 2 * EDGE, top, (shifted(elements, EDGE, 0),), title)


def _legend(entries: Sequence[Entry], width: float) -> tuple[float, list[str]]:
    elements: list[str] = []
    left, top = 0.0, 24.0
    for entry in entries:
        needed = 34 + 7.6 * len(entry.name)
        if left > 0 and left + needed > width:
            left, top = 0.0, top + 20
        elements.append(rectangle(left, top - 10, 11, 11, fill=entry.colour))
        elements.append(text(left + 16, top, entry.name, max_width=width - 16))
        left += needed
    return (top + 24 if entries else 12.0), elements
