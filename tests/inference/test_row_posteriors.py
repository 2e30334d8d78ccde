from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import configurations, networks, probability

from mahc.inference.compiled import CompiledNetwork
from mahc.inference.exact import TooLargeError
from mahc.inference.row_posteriors import posterior_states
from mahc.networks import Network, load_network, sample


def random_rows(network: Network, seed: int, rows: int = 12) -> np.ndarray:
    data = sample(network, rows, seed % 1000, unseen_states=True)
    found = np.stack(data.codes, axis=1).astype(np.int64)
    found[np.random.default_rng(seed).random(found.shape) < 0.4] = -1
    return found


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
    found = posterior_states(compiled, rows, 4)
    np.testing.assert_array_equal(found[::-1], posterior_states(compiled, rows[::-1], 4))


def test_a_component_that_does_not_fit_is_refused() -> None:
    network = load_network("child")
    rows = np.full((1, len(network.names)), -1)
    rows[0, network.names.index("LowerBodyO2")] = 0
    with pytest.raises(TooLargeError, match=r"needs about .* are allowed"):
        posterior_states(CompiledNetwork(network), rows, network.names.index("Disease"), max_bytes=100)
