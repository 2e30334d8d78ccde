from __future__ import annotations

import math

import numpy as np
import pytest

from mahc.data import Dataset, read
from mahc.errors import DataError
from mahc.graphs import DAG
from mahc.networks import Network, bits_per_row, fit, load_network, row_bits, sample


def slow_bits(network: Network, data: Dataset, row: int) -> float:
    """The bits of one row, by looking up one label after the other."""
    total = 0.0
    label = {name: data.labels[v][data.codes[v][row]] for v, name in enumerate(data.names)}
    for node, parents in enumerate(network.parents):
        place = 0
        for parent in parents:
            place = place * len(network.states[parent]) + network.states[parent].index(label[network.names[parent]])
        line = network.tables[node][place]
        total -= math.log2(line[network.states[node].index(label[network.names[node]])] / line.sum())
    return total


@pytest.mark.parametrize("name", ["asia", "child"])
def test_every_row_agrees_with_looking_it_up(name: str) -> None:
    network = load_network(name)
    data = sample(network, 50, seed=3)
    assert row_bits(network, data).tolist() == pytest.approx([slow_bits(network, data, r) for r in range(50)])


def test_neither_the_order_of_columns_nor_of_states_matters() -> None:
    network = load_network("asia")
    data = sample(network, 200, seed=1)
    turned = data.select(data.names[::-1])
    flipped = Dataset.coded(
        data.names,
        tuple(labels[::-1] for labels in data.labels),
        tuple((len(labels) - 1 - codes.astype(int)) for labels, codes in zip(data.labels, data.codes, strict=True)),
    )
    other = fit(network.dag.reorder(sorted(network.names)), turned, ess=1)
    expected = row_bits(fit(network.dag, data, ess=1), data)
    assert row_bits(other, turned).tolist() == expected.tolist()
    assert row_bits(other, flipped).tolist() == expected.tolist()


def test_a_weight_counts_a_row_several_times() -> None:
    network = load_network("asia")
    data = sample(network, 30, seed=2)
    weights = np.arange(30) % 4
    weighted = Dataset.coded(data.names, data.labels, data.codes, weights)
    repeated = Dataset.coded(data.names, data.labels, tuple(np.repeat(column, weights) for column in data.codes))
    assert bits_per_row(network, weighted) == pytest.approx(bits_per_row(network, repeated), rel=1e-12)


def test_a_row_of_probability_zero_costs_infinity_unless_its_weight_is_zero() -> None:
    network = fit(DAG(["a"]), Dataset.coded(("a",), (("x", "y"),), (np.zeros(4, int),)))
    codes = (np.array([0, 1]),)
    assert bits_per_row(network, Dataset.coded(("a",), (("x", "y"),), codes)) == math.inf
    assert bits_per_row(network, Dataset.coded(("a",), (("x", "y"),), codes, np.array([3, 0]))) == 0.0


def test_unknown_labels_and_missing_columns_are_refused() -> None:
    network = fit(DAG(["a"]), read({"a": ["x", "y"]}))
    with pytest.raises(DataError, match="variable 'a' has the value 'z', which the network does not have"):
        row_bits(network, read({"a": ["x", "z"]}))
    with pytest.raises(DataError, match="the data lack a variable of the network"):
        row_bits(network, read({"b": ["x", "y"]}))
