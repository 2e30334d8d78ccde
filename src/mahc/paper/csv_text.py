"""A table as CSV with one line for each cell, so that every number has its own column."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from mahc.paper.results import Results
from mahc.paper.table import Table
from mahc.paper.wording import LISTED, listed

TAIL = ("column", "ours", "low", "high", "seeds", "paper", "difference", "note")


def csv_of(table: Table) -> str:
    """The cells of a table; `low` and `high` are the ends of the 95 % interval."""
    lines: list[Sequence[str]] = [("block", *(head.lower() for head in table.heads), *TAIL)]
    for block in table.blocks:
        for line in block.lines:
            for column, cell in zip(table.columns, line.cells, strict=True):
                ours = cell.ours
                numbers = [None] * 3 if ours is None else [ours.mean, ours.low, ours.high]
                shown = [_number(value) for value in numbers]
                seeds = "" if ours is None else str(ours.seeds)
                rest = (*shown, seeds, _number(cell.paper), _number(cell.difference), cell.note)
                lines.append((block.title, *map(_plain, line.heads), column.full_name, *rest))
    return _text(lines)


def csv_of_failures(results: Results) -> str:
    """Every cell without a graph or stopped early, with its reason."""
    return _text([tuple(name.lower() for name in LISTED), *listed(results)])


def _plain(head: str) -> str:
    # In a CSV file a sample size is a plain number, without commas.
    return head.replace(",", "") if head.replace(",", "").isdigit() else head


def _number(value: float | None) -> str:
    return "" if value is None else f"{value + 0.0:.10g}"


def _text(lines: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()
