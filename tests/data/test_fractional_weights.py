"""Weights with fractions: counted in thousandths of a row, exactly, whatever the order and the pieces."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.cluster.opening import open_shards
from mahc.data import Dataset, ReadSettings
from mahc.errors import MahcError
from mahc.networks import load_network, sample
from mahc.results.summary import facts
from tests.pieces_of_data import cut, sharded

DRAWN = sample(load_network("asia"), 600, seed=3)
TABLE = {name: [DRAWN.labels[v][code] for code in DRAWN.codes[v]] for v, name in enumerate(DRAWN.names)}
ASIA = mahc.read(TABLE)
WEIGHTS = np.round(np.random.default_rng(5).gamma(2.0, 0.6, 600) + 0.001, 3)


def read(order: np.ndarray | None = None) -> Dataset:
    rows = np.arange(600) if order is None else order
    columns = {name: [values[row] for row in rows] for name, values in TABLE.items()}
    return mahc.read(columns, weights=WEIGHTS[rows])


def tables_of(dag: mahc.DAG) -> dict[str, np.ndarray]:
    """The weighted counts of each family, summed slowly."""
    found = {}
    for name in dag.names:
        parents = [dag.names[p] for p in dag.parent_sets[dag.names.index(name)]]
        configurations = math.prod(len(ASIA.labels[ASIA.index(p)]) for p in parents)
        place = np.zeros(600, np.int64)
        for parent in parents:
            place = place * len(ASIA.labels[ASIA.index(parent)]) + ASIA.codes[ASIA.index(parent)]
        table = np.zeros((configurations, len(ASIA.labels[ASIA.index(name)])))
        np.add.at(table, (place, ASIA.codes[ASIA.index(name)]), WEIGHTS)
        found[name] = table
    return found


def test_scores_equal_slow_sums_of_the_weights() -> None:
    size = round(WEIGHTS.sum())
    for objective in ("loglik", "aic", "bic", "bdeu"):
        learned = mahc.learn(read(), "hc", objective=objective, search_in_degree=2)
        total = 0.0
        for table in tables_of(learned.dag).values():
            shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
            fit = (table * np.log2(np.where(table > 0, shares, 1.0))).sum()
            free = table.shape[0] * (table.shape[1] - 1)
            if objective == "bdeu":
                a, b = 1 / table.shape[0], 1 / table.size
                fit = sum(math.lgamma(a) - math.lgamma(a + row.sum()) for row in table)
                fit = (fit + sum(math.lgamma(b + n) - math.lgamma(b) for n in table.ravel())) / math.log(2)
            price = {"aic": 1 / math.log(2), "bic": math.log2(size) / 2}.get(objective, 0.0)
            total += fit - price * free
        assert learned.score == pytest.approx(total, abs=1e-6), objective


def test_neither_order_nor_pieces_change_a_bit(tmp_path: Path) -> None:
    frame = pl.DataFrame(TABLE).with_columns(pl.Series("w", WEIGHTS))
    whole = frame.with_columns(pl.col("w").round(0).clip(1))  # a file whose weights are whole
    frame = pl.concat([whole.head(200), frame.tail(400)])
    folder = cut(frame, [100, 200, 450], tmp_path / "parts")
    table = mahc.read(frame, weights="w")
    wanted = mahc.learn(table, "tabu")
    shuffled = mahc.read(frame.sample(fraction=1.0, shuffle=True, seed=1), weights="w")
    settings = ReadSettings(weights="w")
    few, many = sharded(folder, settings, limit=4), open_shards(folder, settings)
    for data in (shuffled, few, many):
        found = mahc.learn(data, "tabu")
        assert (found.arcs, found.score) == (wanted.arcs, wanted.score)
        assert (data.fingerprint(), data.size) == (table.fingerprint(), table.size)
        tables = [model.network.tables for model in (found.fit(data), wanted.fit(table))]
        assert all(np.array_equal(one, other) for one, other in zip(*tables, strict=True))
    assert [note.message for note in many.notes if note.kind == "fractional-weights"] == [
        note.message for note in table.notes if note.kind == "fractional-weights"
    ]


def test_fits_and_effects_use_the_weights() -> None:
    learned = mahc.learn(read(), "boss", objective="bdeu")
    model = learned.fit(read(), prior=0)
    for name, table in tables_of(learned.dag).items():
        occurs = table.sum(axis=1) > 0
        expected = table[occurs] / table[occurs].sum(axis=1, keepdims=True)
        assert np.allclose(model.network.tables[model.network.names.index(name)][occurs], expected, atol=1e-12)
    half, whole = (
        mahc.read({"a": ["x", "x", "y", "y"] * 40, "b": ["u", "v", "u", "v"] * 40}, weights=[k, 3 * k, 3 * k, k] * 40)
        for k in (0.5, 1)
    )
    known = mahc.Knowledge(required_arcs=[("a", "b")])
    effects = [
        mahc.learn(data, "boss", objective="bdeu", knowledge=known).effect(data, "a", "b") for data in (half, whole)
    ]
    assert effects[0].difference == pytest.approx(-0.5, abs=0.03)
    widths = [each.interval.high - each.interval.low for each in effects]
    assert widths[0] == pytest.approx(widths[1] * math.sqrt(2), rel=0.1)  # half as many rows
    assert effects[0].check is None


@pytest.mark.parametrize("how", ["bootstrap", "half"])
def test_resamples_draw_rows_whatever_they_weigh(how: str) -> None:
    order = np.random.default_rng(1).permutation(600)
    one, other = (mahc.bootstrap(data, "hc", resamples=4, how=how) for data in (read(), read(order)))
    assert one.edge_counts == other.edge_counts
    drawn = mahc.confidence.resampled(read(), 0, how=how)
    assert drawn.unit == 1000
    if how == "half":
        assert drawn.rows == 300


def test_experiments_have_as_many_rows_as_they_weigh() -> None:
    sets = [["smoke"] if row % 2 else [] for row in range(600)]
    learned = mahc.learn(mahc.read(TABLE, weights=WEIGHTS, interventions=sets), "tabu")
    weighed = [round(WEIGHTS[row::2].sum()) for row in (1, 0)]
    assert learned.run.experiments is not None
    assert learned.run.experiments.describe() == f"set smoke ({weighed[0]} rows); {weighed[1]} rows without"


def test_distinct_rows_of_pieces_are_not_resampled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One stands for many rows, whose weights are added up: drawing it would draw all of them at once."""
    folder = cut(pl.DataFrame(TABLE).with_columns(pl.Series("w", WEIGHTS)), [300], tmp_path / "parts")
    for work in (
        lambda: mahc.bootstrap(folder, "hc", weights="w", resamples=2),
        lambda: mahc.posterior(folder, "bic", weights="w", resamples=2),
    ):
        with pytest.raises(MahcError, match="the bootstrap of data in pieces is for whole rows"):
            work()
    for words in (["bootstrap", "--algorithm", "hc"], ["posterior", "--score", "bic"]):
        with pytest.raises(SystemExit) as end:
            run([words[0], str(folder), *words[1:], "--weights", "w", "--resamples", "2"])
        assert end.value.code == 2
        assert "the bootstrap of data in pieces is for whole rows" in capsys.readouterr().err


