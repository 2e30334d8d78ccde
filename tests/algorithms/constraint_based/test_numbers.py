"""PC-Stable, FCI, MMHC and boss-pag on columns of numbers, alone and beside discrete ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from number_data import partial_correlation

import mahc
from mahc.algorithms.constraint_based import fci, pc_stable
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.engine import _native
from mahc.errors import MahcError
from mahc.independence import Questions
from mahc.scores import BGe, GaussianBIC, Smooth

pytestmark = pytest.mark.long

TESTING = ["pc-stable", "fci", "mmhc", "boss-pag"]
Table = dict[str, np.ndarray]


def linear(rows: int = 400, seed: int = 1) -> Table:
    """a -> b -> d <- c, d -> e, and f for itself."""
    generator = np.random.default_rng(seed)
    noise = generator.normal(size=(6, rows))
    a, c, f = noise[:3]
    b = a + 0.7 * noise[3]
    d = b - c + 0.7 * noise[4]
    return {"a": a, "b": b, "c": c, "d": d, "e": 0.8 * d + noise[5], "f": f}


def mixed(rows: int = 600, seed: int = 4) -> dict[str, list[object]]:
    """dose -> effect (a parabola) -> grade (states) <- sex, and noise for itself."""
    generator = np.random.default_rng(seed)
    dose = generator.normal(size=rows)
    effect = dose**2 + 0.5 * generator.normal(size=rows)
    sex = generator.integers(0, 2, rows)
    grade = np.digitize(effect + 1.5 * sex + 0.5 * generator.normal(size=rows), [1.0, 2.5])
    return {
        "dose": dose.tolist(),
        "effect": effect.tolist(),
        "sex": [("f", "m")[code] for code in sex],
        "grade": [("low", "medium", "high")[code] for code in grade],
        "noise": generator.normal(size=rows).tolist(),
    }


def skeleton(learned: mahc.Learned) -> set[frozenset[str]]:
    return {frozenset((edge.left, edge.right)) for edge in learned.pattern.edges}


class SlowFisher:
    """Fisher's z from the inverse of the correlations."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    @property
    def variables(self) -> int:
        return len(self._values)

    def log_p_values(self, questions: Questions) -> np.ndarray:
        found = []
        for x, parents in questions:
            r = partial_correlation(self._values, x, parents[-1], list(parents[:-1]))
            statistic = (self._values.shape[1] - len(parents) - 2) * math.atanh(r) ** 2
            found.append(_native.log_chi_square_tail(statistic, 1))
        return np.array(found)


@pytest.mark.parametrize("seed", range(4))
def test_fisher_z_gives_the_graphs_of_a_slow_oracle(seed: int) -> None:
    table = linear(seed=seed)
    oracle, free = SlowFisher(np.array(list(table.values()))), no_constraints(list(table))
    for algorithm, slow in (("pc-stable", pc_stable), ("fci", fci)):
        for objective in (GaussianBIC(), Smooth(degree=1)):
            learned = mahc.learn(table, algorithm, objective=objective, test="fisher-z")
            assert set(learned.graph.edges) == set(slow(oracle, free, alpha=0.01).graph.edges)


@pytest.mark.parametrize("algorithm", TESTING)
def test_the_default_finds_curves_and_states(algorithm: str) -> None:
    learned = mahc.learn(mixed(), algorithm, objective="smooth")
    pairs = [("dose", "effect"), ("effect", "grade"), ("sex", "grade")]
    assert skeleton(learned) == {frozenset(pair) for pair in pairs}
    assert learned.settings["test"] == "auto"
    assert learned.run.score.degree is not None  # type: ignore[attr-defined]
    assert mahc.learn(mixed(), algorithm, objective=learned.run.score, test="smooth").graph == learned.graph


