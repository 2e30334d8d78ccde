"""The algorithm `boss`: equal to a slow twin, near the optimum, obedient, and honest about what it did."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import oracles_search as slow
import pytest
from blocks import in_blocks
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_knowledge import NAMES, all_dags, fulfilling
from order_search_cases import make_oracle, make_problem, random_data
from random_knowledge import questions
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms.score_based.boss import PAIR_CANDIDATES
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.statements import list_statements
from mahc.knowledge.knowledge import Knowledge
from mahc.networks import load_network, sample
from mahc.results.summary import score_line
from mahc.scores import make_score

Arcs = frozenset[tuple[int, int]]


def random_start(rng: random.Random, names: tuple[str, ...]) -> list[tuple[str, str]]:
    order = rng.sample(names, len(names))
    return [pair for pair in itertools.combinations(order, 2) if rng.random() < 0.15]


@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_the_whole_algorithm_equals_a_slow_twin(block: int) -> None:
    """Level-1 pruning, hill climbing, order search with kicks, hill climbing; with knowledge and start graphs."""
    followed = 0
    for seed in range(block * 30, (block + 1) * 30):
        rng = random.Random(seed)
        data = dependent_data(rng, NAMES[: rng.choice([3, 4, 5])], rng.choice([30, 200]))
        knowledge = random_knowledge(rng, data.names) if seed % 2 else Knowledge()
        start = random_start(rng, data.names) if seed % 3 == 0 else []
        in_degree, score = rng.choice([1, 2, 8]), rng.choice(["qnml", "bic"])
        chosen: dict[str, object] = {"kicks": 3, "seed": seed, "search_in_degree": in_degree, "objective": score}
        try:
            learned = mahc.learn(data, "boss", knowledge=knowledge, start=start, threads=1, **chosen)
        except KnowledgeError:
            continue
        price = 0.5 * math.log2(len(data.names))
        problem = make_problem(data, knowledge, in_degree, score, price, start)
        names = problem.constraints.names
        twin = make_oracle(problem, knowledge, problem.constraints.allowed, in_degree, PAIR_CANDIDATES, True)
        begin = frozenset(problem.start)
        held = {arc for arc in twin.rules.allowed if arc in twin.rules.required}
        held |= {arc for arc in twin.rules.allowed if frozenset(arc) in twin.rules.required_edges}
        alive, _, _ = slow.prune(len(names), twin.local, 1, twin.rules.allowed, held, twin.tie)
        twin.rules = replace(twin.rules, allowed=frozenset(alive), start_only=begin - alive)
        first, _ = slow.climb(twin.rules, twin.local, begin, False, twin.tie)
        best = frozenset(twin.run(first, 3, seed)[1])
        last, _ = slow.climb(replace(twin.rules, start_only=best - alive), twin.local, best, False, twin.tie)
        assert set(learned.arcs) == {(names[u], names[v]) for u, v in last}
        followed += 1
    assert followed > 15


def best_score(local: slow.Local, allowed: Arcs, variables: int) -> float:
    """The highest score of any graph within the allowed arcs: over all sets, the best last variable."""
    best = {frozenset[int](): 0.0}
    for size in range(1, variables + 1):
        for some in itertools.combinations(range(variables), size):
            whole = frozenset(some)
            best[whole] = max(best[whole - {v}] + best_family(local, allowed, v, whole - {v}) for v in some)
    return best[frozenset(range(variables))]


def best_family(local: slow.Local, allowed: Arcs, child: int, before: frozenset[int]) -> float:
    usable = sorted(u for u in before if (u, child) in allowed)
    sets = itertools.chain.from_iterable(itertools.combinations(usable, size) for size in range(len(usable) + 1))
    return max(local(child, parents) for parents in sets)


def test_with_many_kicks_it_reaches_the_optimum() -> None:
    """Of the priced score within the candidate arcs, by dynamic programming over all graphs."""
    reached = 0
    cases = 40
    for seed in range(cases):
        rng = random.Random(seed)
        names = tuple(f"v{v}" for v in range(rng.choice([5, 6, 7])))
        data = dependent_data(rng, names, 300)
        learned = mahc.learn(data, "boss", kicks=60, threads=1)
        problem = make_problem(data, Knowledge(), 8, "qnml", 0.5 * math.log2(len(names)))
        twin = make_oracle(problem, Knowledge(), problem.constraints.allowed, 8, 0)
        assert learned.pruning is not None
        place = {name: v for v, name in enumerate(problem.constraints.names)}
        allowed = frozenset((place[a], place[b]) for a, b in learned.pruning.allowed_arcs)
        optimum = best_score(twin.local, allowed, len(names))
        found = priced(learned)
        assert found <= optimum + 1e-6
        reached += found >= optimum - 1e-6
    assert reached >= 0.95 * cases


@given(questions(), st.integers(0, 1_000))
@settings(max_examples=40)
def test_knowledge_is_obeyed(question: tuple[Knowledge, int, int], seed: int) -> None:
    """The graph is one of those that an enumeration of all graphs finds legal; none is found where there is none."""
    knowledge, n, in_degree = question[0], question[1], max(1, question[2])
    data = dependent_data(random.Random(seed), NAMES[:n], 100)
    legal = fulfilling(list_statements(knowledge, in_degree), n)
    try:
        learned = mahc.learn(data, "boss", knowledge=knowledge, search_in_degree=in_degree, seed=seed, threads=1)
    except KnowledgeError:
        assert not legal.any()
        return
    adjacency = np.zeros((n, n), bool)
    for tail, head in learned.arcs:
        adjacency[NAMES.index(tail), NAMES.index(head)] = True
    which = (all_dags(n)[0] == adjacency).all(axis=(1, 2))
    assert which.sum() == 1
    assert legal[which].all()


def test_names_do_not_show() -> None:
    data = sample(load_network("sachs"), 500, seed=4)
    renamed = {name: f"x{number}" for number, name in enumerate(reversed(data.names))}
    other = Dataset.coded(tuple(renamed[name] for name in data.names), data.labels, data.codes)
    learned = mahc.learn(data, "boss")
    assert sorted((renamed[a], renamed[b]) for a, b in learned.arcs) == list(mahc.learn(other, "boss").arcs)


def test_the_plain_score_is_reported() -> None:
    data = sample(load_network("asia"), 500, seed=4)
    for algorithm in ("boss", "hc", "mahc", "tabu", "exact"):
        learned = mahc.learn(data, algorithm, arc_price=3.0, objective="bic")
        parents = [[data.names.index(a) for a, b in learned.arcs if b == name] for name in data.names]
        scores = RowScorer(EngineRows(data), make_score("bic")).score_families(Families.of(enumerate(parents)))
        assert learned.score == pytest.approx(float(scores.sum()), abs=1e-9)
        assert not learned.steps or learned.steps[-1].score == pytest.approx(learned.score, abs=1e-9)
        assert "price of 3.0000 bits per arc" in score_line(learned)
        assert all(strength > 3.0 for strength in learned.strengths().values()) or algorithm == "mahc"


@pytest.mark.parametrize("algorithm", ["hc", "mahc"])
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_price_changes_the_climb_as_if_the_scores_were_lower(algorithm: str, share: float) -> None:
    """The climb with a price equals the slow climb on scores less the price."""
    changed = 0
    for seed in range(40):
        rng = random.Random(seed)
        data = dependent_data(rng, NAMES[:4], 30)
        learned = mahc.learn(data, algorithm, arc_price=4.0, relative_price=share, threads=1)
        problem = make_problem(data, Knowledge(), 8, "bic", 4.0, share=share)
        twin = make_oracle(problem, Knowledge(), problem.constraints.allowed, 8, 0)
        if algorithm == "mahc":
            alive, _, _ = slow.prune(len(data.names), twin.local, 3, twin.rules.allowed, (), twin.tie)
            twin.rules = replace(twin.rules, allowed=frozenset(alive))
        graph, path = slow.climb(twin.rules, twin.local, frozenset(), algorithm == "mahc", twin.tie)
        names = problem.constraints.names
        assert set(learned.arcs) == {(names[u], names[v]) for u, v in graph}
        assert learned.score == pytest.approx(path[-1][0] + problem.prices.total(graph), abs=1e-9)
        changed += learned.arcs != mahc.learn(data, algorithm, threads=1).arcs
    assert changed > 3


def test_explanations_name_the_price() -> None:
    data = sample(load_network("alarm"), 1_000, seed=4)
    learned = mahc.learn(data, "boss")
    price = 0.5 * math.log2(37)
    seen = set()
    for tail, head in itertools.permutations(learned.variables, 2):
        said = learned.explain(tail, head)
        seen.add(said.kind)
        assert said.kind != "not_chosen"
        if said.kind == "not_improving":
            assert said.numbers["gain"] <= price + 1e-6
            assert ("price of" in said.sentence) == (said.numbers["gain"] > 0)
        if said.kind == "pruned":
            assert said.numbers["score"] - said.numbers["base_score"] <= price + 1e-6
    assert {"present", "pruned", "not_improving", "cycle"} <= seen


def test_steps_lead_from_the_start_to_the_graph() -> None:
    data = sample(load_network("alarm"), 500, seed=4)
    for chosen in ({}, {"candidates": "all"}):
        learned = mahc.learn(data, "boss", start=[("HR", "PRESS")], **chosen)
        arcs = {("HR", "PRESS")}
        for step in learned.steps:
            if step.move == "add":
                arcs.add((step.tail, step.head))
            else:
                arcs.remove((step.tail, step.head))
            if step.move == "reverse":
                arcs.add((step.head, step.tail))
            mahc.DAG(learned.variables, arcs)
        assert sorted(arcs) == list(learned.arcs)


def test_best_is_boss_with_its_default_score() -> None:
    data = sample(load_network("asia"), 300, seed=4)
    best = mahc.learn(data, "best")
    assert (best.algorithm, best.run.score.name) == ("boss", "qnml")
    assert best == mahc.learn(data, "boss", objective="qnml")
    assert mahc.learn(data, "boss", objective="bic").run.score.name == "bic"
    assert mahc.learn(data, "hc").run.score.name == "bic"


def test_more_kicks_are_never_worse() -> None:
    data = random_data(random.Random(3))
    scores = [priced(mahc.learn(data, "boss", kicks=kicks)) for kicks in (0, 5, 50)]
    assert scores == sorted(scores)


def priced(learned: mahc.Learned) -> float:
    assert learned.score is not None
    return learned.score - 0.5 * math.log2(len(learned.variables)) * len(learned.arcs)
