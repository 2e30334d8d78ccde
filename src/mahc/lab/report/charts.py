"""Charts, drawn by matplotlib: bars, stacked bars and curves in panels, as SVG that is the same every time.

The colours suit all kinds of colour vision (Okabe and Ito), on light and on dark backgrounds. Bars have tooltips.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width
from xml.etree import ElementTree

from mahc.lab.report.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.text import Text

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


# A colour of the background is a class of the style, so that dark pages have their own.
INK, SOFT, RULE = "#1b1f24", "#57606a", "#d0d7de"
_CLASSES = {f"fill {INK}": "ink", f"fill {SOFT}": "soft", f"stroke {RULE}": "rule", f"stroke {SOFT}": "axis"}
_CLASSES[f"stroke {INK}"] = "whisker"
_STYLES = ("fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "font-size", "font-weight")
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
FONT_SIZE, LETTER = 12, 0.54  # LETTER: the mean width of a letter, as a share of the size
GAP, EDGE = 28, 12  # pixels between panels, and around them
HINT = "hint:"  # before a tooltip, which is put into a drawing as the name of an element
_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "mahc", "text.parse_math": False, "text.color": INK}


def colour_of(paper_name: str, position: int) -> str:
    """A contestant's colour: that of the paper's algorithm, or the next of the sequence."""
    return _PAPER_COLOURS.get(paper_name, SEQUENCE[position % len(SEQUENCE)])


@dataclass(frozen=True)
class Scale:
    """An axis of a kind that matplotlib knows, its ends, and the marks on it.

    >>> linear([0.0, 9.0])
    Scale(kind='linear', low=0.0, high=10.0, marks=(0.0, 2.0, 4.0, 6.0, 8.0, 10.0))
    """

    kind: str
    low: float
    high: float
    marks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Where a value of a logarithmic scale is, from 0 to 1."""
        return math.log10(max(value, self.low) / self.low) / math.log10(self.high / self.low)


def linear(values: Iterable[float]) -> Scale:
    """A linear scale over the values and zero."""
    from matplotlib.ticker import MaxNLocator

    known = [*values, 0.0]
    low, high = min(known), max(known)
    found = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high if high > low else low + 1.0)
    marks = tuple(round(float(mark), 10) for mark in found)
    return Scale("linear", marks[0], marks[-1], marks)


