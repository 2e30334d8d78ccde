"""Small models of numbers and states, and the data they were fitted to."""

from __future__ import annotations

import numpy as np

from mahc.data import Dataset
from mahc.data.columns import Column, Continuous, Discrete
from mahc.graphs import DAG
from mahc.inference.mixed.model import MixedModel
from mahc.inference.mixed.network import MixedNetwork
from mahc.inference.mixed.nodes import RegressionNode
from mahc.inference.mixed.variables import NumberVariable


def dataset(**columns: Column | np.ndarray) -> Dataset:
    """A data set; plain arrays of floats are numbers, of text states."""
    made = [
        each
        if isinstance(each, Discrete | Continuous)
        else Continuous(each)
        if each.dtype.kind == "f"
        else Discrete(tuple(sorted(set(each.tolist()))), np.unique(each, return_inverse=True)[1].reshape(-1))
        for each in columns.values()
    ]
    return Dataset(tuple(columns), tuple(made))


def mixed_rows(seed: int, rows: int = 300) -> Dataset:
    """Numbers and states that depend on each other: x -> y <- s, y -> t, s -> t."""
    random = np.random.default_rng(seed)
    x = random.standard_normal(rows)
    s = random.integers(0, 3, rows)
    y = np.exp(0.6 * x + 0.5 * s + 0.4 * random.standard_normal(rows))
    t = (random.random(rows) < 1 / (1 + np.exp(-(y - 2) - 0.3 * (s == 1)))).astype(int)
    return dataset(x=x, s=np.array(["a", "b", "c"])[s], y=y, t=np.array(["no", "yes"])[t])


def mixed_graph() -> DAG:
    """The graph of `mixed_rows`."""
    return DAG(["x", "s", "y", "t"], [("x", "y"), ("s", "y"), ("y", "t"), ("s", "t")])


def mixed_model(seed: int = 1, rows: int = 300) -> MixedModel:
    """The model of `mixed_rows`."""
    return MixedModel.fit(mixed_graph(), mixed_rows(seed, rows))


def plain_number(name: str) -> NumberVariable:
    """A number that is its own normal score, near enough to 0."""
    return NumberVariable(name=name, edges=(-30.0, 30.0), scores=(-30.0, 30.0), lower=1.0, upper=1.0)


def linear_network(seed: int, numbers: int) -> tuple[MixedNetwork, np.ndarray, np.ndarray]:
    """A random linear Gaussian network, and the mean and covariance of its joint normal distribution."""
    random = np.random.default_rng(seed)
    names = [f"v{k}" for k in range(numbers)]
    order = random.permutation(numbers)
    weights, deviations, offsets = (
        np.zeros((numbers, numbers)),
        random.uniform(0.3, 1.5, numbers),
        random.normal(size=numbers),
    )
    parents: list[tuple[int, ...]] = [()] * numbers
    for place, v in enumerate(order):
        own = [int(u) for u in order[:place] if random.random() < 0.5]
        parents[v] = tuple(sorted(own, key=lambda u: names[u]))
        weights[v, own] = random.normal(size=len(own))
    nodes = tuple(
        RegressionNode(
            degree=1,
            intercept=float(offsets[v]),
            coefficients=tuple(weights[v, list(parents[v])].tolist()),
            shares=(1.0,),
            deviations=(float(deviations[v]),),
        )
        for v in range(numbers)
    )
    network = MixedNetwork(
        name="linear", variables=tuple(map(plain_number, names)), parents=tuple(parents), nodes=nodes
    )
    inverse = np.linalg.inv(np.eye(numbers) - weights)
    return network, inverse @ offsets, inverse @ np.diag(deviations**2) @ inverse.T
