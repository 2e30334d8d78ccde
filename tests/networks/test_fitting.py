from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mahc.data.dataset import Dataset
from mahc.errors import DataError, SettingError
from mahc.graphs import DAG
from mahc.networks import Network, fit, load_network, sample


def slow_row(data: Dataset, parents: list[str], child: str, chosen: tuple[str, ...], ess: float) -> list[float]:
    """One row of a table by looking at every row of the data."""
    seen: Counter[str] = Counter()
    for row in range(data.rows):
        labels = {name: data.labels[data.index(name)][data.codes[data.index(name)][row]] for name in data.names}
        if tuple(labels[parent] for parent in parents) == chosen:
            seen[labels[child]] += 1 if data.weights is None else int(data.weights[row])
    states = data.labels[data.index(child)]
    configurations = int(np.prod([len(data.labels[data.index(parent)]) for parent in parents], dtype=int))
    alpha = ess / (configurations * len(states))
    total = sum(seen.values()) + alpha * len(states)
    return [(seen[state] + alpha) / total if total else 1 / len(states) for state in states]


@pytest.mark.parametrize("ess", [0.0, 1.0, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_row_agrees_with_counting_by_hand(ess: float, weighted: bool) -> None:
    network = load_network("survey")
    data = sample(network, 60, 3)
    if weighted:
        weights = np.random.default_rng(1).integers(0, 4, 60)
        data = Dataset.coded(data.names, data.labels, data.codes, weights)
    fitted = fit(network.dag, data, ess)
    for node, name in enumerate(fitted.names):
        parents = [fitted.names[parent] for parent in fitted.parents[node]]
        shape = [len(fitted.states[parent]) for parent in fitted.parents[node]]
        for row, place in enumerate(np.ndindex(*shape)):
            chosen = tuple(fitted.states[p][k] for p, k in zip(fitted.parents[node], place, strict=True))
            expected = slow_row(data, parents, name, chosen, ess)
            assert fitted.tables[node][row].tolist() == pytest.approx(expected)


def test_a_large_sample_gives_the_network_back() -> None:
    network = load_network("cancer")
    fitted = fit(network.dag, sample(network, 400_000, 1))
    assert isinstance(fitted, Network)
    for node, name in enumerate(network.names):
        there = fitted.names.index(name)
        shape = [2] * len(network.parents[node]) + [2]
        axes = [network.names[p] for p in network.parents[node]]
        other = [fitted.names[p] for p in fitted.parents[there]]
        turned = fitted.tables[there].reshape(shape).transpose([*(other.index(a) for a in axes), len(axes)])
        np.testing.assert_allclose(turned, network.tables[node].reshape(shape), atol=0.02)


def test_configurations_that_never_occur_are_uniform_and_counted() -> None:
    data = Dataset.coded(("a", "b"), (("x", "y", "z"), ("s", "t")), (np.array([0, 0, 1]), np.array([0, 1, 1])))
    fitted = fit(DAG(["a", "b"], [("a", "b")]), data)
    assert fitted.tables[1].tolist() == [[0.5, 0.5], [0.0, 1.0], [0.5, 0.5]]
    assert fitted.origin == (
        "fitted to 3 rows, maximum likelihood; 1 configuration of parents of 4 did not occur: uniform"
    )


def test_columns_that_the_graph_lacks_are_left_out_and_their_order_is_free() -> None:
    data = sample(load_network("asia"), 500, 1)
    dag = DAG(["tub", "asia"], [("asia", "tub")])
    assert fit(dag, data) == fit(dag, data.select(["asia", "tub"]))


def test_a_variable_that_the_data_lack_is_named() -> None:
    with pytest.raises(
        DataError, match="the data lack a variable of the graph: unknown column 'tubb': did you mean 'tub'"
    ):
        fit(DAG(["tubb"], []), sample(load_network("asia"), 5, 1))


@pytest.mark.parametrize("ess", [-1, float("nan"), float("inf"), "one", True])
def test_a_prior_that_is_none_is_refused(ess: object) -> None:
    with pytest.raises(SettingError, match="equivalent sample size"):
        fit(DAG(["tub"], []), sample(load_network("asia"), 5, 1), ess)  # type: ignore[arg-type]


def test_a_table_that_is_too_large_is_refused_before_it_is_made() -> None:
    names = [f"v{i}" for i in range(8)]
    states = tuple(tuple(map(str, range(40))) for _ in names)
    data = Dataset.coded(tuple(names), states, tuple(np.arange(40) for _ in names))
    with pytest.raises(SettingError, match="the table of 'v0' with its 7 parents would have"):
        fit(DAG(names, [(name, "v0") for name in names[1:]]), data)
