"""Every ordered pair is explained, and every number said is the one that whole graphs scored from scratch give."""

from __future__ import annotations

import dataclasses
import itertools
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs
from oracles_search import Graph, Rules, averaged, has_cycle, neighbours, reachable, total

import mahc
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import MahcError, UnknownNameError
from mahc.learning.stop_reason import StopReason
from mahc.results.explanation import Explanation
from mahc.results.outcomes import DagOutcome
from mahc.scores import BIC

NAMES = "abcde"


def make_table(seed: int, variables: int, rows: int = 60) -> Dataset:
    """Each column depends on the one or two before it, so that there is something to learn."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, rows)]
    while len(columns) < variables:
        cause = columns[-1] if rng.random() < 0.7 else columns[-1] & columns[0]
        noise = rng.random(rows) < rng.uniform(0.02, 0.45)
        columns.append(np.where(noise, rng.integers(0, rng.integers(2, 4), rows), cause))
    columns = [np.unique(column, return_inverse=True)[1] for column in columns]
    order = rng.permutation(variables)
    states = tuple(tuple(str(s) for s in range(int(columns[v].max()) + 1)) for v in order)
    return Dataset.coded(tuple(NAMES[:variables]), states, tuple(columns[v] for v in order))


class World:
    """The rules and the scores behind one run, by variable number of the data."""

    def __init__(self, data: Dataset, known: mahc.Knowledge, most: int) -> None:
        self.n = len(data.names)
        constraints = known.check(data.names, most)
        place = data.names.index
        self.forbidden = {(u, v) for u, v in itertools.permutations(range(self.n), 2) if not constraints.allowed[u, v]}
        self.limit = dict(enumerate(constraints.limit.tolist()))
        self.tiers = {place(name): tier for name, tier in known.tier_of.items()}
        self.hold = constraints.hold
        scorer = RowScorer(EngineRows(data, threads=1), BIC())
        self.local = cache(lambda v, parents: float(scorer.score_families(Families.of([(v, list(parents))]))[0]))

    def rules(self, free: set[tuple[int, int]]) -> Rules:
        arcs = {(int(u), int(v)) for u, v in np.argwhere(self.hold == 2)}
        edges = {frozenset((int(u), int(v))) for u, v in np.argwhere(self.hold == 1)}
        return Rules(self.n, free, self.limit, frozenset(arcs), frozenset(edges), self.tiers)

    def backwards(self, graph: Graph) -> bool:
        reach = reachable(self.n, graph)
        return any(self.tiers[a] > self.tiers[b] for a, b in reach if a in self.tiers and b in self.tiers)


@st.composite
def knowledge(draw: st.DrawFn, variables: int) -> mahc.Knowledge:
    names = NAMES[:variables]
    pairs = st.lists(st.permutations(names).map(lambda order: tuple(order[:2])), max_size=2)
    tiers = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=variables, max_size=variables))
    return mahc.Knowledge(
        required_arcs=draw(pairs)[:1],
        required_edges=draw(pairs)[:1],
        forbidden_arcs=draw(pairs),
        forbidden_edges=draw(pairs)[:1],
        tiers=[[name for name, tier in zip(names, tiers, strict=True) if tier == level] for level in (1, 2, 3)],
        strict_tiers=draw(st.booleans()),
        max_parents=dict(draw(st.lists(st.tuples(st.sampled_from(names), st.integers(0, 2)), max_size=2))),
        all_relevant=draw(st.sampled_from([False, False, True])),
    )


SETTINGS: list[dict[str, Any]] = [
    {},
    {"prune_in_degree": 1},
    {"pruning": False},
    {"averaging": False},
    {"algorithm": "hc"},
    {"algorithm": "tabu"},
    {"step_limit": 1},
    {"algorithm": "hc", "step_limit": 2},
]


@given(st.data(), st.integers(0, 10**6), st.sampled_from(SETTINGS), st.integers(1, 3))
def test_every_pair_is_explained_with_true_numbers(
    draw: st.DataObject, seed: int, chosen: dict[str, Any], most: int
) -> None:
    data = make_table(seed, draw.draw(st.integers(2, 5)))
    known = draw.draw(knowledge(len(data.names)))
    try:
        learned = mahc.learn(data, knowledge=known, search_in_degree=most, threads=1, **chosen)
    except MahcError:
        assume(False)
    check_cpdag(learned)
    world = World(data, known, most)
    for u, v in itertools.permutations(range(world.n), 2):
        check(learned, world, u, v, learned.explain(NAMES[u], NAMES[v]))


def check_cpdag(learned: mahc.Learned) -> None:
    found = {(edge.left, edge.right) for edge in learned.cpdag.edges}
    assert {frozenset(pair) for pair in found} == {frozenset(arc) for arc in learned.arcs}
    assert len(found) == len(learned.arcs)
    for edge in learned.cpdag.edges:
        assert edge.mark == "---" or (edge.left, edge.right)[:: 1 if edge.mark == "-->" else -1] in learned.arcs
    for arc in learned.knowledge.required_arcs:
        assert not any({edge.left, edge.right} == {*arc} and edge.mark == "---" for edge in learned.cpdag.edges)


def check(learned: mahc.Learned, world: World, u: int, v: int, said: Explanation) -> None:
    graph = frozenset((NAMES.index(a), NAMES.index(b)) for a, b in learned.arcs)
    pruned = set()
    if learned.pruning is not None:
        left = {(NAMES.index(a), NAMES.index(b)) for a, b in learned.pruning.allowed_arcs}
        pruned = {arc for arc in itertools.permutations(range(world.n), 2) if arc not in left} - world.forbidden
    free = set(itertools.permutations(range(world.n), 2)) - world.forbidden - (pruned - graph)
    rules = world.rules(free)
    legal = {(kind, arc): other for kind, arc, other in neighbours(rules, graph)}
    here = total(rules, world.local, graph)

    def change(other: Graph) -> float:
        return total(rules, world.local, other) - here

    def change_of_average(other: Graph) -> float:
        return averaged(rules, world.local, other) - averaged(rules, world.local, graph)

    assert said.present == ((u, v) in graph)
    assert said.sentence.startswith(f"{NAMES[u]} -> {NAMES[v]} is {'' if said.present else 'not '}in the graph: ")
    bigger = graph | {(u, v)}
    if said.present:
        assert said.kind == ("required" if world.hold[u, v] else "present")
        assert said.numbers["strength"] == pytest.approx(-change(graph - {(u, v)}), abs=1e-9)
        if "averaged_gain" in said.numbers:
            expected = change_of_average(graph - {(u, v)})
            assert said.numbers["averaged_gain"] == pytest.approx(expected, abs=1e-9)
    elif (u, v) in world.forbidden:
        assert said.kind == "forbidden"
    elif (u, v) in pruned:
        assert said.kind == "pruned"
        check_pruned(world, u, v, said)
    elif (v, u) in graph:
        assert said.kind == "opposite"
        turned = legal.get(("reverse", (v, u)))
        if turned is None:
            assert "not legal" in said.sentence
            assert not said.numbers
        else:
            assert said.numbers["reversal_gain"] == pytest.approx(change(turned), abs=1e-9)
            if "averaged_reversal_gain" in said.numbers:
                assert said.numbers["averaged_reversal_gain"] == pytest.approx(change_of_average(turned), abs=1e-9)
    elif has_cycle(bigger):
        assert said.kind == "cycle"
    elif world.backwards(bigger):
        assert said.kind == "forbidden"
        assert "tiers: it would lead from" in said.sentence
    elif sum(child == v for _, child in graph) >= world.limit[v]:
        assert said.kind == "full"
        assert said.numbers["limit"] == world.limit[v]
    else:
        assert ("add", (u, v)) in legal
        check_legal(learned, said, change(bigger), change_of_average(bigger))


def check_pruned(world: World, u: int, v: int, said: Explanation) -> None:
    found = re.search(r"scores \S+ \w+ (without parents|with parents \{(.*)\}), with", said.sentence)
    assert found is not None
    base = [NAMES.index(name) for name in (found[2] or "").split(", ") if name]
    assert said.numbers["level"] == len(base) + 1
    assert said.numbers["base_score"] == world.local(v, tuple(sorted(base)))
    assert said.numbers["score"] == world.local(v, tuple(sorted([*base, u])))
    assert said.numbers["score"] <= said.numbers["base_score"] + 1e-9


def check_legal(learned: mahc.Learned, said: Explanation, gain: float, averaged_gain: float) -> None:
    assert said.numbers["gain"] == pytest.approx(gain, abs=1e-9)
    deciding = gain
    if learned.settings.get("averaging"):
        deciding = averaged_gain
        assert said.numbers["averaged_gain"] == pytest.approx(averaged_gain, abs=1e-9)
    if learned.stop_reason == "converged":
        assert said.kind == "not_improving"
        if not learned.knowledge.all_relevant:
            assert deciding <= 2e-9
    elif abs(deciding) > 1e-9:
        assert said.kind == ("stopped" if deciding > 0 else "not_improving")


def test_asia_is_explained_as_section_2_1_tells_it(asia: mahc.Learned) -> None:
    assert asia.explain("either", "xray").kind == "present"
    assert asia.explain("xray", "either").kind == "pruned"
    assert asia.explain("asia", "dysp").kind == "pruned"
    assert str(asia.explain("lung", "lung")) == "lung -> lung: a variable cannot be its own parent."
    with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
        asia.explain("smok", "lung")


def test_an_arc_that_nobody_looked_at_is_said_to_be_unexamined(asia: mahc.Learned) -> None:
    details = asia.outcome
    assert isinstance(details, DagOutcome)
    assert details.arc_details is not None
    blank = np.full_like(details.arc_details.gain, np.nan)
    unknown = structs.replace(details.arc_details, gain=blank, reversal_gain=blank, level=None, averaged_gain=None)
    blind = dataclasses.replace(
        asia,
        outcome=structs.replace(details, arc_details=unknown),
        run=structs.replace(asia.run, stop_reason=StopReason.INTERRUPTED),
    )
    said = blind.explain("asia", "smoke")
    assert (said.kind, dict(said.numbers)) == ("unexamined", {})
    assert said.sentence == "asia -> smoke is not in the graph: the search was interrupted before it was examined."
    assert "reversing it was not examined" in blind.explain("dysp", "bronc").sentence
    finished = dataclasses.replace(blind, run=asia.run)
    assert finished.explain("asia", "smoke").sentence.endswith("the algorithm did not consider it.")


@pytest.fixture(scope="module")
def asia() -> mahc.Learned:
    from mahc.networks import sample_path

    return mahc.learn(sample_path("asia"))
