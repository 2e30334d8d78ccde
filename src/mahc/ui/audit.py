"""The audit of data for the page: one entry per column, with its values, remarks and the fixes that a click applies."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mahc.data import Audit, ColumnReport, Dataset
from mahc.data.prepare.notes import Note, Problem
from mahc.documents import Document, Number, Whole, json_values, to_plain
from mahc.drawing.labels import node_size, wrap
from mahc.errors import Mention
from mahc.learning.cost import estimate
from mahc.plurals import count, noun
from mahc.ui.page_words import Fix, fixes_of

UNKNOWN_STATES = 4
MOST_LABELS = 60  # states of one column that are listed


class Remark(Document, frozen=True):
    """Something to check; where it is serious, a reason why the data cannot be used; a note tells what was done."""

    text: str
    serious: bool = False
    note: bool = False
    fixes: tuple[Fix, ...] = ()


class ColumnAnswer(Document, frozen=True):
    """A column as it would be used; `labels` and `counts` are its states, `histogram` its numbers.

    `level` is nominal, ordinal or continuous, empty where the column is refused; `cuts` are the points where its
    numbers are cut, null where they are not. `lines`, `width` and `height` are those of its box in a graph.
    """

    name: str
    kind: str
    level: str
    why: str
    states: Whole | None
    missing: Whole
    refused: bool
    remarks: tuple[Remark, ...]
    lines: tuple[str, ...]
    width: Number
    height: Number
    labels: tuple[str, ...] | None = None
    counts: tuple[int, ...] | None = None
    histogram: dict[str, Any] | None = None
    cuts: tuple[Number, ...] | None = None
    examples: tuple[str, ...] = ()


class AuditAnswer(Document, frozen=True):
    """What was found in the data; `seconds` and `megabytes` are what learning is expected to take."""

    ok: bool
    rows: Whole
    conclusion: str
    columns: tuple[ColumnAnswer, ...]
    notes: tuple[str, ...]
    problems: tuple[Remark, ...]
    fingerprint: str | None
    seconds: Number
    megabytes: Number


def audit_of(data: Dataset, name: str, rows: int) -> Audit:
    """The audit of data that were read already and had so many rows; distinct ones may stand for them."""
    columns = tuple(
        ColumnReport(
            name,
            column.kind.value,
            column.state_count,
            missing,
            tuple(note for note in data.warnings if note.column == name),
            values=column,
        )
        for name, column, missing in zip(data.names, data.columns, data.missing_counts, strict=True)
    )
    return Audit(name, rows, columns, (), data.notes, data)


def describe_audit(found: Audit) -> AuditAnswer:
    """The audit as the page shows it.

    >>> from mahc.data import audit
    >>> answer = describe_audit(audit({"height": [1.71, 1.83], "sex": ["f", None]}))
    >>> answer.ok, answer.problems[0].text
    (False, "values are missing in 1 of 2 columns: 'sex' (1)")
    """
    remarks: dict[str | None, list[Remark]] = {}
    for problem in found.problems:
        remarks.setdefault(problem.column, []).append(_remark(problem, serious=True))
    for note in found.notes:
        remarks.setdefault(note.column, []).append(_remark(note, note=not note.warning))
    usable = found.usable
    states = [column.states or UNKNOWN_STATES for column in found.columns]
    cost = estimate(found.rows, states if usable is None else list(usable.states))
    size = f"{found.rows:,} {noun(found.rows, 'row')}, {len(found.columns):,} {noun(len(found.columns), 'column')}"
    verdict = "can be used" if usable is not None else f"{count(len(found.problems), 'problem')} to solve"
    whole = remarks.get(None, [])
    return AuditAnswer(
        ok=usable is not None,
        rows=found.rows,
        conclusion=f"{size}: {verdict}",
        columns=tuple(_describe(column, found, remarks.get(column.name, [])) for column in found.columns),
        notes=tuple(remark.text for remark in whole if not remark.serious and not remark.fixes),
        problems=tuple(remark for remark in whole if remark.serious or remark.fixes),
        fingerprint=None if usable is None else usable.fingerprint,
        seconds=cost.seconds,
        megabytes=cost.megabytes,
    )


def _remark(found: Note | Problem, *, serious: bool = False, note: bool = False) -> Remark:
    remedies = found.remedies
    if isinstance(found, Note) and found.kind == "constant" and found.column is not None:
        remedies = (Mention("drop", (found.column,)),)  # it does no harm, but nobody needs it
    return Remark(text=str(found.message), serious=serious, note=note, fixes=fixes_of(found.fix, remedies))


def _describe(column: ColumnReport, found: Audit, remarks: list[Remark]) -> ColumnAnswer:
    cut = next((note for note in found.notes if note.kind == "discretised" and note.column == column.name), None)
    refused = column.problem is not None
    if refused and not any(remark.serious for remark in remarks):
        remarks = [Remark(text="cannot be used as it is", serious=True), *remarks]
    width, height = node_size(column.name)
    answer = ColumnAnswer(
        name=column.name,
        kind=column.kind,
        level=column.level,
        why=column.why,
        states=column.states,
        missing=column.missing,
        refused=refused,
        remarks=tuple(remarks),
        lines=wrap(column.name),
        width=width,
        height=height,
        cuts=None if cut is None else tuple(cut.numbers),
    )
    if column.values is None:
        return answer
    shown = column.values.summary(None)
    labels, counts = shown.get("states"), shown.get("counts")
    return replace(
        answer,
        labels=None if labels is None else tuple(labels[:MOST_LABELS]),
        counts=None if counts is None else tuple(counts[:MOST_LABELS]),
        histogram=shown.get("histogram"),
    )


def plain_audit(found: Audit) -> dict[str, Any]:
    """The audit as plain values."""
    plain: dict[str, Any] = json_values(to_plain(describe_audit(found)))
    return plain
