"""Likelihood weighting: an estimate with its standard error, for questions that are too large for exact answers.

Variables are drawn parents first; those that are given keep their states, and each draw counts as much as it makes
them probable (Fung and Chang 1990; Shachter and Peot 1990).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.errors import InvalidSettingError
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.deadline import is_over
from mahc.inference.evidence import ImpossibleEvidenceError, Question, describe_given
from mahc.inference.factors import Values
from mahc.networks.random_streams import stream
from mahc.networks.sampling import CHUNK, cumulative, find_states
from mahc.plurals import count

MAX_DRAWS = 10**9


@dataclass(frozen=True)
class Estimate:
    """Probabilities of the joint states of the targets, their standard errors, and how many draws they are worth.

    `given_log2` is the binary logarithm of the estimated probability of what was given.
    """

    probabilities: Values
    standard_errors: Values
    effective_draws: float
    given_log2: float
    draws: int


def estimate(
    compiled: CompiledNetwork,
    question: Question,
    draws: int,
    seed: int,
    proceed: Callable[[int], bool | None] | None = None,
) -> Estimate:
    """Estimate the joint distribution of the targets from weighted draws.

    Variable `name` takes one double per draw from `stream(seed, "weighting", name)`, so the answer depends neither on
    the order of the variables nor on the size of chunks. Standard errors are those of a ratio of means (the delta
    method). `proceed` is called with the number of draws done; where it returns True, the
    estimate is made from these.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or not 100 <= draws <= MAX_DRAWS:
        raise InvalidSettingError("draws", draws, f"give a whole number from 100 to {MAX_DRAWS:,}")
    drawing = _Drawing(compiled, question, seed)
    sums = _Sums([compiled.sizes[v] for v in question.targets])
    done = 0
    while done < draws:
        size = min(CHUNK, draws - done)
        cells, logs = drawing.draw(size)
        sums.add(cells, logs)
        done += size
        if is_over() or (proceed is not None and proceed(done)):
            break
    if not sums.total:
        shown = describe_given(compiled.network, question)
        raise ImpossibleEvidenceError(
            f"none of {count(done, 'draw')} agrees with {shown}, which is impossible or very improbable: "
            "give more draws, or possible states"
        )
    return sums.estimate(done)


class _Drawing:
    def __init__(self, compiled: CompiledNetwork, question: Question, seed: int) -> None:
        network = compiled.network
        wanted = set(compiled.relevant([*question.targets, *question.observed, *question.soft], question.do))
        self._order = [node for node in network.order if node in wanted]
        self._compiled, self._question = compiled, question
        self._fixed = {**question.observed, **question.do}
        free = [node for node in self._order if node not in self._fixed]
        self._streams = {node: stream(seed, "weighting", network.names[node]) for node in free}
        self._tables = {node: cumulative(np.ascontiguousarray(network.tables[node], np.float64)) for node in free}
        with np.errstate(divide="ignore"):
            self._logs = {
                node: np.log2(network.tables[node] / network.tables[node].sum(axis=1, keepdims=True))
                for node in question.observed
                if node in wanted
            }
            self._soft = {node: np.log2(values) for node, values in question.soft.items()}

    def draw(self, size: int) -> tuple[NDArray[np.intp], Values]:
        """The joint state of the targets in each draw, and the binary logarithm of its weight."""
        drawn: dict[int, NDArray[np.intp]] = {}
        parts: list[Values] = []
        network, sizes = self._compiled.network, self._compiled.sizes
        for node in self._order:
            row = np.zeros(size, np.intp)
            if node not in self._question.do:
                for parent in network.parents[node]:
                    row *= sizes[parent]
                    row += drawn[parent]
            if node in self._fixed:
                drawn[node] = np.full(size, self._fixed[node], np.intp)
                if node in self._logs:
                    parts.append(self._logs[node][row, self._fixed[node]])
            else:
                drawn[node] = find_states(self._tables[node], row, self._streams[node].random(size))
            if node in self._soft:
                parts.append(self._soft[node][drawn[node]])
        cells = np.zeros(size, np.intp)
        for node in self._question.targets:
            cells = cells * sizes[node] + drawn[node]
        logs: Values = np.sort(np.array(parts), axis=0).sum(axis=0) if parts else np.zeros(size)
        return cells, logs


class _Sums:
    """Sums of weights and of their squares, per joint state, all divided by 2 to the power of `_scale`."""

    def __init__(self, sizes: list[int]) -> None:
        self._shape = sizes
        self._cells = int(np.prod(sizes, dtype=int))
        self._weights, self._squares = np.zeros(self._cells), np.zeros(self._cells)
        self._scale = -np.inf

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self._weights.sum())

    def add(self, cells: NDArray[np.intp], logs: Values) -> None:
        """Add draws; where their weights are larger than all before, the sums are scaled down first."""
        largest = float(logs.max())
        if largest == -np.inf:
            return
        if largest > self._scale:
            if self._scale > -np.inf:
                factor = 2.0 ** (self._scale - largest)
                self._weights *= factor
                self._squares *= factor * factor
            self._scale = largest
        weights = np.exp2(logs - self._scale)
        self._weights += np.bincount(cells, weights, self._cells)
        self._squares += np.bincount(cells, weights * weights, self._cells)

    def estimate(self, draws: int) -> Estimate:
        """The ratios of the sums."""
        total, squares = self.total, float(self._squares.sum())
        p = self._weights / total
        variance = self._squares * (1 - p) ** 2 + (squares - self._squares) * p**2
        errors = np.sqrt(np.maximum(variance, 0)) / total
        effective = total * total / squares
        errors = np.where((p == 0) | (p == 1), 1 / effective, errors)  # never seen, or nothing else: not certain
        given = float(np.log2(total / draws) + self._scale)
        return Estimate(p.reshape(self._shape), errors.reshape(self._shape), effective, given, draws)
