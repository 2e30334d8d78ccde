"""A raw column to its final states and codes, or the reason why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import narrowest
from mahc.data.prepare.decisions import Decision, Problem, enumerate_some, shorten
from mahc.data.prepare.discretise import Rule, interval_labels
from mahc.data.prepare.types import (
    INFINITE_WORDS,
    LARGEST_WHOLE,
    LOOK_ALIKES,
    Interpreted,
    exact,
    hidden_missing_problem,
    interpret,
    label,
    real_problem,
)
from mahc.data.raw_columns import MOST_STATES, Labels, Numbers, Refused, too_many_states
from mahc.data.settings import MISSING_STATE, ReadSettings

Mask = NDArray[np.bool_]
Weights = NDArray[np.int64] | None


@dataclass(frozen=True)
class Coded:
    """A finished column: its kind, states in order, codes and what was decided on the way."""

    kind: str
    states: tuple[str, ...]
    codes: NDArray[np.unsignedinteger]
    decisions: tuple[Decision, ...] = ()


def code_labels(name: str, column: Labels, missing: Mask, weights: Weights, settings: ReadSettings) -> Coded | Refused:
    """Code a column of listed values; `missing` says which of the values mean missing."""
    codes = column.codes
    occurs = np.bincount(codes, minlength=len(column.values)) > 0
    rule = settings.rules.get(name)
    keep_unused = column.declared and settings.keep_unused_states and rule is None
    places = np.flatnonzero(~missing if keep_unused else occurs & ~missing)
    values = [column.values[place] for place in places.tolist()]
    read = interpret(values, column.declared)
    rule = rule or (settings.rules.get(None) if read.kind == "real" else None)
    targets: Sequence[int] | NDArray[np.intp]
    decisions: tuple[Decision, ...] = ()
    if rule is None:
        problem = _unusable(name, read, column, places)
        if problem is not None:
            return Refused(read.kind, problem, len(codes))
        kind, states = read.kind, read.order
        rank = {state: code for code, state in enumerate(states)}
        targets = [rank[state] for state in read.labels]
    else:
        counts = np.bincount(codes, weights=weights, minlength=len(column.values))[places]
        cut = _cut_values(name, values, counts.astype(np.int64), rule, settings)
        if isinstance(cut, Problem):
            return Refused(read.kind, cut, len(codes))
        kind, states, targets, decisions = "real", cut.states, cut.targets, (cut.decision,)
    if (occurs & missing).any():
        if MISSING_STATE in states and settings.missing == "state":
            return Refused(kind, _collision(name), len(codes))
        states = (*states, MISSING_STATE)
    table = np.full(len(column.values), len(states) - 1, dtype=narrowest(len(states)))
    table[places] = targets
    return Coded(kind, states, np.take(table, codes), decisions)


def code_numbers(
    name: str, column: Numbers, missing: Mask, weights: Weights, settings: ReadSettings
) -> Coded | Refused:
    """Code a column with a number per row, which must be cut; `missing` says which rows are."""
    numbers = column.numbers
    known = numbers[~missing]
    if not np.isfinite(known).all():
        return Refused("real", _infinite(name), len(numbers))
    real = known[(known != np.floor(known)) | (np.abs(known) >= LARGEST_WHOLE)]
    rule = settings.rules.get(name) or (settings.rules.get(None) if len(real) else None)
    if rule is None and len(real):
        return Refused("real", real_problem(name, real[0]), len(numbers))
    if rule is None:
        return too_many_states(name, "integer", len(np.unique(known)), len(numbers))
    counts = np.ones(len(numbers), dtype=np.int64) if weights is None else weights
    cut = _cut(name, known, counts[~missing], rule, settings)
    if isinstance(cut, Problem):
        return Refused("real", cut, len(numbers))
    states = cut.states
    codes = np.full(len(numbers), len(states), dtype=narrowest(len(states) + 1))
    codes[~missing] = cut.targets
    if missing.any():
        states = (*states, MISSING_STATE)
    return Coded("real", states, codes, (cut.decision,))


@dataclass(frozen=True)
class _CutColumn:
    states: tuple[str, ...]
    targets: NDArray[np.intp]
    decision: Decision


def _cut_values(
    name: str, values: Sequence[object], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings
) -> _CutColumn | Problem:
    numbers = [exact(value) for value in values]
    if None in numbers:
        word = values[numbers.index(None)]
        return Problem(
            name,
            "not-numbers",
            f"cannot be discretised: it holds {shorten(label(word))}",
            "discretise numbers only, or name that value as a missing token",
        )
    return _cut(name, np.array(numbers, dtype=np.float64), counts, rule, settings)


def _cut(
    name: str, numbers: NDArray[np.float64], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings
) -> _CutColumn | Problem:
    if not np.isfinite(numbers).all():
        return _infinite(name)
    if not len(numbers):
        return Problem(name, "empty", "holds no numbers to discretise", "leave it out")
    cuts = rule.cut_points(numbers, counts)
    bins = np.searchsorted(cuts, numbers, side="left")
    labels = interval_labels(cuts)
    used = np.arange(len(labels)) if settings.keep_unused_states else np.unique(bins)
    message = f"real numbers cut at {enumerate_some([f'{cut:.6g}' for cut in cuts]) or 'no point'} ({rule})"
    asked = getattr(rule, "bins", len(labels))
    fewer = f"; {len(used)} of {asked} intervals occur" if len(used) < asked else ""
    decision = Decision(name, "discretised", message + fewer, tuple(cuts.tolist()), warning=bool(fewer))
    return _CutColumn(tuple(labels[k] for k in used), np.searchsorted(used, bins), decision)


def _unusable(name: str, read: Interpreted, column: Labels, places: NDArray[np.intp]) -> Problem | None:
    numbers = {place: exact(column.values[place]) for place in places.tolist()}
    reals = [place for place, number in numbers.items() if isinstance(number, float)]
    if read.kind == "real" and not np.isfinite([numbers[place] or 0 for place in reals]).all():
        return _infinite(name)
    if read.kind == "real":
        return real_problem(name, _first(column, reals))
    if len(read.order) > MOST_STATES:
        return too_many_states(name, read.kind, len(read.order), column.rows).problem
    if read.kind == "category" and len(read.order) < len(places):
        return Problem(name, "categories", "declares two categories of the same text", "rename one of them")
    words = [place for place, number in numbers.items() if number is None]
    if read.kind in ("text", "mixed") and reals and all(_no_state(column.values[place]) for place in words):
        return hidden_missing_problem(name, _first(column, reals), _first(column, words))
    return None


def _no_state(word: object) -> bool:
    return word in LOOK_ALIKES or (isinstance(word, str) and word.lower() in INFINITE_WORDS)


def _first(column: Labels, places: Sequence[int]) -> str:
    """The label of the value among these that comes first in the rows."""
    row = int(np.isin(column.codes, places).argmax())
    return label(column.values[column.codes[row]])


def _infinite(name: str) -> Problem:
    fix = "name it as a missing token, or replace it by a finite one"
    return Problem(name, "infinite", "holds an infinite number", fix)


def _collision(name: str) -> Problem:
    return Problem(
        name,
        "missing-state",
        f"has missing values and also a state called '{MISSING_STATE}'",
        f"name '{MISSING_STATE}' as a missing token to join the two, or rename the state",
    )
