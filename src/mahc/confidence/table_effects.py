"""Draws of the distribution of a target under each intervention on a cause, where all variables have states.

Given an adjustment set Z, P(target | do(cause)) is the sum over the states z of P(target | cause, z) P(z). Both are
drawn from Dirichlet distributions whose parameters are the counts and a small prior.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.effect_sets import AdjustmentSet
from mahc.data import Dataset
from mahc.engine import EngineRows, Families
from mahc.networks.random_streams import stream

Values = NDArray[np.float64]
CELLS = 1 << 22  # numbers drawn at once


def draw_tables(
    data: Dataset, cause: str, target: str, given: AdjustmentSet, prior: float, size: int, seed: int
) -> tuple[Values, int]:
    """Tables [draw, state of the cause, state of the target]; how many configurations lack a state of the cause.

    Where `given` is None the cause changes nothing, and the target has its marginal distribution.
    """
    used = data.select([cause, target, *(given or ())])
    rows = EngineRows(used)
    x, y = used.index(cause), used.index(target)
    random = set_stream(seed, cause, target, given)
    if given is None:
        counts = np.asarray(rows.marginals[y], np.float64) / data.unit
        drawn = _dirichlet(random, counts + prior / len(counts), size)
        return np.repeat(drawn[:, None, :], len(rows.marginals[x]), axis=1), 0
    family = Families.of([(y, [*(used.index(z) for z in given), x])])
    found = rows.count_families(family).tables(0, len(rows.marginals[x]), len(rows.marginals[y])) / data.unit
    found = found[found.sum(axis=(1, 2)) > 0]  # configurations that occur
    cells = found.size
    lacking = int((found.sum(axis=2) == 0).any(axis=1).sum())
    parts = [np.zeros((0, *found.shape[1:]))]
    step = max(1, CELLS // cells)
    for start in range(0, size, step):
        mine = min(step, size - start)
        of_given = _dirichlet(random, found.sum(axis=(1, 2)) + prior / len(found), mine)
        tables = _dirichlet(random, found + prior / cells, mine)
        parts.append(np.einsum("dz,dzxy->dxy", of_given, tables))
    return np.concatenate(parts), lacking


def set_stream(seed: int, cause: str, target: str, given: AdjustmentSet) -> np.random.Generator:
    """The random numbers of the draws with one adjustment set, whatever other sets there are."""
    return stream(seed, "effects", "\0".join([cause, target, "none" if given is None else "given", *(given or ())]))


def _dirichlet(random: np.random.Generator, alpha: Values, size: int) -> Values:
    """Draws whose last axis sums to 1; parameters far below 1 are drawn by their logarithms."""
    logs = np.log(random.standard_gamma(alpha + 1, (size, *alpha.shape)))
    logs += np.log(1 - random.random(logs.shape)) / alpha
    logs -= logs.max(axis=-1, keepdims=True)
    tables = np.exp(logs)
    drawn: Values = tables / tables.sum(axis=-1, keepdims=True)
    return drawn
