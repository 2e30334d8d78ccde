"""Learning equals brute force: whole graphs built, tested for cycles and scored from scratch."""

from __future__ import annotations

import itertools
import math
import random
from functools import cache

import numpy as np
import oracles_search as slow
import pytest

from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.errors import KnowledgeError
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import learn
from mahc.learning.tie_order import order_variables
from mahc.results.learned import Learned

CASES = 620  # data sets, each for four algorithms, half of them with knowledge


def random_data(rng: random.Random) -> Dataset:
    """Columns that depend on earlier ones, so that there is something to learn."""
    n = rng.choice([3, 4, 4, 4, 5, 5, 6, 7])
    rows = rng.choice([20, 60, 200])
    states = [rng.randint(1, 4) if rng.random() < 0.3 else 2 for _ in range(n)]
    columns: list[list[int]] = []
    for v in range(n):
        sources = rng.sample(range(v), min(v, rng.randint(0, 2)))
        strength = rng.choice([0.5, 0.8, 1.0])
        column = [
            sum(columns[u][i] for u in sources) % states[v]
            if sources and rng.random() < strength
            else rng.randrange(states[v])
            for i in range(rows)
        ]
        columns.append(column)
    shown = [sorted(set(column)) for column in columns]
    coded = tuple(np.array([labels.index(x) for x in column]) for labels, column in zip(shown, columns, strict=True))
    return Dataset(
        tuple(f"v{v}" for v in rng.sample(range(n), n)), tuple(tuple(map(str, labels)) for labels in shown), coded
    )


def random_knowledge(rng: random.Random, names: tuple[str, ...]) -> Knowledge:
    def some(share: float) -> list[tuple[str, str]]:
        return [pair for pair in itertools.permutations(names, 2) if rng.random() < share]

    tiers = []
    if rng.random() < 0.5:
        shuffled = rng.sample(names, rng.randint(2, len(names)))
        cut = rng.randint(1, len(shuffled) - 1)
        tiers = [shuffled[:cut], shuffled[cut:]]
    limits = {name: rng.randint(1, 2) for name in names if rng.random() < 0.2}
    return Knowledge(
        required_arcs=some(0.03),
        required_edges=some(0.03),
        forbidden_arcs=some(0.1),
        forbidden_edges=some(0.05),
        tiers=tiers,
        strict_tiers=rng.random() < 0.3,
        max_parents=limits,
    )


def local_bic(data: Dataset, order: list[int]) -> slow.Local:
    """BIC in bits by counting in dictionaries; variable i of the oracle is `order[i]` of the data."""
    columns = [data.columns[v].tolist() for v in order]
    states = [len(data.states[v]) for v in order]

    @cache
    def local(child: int, parents: tuple[int, ...]) -> float:
        cells: dict[tuple[int, ...], int] = {}
        totals: dict[tuple[int, ...], int] = {}
        for i in range(data.rows):
            key = tuple(columns[p][i] for p in parents)
            totals[key] = totals.get(key, 0) + 1
            cell = (columns[child][i], *key)
            cells[cell] = cells.get(cell, 0) + 1
        likelihood = math.fsum(n * math.log2(n / totals[cell[1:]]) for cell, n in cells.items())
        free = (states[child] - 1) * math.prod(states[p] for p in parents)
        return likelihood - 0.5 * math.log2(data.rows) * free

    return local


def rules_of(knowledge: Knowledge, names: list[str], in_degree: int) -> slow.Rules:
    place = {name: i for i, name in enumerate(names)}
    barred = {(place[a], place[b]) for a, b in knowledge.forbidden_arcs}
    for a, b in knowledge.forbidden_edges:
        barred |= {(place[a], place[b]), (place[b], place[a])}
    tier = {place[name]: t for t, group in enumerate(knowledge.tiers) for name in group}
    for a, b in itertools.permutations(tier, 2):
        if tier[a] > tier[b] or (knowledge.strict_tiers and tier[a] == tier[b]):
            barred.add((a, b))
    allowed = frozenset(set(itertools.permutations(range(len(names)), 2)) - barred)
    limits = dict(knowledge.max_parents)
    return slow.Rules(
        variables=len(names),
        allowed=allowed,
        limit={place[name]: min(in_degree, limits.get(name, in_degree)) for name in names},
        required=frozenset((place[a], place[b]) for a, b in knowledge.required_arcs),
        required_edges=frozenset(frozenset((place[a], place[b])) for a, b in knowledge.required_edges),
        tiers=tier,
    )


