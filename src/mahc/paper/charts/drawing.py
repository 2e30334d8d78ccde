"""A drawing in SVG: text escaped, numbers rounded the same way everywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from unicodedata import east_asian_width

from mahc.paper.charts.palette import STYLE

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
