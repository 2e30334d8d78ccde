"""log Gamma and the regret of a multinomial, against references."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import log2_regret, multinomial_normaliser

from mahc.engine import _native


@given(st.floats(1e-300, 1e15))
def test_log_gamma_equals_the_library(x: float) -> None:
    assert _native.log_gamma(x) == pytest.approx(math.lgamma(x), rel=4e-15, abs=4e-15)


@pytest.mark.parametrize("x", [5e-324, 1e-308, 1e-200, 1e-199, 0.5, 1.0, 2.0, 7.999999, 8.0, 1e300])
def test_log_gamma_holds_at_its_borders(x: float) -> None:
    assert _native.log_gamma(x) == pytest.approx(math.lgamma(x), rel=4e-15, abs=4e-15)


@given(st.floats(-1e-4, 1e-4))
@example(0.0)
def test_log_gamma_is_accurate_relative_to_its_value_beside_its_zeros(step: float) -> None:
    at_one, at_two = 1.0 + step, 2.0 + step
    z, euler, zeta3 = at_one - 1.0, 0.5772156649015329, 1.2020569031595942
    series = z * (-euler + z * (math.pi**2 / 12 + z * (-zeta3 / 3 + z * math.pi**4 / 360)))
    assert _native.log_gamma(at_one) == pytest.approx(series, rel=2e-15, abs=0)
    z = at_two - 2.0
    series = z * (1 - euler + z * ((math.pi**2 / 6 - 1) / 2 + z * ((1 - zeta3) / 3 + z * (math.pi**4 / 90 - 1) / 4)))
    assert _native.log_gamma(at_two) == pytest.approx(series, rel=2e-15, abs=0)


@given(st.floats(0.01, 9.0))
@example(0.87)
@example(2.5)
def test_log_gamma_equals_the_library_closely_where_it_is_small(x: float) -> None:
    assert _native.log_gamma(x) == pytest.approx(math.lgamma(x), rel=1e-15, abs=2e-15)


def test_log_gamma_of_nothing_positive_is_no_number() -> None:
    assert math.isnan(_native.log_gamma(0.0))
    assert math.isnan(_native.log_gamma(-3.5))
    assert math.isnan(_native.log_gamma(math.nan))
    assert _native.log_gamma(math.inf) == math.inf


@pytest.mark.parametrize("states", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 12])
def test_regret_equals_enumeration(size: int, states: int) -> None:
    exact = multinomial_normaliser(size, states)
    assert _native.log2_regret(size, states) == pytest.approx(math.log2(exact), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize(("size", "states"), [(1, 1000), (5, 70_000), (40, 2), (40, 9), (90, 300), (120, 5)])
def test_regret_equals_convolution(size: int, states: int) -> None:
    assert _native.log2_regret(size, states) == pytest.approx(log2_regret(size, states), rel=1e-11)


@pytest.mark.parametrize("size", [4000, 4095, 4096, 5000, 10**6, 10**9])
def test_regret_of_two_states_is_the_full_sum(size: int) -> None:
    # C(n, 2) = 1 + sum over k of n! / ((n - k)! n^k)
    term, terms, k = 1.0, [1.0], 0
    while term > 1e-18 and k < size:
        terms.append(term)
        k += 1
        term *= (size - k) / size
        if size > 10**7 and k > 10**6:
            break
    assert _native.log2_regret(size, 2) == pytest.approx(math.log2(math.fsum(terms)), rel=1e-13)


@pytest.mark.parametrize("size", [1, 10, 1000, 10**5, 10**7])
def test_regret_is_smooth_where_the_exact_walk_ends(size: int) -> None:
    below, at, above = (_native.log2_regret(size, r) for r in (99_999, 100_000, 100_001))
    step = at - below
    assert above - at == pytest.approx(step, rel=0.05, abs=1e-3 + 1e-6 * at)


def test_regret_of_enormous_tables_grows_like_the_logarithm_of_their_size() -> None:
    # For r far above n every row falls into a state of its own: C(n, r) -> (r / n)^n.
    for exponent in (40, 64, 300, 900):
        limit = 1000 * (exponent - math.log2(1000))
        assert _native.log2_regret(1000, 2.0**exponent) == pytest.approx(limit, rel=1e-9)


@given(st.integers(1, 5000), st.integers(1, 500))
def test_regret_rises_with_size_and_states(size: int, states: int) -> None:
    here = _native.log2_regret(size, states)
    assert 0 <= here <= _native.log2_regret(size + 1, states) + 1e-12
    assert here < _native.log2_regret(size, states + 1)


def slow_log_gamma(x: Decimal) -> Decimal:
    """By Stirling's series from 200 on, in as many digits as the context has."""
    below = Decimal(0)
    while x < 200:
        below += x.ln()
        x += 1
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
    series = sum(
        (Decimal(a) / Decimal(b) / x ** (2 * k + 1))
        for k, (a, b) in enumerate([(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)])
    )
    return (x - Decimal("0.5")) * x.ln() - x + (2 * pi).ln() / 2 + series - below


@pytest.mark.parametrize("counts", [(2**50 - 2, 2), (2**50 - 1, 1), (2**50, 0), (2**40, 3), (2**49, 2**49)])
@pytest.mark.parametrize("ess", [1.0, 0.25])
def test_bdeu_of_huge_counts_is_accurate(counts: tuple[int, int], ess: float) -> None:
    """The terms are about 2^56 bits, of which a double has the first 53."""
    with localcontext() as context:
        context.prec = 60
        cell, both = Decimal(ess) / 2, Decimal(ess)
        expected = slow_log_gamma(both) - slow_log_gamma(both + sum(counts))
        expected += sum(slow_log_gamma(cell + n) - slow_log_gamma(cell) for n in counts)
    scores = _native.CountScores([2], sum(counts), _native.Bdeu(ess), math.e, [])
    cells, offsets = np.array(counts, np.int64), np.array([0, 2], np.int64)
    found = scores.score_counts(np.zeros(1, np.int32), np.zeros(2, np.int64), np.zeros(0, np.int32), cells, offsets)[0]
    assert found == pytest.approx(float(expected), rel=1e-13, abs=1e-6)
