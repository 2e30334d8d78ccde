"""The random walk over DAGs: against all DAGs, against sums by inclusion and exclusion, and move by move."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from oracles_sampling import (
    FREE,
    KERNELS,
    Graph,
    Lists,
    Rules,
    all_graphs,
    arc_by_inclusion,
    arcs_by_enumeration,
)

from mahc.algorithms.sampling.chains import SHARES
from mahc.engine import _native

pytestmark = pytest.mark.long

MOVES = {
    "redraw": (0.0, 0.0, 0.0),
    "flip": (1.0, 0.0, 0.0),
    "reverse": (0.0, 1.0, 0.0),
    "pair": (0.0, 0.0, 1.0),
    "all": SHARES,
}


def random_lists(n: int, seed: int, spread: float = 2.0, most: int = 3, keep: float = 1.0) -> list[dict]:
    """Random scores; with `keep` below 1 some sets are missing, as in lists that were pruned."""
    random, lists = np.random.default_rng(seed), []
    for v in range(n):
        others = [u for u in range(n) if u != v]
        mine = {}
        for size in range(min(most, n - 1) + 1):
            for parents in itertools.combinations(others, size):
                if not parents or random.random() < keep:
                    mine[frozenset(parents)] = float(random.normal(0, spread))
        lists.append(mine)
    return lists


class Core:
    """The lists in the core; the last `outside` variables are no candidates, so that sets have one at most."""

    def __init__(self, lists: Lists, rules: Rules = FREE, outside: int = 0) -> None:
        n = len(lists)
        candidates = [[u for u in range(n - outside) if u != v] for v in range(n)]
        self.sets: list[list[frozenset[int]]] = []
        inside, free, scores = [], [], []
        for v, mine in enumerate(lists):
            ordered = sorted(mine, key=lambda each: (-mine[each], sorted(each)))
            self.sets.append(ordered)
            for parents in ordered:
                others = parents - set(candidates[v])
                assert len(others) <= 1
                inside.append(sum(1 << p for p, u in enumerate(candidates[v]) if u in parents))
                free.append(next(iter(others), -1))
                scores.append(mine[parents])
        partners = [[u + w - v for u, w in rules.edges if v in (u, w)] for v in range(n)]
        nodes = 1 + max([n - 1, *itertools.chain.from_iterable(rules.virtual_arcs)])
        self.native = _native.ParentLists(
            candidates,
            np.cumsum([0, *(len(each) for each in self.sets)]).astype(np.int64),
            np.array(inside, np.uint32),
            np.array(free, np.int32),
            np.array(scores),
            partners,
            list(rules.virtual_arcs),
            nodes,
        )

    def walk(self, start: Graph, parts: int, steps: int = 1, move: str = "all", seed: int = 1) -> np.ndarray:
        places = np.array([self.sets[v].index(parents) for v, parents in enumerate(start)], np.int32)
        return self.native.walk(places, seed, 0, 0, parts, steps, *MOVES[move], None)[0]

    def graph(self, places: np.ndarray) -> Graph:
        return tuple(self.sets[v][place] for v, place in enumerate(places.tolist()))


def only_one_outside(lists: Lists, outside: int) -> list[dict]:
    last = set(range(len(lists) - outside, len(lists)))
    return [{parents: score for parents, score in mine.items() if len(parents & last) <= 1} for mine in lists]


def arcs_of(core: Core, drawn: np.ndarray) -> dict[tuple[int, int], float]:
    counts: Counter[tuple[int, int]] = Counter()
    for v in range(drawn.shape[1]):
        places, times = np.unique(drawn[:, v], return_counts=True)
        for place, number in zip(places.tolist(), times.tolist(), strict=True):
            for u in core.sets[v][place]:
                counts[u, v] += number
    return {arc: number / len(drawn) for arc, number in counts.items()}


def largest_deviation(found: dict, exact: dict) -> float:
    return max(abs(found.get(arc, 0.0) - exact[arc]) for arc in exact)


def empty(n: int) -> Graph:
    return (frozenset(),) * n


RULES = {
    "free": FREE,
    "required edge": Rules(edges=((0, 1),)),
    "tiers": Rules(virtual_arcs=((0, 3), (3, 2))),  # 0 before 2
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("move", KERNELS)
@pytest.mark.parametrize("outside", [0, 1])
def test_each_move_leaves_the_distribution_as_it_is(move: str, rules: Rules, outside: int) -> None:
    """Detailed balance of the kernels that the paper gives, over all pairs of DAGs."""
    lists = only_one_outside(random_lists(3, 5, keep=0.9), outside)
    graphs = all_graphs(lists, rules)
    flow: Counter[tuple[Graph, Graph]] = Counter()
    for graph, probability in graphs.items():
        steps = Counter()
        for other, chance in KERNELS[move](lists, rules, graph):
            if chance:
                assert other in graphs
                steps[other] += chance
        assert sum(steps.values()) == pytest.approx(1)
        for other, chance in steps.items():
            flow[graph, other] += probability * chance
    for graph, other in flow:
        assert flow[graph, other] == pytest.approx(flow[other, graph], abs=1e-12)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("move", KERNELS)
def test_the_core_moves_with_the_probabilities_of_the_kernels(move: str, rules: Rules) -> None:
    """Transitions that the core makes, from every DAG on three variables."""
    lists = only_one_outside(random_lists(3, 5, keep=0.9, spread=1.0), 1)
    core, parts = Core(lists, rules, outside=1), 3000
    seen: dict[Graph, Counter[Graph]] = {}
    for number, graph in enumerate(all_graphs(lists, rules)):
        drawn = core.walk(graph, parts, move=move, seed=number)
        before = graph
        for places in drawn:
            after = core.graph(places)
            seen.setdefault(before, Counter())[after] += 1
            before = after
    for graph, found in seen.items():
        steps: Counter[Graph] = Counter()
        for other, chance in KERNELS[move](lists, rules, graph):
            steps[other] += chance
        times = sum(found.values())
        assert all(steps[other] > 0 for other in found)
        for other, chance in steps.items():
            assert abs(found[other] / times - chance) < 5 * np.sqrt(chance * (1 - chance) / times) + 1e-9 + 3 / times


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("keep", [1.0, 0.6])
def test_arcs_against_all_dags(seed: int, keep: float) -> None:
    lists = random_lists(4, seed, keep=keep)
    core = Core(lists)
    drawn = core.walk(empty(4), 100_000, steps=8, seed=seed)
    assert largest_deviation(arcs_of(core, drawn), arcs_by_enumeration(lists)) < 0.01


@pytest.mark.parametrize("rules", [Rules(edges=((0, 1), (2, 3))), Rules(virtual_arcs=((0, 4), (4, 2), (4, 3)))])
def test_arcs_with_rules_against_all_dags(rules: Rules) -> None:
    lists = random_lists(4, 7)
    start = (frozenset(), frozenset({0}), frozenset(), frozenset({2}))
    core = Core(lists, rules)
    drawn = core.walk(start, 100_000, steps=8)
    assert largest_deviation(arcs_of(core, drawn), arcs_by_enumeration(lists, rules)) < 0.01


def test_inclusion_and_exclusion_against_all_dags() -> None:
    lists = random_lists(4, 3, keep=0.7)
    exact = arcs_by_enumeration(lists)
    for arc, probability in arc_by_inclusion(lists, list(exact)).items():
        assert probability == pytest.approx(exact[arc], abs=1e-12)


@pytest.mark.parametrize("outside", [0, 3])
def test_seven_variables_against_inclusion_and_exclusion(outside: int) -> None:
    lists = only_one_outside(random_lists(7, 11, keep=0.5, spread=1.5), outside)
    core = Core(lists, outside=outside)
    drawn = core.walk(empty(7), 100_000, steps=14)
    arcs = [(u, v) for u, v in itertools.permutations(range(7), 2) if (u + 2 * v) % 4 == 0]
    assert largest_deviation(arcs_of(core, drawn), arc_by_inclusion(lists, arcs)) < 0.01


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_ten_variables_against_inclusion_and_exclusion(seed: int) -> None:
    lists = random_lists(10, seed, keep=0.4, spread=2.0)
    core = Core(lists)
    drawn = core.walk(empty(10), 100_000, steps=40, seed=seed)
    arcs = [(u, v) for u, v in itertools.permutations(range(10), 2) if (u + 3 * v) % 11 == 0]
    assert largest_deviation(arcs_of(core, drawn), arc_by_inclusion(lists, arcs)) < 0.01


def test_scores_far_apart() -> None:
    """Where the best sets do not fit, weights relative to the best would vanish."""
    lists: Lists = [
        {frozenset({1}): 0.0, frozenset(): -2000.0, frozenset({2}): -2000.5},
        {frozenset({0}): 0.5, frozenset(): -2000.0, frozenset({2}): -2001.0},
        {frozenset(): 0.0, frozenset({0}): 0.3},
    ]
    core = Core(lists)
    drawn = core.walk(empty(3), 100_000, steps=6)
    assert largest_deviation(arcs_of(core, drawn), arcs_by_enumeration(lists)) < 0.01


def test_parts_can_be_walked_one_by_one() -> None:
    core = Core(random_lists(5, 1))
    places = np.array([core.sets[v].index(frozenset()) for v in range(5)], np.int32)
    at_once = core.native.walk(places, 3, 1, 0, 20, 9, *SHARES, None)[0]
    for part in range(20):
        places = core.native.walk(places, 3, 1, part, 1, 9, *SHARES, None)[0][0]
        assert places.tolist() == at_once[part].tolist()
