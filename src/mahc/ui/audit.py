"""The audit of data for the page: columns, remarks, problems with their fixes."""

from __future__ import annotations

from typing import Any

from mahc.data import Audit, ColumnReport, Dataset
from mahc.errors import Mention, Spelling
from mahc.learning.cost import estimate
from mahc.plurals import count, noun
from mahc.settings import value_words

FIELDS = {
    "missing": "Missing values",
    "missing_tokens": "Texts that mean missing",
    "discretise": "Cut real numbers",
    "categorical": "Keep every number as a state",
    "weights": "Column of weights",
    "interventions": "Column of interventions",
    "mechanism": "What experiments do",
    "drop": "Columns to leave out",
}
UNKNOWN_STATES = 4


class PageSpelling(Spelling):
    """Settings by the names of their fields on the page.

    >>> PageSpelling().mention(Mention("missing", "state"))
    'Missing values = state'
    """

    def name(self, setting: str) -> str:
        """The label of the field."""
        return FIELDS.get(setting, setting)

    def mention(self, mention: Mention) -> str:
        """The field and the value to choose."""
        name = self.name(mention.setting)
        return name if mention.value is None else f"{name} = {', '.join(value_words(mention.setting, mention.value))}"

    def choice(self, value: object) -> str:
        """The value to choose or to type."""
        return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def audit_of(data: Dataset, name: str) -> Audit:
    """The audit of data that were read already."""
    columns = tuple(
        ColumnReport(
            name,
            column.kind.value,
            column.state_count,
            missing,
            tuple(note for note in data.warnings if note.column == name),
        )
        for name, column, missing in zip(data.names, data.columns, data.missing_counts, strict=True)
    )
    return Audit(name, data.rows, columns, (), data.notes, data)


def _histogram(data: Dataset | None, name: str) -> dict[str, Any] | None:
    """The histogram of a column of numbers; None for states, and where the column is refused."""
    if data is None or name not in data.names:
        return None
    found: dict[str, Any] | None = data.columns[data.index(name)].summary(data.weights).get("histogram")
    return found


def describe_audit(found: Audit) -> dict[str, Any]:
    """The audit as plain values.

    >>> from mahc.data import audit
    >>> describe_audit(audit({"height": [1.71, 1.83], "sex": ["f", None]}))["ok"]
    False
    """
    spelling = PageSpelling()
    remarks: dict[str | None, list[str]] = {}
    for note in found.notes:
        remarks.setdefault(note.column, []).append(f"warning: {note.message}" if note.warning else note.message)
    for problem in found.problems:
        if problem.column is None:
            continue  # listed among the problems
        remarks.setdefault(problem.column, []).insert(0, f"refused: {problem.as_message().render(spelling)}")
    usable = found.usable
    states = [column.states or UNKNOWN_STATES for column in found.columns]
    cost = estimate(found.rows, states if usable is None else list(usable.states))
    conclusion = (
        f"{found.rows:,} {noun(found.rows, 'row')}, {len(found.columns):,} {noun(len(found.columns), 'column')}: "
    )
    conclusion += (
        "can be used" if usable is not None else f"cannot be used yet, {count(len(found.problems), 'problem')}"
    )
    return {
        "ok": usable is not None,
        "rows": found.rows,
        "conclusion": conclusion,
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "states": column.states,
                "missing": column.missing,
                "refused": column.problem is not None,
                "remarks": remarks.get(column.name, []),
                "histogram": _histogram(found.dataset, column.name),
            }
            for column in found.columns
        ],
        "notes": remarks.get(None, []),
        "problems": [problem.as_message().render(spelling) for problem in found.problems],
        "fingerprint": None if usable is None else usable.fingerprint,
        "seconds": cost.seconds,
        "megabytes": cost.megabytes,
    }
