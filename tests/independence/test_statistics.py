"""Statistics, degrees of freedom and p-values against obvious tables, scipy and causal-learn."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mahc.data import Dataset, read
from mahc.engine import EngineRows, _native
from mahc.errors import MahcError
from mahc.independence import CachedOracle, IndependenceTest, Questions, TableOracle
from mahc.learning.control import Control

Codes = NDArray[np.int64]


def make_table(seed: int, rows: int, variables: int, most_states: int) -> Codes:
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, rng.integers(1, most_states + 1), rows) for _ in range(variables)], axis=1)
    codes[:, 1] = np.where(rng.random(rows) < 0.5, codes[:, 0], codes[:, 1])
    return codes


def as_data(codes: Codes) -> Dataset:
    return read({f"v{i}": [f"s{x}" for x in codes[:, i]] for i in range(codes.shape[1])})


def slow_test(codes: Codes, x: int, y: int, given: list[int], squared: bool, adjusted: bool) -> tuple[float, float]:
    """Table by table, as a textbook has it."""
    total = 0.0
    freedom = 0
    keys = [tuple(row) for row in codes[:, given].tolist()]
    for key in set(keys):
        part = codes[[k == key for k in keys]]
        for a in set(part[:, x].tolist()):
            for b in set(part[:, y].tolist()):
                n = int(((part[:, x] == a) & (part[:, y] == b)).sum())
                expected = float((part[:, x] == a).sum()) * float((part[:, y] == b).sum()) / len(part)
                if squared:
                    total += (n - expected) ** 2 / expected
                elif n:
                    total += 2 * n * math.log(n / expected)
        freedom += (len(set(part[:, x].tolist())) - 1) * (len(set(part[:, y].tolist())) - 1)
    if not adjusted:
        states = [len(set(codes[:, v].tolist())) for v in range(codes.shape[1])]
        freedom = (states[x] - 1) * (states[y] - 1) * math.prod(states[v] for v in given)
    return total, float(freedom)


@given(
    seed=st.integers(0, 10**6),
    rows=st.sampled_from([2, 3, 20, 150]),
    states=st.sampled_from([2, 4, 30]),
    squared=st.booleans(),
    adjusted=st.booleans(),
    size=st.integers(0, 4),
    threads=st.sampled_from([1, 2]),
)
def test_statistics_are_those_of_the_textbook(
    seed: int, rows: int, states: int, squared: bool, adjusted: bool, size: int, threads: int
) -> None:
    codes = make_table(seed, rows, 6, states)
    order = np.random.default_rng(seed).permutation(6).tolist()
    x, conditions = order[0], order[1 : 1 + size]
    test = IndependenceTest("x2" if squared else "g2", "adjusted" if adjusted else "plain")
    oracle = TableOracle(EngineRows(as_data(codes), threads=threads), test)
    lasts = order[1 + size :]
    found = oracle.test(Questions.of((x, [*conditions, y]) for y in lasts))
    assert found is not None
    for i, y in enumerate(lasts):
        statistic, freedom = slow_test(codes, x, y, conditions, squared, adjusted)
        assert found.statistic[i] == pytest.approx(statistic, abs=1e-8, rel=1e-10)
        assert found.degrees_of_freedom[i] == freedom


@given(
    seed=st.integers(0, 10**6),
    states=st.sampled_from([2, 3, 5, 40]),
    statistic=st.sampled_from(["g2", "x2"]),
    copies=st.sampled_from([1, 30]),
)
@settings(max_examples=25)
def test_a_large_batch_has_the_bits_of_its_questions_asked_alone(
    seed: int, states: int, statistic: str, copies: int
) -> None:
    """Large batches count distinct rows, narrowed down step by step; a question alone counts all rows."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(make_table(seed, 1500 // copies, 7, states), copies, axis=0)
    asked = [
        (x, (*conditions, y))
        for x in rng.permutation(7)[:2].tolist()
        for size in range(6)
        for conditions in itertools.combinations([v for v in range(7) if v != x], size)
        for y in range(7)
        if y != x and y not in conditions
    ]
    data, test = as_data(codes), IndependenceTest(statistic)
    whole = [TableOracle(EngineRows(data, threads=threads), test).test(Questions.of(asked)) for threads in (1, 2)]
    alone = TableOracle(EngineRows(data, threads=1), test)
    assert whole[0] is not None
    assert whole[1] is not None
    assert whole[0].log_p.tolist() == whole[1].log_p.tolist()
    for i in rng.permutation(len(asked))[:30].tolist():
        found = alone.test(Questions.of([asked[i]]))
        assert found is not None
        assert (found.statistic[0], found.degrees_of_freedom[0]) == (
            whole[0].statistic[i],
            whole[0].degrees_of_freedom[i],
        )
    i = int(rng.integers(len(asked)))
    x, (*conditions, y) = asked[i]
    value, freedom = slow_test(codes, x, y, conditions, statistic == "x2", True)
    assert whole[0].statistic[i] == pytest.approx(value, abs=1e-7, rel=1e-9)
    assert whole[0].degrees_of_freedom[i] == freedom


