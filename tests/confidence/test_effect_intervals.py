"""Effects with intervals over rows and graphs."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.confidence.effect_intervals import estimate_effects
from mahc.confidence.effect_sets import choose_set
from mahc.confidence.regression_effects import draw_regressions
from mahc.data import Dataset
from mahc.errors import DataError, MahcError, UnknownNameError
from mahc.graphs import DAG
from mahc.graphs.adjustment.optimal import optimal_set
from mahc.networks import load_network, sample

NAMES = ("a", "b", "c", "d", "e")


def random_dag(rng: random.Random) -> DAG:
    order = rng.sample(NAMES, 5)
    return DAG(NAMES, [(u, v) for u, v in itertools.combinations(order, 2) if rng.random() < 0.5])


def joint_and_truncated(dag: DAG, rng: np.random.Generator, cause: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """The joint distribution of binary variables with random tables, and that under each do(cause)."""
    tables = [rng.uniform(0.1, 0.9, (2,) * len(parents)) for parents in dag.parent_sets]
    joint, truncated = np.ones((2,) * 5), [np.ones((2,) * 5) for _ in range(2)]
    for row in itertools.product(range(2), repeat=5):
        for v, parents in enumerate(dag.parent_sets):
            one = tables[v][tuple(row[p] for p in parents)]
            chance = one if row[v] else 1 - one
            joint[row] *= chance
            for x in range(2):
                truncated[x][row] *= (row[v] == x) if dag.names[v] == cause else chance
    return joint, truncated


def test_the_optimal_set_gives_the_interventional_distribution() -> None:
    adjusted = 0
    for seed in range(60):
        rng, draw = random.Random(seed), np.random.default_rng(seed)
        dag = random_dag(rng)
        cause, target = rng.sample(NAMES, 2)
        joint, truncated = joint_and_truncated(dag, draw, cause)
        x, y = dag.index(cause), dag.index(target)
        given = optimal_set(dag, cause, target)
        exact = [np.moveaxis(each, y, 0)[1].sum() for each in truncated]
        if given is None:
            assert exact[0] == pytest.approx(exact[1])
            continue
        zs = [dag.index(z) for z in given]
        keep = [x, y, *zs]
        table = joint.sum(axis=tuple(v for v in range(5) if v not in keep))
        table = np.moveaxis(table, [sorted(keep).index(v) for v in keep], range(len(keep))).reshape(2, 2, -1)
        of_z = table.sum(axis=(0, 1))
        found = [(table[k, 1] / table[k].sum(axis=0) * of_z).sum() for k in range(2)]
        assert found == pytest.approx(exact)
        adjusted += bool(given)
    assert adjusted > 10


def confounded(rows: int, seed: int, effect: float = 0.2) -> Dataset:
    draw = np.random.default_rng(seed)
    c = draw.random(rows) < 0.5
    x = draw.random(rows) < 0.3 + 0.4 * c
    y = draw.random(rows) < 0.2 + 0.3 * c + effect * x
    return mahc.read({name: np.where(v, "yes", "no").tolist() for name, v in (("c", c), ("x", x), ("y", y))})


TIERS = {"tiers": [["c"], ["x"], ["y"]]}


def test_the_interval_holds_the_truth_and_shrinks_with_the_rows() -> None:
    widths = []
    for rows in (500, 8000):
        learned = mahc.learn(confounded(rows, 3), "boss", knowledge=TIERS)
        found = learned.effect(confounded(rows, 3), "x", "y")
        assert found.interval.low < 0.2 < found.interval.high
        assert found.contrast == ("no", "yes")
        assert found.state == "yes"
        widths.append(found.interval.high - found.interval.low)
    assert widths[1] < widths[0] / 2
    assert found.absent == 0
    assert found.e_value > 1.5
    assert "E-value" in found.describe()


def test_an_effect_that_no_graph_has_is_zero() -> None:
    data = confounded(2000, 4)
    found = mahc.learn(data, "boss", knowledge=TIERS).effect(data, "y", "c")
    assert (found.difference, found.ratio, found.absent, found.e_value) == (0, 1, 1, 1)
    assert found.reversed > 0.9
    assert "none of 300 graphs (posterior) has a directed path" in found.describe()


def test_the_order_of_columns_and_rows_does_not_matter() -> None:
    data = sample(load_network("asia"), 600, 2)
    known = {"beliefs": ["smoke -> lung = 0.7"]}
    expected = mahc.learn(data, "boss", knowledge=known).effect(data, "smoke", "dysp")
    turned = data.select(data.names[::-1]).take(np.arange(600)[::-1])
    assert mahc.learn(turned, "boss", knowledge=known).effect(turned, "smoke", "dysp") == expected


def test_a_contrast_turned_round_has_the_opposite_sign() -> None:
    data = confounded(1000, 5)
    learned = mahc.learn(data, "hc", knowledge=TIERS)
    there = learned.effect(data, "x", "y", contrast=("no", "yes"), state="no")
    back = learned.effect(data, "x", "y", contrast=("yes", "no"), state="no")
    assert there.difference == pytest.approx(-back.difference)
    assert (there.interval.low, there.interval.high) == pytest.approx((-back.interval.high, -back.interval.low))


def test_every_contrast_is_estimated() -> None:
    data = sample(load_network("sachs"), 500, 1)
    graphs = mahc.posterior(data, samples=40)
    found = estimate_effects(data, graphs, "PKA", "Erk", contrast=("HIGH", None))
    assert {each.contrast for each in found} == {("HIGH", "AVG"), ("HIGH", "LOW")}
    for to in ("AVG", "LOW"):
        assert sum(each.difference for each in found if each.contrast[1] == to) == pytest.approx(0, abs=1e-9)


def test_no_effect_in_any_graph_is_said_in_words() -> None:
    data = sample(load_network("asia"), 500, seed=2)
    learned = mahc.learn(data, "boss", knowledge=mahc.Knowledge(tiers=[["smoke"], ["lung"]], forbidden_arcs=[]))
    text = learned.effect(data, "lung", "smoke").describe()
    assert text.startswith("lung = ")
    assert "does not change the probability of smoke" in text
    assert "none of 300 graphs (posterior) has a directed path from lung to smoke" in text
    assert "0.000" not in text
    for contrast, message in ((5, "give two states"), (("no", "no"), "smoke = no is compared with itself")):
        with pytest.raises(MahcError, match=message):
            learned.effect(data, "smoke", "lung", contrast=contrast)  # type: ignore[arg-type]


def test_the_rest_is_as_often_as_it_occurs_without_experiments() -> None:
    """Rows in which the cause was set tell of its effect, and not of how often its states occur."""
    network = load_network("sachs")
    free = sample(network, 20_000, seed=2)
    dag = mahc.Knowledge(required_arcs=network.dag.arcs)
    codes = [column.codes.astype(int) for column in free.columns]  # type: ignore[union-attr]
    place = free.index("PKA")
    low = np.flatnonzero(codes[place] == 0)[:3000]  # as if PKA had been set to its first state
    names = [{"PKA"} if row >= 20_000 else set() for row in range(20_000 + len(low))]
    stacked = free.take(np.concatenate([np.arange(20_000), low]))
    columns = {n: [stacked.labels[v][c] for c in stacked.codes[v]] for v, n in enumerate(stacked.names)}
    data = mahc.read(columns, interventions=names)
    graphs = mahc.learn(data, "hc", knowledge=dag)
    found = graphs.effect(data, "PKA", "Erk", contrast="HIGH", state="LOW")
    truth = mahc.Model(network).effect("PKA", "Erk").difference("LOW", "HIGH").low
    assert found.difference == pytest.approx(truth, abs=0.02)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"prior": 0}, "prior is 0: tables are drawn with a prior above 0"),
        ({"prior": -1}, "prior is -1"),
        ({"graphs": "folder"}, r"GraphSample.load\(folder\)"),
        ({"given": ["asia"]}, "give the state of each variable"),
    ],
)
def test_settings_of_an_effect_that_cannot_be(how: dict[str, Any], message: str) -> None:
    data = sample(load_network("asia"), 200, seed=2)
    with pytest.raises(MahcError, match=message):
        mahc.learn(data, "hc").effect(data, "smoke", "bronc", **how)


def test_one_state_is_compared_with_the_rest() -> None:
    data = sample(load_network("sachs"), 20_000, seed=2)
    dag = load_network("sachs").dag
    graphs = mahc.learn(data, "hc", knowledge=mahc.Knowledge(required_arcs=dag.arcs)).effect(
        data, "PKA", "Erk", contrast="LOW", state="HIGH"
    )
    truth = mahc.Model.load("sachs").effect("PKA", "Erk").difference("HIGH", "LOW").low
    assert graphs.contrast == (None, "LOW")
    assert graphs.to_dict()["contrast"] == [None, "LOW"]
    assert graphs.interval.low < truth < graphs.interval.high
    assert graphs.difference == pytest.approx(truth, abs=0.03)
    assert graphs.describe().startswith("PKA = LOW instead of the other states changes")
    with pytest.raises(MahcError, match="one to compare with the rest"):
        mahc.learn(data, "hc").effect(data, "PKA", "Erk", contrast=("LOW",))


def test_what_cannot_be_estimated_is_refused() -> None:
    data = confounded(200, 1)
    learned = mahc.learn(data, "boss")
    with pytest.raises(UnknownNameError, match="'z'"):
        learned.effect(data, "z", "y")
    with pytest.raises(UnknownNameError, match="'maybe'"):
        learned.effect(data, "x", "y", contrast=("no", "maybe"))
    with pytest.raises(MahcError, match="compared with itself"):
        learned.effect(data, "x", "y", contrast=("no", "no"))
    with pytest.raises(DataError, match="of other data"):
        learned.effect(data, "x", "y", graphs=mahc.posterior(confounded(100, 9), samples=10))
    with pytest.raises(MahcError, match="PAGs, in which hidden common causes are possible"):
        learned.effect(data, "x", "y", graphs=mahc.bootstrap(data, "fci", resamples=3))
    with pytest.raises(MahcError, match="the condition names 'x'"):
        learned.effect(data, "x", "y", given={"x": "yes"})
    with pytest.raises(UnknownNameError, match="state of 'c' 'maybe'"):
        learned.effect(data, "x", "y", given={"c": "maybe"})
    numbers = number_table(200, 1)
    learned = mahc.learn(numbers, "boss", knowledge=NUMBER_TIERS)
    with pytest.raises(MahcError, match="'z' holds numbers: give a finite number"):
        learned.effect(numbers, "z", "y", contrast=("low", "high"))
    with pytest.raises(MahcError, match="'y' holds numbers, which have no states"):
        learned.effect(numbers, "z", "y", state="yes")
    with pytest.raises(MahcError, match="the condition names 'z', which holds numbers"):
        learned.effect(numbers, "sex", "y", given={"z": 1.0})


def test_a_bootstrap_weighs_the_possible_parent_sets_equally() -> None:
    data = confounded(3000, 2)
    graphs = mahc.bootstrap(data, "boss", resamples=20)
    found = estimate_effects(data, graphs, "x", "y")[-1]
    # The three variables are joined by three edges in every resample: x has no parent, c, y or both.
    assert dict(found.sets) == pytest.approx({(): 0.25, ("c",): 0.25})
    assert found.absent == pytest.approx(0.5)
    assert found.reversed == pytest.approx(0.5)
    known = mahc.bootstrap(data, "boss", resamples=20, knowledge=TIERS)
    assert dict(estimate_effects(data, known, "x", "y")[-1].sets) == {("c",): 1.0}


def modified(rows: int, seed: int) -> Dataset:
    """x has the effect 0.4 where m = yes and 0.1 elsewhere; m is no confounder, c is one."""
    draw = np.random.default_rng(seed)
    c, m = draw.random(rows) < 0.5, draw.random(rows) < 0.4
    x = draw.random(rows) < 0.3 + 0.4 * c
    y = draw.random(rows) < 0.1 + 0.3 * c + np.where(m, 0.4, 0.1) * x
    columns = (("c", c), ("m", m), ("x", x), ("y", y))
    return mahc.read({name: np.where(v, "yes", "no").tolist() for name, v in columns})


def test_an_effect_can_be_confined_to_a_part_of_the_rows() -> None:
    data = modified(20_000, 1)
    learned = mahc.learn(data, "boss", knowledge={"tiers": [["c", "m"], ["x"], ["y"]]})
    for state, effect in (("yes", 0.4), ("no", 0.1)):
        found = learned.effect(data, "x", "y", given={"m": state})
        assert found.interval.low < effect < found.interval.high
        assert found.interval.high - found.interval.low < 0.06
        assert found.describe().startswith(f"Where m = {state}, x = yes instead of no")
    with pytest.raises(MahcError, match="the condition names y, on which x has an effect"):
        learned.effect(data, "x", "c", given={"y": "yes"})


def test_a_condition_that_opens_a_path_is_adjusted_for_the_parents() -> None:
    """a -> x, a -> z <- b, b -> y, x -> y: given z, b alone no longer blocks x <- a -> z <- b -> y."""
    arcs = [("a", "x"), ("a", "z"), ("b", "z"), ("b", "y"), ("x", "y")]
    dag = DAG(["a", "b", "x", "y", "z"], arcs)
    sizes = dict.fromkeys(dag.names, 2)
    assert choose_set(dag, "x", "y", [], sizes, 10**6) == ("b",)
    assert choose_set(dag, "x", "y", ["z"], sizes, 10**6) == ("b",)  # b blocks it still
    assert choose_set(DAG(dag.names, [*arcs, ("a", "y")]), "x", "y", ["z"], sizes, 10**6) == ("a", "b")
    other = DAG(["a", "b", "x", "y", "z"], [("a", "x"), ("a", "z"), ("b", "z"), ("b", "x"), ("x", "y")])
    assert choose_set(other, "x", "y", [], sizes, 10**6) == ()
    assert choose_set(dag, "x", "y", [], sizes, 7) == ("a",)


def number_table(rows: int, seed: int) -> dict[str, list[object]]:
    draw = np.random.default_rng(seed)
    z = draw.normal(10, 2, rows)
    sex = draw.random(rows) < 0.5
    x = 0.5 * z + sex + draw.normal(0, 1, rows)
    y = 3 * x - 2 * z + draw.normal(0, 4, rows)
    ill = draw.random(rows) < 1 / (1 + np.exp(-(y - y.mean()) / 4))
    return {
        "z": z.tolist(),
        "sex": np.where(sex, "m", "f").tolist(),
        "x": x.tolist(),
        "y": y.tolist(),
        "ill": np.where(ill, "yes", "no").tolist(),
    }


NUMBER_TIERS = {"tiers": [["z", "sex"], ["x"], ["y"], ["ill"]]}


def test_the_effect_on_a_number_is_that_of_least_squares() -> None:
    columns = number_table(1500, 3)
    data = mahc.read(columns)
    drawn = draw_regressions(data, "x", "y", ("z",), [1.0, 3.0], 20_000, 1)[:, :, 0]
    design = np.column_stack([np.ones(1500), columns["x"], columns["z"]])
    found, left, *_ = np.linalg.lstsq(design, np.array(columns["y"]), rcond=None)
    error = float(np.sqrt(left[0] / 1497 * np.linalg.inv(design.T @ design)[1, 1]))
    changes = drawn[:, 1] - drawn[:, 0]
    assert changes.mean() == pytest.approx(2 * found[1], abs=0.02)
    assert changes.std() == pytest.approx(2 * error, rel=0.03)


def test_the_effect_on_a_state_is_that_of_logistic_regression() -> None:
    """The draws beside those of coefficients from their normal approximation, the whole mean taken for each."""
    columns = number_table(800, 5)
    data = mahc.read(columns)
    drawn = draw_regressions(data, "y", "ill", (), [-5.0, 5.0], 20_000, 1)[:, :, 1]
    y = np.array(columns["y"])
    design = np.column_stack([np.ones(800), (y - y.mean()) / y.std()])
    ill = np.array(columns["ill"]) == "yes"
    beta = np.zeros(2)
    for _ in range(50):
        share = 1 / (1 + np.exp(-design @ beta))
        curvature = (design * (share * (1 - share))[:, None]).T @ design + np.diag([0, 0.5])
        beta += np.linalg.solve(curvature, design.T @ (ill - share) - np.diag([0, 0.5]) @ beta)
    draws = np.random.default_rng(1).multivariate_normal(beta, np.linalg.inv(curvature), 20_000)
    for k, value in enumerate((-5.0, 5.0)):
        there = 1 / (1 + np.exp(-draws @ [1, (value - y.mean()) / y.std()]))
        assert drawn[:, k].mean() == pytest.approx(there.mean(), abs=0.01)
        assert drawn[:, k].std() == pytest.approx(there.std(), rel=0.1)


def test_effects_of_numbers_have_units_curves_and_the_same_bits_in_any_order() -> None:
    columns = number_table(1000, 7)
    data = mahc.read(columns)
    learned = mahc.learn(data, "boss", knowledge=NUMBER_TIERS)
    found = learned.effect(data, "x", "y", contrast=(2.0, 4.0))
    assert found.interval.low < 6 < found.interval.high
    assert found.per_unit == pytest.approx(found.difference / 2)
    assert (found.state, found.ratio, found.e_value) == (None, None, None)
    assert len(found.curve) == 9
    assert all(p.interval.low < p.expected < p.interval.high for p in found.curve)
    assert [p.expected for p in found.curve] == sorted(p.expected for p in found.curve)
    assert "per unit" in found.describe()
    turned = data.select(data.names[::-1]).take(np.arange(1000)[::-1])
    again = mahc.learn(turned, "boss", knowledge=NUMBER_TIERS).effect(turned, "x", "y", contrast=(2.0, 4.0))
    assert again == found
    assert learned.effect(data, "sex", "x").interval.low > 0.5
    assert 0 < learned.effect(data, "y", "ill").difference < 1


def test_graphs_without_an_effect_on_a_number_add_exactly_nothing() -> None:
    """The interval reaches from 0 to that of the graphs with an effect, as it does for states."""
    draw = np.random.default_rng(2)
    x = draw.normal(0, 1, 800)
    data = mahc.read({"x": x, "y": 0.4 * x + draw.normal(0, 1, 800)})
    found = mahc.learn(data, "boss", numbers="smooth").effect(data, "x", "y", contrast=(0.0, 1.0))
    assert 0.2 < found.absent < 0.8
    drawn = draw_regressions(data, "x", "y", (), [0.0, 1.0], 20_000, 1)[:, :, 0]
    assert found.interval.low == 0
    assert found.interval.high == pytest.approx(np.quantile(drawn[:, 1] - drawn[:, 0], 0.975), abs=0.01)
    without = draw_regressions(data, "x", "y", None, [0.0, 1.0, 2.0], 50, 1)
    assert without.shape == (50, 3, 1)
    assert (without == without[:, :1]).all()
