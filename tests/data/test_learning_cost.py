"""The estimate grows with what it should grow with."""

from __future__ import annotations

from mahc.learning.cost import estimate


def test_more_of_anything_costs_more() -> None:
    base = estimate(10_000, [3] * 20)
    for larger in (
        estimate(100_000, [3] * 20),
        estimate(10_000, [3] * 60),
        estimate(10_000, [3] * 19 + [500]),
    ):
        assert larger.seconds > base.seconds
        assert larger.megabytes > base.megabytes


def test_one_variable_costs_next_to_nothing() -> None:
    assert estimate(1, [2]).seconds < 0.1


def test_the_size_of_alarm_is_right_within_an_order() -> None:
    cost = estimate(100_000, [3] * 37)
    assert 0.02 < cost.seconds < 2
    assert 3 < cost.megabytes < 50
