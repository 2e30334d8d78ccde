"""With the truth as the oracle, the algorithms find the true CPDAG, PAG and neighbourhoods."""

from __future__ import annotations

import functools
import itertools
import operator

import numpy as np
import pytest
from blocks import in_blocks
from oracles_fci import Fci
from oracles_graphs import Ends, arcs_of, ends_of, random_dag

from mahc.algorithms.constraint_based import fci, find_neighbourhoods, pc_stable
from mahc.algorithms.constraint_based.needed_sets import (
    find_biconnected_components,
    find_non_ancestors,
    possible_ancestors,
)
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.graphs import DAG, Mark, dag_to_cpdag, dag_to_pag
from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.independence import Questions, SeparationOracle
from mahc.independence.oracle import LogP
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.knowledge import Knowledge

pytestmark = pytest.mark.long

Case = tuple[DAG, list[str]]
SKELETON = "mahc.algorithms.constraint_based.skeleton"


def draw(seed: int, most: int) -> Case:
    """A random DAG and some of its variables to be latent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, most + 1))
    parents = random_dag(n, float(rng.uniform(0.1, 0.6)), rng)
    names = [f"v{i}" for i in range(n)]
    dag = DAG(names, [(names[a], names[b]) for a, b in arcs_of(parents)])
    return dag, [name for name in names if rng.random() < 0.25][: n - 1]


@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_pc_stable_finds_the_cpdag_of_random_dags(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        dag, _ = draw(seed, 11)
        assert pc_stable(SeparationOracle(dag), no_constraints(dag.names)).graph == dag_to_cpdag(dag), seed


@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_fci_finds_the_pag_of_random_dags_with_latents(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        dag, latent = draw(seed, 10)
        oracle = SeparationOracle(dag, latent)
        assert fci(oracle, no_constraints(oracle.names)).graph == dag_to_pag(dag, latent), seed


@pytest.mark.long
@pytest.mark.parametrize("min_size", [1, 4])
def test_sets_of_needed_neighbours_remove_the_same_edges(min_size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{SKELETON}.MAX_TEXTBOOK_TESTS", 0)
    monkeypatch.setattr(f"{SKELETON}.MIN_SIZE_ANCESTORS", min_size)
    for seed in range(150):
        dag, latent = draw(seed, 10)
        oracle, free = SeparationOracle(dag), no_constraints(dag.names)
        assert pc_stable(oracle, free).graph == pc_stable(oracle, free, only_needed=False).graph, seed
        oracle = SeparationOracle(dag, latent)
        assert fci(oracle, no_constraints(oracle.names)).graph == dag_to_pag(dag, latent), seed


class CountingOracle(SeparationOracle):
    """Counts the questions that have conditions."""

    asked = 0

    def log_p_values(self, questions: Questions) -> LogP:
        self.asked += int((np.diff(questions.offsets) > 1).sum())
        return super().log_p_values(questions)


def test_a_hub_is_not_tested_given_its_other_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{SKELETON}.MAX_TEXTBOOK_TESTS", 0)
    names = [f"v{i}" for i in range(11)]
    hub = CountingOracle(DAG(names, [("v0", name) for name in names[1:]]))
    assert pc_stable(hub, no_constraints(names)).graph == dag_to_cpdag(DAG(names, [("v0", v) for v in names[1:]]))
    needed, hub.asked = hub.asked, 0
    pc_stable(hub, no_constraints(names), only_needed=False)
    # After the sets of one, no two leaves are adjacent: 10 pairs, each with the sets of 2 to 9 other leaves, remain.
    assert hub.asked - needed == 10 * (2**9 - 1 - 9)


def test_large_sets_leave_out_children(monkeypatch: pytest.MonkeyPatch) -> None:
    # v0 has ten children, all of which have another parent in common: one component, but no child is an ancestor.
    names = [f"v{i}" for i in range(12)]
    dag = DAG(names, [(parent, child) for parent in names[:2] for child in names[2:]])
    monkeypatch.setattr(f"{SKELETON}.MAX_TEXTBOOK_TESTS", 0)
    asked = []
    for min_size in (4, 99):
        monkeypatch.setattr(f"{SKELETON}.MIN_SIZE_ANCESTORS", min_size)
        oracle = CountingOracle(dag)
        assert pc_stable(oracle, no_constraints(names)).graph == dag_to_cpdag(dag)
        asked.append(oracle.asked)
    # Of the sets of 4 to 9 other children, with which each of 20 pairs would be tested, none is left.
    assert asked[1] - asked[0] > 20 * (2**9 - 1 - 9 - 36 - 84) * 0.9


def draw_inseparable_by_neighbours(seed: int) -> Case:
    """A DAG in which, but for chance, x and y are separated by {a, b, d, e} alone.

    x <-> a <-> b with a and b causes of y, and the same the other way round: whoever holds a must hold b, which is not
    next to x; whoever holds d must hold e, which is not next to y. Variables and arcs are added at random.
    """
    rng = np.random.default_rng(seed)
    arcs = {("a", "y"), ("b", "y"), ("d", "x"), ("e", "x")}
    for i, pair in enumerate([("x", "a"), ("a", "b"), ("y", "d"), ("d", "e")]):
        arcs |= {(f"hidden{i}", end) for end in pair}
    latent = [f"hidden{i}" for i in range(4)]
    order = [*latent, *rng.permutation(list("abde")).tolist(), *rng.permutation(list("xy")).tolist()]
    more = [f"more{i}" for i in range(int(rng.integers(0, 5)))]
    for name in more:
        order.insert(int(rng.integers(0, len(order) + 1)), name)
    often = float(rng.uniform(0, 0.25))
    for i, tail in enumerate(order):
        for head in order[i + 1 :]:
            chance = often if tail in more or head in more else 0.0 if tail in latent else 0.04
            if rng.random() < chance:
                arcs.add((tail, head))
    return DAG(order, sorted(arcs)), [*latent, *(name for name in more if rng.random() < 0.2)]


@pytest.mark.long
@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_fci_finds_the_pag_where_neighbours_do_not_separate(block: int) -> None:
    needed = 0
    for seed in range(100 * block, 100 * block + 100):
        dag, latent = draw_inseparable_by_neighbours(seed)
        oracle = SeparationOracle(dag, latent)
        truth = dag_to_pag(dag, latent)
        for only_needed in (True, False):
            assert fci(oracle, no_constraints(oracle.names), only_needed=only_needed).graph == truth, seed
        by_neighbours = Skeleton(oracle, no_constraints(oracle.names), 0.01)
        by_neighbours.separate_by_neighbours(None)
        needed += sum(bits.bit_count() for bits in by_neighbours.adjacent) > 2 * len(truth.edges)
    assert needed > 50


def draw_true_forbidden_edges(dag: DAG, latent: list[str], seed: int) -> Knowledge:
    """Of the pairs that are not joined in the truth, more than half."""
    truth, rng = dag_to_pag(dag, latent), np.random.default_rng(seed)
    apart = [pair for pair in itertools.combinations(truth.names, 2) if not truth.mark(*pair)]
    return Knowledge(forbidden_edges=[pair for pair in apart if rng.random() < 0.6])


@pytest.mark.parametrize("only_needed", [True, False])
def test_true_forbidden_edges_change_no_mark(only_needed: bool) -> None:
    for seed in range(80):
        dag, latent = draw_inseparable_by_neighbours(seed)
        oracle = SeparationOracle(dag, latent)
        known = draw_true_forbidden_edges(dag, latent, seed).check(oracle.names, len(oracle.names))
        assert fci(oracle, known, only_needed=only_needed).graph == dag_to_pag(dag, latent), seed


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_with_a_depth_limit_and_true_forbidden_edges_no_mark_is_false(depth: int) -> None:
    for seed in range(60):
        for dag, latent in (draw_inseparable_by_neighbours(seed), draw(seed, 9)):
            oracle = SeparationOracle(dag, latent)
            known = draw_true_forbidden_edges(dag, latent, seed).check(oracle.names, max(1, len(oracle.names)))
            graph = fci(oracle, known, max_conditions=depth).graph
            below = {name: transitive_closure(1 << dag.index(name), dag.child_bitsets) for name in graph.names}
            for a, b in itertools.permutations(graph.names, 2):
                is_ancestor = bool(below[b] >> dag.index(a) & 1)
                assert graph.mark(a, b) in (Mark.NONE, Mark.CIRCLE, Mark.TAIL if is_ancestor else Mark.ARROW), seed


@pytest.mark.parametrize("block", range(2))
def test_nobody_is_denied_an_ancestor_that_it_is(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        for dag, latent in (draw_inseparable_by_neighbours(seed), draw(seed, 10)):
            oracle = SeparationOracle(dag, latent)
            skeleton = Skeleton(oracle, no_constraints(oracle.names), 0.01)
            skeleton.separate_by_neighbours(None)
            denied = find_non_ancestors(oracle, 0.01, skeleton.adjacent, skeleton.separations)
            assert denied is not None
            above = possible_ancestors(skeleton.adjacent, denied)
            for i, name in enumerate(oracle.names):
                for j, other in enumerate(oracle.names):
                    if transitive_closure(1 << dag.index(name), dag.child_bitsets) >> dag.index(other) & 1:
                        assert i == j or not denied[i] >> j & 1, seed
                        assert above[j] >> i & 1, seed


def test_a_block_is_what_lies_on_paths_between_neighbours() -> None:
    for seed in range(60):
        dag, _ = draw(seed, 8)
        adjacent = [a | b for a, b in zip(dag.parent_bitsets, dag.child_bitsets, strict=True)]
        found = find_biconnected_components(adjacent)
        for x, blocks in enumerate(found):
            for y in members(adjacent[x]):
                (block,) = [bits for bits in blocks if bits >> y & 1]
                assert block == on_paths(adjacent, [x], y), seed


def on_paths(adjacent: list[int], path: list[int], end: int) -> int:
    """All variables on the paths that begin so and lead to the end without meeting a variable twice."""
    if path[-1] == end:
        return to_bitset(path)
    onward = members(adjacent[path[-1]] & ~to_bitset(path))
    return functools.reduce(operator.or_, (on_paths(adjacent, [*path, v], end) for v in onward), 0)


def test_fci_is_the_literal_fci_on_small_graphs() -> None:
    spelling: dict[str, int] = {"-": 1, ">": 2, "o": 3}
    for seed in range(40):
        dag, latent = draw(seed, 6)
        arcs = frozenset((dag.index(a), dag.index(b)) for a, b in dag.arcs)
        truth: Ends = ends_of(arcs)
        oracle = SeparationOracle(dag, latent)
        observed = [dag.index(name) for name in oracle.names]
        expected = Fci(len(dag.names), truth, observed).ends
        marks = fci(oracle, no_constraints(oracle.names)).graph.marks
        for i, a in enumerate(observed):
            for j, b in enumerate(observed):
                assert marks[i, j] == spelling.get(expected.get((a, b), ""), 0), seed


def test_mmpc_finds_the_neighbourhoods_of_random_dags() -> None:
    for seed in range(150):
        dag, _ = draw(seed, 9)
        found = find_neighbourhoods(SeparationOracle(dag), no_constraints(dag.names))
        truth = [dag.parent_bitsets[v] | dag.child_bitsets[v] for v in range(len(dag.names))]
        assert found is not None
        assert all(mine & true == true for mine, true in zip(found, truth, strict=True)), seed


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_depth_limit_keeps_edges_and_loses_none(depth: int) -> None:
    for seed in range(40):
        dag, latent = draw(seed, 9)
        oracle = SeparationOracle(dag, latent)
        for learn in (pc_stable, fci):
            found = learn(oracle, no_constraints(oracle.names), max_conditions=depth)
            whole = learn(oracle, no_constraints(oracle.names))
            assert bool(((whole.graph.marks > 0) <= (found.graph.marks > 0)).all())
            assert all(len(s.given) <= depth for s in found.separations.values())


def true_knowledge(dag: DAG, seed: int) -> tuple[Knowledge, Constraints]:
    """Knowledge that the DAG fulfils: two tiers, an arc, a missing edge."""
    rng = np.random.default_rng(seed)
    order = [dag.names[v] for v in dag.order]
    cut = int(rng.integers(0, len(order) + 1))
    tiers = [tier for tier in (order[:cut], order[cut:]) if tier]
    arcs = [arc for arc in dag.arcs if rng.random() < 0.2]
    joined = {frozenset(arc) for arc in dag.arcs}
    apart = [(a, b) for a in order for b in order if a < b and {a, b} not in joined and rng.random() < 0.2]
    known = Knowledge(required_arcs=arcs, forbidden_edges=apart, tiers=tiers)
    return known, known.check(dag.names, max(1, len(order)))


def test_pc_stable_with_true_knowledge_finds_the_cpdag_that_it_leaves() -> None:
    for seed in range(150):
        dag, _ = draw(seed, 9)
        known, constraints = true_knowledge(dag, seed)
        found = pc_stable(SeparationOracle(dag), constraints).graph
        assert found == dag_to_cpdag(dag, required=known.required_arcs, tiers=known.tiers), seed


def test_fci_with_true_knowledge_obeys_and_says_nothing_false() -> None:
    for seed in range(100):
        dag, latent = draw(seed, 9)
        oracle = SeparationOracle(dag, latent)
        order = [dag.names[v] for v in dag.order if dag.names[v] in oracle.names]
        known = Knowledge(tiers=[[name] for name in order])
        found = fci(oracle, known.check(oracle.names, max(1, len(order)))).graph
        without = dag_to_pag(dag, latent)
        assert bool(((found.marks > 0) == (without.marks > 0)).all())
        place = {name: i for i, name in enumerate(order)}
        for left, mark, right in found.edges:
            assert not (mark == "-->" and place[left] > place[right]), seed


def test_renaming_and_reordering_changes_nothing() -> None:
    for seed in range(30):
        dag, latent = draw(seed, 9)
        rng = np.random.default_rng(seed)
        turned = DAG([dag.names[i] for i in rng.permutation(len(dag.names))], dag.arcs)
        for learn in (pc_stable, fci):
            one, two = (SeparationOracle(graph, latent) for graph in (dag, turned))
            assert learn(one, no_constraints(one.names)).graph == learn(two, no_constraints(two.names)).graph
