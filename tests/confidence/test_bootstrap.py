"""`mahc.bootstrap` against a slow loop over explicitly resampled tables, learned one by one."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.confidence import resampled
from mahc.confidence.resampling import Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.data import Dataset, read
from mahc.data.settings import MISSING_METHODS
from mahc.errors import DataError, KnowledgeError, MahcError, SettingError
from mahc.graphs import DAG
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import make_algorithm
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import parse_noise

NAMES = ("ant", "bee", "cat", "dog", "elk")
RESAMPLES = 6


def slow_counts(data: Dataset, algorithm: str, seed: int, how: str, **settings: object) -> list[Counter[object]]:
    """Counts of edges and marks by name, from one call of `learn` for each table."""
    graphs: Counter[object] = Counter()
    patterns: Counter[object] = Counter()
    for number in range(RESAMPLES):
        table = resampled(data, number, seed=seed, how=how)
        learned = mahc.learn(table, algorithm, **settings)  # type: ignore[arg-type]
        for graph, counts in ((learned.graph, graphs), (learned.pattern, patterns)):
            mixed = graph.to_mixed() if isinstance(graph, DAG) else graph
            for a, b in permutations(mixed.names, 2):
                counts[a, b, mixed.mark(a, b), mixed.mark(b, a)] += mixed.mark(a, b) > 0
    return [graphs, patterns]


def counts_of(confidence: mahc.GraphSample) -> list[Counter[object]]:
    from mahc.graphs.marks import EDGE_MARKS

    found = []
    for counted in (confidence.edge_counts, confidence.pattern_counts):
        counts: Counter[object] = Counter()
        for a, b in permutations(confidence.variables, 2):
            for text, number in counted.marks(a, b).items():
                near, far = EDGE_MARKS[text]
                counts[a, b, far, near] += number
        found.append(counts)
    return found


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
@pytest.mark.parametrize("case", range(4))
def test_equals_learning_from_each_resampled_table(algorithm: str, case: int) -> None:
    rng = random.Random(case)
    data = dependent_data(rng, NAMES, rng.choice([7, 40, 150]))
    if case % 2:
        weights = np.array([rng.randrange(4) for _ in range(data.rows)]) + np.eye(1, data.rows, dtype=int)[0]
        data = Dataset.coded(data.names, data.labels, data.codes, weights)
    how = "half" if case == 2 else "bootstrap"
    settings: dict[str, object] = {} if case < 3 else {"objective": "bdeu", "ties": "file-order"}
    expected = slow_counts(data, algorithm, case, how, **settings)
    for threads in (1, 2, 3):
        found = mahc.bootstrap(data, algorithm, resamples=RESAMPLES, seed=case, how=how, threads=threads, **settings)
        assert (found.size, found.stop_reason) == (RESAMPLES, "converged")
        assert counts_of(found) == [+counts for counts in expected]


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_obeys_knowledge(algorithm: str) -> None:
    checked = 0
    for case in range(6):
        rng = random.Random(case)
        data, knowledge = dependent_data(rng, NAMES, 60), random_knowledge(rng, NAMES)
        try:
            expected = slow_counts(data, algorithm, 1, "bootstrap", knowledge=knowledge)
        except (KnowledgeError, SettingError) as refusal:
            with pytest.raises(type(refusal)):
                mahc.bootstrap(data, algorithm, resamples=RESAMPLES, knowledge=knowledge)
            continue
        found = mahc.bootstrap(data, algorithm, resamples=RESAMPLES, knowledge=knowledge, threads=2)
        assert counts_of(found) == [+counts for counts in expected]
        for a, b in knowledge.forbidden_edges:
            assert found.edge(a, b) == 0
        for a, b in knowledge.required_arcs:
            assert found.direction(a, b) == 1
        checked += 1
    assert checked


def shuffled(data: Dataset, rng: np.random.Generator) -> Dataset:
    """The same content with rows, columns and states in another order."""
    rows, variables = rng.permutation(data.rows), rng.permutation(len(data.names))
    names, states, columns = [], [], []
    for v in variables:
        order = rng.permutation(len(data.labels[v]))
        names.append(data.names[v])
        states.append(tuple(data.labels[v][k] for k in order))
        columns.append(np.argsort(order)[data.codes[v]][rows])
    return Dataset.coded(tuple(names), tuple(states), tuple(columns))


def test_depends_on_the_content_alone() -> None:
    data = sample(load_network("asia"), 300, seed=4)
    first = mahc.bootstrap(data, "hc", resamples=10, seed=3)
    other = mahc.bootstrap(shuffled(data, np.random.default_rng(1)), "hc", resamples=10, seed=3)
    pairs = list(permutations(data.names, 2))
    assert [first.direction(*pair) for pair in pairs] == [other.direction(*pair) for pair in pairs]
    # Equal rows may be stored once, with a weight.
    rows, weights = np.unique(np.stack(data.codes, axis=1), axis=0, return_counts=True)
    merged = Dataset.coded(data.names, data.labels, tuple(rows.T), weights)
    weighted = mahc.bootstrap(merged, "hc", resamples=10, seed=3)
    assert (weighted.graphs, weighted.patterns) == (first.graphs, first.patterns)


def test_resamples_are_what_they_should_be() -> None:
    labels = tuple(str(i) for i in range(1000))
    data = Dataset.coded(("id", "one"), (labels, ("a",)), (np.arange(1000), np.zeros(1000, int)))
    draw = Resampler(data, BootstrapSettings(seed=5))
    drawn = np.array([draw.weights(number) for number in range(200)])
    assert (drawn.sum(axis=1) == 1000).all()
    assert abs((drawn == 0).mean() - np.exp(-1)) < 0.005  # a row is left out with probability 1/e
    assert abs(drawn.var() - 1) < 0.02
    assert len({row.tobytes() for row in drawn}) == 200
    half = np.array([Resampler(data, BootstrapSettings(how="half")).weights(number) for number in range(50)])
    assert (half.sum(axis=1) == 500).all()
    assert half.max() == 1
    assert abs(half.mean(axis=0) - 0.5).max() < 0.35
    assert resampled(data, 3, seed=5).codes[0].tolist() == np.repeat(np.arange(1000), drawn[3]).tolist()


def test_resamples_are_the_same_whatever_their_number() -> None:
    data = sample(load_network("asia"), 200, seed=1)
    few = mahc.bootstrap(data, "hc", resamples=7)
    more = mahc.bootstrap(data, "hc", resamples=19, resume=few)
    whole = mahc.bootstrap(data, "hc", resamples=19, threads=3)
    assert (more.graphs, more.patterns, more.requested) == (whole.graphs, whole.patterns, 19)
    assert few.size == 7  # not changed


def test_saved_and_resumed(tmp_path: Path) -> None:
    data = sample(load_network("asia"), 200, seed=1)
    first = mahc.bootstrap(data, "fci", resamples=5)
    first.save(tmp_path / "confidence.json")
    assert mahc.GraphSample.load(tmp_path / "confidence.json") == first
    resumed = mahc.bootstrap(data, "fci", resamples=9, resume=tmp_path)
    assert resumed.graphs == mahc.bootstrap(data, "fci", resamples=9).graphs
    assert mahc.bootstrap(data, "fci", resamples=2, resume=resumed).size == 9
    for wrong, what in (
        ({"seed": 2}, "seed 1, this call 2"),
        ({"how": "half"}, "how bootstrap, this call half"),
        ({"alpha": 0.5}, "alpha 0.01, this call 0.5"),
        ({"knowledge": Knowledge(forbidden_edges=[("asia", "tub")])}, "knowledge"),
    ):
        with pytest.raises(SettingError, match=what):
            mahc.bootstrap(data, "fci", resamples=9, resume=tmp_path, **wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="algorithm fci, this call hc"):
        mahc.bootstrap(data, "hc", resume=tmp_path)
    with pytest.raises(DataError, match="other data"):
        mahc.bootstrap(sample(load_network("asia"), 200, seed=2), "fci", resume=tmp_path)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"resamples": 0}, "resamples is 0: give a whole number from 1 to 1,000,000"),
        ({"resamples": 2.5}, "resamples is 2.5"),
        ({"seed": None}, "seed is None: give a whole number"),
        ({"seed": -1}, "seed is -1"),
        ({"how": "jackknife"}, 'how is \'jackknife\': give one of "bootstrap", "half"'),
        ({"threads": 0}, "threads is 0"),
        ({"time_limit": -3}, "time_limit is -3"),
        ({"resume": 5}, "resume is 5: give a GraphSample, or the path"),
        ({"resume": "/nowhere/at/all.json"}, "there is no such file"),
        ({"search_depth": 5}, "search_depth"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(MahcError, match=sentence):
        mahc.bootstrap({"a": ["x", "y"] * 8, "b": ["x", "y"] * 8}, **settings)  # type: ignore[arg-type]


def test_too_few_rows_for_a_half() -> None:
    with pytest.raises(DataError, match="half needs 2 to"):
        mahc.bootstrap(Dataset.coded(("a", "b"), (("x",), ("y",)), (np.array([0]), np.array([0]))), how="half")


def test_a_count_source_has_no_rows() -> None:
    from mahc.engine import EngineRows

    with pytest.raises(DataError, match="a count source has no rows: give the data themselves"):
        mahc.bootstrap(EngineRows(read({"a": ["x", "y"], "b": ["y", "x"]})))


def bootstrap_within_limit(data: Dataset) -> mahc.GraphSample:
    """The resamples that a time limit leaves; on a loaded machine the first one may need more than a short limit."""
    for seconds in (0.5, 5.0, 50.0):
        with suppress(MahcError):
            return mahc.bootstrap(data, "hc", resamples=100_000, time_limit=seconds, threads=2)
    raise AssertionError("not one resample in 50 seconds")


def test_time_limit_keeps_what_is_done() -> None:
    data = sample(load_network("alarm"), 2000, seed=1)
    found = bootstrap_within_limit(data)
    assert (found.stop_reason, found.requested) == ("time_limit", 100_000)
    assert 1 <= found.size < 100_000
    assert "the time limit was reached" in found.describe()
    again = mahc.bootstrap(data, "hc", resamples=found.size)
    assert (again.graphs, again.stop_reason) == (found.graphs, "converged")
    with pytest.raises(MahcError, match="before the first resample"):
        mahc.bootstrap(data, "hc", time_limit=1e-6)


def test_the_memory_limit_is_named_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample(load_network("asia"), 500, seed=1)
    first = mahc.bootstrap(data, "hc", resamples=1)
    monkeypatch.setattr("mahc.learning.memory.MemoryLimit.exceeded", lambda self: True)
    found = mahc.bootstrap(data, "hc", resamples=3, resume=first)
    assert (found.size, found.stop_reason) == (1, "memory_limit")
    with pytest.raises(MahcError, match=r"memory limit was reached before the first resample.*allow more memory"):
        mahc.bootstrap(data, "hc", resamples=3)


def test_cancelling_keeps_what_is_done() -> None:
    data, token, seen = sample(load_network("alarm"), 500, seed=1), mahc.CancelToken(), []

    def watch(progress: object) -> None:
        seen.append(progress)
        if getattr(progress, "steps") >= 3:  # noqa: B009
            token.cancel()

    found = mahc.bootstrap(data, "hc", resamples=100_000, cancel=token, progress=watch)
    assert found.stop_reason == "interrupted"
    assert 3 <= found.size < 100_000
    assert getattr(seen[0], "phase").startswith("resample 1 of 100,000")  # noqa: B009
    assert mahc.bootstrap(data, "hc", resamples=found.size).graphs == found.graphs


@pytest.mark.parametrize("method", MISSING_METHODS)
def test_missing_values_stay_missing_in_resamples(method: str) -> None:
    data = simulate(load_network("asia"), 150, 2, parse_noise("mar:0.2")).data
    found = mahc.bootstrap(data, "hc", resamples=RESAMPLES, seed=3, missing=method)
    assert found.run.missing == method
    expected = slow_counts(data, "hc", 3, "bootstrap", missing=method)
    assert counts_of(found) == [+counts for counts in expected]
    turned = data.select(tuple(reversed(data.names)))
    again = mahc.bootstrap(turned, "hc", resamples=RESAMPLES, seed=3, missing=method, threads=2)
    assert counts_of(again) == counts_of(found)


def test_a_resample_may_have_a_column_without_values_or_no_missing_value() -> None:
    columns = {"a": ["x", "y", "x", "y", "y"] * 4, "b": ["u", "v", *[""] * 18], "c": [*["p", "q"] * 9, "", "p"]}
    for method in MISSING_METHODS:
        assert mahc.bootstrap(columns, "hc", resamples=15, missing=method).size == 15


def test_a_saved_bootstrap_with_another_method_is_refused() -> None:
    columns = {"a": ["x", "y", ""] * 20, "b": ["x", "y", "y"] * 20}
    saved = mahc.bootstrap(columns, "hc", resamples=2, missing="pairwise")
    with pytest.raises(SettingError, match="the saved bootstrap has missing pairwise, this call weighted"):
        mahc.bootstrap(columns, "hc", resamples=3, missing="weighted", resume=saved)
    assert mahc.bootstrap(columns, "hc", resamples=3, missing="pairwise", resume=saved).size == 3


def test_the_seed_of_the_algorithm_is_not_that_of_the_resamples() -> None:
    data = sample(load_network("asia"), 200, seed=1)
    given = mahc.bootstrap(data, "boss", resamples=3, seed=5, algorithm_seed=9)
    made = mahc.bootstrap(data, make_algorithm("boss", seed=9), resamples=3, seed=5)
    assert (given.seed, given.run.settings["seed"]) == (5, 9)
    assert (given.graphs, given.run.settings) == (made.graphs, made.run.settings)
    with pytest.raises(MahcError, match=r"algorithm_seed=9 is for algorithms that have a seed \(hc: none\)"):
        mahc.bootstrap(data, "hc", algorithm_seed=9)
    with pytest.raises(MahcError, match=r"algorithm_seed=9 is for algorithms that have a seed \(hc, mahc: none\)"):
        mahc.consensus(data, ["hc", "mahc"], algorithm_seed=9)
    with pytest.raises(MahcError, match="has algorithm_seed 9, this call 0"):
        mahc.bootstrap(data, "boss", resamples=4, seed=5, resume=given)
