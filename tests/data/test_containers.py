"""The same data in any container give equal data sets; what no container may hold is refused."""

from __future__ import annotations

import csv
import datetime
import decimal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.data import Kind, ReadSettings, read, read_with
from mahc.errors import DataError

# A state called 'missing' beside missing values is refused.
word = st.text(st.characters(codec="utf-8", exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=12).filter(
    lambda text: text.strip().lower() != "missing"
)
kinds = st.sampled_from(
    [st.integers(-(2**40), 2**40), st.integers(0, 3), st.booleans(), word, st.sampled_from(["yes", "no"])]
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    rows = draw(st.integers(2, 8))
    values = draw(st.lists(kinds, min_size=1, max_size=3))
    return {f"v{j}": draw(st.lists(kind, min_size=rows, max_size=rows)) for j, kind in enumerate(values)}


def containers(table: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    frame = pl.DataFrame(table)
    frame.write_parquet(folder / "t.parquet")
    frame.write_ipc(folder / "t.arrow")
    with (folder / "t.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return {
        "arrays": {name: np.array(values, dtype=_dtype(values)) for name, values in table.items()},
        "objects": np.array(list(table.values()), dtype=object).T,
        "polars": frame,
        "lazy": frame.lazy(),
        "arrow": frame.to_arrow(),
        "batch": frame.to_arrow().combine_chunks().to_batches()[0],
        "pandas": pd.DataFrame(table),
        "pandas objects": pd.DataFrame(table, dtype=object),
        "pandas nullable": pd.DataFrame(table).convert_dtypes(),
        "pandas series": {name: pd.Series(values) for name, values in table.items()},
        "polars series": {name: frame[name] for name in frame.columns},
        "parquet": folder / "t.parquet",
        "ipc": folder / "t.arrow",
        "csv": folder / "t.csv",
    }


def _dtype(values: list[Any]) -> Any:
    return object if isinstance(values[0], str) else None


@settings(max_examples=8, deadline=None)  # an Arrow file is first tried in a process of its own
@given(tables())
def test_every_container_gives_an_equal_data_set(table: dict[str, list[Any]]) -> None:
    wanted = read(table, missing="state", drop=[])
    with tempfile.TemporaryDirectory() as folder:
        for kind, container in containers(table, Path(folder)).items():
            extra: dict[str, Any] = {"names": list(table)} if kind == "objects" else {}
            if kind == "csv":
                extra = {"delimiter": ",", "quote": '"'}
            found = read(container, missing="state", **extra)
            assert found == wanted, kind


def test_whole_numbers_are_the_same_in_any_clothes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("v\n10\n9\n-1\n10\n")
    wanted = read(path)
    assert wanted.states == ((-1, 9, 10),)
    numbers = [10, 9, -1, 10]
    for dtype in ("int8", "int16", "int32", "int64", "float32", "float64"):
        assert read(np.array(numbers, dtype=dtype)[:, None], names=["v"]) == wanted
        assert read(pd.DataFrame({"v": np.array(numbers, dtype=dtype)})) == wanted
    assert read({"v": ["10", "9", "-1", "10"]}) == wanted  # the labels are the same
    assert read({"v": ["10", "9.0", "-1", "1e1"]}).states == (("-1", "9.0", "10", "1e1"),)  # text stays text
    assert read({"v": [decimal.Decimal("10.00"), 9, -1.0, 10]}) == wanted
    assert read(pl.DataFrame({"v": numbers}, schema={"v": pl.Decimal(10, 2)})) == wanted
    assert read(np.array([["10"], ["9"], ["-1"], ["10"]]), names=["v"]) == wanted


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64", "int64"])
def test_the_whole_range_of_a_type_is_told_apart(dtype: str) -> None:
    info = np.iinfo(dtype)
    data = read({"v": np.array([info.min, info.max, 1, info.min], dtype=dtype)})
    assert data.labels == (tuple(str(n) for n in sorted({int(info.min), 1, int(info.max)})),)


def test_integers_that_became_floats_through_nan_are_integers() -> None:
    frame = pd.DataFrame({"v": [1.0, None, 2.0, 10.0]})
    wanted = (("1", "2", "10", "missing"),)
    assert read(frame, missing="state").labels == wanted
    assert read(frame.convert_dtypes(), missing="state").labels == wanted
    assert read(pl.DataFrame({"v": [1, None, 2, 10]}), missing="state").labels == wanted
    assert read(pa.table({"v": [1, None, 2, 10]}), missing="state").labels == wanted
    assert read(np.array([[1.0], [np.nan], [2], [10]]), missing="state").labels == wanted
    assert read({"v": np.ma.masked_equal([1, 7, 2, 10], 7)}, missing="state").labels == wanted


def test_wide_integers_keep_their_digits() -> None:
    big = [2**62 + 1, 2**62 + 2, None]
    wanted = ((str(2**62 + 1), str(2**62 + 2), "missing"),)
    assert read({"v": big}, missing="state").labels == wanted
    assert read(pl.DataFrame({"v": big}), missing="state").labels == wanted
    assert read(pd.DataFrame({"v": pd.array(big, dtype="Int64")}), missing="state").labels == wanted
    assert read({"v": [1e20, 1.0]}).states == ((1, 10**20),)
    assert read({"v": np.array([1e20, 1.0])}).states == ((1, 10**20),)


def test_truth_values_and_gaps() -> None:
    wanted = (("false", "true", "missing"),)
    values = [True, None, False]
    for source in (
        {"v": values},
        pl.DataFrame({"v": values}),
        pd.DataFrame({"v": values}),
        pd.DataFrame({"v": pd.array(values, dtype="boolean")}),
        pa.table({"v": values}),
    ):
        assert read(source, missing="state").labels == wanted
    assert read({"v": ["TRUE", "", "FALSE"]}, missing="state").labels == (("FALSE", "TRUE", "missing"),)
    assert read({"v": ["TRUE", "True", "False"]}).states == (("False", "TRUE", "True"),)


def test_declared_categories_keep_their_order() -> None:
    grades = ["low", "mid", "high", "top"]
    values = ["mid", "low", "high", None]
    pandas = pd.DataFrame({"v": pd.Categorical(values, categories=grades)})
    enum = pl.DataFrame({"v": values}, schema={"v": pl.Enum(grades)})
    for frame in (pandas, enum):
        assert read(frame, missing="state").labels == (("low", "mid", "high", "missing"),)
        assert read(frame, missing="drop").labels == (("low", "mid", "high"),)
        wide = read(frame, missing="state", keep_unused_states=True)
        assert wide.labels == (("low", "mid", "high", "top", "missing"),)
        assert [wide.labels[0][k] for k in wide.codes[0]] == ["mid", "low", "high", "missing"]
        assert read(frame, missing="drop", missing_tokens=["mid"]).states == (("low", "high"),)
    assert read(pd.DataFrame({"v": pd.Categorical([3, 1, 2], categories=[3, 2, 1])})).states == ((3, 2, 1),)
    reals = pd.DataFrame({"v": pd.Categorical([0.5, 1.5])})
    assert read(reals).labels == (("0.5", "1.5"),)  # declared: never re-read as real numbers


def test_undeclared_categories_are_text() -> None:
    polars = pl.DataFrame({"v": ["10", "9", None]}, schema={"v": pl.Categorical})
    arrow = pa.table({"v": pa.array(["10", "9", None]).dictionary_encode()})
    for frame in (polars, arrow):
        assert read(frame, missing="state").labels == (("9", "10", "missing"),)


def test_two_categories_of_one_text_are_refused() -> None:
    frame = pd.DataFrame({"v": pd.Categorical([1, "1"], categories=[1, "1"])})
    with pytest.raises(DataError, match="two categories of the same text"):
        read(frame)


def test_mixed_types_are_read_as_text_and_warned_about() -> None:
    data = read({"v": ["a", 1, True, 2.0]})
    assert data.labels == (("1", "2", "a", "true"),)
    assert "mixed-types" in {warning.kind for warning in data.warnings}


DAY = datetime.date(2024, 1, 5)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"v": [DAY]}, "date or time"),
        ({"v": [datetime.timedelta(1)]}, "date or time"),
        ({"v": np.array(["2024-01-05"], dtype="M8[D]")}, "date or time"),
        (pl.DataFrame({"v": [DAY]}), "date or time"),
        (pd.DataFrame({"v": pd.to_datetime(["2024-01-05"])}), "date or time"),
        (pd.DataFrame({"v": [DAY]}), "date or time"),
        (pa.table({"v": [DAY]}), "date or time"),
        ({"v": [[1]]}, "list"),
        ({"v": ["x", ([1], 2)]}, "tuple"),
        ({"v": [b"x"]}, "bytes"),
        ({"v": [1j]}, "complex"),
        ({"v": np.array([b"x"])}, "nested or unknown"),
        (pl.DataFrame({"v": [[1]]}), "List"),
        (pl.DataFrame({"v": [{"a": 1}]}), "Struct"),
        (pl.DataFrame({"v": [b"x"]}), "Binary"),
        (pd.DataFrame({"v": [[1]]}), "list"),
        (pa.table({"v": [[1]]}), "List"),
    ],
)
def test_types_without_states_are_refused_with_the_fix(source: Any, says: str) -> None:
    with pytest.raises(DataError, match=rf"column 'v' holds values of type .*{says}.*leave it out"):
        read(source)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (7, "data of type int are not supported"),
        ([[1, 2]], "data of type list are not supported"),
        (np.zeros(3), "pass two"),
        (np.zeros((0, 3)), "at least one row"),
        (np.zeros(2, dtype=[("a", int)]), "structured"),
        ({}, "no columns"),
        ({"a": []}, "no rows"),
        ({"a": "xyz"}, "give a list"),
        ({"a": [1], "b": [1, 2]}, "differ in length"),
        ({("a", "b"): [1]}, "not text"),
        ({"a": [1], " a": [1]}, "spaces around"),
        ({1: [1], "1": [1]}, "not unique"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "not unique"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pd.DataFrame({None: [1]}), "not text"),
        (pl.DataFrame({"a": []}), "no rows"),
        (pl.DataFrame(), "no columns"),
        (pl.DataFrame({"": [1]}), "no name for column 1"),
        (pa.table([[1], [2]], names=["a", "a"]), "not unique"),
    ],
)
def test_other_sources_are_refused(source: Any, says: str) -> None:
    with pytest.raises(DataError, match=says):
        read(source)


