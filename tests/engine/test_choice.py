"""The way of counting is chosen as documented, also at its borders, and the choice never shows in a score."""

from __future__ import annotations

import numpy as np
import pytest
from random_tables import LEVELS, RawTable, scorer_of

from mahc.engine import Families
from mahc.scores import make_score


def table_of(states: tuple[int, ...], rows: int, *, weighted: bool = False) -> RawTable:
    rng = np.random.default_rng(rows)
    columns = tuple(rng.integers(0, s, rows).astype(np.uint8 if s <= 256 else np.uint32) for s in states)
    return RawTable(columns, states, np.ones(rows, np.uint32) if weighted else None)


def way_taken(table: RawTable, level: str = "") -> str:
    return table.engine(level=level).family_counts(0, list(range(1, len(table.states))), "")[2]


@pytest.mark.parametrize("level", LEVELS)
def test_few_cells_are_counted_by_bitmaps(level: str) -> None:
    assert way_taken(table_of((2, 2), 10_000), level) == "bitmaps"
    assert way_taken(table_of((2, 2, 2), 10_000), level) == "bitmaps"


@pytest.mark.parametrize("level", LEVELS)
def test_more_cells_are_counted_directly(level: str) -> None:
    assert way_taken(table_of((8, 8, 8), 10_000), level) == "direct"


@pytest.mark.parametrize("level", LEVELS)
def test_from_bitmaps_to_direct_there_is_one_border(level: str) -> None:
    ways = [way_taken(table_of((states, 3, 3), 20_000), level) for states in range(1, 65)]
    border = ways.index("direct")
    assert ways == ["bitmaps"] * border + ["direct"] * (64 - border)
    assert 1 <= border < 60


@pytest.mark.parametrize(("rows", "cells"), [(1000, 2048), (20_000, 20_000)])
def test_beyond_the_dense_border_rows_are_renumbered(rows: int, cells: int) -> None:
    assert way_taken(table_of((2, cells // 2), rows)) == "direct"
    assert way_taken(table_of((2, cells // 2 + 1), rows)) == "compressed"


def test_weighted_rows_and_wide_columns_do_without_bitmaps() -> None:
    assert way_taken(table_of((2, 2), 10_000, weighted=True)) == "direct"
    wide = table_of((2, 2), 10_000)
    columns = tuple(column.astype(np.uint16) for column in wide.columns)
    assert way_taken(RawTable(columns, wide.states, None)) == "direct"
    assert way_taken(table_of((2, 65), 10_000)) != "bitmaps"  # bit vectors stop at 64 states


@pytest.mark.parametrize("offset", [-1, 0, 1])
@pytest.mark.parametrize("rows", [500, 3000])
def test_scores_are_the_same_on_both_sides_of_every_border(rows: int, offset: int) -> None:
    # Cells at which a dense table is given up: 2,048, the rows, and 10 x rows + 4,096.
    for cells in (2048, rows, 10 * rows + 4096):
        table = table_of((2, 3, max(1, cells // 6 + offset)), rows)
        scorer = scorer_of(table, make_score("bic"))
        family = Families.of([(0, [1, 2])])
        scores = {scorer.score_families(family, way)[0] for way in (None, "direct", "compressed", "sparse")}
        assert len(scores) == 1
