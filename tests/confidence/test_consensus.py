"""One graph from many: threshold, directions, acyclicity, knowledge, agreement."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from random_learning import random_knowledge

import mahc
from mahc.confidence import agreement
from mahc.confidence.averaging import find_threshold
from mahc.engine import CancelToken
from mahc.errors import GraphError, KnowledgeError, MahcError
from mahc.graphs import DAG, Mark, MixedGraph, dag_to_cpdag, dag_to_pag
from mahc.graphs.edge_counts import EdgeCounts, count_edges
from mahc.graphs.marks import join_marks
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.legality import find_violation
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import NOISES

NAMES = ("a", "b", "c", "d", "e")


def random_dag(rng: random.Random) -> DAG:
    order = rng.sample(NAMES, len(NAMES))
    return DAG(NAMES, [pair for pair in combinations(order, 2) if rng.random() < 0.5])


def slow_threshold(shares: list[float]) -> float:
    """Scutari and Nagarajan's L1 distance, tried for every value of t that the distribution function takes."""
    knots = sorted({0.0, *shares, 1.0})

    def below(x: float) -> float:
        return sum(share <= x for share in shares) / len(shares)

    def distance(t: float) -> float:
        return sum(abs(below(x) - t) * (y - x) for x, y in pairwise(knots))

    best = min((distance(below(x)), below(x)) for x in knots[:-1])
    t = min(below(x) for x in knots[:-1] if distance(below(x)) <= best[0] + 1e-12)
    return min(x for x in knots if below(x) >= t - 1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_threshold_minimises_the_distance(seed: int) -> None:
    rng = random.Random(seed)
    graphs = [random_dag(rng) for _ in range(rng.choice([1, 2, 5, 20]))]
    counts = count_edges(graphs)
    shares = [counts.edge(a, b) / counts.graphs for a, b in combinations(NAMES, 2)]
    assert find_threshold(counts) == pytest.approx(slow_threshold(shares))


@pytest.mark.parametrize("seed", range(40))
def test_the_rules_hold(seed: int) -> None:
    rng = random.Random(seed)
    graphs: list[DAG | MixedGraph] = [random_dag(rng) for _ in range(5)]
    if seed % 2:
        graphs = [dag_to_cpdag(graph) for graph in graphs if isinstance(graph, DAG)]
    least = rng.randint(1, 5)
    made = mahc.average(graphs, least=least)
    mixed = [graph.to_mixed() if isinstance(graph, DAG) else graph for graph in graphs]
    left_out = {frozenset(each[:2]) for each in made.left_out}
    for a, b in combinations(NAMES, 2):
        joined = sum(graph.mark(a, b) > 0 for graph in mixed)
        assert made.share(a, b) == joined / 5
        assert bool(made.graph.mark(a, b)) == (joined >= least and frozenset((a, b)) not in left_out)
        assert bool(made.graph.mark(a, b)) == ((a, b) in made.dag.arcs or (b, a) in made.dag.arcs)
    assert not left_out  # without knowledge one of both directions is always acyclic
    for a, b in permutations(NAMES, 2):
        if (a, "-->", b) in [tuple(edge) for edge in made.graph.edges]:
            assert (a, b) in made.dag.arcs
            there = sum((a, "-->", b) in [tuple(edge) for edge in graph.edges] for graph in mixed)
            assert 2 * there > 5 * made.share(a, b)
    shuffled = [graph.reorder(rng.sample(NAMES, 5)) for graph in mixed]
    assert mahc.average(shuffled, least=least).graph == made.graph


def test_a_cycle_of_majorities_is_broken_at_the_rarest_arc() -> None:
    arcs = [("a", "b"), ("b", "c"), ("c", "a")]
    graphs = [DAG("abc", [arc for arc in arcs if arc != out]) for out in arcs] + [DAG("abc", arcs[:2])]
    made = mahc.average(graphs, least=1)
    assert set(made.graph.edges) == {("a", "-->", "b"), ("b", "-->", "c"), ("a", "---", "c")}
    assert set(made.dag.arcs) == {("a", "b"), ("b", "c"), ("a", "c")}


@pytest.mark.parametrize("seed", range(20))
def test_knowledge_is_obeyed(seed: int) -> None:
    rng = random.Random(seed)
    known = random_knowledge(rng, NAMES)
    try:
        constraints = known.check(NAMES, 5)
    except KnowledgeError:
        return
    made = mahc.average([random_dag(rng) for _ in range(5)], threshold=0.3, knowledge=known)
    place = {name: i for i, name in enumerate(NAMES)}
    assert find_violation(constraints, [(place[a], place[b]) for a, b in made.dag.arcs]) is None
    for arc in known.required_arcs:
        assert arc in made.dag.arcs


def test_of_a_bootstrap() -> None:
    data = sample(load_network("asia"), 2000, seed=1)
    known = Knowledge(forbidden_edges=[("bronc", "smoke")])
    confidence = mahc.bootstrap(data, "hc", resamples=30, knowledge=known)
    made = mahc.average(confidence)
    assert made.graph.mark("bronc", "smoke") == 0
    assert made.share("tub", "either") == confidence.edge("tub", "either")
    assert {frozenset(edge[::2]) for edge in made.graph.edges} == {
        frozenset(pair) for pair, share in confidence.frequencies().items() if share > made.threshold
    }
    assert np.isfinite(mahc.score_graph(made.dag, data).total)
    assert made.to_frame()["share"].is_sorted(descending=True)


def test_across_algorithms() -> None:
    data = sample(load_network("asia"), 500, seed=1)
    once = mahc.consensus(data, ["mahc", "hc", "pc-stable"])
    graphs = [mahc.learn(data, name).graph for name in ("mahc", "hc", "pc-stable")]
    for a, b in combinations(data.names, 2):
        joined = sum((graph.to_mixed() if isinstance(graph, DAG) else graph).mark(a, b) > 0 for graph in graphs)
        assert bool(once.consensus.graph.mark(a, b)) == (joined >= 2)
    assert once.table().shape == (3, 7)
    many = mahc.consensus(data, ["mahc", "hc/bdeu"], resamples=5, seed=2)
    expected = [
        mahc.bootstrap(data, "mahc", resamples=5, seed=2),
        mahc.bootstrap(data, "hc", objective="bdeu", resamples=5, seed=2),
    ]
    for a, b in combinations(data.names, 2):
        assert many.consensus.share(a, b) == sum(each.edge_counts.edge(a, b) for each in expected) / 10


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: mahc.average([]), "there are no graphs"),
        (lambda: mahc.average([DAG("ab"), DAG("abc")]), "different variables: one has 'c' in addition"),
        (lambda: mahc.average([DAG("abc"), DAG("ab")]), "different variables: one lacks 'c'"),
        (lambda: mahc.average([DAG("ab")], least=0), "least is 0"),
        (lambda: mahc.average([DAG("ab")], least=2), "least is 2: give at most the number of graphs, 1"),
        (lambda: mahc.average([DAG("ab")], threshold=1.0), "threshold is 1.0"),
        (lambda: mahc.average([DAG("ab")], threshold=0.5, least=1), "give one"),
        (lambda: mahc.consensus({"a": ["x", "y"]}, ["mahc"]), "at least two"),
        (lambda: mahc.consensus({"a": ["x", "y"]}, "mahc"), "algorithms is 'mahc': give a list"),
        (lambda: mahc.consensus({"a": ["x", "y"]}, ["mahc", "hc/nope"]), "nope"),
        (lambda: mahc.consensus({"a": ["x", "y"]}, ["mahc", "hc"], resamples=-1), "resamples is -1"),
    ],
)
def test_bad_settings_are_refused(call: object, sentence: str) -> None:
    with pytest.raises(MahcError, match=sentence):
        call()  # type: ignore[operator]


