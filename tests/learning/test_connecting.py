"""All variables relevant: one connected graph, joined by the cheapest legal arcs, and the reported cost."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles_search import Graph, Rules

import mahc
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import KnowledgeError, MahcError
from mahc.scores import BIC

NAMES = tuple("abcdef")


def noise(seed: int, variables: int = 5, rows: int = 80) -> Dataset:
    """Columns that have little to do with each other, so that learning leaves them apart."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, rows) for _ in range(variables)]
    columns[1] = np.where(rng.random(rows) < 0.1, columns[1], columns[0])
    return Dataset.coded(NAMES[:variables], (("0", "1"),) * variables, tuple(columns))


def parts(variables: int, graph: Graph) -> list[set[int]]:
    found = [{v} for v in range(variables)]
    for u, v in graph:
        touching = [part for part in found if u in part or v in part]
        found = [part for part in found if part not in touching] + [set().union(*touching)]
    return found


def numbered(learned: mahc.Learned) -> Graph:
    return frozenset((NAMES.index(a), NAMES.index(b)) for a, b in learned.arcs)


@given(st.integers(0, 10**6), st.sampled_from(["mahc", "hc"]), st.data())
def test_the_cheapest_legal_arcs_join_what_was_apart(seed: int, algorithm: str, draw: st.DataObject) -> None:
    data = noise(seed)
    n = len(data.names)
    names = st.sampled_from(data.names)
    pairs = st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=6)
    tiers = draw.draw(st.dictionaries(names, st.integers(0, 1), max_size=4))
    said = {
        "forbidden_arcs": draw.draw(pairs),
        "tiers": [[name for name, tier in tiers.items() if tier == level] for level in (0, 1)],
        "max_parents": draw.draw(st.dictionaries(names, st.integers(0, 2), max_size=2)),
    }
    apart = mahc.learn(data, algorithm, knowledge=said, threads=1)
    try:
        joined = mahc.learn(data, algorithm, knowledge={**said, "all_relevant": True}, threads=1)
    except KnowledgeError:
        assume(False)
    constraints = mahc.Knowledge.from_dict(said).check(data.names, 8)
    allowed = {(u, v) for u, v in itertools.permutations(range(n), 2) if constraints.allowed[u, v]}
    limit = dict(enumerate(constraints.limit.tolist()))
    rules = Rules(n, allowed, limit, tiers={NAMES.index(name): tier for name, tier in tiers.items()})
    scorer = RowScorer(EngineRows(data, threads=1), BIC())
    local = cache(lambda v, mine: float(scorer.score_families(Families.of([(v, sorted(mine))]))[0]))
    graph, cost = numbered(apart), 0.0
    while len(label := parts(n, graph)) > 1:
        options = []
        for u, v in allowed:
            mine = frozenset(a for a, b in graph if b == v)
            if not any({u, v} <= part for part in label) and rules.fit(graph | {(u, v)}):
                options.append((local(v, mine | {u}) - local(v, mine), (u, v)))
        best = max(gain for gain, _ in options)
        chosen = numbered(joined) & {arc for gain, arc in options if gain >= best - 1e-8}
        assert chosen, "an arc that costs more than another was taken"
        graph, cost = graph | {min(chosen)}, cost - best
    assert graph == numbered(joined)
    (price,) = [c.cost for c in joined.constraint_costs if c.constraint == "all variables relevant"]
    assert price == pytest.approx(cost, abs=1e-6)
    assert apart.score - joined.score == pytest.approx(price, abs=1e-6)


def test_scores_and_explanations_are_those_of_the_joined_graph() -> None:
    data = noise(3)
    joined = mahc.learn(data, knowledge={"all_relevant": True})
    again = mahc.learn(data, "hc", start=joined.dag, step_limit=0)
    assert joined.local_scores == again.local_scores
    added = set(joined.arcs) - set(mahc.learn(data).arcs)
    for tail, head in added:
        said = joined.explain(tail, head)
        assert said.kind == "present"
        assert "connects parts that learning left unconnected" in said.sentence
        assert said.numbers["strength"] == again.strengths()[tail, head]


def test_a_connected_graph_is_left_alone() -> None:
    data = noise(3, 2)
    free, bound = mahc.learn(data, "hc"), mahc.learn(data, "hc", knowledge={"all_relevant": True})
    assert free.arcs == bound.arcs
    assert [(c.constraint, c.cost) for c in bound.constraint_costs] == [("all variables relevant", 0.0)]


def test_one_variable_is_connected() -> None:
    assert mahc.learn({"a": ["x", "y"]}, knowledge={"all_relevant": True}).arcs == ()


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(MahcError, match="relevant"):
        mahc.learn(noise(3, 2), knowledge={"all_relevant": True, "forbidden_edges": [("a", "b")]})