def logarithmic(values: Iterable[float]) -> Scale:
    """A scale of powers of ten over positive values; other values are at the lower end."""
    known = [value for value in values if value > 0] or [1.0]
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    last = max(last, first + 1)
    marks = tuple(10.0**k for k in range(first, last + 1, max(1, (last - first + 5) // 6)))
    return Scale("log", 10.0**first, 10.0**last, marks)


def two_sided(values: Iterable[float]) -> Scale:
    """Linear up to 1 on both sides of zero and logarithmic beyond, for numbers of any sign and size."""
    known = [*values, 0.0]
    low, high = _power(min(known)), _power(max(known))
    last = round(math.log10(max(-low, high, 1.0)))
    powers = [10.0**k for k in range(0, last + 1, max(1, (last + 2) // 3))]
    marks = sorted({0.0, *powers, *(-power for power in powers)})
    high = high if high > low else 1.0
    return Scale("symlog", low, high, tuple(mark for mark in marks if low <= mark <= high))


def _power(value: float) -> float:
    return math.copysign(10.0 ** max(math.ceil(math.log10(abs(value)) - 1e-9), 0), value) if value else 0.0


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


@dataclass(frozen=True)
class Bar:
    """A bar's length, colour, tooltip, interval and label."""

    value: float | None
    colour: str
    hint: str = ""
    low: float | None = None
    high: float | None = None
    label: str = ""


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


@dataclass(frozen=True)
class Panel:
    """A chart in a figure: its size, the margins around its axes (left, top, right, bottom), and how it is drawn."""

    title: str
    width: float
    height: float
    margins: tuple[float, float, float, float]
    draw: Callable[[Axes], None]


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG; `alone` gives a file, `inside` a part of a page that has the style and the background."""

    title: str
    width: float
    height: float
    elements: str

    def inside(self) -> str:
        """For a page."""
        size = f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" height="{self.height:.0f}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}">'
            f"<title>{escape(self.title)}</title>\n{self.elements}\n</svg>"
        )

    def alone(self) -> str:
        """A whole SVG file."""
        ground = f'</title>\n<style>{STYLE}</style>\n<rect class="ground" width="100%" height="100%"/>'
        return self.inside().replace("</title>", ground, 1) + "\n"


@dataclass(frozen=True)
class Figure:
    """A drawing with its table; the table's key is the name of both files."""

    drawing: Drawing
    table: Table


def horizontal(title: str, bars: Sequence[tuple[str, Bar]], scale: Scale, *, head: float = 118) -> Panel:
    """One bar for each name, from zero to either side, with its value at its end."""

    def draw(axes: Axes) -> None:
        foot = _rows(axes, [name for name, _ in bars], scale, head)
        for row, (_, bar) in enumerate(bars):
            reach = foot
            if bar.value is not None:
                end = max(bar.value, scale.low)
                _bar(axes, foot, row - 0.31, end - foot, 0.62, bar)
                reach = max(foot, end)
            if bar.low is not None and bar.high is not None:
                axes.plot([max(bar.low, scale.low), bar.high], [row, row], color=INK, linewidth=1.2)
                reach = max(reach, bar.high)
            _label(axes, reach, row, bar.label or ("no value" if bar.value is None else ""))

    return Panel(title, 430, 52 + 21.0 * max(len(bars), 1), (head, 30, 62, 22), draw)


def stacked(title: str, bars: Sequence[tuple[str, Sequence[Bar]]], scale: Scale) -> Panel:
    """One line for each name, its pieces one after another."""

    def draw(axes: Axes) -> None:
        _rows(axes, [name for name, _ in bars], scale, 118)
        for row, (_, pieces) in enumerate(bars):
            ends = [0.0, *accumulate(piece.value or 0.0 for piece in pieces)]
            for start, piece in zip(ends, pieces, strict=False):
                _bar(axes, start, row - 0.36, piece.value or 0.0, 0.72, piece)
            _label(axes, ends[-1], row, pieces[-1].label if pieces else "")

    return Panel(title, 430, 52 + 18.0 * max(len(bars), 1), (118, 30, 56, 22), draw)


def vertical(
    title: str, groups: Sequence[tuple[str, Sequence[Bar]]], scale: Scale, *, width: float = 430, height: float = 190
) -> Panel:
    """Groups of thin bars from zero up or down."""

    def draw(axes: Axes) -> None:
        axes.set_yscale(scale.kind, **({"linthresh": 1.0} if scale.kind == "symlog" else {}))
        axes.set(ylim=(scale.low, scale.high), xlim=(0, max(len(groups), 1)))
        _rule(axes.axhline, axes.set_yticks, scale)
        names = [name for name, _ in groups]
        axes.set_xticks(
            [place + 0.5 for place in range(len(names))], _fit(names, (width - 56) / max(len(names), 1), 11)
        )
        _explain(axes.get_xticklabels(), names)
        foot = scale.low if scale.kind == "log" else 0.0
        for place, (_, bars) in enumerate(groups):
            thick = 0.84 / max(len(bars), 1)
            for k, bar in enumerate(bars):
                if bar.value is not None:
                    end = min(max(bar.value, scale.low), scale.high)
                    _bar(axes, place + 0.08 + thick * k, foot, thick * 0.85, end - foot, bar)
        if not any(bar.value is not None for _, bars in groups for bar in bars):
            axes.text(0.5, 0.5, "no values", transform=axes.transAxes, ha="center", color=SOFT)

    return Panel(title, width, height, (52, 26, 4, 24), draw)


def curves(title: str, lines: Sequence[Curve], breaks: Sequence[Break], scale: Scale, *, width: float) -> Panel:
    """Lines from left to right on a logarithmic axis, names at their ends; `breaks` are where groups begin."""
    inner = 294.0
    longest = max((len(one.values) for one in lines), default=1)
    ends = sorted((-scale.share(one.values[-1]), one.name, one) for one in lines if one.values)
    spread = list(accumulate((inner * (1 + share) for share, _, _ in ends), lambda last, own: max(own, last + 14)))

    def draw(axes: Axes) -> None:
        axes.set_yscale(scale.kind)
        axes.set(ylim=(scale.low, scale.high), xlim=(0, max(longest - 1, 1)), xticks=[])
        _rule(axes.axhline, axes.set_yticks, scale)
        below: Any = {"transform": axes.get_xaxis_transform(), "size": 11, "color": SOFT}
        for one in breaks:
            place = max(one.place - 0.5, 0.0)
            axes.axvline(place, color=SOFT if one.part else RULE, linewidth=1)
            axes.text(place, -16 / inner, f" {one.name}", **below)
            axes.text(place, 1 + 5 / inner, f" {one.part}", **below)
        for (share, name, curve), placed in zip(ends, spread, strict=True):  # names do not overlap
            dash: Any = (0, [float(step) / 2 for step in curve.dash.split()]) if curve.dash else "solid"
            axes.plot(range(len(curve.values)), curve.values, color=curve.colour, linewidth=2, linestyle=dash)
            arrow = {"arrowstyle": "-", "color": curve.colour, "shrinkA": 3, "shrinkB": 4, "relpos": (0, 0.5)}
            down = (15, inner * (1 + share) - placed)
            at: Any = {"xycoords": "axes fraction", "textcoords": "offset pixels", "arrowprops": arrow, "va": "center"}
            axes.annotate(name, (1, -share), down, size=FONT_SIZE, annotation_clip=False, **at)

    return Panel(title, width, max(366.0, 58 + (spread or [0.0])[-1]), (58, 46, 150, 26), draw)


def _rows(axes: Axes, names: Sequence[str], scale: Scale, head: float) -> float:
    """One row for each name, at the left; returns where bars begin: at zero, or at the end of a logarithmic axis."""
    axes.set_xscale(scale.kind)
    axes.set(xlim=(scale.low, scale.high), ylim=(max(len(names), 1) - 0.5, -0.5))
    _rule(axes.axvline, axes.set_xticks, scale)
    axes.set_yticks(range(len(names)), _fit(names, head - 8, FONT_SIZE), color=INK, size=FONT_SIZE)
    _explain(axes.get_yticklabels(), names)
    return scale.low if scale.kind == "log" else 0.0


def _rule(line: Callable[..., Any], set_ticks: Callable[..., Any], scale: Scale) -> None:
    """Marks with their lines; that at zero is darker."""
    set_ticks(scale.marks, [tick(mark) for mark in scale.marks])
    set_ticks([], minor=True)
    for mark in scale.marks:
        line(mark, color=SOFT if mark == 0 else RULE, linewidth=1, zorder=0.5)


def _bar(axes: Axes, x: float, y: float, width: float, height: float, bar: Bar) -> None:
    """A bar with its tooltip; the line around it shows it even where it has no length."""
    from matplotlib.patches import Rectangle

    style: Any = {"facecolor": bar.colour, "edgecolor": bar.colour, "linewidth": 0.8, "clip_on": False}
    axes.add_artist(Rectangle((x, y), width, height, gid=HINT + bar.hint, **style))


def _label(axes: Axes, x: float, row: float, words: str) -> None:
    style: Any = {"textcoords": "offset pixels", "va": "center_baseline", "size": 11, "color": SOFT}
    axes.annotate(words, (x, row), (5, -1), annotation_clip=False, **style)


def _fit(names: Iterable[str], width: float, size: float) -> list[str]:
    return [cut(name, width / (LETTER * size)) for name in names]


def _explain(texts: Iterable[Text], names: Iterable[str]) -> None:
    """Give texts in which a name was cut the whole name as tooltip."""
    for text, name in zip(texts, names, strict=True):
        text.set_gid(HINT + (name if text.get_text() != name else ""))


def cut(words: str, letters: float) -> str:
    """As many letters as fit; those of Chinese, Japanese and Korean are twice as wide.

    >>> cut("a long name", 6)
    'a lon…'
    """
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in words]
    if sum(widths) <= letters:
        return words
    kept = sum(1 for taken in accumulate(widths) if taken + 1 <= letters)
    return words[:kept].rstrip() + "…"


def arrange(title: str, panels: Sequence[Panel], columns: int, legend: Mapping[str, str] | None = None) -> Drawing:
    """Panels in rows of `columns`, drawn below the legend, which has the colour of each name."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    width = max(sum(panel.width for panel in panels[:columns]) + GAP * (columns - 1), 300.0) if panels else 300.0
    widths = [34 + 7.6 * len(name) for name in legend or ()]
    columns_of_legend = len(widths) if sum(widths) <= width else max(1, int(width // max(widths)))
    top = 28.0 + 20 * math.ceil(len(widths) / columns_of_legend) if legend else float(EDGE)
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    height = top + sum(max(panel.height for panel in row) + GAP for row in rows)
    with matplotlib.rc_context(_SETTINGS):
        canvas = Canvas(figsize=((width + 2 * EDGE) / 72, height / 72), dpi=72)
        canvas.patch.set_visible(False)
        if legend:
            _legend(canvas, legend, columns_of_legend, width)
        for row in rows:
            left = float(EDGE)
            for panel in row:
                _draw_panel(canvas, panel, left, top)
                left += panel.width + GAP
            top += max(panel.height for panel in row) + GAP
        return Drawing(title, width + 2 * EDGE, height, "\n".join(_elements(_svg(canvas))))


def _draw_panel(canvas: Canvas, panel: Panel, x: float, y: float) -> None:
    """Draw a panel at a place, in pixels from the upper left corner."""
    left, top, right, bottom = panel.margins
    across, up = canvas.get_size_inches() * 72
    width, height = panel.width - left - right, panel.height - top - bottom
    axes = canvas.add_axes(((x + left) / across, 1 - (y + top + height) / up, width / across, height / up))
    axes.set_frame_on(False)
    axes.tick_params(length=0, labelsize=11, labelcolor=SOFT, pad=6)
    axes.text(-left / width, 1 + (top - 14) / height, panel.title, transform=axes.transAxes, size=13, weight="bold")
    panel.draw(axes)


def _legend(canvas: Canvas, names: Mapping[str, str], columns: int, width: float) -> None:
    from matplotlib.patches import Patch

    # Names are put in afterwards: matplotlib leaves out those that begin with "_".
    entries: list[Any] = [Patch(color=colour, label="-") for colour in names.values()]
    style: Any = {"loc": "upper left", "frameon": False, "handlelength": 0.9, "handleheight": 0.9, "borderpad": 0}
    corner = (EDGE / (width + 2 * EDGE), 1 - 14 / (canvas.get_figheight() * 72))
    drawn = canvas.legend(handles=entries, ncols=columns, fontsize=FONT_SIZE, bbox_to_anchor=corner, **style)
    for text, shown in zip(drawn.get_texts(), _fit(names, width - 16, FONT_SIZE), strict=True):
        text.set_text(shown)
    _explain(drawn.get_texts(), names)


def _svg(canvas: Canvas) -> ElementTree.Element:
    """The drawing as matplotlib writes it, without clipping."""
    for axes in canvas.axes:
        for artist in axes.lines:
            artist.set_clip_on(False)
    text = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page's fonts have the letters that matplotlib's font lacks
        canvas.savefig(text, format="svg", metadata={"Date": None})
    return ElementTree.fromstring(text.getvalue())


def _elements(element: ElementTree.Element, hint: str = "") -> Iterator[str]:
    """Paths and texts without matplotlib's groups, names and styles; colours of the background as classes."""
    for child in element:
        kind = child.tag.rpartition("}")[2]
        if kind == "g":
            name = child.get("id", "")
            yield from _elements(child, name.removeprefix(HINT) if name.startswith(HINT) else hint)
        elif kind in ("path", "text"):
            style = dict(part.split(": ", 1) for part in child.get("style", "").split("; ") if ": " in part)
            kept = {key: style[key] for key in _STYLES if key in style}
            known = next((key for key in ("fill", "stroke") if f"{key} {kept.get(key)}" in _CLASSES), None)
            if known is not None:
                kept = {"class": _CLASSES[f"{known} {kept[known]}"], **kept}
                kept = {key: value for key, value in kept.items() if key not in ("fill", "stroke")}
            places = {key: _rounded(child.attrib[key]) for key in child.attrib if key in ("d", "x", "y")}
            made = ElementTree.Element(kind, {**kept, **places})
            made.text = (child.text or "").strip() or None
            if hint:
                ElementTree.SubElement(made, "title").text = hint
            yield ElementTree.tostring(made, encoding="unicode")


def _rounded(numbers: str) -> str:
    """Coordinates with one digit after the point."""
    joined = " ".join(numbers.split())
    return re.sub(r"-?\d+(\.\d+)?", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), joined)
