"""From a column of a source to states and codes, or to a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import code_type
from mahc.data.prepare.discretise import Rule, interval_labels
from mahc.data.prepare.notes import Note, Problem, enumerate_some, shorten
from mahc.data.prepare.types import (
    INFINITE_WORDS,
    LARGEST_WHOLE,
    LOOK_ALIKES,
    Interpreted,
    hidden_missing_problem,
    interpret,
    label,
    parse_number,
    real_problem,
)
from mahc.data.settings import MISSING_STATE, ReadSettings
from mahc.data.source_table import MAX_STATES, LabelColumn, NumberColumn, RefusedColumn, too_many_states

Mask = NDArray[np.bool_]
Weights = NDArray[np.int64] | None


@dataclass(frozen=True)
class Coded:
    """A coded column: its kind, states in order, codes, and notes."""

    kind: str
    states: tuple[str, ...]
    codes: NDArray[np.unsignedinteger]
    notes: tuple[Note, ...] = ()


def code_labels(
    name: str, column: LabelColumn, missing: Mask, weights: Weights, settings: ReadSettings
) -> Coded | RefusedColumn:
    """Code a column of listed values; `missing` marks the values that mean missing."""
    codes = column.codes
    occurs = np.bincount(codes, minlength=len(column.values)) > 0
    rule = settings.rules.get(name)
    keep_unused = column.declared and settings.keep_unused_states and rule is None
    places = np.flatnonzero(~missing if keep_unused else occurs & ~missing)
    values = [column.values[place] for place in places.tolist()]
    read = interpret(values, column.declared)
    rule = rule or (settings.rules.get(None) if read.kind == "real" else None)
    targets: Sequence[int] | NDArray[np.intp]
    notes: tuple[Note, ...] = ()
    if rule is None:
        problem = _find_problem(name, read, column, places)
        if problem is not None:
            return RefusedColumn(read.kind, problem, len(codes))
        kind, states = read.kind, read.order
        rank = {state: code for code, state in enumerate(states)}
        targets = [rank[state] for state in read.labels]
    else:
        counts = np.bincount(codes, weights=weights, minlength=len(column.values))[places]
        cut = _discretise_values(name, values, counts.astype(np.int64), rule, settings)
        if isinstance(cut, Problem):
            return RefusedColumn(read.kind, cut, len(codes))
        kind, states, targets, notes = "real", cut.states, cut.targets, (cut.note,)
    if (occurs & missing).any():
        if MISSING_STATE in states and settings.missing == "state":
            return RefusedColumn(kind, _collision(name), len(codes))
        states = (*states, MISSING_STATE)
    table = np.full(len(column.values), len(states) - 1, dtype=code_type(len(states)))
    table[places] = targets
    return Coded(kind, states, np.take(table, codes), notes)


def code_numbers(
    name: str, column: NumberColumn, missing: Mask, weights: Weights, settings: ReadSettings
) -> Coded | RefusedColumn:
    """Code a column with one number per row, which must be discretised; `missing` marks the missing rows."""
    numbers = column.numbers
    known = numbers[~missing]
    if not np.isfinite(known).all():
        return RefusedColumn("real", _infinite(name), len(numbers))
    real = known[(known != np.floor(known)) | (np.abs(known) >= LARGEST_WHOLE)]
    rule = settings.rules.get(name) or (settings.rules.get(None) if len(real) else None)
    if rule is None and len(real):
        return RefusedColumn("real", real_problem(name, real[0]), len(numbers))
    if rule is None:
        return too_many_states(name, "integer", len(np.unique(known)), len(numbers))
    counts = np.ones(len(numbers), dtype=np.int64) if weights is None else weights
    cut = _discretise(name, known, counts[~missing], rule, settings)
    if isinstance(cut, Problem):
        return RefusedColumn("real", cut, len(numbers))
    states = cut.states
    codes = np.full(len(numbers), len(states), dtype=code_type(len(states) + 1))
    codes[~missing] = cut.targets
    if missing.any():
        states = (*states, MISSING_STATE)
    return Coded("real", states, codes, (cut.note,))


@dataclass(frozen=True)
class _Discretised:
    states: tuple[str, ...]
    targets: NDArray[np.intp]
    note: Note


def _discretise_values(
    name: str, values: Sequence[object], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings
) -> _Discretised | Problem:
    numbers = [parse_number(value) for value in values]
    if None in numbers:
        word = values[numbers.index(None)]
        return Problem(
            name,
            "not-numbers",
            f"cannot be discretised: it holds {shorten(label(word))}",
            "discretise numbers only, or make that value a missing token",
        )
    return _discretise(name, np.array(numbers, dtype=np.float64), counts, rule, settings)


def _discretise(
    name: str, numbers: NDArray[np.float64], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings
) -> _Discretised | Problem:
    if not np.isfinite(numbers).all():
        return _infinite(name)
    if not len(numbers):
        return Problem(name, "empty", "holds no numbers to discretise", "leave it out")
    cuts = rule.cut_points(numbers, counts)
    bins = np.searchsorted(cuts, numbers, side="left")
    labels = interval_labels(cuts)
    used = np.arange(len(labels)) if settings.keep_unused_states else np.unique(bins)
    message = f"real numbers cut at {enumerate_some([f'{cut:.6g}' for cut in cuts]) or 'no point'} ({rule})"
    requested = getattr(rule, "bins", len(labels))
    fewer = f"; {len(used)} of {requested} intervals occur" if len(used) < requested else ""
    note = Note(name, "discretised", message + fewer, tuple(cuts.tolist()), warning=bool(fewer))
    return _Discretised(tuple(labels[k] for k in used), np.searchsorted(used, bins), note)


def _find_problem(name: str, read: Interpreted, column: LabelColumn, places: NDArray[np.intp]) -> Problem | None:
    numbers = {place: parse_number(column.values[place]) for place in places.tolist()}
    reals = [place for place, number in numbers.items() if isinstance(number, float)]
    if read.kind == "real" and not np.isfinite([numbers[place] or 0 for place in reals]).all():
        return _infinite(name)
    if read.kind == "real":
        return real_problem(name, _first(column, reals))
    if len(read.order) > MAX_STATES:
        return too_many_states(name, read.kind, len(read.order), column.rows).problem
    if read.kind == "category" and len(read.order) < len(places):
        return Problem(name, "categories", "declares two categories of the same text", "rename one of them")
    words = [place for place, number in numbers.items() if number is None]
    if read.kind in ("text", "mixed") and reals and all(_means_missing(column.values[place]) for place in words):
        return hidden_missing_problem(name, _first(column, reals), _first(column, words))
    return None


def _means_missing(word: object) -> bool:
    return word in LOOK_ALIKES or (isinstance(word, str) and word.lower() in INFINITE_WORDS)


def _first(column: LabelColumn, places: Sequence[int]) -> str:
    """The label of the value, among these, that occurs first."""
    row = int(np.isin(column.codes, places).argmax())
    return label(column.values[column.codes[row]])


def _infinite(name: str) -> Problem:
    fix = "make it a missing token, or replace it by a finite number"
    return Problem(name, "infinite", "holds an infinite number", fix)


def _collision(name: str) -> Problem:
    return Problem(
        name,
        "missing-state",
        f"has missing values and also a state called '{MISSING_STATE}'",
        f"make '{MISSING_STATE}' a missing token to merge the two, or rename the state",
    )
