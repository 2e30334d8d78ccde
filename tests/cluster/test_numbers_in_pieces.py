"""Numbers in pieces under the smooth score: the same bits as one table in memory, and a stated number of passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import mahc
from mahc.cluster import coding, ranks
from mahc.cluster.ranks import ColumnBins, DigitCounts, find_bins, number_of, order_bits
from mahc.data.rank_bins import rank_bins
from mahc.errors import DataError

pytestmark = pytest.mark.long

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.lists(st.one_of(FINITE, st.integers(-4, 4).map(float)), min_size=1, max_size=60)


class Rows:
    """What a pass needs of a shard."""

    def __init__(self, values: NDArray[np.float64], weights: NDArray[np.int64] | None) -> None:
        self.values, self.weights = [values], weights


@given(NUMBERS, st.integers(3, 40), st.booleans(), st.integers(0, 60))
def test_quantiles_by_counting_bits_give_the_bins_of_ranks(
    numbers: list[float], bins: int, weighted: bool, cut: int
) -> None:
    values = np.array(numbers)
    weights = np.arange(1, len(values) + 1) % 4 + 1 if weighted else None
    parts = [Rows(values[part], None if weights is None else weights[part]) for part in (slice(cut), slice(cut, None))]
    asked = []

    def run(question: DigitCounts) -> list[NDArray[np.int64]]:
        asked.append(question.bits)
        return question.add(*(question.of(part) for part in parts))  # type: ignore[arg-type]

    size = len(values) if weights is None else int(weights.sum())
    found = find_bins(run, [0], ["x"], size, bins)[0]
    expected = rank_bins(values + 0.0, weights, bins)
    assert found.code(values).tolist() == expected.tolist()
    assert found.counts.tolist() == np.bincount(expected, weights).astype(int).tolist()
    assert asked == [16, 12, 12, 12, 12]
    distinct, places = np.unique(values + 0.0, return_inverse=True)
    counts = np.bincount(places, weights).astype(np.int64)
    listed = ColumnBins.of_counts(distinct, counts, bins)
    assert listed.code(values).tolist() == expected.tolist()
    assert listed.counts.tolist() == found.counts.tolist()


@given(st.lists(FINITE, min_size=2, max_size=20))
def test_the_order_of_bits_is_that_of_numbers(numbers: list[float]) -> None:
    values = np.array(numbers) + 0.0
    keys = order_bits(values)
    assert (keys[:, None] < keys[None, :]).tolist() == (values[:, None] < values[None, :]).tolist()
    assert number_of(keys).tolist() == values.tolist()


def mixed(rows: int, seed: int = 1) -> pl.DataFrame:
    """Real numbers, rounded ones, whole ones and text."""
    generator = np.random.default_rng(seed)
    dose = generator.exponential(size=rows)
    effect = (dose - 1) ** 2 + 0.3 * generator.normal(size=rows)
    pulse = np.rint(60 + 10 * effect + 5 * generator.normal(size=rows))
    level = np.where(pulse + 10 * generator.normal(size=rows) > 70, "high", "low")
    return pl.DataFrame({"level": level, "pulse": pulse.astype(int), "dose": dose, "effect": effect.round(2)})


def cut(frame: pl.DataFrame, places: list[int], folder: Path, ending: str = "parquet") -> Path:
    folder.mkdir()
    for number, (begin, end) in enumerate(zip([0, *places], [*places, frame.height], strict=True)):
        part = frame[begin:end]
        getattr(part, f"write_{ending}")(folder / f"{number}.{ending}")
    return folder


def same(one: Any, other: Any) -> None:
    assert (one.arcs, one.score, one.run.score) == (other.arcs, other.score, other.run.score)
    assert one.data.fingerprint == other.data.fingerprint
    assert one.data.size == other.data.size


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("listed", [False, True])
def test_pieces_give_the_bits_of_one_table(
    ending: str, listed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = mixed(3000)
    expected = mahc.learn(frame, "boss", objective="smooth")
    assert len(expected.arcs) > 2
    monkeypatch.setattr("mahc.cluster.opening.most_distinct_rows", lambda memory, variables: 100)
    if not listed:
        monkeypatch.setattr(coding, "MAX_VALUES", 50)
    for seed in range(2):
        places = sorted(np.random.default_rng(seed).integers(0, 3000, 4).tolist())
        found = mahc.learn(cut(frame, places, tmp_path / str(seed), ending), "boss", objective="smooth")
        same(found, expected)
        assert found.data.passes is not None
        phases = {name: phase.passes for name, phase in found.data.passes.phases.items()}
        assert phases.pop("ranks", 0) == (0 if listed else 5)
        assert phases["tables"] == 1
        assert sum(phases.values()) <= 4


def test_distinct_rows_that_fit_give_the_same_bits(tmp_path: Path) -> None:
    frame = mixed(800)
    expected = mahc.learn(frame, "hc", objective="smooth")
    same(mahc.learn(cut(frame, [100, 500], tmp_path / "parts"), "hc", objective="smooth"), expected)


def test_missing_values_and_weights_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = mixed(2000).with_columns(w=pl.Series(np.arange(2000) % 3))
    lost = pl.when(pl.int_range(2000) % 7 == 0).then(None).otherwise(pl.col("dose")).alias("dose")
    frame = frame.with_columns(lost)
    how: dict[str, Any] = {"objective": "smooth", "missing": "drop", "weights": "w"}
    expected = mahc.learn(frame, "hc", **how)
    monkeypatch.setattr("mahc.cluster.opening.most_distinct_rows", lambda memory, variables: 100)
    monkeypatch.setattr(coding, "MAX_VALUES", 50)
    folder = cut(frame, [700, 1900], tmp_path / "parts")
    same(mahc.learn(folder, "hc", **how), expected)
    with pytest.raises(DataError, match="values are missing in 1 of 4 columns: 'dose'"):
        mahc.learn(folder, "hc", objective="smooth", weights="w")


def test_dask_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    frame = mixed(1500)
    expected = mahc.learn(frame, "hc", objective="smooth")
    monkeypatch.setattr("mahc.cluster.opening.most_distinct_rows", lambda memory, variables: 100)
    monkeypatch.setattr(coding, "MAX_VALUES", 50)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        parts = dask.from_pandas(frame.to_pandas(), npartitions=4)
        same(mahc.learn(parts, "hc", objective="smooth", on=client), expected)


def test_a_query_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = mixed(1500)
    expected = mahc.learn(frame, "hc", objective="smooth")
    relation = duckdb.connect().from_arrow(frame.to_arrow())
    same(mahc.learn(relation, "hc", objective="smooth"), expected)


def test_what_is_ranked_fits_the_bits_of_a_number() -> None:
    assert (64 - ranks.FIRST_BITS) % ranks.LATER_BITS == 0


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "mmhc", "boss-pag"])
@pytest.mark.parametrize("settings", [{}, {"objective": "gaussian-bic", "drop": ["level"]}])
def test_tests_of_numbers_are_refused_where_rows_do_not_fit(
    algorithm: str, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cut(mixed(600), [100, 300], tmp_path / "parts")
    monkeypatch.setattr("mahc.cluster.opening.most_distinct_rows", lambda memory, variables: 100)
    with pytest.raises(DataError, match="tests of numbers need rows, and these data are counted in passes"):
        mahc.learn(folder, algorithm, **settings)
