"""A report as Markdown, and its tables as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib.resources import files

from mahc.lab.paper.findings import Finding
from mahc.lab.paper.results import Results
from mahc.lab.report import wording
from mahc.lab.report.sections import Section, is_of_paper
from mahc.lab.report.table import TONES, Cell, Column, Table
from mahc.lab.report.wording import LISTED, listed
from mahc.plurals import count

TAIL = ("column", "ours", "low", "high", "seeds", "paper", "difference", "note")
MOST_FAILURES = 200


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


def report_text(results: Results, found: Sequence[Finding], parts: Sequence[Section]) -> str:
    """The whole report except what depends on seconds."""
    return _render(results, found, parts, None)


def times_text(results: Results, section: Section) -> str:
    """The part that depends on seconds."""
    return _render(results, (), (), section)


def _render(results: Results, found: Sequence[Finding], parts: Sequence[Section], only: Section | None) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def escaped(value: object) -> Markup:
        return value if isinstance(value, Markup) else Markup(safe(str(value)))

    template = files("mahc.lab.report").joinpath("report.md.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, finalize=escaped, undefined=StrictUndefined)
    rules = {"results": results, "outline": results.outline, "of_paper": is_of_paper(results), "wording": wording}
    return environment.from_string(template).render(
        **rules,
        zip=zip,
        count=count,
        cell_text=cell_text,
        MOST_FAILURES=MOST_FAILURES,
        findings=found,
        finding_heads=wording.finding_heads(results),
        sections=parts,
        only=only,
        listed=list(wording.listed(results)),
    )


def cell_text(column: Column, cell: Cell) -> str:
    """One cell.

    >>> from mahc.lab.report.table import Estimate
    >>> cell_text(Column("x", unit="%"), Cell(Estimate(66.7, 2.1, 5), 68.3))
    '66.7% ± 2.1 (68.3%; −1.6)'
    """
    if cell.ours is None:
        shown = cell.note or "–"
    else:
        margin = "" if cell.ours.margin is None else f" ± {column.plain(cell.ours.margin)}"
        shown = TONES[cell.tone] + column.show(cell.ours.mean) + margin
    if cell.paper is None:
        return shown
    gap = "" if cell.difference is None else f"; {column.plain(cell.difference, signed=True)}"
    return f"{shown} ({column.show(cell.paper)}{gap})"


def safe(words: str) -> str:
    """Text with the special characters of Markdown escaped.

    >>> safe("a|b <i>")
    'a\\\\|b &lt;i&gt;'
    """
    flat = " ".join(words.split()).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "|`*_[]":
        flat = flat.replace(mark, "\\" + mark)
    return flat
