"""Scores, counts and tests on incomplete data against slow definitions, and their independence of any order."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from count_scores import COUNT_SCORES
from hypothesis import given, settings
from hypothesis import strategies as st

import mahc
from mahc.data import Dataset
from mahc.engine import Families
from mahc.engine.count_scoring import CountTester
from mahc.engine.incomplete import LOG_STEPS, MOST_STEPS, IncompleteRows, IncompleteScorer, RowWeights
from mahc.scores import make_score


def make_data(seed: int, rows: int = 60, variables: int = 4, weighted: bool = False) -> Dataset:
    """Random dependent columns with missing values in all but the first."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(2, 4, variables)
    columns, states = [], []
    for v, size in enumerate(sizes.tolist()):
        codes = generator.integers(0, size, rows)
        if v:
            copied = generator.random(rows) < 0.6
            codes = np.where(copied, np.minimum(columns[v - 1] % size, size - 1), codes)
        codes[:size] = np.arange(size)
        columns.append(codes)
        states.append(tuple("abc"[:size]))
    for v in range(1, variables):
        lost = generator.random(rows) < 0.25
        lost[: sizes[v]] = False
        lost[-1] = True
        columns[v] = np.where(lost, sizes[v], columns[v])
        states[v] = (*states[v], "missing")
    weights = generator.integers(1, 4, rows) if weighted else None
    names = tuple(f"x{v}" for v in range(variables))
    return Dataset.coded(names, tuple(states), tuple(columns), weights).state_as_missing()


def slow_bic(data: Dataset, child: int, parents: tuple[int, ...], rows: np.ndarray, weights: np.ndarray) -> float:
    """BIC of the family on these rows; `weights` are scaled to sum to the number of rows."""
    own = np.ones(data.rows) if data.weights is None else data.weights
    count = float(own[rows].sum())
    scaled = weights[rows] * count / weights[rows].sum()
    cells: dict[tuple[int, ...], float] = {}
    for row, weight in zip(np.flatnonzero(rows), scaled, strict=True):
        key = tuple(int(data.discrete[v].codes[row]) for v in (*parents, child))
        cells[key] = cells.get(key, 0.0) + weight
    sums: dict[tuple[int, ...], float] = {}
    for key, n in cells.items():
        sums[key[:-1]] = sums.get(key[:-1], 0.0) + n
    likelihood = sum(n * math.log2(n / sums[key[:-1]]) for key, n in cells.items())
    parameters = (len(data.labels[child]) - 1) * math.prod(len(data.labels[p]) for p in parents)
    return likelihood - 0.5 * math.log2(count) * parameters


def slow_score(data: Dataset, child: int, parents: tuple[int, ...], row_weights: RowWeights | None) -> float:
    """The definition in docs/explanation/missing.md, without any sharing of work."""
    members = (child, *parents)
    own = np.ones(data.rows) if data.weights is None else data.weights
    rows = np.ones(data.rows, bool)
    for v in members:
        rows &= ~data.columns[v].missing
    weights = own.astype(float)
    if row_weights is not None:
        mine = [v for v in members if row_weights.logs[v] is not None]
        outside = {c for v in mine for c in row_weights.causes[v] if c not in members and data.missing_counts[c]}
        if mine and not outside:
            logs = sum(row_weights.logs[v].astype(int) for v in mine)
            steps = np.clip(logs, -MOST_STEPS, MOST_STEPS)
            weights = own * np.floor(np.exp2(steps / LOG_STEPS) * 4096 + 0.5)
    scale = own.sum() / own[rows].sum()
    if not parents:
        return scale * slow_bic(data, child, (), rows, weights)
    whole = slow_bic(data, child, parents, rows, weights)
    gains = {}
    for u in parents:
        rest = tuple(p for p in parents if p != u)
        gains[u] = scale * (whole - slow_bic(data, child, rest, rows, weights))
    least = min(gains.values())
    ties = [u for u in parents if gains[u] <= least + 1e-9]  # of equally weak parents the one with the best rest
    return least + max(slow_score(data, child, tuple(p for p in parents if p != u), row_weights) for u in ties)


def some_weights(data: Dataset, seed: int) -> RowWeights:
    generator = np.random.default_rng(seed)
    logs: list[np.ndarray | None] = [None] * len(data.names)
    causes: list[list[int]] = [[] for _ in data.names]
    for v in range(1, len(data.names)):
        if generator.random() < 0.7:
            cause = int(generator.integers(0, len(data.names)))
            if cause != v:
                causes[v] = [cause]
                logs[v] = generator.integers(-300, 300, 4).astype(np.int16)[data.discrete[cause].codes]
    return RowWeights(logs, causes)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), weighted=st.booleans(), repeated=st.booleans())
