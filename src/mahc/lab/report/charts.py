"""A figure: a drawing and its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from unicodedata import east_asian_width

from mahc.lab.report.table import Table

BLUE, ORANGE, GREEN, PINK, VERMILION, SKY, YELLOW = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#c9b800"),
)
GREY = "#7f7f7f"
# Better and worse, the same in every figure and table; the bars also differ by their side of zero, cells by a sign.
BETTER, WORSE, BETTER_CLASS, WORSE_CLASS = BLUE, VERMILION, SKY, ORANGE
# The paper's algorithms have the same colour in every report.
_PAPER_COLOURS = {
    "MAHC": BLUE,
    "HC": ORANGE,
    "TABU": VERMILION,
    "GOBNILP": GREEN,
    "MMHC": PINK,
    "SaiyanH": SKY,
    "PC-Stable": YELLOW,
    "FCI": GREY,
    "MAHC_onlyPruning": SKY,
    "MAHC_onlyAveraging": GREEN,
    "Ground truth": GREY,
}
DASHES = {"TABU": "6 3", "SaiyanH": "2 3", "FCI": "6 3", "MAHC_onlyPruning": "6 3", "MAHC_onlyAveraging": "2 3"}
SEQUENCE = (BLUE, ORANGE, GREEN, PINK, VERMILION, SKY, YELLOW, GREY)
# Distinguished by lightness alone.
LEVELS = ("#005f96", "#3d9bd0", "#8cc8ea", "#cfe8f7", "#e69f00", "#f3cf80")

STYLE = """
.ink{fill:#1b1f24}.soft{fill:#57606a}.rule{stroke:#d0d7de;fill:none}.axis{stroke:#57606a;fill:none}
.whisker{stroke:#1b1f24;fill:none;stroke-width:1.2}.ground{fill:#ffffff}
@media (prefers-color-scheme:dark){.ink{fill:#e6edf3}.soft{fill:#9aa5b1}.rule{stroke:#30363d}.axis{stroke:#8b949e}
.whisker{stroke:#e6edf3}.ground{fill:#12161c}}
""".strip()


def colour_of(paper_name: str, position: int) -> str:
    """A contestant's colour: that of the paper's algorithm, or the next of the sequence."""
    return _PAPER_COLOURS.get(paper_name, SEQUENCE[position % len(SEQUENCE)])


@dataclass(frozen=True)
class Scale:
    """A monotone map from numbers to 0..1, with the marks to draw on the axis.

    >>> scale = linear([0.0, 9.0])
    >>> scale.place(5.0), scale.marks
    (0.5, (0.0, 2.0, 4.0, 6.0, 8.0, 10.0))
    """

    transform: Callable[[float], float]
    low: float
    high: float
    marks: tuple[float, ...]

    def place(self, value: float) -> float:
        """The position of a number between the ends, 0 to 1; outside numbers are at the end."""
        start, end = self.transform(self.low), self.transform(self.high)
        return min(max((self.transform(value) - start) / (end - start), 0.0), 1.0)


def linear(values: Iterable[float]) -> Scale:
    """A linear scale over the values and zero."""
    known = [*values, 0.0]
    low, high = min(known), max(known)
    if high == low:
        high = low + 1.0
    step = _step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(round(step * k, 10) for k in range(first, last + 1))
    return Scale(lambda value: value, marks[0], marks[-1], marks)


def logarithmic(values: Iterable[float]) -> Scale:
    """A scale of powers of ten over positive values; other values are at the lower end."""
    known = [value for value in values if value > 0] or [1.0]
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    last = max(last, first + 1)
    floor = 10.0**first
    step = max(1, (last - first + 5) // 6)
    marks = tuple(10.0**k for k in range(first, last + 1, step))
    return Scale(lambda value: math.log10(max(value, floor)), floor, 10.0**last, marks)


def two_sided(values: Iterable[float], threshold: float = 1.0) -> Scale:
    """Linear within the threshold of zero and logarithmic beyond, for numbers of any sign and size."""
    known = [*values, 0.0]
    low, high = _end(min(known), threshold), _end(max(known), threshold)
    if low == high:
        high = threshold
    marks = [0.0]
    mark = threshold
    while mark <= max(-low, high) * (1 + 1e-9):
        marks += [side * mark for side in (-1, 1) if low * (1 + 1e-9) <= side * mark <= high * (1 + 1e-9)]
        mark *= 10

    def transform(value: float) -> float:
        size = abs(value) / threshold
        return math.copysign(size if size <= 1 else 1 + math.log10(size), value)

    return Scale(transform, low, high, tuple(sorted(marks)))


def _end(value: float, threshold: float) -> float:
    if value == 0:
        return 0.0
    size = max(abs(value) / threshold, 1.0)
    return math.copysign(threshold * 10.0 ** math.ceil(math.log10(size) - 1e-9), value)


def _step(span: float) -> float:
    rough = span / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= rough * (1 - 1e-9))


def tick(value: float) -> str:
    """A mark's label.

    >>> tick(1000.0), tick(-0.5), tick(1e7), tick(0.01)
    ('1,000', '−0.5', '10⁷', '0.01')
    """
    if abs(value) >= 1_000_000 and math.log10(abs(value)).is_integer():
        power = round(math.log10(abs(value)))
        shown = "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    else:
        shown = f"{abs(value):,.6f}".rstrip("0").rstrip(".")
    return ("−" if value < 0 else "") + shown


FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
FONT_SIZE, LETTER = 12, 0.54  # LETTER: the mean width of a letter, as a share of the size


@dataclass(frozen=True)
class Drawing:
    """SVG elements on a background; `alone` gives a file, `inside` a part of a page.

    >>> Drawing(10, 10, (rectangle(0, 0, 5, 5, fill="#000"),), "A square").inside().count("<rect")
    1
    """

    width: float
    height: float
    elements: tuple[str, ...]
    title: str

    def inside(self) -> str:
        """For a page that has the style and the background."""
        return self._open() + "\n" + "\n".join(self.elements) + "\n</svg>"

    def alone(self) -> str:
        """A whole SVG file."""
        ground = f'<style>{STYLE}</style>\n<rect class="ground" width="100%" height="100%"/>'
        return self._open() + "\n" + ground + "\n" + "\n".join(self.elements) + "\n</svg>\n"

    def _open(self) -> str:
        size = f'viewBox="0 0 {number(self.width)} {number(self.height)}" width="{number(self.width)}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} height="{number(self.height)}" role="img" '
            f'font-family="{FONT}" font-size="{FONT_SIZE}"><title>{escape(self.title)}</title>'
        )


def number(value: float) -> str:
    """A length, rounded to a tenth.

    >>> number(3.0), number(-0.04), number(2.25)
    ('3', '0', '2.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def rectangle(x: float, y: float, width: float, height: float, *, fill: str, hint: str = "") -> str:
    """A bar; the hint is its tooltip."""
    inner = f"<title>{escape(hint)}</title>" if hint else ""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(max(width, 0.0))}" height="{number(max(height, 0.0))}"'
    return f'<rect {place} fill="{fill}">{inner}</rect>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "rule") -> str:
    """A straight line; the kind is a class of the style."""
    return f'<path class="{kind}" d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>'


def polyline(points: Iterable[tuple[float, float]], colour: str, dash: str = "") -> str:
    """A curve through points."""
    way = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{broken}/>'


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    kind: str = "ink",
    size: int = 0,
    bold: bool = False,
    max_width: float = math.inf,
) -> str:
    """Text at a position; wider text is cut, with the whole text as tooltip.

    >>> text(0, 0, "a long name", max_width=40)
    '<text class="ink" x="0" y="0" text-anchor="start">a lon…<title>a long name</title></text>'
    """
    more = (f' font-size="{size}"' if size else "") + (' font-weight="600"' if bold else "")
    shown = _cut(words, max_width / (LETTER * (size or FONT_SIZE)))
    inner = escape(shown) + (f"<title>{escape(words)}</title>" if shown != words else "")
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{more}>{inner}</text>'


def _cut(words: str, letters: float) -> str:
    # Chinese, Japanese and Korean letters are twice as wide.
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in words]
    if sum(widths) <= letters:
        return words
    kept = sum(1 for taken in accumulate(widths) if taken + 1 <= letters)
    return words[:kept].rstrip() + "…"


def shifted(elements: Iterable[str], x: float, y: float) -> str:
    """Elements in a group that is moved."""
    return f'<g transform="translate({number(x)} {number(y)})">' + "".join(elements) + "</g>"


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


@dataclass(frozen=True)
class Figure:
    """A drawing with its table; the table's key is the name of both files."""

    drawing: Drawing
    table: Table
