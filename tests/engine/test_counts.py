"""Counts made elsewhere give the same bits as rows counted here: scores, tests of independence, tie order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from count_scores import COUNT_SCORES
from count_sources import DictionarySource, ShardedSource
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_tables import RawTable, families_of, few_examples, raw_tables

from mahc.data import Dataset, read
from mahc.engine import CountScorer, CountSource, EngineRows, Families, FamilyCounts, RowScorer, _native
from mahc.engine.count_requests import CountRequests
from mahc.engine.count_scoring import CountTester
from mahc.engine.counts import ArrangedSource
from mahc.engine.row_testing import RowTester
from mahc.errors import DataError
from mahc.scores import make_score

small_states = st.one_of(st.integers(1, 5), st.integers(1, 5), st.integers(6, 20))


@st.composite
def tables_with_families(draw: st.DrawFn) -> tuple[Dataset, Families]:
    table: RawTable = draw(raw_tables(rows=st.integers(1, 200), states=small_states))
    families = Families.of([draw(families_of(table)) for _ in range(draw(st.integers(1, 8)))])
    return table.dataset(), families


SOURCES: dict[str, Callable[[Dataset], CountSource]] = {
    "rows": lambda data: EngineRows(data, threads=2),
    "dictionary": DictionarySource,
    "shards": ShardedSource,
}
of_sources = pytest.mark.parametrize("source", SOURCES)


@of_sources
@given(tables_with_families(), st.sampled_from(COUNT_SCORES), st.floats(1.1, 20))
@few_examples
def test_scores_from_counts_have_the_bits_of_scores_from_rows(
    source: str, case: tuple[Dataset, Families], name: str, base: float
) -> None:
    data, families = case
    score = make_score(name, base=base)
    expected = RowScorer(EngineRows(data, threads=1), score).score_families(families)
    assert CountScorer(SOURCES[source](data), score).score_families(families).tolist() == expected.tolist()


@given(tables_with_families(), st.sampled_from(["bic", "aic", "loglik"]), st.floats(0.1, 50))
@few_examples
def test_penalty_divisors_work_the_same(case: tuple[Dataset, Families], name: str, divisor: float) -> None:
    data, families = case
    divisors = [divisor if v % 2 else 1.0 for v in range(len(data.names))]
    rows, score = EngineRows(data, threads=1), make_score(name)
    expected = RowScorer(rows, score, divisors).score_families(families)
    assert CountScorer(rows, score, divisors).score_families(families).tolist() == expected.tolist()


@given(
    raw_tables(variables=st.integers(1, 6), rows=st.integers(1, 300), states=small_states),
    st.sampled_from(COUNT_SCORES),
)
@few_examples
def test_pairs_from_counts_have_the_bits_of_pairs_from_rows(table: RawTable, name: str) -> None:
    rows, score = EngineRows(table.dataset(), threads=1), make_score(name)
    expected, found = RowScorer(rows, score).score_pairs(), CountScorer(rows, score).score_pairs()
    assert expected is not None
    assert found is not None
    assert found.tolist() == expected.tolist()


@of_sources
@given(tables_with_families(), st.booleans(), st.booleans())
@few_examples
def test_independence_from_counts_has_the_bits_of_rows(
    source: str, case: tuple[Dataset, Families], pearson: bool, adjusted: bool
) -> None:
    data, families = case
    questions = Families.of(family for family in families if family[1])
    expected = RowTester(EngineRows(data, threads=1)).test_families(questions, pearson, adjusted)
    found = CountTester(SOURCES[source](data)).test_families(questions, pearson, adjusted)
    assert expected is not None
    assert found is not None
    assert [part.tolist() for part in found] == [part.tolist() for part in expected]


@given(tables_with_families())
@few_examples
def test_rows_are_counted_into_complete_tables_in_the_documented_order(case: tuple[Dataset, Families]) -> None:
    data, families = case
    counts = EngineRows(data, threads=2).count_families(families)
    weights = np.ones(data.rows) if data.weights is None else data.weights
    for i, (child, parents) in enumerate(families):
        members = [*parents, child]
        shape = [len(data.labels[v]) for v in members]
        if np.prod(shape, dtype=float) > 2**23:
            continue
        place = np.ravel_multi_index([data.codes[v].astype(np.int64) for v in members], shape)
        expected = np.bincount(place, weights, int(np.prod(shape))).astype(np.int64)
        assert counts.cells[counts.offsets[i] : counts.offsets[i + 1]].tolist() == expected.tolist()


def wide_data() -> Dataset:
    rng = np.random.default_rng(5)
    return read({f"v{k}": [f"s{x}" for x in rng.integers(0, 40, 400)] for k in range(7)})


@pytest.mark.parametrize("name", COUNT_SCORES)
def test_families_too_large_for_complete_tables_score_the_same(name: str) -> None:
    data = wide_data()
    rows, families = EngineRows(data), Families.of([(0, [1, 2, 3, 4, 5, 6]), (2, [0]), (1, [0, 2, 3, 4, 5])])
    expected = RowScorer(rows, make_score(name)).score_families(families).tolist()
    assert CountScorer(rows, make_score(name)).score_families(families).tolist() == expected
    assert CountScorer(DictionarySource(data), make_score(name)).score_families(families).tolist() == expected


def test_a_batch_is_asked_for_in_parts_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mahc.engine.count_requests.MOST_CELLS", 3000)
    data = wide_data()
    families = Families.of([(0, []), (0, [1]), (0, [2]), (1, [2, 3]), (3, [4])])
    parts = list(CountRequests(EngineRows(data)).split(families))
    assert [(place.start, place.stop) for place, _ in parts] == [(0, 2), (2, 3), (3, 4), (4, 5)]
    assert [family for _, part in parts for family in part] == list(families)
    source = DictionarySource(data)
    expected = RowScorer(EngineRows(data), make_score("bic")).score_families(families)
    assert CountScorer(source, make_score("bic")).score_families(families).tolist() == expected.tolist()
    assert source.requests == 4


def test_counts_beyond_32_bits_are_scored() -> None:
    """10^10 rows, as counts: twice the counts of 5 * 10^9 make twice the log-likelihood."""
    families = Families.of([(0, [1])])
    cells = np.array([3, 1, 2, 4], np.int64) * 10**9
    scores = []
    for factor in (1, 2):
        core = _native.CountScores([2, 2], 10**10 * factor, _native.Penalised(0.0), 2.0, [])
        found = core.score_counts(
            families.children, families.offsets, families.parents, cells * factor, np.array([0, 4], np.int64)
        )
        scores.append(float(found[0]))
    exact = sum(n * np.log2(n / m) for n, m in [(3e9, 4e9), (1e9, 4e9), (2e9, 6e9), (4e9, 6e9)])
    assert scores == pytest.approx([exact, 2 * exact], rel=1e-12)


class Wrong(DictionarySource):
    """A source that changes its answers."""

    def __init__(self, data: Dataset, change: Callable[[FamilyCounts], FamilyCounts]) -> None:
        super().__init__(data)
        self._change = change

    def count_families(self, families: Families) -> FamilyCounts:
        return self._change(super().count_families(families))


def _replaced(counts: FamilyCounts, place: int, value: int) -> FamilyCounts:
    cells = counts.cells.copy()
    cells[place] = value
    return FamilyCounts(cells, counts.offsets)


WRONG: dict[str, tuple[Callable[[FamilyCounts], FamilyCounts], str]] = {
    "counted twice": (lambda c: FamilyCounts(2 * c.cells, c.offsets), "more than the size of the data, 4"),
    "a count too few": (lambda c: _replaced(c, 0, 0), "not to the size of the data, 4"),
    "negative": (lambda c: _replaced(c, 1, -1), "negative count"),
    "huge": (lambda c: _replaced(c, 1, 2**62), "more than the size"),
    "half a table": (lambda c: FamilyCounts(c.cells[:-1], c.offsets - (c.offsets == c.offsets[-1])), "tables of 4"),
    "offsets that fall": (lambda c: FamilyCounts(c.cells, np.array([0, 9, 8])), "must not decrease"),
    "no cells": (lambda c: FamilyCounts(c.cells[:0], c.offsets), "do not fit"),
    "32 bits": (lambda c: FamilyCounts(c.cells.astype(np.int32), c.offsets), "incompatible"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_counts_are_refused(case: str) -> None:
    change, words = WRONG[case]
    data = read({"a": ["x", "y", "x", "x"], "b": ["u", "v", "u", "v"]})
    families = Families.of([(0, [1]), (1, [0])])
    for ask in (
        lambda source: CountScorer(source, make_score("bic")).score_families(families),
        lambda source: CountTester(source).test_families(families, True, True),
    ):
        with pytest.raises(DataError, match=f"the count source returned unusable counts: .*{words}"):
            ask(Wrong(data, change))


@pytest.mark.parametrize(
    ("states", "size", "divisors"), [([2, 0], 4, []), ([2, 2], 0, []), ([2], 2**53 + 1, []), ([2, 2], 4, [1.0])]
)
def test_a_core_of_wrong_shape_is_refused(states: list[int], size: int, divisors: list[float]) -> None:
    with pytest.raises(ValueError, match=r"states|total weight|divisor"):
        _native.CountScores(states, size, _native.Penalised(1.0), 2.0, divisors)


def test_tables_beyond_what_is_counted_at_once_are_refused() -> None:
    rng = np.random.default_rng(1)
    columns = tuple(rng.integers(0, 12_000, 30_000).astype(np.uint16) for _ in range(3))
    labels = tuple(str(k) for k in range(12_000))
    rows = EngineRows(Dataset.coded(("a", "b", "c"), (labels,) * 3, columns))
    with pytest.raises(DataError, match=r"more cells than can be counted at once \(2\^25\): lower the in-degree"):
        rows.count_families(Families.of([(0, [1, 2])]))


@given(raw_tables(variables=st.integers(2, 6), rows=st.integers(1, 100), states=st.integers(1, 4)), st.data())
@few_examples
def test_row_hashes_are_the_same_from_every_source_and_order(table: RawTable, draws: st.DataObject) -> None:
    data = table.dataset()
    n = len(data.names)
    rng = np.random.default_rng(draws.draw(st.integers(0, 2**32)))
    order = rng.permutation(n)
    wanted: NDArray[np.bool_] = rng.random(n) < 0.7
    hashes = rng.integers(0, 2**64, int(data.state_counts.sum()), dtype=np.uint64)
    expected = DictionarySource(data).sum_row_hashes(hashes, wanted).tolist()
    assert EngineRows(data).sum_row_hashes(hashes, wanted).tolist() == expected
    assert ShardedSource(data).sum_row_hashes(hashes, wanted).tolist() == expected
    turned = ArrangedSource(DictionarySource(data), order.tolist())
    parts = np.split(hashes, np.cumsum(data.state_counts)[:-1])
    moved = turned.sum_row_hashes(np.concatenate([parts[v] for v in order]), wanted[order])
    back = np.split(moved, np.cumsum(data.state_counts[order])[:-1])
    assert np.concatenate([back[v] for v in np.argsort(order)]).tolist() == expected
