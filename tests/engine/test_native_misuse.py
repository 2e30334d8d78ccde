"""What the compiled modules cannot use they refuse with an exception: no crash, no run without an end.

`MISUSES` has cases for every bound function; a new one without a case fails a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from random_tables import RawTable, scorer_of

from mahc.data import _texts
from mahc.engine import Families, _native
from mahc.scores import make_score

NAN, INF = float("nan"), float("inf")
MOST = 2**64 - 1
COLUMN = np.array([0, 1, 1, 0], np.uint8)
WIDE = COLUMN.astype(np.uint32)
Call = Callable[[], object]


def ints(*numbers: int) -> NDArray[np.int32]:
    return np.array(numbers, np.int32)


def offsets(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


ONE_FAMILY = (ints(0), offsets(0, 1), ints(1))
# Children, offsets and parents that no function of batches may take; there are three variables.
BAD_BATCHES: dict[str, tuple[Any, Any, Any]] = {
    "a child beyond the last": (ints(3), offsets(0, 1), ints(1)),
    "a negative child": (ints(-1), offsets(0, 1), ints(1)),
    "a parent beyond the last": (ints(0), offsets(0, 1), ints(2**31 - 1)),
    "a negative parent": (ints(0), offsets(0, 1), ints(-1)),
    "the child among its parents": (ints(0), offsets(0, 1), ints(0)),
    "a parent named twice": (ints(0), offsets(0, 2), ints(1, 1)),
    "falling offsets": (ints(0, 1), offsets(0, 100, 1), ints(1)),
    "a negative offset": (ints(0, 1), offsets(0, -5, 1), ints(1)),
    "offsets beyond the parents": (ints(0), offsets(0, 2), ints(1)),
    "too few offsets": (ints(0), offsets(0), ints()),
    "no offsets": (ints(), offsets(), ints()),
    "real children": (np.array([0.5]), offsets(0, 1), ints(1)),
    "no arrays": ([0], [0, 1], [1]),
}


def batches(function: Callable[..., object]) -> dict[str, Call]:
    """The bad batches as calls of a function that takes a batch first."""
    return {name: lambda batch=batch: function(*batch) for name, batch in BAD_BATCHES.items()}  # type: ignore[misc]


def engine(
    columns: Sequence[object] = (COLUMN,) * 3,
    states: Sequence[int] = (2,) * 3,
    weights: object = None,
    threads: int = 2,
    level: str = "",
) -> _native.Engine:
    return _native.Engine(columns, states, weights, threads, 1 << 20, level)  # type: ignore[arg-type]


def local(base: float = 2.0, divisors: Sequence[float] = (), formula: object = None) -> _native.LocalScorer:
    return _native.LocalScorer(engine(), formula or _native.Penalised(1.0), base, divisors)  # type: ignore[arg-type]


def split(scorers: object, which: Sequence[int]) -> _native.SplitScorer:
    return _native.SplitScorer(scorers, which)  # type: ignore[arg-type]


def cache(variables: int = 3, price: float = 0.0, scorer: object = None) -> _native.ScoreCache:
    table = RawTable((COLUMN,) * variables, (2,) * variables, None)
    return _native.ScoreCache(scorer or scorer_of(table, make_score("bic")), 1 << 20, price)


def extra_prices(first: list[int], parents: list[int], prices: list[float]) -> _native.ScoreCache:
    table = RawTable((COLUMN,) * 3, (2,) * 3, None)
    return _native.ScoreCache(scorer_of(table, make_score("bic")), 1 << 20, 0.0, first, parents, prices)


def space(variables: int = 3, lists: list[list[int]] | None = None, **other: Any) -> _native.Space:
    lists = lists or [[u for u in range(variables) if u != v] for v in range(variables)]
    parents = ints(*(u for parents in lists for u in parents))
    parts: dict[str, Any] = {
        "variables": variables,
        "nodes": variables,
        "first": np.cumsum([0, *map(len, lists)]).astype(np.int64),
        "parents": parents,
        "hold": np.zeros(len(parents), np.uint8),
        "limit": ints(*[variables] * variables),
        "virtual_arcs": [],
    }
    return _native.Space(**parts | other)


def climb(start: Sequence[tuple[int, int]] = (), **other: Any) -> object:
    parts = {"cache": cache(), "pairs": None, "averaging": True, "escapes": False, "tolerance": 1e-9} | other
    return _native.climb(space=space(), start=start, most_steps=1000, control=None, **parts)


def parent_lists(**other: Any) -> _native.ParentLists:
    """Two variables, each of which may be the parent of the other."""
    parts: dict[str, Any] = {
        "candidates": [[1], [0]],
        "offsets": np.array([0, 2, 4]),
        "inside": np.array([0, 1, 0, 1], np.uint32),
        "outside": np.full(4, -1, np.int32),
        "scores": np.array([0.0, -1.0, 0.0, -1.0]),
        "partners": [[], []],
        "virtual_arcs": [],
        "nodes": 2,
    }
    return _native.ParentLists(**parts | other)


def walk(**other: Any) -> object:
    parts: dict[str, Any] = {
        "start": np.zeros(2, np.int32),
        "seed": 1,
        "chain": 0,
        "first_part": 0,
        "parts": 1,
        "steps": 1,
        "flips": 0.1,
        "reversals": 0.1,
        "pairs": 0.1,
        "control": None,
    }
    return parent_lists().walk(**parts | other)


def compelled(tails: list[int], heads: list[int], offsets: np.ndarray | None = None) -> object:
    places = np.array([0, len(tails)]) if offsets is None else offsets
    return _native.find_compelled(places, np.array(tails, np.int32), np.array(heads, np.int32), 3)


def search_orders(start: Sequence[tuple[int, int]] = (), **other: Any) -> object:
    parts = {"cache": cache(), "pairs": None, "kicks": 2, "tolerance": 1e-9} | other
    return _native.search_orders(
        space=space(),
        start=start,
        seed=1,
        pair_candidates=2,
        early_dropping=True,
        most_nodes=1000,
        control=None,
        **parts,
    )


class PythonScorer:
    def __init__(self, scores: Callable[[int], object], variables: int = 3) -> None:
        self._scores = scores
        self.variables = variables

    def score_families(self, families: Families) -> object:
        return self._scores(len(families))


def dynamic_program(
    first: list[int], parents: list[int], scores: list[float], variables: int = 0, **other: Any
) -> object:
    parts: dict[str, Any] = {
        "first": offsets(*first),
        "parents": np.array(parents, np.uint32),
        "scores": np.array(scores, np.float64),
        "held": [0] * (variables or len(first) - 1),
        "before": [0] * (variables or len(first) - 1),
        "tolerance": 1e-9,
        "control": None,
    }
    return _native.order_program(**parts | other)


def determinants(**other: Any) -> _native.DeterminantScorer:
    parts: dict[str, Any] = {
        "matrix": np.eye(3).ravel(),
        "first": [0, 1, 2, 3],
        "weight": [1.0] * 4,
        "constant": [0.0] * 4,
        "alone": [0.0] * 3,
        "floor": 1e-9,
        "grid": 1e-9,
        "threads": 1,
    }
    return _native.DeterminantScorer(**parts | other)


def cuts(**other: Any) -> _native.CutChooser:
    parts: dict[str, Any] = {
        "codes": np.array([0, 1, 2, 0, 1, 0, 1, 1], np.uint16),
        "rows": 4,
        "bins": [3, 2],
        "number": [1, 0],
        "weights": np.zeros(0, np.uint64),
    }
    return _native.CutChooser(**parts | other)


CUTS = [[0, 0, 1], [0, 1]]


def column_tester(**other: Any) -> _native.ColumnTester:
    parts: dict[str, Any] = {
        "matrix": np.eye(3).ravel(),
        "first": [0, 1, 2, 3],
        "ends": [1, 1, 1],
        "limited": [False] * 3,
        "depth": [1],
        "rows": np.zeros(6, np.float32),
        "weights": np.ones(2),
        "size": 2.0,
        "threads": 1,
    }
    return _native.ColumnTester(**parts | other)


def incomplete(**other: Any) -> _native.IncompleteRows:
    parts: dict[str, Any] = {
        "columns": [WIDE] * 3,
        "states": [2] * 3,
        "weights": None,
        "log_weights": [None] * 3,
        "causes": [[]] * 3,
    }
    return _native.IncompleteRows(**parts | other)


def incomplete_scorer(**other: Any) -> _native.IncompleteScorer:
    parts: dict[str, Any] = {
        "rows": incomplete(),
        "engine": engine(),
        "formula": _native.Penalised(1.0),
        "base": 2.0,
        "divisors": [],
        "class_logs": [[]] * 3,
        "use_weights": True,
        "threads": 1,
    }
    return _native.IncompleteScorer(**parts | other)


def completer(**other: Any) -> _native.RowCompleter:
    parts: dict[str, Any] = {
        "states": [2, 2],
        "parents": [[], [0]],
        "codes": np.array([0, 2, 1, 1], np.uint32),
        "weights": np.ones(2, np.int64),
        "threads": 1,
    }
    return _native.RowCompleter(**parts | other)


TABLES = np.full(6, 0.5)


def expect(tables: object) -> object:
    return completer().expect(tables)  # type: ignore[arg-type]


def draw(tables: object = TABLES, hashes: object = None, draws: int = 5) -> object:
    given = np.ones(2, np.uint64) if hashes is None else hashes
    return completer().draw(tables, given, 1, draws)  # type: ignore[arg-type]


def blanket(**other: Any) -> object:
    parts: dict[str, Any] = {
        "columns": [COLUMN],
        "states": [2],
        "rows": 4,
        "target_states": 2,
        "members": [[0]],
        "strides": [[2]],
        "target_strides": [1],
        "logs": [np.zeros(4)],
        "threads": 1,
    }
    return _native.blanket_posteriors(**parts | other)


def counted(cells: Sequence[int] = (2, 0, 0, 2), cell_offsets: Sequence[int] = (0, 4), size: int = 4) -> object:
    scores = _native.CountScores([2] * 3, size, _native.Penalised(1.0), 2.0, [])
    return scores.score_counts(*ONE_FAMILY, offsets(*cells), offsets(*cell_offsets))


def counted_both(cells: Sequence[int] = (2, 0, 0, 2), cell_offsets: Sequence[int] = (0, 4), **other: Any) -> object:
    scores = _native.CountScores([2] * 3, 4, _native.Penalised(1.0), 2.0, [])
    families = other.get("families", ONE_FAMILY)
    return scores.score_both_directions(*families, offsets(*cells), offsets(*cell_offsets))


def count_tested(cells: Sequence[int] = (2, 0, 0, 2), cell_offsets: Sequence[int] = (0, 4), **other: Any) -> object:
    tests = _native.CountTests([2] * 3, 4)
    families = other.get("families", ONE_FAMILY)
    return tests.test_counts(*families, offsets(*cells), offsets(*cell_offsets), False, True)


def excess_measured(cells: Sequence[int] = (2, 0, 0, 2), cell_offsets: Sequence[int] = (0, 4), **other: Any) -> object:
    tests = _native.CountTests([2] * 3, 4)
    families = other.get("families", ONE_FAMILY)
    return tests.measure_excess(*families, offsets(*cells), offsets(*cell_offsets))


BAD_CELLS: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "a negative count": ((-1, 0, 0, 2), (0, 4)),
    "counts above the size": ((9, 0, 0, 2), (0, 4)),
    "too few cells": ((2, 0), (0, 4)),
    "half a table": ((2, 0, 1), (0, 3)),
    "falling offsets of cells": ((2, 0, 0, 2), (4, 0)),
    "no offsets of cells": ((2, 0, 0, 2), ()),
}


def cells(function: Callable[..., object]) -> dict[str, Call]:
    """The bad cells as calls of a function that takes cells and their offsets."""
    return {name: lambda bad=bad: function(*bad) for name, bad in BAD_CELLS.items()}  # type: ignore[misc]


def text_columns(width: int = 2, places: Sequence[int] = (0, 1)) -> _texts.TextColumns:
    return _texts.TextColumns(",", '"', width, places)


MISUSES: dict[str, dict[str, Call]] = {
    "levels": {"an argument": lambda: _native.levels(1)},  # type: ignore[call-arg]
    "log_gamma": {"a text": lambda: _native.log_gamma("x")},  # type: ignore[arg-type]
    "log2_regret": {
        "a negative size": lambda: _native.log2_regret(-1, 2.0),
        "a size beyond 64 bits": lambda: _native.log2_regret(2**64, 2.0),
    },
    "log_chi_square_tail": {"a text": lambda: _native.log_chi_square_tail("x", 1.0)},  # type: ignore[arg-type]
    "Engine.__init__": {
        "no columns": lambda: engine([], []),
        "no rows": lambda: engine([COLUMN[:0]], [2]),
        "no states": lambda: engine([COLUMN], [0]),
        "too few state counts": lambda: engine([COLUMN, COLUMN], [2]),
        "columns of different length": lambda: engine([COLUMN, COLUMN[:2]], [2, 2]),
        "a code beyond the states": lambda: engine([COLUMN], [1]),
        "a 16-bit code beyond the states": lambda: engine([COLUMN.astype(np.uint16)], [1]),
        "a 32-bit code beyond the states": lambda: engine([WIDE], [1]),
        "one bad column among many": lambda: engine([COLUMN] * 20 + [COLUMN + 1], [2] * 21),
        "signed codes": lambda: engine([COLUMN.astype(np.int8)], [2]),
        "64-bit codes": lambda: engine([COLUMN.astype(np.uint64)], [2]),
        "real codes": lambda: engine([COLUMN.astype(np.float32)], [2]),
        "true and false": lambda: engine([COLUMN.astype(bool)], [2]),
        "too few weights": lambda: engine([COLUMN], [2], np.ones(3, np.uint32)),
        "weights that sum to nothing": lambda: engine([COLUMN], [2], np.zeros(4, np.uint32)),
        "weights that sum beyond 32 bits": lambda: engine([COLUMN], [2], np.full(4, 1 << 31, np.uint32)),
        "an unknown level": lambda: engine(level="mmx"),
        "negative states": lambda: engine([COLUMN], [-1]),
        "states beyond 32 bits": lambda: engine([COLUMN], [1 << 40]),
        "a table as column": lambda: engine([COLUMN.reshape(2, 2)], [2]),
        "signed weights": lambda: engine([COLUMN], [2], np.array([-1, 1, 1, 1])),
        "no array": lambda: engine(["codes"], [2]),
        "negative threads": lambda: engine(threads=-1),
    },
    "Engine.arrange": {
        "too few variables": lambda: engine().arrange([0]),
        "a variable twice": lambda: engine().arrange([0, 0, 1]),
        "a variable beyond the last": lambda: engine().arrange([0, 1, 3]),
        "a negative variable": lambda: engine().arrange([0, 1, -1]),
    },
    "Engine.marginal": {
        "a variable beyond the last": lambda: engine().marginal(3),
        "a negative variable": lambda: engine().marginal(-1),
    },
    "Engine.sum_row_hashes": {
        "too few hashes": lambda: engine().sum_row_hashes(np.ones(5, np.uint64), np.ones(3, np.bool_)),
        "too few flags": lambda: engine().sum_row_hashes(np.ones(6, np.uint64), np.ones(2, np.bool_)),
        "signed hashes": lambda: engine().sum_row_hashes(np.ones(6, np.int64), np.ones(3, np.bool_)),  # type: ignore[arg-type]
    },
    "Engine.count_families": batches(lambda *batch: engine().count_families(*batch)),
    "Engine.family_counts": {
        "no parent": lambda: engine().family_counts(0, [], ""),
        "a child beyond the last": lambda: engine().family_counts(3, [0], ""),
        "a negative parent": lambda: engine().family_counts(0, [-1], ""),
        "an unknown method": lambda: engine().family_counts(0, [1], "magic"),
    },
    "Engine.joint_counts": {
        "a variable beyond the last": lambda: engine().joint_counts([3], 100),
        "a table above the limit": lambda: engine().joint_counts([0, 1, 2], 7),
        "2^80 cells, which are 2^16 in 64 bits": lambda: engine(
            [np.array([0, 65_535], np.uint16)] * 4, [65_536] * 4
        ).joint_counts([0, 0, 1, 2, 3], MOST),
    },
    "Formula.__init__": {"no formula": lambda: _native.Formula()},
    "Penalised.__init__": {
        "two prices": lambda: _native.Penalised(1.0, [1.0]),
        "a price that is not a number": lambda: local(formula=_native.Penalised(NAN)),
    },
    "Bdeu.__init__": {"a size that is not a number": lambda: local(formula=_native.Bdeu(NAN))},
    "FactorisedNml.__init__": {"an argument": lambda: _native.FactorisedNml(1)},  # type: ignore[call-arg]
    "QuotientNml.__init__": {"an argument": lambda: _native.QuotientNml(1)},  # type: ignore[call-arg]
    "LocalScorer.__init__": {
        **{f"the base {base}": lambda base=base: local(base) for base in (NAN, INF, 1.0, 0.5, 0.0, -2.0)},  # type: ignore[misc]
        "too few divisors": lambda: local(divisors=[1.0]),
        "the divisor 0": lambda: local(divisors=[1.0, 0.0, 1.0]),
        "a divisor that is not a number": lambda: local(divisors=[1.0, NAN, 1.0]),
        "divisors without a penalty": lambda: local(divisors=[2.0] * 3, formula=_native.QuotientNml()),
        "no engine": lambda: _native.LocalScorer(None, _native.Penalised(1.0), 2.0, []),  # type: ignore[arg-type]
    },
    "LocalScorer.score_families": {
        **batches(lambda *batch: local().score_families(*batch, "")),
        "an unknown method": lambda: local().score_families(*ONE_FAMILY, "magic"),
    },
    "LocalScorer.score_pairs": {"no control": lambda: local().score_pairs(5)},  # type: ignore[arg-type]
    "LocalScorer.score_better_parents": {
        "a price that is not a number": lambda: local().score_better_parents(NAN, 1e-9, 5),
        "a negative tolerance": lambda: local().score_better_parents(0.0, -1.0, 5),
        "a negative number": lambda: local().score_better_parents(0.0, 1e-9, -1),
    },
    "LocalScorer.focus": {
        "too few lists": lambda: local().focus([[1]]),
        "a candidate beyond the last": lambda: local().focus([[3], [], []]),
        "a negative candidate": lambda: local().focus([[-1], [], []]),
    },
    "FamilyScorer.__init__": {"no scorer": lambda: _native.FamilyScorer()},
    "DeterminantScorer.__init__": {
        "too few numbers": lambda: determinants(matrix=np.eye(2).ravel()),
        "numbers that are none": lambda: determinants(matrix=np.full(9, NAN)),
        "blocks that fall": lambda: determinants(first=[0, 2, 1, 3]),
        "blocks beyond the matrix": lambda: determinants(first=[0, 1, 2, 4]),
        "no blocks": lambda: determinants(first=[]),
        "too few weights": lambda: determinants(weight=[1.0]),
        "too few constants": lambda: determinants(constant=[1.0]),
        "too few scores": lambda: determinants(alone=[1.0]),
        "a score that is none": lambda: determinants(alone=[NAN] * 3),
        "a floor that is not a number": lambda: determinants(floor=NAN),
        "a grid of 0": lambda: determinants(grid=0.0),
        "no threads": lambda: determinants(threads=0),
        "no such instruction set": lambda: determinants(level="sse9"),
    },
    "ColumnTester.__init__": {
        "too few numbers": lambda: column_tester(matrix=np.eye(2).ravel()),
        "numbers that are none": lambda: column_tester(matrix=np.full(9, NAN)),
        "blocks that fall": lambda: column_tester(first=[0, 2, 1, 3]),
        "no blocks": lambda: column_tester(first=[]),
        "more ends than columns": lambda: column_tester(ends=[1, 2, 1]),
        "too few ends": lambda: column_tester(ends=[1]),
        "too few limits": lambda: column_tester(limited=[True]),
        "no depth": lambda: column_tester(depth=[]),
        "too few rows": lambda: column_tester(rows=np.zeros(5, np.float32)),
        "rows that are none": lambda: column_tester(rows=np.full(6, NAN, np.float32)),
        "a weight that is not whole": lambda: column_tester(weights=np.full(2, 0.5)),
        "a negative weight": lambda: column_tester(weights=np.full(2, -1.0)),
        "weights that are too large": lambda: column_tester(weights=np.full(2, 2.0**30)),
        "a size of 0": lambda: column_tester(size=0.0),
        "no threads": lambda: column_tester(threads=0),
    },
    "ColumnTester.test_families": {
        **batches(lambda *batch: column_tester().test_families(*batch, None)),
        "a question about one variable": lambda: column_tester().test_families(ints(0), offsets(0, 0), ints(), None),
    },
    "DeterminantScorer.score_families": batches(lambda *batch: determinants().score_families(*batch)),
    "DeterminantScorer.bound_additions": {
        "a child beyond the last": lambda: determinants().bound_additions(3, [0], [1]),
        "a negative parent": lambda: determinants().bound_additions(0, [-1], [1]),
        "a candidate beyond the last": lambda: determinants().bound_additions(0, [1], [3]),
    },
    "MixedScorer.__init__": {
        "too few kinds": lambda: _native.MixedScorer(determinants(), determinants(), [1, 0]),
        "no scorer": lambda: _native.MixedScorer(None, determinants(), [1, 0, 0]),  # type: ignore[arg-type]
    },
    "MixedScorer.score_families": batches(
        lambda *batch: _native.MixedScorer(determinants(), determinants(), [1, 0, 0]).score_families(*batch)
    ),
    "CutChooser.__init__": {
        "too few codes": lambda: cuts(codes=np.zeros(3, np.uint16)),
        "a bin beyond the last": lambda: cuts(bins=[2, 2]),
        "too few bins": lambda: cuts(bins=[3]),
        "too few kinds": lambda: cuts(number=[1]),
        "too few weights": lambda: cuts(weights=np.ones(3, np.uint64)),
        "no weight at all": lambda: cuts(weights=np.zeros(4, np.uint64)),
        "no rows": lambda: cuts(codes=np.zeros(0, np.uint16), rows=0),
    },
    "CutChooser.choose": {
        "no such variable": lambda: cuts().choose(2, [[0, 1]], CUTS, 2),
        "a family without it": lambda: cuts().choose(0, [[1]], CUTS, 2),
        "a member beyond the last": lambda: cuts().choose(0, [[0, 2]], CUTS, 2),
        "a negative member": lambda: cuts().choose(0, [[0, -1]], CUTS, 2),
        "a member twice": lambda: cuts().choose(0, [[0, 1, 1]], CUTS, 2),
        "too few cuts": lambda: cuts().choose(0, [[0, 1]], CUTS[:1], 2),
        "a cut of too few bins": lambda: cuts().choose(0, [[0, 1]], [[0, 1], [0, 1]], 2),
        "no interval": lambda: cuts().choose(0, [[0, 1]], CUTS, 0),
    },
    "CutChooser.choose_family": {
        "no member": lambda: cuts().choose_family([], [], 2, 1),
        "a member beyond the last": lambda: cuts().choose_family([0, 2], CUTS, 2, 1),
        "too few cuts": lambda: cuts().choose_family([0, 1], CUTS[:1], 2, 1),
        "a cut of too many bins": lambda: cuts().choose_family([0, 1], [[0, 0, 1, 1], [0, 1]], 2, 1),
        "no interval": lambda: cuts().choose_family([0, 1], CUTS, 0, 1),
    },
    "CutChooser.family_bits": {
        "no member": lambda: cuts().family_bits([], [], False),
        "a member twice": lambda: cuts().family_bits([0, 0], [CUTS[0], CUTS[0]], False),
        "too few cuts": lambda: cuts().family_bits([0, 1], CUTS[:1], False),
        "a cut of no bins": lambda: cuts().family_bits([0, 1], [[], [0, 1]], False),
    },
    "SplitScorer.__init__": {
        "no such scorer": lambda: split((local(),), [0, 0, 1]),
        "other variables": lambda: split((local(),), [0, 0]),
        "None": lambda: split((None,), [0, 0, 0]),
        "a list, which may change later": lambda: split([local()], [0, 0, 0]),
        "no scorer": lambda: split((), []),
    },
    "SplitScorer.score_families": batches(lambda *batch: split((local(),), [0] * 3).score_families(*batch)),
    "SplitScorer.focus": {
        "too few lists": lambda: split((local(),), [0] * 3).focus([[1]]),
        "a candidate beyond the last": lambda: split((local(),), [0] * 3).focus([[3], [], []]),
    },
    "IncompleteRows.__init__": {
        "no columns": lambda: incomplete(columns=[], states=[], log_weights=[], causes=[]),
        "a column without states": lambda: incomplete(columns=[np.zeros(4, np.uint32)] * 3, states=[0] * 3),
        "2^32 - 1 states": lambda: incomplete(states=[2**32 - 1] * 3),
        "a code beyond the missing value": lambda: incomplete(states=[2, 0, 2]),
        "columns of different length": lambda: incomplete(columns=[WIDE, WIDE[:2], WIDE]),
        "too few weights": lambda: incomplete(weights=np.ones(3, np.uint32)),
        "weights beyond 2^23": lambda: incomplete(weights=np.full(4, 1 << 22, np.uint32)),
        "an unknown cause": lambda: incomplete(causes=[[3], [], []]),
        "too few logarithms": lambda: incomplete(log_weights=[np.zeros(3, np.int16), None, None]),
        "a logarithm out of range": lambda: incomplete(log_weights=[np.full(4, 641, np.int16), None, None]),
        "the smallest logarithm": lambda: incomplete(log_weights=[np.full(4, -(2**15), np.int16), None, None]),
    },
    "IncompleteRows.count_families": batches(lambda *batch: incomplete().count_families(*batch)),
    "IncompleteScorer.__init__": {
        "a base below 1": lambda: incomplete_scorer(base=0.5),
        "the rows of another table": lambda: incomplete_scorer(engine=engine([COLUMN], [2])),
        "too few class logarithms": lambda: incomplete_scorer(class_logs=[[]]),
        "classes without columns": lambda: incomplete_scorer(class_logs=[[0], [], []]),
        "too few divisors": lambda: incomplete_scorer(divisors=[1.0]),
    },
    "IncompleteScorer.score_families": batches(lambda *batch: incomplete_scorer().score_families(*batch)),
    "RowCompleter.__init__": {
        "no variables": lambda: completer(states=[], parents=[], codes=np.zeros(0, np.uint32)),
        "a variable without states": lambda: completer(states=[2, 0]),
        "2^32 - 1 states": lambda: completer(states=[2**32 - 1, 2]),
        "parents for one variable only": lambda: completer(parents=[[]]),
        "an unknown parent": lambda: completer(parents=[[], [2]]),
        "a variable that is its own parent": lambda: completer(parents=[[], [1]]),
        "a parent named twice": lambda: completer(parents=[[], [0, 0]]),
        "a table of 2^96 numbers, which are none in 64 bits": lambda: completer(
            states=[2**31] * 4, parents=[[], [0], [0, 1], [0, 1, 2]], codes=np.zeros(8, np.uint32)
        ),
        "a code beyond the missing value": lambda: completer(codes=np.array([0, 3, 1, 1], np.uint32)),
        "too few codes": lambda: completer(codes=np.zeros(3, np.uint32)),
        "a negative weight": lambda: completer(weights=np.array([-1, 1])),
        "weights of 2^53": lambda: completer(weights=np.array([2**53 - 1, 1])),
        "weights beyond 64 bits": lambda: completer(weights=np.full(2, 2**63 - 1)),
        "unsigned weights": lambda: completer(weights=np.ones(2, np.uint64)),
    },
    "RowCompleter.expect": {
        "too few numbers": lambda: expect(TABLES[:5]),
        "a number that is none": lambda: expect(np.full(6, NAN)),
        "a negative number": lambda: expect(np.full(6, -0.5)),
        "an infinite number": lambda: expect(np.full(6, INF)),
        "rows of probability 0": lambda: expect(np.zeros(6)),
        "whole numbers": lambda: expect(np.ones(6, np.int64)),
    },
    "RowCompleter.draw": {
        "too few numbers": lambda: draw(TABLES[:5]),
        "a number that is none": lambda: draw(np.full(6, NAN)),
        "rows of probability 0": lambda: draw(np.zeros(6)),
        "too few hashes": lambda: draw(hashes=np.ones(1, np.uint64)),
        "too many draws": lambda: draw(draws=MOST),
        "a negative number of draws": lambda: draw(draws=-1),
    },
    "CountScores.__init__": {
        "a base below 1": lambda: _native.CountScores([2], 4, _native.Penalised(1.0), 0.5, []),
        "no states": lambda: _native.CountScores([0], 4, _native.Penalised(1.0), 2.0, []),
        "a price that is not a number": lambda: _native.CountScores([2], 4, _native.Penalised(NAN), 2.0, []),
        "a sample size that is not a number": lambda: _native.CountScores([2], 4, _native.Bdeu(NAN), 2.0, []),
        "a size beyond 2^53": lambda: _native.CountScores([2], 2**60, _native.Penalised(1.0), 2.0, []),
    },
    "CountScores.score_counts": cells(counted),
    "CountScores.score_both_directions": {
        **cells(counted_both),
        "two parents": lambda: counted_both(
            families=(ints(0), offsets(0, 2), ints(1, 2)), cells=[1] * 8, cell_offsets=[0, 8]
        ),
    },
    "CountTests.__init__": {
        "no states": lambda: _native.CountTests([0], 4),
        "a size beyond 2^53": lambda: _native.CountTests([2], 2**60),
    },
    "CountTests.measure_excess": {
        **cells(excess_measured),
        "a question about one variable": lambda: excess_measured(
            [2, 2], [0, 2], families=(ints(0), offsets(0, 0), ints())
        ),
    },
    "CountTests.test_counts": {
        **cells(count_tested),
        "a question about one variable": lambda: count_tested(
            [2, 2], [0, 2], families=(ints(0), offsets(0, 0), ints())
        ),
    },
    "IndependenceTester.__init__": {"no engine": lambda: _native.IndependenceTester(None)},  # type: ignore[arg-type]
    "IndependenceTester.test_families": {
        **batches(lambda *batch: _native.IndependenceTester(engine()).test_families(*batch, False, True, None)),
        "a question about one variable": lambda: _native.IndependenceTester(engine()).test_families(
            ints(0), offsets(0, 0), ints(), False, True, None
        ),
    },
    "ScoreCache.__init__": {
        "no scorer": lambda: _native.ScoreCache(None, 1 << 20),
        "a price that is not a number": lambda: cache(price=NAN),
        "an extra price that is not a number": lambda: extra_prices([0, 1, 1, 1], [1], [NAN]),
        "extra prices of another length": lambda: extra_prices([0, 1, 1, 1], [1], [1.0, 2.0]),
        "lists of another number of variables": lambda: extra_prices([0, 1], [1], [1.0]),
        "lists that end too soon": lambda: extra_prices([0, 0, 0, 0], [1], [1.0]),
        "falling lists": lambda: extra_prices([0, 1, 0, 1], [1], [1.0]),
        "parents that do not ascend": lambda: extra_prices([0, 2, 2, 2], [2, 1], [1.0, 1.0]),
        "negative variables": lambda: cache(scorer=PythonScorer(np.zeros, -1)),
    },
    "ScoreCache.score_families": {
        **batches(lambda *batch: cache().score_families(*batch, None)),
        "scores that are not numbers": lambda: cache(
            scorer=PythonScorer(lambda count: np.full(count, NAN))
        ).score_families(*ONE_FAMILY, None),
        "too many scores": lambda: cache(scorer=PythonScorer(lambda count: np.zeros(count + 1))).score_families(
            *ONE_FAMILY, None
        ),
        "a text as scores": lambda: cache(scorer=PythonScorer(lambda count: "x")).score_families(*ONE_FAMILY, None),
    },
    "CancelToken.__init__": {"an argument": lambda: _native.CancelToken(1)},  # type: ignore[call-arg]
    "CancelToken.cancel": {"an argument": lambda: _native.CancelToken().cancel(1)},  # type: ignore[call-arg]
    "Space.__init__": {
        "a variable that is its own candidate": lambda: space(2, [[0], []]),
        "a candidate beyond the last": lambda: space(2, [[2], []]),
        "a candidate named twice": lambda: space(2, [[1, 1], []]),
        "fewer nodes than variables": lambda: space(nodes=2),
        "falling offsets": lambda: space(first=offsets(0, 4, 2, 6)),
        "a negative offset": lambda: space(first=offsets(0, -1, 2, 6)),
        "too few limits": lambda: space(limit=ints(1)),
        "an unknown hold": lambda: space(hold=np.full(6, 4, np.uint8)),
        "an unknown virtual arc": lambda: space(virtual_arcs=[(0, 3)]),
    },
    "Space.complete": {
        "fewer nodes than variables": lambda: _native.Space.complete(3, 2, ints(3, 3, 3), []),
        "too few limits": lambda: _native.Space.complete(3, 3, ints(3), []),
        "an unknown virtual arc": lambda: _native.Space.complete(3, 3, ints(3, 3, 3), [(0, 3)]),
    },
    "climb": {
        "an unknown arc": lambda: climb([(0, 7)]),
        "an arc given twice": lambda: climb([(0, 1), (0, 1)]),
        "a cycle": lambda: climb([(0, 1), (1, 0)]),
        "NaN pairs": lambda: climb(pairs=np.full((3, 3), NAN)),
        "an infinite pair": lambda: climb(pairs=np.full((3, 3), -INF)),
        "pairs of another size": lambda: climb(pairs=np.zeros((2, 2))),
        "a NaN tolerance": lambda: climb(tolerance=NAN),
        "a negative tolerance": lambda: climb(tolerance=-1.0),
        "an infinite tolerance": lambda: climb(tolerance=INF),
        "NaN scores": lambda: climb(cache=cache(scorer=PythonScorer(lambda count: np.full(count, NAN)))),
        "too few variables scored": lambda: climb(cache=cache(2)),
        "averaging with escapes": lambda: climb(escapes=True),
    },
    "explain_moves": {
        "a head beyond the last": lambda: _native.explain_moves(space(), [(0, 99)]),
        "an arc given twice": lambda: _native.explain_moves(space(), [(0, 1), (0, 1)]),
    },
    "neighbours": {
        "a head beyond the last": lambda: _native.neighbours(cache(), space(), [(0, 2**31 - 1)]),
        "a head just beyond": lambda: _native.neighbours(cache(), space(), [(0, 3)]),
        "a negative head": lambda: _native.neighbours(cache(), space(), [(0, -1)]),
        "an arc given twice": lambda: _native.neighbours(cache(), space(), [(0, 1), (0, 1)]),
        "a cycle": lambda: _native.neighbours(cache(), space(), [(0, 1), (1, 0)]),
        "too few variables scored": lambda: _native.neighbours(cache(2), space(), []),
        "too many variables scored": lambda: _native.neighbours(cache(4), space(), []),
    },
    "order_program": {
        "33 variables": lambda: dynamic_program(list(range(34)), [0] * 33, [0.0] * 33),
        "21 variables": lambda: dynamic_program(list(range(22)), [0] * 21, [0.0] * 21),
        "NaN scores": lambda: dynamic_program([0, 1], [0], [NAN]),
        "a negative offset": lambda: dynamic_program([-1, 1], [0], [0.0]),
        "offsets that fall behind the end": lambda: dynamic_program([0, 2**40, 1], [0], [0.0]),
        "a parent beyond the last": lambda: dynamic_program([0, 1], [2], [0.0]),
        "a variable that is its own parent": lambda: dynamic_program([0, 1], [1], [0.0]),
        "a NaN tolerance": lambda: dynamic_program([0, 1], [0], [0.0], tolerance=NAN),
        "no offsets": lambda: dynamic_program([], [], [], held=[], before=[]),
    },
    "search_orders": {
        "NaN pairs": lambda: search_orders(pairs=np.full((3, 3), NAN)),
        "a NaN tolerance": lambda: search_orders(tolerance=NAN),
        "an arc given twice": lambda: search_orders([(0, 1), (0, 1)]),
        "a cycle": lambda: search_orders([(0, 1), (1, 0)]),
        "too few variables scored": lambda: search_orders(cache=cache(2)),
    },
    "ParentLists.__init__": {
        "a child that is its own candidate": lambda: parent_lists(candidates=[[0], [0]]),
        "offsets that fall": lambda: parent_lists(offsets=np.array([0, 5, 4])),
        "a candidate that is not there": lambda: parent_lists(inside=np.array([0, 2, 0, 1], np.uint32)),
        "a set listed twice": lambda: parent_lists(inside=np.array([0, 0, 0, 1], np.uint32)),
        "scores that rise": lambda: parent_lists(scores=np.array([0.0, 1.0, 0.0, -1.0])),
        "a NaN score": lambda: parent_lists(scores=np.array([0.0, NAN, 0.0, -1.0])),
        "a partner out of range": lambda: parent_lists(partners=[[5], []]),
        "a virtual arc out of range": lambda: parent_lists(virtual_arcs=[(0, 9)]),
        "too few nodes": lambda: parent_lists(nodes=1),
    },
    "ParentLists.walk": {
        "a start of other variables": lambda: walk(start=np.zeros(1, np.int32)),
        "a set that is not there": lambda: walk(start=np.array([0, 7], np.int32)),
        "a start with a cycle": lambda: walk(start=np.array([1, 1], np.int32)),
        "shares above 1": lambda: walk(flips=0.9, reversals=0.9),
        "a NaN share": lambda: walk(flips=NAN),
    },
    "find_compelled": {
        "a cycle": lambda: compelled([0, 1], [1, 0]),
        "an arc out of range": lambda: compelled([0, 1], [1, 9]),
        "arcs that do not ascend": lambda: compelled([1, 0], [2, 2]),
        "offsets that do not fit": lambda: compelled([0, 1], [1, 2], offsets=np.array([0, 5])),
        "no offsets": lambda: compelled([], [], offsets=np.zeros(0, np.int64)),
    },
    "blanket_posteriors": {
        "no states of the target": lambda: blanket(target_states=0),
        "more rows than codes": lambda: blanket(rows=5),
        "a code beyond the states": lambda: blanket(states=[1], strides=[[1]]),
        "a column without states": lambda: blanket(states=[0]),
        "signed codes": lambda: blanket(columns=[COLUMN.astype(np.int8)]),
        "a stride that leads out": lambda: blanket(strides=[[3]]),
        "a stride that wraps": lambda: blanket(strides=[[MOST]], target_strides=[1]),
        "a stride of the target that wraps": lambda: blanket(target_states=3, target_strides=[2**63], strides=[[1]]),
        "strides that wrap together": lambda: blanket(strides=[[2**64 - 3]], target_strides=[3]),
        "an unknown column": lambda: blanket(members=[[1]]),
        "too few strides": lambda: blanket(strides=[[]]),
        "too few tables": lambda: blanket(logs=[]),
        "2^64 probabilities, which are none in 64 bits": lambda: blanket(
            columns=[], states=[], rows=2**63, members=[], strides=[], target_strides=[], logs=[]
        ),
    },
    "number_texts": {
        "no column": lambda: _texts.number_texts(None),
        "numbers": lambda: _texts.number_texts(pl.Series([1, 2]).__arrow_c_stream__()),
        "a capsule of something else": lambda: _texts.number_texts(np.zeros(1).__array_struct__),
    },
    "split_record": {
        "a text": lambda: _texts.split_record("a,b", ",", '"'),  # type: ignore[arg-type]
        "a delimiter of two letters": lambda: _texts.split_record(b"a", ",,", '"'),
    },
    "TextColumns.__init__": {
        "a column beyond the last": lambda: text_columns(1, [1]),
        "a negative column": lambda: text_columns(1, [-1]),
        "a quote of two letters": lambda: _texts.TextColumns(",", "''", 1, [0]),
    },
    "TextColumns.scan": {"a text": lambda: text_columns().scan("a,b", True)},  # type: ignore[arg-type]
    "TextColumns.overfull": {"a negative limit": lambda: text_columns().overfull(-1)},
    "TextColumns.take": {
        "a column beyond the last": lambda: text_columns().take(2),
        "a negative column": lambda: text_columns().take(-1),
    },
    "TextColumns.ignore": {"a column beyond the last": lambda: text_columns().ignore(2)},
}
CASES = [(function, case) for function, cases in MISUSES.items() for case in cases]


def bound_functions(module: ModuleType) -> Iterator[str]:
    for name, bound in vars(module).items():
        if name.startswith("__"):
            continue
        if not isinstance(bound, type):
            yield name
            continue
        for method, what in vars(bound).items():
            if not isinstance(what, property) and (method == "__init__" or not method.startswith("__")):
                yield f"{name}.{method}"


def test_every_bound_function_has_a_case() -> None:
    assert set(MISUSES) == {*bound_functions(_native), *bound_functions(_texts)}


@pytest.mark.parametrize(("function", "case"), CASES)
def test_misuse_is_refused(function: str, case: str) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError, AttributeError, RuntimeError, IndexError), match=r"\w"):
        MISUSES[function][case]()


def test_numbers_out_of_range_have_an_end() -> None:
    for statistic in (NAN, -1.0, 0.0, 1e16, 1e300, INF):
        for degrees in (NAN, -1.0, 0.0, 1e16, 1e300, INF):
            assert not _native.log_chi_square_tail(statistic, degrees) > 0
    for x in (NAN, -1.0, 0.0, 1e300, INF):
        assert _native.log_gamma(x) is not None
    for states in (NAN, -1.0, 0.0, 1e300, INF):
        assert _native.log2_regret(2**53, states) is not None


def test_no_number_of_threads_is_too_large() -> None:
    found = completer(threads=2**32 - 1).expect(TABLES)
    assert found is not None
    assert found[0].tolist() == completer().expect(TABLES)[0].tolist()  # type: ignore[index]
