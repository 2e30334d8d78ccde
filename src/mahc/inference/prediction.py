"""Rows of any source in the codes of a network, and the distribution of one variable in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.columns import MISSING_STATE, Discrete, code_type
from mahc.data.prepare.matching import UNKNOWN, make_finder
from mahc.data.prepare.notes import Problem
from mahc.data.prepare.weights import RowWeights, weights_from_column
from mahc.data.source_table import Column, LabelColumn, RefusedColumn
from mahc.engine import _native
from mahc.errors import DataError, UnknownNameError
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.evidence import Coded
from mahc.inference.exact import MAX_BYTES
from mahc.inference.factors import Values
from mahc.inference.row_posteriors import MISSING, posterior_states
from mahc.networks.network import Network
from mahc.opening import open_tables
from mahc.plurals import count

Codes = NDArray[np.integer]
UNSEEN = -2  # a value that is none of the network's states


class RowColumns:
    """The variables of a network in some rows, in its codes: MISSING where a value is, UNSEEN where no state matches.

    Each value is matched to the states by itself (`StateFinder`), so that a row means the same in any company. A
    missing value is the state `missing` of a network that has it.
    """

    def __init__(self, network: Coded, settings: ReadSettings, target: str | None = None) -> None:
        self._network, self._settings, self._target = network, settings, target
        self._finders = [
            make_finder(name, values, settings) for name, values in zip(network.names, network.values, strict=True)
        ]
        self.rows = 0
        self.names: set[str] = set()  # all columns that the source has
        self._parts: dict[int, list[tuple[int, Codes, Codes]]] = {}
        self._known: dict[int, Codes] = {}
        self._examples: dict[int, object] = {}  # an unseen value of a variable
        self._weights: list[RowWeights] = []
        self._whole: NDArray[np.bool_] | None = None  # the rows without missing values, where only they count

    @property
    def nodes(self) -> frozenset[int]:
        """The variables that have a column."""
        return frozenset(self._parts)

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """The weights of the rows, if they have any, in units of which their ratios alone count."""
        if not self._weights:
            return None
        unit = max(each.unit for each in self._weights)
        return np.concatenate([each.in_units(unit) for each in self._weights])

    def add(self, names: Iterable[str], columns: Iterable[Column], rows: int) -> None:
        """More rows; the target's own values, and columns that the network does not have, are not used."""
        places = {name: node for node, name in enumerate(self._network.names)}
        for name, column in zip(names, columns, strict=True):
            self.names.add(name)
            if name in places and name != self._target:
                self._parts.setdefault(places[name], []).append((self.rows, *self._match(places[name], column)))
            elif name == self._settings.weights:
                found = weights_from_column(name, column, self._settings)
                if isinstance(found, Problem):
                    raise DataError(found.as_message())
                self.add_weights(found)
        self.rows += rows

    def add_weights(self, weights: RowWeights) -> None:
        """The weights of the rows just added."""
        self._weights.append(weights)

    def codes(self, node: int) -> Codes:
        """The codes of a variable; unsigned where every row has a state."""
        if node not in self._known:
            parts = self._parts[node]
            if len(parts) == 1 and len(parts[0][2]) == self.rows:
                _, table, codes = parts[0]
                small = table.astype(code_type(len(self._network.states[node]))) if (table >= 0).all() else table
                self._known[node] = small[codes]
            else:
                whole = np.full(self.rows, self._missing(node), np.int64)
                for first, table, codes in parts:
                    whole[first : first + len(codes)] = table[codes]
                self._known[node] = whole
        return self._known[node]

    def unseen(self) -> Iterator[tuple[str, object, int]]:
        """Each variable with values that are none of its states: its name, one of the values, and how many rows."""
        for node in sorted(self._examples):
            odd = self.codes(node) == UNSEEN
            rows = int(np.count_nonzero(odd if self._whole is None else odd & self._whole))
            if rows:
                yield self._network.names[node], self._examples[node], rows

    def forget_unseen(self) -> None:
        """Treat values that are none of the states as not observed."""
        for parts in self._parts.values():
            for _, table, _ in parts:
                table[table == UNSEEN] = MISSING
        self._examples.clear()

    def refuse_unseen(self) -> None:
        """Refuse a value that the network does not have, also in a column that is not needed."""
        for name, value, _ in self.unseen():
            states = self._network.states[self._network.names.index(name)]
            shown = ", ".join(states[:8]) + (", ..." if len(states) > 8 else "")
            raise DataError(
                f"variable '{name}' has the value '{value}', which the model does not have (it has {shown}): correct "
                "it, or leave it empty to treat it as missing"
            )

    def incomplete_rows(self) -> Dataset | None:
        """The rows with their missing values, where a method for these was chosen; None where there are none."""
        if not self._settings.keeps_missing or self._lacking() is not None:
            return None
        found = [self.codes(node).astype(np.int64, copy=False) for node in range(len(self._network.names))]
        if not any((codes == MISSING).any() for codes in found) or any((codes == UNSEEN).any() for codes in found):
            return None
        columns = tuple(
            Discrete(states, np.where(codes == MISSING, len(states), codes).astype(np.uint32))
            for codes, states in zip(found, self._network.states, strict=True)
        )
        return Dataset(self._network.names, columns, self.weights)

    def _lacking(self) -> str | None:
        """A variable that has no column."""
        names = self._network.names
        return next((name for node, name in enumerate(names) if node not in self._parts), None)

    def complete_codes(self) -> tuple[list[NDArray[np.int64]], NDArray[np.int64] | None]:
        """All variables in the rows, and the weights; where rows with missing values were dropped, they are dropped."""
        names = self._network.names
        lacking = self._lacking()
        if lacking is not None:
            raise DataError(
                f"the data lack a variable of the network: {UnknownNameError('column', lacking, self.names)}"
            )
        found = [self.codes(node).astype(np.int64, copy=False) for node in range(len(names))]
        whole = np.ones(self.rows, np.bool_)
        for name, codes in zip(names, found, strict=True):
            missing = codes == MISSING
            if missing.any() and self._settings.missing != "drop":
                rows = count(int(missing.sum()), "row")
                raise DataError(
                    f"variable '{name}' is missing in {rows}, and such rows have no score: fill the values in, or "
                    "leave the rows out"
                )
            whole &= ~missing
        if whole.all():
            return found, self.weights
        if not whole.any():
            raise DataError("every row has a missing value, and such rows have no score: fill the values in")
        weights, self._whole = self.weights, whole
        return [codes[whole] for codes in found], None if weights is None else weights[whole]

    def _missing(self, node: int) -> int:
        states = self._network.states[node]
        return states.index(MISSING_STATE) if MISSING_STATE in states else MISSING

    def _match(self, node: int, column: Column) -> tuple[Codes, Codes]:
        """The code of each distinct value, and which of them each row has."""
        finder, missing = self._finders[node], self._missing(node)
        if isinstance(column, RefusedColumn):
            raise DataError(column.problem.as_message())
        if isinstance(column, LabelColumn):
            table = np.array([self._place(node, value) for value in column.values], np.int64)
            return table, column.codes
        numbers = column.numbers
        found = finder.find_numbers(numbers)
        found[found == UNKNOWN] = UNSEEN
        found[self._settings.missing_numbers(numbers, self._network.names[node])] = missing
        if (found == UNSEEN).any():
            self._examples.setdefault(node, numbers[int((found == UNSEEN).argmax())])
        return found, np.arange(len(found))

    def _place(self, node: int, value: object) -> int:
        if value is None:
            return self._missing(node)
        finder = self._finders[node]
        found = finder.find_named(value)
        if found == UNKNOWN and self._settings.is_missing(value, self._network.names[node]):
            return self._missing(node)
        found = finder.find(value) if found == UNKNOWN else found
        if found == UNKNOWN and value == MISSING_STATE:
            return MISSING
        if found == UNKNOWN:
            self._examples.setdefault(node, value)
            return UNSEEN
        return found


