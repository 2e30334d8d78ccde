"""The most probable state of one variable in each row of a table, given the row's other values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.dataset import code_type
from mahc.data.prepare.audit import prepare
from mahc.data.reading import load
from mahc.data.settings import MISSING_STATE
from mahc.data.source_table import SourceTable
from mahc.engine import _native
from mahc.errors import DataError
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.exact import MAX_BYTES
from mahc.inference.factors import Values
from mahc.inference.incomplete_rows import MISSING, posterior_states
from mahc.networks.network import Network

Codes = NDArray[np.integer]


def read_rows(network: Network, source: Any, leave_out: str) -> tuple[dict[int, Codes], int]:
    """The columns of the network in a source, in the network's codes, -1 where missing; and the number of rows.

    Columns that the network does not have, and the column `leave_out`, are not read. A variable without a column is
    missing in all rows.
    """
    if isinstance(source, Dataset):
        data, rows = source, source.rows
    else:
        table = load(source, ReadSettings())
        known = [place for place, name in enumerate(table.names) if name in network.names and name != leave_out]
        rows = table.rows
        if not known:
            if leave_out in table.names:
                return {}, rows
            raise DataError(f"the data have none of the network's variables: {', '.join(network.names[:6])}")
        names = tuple(table.names[place] for place in known)
        chosen = SourceTable(table.source, names, tuple(table.columns[place] for place in known))
        data = prepare(chosen, ReadSettings(missing="state", keep_unused_states=True)).require()
    places = {name: node for node, name in enumerate(network.names)}
    wanted = [name for name in data.names if name in places and name != leave_out]
    return {places[name]: _translate(network, places[name], data) for name in wanted}, rows


def _translate(network: Network, node: int, data: Dataset) -> Codes:
    """A column in the network's codes; the state `missing`, where the network does not have it, is -1."""
    place = data.index(network.names[node])
    code_of = {label: code for code, label in enumerate(network.states[node])}
    labels = data.states[place]
    table = np.array([code_of.get(label, MISSING) for label in labels], np.int64)
    unknown = [k for k, label in enumerate(labels) if label not in code_of and label != MISSING_STATE]
    column = data.columns[place]
    if unknown and (occurring := np.flatnonzero(np.bincount(column, minlength=len(labels))[unknown])).size:
        label = labels[unknown[int(occurring[0])]]
        shown = ", ".join(network.states[node][:8]) + (", ..." if len(network.states[node]) > 8 else "")
        raise DataError(
            f"variable '{network.names[node]}' has the value '{label}', which the model does not have (it has "
            f"{shown}): correct it, or leave it empty to treat it as missing"
        )
    return table[column]


def predict_states(
    compiled: CompiledNetwork,
    columns: dict[int, Codes],
    rows: int,
    target: int,
    threads: int = 1,
    max_bytes: int = MAX_BYTES,
) -> Values:
    """The distribution of the target in each row, one line per row; 0 everywhere in a row of probability 0.

    Rows that have the whole Markov blanket of the target are computed in the core; the others are propagated.
    """
    families = [node for node in range(len(compiled.sizes)) if target in compiled.factors[node].scope]
    blanket = sorted({v for node in families for v in compiled.factors[node].scope if compiled.sizes[v] > 1} - {target})
    complete = np.ones(rows, np.bool_)
    for v in blanket:
        complete &= columns[v] >= 0 if v in columns else False
    found = np.zeros((rows, compiled.sizes[target]))
    if complete.all():
        return _by_blanket(compiled, columns, None, rows, target, families, blanket, threads)
    if complete.any():
        found[complete] = _by_blanket(
            compiled, columns, complete, int(complete.sum()), target, families, blanket, threads
        )
    left = ~complete
    matrix = np.full((int(left.sum()), len(compiled.sizes)), MISSING, np.int64)
    for v, column in columns.items():
        matrix[:, v] = column[left]
    found[left] = posterior_states(compiled, matrix, target, max_bytes)
    return found


def _by_blanket(
    compiled: CompiledNetwork,
    columns: dict[int, Codes],
    chosen: NDArray[np.bool_] | None,
    rows: int,
    target: int,
    families: list[int],
    blanket: list[int],
    threads: int,
) -> Values:
    place = {v: k for k, v in enumerate(blanket)}
    codes = [
        (columns[v] if chosen is None else columns[v][chosen]).astype(code_type(compiled.sizes[v])) for v in blanket
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
