"""Every algorithm takes the smallest and oddest data that are data at all."""

from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset
from mahc.data.settings import MISSING_METHODS
from mahc.errors import DataError
from mahc.networks import load_network, sample

pytestmark = pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))


def joined(learned: mahc.Learned) -> set[frozenset[str]]:
    assert learned.stop_reason == "converged"
    return {frozenset((edge.left, edge.right)) for edge in learned.pattern.edges}


def test_one_variable(algorithm: str) -> None:
    learned = mahc.learn({"a": ["x", "y", "x"]}, algorithm)
    assert joined(learned) == set()
    assert learned.dag.arcs == ()


def test_one_row_is_refused(algorithm: str) -> None:
    with pytest.raises(DataError, match="one row only"):
        mahc.learn({"a": ["x"], "b": ["y"]}, algorithm)


COPIES = {"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}


def test_two_identical_columns_are_joined(algorithm: str) -> None:
    learned = mahc.learn(COPIES, algorithm)
    assert joined(learned) == {frozenset("ab")}
    if learned.averaged_score is not None:
        # Each of the three graphs is a neighbour of the other two: their averages are equal. Only under "data" the
        # higher own score decides.
        assert joined(mahc.learn(COPIES, algorithm, ties="file-order")) == set()


def test_identical_columns_among_others(algorithm: str) -> None:
    """With enough around it that averages differ, the pair is found by all."""
    data = sample(load_network("asia"), 500, seed=5)
    columns = {name: data.codes[v].tolist() for v, name in enumerate(data.names)}
    columns["copy"] = [1 - code for code in columns["smoke"]]
    assert frozenset(("smoke", "copy")) in joined(mahc.learn(columns, algorithm))


def test_a_constant_column_tells_nothing(algorithm: str) -> None:
    data = sample(load_network("asia"), 500, seed=5)
    columns = {name: data.codes[v].tolist() for v, name in enumerate(data.names)}
    found = joined(mahc.learn(columns | {"constant": ["k"] * 500}, algorithm))
    beside = {edge for edge in found if "constant" in edge}
    if algorithm == "saiyanh":  # which joins every variable to the rest, whatever it tells
        assert beside
    else:
        assert found == joined(mahc.learn(columns, algorithm))


def test_only_constant_columns(algorithm: str) -> None:
    found = joined(mahc.learn({name: ["k"] * 9 for name in "abc"}, algorithm))
    assert len(found) >= 2 if algorithm == "saiyanh" else not found


def test_three_rows(algorithm: str) -> None:
    columns = {"a": ["x", "y", "z"], "b": ["x", "x", "z"], "c": ["u", "v", "w"], "d": ["x", "y", "x"]}
    learned = mahc.learn(columns, algorithm)
    assert learned.stop_reason == "converged"
    assert learned.data.rows == 3


def test_a_state_for_every_row(algorithm: str) -> None:
    columns = {"id": [str(i) for i in range(60)], "a": ["x", "y"] * 30, "b": ["x", "y", "y"] * 20}
    assert mahc.learn(columns, algorithm, categorical=["id"]).stop_reason == "converged"


def test_states_that_never_occur(algorithm: str) -> None:
    codes = np.array([0, 2] * 20, np.uint8)
    data = Dataset.coded(("a", "b"), (("x", "never", "y"),) * 2, (codes, codes))
    assert len(joined(mahc.learn(data, algorithm))) <= 1


@pytest.mark.parametrize("method", MISSING_METHODS)
def test_variables_that_are_never_observed_together(algorithm: str, method: str) -> None:
    columns = {"a": ["x", "y"] * 20 + [""] * 40, "b": [""] * 40 + ["u", "v"] * 20, "c": ["p", "q", "q", "p"] * 20}
    if method in ALGORITHMS[algorithm].missing_methods:
        objective = "bic" if method == "structural-em" else None
        found = mahc.learn(columns, algorithm, missing=method, objective=objective)
        assert set(found.variables) == set(columns)
