"""What exact learning promises: the paper's number, the smallest data, limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.algorithms.exact.exact import Exact
from mahc.data import Dataset
from mahc.errors import SettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.networks import load_network, sample


@pytest.mark.shared
def test_asia_1k_has_the_score_that_the_paper_prints(shared: Path) -> None:
    learned = mahc.learn(shared / "paper" / "asia-1k.csv", "exact")
    assert learned.settings["search_in_degree"] == 3
    assert round(learned.score, 1) == -3252.1


@pytest.mark.parametrize(
    ("columns", "arcs"),
    [
        ({"a": ["x", "y", "x"]}, ()),
        ({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, (("a", "b"),)),
        ({"a": ["x", "y"] * 9, "b": ["x", "x"] * 9}, ()),
    ],
    ids=["one variable", "two copies", "a constant column"],
)
def test_the_smallest_data(columns: dict[str, list[str]], arcs: tuple[tuple[str, str], ...]) -> None:
    assert mahc.learn(columns, "exact", threads=1).arcs == arcs


def test_three_rows() -> None:
    columns = {"a": ["x", "y", "z"], "b": ["x", "x", "z"], "c": ["u", "v", "w"]}
    assert mahc.learn(columns, "exact").stop_reason == "converged"


def test_no_order_of_columns_or_rows_shows() -> None:
    data = sample(load_network("sachs"), 500, seed=7)
    expected = mahc.learn(data, "exact")
    rng = np.random.default_rng(4)
    for _ in range(5):
        order, rows = rng.permutation(len(data.names)).tolist(), rng.permutation(data.rows)
        turned = Dataset.coded(
            tuple(data.names[v] for v in order),
            tuple(data.labels[v] for v in order),
            tuple(data.codes[v][rows] for v in order),
        )
        again = mahc.learn(turned, "exact")
        assert (again.arcs, again.score) == (expected.arcs, expected.score)


def test_a_time_limit_brings_what_was_found() -> None:
    data = sample(load_network("child"), 500, seed=7)
    learned = mahc.learn(data, "exact", time_limit=1e-6, knowledge=Knowledge(required_arcs=[("Age", "Sick")]))
    assert learned.stop_reason == "time_limit"
    assert learned.arcs == (("Age", "Sick"),)


def test_every_arc_can_be_explained() -> None:
    learned = mahc.learn(sample(load_network("asia"), 500, seed=7), "exact")
    kinds = {learned.explain(a, b).kind for a in learned.variables for b in learned.variables if a != b}
    assert "present" in kinds
    assert not kinds & {"unexamined", "stopped"}


def test_unknown_methods_and_too_many_orders_are_refused() -> None:
    with pytest.raises(SettingError, match="method is 'magic'"):
        Exact(method="magic")
    data = sample(load_network("alarm"), 50, seed=7)
    with pytest.raises(SettingError, match="at most 20 variables"):
        mahc.learn(data, Exact(method="orders"))
