"""The smooth score against a slow form, and what it promises: equivalence, invariance, the same bits everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import mahc
from mahc.algorithms import make_algorithm
from mahc.data import Continuous, Dataset, Discrete, read
from mahc.data.rank_bins import rank_bins
from mahc.engine import Families
from mahc.engine.determinants import floor_for, regression_gains
from mahc.engine.smooth_rows import SmoothRows
from mahc.errors import MahcError
from mahc.graphs import DAG, dag_to_cpdag
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import Smooth
from mahc.scores.smooth import DEGREES

SCORING = [name for name in ALGORITHMS.names() if not make_algorithm(name).counts_states]


def mixed(rows: int = 400, seed: int = 1) -> dict[str, list[object]]:
    """dose -> effect (a curve) -> grade (states) <- sex, and noise for itself."""
    generator = np.random.default_rng(seed)
    dose = generator.normal(size=rows)
    effect = dose**2 + 0.5 * generator.normal(size=rows)
    sex = generator.integers(0, 2, rows)
    grade = np.digitize(effect + sex + 0.5 * generator.normal(size=rows), [0.5, 2.0])
    return {
        "dose": dose.tolist(),
        "effect": effect.tolist(),
        "sex": [("f", "m")[code] for code in sex],
        "grade": [("low", "medium", "high")[code] for code in grade],
        "noise": generator.normal(size=rows).tolist(),
    }


def singular(rows: int = 300) -> dict[str, list[object]]:
    """A column, its copy, its logarithm, its sign, and its cut."""
    generator = np.random.default_rng(2)
    value = np.exp(generator.normal(size=rows))
    return {
        "value": value.tolist(),
        "copy": value.tolist(),
        "logarithm": np.log(value).tolist(),
        "turned": (-value).tolist(),
        "large": ["yes" if each > 1 else "no" for each in value],
        "other": (value + generator.normal(size=rows)).tolist(),
    }


def scorer_of(columns: dict[str, list[object]], degree: int = 3):  # type: ignore[no-untyped-def]
    score = Smooth(degree=degree)
    return score.scorer(score.hold(read(columns), threads=1))


def slow_columns(data: Dataset, degree: int) -> list[np.ndarray]:
    """The columns of each variable, row by row."""
    found = []
    for column in data.columns:
        if column.kind.value == "discrete":
            counts = np.bincount(column.codes)
            order = np.argsort(-counts, kind="stable")
            found.append(np.array([column.codes == state for state in order[1:]], float))
            continue
        codes = rank_bins(column.values, None, 31)
        shares = np.bincount(codes) / len(codes)
        upper = np.cumsum(shares)
        from statistics import NormalDist

        normal = NormalDist()
        density = [0.0, *(normal.pdf(normal.inv_cdf(p)) for p in upper[:-1]), 0.0]
        z = -np.diff(density) / shares
        middle = 2 * upper - shares - 1
        lines = [z, *(np.polynomial.legendre.Legendre.basis(k)(middle) for k in range(2, degree + 1))]
        found.append(np.array([np.rint(line * 512)[codes] for line in lines]))
    return found


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_scores_equal_a_slow_form(degree: int) -> None:
    data = read(mixed())
    columns = slow_columns(data, degree)
    scorer = scorer_of(mixed(), degree)

    def log_determinant(variables: tuple[int, ...]) -> float:
        rows = np.concatenate([columns[v] for v in variables])
        return float(np.linalg.slogdet(np.corrcoef(rows))[1]) if len(rows) > 1 else 0.0

    for child in range(5):
        others = [v for v in range(5) if v != child]
        for parents in [(others[0],), (others[1], others[3]), tuple(others)]:
            widths = len(columns[child]), sum(len(columns[v]) for v in parents)
            gain = log_determinant((child,)) + log_determinant(parents) - log_determinant((child, *parents))
            expected = (200 * gain - 0.5 * math.log(400) * widths[0] * widths[1]) / math.log(2)
            got = scorer.score_families(Families.of([(child, parents)]))[0]
            assert got == pytest.approx(expected, rel=1e-9, abs=1e-5)


@pytest.mark.parametrize("make", [mixed, singular])
def test_equivalent_graphs_have_the_same_score_to_the_last_bit(make) -> None:  # type: ignore[no-untyped-def]
    columns = make()
    scorer, names = scorer_of(columns), list(columns)[:4]
    totals: dict[object, set[float]] = {}
    generator = np.random.default_rng(0)
    for order in permutations(range(4)):
        for _ in range(6):
            arcs = [(order[i], order[j]) for i in range(4) for j in range(i + 1, 4) if generator.random() < 0.5]
            families = Families.of((v, [u for u, head in arcs if head == v]) for v in range(4))
            total = float(scorer.score_families(families).sum())
            pattern = dag_to_cpdag(DAG(names, [(names[u], names[v]) for u, v in arcs]))
            totals.setdefault(frozenset(pattern.edges), set()).add(total)
    assert all(len(found) == 1 for found in totals.values())
    assert max(len(edges) for edges in totals) > 3  # type: ignore[arg-type]


@pytest.mark.parametrize("algorithm", SCORING)
def test_nothing_but_the_ranks_matters(algorithm: str) -> None:
    columns = mixed()
    learned = mahc.learn(columns, algorithm, objective=Smooth(degree=3))
    assert {frozenset(arc) for arc in learned.arcs} >= {frozenset(("dose", "effect")), frozenset(("effect", "grade"))}
    assert not any("noise" in arc for arc in learned.arcs)
    warped = {**columns, "dose": [-math.exp(x) for x in columns["dose"]], "effect": [x**3 for x in columns["effect"]]}  # type: ignore[operator]
    order = np.random.default_rng(3).permutation(400)
    shuffled = {name: [warped[name][row] for row in order] for name in reversed(columns)}
    again = mahc.learn(shuffled, algorithm, objective=Smooth(degree=3), threads=1)
    assert (sorted(again.arcs), again.score) == (sorted(learned.arcs), learned.score)


def test_labels_and_names_change_nothing() -> None:
    columns = mixed()
    learned = mahc.learn(columns, "boss", objective="smooth")
    other = {f"z{name}": values for name, values in columns.items()}
    other["zgrade"] = [{"low": "z", "medium": "a", "high": "m"}[str(state)] for state in columns["grade"]]
    again = mahc.learn(other, "boss", objective="smooth")
    assert again.score == learned.score
    assert sorted(again.arcs) == sorted((f"z{u}", f"z{v}") for u, v in learned.arcs)


def test_weights_are_rows_that_are_repeated() -> None:
    columns = mixed(200)
    weights = [1 + row % 3 for row in range(200)]
    long = {
        name: [value for value, n in zip(values, weights, strict=True) for _ in range(n)]
        for name, values in columns.items()
    }
    one = mahc.learn(columns, "hc", objective="smooth", weights=weights)
    two = mahc.learn(long, "hc", objective="smooth")
    assert (one.arcs, one.score, one.run.score) == (two.arcs, two.score, two.run.score)
    heavy = SmoothRows(read(columns, weights=[n << 31 for n in weights]), 31).correlations(2)
    light = SmoothRows(read(columns, weights=weights), 31).correlations(2)
    np.testing.assert_allclose(heavy[0], light[0], rtol=0, atol=1e-12)


def test_the_degree_is_that_of_the_best_graph() -> None:
    columns = mixed()
    learned = mahc.learn(columns, "boss", objective="smooth")
    scores = [mahc.learn(columns, "boss", objective=Smooth(degree=degree)).score for degree in DEGREES]
    degree = learned.run.score.degree  # type: ignore[attr-defined]
    assert learned.score == max(scores) == scores[DEGREES.index(degree)]
    assert scores[0] < scores[1]  # the curve is not monotone


def test_results_are_saved_explained_replayed_and_resampled(tmp_path) -> None:  # type: ignore[no-untyped-def]
    columns = mixed()
    learned = mahc.learn(columns, "boss", objective="smooth", knowledge={"tiers": [["sex"], ["dose"], ["effect"]]})
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    assert loaded.run.score == learned.run.score
    assert mahc.replay(loaded, columns) == learned
    assert ("dose", "effect") in learned.arcs
    assert "bits" in str(learned.explain("dose", "effect"))
    learned.report(tmp_path / "report.html", columns)
    said = (tmp_path / "report.html").read_text()
    assert "400 rows and 5 variables with" in said
    assert "by the smooth score" in said
    sample = mahc.bootstrap(columns, "hc", objective=Smooth(degree=3), resamples=20)
    assert sample.edge("dose", "effect") == 1.0
    assert sample.edge("noise", "sex") < 0.6


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"missing": "weighted"},
            'missing="weighted" does not work with smooth, which has no tables of states: use "drop", "impute" or',
        ),
        ({}, "values are missing in 1 of 5 columns: 'dose'"),
    ],
)
def test_missing_values_are_refused_in_one_sentence(given: dict[str, str], says: str) -> None:
    columns = mixed()
    columns["dose"][3] = None
    with pytest.raises(MahcError, match=says):
        mahc.learn(columns, "hc", objective="smooth", **given)
    dropped = mahc.learn(columns, "hc", objective="smooth", missing="drop")
    assert dropped.data.rows == 399


def test_the_score_of_a_given_graph_needs_a_degree() -> None:
    learned = mahc.learn(mixed(), "hc", objective="smooth")
    with pytest.raises(MahcError, match="depends on the degree: give degree=3"):
        mahc.score_graph(learned.dag, mixed(), "smooth")


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40), st.sampled_from([3, 8, 31]))
def test_bins_follow_the_ranks_and_turn_with_the_sign(values: list[int], bins: int) -> None:
    numbers = np.array(values, float)
    codes = rank_bins(numbers, None, bins)
    assert sorted(set(codes.tolist())) == list(range(codes.max() + 1))
    order = np.argsort(numbers, kind="stable")
    assert (np.diff(codes[order]) >= 0).all()
    assert all(codes[i] == codes[j] for i in range(len(values)) for j in range(i) if values[i] == values[j])
    np.testing.assert_array_equal(rank_bins(-numbers, None, bins), codes.max() - codes)
    weights = np.arange(1, len(values) + 1)
    repeated = rank_bins(np.repeat(numbers, weights), None, bins)
    np.testing.assert_array_equal(np.repeat(rank_bins(numbers, weights, bins), weights), repeated)


def test_an_identifier_explains_nothing() -> None:
    generator = np.random.default_rng(4)
    columns = {"id": [f"p{row}" for row in range(200)], "x": generator.normal(size=200).tolist()}
    columns |= {"coin": [("a", "b")[code] for code in generator.integers(0, 2, 200)]}
    assert not any("id" in arc for arc in mahc.learn(columns, "boss", objective="smooth").arcs)


def test_a_copy_gains_what_the_floor_allows() -> None:
    scorer = scorer_of(singular(), degree=1)
    gain, price = scorer.score_families(Families.of([(0, [1])]))[0], 0.5 * math.log2(300)
    assert gain == pytest.approx(-150 * math.log2(floor_for(300)) - price, abs=1e-4)


def test_ordinal_states_are_ranks() -> None:
    generator = np.random.default_rng(12)
    latent = generator.normal(size=600)
    grade = np.searchsorted([-1.0, 0.0, 0.8], latent + 0.5 * generator.normal(size=600)).astype(np.uint8)
    numbers = Continuous(latent)

    def rows(ordered: bool, states: Sequence[str] = "abcd", codes: NDArray[np.uint8] = grade) -> SmoothRows:
        return SmoothRows(Dataset(("x", "grade"), (numbers, Discrete(tuple(states), codes, ordered))), 31)

    assert rows(ordered=False).correlations(2)[1] == [0, 2, 5]
    assert rows(ordered=True).correlations(2)[1] == [0, 2, 4]
    assert rows(ordered=True).correlations(8)[1] == [0, 8, 11]  # one less than there are states
    few = rows(ordered=True).correlations(1)[0]
    as_number = SmoothRows(Dataset(("x", "grade"), (numbers, Continuous(grade.astype(np.float64)))), 31)
    assert few.tolist() == as_number.correlations(1)[0].tolist()
    turned = rows(ordered=True, states="dcba", codes=(3 - grade).astype(np.uint8))
    assert np.abs(turned.correlations(3)[0]).tolist() == np.abs(rows(ordered=True).correlations(3)[0]).tolist()
    lost = Discrete(("a", "missing"), np.array([0, 1], np.uint8), ordered=True)
    assert not lost.ranked


def test_columns_that_nearly_determine_each_other_do_not_raise_the_degree() -> None:
    draw = np.random.default_rng(5).normal
    values = [draw(size=400)]
    for _ in range(9):
        values.append(0.6 * values[-1] + 0.8 * draw(size=400))
    table = {f"x{k}": column.tolist() for k, column in enumerate(values)}
    table["nearly x0"] = (values[0] + 0.03 * draw(size=400)).tolist()
    learned = mahc.learn(table, "boss", objective="smooth")
    given = mahc.learn(table, "boss", objective="smooth", degree=8)
    assert isinstance(learned.run.score, Smooth)
    assert learned.run.score.degree is not None
    assert learned.run.score.degree < 8
    assert learned.score < given.score  # by the score alone, degree 8 would be better
    assert len(learned.arcs) > len(given.arcs)


def test_what_regressions_gain_is_what_least_squares_says() -> None:
    data = read(mixed())
    rows = SmoothRows(data, 31)
    place = {name: k for k, name in enumerate(rows.names)}
    arcs = [(place["dose"], place["effect"]), (place["sex"], place["effect"]), (place["effect"], place["grade"])]
    functions = [f[:, c].T for f, c in zip(rows.functions(3), (column.codes for column in rows.columns), strict=True)]
    total = 0.0
    for child, parents in ((place["effect"], (place["dose"], place["sex"])), (place["grade"], (place["effect"],))):
        gains = []
        for degree in (1, 3):
            y = functions[child][:, :1] if rows.ranked[child] else functions[child]
            x = np.column_stack([functions[u][:, :degree] if rows.ranked[u] else functions[u] for u in parents])
            y, x = y - y.mean(axis=0), x - x.mean(axis=0)
            left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
            spread = np.linalg.slogdet(left.T @ left)[1] - np.linalg.slogdet(y.T @ y)[1]
            gains.append(-0.5 * rows.size * spread - 0.5 * math.log(rows.size) * x.shape[1] * y.shape[1])
        total += max(gains)
    assert regression_gains(rows, arcs, (1, 3)) == pytest.approx(total, rel=1e-6)
