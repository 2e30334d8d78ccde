"""From a column of a source to states and codes, or to a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Continuous, Discrete, State, code_type
from mahc.data.prepare.discretise import Rule, interval_labels
from mahc.data.prepare.missing_codes import count_ends, warn_about_codes
from mahc.data.prepare.notes import Note, Problem, enumerate_some, merged_label, note_merged, shorten
from mahc.data.prepare.types import (
    COMMA_NUMBER,
    IDENTIFIER_ROWS,
    INFINITE_WORDS,
    LARGEST_WHOLE,
    MANY_NUMBERS,
    Interpreted,
    dates_problem,
    decimal_commas_problem,
    hidden_missing_problem,
    interpret,
    keep_numbers,
    label,
    many_numbers_problem,
    means_missing,
    no_measurement,
    parse_number,
    real_problem,
    units_problem,
)
from mahc.data.settings import MISSING_STATE, ReadSettings
from mahc.data.source_table import MAX_STATES, LabelColumn, NumberColumn, RefusedColumn, too_many_states
from mahc.errors import Mention, Message
from mahc.plurals import count, noun, verb

Mask = NDArray[np.bool_]
Weights = NDArray[np.int64] | None


@dataclass(frozen=True)
class Coded:
    """A coded column, what kind of values it was read from, and notes."""

    kind: str
    column: Discrete
    notes: tuple[Note, ...] = ()
    repeats: NDArray[np.int64] | None = None
    spelt: bool = False
    why: str = ""

    @property
    def level(self) -> str:
        """Whether the order of the states has a meaning."""
        return "ordinal" if self.column.ordered else "nominal"

    @property
    def states(self) -> tuple[str, ...]:
        """The states as they are printed."""
        return self.column.labels

    @property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """The code of each row."""
        return self.column.codes

    def rows_in(self, states: Sequence[int]) -> int:
        """How many rows have one of these states."""
        chosen = np.isin(self.codes, states)
        return int(chosen.sum() if self.repeats is None else self.repeats[chosen].sum())


@dataclass(frozen=True)
class KeptNumbers:
    """A column that stays numbers, and what those say of it who take discrete columns only."""

    kind: str
    column: Continuous
    why: str
    problem: Problem
    notes: tuple[Note, ...] = ()
    level: ClassVar[str] = "continuous"


Result = Coded | KeptNumbers | RefusedColumn


def code_labels(name: str, column: LabelColumn, missing: Mask, weights: Weights, settings: ReadSettings) -> Result:
    """Code a column of listed values; `missing` marks the values that mean missing."""
    codes = column.codes
    every = np.bincount(codes, minlength=len(column.values))
    occurs = every > 0
    rule = settings.rules.get(name)
    keep_unused = column.declared and settings.keep_unused_states and rule is None
    places = np.flatnonzero(~missing if keep_unused else occurs & ~missing)
    values = [column.values[place] for place in places.tolist()]
    read = interpret(values, column.declared, column.spelt)
    if weights is not None:
        every = np.bincount(codes, weights=weights, minlength=len(column.values))
    counts = every[places].astype(np.int64)
    notes = warn_about_codes(name, values, column.count_rows()[places]) if read.kind in ("integer", "real") else ()
    if settings.keeps_states(name):
        read = keep_numbers(read, values)
    elif rule is None and _has_many_numbers(read):
        rule = settings.rule_for(name)
    targets: Sequence[int] | NDArray[np.intp]
    ordered = column.ordered
    if name in settings.orders:
        ranked = _in_order(name, read, settings)
        if isinstance(ranked, Problem):
            return RefusedColumn(read.kind, ranked, column.rows, notes)
        read, ordered, notes = ranked.read, True, (*notes, *ranked.notes)
        if name in settings.merged:
            read, notes = _merge(name, read, settings), (*notes, note_merged(name, settings.merged[name]))
    if rule is None:
        if name in settings.continuous or _has_many_numbers(read):
            table = np.full(len(column.values), np.nan)
            numbers = [parse_number(value) for value in values]
            if None in numbers:
                return RefusedColumn(read.kind, _no_numbers(name, values[numbers.index(None)]), column.rows, notes)
            table[places] = numbers
            return _keep_numbers(name, table[codes], column.rows, notes, settings)
        problem = _find_problem(name, read, column, places, settings)
        if problem is not None:
            return RefusedColumn(read.kind, problem, column.rows, notes)
        kind, states, why = read.kind, read.order, _why_states(name, read, column, settings)
        notes += _note_left(name, read, settings)
        rank = {state: code for code, state in enumerate(states)}
        targets = [rank[state] for state in read.labels]
    else:
        cut = _discretise_values(name, values, counts, rule, settings, read.kind)
        if isinstance(cut, Problem):
            return RefusedColumn(read.kind, cut, column.rows, notes)
        kind, states, targets, notes = read.kind, cut.states, cut.targets, (cut.note, *notes)
        why = _why_cut(states)
    if MISSING_STATE in states and settings.missing == "state" and (occurs & missing).any():
        return RefusedColumn(kind, _collision(name), column.rows)
    table = np.full(len(column.values), len(states), dtype=code_type(len(states) + 1))
    table[places] = targets
    typed = states if rule is not None else _typed(read, values, states)
    found = Discrete(typed, np.take(table, codes), ordered)
    return Coded(kind, _keep_missing(found, settings), notes, column.repeats, column.spelt, why)


def code_numbers(name: str, column: NumberColumn, missing: Mask, weights: Weights, settings: ReadSettings) -> Result:
    """Code a column with one number per row, or keep the numbers; `missing` marks the missing rows."""
    numbers = column.numbers
    known = numbers[~missing]
    if not np.isfinite(known).all():
        return RefusedColumn("real", _infinite(name), column.rows)
    counts = np.ones(len(numbers), dtype=np.int64) if weights is None else weights
    if settings.keeps_states(name):
        distinct, places = np.unique(np.where(missing, np.nan, numbers), return_inverse=True)
        if len(distinct) > MAX_STATES:
            return too_many_states(name, "real", len(distinct), column.rows)
        known_values = [None if value != value else value for value in distinct.tolist()]
        listed = LabelColumn(known_values, places, repeats=column.repeats)
        return code_labels(name, listed, np.isnan(distinct), weights, settings)
    rows = np.ones(len(numbers), dtype=np.int64) if column.repeats is None else column.repeats
    notes = warn_about_codes(name, *count_ends(known, rows[~missing])) if len(known) else ()
    rule = settings.rule_for(name)
    if rule is None:
        return _keep_numbers(name, np.where(missing, np.nan, numbers), column.rows, notes, settings)
    kind = "integer" if _first_real(known) is None else "real"
    cut = _discretise(name, known, counts[~missing], rule, settings, kind)
    if isinstance(cut, Problem):
        return RefusedColumn(kind, cut, column.rows, notes)
    states = cut.states
    codes = np.full(len(numbers), len(states), dtype=code_type(len(states) + 1))
    codes[~missing] = cut.targets
    found = _keep_missing(Discrete(states, codes), settings)
    return Coded(kind, found, (cut.note, *notes), column.repeats, why=_why_cut(states))


def _keep_numbers(
    name: str, numbers: NDArray[np.float64], rows: int, notes: tuple[Note, ...], settings: ReadSettings
) -> KeptNumbers | RefusedColumn:
    """A column that stays numbers, unless they are dates or identify rows; NaN where one is missing."""
    known = numbers[~np.isnan(numbers)]
    real = _first_real(known)
    kind = "integer" if real is None else "real"
    distinct = np.unique(known)
    if not len(known):
        return RefusedColumn(kind, Problem(name, "empty", "holds no numbers", "leave it out"), rows)
    if not np.isfinite(distinct).all():
        return RefusedColumn(kind, _infinite(name), rows, notes)
    chosen = name in settings.continuous
    odd = None if chosen or real is not None else no_measurement(name, distinct.tolist(), rows)
    if odd is not None:
        return RefusedColumn(kind, odd, rows, notes)
    if real is None:
        why = f"{count(len(distinct), 'whole number')}, more than {MANY_NUMBERS}"
        problem = many_numbers_problem(name, len(distinct))
    else:
        why, problem = "real numbers", real_problem(name, label(real))
    why = f"named in continuous, {count(len(distinct), 'number')}" if chosen else why
    said = Note(name, "numbers", f"continuous: {why}", (float(len(distinct)),))
    return KeptNumbers(
        kind, Continuous(numbers), why, problem, (said, *notes, *warn_about_few(name, len(distinct), rows))
    )


def _first_real(known: NDArray[np.float64]) -> float | None:
    """The first number that is not whole, or is so large that its digits are not known."""
    real = (known != np.floor(known)) | (np.abs(known) >= LARGEST_WHOLE)
    return float(known[int(real.argmax())]) if real.any() else None


def warn_about_few(name: str, distinct: int, rows: int) -> tuple[Note, ...]:
    """A warning about numbers that say little as numbers: one or two different ones."""
    if distinct == 1:
        message = "constant: one number only, so it is independent of the others"
        return (Note(name, "constant", message, (1.0,), warning=True),)
    if distinct == 2 and rows >= IDENTIFIER_ROWS:
        fix = Message("if they are codes, pass ", Mention("categorical", (name,)))
        return (Note(name, "two-numbers", "holds two different numbers only", (2.0,), True, fix),)
    return ()


@dataclass(frozen=True)
class _Ordered:
    read: Interpreted
    notes: tuple[Note, ...]


def _in_order(name: str, read: Interpreted, settings: ReadSettings) -> _Ordered | Problem:
    """The column with its states in the order that the user gives."""
    given = settings.orders[name]
    if read.labels and all(parse_number(text) is not None for text in read.labels):
        given = tuple(text if (number := parse_number(text)) is None else str(number) for text in given)
    found = set(read.labels)
    lacking = next((text for text in read.labels if text not in given), None)
    if lacking is not None:
        fix = Message("correct the value, or list all states in ", Mention("ordinal"), ", lowest first")
        listed = enumerate_some(list(given))
        return Problem(name, "ordinal", f"has the value {shorten(lacking)}, which is not in its order ({listed})", fix)
    notes = tuple(
        Note(name, "unused-state", f"the state {shorten(text)} of its order does not occur", warning=True)
        for text in given
        if text not in found
    )
    order = given if settings.keep_unused_states else tuple(text for text in given if text in found)
    return _Ordered(Interpreted(read.kind, read.labels, order), notes)


def _merge(name: str, read: Interpreted, settings: ReadSettings) -> Interpreted:
    """The column with neighbouring states as one."""
    called = {state: merged_label(group) for group in settings.merged[name] for state in group}
    labels = tuple(called.get(text, text) for text in read.labels)
    return Interpreted("text", labels, tuple(dict.fromkeys(called.get(text, text) for text in read.order)))


def _why_states(name: str, read: Interpreted, column: LabelColumn, settings: ReadSettings) -> str:
    """Why a column has states, in a few words."""
    if name in settings.orders:
        return "order given"
    if column.declared:
        return "ordered categories" if column.ordered else "categories"
    if read.kind == "integer":
        return f"{count(len(read.order), 'whole number')}, at most {MANY_NUMBERS} are states"
    names = {"boolean": "true and false", "mixed": "values of several types", "category": "named in categorical"}
    return names.get(read.kind, read.kind)


def _why_cut(states: Sequence[str]) -> str:
    return f"numbers cut into {count(len(states), 'interval')}"


def _no_numbers(name: str, value: object) -> Problem:
    word = label(value)
    token = Mention("missing_tokens", {name: (word,)})
    fix = Message(
        "correct it, pass ", token, " if that means missing, or leave the name out of ", Mention("continuous")
    )
    return Problem(name, "not-numbers", f"is to be continuous, but holds {shorten(word)}", fix)


def _keep_missing(column: Discrete, settings: ReadSettings) -> Discrete:
    """The column with missing values as the settings say: as a state or, where the whole table is refused, missing."""
    return column.missing_as_state() if settings.missing == "state" else column


def _typed(read: Interpreted, values: Sequence[object], states: tuple[str, ...]) -> tuple[State, ...]:
    """The states in the type in which they came: numbers and Booleans, also where a text file spells them."""
    if read.kind == "integer":
        typed = zip(read.labels, values, strict=True)
        known: dict[str, State] = {
            text: value if isinstance(value, int | float) else int(text) for text, value in typed
        }
    elif read.kind == "boolean":
        known = {"false": False, "true": True}
    elif read.kind == "category":
        known = {
            text: _number(value) for text, value in zip(read.labels, values, strict=True) if type(value) is not str
        }
    else:
        return states
    return tuple(known.get(state, state) for state in states)


def _number(value: object) -> State:
    number = parse_number(value)
    return bool(value) if isinstance(value, bool) else label(value) if number is None else number


def _has_many_numbers(read: Interpreted) -> bool:
    return read.kind == "real" or (read.kind == "integer" and len(read.order) > MANY_NUMBERS)


def _note_left(name: str, read: Interpreted, settings: ReadSettings) -> tuple[Note, ...]:
    """What a rule for all columns did not apply to."""
    if None not in settings.rules or read.kind not in ("integer", "category"):
        return ()
    states = len(read.order)
    return (Note(name, "not-discretised", f"left as it is: {count(states, 'state')}", (float(states),)),)


@dataclass(frozen=True)
class _Discretised:
    states: tuple[str, ...]
    targets: NDArray[np.intp]
    note: Note


def _discretise_values(
    name: str, values: Sequence[object], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings, kind: str
) -> _Discretised | Problem:
    numbers = [parse_number(value) for value in values]
    if None in numbers:
        word = label(values[numbers.index(None)])
        token = Mention("missing_tokens", {name: (word,)})
        return Problem(
            name,
            "not-numbers",
            f"cannot be discretised: it holds {shorten(word)}",
            Message("discretise numbers only, or pass ", token, " if that means missing"),
        )
    return _discretise(name, np.array(numbers, dtype=np.float64), counts, rule, settings, kind)


def _discretise(
    name: str, numbers: NDArray[np.float64], counts: NDArray[np.int64], rule: Rule, settings: ReadSettings, kind: str
) -> _Discretised | Problem:
    if not np.isfinite(numbers).all():
        return _infinite(name)
    if not len(numbers):
        return Problem(name, "empty", "holds no numbers to discretise", "leave it out")
    cuts = rule.cut_points(numbers, counts)
    bins = np.searchsorted(cuts, numbers, side="left")
    labels = interval_labels(cuts)
    used = np.arange(len(labels)) if settings.keep_unused_states else np.unique(bins)
    points = enumerate_some([f"{cut:.6g}" for cut in cuts]) or "no point"
    kept = "whole numbers" if kind == "integer" else "real numbers"
    how = f" ({rule})" if str(rule) else ""
    message = f"{kept} cut at {points}{how}"
    requested = getattr(rule, "bins", len(labels))
    fewer = (
        f"; {len(used)} of {requested} {noun(requested, 'interval')} {verb(len(used), 'occur')}"
        if len(used) < requested
        else ""
    )
    note = Note(name, "discretised", message + fewer, tuple(cuts.tolist()), warning=bool(fewer))
    return _Discretised(tuple(labels[k] for k in used), np.searchsorted(used, bins), note)


def _find_problem(
    name: str, read: Interpreted, column: LabelColumn, places: NDArray[np.intp], settings: ReadSettings
) -> Problem | None:
    if read.kind in ("boolean", "integer"):
        return None
    if len(read.order) > MAX_STATES:
        return dates_problem(name, read.order) or too_many_states(name, read.kind, len(read.order), column.rows).problem
    if read.kind == "category" and len(read.order) < len(places):
        return Problem(name, "categories", "declares two categories of the same text", "rename one of them")
    numbers = {place: parse_number(column.values[place]) for place in places.tolist()}
    reals = [place for place, number in numbers.items() if isinstance(number, float)]
    words = [place for place, number in numbers.items() if number is None]
    commas = [place for place in words if COMMA_NUMBER.match(label(column.values[place]))]
    if read.kind == "text" and not settings.keeps_states(name) and (problem := units_problem(name, read.order)):
        return problem
    if read.kind == "text" and not column.spelt:
        return None
    if read.kind == "text" and commas and not settings.keeps_states(name) and len(commas) == len(words):
        return decimal_commas_problem(name, _first(column, commas))
    if read.kind in ("text", "mixed") and reals and all(_means_missing(column.values[place]) for place in words):
        return hidden_missing_problem(name, _first(column, reals), _first(column, words))
    return None


def _means_missing(word: object) -> bool:
    return isinstance(word, str) and (means_missing(word) or word.lower() in INFINITE_WORDS)


def _first(column: LabelColumn, places: Sequence[int]) -> str:
    """The label of the value, among these, that occurs first."""
    row = int(np.isin(column.codes, places).argmax())
    return label(column.values[column.codes[row]])


def _infinite(name: str) -> Problem:
    fix = Message("pass ", Mention("missing_tokens", {name: ("inf", "-inf")}), ", or replace it by a finite number")
    return Problem(name, "infinite", "holds an infinite number", fix)


def _collision(name: str) -> Problem:
    token = Mention("missing_tokens", {name: (MISSING_STATE,)})
    return Problem(
        name,
        "missing-state",
        f"has missing values and also a state called '{MISSING_STATE}'",
        Message("pass ", token, " to merge the two, or rename the state"),
        (token,),
    )
