"""What a constraint cost is what the best move would bring that is legal without it and only without it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles_search import Graph, Rules, neighbours, total

import mahc
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import MahcError
from mahc.networks import load_network, sample
from mahc.scores import BIC

ASIA = sample(load_network("asia"), 300, seed=5)
NAMES = ASIA.names[2:8]  # the five that hang together
DATA = ASIA.select(NAMES)
MOST = 3

names = st.sampled_from(NAMES)
pairs = st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=2)


@st.composite
def knowledge(draw: st.DrawFn) -> mahc.Knowledge:
    # One statement per pair: of two that say the same neither costs anything alone, and the result names one.
    arcs, edges, no_arcs, no_edges = (draw(pairs) for _ in range(4))
    for group in ([*arcs, *edges], [*no_arcs, *no_edges]):
        assume(len({frozenset(pair) for pair in group}) == len(group))
    tiers = draw(st.dictionaries(names, st.integers(1, 3), max_size=4))
    return mahc.Knowledge(
        required_arcs=arcs,
        required_edges=edges,
        forbidden_arcs=no_arcs,
        forbidden_edges=no_edges,
        tiers=[[name for name, tier in tiers.items() if tier == level] for level in (1, 2, 3)],
        strict_tiers=draw(st.booleans()),
        max_parents=draw(st.dictionaries(names, st.integers(0, 1), max_size=2)),
    )


def without(known: mahc.Knowledge, constraint: str) -> Rules:
    """The rules when one constraint, told as the result tells it, is dropped."""

    def kept(kind: str, given: tuple[tuple[str, str], ...], mark: str) -> list[tuple[int, int]]:
        left = [(a, b) for a, b in given if not (constraint + ",").startswith(f"{kind} {a} {mark} {b},")]
        return [(NAMES.index(a), NAMES.index(b)) for a, b in left]

    allowed = set(itertools.permutations(range(len(NAMES)), 2)) - {*kept("forbidden arc", known.forbidden_arcs, "->")}
    for u, v in kept("forbidden edge", known.forbidden_edges, "-"):
        allowed -= {(u, v), (v, u)}
    tiers = {NAMES.index(name): tier for name, tier in known.tier_of.items()}
    if known.strict_tiers and constraint != "strict tiers":
        allowed -= {(u, v) for u, v in itertools.permutations(tiers, 2) if tiers[u] == tiers[v]}
    limit = dict.fromkeys(range(len(NAMES)), MOST)
    for name, most in known.max_parents.items():
        if constraint != f"at most {most} parent{'s' if most != 1 else ''} of {name}":
            limit[NAMES.index(name)] = most
    return Rules(
        len(NAMES),
        allowed,
        limit,
        frozenset(kept("required arc", known.required_arcs, "->")),
        frozenset(map(frozenset, kept("required edge", known.required_edges, "-"))),
        {} if constraint == "tiers" else tiers,
    )


SCORER = RowScorer(EngineRows(DATA, threads=1), BIC())


def local(child: int, parents: tuple[int, ...]) -> float:
    return float(SCORER.score_families(Families.of([(child, list(parents))]))[0])


@given(knowledge(), st.sampled_from(["hc", "mahc"]))
def test_a_cost_is_the_best_gain_that_the_constraint_alone_forgoes(known: mahc.Knowledge, algorithm: str) -> None:
    try:
        learned = mahc.learn(DATA, algorithm, knowledge=known, search_in_degree=MOST, threads=1)
    except MahcError:
        assume(False)
    graph: Graph = frozenset((NAMES.index(a), NAMES.index(b)) for a, b in learned.arcs)
    full = without(known, "nothing")
    assert full.fit(graph)
    for found in learned.constraint_costs:
        fewer = without(known, found.constraint)
        freed = [other for _, _, other in neighbours(fewer, graph) if not full.fit(other)]
        gains = [total(full, local, other) - total(full, local, graph) for other in freed]
        assert found.cost == pytest.approx(max([0.0, *gains]), abs=1e-9), found.constraint


def test_every_constraint_has_its_line_dearest_first() -> None:
    known = mahc.Knowledge(
        required_arcs=[("asia", "smoke")],
        forbidden_edges=[("either", "xray")],
        tiers=[["asia"], ["dysp"]],
        max_parents={"dysp": 0},
    )
    costs = mahc.learn(ASIA, "hc", knowledge=known).constraint_costs
    assert sorted(cost.constraint for cost in costs) == [
        "at most 0 parents of dysp",
        "forbidden edge either - xray",
        "required arc asia -> smoke",
        "tiers",
    ]
    assert [cost.cost for cost in costs] == sorted((cost.cost for cost in costs), reverse=True)
    assert costs[-1].cost == 0.0


def test_no_knowledge_no_costs() -> None:
    assert mahc.learn(ASIA, "hc").constraint_costs == ()


def test_a_single_row_has_costs_too() -> None:
    data = Dataset.coded(("a", "b"), (("x",), ("y",)), ([0], [0]))  # type: ignore[arg-type]
    assert mahc.learn(data, "hc", knowledge={"required_arcs": [("a", "b")]}).constraint_costs[0].cost == 0.0


def test_all_additions_are_one_batch_which_may_be_a_pass_over_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    score = RowScorer.score_families
    data = sample(load_network("alarm"), 200, seed=1)
    known = mahc.Knowledge(tiers=[list(data.names[:18]), list(data.names[18:])])

    def count(self: RowScorer, families: Families) -> object:
        asked.append(len(families))
        return score(self, families)

    monkeypatch.setattr(RowScorer, "score_families", count)
    mahc.learn(data, "hc", knowledge=known)
    with_tiers = len(asked)
    asked.clear()
    mahc.learn(data, "hc")
    assert with_tiers <= len(asked) + 3  # the graph, its arcs, all additions: not one for each variable
