"""How an audit looks: a table for people, JSON for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mahc.cli.spelling import CommandLineSpelling
from mahc.data import Audit, ColumnReport, Fix, Note, Problem, group_fixes
from mahc.data.prepare.notes import enumerate_some
from mahc.errors import Message
from mahc.learning.cost import Estimate, estimate
from mahc.plurals import count, noun
from mahc.safe_text import escape_controls

# Beyond so many columns those without remarks are only counted.
_LISTED = 40
_MOST_LISTED = 500  # columns with remarks
_UNKNOWN_STATES = 4


def audit_view(found: Audit, every: bool) -> RenderableType:
    """The table of columns, what holds for the whole, each fix once, the cost of learning, and the conclusion."""
    remarked = [column for column in found.columns if _has_remark(column)]
    listed = [*found.columns] if every or len(found.columns) <= _LISTED else remarked[:_MOST_LISTED]
    shape = f"{found.rows:,} {noun(found.rows, 'row')}, {len(found.columns):,} {noun(len(found.columns), 'column')}"
    parts: list[RenderableType] = [Text(f"{escape_controls(found.source)}: {shape}", style="bold")]
    if listed:
        parts.append(_table(found, listed))
    if len(listed) < len(found.columns):
        kinds = Counter(column.level or column.kind for column in found.columns if not _has_remark(column))
        shown = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
        total = f"{kinds.total():,} {noun(kinds.total(), 'column')}"
        if kinds:
            parts.append(Text(f"{total} without remarks: {shown} (--all lists them)", style="dim"))
        if len(listed) < len(remarked):
            more = count(len(remarked) - len(listed), "more column")
            parts.append(Text(f"{more} with remarks (--all lists them)", style="dim"))
    parts += [_line(note) for note in found.notes if note.column is None]
    parts += [
        Text(f"refused: {escape_controls(problem.message)}", style="red")
        for problem in found.problems
        if problem.column is None
    ]
    parts += [_fix_line(fix) for fix in group_fixes([*found.problems, *(note for note in found.notes if note.warning)])]
    parts += [_cost_line(found), _conclusion(found)]
    return Group(*parts)


def _fix_line(fix: Fix) -> Text:
    where = f"{enumerate_some([escape_controls(name) for name in fix.columns])}: " if fix.columns else ""
    return Text(f"fix: {where}{escape_controls(fix.text.render(CommandLineSpelling()))}")


def audit_document(found: Audit, next_command: str | None) -> dict[str, Any]:
    """An audit as JSON: ok, rows, size, columns, decisions, problems, estimate, the next command."""
    usable = found.usable
    return {
        "format": "mahc-audit",
        "format_version": 1,
        "source": found.source,
        "ok": usable is not None,
        "rows": found.rows,
        "size": None if usable is None else usable.size,
        "fingerprint": None if usable is None else usable.fingerprint,
        "columns": [_column_document(column) for column in found.columns],
        "decisions": [_document(note) for note in found.notes],
        "problems": [_document(problem) for problem in found.problems],
        "estimate": asdict(_cost(found)),
        "next_command": next_command,
    }


def _column_document(column: ColumnReport) -> dict[str, Any]:
    problem = None if column.problem is None else _document(column.problem)
    warnings = [_document(note) for note in column.warnings]
    counts = {"name": column.name, "kind": column.kind, "states": column.states, "missing": column.missing}
    used = {"level": column.level or None, "why": column.why or None}
    return {**counts, **used, "warnings": warnings, "problem": problem}


def _document(found: Note | Problem) -> dict[str, Any]:
    spelling = CommandLineSpelling()
    fix = found.fix.render(spelling) if isinstance(found.fix, Message) else found.fix
    document: dict[str, Any] = {"column": found.column, "kind": found.kind, "message": found.message, "fix": fix}
    if isinstance(found, Note):
        document |= {"numbers": list(found.numbers), "warning": found.warning}
    return document


def _table(found: Audit, listed: list[ColumnReport]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("column", overflow="fold", max_width=28)
    table.add_column("kind", overflow="fold", max_width=12)
    table.add_column("states", justify="right")
    table.add_column("missing", justify="right")
    table.add_column("verdict", overflow="fold", ratio=1)
    made: dict[str | None, list[Note]] = {}
    for note in found.notes:
        if note.kind != "numbers":  # the kind of the column says it
            made.setdefault(note.column, []).append(note)
    gaps_refused = any(problem.kind == "missing" for problem in found.problems)
    for column in listed:
        remark = _remark(column, made.get(column.name, []), gaps_refused)
        states = "" if column.states is None else f"{column.states:,}"
        missing = f"{column.missing:,}" if column.missing else ""
        table.add_row(Text(escape_controls(column.name)), Text(column.level or column.kind), states, missing, remark)
    return table


def _has_remark(column: ColumnReport) -> bool:
    return column.problem is not None or bool(column.warnings) or column.missing > 0


def _remark(column: ColumnReport, made: list[Note], gaps_refused: bool) -> Text:
    if column.problem is not None:
        lines = [Text(f"refused: {escape_controls(column.problem.message)}", style="red")]
        return Text("\n").join([*lines, *(_line(note) for note in column.warnings)])
    lines = [Text("refused: missing values, see below", style="red")] if gaps_refused and column.missing else []
    lines += [_line(note) for note in made]
    if lines:
        return Text("\n").join([Text(column.why, style="dim"), *lines])
    return Text("ok", style="green") + Text(f": {column.why}", style="dim")


def _line(note: Note) -> Text:
    if note.warning:
        return Text(f"warning: {escape_controls(note.message)}", style="yellow")
    return Text(escape_controls(note.message), style="dim")


def _cost(found: Audit) -> Estimate:
    if found.usable is not None:
        return estimate(found.usable.rows, list(found.usable.states))
    return estimate(found.rows, [column.states or _UNKNOWN_STATES for column in found.columns])


def _cost_line(found: Audit) -> Text:
    cost = _cost(found)
    memory = "less than 1 MB" if cost.megabytes < 1 else f"{cost.megabytes:,.0f} MB"
    return Text(f"learning will take roughly {_duration(cost.seconds)} and {memory}")


def _duration(seconds: float) -> str:
    """Seconds as a person says them.

    >>> _duration(0.2), _duration(90), _duration(7000)
    ('less than a second', '2 minutes', '1.9 hours')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 60:
        return f"{count(round(seconds), 'second')}"
    return f"{count(round(seconds / 60), 'minute')}" if seconds < 3600 else f"{seconds / 3600:.1f} hours"


def _conclusion(found: Audit) -> Text:
    warned = sum(note.warning for note in found.notes)
    warnings = f", {count(warned, 'warning')}" if warned else ""
    data = found.usable
    if data is None:
        return Text(f"cannot be used as it is: {count(len(found.problems), 'problem')}{warnings}", style="bold red")
    weight = "" if not data.weighted else f" of total weight {data.size:,}"
    variables = f"{count(len(data.names), 'variable')}"
    return Text(
        f"can be used: {data.rows:,} {noun(data.rows, 'row')}{weight}, {variables}{warnings}", style="bold green"
    )
