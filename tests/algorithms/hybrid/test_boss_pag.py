"""boss-pag: the PAG of the searched DAG, and the edges that tests remove from it."""

from __future__ import annotations

import itertools
import random

import pytest

import mahc
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.algorithms.hybrid.boss_pag import PagFromDag, separate_covered
from mahc.graphs import DAG, MixedGraph, dag_to_pag
from mahc.graphs.bitset import to_bitset
from mahc.independence import Questions, SeparationOracle
from mahc.measures import compare
from mahc.networks import load_network
from mahc.networks.noise import parse_noise
from mahc.networks.simulation import simulate


def random_dag(rng: random.Random, names: list[str], density: float) -> DAG:
    order = rng.sample(names, len(names))
    return DAG(names, [arc for arc in itertools.combinations(order, 2) if rng.random() < density])


def minimal_map(oracle: SeparationOracle, order: list[int]) -> list[int]:
    """The sparsest DAG along the order that has no independence but those of the oracle."""
    parents = [0] * len(order)
    for place, v in enumerate(order):
        for u in order[:place]:
            given = tuple(w for w in order[:place] if w != u)
            log_p = oracle.log_p_values(Questions.of([(v, (*given, u))]))
            assert log_p is not None
            if log_p[0] < 0:
                parents[v] |= 1 << u
    return parents


@pytest.mark.parametrize("seed", range(40))
def test_without_hidden_causes_it_is_the_pag_of_the_dag(seed: int) -> None:
    rng = random.Random(seed)
    truth = random_dag(rng, [f"v{i}" for i in range(8)], 0.35)
    state = PagFromDag([*truth.parent_bitsets], no_constraints(truth.names))
    assert separate_covered(state, SeparationOracle(truth), 0.01)
    assert not state.separations
    assert MixedGraph.from_marks(truth.names, state.orient()[0]) == dag_to_pag(truth)


@pytest.mark.parametrize("seed", range(40))
def test_only_edges_that_the_true_mag_lacks_are_removed(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"v{i}" for i in range(9)]
    truth = random_dag(rng, names, 0.3)
    hidden = rng.sample(names, 2)
    seen = [name for name in names if name not in hidden]
    oracle = SeparationOracle(truth, latent=hidden)
    state = PagFromDag(minimal_map(oracle, rng.sample(range(7), 7)), no_constraints(seen))
    before = sum(bits.bit_count() for bits in state.adjacent)
    assert separate_covered(state, oracle, 0.01)
    true_pag = dag_to_pag(truth, hidden)
    for x, y in state.separations:
        assert not true_pag.marks[x, y]
    assert sum(bits.bit_count() for bits in state.adjacent) == before - 2 * len(state.separations)


def test_the_edge_that_covers_a_hidden_cause_is_removed() -> None:
    names = ["x", "z", "y", "w", "h"]
    truth = DAG(names, [("x", "z"), ("h", "z"), ("h", "y"), ("w", "y")])
    oracle = SeparationOracle(truth, latent="h")
    state = PagFromDag([0, 1, to_bitset([0, 1, 3]), 0], no_constraints(names[:4]))
    assert separate_covered(state, oracle, 0.01)
    assert MixedGraph.from_marks(names[:4], state.orient()[0]) == dag_to_pag(truth, "h")


def test_a_required_edge_is_not_tested() -> None:
    names = ["x", "z", "y", "w"]
    known = mahc.Knowledge(required_edges=[("x", "y")]).check(names, 8)
    state = PagFromDag([0, 1, to_bitset([0, 1, 3]), 0], known)
    assert all((x, parents[-1]) != (0, 2) for x, parents in state.questions())


def test_explanations_name_the_search_or_the_test() -> None:
    data = simulate(load_network("asia"), 2000, 1, parse_noise("latent:0.1")).data
    learned = mahc.learn(data, "boss-pag")
    kinds = {learned.explain(a, b).kind for a, b in itertools.permutations(learned.variables, 2)}
    assert kinds == {"edge", "not chosen"}
    absent = [str(learned.explain(a, b)) for a, b in itertools.combinations(learned.variables, 2)]
    assert any("chose no arc between them; the better one would lower the score by" in text for text in absent)
    assert any("even as the only arc into its variable" in text for text in absent)


def test_hidden_variables_cost_it_less_than_fci() -> None:
    difference = []
    for network, seed in itertools.product(["asia", "child", "insurance", "alarm"], [1, 2]):
        simulation = simulate(load_network(network), 2000, seed, parse_noise("cMISL"))
        graphs = [mahc.learn(simulation.data, name).graph for name in ("boss-pag", "fci")]
        f1 = [compare(graph, simulation.truth())["f1"] for graph in graphs]
        difference.append(f1[0] - f1[1])
    assert sum(difference) / len(difference) > 0.05
