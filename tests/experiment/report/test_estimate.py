"""Means over seeds and their intervals."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.experiment.report.estimate import Estimate

numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, min_size=2, max_size=40))
def test_the_interval_is_students(values: list[float]) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    found = Estimate.of(values)
    assert found is not None
    assert found.margin is not None
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    error = statistics.stdev(values) / len(values) ** 0.5
    exact = scipy_stats.t.ppf(0.975, len(values) - 1) * error
    assert found.margin >= exact * (1 - 3e-4) - 1e-6  # never too narrow
    assert found.margin <= exact * 1.02 + 1e-6


def test_what_is_missing_counts_nowhere() -> None:
    assert Estimate.of([None, None]) is None
    assert Estimate.of([None, 2.0, 4.0]) == Estimate.of([2.0, 4.0])


def test_one_seed_has_no_interval() -> None:
    found = Estimate.of([3.0])
    assert found is not None
    assert (found.mean, found.low, found.high) == (3.0, None, None)
