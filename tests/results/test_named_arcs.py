"""Arcs stored as numbers are the sorted tuple of pairs of names."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mahc.results.outcomes.dag import NamedArcs


@given(st.lists(st.text(max_size=3), unique=True, min_size=1, max_size=6), st.data())
def test_they_are_the_sorted_pairs(names: list[str], data: st.DataObject) -> None:
    number = st.integers(0, len(names) - 1)
    pairs = data.draw(st.lists(st.tuples(number, number), max_size=20))
    tails, heads = (np.array([pair[i] for pair in pairs], np.int32) for i in (0, 1))
    arcs, expected = NamedArcs(names, tails, heads), tuple(sorted((names[u], names[v]) for u, v in pairs))
    assert tuple(arcs) == expected
    assert arcs == expected
    assert len(arcs) == len(expected)
    assert arcs[:3] == expected[:3]
    assert hash(arcs) == hash(expected)
    assert (names[0], names[-1]) in arcs or (names[0], names[-1]) not in expected
