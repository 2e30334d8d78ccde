"""Batches of families keep what was put in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mahc.engine import Families

pairs = st.lists(st.tuples(st.integers(0, 50), st.lists(st.integers(0, 50), max_size=8)), max_size=12)


@given(pairs)
def test_a_batch_gives_back_its_families(families: list[tuple[int, list[int]]]) -> None:
    batch = Families.of(families)
    assert len(batch) == len(families)
    assert list(batch) == [(child, tuple(parents)) for child, parents in families]


@given(st.lists(pairs, max_size=4))
def test_batches_joined_hold_all_families_in_order(parts: list[list[tuple[int, list[int]]]]) -> None:
    joined = Families.joined([Families.of(part) for part in parts])
    assert list(joined) == [(child, tuple(parents)) for part in parts for child, parents in part]


@given(st.integers(0, 9), st.lists(st.integers(10, 19), max_size=4), st.lists(st.integers(20, 40)))
def test_an_extended_family_varies_in_its_last_parent(child: int, base: list[int], lasts: list[int]) -> None:
    batch = Families.extending(child, base, np.array(lasts, np.int32))
    assert list(batch) == [(child, (*base, last)) for last in lasts]
