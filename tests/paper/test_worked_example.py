"""The paper's worked example (Table 1, Fig 2) on the sample that ships with mahc, by brute force in plain Python.

Everything is worked out here with dictionaries and loops: the 512 local scores, the base of every child and level, the
arcs that go and why, the climb, and the graphs that the final average is taken over. The library must say the same.
docs/explanation/paper.md tells the same example.
"""

from __future__ import annotations

import csv
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cache

import pytest

import mahc
from mahc.engine import EngineRows, Families, RowScorer
from mahc.networks import sample_path
from mahc.scores import BIC

ASIA = sample_path("asia")
LEVELS = 3
Arc = tuple[str, str]
Graph = frozenset[Arc]

with ASIA.open(encoding="utf-8", newline="") as lines:
    HEADER, *ROWS = csv.reader(lines)
NAMES = tuple(HEADER)
DISTINCT = Counter(map(tuple, ROWS))


@cache
def local_score(child: str, parents: frozenset[str]) -> float:
    """Equations 1 and 2 for one family: log-likelihood in bits less log2(N) / 2 for each free parameter."""
    places, own = [NAMES.index(name) for name in NAMES if name in parents], NAMES.index(child)
    cells: Counter[tuple[tuple[str, ...], str]] = Counter()
    totals: Counter[tuple[str, ...]] = Counter()
    for row, times in DISTINCT.items():
        configuration = tuple(row[place] for place in places)
        cells[configuration, row[own]] += times
        totals[configuration] += times
    likelihood = math.fsum(n * math.log2(n / totals[configuration]) for (configuration, _), n in cells.items())
    states = [len({row[place] for row in DISTINCT}) for place in (own, *places)]
    return likelihood - math.log2(len(ROWS)) / 2 * (states[0] - 1) * math.prod(states[1:])


@dataclass
class Worked:
    """Algorithm 1 by hand: what is left of each child's parents, and the book kept on the way."""

    left: dict[str, list[str]]
    valid_sets: list[int] = field(default_factory=lambda: [len(NAMES)])
    pruned: list[dict[Arc, tuple[frozenset[str], float, float]]] = field(default_factory=list)  # base, S(base), S(with)

    @property
    def arcs(self) -> Graph:
        return frozenset((parent, child) for child, parents in self.left.items() for parent in parents)


@pytest.fixture(scope="module")
def worked() -> Worked:
    done = Worked({child: [name for name in NAMES if name != child] for child in NAMES})
    for level in range(1, LEVELS + 1):
        done.valid_sets.append(sum(1 for mine in done.left.values() for _ in itertools.combinations(mine, level)))
        gone: dict[Arc, tuple[frozenset[str], float, float]] = {}
        for child, mine in done.left.items():
            sets = [frozenset(some) for some in itertools.combinations(mine, level - 1)]
            if not sets:
                continue
            base = max(sets, key=lambda some: local_score(child, some))
            for other in set(mine) - base:
                if local_score(child, base) >= local_score(child, base | {other}):
                    gone[other, child] = (base, local_score(child, base), local_score(child, base | {other}))
        for parent, child in gone:
            done.left[child].remove(parent)
        done.pruned.append(gone)
    return done


def acyclic(graph: Graph) -> bool:
    left = set(graph)
    while left:
        last = {v for _, v in left} - {u for u, _ in left}
        if not last:
            return False
        left = {(u, v) for u, v in left if v not in last}
    return True


def neighbours(graph: Graph, allowed: Graph) -> dict[tuple[str, Arc], Graph]:
    """One addition, deletion or reversal away, without a cycle or a pruned arc (no in-degree here comes near 8)."""
    near = {("add", arc): graph | {arc} for arc in allowed - graph}
    near |= {("delete", arc): graph - {arc} for arc in graph}
    near |= {("reverse", (u, v)): graph - {(u, v)} | {(v, u)} for u, v in graph if (v, u) in allowed}
    return {move: other for move, other in near.items() if acyclic(other)}


@cache
def own_score(graph: Graph) -> float:
    return math.fsum(local_score(child, frozenset(u for u, v in graph if v == child)) for child in NAMES)


def averaged_score(graph: Graph, allowed: Graph) -> float:
    scores = [own_score(graph), *map(own_score, neighbours(graph, allowed).values())]
    return math.fsum(scores) / len(scores)


def climb(allowed: Graph) -> list[tuple[str, Arc, Graph]]:
    """Algorithm 2 from the empty graph; two directions of one arc tie here, and the library's choice is not asked."""
    here, steps = Graph(), []
    while True:
        averages = {move: averaged_score(other, allowed) for move, other in neighbours(here, allowed).items()}
        move = max(averages, key=lambda move: (round(averages[move], 6), move))
        if averages[move] <= averaged_score(here, allowed):
            return steps
        here = neighbours(here, allowed)[move]
        steps.append((*move, here))


