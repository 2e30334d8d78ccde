"""Histograms of numbers and curves of arcs: against slow sums, and what has none."""

from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.data import Dataset
from mahc.data.columns import Continuous, Discrete
from mahc.ui.curves import BINS, arc_curve
from mahc.ui.document import make_document


def table(rows: int = 200, weighted: bool = False) -> Dataset:
    draw = np.random.default_rng(3)
    x = np.round(draw.normal(size=rows), 1)
    y = x**2 + draw.normal(size=rows)
    y[5] = np.nan
    s = (y > 1).astype(np.uint8)
    weights = draw.integers(0, 4, rows) if weighted else None
    many = np.arange(rows) % 20
    columns = (Continuous(x), Continuous(y), Discrete(("no", "yes"), s), Discrete(tuple(range(20)), many))
    return Dataset(("x", "y", "s", "many"), columns, weights)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_curve_has_the_means_of_its_bins(weighted: bool) -> None:
    data = table(weighted=weighted)
    x, y = (column.as_numbers() for column in data.columns[:2])
    s = np.asarray(data.columns[2].as_array())
    weights = np.ones(len(x)) if data.weights is None else data.weights
    known = ~np.isnan(y)
    found = arc_curve(data, "x", "y")
    assert found is not None
    assert len(found["x"]) <= BINS
    assert found["x"] == sorted(found["x"])
    total = weights[known].sum()
    # Bins are made of whole values of x: each row belongs to the bin whose mean is nearest in order.
    codes = mahc.data.rank_bins.rank_bins(x[known], None if data.weights is None else data.weights[known], BINS)
    for k, (mean_x, mean_y) in enumerate(zip(found["x"], found["lines"][0]["y"], strict=True)):
        rows = codes == k
        share = weights[known][rows]
        assert mean_x == pytest.approx((x[known][rows] * share).sum() / share.sum(), abs=1e-5)
        assert mean_y == pytest.approx((y[known][rows] * share).sum() / share.sum(), abs=1e-5)
    assert total > 0
    by_state = arc_curve(data, "s", "x")
    assert by_state is not None
    assert by_state["states"] == ["no", "yes"]
    expected = [np.average(x[s == k], weights=weights[s == k]) for k in (0, 1)]
    assert by_state["lines"][0]["y"] == pytest.approx(expected, abs=1e-5)
    shares = arc_curve(data, "x", "s")
    assert shares is not None
    assert [line["name"] for line in shares["lines"]] == ["no", "yes"]
    assert np.sum([line["y"] for line in shares["lines"]], axis=0) == pytest.approx(np.ones(len(shares["x"])), abs=1e-5)


def test_what_has_no_curve() -> None:
    data = table()
    assert arc_curve(None, "x", "y") is None
    assert arc_curve(data, "s", "many") is None
    assert arc_curve(data, "x", "many") is None
    assert arc_curve(data, "x", "unknown") is None


def test_a_histogram_counts_every_row_with_its_weight() -> None:
    data = table(weighted=True)
    summary = data.columns[1].summary(data.weights)
    assert data.weights is not None
    assert sum(summary["histogram"]["counts"]) == data.weights.sum() - data.weights[5]
    assert summary["histogram"]["edges"][0] == summary["least"]
    assert summary["histogram"]["edges"][-1] == summary["greatest"]


def test_the_document_has_histograms_and_curves() -> None:
    draw = np.random.default_rng(1).normal
    dose = draw(size=200)
    columns = {"dose": dose.tolist(), "effect": (dose + 0.3 * draw(size=200)).tolist()}
    data = mahc.read(columns)
    document = make_document(mahc.learn(data, numbers="smooth"), data)
    assert document["arcs"][0]["curve"]["lines"][0]["y"][0] < document["arcs"][0]["curve"]["lines"][0]["y"][-1]
    assert all(len(variable["histogram"]["counts"]) == 24 for variable in document["variables"])
    assert all(column["histogram"]["counts"] for column in document["audit"]["columns"])
    cut = mahc.learn(data, numbers="cuts")
    assert make_document(cut, mahc.opening.open_again(data, cut.data.reading))["arcs"][0]["curve"] is None