def slow_marks(graphs: list[MixedGraph], left: str, right: str) -> Mark:
    """The mark at `right` that more than half of the graphs with this edge have; `---` says nothing."""
    joined = [graph for graph in graphs if graph.mark(left, right)]
    telling = [
        graph.mark(left, right)
        for graph in joined
        if (graph.mark(left, right), graph.mark(right, left)) != (Mark.TAIL, Mark.TAIL)
    ]
    majority = [mark for mark in (Mark.TAIL, Mark.ARROW) if 2 * telling.count(mark) > len(joined)]
    return majority[0] if majority else Mark.CIRCLE


def contradicts_itself(graph: MixedGraph) -> bool:
    """Whether an arrowhead stands at an ancestor of the other end, by paths of arcs, each tried."""
    arcs = {(edge.left, edge.right) for edge in graph.edges if edge.mark == "-->"}

    def reaches(start: str, end: str, seen: frozenset[str]) -> bool:
        if start == end:
            return True
        return any(reaches(v, end, seen | {v}) for u, v in arcs if u == start and v not in seen)

    return any(
        graph.mark(u, v) == Mark.ARROW and reaches(v, u, frozenset([v])) for u, v in permutations(graph.names, 2)
    )


@pytest.mark.parametrize("seed", range(40))
def test_pags_are_averaged_by_the_majority_of_marks(seed: int) -> None:
    rng = random.Random(seed)
    names = (*NAMES, "hidden")
    graphs = []
    for _ in range(5):
        order = rng.sample(names, len(names))
        dag = DAG(names, [pair for pair in combinations(order, 2) if rng.random() < 0.4])
        graphs.append(dag_to_pag(dag, ["hidden"]))
    if seed % 3 == 0:
        graphs[0] = dag_to_cpdag(random_dag(rng))  # CPDAGs may be among them
    made = mahc.average(graphs, least=2)
    if not any(edge.mark not in ("-->", "---") for graph in graphs for edge in graph.edges):
        return
    assert made.dag is None
    assert not contradicts_itself(made.graph)
    changed = 0
    for a, b in combinations(NAMES, 2):
        joined = sum(graph.mark(a, b) > 0 for graph in graphs)
        assert bool(made.graph.mark(a, b)) == (joined >= 2)
        if joined >= 2:
            found = made.graph.mark(b, a), made.graph.mark(a, b)
            expected = slow_marks(graphs, b, a), slow_marks(graphs, a, b)
            assert found in (expected, (Mark.CIRCLE, Mark.CIRCLE))
            changed += found != expected
    majority = MixedGraph(
        NAMES,
        [
            (a, join_marks(slow_marks(graphs, b, a), slow_marks(graphs, a, b)), b)
            for a, b in combinations(NAMES, 2)
            if made.graph.mark(a, b)
        ],
    )
    assert (changed > 0) == contradicts_itself(majority)
    shuffled = [graph.reorder(rng.sample(NAMES, 5)) for graph in rng.sample(graphs, 5)]
    assert mahc.average(shuffled, least=2).graph == made.graph


