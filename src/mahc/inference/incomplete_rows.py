"""Rows with missing values: expected counts of families (the E step of expectation-maximisation) and posteriors.

In one row the missing variables fall into components: sets that are connected in the moral graph once the observed
variables are removed. Components are independent of each other given the row, and few differ between rows. So rows
are grouped by component and by the values around it, and each group is propagated in one batch, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from mahc.errors import Mention, Message
from mahc.graphs.bitset import members, to_bitset
from mahc.inference.bucket_tree import Beliefs, propagate
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.elimination import Elimination, eliminate
from mahc.inference.exact import MAX_BYTES, Cost, require_memory
from mahc.inference.factors import Factor, Values

MISSING = -1
ADVICE = Message("raise ", Mention("max_bytes"), ", or leave out rows that lack so many connected variables")
Rows = NDArray[np.integer]


@dataclass(frozen=True)
class ExpectedCounts:
    """One table of counts per variable, shaped as the network's tables, and the log-likelihood of the rows in bits."""

    tables: tuple[Values, ...]
    log2_likelihood: float


class IncompleteRows:
    """Rows of codes with missing values, grouped once for a graph; tables are given with each question.

    Parameters
    ----------
    compiled : CompiledNetwork
        A network with the graph and the states.
    rows : array of shape (rows, variables)
        Codes in the network's order of variables and states; -1 where a value is missing.
    weights : array, optional
        How often each row counts; once if not given.
    max_bytes : int
        The memory that propagation may take.

    Raises
    ------
    TooLargeError
        If missing variables that are connected have a table that does not fit.

    Examples
    --------
    >>> from mahc.networks import load_network
    >>> cancer = CompiledNetwork(load_network("cancer"))
    >>> rows = IncompleteRows(cancer, np.array([[0, -1, 0, 0, 0], [-1, -1, -1, -1, -1]]))
    >>> found = rows.expected_counts(cancer)
    >>> [round(float(table.sum()), 6) for table in found.tables]
    [2.0, 2.0, 2.0, 2.0, 2.0]
    """

    def __init__(
        self,
        compiled: CompiledNetwork,
        rows: Rows,
        weights: NDArray[np.number] | None = None,
        *,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._compiled = compiled
        self._max_bytes = max_bytes
        counted = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
        self._complete = [_count_complete(compiled, node, rows, counted) for node in range(len(compiled.sizes))]
        nodes = range(len(compiled.sizes))
        self._components = [
            _Component(compiled, free, nodes, rows[chosen], counted[chosen], max_bytes)
            for free, chosen in _find_components(compiled, nodes, rows)
        ]

    def expected_counts(
        self, compiled: CompiledNetwork, proceed: Callable[[int, int], None] | None = None
    ) -> ExpectedCounts:
        """The expected number of times that each family has each of its configurations, under these tables.

        `proceed` is called after each component with the number done and their total; it may raise to stop.
        """
        counts = [complete.copy() for complete in self._complete]
        logs = []
        for factor, complete in zip(compiled.factors, counts, strict=True):
            seen = complete.ravel() > 0
            with np.errstate(divide="ignore"):
                logs.append(float((complete.ravel()[seen] * np.log2(factor.values.ravel()[seen])).sum()))
        for done, component in enumerate(self._components, 1):
            logs.append(component.add_counts(compiled, counts))
            if proceed is not None:
                proceed(done, len(self._components))
        return ExpectedCounts(tuple(counts), float(np.sum(np.sort(np.array(logs)))))


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
            component = _Component(compiled, free, nodes, blind[chosen], np.ones(len(chosen)), max_bytes)
            found[chosen] = component.posterior(compiled, target)
    return found


def _count_complete(compiled: CompiledNetwork, node: int, rows: Rows, weights: Values) -> Values:
    """The counts of a family in the rows that have all of it."""
    scope = compiled.factors[node].scope
    free = [v for v in scope if compiled.sizes[v] > 1]
    complete = (rows[:, free] >= 0).all(axis=1) if free else np.ones(len(rows), np.bool_)
    shape = compiled.network.tables[node].shape
    cells = _cells(compiled, scope, rows[complete])
    return np.bincount(cells, weights[complete], prod(shape)).reshape(shape).astype(np.float64)


def _cells(compiled: CompiledNetwork, scope: Sequence[int], rows: Rows) -> NDArray[np.intp]:
    """The cell of a table that each row has; a missing value counts as state 0."""
    cells = np.zeros(len(rows), np.intp)
    for v in scope:
        cells = cells * compiled.sizes[v] + np.maximum(rows[:, v], 0)
    return cells


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
        weights: Values,
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
        self._weights: Values = np.bincount(self._which, weights, len(self._contexts)).astype(np.float64)

    def add_counts(self, compiled: CompiledNetwork, counts: list[Values]) -> float:
        """Add the expected counts of the families of the component; return the log-likelihood in bits."""
        total = 0.0
        for start in range(0, len(self._contexts), self._batch):
            rows, weights = self._contexts[start : start + self._batch], self._weights[start : start + self._batch]
            beliefs = propagate(self._order, [self._factor(compiled, node, rows) for node in self._nodes])
            logs = np.broadcast_to(beliefs.log2_total, (len(rows),))
            total += float((logs[weights > 0] * weights[weights > 0]).sum())
            for node in self._nodes:
                self._add(compiled, node, beliefs, rows, weights, counts[node])
        return total

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

    def _add(
        self, compiled: CompiledNetwork, node: int, beliefs: Beliefs, rows: Rows, weights: Values, counts: Values
    ) -> None:
        scope = compiled.factors[node].scope
        free = [v for v in scope if v in self._free]
        offsets = np.zeros((1,) * len(free), np.intp)
        for axis, v in enumerate(free):
            stride = prod(compiled.sizes[u] for u in scope[scope.index(v) + 1 :])
            steps = np.arange(compiled.sizes[v]) * stride
            offsets = offsets + steps.reshape([-1 if k == axis else 1 for k in range(len(free))])
        amounts = (beliefs.marginal(free) * weights.reshape(-1, *(1,) * len(free))).reshape(len(rows), -1)
        blind = rows.copy()
        blind[:, free] = 0
        cells = _cells(compiled, scope, blind)[:, None] + offsets.reshape(1, -1)
        counts += np.bincount(cells.ravel(), amounts.ravel(), counts.size).reshape(counts.shape)


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
