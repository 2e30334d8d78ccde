"""Every way of counting gives what a dictionary gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import count_family, sorted_counts
from random_tables import LEVELS, WAYS, RawTable, families_of, many_examples, raw_tables


def occupied(counts: NDArray[np.uint32]) -> list[int]:
    return sorted(counts[counts > 0].tolist())


def check_all_ways(table: RawTable, child: int, parents: list[int]) -> None:
    cells, configurations = (sorted_counts(c) for c in count_family(table.columns, table.weights, child, parents))
    for level in LEVELS:
        engine = table.engine(level=level)
        for way in ("", *WAYS):
            got = engine.family_counts(child, parents, way)
            assert occupied(got[0]) == cells, (level, way, got[2])
            assert occupied(got[1]) == configurations, (level, way, got[2])


@given(st.data())
@many_examples
def test_every_way_at_every_level_counts_like_a_dictionary(data: st.DataObject) -> None:
    table = data.draw(raw_tables())
    check_all_ways(table, *data.draw(families_of(table, least=1)))


@given(st.data())
@many_examples
def test_small_tables_count_like_a_dictionary(data: st.DataObject) -> None:
    # Few states: here bitmaps and the direct way are the ones really taken.
    table = data.draw(raw_tables(rows=st.integers(1, 700), states=st.integers(1, 4)))
    check_all_ways(table, *data.draw(families_of(table, least=1)))


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 32_767, 32_768, 32_769, 70_000])
def test_block_borders_lose_no_row(rows: int) -> None:
    rng = np.random.default_rng(rows)
    columns = tuple(rng.integers(0, s, rows).astype(np.uint8) for s in (3, 2, 5, 4))
    check_all_ways(RawTable(columns, (3, 2, 5, 4), None), 0, [1, 2, 3])


@pytest.mark.parametrize("level", LEVELS)
def test_a_product_of_states_beyond_64_bits_is_counted(level: str) -> None:
    rng = np.random.default_rng(7)
    columns = tuple(rng.integers(0, 70_000, 3000).astype(np.uint32) for _ in range(9))
    table = RawTable(columns, (70_000,) * 9, None)  # 70,000^8 is about 2^129 configurations
    cells, configurations, way = table.engine(level=level).family_counts(0, list(range(1, 9)), "")
    assert way == "compressed"
    assert occupied(cells) == [1] * 3000
    assert len(cells) + len(configurations) <= 6000  # memory follows the rows


@pytest.mark.parametrize("states", [64, 65, 256])
def test_byte_columns_of_many_states_are_counted(states: int) -> None:
    rng = np.random.default_rng(states)
    columns = tuple(rng.integers(0, states, 3000).astype(np.uint8) for _ in range(3))
    check_all_ways(RawTable(columns, (states,) * 3, None), 0, [1, 2])


@pytest.mark.parametrize("states", [(60, 40, 27), (60, 40, 28), (60, 40, 50), (256, 256, 3), (256, 200, 250, 2)])
def test_byte_columns_are_counted_on_both_sides_of_16_bits(states: tuple[int, ...]) -> None:
    # 64,800 and 67,200 cells: keys of 16 and of 32 bits; then an index that itself needs more than 16.
    rng = np.random.default_rng(len(states))
    columns = tuple(rng.integers(0, s, 4999).astype(np.uint8) for s in states)
    check_all_ways(RawTable(columns, states, None), 0, list(range(1, len(states))))


def test_bitmaps_that_do_not_fit_the_memory_are_done_without() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 500_000).astype(np.uint8) for _ in range(12)]
    engine = RawTable(tuple(columns), (2,) * 12, None).engine(mebibytes=1)
    # 12 variables x 2 states x 61 KiB are more than the half of 1 MiB that bitmaps may take.
    ways = {engine.family_counts(v, [(v + 1) % 12], "")[2] for v in range(12)}
    assert ways == {"bitmaps", "direct"}
