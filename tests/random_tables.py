"""Random tables for the engine's tests: few and many states, narrow and wide columns, weights."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine import EngineRows, RowScorer, _native, instruction_levels
from mahc.scores import Score

WAYS = ("bitmaps", "direct", "compressed", "sparse")
THREADS = (1, 2, 3)
LEVELS = tuple(instruction_levels())
WIDTHS = (np.uint8, np.uint16, np.uint32)

# The sanitizers' run is some 20 times slower and asks for fewer examples.
EXAMPLES = int(os.environ.get("MAHC_TEST_EXAMPLES", "30"))
many_examples = settings(max_examples=EXAMPLES, deadline=None)
few_examples = settings(max_examples=max(2, EXAMPLES // 3), deadline=None)

cardinalities = st.one_of(
    st.integers(1, 5), st.integers(1, 5), st.integers(6, 66), st.integers(250, 260), st.integers(300, 70_000)
)
up_to_8_parents = st.integers(2, 9)
up_to_5000_rows = st.integers(1, 5_000)


@dataclass(frozen=True, eq=False, repr=False)
class RawTable:
    """Columns in any width that holds them, which the engine takes and `Dataset` would narrow."""

    columns: tuple[NDArray[np.unsignedinteger], ...]
    states: tuple[int, ...]
    weights: NDArray[np.uint32] | None

    def __repr__(self) -> str:
        widths = [column.itemsize for column in self.columns]
        weight = "no weights" if self.weights is None else f"weight {self.weights.sum()}"
        return f"RawTable({len(self.columns[0])} rows, states {self.states}, bytes {widths}, {weight})"

    def engine(self, threads: int = 1, level: str = "", mebibytes: int = 64) -> _native.Engine:
        return _native.Engine(list(self.columns), list(self.states), self.weights, threads, mebibytes << 20, level)

    def dataset(self) -> Dataset:
        names = tuple(f"v{v}" for v in range(len(self.states)))
        weights = None if self.weights is None else self.weights.astype(np.int64)
        return Dataset.coded(names, tuple(labels(s) for s in self.states), self.columns, weights)


@cache
def labels(states: int) -> tuple[str, ...]:
    return tuple(f"s{k}" for k in range(states))


def scorer_of(table: RawTable, score: Score, threads: int = 1, level: str | None = None) -> RowScorer:
    return RowScorer(EngineRows(table.dataset(), threads=threads, level=level), score)


@st.composite
def raw_tables(
    draw: st.DrawFn,
    variables: st.SearchStrategy[int] = up_to_8_parents,
    rows: st.SearchStrategy[int] = up_to_5000_rows,
    states: st.SearchStrategy[int] = cardinalities,
) -> RawTable:
    """Tables whose rows repeat more or less often: codes fall off from 0 at a drawn pace."""
    n, m = draw(variables), draw(rows)
    chosen = tuple(draw(states) for _ in range(n))
    seed, pace = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([1.0, 1.0, 3.0, 12.0]))
    rng = np.random.default_rng(seed)
    columns = []
    for s in chosen:
        wide_enough = [width for width in WIDTHS if s <= np.iinfo(width).max + 1]
        width = draw(st.sampled_from([wide_enough[0], wide_enough[0], *wide_enough]))
        codes = np.minimum((rng.random(m) ** pace * s).astype(np.int64), s - 1)
        columns.append(codes.astype(width))
    weights = None
    if draw(st.booleans()):
        weights = rng.integers(0, draw(st.sampled_from([2, 10, 100_000])), m, dtype=np.uint32)
        weights[int(rng.integers(m))] += 1
    return RawTable(tuple(columns), chosen, weights)


@st.composite
def families_of(draw: st.DrawFn, table: RawTable, least: int = 0) -> tuple[int, list[int]]:
    """A child and up to 8 parents, in any order."""
    order = draw(st.permutations(range(len(table.states))))
    count = draw(st.integers(least, min(8, len(order) - 1)))
    return order[0], list(order[1 : count + 1])
