"""Signs of measurement error: the information beyond chance, the two figures, and the second search."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cli.commands.check import report_lines
from mahc.confidence import check_graph
from mahc.data import Continuous, Dataset
from mahc.engine import EngineRows, Families, _native
from mahc.engine.count_scoring import CountTester
from mahc.engine.smooth_rows import SmoothRows
from mahc.lab.generators import Generated, generate
from mahc.learn import make_request
from mahc.learning.control import Control
from mahc.learning.measurement_error import LEAST_INFORMATION, LOW_RATIO, measure_signs
from mahc.learning.problem_making import make_problem
from mahc.measures import compare
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import Incorrect
from mahc.results.learned import Learned
from mahc.results.summary import facts
from mahc.scores import make_score

Tables = list[list[list[int]]]


def term(n: int) -> float:
    return n * math.log(n) if n else 0.0


def slow_expected(x: int, y: int, total: int) -> float:
    """The expectation of n ln(n) over all equally probable samples, by exact fractions."""
    ways = math.comb(total, y)
    cells = range(max(0, x + y - total), min(x, y) + 1)
    return math.fsum(float(Fraction(math.comb(x, n) * math.comb(total - x, y - n), ways)) * term(n) for n in cells)


def slow_excess(tables: Tables) -> float:
    """The sum over tables and cells of n ln(n) less its expectation."""
    found = 0.0
    for table in tables:
        of_y, total = [sum(column) for column in zip(*table, strict=True)], sum(map(sum, table))
        for row in table:
            found += sum(term(n) - slow_expected(sum(row), m, total) for n, m in zip(row, of_y, strict=True) if total)
    return found


def fast_excess(tables: Tables, *, alone: bool = False) -> float:
    cells = np.array(tables, np.int64)
    tests = _native.CountTests([cells.shape[2], cells.shape[1], cells.shape[0]], max(1, int(cells.sum())))
    family = Families.of([(0, [2, 1])]) if len(tables) > 1 else Families.of([(0, [1])])
    places = np.array([0, cells.size], np.int64)
    found = tests.measure_excess(family.children, family.offsets, family.parents, cells.ravel(), places)
    return float(found[0, int(alone)])


counts = st.integers(0, 12)


@given(st.lists(st.lists(st.lists(counts, min_size=3, max_size=3), min_size=2, max_size=2), min_size=1, max_size=3))
def test_the_information_beyond_chance_equals_its_definition(tables: Tables) -> None:
    if sum(n for table in tables for row in table for n in row) == 0:
        return
    assert fast_excess(tables) == pytest.approx(slow_excess(tables), abs=1e-9)
    pooled = [np.array(tables).sum(axis=0).tolist()]
    assert fast_excess(tables, alone=True) == pytest.approx(slow_excess(pooled), abs=1e-9)


@pytest.mark.parametrize("large", [300, 5_000, 400_000, 10**9])
def test_large_counts_agree_with_small_ones_and_with_chance(large: int) -> None:
    """Independent tables have about minus half the degrees of freedom; the series joins the sum without a step."""
    table = [[3 * large, 2 * large], [6 * large, 4 * large]]
    assert fast_excess([table]) == pytest.approx(-0.5, abs=2e-3 if large < 1000 else 1e-4)


def test_the_series_agrees_with_the_sum() -> None:
    """On either side of the limit between them, where the sum has about 1,800 terms."""
    for n in (620_000, 660_000):
        table = [[n // 4 + 300, n // 4 - 300], [n // 4 - 300, n // 4 + 300]]
        mean, total = n / 4, n
        variance = mean * 0.5 * 0.5 * total / (total - 1)
        expected = 4 * (mean * math.log(mean) + variance / (2 * mean) + variance**2 / (4 * mean**3))
        now = 2 * term(n // 4 + 300) + 2 * term(n // 4 - 300)
        assert fast_excess([table]) == pytest.approx(now - expected, abs=1e-6)


@pytest.fixture(scope="module")
def noisy() -> Dataset:
    return simulate(load_network("alarm"), 5000, 3, Incorrect(0.05)).data


def slow_signs(data: Dataset, arcs: list[tuple[str, str]]) -> tuple[dict[tuple[str, str], float], float]:
    """Ratios and kappa straight from their definition."""
    names, columns = data.names, dict(zip(data.names, data.columns, strict=True))
    parents = {v: [a for a, b in arcs if b == v] for v in names}
    neighbours = {v: {a for a, b in arcs if b == v} | {b for a, b in arcs if a == v} for v in names}

    def below(v: str) -> set[str]:
        children = {b for a, b in arcs if a == v}
        return children.union(*(below(child) for child in children))

    def share(u: str, v: str, given: list[str]) -> tuple[float, float] | None:
        sizes = [len(columns[w].states) for w in (u, v, *given)]
        if math.prod(sizes) > data.size:
            return None

        def tables(conditions: list[str]) -> Tables:
            found: dict[tuple[int, ...], np.ndarray] = {}
            codes = [columns[w].codes.tolist() for w in conditions]
            for i, key in enumerate(zip(*codes, strict=True) if codes else [()] * data.size):
                table = found.setdefault(key, np.zeros(sizes[:2], int))
                table[columns[u].codes[i], columns[v].codes[i]] += 1
            return [table.tolist() for table in found.values()]

        alone = sum(fast_excess([table]) for table in tables([]))
        return None if alone < LEAST_INFORMATION else (sum(fast_excess([t]) for t in tables(given)), alone)

    kept = {(u, v): share(u, v, [w for w in parents[v] if w != u]) for u, v in arcs}
    ratios = {arc: found[0] / found[1] for arc, found in kept.items() if found is not None}
    pairs = [kept[arc] for arc, ratio in ratios.items() if ratio < LOW_RATIO]
    for z in names:
        near = {w for u in parents[z] for w in neighbours[u]} - {z} - neighbours[z] - below(z)
        pairs += [share(w, z, parents[z]) for w in near]
    usable = [pair for pair in pairs if pair is not None]
    return ratios, math.fsum(k for k, _ in usable) / math.fsum(a for _, a in usable)


@pytest.mark.long
def test_ratios_and_kappa_equal_their_definition(noisy: Dataset) -> None:
    learned = mahc.learn(noisy, "boss", measurement_error="never", threads=1)
    parents = [[noisy.names.index(a) for a, b in learned.arcs if b == v] for v in noisy.names]
    signs = measure_signs(EngineRows(noisy, threads=1), parents)
    ratios, kappa = slow_signs(noisy, list(learned.arcs))
    assert {(noisy.names[u], noisy.names[v]): r for (u, v), r in signs.ratios.items()} == pytest.approx(ratios)
    assert signs.kappa == pytest.approx(kappa)


def test_measurement_error_is_noticed_and_cured(noisy: Dataset) -> None:
    truth = load_network("alarm").dag
    plain = mahc.learn(noisy, "boss", measurement_error="never")
    assert plain.run.measurement_error is None
    cured = mahc.learn(noisy, "boss")
    record = cured.run.measurement_error
    assert record is not None
    assert record.noticed
    assert record.relative_price == 0.25
    assert record.left_out
    gain = compare(cured, truth).counts.measure("f1") - compare(plain, truth).counts.measure("f1")
    assert gain > 0.05
    first = record.left_out[0]
    assert first.share is not None
    assert first.share < LOW_RATIO
    sentence = cured.explain(first.tail, first.head).sentence
    assert "typical of measurement error" in sentence
    told = [cured.explain(each.tail, each.head).sentence for each in record.left_out]
    assert any("for this arc" in sentence for sentence in told)
    assert "measured with error" in record.describe()
    assert {frozenset((a.tail, a.head)) for a in record.left_out}.isdisjoint(map(frozenset, cured.arcs))


def test_clean_data_stay_as_they_were() -> None:
    for name in ("asia", "alarm", "child", "insurance"):
        data = sample(load_network(name), 2000, 5)
        learned, plain = mahc.learn(data, "boss"), mahc.learn(data, "boss", measurement_error="never")
        assert learned.arcs == plain.arcs
        assert learned.score == plain.score
        record = learned.run.measurement_error
        assert record is not None
        assert not record.noticed


def test_rows_columns_labels_weights_and_threads_do_not_matter(noisy: Dataset) -> None:
    expected = mahc.learn(noisy, "boss", threads=1)
    rng = random.Random(1)
    order, rows = list(noisy.names), list(range(noisy.rows))
    rng.shuffle(order)
    rng.shuffle(rows)
    turned = mahc.learn(noisy.take(np.array(rows)).select(order), "boss", threads=2)
    assert set(turned.arcs) == set(expected.arcs)
    assert turned.run.measurement_error == expected.run.measurement_error


def test_a_result_keeps_what_was_noticed(noisy: Dataset, tmp_path: object) -> None:
    learned = mahc.learn(noisy, "boss")
    learned.save(f"{tmp_path}/result.json")
    again = Learned.load(f"{tmp_path}/result.json")
    assert again.run.measurement_error == learned.run.measurement_error
    assert again == learned
    record = learned.run.measurement_error
    assert record is not None
    arc = record.left_out[0]
    assert again.explain(arc.tail, arc.head) == learned.explain(arc.tail, arc.head)


def test_always_and_relative_price_give_one_search_with_that_price(noisy: Dataset) -> None:
    always = mahc.learn(noisy, "boss", measurement_error="always", relative_price=0.4)
    priced = mahc.learn(noisy, "boss", measurement_error="never", relative_price=0.4)
    assert always.arcs == priced.arcs
    assert always.run.measurement_error is None
    assert len(always.arcs) < len(mahc.learn(noisy, "boss", measurement_error="never").arcs)


@pytest.mark.parametrize("algorithm", ["hc", "tabu", "mahc", "boss", "exact"])
@pytest.mark.parametrize("objective", ["bic", "bdeu", "qnml", "fnml"])
def test_equivalent_graphs_cost_the_same(algorithm: str, objective: str) -> None:
    """The price of an arc is that of its reversal, whatever the score."""
    data = sample(load_network("asia"), 300, 2)
    _, problem = make_problem(make_request(data, algorithm, objective=objective), Control())
    prices = problem.priced_by(1.5, 0.25).prices
    assert prices.extra
    assert all(prices.extra[v, u] == extra for (u, v), extra in prices.extra.items())


def test_a_check_of_a_graph_says_so_too(noisy: Dataset) -> None:
    truth = load_network("alarm").dag
    found, clean = check_graph(truth, noisy), check_graph(truth, sample(load_network("alarm"), 5000, 3))
    assert found.kappa is not None
    assert found.kappa > 0.05
    assert clean.kappa is not None
    assert abs(clean.kappa) < 0.01
    assert clean.unexplained == ()
    parents = {v: set(truth.parent_sets[k]) for k, v in enumerate(truth.names)}
    assert len(found.unexplained) == 5
    for first, second, conditions, share in found.unexplained:
        assert {truth.names[u] for u in parents[second]} == set(conditions)
        assert first not in conditions
        assert 0 < share < 1
        assert any(f"{first} and {second} given" in line for line in report_lines(found))


def test_a_tester_needs_no_rows_of_its_own(noisy: Dataset) -> None:
    """Counts in two requests give the bits of one."""
    tester = CountTester(EngineRows(noisy, threads=1))
    asked = [(0, [1]), (2, [3, 4]), (5, [6, 7])]
    whole = tester.measure_excess(Families.of(asked))
    assert [tester.measure_excess(Families.of([each]))[0].tolist() for each in asked] == whole.tolist()


@pytest.fixture(scope="module")
def noisy_numbers() -> Generated:
    return generate("linear", 5000, 61, columns=12, noise=0.6)


def test_numbers_are_examined_by_functions_of_ranks(noisy_numbers: Generated) -> None:
    plain = mahc.learn(noisy_numbers.data, "boss", numbers="smooth", measurement_error="never")
    cured = mahc.learn(noisy_numbers.data, "boss", numbers="smooth")
    record = cured.run.measurement_error
    assert record.noticed
    truth = noisy_numbers.truth()
    assert compare(cured, truth).counts.measure("f1") > compare(plain, truth).counts.measure("f1") + 0.2
    assert ("Noise", record.describe()) in facts(cured)
    first = record.left_out[0]
    assert "typical of measurement error" in cured.explain(first.tail, first.head).sentence
    clean = generate("linear", 5000, 61, columns=12)
    learned = mahc.learn(clean.data, "boss", numbers="smooth")
    assert not learned.run.measurement_error.noticed
    assert learned.arcs == mahc.learn(clean.data, "boss", numbers="smooth", measurement_error="never").arcs


def test_neither_rows_columns_nor_signs_of_numbers_matter(noisy_numbers: Generated) -> None:
    data = noisy_numbers.data
    expected = mahc.learn(data, "boss", numbers="smooth", threads=1)
    order = np.random.default_rng(1).permutation(data.rows)
    columns = {name: -data.columns[data.index(name)].values[order] for name in reversed(data.names)}
    turned = mahc.learn(columns, "boss", numbers="smooth", threads=2)
    assert set(turned.arcs) == set(expected.arcs)
    assert turned.run.measurement_error == expected.run.measurement_error


def test_information_of_numbers_is_that_of_their_correlations() -> None:
    x, y, z = np.random.default_rng(1).normal(size=(3, 400))
    y, z = y + x, z + y + x
    rows = SmoothRows(Dataset(("x", "y", "z"), tuple(Continuous(v) for v in (x, y, z))), 31)
    correlations, _ = rows.correlations(1)
    inverse = np.linalg.inv(correlations)
    partial = inverse[0, 2] ** 2 / (inverse[0, 0] * inverse[2, 2])
    expected = [-200 * math.log(1 - r2) - 0.5 for r2 in (partial, correlations[0, 2] ** 2)]
    scorer = make_score("smooth", degree=1).scorer(rows)
    assert scorer.measure_excess(Families.of([(0, [1, 2])]))[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"objective": "gaussian-bic"}, "the rule is for the smooth score, not for gaussian-bic"),
        ({"numbers": "smooth", "missing": "pairwise"}, "values are missing"),
        ({"numbers": "smooth", "measurement_error": "never"}, None),
    ],
)
def test_the_summary_says_what_was_not_examined(settings: dict[str, str], reason: str | None) -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 100))
    y += x
    if "missing" in settings:
        y[:9] = np.nan
    noise = dict(facts(mahc.learn({"x": x, "y": y}, "boss", **settings))).get("Noise")
    assert noise == (reason and f"not examined for measurement error, because {reason}")