@pytest.mark.parametrize("algorithm", TESTING)
def test_order_monotone_transformations_and_signs_change_nothing(algorithm: str) -> None:
    table = mixed()
    learned = mahc.learn(table, algorithm, objective=Smooth(degree=2))
    other = {**table, "dose": [-math.exp(x) for x in table["dose"]], "effect": [x**3 for x in table["effect"]]}  # type: ignore[operator]
    order = np.random.default_rng(3).permutation(600)
    shuffled = {name: [other[name][row] for row in order] for name in reversed(table)}
    again = mahc.learn(shuffled, algorithm, objective=Smooth(degree=2), threads=1)
    assert skeleton(again) == skeleton(learned)
    assert sorted(again.arcs) == sorted(learned.arcs)
    assert again.score == learned.score
    if algorithm in ("pc-stable", "fci"):  # their results keep the p-values
        for one, two in (("dose", "noise"), ("dose", "grade"), ("sex", "dose")):
            assert again.explain(one, two).numbers == learned.explain(one, two).numbers


@pytest.mark.parametrize("algorithm", TESTING)
@pytest.mark.parametrize("objective", [BGe(), GaussianBIC()], ids=lambda score: score.name)
def test_the_classics_go_together(algorithm: str, objective: BGe | GaussianBIC) -> None:
    learned = mahc.learn(linear(), algorithm, objective=objective, test="fisher-z")
    assert skeleton(learned) >= {frozenset(pair) for pair in ("ab", "bd", "cd", "de")}
    assert not any("f" in pair for pair in skeleton(learned))


@pytest.mark.parametrize("algorithm", TESTING)
def test_all_discrete_tables_are_tested_as_before(algorithm: str) -> None:
    learned = mahc.learn("asia", algorithm)
    statistic = {"fci": "x2", "mmhc": "mi"}.get(algorithm, "g2")
    for test in (statistic, "smooth"):
        other = mahc.learn("asia", algorithm, test=test)
        assert (other.graph, other.score) == (learned.graph, learned.score)


def test_knowledge_weights_bootstrap_and_replay(tmp_path) -> None:  # type: ignore[no-untyped-def]
    table = mixed(300)
    known = {"tiers": [["sex", "dose"], ["effect"]], "forbidden_edges": [["grade", "sex"]]}
    learned = mahc.learn(table, "pc-stable", objective=Smooth(degree=2), knowledge=known)
    assert ("dose", "effect") in learned.arcs
    assert frozenset(("sex", "grade")) not in skeleton(learned)
    learned.save(tmp_path / "result.json")
    assert mahc.replay(mahc.Learned.load(tmp_path / "result.json"), table) == learned
    twice = {name: [value for value in values for _ in range(2)] for name, values in table.items()}
    one = mahc.learn(table, "fci", objective=Smooth(degree=2), weights=[2] * 300)
    assert skeleton(one) == skeleton(mahc.learn(twice, "fci", objective=Smooth(degree=2)))
    sample = mahc.bootstrap(table, "pc-stable", objective=Smooth(degree=2), resamples=10)
    assert sample.edge("dose", "effect") == 1.0
    assert sample.edge("dose", "sex") < 0.5


def test_a_time_limit_ends_the_tests() -> None:
    learned = mahc.learn(mixed(), "pc-stable", objective=Smooth(degree=2), time_limit=1e-9)
    assert learned.stop_reason.early


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"test": "g2"},
            "g2 is a test of discrete columns, and column 'dose' is continuous: use test=\"smooth\", or cut",
        ),
        ({"test": "fisher-z"}, "fisher-z is a test of numbers, and column 'sex' is discrete: .*test=\"smooth\""),
        ({"test": "fisher"}, "test is 'fisher': did you mean 'fisher-z'?"),
    ],
)
@pytest.mark.parametrize("algorithm", TESTING)
def test_mistakes_get_one_sentence(algorithm: str, given: dict[str, str], says: str) -> None:
    with pytest.raises(MahcError, match=says.replace("?", r"\?")):
        mahc.learn(mixed(60), algorithm, **{"objective": "smooth", **given})
