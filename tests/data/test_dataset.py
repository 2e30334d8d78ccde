"""The data set itself: immutable, checked, comparable, recognisable."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.data import Dataset, Note, read
from mahc.errors import DataError, UnknownNameError


def small() -> Dataset:
    return read({"a": ["x", "y", "x"], "b": [3, 1, 2]})


def test_columns_are_read_only_contiguous_and_narrow() -> None:
    data = small()
    for column in data.codes:
        assert column.dtype == np.uint8
        assert column.flags.c_contiguous
        assert not column.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0][0] = 1
    with pytest.raises(AttributeError):
        data.names = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("states", "dtype"), [(256, np.uint8), (257, np.uint16), (65_536, np.uint16), (65_537, np.uint32)]
)
def test_the_type_is_the_narrowest(states: int, dtype: type) -> None:
    data = Dataset.coded(("v",), (tuple(map(str, range(states))),), (np.array([0, states - 1]),))
    assert data.codes[0].dtype == dtype


def test_what_the_caller_may_write_to_is_copied() -> None:
    codes = np.array([0, 1], dtype=np.uint8)
    weights = np.array([1, 2])
    data = Dataset.coded(("v",), (("a", "b"),), (codes,), weights)
    codes[0] = 1
    weights[0] = 9
    assert data.codes[0].tolist() == [0, 1]
    assert data.size == 3


def test_a_read_only_view_of_a_writable_array_is_copied() -> None:
    base = np.array([0, 1, 0], dtype=np.uint8)
    view = base.view()
    view.flags.writeable = False
    weights = np.array([1, 2, 3])
    weight_view = weights.view()
    weight_view.flags.writeable = False
    data = Dataset.coded(("v",), (("a", "b"),), (view,), weight_view)
    fingerprint = data.fingerprint()
    base[:] = 99
    weights[:] = -1
    assert data.codes[0].tolist() == [0, 1, 0]
    assert data.size == 6
    assert data.fingerprint() == fingerprint


def test_nobody_can_make_the_columns_writable_again() -> None:
    codes = np.array([0, 1], dtype=np.uint8)
    codes.flags.writeable = False
    data = Dataset.coded(("v",), (("a", "b"),), (codes,))
    codes.flags.writeable = True
    codes[:] = 99
    assert data.codes[0].tolist() == [0, 1]
    with pytest.raises(ValueError, match="WRITEABLE"):
        data.codes[0].flags.writeable = True


def test_selected_columns_share_their_memory() -> None:
    data = small()
    assert data.select(["a"]).codes[0] is data.codes[0]


def test_a_pickled_data_set_comes_back_read_only() -> None:
    back = pickle.loads(pickle.dumps(small()))
    assert back == small()
    with pytest.raises(ValueError, match="read-only"):
        back.codes[0][0] = 1


@pytest.mark.parametrize("weights", [[2**53 + 1], [2**53, 1], [2**53 - 1, 1]])
def test_weights_that_a_double_would_round_are_refused(weights: list[int]) -> None:
    codes = np.zeros(len(weights), np.uint8)
    with pytest.raises(DataError, match=r"between 1 and 2\^53 - 1"):
        Dataset.coded(("a",), (("x",),), (codes,), np.array(weights))
    with pytest.raises(DataError, match=r"2\^53 - 1"):
        read({"a": ["x"] * len(weights)}, weights=weights)


@pytest.mark.parametrize(
    ("names", "states", "columns", "weights", "says"),
    [
        ((), (), (), None, "no columns"),
        (("a",), (), (), None, "one of each"),
        (("a", "a"), (("x",), ("x",)), (np.zeros(1, int), np.zeros(1, int)), None, "not unique"),
        (("a",), (("x",),), (np.array([1]),), None, "0 to 0"),
        (("a",), (("x",),), (np.array([-1]),), None, "0 to 0"),
        (("a",), (("x", "x"),), (np.array([0]),), None, "listed twice"),
        (("a",), (("x",),), (np.array([0.0]),), None, "integers"),
        (("a",), (("x",),), (np.zeros((1, 1), int),), None, "one-dimensional"),
        (("a",), (("x",),), (np.array([], dtype=int),), None, "no rows"),
        (("a", "b"), (("x",), ("x",)), (np.zeros(1, int), np.zeros(2, int)), None, "differ in length"),
        (("a",), (("x",),), (np.array([0]),), np.array([1, 2]), "one per row"),
        (("a",), (("x",),), (np.array([0]),), np.array([-1]), "negative"),
        (("a",), (("x",),), (np.array([0]),), np.array([0]), "between 1 and"),
        (("a",), (("x",),), (np.array([0]),), np.array([2**60]), "between 1 and"),
    ],
)
def test_a_data_set_that_contradicts_itself_is_refused(
    names: tuple[str, ...], states: tuple[tuple[str, ...], ...], columns: tuple, weights: object, says: str
) -> None:
    with pytest.raises(DataError, match=says):
        Dataset.coded(names, states, columns, weights)  # type: ignore[arg-type]


def test_index_and_select_know_the_names() -> None:
    data = small()
    assert data.index("b") == 1
    with pytest.raises(UnknownNameError, match="did you mean 'b'"):
        data.index("B")
    part = data.select(["b"])
    assert part.names == ("b",)
    assert part.codes[0] is data.codes[1]
    with pytest.raises(DataError, match="not unique"):
        data.select(["a", "a"])


def test_select_keeps_the_decisions_that_still_matter() -> None:
    decisions = (Note("a", "constant", "one state"), Note(None, "dropped-rows", "two rows"))
    data = Dataset.coded(("a", "b"), (("x",), ("y",)), (np.array([0]), np.array([0])))
    data = replace(data, notes=decisions)
    assert data.select(["b"]).notes == decisions[1:]


def test_equality_sees_codes_weights_and_states_but_no_decisions() -> None:
    data = small()
    noted = replace(data, notes=(Note(None, "note", "x"),))
    assert data == noted
    assert hash(data) == hash(noted)
    assert data != Dataset.coded(data.names, data.labels, data.codes, np.array([1, 1, 1]))
    assert data != Dataset.coded(data.names, data.labels, (data.codes[0], data.codes[1][::-1].copy()))
    assert data != data.select(["b", "a"])
    assert data != "data"
    weighted = Dataset.coded(data.names, data.labels, data.codes, np.array([1, 2, 1]))
    assert weighted != Dataset.coded(data.names, data.labels, data.codes, np.array([2, 1, 1]))
    assert "total weight 4" in repr(weighted)


cell = st.sampled_from(["", "a", "b", "1", "x y"])
tables = st.lists(st.tuples(cell, cell, cell), min_size=2, max_size=12)


@given(tables, st.randoms(use_true_random=False))
def test_fingerprint_ignores_every_order_and_the_form(rows: list[tuple[str, ...]], random: object) -> None:
    data = read(_columns(rows), missing="state")
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    other = dict(reversed(_columns(shuffled).items()))
    assert read(other, missing="state").fingerprint() == data.fingerprint()
    unique = sorted(set(rows))
    counts = [rows.count(row) for row in unique]
    assert read(_columns(unique), missing="state", weights=counts).fingerprint() == data.fingerprint()
    turned = Dataset.coded(
        data.names,
        tuple(labels[::-1] for labels in data.labels),
        tuple(len(s) - 1 - c.astype(int) for s, c in zip(data.labels, data.codes, strict=True)),
    )
    assert turned.fingerprint() == data.fingerprint()


@given(tables, tables)
def test_fingerprint_tells_different_tables_apart(one: list[tuple[str, ...]], two: list[tuple[str, ...]]) -> None:
    same = sorted(one) == sorted(two)
    prints = [read(_columns(rows), missing="state").fingerprint() for rows in (one, two)]
    assert (prints[0] == prints[1]) == same


def test_fingerprint_sees_joint_rows_names_labels_and_unused_states() -> None:
    together = read({"a": ["x", "y"], "b": ["x", "y"]})
    crossed = read({"a": ["x", "y"], "b": ["y", "x"]})
    renamed = read({"a": ["x", "y"], "c": ["x", "y"]})
    relabelled = read({"a": ["x", "z"], "b": ["x", "y"]})
    wider = Dataset.coded(together.names, (("x", "y", "z"), ("x", "y")), together.codes)
    prints = {data.fingerprint() for data in (together, crossed, renamed, relabelled, wider)}
    assert len(prints) == 5


def _columns(rows: list[tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: [row[place] for row in rows] for place, name in enumerate("pqr")}
