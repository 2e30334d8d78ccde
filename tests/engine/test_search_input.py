"""What a search cannot use it refuses with an exception: it neither crashes nor runs for ever."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from random_tables import RawTable, scorer_of

from mahc.engine import Families, _native
from mahc.scores import make_score

NAN = float("nan")
COLUMN = np.array([0, 1, 1, 0], np.uint8)


def memory(variables: int = 3) -> _native.ScoreCache:
    table = RawTable((COLUMN,) * variables, (2,) * variables, None)
    return _native.ScoreCache(scorer_of(table, make_score("bic")), 1 << 20)


def space(variables: int = 3, lists: list[list[int]] | None = None) -> _native.Space:
    lists = lists or [[u for u in range(variables) if u != v] for v in range(variables)]
    first = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    parents = np.array([u for parents in lists for u in parents], np.int32)
    limit = np.full(variables, variables, np.int32)
    return _native.Space(variables, variables, first, parents, np.zeros(len(parents), np.uint8), limit, [])


def climb(
    start: list[tuple[int, int]] = [],  # noqa: B006
    pairs: NDArray[np.float64] | None = None,
    tolerance: float = 1e-9,
    remembered: _native.ScoreCache | None = None,
) -> object:
    return _native.climb(remembered or memory(), space(), start, pairs, True, False, tolerance, 1000, None)


def search_orders(start: list[tuple[int, int]], pairs: NDArray[np.float64] | None, tolerance: float) -> object:
    return _native.search_orders(memory(), space(), start, pairs, 2, 1, 2, True, tolerance, 1000, None)


class NanScorer:
    variables = 3

    def score_families(self, families: Families) -> NDArray[np.float64]:
        return np.full(len(families), NAN)


def dynamic_program(variables: int, first: list[int], parents: list[int], scores: list[float]) -> object:
    return _native.order_program(
        np.array(first, np.int64),
        np.array(parents, np.uint32),
        np.array(scores, np.float64),
        [0] * variables,
        [0] * variables,
        1e-9,
        None,
    )


BAD_SEARCHES: dict[str, Callable[[], object]] = {
    "neighbours of a head beyond the last": lambda: _native.neighbours(memory(), space(), [(0, 2**31 - 1)]),
    "neighbours of a head just beyond": lambda: _native.neighbours(memory(), space(), [(0, 3)]),
    "neighbours of a negative head": lambda: _native.neighbours(memory(), space(), [(0, -1)]),
    "neighbours of an arc given twice": lambda: _native.neighbours(memory(), space(), [(0, 1), (0, 1)]),
    "neighbours of a cycle": lambda: _native.neighbours(memory(), space(), [(0, 1), (1, 0)]),
    "neighbours with too few variables scored": lambda: _native.neighbours(memory(2), space(), []),
    "neighbours with too many variables scored": lambda: _native.neighbours(memory(4), space(), []),
    "moves of a head beyond the last": lambda: _native.explain_moves(space(), [(0, 99)]),
    "a climb from an unknown arc": lambda: climb([(0, 7)]),
    "a climb from an arc given twice": lambda: climb([(0, 1), (0, 1)]),
    "a climb with NaN pairs": lambda: climb(pairs=np.full((3, 3), NAN)),
    "a climb with an infinite pair": lambda: climb(pairs=np.full((3, 3), -np.inf)),
    "a climb with pairs of another size": lambda: climb(pairs=np.zeros((2, 2))),
    "a climb with a NaN tolerance": lambda: climb(tolerance=NAN),
    "a climb with a negative tolerance": lambda: climb(tolerance=-1.0),
    "a climb with an infinite tolerance": lambda: climb(tolerance=float("inf")),
    "a climb with NaN scores": lambda: climb(remembered=_native.ScoreCache(NanScorer(), 1 << 20)),
    "a climb with a NaN price": lambda: _native.ScoreCache(NanScorer(), 1 << 20, NAN),
    "orders with NaN pairs": lambda: search_orders([], np.full((3, 3), NAN), 1e-9),
    "orders with a NaN tolerance": lambda: search_orders([], None, NAN),
    "orders from an arc given twice": lambda: search_orders([(0, 1), (0, 1)], None, 1e-9),
    "a variable that is its own candidate": lambda: space(2, [[0], []]),
    "a dynamic program of 33 variables": lambda: dynamic_program(33, list(range(34)), [0] * 33, [0.0] * 33),
    "a dynamic program of 21 variables": lambda: dynamic_program(21, list(range(22)), [0] * 21, [0.0] * 21),
    "a dynamic program with NaN scores": lambda: dynamic_program(1, [0, 1], [0], [NAN]),
    "a dynamic program with a negative offset": lambda: dynamic_program(1, [-1, 1], [0], [0.0]),
}


@pytest.mark.parametrize("case", BAD_SEARCHES)
def test_a_bad_search_is_refused(case: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        BAD_SEARCHES[case]()


@pytest.mark.parametrize("base", [NAN, float("inf"), 1.0, 0.5, 0.0, -2.0])
def test_a_base_that_makes_no_sense_is_refused(base: float) -> None:
    engine = RawTable((COLUMN,), (2,), None).engine()
    with pytest.raises(ValueError, match="base"):
        _native.LocalScorer(engine, _native.Penalised(1.0), base, [])
    with pytest.raises(ValueError, match="base"):
        _native.CountScores([2], 4, _native.Penalised(1.0), base, [])


@pytest.mark.parametrize("formula", [_native.Penalised, _native.Bdeu])
def test_a_parameter_that_is_not_a_number_is_refused(formula: Callable[[float], _native.Formula]) -> None:
    with pytest.raises(ValueError, match=r"parameter|sample size"):
        _native.CountScores([2], 4, formula(NAN), 2.0, [])


def test_formulas_and_scorers_that_do_not_fit_are_refused() -> None:
    engine = RawTable((COLUMN,), (2,), None).engine()
    scorer = _native.LocalScorer(engine, _native.QuotientNml(), 2.0, [])
    with pytest.raises(ValueError, match="no penalty to divide"):
        _native.LocalScorer(engine, _native.QuotientNml(), 2.0, [2.0])
    with pytest.raises(ValueError, match="two prices"):
        _native.Penalised(1.0, [1.0])
    with pytest.raises(ValueError, match="no such scorer"):
        _native.SplitScorer([scorer], [1])
    with pytest.raises(ValueError, match="differ in variables"):
        _native.SplitScorer([scorer], [0, 0])


@pytest.mark.parametrize("columns", [2, 4])
def test_a_joint_table_beyond_the_numbers_of_the_machine_is_refused(columns: int) -> None:
    codes = np.array([0, 65_535], np.uint16)
    engine = RawTable((codes,) * columns, (65_536,) * columns, None).engine()
    with pytest.raises(ValueError, match="too large"):
        engine.joint_counts(list(range(columns)), 1 << 26)
    with pytest.raises(ValueError, match="too large"):
        engine.joint_counts([0, *range(columns)], 2**64 - 1)  # 2^48 cells, and 2^80, which is 2^16 in 64 bits
