"""Knowledge against the list of all DAGs: what is accepted, what is refused, and with which words."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles_knowledge import NAMES, all_dags, fulfilling
from random_knowledge import questions

from mahc.knowledge.conflicts.contradictions import ContradictionError, find_conflict
from mahc.knowledge.conflicts.statements import list_statements
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.edge_orientation import initial_orientation
from mahc.knowledge.knowledge import Knowledge

RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def obeying(constraints: Constraints) -> np.ndarray:
    """Which of all DAGs obey the constraints, read off their arrays alone."""
    n = len(constraints.names)
    adjacency, _ = all_dags(n)
    good = ~(adjacency & ~constraints.allowed).any(axis=(1, 2))
    good &= (adjacency.sum(axis=1) <= constraints.limit).all(axis=1)
    good &= ~(~adjacency & (constraints.hold == 2)).any(axis=(1, 2))
    joined = adjacency | adjacency.transpose(0, 2, 1)
    good &= ~(~joined & (constraints.hold == 1)).any(axis=(1, 2))
    for g in np.flatnonzero(good):
        graph = nx.DiGraph(list(zip(*np.nonzero(adjacency[g]), strict=True)))
        graph.add_edges_from(constraints.virtual_arcs)
        good[g] = nx.is_directed_acyclic_graph(graph)
    return good


@RELAXED
@given(questions())
def test_it_is_accepted_exactly_when_some_dag_fulfils_it(question: tuple[Knowledge, int, int]) -> None:
    knowledge, n, in_degree = question
    possible = fulfilling(list_statements(knowledge, in_degree), n).any()
    if possible:
        knowledge.check(NAMES[:n], in_degree)
    else:
        with pytest.raises(ContradictionError):
            knowledge.check(NAMES[:n], in_degree)


@settings(RELAXED, max_examples=100)
@given(questions(largest=4))
def test_constraints_are_obeyed_by_exactly_the_dags_that_fulfil_the_knowledge(
    question: tuple[Knowledge, int, int],
) -> None:
    knowledge, n, in_degree = question
    wanted = fulfilling(list_statements(knowledge, in_degree), n)
    if not wanted.any():
        return
    constraints = knowledge.check(NAMES[:n], in_degree)
    assert (obeying(constraints) == wanted).all()
    adjacency, _ = all_dags(n)
    present = adjacency[wanted]
    for u, v in itertools.permutations(range(n), 2):
        required = any({NAMES[u], NAMES[v]} == set(p) for p in knowledge.required_arcs + knowledge.required_edges)
        if required:  # what follows from the rest is known as well
            assert (constraints.hold[u, v] == 2) == present[:, u, v].all()
            assert (constraints.hold[u, v] == 0) == (not present[:, u, v].any())
            assert constraints.allowed[u, v] == present[:, u, v].any()
        spoken_of = not constraints.allowed[u, v] or constraints.hold[u, v] > 0
        assert (constraints.reason(u, v) is not None) == spoken_of


@RELAXED
@given(questions(largest=4))
def test_a_refusal_names_the_fewest_statements_that_conflict(question: tuple[Knowledge, int, int]) -> None:
    knowledge, n, in_degree = question
    statements = list_statements(knowledge, in_degree)
    conflict = find_conflict(statements)
    if conflict is None:
        assert fulfilling(statements, n).any()
        return
    assert not fulfilling(conflict, n).any()
    for left_out in conflict:
        assert fulfilling([s for s in conflict if s != left_out], n).any()
    for size in range(2, min(len(conflict), 5)):
        for fewer in itertools.combinations(statements, size):
            assert fulfilling(fewer, n).any()


@settings(RELAXED, max_examples=60)
@given(questions(), st.randoms(use_true_random=False))
def test_the_first_orientation_is_legal_and_holds_everything_required(
    question: tuple[Knowledge, int, int], chance: random.Random
) -> None:
    knowledge, n, in_degree = question
    statements = list_statements(knowledge, in_degree)
    if find_conflict(statements) is not None:
        return
    gains = [[chance.choice([-1.0, 0.0, 0.5, 2.0]) for _ in range(n)] for _ in range(n)]
    arcs = initial_orientation(knowledge.check(NAMES[:n], in_degree), lambda u, v: gains[u][v])
    matrix = np.zeros((n, n), dtype=bool)
    matrix[tuple(np.array(arcs, dtype=int).reshape(-1, 2).T)] = True
    assert len(arcs) == len({frozenset(p) for p in knowledge.required_arcs + knowledge.required_edges})
    adjacency, _ = all_dags(n)
    assert (adjacency == matrix).all(axis=(1, 2))[fulfilling(statements, n)].any()


@settings(RELAXED, max_examples=60)
@given(questions(), st.randoms(use_true_random=False))
def test_the_order_of_the_columns_changes_nothing_but_the_order(
    question: tuple[Knowledge, int, int], chance: random.Random
) -> None:
    knowledge, n, in_degree = question
    names = list(NAMES[:n])
    order = list(range(n))
    chance.shuffle(order)
    shuffled = [names[v] for v in order]
    if find_conflict(list_statements(knowledge, in_degree)) is not None:
        with pytest.raises(ContradictionError) as first:
            knowledge.check(names, in_degree)
        with pytest.raises(ContradictionError) as second:
            knowledge.check(shuffled, in_degree)
        assert str(second.value) == str(first.value)
        return
    constraints = knowledge.check(names, in_degree)
    one, other = constraints.reordered(order), knowledge.check(shuffled, in_degree)
    assert one.names == other.names
    assert (one.allowed == other.allowed).all()
    assert (one.hold == other.hold).all()
    assert (one.limit == other.limit).all()
    assert sorted(one.virtual_arcs) == sorted(other.virtual_arcs)
    assert one.nodes == other.nodes
    assert [one.reason(u, v) for u in range(n) for v in range(n)] == [
        other.reason(u, v) for u in range(n) for v in range(n)
    ]


@RELAXED
@given(questions())
def test_knowledge_survives_the_way_through_a_dict(question: tuple[Knowledge, int, int]) -> None:
    knowledge, _, _ = question
    assert Knowledge.from_dict(knowledge.to_dict()) == knowledge
    assert hash(Knowledge.from_dict(knowledge.to_dict())) == hash(knowledge)
    assert knowledge.merged(knowledge) == knowledge
