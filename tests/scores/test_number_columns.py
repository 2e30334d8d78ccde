"""Columns of numbers: kept by reading, taken by a score that declares them, refused by all others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from count_scores import COUNT_SCORES
from gaussian_score import GaussianAIC

import mahc
from mahc.algorithms import make_algorithm
from mahc.data import Continuous, Dataset, read
from mahc.errors import MahcError
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import make_score

SCORING = [name for name in ALGORITHMS.names() if not make_algorithm(name).counts_states]
TESTING = [name for name in ALGORITHMS.names() if "test" in make_algorithm(name).settings()]
COUNTING = [name for name in ALGORITHMS.names() if name not in (*SCORING, *TESTING)]


def chain(rows: int = 400, seed: int = 1) -> dict[str, np.ndarray]:
    """a -> b -> c, and d for itself."""
    generator = np.random.default_rng(seed)
    a = generator.normal(size=rows)
    b = a + generator.normal(size=rows)
    return {"a": a, "b": b, "c": generator.normal(size=rows) - b, "d": generator.normal(size=rows)}


def skeleton(learned: mahc.Learned) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in learned.arcs}


@pytest.mark.parametrize("algorithm", SCORING)
def test_a_score_that_declares_numbers_runs_through_every_score_based_algorithm(algorithm: str) -> None:
    learned = mahc.learn(chain(), algorithm, objective=GaussianAIC())
    assert skeleton(learned) == {frozenset("ab"), frozenset("bc")}
    turned = {name: column[::-1] for name, column in reversed(chain().items())}
    again = mahc.learn(turned, algorithm, objective=GaussianAIC())
    assert sorted(again.arcs) == sorted(learned.arcs)
    assert again.data.fingerprint == learned.data.fingerprint
    assert learned.score == pytest.approx(again.score, rel=1e-12)


def test_bootstrap_resamples_numbers() -> None:
    found = mahc.bootstrap(chain(), "hc", objective=GaussianAIC(), resamples=20)
    assert found.edge("a", "b") == found.edge("b", "c") == 1.0
    assert found.edge("a", "d") < 0.5


@pytest.mark.parametrize("algorithm", ["hc", "mahc", "boss"])
@pytest.mark.parametrize("memory", [None, 1])
def test_pieces_of_numbers_give_the_same_graph(algorithm: str, memory: int | None, tmp_path: Path) -> None:
    whole = chain(6000)
    for part in range(3):
        frame = pl.DataFrame({name: column[part * 2000 : (part + 1) * 2000] for name, column in whole.items()})
        frame.write_parquet(tmp_path / f"{part}.parquet")
    if memory:
        from mahc.cluster import open_shards
        from mahc.data import Kind

        source = open_shards(tmp_path, memory_bytes=memory, kinds=frozenset(Kind))
        assert type(source).__name__ == "ShardedRows"
    else:
        source = tmp_path
    learned = mahc.learn(source, algorithm, objective=GaussianAIC())
    one = mahc.learn(whole, algorithm, objective=GaussianAIC())
    assert sorted(learned.arcs) == sorted(one.arcs)
    assert learned.data.fingerprint == one.data.fingerprint


@pytest.mark.parametrize("score", COUNT_SCORES)
def test_every_score_of_states_cuts_numbers(score: str) -> None:
    learned = mahc.learn(chain(), "hc", objective=score)
    assert learned.data.reading is not None
    assert set(learned.data.reading.cut_points) == set("abcd")
    assert mahc.learn(read(chain()), "hc", objective=score) == learned
    assert make_score(score).columns == {mahc.data.Kind.DISCRETE}


@pytest.mark.parametrize("algorithm", COUNTING)
def test_algorithms_that_need_states_cut_numbers(algorithm: str) -> None:
    with pytest.raises(MahcError, match=f"gaussian-aic is a score of numbers, and {algorithm} is for states"):
        mahc.learn(chain(), algorithm, objective=GaussianAIC())
    with pytest.raises(MahcError, match=f"smooth is a score of numbers, and {algorithm} is for states"):
        mahc.learn(chain(), algorithm, objective="smooth")
    with pytest.raises(MahcError, match=f"{algorithm} is for states: use numbers="):
        mahc.learn(chain(), algorithm, numbers="smooth")
    assert mahc.learn(chain(), algorithm).run.numbers.treatment == "cuts"


@pytest.mark.parametrize("algorithm", TESTING)
def test_algorithms_that_make_tests_take_any_score_of_numbers(algorithm: str) -> None:
    learned = mahc.learn(chain(), algorithm, objective=GaussianAIC())
    found = {frozenset((edge.left, edge.right)) for edge in learned.pattern.edges}
    assert found == {frozenset("ab"), frozenset("bc")}


def test_a_score_for_numbers_refuses_states() -> None:
    with pytest.raises(
        MahcError,
        match="gaussian-aic is a score for continuous data, and column 'sex' is discrete: leave it out, or use obj",
    ):
        mahc.learn({**chain(), "sex": ["f", "m"] * 200}, "hc", objective=GaussianAIC())


def test_numbers_are_kept_as_they_are(tmp_path: Path) -> None:
    values = [1.5, -2.0, 1e300, 1.5]
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{value!r},a\n" for value in values))
    data = read(tmp_path / "x.csv")
    assert data.columns[0] == Continuous(np.array(values))
    assert read({"x": values, "y": ["a"] * 4}).fingerprint() == data.fingerprint()
    assert data.take(np.array([3, 2, 1, 0])).fingerprint() == data.fingerprint()
    assert read({"x": [1.5, -2.0, 1e300, 2.5], "y": ["a"] * 4}).fingerprint() != data.fingerprint()
    heavy = Dataset(data.names, tuple(c.take(slice(0, 3)) for c in data.columns), np.array([2, 1, 1]))
    assert heavy.fingerprint() == data.fingerprint()
    gaps = read({"x": [1.5, None, 2.5], "y": ["a", "b", "a"]}, missing="drop")
    assert gaps.columns[0] == Continuous(np.array([1.5, 2.5]))