def test_scores_are_those_of_the_definition(seed: int, weighted: bool, repeated: bool) -> None:
    data = make_data(seed, weighted=repeated)
    weights = some_weights(data, seed) if weighted else None
    scorer = IncompleteScorer(IncompleteRows(data, weights, threads=1), make_score("bic"))
    families = [(0, ()), (1, ()), (1, (0,)), (2, (1, 0)), (2, (3, 0)), (3, (0, 1, 2)), (0, (3, 1))]
    found = scorer.score_families(Families.of(families))
    expected = [slow_score(data, child, parents, weights) for child, parents in families]
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", COUNT_SCORES)
def test_complete_data_have_the_usual_scores(name: str) -> None:
    generator = np.random.default_rng(3)
    columns = tuple(generator.integers(0, 3, 200) for _ in range(3))
    data = Dataset.coded(("a", "b", "c"), (("x", "y", "z"),) * 3, columns)
    from mahc.engine import EngineRows, RowScorer

    families = Families.of([(0, ()), (0, (1,)), (2, (0, 1))])
    usual = RowScorer(EngineRows(data), make_score(name)).score_families(families)
    found = IncompleteScorer(IncompleteRows(data.state_as_missing()), make_score(name)).score_families(families)
    assert found == pytest.approx(usual, abs=1e-7)


def test_counts_and_tests_use_the_rows_complete_in_a_family() -> None:
    data = make_data(5, rows=300)
    rows = IncompleteRows(data)
    families = Families.of([(1, (2,)), (1, (3, 2))])
    counts = rows.count_families(families)
    shape = tuple(len(data.labels[v]) for v in (3, 2, 1))
    table = np.zeros(shape, int)
    for key in product(*map(range, shape)):
        table[key] = sum(
            all(data.discrete[v].codes[i] == k for v, k in zip((3, 2, 1), key, strict=True)) for i in range(300)
        )
    assert counts.cells[counts.offsets[1] :].tolist() == table.ravel().tolist()
    found = CountTester(rows).test_families(families, False, False)
    assert found is not None
    statistic = 0.0
    for slab in table:
        expected = slab.sum(1, keepdims=True) * slab.sum(0, keepdims=True) / max(1, slab.sum())
        seen = slab > 0
        statistic += 2 * float((slab[seen] * np.log(slab[seen] / expected[seen])).sum())
    assert found[0][1] == pytest.approx(statistic)


@pytest.mark.parametrize("method", ["impute", "pairwise", "weighted", "structural-em"])
def test_no_order_and_no_number_of_threads_changes_the_result(method: str) -> None:
    data = make_data(11, rows=400, variables=6)
    generator = np.random.default_rng(1)
    rows, columns = generator.permutation(data.rows), generator.permutation(6).tolist()
    turned = data.select([data.names[v] for v in columns]).take(rows)
    first = mahc.learn(data, "hc", missing=method, threads=1)
    second = mahc.learn(turned, "hc", missing=method, threads=2)
    assert first.arcs == second.arcs
    assert first.score == second.score
    assert dict(zip(first.variables, first.local_scores or (), strict=True)) == dict(
        zip(second.variables, second.local_scores or (), strict=True)
    )


@pytest.mark.parametrize("name", ["bic", "qnml", "bdeu"])
@pytest.mark.parametrize("repeated", [False, True])
def test_tables_of_weight_classes_give_the_bits_of_adding_row_by_row(
    name: str, repeated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    families = Families.of([(1, (0,)), (2, (1,)), (2, (1, 0)), (3, (0, 2)), (3, (0, 1, 2)), (1, (2,))])
    for seed in range(8):
        data = make_data(seed, rows=300, weighted=repeated)
        rows = IncompleteRows(data, some_weights(data, seed), threads=1)
        by_tables = IncompleteScorer(rows, make_score(name)).score_families(families)
        with monkeypatch.context() as patch:
            patch.setattr("mahc.engine.incomplete.MOST_CLASS_CODES", 0)  # no columns of classes: counted by rows
            by_rows = IncompleteScorer(rows, make_score(name)).score_families(families)
        assert by_tables.tolist() == by_rows.tolist()
