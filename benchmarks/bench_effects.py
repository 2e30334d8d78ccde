"""Coverage of 95 % intervals of effects: over rows and graphs, beside those that take a graph as given.

    python benchmarks/bench_effects.py [--data states] [--score bge] [--simulations 200]
        [--rows 500,2000,10000] [--strengths none,weak,strong] [--out FILE.jsonl]

Data with a known effect of x on y, none, weak or strong: with a confounder, a mediator, M-bias, a collider, and in
random DAGs of 10 variables. The data (--data) are

    states       binary variables, with random tables in random DAGs
    numbers      linear Gaussian
    mixed        each variable is one or the other at random, at least one of each: linear or logistic in its causes

Five intervals, each with the share of simulations that it covers and, in brackets, its mean width:

    mahc         `learned.effect`: graphs from the posterior, parameters given the rows; without any knowledge; numbers
                 stay numbers (numbers="smooth")
    ordered      the same, where the order in which the variables arise is known (tiers)
    one graph    the same parameters, but the graph that boss learned is taken as given
    true set     statsmodels with the true optimal adjustment set: saturated least squares with robust errors (HC3) for
                 states; otherwise least squares, or logistic regression for a target with states
    DoWhy        its linear regression on the graph that boss learned

A file given by --out keeps what was done; a second run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mahc
from mahc.confidence.effect_intervals import estimate_effects
from mahc.confidence.effect_sets import choose_set
from mahc.confidence.regression_effects import draw_regressions
from mahc.confidence.table_effects import draw_tables
from mahc.data import Dataset
from mahc.graphs import DAG
from mahc.graphs.adjustment.optimal import optimal_set
from mahc.inference import Model
from mahc.networks import sample
from mahc.networks.network import Network

KINDS = ("states", "numbers", "mixed")
STRUCTURES = ("confounder", "mediator", "M-bias", "collider", "random")
STRENGTHS = ("none", "weak", "strong")
EFFECTS = {"none": 0.0, "weak": 0.08, "strong": 0.25}
BANDS = {"none": (0.0, 0.0), "weak": (0.05, 0.12), "strong": (0.2, 1.0)}
NO, YES = "no", "yes"
ARCS = {
    "confounder": (("c", "x"), ("c", "y"), ("x", "y")),
    "mediator": (("x", "m"), ("m", "y")),
    "M-bias": (("u", "m"), ("v", "m"), ("u", "x"), ("v", "y"), ("x", "y")),
    "collider": (("x", "y"), ("x", "c"), ("y", "c")),
}
TRUTH_ROWS = 100_000  # for effects that no formula gives: their standard error is about 0.001


@dataclass(frozen=True)
class Linear:
    """Each variable is linear in its causes, or logistic where it has states, coded as -1 and 1."""

    dag: DAG
    states: frozenset[str]
    weights: Mapping[tuple[str, str], float]

    def draw(self, rows: int, random: np.random.Generator, x: float | None = None) -> dict[str, NDArray[np.float64]]:
        """Values of all variables; x is set where it is given."""
        found: dict[str, NDArray[np.float64]] = {}
        for name in self.dag.topological_order():
            mean = sum((self.weights[u, name] * found[u] for u in self.dag.parents(name)), np.zeros(rows))
            noise = random.logistic(size=rows) if name in self.states else random.normal(size=rows)
            value = np.where(2 * mean + noise > 0, 1.0, -1.0) if name in self.states else mean + noise
            found[name] = value if name != "x" or x is None else np.full(rows, x)
        return found

    def effect(self) -> float:
        """Of x on y: the change of the mean for one unit, or of the probability."""
        if "y" not in self.dag.descendants("x"):
            return 0.0
        if not self.states:
            towards = {"x": 1.0}
            for name in self.dag.topological_order():
                if name != "x":
                    through = (self.weights[u, name] * towards.get(u, 0.0) for u in self.dag.parents(name))
                    towards[name] = sum(through)
            return towards["y"]
        low, high = (-1.0, 1.0) if "x" in self.states else (0.0, 1.0)
        means = [self.draw(TRUTH_ROWS, np.random.default_rng(1), value)["y"].mean() for value in (low, high)]
        return float(means[1] - means[0]) / (2 if "y" in self.states else 1)

    def sample(self, rows: int, random: np.random.Generator) -> Dataset:
        drawn = self.draw(rows, random)
        words = {name: np.where(values > 0, YES, NO) for name, values in drawn.items() if name in self.states}
        return mahc.read({name: words.get(name, drawn[name]) for name in self.dag.names})


def linear(structure: str, strength: str, mixed: bool, random: np.random.Generator) -> Linear:
    """A random linear model of the wanted structure and strength."""
    low, high = BANDS[strength]
    while True:
        if structure == "random":
            names, arcs = random_arcs(random)
        else:
            arcs = list(ARCS[structure])
            names = list(dict.fromkeys(name for arc in arcs for name in arc))
            if strength == "none":
                arcs = [arc for arc in arcs if arc not in (("x", "y"), ("m", "y"))]
        states = frozenset(name for name in names if mixed and random.random() < 0.5)
        if mixed and len(states) in (0, len(names)):
            continue
        scale = {"none": 0.5, "weak": 0.15, "strong": 0.5}[strength] if structure != "random" else 0.5
        weights = {}
        for arc in arcs:
            on_the_way = arc in (("x", "y"), ("m", "y"))
            weights[arc] = float(random.uniform(0.5, 1.5) * (scale if on_the_way else 0.5) * random.choice([-1, 1]))
        model = Linear(DAG(names, arcs), states, weights)
        if (strength == "none") == ("y" in model.dag.descendants("x")):
            continue
        if low <= abs(model.effect()) <= high:
            return model


def binary(names: list[str], arcs: list[tuple[str, str]], chances: dict[str, NDArray[np.float64]]) -> Network:
    """A network of binary variables: the chance of yes for each configuration of the parents, in the order of arcs."""
    parents = {name: [u for u, v in arcs if v == name] for name in names}
    tables = tuple(np.stack([1 - chances[n].ravel(), chances[n].ravel()], axis=1) for n in names)
    places = tuple(tuple(names.index(p) for p in parents[n]) for n in names)
    return Network("simulated", tuple(names), ((NO, YES),) * len(names), places, tables)


def fixed(structure: str, effect: float) -> Network:
    """A small network in which x has the effect on y."""
    a = np.array
    if structure == "confounder":
        chances = {"c": a([0.5]), "x": a([0.3, 0.7]), "y": a([[0.2, 0.2 + effect], [0.5, 0.5 + effect]])}
        return binary(["c", "x", "y"], [("c", "x"), ("c", "y"), ("x", "y")], chances)
    if structure == "mediator":
        chances = {"x": a([0.5]), "m": a([0.3, 0.7]), "y": a([0.3, 0.3 + effect / 0.4])}
        return binary(["x", "m", "y"], [("x", "m"), ("m", "y")], chances)
    if structure == "M-bias":
        chances = {"u": a([0.5]), "v": a([0.5]), "m": a([[0.2, 0.5], [0.5, 0.8]]), "x": a([0.3, 0.7])}
        chances["y"] = a([[0.2, 0.2 + effect], [0.5, 0.5 + effect]])
        arcs = [("u", "m"), ("v", "m"), ("u", "x"), ("v", "y"), ("x", "y")]
        return binary(["u", "v", "m", "x", "y"], arcs, chances)
    chances = {"x": a([0.5]), "y": a([0.3, 0.3 + effect]), "c": a([[0.1, 0.4], [0.5, 0.8]])}
    return binary(["x", "y", "c"], [("x", "y"), ("x", "c"), ("y", "c")], chances)


def random_arcs(random: np.random.Generator) -> tuple[list[str], list[tuple[str, str]]]:
    """A random DAG of 10 variables; x comes before y."""
    names = [f"v{k}" for k in range(10)]
    first, second = sorted(random.choice(10, 2, replace=False).tolist())
    names[first], names[second] = "x", "y"
    return names, [(names[i], names[j]) for j in range(10) for i in range(j) if random.random() < 0.22]


def drawn(strength: str, random: np.random.Generator) -> tuple[Network, float]:
    """A random network of 10 variables and the effect of x on y, of the wanted strength."""
    low, high = BANDS[strength]
    while True:
        names, arcs = random_arcs(random)
        chances = {}
        for name in names:
            many = sum(v == name for _, v in arcs)
            if many > 3:
                break
            chances[name] = random.uniform(0.1, 0.9, 2**many)
        else:
            network = binary(names, arcs, chances)
            effect = true_effect(network)
            if low <= abs(effect) <= high and (strength != "none" or not reaches(network)):
                return network, effect


def reaches(network: Network) -> bool:
    return "y" in network.dag.descendants("x")


def true_effect(network: Network) -> float:
    """From the tables themselves."""
    return Model(network).effect("x", "y", over="dag").difference(YES, YES, NO).low


def simulate(kind: str, structure: str, strength: str, rows: int, number: int) -> tuple[DAG, float, Dataset]:
    seed = [STRUCTURES.index(structure), STRENGTHS.index(strength), rows, number]
    if kind != "states":
        random = np.random.default_rng([*seed, KINDS.index(kind)])
        model = linear(structure, strength, kind == "mixed", random)
        return model.dag, model.effect(), model.sample(rows, random)
    random = np.random.default_rng(seed)
    if structure == "random":
        network, effect = drawn(strength, random)
    else:
        network, effect = fixed(structure, EFFECTS[strength]), EFFECTS[strength]
    return network.dag, effect, sample(network, rows, int(random.integers(1 << 30)))


def order_of(dag: DAG) -> list[list[str]]:
    """The variables in an order in which they can arise, each a tier of its own."""
    left, order = set(dag.names), []
    while left:
        name = min(name for name in left if not left & set(dag.parents(name)))
        order.append([name])
        left.remove(name)
    return order


def contrast_in(data: Dataset) -> tuple[Any, Any]:
    return (NO, YES) if "x" in data.discrete_by_name else (0.0, 1.0)


def intervals(dag: DAG, data: Dataset, number: int, score: str | None) -> Iterator[tuple[str, tuple[float, float]]]:
    treatment = "smooth" if score is None else "auto"
    for name, known in (("mahc", None), ("ordered", {"tiers": order_of(dag)})):
        graphs = mahc.posterior(data, score, knowledge=known, seed=number + 1, threads=1, numbers=treatment)
        found = estimate_effects(data, graphs, "x", "y", contrast=contrast_in(data), seed=number + 1)[-1].interval
        yield name, (found.low, found.high)
    learned = mahc.learn(data, "boss", objective=score, threads=1, numbers=treatment)
    yield "one graph", given_graph(learned.dag, data, number)
    yield "true set", by_statsmodels(dag, data)
    yield "DoWhy", by_dowhy(learned.dag, data)


def given_graph(dag: DAG, data: Dataset, number: int) -> tuple[float, float]:
    """The interval over rows alone."""
    if "y" not in dag.descendants("x"):
        return 0.0, 0.0
    states = {name: len(column.labels) for name, column in data.discrete_by_name.items()}
    chosen = choose_set(dag, "x", "y", [], states, data.size)
    if {"x", "y", *(chosen or ())} <= set(states):
        drawn, _ = draw_tables(data, "x", "y", chosen, 1.0, 4000, number + 1)
    else:
        drawn = draw_regressions(data, "x", "y", chosen, contrast_in(data), 4000, number + 1)
    low, high = np.quantile(drawn[:, 1, -1] - drawn[:, 0, -1], [0.025, 0.975]).tolist()
    return low, high


def values(data: Dataset, name: str) -> NDArray[np.float64]:
    """Numbers as they are; 1 for yes and 0 for no."""
    column = data.discrete_by_name.get(name)
    if column is None:
        return data.columns[data.index(name)].as_array().astype(np.float64)
    found: NDArray[np.float64] = (np.array(column.labels)[column.codes] == YES).astype(np.float64)
    return found


def by_statsmodels(dag: DAG, data: Dataset) -> tuple[float, float]:
    import statsmodels.api as sm  # type: ignore[import-untyped]

    given = optimal_set(dag, "x", "y")
    if given is None:  # nothing leads from x to y: what makes them independent
        given = dag.parents("x")
        if "y" in given:
            return 0.0, 0.0
    x, y = values(data, "x"), values(data, "y")
    if set(data.names) <= set(data.discrete_by_name):
        cells = np.zeros(data.rows, np.int64)
        for name in given:
            cells = 2 * cells + values(data, name).astype(np.int64)
        dummies = [(cells == cell).astype(np.float64) for cell in np.unique(cells)[1:]]
        centred = [each - each.mean() for each in dummies]
        columns = np.column_stack([np.ones(data.rows), x, *centred, *(x * each for each in centred)])
    else:
        columns = np.column_stack([np.ones(data.rows), x, *(values(data, name) for name in given)])
        if "y" in data.discrete_by_name:
            return standardised(sm.Logit(y, columns).fit(disp=0), columns)
    low, high = sm.OLS(y, columns).fit(cov_type="HC3").conf_int()[1].tolist()
    return low, high


def standardised(fitted: Any, columns: NDArray[np.float64]) -> tuple[float, float]:
    """The interval of the mean change of the probability where x changes from 0 to 1, by draws of the coefficients."""
    means = []
    drawn = np.random.default_rng(1).multivariate_normal(fitted.params, fitted.cov_params(), 1000)
    for x in (0.0, 1.0):
        there = columns.copy()
        there[:, 1] = x
        means.append((1 / (1 + np.exp(-(there @ drawn.T)))).mean(axis=0))
    low, high = np.quantile(means[1] - means[0], [0.025, 0.975]).tolist()
    return low, high


def by_dowhy(dag: DAG, data: Dataset) -> tuple[float, float]:
    import pandas as pd
    from dowhy import CausalModel

    if "y" not in dag.descendants("x"):
        return 0.0, 0.0
    frame = pd.DataFrame({name: values(data, name) for name in data.names})
    model = CausalModel(data=frame, treatment="x", outcome="y", graph=dag.to_networkx())
    estimand = model.identify_effect(proceed_when_unidentifiable=True)
    # Where DoWhy finds effect modifiers, it bootstraps, which takes 10 s.
    estimate = model.estimate_effect(
        estimand, method_name="backdoor.linear_regression", confidence_intervals=True, effect_modifiers=[]
    )
    low, high = np.ravel(estimate.get_confidence_intervals()).tolist()
    return low, high


def show(found: list[dict[str, Any]]) -> None:
    names = ("mahc", "ordered", "one graph", "true set", "DoWhy")
    print(f"| data | rows | effect | {' | '.join(names)} |\n|{'---|' * (3 + len(names))}")
    keys = dict.fromkeys((each["structure"], each["rows"], each["strength"]) for each in found)
    for structure, rows, strength in sorted(keys, key=lambda k: (STRUCTURES.index(k[0]), k[1], STRENGTHS.index(k[2]))):
        cells = []
        for name in names:
            mine = [
                (each["effect"], *each["intervals"][name])
                for each in found
                if (each["structure"], each["rows"], each["strength"]) == (structure, rows, strength)
                and name in each["intervals"]
            ]
            covered = [low - 1e-12 <= effect <= high + 1e-12 for effect, low, high in mine]
            width = np.mean([high - low for _, low, high in mine]) if mine else 0
            cells.append(f"{np.mean(covered):.3f} ({width:.3f})" if mine else "")
        print(f"| {structure} | {rows:,} | {strength} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", choices=KINDS, default="states")
    parser.add_argument(
        "--score", help="the score of the graphs, such as bge; by default smooth where there are numbers"
    )
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--rows", default="500,2000,10000")
    parser.add_argument("--strengths", default=",".join(STRENGTHS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--show", action="store_true", help="only show what the file holds")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    found = [json.loads(line) for line in given.out.open()] if given.out and given.out.exists() else []
    done = {(each["structure"], each["strength"], each["rows"], each["number"]) for each in found}
    for number in range(0 if given.show else given.simulations):
        for rows in map(int, given.rows.split(",")):
            for structure in STRUCTURES:
                for strength in given.strengths.split(","):
                    if (structure, strength, rows, number) in done:
                        continue
                    dag, effect, data = simulate(given.data, structure, strength, rows, number)
                    each = {
                        "structure": structure,
                        "strength": strength,
                        "rows": rows,
                        "number": number,
                        "effect": effect,
                        "intervals": dict(intervals(dag, data, number, given.score)),
                    }
                    found.append(each)
                    if given.out:
                        with given.out.open("a") as file:
                            file.write(json.dumps(each) + "\n")
    show([each for each in found if each["number"] < given.simulations])


if __name__ == "__main__":
    main()
