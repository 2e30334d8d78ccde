"""An estimate of the time and memory that learning takes, from the shape of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Nanoseconds on one core of a current machine; rough values.
PAIR_CELL_NS = 0.00125  # per row and cell of a pair's table: the first level of pruning, counted with bit vectors
FAMILY_NS = 0.5  # per row of a larger family
FAMILY_FIXED_NS = 2_000.0  # per family, independent of the rows: its table, its logarithms
FAMILIES_PER_VARIABLE = 40.0  # families with two or more parents that pruning and hill-climbing score
CANDIDATE_FAMILIES = 0.5  # the same per pair: bases of pruning grow with the number of candidates
STARTUP_SECONDS = 0.02
CACHED_BYTES = 120  # per family score in the cache


@dataclass(frozen=True)
class Estimate:
    """Seconds and megabytes that learning is expected to take, within a small factor.

    >>> estimate(1_000, [2] * 8).seconds < 1
    True
    """

    seconds: float
    megabytes: float


def estimate(rows: int, states: Sequence[int]) -> Estimate:
    """The estimate for this many stored rows and variables with these numbers of states.

    time = rows * (0.00125 ns * sum of r_i * r_j over pairs + 0.5 ns * families) + 2 us * families, where
    families = 40 n + 0.5 n (n - 1) / 2. Memory = the codes, one bit per row and state, the cached scores.
    """
    count, total = len(states), sum(states)
    pairs = count * (count - 1) / 2
    cells = (total**2 - sum(r * r for r in states)) / 2
    families = FAMILIES_PER_VARIABLE * count + CANDIDATE_FAMILIES * pairs
    # A pair with a huge table is counted row by row instead.
    pair_ns = min(PAIR_CELL_NS * cells, FAMILY_NS * pairs) if pairs else 0.0
    nanoseconds = rows * (pair_ns + FAMILY_NS * families) + FAMILY_FIXED_NS * families
    code_bytes = sum(1 if r <= 1 << 8 else 2 for r in states)
    memory = rows * (code_bytes + total / 8) + CACHED_BYTES * (families + 2 * pairs)
    return Estimate(STARTUP_SECONDS + nanoseconds * 1e-9, memory / 1e6)
