"""Missing values under the smooth score: their expected functions given the Markov blanket.

A function of a missing value is filled with its expectation by linear regression on the functions of the blanket, and
what such a regression leaves of its variance is added where the correlations are made, as EM does. Filled values are
rounded as functions of known values are, so that all sums are whole numbers and exact in any order of rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine.determinants import DeterminantScores
from mahc.engine.smooth_rows import FINENESS, SmoothRows
from mahc.scores import Score
from mahc.scores.smooth import Smooth

SWEEPS = 5
RIDGE = 1e-6  # of the diagonal: functions of a copy must not make a regression singular
Matrix = NDArray[np.float64]
Arcs = Sequence[tuple[int, int]]


def score_filled(
    rows: SmoothRows, score: Score, arcs: Arcs, penalty_divisors: Sequence[float] | None
) -> DeterminantScores:
    """The scores of the rows, missing values filled under a graph."""
    assert isinstance(score, Smooth)
    assert score.degree is not None, "a search has chosen it"
    matrix, first = fill_correlations(rows, score.degree, arcs)
    return DeterminantScores(matrix, first, rows.size, 1 / math.log(score.base), penalty_divisors, rows.threads)


def fill_correlations(rows: SmoothRows, degree: int, arcs: Arcs) -> tuple[Matrix, list[int]]:
    """The correlations of all columns with expectations for missing values, and where each variable's columns begin.

    >>> from mahc.data import Continuous, Dataset
    >>> x = np.arange(8.0)
    >>> y = np.where(x == 3, np.nan, x)
    >>> rows = SmoothRows(Dataset(("x", "y"), (Continuous(x), Continuous(y))), 31)
    >>> bool(fill_correlations(rows, 1, [(0, 1)])[0][0, 1] > 0.98)
    True
    """
    values, first = _tabulate(rows, degree)
    weights = np.ones(rows.rows) if rows.weights is None else rows.weights.astype(np.float64)
    own = [slice(first[v], first[v + 1]) for v in range(len(rows.columns))]
    blankets = _blankets(len(own), arcs)
    lost = {v: column.missing for v, column in enumerate(rows.columns) if not column.complete and len(values[own[v]])}
    left: dict[int, Matrix] = {}
    for _ in range(SWEEPS):
        changed = False
        for v, missing in lost.items():
            given = [place for u in blankets[v] for place in range(first[u], first[u + 1])]
            filled, left[v] = _regress(values, given, own[v], missing, weights)
            changed = changed or not np.array_equal(values[own[v], missing], filled)
            values[own[v], missing] = filled
        if not changed:
            break
    products = (values * weights) @ values.T
    sums = values @ weights
    centred = products - np.outer(sums, sums) / rows.size
    for v, missing in lost.items():
        centred[own[v], own[v]] += left[v] * weights[missing].sum()
    deviations = np.sqrt(np.diag(centred))
    found: Matrix = centred / deviations[:, None] / deviations[None, :]
    np.fill_diagonal(found, 1.0)
    return found, first


def _tabulate(rows: SmoothRows, degree: int) -> tuple[Matrix, list[int]]:
    """The functions of all variables in every row, one line each; about their mean where a value is missing."""
    lines = []
    functions = rows.functions(degree)
    for column, own, ranked, counts in zip(rows.columns, functions, rows.ranked, rows.known_counts, strict=True):
        scaled = own if ranked else own * FINENESS
        mean = np.rint((scaled * counts).sum(axis=1, keepdims=True) / max(1, int(counts.sum())))
        lines.append(np.hstack([scaled, mean])[:, column.codes].astype(np.float64))
    return np.vstack(lines), [0, *np.cumsum([len(each) for each in functions]).tolist()]


def _regress(
    values: Matrix, given: Sequence[int], own: slice, missing: NDArray[np.bool_], weights: Matrix
) -> tuple[Matrix, Matrix]:
    """The expected functions of a variable where it is missing, and the covariances that are left of them."""
    known = ~missing
    size = float(weights[known].sum())
    x = np.vstack([np.full(len(missing), float(FINENESS)), values[list(given)]])
    y = values[own][:, known]
    inner = (x[:, known] * weights[known]) @ x[:, known].T
    outer = (x[:, known] * weights[known]) @ y.T
    slopes = np.linalg.solve(inner + RIDGE * np.diag(np.diag(inner) + 1.0), outer)
    filled = np.zeros((y.shape[0], int(missing.sum())))
    for line, slope in zip(x[:, missing], slopes, strict=True):  # row by row, so that no order of rows matters
        filled += np.outer(slope, line)
    spread = (y * weights[known]) @ y.T - slopes.T @ outer - outer.T @ slopes + slopes.T @ inner @ slopes
    return np.rint(filled), spread / size


def _blankets(variables: int, arcs: Arcs) -> list[list[int]]:
    """The Markov blanket of each variable: parents, children, and other parents of the children."""
    parents: list[set[int]] = [set() for _ in range(variables)]
    for u, v in arcs:
        parents[v].add(u)
    found: list[set[int]] = [set(each) for each in parents]
    for v, own in enumerate(parents):
        for u in own:
            found[u] |= {v, *own} - {u}
    return [sorted(each) for each in found]