def test_more_states_than_codes_are_refused_everywhere() -> None:
    ids = list(range(65_536))
    for source in ({"v": ids}, {"v": np.array(ids)}, {"v": np.array(ids, dtype=float)}):
        with pytest.raises(
            DataError, match=r"'v' holds 65,536 different whole numbers in 65,536 rows, as an identifier"
        ):
            read(source)
        assert read(source, continuous=["v"]).kinds == {Kind.CONTINUOUS}
    texts = [f"v{i}" for i in ids]
    for source in (pl.DataFrame({"v": texts}), pd.DataFrame({"v": texts})):
        with pytest.raises(DataError, match=r"'v' has 65,536 states in 65,536 rows, and 65,535 is the most"):
            read_with(source, ReadSettings())
    large = {"v": np.array(ids) * 10**9}
    assert read(large).kinds == {Kind.CONTINUOUS}
    with pytest.raises(DataError, match=r"'v' holds 65,536 different whole numbers, more than 20"):
        read_with(large, ReadSettings())
    assert read({"v": np.array(ids)}, discretise={"v": "quantile:2"}).state_counts.tolist() == [2]


def test_infinite_numbers_are_refused() -> None:
    for source in ({"v": [1.5, float("inf")]}, {"v": np.array([1.0, -np.inf])}, {"v": [1.0, float("inf")]}):
        for rule in (None, "quantile:2"):
            with pytest.raises(DataError, match="holds an infinite number"):
                read(source, discretise=rule)


def test_names_of_arrays() -> None:
    assert read(np.zeros((2, 3), dtype=int)).names == ("x0", "x1", "x2")
    with pytest.raises(DataError, match="2 names for an array of 3 columns"):
        read(np.zeros((2, 3), dtype=int), names=["a", "b"])
    assert read(pd.DataFrame(np.zeros((2, 2), dtype=int))).names == ("0", "1")


def test_a_data_set_is_returned_as_it_is() -> None:
    data = read({"a": [1, 2]})
    assert read(data) is data


def test_reading_a_csv_imports_no_frame_library(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    code = f"import sys; from mahc.data import read; read({str(path)!r}); print('|'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"polars", "pandas", "pyarrow", "narwhals"} & set(done.stdout.strip().split("|"))


def test_a_single_series_is_refused() -> None:
    for source in (pd.Series([1, 2]), pl.Series([1, 2])):
        with pytest.raises(DataError, match="a series is only one column: pass a frame"):
            read(source)


def test_values_of_several_types_that_read_the_same_are_one_state() -> None:
    data = read({"a": [1, "1", True, "x"]})
    assert data.labels == (("1", "true", "x"),)
    assert "mixed-types" in {warning.kind for warning in data.warnings}
