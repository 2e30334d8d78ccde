"""Held-out log density of models of numbers: the smooth graph with regressions beside what else is usual.

python benchmarks/bench_number_models.py [--folds 5] [--sachs FOLDER]

Each table is divided into parts. Every model is fitted to the other parts and scored on the one held out: nats per row
above independence, where independence is the product of the marginal densities that `MixedModel` has (piecewise in
normal scores). All numbers are log densities in the units of the data, so they can be compared across models:

- smooth: `mahc.learn(..., "boss", objective="smooth")` and `learned.fit`;
- quantile:k: columns cut into k intervals, boss with BIC, `learned.fit`; a value has the probability of its interval
  times its marginal density within that interval;
- normal: one multivariate normal distribution; normal scores: the same of normal scores, with the marginal densities.

The classes of wine and breast_cancer, and the sex and target of diabetes, are columns too; classes are states.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mahc
from mahc.data import Dataset
from mahc.data.columns import Column, Continuous, Discrete
from mahc.graphs import DAG
from mahc.inference import MixedModel, Model

Values = NDArray[np.float64]
SACHS = Path(__file__).resolve().parents[2] / "shared" / "data" / "sachs"


def tables(sachs: Path) -> Iterator[tuple[str, Dataset]]:
    """The data sets."""
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

    for name, found in (("wine", load_wine()), ("breast_cancer", load_breast_cancer())):
        columns = [Continuous(column) for column in found.data.T]
        classes = Discrete(tuple(map(str, found.target_names)), found.target.astype(np.uint32))
        yield name, Dataset((*map(str, found.feature_names), "class"), (*columns, classes))
    found = load_diabetes(scaled=False)
    sex = Discrete((1, 2), (found.data[:, 1] - 1).astype(np.uint32))
    numbers = [Continuous(column) for column in (*found.data.T, found.target)]
    yield "diabetes", Dataset((*map(str, found.feature_names), "progression"), (numbers[0], sex, *numbers[2:]))
    for path in sorted(sachs.glob("continuous-1-*.csv")):
        with path.open(encoding="utf-8-sig") as file:
            names, *rows = csv.reader(file)
        yield "sachs, " + path.stem[13:], Dataset(tuple(names), tuple(map(Continuous, np.array(rows, float).T)))


def independence(train: Dataset, test: Dataset) -> Values:
    """The product of the marginal densities."""
    return MixedModel.fit(DAG(train.names, []), train).log_density(test)


def smooth(train: Dataset, test: Dataset, degree: int | None = None) -> Values:
    """The smooth graph with regressions; its degree is chosen by the score if left out."""
    found: Values = mahc.learn(train, "boss", objective="smooth", degree=degree).fit(train).log_density(test)
    return found


def quantiles(number: int) -> Callable[[Dataset, Dataset], Values]:
    """A discrete network of intervals, with the marginal density within each."""

    def score(train: Dataset, test: Dataset) -> Values:
        cut = [_cut(one, other, number) for one, other in zip(train.columns, test.columns, strict=True)]
        coded, fresh = (Dataset(train.names, tuple(pair[side] for pair in cut)) for side in (0, 1))
        model = mahc.learn(coded, "boss").fit(coded)
        alone = Model.fit(DAG(coded.names, []), coded)
        found: Values = independence(train, test) + model.log_density(fresh) - alone.log_density(fresh)
        return found

    return score


def _cut(train: Column, test: Column, number: int) -> tuple[Column, Column]:
    if isinstance(train, Discrete) or isinstance(test, Discrete):
        return train, test
    cuts = np.unique(np.quantile(train.values, np.arange(1, number) / number))
    cuts = cuts[cuts < train.values.max()]
    states = tuple(range(len(cuts) + 1))
    codes = [np.searchsorted(cuts, column.values, side="left").astype(np.uint32) for column in (train, test)]
    return Discrete(states, codes[0]), Discrete(states, codes[1])


def normal(train: Dataset, test: Dataset, scores: bool = False) -> Values:
    """A normal distribution of the numbers in each combination of states, or of their normal scores."""
    marginal = MixedModel.fit(DAG(train.names, []), train)
    numbers = [k for k, column in enumerate(train.columns) if isinstance(column, Continuous)]
    others = [k for k in range(len(train.columns)) if k not in numbers]

    def values(data: Dataset) -> Values:
        found = [np.asarray(data.columns[k].as_array(), float) for k in numbers]
        if scores:
            found = [marginal.network.variables[k].to_inner(each) for k, each in zip(numbers, found, strict=True)]  # type: ignore[union-attr]
        return np.column_stack(found)

    one, other = values(train), values(test)
    total = np.zeros(test.rows)
    for k in others:
        alone = MixedModel.fit(DAG([train.names[k], train.names[numbers[0]]], []), train)
        node, codes = alone.network.nodes[0], np.asarray(test.columns[k].as_array(), np.int64)
        total += node.log_density(codes, [], [])
    mean, covariance = one.mean(axis=0), np.cov(one.T)
    covariance = covariance + 1e-9 * np.diag(np.diag(covariance))
    away = np.linalg.solve(np.linalg.cholesky(covariance), (other - mean).T)
    size = len(numbers) * math.log(2 * math.pi)
    total += -0.5 * ((away**2).sum(axis=0) + np.linalg.slogdet(covariance)[1] + size)
    if scores:
        for place, k in enumerate(numbers):
            total += marginal.network.variables[k].log_slope(other[:, place])  # type: ignore[arg-type]
    return total


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--sachs", type=Path, default=SACHS)
    options = parser.parse_args()
    models: dict[str, Callable[[Dataset, Dataset], Values]] = {
        "smooth": smooth,
        "smooth, degree 2": lambda train, test: smooth(train, test, degree=2),
        **{f"quantile:{number}": quantiles(number) for number in (3, 4, 5)},
        "normal": normal,
        "normal scores": lambda train, test: normal(train, test, scores=True),
    }
    print(f"| table | rows | columns | independence | {' | '.join(models)} |")
    print("|---|---|---|---|" + "---|" * len(models))
    for name, data in tables(options.sachs):
        parts = np.random.default_rng(1).permutation(data.rows) % options.folds
        found: dict[str, list[float]] = {"independence": [], **{model: [] for model in models}}
        for part in range(options.folds):
            train, test = data.take(parts != part), data.take(parts == part)
            base = independence(train, test)
            found["independence"] += base.tolist()
            for model, score in models.items():
                found[model] += (score(train, test) - base).tolist()
        shown = [f"{np.mean(each):.2f}" for each in found.values()]
        print(f"| {name} | {data.rows} | {len(data.names)} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