def with_consequences(rules: slow.Rules, knowledge: Knowledge, names: list[str], in_degree: int) -> slow.Rules:
    """The rules with what follows from them (the constraints are tested against enumeration elsewhere)."""
    drawn = knowledge.check(names, in_degree)
    held = {frozenset((int(u), int(v))) for u, v in zip(*np.nonzero(drawn.hold == 1), strict=True)}
    return slow.Rules(
        variables=rules.variables,
        allowed=frozenset((int(u), int(v)) for u, v in zip(*np.nonzero(drawn.allowed), strict=True)),
        limit=rules.limit,
        required=frozenset((int(u), int(v)) for u, v in zip(*np.nonzero(drawn.hold == 2), strict=True)),
        required_edges=frozenset(held),
        tiers=rules.tiers,
    )


def undo(learned: Learned, names: list[str]) -> slow.Graph:
    """The start graph: the moves taken back from the last to the first."""
    place = {name: i for i, name in enumerate(names)}
    arcs = {(place[a], place[b]) for a, b in learned.arcs}
    for step in reversed(learned.steps):
        arc = (place[step.tail], place[step.head])
        if step.move == "add":
            arcs.remove(arc)
        elif step.move == "delete":
            arcs.add(arc)
        else:
            arcs.remove((arc[1], arc[0]))
            arcs.add(arc)
    return frozenset(arcs)


@pytest.mark.parametrize("algorithm", ["mahc", "only pruning", "only averaging", "hc"])
@pytest.mark.parametrize("block", range(9))
def test_learning_equals_brute_force(algorithm: str, block: int) -> None:
    seeds = range(block * CASES // 9, (block + 1) * CASES // 9)
    assert sum(check(seed, algorithm) for seed in seeds) > 0.81 * len(seeds)  # 500 and more in all


def check(seed: int, algorithm: str) -> bool:
    """False where the random knowledge contradicts itself."""
    rng = random.Random(seed)
    data = random_data(rng)
    knowledge = random_knowledge(rng, data.names) if seed % 2 else Knowledge()
    in_degree = rng.choice([1, 2, 3, 8])
    pruning, averaging = algorithm in ("mahc", "only pruning"), algorithm in ("mahc", "only averaging")
    name = "hc" if algorithm == "hc" else "mahc"
    switches = {} if algorithm == "hc" else {"pruning": pruning, "averaging": averaging}
    try:
        learned = learn(data, name, search_in_degree=in_degree, knowledge=knowledge, threads=1, **switches)
    except KnowledgeError:
        return False  # the clash itself is tested in test_knowledge*.py
    order = order_variables(EngineRows(data, threads=1))
    names = [data.names[v] for v in order]
    local = local_bic(data, order)
    rules = rules_of(knowledge, names, in_degree)
    tie = max(1e-9, 1e-12 * abs(sum(local(v, ()) for v in range(len(names)))))
    start = undo(learned, names)
    assert rules.fit(start)
    assert knowledge.empty <= (not start)
    assert rules.fit(frozenset((names.index(a), names.index(b)) for a, b in learned.arcs))
    rules = with_consequences(rules, knowledge, names, in_degree)
    if pruning:
        held = {arc for arc in rules.allowed if arc in rules.required or frozenset(arc) in rules.required_edges}
        alive, pruned, valid = slow.prune(len(names), local, 3, rules.allowed, held, tie)
        assert {(names[u], names[v]) for u, v in alive} == set(learned.pruning.allowed_arcs)
        assert (tuple(pruned), tuple(valid)) == (learned.pruning.pruned_per_level, learned.pruning.valid_sets_per_level)
        rules = slow.Rules(
            rules.variables, frozenset(alive), rules.limit, rules.required, rules.required_edges, rules.tiers
        )
    graph, path = slow.climb(rules, local, start, averaging, tie)
    assert {(names[u], names[v]) for u, v in graph} == set(learned.arcs)
    assert len(path) == len(learned.steps) + 1
    for step, (own, objective) in zip(learned.steps, path[1:], strict=True):
        assert step.score == pytest.approx(own, abs=1e-9)
        if averaging:
            assert step.averaged_score == pytest.approx(objective, abs=1e-9)
    assert learned.score == pytest.approx(path[-1][0], abs=1e-9)
    if averaging:
        assert learned.averaged_score == pytest.approx(path[-1][1], abs=1e-9)
    return True
