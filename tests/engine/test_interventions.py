"""Rows of experiments: a variable is scored on the rows in which it was not set, in both directions of a pair."""

from __future__ import annotations

import numpy as np
import pytest
from count_scores import COUNT_SCORES
from hypothesis import given, settings
from hypothesis import strategies as st

import mahc
from mahc.algorithms import make_algorithm
from mahc.data import Dataset, Interventions
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import DataError, MahcError
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import make_score

NAMES = ("a", "b", "c", "d")


def random_data(seed: int, rows: int = 60, weighted: bool = False) -> Dataset:
    generator = np.random.default_rng(seed)
    codes = [generator.integers(0, 2 + v % 2, rows) for v in range(4)]
    states = [[str(k) for k in range(2 + v % 2)] for v in range(4)]
    weights = generator.integers(1, 4, rows) if weighted else None
    data = Dataset.coded(NAMES, states, codes, weights)
    targets = (frozenset(), frozenset("a"), frozenset("ab"), frozenset("d"))
    given = Interventions(targets, generator.integers(0, 4, rows))
    return Dataset(data.names, data.columns, data.weights, given)


def slow_score(data: Dataset, score: str, child: int, parents: list[int]) -> float:
    """The score of the family on the rows in which the child was not set, as data of their own."""
    mask = data.interventions.speaking(NAMES[child]) if data.interventions else None
    part = data if mask is None else data.take(mask)
    plain = Dataset(part.names, part.columns, part.weights)
    return float(RowScorer(EngineRows(plain), make_score(score)).score_families(Families.of([(child, parents)]))[0])


@pytest.mark.parametrize("score", COUNT_SCORES)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), weighted=st.booleans(), turned=st.booleans())
def test_a_family_is_scored_on_the_rows_that_say_something_about_its_child(
    score: str, seed: int, weighted: bool, turned: bool
) -> None:
    data = random_data(seed, weighted=weighted)
    families = [(v, list(parents)) for v in range(4) for parents in ((), (v ^ 1,), tuple({0, 1, 2, 3} - {v}))]
    rows = EngineRows(data)
    order = [2, 0, 3, 1] if turned else [0, 1, 2, 3]
    rows.arrange(order)
    place = {v: i for i, v in enumerate(order)}
    scorer = RowScorer(rows, make_score(score))
    asked = Families.of((place[v], [place[p] for p in parents]) for v, parents in families)
    assert scorer.score_families(asked).tolist() == [slow_score(data, score, v, parents) for v, parents in families]
    pairs = scorer.score_pairs()
    assert pairs is not None
    for u in range(4):
        for v in range(4):
            assert pairs[place[u], place[v]] == slow_score(data, score, v, [] if u == v else [u])


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS.names() if not make_algorithm(name).counts_states])
def test_every_score_based_algorithm_uses_them(algorithm: str) -> None:
    generator = np.random.default_rng(3)
    a = generator.integers(0, 2, 600)
    done = np.arange(600) >= 400
    b = np.where(generator.random(600) < 0.9, a, 1 - a)
    b[done] = generator.integers(0, 2, int(done.sum()))  # set at random: a does not show in it
    data = Dataset.coded(("a", "b"), (("n", "y"),) * 2, (a, b))
    known = Dataset(data.names, data.columns, None, Interventions((frozenset(), frozenset("b")), done.astype(int)))
    assert known.fingerprint() != data.fingerprint()
    assert mahc.learn(known, algorithm).arcs == (("a", "b"),)
    local = dict(zip("ab", mahc.learn(known, algorithm, objective="bic").local_scores or (), strict=True))
    rows = Dataset(data.names, data.columns).take(~done)
    assert local["b"] == RowScorer(EngineRows(rows), make_score("bic")).score_families(Families.of([(1, [0])]))[0]


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS.names() if make_algorithm(name).counts_states])
def test_algorithms_that_count_all_rows_alike_refuse_them(algorithm: str) -> None:
    with pytest.raises(MahcError, match="cannot use rows of experiments"):
        mahc.learn(random_data(1), algorithm)


def test_resamples_keep_the_experiments_of_their_rows() -> None:
    found = mahc.bootstrap(random_data(5, rows=200), "hc", resamples=10)
    assert found.size == 10


def test_what_contradicts_itself_is_refused() -> None:
    data = random_data(1)
    plain = Dataset(data.names, data.columns)
    assert Dataset(data.names, data.columns, None, Interventions((frozenset(),), np.zeros(60, int))) == plain
    assert data.same_rows(0, 0)
    assert not data.same_rows(0, 1)
    assert plain.same_rows(0, 1)
    with pytest.raises(DataError, match="an experiment sets a variable that the data lack"):
        Dataset(data.names, data.columns, None, Interventions((frozenset(["x"]),), np.zeros(60, int)))
    with pytest.raises(DataError, match="interventions are given for 3 rows, the data have 60"):
        Dataset(data.names, data.columns, None, Interventions((frozenset("a"),), np.zeros(3, int)))
    always = Dataset(data.names, data.columns, None, Interventions((frozenset("a"),), np.zeros(60, int)))
    with pytest.raises(DataError, match="set 'a' in every row, so nothing can be learned"):
        RowScorer(EngineRows(always), make_score("bic"))


def test_tables_come_from_the_rows_that_say_something_about_the_child() -> None:
    from mahc.graphs import DAG
    from mahc.networks import fit

    data = random_data(7, rows=200)
    dag = DAG(NAMES, [("a", "b")])
    assert data.interventions is not None
    for name in NAMES:
        mask = data.interventions.speaking(name)
        part = Dataset(data.names, data.columns).take(np.ones(200, bool) if mask is None else mask)
        place = NAMES.index(name)
        assert fit(dag, data).tables[place].tolist() == fit(dag, part).tables[place].tolist()
