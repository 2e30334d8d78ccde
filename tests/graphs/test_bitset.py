"""Sets as bits and as tables, and edges spelt many at once, against the slow and obvious way."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mahc.graphs import Mark, MixedGraph
from mahc.graphs.bitset import members, pack, transpose, unpack
from mahc.graphs.marks import canonical_edge


@given(st.integers(0, 70), st.integers(0, 1 << 30))
def test_tables_and_bits_are_the_same_sets(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.random((n, n)) < 0.3
    sets = pack(table)
    assert [list(members(bits)) for bits in sets] == [np.flatnonzero(row).tolist() for row in table]
    assert (unpack(sets) == table).all()
    assert transpose(sets) == pack(table.T)


@given(st.integers(1, 12), st.integers(0, 1 << 30))
def test_all_edges_are_spelt_as_one_is(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in rng.permutation(n)]  # v10 comes before v2
    joined = np.triu(rng.random((n, n)) < 0.6, 1)
    marks = np.where(joined | joined.T, rng.integers(1, 4, (n, n)), 0)
    slowly = [
        canonical_edge(names[i], Mark(int(marks[j, i])), Mark(int(marks[i, j])), names[j])
        for i, j in np.argwhere(joined).tolist()
    ]
    assert MixedGraph.from_marks(names, marks).edges == tuple(sorted(slowly))
