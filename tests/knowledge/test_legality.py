"""Legal moves: Python, the compiled core and brute force over whole graphs agree, reasons included."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles_knowledge import NAMES, all_dags, fulfilling
from random_knowledge import questions

from mahc.algorithms.score_based.climb import make_space
from mahc.engine import _native
from mahc.knowledge import Knowledge
from mahc.knowledge.conflicts.statements import Kind, list_statements
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import Legality, find_violation
from mahc.knowledge.obstacles import ObstacleKind

Arc = tuple[int, int]
RELAXED = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@dataclass(frozen=True)
class Case:
    """Knowledge, what it means, and one of the graphs that fulfil it."""

    knowledge: Knowledge
    in_degree: int
    constraints: Constraints
    arcs: frozenset[Arc]
    fulfilling: frozenset[frozenset[Arc]]

    @property
    def n(self) -> int:
        return len(self.constraints.names)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    knowledge, n, in_degree = draw(questions(largest=4))
    adjacency, _ = all_dags(n)
    good = adjacency[fulfilling(list_statements(knowledge, in_degree), n)]
    assume(len(good))
    graphs = [frozenset((int(u), int(v)) for u, v in np.argwhere(graph)) for graph in good]
    constraints = knowledge.check(NAMES[:n], in_degree)
    return Case(knowledge, in_degree, constraints, draw(st.sampled_from(graphs)), frozenset(graphs))


def paths(n: int, arcs: frozenset[Arc]) -> set[Arc]:
    """All (a, b) with a directed path from a to b."""
    found = set(arcs)
    for k, a, b in itertools.product(range(n), repeat=3):
        if (a, k) in found and (k, b) in found:
            found.add((a, b))
    return found


def broken_rules(case: Case, arcs: frozenset[Arc], made: Arc) -> set[ObstacleKind]:
    """Which rules a whole graph breaks, where `made` is its one new arc."""
    found = set()
    reach = paths(case.n, arcs)
    tiers = {NAMES.index(name): tier for name, tier in case.knowledge.tier_of.items()}
    if any(a == b for a, b in reach):
        found.add(ObstacleKind.CYCLE)
    elif any(a in tiers and b in tiers and tiers[a] > tiers[b] for a, b in reach):
        found.add(ObstacleKind.TIERS)
    limits = [
        s
        for s in list_statements(case.knowledge, case.in_degree)
        if s.kind in (Kind.MAX_PARENTS, Kind.SEARCH_IN_DEGREE)
    ]
    degree = sum(v == made[1] for _, v in arcs)
    if any(degree > s.number for s in limits if not s.variables or NAMES.index(s.variables[0]) == made[1]):
        found.add(ObstacleKind.IN_DEGREE)
    if forbids(case.knowledge, *(NAMES[v] for v in made)):
        found.add(ObstacleKind.FORBIDDEN)
    return found


def forbids(knowledge: Knowledge, a: str, b: str) -> bool:
    """Whether a statement forbids a -> b by itself, or every graph has b -> a where the two must be joined."""
    tier = knowledge.tier_of
    if a in tier and b in tier and (tier[a] > tier[b] or (knowledge.strict_tiers and tier[a] == tier[b])):
        return True
    return (a, b) in knowledge.forbidden_arcs or (min(a, b), max(a, b)) in knowledge.forbidden_edges


def outcome(case: Case, move: str, arc: Arc) -> frozenset[Arc] | None:
    """The graph after a move; None where the move means nothing."""
    if (arc in case.arcs) == (move == "add"):
        return None
    made = {"add": {arc}, "delete": set(), "reverse": {arc[::-1]}}[move]
    return (case.arcs - {arc} if move != "add" else case.arcs) | made


def check_reason(case: Case, move: str, arc: Arc, kind: ObstacleKind | None) -> None:
    after = outcome(case, move, arc)
    if after is None:
        assert kind is (ObstacleKind.PRESENT if move == "add" else ObstacleKind.ABSENT)
        return
    assert (kind is None) == (after in case.fulfilling)
    if kind is None:
        return
    a, b = (NAMES[v] for v in arc)
    joined = {frozenset(p) for p in case.knowledge.required_edges + case.knowledge.required_arcs}
    if move == "delete":
        assert frozenset((a, b)) in joined
        either = any(arc[::-1] in graph for graph in case.fulfilling)
        assert kind is (ObstacleKind.REQUIRED_EDGE if either else ObstacleKind.REQUIRED)
        return
    made = arc if move == "add" else arc[::-1]
    broken = broken_rules(case, after, made)
    if frozenset((a, b)) in joined and not any(made in graph for graph in case.fulfilling):
        broken.add(ObstacleKind.FORBIDDEN)
        if move == "reverse":
            broken.add(ObstacleKind.REQUIRED)
    assert kind is next(reason for reason in ObstacleKind if reason in broken)


MOVES = ("add", "delete", "reverse")


@RELAXED
@given(cases())
def test_a_move_is_legal_exactly_when_the_graph_after_it_fulfils_the_knowledge(case: Case) -> None:
    graph = Legality(case.constraints, case.arcs)
    legal = graph.legal_additions()
    for arc in itertools.permutations(range(case.n), 2):
        reasons = (graph.why_not_add(*arc), graph.why_not_remove(*arc), graph.why_not_reverse(*arc))
        may = {"add": graph.may_add(*arc), "delete": graph.may_remove(*arc), "reverse": graph.may_reverse(*arc)}
        for move, obstacle in zip(MOVES, reasons, strict=True):
            check_reason(case, move, arc, None if obstacle is None else obstacle.kind)
            assert may[move] == (obstacle is None)
        assert legal[arc] == may["add"]
    assert Legality(case.constraints, case.arcs).parents == graph.parents  # asking changes nothing


@RELAXED
@given(cases())
def test_the_compiled_core_gives_the_same_answers_for_the_same_reasons(case: Case) -> None:
    problem = SimpleNamespace(constraints=case.constraints, variables=case.n, start=())
    space = make_space(problem, case.constraints.allowed)  # type: ignore[arg-type]
    graph = Legality(case.constraints, case.arcs)
    ask = dict(zip(MOVES, (graph.why_not_add, graph.why_not_remove, graph.why_not_reverse), strict=True))
    answers = _native.explain_moves(space, sorted(case.arcs))
    assert len(answers) == 3 * case.n * (case.n - 1)
    for move, u, v, word in answers:
        obstacle = ask[move](u, v)
        assert word == (None if obstacle is None else obstacle.kind.value), (move, u, v)


@RELAXED
@given(cases(), st.data())
def test_obstacles_for_all_pairs_at_once_are_those_of_each_pair(case: Case, draw: st.DataObject) -> None:
    graph = Legality(case.constraints, case.arcs)
    tables = graph.addition_obstacles()
    for u, v in itertools.permutations(range(case.n), 2):
        found = {kind for kind, table in tables.items() if table[u, v]}
        if ObstacleKind.PRESENT in found:
            assert graph.has(u, v)
        else:
            assert found == set(graph.against_adding((u,), v))
    head = draw.draw(st.integers(0, case.n - 1))
    tails = draw.draw(st.lists(st.integers(0, case.n - 1).filter(lambda v: v != head), unique=True))
    after = case.arcs | {(u, head) for u in tails}
    new = not any((u, head) in case.arcs for u in tails)
    assert graph.may_add_parents(tails, head) == (new and after in case.fulfilling)


@RELAXED
@given(cases(), st.data())
def test_a_whole_graph_has_no_violation_exactly_when_it_fulfils_the_knowledge(case: Case, draw: st.DataObject) -> None:
    adjacency, _ = all_dags(case.n)
    chosen = adjacency[draw.draw(st.integers(0, len(adjacency) - 1))]
    arcs = frozenset((int(u), int(v)) for u, v in np.argwhere(chosen))
    assert (find_violation(case.constraints, sorted(arcs)) is None) == (arcs in case.fulfilling)


@settings(RELAXED, max_examples=60)
@given(cases(), st.randoms(use_true_random=False))
def test_the_words_do_not_depend_on_the_order_of_the_variables(case: Case, chance: random.Random) -> None:
    order = list(range(case.n))
    chance.shuffle(order)
    place = {v: i for i, v in enumerate(order)}
    one = Legality(case.constraints, case.arcs)
    other = Legality(case.constraints.reordered(order), [(place[u], place[v]) for u, v in case.arcs])
    for u, v in itertools.permutations(range(case.n), 2):
        for first, second in (
            (one.why_not_add(u, v), other.why_not_add(place[u], place[v])),
            (one.why_not_remove(u, v), other.why_not_remove(place[u], place[v])),
            (one.why_not_reverse(u, v), other.why_not_reverse(place[u], place[v])),
        ):
            assert (first is None) == (second is None)
            if first is not None and second is not None:
                assert (first.kind, first.text) == (second.kind, second.text)
                assert [place[w] for w in first.path] == list(second.path)


def test_reasons_in_words() -> None:
    known = Knowledge(
        required_arcs=[("a", "b")],
        required_edges=[("b", "c")],
        forbidden_arcs=[("d", "a")],
        tiers=[["a"], ["e"]],
        max_parents={"d": 1},
    )
    constraints = known.check(NAMES, 8)
    a, b, c, d, e = range(5)
    graph = Legality(constraints, [(a, b), (b, c), (c, d)])
    words = {
        "a is its own parent": (graph.why_not_add(a, a), "no variable is its own parent"),
        "present": (graph.why_not_add(a, b), "a -> b is already in the graph"),
        "absent": (graph.why_not_remove(a, c), "a -> c is not in the graph"),
        "required": (graph.why_not_remove(a, b), "required arc a -> b"),
        "required edge": (graph.why_not_remove(b, c), "required edge b - c, in either direction"),
        "forbidden": (graph.why_not_add(d, a), "forbidden arc d -> a"),
        "cycle": (graph.why_not_add(d, b), "it would close a cycle with b -> c -> d"),
        "in-degree": (graph.why_not_add(a, d), "d already has 1 parent, the most allowed"),
        "tier of one arc": (graph.why_not_add(e, a), "tiers: e (tier 2) comes after a (tier 1)"),
    }
    for case, (obstacle, text) in words.items():
        assert obstacle is not None, case
        assert obstacle.text == text
    assert graph.why_not_add(d, b) is not None
    assert graph.why_not_add(d, b).path == (b, c, d)  # type: ignore[union-attr]
    assert graph.why_not_reverse(b, c) is None
    assert find_violation(constraints, [(a, b)]).text == "required edge b - c, in either direction is missing"  # type: ignore[union-attr]


@pytest.mark.parametrize("reverse", [False, True])
def test_a_path_through_variables_in_no_tier_is_named(reverse: bool) -> None:
    constraints = Knowledge(tiers=[["a"], ["e"]]).check(NAMES, 8)
    a, b, c, _, e = range(5)
    graph = Legality(constraints, [(e, b), (a, c) if reverse else (c, a), *([(b, c)] if reverse else [])])
    obstacle = graph.why_not_reverse(a, c) if reverse else graph.why_not_add(b, c)
    assert obstacle is not None
    assert obstacle.kind is ObstacleKind.TIERS
    assert obstacle.path == (e, b, c, a)
    assert obstacle.text == "tiers: it would lead from e (tier 2) to a (tier 1), e -> b -> c -> a"
