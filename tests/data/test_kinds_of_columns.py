"""Which columns are nominal, ordinal and continuous, and which are refused instead."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mahc
from mahc.data import Continuous, Discrete, audit, read
from mahc.data.prepare.types import MANY_NUMBERS
from mahc.data.reading_record import record_reading
from mahc.errors import DataError, SettingError, UnknownNameError

GRADES = ["low", "high", "medium", "low"] * 5


def level(values: object, name: str = "v", **reading: object) -> tuple[str, str]:
    """How a column is used and why; a refusal has the kind of its problem."""
    (found,) = audit({name: values}, **reading).columns
    return (found.level, found.why) if found.problem is None else ("", found.problem.kind)


def test_every_column_has_a_kind_and_a_reason() -> None:
    generator = np.random.default_rng(1)
    assert level(GRADES) == ("nominal", "text")
    assert level([True, False] * 9) == ("nominal", "true and false")
    assert level([1, 2, 3] * 9) == ("nominal", "3 whole numbers, at most 20 are states")
    assert level(generator.normal(size=50)) == ("continuous", "real numbers")
    assert level(list(range(MANY_NUMBERS)) * 9)[0] == "nominal"
    assert level(list(range(MANY_NUMBERS + 1)) * 9) == ("continuous", "21 whole numbers, more than 20")
    assert level(GRADES, ordinal={"v": ["low", "medium", "high"]}) == ("ordinal", "order given")
    assert level([1, 2, 3] * 9, continuous=["v"]) == ("continuous", "named in continuous, 3 numbers")
    assert level([0.5, 1.5] * 9, categorical=["v"]) == ("nominal", "named in categorical")
    assert level(generator.normal(size=50), discretise="quantile:3") == ("nominal", "numbers cut into 3 intervals")


def test_a_given_order_is_kept(tmp_path: Path) -> None:
    (column,) = read({"grade": GRADES}, ordinal={"grade": ["low", "medium", "high"]}).columns
    assert column == Discrete(("low", "medium", "high"), np.array([0, 2, 1, 0] * 5), ordered=True)
    (column,) = read({"stage": [3, 1, 2, 1]}, ordinal={"stage": ["1", "2.0", 3]}).columns
    assert column == Discrete((1, 2, 3), np.array([2, 0, 1, 0]), ordered=True)
    path = tmp_path / "grades.csv"
    path.write_text("grade\n" + "".join(f"{grade}\n" for grade in GRADES))
    assert read(path, ordinal={"grade": ["low", "medium", "high"]}).columns[0].as_array().tolist()[:3] == [0, 2, 1]
    found = read({"grade": GRADES}, ordinal={"grade": ["none", "low", "medium", "high"]})
    assert [note.message for note in found.warnings] == ["the state 'none' of its order does not occur"]


def test_ordered_categories_of_frames_are_ordinal() -> None:
    ordered = pd.CategoricalDtype(["low", "medium", "high"], ordered=True)
    for grades, expected in (
        (pd.Series(GRADES, dtype=ordered), True),
        (pd.Series(GRADES, dtype=pd.CategoricalDtype(["low", "medium", "high"])), False),
    ):
        (column,) = read(pd.DataFrame({"grade": grades})).columns
        assert (column.states, column.ordered) == (("low", "medium", "high"), expected)  # type: ignore[union-attr]
    enum = pl.Series(GRADES, dtype=pl.Enum(["low", "medium", "high"]))
    (column,) = read(pl.DataFrame({"grade": enum})).columns
    assert (column.states, column.ordered) == (("low", "medium", "high"), True)  # type: ignore[union-attr]
    texts = read({"grade": GRADES})
    assert texts.fingerprint() != read(pl.DataFrame({"grade": enum})).fingerprint()


@pytest.mark.parametrize(
    ("settings", "kind", "says"),
    [
        ({"ordinal": {"grade": ["low", "high"]}}, DataError, "'medium', which is not in its order"),
        ({"ordinal": {"grad": ["low", "high"]}}, UnknownNameError, "did you mean 'grade'"),
        ({"ordinal": {"grade": ["low"]}}, SettingError, "ordinal is"),
        ({"ordinal": {"grade": ["low", "low"]}}, SettingError, "lists 'low' twice for column 'grade'"),
        ({"ordinal": {"grade": ["a", "b"]}, "categorical": ["grade"]}, SettingError, "both name 'grade'"),
        ({"ordinal": {"grade": ["a", "b"]}, "continuous": ["grade"]}, SettingError, "both name 'grade'"),
        ({"continuous": ["age"], "discretise": {"age": "quantile:2"}}, SettingError, "both name 'age'"),
        ({"continuous": ["grade"]}, DataError, "is to be continuous, but holds 'low'"),
        ({"continuous": ["none"]}, UnknownNameError, "unknown column 'none'"),
    ],
)
def test_orders_and_numbers_that_do_not_fit(settings: dict[str, object], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        read({"grade": GRADES, "age": list(range(20))}, **settings)  # type: ignore[arg-type]


def test_a_rule_for_all_columns_leaves_continuous_columns_alone() -> None:
    numbers = np.random.default_rng(2).normal(size=40)
    found = read({"a": numbers, "b": numbers}, discretise="quantile:2", continuous=["b"])
    assert [column.state_count for column in found.columns] == [2, None]


def test_identifiers_and_dates_are_told_from_measurements() -> None:
    generator = np.random.default_rng(3)
    rows = 500
    incomes = generator.choice(200_000, rows, replace=False)
    assert level(np.arange(rows)) == ("", "identifier")
    assert level(10_000 + 2 * generator.permutation(rows)) == ("", "identifier")
    assert level(incomes)[0] == "continuous"
    for name in ("id", "patient_id", "PatientID", "record no", "serial"):
        assert level(incomes, name) == ("", "identifier")
    for name in ("paid", "grid", "volume", "key figures"):
        assert level(incomes, name)[0] == "continuous"
    assert level(np.arange(rows), continuous=["v"])[0] == "continuous"
    assert level(generator.integers(20, 80, rows))[0] == "continuous"
    days = [20200100 + 100 * (day // 28 % 12) + 1 + day % 28 for day in range(rows)]
    assert level(days) == ("", "dates")


@pytest.mark.parametrize("values", [[f"{dose} mg" for dose in range(30)], [f"{share / 2}%" for share in range(30)]])
def test_numbers_with_units_are_refused(values: list[str], tmp_path: Path) -> None:
    path = tmp_path / "doses.csv"
    path.write_text("dose,a\n" + "".join(f"{value},x\n" for value in values))
    for data in ({"dose": values}, path):
        with pytest.raises(DataError, match=r"'dose' holds numbers with units \(for example '0"):
            read(data)
        assert read(data, categorical=["dose"]).columns[0].state_count == 30
    assert read({"dose": ["5 mg", "10 mg"] * 20}).columns[0].state_count == 2
    assert read({"house": [f"{number}{'abcd'[number % 4]}" for number in range(30)]}).columns[0].state_count == 30


def test_few_numbers_are_said(tmp_path: Path) -> None:
    assert [note.kind for note in read({"v": [1.5] * 20}).warnings] == ["constant"]
    assert [note.kind for note in read({"v": [1.5, 2.5] * 20}).warnings] == ["two-numbers"]
    path = tmp_path / "commas.csv"
    path.write_text("v;w\n" + "".join(f"{row},5;{row % 2}\n" for row in range(30)))
    with pytest.raises(DataError, match="decimal commas"):
        read(path)
    assert read(path, decimal=",").columns[0] == Continuous(np.arange(30) + 0.5)


def test_missing_numbers_are_no_state() -> None:
    numbers = [1.5, None, 2.5, 3.5] * 5
    with pytest.raises(DataError, match=r"'v' holds numbers, some of which are missing and cannot be a state"):
        read({"v": numbers}, missing="state")
    assert [problem.kind for problem in audit({"v": numbers}, missing="state").problems] == ["missing-numbers"]
    (problem,) = audit({"v": numbers}).problems
    assert 'missing="impute"' in str(problem.fix)
    assert read({"v": numbers}, missing="drop").rows == 15


def test_the_record_keeps_kinds() -> None:
    few = {"grade": GRADES, "stage": [1, 2, 3, 4] * 5, "age": list(range(30, 50))}
    settings = {"ordinal": {"grade": ["low", "medium", "high"]}, "continuous": ["stage"]}
    data = read({**few, "age": [row * 10 for row in range(20)]}, **settings)  # type: ignore[arg-type]
    assert data.reading is not None
    record = record_reading(data.reading, data.notes)
    assert record.settings == {"ordinal": {"grade": ["low", "medium", "high"]}, "continuous": ["stage"]}
    many = read({"age": [row * 10 for row in range(25)]})
    assert many.reading is not None
    again = record_reading(many.reading, many.notes).restore({})
    assert read({"age": [1, 2, 3]}, continuous=again.continuous).kinds == {mahc.data.Kind.CONTINUOUS}  # type: ignore[arg-type]
    narrowed = record.restore({}, ["grade"])
    assert (dict(narrowed.ordinal or {}).keys(), narrowed.continuous) == ({"grade"}, ())


def test_numbers_with_a_currency_are_numbers_with_units() -> None:
    prices = [f"${row * 37 % 101 / 7:.2f}" for row in range(60)]
    with pytest.raises(DataError, match=r"'price' holds numbers with units \(for example '\$0"):
        mahc.read({"price": prices})
    assert mahc.read({"price": prices}, categorical=["price"]).rows == 60


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
def test_the_fix_for_an_infinite_number_works(infinite: float, tmp_path: Path) -> None:
    numbers = [row / 7 for row in range(40)] + [infinite]
    (tmp_path / "data.csv").write_text("x\n" + "".join(f"{'1e999' if x > 9 else x}\n" for x in map(abs, numbers)))
    for data in ({"x": numbers}, pl.DataFrame({"x": numbers}), tmp_path / "data.csv"):
        with pytest.raises(DataError, match="infinite number"):
            mahc.read(data)
        assert mahc.read(data, missing="drop", missing_tokens={"x": ["inf", "-inf"]}).rows == 40


def test_the_audit_names_a_column_and_its_logarithm() -> None:
    x = [1 + row * 37 % 101 / 7 for row in range(60)]
    other = [row * 11 % 17 / 3 for row in range(60)]
    table = {"x": x, "log": [math.log(each) for each in x], "minus": [-each for each in x], "other": other}
    (note,) = [note for note in mahc.audit(table).notes if note.kind == "identical"]
    assert note.column == "x"
    assert note.message == "is a rising or falling function of 'log', 'minus' in every row"
    assert not [note for note in mahc.audit({"x": x, "other": other}).notes if note.kind == "identical"]
