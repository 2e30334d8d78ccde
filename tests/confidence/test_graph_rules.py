"""One graph from a distribution by a rule, against all sets of edges; and the mean of distributions."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from oracles_sampling import has_cycle
from random_learning import random_knowledge

import mahc
from mahc.confidence.consensus_graph import choose_pairs
from mahc.engine import CancelToken
from mahc.errors import DataError, GraphError, MahcError, SettingError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.graphs.edge_counts import EdgeCounts, count_edges
from mahc.learning.control import Progress
from mahc.networks import load_network, simulate
from mahc.results.outcomes.dag import find_pattern

NAMES = ("ant", "bee", "cat", "dog")
MARKS = ("-->", "<--", "---")


def random_dags(seed: int, number: int = 9) -> list[DAG]:
    numbers, found = np.random.default_rng(seed), []
    for _ in range(number):
        order = numbers.permutation(4).tolist()
        arcs = [(NAMES[a], NAMES[b]) for a, b in itertools.combinations(order, 2) if numbers.random() < 0.45]
        found.append(DAG(NAMES, arcs))
    return found


def counted(dags: list[DAG]) -> tuple[EdgeCounts, EdgeCounts]:
    return count_edges(dags), count_edges([dag_to_cpdag(dag) for dag in dags])


def worth(edges: EdgeCounts, directions: EdgeCounts, pair: tuple[int, int]) -> tuple[Fraction, Fraction]:
    """The share of a pair, and what an edge there with its best mark is expected to match."""
    share = Fraction(sum(edges.counts[pair].values()), edges.graphs)
    best = max(Fraction(directions.counts[pair].get(mark, 0), edges.graphs) for mark in MARKS)
    return share, best + (share - best) / 2


@pytest.mark.parametrize("seed", range(12))
def test_rules_against_all_sets_of_edges(seed: int) -> None:
    edges, directions = counted(random_dags(seed))
    pairs = list(edges.counts)
    total = sum((worth(edges, directions, pair)[0] for pair in pairs), Fraction(0))

    def f1(some: tuple[tuple[int, int], ...]) -> Fraction:
        matched = sum((worth(edges, directions, pair)[1] for pair in some), Fraction(0))
        return 2 * matched / (total + len(some)) if some else Fraction(0)

    def shd(some: tuple[tuple[int, int], ...]) -> Fraction:
        cost = Fraction(0)
        for pair in pairs:
            share, matched = worth(edges, directions, pair)
            cost += (1 - share) + (share - matched) if pair in some else share
        return cost

    sets = [some for size in range(len(pairs) + 1) for some in itertools.combinations(pairs, size)]
    assert f1(tuple(choose_pairs(edges, directions, "f1"))) == max(map(f1, sets))
    assert shd(tuple(choose_pairs(edges, directions, "shd"))) == min(map(shd, sets))
    median = choose_pairs(edges, directions, "median")
    assert median == [pair for pair in pairs if worth(edges, directions, pair)[0] > Fraction(1, 2)]


@pytest.mark.parametrize("seed", [6, 10, 13, 17, 18, 19, 20, 21])  # knowledge of these does not contradict itself
def test_graphs_and_their_cpdags_obey_the_knowledge(seed: int) -> None:
    data = simulate(load_network("asia"), 150, 1).data.select(["smoke", "bronc", "dysp", "lung", "either", "tub"])
    known = random_knowledge(random.Random(seed), data.names)
    constraints = known.check(data.names, 8)
    sample = mahc.posterior(data, samples=30, knowledge=known)
    made = [mahc.average(sample, rule=rule) for rule in ("f1", "shd", "median")]
    for each in made:
        assert each.dag is not None
        assert each.graph == find_pattern(each.dag, known)
    for dag in [*sample.dags, *(each.dag for each in made if each.dag is not None)]:
        arcs = {(u, v) for v, parents in enumerate(dag.parent_sets) for u in parents}
        assert all(constraints.allowed[arc] for arc in arcs)
        assert arcs.issuperset(constraints.required_arcs)
        assert all((u, v) in arcs or (v, u) in arcs for u, v in constraints.required_edges)
        assert all(len(parents) <= constraints.limit[v] for v, parents in enumerate(dag.parent_sets))
        assert not has_cycle(tuple(map(frozenset, dag.parent_sets)), constraints.virtual_arcs)


def test_names_do_not_choose_the_edges() -> None:
    dags = random_dags(3)
    other = dict(zip(NAMES, ("zoo", "yak", "owl", "emu"), strict=True))
    renamed = [DAG([other[name] for name in NAMES], [(other[a], other[b]) for a, b in dag.arcs]) for dag in dags]
    for rule in ("f1", "shd", "median"):
        one, two = mahc.average(dags, rule=rule), mahc.average(renamed, rule=rule)
        joined = [{frozenset((edge.left, edge.right)) for edge in each.graph.edges} for each in (one, two)]
        assert {frozenset(other[name] for name in pair) for pair in joined[0]} == joined[1]


def test_rules_refuse_what_they_cannot_use() -> None:
    with pytest.raises(GraphError, match="PAGs"):
        mahc.average([MixedGraph("ab", [("a", "o->", "b")])], rule="f1")
    with pytest.raises(SettingError, match="two ways"):
        mahc.average(random_dags(1), rule="f1", threshold=0.5)
    with pytest.raises(SettingError, match="rule"):
        mahc.average(random_dags(1), rule="best")
    assert mahc.average([DAG("ab", [])], rule="f1").graph.edges == ()


def test_the_mean_of_two_samples() -> None:
    data = simulate(load_network("asia"), 200, 1).data
    one = mahc.posterior(data, samples=30)
    two = mahc.bootstrap(data.select(list(data.names)[::-1]), "boss", resamples=20)
    both = mahc.combine(one, two)
    for left, right in itertools.permutations(data.names, 2):
        for of in ("arc", "edge", "compelled", "path", "blanket"):
            mean = (one.probability(left, right, of=of) + two.probability(left, right, of=of)) / 2
            assert both.probability(left, right, of=of) == pytest.approx(mean)
    assert both.trials == pytest.approx(4 / (1 / 30 + 1 / 20))
    low, high = both.interval("bronc", "dysp")
    assert 0 <= low <= both.edge("bronc", "dysp") <= high <= 1
    assert mahc.GraphSample.from_dict(both.to_dict()) == both
    assert mahc.average(both, rule="f1").dag is not None
    assert [part.graphs for part in mahc.combine(both, one).parts] == [48, 30]
    assert both.mixing is None
    learned = mahc.learn(data, "boss").with_confidence(both)
    assert learned.confidence is both
    with pytest.raises(SettingError, match="two samples"):
        mahc.combine(one)
    with pytest.raises(DataError, match="other data"):
        mahc.combine(one, mahc.posterior(simulate(load_network("asia"), 201, 1).data, samples=20))
    with pytest.raises(DataError, match="knowledge"):
        mahc.combine(one, mahc.posterior(data, samples=20, knowledge={"forbidden_arcs": [["asia", "tub"]]}))


def test_a_posterior_with_resamples_is_the_mean_with_a_bootstrap(tmp_path: Path) -> None:
    data = simulate(load_network("asia"), 200, 1).data
    both = mahc.posterior(data, samples=30, resamples=20, seed=4)
    one, two = mahc.posterior(data, samples=30, seed=4), mahc.bootstrap(data, "boss", resamples=20, seed=4)
    mean = mahc.combine(one, two)
    assert (both.graphs, both.patterns, both.members) == (mean.graphs, mean.patterns, mean.members)
    assert both.parts == mean.parts
    assert both.drawn == 50
    assert "the chains" in both.describe()
    assert mahc.learn(data, "hc").with_confidence(both).confidence is both  # depends on no algorithm
    both.save(tmp_path / "both.json")
    assert mahc.GraphSample.load(tmp_path / "both.json") == both
    with pytest.raises(SettingError, match="mean of samples, which cannot be continued"):
        mahc.posterior(data, samples=60, seed=4, resume=both)


def test_a_mean_ends_early_with_what_there_is() -> None:
    data = simulate(load_network("asia"), 200, 1).data
    token = CancelToken()

    def stop(progress: Progress) -> None:
        if "resample" in progress.phase:
            token.cancel()

    found = mahc.posterior(data, samples=30, resamples=100_000, threads=1, progress=stop, cancel=token)
    assert found.stop_reason.early
    assert found.edge("bronc", "dysp") > 0.5


def test_a_bootstrap_keeps_its_graphs_and_continues() -> None:
    data = simulate(load_network("asia"), 100, 1).data
    whole = mahc.bootstrap(data, "hc", resamples=25)
    part = mahc.bootstrap(data, "hc", resamples=10)
    assert mahc.bootstrap(data, "hc", resamples=25, resume=part).members == whole.members
    assert count_edges(
        [dag for member, dag in zip(whole.members, whole.dags, strict=True) for _ in range(member.weight)]
    ).counts == dict(whole.graphs)
    assert mahc.bootstrap(data, "pc-stable", resamples=5).members == ()
    with pytest.raises(MahcError, match="not its CPDAGs"):
        mahc.bootstrap(data, "pc-stable", resamples=5).classes()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mahc.cli.main import run

    def say(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            run(list(words))
        assert ended.value.code == 0
        return capsys.readouterr().out

    out = str(tmp_path / "out")
    shown = say("posterior", "asia", "--samples", "40", "--out", out)
    assert "40 sampled graphs (posterior, seed 1, 2 chains, beta 0.5)" in shown
    more = json.loads(say("posterior", "asia", "--samples", "60", "--out", out, "--resume", out, "--json"))
    assert more["confidence"]["resamples"] == 60
    assert more["confidence"]["chains"]["agree"] in (True, False)
    assert mahc.GraphSample.load(tmp_path / "out" / "confidence.json").size == 60
    assert "chosen by the rule f1 (the highest expected F1)" in say("average", out, "--rule", "f1")
    assert json.loads(say("average", out, "--rule", "shd", "--json"))["rule"] == "shd"
    assert "pseudo-posterior" not in say("posterior", "asia", "--score", "bdeu", "--samples", "20", "--beta", "auto")
