"""Random knowledge on a few variables, contradictions included."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st
from oracles_knowledge import NAMES

from mahc.knowledge.knowledge import Knowledge


@st.composite
def questions(draw: st.DrawFn, largest: int = 5) -> tuple[Knowledge, int, int]:
    """Some knowledge, how many variables there are, and the in-degree of the search."""
    n = draw(st.integers(2, largest))
    names = NAMES[:n]
    arcs = list(itertools.permutations(names, 2))
    edges = list(itertools.combinations(names, 2))

    def some(pairs: list[tuple[str, str]], most: int) -> list[tuple[str, str]]:
        return draw(st.lists(st.sampled_from(pairs), max_size=most, unique=True))

    tier_of = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) if draw(st.booleans()) else [0] * n
    knowledge = Knowledge(
        required_arcs=some(arcs, 3),
        required_edges=some(edges, 5),
        forbidden_arcs=some(arcs, 4),
        forbidden_edges=some(edges, 1) if draw(st.booleans()) else (),
        tiers=[[name for name, tier in zip(names, tier_of, strict=True) if tier == t] for t in (1, 2, 3)],
        strict_tiers=draw(st.booleans()),
        max_parents=draw(st.dictionaries(st.sampled_from(names), st.integers(0, 2), max_size=3)),
    )
    return knowledge, n, draw(st.sampled_from([0, 1, 2, 8, 8]))
