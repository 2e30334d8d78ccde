"""Families that are counted together have the scores that each has alone, whichever tables and rows they share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import EXAMPLES, LEVELS, RawTable, few_examples, scorer_of

from mahc.engine import Families, _native
from mahc.scores import make_score

Family = tuple[int, list[int]]
fewest_examples = settings(max_examples=max(2, EXAMPLES // 8), deadline=None)


def skewed_table(
    rows: int, variables: int, seed: int, common: float, states: tuple[int, ...] = (2, 3, 4, 9)
) -> RawTable:
    """Columns that have one state, not always the first, in about that share of the rows."""
    rng = np.random.default_rng(seed)
    columns, sizes = [], []
    for _ in range(variables):
        size = int(rng.choice(states))
        drawn = rng.integers(0, size, rows)
        columns.append(np.where(rng.random(rows) < common, int(rng.integers(size)), drawn).astype(np.uint8))
        sizes.append(size)
    return RawTable(tuple(columns), tuple(sizes), None)


def check_group(table: RawTable, families: list[Family], score: str = "bic") -> None:
    for level in LEVELS:
        for threads in (1, 3):
            scorer = scorer_of(table, make_score(score), threads, level)
            together = scorer.score_families(Families.of(families))
            alone = [scorer.score_families(Families.of([family]), "sparse")[0] for family in families]
            assert together.tolist() == alone


@given(
    rows=st.integers(1, 3000),
    variables=st.integers(6, 24),
    common=st.sampled_from([0.0, 0.3, 0.8, 0.97, 1.0]),
    parents=st.integers(0, 4),
    seed=st.integers(0, 2**32),
)
@few_examples
def test_a_group_scores_like_its_families_alone(
    rows: int, variables: int, common: float, parents: int, seed: int
) -> None:
    table = skewed_table(rows, variables, seed, common)
    base = list(range(1, parents + 1))
    check_group(table, [(0, [*base, last]) for last in range(parents + 1, variables)])


@given(
    rows=st.one_of(st.integers(1, 70), st.integers(71, 900)),
    variables=st.integers(40, 140),
    common=st.sampled_from([0.0, 0.3, 0.8, 0.97, 1.0]),
    parents=st.integers(1, 3),
    step=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
@fewest_examples
def test_a_wide_group_scores_like_its_families_alone(
    rows: int, variables: int, common: float, parents: int, step: int, seed: int
) -> None:
    table = skewed_table(rows, variables, seed, common, (1, 2, 3, 4, 9))
    base = list(range(1, parents + 1))
    check_group(table, [(0, [*base, last]) for last in range(parents + 1, variables, step)])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("rows", "states"), [(700, (2, 3)), (9_000, (1, 2, 3)), (40_000, (2, 4, 7))])
def test_families_that_share_a_table_score_like_alone(rows: int, states: tuple[int, ...], weighted: bool) -> None:
    """Evenly spread states, so that all rows are walked; the larger tables are shared by several threads."""
    table = skewed_table(rows, 26, rows, 0.0, states)
    weights = np.random.default_rng(rows).integers(1, 5, rows).astype(np.uint32) if weighted else None
    table = RawTable(table.columns, table.states, weights)
    for parents in (1, 2, 3):
        base = list(range(1, parents + 1))
        check_group(table, [(0, [*base, last]) for last in range(parents + 1, 26)])


def test_a_wide_group_with_many_shared_cells_scores_like_alone() -> None:
    """The sums of a block of bits take more memory than is meant for all blocks together."""
    table = skewed_table(8_000, 160, 7, 0.4, (2, 3, 9))
    wide = [v for v in range(160) if table.states[v] == 9][:3]
    check_group(table, [(wide[0], [*wide[1:], last]) for last in range(160) if last not in wide])


@pytest.mark.parametrize("rows", [40, 3_000, 33_000])
def test_all_pairs_of_parents_of_several_children_score_like_alone(rows: int) -> None:
    """Tables of a child with one parent are kept while its families follow each other."""
    table = skewed_table(rows, 9, rows, 0.5, (1, 2, 3, 4, 64))
    families = [
        (child, [u, w]) for child in (3, 0, 8, 3) for u in range(9) for w in range(u + 1, 9) if child not in (u, w)
    ]
    check_group(table, families, "qnml")


@pytest.mark.parametrize("rows", [65_519, 65_536, 140_000])
def test_a_wide_group_of_many_equal_rows(rows: int) -> None:
    """One cell holds more rows than 16 bits count."""
    columns = [np.zeros(rows, np.uint8) for _ in range(40)]
    for v, column in enumerate(columns):
        column[: v + 1] = 1
    table = RawTable(tuple(columns), (2,) * len(columns), None)
    check_group(table, [(0, [1, last]) for last in range(2, len(columns))])


@given(
    rows=st.integers(1, 2000),
    variables=st.integers(12, 24),
    common=st.sampled_from([0.0, 0.5, 0.9]),
    shared=st.integers(0, 3),
    score=st.sampled_from(["bic", "bdeu", "qnml", "fnml"]),
    data=st.data(),
)
@few_examples
def test_opposite_arcs_score_from_one_table_like_alone(
    rows: int, variables: int, common: float, shared: int, score: str, data: st.DataObject
) -> None:
    table = skewed_table(rows, variables, data.draw(st.integers(0, 2**32)), common)
    u, v, *rest = data.draw(st.permutations(range(variables)))
    parents, lasts = rest[:shared], sorted(rest[shared:])
    left_out = data.draw(st.sets(st.sampled_from(lasts), max_size=4)) if lasts else set()
    families = [(v, [*sorted([*parents, u]), last]) for last in lasts]
    families += [(v, [*parents])]  # a family of another group between the two
    families += [(u, [*sorted([*parents, v]), last]) for last in lasts if last not in left_out]
    check_group(table, families, score)


def test_three_directions_and_repeated_groups_score_like_alone() -> None:
    table = skewed_table(500, 14, 3, 0.7)
    lasts = range(3, 14)
    families = [(c, [p for p in (0, 1, 2) if p != c] + [last]) for c in (0, 1, 2, 1) for last in lasts]
    check_group(table, families)


@pytest.mark.parametrize("rows", [65_535, 65_536, 65_537, 131_073])
def test_lists_of_rows_lose_none_at_the_borders_of_their_blocks(rows: int) -> None:
    table = skewed_table(rows, 9, rows, 0.9, states=(4, 9))
    families = [(0, [1, 2, last]) for last in range(3, 9)]
    scorer = scorer_of(table, make_score("bic"))
    together = scorer.score_families(Families.of(families), "direct")
    alone = [scorer.score_families(Families.of([family]), "sparse")[0] for family in families]
    assert together.tolist() == alone


def test_a_cell_table_beyond_16_bits_and_renumbered_parents_score_like_alone() -> None:
    table = skewed_table(4000, 12, 5, 0.9, states=(9, 40))
    check_group(table, [(0, [1, 2, 3, last]) for last in range(4, 12)])
    check_group(table, [(0, [1, 2, last]) for last in range(3, 12)])


@given(
    rows=st.integers(1, 3000),
    states=st.integers(3, 9),
    parents=st.integers(2, 4),
    common=st.sampled_from([0.8, 0.97]),
    noise=st.sampled_from([0.0, 0.01, 0.3]),
    score=st.sampled_from(["bic", "qnml", "bdeu"]),
    seed=st.integers(0, 2**32),
)
@few_examples
def test_parents_of_which_few_configurations_occur_score_like_alone(
    rows: int, states: int, parents: int, common: float, noise: float, score: str, seed: int
) -> None:
    """The shared parents are copies of each other but for some rows, so that most of their configurations are empty."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, states, rows)
    copies = [np.where(rng.random(rows) < noise, rng.integers(0, states, rows), source) for _ in range(parents + 1)]
    lasts = skewed_table(rows, 8, seed, common)
    columns = (*(copy.astype(np.uint8) for copy in copies), *lasts.columns)
    table = RawTable(columns, (*[states] * (parents + 1), *lasts.states), None)
    shared = list(range(1, parents + 1))
    check_group(table, [(0, [*shared, last]) for last in range(parents + 1, parents + 9)], score)


def test_tables_of_pairs_are_forgotten_when_variables_are_renumbered() -> None:
    table = skewed_table(5_000, 8, 4, 0.6, (2, 3, 4))
    families = Families.of([(0, [1, last]) for last in range(2, 8)])
    order = [0, 7, 6, 5, 4, 3, 2, 1]
    engine = table.engine()
    scorer = _native.LocalScorer(engine, _native.Penalised(1.0), 2.0, [])
    scorer.score_families(families.children, families.offsets, families.parents, "")
    engine.arrange(order)
    found = scorer.score_families(families.children, families.offsets, families.parents, "")
    turned = RawTable(tuple(table.columns[v] for v in order), tuple(table.states[v] for v in order), None)
    fresh = _native.LocalScorer(turned.engine(), _native.Penalised(1.0), 2.0, [])
    assert found.tolist() == fresh.score_families(families.children, families.offsets, families.parents, "").tolist()
