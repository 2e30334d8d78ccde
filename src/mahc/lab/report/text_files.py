"""A report as Markdown, and its tables as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from mahc.lab.paper.findings import Finding
from mahc.lab.paper.results import Results
from mahc.lab.report import wording
from mahc.lab.report.charts import Figure
from mahc.lab.report.sections import Section, is_of_paper
from mahc.lab.report.table import TONES, Cell, Column, Table
from mahc.lab.report.wording import LISTED, listed
from mahc.plurals import count

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


MOST_FAILURES = 200


def report_text(results: Results, found: Sequence[Finding], parts: Sequence[Section]) -> str:
    """The whole report except what depends on seconds."""
    lines = [f"# Experiment: {safe(results.outline.plan_name)}", "", safe(wording.scope(results)), ""]
    lines += [f"**{wording.completeness(results)}** {wording.failures(results)}", ""]
    for sentence in wording.cautions(results):
        lines += [safe(sentence), ""]
    if found and is_of_paper(results):
        lines += _findings(results, found)
    lines += ["## How to read it", "", *(f"- {sentence}" for sentence in wording.READING)]
    lines += [*(f"- **{word}**: {meaning}" for word, meaning in wording.GLOSSARY), ""]
    lines += _contestants(results)
    for place, section in enumerate(parts):
        if place == 1 and found and not is_of_paper(results):  # the leaderboard of the plan comes first
            lines += _findings(results, found)
        if section.timed:
            lines += [
                f"## {section.title}",
                "",
                f"What depends on seconds is in [times/{section.key}.md](times/{section.key}.md).",
                "",
            ]
        else:
            lines += _section(section)
    lines += _failures(results)
    return "\n".join(lines)


def _findings(results: Results, found: Sequence[Finding]) -> list[str]:
    lines = [f"## {wording.FINDINGS_TITLE}", "", f"Of {count(len(found), 'finding')} {wording.tally(found)}.", ""]
    names = wording.finding_heads(results)
    lines += [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for one in found:
        subset = (one.printed_here,) if wording.PRINTED_HERE in names else ()
        words = (one.claim, one.paper, *subset, one.ours, one.verdict)
        lines.append(f"| {' | '.join(map(safe, words))} |")
    return [*lines, ""]


def times_text(section: Section) -> str:
    """The part that depends on seconds."""
    return "\n".join(_section(section, level="#"))


def _section(section: Section, level: str = "##") -> Iterator[str]:
    yield from (f"{level} {section.title}", "")
    for part in section.parts:
        table = part.table if isinstance(part, Figure) else part
        yield from (f"{level}# {safe(table.title)}", "", safe(table.caption), "")
        if isinstance(part, Figure):
            yield from (
                f"![{safe(table.title)}]({table.key}.svg)",
                "",
                f"Its numbers: [{table.key}.csv]({table.key}.csv)",
                "",
            )
        elif table.folded:
            yield from (f"All of it: [{table.key}.csv]({table.key}.csv)", "")
        else:
            yield from markdown_of(table)


def markdown_of(table: Table) -> Iterator[str]:
    """A table with ours first, then in brackets the paper's number and the difference."""
    if table.has_paper:
        yield from ("In brackets: the paper's number, and ours minus the paper's.", "")
    names = [safe(name) for name in (*table.heads, *(column.full_name for column in table.columns))]
    for block in table.blocks:
        if block.title:
            yield from (f"**{safe(block.title)}**", "")
        yield f"| {' | '.join(names)} |"
        yield "|" + "---|" * len(table.heads) + "---:|" * len(table.columns)
        for line in block.lines:
            cells = (cell_text(column, cell) for column, cell in zip(table.columns, line.cells, strict=True))
            yield f"| {' | '.join([*map(safe, line.heads), *cells])} |"
        yield ""


def cell_text(column: Column, cell: Cell) -> str:
    """One cell.

    >>> from mahc.lab.report.table import Estimate
    >>> cell_text(Column("x", unit="%"), Cell(Estimate(66.7, 2.1, 5), 68.3))
    '66.7% ± 2.1 (68.3%; −1.6)'
    """
    if cell.ours is None:
        shown = safe(cell.note) or "–"
    else:
        margin = "" if cell.ours.margin is None else f" ± {column.plain(cell.ours.margin)}"
        shown = TONES[cell.tone] + column.show(cell.ours.mean) + margin
    if cell.paper is None:
        return shown
    gap = "" if cell.difference is None else f"; {column.plain(cell.difference, signed=True)}"
    return f"{shown} ({column.show(cell.paper)}{gap})"


def _contestants(results: Results) -> Iterator[str]:
    yield from (
        "## Contestants",
        "",
        "| Contestant | In the paper | Class | Settings | Version |",
        "|---|---|---|---|---|",
    )
    for one in results.outline.contestants:
        fields = (one.paper_name, one.learning_class, one.settings_text, one.version)
        yield f"| {' | '.join([safe(one.label), *(safe(field) or '–' for field in fields)])} |"
    yield ""


def _failures(results: Results) -> Iterator[str]:
    yield from ("## Cells that failed or were stopped early", "")
    lines = list(wording.listed(results))
    if not lines:
        yield from ("None.", "")
        return
    yield from ("All of them: [failed.csv](failed.csv).", "", f"| {' | '.join(wording.LISTED)} |")
    yield "|---|---|---|---:|---:|---|---|"
    yield from (f"| {' | '.join(map(safe, words))} |" for words in lines[:MOST_FAILURES])
    yield ""


def safe(words: str) -> str:
    """Text with the special characters of Markdown escaped.

    >>> safe("a|b <i>")
    'a\\\\|b &lt;i&gt;'
    """
    flat = " ".join(words.split()).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "|`*_[]":
        flat = flat.replace(mark, "\\" + mark)
    return flat
