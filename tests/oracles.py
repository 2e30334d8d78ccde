"""Slow, obvious versions of what the engine computes: dictionaries, plain formulas, enumeration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Columns = Sequence[NDArray[np.unsignedinteger]]


def count_family(
    columns: Columns, weights: NDArray[np.integer] | None, child: int, parents: Sequence[int]
) -> tuple[Counter[tuple[int, ...]], Counter[tuple[int, ...]]]:
    """How often each (configuration, child state) occurs, and each configuration."""
    cells: Counter[tuple[int, ...]] = Counter()
    configurations: Counter[tuple[int, ...]] = Counter()
    times = [1] * len(columns[0]) if weights is None else weights.tolist()
    for *configuration, state, n in zip(*(columns[v].tolist() for v in (*parents, child)), times, strict=True):
        cells[(*configuration, state)] += n
        configurations[tuple(configuration)] += n
    return +cells, +configurations


def sorted_counts(counts: Counter[tuple[int, ...]]) -> list[int]:
    """The counts that are not zero, in order of size: all that a score looks at."""
    return sorted(counts.values())


@dataclass(frozen=True)
class FamilyTable:
    """The counts of a family with the sizes that the formulas need."""

    cells: Counter[tuple[int, ...]]
    configurations: Counter[tuple[int, ...]]
    child_states: int
    parent_states: int  # of all parents together, whether a configuration occurs or not

    @property
    def size(self) -> int:
        return sum(self.cells.values())


def family_table(
    columns: Columns,
    states: Sequence[int],
    weights: NDArray[np.integer] | None,
    child: int,
    parents: Sequence[int],
) -> FamilyTable:
    cells, configurations = count_family(columns, weights, child, parents)
    return FamilyTable(cells, configurations, states[child], math.prod(states[p] for p in parents))


def log_likelihood(table: FamilyTable) -> float:
    """In bits: the sum of n_jk log2(n_jk / n_j)."""
    return math.fsum(n * math.log2(n / table.configurations[cell[:-1]]) for cell, n in table.cells.items())


def log_rising(a: float, n: int) -> float:
    """log of a (a + 1) ... (a + n - 1), factor by factor."""
    return math.log(a) + float(np.log(a + np.arange(1.0, n)).sum())


def bdeu(table: FamilyTable, equivalent_sample_size: float) -> float:
    """In bits."""
    per_configuration = equivalent_sample_size / table.parent_states
    per_cell = per_configuration / table.child_states
    gains = [log_rising(per_cell, n) for n in table.cells.values()]
    losses = [-log_rising(per_configuration, n) for n in table.configurations.values()]
    return math.fsum(gains + losses) / math.log(2)


def multinomial_normaliser(n: int, r: int) -> Fraction:
    """C(n, r) by enumerating every way to deal n into r parts; exact."""

    def rest(left: int, parts: int) -> Fraction:
        # sum over the last `parts` parts of prod k^k / k!
        if parts == 1:
            return Fraction(left**left, math.factorial(left))
        return sum((Fraction(k**k, math.factorial(k)) * rest(left - k, parts - 1) for k in range(left + 1)), Fraction())

    return rest(n, r) * math.factorial(n) / Fraction(n**n) if n else Fraction(1)


def log2_regret(n: int, states: int) -> float:
    """log2 C(n, r), by doubling the number of parts: C(n, r + s) is a convolution of C(., r) and C(., s)."""
    if n == 0:
        return 0.0
    one = np.ones(n + 1)
    total, power, left = None, one, states
    while left:
        if left % 2:
            total = power if total is None else _convolved(total, power)
        left //= 2
        if left:
            power = _convolved(power, power)
    assert total is not None
    return math.log2(total[n])


def _convolved(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.ones(len(first))
    for m in range(1, len(first)):
        chances = [
            math.exp(
                math.lgamma(m + 1)
                - math.lgamma(k + 1)
                - math.lgamma(m - k + 1)
                + (k * math.log(k / m) if k else 0.0)
                + ((m - k) * math.log((m - k) / m) if m - k else 0.0)
            )
            for k in range(m + 1)
        ]
        out[m] = math.fsum(c * first[k] * second[m - k] for k, c in enumerate(chances))
    return out


def local_score(name: str, table: FamilyTable, *, base: float = 2.0, equivalent_sample_size: float = 1.0) -> float:
    """The local score called `name`, from its textbook formula."""
    parameters = (table.child_states - 1) * table.parent_states
    if name == "bdeu":
        bits = bdeu(table, equivalent_sample_size)
    elif name == "fnml":
        regrets = Counter(table.configurations.values())
        bits = log_likelihood(table) - math.fsum(m * log2_regret(n, table.child_states) for n, m in regrets.items())
    elif name == "qnml":
        both = log2_regret(table.size, table.child_states * table.parent_states)
        bits = log_likelihood(table) - (both - log2_regret(table.size, table.parent_states))
    else:
        prices = {"loglik": 0.0, "aic": math.log2(math.e), "bic": math.log2(table.size) / 2}
        bits = log_likelihood(table) - prices[name] * parameters
    return bits * math.log(2) / math.log(base)
