"""Learning equals brute force: whole graphs built, tested for cycles and scored from scratch."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace

import oracles_search as slow
import pytest
from blocks import in_blocks
from knowledge_rules import rules_of, with_consequences
from small_data import local_bic, random_data

from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.errors import KnowledgeError
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import learn
from mahc.learning.tie_order import order_variables
from mahc.results.learned import Learned

Pair = tuple[str, str]
CASES = 620  # data sets, each for four algorithms, half of them with knowledge


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


def random_start(rng: random.Random, knowledge: Knowledge, names: tuple[str, ...], in_degree: int) -> list[Pair]:
    """Arcs along a random order that knowledge does not forbid one by one, with a free choice of bad ones."""
    rules = rules_of(knowledge, list(names), in_degree)
    order = rng.sample(range(len(names)), len(names))
    start: set[slow.Arc] = set()
    for u, v in itertools.combinations(order, 2):
        full = sum(head == v for _, head in start) >= rules.limit[v]
        if rng.random() < 0.4 and (u, v) in rules.allowed and not full:
            start.add((u, v))
    return sorted((names[u], names[v]) for u, v in start)


@pytest.mark.parametrize("algorithm", ["mahc", "only pruning", "only averaging", "hc"])
@pytest.mark.parametrize("block", in_blocks(9, short=2))
def test_learning_equals_brute_force(algorithm: str, block: int) -> None:
    seeds = range(block * CASES // 9, (block + 1) * CASES // 9)
    compared = [check(seed, algorithm) for seed in seeds]
    assert len(compared) - compared.count(None) > 0.81 * len(seeds)  # 500 and more in all


@pytest.mark.long
@pytest.mark.parametrize("ties", ["data", "file-order"])
@pytest.mark.parametrize("algorithm", ["mahc", "only pruning", "only averaging", "hc"])
@pytest.mark.parametrize("block", in_blocks(3, short=1))
def test_from_a_start_graph_under_both_tie_rules(algorithm: str, ties: str, block: int) -> None:
    seeds = range(1000 + 40 * block, 1000 + 40 * (block + 1))
    compared = [check(seed, algorithm, ties, with_start=True) for seed in seeds]
    done = [outcome for outcome in compared if outcome is not None]
    assert len(done) > 0.6 * len(seeds)
    if algorithm in ("mahc", "only pruning"):
        assert any(outcome.start_only for outcome in done)


@pytest.mark.parametrize("block", range(3))
def test_equal_averages_under_both_tie_rules(block: int) -> None:
    """Few dependent columns, so that much is pruned and a lone pair is left: its average is that of no arc."""
    seeds = range(2000 + 60 * block, 2000 + 60 * (block + 1))
    by_own_score = 0
    for seed, ties in itertools.product(seeds, ("data", "file-order")):
        outcome = check(seed, "mahc", ties, with_start=seed % 3 == 0)
        by_own_score += outcome is not None and outcome.equal_averages
        assert outcome is None or ties == "data" or not outcome.equal_averages
    assert by_own_score > 3


@dataclass(frozen=True)
class Compared:
    """What a case was good for: arcs that pruning forbids in its start graph, steps between equal averages."""

    start_only: int
    equal_averages: int


@dataclass(frozen=True)
class Case:
    """A random data set, what is known of it, and how it is to be learned."""

    seed: int
    algorithm: str
    ties: str
    data: Dataset
    knowledge: Knowledge
    in_degree: int
    start: list[Pair]

    @property
    def pruning(self) -> bool:
        return self.algorithm in ("mahc", "only pruning")

    @property
    def averaging(self) -> bool:
        return self.algorithm in ("mahc", "only averaging")

    def learn(self) -> Learned:
        switches = {} if self.algorithm == "hc" else {"pruning": self.pruning, "averaging": self.averaging}
        return learn(
            self.data,
            "hc" if self.algorithm == "hc" else "mahc",
            search_in_degree=self.in_degree,
            knowledge=self.knowledge,
            start=self.start,
            ties=self.ties,
            threads=1,
            **switches,
        )


def make_case(seed: int, algorithm: str, ties: str, with_start: bool) -> Case:
    rng = random.Random(seed)
    data = random_data(rng, fewer=seed >= 2000)
    knowledge = random_knowledge(rng, data.names) if seed % 2 else Knowledge()
    in_degree = rng.choice([1, 2, 3, 8])
    start = random_start(rng, knowledge, data.names, in_degree) if with_start else []
    return Case(seed, algorithm, ties, data, knowledge, in_degree, start)


def check(seed: int, algorithm: str, ties: str = "data", with_start: bool = False) -> Compared | None:
    """None where the random knowledge contradicts itself or the start graph."""
    case = make_case(seed, algorithm, ties, with_start)
    try:
        learned = case.learn()
    except KnowledgeError:
        return None  # the clash itself is tested in tests/knowledge
    order = order_variables(EngineRows(case.data, threads=1), ties)
    names = [case.data.names[v] for v in order]
    local = local_bic(case.data, order)
    rules = rules_of(case.knowledge, names, case.in_degree)
    tie = max(1e-9, 1e-12 * abs(sum(local(v, ()) for v in range(len(names)))))
    start = undo(learned, names)
    assert rules.fit(start)
    assert {(names.index(a), names.index(b)) for a, b in case.start} <= start
    assert bool(start) <= (bool(case.start) or not case.knowledge.empty)
    assert rules.fit(frozenset((names.index(a), names.index(b)) for a, b in learned.arcs))
    rules = with_consequences(rules, case.knowledge, names, case.in_degree)
    if case.pruning:
        rules = compare_pruning(learned, rules, local, names, start, tie)
    graph, path = slow.climb(rules, local, start, case.averaging, tie, data_ties=ties == "data")
    assert {(names[u], names[v]) for u, v in graph} == set(learned.arcs)
    compare_path(learned, path, case.averaging)
    ways = itertools.pairwise(path)
    return Compared(len(rules.start_only), sum(case.averaging and there[1] <= here[1] + tie for here, there in ways))


def compare_pruning(
    learned: Learned, rules: slow.Rules, local: slow.Local, names: list[str], start: slow.Graph, tie: float
) -> slow.Rules:
    """Pruning level by level; returns the rules for the climb after it."""
    held = {arc for arc in rules.allowed if arc in rules.required or frozenset(arc) in rules.required_edges}
    alive, pruned, valid = slow.prune(len(names), local, 3, rules.allowed, held, tie)
    assert learned.pruning is not None
    assert {(names[u], names[v]) for u, v in alive} == set(learned.pruning.allowed_arcs)
    assert (tuple(pruned), tuple(valid)) == (learned.pruning.pruned_per_level, learned.pruning.valid_sets_per_level)
    return replace(rules, allowed=frozenset(alive), start_only=frozenset(start - alive))


def compare_path(learned: Learned, path: list[tuple[float, float]], averaging: bool) -> None:
    """Own and averaged score of every graph on the way."""
    assert len(path) == len(learned.steps) + 1
    for step, (own, objective) in zip(learned.steps, path[1:], strict=True):
        assert step.score == pytest.approx(own, abs=1e-9)
        if averaging:
            assert step.averaged_score == pytest.approx(objective, abs=1e-9)
    assert learned.score == pytest.approx(path[-1][0], abs=1e-9)
    if averaging:
        assert learned.averaged_score == pytest.approx(path[-1][1], abs=1e-9)
