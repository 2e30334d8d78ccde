"""Effects with intervals over rows and graphs."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import mahc
from mahc.confidence.effect_intervals import estimate_effects, optimal_set
from mahc.data import Dataset
from mahc.errors import DataError, MahcError, UnknownNameError
from mahc.graphs import DAG
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
    assert "100 % of 300 graphs (posterior) have no such effect" in found.describe()


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
    found = estimate_effects(data, graphs, "PKA", "Erk", baseline="HIGH")
    assert {each.contrast for each in found} == {("HIGH", "AVG"), ("HIGH", "LOW")}
    for to in ("AVG", "LOW"):
        assert sum(each.difference for each in found if each.contrast[1] == to) == pytest.approx(0, abs=1e-9)


def test_what_cannot_be_estimated_is_refused() -> None:
    data = confounded(200, 1)
    learned = mahc.learn(data, "boss")
    with pytest.raises(UnknownNameError, match="'z'"):
        learned.effect(data, "z", "y")
    with pytest.raises(UnknownNameError, match="'maybe'"):
        learned.effect(data, "x", "y", contrast=("no", "maybe"))
    with pytest.raises(MahcError, match="two different states"):
        learned.effect(data, "x", "y", contrast=("no", "no"))
    with pytest.raises(DataError, match="of other data"):
        learned.effect(data, "x", "y", graphs=mahc.posterior(confounded(100, 9), samples=10))
    with pytest.raises(MahcError, match="give a posterior"):
        learned.effect(data, "x", "y", graphs=mahc.bootstrap(data, "hc", resamples=3))
    numbers = {"x": np.random.default_rng(1).normal(size=200).tolist(), "y": ["a", "b"] * 100}
    with pytest.raises(DataError, match="holds numbers"):
        mahc.learn(numbers, "boss", numbers="smooth").effect(numbers, "x", "y")
