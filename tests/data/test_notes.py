"""Missing values, weights, discretisation and warnings: every decision is taken as asked and recorded."""

from __future__ import annotations

import itertools
import logging
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.data import Dataset, ReadSettings, audit, read, read_with
from mahc.errors import DataError


def kinds(data: Dataset) -> set[str]:
    return {decision.kind for decision in data.notes}


def test_error_names_columns_counts_and_the_three_ways_out() -> None:
    table = {f"v{j}": ["x", None, ""] for j in range(7)}
    with pytest.raises(DataError) as refusal:
        read(table)
    sentence = str(refusal.value)
    assert "7 of 7 columns: 'v0' (2), 'v1' (2), 'v2' (2), 'v3' (2), 'v4' (2) and 2 more" in sentence
    assert 'missing="state"' in sentence
    assert 'missing="drop" to leave out 2 of 3 rows' in sentence
    assert "fill the values in" in sentence


def test_state_makes_a_new_last_state_and_says_so() -> None:
    data = read({"a": ["z", None, "a"], "b": [1, 2, 3]}, missing="state")
    assert data.labels == (("a", "z", "missing"), ("1", "2", "3"))
    assert data.codes[0].tolist() == [1, 2, 0]
    made = [d for d in data.notes if d.kind == "missing-state"]
    assert [(d.column, d.numbers) for d in made] == [("a", (1.0,))]


@pytest.mark.parametrize(
    "gap", [None, "", float("nan"), np.nan, np.float64("nan"), pd.NA, pd.NaT, Decimal("NaN"), Decimal("sNaN")]
)
def test_every_sort_of_nothing_is_missing(gap: object) -> None:
    assert read({"a": ["x", gap, "y", gap]}, missing="state").labels == (("x", "y", "missing"),)
    assert read({"a": [1, gap, 2, gap]}, missing="drop").labels == (("1", "2"),)


def test_state_does_not_collide_in_silence() -> None:
    table = {"a": ["missing", None, "x"]}
    with pytest.raises(
        DataError, match=r"'a' has missing values and also a state called 'missing': pass missing_tokens="
    ):
        read(table, missing="state")
    assert read(table, missing="state", missing_tokens=["missing"]).states == (("x", "missing"),)
    assert read({"a": ["missing", "x"]}, missing="state").labels == (("missing", "x"),)
    with pytest.raises(DataError, match="values are missing"):
        read(table)


def test_drop_says_how_many_rows_went_and_forgets_their_states() -> None:
    data = read({"a": ["x", "", "y", "z"], "b": ["1", "2", "", "3"]}, missing="drop")
    assert data.rows == 2
    assert data.labels == (("x", "z"), ("1", "3"))
    (made,) = [d for d in data.notes if d.kind == "dropped-rows"]
    assert made.numbers == (2.0, 4.0)
    assert "2 of 4 rows dropped: values missing in 'a' (1), 'b' (1)" in made.message


def test_types_are_decided_from_the_rows_that_stay() -> None:
    assert read({"a": ["10", "9", "word"], "b": ["x", "y", ""]}, missing="drop").labels[0] == ("9", "10")


def test_dropping_every_row_is_refused() -> None:
    with pytest.raises(DataError, match="every row has a missing value"):
        read({"a": ["x", None], "b": [None, "y"]}, missing="drop")


def test_tokens_mean_missing_as_text_and_as_number() -> None:
    for values in (["NA", "1", "-9"], ["NA", "1", "-9.0"]):
        data = read({"a": values}, missing="state", missing_tokens=["NA", -9])
        assert data.labels == (("1", "missing"),)
    for values in ([-9, 1, 2], [-9.0, 1, 2], np.array([-9.0, 1, 2]), np.array([-9, 1, 2])):
        assert read({"a": values}, missing="drop", missing_tokens=["-9"]).states == ((1, 2),)
    cut = read({"a": np.array([-9.0, 1.5, 2.5])}, missing="state", missing_tokens=[-9], discretise=[2])
    assert cut.labels == (("<= 2", "> 2", "missing"),)


def test_look_alikes_are_values_with_a_warning_until_named() -> None:
    data = read({"a": ["NA", "yes", "no", "NA"], "b": ["1", "?", "2", "3"]})
    assert data.labels == (("NA", "no", "yes"), ("1", "2", "3", "?"))
    found = [(w.column, w.numbers) for w in data.warnings if w.kind == "look-alike"]
    assert found == [("a", (2.0,)), ("b", (1.0,))]
    assert read({"a": ["NA", "yes", "no"]}, missing="drop", missing_tokens=["NA"]).states == (("no", "yes"),)


