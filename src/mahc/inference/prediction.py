"""The most probable state of one variable in each row of a table, given the row's other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.columns import code_type
from mahc.data.prepare.audit import prepare
from mahc.data.prepare.interval_states import cut_points_of
from mahc.data.prepare.spellings import merging_key
from mahc.data.reading import load
from mahc.data.settings import MISSING_STATE
from mahc.data.source_table import Column, LabelColumn, SourceTable
from mahc.engine import _native
from mahc.errors import DataError
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.exact import MAX_BYTES
from mahc.inference.factors import Values
from mahc.inference.row_posteriors import MISSING, posterior_states
from mahc.networks.network import Network
from mahc.networks.state_labels import match_labels

Codes = NDArray[np.integer]


class RowColumns:
    """The columns of the network in some data, each put into the network's codes when it is first needed."""

    def __init__(self, network: Network, data: Dataset | None, rows: int, leave_out: str) -> None:
        self.rows = rows
        self._network, self._data = network, data
        names = () if data is None else data.names
        places = {name: node for node, name in enumerate(network.names)}
        self.nodes = frozenset(places[name] for name in names if name in places and name != leave_out)
        self._known: dict[int, Codes] = {}

    def codes(self, node: int) -> Codes:
        """The codes of a variable, -1 where missing."""
        if node not in self._known:
            assert self._data is not None
            self._known[node] = _translate(self._network, node, self._data)
        return self._known[node]

    def check(self) -> None:
        """Refuse a value that the network does not have, also in a column that is not needed."""
        if self._data is not None:
            for node in sorted(self.nodes):
                _refuse_unknown(self._network, node, self._data)


def read_rows(network: Network, source: Any, leave_out: str, reading: ReadSettings | None = None) -> RowColumns:
    """The columns of the network in a source; other columns, and the column `leave_out`, are not read.

    A variable without a column is missing in all rows. Of the settings, tokens for missing values, cut points, merging
    of states and the dialect of a text file count. Numbers are cut at the points that the network's states tell, where
    those are intervals and the settings name no cut points for the column.
    """
    if isinstance(source, Dataset):
        return RowColumns(network, source, source.rows, leave_out)
    settings = _for_rows(ReadSettings() if reading is None else reading)
    table = load(source, settings)
    known = [place for place, name in enumerate(table.names) if name in network.names and name != leave_out]
    if not known:
        if leave_out in table.names:
            return RowColumns(network, None, table.rows, leave_out)
        raise DataError(f"the data have none of the network's variables: {', '.join(network.names[:6])}")
    names = tuple(table.names[place] for place in known)
    chosen = SourceTable(table.source, names, tuple(table.columns[place] for place in known))
    return RowColumns(network, _code(network, chosen, settings), table.rows, leave_out)


def read_complete_rows(network: Network, source: Any, reading: ReadSettings | None = None) -> Dataset:
    """Data without missing values, with numbers cut where the network's states are intervals, at their ends."""
    if isinstance(source, Dataset):
        return source
    settings = ReadSettings() if reading is None else reading
    table = load(source, settings)
    known = [place for place, name in enumerate(table.names) if name in network.names]
    kept = [place for place, name in enumerate(table.names) if name in network.names or name == settings.weights]
    if not known:
        raise DataError(f"the data have none of the network's variables: {', '.join(network.names[:6])}")
    names = tuple(table.names[place] for place in kept)
    chosen = SourceTable(table.source, names, tuple(table.columns[place] for place in kept))
    return _code(network, chosen, settings)


def _code(network: Network, table: SourceTable, settings: ReadSettings) -> Dataset:
    cut = replace(settings, discretise=_cuts(network, table, settings) or None)
    data = prepare(table, cut, one_row=True).require()
    return _spelt_like(network, data) if settings.merge_states else data


def _cuts(network: Network, table: SourceTable, settings: ReadSettings) -> dict[str, Any]:
    """The cut points of each column: those of the settings, or those that the network's states tell."""
    given = settings.discretise if isinstance(settings.discretise, Mapping) else {}
    found = {}
    for name, column in zip(table.names, table.columns, strict=True):
        if name not in network.names:
            continue
        states = network.states[network.names.index(name)]
        if _has_state(column, states):
            continue
        cuts = given[name] if name in given else cut_points_of(states)
        if cuts is not None:
            found[name] = cuts
    return found


def _has_state(column: Column, states: Sequence[str]) -> bool:
    """Whether the column holds states already, not numbers that are still to be cut."""
    return isinstance(column, LabelColumn) and (column.declared or any(value in states for value in column.values))


def _spelt_like(network: Network, data: Dataset) -> Dataset:
    """The data with the network's spelling of states that differ from its own in case or blanks only."""
    columns = []
    for name, column in zip(data.names, data.discrete, strict=True):
        known = network.states[network.names.index(name)]
        spelling = {merging_key(state): state for state in known}
        labels = (label if label in known else spelling.get(merging_key(label), label) for label in column.labels)
        columns.append(replace(column, states=tuple(labels)))
    return replace(data, columns=tuple(columns))


def _for_rows(reading: ReadSettings) -> ReadSettings:
    return replace(reading, missing="state", keep_unused_states=True, weights=None, columns=None, drop=())


def _refuse_unknown(network: Network, node: int, data: Dataset) -> None:
    place = data.index(network.names[node])
    labels, states = data.labels[place], network.states[node]
    matched = match_labels(labels, states)
    unknown = [k for k, label in enumerate(labels) if matched[k] < 0 and label != MISSING_STATE]
    if not unknown:
        return
    occurring = np.flatnonzero(np.bincount(data.codes[place], minlength=len(labels))[unknown])
    if len(occurring):
        shown = ", ".join(states[:8]) + (", ..." if len(states) > 8 else "")
        raise DataError(
            f"variable '{network.names[node]}' has the value '{labels[unknown[int(occurring[0])]]}', which the model "
            f"does not have (it has {shown}): correct it, or leave it empty to treat it as missing"
        )


def _translate(network: Network, node: int, data: Dataset) -> Codes:
    """A column in the network's codes; the state `missing`, where the network does not have it, is -1."""
    place = data.index(network.names[node])
    labels, states = data.labels[place], network.states[node]
    if labels == states:
        return data.codes[place]
    found = match_labels(labels, states)
    kind = np.dtype(np.int64) if MISSING in found else code_type(len(states))
    return np.array(found, kind)[data.codes[place]]


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
