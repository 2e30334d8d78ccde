"""Data in pieces give the saved result of the same rows in one table, in all fields but seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut, random_frame, saved, sharded

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cluster import find_pieces, open_shards
from mahc.cluster import pieces as pieces_module
from mahc.data import Dataset, ReadSettings
from mahc.engine import CountScorer, EngineRows, Families
from mahc.engine.wide_rows import WideRows
from mahc.networks import load_network, sample
from mahc.scores import make_score


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 600, seed=4))


QUICK = ("mahc", "pc-stable")
EVERY = [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in sorted(ALGORITHMS)]


@pytest.mark.parametrize("algorithm", EVERY)
def test_every_algorithm_on_distinct_rows_and_by_passes(algorithm: str, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [0, 1, 250, 250, 599], tmp_path / "parts")
    expected = saved(mahc.learn(asia, algorithm), tmp_path)
    assert saved(mahc.learn(folder, algorithm), tmp_path) == expected
    assert saved(mahc.learn(str(folder / "*.parquet"), algorithm), tmp_path) == expected
    by_passes = sharded(folder)
    assert saved(mahc.learn(by_passes, algorithm), tmp_path) == expected
    assert by_passes.passes > 2


@pytest.mark.long
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(2, 80),
    cuts=st.lists(st.integers(0, 80), max_size=5),
    limit=st.sampled_from([1, 4, 30, 10_000]),
    budget=st.sampled_from([0, 300, 1 << 30]),
    memory=st.sampled_from([0, 1 << 30]),
    weighted=st.booleans(),
)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_cuts_budgets_and_weights(
    algorithm: str,
    seed: int,
    rows: int,
    cuts: list[int],
    limit: int,
    budget: int,
    memory: int,
    weighted: bool,
    tmp_path: Path,
) -> None:
    """Also empty pieces, a label that one piece alone has, two equal columns, another order of the pieces."""
    rng = np.random.default_rng(seed)
    frame = random_frame(rng, rows, weighted)
    reading = ReadSettings(weights="w" if weighted else None)
    folder = cut(frame, [min(at, rows) for at in cuts], tmp_path / "parts")
    expected = saved(mahc.learn(frame, algorithm, weights=reading.weights), tmp_path)
    assert saved(mahc.learn(open_shards(folder, reading), algorithm), tmp_path) == expected
    files = sorted(folder.iterdir())
    for file, place in zip(files, rng.permutation(len(files)), strict=True):
        file.rename(folder / f"shuffled-{place:02}.parquet")
    source = sharded(folder, reading, limit, memory)
    source.budget = budget
    assert saved(mahc.learn(source, algorithm), tmp_path) == expected
    source.close()


def test_the_pruned_children_are_counted_here(asia: pl.DataFrame, tmp_path: Path) -> None:
    source = sharded(cut(asia, [300], tmp_path / "parts"), limit=10_000)
    mahc.learn(source, "mahc")
    # values, fingerprint, pairs, at most three levels of pruning, distinct rows, and rounds for tied variables
    assert source.passes <= 14


def test_a_family_too_large_for_complete_tables(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({f"v{k}": [f"s{x}" for x in rng.integers(0, 40, 400)] for k in range(6)})
    source = sharded(cut(frame, [100, 250], tmp_path / "parts"))
    family = Families.of([(0, [1, 2, 3, 4, 5]), (1, [0])])
    rows = EngineRows(mahc.read(frame))
    for name in ("bic", "qnml"):
        expected = CountScorer(rows, make_score(name)).score_families(family)
        assert CountScorer(source, make_score(name)).score_families(family).tolist() == expected.tolist()


def test_parquet_files_are_cut_into_pieces(asia: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "ROWS_PER_PIECE", 100)
    file = tmp_path / "all.parquet"
    asia.write_parquet(file, row_group_size=70)
    assert [(piece.first, piece.rows) for piece in find_pieces(file)] == [(100 * i, 100) for i in range(6)]
    assert saved(mahc.learn([file], "hc"), tmp_path) == saved(mahc.learn(asia, "hc"), tmp_path)


def test_folders_of_a_partitioned_table_are_a_column(asia: pl.DataFrame, tmp_path: Path) -> None:
    for value, part in asia.group_by("smoke"):
        folder = tmp_path / "table" / f"smoke={value[0]}"
        folder.mkdir(parents=True)
        part.drop("smoke").write_parquet(folder / "part.parquet")
    (tmp_path / "table" / "_SUCCESS").write_text("")
    learned = mahc.learn(tmp_path / "table", "mahc")
    assert set(learned.dag.arcs) == set(mahc.learn(asia, "mahc").dag.arcs)
    assert learned.data.fingerprint == mahc.read(asia).fingerprint()


def test_csv_and_arrow_files(asia: pl.DataFrame, tmp_path: Path) -> None:
    for name in ("csv", "arrow"):
        (tmp_path / name).mkdir()
    asia[:200].write_csv(tmp_path / "csv" / "a.csv")
    asia[200:].write_csv(tmp_path / "csv" / "b.csv")
    asia[:200].write_ipc(tmp_path / "arrow" / "a.arrow")
    asia[200:].write_ipc(tmp_path / "arrow" / "b.arrow")
    expected = saved(mahc.learn(asia), tmp_path)
    assert saved(mahc.learn(tmp_path / "csv"), tmp_path) == expected
    assert saved(mahc.learn(tmp_path / "arrow"), tmp_path) == expected


def test_categories_and_missing_values(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", None, "y"] * 20, "b": ["u", "v", None] * 20, "c": ["p", "q", "q"] * 20})
    frame = frame.with_columns(pl.col("b").cast(pl.Categorical), pl.col("c").cast(pl.Enum(["q", "p"])))
    folder = cut(frame, [7, 31], tmp_path / "parts")
    expected = saved(mahc.learn(frame, missing="state"), tmp_path)
    assert saved(mahc.learn(folder, missing="state"), tmp_path) == expected
    assert saved(mahc.learn(sharded(folder, ReadSettings(missing="state"))), tmp_path) == expected


@given(st.lists(st.integers(0, 2**50), min_size=1, max_size=8), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_weights_of_more_than_32_bits_are_counted_exactly(weights: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights[0] += 1
    columns = tuple(rng.integers(0, 3, len(weights)).astype(np.uint8) for _ in range(3))
    data = Dataset.coded(("a", "b", "c"), (("0", "1", "2"),) * 3, columns, np.array(weights, np.int64))
    found = WideRows(data, threads=1).count_families(Families.of([(0, [1, 2]), (2, [])]))
    table = np.zeros((3, 3, 3), dtype=object)
    for row, weight in zip(zip(*columns, strict=True), weights, strict=True):
        table[row[1], row[2], row[0]] += weight
    assert found.cells[:27].tolist() == table.ravel().tolist()
    assert found.cells[27:].tolist() == [int(table[:, c, :].sum()) for c in range(3)]


def test_ten_thousand_million_rows_have_the_score_of_their_proportions() -> None:
    small = mahc.read({"a": ["x", "x", "y", "y"], "b": ["u", "u", "v", "u"], "w": ["3", "1", "4", "1"]}, weights="w")
    many = Dataset.coded(small.names, small.labels, small.codes, small.weights * 10**9)  # type: ignore[operator]
    source = WideRows(many, threads=1)
    learned = mahc.learn(source, "hc", objective="loglik")
    expected = mahc.learn(small, "hc", objective="loglik")
    assert learned.data.size == 9 * 10**9
    assert sum(learned.outcome.local_scores) == pytest.approx(10**9 * sum(expected.outcome.local_scores), rel=1e-12)
