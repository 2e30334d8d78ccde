"""Answers of a mixed network: exact where that is possible, by weighted draws elsewhere.

A question has any number of rows, each with its own evidence for the same variables. Only the variables that evidence
does not separate from the targets matter: the hidden ones. The methods, the first that applies:

- all hidden variables have states: elimination, the nodes being evaluated at every combination of hidden states;
- all are numbers in linear regressions with normal residuals: the conditional normal distribution;
- the target alone, a number: the product of the densities of its node and its children on a grid;
- anything else: likelihood weighting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.graphs.names import rank_by_name
from mahc.inference.bucket_tree import collect
from mahc.inference.deadline import is_over
from mahc.inference.elimination import eliminate
from mahc.inference.evidence import ImpossibleEvidenceError
from mahc.inference.factors import Factor, Values
from mahc.inference.mixed.network import MixedNetwork
from mahc.inference.mixed.nodes import RegressionNode
from mahc.inference.mixed.variables import NumberVariable
from mahc.networks.random_streams import stream
from mahc.networks.sampling import CHUNK
from mahc.plurals import count

Inner = NDArray[Any]
Reporter = Callable[[int], bool | None]
GRID, COARSE = 601, 121  # points of a density, and of those that find where it is
REACH = 15.0  # normal scores beyond which nothing is looked for
DEEP = 45.0  # logarithms below the highest density that still count
ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Evidence:
    """What is known: inner values of observed variables and of those set by do, one per row, and likelihoods."""

    observed: Mapping[int, Inner]
    do: Mapping[int, Inner]
    soft: Mapping[int, Values]
    rows: int

    def take(self, rows: slice) -> Evidence:
        """Some rows."""
        part = range(self.rows)[rows]
        observed = {node: values[rows] for node, values in self.observed.items()}
        return Evidence(observed, {node: values[rows] for node, values in self.do.items()}, self.soft, len(part))

    @property
    def fixed(self) -> dict[int, Inner]:
        """All values that are known."""
        return {**self.observed, **self.do}


@dataclass(frozen=True)
class Shares:
    """Probabilities of states in each row, an axis for each target; standard errors where they are estimates."""

    values: Values
    method: str
    errors: Values | None = None
    effective: float | None = None
    draws: int | None = None


@dataclass(frozen=True)
class Points:
    """The distribution of a score in each row: points and their weights, which have the sum 1."""

    scores: Values
    weights: Values
    method: str
    effective: float | None = None
    draws: int | None = None

    def mean(self, variable: NumberVariable) -> Values:
        """The means, in the units of the data."""
        found: Values = (variable.to_outer(self.scores) * self.weights).sum(axis=1)
        return found

    def deviation(self, variable: NumberVariable) -> Values:
        """The standard deviations."""
        away = variable.to_outer(self.scores) - self.mean(variable)[:, None]
        found: Values = np.sqrt((away**2 * self.weights).sum(axis=1))
        return found

    def error(self, variable: NumberVariable) -> float | None:
        """The standard error of the mean of the first row, where it is an estimate."""
        if self.draws is None:
            return None
        away = variable.to_outer(self.scores[0]) - self.mean(variable)[0]
        return float(np.sqrt((away**2 * self.weights[0] ** 2).sum()))

    def quantiles(self, variable: NumberVariable, shares: Sequence[float]) -> list[float]:
        """Quantiles of the first row."""
        order = np.argsort(self.scores[0], kind="stable")
        scores, weights = self.scores[0][order], self.weights[0][order]
        below = np.cumsum(weights) - weights / 2
        return [float(x) for x in variable.to_outer(np.interp(np.array(shares), below, scores))]


class Asking:
    """A question to a network: targets and evidence; what matters for the answer, and the answer."""

    def __init__(self, network: MixedNetwork, targets: Sequence[int], evidence: Evidence) -> None:
        self.network, self.targets, self.evidence = network, tuple(targets), evidence
        self._known = {**evidence.observed, **evidence.do}

    @cached_property
    def relevant(self) -> list[int]:
        """The targets, what is observed, and their ancestors, parents first."""
        wanted = {*self.targets, *self.evidence.observed, *self.evidence.soft}
        return self.network.ancestors(sorted(wanted), self.evidence.do)

    def _family(self, node: int) -> tuple[int, ...]:
        return (*self.network.parents[node], node)

    @cached_property
    def hidden(self) -> list[int]:
        """The unknown variables that the evidence does not separate from the targets, by name."""
        families = [self._family(node) for node in self.relevant if node not in self.evidence.do]
        found, grown = set(self.targets), True
        while grown:
            grown = False
            for family in families:
                own = {node for node in family if node not in self._known}
                if own & found and not own <= found:
                    found |= own
                    grown = True
        return sorted(found, key=self.network.names.__getitem__)

    @cached_property
    def factors(self) -> list[int]:
        """The variables whose nodes have a hidden variable."""
        hidden = set(self.hidden)
        return [v for v in self.relevant if v not in self.evidence.do and hidden & set(self._family(v))]

    def _all_states(self) -> bool:
        return all(self.network.variables[node].states is not None for node in self.hidden)

    def _all_linear(self) -> bool:
        numbers = all(self.network.variables[node].states is None for node in self.hidden)
        return numbers and all(self.network.nodes[node].normal for node in self.factors)

    def answer(
        self,
        *,
        weighting: bool,
        draws: int,
        seed: int,
        max_bytes: int,
        progress: Reporter | None = None,
    ) -> Shares | Points:
        """The distribution of the targets in each row: several of them only if they have states."""
        if not weighting and self._all_states() and self._elimination.bytes(batch=1) <= max_bytes:
            return self._by_elimination(max_bytes)
        if not weighting and self._all_linear():
            return self._by_conditioning()
        if not weighting and len(self.hidden) == 1:
            return self._by_grid()
        return self._by_weighting(draws, seed, progress)

    # Elimination

    @cached_property
    def _sizes(self) -> list[int]:
        return [len(each.states) if each.states is not None else 1 for each in self.network.variables]

    @cached_property
    def _elimination(self) -> Any:
        hidden = set(self.hidden)
        scopes = [tuple(v for v in self._family(node) if v in hidden) for node in self.factors]
        return eliminate(scopes, self._sizes, rank_by_name(self.network.names), self.targets)

    def _by_elimination(self, max_bytes: int) -> Shares:
        at_once = max(1, min(4096, max_bytes // max(1, self._elimination.bytes(batch=1))))
        parts = []
        for start in range(0, self.evidence.rows, at_once):
            evidence = self.evidence.take(slice(start, start + at_once))
            factors = [self._factor(node, evidence) for node in self.factors]
            factors += [Factor((v,), values[None]) for v, values in self.evidence.soft.items() if v in self.hidden]
            table, _ = collect(self._elimination, factors, self.targets)
            table = np.broadcast_to(table, (evidence.rows, *table.shape[1:]))
            total = table.reshape(evidence.rows, -1).sum(axis=1)
            parts.append(table / np.where(total > 0, total, 1.0).reshape(-1, *(1,) * (table.ndim - 1)))
        return Shares(np.concatenate(parts), "exact")

    def _factor(self, node: int, evidence: Evidence) -> Factor:
        """A node at every combination of its hidden variables, in each row."""
        scope = tuple(v for v in self._family(node) if v in self.hidden)
        sizes = [self._sizes[v] for v in scope]
        combinations = list(product(*(range(size) for size in sizes)))
        known, rows = evidence.fixed, evidence.rows
        values = {v: np.repeat(known[v], len(combinations)) for v in self._family(node) if v not in scope}
        for place, v in enumerate(scope):
            values[v] = np.tile(np.array([each[place] for each in combinations], np.int64), rows)
        logs = self.network.log_node(node, values[node], [values[p] for p in self.network.parents[node]])
        logs = logs.reshape(rows, -1)
        highest = logs.max(axis=1, keepdims=True)
        return Factor(scope, np.exp(logs - np.where(np.isfinite(highest), highest, 0.0)).reshape(rows, *sizes))

    # Linear regressions with normal residuals

    def _by_conditioning(self) -> Points:
        place = {v: k for k, v in enumerate(self.hidden)}
        rows = self.evidence.rows
        precision, pull = np.zeros((len(place), len(place))), np.zeros((rows, len(place)))
        for node in self.factors:
            regression = self.network.nodes[node]
            assert isinstance(regression, RegressionNode)
            own = np.zeros(len(place))
            known = self.evidence.fixed
            given, first = [], 0
            for parent in self.network.parents[node]:
                width = self._sizes[parent]
                if parent in place:
                    own[place[parent]] = -regression.coefficients[first]
                given.append(known.get(parent, np.zeros(rows)))
                first += width
            variables = [self.network.variables[p] for p in self.network.parents[node]]
            rest = -regression.mean(given, variables, rows)
            if node in place:
                own[place[node]] = 1.0
            else:
                rest = rest + known[node]
            weight = regression.deviations[0] ** -2
            precision += weight * np.outer(own, own)
            pull -= weight * rest[:, None] * own
        covariance = np.linalg.inv(precision)
        target = place[self.targets[0]]
        means, deviation = (pull @ covariance)[:, target], float(np.sqrt(covariance[target, target]))
        steps = np.linspace(-9, 9, GRID)
        weights = np.exp(-(steps**2) / 2)
        weights /= weights.sum()
        return Points(means[:, None] + deviation * steps, np.broadcast_to(weights, (rows, GRID)), "exact")

    # One number

    def _by_grid(self) -> Points:
        parts = [
            self._grid(self.evidence.take(slice(start, start + ROWS_AT_ONCE)))
            for start in range(0, self.evidence.rows, ROWS_AT_ONCE)
        ]
        return Points(np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts]), "quadrature")

    def _grid(self, evidence: Evidence) -> tuple[Values, Values]:
        """Points and weights; the grid is made again where the density is, until that fills it."""
        rows = evidence.rows
        low, high = np.full(rows, -REACH), np.full(rows, REACH)
        for points in (COARSE, COARSE, COARSE, GRID):
            scores = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, points)
            logs = self._log_products(scores, evidence)
            near = logs >= logs.max(axis=1, keepdims=True) - DEEP
            first, last = near.argmax(axis=1), points - 1 - near[:, ::-1].argmax(axis=1)
            each = np.arange(rows)
            low, high = scores[each, np.maximum(first - 1, 0)], scores[each, np.minimum(last + 1, points - 1)]
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return scores, weights / weights.sum(axis=1, keepdims=True)

    def _log_products(self, scores: Values, evidence: Evidence) -> Values:
        (target,), known = self.targets, evidence.fixed
        total = np.zeros(scores.size)
        for node in self.factors:
            values = {v: np.repeat(known[v], scores.shape[1]) for v in self._family(node) if v != target}
            values[target] = scores.ravel()
            total += self.network.log_node(node, values[node], [values[p] for p in self.network.parents[node]])
        return total.reshape(scores.shape)

    # Weighting

    def _by_weighting(self, draws: int, seed: int, progress: Reporter | None) -> Shares | Points:
        found = [
            self._weigh(self.evidence.take(slice(row, row + 1)), draws, seed, progress)
            for row in range(self.evidence.rows)
        ]
        weights = np.array([weights for _, weights in found])
        effective = float(1 / (weights[0] ** 2).sum())
        first = self.network.variables[self.targets[0]]
        if first.states is None:
            scores = np.array([drawn[0] for drawn, _ in found])
            return Points(scores, weights, "weighting", effective, weights.shape[1])
        sizes = [self._sizes[v] for v in self.targets]
        shares, errors = [], []
        for drawn, own in found:
            cells = np.zeros(len(own), np.intp)
            for size, codes in zip(sizes, drawn, strict=True):
                cells = cells * size + codes
            cell_count = int(np.prod(sizes))
            p = np.bincount(cells, own, cell_count)
            squares = np.bincount(cells, own**2, cell_count)
            variance = squares * (1 - p) ** 2 + (squares.sum() - squares) * p**2
            certain = (p == 0) | (p >= 1)
            errors.append(np.where(certain, squares.sum(), np.sqrt(np.maximum(variance, 0))).reshape(sizes))
            shares.append(p.reshape(sizes))
        return Shares(np.array(shares), "weighting", np.array(errors), effective, weights.shape[1])

    def _weigh(
        self, evidence: Evidence, draws: int, seed: int, progress: Reporter | None
    ) -> tuple[list[Inner], Values]:
        """Draws of the targets, and their weights."""
        names, known = self.network.names, evidence.fixed
        nodes = [v for v in self.relevant if v in self.hidden or v in self.factors]
        streams = {v: stream(seed, "weighting", names[v]) for v in self.hidden}
        kept: list[list[Inner]] = []
        logs: list[Values] = []
        done = 0
        while done < draws:
            size = min(CHUNK, draws - done)
            drawn: dict[int, Inner] = {v: np.repeat(values, size) for v, values in known.items()}
            total = np.zeros(size)
            for node in nodes:
                given = [drawn[p] for p in self.network.parents[node]]
                if node in known:
                    total += self.network.log_node(node, drawn[node], given)
                else:
                    drawn[node] = self.network.draw_node(node, given, size, streams[node])
                if node in evidence.soft:
                    with np.errstate(divide="ignore"):
                        total += np.log(evidence.soft[node])[drawn[node]]
            kept.append([drawn[v] for v in self.targets])
            logs.append(total)
            done += size
            if is_over() or (progress is not None and progress(done)):
                break
        together = np.concatenate(logs)
        if not np.isfinite(together.max()):
            raise ImpossibleEvidenceError(
                f"none of {count(done, 'draw')} agrees with what is given, which is impossible or very improbable: "
                "give more draws, or possible values"
            )
        weights = np.exp(together - together.max())
        drawn_targets = [np.concatenate([part[k] for part in kept]) for k in range(len(self.targets))]
        return drawn_targets, weights / weights.sum()
