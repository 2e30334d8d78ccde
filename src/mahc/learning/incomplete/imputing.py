"""Filling missing values with their most probable state given the Markov blanket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.graphs import DAG
from mahc.inference.em import Completer
from mahc.learning.control import Control
from mahc.networks.network import Network

MOST_SWEEPS = 10
Columns = list[NDArray[np.int64]]


class Imputer:
    """The values that fill the missing ones; they start as each variable's most frequent state."""

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self._order = sorted(range(len(data.names)), key=data.names.__getitem__)
        self._missing = [data.columns[v].missing for v in self._order]
        own = data.weights
        self._columns: Columns = []
        self._ranks: list[NDArray[np.intp]] = []  # the states of a variable, the most frequent first
        for v, lost in zip(self._order, self._missing, strict=True):
            codes = data.discrete[v].codes.astype(np.int64)
            counts = np.bincount(codes[~lost], None if own is None else own[~lost], len(data.discrete[v].states))
            ranks = np.argsort(-counts, kind="stable")
            self._ranks.append(ranks)
            self._columns.append(np.where(lost, ranks[0], codes))

    def fill(self, arcs: Sequence[tuple[str, str]], threads: int | None, control: Control) -> None:
        """Fill anew under a graph, variable by variable, until a sweep changes nothing (at most ten sweeps).

        The tables come from the rows that are complete in each family, so filled values do not confirm themselves.
        Raises Stopped when the run is to stop.
        """
        completer = Completer(DAG(self.data.names, arcs), self.data, threads)
        names = [self.data.names[v] for v in self._order]
        network = completer.network(completer.fit_available(), "available", "")
        logs = [np.log2(np.maximum(network.tables[network.names.index(name)], 1e-300)) for name in names]
        place = {name: i for i, name in enumerate(names)}
        parents = [[place[network.names[p]] for p in _parents(network, name)] for name in names]
        children = [[c for c, mine in enumerate(parents) if i in mine] for i in range(len(names))]
        for _ in range(MOST_SWEEPS):
            changed = False
            for i in range(len(names)):
                control.check()
                changed = self._fill_one(i, logs, parents, children[i]) or changed
            if not changed:
                break

    def filled(self) -> Dataset:
        """The data with every missing value filled."""
        columns = list(self.data.discrete)
        for v, codes in zip(self._order, self._columns, strict=True):
            columns[v] = columns[v].with_codes(codes)
        return replace(self.data, columns=tuple(columns)).without_unused_states()

    def content(self) -> bytes:
        """All filled values, to notice when they repeat."""
        return b"".join(
            column[lost].astype(np.uint32).tobytes() for column, lost in zip(self._columns, self._missing, strict=True)
        )

    def _fill_one(self, i: int, logs: list[NDArray[np.float64]], parents: list[list[int]], children: list[int]) -> bool:
        lost = self._missing[i]
        if not lost.any():
            return False
        sizes = [len(self.data.discrete[v].states) for v in self._order]
        scores = np.zeros((int(lost.sum()), sizes[i]))
        values = [column[lost] for column in self._columns]
        for family in (i, *children):
            row = np.zeros((len(scores), sizes[i]), np.int64)
            for member in parents[family]:
                value = np.arange(sizes[i])[None, :] if member == i else values[member][:, None]
                row = row * sizes[member] + value
            state = np.arange(sizes[i])[None, :] if family == i else values[family][:, None]
            scores += logs[family][row, state]
        best = self._ranks[i][scores[:, self._ranks[i]].argmax(axis=1)]
        changed = bool((best != values[i]).any())
        self._columns[i][lost] = best
        return changed


def _parents(network: Network, name: str) -> tuple[int, ...]:
    return network.parents[network.names.index(name)]
