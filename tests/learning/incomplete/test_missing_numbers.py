"""Missing values in columns of numbers: the smooth score from pairs of columns, and with expectations filled in."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import mahc
from mahc.data import Continuous, Dataset, Discrete
from mahc.engine import Families
from mahc.engine.determinants import PairwiseDeterminantScores
from mahc.engine.smooth_rows import SmoothRows, make_definite
from mahc.errors import DataError, SettingError
from mahc.learning.incomplete.filling import fill_correlations
from mahc.scores import make_score

Matrix = NDArray[np.float64]


def chain(rows: int, seed: int, share: float) -> tuple[dict[str, Matrix], dict[str, Matrix]]:
    """Complete numbers a -> b -> c -> d with a -> d curved, and the same with values lost."""
    generator = np.random.default_rng(seed)
    a, b, c, d = generator.normal(size=(4, rows))
    b, c = b + a, c - 0.8 * b - 0.8 * a
    d = d + 0.5 * (a**2) + 0.7 * c
    complete = {"a": a, "b": b, "c": c, "d": d}
    return complete, {
        name: np.where(generator.random(rows) < share, np.nan, column) for name, column in complete.items()
    }


def dataset(columns: dict[str, Matrix]) -> Dataset:
    return Dataset(tuple(columns), tuple(Continuous(column) for column in columns.values()))


def test_correlations_of_pairs_are_those_of_the_rows_that_know_both() -> None:
    _, lost = chain(400, 1, 0.2)
    data = dataset(lost)
    grade = Discrete(("x", "y", "z"), np.random.default_rng(2).integers(0, 4, 400).astype(np.uint8))
    data = Dataset((*data.names, "grade"), (*data.columns, grade))
    rows = SmoothRows(data, 31)
    found, first, sizes = rows.pairwise_correlations(2)
    functions = rows.functions(2)
    for u in range(5):
        for v in range(u):
            both = ~(rows.columns[u].missing | rows.columns[v].missing)
            assert sizes[u, v] == both.sum()
            left = functions[u][:, rows.columns[u].codes[both]]
            right = functions[v][:, rows.columns[v].codes[both]]
            expected = np.corrcoef(left, right)[: len(left), len(left) :]
            assert found[first[u] : first[u + 1], first[v] : first[v + 1]] == pytest.approx(expected, abs=1e-12)


def test_the_size_of_a_family_is_that_of_its_rarest_pair() -> None:
    generator = np.random.default_rng(3)
    matrix = np.corrcoef(generator.normal(size=(3, 50)))
    sizes = np.array([[100, 60, 80], [60, 90, 70], [80, 70, 95]])
    scorer = PairwiseDeterminantScores(matrix, [0, 1, 2, 3], sizes, 1.0)
    found = scorer.score_families(Families.of([(0, [1]), (0, [2]), (2, [0, 1]), (1, [])]))
    determinant = np.linalg.det
    expected = [
        -0.5 * 60 * np.log(determinant(matrix[:2, :2])) - 0.5 * np.log(60),
        -0.5 * 80 * np.log(determinant(matrix[::2, ::2])) - 0.5 * np.log(80),
        -0.5 * 60 * np.log(determinant(matrix) / determinant(matrix[:2, :2])) - np.log(60),
        0.0,
    ]
    assert found == pytest.approx(expected, abs=1e-7)


def test_correlations_that_contradict_each_other_are_mixed_with_the_identity() -> None:
    generator = np.random.default_rng(4)
    for _ in range(50):
        half = np.triu(generator.uniform(-1, 1, (6, 6)), 1)
        matrix = half + half.T + np.eye(6)
        found = make_definite(matrix)
        assert np.linalg.eigvalsh(found).min() > -1e-9
        off = ~np.eye(6, dtype=bool)
        shares = 1 - (found / matrix)[off]
        assert np.ptp(shares) < 1e-12
        if np.linalg.eigvalsh(matrix).min() > 1e-6:
            assert shares.max() == 0
    copies = np.ones((3, 3))
    assert make_definite(copies) is copies


def test_expectations_come_close_to_the_complete_correlations() -> None:
    complete, lost = chain(4000, 5, 0.25)
    arcs = [(0, 1), (1, 2), (0, 2), (0, 3), (2, 3)]
    whole, _ = SmoothRows(dataset(complete), 31).correlations(2)
    filled, _ = fill_correlations(SmoothRows(dataset(lost), 31), 2, arcs)
    assert np.abs(filled - whole).max() < 0.06
    assert np.linalg.eigvalsh(filled).min() > 0


@pytest.mark.parametrize("method", ["pairwise", "impute"])
def test_the_graph_is_that_of_the_complete_rows_whatever_their_order(method: str) -> None:
    complete, lost = chain(2000, 6, 0.15)
    expected = mahc.learn(complete, "boss", objective="smooth")
    found = mahc.learn(lost, "boss", objective="smooth", missing=method)
    assert found.pattern == expected.pattern
    order = np.random.default_rng(7).permutation(2000)
    moved = {name: lost[name][order] for name in ("c", "a", "d", "b")}
    again = mahc.learn(moved, "boss", objective="smooth", missing=method)
    assert (sorted(again.arcs), again.score) == (sorted(found.arcs), found.score)
    curved = {name: -np.exp(column) if name in "ac" else column**3 for name, column in lost.items()}
    bent = mahc.learn(curved, "boss", objective="smooth", missing=method)
    assert sorted(bent.arcs) == sorted(found.arcs)
    assert bent.score == pytest.approx(found.score, rel=1e-9)


def test_mixed_columns_may_lack_states_too() -> None:
    complete, lost = chain(2000, 8, 0.1)
    texts = np.where(complete["b"] + np.random.default_rng(9).normal(size=2000) > 0, "high", "low").astype(object)
    texts[np.random.default_rng(10).random(2000) < 0.1] = None
    table: dict[str, object] = {**lost, "level": texts}
    for method in ("pairwise", "impute"):
        found = mahc.learn(table, "boss", objective="smooth", missing=method)
        assert {"level", "b"} in [{*arc} for arc in found.arcs]


def test_what_makes_no_sense_is_refused() -> None:
    _, lost = chain(100, 11, 0.1)
    for method in ("weighted", "structural-em"):
        says = rf'missing="{method}" does not work with smooth, .*use "drop", "impute" or "pairwise"'
        with pytest.raises(SettingError, match=says):
            mahc.learn(lost, "hc", objective="smooth", missing=method)
    with pytest.raises(DataError, match="are missing and cannot be a state"):
        mahc.learn(lost, "hc", objective="smooth", missing="state")
    with pytest.raises(DataError, match=r'values are missing in 4 of 4 columns.* pass missing="impute"'):
        mahc.learn(lost, "hc", objective="smooth")
    assert mahc.learn(lost, "hc", objective="smooth", missing="drop").data.rows < 100
    assert make_score("smooth").missing_methods == ("impute", "pairwise")


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "mmhc", "boss-pag"])
@pytest.mark.parametrize("more", [{}, {"test": "fisher-z"}, {"objective": "smooth", "degree": 2}])
def test_tests_of_numbers_use_the_rows_complete_in_them(algorithm: str, more: dict[str, str | int]) -> None:
    generator = np.random.default_rng(4)
    a, b, c, d = generator.normal(size=(4, 1000))
    b = b + a
    c = c + 0.7 * b
    d = d + c
    complete = {"a": a, "b": b, "c": c, "d": d}
    if "test" not in more:  # a state, which Fisher's test does not take
        complete["e"] = np.where(d + generator.normal(size=1000) > 0, "high", "low")
    lost = {
        name: [None if generator.random() < 0.15 else value for value in column.tolist()]
        for name, column in complete.items()
    }
    learned = mahc.learn(lost, algorithm, missing="pairwise", **more)
    graph = getattr(learned, "cpdag", None) if algorithm == "mmhc" else learned.graph
    found = {frozenset((edge.left, edge.right)) for edge in graph.edges}
    assert found == {frozenset(pair) for pair in ["ab", "bc", "cd", *(["de"] if "e" in complete else [])]}
    if algorithm != "mmhc":
        with pytest.raises(SettingError, match='use "pairwise" or "drop", or another algorithm'):
            mahc.learn(lost, algorithm, missing="impute", **more)
    else:
        assert len(mahc.learn(lost, algorithm, missing="impute", **more).arcs) == len(found)


@pytest.mark.parametrize("objective", ["bge", "gaussian-bic", "mixed"])
@pytest.mark.parametrize("method", ["pairwise", "weighted"])
def test_scores_that_need_all_values_say_so(objective: str, method: str) -> None:
    _, lost = chain(100, 1, 0.1)
    with pytest.raises(SettingError, match=f'"{method}" does not work with {objective}, which needs .*: use "drop"'):
        mahc.learn(lost, "boss", missing=method, objective=objective)
