"""From raw columns to a data set or to everything that stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.data.prepare.coding import Coded, code_labels, code_numbers
from mahc.data.prepare.decisions import Decision, Problem
from mahc.data.prepare.missing import Gaps, apply_policy, find_gaps, unused_tokens
from mahc.data.prepare.warnings import doubt_column, doubt_table
from mahc.data.prepare.weights import weigh, weigh_sequence
from mahc.data.raw_columns import Labels, Refused, Table
from mahc.data.settings import ReadSettings
from mahc.errors import DataError

Weights = NDArray[np.int64] | None


@dataclass(frozen=True)
class Verdict:
    """What was found in one column: kind, number of states and missing values, warnings, a problem if any."""

    name: str
    kind: str
    states: int | None
    missing: int
    warnings: tuple[Decision, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True)
class Audit:
    """The verdict on every column and on the whole; `dataset` is there when nothing stands in the way.

    >>> from mahc.data import audit
    >>> found = audit({"height": [1.71, 1.83], "sex": ["f", "m"]})
    >>> [verdict.kind for verdict in found.verdicts], found.dataset is None
    (['real', 'text'], True)
    """

    source: str
    rows: int
    verdicts: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    decisions: tuple[Decision, ...]
    dataset: Dataset | None

    def require(self) -> Dataset:
        """The data set, or the first problem as an error that says how many more there are."""
        if self.dataset is None:
            more = len(self.problems) - 1
            others = f" (and {more} more problem{'s' * (more > 1)}: mahc audit lists all)" if more else ""
            raise DataError(f"{self.source}: ", self.problems[0].told(), others)
        return self.dataset


def judge(table: Table, settings: ReadSettings) -> Audit:
    """Weights first, then missing values, then each column; nothing stops at the first problem."""
    rows = table.rows
    decisions = [*table.notes, *unused_tokens(table, settings)]
    table, weights, problems = _split_weights(table, settings)
    if weights is not None and not weights.all():
        keep = weights > 0
        gone = int(rows - keep.sum())
        message = f"{gone:,} of {rows:,} rows have weight 0 and are left out"
        decisions.append(Decision(None, "zero-weight-rows", message, (float(gone), float(rows))))
        table, weights = table.take(keep), weights[keep]
    gaps = find_gaps(table, settings)
    missing = gaps.counts
    complete, decided, refused = apply_policy(table, gaps, settings)
    decisions += decided
    problems += refused
    if complete is not None:
        table = table.take(complete)
        weights = None if weights is None else weights[complete]
        gaps = find_gaps(table, settings)
    size = table.rows if weights is None else int(weights.sum())
    results = [_code(table, place, gaps, weights, settings) for place in range(len(table.names))]
    verdicts = [
        _verdict(name, result, count, size, settings)
        for name, result, count in zip(table.names, results, missing, strict=True)
    ]
    problems += [verdict.problem for verdict in verdicts if verdict.problem is not None]
    if size == 1:
        fix = "give at least two"
        problems.append(Problem(None, "one-row", "there is one row only, and nothing can be learnt from it", fix))
    decisions += doubt_table(table)
    for result, verdict in zip(results, verdicts, strict=True):
        if isinstance(result, Coded):
            decisions += [made for made in result.decisions if not made.warning]
            decisions += verdict.warnings
    dataset = None if problems else _assemble(table, results, weights, decisions)
    return Audit(table.source, rows, tuple(verdicts), tuple(problems), tuple(decisions), dataset)


def _split_weights(table: Table, settings: ReadSettings) -> tuple[Table, Weights, list[Problem]]:
    if settings.weights is None:
        return table, None, []
    if not isinstance(settings.weights, str):
        found = weigh_sequence(settings.weights, table.rows)
    else:
        place = table.names.index(settings.weights)
        found = weigh(settings.weights, table.columns[place], settings)
        others = [j for j in range(len(table.names)) if j != place]
        names, columns = tuple(table.names[j] for j in others), tuple(table.columns[j] for j in others)
        table = replace(table, names=names, columns=columns)
    return (table, None, [found]) if isinstance(found, Problem) else (table, found, [])


def _code(table: Table, place: int, gaps: Gaps, weights: Weights, settings: ReadSettings) -> Coded | Refused:
    name, column, flags = table.names[place], table.columns[place], gaps.flags[place]
    if isinstance(column, Refused):
        return column
    if isinstance(column, Labels):
        return code_labels(name, column, flags, weights, settings)
    return code_numbers(name, column, flags, weights, settings)


def _verdict(name: str, result: Coded | Refused, missing: int, size: int, settings: ReadSettings) -> Verdict:
    if isinstance(result, Refused):
        return Verdict(name, result.kind, None, missing, (), result.problem)
    states = len(result.states) - (1 if missing and settings.missing == "error" else 0)
    cut = [decision for decision in result.decisions if decision.warning]
    doubts = [*cut, *doubt_column(name, result, states, size)]
    return Verdict(name, result.kind, states, missing, tuple(doubts))


def _assemble(table: Table, results: list[Coded | Refused], weights: Weights, decisions: list[Decision]) -> Dataset:
    coded = [result for result in results if isinstance(result, Coded)]
    for result in coded:  # nobody else holds these arrays, so the data set need not copy them
        result.codes.flags.writeable = False
    if weights is not None:
        weights.flags.writeable = False
    states = tuple(result.states for result in coded)
    return Dataset(table.names, states, tuple(result.codes for result in coded), weights, tuple(decisions))
