"""Equal averages: under `ties="data"` the higher own score wins; under `ties="file-order"` the climb stays."""

from __future__ import annotations

import pytest

import mahc

LONE_PAIR = {"x": ["a", "b"] * 500, "y": ["a", "b"] * 500}


def test_a_lone_dependent_pair_is_learned() -> None:
    learned = mahc.learn(LONE_PAIR)
    assert len(learned.arcs) == 1
    assert learned.stop_reason == "converged"
    (step,) = learned.steps
    assert step.averaged_score == learned.averaged_score
    assert step.score == learned.score


def test_file_order_asks_for_a_higher_average() -> None:
    """As the authors' program does; with the arc the average is the same, (empty + 2 with an arc) / 3."""
    with_arc, without = mahc.learn(LONE_PAIR), mahc.learn(LONE_PAIR, ties="file-order")
    assert (without.arcs, without.stop_reason) == ((), "converged")
    assert without.averaged_score == pytest.approx(with_arc.averaged_score, abs=1e-9)
    assert without.explain("x", "y").kind == "not_improving"


def test_the_arc_is_explained_by_the_score_that_decided() -> None:
    learned = mahc.learn(LONE_PAIR)
    (arc,) = learned.arcs
    explained = learned.explain(*arc)
    assert explained.kind == "present"
    assert explained.numbers["strength"] > 900
    assert explained.numbers["averaged_gain"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("ties", "kind"), [("data", "stopped"), ("file-order", "not_improving")])
def test_an_equal_average_with_a_higher_score_is_undecided_when_the_steps_run_out(ties: str, kind: str) -> None:
    learned = mahc.learn(LONE_PAIR, ties=ties, step_limit=0)
    assert learned.explain("x", "y").kind == kind


def test_a_pair_beside_independent_columns_is_learned() -> None:
    data = {**LONE_PAIR, "z": ["a", "a", "b", "b"] * 250, "one": ["a"] * 1000}
    learned = mahc.learn(data)
    assert [set(arc) for arc in learned.arcs] == [{"x", "y"}]
    assert mahc.learn(data, ties="file-order").arcs == ()


def test_the_present_graph_wins_where_its_own_score_is_the_higher() -> None:
    """The pair with its arc: leaving it out has the same average and the lower score."""
    learned = mahc.learn(LONE_PAIR, start=[("y", "x")])
    assert (learned.arcs, learned.steps) == ((("y", "x"),), ())
