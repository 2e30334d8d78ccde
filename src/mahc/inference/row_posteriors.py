"""The distribution of one variable in rows with missing values, exactly.

In one row the missing variables fall into components: sets that are connected in the moral graph once the observed
variables are removed. Components are independent of each other given the row, and few differ between rows. So rows
are grouped by component and by the values around it, and each group is propagated in one batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.errors import Mention, Message
from mahc.graphs.bitset import members, to_bitset
from mahc.inference.bucket_tree import propagate
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.elimination import Elimination, eliminate
from mahc.inference.exact import MAX_BYTES, Cost, require_memory
from mahc.inference.factors import Factor, Values

MISSING = -1
ADVICE = Message("raise ", Mention("max_bytes"), ", or leave out rows that lack so many connected variables")
Rows = NDArray[np.integer]


def posterior_states(compiled: CompiledNetwork, rows: Rows, target: int, max_bytes: int = MAX_BYTES) -> Values:
    """The distribution of one variable in each row, given what the row has of the others; one line per row.

    What the rows have of the target itself is not used. A row of probability 0 has the distribution 0.
    """
    blind = rows.copy()
    blind[:, target] = MISSING
    found = np.ones((len(rows), compiled.sizes[target]))
    seen = [int(v) for v in np.flatnonzero((blind >= 0).any(axis=0))]
    nodes = compiled.relevant([target, *seen], ())
    for free, chosen in _find_components(compiled, nodes, blind):
        if target in free:
            component = _Component(compiled, free, nodes, blind[chosen], max_bytes)
            found[chosen] = component.posterior(compiled, target)
    return found


def _find_components(
    compiled: CompiledNetwork, nodes: Sequence[int], rows: Rows
) -> Iterator[tuple[frozenset[int], NDArray[np.intp]]]:
    """Sets of connected missing variables, each with the rows that have it, in an order that rows do not change."""
    adjacent = [0] * len(compiled.sizes)
    for node in nodes:
        family = to_bitset(compiled.factors[node].scope)
        for v in compiled.factors[node].scope:
            adjacent[v] |= family
    allowed = [v for v in nodes if compiled.sizes[v] > 1]
    absent = rows[:, allowed] < 0
    patterns, which = np.unique(absent, axis=0, return_inverse=True)
    by_pattern = np.split(np.argsort(which.ravel(), kind="stable"), np.cumsum(np.bincount(which.ravel()))[:-1])
    found: dict[int, list[NDArray[np.intp]]] = {}
    for pattern, chosen in zip(patterns, by_pattern, strict=True):
        left = to_bitset(allowed[place] for place in np.flatnonzero(pattern).tolist())
        while left:
            component = _connected(left, adjacent)
            found.setdefault(component, []).append(chosen)
            left &= ~component
    names = {component: sorted(compiled.network.names[v] for v in members(component)) for component in found}
    for component in sorted(found, key=names.__getitem__):
        yield frozenset(members(component)), np.sort(np.concatenate(found[component]))


def _connected(left: int, adjacent: Sequence[int]) -> int:
    """Everything in the set `left` that is connected to its first member."""
    found = frontier = left & -left
    while frontier:
        low = frontier & -frontier
        fresh = adjacent[low.bit_length() - 1] & left & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return found


class _Component:
    """Missing variables that are connected, in all rows that lack exactly these around them."""

    def __init__(
        self,
        compiled: CompiledNetwork,
        free: frozenset[int],
        nodes: Sequence[int],
        rows: Rows,
        max_bytes: int,
    ) -> None:
        self._free = free
        self._nodes = sorted(
            (node for node in nodes if free.intersection(compiled.factors[node].scope)),
            key=compiled.rank.__getitem__,
        )
        scopes = [tuple(v for v in compiled.factors[node].scope if v in free) for node in self._nodes]
        self._order = eliminate(scopes, compiled.sizes, compiled.rank)
        needed = self._order.bytes(both_ways=True)
        require_memory(_cost(compiled, self._order, needed), max_bytes, ADVICE)
        self._batch = int(max(1, min(65_536, max_bytes // 8 // needed)))
        around = {v for node in self._nodes for v in compiled.factors[node].scope} - free
        columns = sorted(around, key=compiled.rank.__getitem__)
        self._contexts, self._which = _distinct(rows, columns)

    def posterior(self, compiled: CompiledNetwork, target: int) -> Values:
        """The distribution of a variable of the component in each row."""
        found = []
        for start in range(0, len(self._contexts), self._batch):
            rows = self._contexts[start : start + self._batch]
            beliefs = propagate(self._order, [self._factor(compiled, node, rows) for node in self._nodes])
            shape = (len(rows), compiled.sizes[target])
            possible = np.isfinite(np.broadcast_to(beliefs.log2_total, (len(rows),)))
            found.append(np.broadcast_to(beliefs.marginal((target,)), shape) * possible[:, None])
        table: Values = np.concatenate(found)[self._which]
        return table

    def _factor(self, compiled: CompiledNetwork, node: int, rows: Rows) -> Factor:
        """The factor of a variable in each row, over the missing variables of its family."""
        factor = compiled.factors[node]
        known = [v for v in factor.scope if v not in self._free]
        scope = tuple(v for v in factor.scope if v in self._free)
        values = factor.values[0].transpose([factor.scope.index(v) for v in (*known, *scope)])
        if not known:
            return Factor(scope, values[None])
        return Factor(scope, values[tuple(np.maximum(rows[:, v], 0) for v in known)])


def _distinct(rows: Rows, columns: Sequence[int]) -> tuple[Rows, NDArray[np.intp]]:
    """One row for each combination of values in these columns that occurs, and the number of it for each row."""
    if not columns:
        return rows[:1], np.zeros(len(rows), np.intp)
    values = np.ascontiguousarray(rows[:, columns])
    _, first, which = np.unique(values, axis=0, return_index=True, return_inverse=True)
    return rows[first], which.ravel()


def _cost(compiled: CompiledNetwork, order: Elimination, needed: int) -> Cost:
    names = tuple(sorted(compiled.network.names[v] for v in order.largest))
    return Cost(order.treewidth, names, order.cells(order.largest), needed)
