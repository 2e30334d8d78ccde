from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import configurations, networks, probability

from mahc.inference.compiled import CompiledNetwork
from mahc.inference.exact import TooLargeError
from mahc.inference.incomplete_rows import IncompleteRows, posterior_states
from mahc.networks import Network, load_network, sample


def random_rows(network: Network, seed: int, rows: int = 12) -> np.ndarray:
    data = sample(network, rows, seed % 1000, unseen_states=True)
    found = np.stack(data.columns, axis=1).astype(np.int64)
    found[np.random.default_rng(seed).random(found.shape) < 0.4] = -1
    return found


def counts_by_listing(network: Network, rows: np.ndarray, weights: np.ndarray) -> tuple[list[np.ndarray], float]:
    counts, bits = [np.zeros(table.shape) for table in network.tables], 0.0
    for row, weight in zip(rows, weights, strict=True):
        fitting = [x for x in configurations(network) if all(a < 0 or a == b for a, b in zip(row, x, strict=True))]
        each = np.array([probability(network, x) for x in fitting])
        bits += weight * np.log2(each.sum())
        for x, part in zip(fitting, each / each.sum(), strict=True):
            for node, parents in enumerate(network.parents):
                place = 0
                for parent in parents:
                    place = place * len(network.states[parent]) + x[parent]
                counts[node][place, x[node]] += weight * part
    return counts, bits


@given(networks(most=5), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_expected_counts_equal_those_of_listing_every_completion(network: Network, seed: int) -> None:
    rows = random_rows(network, seed)
    weights = np.random.default_rng(seed).integers(0, 4, len(rows))
    compiled = CompiledNetwork(network)
    found = IncompleteRows(compiled, rows, weights).expected_counts(compiled)
    expected, bits = counts_by_listing(network, rows, weights)
    assert found.log2_likelihood == pytest.approx(bits, abs=1e-9)
    for mine, theirs in zip(found.tables, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-10)


@given(networks(most=5), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_posteriors_of_a_variable_equal_those_of_listing(network: Network, seed: int) -> None:
    rows = random_rows(network, seed, 6)
    target = seed % len(network.names)
    found = posterior_states(CompiledNetwork(network), rows, target)
    for row, mine in zip(rows, found, strict=True):
        expected = np.zeros(len(network.states[target]))
        for x in configurations(network):
            if all(a < 0 or a == b or v == target for v, (a, b) in enumerate(zip(row, x, strict=True))):
                expected[x[target]] += probability(network, x)
        np.testing.assert_allclose(mine, expected / expected.sum(), atol=1e-12)


def test_the_order_of_rows_changes_no_bit() -> None:
    network = load_network("child")
    rows, compiled = random_rows(network, 3, 60), CompiledNetwork(network)
    weights = np.arange(len(rows)) % 3
    found = IncompleteRows(compiled, rows, weights).expected_counts(compiled)
    again = IncompleteRows(compiled, rows[::-1], weights[::-1]).expected_counts(compiled)
    assert found.log2_likelihood == again.log2_likelihood
    for mine, theirs in zip(found.tables, again.tables, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_complete_rows_are_counted() -> None:
    network = load_network("asia")
    data = sample(network, 200, 1, unseen_states=True)
    rows, compiled = np.stack(data.columns, axis=1).astype(int), CompiledNetwork(network)
    found = IncompleteRows(compiled, rows).expected_counts(compiled)
    assert all((table == np.round(table)).all() and table.sum() == 200 for table in found.tables)


def test_a_component_that_does_not_fit_is_refused() -> None:
    compiled = CompiledNetwork(load_network("munin1"))
    rows = np.full((1, len(compiled.sizes)), -1)
    with pytest.raises(TooLargeError, match=r"needs about .* GiB .* are allowed"):
        IncompleteRows(compiled, rows)
