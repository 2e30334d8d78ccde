"""The list of arcs or edges in a summary, as plain text."""

from __future__ import annotations

from dataclasses import dataclass

MAX_ROWS = 60


@dataclass(frozen=True)
class EdgeTable:
    """A title, the column headings (all empty: no headings) and at most `MAX_ROWS` rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
