"""Tests of independence of numbers: against slow forms, what they promise, and how often they reject."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from number_data import NULLS, as_data, draw, partial_correlation, slow_smooth

from mahc.data import Continuous, Dataset
from mahc.engine import EngineRows, Families, _native, column_testing
from mahc.engine.column_testing import fisher_tester, smooth_tester
from mahc.engine.moments import MomentRows
from mahc.engine.smooth_rows import SmoothRows
from mahc.independence import ColumnOracle, IndependenceTest, Questions, TableOracle


def mixed(rows: int = 400, seed: int = 1) -> Dataset:
    """Numbers and states that depend on each other."""
    generator = np.random.default_rng(seed)
    a = generator.normal(size=rows)
    b = a**2 + 0.5 * generator.normal(size=rows)
    c = np.digitize(b + generator.normal(size=rows), [0.5, 2])
    d = generator.integers(0, 2, rows)
    e = np.exp(a + 0.3 * d + 0.5 * generator.normal(size=rows))
    return as_data(a=a, b=b, c=c, d=d, e=e)


def every_question(variables: int, most: int = 3) -> list[tuple[int, tuple[int, ...]]]:
    found = []
    for x, y in combinations(range(variables), 2):
        others = [v for v in range(variables) if v not in (x, y)]
        found += [(x, (*some, y)) for k in range(most + 1) for some in combinations(others, k)]
    return found


@pytest.mark.parametrize("rows", [60, 400])
def test_smooth_equals_a_slow_form(rows: int) -> None:
    data = mixed(rows)
    questions = [question for question in every_question(5) if rows > 100 or len(question[1]) < 3]
    statistic, freedom, log_p = smooth_tester(data).test_families(Families.of(questions))  # type: ignore[misc]
    for i, (x, parents) in enumerate(questions):
        expected, degrees = slow_smooth(data, x, parents[-1], list(parents[:-1]))
        assert freedom[i] == degrees
        assert statistic[i] == pytest.approx(expected, rel=0.02, abs=0.05)
        assert log_p[i] == _native.log_chi_square_tail(statistic[i], freedom[i])


@given(st.integers(0, 2**32), st.integers(8, 60), st.integers(2, 6))
def test_fisher_equals_the_inverse_of_the_correlations(seed: int, rows: int, variables: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(variables, variables)) @ generator.normal(size=(variables, rows))
    data = as_data(**{f"v{i}": line for i, line in enumerate(values)})
    order = generator.permutation(variables).tolist()
    size = int(generator.integers(0, variables - 1))
    x, y, given = order[0], order[1], order[2 : 2 + size]
    statistic, freedom, _ = fisher_tester(data).test_families(Families.of([(x, [*given, y])]))  # type: ignore[misc]
    expected = (rows - size - 3) * math.atanh(partial_correlation(values, x, y, given)) ** 2
    assert (statistic[0], freedom[0]) == (pytest.approx(expected, rel=1e-4, abs=1e-4), 1)


def test_nothing_but_ranks_matters_to_the_last_bit() -> None:
    data, generator = mixed(500), np.random.default_rng(2)
    questions = every_question(5)
    found = smooth_tester(data).test_families(Families.of(questions))
    order, places = generator.permutation(500), [3, 0, 4, 2, 1]
    columns = {name: column.as_array()[order] for name, column in zip(data.names, data.columns, strict=True)}
    columns["a"], columns["e"] = -np.exp(columns["a"]), np.log(columns["e"])
    columns["d"] = 1 - columns["d"]
    other = as_data(**{data.names[v]: columns[data.names[v]] for v in places})
    at = {v: i for i, v in enumerate(places)}
    turned = [(at[parents[-1]], (*(at[v] for v in parents[:-1][::-1]), at[x])) for x, parents in questions]
    again = smooth_tester(other, threads=2).test_families(Families.of(turned))
    np.testing.assert_allclose(again, found, rtol=1e-4, atol=1e-3)  # another order of elimination
    same = Dataset(data.names, tuple(column.take(order) for column in data.columns))
    np.testing.assert_array_equal(smooth_tester(same, threads=3).test_families(Families.of(questions)), found)
    signs = as_data(
        a=-mixed(500).columns[0].as_array(), **{n: c.as_array() for n, c in zip("bcde", data.columns[1:], strict=True)}
    )
    np.testing.assert_array_equal(smooth_tester(signs).test_families(Families.of(questions)), found)


@pytest.mark.parametrize("make", [smooth_tester, fisher_tester])
def test_the_order_of_many_rows_changes_no_bit(make, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(column_testing, "MOST_ROWS", 200)
    monkeypatch.setattr(column_testing, "CHUNK", 64)
    generator = np.random.default_rng(3)
    values = generator.normal(size=(3, 1000))
    values[1] += values[0]
    data = as_data(a=values[0], b=values[1], c=values[2])
    order = generator.permutation(1000)
    turned = as_data(a=values[0][order], b=-values[1][order], c=values[2][order])
    questions = Families.of(every_question(3))
    first, second = make(data).test_families(questions), make(turned).test_families(questions)
    np.testing.assert_array_equal(first, second)
    assert first[2][0] < math.log(1e-20)  # a and b


@pytest.mark.parametrize("make", [smooth_tester, fisher_tester])
@pytest.mark.parametrize("heavy", [1, 1 << 33])
def test_weights_are_rows_that_are_repeated(make, heavy: int) -> None:  # type: ignore[no-untyped-def]
    generator = np.random.default_rng(4)
    x, y = generator.normal(size=(2, 100))
    data, weights = as_data(x=x, y=x + 2 * y, z=y), np.arange(100) % 4
    questions = Families.of(every_question(3))
    long = data.take(np.repeat(np.arange(100), weights))
    kept = data.take(np.repeat(np.arange(100), np.minimum(weights, 1)))
    weighted = Dataset(kept.names, kept.columns, weights[weights > 0] * heavy)
    one, two = make(weighted).test_families(questions), make(long).test_families(questions)
    np.testing.assert_allclose(one[0] / heavy, two[0], rtol=0.1 if heavy > 1 else 1e-6, atol=1e-3)
    if heavy == 1 and make is fisher_tester:  # a resample keeps the bins of the data, the others make their own
        np.testing.assert_array_equal(make(data, weights).test_families(questions), two)


def test_copies_constants_and_logarithms() -> None:
    generator = np.random.default_rng(5)
    x = np.exp(generator.normal(size=200))
    data = as_data(x=x, copy=x.copy(), log=np.log(x), flat=np.full(200, 3.5), y=x + generator.normal(size=200))
    questions = every_question(5, 2)
    for tester in (smooth_tester(data), fisher_tester(data)):
        statistic, freedom, log_p = tester.test_families(Families.of(questions))  # type: ignore[misc]
        assert np.isfinite(statistic).all()
        assert not np.isnan(log_p).any()
        of = dict(zip(questions, zip(freedom, log_p, strict=True), strict=True))
        assert of[0, (1,)][1] < math.log(1e-6)
        assert all(found == (0, 0) for (a, parents), found in of.items() if 3 in (a, parents[-1]))
        assert of[0, (1, 4)] == (0, 0)  # nothing of x is left given its copy
    assert smooth_tester(data).test_families(Families.of([(0, (2, 4))]))[1][0] == 0  # type: ignore[index]


def test_few_rows_and_many_conditions() -> None:
    generator = np.random.default_rng(6)
    data = as_data(**{f"v{i}": generator.normal(size=6) for i in range(8)})
    for tester in (smooth_tester(data), fisher_tester(data)):
        _, freedom, log_p = tester.test_families(Families.of([(0, [2, 3, 4, 5, 6, 7, 1]), (0, [1])]))  # type: ignore[misc]
        assert (freedom[0], log_p[0]) == (0, 0)
        assert log_p[1] <= 0
    one = as_data(x=np.array([1.5]), y=np.array([2.5]))
    assert smooth_tester(one).test_families(Families.of([(0, [1])]))[1][0] == 0  # type: ignore[index]


def test_states_alone_are_tested_on_tables() -> None:
    data = mixed()
    rows = SmoothRows(data, 31, 1)
    result = ColumnOracle(rows, "smooth", IndependenceTest("x2")).test(Questions.of([(2, [3]), (0, [3]), (3, [0, 2])]))
    table = TableOracle(EngineRows(data.select(["c", "d"])), IndependenceTest("x2")).test(Questions.of([(0, [1])]))
    assert result is not None
    assert table is not None
    assert (result.statistic[0], result.log_p[0]) == (table.statistic[0], table.log_p[0])
    assert result.degrees_of_freedom.tolist() == [2, 2, 2]


def test_too_few_rows_per_degree_of_freedom_count_as_independent() -> None:
    rows = SmoothRows(mixed(), 31, 1)
    asked = Questions.of([(0, [1]), (0, [4])])
    assert (ColumnOracle(rows, "smooth").log_p_values(asked) < -10).all()  # type: ignore[operator]
    needs = IndependenceTest("g2", min_rows_per_df=101)
    assert ColumnOracle(rows, "smooth", needs).log_p_values(asked).tolist() == [0, 0]  # type: ignore[union-attr]


def test_testers_are_made_once_for_rows() -> None:
    rows = MomentRows(draw("linear", 50, np.random.default_rng(0)))
    oracles = [ColumnOracle(rows, "fisher-z") for _ in range(2)]
    assert oracles[0]._tester is oracles[1]._tester
    rows.arrange([2, 0, 1])
    assert ColumnOracle(rows, "fisher-z")._tester is not oracles[0]._tester


def rejections(name: str, rows: int, repeats: int, seed: int = 1) -> dict[float, float]:
    generator = np.random.default_rng(seed)
    found = [
        smooth_tester(draw(name, rows, generator)).test_families(Families.of([(0, [1, 2])])) for _ in range(repeats)
    ]
    p = np.exp([float(result[2][0]) for result in found if result is not None])
    return {level: float((p < level).mean()) for level in (0.01, 0.05)}


@pytest.mark.parametrize("name", NULLS)
def test_true_nulls_are_rejected_as_often_as_stated(name: str) -> None:
    rates = rejections(name, 300, 60)
    assert rates[0.01] <= 0.07  # 4 of 60: by chance in 1 of 3,000 runs if 1 % are rejected
    assert rates[0.05] <= 0.15


@pytest.mark.long
@pytest.mark.parametrize("name", ["quadratic", "heavy tails", "fork of quadratic", "discrete ends, quadratic"])
def test_true_nulls_are_rejected_at_most_twice_as_often_as_stated(name: str) -> None:
    rates = rejections(name, 5000, 150)
    assert rates[0.01] <= 0.02 + 0.023  # two standard errors of twice the level
    assert rates[0.05] <= 0.10 + 0.049


def test_dependence_is_found() -> None:
    generator = np.random.default_rng(7)
    for name in ("linear", "tanh", "quadratic", "heavy tails"):
        data = draw(name, 1000, generator, add=0.5)
        found = smooth_tester(data).test_families(Families.of([(0, [1, 2]), (0, [1]), (1, [2])]))
        assert (found[2] < math.log(0.01)).all(), name  # type: ignore[index]


@pytest.mark.peers
def test_fisher_is_that_of_causal_learn() -> None:
    cit = pytest.importorskip("causallearn.utils.cit")
    data = draw("linear", 200, np.random.default_rng(8))
    values = np.stack([column.as_array() for column in data.columns], axis=1)
    theirs = cit.CIT(values, "fisherz")
    ours = ColumnOracle(MomentRows(data), "fisher-z").test(Questions.of([(0, [2]), (0, [1, 2])]))
    assert ours is not None
    assert ours.p_value.tolist() == pytest.approx([theirs(0, 2), theirs(0, 2, [1])], rel=1e-5, abs=1e-12)


def with_gaps(data: Dataset, share: float, seed: int = 3) -> Dataset:
    """The same, values missing at random."""
    generator = np.random.default_rng(seed)
    columns = []
    for column in data.columns:
        lost = generator.random(data.rows) < share
        if isinstance(column, Continuous):
            columns.append(Continuous(np.where(lost, np.nan, column.values)))
        else:
            columns.append(column.with_codes(np.where(lost, len(column.states), column.codes)))
    return Dataset(data.names, tuple(columns), data.weights)


@pytest.mark.parametrize("test", ["smooth", "fisher-z"])
@pytest.mark.parametrize("weighted", [False, True])
def test_missing_values_each_test_is_that_of_the_rows_complete_in_it(test: str, weighted: bool) -> None:
    data = mixed(300)
    if test == "fisher-z":
        data = data.select(["a", "b", "e"])
    weights = np.random.default_rng(1).integers(0, 4, data.rows) if weighted else None
    data = with_gaps(Dataset(data.names, data.columns, weights), 0.2)
    questions = every_question(len(data.names), most=1)
    oracle = ColumnOracle(SmoothRows(data, 31), test)
    found = oracle.test(Questions.of(questions))
    assert found is not None
    for i, (x, parents) in enumerate(questions):
        variables = sorted((x, *parents))
        part = data.select([data.names[v] for v in variables]).drop_incomplete()
        own = Questions.of([(variables.index(x), [variables.index(v) for v in parents])])
        alone = ColumnOracle(SmoothRows(part, 31), test).test(own)
        assert alone is not None
        assert found.statistic[i] == pytest.approx(alone.statistic[0], abs=1e-6)
        assert (found.degrees_of_freedom[i], found.log_p[i]) == (
            alone.degrees_of_freedom[0],
            pytest.approx(alone.log_p[0], abs=1e-6),
        )


def test_a_pair_never_known_together_is_independent() -> None:
    x = np.arange(40.0)
    data = as_data(x=np.where(x < 20, x, np.nan), y=np.where(x < 20, np.nan, x), z=x)
    found = ColumnOracle(SmoothRows(data, 31), "smooth").test(Questions.of([(0, [1]), (0, [2])]))
    assert found is not None
    assert found.log_p[0] == 0
    assert found.log_p[1] < -3
