"""A local score has the same bits whatever the way, the level, the threads, and the order of what is counted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from count_scores import COUNT_SCORES
from hypothesis import given
from hypothesis import strategies as st
from random_tables import (
    LEVELS,
    THREADS,
    WAYS,
    RawTable,
    families_of,
    few_examples,
    many_examples,
    raw_tables,
    scorer_of,
)

from mahc.engine import EngineRows, Families, RowScorer
from mahc.engine import rows as rows_module
from mahc.scores import make_score

ALL_SCORES = COUNT_SCORES


@st.composite
def tables_with_families(draw: st.DrawFn) -> tuple[RawTable, Families]:
    table = draw(raw_tables(rows=st.integers(1, 3000)))
    return table, Families.of([draw(families_of(table)) for _ in range(draw(st.integers(1, 12)))])


@given(tables_with_families(), st.sampled_from(ALL_SCORES))
@few_examples
def test_scores_do_not_depend_on_way_level_or_threads(case: tuple[RawTable, Families], name: str) -> None:
    table, families = case
    data, score = table.dataset(), make_score(name)
    expected = RowScorer(EngineRows(data, threads=1, level="scalar"), score).score_families(families)
    for level, threads in itertools.product(LEVELS, THREADS):
        scorer = RowScorer(EngineRows(data, threads=threads, level=level), score)
        for way in (None, *WAYS):
            assert scorer.score_families(families, way).tolist() == expected.tolist(), (level, threads, way)


@given(tables_with_families(), st.sampled_from(ALL_SCORES), st.randoms(use_true_random=False))
@many_examples
def test_scores_do_not_depend_on_any_order(
    case: tuple[RawTable, Families], name: str, random: np.random.Generator
) -> None:
    table, families = case
    expected = scorer_of(table, make_score(name)).score_families(families).tolist()
    rng = np.random.default_rng(random.getrandbits(64))  # type: ignore[attr-defined]
    rows = rng.permutation(len(table.columns[0]))
    columns = tuple(
        rng.permutation(s)[column[rows]].astype(column.dtype)
        for s, column in zip(table.states, table.columns, strict=True)
    )
    weights = None if table.weights is None else table.weights[rows]
    shuffled = scorer_of(RawTable(columns, table.states, weights), make_score(name))
    reordered = Families.of([(child, rng.permutation(parents).tolist()) for child, parents in families])
    assert shuffled.score_families(reordered).tolist() == expected


@given(tables_with_families(), st.sampled_from(ALL_SCORES))
@many_examples
def test_equal_rows_merged_into_weights_score_the_same(case: tuple[RawTable, Families], name: str) -> None:
    table, families = case
    weights = np.ones(len(table.columns[0]), np.int64) if table.weights is None else table.weights.astype(np.int64)
    stacked = np.stack([column.astype(np.int64) for column in table.columns])
    unique, where = np.unique(stacked, axis=1, return_inverse=True)
    merged = np.bincount(where.ravel(), weights, unique.shape[1]).astype(np.uint32)
    short = RawTable(tuple(unique.astype(np.uint32)), table.states, merged)
    expected = scorer_of(table, make_score(name)).score_families(families)
    assert scorer_of(short, make_score(name)).score_families(families).tolist() == expected.tolist()


@given(tables_with_families(), st.sampled_from(ALL_SCORES), st.sampled_from(THREADS))
@few_examples
def test_rows_that_are_stored_repeatedly_score_as_rows_with_weights(
    case: tuple[RawTable, Families], name: str, threads: int
) -> None:
    table, families = case
    if table.weights is None:
        return
    data = RawTable(table.columns, table.states, np.clip(table.weights, 1, 5)).dataset()
    found = []
    for most in (0, 5):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rows_module, "MOST_REPEATED", most)
            rows = EngineRows(data, threads=threads)
        hashes = np.arange(sum(len(labels) for labels in data.labels), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        sums = rows.sum_row_hashes(hashes, np.ones(len(data.names), np.bool_)).tolist()
        marginals = [each.tolist() for each in rows.marginals]
        scores = RowScorer(rows, make_score(name)).score_families(families).tolist()
        found.append((rows.size, sums, marginals, scores))
    assert found[0] == found[1]


def test_only_small_tables_with_small_weights_are_stored_repeatedly() -> None:
    codes = np.zeros(1000, np.uint8)

    def method(weight: int, **limits: int) -> str:
        data = RawTable((codes, codes), (2, 2), np.full(1000, weight, np.uint32)).dataset()
        return EngineRows(data, **limits).family_counts(0, [1])[2]

    assert method(4) == "bitmaps"  # which count rows without weights only
    assert method(5) != "bitmaps"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "MOST_REPEATED_BYTES", 7999)
        assert method(4) != "bitmaps"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "MEBIBYTE", 4 * 7999)
        assert method(4, cache_mebibytes=1) != "bitmaps"


@given(raw_tables(variables=st.integers(1, 7), rows=st.integers(1, 2000)), st.sampled_from(ALL_SCORES))
@many_examples
def test_pairs_at_once_equal_pairs_one_by_one(table: RawTable, name: str) -> None:
    n = len(table.states)
    pairs = Families.of([(v, [] if u == v else [u]) for u in range(n) for v in range(n)])
    for level, threads in itertools.product(LEVELS, THREADS):
        scorer = scorer_of(table, make_score(name), threads, level)
        assert scorer.score_pairs().ravel().tolist() == scorer.score_families(pairs).tolist()


@given(st.data(), st.sampled_from(ALL_SCORES))
@many_examples
def test_tables_of_unique_rows_change_no_score(data: st.DataObject, name: str) -> None:
    states = st.one_of(st.integers(1, 4), st.integers(200, 300))
    table = data.draw(raw_tables(rows=st.integers(2000, 4000), states=states))
    n = len(table.states)
    candidates = [data.draw(st.lists(st.sampled_from([u for u in range(n) if u != v]), unique=True)) for v in range(n)]
    families = Families.of(
        [data.draw(families_of(table)) for _ in range(5)]  # outside the candidates: the long table must serve
        + [(v, candidates[v][:k]) for v in range(n) for k in range(min(5, len(candidates[v])) + 1)]
    )
    expected = scorer_of(table, make_score(name)).score_families(families)
    for threads in (1, 2):
        focused = scorer_of(table, make_score(name), threads)
        focused.focus(candidates)
        assert focused.score_families(families).tolist() == expected.tolist()


@pytest.mark.parametrize("name", ALL_SCORES)
def test_beyond_64_bits_of_configurations_scores_are_finite_and_free_of_order(name: str) -> None:
    rng = np.random.default_rng(3)
    states = (3, 70_000, 65_537, 60_013, 7, 69_997, 50_021, 11, 70_000)
    columns = tuple(rng.integers(0, s, 2500).astype(np.uint32) for s in states)
    scorer = scorer_of(RawTable(columns, states, None), make_score(name))
    orders = [rng.permutation(range(1, 9)).tolist() for _ in range(20)]
    scores = scorer.score_families(Families.of([(0, parents) for parents in orders]))
    assert np.isfinite(scores).all()
    assert len(set(scores.tolist())) == 1


@given(tables_with_families())
@few_examples
def test_a_batch_scores_like_its_families_alone(case: tuple[RawTable, Families]) -> None:
    # Grouping families that share all parents but the last is a matter of speed only.
    table, families = case
    n = len(table.states)
    child, parents = next(iter(families))
    lasts = np.array([v for v in range(n) if v != child and v not in parents], np.int32)
    grouped = Families.joined([Families.extending(child, parents, lasts), families])
    scorer = scorer_of(table, make_score("bic"), threads=2)
    alone = [scorer.score_families(Families.of([family]))[0] for family in grouped]
    assert scorer.score_families(grouped).tolist() == alone