@pytest.fixture(scope="module")
def learned() -> mahc.Learned:
    return mahc.learn(ASIA)


def test_the_512_local_scores_that_equation_3_counts() -> None:
    families = [
        (child, some)
        for child in NAMES
        for size in range(LEVELS + 1)
        for some in itertools.combinations([name for name in NAMES if name != child], size)
    ]
    assert len(families) == 512
    data = mahc.read(ASIA)
    numbered = Families.of((data.index(child), [data.index(name) for name in some]) for child, some in families)
    scores = RowScorer(EngineRows(data), BIC()).score_families(numbered)
    assert scores.tolist() == pytest.approx(
        [local_score(child, frozenset(some)) for child, some in families], rel=1e-12
    )


def test_valid_sets_and_pruned_arcs_of_every_level(worked: Worked, learned: mahc.Learned) -> None:
    assert learned.pruning is not None
    assert learned.pruning.valid_sets_per_level == tuple(worked.valid_sets) == (8, 56, 55, 15)
    assert learned.pruning.pruned_per_level == tuple(map(len, worked.pruned)) == (26, 13, 6)
    assert set(learned.pruning.allowed_arcs) == worked.arcs
    assert len(worked.arcs) == 11


def test_every_pruned_arc_is_explained_by_its_base(worked: Worked, learned: mahc.Learned) -> None:
    """As section 2.1 says of `either`: at level 3 the base is {lung, tub}, and xray, the second-best parent, goes."""
    for level, gone in enumerate(worked.pruned, 1):
        for (parent, child), (base, base_score, score) in gone.items():
            explained = learned.explain(parent, child)
            assert explained.kind == "pruned"
            expected = {"level": level, "base_score": base_score, "score": score}
            assert dict(explained.numbers) == pytest.approx(expected, rel=1e-12)
            assert not base or ", ".join(sorted(base)) in explained.sentence
    assert worked.pruned[2]["xray", "either"][0] == {"lung", "tub"}
    singles = sorted((local_score("either", frozenset({name})) for name in NAMES if name != "either"), reverse=True)
    assert singles[1] == local_score("either", frozenset({"xray"}))


def test_the_climb_step_by_step(worked: Worked, learned: mahc.Learned) -> None:
    """The same scores all the way; between the two directions of an arc the paper leaves the choice open."""
    steps = climb(worked.arcs)
    assert len(steps) == len(learned.steps) == 8
    for step, (_, _, graph) in zip(learned.steps, steps, strict=True):
        assert step.score == pytest.approx(own_score(graph), rel=1e-12)
        assert step.averaged_score == pytest.approx(averaged_score(graph, worked.arcs), rel=1e-12)


def test_the_last_step_and_the_graphs_of_the_final_average(worked: Worked, learned: mahc.Learned) -> None:
    """As in Fig 2: bronc -> smoke is reversed, and the average is over the graph, 7 deletions and 4 reversals."""
    last = learned.steps[-1]
    assert (last.move, last.tail, last.head) == ("reverse", "bronc", "smoke")
    final = frozenset(learned.arcs)
    near = neighbours(final, worked.arcs)
    assert Counter(kind for kind, _ in near) == {"delete": 7, "reverse": 4}
    assert learned.score == pytest.approx(own_score(final), rel=1e-12)
    mean = math.fsum([own_score(final), *map(own_score, near.values())]) / 12
    assert learned.averaged_score == pytest.approx(mean, rel=1e-12)
    assert (round(own_score(final), 4), round(mean, 4)) == (-3306.0124, -3404.0929)


def test_what_each_neighbour_of_the_final_graph_would_change(worked: Worked, learned: mahc.Learned) -> None:
    final = frozenset(learned.arcs)
    here, mean = own_score(final), averaged_score(final, worked.arcs)
    for (kind, (u, v)), other in neighbours(final, worked.arcs).items():
        numbers = learned.explain(*((v, u) if kind == "reverse" else (u, v))).numbers
        own, average = own_score(other) - here, averaged_score(other, worked.arcs) - mean
        assert average <= 0
        if kind == "delete":
            assert (-numbers["strength"], numbers["averaged_gain"]) == pytest.approx((own, average), abs=1e-9)
        else:
            assert (numbers["reversal_gain"], numbers["averaged_reversal_gain"]) == pytest.approx(
                (own, average), abs=1e-9
            )
