"""`mahc.posterior` against sums over all DAGs, and in every dress of the data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from oracles_sampling import Rules, all_graphs, arc_by_inclusion
from shuffling import shuffled

import mahc
from mahc.algorithms.sampling.parent_tables import score_parent_sets
from mahc.confidence.settings import choose_beta
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import DataError, MahcError, NothingDoneError, SettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import make_request
from mahc.learning.control import Control
from mahc.learning.searching import search
from mahc.networks import load_network, simulate
from mahc.results.mixing import describe_mixing, effective_size, r_hat
from mahc.scores import make_score


def some(network: str, columns: Iterable[int], rows: int, seed: int = 1) -> Dataset:
    data = simulate(load_network(network), rows, seed).data
    return data.select([data.names[v] for v in columns])


def all_scores(data: Dataset, score: str, beta: float, most: int = 8) -> list[dict[frozenset[int], float]]:
    """The powered score of every parent set in nats, less the price of its arcs."""
    n = len(data.names)
    families = [
        (v, parents)
        for v in range(n)
        for size in range(min(most, n - 1) + 1)
        for parents in itertools.combinations([u for u in range(n) if u != v], size)
    ]
    scores = RowScorer(EngineRows(data), make_score(score)).score_families(Families.of(families))
    lists: list[dict[frozenset[int], float]] = [{} for _ in range(n)]
    for (v, parents), found in zip(families, scores.tolist(), strict=True):
        lists[v][frozenset(parents)] = beta * (found * math.log(2) - 0.5 * math.log(n) * len(parents))
    return lists


def deviation(found: mahc.GraphSample, exact: dict[tuple[int, int], float], names: tuple[str, ...]) -> float:
    return max(abs(found.probability(names[u], names[v]) - p) for (u, v), p in exact.items())


CASES = {
    "asia, bdeu": ("asia", (2, 3, 4, 5, 6), 300, "bdeu", 1.0),
    "asia, qnml": ("asia", (0, 2, 4, 5, 7), 200, "qnml", 0.5),
    "sachs, bdeu": ("sachs", (0, 1, 2, 3, 4), 500, "bdeu", 1.0),
    "sachs, little power": ("sachs", (3, 5, 7, 8, 9), 100, "qnml", 0.25),
}


def allowed_sets(data: Dataset, score: str, beta: float, most: int = 16) -> list[dict[frozenset[int], float]]:
    """The sets that the candidates allow: at most one parent outside these, in sets of three."""
    searched = search(make_request(data, "boss", objective=score), Control())
    problem = searched.problem.priced_by(0.5 * math.log2(len(data.names)), 0.0)
    table = score_parent_sets(problem, searched.arcs, most=most, delta=10.0, least=6 if score == "bdeu" else 0)
    lists = []
    for v, mine in enumerate(all_scores(data, score, beta)):
        inside = {searched.order[int(u)] for u in _inside(table, searched.order.index(v))}
        fits = {each for each in mine if each <= inside or (len(each - inside) == 1 and len(each) <= 3)}
        lists.append({parents: mine[parents] for parents in fits})
    return lists


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_arcs_against_all_dags(case: tuple[str, tuple[int, ...], int, str, float]) -> None:
    network, columns, rows, score, beta = case
    data = some(network, columns, rows)
    lists = allowed_sets(data, score, beta)
    if score == "bdeu":  # all of the others are candidates, so it is the posterior over all DAGs
        assert lists == all_scores(data, score, beta)
    found = mahc.posterior(data, score, beta=beta, samples=100_000, seed=3, thinning=3)
    pairs = list(itertools.permutations(range(5), 2))
    assert deviation(found, arc_by_inclusion(lists, pairs), data.names) < 0.01


@pytest.mark.long
@pytest.mark.parametrize(("score", "beta"), [("bdeu", 1.0), ("qnml", 0.5)])
def test_arcs_of_eight_variables_with_few_candidates(score: str, beta: float) -> None:
    data = some("asia", range(8), 500)
    found = mahc.posterior(data, score, beta=beta, samples=100_000, candidate_parents=3, thinning=4)
    assert found.diagnostics["outside"] > 0.05
    pairs = [(u, v) for u, v in itertools.permutations(range(8), 2) if (u + v) % 2]
    assert deviation(found, arc_by_inclusion(allowed_sets(data, score, beta, 3), pairs), data.names) < 0.01


def test_the_automatic_power() -> None:
    data = some("asia", range(5), 100)
    for score, beta in (("bdeu", 1.0), ("qnml", 0.5), ("bic", 0.5)):
        found = mahc.posterior(data, score, samples=20)
        assert found.sampling is not None
        assert found.sampling.beta == beta
        assert ("pseudo-posterior" in found.describe()) == (score != "bdeu")
    assert (choose_beta(None), choose_beta(0.04), choose_beta(0.05)) == (0.5, 0.5, 0.25)


KNOWN = {
    "required": Knowledge(required_arcs=[("bronc", "either")]),
    "required edge": Knowledge(required_edges=[("dysp", "lung")]),
    "forbidden": Knowledge(forbidden_arcs=[("smoke", "bronc")], forbidden_edges=[("lung", "dysp")]),
    "tiers": Knowledge(tiers=[["dysp"], ["smoke", "lung"]]),
    "at most one parent": Knowledge(max_parents={"dysp": 1}),
}


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_knowledge_against_all_dags(known: Knowledge) -> None:
    data = simulate(load_network("asia"), 300, 1).data.select(["smoke", "bronc", "dysp", "lung"])
    if known.required_arcs:
        data = simulate(load_network("asia"), 300, 1).data.select(["smoke", "bronc", "dysp", "either"])
    names, lists = data.names, all_scores(data, "bdeu", 1.0)
    constraints = known.check(names, 8)
    rules = Rules(constraints.required_edges, constraints.virtual_arcs)
    legal = [
        {
            parents: score
            for parents, score in mine.items()
            if all(constraints.allowed[u, v] for u in parents)
            and all(u in parents for u, w in constraints.required_arcs if w == v)
            and len(parents) <= constraints.limit[v]
        }
        for v, mine in enumerate(lists)
    ]
    graphs = all_graphs(legal, rules)
    exact = {
        (u, v): math.fsum(p for graph, p in graphs.items() if u in graph[v])
        for u, v in itertools.permutations(range(4), 2)
    }
    found = mahc.posterior(data, "bdeu", samples=50_000, thinning=4, knowledge=known)
    for member in found.members:
        parents = tuple(frozenset(u for u, w in member.arcs if w == v) for v in range(4))
        assert parents in graphs
    assert deviation(found, exact, names) < 0.015


def test_the_table_against_all_sets() -> None:
    """Every set that no subset beats by delta is there, and its score is the plain one less the price."""
    data = some("sachs", range(7), 400)
    request = make_request(data, "boss", objective="bdeu", search_in_degree=3)
    searched = search(request, Control())
    problem = searched.problem.priced_by(request.algorithm.price_of(searched.problem), 0.0)  # type: ignore[attr-defined]
    table = score_parent_sets(problem, searched.arcs, most=32, delta=4.0)
    there: list[dict[frozenset[int], float]] = [{} for _ in range(7)]
    for child, inside, free, score in zip(
        table.sets.child.tolist(), table.sets.inside.tolist(), table.sets.free.tolist(), table.scores, strict=True
    ):
        mine = table.candidates.inside[child].tolist()
        parents = {mine[p] for p in range(32) if inside >> p & 1} | ({free} if free >= 0 else set())
        there[searched.order[child]][frozenset(searched.order[u] for u in parents)] = score
    for v, mine in enumerate(all_scores(data, "bdeu", 1.0, most=3)):
        for parents, score in mine.items():
            if parents in there[v]:
                assert there[v][parents] == pytest.approx(score, abs=1e-9)
                continue
            smaller = [each for size in range(len(parents)) for each in itertools.combinations(parents, size)]
            two_outside = len(parents - {searched.order[int(u)] for u in _inside(table, searched.order.index(v))}) > 1
            assert two_outside or any(mine[frozenset(each)] >= score + 4.0 - 1e-9 for each in smaller)


def _inside(table: object, child: int) -> np.ndarray:
    mine: np.ndarray = table.candidates.inside[child]  # type: ignore[attr-defined]
    return mine[mine >= 0]


def by_name(sample: mahc.GraphSample) -> dict[object, object]:
    arcs = {
        frozenset((sample.variables[u], sample.variables[v]) for u, v in member.arcs): member.weight
        for member in sample.members
    }
    return {"graphs": arcs, "numbers": sample.diagnostics, "size": sample.size}


def test_nothing_but_the_content_of_the_data_matters() -> None:
    data = some("alarm", range(12), 400)
    one = mahc.posterior(data, samples=60, threads=1)
    for number in range(3):
        other = mahc.posterior(shuffled(data, np.random.default_rng(number)), samples=60, threads=1 + number)
        assert by_name(one) == by_name(other)
    assert by_name(mahc.posterior(data, samples=60, seed=2)) != by_name(one)


def test_weights_are_repeated_rows() -> None:
    data = some("asia", range(6), 80)
    weights = np.arange(80) % 3 + 1
    repeated = data.take(np.repeat(np.arange(80), weights))
    weighted = data.take(np.arange(80), weights)
    assert by_name(mahc.posterior(repeated, samples=50)) == by_name(mahc.posterior(weighted, samples=50))


def test_a_posterior_can_be_continued(tmp_path: Path) -> None:
    data = some("asia", range(8), 200)
    whole = mahc.posterior(data, samples=90, chains=3)
    mahc.posterior(data, samples=31, chains=3).save(tmp_path / "confidence.json")
    other = shuffled(data, np.random.default_rng(1))
    assert mahc.GraphSample.load(tmp_path / "confidence.json").size == 31
    more = mahc.posterior(data, samples=90, chains=3, resume=tmp_path)
    assert (more.members, more.sampling, more.diagnostics) == (whole.members, whole.sampling, whole.diagnostics)
    assert by_name(mahc.posterior(other.select(list(data.names)[::-1]), samples=30, chains=3)) == by_name(
        mahc.posterior(data, samples=30, chains=3)
    )
    fewer = mahc.posterior(data, samples=10, chains=3, resume=more)
    assert fewer.size == 90
    for change in ({"beta": 1.0}, {"chains": 2}, {"seed": 5}, {"objective": "bic"}, {"thinning": 7}):
        with pytest.raises(SettingError, match="the saved posterior has"):
            mahc.posterior(data, resume=more, **{"chains": 3, **change})  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the saved posterior is of other data"):
        mahc.posterior(some("asia", range(8), 201), chains=3, resume=more)


def test_columns_in_another_order_continue_a_posterior() -> None:
    data = some("asia", range(8), 200)
    half = mahc.posterior(data, samples=20)
    other = data.select(list(data.names)[::-1])
    assert by_name(mahc.posterior(other, samples=60, resume=half)) == by_name(mahc.posterior(data, samples=60))


@pytest.mark.long
def test_it_stops_with_what_there_is() -> None:
    data = some("alarm", range(20), 300)
    token = mahc.CancelToken()

    def stop(progress: object) -> None:
        if getattr(progress, "phase", "").startswith("graph") and getattr(progress, "steps", 0) >= 20:
            token.cancel()

    found = mahc.posterior(data, samples=1_000_000, progress=stop, cancel=token)
    assert 20 <= found.size < 1_000_000
    assert found.stop_reason == "interrupted"
    assert "of 1,000,000: the search was interrupted" in found.describe()
    limited = mahc.posterior(data, samples=1_000_000, time_limit=1.5)
    assert limited.stop_reason == "time_limit"
    token = mahc.CancelToken()
    token.cancel()
    with pytest.raises(NothingDoneError, match="before the first graph was drawn"):
        mahc.posterior(data, cancel=token)


@pytest.mark.parametrize("missing", ["impute", "pairwise", "weighted", "structural-em"])
def test_missing_values(missing: str) -> None:
    data = some("asia", range(6), 300)
    rows = [
        list(row) for row in zip(*(np.array(d)[c] for d, c in zip(data.labels, data.codes, strict=True)), strict=True)
    ]
    for number, row in enumerate(rows):
        if number % 7 == 0:
            row[number % 6] = None
    frame = {name: [row[v] for row in rows] for v, name in enumerate(data.names)}
    found = mahc.posterior(frame, samples=40, missing=missing)
    assert found.size == 40
    assert found.probability("tub", "either", of="edge") > 0.2


def test_columns_of_numbers() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=200)
    table = {"x": x.tolist(), "y": (x**2 + random.normal(size=200) / 5).tolist(), "z": random.normal(size=200).tolist()}
    for settings in ({}, {"numbers": "cuts"}, {"objective": "bge"}):
        found = mahc.posterior(table, samples=60, **settings)  # type: ignore[arg-type]
        assert found.probability("x", "z", of="edge") < 0.5
    assert mahc.posterior(table, samples=60, numbers="smooth").probability("x", "y", of="edge") > 0.9


@pytest.mark.long
def test_more_than_128_variables() -> None:
    random = np.random.default_rng(1)
    first = random.integers(0, 2, (200, 70))
    second = np.where(random.random((200, 70)) < 0.1, 1 - first, first)
    columns = {f"a{v}": first[:, v].tolist() for v in range(70)} | {f"b{v}": second[:, v].tolist() for v in range(70)}
    found = mahc.posterior(columns, samples=20)
    assert all(found.probability(f"a{v}", f"b{v}", of="edge") == 1 for v in range(70))


def test_data_without_edges_and_of_one_variable() -> None:
    assert mahc.posterior({"a": ["x", "y"] * 9}, samples=12).size == 12
    found = mahc.posterior({"a": ["x", "y"] * 9, "b": ["x", "x", "y"] * 6}, samples=50)
    assert found.mixing is not None
    assert "chains agree" in found.describe()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"beta": 0}, "beta"),
        ({"beta": "much"}, "beta"),
        ({"samples": 0}, "samples"),
        ({"chains": 0}, "chains"),
        ({"candidate_parents": 33}, "candidate_parents"),
        ({"knowledge": {"all_relevant": True}}, "all_relevant"),
        ({"objective": "none"}, "none"),
        ({"resume": 5}, "resume"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], text: str) -> None:
    with pytest.raises(MahcError, match=text):
        mahc.posterior({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, **settings)  # type: ignore[arg-type]


def test_too_little_memory_is_foretold() -> None:
    with pytest.raises(SettingError, match="a posterior of 37 variables needs about"):
        mahc.posterior(some("alarm", range(37), 1000), memory_mebibytes=2)


def test_relations_against_the_graphs() -> None:
    sample = mahc.posterior(some("asia", range(7), 300), samples=80)
    for left, right in itertools.permutations(sample.variables, 2):
        paths = blankets = arcs = 0
        for member, dag in zip(sample.members, sample.dags, strict=True):
            names = dag.names
            children = {a: {b for x, b in dag.arcs if x == a} for a in names}
            reached, todo = set(), [left]
            while todo:
                fresh = children[todo.pop()] - reached
                reached |= fresh
                todo += fresh
            paths += member.weight * (right in reached)
            arcs += member.weight * ((left, right) in dag.arcs)
            common = children[left] & children[right]
            blankets += member.weight * bool(common or right in children[left] or left in children[right])
        for of, number in (("path", paths), ("blanket", blankets), ("arc", arcs)):
            assert sample.probability(left, right, of=of) == number / sample.size
    assert math.isclose(sum(share for _, share in sample.credible_set(1.0)), 1)
    shares = [share for _, share in sample.credible_set(0.5)]
    assert sum(shares) >= 0.5 > sum(shares[:-1])
    assert math.isclose(sum(share for _, share in sample.classes()), 1)
    assert [share for _, share in sample.classes(2)] == sorted((share for _, share in sample.classes(2)), reverse=True)
    with pytest.raises(MahcError, match="of"):
        sample.probability("asia", "tub", of="love")


def test_chains_that_stick_are_seen() -> None:
    random = np.random.default_rng(1)
    steady = random.normal(size=(2, 200))
    assert r_hat(list(steady)) < 1.05
    assert r_hat([steady[0], steady[1] + 2]) > 1.3
    slow = np.cumsum(random.normal(size=(2, 200)), axis=1)
    assert effective_size(list(slow)) < 30 < 300 < effective_size(list(steady))
    edges = [np.zeros((200, 2), np.bool_), np.zeros((200, 2), np.bool_)]
    edges[0][:60, 0] = True
    found = describe_mixing([("a", "b"), ("a", "c")], edges, list(steady), 0.0)
    assert found is not None
    assert found.differing == (("a", "b", 0.0, 0.3),)
    assert "do not trust these, on which the chains differ: a - b (0% to 30%)" in found.sentence
    assert describe_mixing([("a", "b")], edges, [steady[0][:5], steady[1]], 0.0) is None
