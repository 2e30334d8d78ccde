"""Scores agree with an independent implementation, pyAgrum's.

What has to be evened out, and why:
- pyAgrum's scores are in bits, like ours by default, and its AIC alone mixes units (one bit a parameter where
  Akaike's is one nat), so AIC is not compared;
- log-likelihood and BIC are taken with no prior (`useNoPrior`); BDeu brings its own, of weight 1;
- its log2 Gamma rounds arguments below 50 to hundredths and looks them up in a table of six digits, beyond that
  it takes one term of Stirling's series. So BDeu is compared where all pseudo-counts are whole hundredths
  (products of 2 and 5 states), to what its table allows; elsewhere it is off by up to some tenths of a bit.
  Ours is held against the textbook formula to 12 digits in test_formulas.py.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from random_tables import RawTable, scorer_of

from mahc.engine import Families
from mahc.scores import make_score

pytestmark = pytest.mark.peers
gum = pytest.importorskip("pyagrum")
pandas = pytest.importorskip("pandas")

SCORERS = {"bic": "useScoreBIC", "loglik": "useScoreLog2Likelihood", "bdeu": "useScoreBDeu"}


def random_table(seed: int, states: tuple[int, ...], rows: int) -> RawTable:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, s, rows) for s in states]
    columns[0] = (columns[0] + columns[1]) % states[0]
    for s, column in zip(states, columns, strict=True):
        column[:s] = np.arange(s)  # every state occurs: pyAgrum counts those that do
    return RawTable(tuple(column.astype(np.uint8) for column in columns), states, None)


def peer_scores(table: RawTable, name: str, families: Families) -> list[float]:
    frame = pandas.DataFrame({f"v{v}": [f"s{k}" for k in column] for v, column in enumerate(table.columns)})
    learner = gum.BNLearner(frame)
    getattr(learner, SCORERS[name])()
    learner.useNoPrior()
    return [learner.score(f"v{child}", [f"v{p}" for p in parents]) for child, parents in families]


def all_families(variables: int, most: int) -> Families:
    return Families.of(
        (child, parents)
        for child in range(variables)
        for size in range(most + 1)
        for parents in itertools.combinations([v for v in range(variables) if v != child], size)
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["bic", "loglik"])
def test_bic_and_likelihood_equal_pyagrums(name: str, seed: int) -> None:
    table = random_table(seed, (3, 2, 4, 7, 5), 300 * (seed + 1))
    families = all_families(5, 3)
    ours = scorer_of(table, make_score(name)).score_families(families)
    assert ours.tolist() == pytest.approx(peer_scores(table, name, families), rel=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_bdeu_equals_pyagrums_as_far_as_its_tables_go(seed: int) -> None:
    table = random_table(seed, (2, 5, 2, 5), 500 * (seed + 1))
    families = all_families(4, 2)
    ours = scorer_of(table, make_score("bdeu")).score_families(families)
    assert ours.tolist() == pytest.approx(peer_scores(table, "bdeu", families), abs=1e-4)