def test_views_of_shrinking_neighbourhoods_are_made_from_each_other() -> None:
    codes = np.repeat(make_table(4, 200, 9, 3), 10, axis=0)
    rows = EngineRows(as_data(codes), threads=1)
    kept = TableOracle(rows)
    for pool in ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6], [1, 2, 5, 6, 7, 8], [2, 5]):
        sets = [(0, (*given, y)) for given in itertools.permutations(pool, 2) for y in pool if y not in given]
        asked = Questions.of(sets or [(0, (2, 5))])
        again, fresh = kept.test(asked), TableOracle(rows).test(asked)
        assert again is not None
        assert fresh is not None
        assert again.statistic.tolist() == fresh.statistic.tolist()
        assert again.degrees_of_freedom.tolist() == fresh.degrees_of_freedom.tolist()


@pytest.mark.long
def test_many_states_and_many_conditions_need_no_table_of_their_product() -> None:
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 300, (1500, 12))
    oracle = TableOracle(EngineRows(as_data(codes), threads=2), IndependenceTest("g2"))
    found = oracle.test(Questions.of([(0, [1]), (0, [2, 1]), (0, [*range(2, 12), 1])]))
    assert found is not None
    for i, conditions in enumerate(([], [2], list(range(2, 12)))):
        statistic, freedom = slow_test(codes, 0, 1, conditions, False, True)
        assert found.statistic[i] == pytest.approx(statistic, abs=1e-7, rel=1e-10)
        assert found.degrees_of_freedom[i] == freedom
    assert found.log_p[2] == 0.0  # nothing left to test is independence