def test_a_token_that_never_occurs_is_warned_about() -> None:
    data = read({"a": ["x", "y"]}, missing_tokens=["NA"])
    assert "unused-token" in kinds(data)


def test_a_column_without_any_value_is_one_state() -> None:
    assert read({"a": [None, None], "b": [1, 2]}, missing="state").labels[0] == ("missing",)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1, -1], r"row 2 is '-1'"),
        ([None, 1], r"row 1 is missing"),
        (["x", "1"], r"row 1 is 'x'"),
        ([0, 0], r"zero in every row"),
        ([2**53 - 1, 2**53 - 1], r"above the maximum of 2\^53 - 1"),
        ([1, 2**53], r"row 2 is '.*', not a number from 0 to 2\^53 - 1"),
        ([float("inf"), 1], r"row 1 is 'inf'"),
        (np.array([1.0, np.nan]), r"row 2 is missing"),
        ([True, False], r"row 1 is 'true'"),
    ],
)
def test_bad_weights_name_the_row_and_the_fix(weights: Any, says: str) -> None:
    with pytest.raises(DataError, match=says) as refusal:
        read({"a": ["x", "y"], "n": weights}, weights="n")
    assert "give every row a number" in str(refusal.value)


def test_weights_beside_the_data_are_checked_too() -> None:
    assert read({"a": ["x", "y"]}, weights=[3, 4]).size == 7
    assert read({"a": ["x", "y"]}, weights=np.array([3.0, 4.0])).size == 7
    for bad, says in (
        ([1], "one weight per row"),
        (["x", "y"], "not numbers"),
        ([1, -1], "row 2"),
        ([0, 0], "zero"),
    ):
        with pytest.raises(DataError, match=says):
            read({"a": ["x", "y"]}, weights=bad)


def test_rows_of_weight_zero_go_with_their_states_and_gaps() -> None:
    data = read({"a": ["x", "y", ""], "n": ["2", "3.0", "0"]}, weights="n")
    assert data.names == ("a",)
    assert data.labels == (("x", "y"),)
    assert data.weights is not None
    assert data.weights.tolist() == [2, 3]
    assert data.weights.dtype == np.int64
    assert not data.weights.flags.writeable
    assert (data.rows, data.size) == (2, 5)
    assert "zero-weight-rows" in kinds(data)


def test_weights_from_a_file_with_many_different_counts(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text("a,n\n" + "".join(f"{row % 3},{row}\n" for row in range(70_000)))
    data = read(path, weights="n")
    assert data.size == 69_999 * 35_000
    assert data.rows == 69_999


row = st.tuples(st.sampled_from("abc"), st.sampled_from([0.5, 1.25, 2.0, 7.5]))


@settings(max_examples=80)
@given(st.lists(row, min_size=2, max_size=30), st.sampled_from(["quantile:3", "equal-width:3", "1.25,2"]))
def test_unique_rows_with_counts_mean_the_long_table(rows: list[tuple[str, float]], rule: str) -> None:
    long = read({"a": [r[0] for r in rows], "b": [r[1] for r in rows]}, discretise={"b": rule})
    unique = sorted(set(rows))
    counts = [rows.count(r) for r in unique]
    short = {"a": [r[0] for r in unique], "b": [r[1] for r in unique], "n": counts}
    weighted = read(short, discretise={"b": rule}, weights="n")
    assert weighted.labels == long.labels
    assert weighted.size == long.size
    assert weighted.fingerprint() == long.fingerprint()


def test_discretising_is_recorded_with_its_cut_points() -> None:
    table = {"x": [0.5, 1.5, 2.5, 4.5], "n": [1, 2, 3, 4]}
    data = read(table, discretise="equal-width:2")
    assert data.labels == (("<= 2.5", "> 2.5"), ("1", "2", "3", "4"))  # integers are states already
    assert data.codes[0].tolist() == [0, 0, 0, 1]
    (made,) = [d for d in data.notes if d.kind == "discretised"]
    assert (made.column, made.numbers) == ("x", (2.5,))
    assert "equal-width:2" in made.message


def test_rules_may_be_given_per_column() -> None:
    table = {"x": [0.5, 1.5, 2.5, 4.5], "age": [10, 20, 70, 30]}
    data = read(table, discretise={"x": "quantile:2", "age": [18, 65]})
    assert data.labels == (("<= 1.5", "> 1.5"), ("<= 18", "(18, 65]", "> 65"))
    with pytest.raises(DataError, match="'x' holds real numbers"):
        read_with(table, ReadSettings(discretise={"age": [18]}))


def test_intervals_that_do_not_occur_are_no_states_unless_kept() -> None:
    table = {"x": [0.5, 0.6, 9.5]}
    data = read(table, discretise="equal-width:3")
    assert data.labels == (("<= 3.5", "> 6.5"),)
    assert next(w.kind for w in data.warnings if w.column == "x") == "discretised"
    kept = read(table, discretise=[1, 5, 20], keep_unused_states=True)
    assert kept.labels == (("<= 1", "(1, 5]", "(5, 20]", "> 20"),)


def test_missing_values_stay_missing_when_the_rest_is_cut() -> None:
    for values in ([0.5, None, 2.5], ["0.5", "", "2.5"], np.array([0.5, np.nan, 2.5])):
        data = read({"x": values}, discretise={"x": [1]}, missing="state")
        assert data.labels == (("<= 1", "> 1", "missing"),)
        assert data.codes[0].tolist() == [0, 2, 1]


def test_words_cannot_be_discretised() -> None:
    with pytest.raises(DataError, match=r"'a' cannot be discretised: it holds 'old'"):
        read({"a": ["1.5", "old"]}, discretise={"a": "quantile:2"})


@given(
    st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=2, max_size=50),
    st.sampled_from(["equal-width:4", "quantile:4", "quantile:7", "0", "-5,0,5"]),
)
def test_every_number_lies_in_its_interval(numbers: list[float], rule: str) -> None:
    data = read({"x": np.array(numbers)}, discretise={"x": rule}, keep_unused_states=True)
    (made,) = [d for d in data.notes if d.kind == "discretised"]
    bounds = [-np.inf, *made.numbers, np.inf]
    assert all(low < high for low, high in itertools.pairwise(bounds))
    for number, code in zip(numbers, data.codes[0], strict=True):
        assert bounds[code] < number <= bounds[code + 1]


