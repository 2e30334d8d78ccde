"""Means over seeds and their intervals."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.lab.report.table import Estimate


def _inside(quantile: float, freedom: int) -> float:
    """How much of Student's t lies within the quantile of zero, by Simpson's rule."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def density(x: float) -> float:
        return scale * math.pow(1 + x * x / freedom, -(freedom + 1) / 2)

    steps = 2000
    width = quantile / steps
    inner = sum((4 if k % 2 else 2) * density(k * width) for k in range(1, steps))
    return 2 * width / 3 * (density(0) + inner + density(quantile))


@pytest.mark.parametrize("seeds", [*range(3, 22), 31, 32, 61, 62, 150])
def test_the_interval_is_students_and_never_too_narrow(seeds: int) -> None:
    values = [float(number % 7) for number in range(seeds)]
    found = Estimate.of(values)
    assert found is not None
    assert found.margin is not None
    quantile = found.margin / (statistics.stdev(values) / math.sqrt(seeds))
    assert 0.95 - 1e-7 <= _inside(quantile, seeds - 1) <= 0.955


@pytest.mark.parametrize("seeds", [1, 2])
def test_there_is_no_interval_below_three_seeds(seeds: int) -> None:
    found = Estimate.of([1.0, 2.0][:seeds])
    assert found is not None
    assert (found.margin, found.low, found.high, found.seeds) == (None, None, None, seeds)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_the_mean_lies_in_the_middle(values: list[float]) -> None:
    found = Estimate.of(values)
    assert found is not None
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    if found.low is not None and found.high is not None:
        assert found.low <= found.mean <= found.high


def test_what_is_missing_counts_nowhere() -> None:
    assert Estimate.of([None, None]) is None
    assert Estimate.of([None, 2.0, 4.0]) == Estimate.of([2.0, 4.0])


def test_one_seed_has_no_interval() -> None:
    found = Estimate.of([3.0])
    assert found is not None
    assert (found.mean, found.low, found.high) == (3.0, None, None)
