"""Tables with a true null, x independent of z given y, and a slow form of the smooth test."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from mahc.data import Continuous, Dataset, Discrete
from mahc.data.rank_bins import rank_bins

CURVES = {"linear": lambda x: x, "tanh": lambda x: np.tanh(2 * x), "quadratic": lambda x: x * x - 1}
# Chains x -> y -> z, forks x <- y -> z, spreads that depend on y, and discrete columns at the ends or between them.
NULLS = (
    "linear",
    "tanh",
    "quadratic",
    "heavy tails",
    "fork of tanh",
    "fork of quadratic",
    "spread",
    "discrete condition",
    "spread by state",
    "one discrete end",
    "two discrete ends",
    "discrete ends, quadratic",
)


def draw(name: str, rows: int, generator: np.random.Generator, add: float = 0.0, bent: bool = False) -> Dataset:
    """Columns x, y, z with this relation; `add` times x, or times its square, is added to z."""

    def noise() -> np.ndarray:
        return generator.standard_t(3, rows) / 1.7 if name == "heavy tails" else generator.normal(size=rows)

    def state(values: np.ndarray, *cuts: float) -> np.ndarray:
        return np.digitize(values, cuts)

    y = noise()
    if name in CURVES or name == "heavy tails":
        curve = CURVES.get(name, CURVES["linear"])
        x = noise()
        y = curve(x) + 0.7 * noise()
        y = (y - y.mean()) / y.std()
        z = curve(np.clip(y, -4, 4)) + 0.7 * noise()
    elif name.startswith("fork"):
        curve = CURVES[name.removeprefix("fork of ")]
        x, z = curve(y) + 0.7 * noise(), curve(y) + 0.7 * noise()
    elif name == "spread":
        x, z = (np.exp(0.6 * y) * noise() + y for _ in range(2))
    elif name == "discrete condition":
        y = generator.integers(0, 3, rows)
        x, z = np.array([-1, 0, 1.5])[y] + noise(), np.array([1, 0, 2.2])[y] + noise()
    elif name == "spread by state":
        y = generator.integers(0, 3, rows)
        x, z = (np.array([0.5, 1, 2])[y] * noise() for _ in range(2))
    elif name == "one discrete end":
        x, z = state(y + noise(), 0, 1), np.tanh(2 * y) + 0.7 * noise()
    elif name == "two discrete ends":
        x, z = state(y + noise(), 0, 1), state(np.tanh(2 * y) + noise(), 0)
    else:
        x, z = state(y * y + 0.5 * noise(), 1), state(y * y + 0.5 * noise(), 1)
    return as_data(x=x, y=y, z=z + add * (x * x if bent else x) if add else z)


def as_data(**columns: np.ndarray) -> Dataset:
    """Whole numbers are states."""
    made = [
        Continuous(values) if values.dtype.kind == "f" else Discrete(tuple(range(values.max() + 1)), values)
        for values in columns.values()
    ]
    return Dataset(tuple(columns), tuple(made))


def functions(column: Discrete | Continuous, degree: int, bins: int = 1023) -> np.ndarray:
    """Normal score and polynomials of the rank, or indicators: one line each, not rounded."""
    if isinstance(column, Discrete):
        counts = np.bincount(column.codes)
        order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
        return np.array([column.codes == code for code in order[1:]], float).reshape(-1, column.rows)
    codes = rank_bins(column.values, None, bins)
    shares = np.bincount(codes) / len(codes)
    upper = np.cumsum(shares)
    normal = NormalDist()
    density = [0.0, *(normal.pdf(normal.inv_cdf(min(p, 1 - 1e-16))) for p in upper[:-1]), 0.0]
    lines = [-np.diff(density) / shares]
    lines += [np.polynomial.legendre.Legendre.basis(k)(2 * upper - shares - 1) for k in range(2, degree + 1)]
    return np.array(lines)[: max(0, len(shares) - 1), codes].reshape(-1, column.rows)


def slow_smooth(data: Dataset, x: int, y: int, given: list[int]) -> tuple[float, int]:
    """The statistic and its degrees of freedom, by least squares on the rows."""
    rows = data.rows
    depth = 10 if not given else max(1, min(10, rows // (10 * len(given))))
    conditions = np.concatenate([np.ones((1, rows)), *(functions(data.columns[v], depth) for v in given)])
    residuals = []
    for v in (x, y):
        lines = functions(data.columns[v], 2)
        left = lines - (np.linalg.lstsq(conditions.T, lines.T, rcond=None)[0].T @ conditions)
        residuals.append(left[left.var(axis=1) > 1e-4 * lines.var(axis=1)])
    products = (residuals[0][:, None] * residuals[1][None]).reshape(-1, rows)
    if not len(products):
        return 0.0, 0
    sums, variance = products.sum(axis=1), products @ products.T
    statistic = float(sums @ np.linalg.solve(variance, sums)) * (rows - len(conditions)) / rows
    return statistic, len(products)


def partial_correlation(values: np.ndarray, x: int, y: int, given: list[int]) -> float:
    """From the inverse of the correlations."""
    inverse = np.linalg.inv(np.corrcoef(values[[x, y, *given]]))
    return float(-inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1]))