def read_rows(network: Network, source: Any, settings: ReadSettings, target: str | None = None) -> RowColumns:
    """The rows of a source in the network's codes.

    Of the settings, tokens for missing values, cut points, merging of states, weights and the dialect of a text file
    count. Numbers are cut where the states are intervals.
    """
    rows = RowColumns(network, settings, target)
    if isinstance(source, Dataset):
        rows.add(source.names, [column.as_source() for column in source.columns], source.rows)
        if source.weights is not None:
            rows.add_weights(RowWeights(source.weights, source.unit))
    else:
        for table in open_tables(source, settings):
            rows.add(table.names, table.columns, table.rows)
    if not rows.names & set(network.names):
        raise DataError(f"the data have none of the network's variables: {', '.join(network.names[:6])}")
    return rows


def predict_states(
    compiled: CompiledNetwork,
    columns: RowColumns,
    target: int,
    threads: int = 1,
    max_bytes: int = MAX_BYTES,
) -> Values:
    """The distribution of the target in each row, one line per row; 0 everywhere in a row of probability 0.

    Rows that have the whole Markov blanket of the target are computed in the core; the others are propagated.
    """
    families = [node for node in range(len(compiled.sizes)) if target in compiled.factors[node].scope]
    blanket = sorted({v for node in families for v in compiled.factors[node].scope if compiled.sizes[v] > 1} - {target})
    complete = np.ones(columns.rows, np.bool_)
    for v in blanket:
        if v not in columns.nodes:
            complete[:] = False
        elif columns.codes(v).dtype.kind == "i":
            complete &= columns.codes(v) >= 0
    if complete.all():
        return _by_blanket(compiled, columns, None, columns.rows, target, families, blanket, threads)
    found = np.zeros((columns.rows, compiled.sizes[target]))
    if complete.any():
        found[complete] = _by_blanket(
            compiled, columns, complete, int(complete.sum()), target, families, blanket, threads
        )
    left = ~complete
    matrix = np.full((int(left.sum()), len(compiled.sizes)), MISSING, np.int64)
    for v in columns.nodes:
        matrix[:, v] = columns.codes(v)[left]
    found[left] = posterior_states(compiled, matrix, target, max_bytes)
    return found


def _by_blanket(
    compiled: CompiledNetwork,
    columns: RowColumns,
    chosen: NDArray[np.bool_] | None,
    rows: int,
    target: int,
    families: list[int],
    blanket: list[int],
    threads: int,
) -> Values:
    place = {v: k for k, v in enumerate(blanket)}
    codes = [
        (columns.codes(v) if chosen is None else columns.codes(v)[chosen]).astype(
            code_type(compiled.sizes[v]), copy=False
        )
        for v in blanket
    ]
    members, strides, target_strides, logs = [], [], [], []
    for node in sorted(families, key=compiled.rank.__getitem__):
        scope = compiled.factors[node].scope
        steps = {v: int(np.prod([compiled.sizes[u] for u in scope[k + 1 :]], dtype=int)) for k, v in enumerate(scope)}
        others = [v for v in scope if v in place]
        members.append([place[v] for v in others])
        strides.append([steps[v] for v in others])
        target_strides.append(steps[target])
        with np.errstate(divide="ignore"):
            logs.append(np.ascontiguousarray(np.log(compiled.factors[node].values.ravel())))
    states = [compiled.sizes[v] for v in blanket]
    size = compiled.sizes[target]
    return _native.blanket_posteriors(codes, states, rows, size, members, strides, target_strides, logs, threads)
