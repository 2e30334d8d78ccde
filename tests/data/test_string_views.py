"""Codes of short texts from polars' memory are those of polars' own operations."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.data.sources.string_views import MANY, code_short_texts

TEXTS = st.one_of(
    st.none(), st.text(max_size=4), st.sampled_from(["yes", "no", "", "\0", "\0\0", "abcdefg", "abcdefgh"])
)
LONG = st.one_of(TEXTS, st.text(max_size=12))


@given(st.lists(st.one_of(TEXTS, LONG), max_size=40), st.lists(st.integers(0, 40), max_size=3), st.integers(1, 50))
def test_random_texts_in_chunks_and_slices(column: list[str | None], cuts: list[int], repeats: int) -> None:
    bounds = sorted({0, *(min(cut, len(column)) for cut in cuts), len(column)})
    parts = [pl.Series(column[a:b] * repeats, dtype=pl.String) for a, b in pairwise(bounds)]
    series = pl.concat(parts, rechunk=False) if parts else pl.Series([], dtype=pl.String)
    for begin, rows in ((0, len(series)), (min(3, len(series)), 17)):
        part = series.slice(begin, rows)
        listed = part.to_list()
        found = code_short_texts(part)
        if any(text is not None and len(text.encode()) > 12 for text in listed):
            continue
        assert found is not None
        texts = sorted({text for text in listed if text is not None})
        assert found[0] == texts
        assert [None if code == len(texts) else found[0][code] for code in found[1]] == listed


@pytest.mark.parametrize("count", [1, 255, 256, 257, MANY - 1, MANY])
def test_many_texts(count: int) -> None:
    column = [f"s{k * 7919 % count}" for k in range(40_000)]
    found = code_short_texts(pl.Series(column))
    if found is None:
        assert count >= MANY - 1
        return
    assert [found[0][code] for code in found[1]] == column


def test_long_and_too_many_texts_are_left_to_polars() -> None:
    assert code_short_texts(pl.Series(["x", "thirteen bytes"])) is None
    assert code_short_texts(pl.Series([f"{k}" for k in range(20_000)])) is None
    assert code_short_texts(pl.Series([1, 2])) is None
