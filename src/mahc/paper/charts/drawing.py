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
FONT_SIZE, LETTER = 12, 0.54  # LETTER: the width of one in the mean, as a share of the size


@dataclass(frozen=True)
class Drawing:
    """Elements on a ground of a size; `alone` makes a file of it, `inside` a part of a page.

    >>> Drawing(10, 10, (rectangle(0, 0, 5, 5, fill="#000"),), "A square").inside().count("<rect")
    1
    """

    width: float
    height: float
    elements: tuple[str, ...]
    title: str

    def inside(self) -> str:
        """For a page that brings the style and the ground."""
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
    """A length, to a tenth.

    >>> number(3.0), number(-0.04), number(2.25)
    ('3', '0', '2.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def rectangle(x: float, y: float, width: float, height: float, *, fill: str, hint: str = "") -> str:
    """A bar; the hint shows when a pointer rests on it."""
    inner = f"<title>{escape(hint)}</title>" if hint else ""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(max(width, 0.0))}" height="{number(max(height, 0.0))}"'
    return f'<rect {place} fill="{fill}">{inner}</rect>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "rule") -> str:
    """A straight line of a kind that the style knows."""
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
    room: float = math.inf,
) -> str:
    """Words at a place; where they need more than the room they are cut, and a pointer reads the rest.

    >>> text(0, 0, "a long name", room=40)
    '<text class="ink" x="0" y="0" text-anchor="start">a lon…<title>a long name</title></text>'
    """
    more = (f' font-size="{size}"' if size else "") + (' font-weight="600"' if bold else "")
    shown = _cut(words, room / (LETTER * (size or FONT_SIZE)))
    inner = escape(shown) + (f"<title>{escape(words)}</title>" if shown != words else "")
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{more}>{inner}</text>'


def _cut(words: str, letters: float) -> str:
    # Letters of Chinese, Japanese and Korean are twice as wide.
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in words]
    if sum(widths) <= letters:
        return words
    kept = sum(1 for taken in accumulate(widths) if taken + 1 <= letters)
    return words[:kept].rstrip() + "…"


def shifted(elements: Iterable[str], x: float, y: float) -> str:
    """Elements moved as one."""
    return f'<g transform="translate({number(x)} {number(y)})">' + "".join(elements) + "</g>"
