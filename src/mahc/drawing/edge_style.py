"""How one edge is drawn: line, marks at its ends and in its middle."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mahc.drawing.curve import Curve, Point
from mahc.drawing.labels import escape
from mahc.graphs.marks import Mark

INK, PAPER = "#44546a", "#ffffff"


@dataclass(frozen=True)
class EdgeStyle:
    """Colour, width (pixels), opacity, dashes, the sign in the middle and the tooltip of an edge.

    `reversible` draws a dot in the middle: the direction is not determined. `required` draws a square there: the
    knowledge requires the edge.
    """

    colour: str = INK
    width: float = 1.4
    opacity: float = 1.0
    dash: str = ""
    sign: str = ""
    reversible: bool = False
    required: bool = False
    note: str = ""


def draw_edge(curve: Curve, marks: tuple[Mark, Mark], style: EdgeStyle, middle: Point | None = None) -> str:
    """The SVG of an edge along a curve, with these marks at its start and end; its dot or sign is at `middle`."""
    middle = curve.along(0.5) if middle is None else middle
    drawn = []
    for mark in marks:
        tip = curve.start
        curve = curve.shorten(_length(mark, style.width))
        if mark is not Mark.TAIL:
            drawn.append(_draw_mark(mark, tip, curve.start, style))
        curve = curve.reversed()
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    line = f'<path d="{curve.path()}" fill="none" stroke="{style.colour}" stroke-width="{style.width:g}"{dash}/>'
    if style.required:
        drawn.append(_draw_square(middle, style))
    if style.reversible:
        drawn.append(_draw_dot(middle, style))
    if style.sign:
        drawn.append(_draw_sign(middle, style))
    faint = f' opacity="{style.opacity:.2f}"' if style.opacity < 1 else ""
    return f"<g{faint}><title>{escape(style.note)}</title>{line}{''.join(drawn)}</g>"


def _length(mark: Mark, width: float) -> float:
    return {Mark.ARROW: 6.5 + 1.8 * width, Mark.CIRCLE: 6.0 + width}.get(mark, 0.0)


def _draw_mark(mark: Mark, tip: Point, base: Point, style: EdgeStyle) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    if mark is Mark.CIRCLE:
        x, y, r = base[0] + dx / 2, base[1] + dy / 2, math.hypot(dx, dy) / 2
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"'
        return f'{shape} fill="{PAPER}" stroke="{style.colour}" stroke-width="{min(style.width, 2.0):g}"/>'
    side = 0.42
    left = (base[0] - side * dy - 0.12 * dx, base[1] + side * dx - 0.12 * dy)
    right = (base[0] + side * dy - 0.12 * dx, base[1] - side * dx - 0.12 * dy)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, left, base, right))
    return f'<polygon points="{corners}" fill="{style.colour}"/>'


def _draw_dot(middle: Point, style: EdgeStyle) -> str:
    r = 2.2 + 0.5 * style.width
    shape = f'<circle class="reversible" cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{r:.1f}"'
    return f'{shape} fill="{style.colour}" stroke="{PAPER}" stroke-width="1"/>'


def _draw_square(middle: Point, style: EdgeStyle) -> str:
    half = 4.4 + 0.5 * style.width
    shape = f'<rect class="required" x="{middle[0] - half:.1f}" y="{middle[1] - half:.1f}"'
    size = f'width="{2 * half:.1f}" height="{2 * half:.1f}"'
    return f'{shape} {size} fill="{PAPER}" stroke="{style.colour}" stroke-width="1.4"/>'


def _draw_sign(middle: Point, style: EdgeStyle) -> str:
    x, y = middle
    disc = f'<circle class="sign" cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{PAPER}" stroke="{style.colour}"/>'
    font = 'font-size="11" font-weight="bold" text-anchor="middle"'
    return f'{disc}<text x="{x:.1f}" y="{y + 3.8:.1f}" {font} fill="{style.colour}">{escape(style.sign)}</text>'
