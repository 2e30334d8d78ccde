"""Names with the letters of patterns are names, in every version of polars that is allowed."""

from pathlib import Path

import polars as pl
import pytest

import mahc


@pytest.mark.parametrize("ending", ["arrow", "parquet", "csv"])
def test_a_file_whose_name_looks_like_a_pattern_is_read(ending: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 30, "b": ["u", "v"] * 30})
    path = tmp_path / f"rows[1]*.{ending}"
    {"arrow": frame.write_ipc, "parquet": frame.write_parquet, "csv": frame.write_csv}[ending](path)
    assert mahc.learn(path).arcs == mahc.learn([path]).arcs == mahc.learn(tmp_path).arcs == (("a", "b"),)