def test_rows_are_those_of_the_data_and_weights_are_said_to_be_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = cut(pl.DataFrame(TABLE).with_columns(pl.Series("w", WEIGHTS / 4).round(3) + 0.001), [300], tmp_path / "f")
    result = tmp_path / "result"
    for words in (
        ["posterior", folder, "--score", "bic", "--weights", "w", "--samples", "20", "--out", result],
        ["report", result, "--data", folder, "--out", tmp_path / "report.html"],
        ["fit", result, folder, "--out", tmp_path / "fitted.bif"],
        ["score", folder, result],
    ):
        with pytest.raises(SystemExit) as end:
            run([*map(str, words)])
        assert end.value.code in (0, None)
    shown = capsys.readouterr().out
    weight = mahc.Learned.load(result / "result.json").data.size
    assert f"600 rows of total weight {weight}, 8 variables" in shown
    assert f"Tables fitted to rows of total weight {weight}, " in shown
    assert f"arcs, rows of total weight {weight}\n" in shown
    assert set(re.findall(r'"rows":\s*(\d+)', (result / "confidence.json").read_text())) == {"600"}
    assert set(re.findall(r'"rows":(\d+)', (tmp_path / "report.html").read_text())) == {"600"}


def test_weights_are_told_where_they_sum_to_the_rows() -> None:
    columns = {"a": ["x", "y", "y", "x"] * 5, "b": ["u", "v", "v", "v"] * 5, "w": [0.5, 1.5] * 10}
    learned = mahc.learn(columns, "hc", weights="w")
    assert dict(facts(learned))["Data"] == "20 rows of total weight 20, 2 variables"


def test_numbers_that_are_cut_leave_the_rows_of_pieces(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [k % 30 / 4 for k in range(600)], "y": [k % 30 / 2 // 3 / 2 for k in range(600)]})
    folder = cut(frame, [300], tmp_path / "f")
    found = mahc.learn(folder, "hc", numbers="cuts")
    assert (found.data.rows, found.data.passes is None) == (600, False)
    assert found == mahc.learn(frame, "hc", numbers="cuts")


def test_the_effective_sample_size_is_shown() -> None:
    note = next(note for note in read().notes if note.kind == "fractional-weights")
    effective = WEIGHTS.sum() ** 2 / (WEIGHTS**2).sum()
    assert note.numbers == pytest.approx((WEIGHTS.sum(), effective))
    assert f"are worth {effective:,.4g} (effective sample size)" in str(note.message)
    assert mahc.read({"a": ["x", "y"]}, weights=[2.0, 3.0]).unit == 1


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (lambda data: mahc.learn(data, "pc-stable"), "pc-stable is for whole rows"),
        (lambda data: mahc.learn(data, "saiyanh"), "saiyanh is for whole rows"),
        (lambda data: mahc.learn(data, "hc", objective="qnml"), "the score qnml is for whole rows"),
        (
            lambda _: mahc.learn({"x": [0.5, 1.5, 2.5]}, "boss", weights=[0.5] * 3),
            'columns of numbers is for whole rows: round the weights, or cut the numbers with discretise="quantile:4"',
        ),
        (
            lambda _: mahc.learn({"a": ["x", "y", None]}, "hc", missing="impute", weights=[0.5] * 3),
            'method impute is for whole rows: round the weights, or use missing="state"',
        ),
        (lambda data: mahc.confidence.validate(data, ["hc"]), "validation is for whole rows"),
        (lambda data: mahc.confidence.aipw(data, "smoke", "lung"), "cross-fitting is for whole rows"),
        (
            lambda _: mahc.read({"a": ["x", "y"]}, weights=[0.1, 0.2]),
            "one row only, weights counted, .* larger weights",
        ),
        (lambda _: mahc.read(TABLE, weights=[0.0001, *WEIGHTS[1:]]), "row 1 is 0.0001, which rounds to 0 thousandths"),
    ],
)
def test_who_counts_rows_refuses(work: Any, says: str) -> None:
    with pytest.raises(MahcError, match=says):
        work(read())
