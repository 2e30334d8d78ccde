"""Bar charts: horizontal bars for names, vertical bars in groups for samples, stacked bars for shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mahc.paper.charts.drawing import line, rectangle, text
from mahc.paper.charts.panels import Panel
from mahc.paper.charts.scale import Scale, tick


@dataclass(frozen=True)
class Bar:
    """A bar's length, colour, tooltip, interval and label."""

    value: float | None
    colour: str
    hint: str = ""
    low: float | None = None
    high: float | None = None
    label: str = ""


def horizontal(
    title: str,
    bars: Sequence[tuple[str, Bar]],
    scale: Scale,
    *,
    width: float = 430,
    head: float = 118,
    tail: float = 62,
) -> Panel:
    """One bar for each name, from zero to either side, with its value at its end."""
    inner_width, top, pitch = width - head - tail, 30.0, 21.0
    bottom = top + pitch * len(bars)

    def across(value: float) -> float:
        return head + inner_width * scale.place(value)

    elements = [text(0, 14, title, bold=True, size=13), *_vertical_rules(scale, across, top, bottom)]
    for position, (name, bar) in enumerate(bars):
        y = top + pitch * position
        elements.append(text(head - 8, y + 15, name, anchor="end", max_width=head - 8))
        if bar.value is None:
            elements.append(text(across(0) + 5, y + 15, bar.label or "no value", kind="soft", size=11))
            continue
        start, end = sorted((across(0), across(bar.value)))
        elements.append(rectangle(start, y + 4, end - start, pitch - 8, fill=bar.colour, hint=bar.hint))
        reach = end
        if bar.low is not None and bar.high is not None:
            elements.append(line(across(bar.low), y + pitch / 2, across(bar.high), y + pitch / 2, "whisker"))
            reach = max(end, across(bar.high))
        elements.append(text(reach + 5, y + 15, bar.label, kind="soft", size=11))
    return Panel(width, bottom + 22, tuple(elements))


def stacked(title: str, bars: Sequence[tuple[str, Sequence[Bar]]], scale: Scale, *, width: float = 430) -> Panel:
    """One line for each name, its pieces one after another."""
    head, top, pitch = 118.0, 30.0, 18.0
    inner_width = width - head - 56
    bottom = top + pitch * len(bars)

    def across(value: float) -> float:
        return head + inner_width * scale.place(value)

    elements = [text(0, 14, title, bold=True, size=13), *_vertical_rules(scale, across, top, bottom)]
    for position, (name, pieces) in enumerate(bars):
        y, total = top + pitch * position, 0.0
        elements.append(text(head - 8, y + 13, name, anchor="end", size=11, max_width=head - 8))
        for piece in pieces:
            value = piece.value or 0.0
            start, end = across(total), across(total + value)
            elements.append(rectangle(start, y + 3, end - start, pitch - 5, fill=piece.colour, hint=piece.hint))
            total += value
        label = pieces[-1].label if pieces else ""
        elements.append(text(across(total) + 5, y + 13, label, kind="soft", size=11))
    return Panel(width, bottom + 22, tuple(elements))


def vertical(
    title: str, groups: Sequence[tuple[str, Sequence[Bar]]], scale: Scale, *, width: float = 430, height: float = 190
) -> Panel:
    """Groups of thin bars from zero up or down."""
    left, top, bottom = 52.0, 26.0, height - 24
    inner_width = width - left - 4

    def up(value: float) -> float:
        return bottom - (bottom - top) * scale.place(value)

    elements = [text(0, 14, title, bold=True, size=13)]
    for mark in scale.marks:
        kind = "axis" if mark == 0 else "rule"
        elements.append(line(left, up(mark), width - 4, up(mark), kind))
        elements.append(text(left - 6, up(mark) + 4, tick(mark), anchor="end", kind="soft", size=11))
    if all(bar.value is None for _, bars in groups for bar in bars):
        elements.append(text((left + width) / 2, (top + bottom) / 2, "no values", anchor="middle", kind="soft"))
    foot = up(0.0) if scale.low <= 0 else bottom
    share = inner_width / max(len(groups), 1)
    for position, (name, bars) in enumerate(groups):
        start = left + share * position
        elements.append(
            text(start + share / 2, height - 8, name, anchor="middle", kind="soft", size=11, max_width=share)
        )
        thick = (share * 0.84) / max(len(bars), 1)
        for place, bar in enumerate(bars):
            x = start + share * 0.08 + thick * place
            if bar.value is None:
                continue
            low, high = sorted((foot, up(bar.value)))
            # A bar of length zero is still visible: there is a value.
            elements.append(
                rectangle(x, low - 0.5, max(thick - 0.6, 0.8), high - low + 1, fill=bar.colour, hint=bar.hint)
            )
    return Panel(width, height, tuple(elements))


def _vertical_rules(scale: Scale, across: Callable[[float], float], top: float, bottom: float) -> list[str]:
    elements = []
    for mark in scale.marks:
        elements.append(line(across(mark), top, across(mark), bottom, "axis" if mark == 0 else "rule"))
        elements.append(text(across(mark), bottom + 14, tick(mark), anchor="middle", kind="soft", size=11))
    return elements