@pytest.mark.parametrize(
    ("values", "kind", "numbers"),
    [
        (["x"] * 20, "constant", (1.0,)),
        ([f"id{i}" for i in range(20)], "identifier", (20.0, 20.0)),
        (["a", "b", "c", "d", "e"] * 4, "many-states", (5.0, 20.0)),
        (["yes", "yes "] * 10, "spaces", (1.0,)),
        (["Yes", "yes"] * 10, "case", ()),
        (["2024-01-05", "2024-02-05"] * 10, "dates", ()),
    ],
)
def test_doubtful_columns_are_kept_with_a_warning(values: list[str], kind: str, numbers: tuple[float, ...]) -> None:
    data = read({"a": values, "b": ["x", "y"] * 10})
    assert [(w.column, w.kind, w.numbers) for w in data.warnings] == [("a", kind, numbers)]
    assert data.names == ("a", "b")


@pytest.mark.parametrize("values", [[f"p{i}" for i in range(20)], [f"2024-01-{i:02}" for i in range(1, 21)]])
def test_an_identifier_is_left_out_or_named_as_states(values: list[str]) -> None:
    table = {"a": values, "b": ["x", "y"] * 10}
    (note,) = (each for each in read(table).warnings if each.kind == "identifier")
    assert note.sentence() == (
        "column 'a': looks like an identifier, whose arcs mean nothing: 20 states in 20 rows; leave it out with "
        'drop=["a"], or pass categorical=["a"] if they are states'
    )
    assert "identifier" not in [each.kind for each in read(table, categorical=["a"]).warnings]
    light = read({"a": values * 2, "b": ["x", "y"] * 20}, weights=[0.5] * 40)  # of total weight 20
    assert "identifier" not in [each.kind for each in light.warnings]


def test_warnings_are_logged_not_printed(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    table = {f"c{j}": ["x"] * 20 for j in range(15)}
    with caplog.at_level(logging.WARNING, logger="mahc.data"):
        read(table)
    assert "column 'c0': constant" in caplog.messages[0]
    assert caplog.messages[-1] == "5 more warnings: see Dataset.warnings"
    assert len(caplog.messages) == 11
    assert capfd.readouterr().out == ""


def test_an_audit_says_what_was_found_in_each_column() -> None:
    found = audit({"a": ["x", None], "b": [1, 2], "c": [0.5, 1.5]}, ReadSettings())
    assert [(v.name, v.kind, v.states, v.missing) for v in found.columns] == [
        ("a", "text", 1, 1),
        ("b", "integer", 2, 0),
        ("c", "real", None, 0),
    ]
