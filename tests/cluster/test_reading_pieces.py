"""Reading in pieces: the findings of an audit, the states and the result are those of the same rows in one table."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import cut, saved, sharded

import mahc
from mahc.cluster import coding, text_pieces
from mahc.cluster.auditing import audit_pieces
from mahc.data import ReadSettings, audit
from mahc.errors import DataError, MahcError

TEXTS = ["x", "y ", "Y", "NA", "", "7", "7.0", "1,5", "missing", "longer than twelve bytes"]


def table(seed: int, rows: int) -> pl.DataFrame:
    """Columns of many types, with missing values."""
    rng = np.random.default_rng(seed)

    def gaps(column: pl.Series) -> pl.Series:
        return column.set(pl.Series(rng.random(rows) < 0.1), None)

    return pl.DataFrame(
        {
            "text": gaps(pl.Series(rng.choice(TEXTS, rows))),
            "whole": gaps(pl.Series(rng.integers(-9, 40, rows))),
            "real": gaps(pl.Series(np.round(rng.normal(0, 3, rows), 1))),
            "flag": pl.Series(rng.random(rows) < 0.5),
            "category": gaps(pl.Series(rng.choice(["p", "q"], rows), dtype=pl.Enum(["q", "p", "r"]))),
            "few": gaps(pl.Series(rng.choice([1.0, 2.0, float("nan")], rows))),
            "w": pl.Series(rng.integers(0, 3, rows)),
        }
    )


def findings(found: Any) -> Any:
    """What an audit found; which number is the example may depend on rows that are left out."""

    def plain(problem: Any) -> Any:
        return problem and replace(problem, message=re.sub(r"\(for example [^)]*\)", "", problem.message))

    columns = [replace(report, problem=plain(report.problem)) for report in found.columns]
    return found.rows, columns, [plain(problem) for problem in found.problems], found.notes, found.usable


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["error", "state", "drop"]),
        "missing_tokens": st.sampled_from([("NA",), ("7", "-9"), ("nowhere",)]),
        "discretise": st.sampled_from(["quantile:3", "equal-width:4", [0.0, 2.5], {"real": "quantile:5"}]),
        "merge_states": st.booleans(),
        "weights": st.just("w"),
        "drop": st.sampled_from([("real",), ("text", "w"), ("real", "text", "few")]),
        "decimal": st.just(","),
        "keep_unused_states": st.booleans(),
    },
)


@given(
    seed=st.integers(0, 10_000), rows=st.integers(1, 80), cuts=st.lists(st.integers(0, 80), max_size=4), options=OPTIONS
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_audit_in_pieces_finds_the_same(
    seed: int, rows: int, cuts: list[int], options: dict[str, Any], tmp_path: Path
) -> None:
    frame = table(seed, rows)
    folder = cut(frame, [min(at, rows) for at in cuts], tmp_path / "parts")
    try:
        chosen = ReadSettings(**options)
        expected = audit(frame, chosen)
    except MahcError:  # settings that contradict each other, or the table
        return
    if any(problem.kind == "weights" for problem in expected.problems):
        return
    found = audit_pieces(folder, chosen)
    assert findings(found) == findings(expected)
    if expected.dataset is None:
        with pytest.raises(DataError) as refused:
            mahc.learn(folder, "hc", **options)
        with pytest.raises(DataError) as usual:
            mahc.learn(frame, "hc", **options)
        sentences = [re.sub(r"\(for example [^)]*\)", "", str(each.value)) for each in (refused, usual)]
        assert sentences[0].removeprefix(f"{folder}: ") == sentences[1].removeprefix("the frame: ")


@pytest.mark.parametrize(
    "options", [{"missing": "drop"}, {"missing": "state", "weights": "w"}, {"missing": "drop", "weights": "w"}]
)
def test_the_saved_result_is_that_of_one_table(options: dict[str, Any], tmp_path: Path) -> None:
    frame = table(3, 400).drop("text")
    options = {**options, "discretise": "quantile:3"}
    folder = cut(frame, [90, 90, 250], tmp_path / "parts")
    expected = saved(mahc.learn(frame, "mahc", **options), tmp_path)
    assert saved(mahc.learn(folder, "mahc", **options), tmp_path) == expected
    for memory in (0, 1 << 30):
        assert saved(mahc.learn(sharded(folder, ReadSettings(**options), memory=memory)), tmp_path) == expected


@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["a", 'q"uote', "two\nlines", "comma,", ""]), st.sampled_from(["1", "2", "x"])),
        min_size=1,
        max_size=60,
    ),
    delimiter=st.sampled_from([",", ";", "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    size=st.integers(10, 200),
    bom=st.booleans(),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_text_files_are_cut_between_records(
    rows: list[tuple[str, str]], delimiter: str, newline: str, size: int, bom: bool, tmp_path: Path
) -> None:
    file = tmp_path / "table.csv"
    quoted = [['"' + field.replace('"', '""') + '"' for field in row] for row in [("name", "other"), *rows]]
    content = newline.join(delimiter.join(row) for row in quoted) + newline
    file.write_bytes((b"\xef\xbb\xbf" if bom else b"") + content.encode())
    chosen = ReadSettings(missing="state", delimiter=delimiter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_pieces, "BYTES_PER_PIECE", size)
        found = audit_pieces(file, chosen)
    assert findings(found) == findings(audit(file, chosen))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a,b\n1,2\n1,2,3\n1,2\n", 3),
        ("a,b\n" + "1,2\n" * 30 + "1\n", 32),
        ("a,b\n1,2\n\n1,2\n", 3),
        ("a,b\n\n1,2\n", 2),
    ],
)
def test_a_mistake_in_a_text_file_has_its_line(
    content: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_pieces, "BYTES_PER_PIECE", 8)
    (tmp_path / "table.csv").write_text(content)
    sentences = []
    for read in (audit_pieces, audit):
        with pytest.raises(MahcError) as refused:
            read(tmp_path / "table.csv")  # type: ignore[operator]
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]
    assert f"line {line}" in sentences[0]


def test_more_values_than_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coding, "MAX_VALUES", 30)
    frame = pl.DataFrame({"id": range(100), "real": [k / 7 for k in range(100)], "a": ["x", "y"] * 50})
    folder = cut(frame, [50], tmp_path / "parts")
    found = audit_pieces(folder)
    assert [(report.name, report.problem.kind if report.problem else None) for report in found.columns] == [
        ("id", "identifier"),
        ("real", None),
        ("a", None),
    ]
    assert [report.level for report in found.columns] == ["", "continuous", "nominal"]
    with pytest.raises(DataError, match="too many to discretise data in pieces: round the numbers"):
        mahc.learn(folder, discretise="quantile:3", drop=["id"])
    assert mahc.learn(folder, drop=["id", "real"]).data.rows == 100


def test_columns_that_are_not_used_are_not_decoded(tmp_path: Path) -> None:
    """The bytes of a column are destroyed: it does not matter where the column is left out."""
    file = tmp_path / "parts" / "a.parquet"
    file.parent.mkdir()
    pl.DataFrame({"a": ["x", "y"] * 50, "b": ["x", "y"] * 50, "c": ["x", "y"] * 50}).write_parquet(file)
    chunk = pytest.importorskip("pyarrow.parquet").read_metadata(file).row_group(0).column(2)
    begin = chunk.dictionary_page_offset or chunk.data_page_offset
    content = bytearray(file.read_bytes())
    content[begin : begin + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    file.write_bytes(content)
    for chosen in ({"columns": ["a", "b"]}, {"drop": ["c"]}):
        assert mahc.learn(file.parent, **chosen).arcs == (("a", "b"),)
    with pytest.raises(MahcError, match="damaged"):
        mahc.learn(file.parent)
