"""Columns that were read once stay in memory until they are coded, where they fit; rows are sorted by packed codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cluster.opening import open_runner
from mahc.cluster.piece_column import PieceColumn
from mahc.cluster.pieces import FilePiece, find_pieces
from mahc.cluster.runner import LocalRunner
from mahc.cluster.sharded_rows import sort_rows
from mahc.results.learned import Learned


@given(st.data())
def test_rows_are_sorted_as_tuples_are(data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 30))
    largest = data.draw(st.lists(st.sampled_from([0, 1, 2, 255, 256, 65_535, 2**32 - 1, -1]), min_size=1, max_size=12))
    columns = []
    for most in largest:
        if most < 0:
            columns.append(np.array(data.draw(st.lists(st.floats(-2, 2), min_size=rows, max_size=rows)), np.float64))
        else:
            kind = np.uint8 if most < 256 else np.uint16 if most < 65_536 else np.uint32
            columns.append(np.array(data.draw(st.lists(st.integers(0, most), min_size=rows, max_size=rows)), kind))
    found = sort_rows(columns)
    table = list(zip(*(column.tolist() for column in columns), strict=True))
    assert [table[place] for place in found] == sorted(table)


def learn_and_count(folder: Path, memory: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Learned, int]:
    """The result, and how many columns of pieces were read."""
    read = 0
    columns = FilePiece.columns

    def counted(piece: FilePiece, names: Sequence[str]) -> Iterator[PieceColumn]:
        nonlocal read
        read += len(names)
        return columns(piece, names)

    monkeypatch.setattr(FilePiece, "columns", counted)
    source = open_runner(LocalRunner(find_pieces(folder), memory_bytes=memory), ["a", "b", "c"])
    found = mahc.learn(source)
    monkeypatch.undo()
    return found, read


def test_files_are_read_once_where_their_columns_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    parts = [pl.DataFrame({name: draw.integers(0, 3, 5_000).astype(str) for name in "abc"}) for _ in range(2)]
    for place, part in enumerate(parts):
        part.write_parquet(tmp_path / f"{place}.parquet")
    expected = mahc.learn(pl.concat(parts))
    for memory, read in ((1 << 30, 6), (0, 12), (11_000, 10)):
        assert learn_and_count(tmp_path, memory, monkeypatch) == (expected, read)


def test_the_record_counts_the_bytes_of_files_once(tmp_path: Path) -> None:
    pl.DataFrame({"a": ["x", "y"] * 500, "b": ["u", "v"] * 500}).write_parquet(tmp_path / "rows.parquet")
    passes = mahc.learn(tmp_path, "hc").data.passes
    assert passes is not None
    assert passes.phases["values"].bytes == (tmp_path / "rows.parquet").stat().st_size
    assert passes.phases["distinct rows"].bytes == 0
