"""The order that breaks ties comes from the data: entropy, counts, company kept, and names at the very last."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles_ties import order_slowly

from mahc.data import Dataset, read
from mahc.engine import EngineRows
from mahc.errors import UnknownNameError
from mahc.learning.tie_order import MOST_TRIALS, order_variables
from mahc.networks import load_network, sample


def ordered(data: Dataset, ties: str = "data") -> list[str]:
    return [data.names[v] for v in order_variables(EngineRows(data, threads=1), ties)]


def test_the_larger_entropy_stands_first() -> None:
    data = read({"constant": ["x"] * 8, "skew": list("xxxxxxxy"), "flat": list("xyxyxyxy"), "wide": list("abcdabcd")})
    assert ordered(data) == ["wide", "flat", "skew", "constant"]


def test_equal_entropies_go_by_the_company_that_the_states_keep() -> None:
    # All three have the same counts; the rare states of the first two meet in a row, that of the third is alone.
    columns = [[0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 0, 0, 0, 0]]
    places = set()
    for names in (("x", "y", "z"), ("c", "b", "a"), ("a", "c", "b"), ("b", "c", "a")):
        data = Dataset.coded(names, (("0", "1"),) * 3, tuple(np.array(column) for column in columns))
        places.add(ordered(data).index(names[2]))
    assert len(places) == 1


def test_copies_stand_in_the_order_of_their_names() -> None:
    column = list("xxyyzz")
    assert ordered(read({"b": column, "c": column, "a": column})) == ["a", "b", "c"]
    assert ordered(read({"b": column, "c": column, "a": column}), "file-order") == ["b", "c", "a"]


@pytest.mark.parametrize("network", ["alarm", "win95pts", "andes"])
def test_real_samples_need_no_names(network: str) -> None:
    """Variables called otherwise stand in the same order: nothing but the data has decided."""
    data = sample(load_network(network), 1_000, seed=2)
    first = order_variables(EngineRows(data))
    count = len(data.names)
    renamed = Dataset.coded(tuple(f"v{count - i:04d}" for i in range(count)), data.labels, data.codes)
    again = order_variables(EngineRows(renamed))
    differ = {v for v, w in zip(first, again, strict=True) if v != w}
    copies = {}
    for v in differ:  # what names did decide must be copies, up to the labels of their states
        _, codes = np.unique(data.codes[v], return_inverse=True)
        first_seen = {code: place for place, code in enumerate(dict.fromkeys(codes.tolist()))}
        copies[v] = tuple(first_seen[code] for code in codes.tolist())
    assert all(list(copies.values()).count(codes) > 1 for codes in copies.values())


@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 2**32), st.booleans())
def test_no_order_and_no_label_shows(variables: int, rows: int, seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    names = tuple("abcdef"[:variables])
    columns = [np.unique(rng.integers(0, 3, rows), return_inverse=True)[1] for _ in names]
    weights = rng.integers(1, 4, rows) if weighted else None
    states = tuple(tuple(f"s{k}" for k in range(int(column.max()) + 1)) for column in columns)
    first = ordered(Dataset.coded(names, states, tuple(columns), weights))
    turn, order = rng.permutation(rows), rng.permutation(variables)
    turned = tuple(rng.permutation(len(states[v]))[columns[v]][turn] for v in order)
    labels = tuple(tuple(reversed(states[v])) for v in order)
    other = Dataset.coded(tuple(names[v] for v in order), labels, turned, None if weights is None else weights[turn])
    assert ordered(other) == first


def test_an_unknown_tie_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown tie rule 'files': did you mean 'file-order'"):
        ordered(read({"a": ["x", "y"]}), "files")


@given(st.integers(1, 8), st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**32), st.booleans())
def test_the_order_is_that_of_the_slow_oracle(variables: int, rows: int, states: int, seed: int, copies: bool) -> None:
    table = np.random.default_rng(seed).integers(0, states, (rows, variables))
    if copies:
        table[:, variables // 2 :] = table[:, : variables - variables // 2]
    source = EngineRows(read(table), threads=1)
    assert order_variables(source) == order_slowly(source)


class CountingRows(EngineRows):
    """Rows that count the passes over them for tied variables."""

    passes = 0

    def sum_row_hashes(self, state_hashes: NDArray[np.uint64], wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
        self.passes += 1
        return super().sum_row_hashes(state_hashes, wanted)


def all_combinations(variables: int) -> NDArray[np.int64]:
    """Every combination of 0 and 1 once: the columns are symmetric, but no copies of each other."""
    return np.arange(2**variables)[:, None] >> np.arange(variables) & 1


def test_constant_columns_and_copies_need_no_trials() -> None:
    column, other = list("xxyyzz"), list("uuvvww")
    constants = {f"c{i:02d}": ["x"] * 6 for i in range(30, 0, -1)}
    source = CountingRows(read({**constants, "b": column, "c": other, "a": column}), threads=1)
    assert [source.names[v] for v in order_variables(source)] == ["a", "b", "c", *sorted(constants)]
    assert source.passes == 1


def test_a_class_that_is_too_large_for_the_budget_does_not_stop_the_others() -> None:
    """Singling out each state of p and q, which can be exchanged, would take 202 trials; x, y and z take 6."""
    states = MOST_TRIALS // 2 + 1
    p, q, turn = (axis.ravel() for axis in np.indices((states, states, 3)))
    columns = {"p": p, "q": q, "x": turn == 0, "y": turn == 1, "z": turn == 2}
    labels = {name: [f"s{code}" for code in column.tolist()] for name, column in columns.items()}
    source = CountingRows(read(labels), threads=1)
    assert [source.names[v] for v in order_variables(source)] == ["p", "q", "x", "y", "z"]
    assert source.passes > 6


def test_a_stop_ends_the_trials_at_once() -> None:
    """Tied variables can need up to 200 passes over the data; a run that is to stop makes none of them."""
    source = CountingRows(read(all_combinations(6)), threads=1)
    calls = []

    def should_stop() -> bool:
        calls.append(0)
        return len(calls) > 2

    assert order_variables(source, "data", should_stop) == list(range(6))
    assert len(calls) == 3
    assert source.passes == 1
    assert order_variables(source) == list(range(6))
    assert source.passes > 10
