"""Coverage of 95 % intervals of effects: over rows and graphs, beside those that take a graph as given.

    python benchmarks/bench_effects.py [--simulations 200] [--rows 500,2000,10000] [--dowhy 200] [--out FILE.jsonl]

Binary data with a known effect of x on y, none, weak or strong: with a confounder, a mediator, M-bias, a collider, and
in random DAGs of 10 variables with random tables. Four intervals, each with the share of simulations that it covers
and, in brackets, its mean width:

    mahc         `learned.effect`: graphs from the posterior, tables given the rows; without any knowledge
    ordered      the same, where the order in which the variables arise is known (tiers)
    one graph    the same tables, but the graph that boss learned is taken as given
    true set     statsmodels: least squares with the true optimal adjustment set, saturated, robust errors (HC3)
    DoWhy        its linear regression on the graph that boss learned; with three variables only

A file given by --out keeps what was done; a second run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mahc
from mahc.confidence.effect_intervals import estimate_effects
from mahc.confidence.effect_sets import choose_set
from mahc.confidence.table_effects import draw_tables
from mahc.data import Dataset
from mahc.graphs import DAG
from mahc.graphs.adjustment.optimal import optimal_set
from mahc.inference import Model
from mahc.networks import sample
from mahc.networks.network import Network

STRUCTURES = ("confounder", "mediator", "M-bias", "collider", "random")
STRENGTHS = ("none", "weak", "strong")
EFFECTS = {"none": 0.0, "weak": 0.08, "strong": 0.25}
BANDS = {"none": (0.0, 0.0), "weak": (0.05, 0.12), "strong": (0.2, 1.0)}
SMALL = ("confounder", "mediator", "collider")  # DoWhy takes 20 s to find what to adjust for among 5 variables
NO, YES = "no", "yes"


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


def drawn(strength: str, random: np.random.Generator) -> tuple[Network, float]:
    """A random network of 10 variables and the effect of x on y, of the wanted strength."""
    low, high = BANDS[strength]
    while True:
        names = [f"v{k}" for k in range(10)]
        first, second = sorted(random.choice(10, 2, replace=False).tolist())
        names[first], names[second] = "x", "y"
        arcs = [(names[i], names[j]) for j in range(10) for i in range(j) if random.random() < 0.22]
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


def simulate(structure: str, strength: str, rows: int, number: int) -> tuple[Network, float, Dataset]:
    random = np.random.default_rng([STRUCTURES.index(structure), STRENGTHS.index(strength), rows, number])
    if structure == "random":
        network, effect = drawn(strength, random)
    else:
        network, effect = fixed(structure, EFFECTS[strength]), EFFECTS[strength]
    return network, effect, sample(network, rows, int(random.integers(1 << 30)))


def order_of(dag: DAG) -> list[list[str]]:
    """The variables in an order in which they can arise, each a tier of its own."""
    left, order = set(dag.names), []
    while left:
        name = min(name for name in left if not left & set(dag.parents(name)))
        order.append([name])
        left.remove(name)
    return order


def intervals(network: Network, data: Dataset, number: int, dowhy: bool) -> Iterator[tuple[str, tuple[float, float]]]:
    for name, known in (("mahc", None), ("ordered", {"tiers": order_of(network.dag)})):
        graphs = mahc.posterior(data, knowledge=known, seed=number + 1, threads=1)
        found = estimate_effects(data, graphs, "x", "y", contrast=(NO, YES), seed=number + 1)[-1].interval
        yield name, (found.low, found.high)
    learned = mahc.learn(data, "boss", threads=1)
    yield "one graph", given_graph(learned.dag, data, number)
    yield "true set", least_squares(network.dag, data)
    if dowhy:
        yield "DoWhy", by_dowhy(learned.dag, data)


def given_graph(dag: DAG, data: Dataset, number: int) -> tuple[float, float]:
    """The interval over rows alone."""
    if "y" not in dag.descendants("x"):
        return 0.0, 0.0
    chosen = choose_set(dag, "x", "y", [], dict.fromkeys(data.names, 2), data.size)
    tables, _ = draw_tables(data, "x", "y", chosen, 1.0, 4000, number + 1)
    low, high = np.quantile(tables[:, 1, 1] - tables[:, 0, 1], [0.025, 0.975]).tolist()
    return low, high


def yes(data: Dataset, name: str) -> NDArray[np.float64]:
    column = data.discrete_by_name[name]
    found: NDArray[np.float64] = (np.array(column.labels)[column.codes] == YES).astype(np.float64)
    return found


def least_squares(dag: DAG, data: Dataset) -> tuple[float, float]:
    import statsmodels.api as sm  # type: ignore[import-untyped]

    given = optimal_set(dag, "x", "y")
    if given is None:  # nothing leads from x to y: what makes them independent
        given = dag.parents("x")
        if "y" in given:
            return 0.0, 0.0
    x, cells = yes(data, "x"), np.zeros(data.rows, np.int64)
    for name in given:
        cells = 2 * cells + yes(data, name).astype(np.int64)
    dummies = [(cells == cell).astype(np.float64) for cell in np.unique(cells)[1:]]
    centred = [each - each.mean() for each in dummies]
    columns = np.column_stack([np.ones(data.rows), x, *centred, *(x * each for each in centred)])
    fitted = sm.OLS(yes(data, "y"), columns).fit(cov_type="HC3")
    low, high = fitted.conf_int()[1].tolist()
    return low, high


def by_dowhy(dag: DAG, data: Dataset) -> tuple[float, float]:
    import networkx as nx
    import pandas as pd
    from dowhy import CausalModel

    frame = pd.DataFrame({name: yes(data, name) for name in data.names})
    graph = nx.DiGraph()
    graph.add_nodes_from(dag.names)
    graph.add_edges_from(dag.arcs)
    if "y" not in dag.descendants("x"):
        return 0.0, 0.0
    model = CausalModel(data=frame, treatment="x", outcome="y", graph=graph)
    estimand = model.identify_effect(proceed_when_unidentifiable=True)
    estimate = model.estimate_effect(estimand, method_name="backdoor.linear_regression", confidence_intervals=True)
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
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--rows", default="500,2000,10000")
    parser.add_argument("--dowhy", type=int, default=200)
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
                for strength in STRENGTHS:
                    if (structure, strength, rows, number) in done:
                        continue
                    network, effect, data = simulate(structure, strength, rows, number)
                    each = {
                        "structure": structure,
                        "strength": strength,
                        "rows": rows,
                        "number": number,
                        "effect": effect,
                        "intervals": dict(
                            intervals(network, data, number, number < given.dowhy and structure in SMALL)
                        ),
                    }
                    found.append(each)
                    if given.out:
                        with given.out.open("a") as file:
                            file.write(json.dumps(each) + "\n")
    show(found)


if __name__ == "__main__":
    main()
