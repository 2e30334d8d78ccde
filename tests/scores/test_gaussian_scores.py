"""BGe and the Gaussian BIC against slow forms and other programs, and what they promise."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mahc
from mahc.algorithms import make_algorithm
from mahc.data import Continuous, Dataset, Kind, read
from mahc.engine import Families
from mahc.engine.moments import CHUNK, Moments
from mahc.errors import MahcError
from mahc.graphs import DAG, dag_to_cpdag
from mahc.learning.algorithm import ALGORITHMS
from mahc.results.summary import score_line
from mahc.scores import BGe, GaussianBIC, Score

SCORING = [name for name in ALGORITHMS.names() if not make_algorithm(name).counts_states]
BOTH = [BGe(), GaussianBIC(), BGe(alpha_mu=0.5, alpha_w=9, base=math.e)]
Table = dict[str, np.ndarray]


def linear(rows: int = 200, seed: int = 3) -> Table:
    """a -> b -> c <- d, in different units."""
    generator = np.random.default_rng(seed)
    a, d = generator.normal(size=(2, rows))
    b = a + 0.5 * generator.normal(size=rows)
    c = b - d + generator.normal(size=rows)
    return {"a": a, "b": 1000 * b + 1e6, "c": 0.01 * c, "d": d - 3}


def singular(rows: int = 60) -> Table:
    """A column, its copy, its opposite, a constant, and a sum of two."""
    generator = np.random.default_rng(2)
    a, other = generator.normal(size=(2, rows))
    return {"a": a, "copy": a, "opposite": -a, "constant": np.full(rows, 7.5), "sum": a + other, "other": other}


def scores(score: Score, table: Table, families: list[tuple[int, list[int]]], **given: object) -> list[float]:
    rows = score.hold(read(table, **given), threads=1)
    return score.scorer(rows).score_families(Families.of(families)).tolist()


def slow_bic(table: Table, child: str, parents: list[str]) -> float:
    """By least squares, in bits."""
    y = table[child]
    design = np.column_stack([np.ones(len(y)), *(table[name] for name in parents)])
    residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    likelihood = -0.5 * len(y) * (math.log(2 * math.pi * float(np.mean(residual**2))) + 1)
    return (likelihood - 0.5 * math.log(len(y)) * (len(parents) + 2)) / math.log(2)


def log_multivariate_gamma(size: int, x: float) -> float:
    return size * (size - 1) / 4 * math.log(math.pi) + sum(math.lgamma(x + (1 - j) / 2) for j in range(1, size + 1))


def slow_marginal(table: Table, names: list[str], alpha_mu: float, alpha_w: float) -> float:
    """Kuipers, Moffa and Heckerman (2014), for the columns in their units: nats."""
    n, rows, size = len(table), len(next(iter(table.values()))), len(names)
    if not names:
        return 0.0
    values = np.array([(table[name] - table[name].mean()) / table[name].std() for name in names])
    t = alpha_mu * (alpha_w - n - 1) / (alpha_mu + 1)
    prior, posterior = t * np.eye(size), t * np.eye(size) + values @ values.T
    free = alpha_w - n + size
    return float(
        size / 2 * math.log(alpha_mu / (rows + alpha_mu))
        - size * rows / 2 * math.log(math.pi)
        + log_multivariate_gamma(size, (rows + free) / 2)
        - log_multivariate_gamma(size, free / 2)
        + free / 2 * np.linalg.slogdet(prior)[1]
        - (rows + free) / 2 * np.linalg.slogdet(posterior)[1]
        - rows * sum(math.log(table[name].std()) for name in names)
    )


FAMILIES = [(0, []), (1, []), (1, [0]), (2, [1, 3]), (3, [2, 0, 1]), (0, [1, 2, 3])]


def test_the_gaussian_bic_is_that_of_a_regression() -> None:
    table, names = linear(), list(linear())
    expected = [slow_bic(table, names[child], [names[u] for u in parents]) for child, parents in FAMILIES]
    assert scores(GaussianBIC(), table, FAMILIES) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("alpha_mu", "alpha_w"), [(1.0, None), (0.5, 9.0), (10.0, 5.5)])
def test_bge_is_the_quotient_of_two_marginal_likelihoods(alpha_mu: float, alpha_w: float | None) -> None:
    table, names = linear(), list(linear())
    degrees = len(names) + alpha_mu + 1 if alpha_w is None else alpha_w
    expected = []
    for child, parents in FAMILIES:
        given = [names[u] for u in parents]
        both = slow_marginal(table, [*given, names[child]], alpha_mu, degrees)
        expected.append((both - slow_marginal(table, given, alpha_mu, degrees)) / math.log(2))
    assert scores(BGe(alpha_mu=alpha_mu, alpha_w=alpha_w), table, FAMILIES) == pytest.approx(expected, abs=1e-5)


def test_bge_of_one_variable_is_an_integral() -> None:
    """The normal-Wishart prior of one variable, integrated over mean and precision numerically."""
    values = np.array([0.3, -1.2, 0.7, 2.0, -0.4])
    table = {"x": values}
    standard = (values - values.mean()) / values.std()
    alpha_mu, alpha_w = 1.0, 3.0
    t = alpha_mu * (alpha_w - 2) / (alpha_mu + 1)
    means, logs = np.linspace(-15, 15, 1501), np.linspace(-12, 6, 1501)
    mean, log = np.meshgrid(means, logs, indexing="ij")
    precision = np.exp(log)
    density = -0.5 * precision * ((standard[:, None, None] - mean) ** 2).sum(axis=0)
    density += 2.5 * (log - math.log(2 * math.pi))
    density += 0.5 * (np.log(alpha_mu * precision / (2 * math.pi)) - alpha_mu * precision * mean**2)
    wishart = (alpha_w / 2 - 1) * log - 0.5 * t * precision
    wishart += alpha_w / 2 * math.log(t / 2) - math.lgamma(alpha_w / 2)
    steps = (means[1] - means[0]) * (logs[1] - logs[0])
    integral = float(np.exp(density + wishart + log).sum() * steps)
    expected = math.log(integral) - 5 * math.log(values.std())
    (found,) = scores(BGe(alpha_w=alpha_w, base=math.e), table, [(0, [])])
    assert found == pytest.approx(expected, abs=1e-4)


def test_bge_of_two_rows_by_hand() -> None:
    # x = -1, 1, of mean 0 and variance 1; alpha_mu = 1, alpha_w = 3, t = 1/2; R = 1/2 + 2 = 5/2. The formula gives
    # (1/3)^(1/2) / pi * Gamma(5/2) / Gamma(3/2) * (1/2)^(3/2) / (5/2)^(5/2), with Gamma(5/2) = 3/2 Gamma(3/2).
    expected = math.sqrt(1 / 3) / math.pi * 1.5 * 0.5**1.5 / 2.5**2.5
    score = BGe(base=math.e)
    rows = score.hold(Dataset(("x",), (Continuous(np.array([-1.0, 1.0])),)))
    found = score.scorer(rows).score_families(Families.of([(0, [])]))
    assert found[0] == pytest.approx(math.log(expected), abs=1e-5)


@pytest.mark.parametrize("score", BOTH, ids=lambda score: score.describe())
@pytest.mark.parametrize("make", [linear, singular])
def test_equivalent_graphs_have_the_same_score_to_the_last_bit(score: Score, make) -> None:  # type: ignore[no-untyped-def]
    table = dict(list(make().items())[:5])
    names = list(table)
    scorer = score.scorer(score.hold(read(table), threads=1))
    totals: dict[object, set[float]] = {}
    generator = np.random.default_rng(0)
    for order in permutations(range(len(names))):
        arcs = [(u, v) for i, u in enumerate(order) for v in order[i + 1 :] if generator.random() < 0.5]
        families = Families.of((v, [u for u, head in arcs if head == v]) for v in range(len(names)))
        total = float(scorer.score_families(families).sum())
        pattern = dag_to_cpdag(DAG(names, [(names[u], names[v]) for u, v in arcs]))
        totals.setdefault(frozenset(pattern.edges), set()).add(total)
    assert all(len(found) == 1 for found in totals.values())
    assert len(totals) > 10


@pytest.mark.parametrize("algorithm", SCORING)
@pytest.mark.parametrize("name", ["bge", "gaussian-bic"])
def test_order_sign_and_units_change_nothing(algorithm: str, name: str) -> None:
    table = linear()
    learned = mahc.learn(table, algorithm, objective=name)
    assert {frozenset(arc) for arc in learned.arcs} >= {frozenset("ab"), frozenset("bc"), frozenset("cd")}
    order = np.random.default_rng(3).permutation(200)
    other = {column: table[column][order] for column in reversed(table)}
    other["b"] = -other["b"]
    again = mahc.learn(other, algorithm, objective=name, threads=1)
    assert (sorted(again.arcs), again.score) == (sorted(learned.arcs), learned.score)
    other["a"] = 8 * other["a"]  # in other units: another density
    scaled = mahc.learn(other, algorithm, objective=name)
    assert sorted(scaled.arcs) == sorted(learned.arcs)
    assert scaled.score == pytest.approx(learned.score - 200 * 3, abs=1e-3)


@pytest.mark.parametrize("name", ["bge", "gaussian-bic"])
@pytest.mark.parametrize("algorithm", SCORING)
def test_copies_and_constants_do_not_hurt(algorithm: str, name: str) -> None:
    learned = mahc.learn(singular(), algorithm, objective=name)
    assert math.isfinite(learned.score)
    assert not any("constant" in arc for arc in learned.arcs)
    assert any({"a", "copy"} <= set(arc) or {"a", "opposite"} <= set(arc) for arc in learned.arcs)


@pytest.mark.parametrize("score", BOTH[:2], ids=lambda score: score.name)
def test_weights_are_rows_that_are_repeated(score: Score) -> None:
    table = linear(100)
    weights = np.arange(100) % 4 + 1
    long = {name: np.repeat(values, weights) for name, values in table.items()}
    assert scores(score, table, FAMILIES, weights=weights.tolist()) == scores(score, long, FAMILIES)
    once = score.hold(read(table), weights=weights).moments()
    np.testing.assert_array_equal(once.products, score.hold(read(long)).moments().products)


def test_bootstrap_and_knowledge() -> None:
    known = {"tiers": [["d"], ["c"]], "forbidden_arcs": [["a", "b"]]}
    learned = mahc.learn(linear(), "hc", objective="bge", knowledge=known)
    assert {("b", "a"), ("d", "c")} <= set(learned.arcs)
    sample = mahc.bootstrap(linear(), "hc", objective="gaussian-bic", resamples=20)
    assert sample.edge("a", "b") == 1.0
    assert sample.edge("a", "d") < 0.6


@pytest.mark.parametrize("name", ["bge", "gaussian-bic"])
def test_pieces_give_the_same_bits(name: str, tmp_path: Path) -> None:
    from mahc.cluster import open_shards

    whole = linear(900)
    for part in range(3):
        frame = pl.DataFrame({key: values[part * 300 : (part + 1) * 300] for key, values in whole.items()})
        frame.write_parquet(tmp_path / f"{part}.parquet")
    source = open_shards(tmp_path, memory_bytes=1, kinds=frozenset(Kind))
    learned, one = mahc.learn(source, "hc", objective=name), mahc.learn(whole, "hc", objective=name)
    assert (sorted(learned.arcs), learned.score) == (sorted(one.arcs), one.score)


def test_results_are_saved_explained_and_replayed(tmp_path: Path) -> None:
    learned = mahc.learn(linear(), "boss", objective="bge", alpha_mu=2)
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    assert loaded.run.score == BGe(alpha_mu=2)
    assert "(alpha_mu 2)" in score_line(learned)
    assert mahc.replay(loaded, linear()) == learned
    assert "bits" in str(learned.explain("b", "a"))
    assert mahc.score_graph(learned.dag, linear(), BGe(alpha_mu=2)).total == learned.score


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"objective": "bge", "alpha_w": 5},
            "alpha_w=5 is too small for 4 variables: give more than 5, or leave it out",
        ),
        ({"objective": "bge", "alpha_mu": 0}, "alpha_mu"),
        ({"objective": "gaussian-bic", "alpha_mu": 1}, "alpha_mu"),
        ({"objective": "bge", "knowledge": {"targets": {"a": 2}}}, "targets need a score with a penalty per parameter"),
    ],
)
def test_mistakes_get_one_sentence(given: dict[str, object], says: str) -> None:
    with pytest.raises(MahcError, match=says):
        mahc.learn(linear(), "hc", **given)


@pytest.mark.parametrize("name", ["bge", "gaussian-bic"])
def test_mixed_tables_are_referred_to_smooth(name: str) -> None:
    with pytest.raises(
        MahcError, match=f"{name} is a score for continuous data, and column 'sex' is discrete: .*smooth"
    ):
        mahc.learn({**linear(), "sex": np.array(["f", "m"] * 100)}, "hc", objective=name)


NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=True) | st.sampled_from([0.1, 1e300, -1e-300, 5e-324, 1e16, 3.0])


@given(arrays(np.float64, st.tuples(st.integers(1, 3), st.integers(1, 6)), elements=NUMBERS), st.randoms())
def test_moments_are_exact(values: np.ndarray, random) -> None:  # type: ignore[no-untyped-def]
    values = values + 0.0
    weights = np.array([random.choice([0, 1, 2, 300, 1 << 40]) for _ in range(values.shape[1])])
    found = Moments.of(values, weights)
    exact = [[Fraction(x) for x in line] for line in values.tolist()]
    unit = Fraction(1, 2**1074)
    for u, one in enumerate(exact):
        assert found.sums[u] * unit == sum(x * int(w) for x, w in zip(one, weights, strict=True))
        for v, other in enumerate(exact):
            total = sum(x * y * int(w) for x, y, w in zip(one, other, weights, strict=True))
            assert found.products[u, v] * unit * unit == total
    cut = random.randrange(values.shape[1] + 1)
    parts = Moments.of(values[:, :cut], weights[:cut]) + Moments.of(values[:, cut:], weights[cut:])
    assert (parts.products == found.products).all()


def test_moments_of_many_rows_and_far_means() -> None:
    generator = np.random.default_rng(5)
    values = generator.normal(size=(3, CHUNK + 100)) * np.array([[1.0], [1e-4], [1e5]]) + np.array([[1e6], [0], [-3]])
    moments = Moments.of(values)
    np.testing.assert_allclose(moments.correlations()[0], np.corrcoef(values), rtol=0, atol=1e-9)
    np.testing.assert_allclose(moments.covariances(), np.cov(values, bias=True), rtol=1e-6, atol=1e-4)
    turned = Moments.of(values[:, ::-1].copy())
    assert (turned.products == moments.products).all()
    huge = Moments.of(np.array([[1e300, -1e300, 0.0], [1.0, 2.0, 3.0]]))
    assert np.isfinite(huge.correlations()[0]).all()


def test_dataset_of_one_row_scores_nothing() -> None:
    data = Dataset(("a", "b"), (Continuous(np.array([1.0])), Continuous(np.array([2.0]))))
    for score in BOTH[:2]:
        scorer = score.scorer(score.hold(data, threads=1))
        assert scorer.score_families(Families.of([(0, []), (0, [1])])).tolist() == [0.0, 0.0]


@pytest.mark.peers
def test_the_gaussian_bic_is_that_of_causal_learn() -> None:
    """Up to the constants, which no graph changes: causal-learn leaves out 2 pi and one parameter."""
    peer = pytest.importorskip("causallearn.score.LocalScoreFunction")
    table = linear()
    covariances = np.cov(np.array(list(table.values())), bias=True)
    ours = scores(GaussianBIC(base=math.e), table, FAMILIES)
    constant = 100 * math.log(2 * math.pi) + 0.5 * math.log(200)
    expected = [peer.local_score_BIC_from_cov((covariances, 200), child, parents) for child, parents in FAMILIES]
    assert [score + constant for score in ours] == pytest.approx(expected, abs=1e-4)