def test_an_average_of_pags_obeys_knowledge() -> None:
    graphs = [MixedGraph("abcd", [("a", "-->", "b"), ("b", "<->", "c")])] * 3
    known = Knowledge(forbidden_arcs=[("a", "b")], forbidden_edges=[("b", "c")], required_arcs=[("c", "d")])
    made = mahc.average(graphs, threshold=0.5, knowledge=known)
    assert made.graph == MixedGraph("abcd", [("a", "o-o", "b"), ("c", "-->", "d")])
    assert made.left_out[0][:2] == ("b", "c")


def test_a_bootstrap_of_pags_is_averaged() -> None:
    noise = NOISES["cMISL"](variables=("smoke",))
    data = simulate(load_network("asia"), 1000, 1, noise).data
    confidence = mahc.bootstrap(data, "fci", resamples=10)
    made = mahc.average(confidence, threshold=0.5)
    assert made.graph.edges
    for edge in made.graph.edges:
        assert confidence.edge(edge.left, edge.right) > 0.5


def test_ctrl_c_ends_a_consensus_with_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample(load_network("asia"), 300, seed=1)
    token = CancelToken()
    first = agreement.bootstrap

    def interrupt_after(*given: object, **settings: object) -> object:
        found = first(*given, **settings)
        token.cancel()
        return found

    monkeypatch.setattr(agreement, "bootstrap", interrupt_after)
    found = mahc.consensus(data, ["hc", "mahc"], resamples=3, cancel=token)
    assert list(found.members) == ["hc"]
    assert found.stop_reasons == {"hc": "converged", "mahc": "interrupted"}
    assert found.consensus.graphs == 3
    assert found.table().is_empty()
    with pytest.raises(MahcError, match="before the first algorithm"):
        mahc.consensus(data, ["hc", "mahc"], resamples=3, cancel=token)


def test_counts_refuse_other_variables() -> None:
    counts = EdgeCounts(("a", "b"))
    with pytest.raises(GraphError, match="lacks 'a'"):
        counts.add(DAG("b"))


@pytest.mark.parametrize("resamples", [0, 3])
def test_missing_values_can_stay_missing(resamples: int) -> None:
    columns = {"a": ["x", "y", "x", "y", "y"] * 20, "b": ["x", "y", "x", "", "y"] * 20, "c": ["p", "q"] * 50}
    found = mahc.consensus(columns, ["hc", "tabu"], resamples=resamples, missing="weighted")
    assert found.consensus.share("a", "b") == 1.0
    assert found.members["hc"] == mahc.learn(columns, "hc", missing="weighted").pattern
    with pytest.raises(MahcError, match='missing="weighted" does not work with pc-stable'):
        mahc.consensus(columns, ["hc", "pc-stable"], resamples=resamples, missing="weighted")


def test_a_contestant_without_a_graph_in_its_time_takes_no_part(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real, data = agreement.bootstrap, sample(load_network("asia"), 300, seed=1)
    late = {"mahc"}

    def limited(table: object, algorithm: str, **settings: object) -> object:
        return real(table, algorithm, **settings | ({"time_limit": 1e-9} if algorithm in late else {}))  # type: ignore[arg-type]

    monkeypatch.setattr(agreement, "bootstrap", limited)
    found = mahc.consensus(data, ["mahc", "hc", "tabu"], resamples=5)
    assert list(found.members) == ["hc", "tabu"]
    assert (found.stop_reasons["mahc"], found.stop_reasons["hc"]) == ("time_limit", "converged")
    assert found.consensus == mahc.consensus(data, ["hc", "tabu"], resamples=5).consensus
    assert "mahc takes no part in the consensus: the time limit was reached before it had a graph" in caplog.text
    late.update(("hc", "tabu"))
    with pytest.raises(MahcError, match="the time limit was reached before the first algorithm had a graph"):
        mahc.consensus(data, ["mahc", "hc", "tabu"], resamples=5)
