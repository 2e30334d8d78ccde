"""Resamples of rows from experiments: each keeps the number of rows of every regime, also where rows have weights."""

from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.confidence.resampling import Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.data import Dataset

DRAW = np.random.default_rng(4)
X = DRAW.integers(0, 2, 90)
Y = np.where(DRAW.random(90) < 0.8, X, 1 - X)
REGIMES = ["", "x", "x|y"] * 5 + [""] * 40 + ["y"] * 30 + ["x"] * 5


def rows(weights: object = None, order: np.ndarray | None = None) -> Dataset:
    places = np.arange(90) if order is None else order
    chosen = None if weights is None else [weights[place] for place in places]  # type: ignore[index]
    columns = {"x": X[places].tolist(), "y": Y[places].tolist()}
    return mahc.read(columns, interventions=[REGIMES[place] for place in places], weights=chosen)


def sizes(data: Dataset) -> dict[frozenset[str], int]:
    """The rows of each regime, or their weight."""
    assert data.interventions is not None
    counts = np.bincount(data.interventions.codes, data.weights, len(data.interventions.targets))
    return dict(zip(data.interventions.targets, counts.astype(int).tolist(), strict=True))


@pytest.mark.parametrize("weights", [None, [1 + place % 3 for place in range(90)]], ids=["rows", "weighted"])
def test_each_resample_has_as_many_rows_of_each_regime(weights: list[int] | None) -> None:
    data = rows(weights)
    whole = Resampler(data, BootstrapSettings(seed=3))
    half = Resampler(data, BootstrapSettings(seed=3, how="half"))
    tables = [whole.table(number) for number in range(6)]
    assert all(sizes(table) == sizes(data) for table in tables)
    assert len({table.fingerprint() for table in tables}) == 6
    assert all(sizes(half.table(number)) == {k: n // 2 for k, n in sizes(data).items()} for number in range(3))


def test_weights_with_fractions_keep_the_rows_of_each_regime() -> None:
    weights = [0.5 + place % 4 for place in range(90)]
    one = Resampler(rows(weights), BootstrapSettings(seed=3))
    order = np.random.default_rng(0).permutation(90)
    other = Resampler(rows(weights, order), BootstrapSettings(seed=3))
    for number in range(3):
        assert one.table(number).fingerprint() == other.table(number).fingerprint()
        data = one.prepare()
        assert data.interventions is not None
        assert data.weights is not None
        times = one.weights(number) // data.weights
        drawn = np.bincount(data.interventions.codes, times, len(data.interventions.targets))
        assert drawn.astype(int).tolist() == np.bincount(data.interventions.codes).tolist()


@pytest.mark.parametrize("algorithm", ["tabu", "exact", "fci"])
def test_resamples_of_contexts_that_determine_each_other_or_a_variable(algorithm: str) -> None:
    """A copy, a coarser copy, and a context that is a function of a variable."""
    place = np.arange(240) % 6
    columns = {
        "site": [f"s{each}" for each in place],
        "copy": [f"c{each}" for each in place],
        "region": [f"r{each // 2}" for each in place],
        "x": X[np.arange(240) % 90].tolist(),
        "mark": [f"m{each % 2}" for each in place],
    }
    contexts = ["site", "copy", "region"]
    found = mahc.bootstrap(columns, algorithm, context=contexts, resamples=3)
    assert found.size == 3
    assert all(found.probability("mark", context) == 0 for context in contexts)
    assert all(found.probability(a, b, of="edge") == 0 for a in contexts for b in contexts if a != b)