@given(seed=st.integers(0, 10**6), rows=st.sampled_from([30, 400, 5_000]), size=st.integers(0, 5))
def test_the_bits_do_not_depend_on_order_of_rows_states_conditions_or_ends(seed: int, rows: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    codes = make_table(seed, rows, 8, 4)
    turned = np.stack([rng.permutation(5)[column] for column in codes.T], axis=1)[rng.permutation(rows)]
    conditions = [2, 3, 4, 5, 6][:size]
    for statistic in ("g2", "x2"):
        answers = set()
        for table, ends in ((codes, (0, 1)), (turned, (1, 0))):
            shuffled = rng.permutation(conditions).tolist()
            oracle = TableOracle(EngineRows(as_data(table), threads=1), IndependenceTest(statistic))
            found = oracle.test(Questions.of([(ends[0], [*shuffled, ends[1]])]))
            assert found is not None
            answers.add((found.statistic[0], found.degrees_of_freedom[0], found.log_p[0]))
        assert len(answers) == 1


def test_weighted_rows_are_repeated_rows() -> None:
    codes = make_table(3, 60, 5, 3)
    weights = np.random.default_rng(0).integers(1, 5, 60)
    long = as_data(np.repeat(codes, weights, axis=0))
    columns = {f"v{i}": codes[:, i].tolist() for i in range(5)} | {"w": weights.tolist()}
    short = read(columns, weights="w")
    asked = Questions.of([(0, [1]), (0, [2, 1]), (3, [0, 1, 2, 4])])
    one, two = (TableOracle(EngineRows(data)).test(asked) for data in (long, short))
    assert one is not None
    assert two is not None
    assert one.statistic.tolist() == two.statistic.tolist()
    assert one.degrees_of_freedom.tolist() == two.degrees_of_freedom.tolist()


def test_mutual_information_is_g2_on_another_scale() -> None:
    rows = EngineRows(read({"a": ["x", "y"] * 50, "b": ["u", "v"] * 50}))
    found = TableOracle(rows, IndependenceTest("mi")).test(Questions.of([(0, [1])]))
    g2 = TableOracle(rows).test(Questions.of([(0, [1])]))
    assert found is not None
    assert g2 is not None
    assert found.statistic[0] == pytest.approx(1.0)  # one bit
    assert found.log_p[0] == g2.log_p[0]


def test_too_few_rows_say_independent() -> None:
    rows = EngineRows(read({"a": ["x", "y"] * 10, "b": ["u", "v"] * 10}))
    asked = Questions.of([(0, [1])])
    for asked_for, expected in ((20.0, False), (20.5, True)):
        answers = TableOracle(rows, IndependenceTest(min_rows_per_df=asked_for)).log_p_values(asked)
        assert answers is not None
        assert (answers[0] == 0.0) == expected


@pytest.mark.parametrize(
    ("statistic", "freedom"), [(0.0, 3.0), (2.5, 0.0), (1e-300, 1.0), (1e6, 1.0), (1e5, 1e5), (3e8, 1e6)]
)
def test_the_tail_has_no_holes(statistic: float, freedom: float) -> None:
    found = _native.log_chi_square_tail(statistic, freedom)
    assert not math.isnan(found)
    assert found <= 0.0


def test_the_tail_falls_with_the_statistic_far_beyond_the_smallest_number() -> None:
    found = [_native.log_chi_square_tail(x, 7.0) for x in np.geomspace(1e-3, 1e7, 400)]
    assert all(a > b for a, b in itertools.pairwise(found))
    assert found[-1] < -1e6


def test_p_values_are_scipys_into_the_tail() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    for freedom in np.unique(np.geomspace(1, 1e5, 60).astype(int)).tolist():
        for statistic in (freedom * 10 ** rng.uniform(-1.5, 2.2, 30)).tolist():
            expected = float(stats.chi2.logsf(statistic, freedom))
            if expected > -700:
                found = _native.log_chi_square_tail(statistic, freedom)
                assert found == pytest.approx(expected, rel=1e-11, abs=1e-14)


@pytest.mark.peers
def test_p_values_are_causal_learns() -> None:
    cit = pytest.importorskip("causallearn.utils.cit")
    rng = np.random.default_rng(1)
    for seed in range(25):
        codes = make_table(seed, int(rng.choice([20, 300, 3000])), 6, 4)
        rows = EngineRows(as_data(codes), threads=1)
        for theirs, ours in (("gsq", "g2"), ("chisq", "x2")):
            peer = cit.CIT(codes, theirs)
            for _ in range(6):
                order = rng.permutation(6)[: rng.integers(2, 7)].tolist()
                found = TableOracle(rows, IndependenceTest(ours)).test(Questions.of([(order[0], order[1:])]))
                assert found is not None
                assert found.p_value[0] == pytest.approx(peer(order[0], order[-1], order[1:-1]), rel=1e-8, abs=1e-300)


@pytest.mark.peers
def test_statistics_are_pyagrums_and_p_values_where_no_cell_is_empty() -> None:
    """With empty cells pyAgrum lowers the degrees of freedom in a way of its own; see the module's first lines."""
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    for rows, same_p in ((20_000, True), (40, False)):
        codes = np.stack([rng.integers(0, states, rows) for states in (2, 3, 4, 3)], axis=1)
        frame = pandas.DataFrame({f"v{i}": [f"s{code}" for code in codes[:, i]] for i in range(4)})
        learner = gum.BNLearner(frame.astype("category"))
        engine = EngineRows(as_data(codes), threads=1)
        for x, *conditions, y in ([0, 1], [0, 2, 1], [0, 2, 3, 1]):
            for statistic, ask in (("g2", learner.G2), ("x2", learner.chi2)):
                value, p_value = ask(f"v{x}", f"v{y}", [f"v{v}" for v in conditions])
                found = TableOracle(engine, IndependenceTest(statistic)).test(Questions.of([(x, [*conditions, y])]))
                assert found is not None
                assert found.statistic[0] == pytest.approx(value, rel=1e-8)
                assert not same_p or found.p_value[0] == pytest.approx(p_value, rel=1e-6)


def test_a_memo_asks_once() -> None:
    oracle = CachedOracle(TableOracle(EngineRows(as_data(make_table(0, 50, 4, 3)))))
    first = oracle.log_p_values(Questions.of([(0, [2, 3, 1]), (1, [3, 2, 0])]))
    again = oracle.log_p_values(Questions.of([(1, [2, 3, 0])]))
    assert oracle.tests_made == 1
    assert first is not None
    assert again is not None
    assert {*first.tolist(), *again.tolist()} == {first[0]}


def test_a_watch_stops_the_tests() -> None:
    control = Control()
    oracle = TableOracle(EngineRows(as_data(make_table(0, 50, 4, 3))), control=control)
    control.token.cancel()
    assert oracle.log_p_values(Questions.of([(0, [1])])) is None


@pytest.mark.parametrize(
    "settings",
    [{"statistic": "g3"}, {"degrees_of_freedom": "none"}, {"min_rows_per_df": -1}, {"min_rows_per_df": math.inf}],
)
def test_bad_settings_are_refused_in_one_sentence(settings: dict[str, object]) -> None:
    with pytest.raises(MahcError):
        IndependenceTest(**settings)  # type: ignore[arg-type]


def test_a_question_needs_two_variables() -> None:
    with pytest.raises(ValueError, match="two variables"):
        TableOracle(EngineRows(as_data(make_table(0, 20, 3, 2)))).test(Questions.of([(0, [])]))
