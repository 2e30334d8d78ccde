from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.errors import SettingError, UnknownNameError
from mahc.graphs import DAG
from mahc.measures import MEASURES, Counts, compare

NAMES = ("bsf", "shd", "f1", "recall", "precision")


def printed(counts: Counts) -> list[float]:
    """As the paper prints: three digits, half up."""
    return [
        float(int(Fraction(counts.measure(name)).limit_denominator(10**6) * 1000 + Fraction(1, 2))) / 1000
        for name in NAMES
    ]


def test_the_worked_row_of_hill_climbing_on_a_hundred_rows_of_asia() -> None:
    counts = Counts(variables=8, matched=0, partial=5, extra=1, missing=3)
    assert printed(counts) == [0.263, 6.5, 0.357, 0.313, 0.417]


def test_the_worked_row_of_mahc_on_a_thousand_rows_of_asia() -> None:
    counts = Counts(variables=8, matched=7, partial=0, extra=0, missing=1)
    assert printed(counts) == [0.875, 1, 0.933, 0.875, 1]


def test_nothing_learned_has_every_share_at_zero() -> None:
    counts = Counts(variables=8, matched=0, partial=0, extra=0, missing=13)
    assert [counts.measure(name) for name in NAMES] == [0, 13, 0, 0, 0]


def test_two_empty_graphs_have_no_distance_and_no_undefined_measure() -> None:
    counts = Counts(variables=4, matched=0, partial=0, extra=0, missing=0)
    assert [counts.measure(name) for name in NAMES] == [0.5, 0, 0, 0, 0]


def test_a_complete_learned_graph_is_as_balanced_as_an_empty_one() -> None:
    counts = Counts(variables=5, matched=4, partial=0, extra=6, missing=0)
    assert counts.measure("bsf") == 0


def test_the_inverse_of_the_truth_is_at_minus_one() -> None:
    assert Counts(variables=5, matched=0, partial=0, extra=6, missing=4).measure("bsf") == -1


@given(st.integers(2, 30), st.data())
def test_measures_stay_in_their_ranges_and_agree_with_the_short_forms(variables: int, data: st.DataObject) -> None:
    left = variables * (variables - 1) // 2
    numbers = []
    for _ in range(4):
        numbers.append(data.draw(st.integers(0, left)))
        left -= numbers[-1]
    counts = Counts(variables, *numbers)
    values = {name: counts.measure(name) for name in MEASURES}
    assert all(0 <= values[name] <= 1 for name in ("f1", "recall", "precision"))
    assert -1 <= values["bsf"] <= 1
    assert values["shd"] == counts.present - counts.true_positives + counts.extra
    if counts.present and counts.absent:
        short = counts.true_positives / counts.present - counts.extra / counts.absent
        assert values["bsf"] == pytest.approx(short)


def test_counts_that_no_two_graphs_have_are_refused() -> None:
    with pytest.raises(SettingError, match="no two graphs over 3 variables"):
        Counts(variables=3, matched=2, partial=1, extra=1, missing=0)


def test_an_unknown_measure_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'recall'"):
        Counts(variables=3, matched=1, partial=0, extra=0, missing=0).measure("recal")


def test_a_registered_measure_is_part_of_every_comparison(monkeypatch):
    monkeypatch.setitem(MEASURES._entries, "errors", lambda counts: float(counts.missing + counts.extra))
    result = compare(DAG("ab"), DAG("ab", [("a", "b")]))
    assert result["errors"] == result.measures["errors"] == 1.0
