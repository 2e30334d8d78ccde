"""Local scores equal their textbook formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from count_scores import COUNT_SCORES
from hypothesis import given
from hypothesis import strategies as st
from oracles import family_table, local_score
from random_tables import RawTable, families_of, few_examples, many_examples, raw_tables, scorer_of

from mahc.engine import Families
from mahc.scores import make_score

BASES = st.sampled_from([2.0, math.e, 10.0])


def check(table: RawTable, name: str, child: int, parents: list[int], base: float, size: float = 1.0) -> None:
    score = make_score(name, base=base, equivalent_sample_size=size if name == "bdeu" else None)
    got = scorer_of(table, score).score_families(Families.of([(child, parents)]))[0]
    truth = family_table(table.columns, table.states, table.weights, child, parents)
    expected = local_score(name, truth, base=base, equivalent_sample_size=size)
    # A score near zero is the difference of sums as large as the data: there the data set the tolerance.
    assert got == pytest.approx(expected, rel=1e-12, abs=2e-14 * truth.size)


def lightened(table: RawTable, most: int) -> RawTable:
    """The same with weights no larger than `most`: some oracles walk through every single count."""
    weights = None if table.weights is None else np.minimum(table.weights, most)
    return RawTable(table.columns, table.states, weights)


@given(st.data(), st.sampled_from(["bic", "aic", "loglik"]), BASES)
@many_examples
def test_penalised_likelihoods_equal_their_formulas(data: st.DataObject, name: str, base: float) -> None:
    table = data.draw(raw_tables())
    check(table, name, *data.draw(families_of(table)), base)


@given(st.data(), st.floats(1e-9, 1e9), BASES)
@many_examples
def test_bdeu_equals_its_formula(data: st.DataObject, size: float, base: float) -> None:
    table = lightened(data.draw(raw_tables(rows=st.integers(1, 800))), 1000)
    check(table, "bdeu", *data.draw(families_of(table)), base, size)


@given(st.data(), st.sampled_from(["fnml", "qnml"]), BASES)
@few_examples
def test_normalised_likelihoods_equal_their_formulas(data: st.DataObject, name: str, base: float) -> None:
    table = lightened(data.draw(raw_tables(st.integers(2, 4), st.integers(1, 40), st.integers(1, 6))), 2)
    check(table, name, *data.draw(families_of(table)), base)


@pytest.mark.parametrize("name", COUNT_SCORES)
def test_a_variable_with_one_state_costs_nothing(name: str) -> None:
    columns = (np.zeros(50, np.uint8), (np.arange(50) % 3).astype(np.uint8))
    scorer = scorer_of(RawTable(columns, (1, 3), None), make_score(name))
    assert scorer.score_families(Families.of([(0, []), (0, [1])])) == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("name", ["loglik", "bic", "aic", "bdeu"])
def test_markov_equivalent_graphs_score_the_same(name: str) -> None:
    rng = np.random.default_rng(5)
    a = rng.integers(0, 3, 400)
    table = RawTable((a.astype(np.uint8), ((a + rng.integers(0, 2, 400)) % 4).astype(np.uint8)), (3, 4), None)
    scorer = scorer_of(table, make_score(name))
    a_alone, a_after, b_alone, b_after = scorer.score_families(Families.of([(0, []), (0, [1]), (1, []), (1, [0])]))
    assert a_alone + b_after == pytest.approx(b_alone + a_after, rel=1e-13)


def test_a_target_pays_less_for_its_parameters() -> None:
    from mahc.engine import EngineRows, RowScorer

    rng = np.random.default_rng(5)
    table = RawTable(tuple(rng.integers(0, 2, 64).astype(np.uint8) for _ in range(2)), (2, 2), None)
    rows, families = EngineRows(table.dataset()), Families.of([(0, [1]), (1, [0])])
    plain = RowScorer(rows, make_score("bic")).score_families(families)
    eased = RowScorer(rows, make_score("bic"), [4.0, 1.0]).score_families(families)
    assert (eased - plain).tolist() == pytest.approx([2 * 3.0 * 0.75, 0.0])  # 2 parameters of log2(64) / 2 bits
