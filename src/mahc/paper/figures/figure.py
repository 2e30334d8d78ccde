"""A figure: a drawing and its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.paper.charts.drawing import Drawing
from mahc.paper.table import Table


@dataclass(frozen=True)
class Figure:
    """A drawing with its table; the table's key is the name of both files."""

    drawing: Drawing
    table: Table
