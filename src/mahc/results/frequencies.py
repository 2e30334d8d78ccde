"""How far the frequency of an edge can be trusted: its interval, and the probability that the edge is right.

The probabilities were measured on known networks (docs/explanation/confidence.md). Those of mahc and hc come from
`benchmarks/calibrate_confidence.py`: a logistic curve on the logarithm of the odds of the frequency, fitted to
bootstraps of asia, child, insurance and hepar2 (clean and noisy data, 500 and 5,000 rows). They are shipped where they
lowered the calibration error on networks that they were not fitted to.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
KINDS = ("edge", "direction", "compelled")

MOST_TRIALS = 60  # the curves were fitted to so many resamples: more make the ends 0 and 1 no surer

# (GraphSample.source, kind) -> intercept and slope. The frequencies of hc's edges are better as they are.
CORRECTIONS = {
    ("bootstrap of mahc (bic)", "edge"): (0.4871, 1.0142),
    ("bootstrap of mahc (bic)", "direction"): (-0.5019, 0.6987),
    ("bootstrap of mahc (bic)", "compelled"): (1.0148, 1.0855),
    ("bootstrap of hc (bic)", "direction"): (-0.5938, 0.7317),
    ("bootstrap of hc (bic)", "compelled"): (0.6630, 1.1002),
}
# These shares are right as often as they say, and no curve made them better on networks that it was not fitted to
# (benchmarks/calibrate_posterior.py); with 10,000 rows they are too high.
CALIBRATED = frozenset(
    (f"bootstrap of boss (qnml) and posterior (qnml, beta {beta})", kind)
    for beta in ("0.5", "0.25")
    for kind in ("edge", "direction")
)
MOST_ROWS = 1_000


def calibrate(counts: ArrayLike, graphs: int, source: str, kind: str, rows: int) -> NDArray[np.float64] | None:
    """The probability that an edge that is in `counts` of so many graphs of this source is right.

    0 for edges that no graph has, of which no more is known; None where nothing is known.

    >>> calibrate([0, 30, 60], 60, "bootstrap of mahc (bic)", "direction", 500).round(2)
    array([0.  , 0.38, 0.95])
    """
    found = np.asarray(counts, np.float64)
    if is_calibrated(source, kind, rows):
        return found / graphs
    numbers = CORRECTIONS.get((source, kind))
    if numbers is None:
        return None
    trials = min(graphs, MOST_TRIALS)
    found = found * (trials / graphs)
    logit = np.log((found + 0.5) / (trials - found + 0.5))
    return np.where(found > 0, 1 / (1 + np.exp(-numbers[0] - numbers[1] * logit)), 0.0)


def is_calibrated(source: str, kind: str, rows: int) -> bool:
    """Whether shares need no correction.

    >>> is_calibrated("bootstrap of boss (qnml) and posterior (qnml, beta 0.5)", "edge", 500)
    True
    """
    return (source, kind) in CALIBRATED and rows <= MOST_ROWS


def wilson_interval(
    successes: ArrayLike, trials: float, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The interval of Wilson (1927) for a binomial proportion: its lower and upper end.

    It never leaves 0 to 1, has a width above 0 when all or none of the trials succeed, and covers the proportion
    with about the nominal probability also near 0 and 1, unlike the interval of the normal approximation.

    >>> low, high = wilson_interval(186, 200)
    >>> round(float(low), 4), round(float(high), 4)
    (0.8859, 0.9578)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = np.asarray(successes, np.float64) / trials
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    half = z / shrink * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # At 0 and 1 the ends are exact; rounding would leave them at 1e-17 beside.
    low = np.where(share <= 0, 0.0, np.maximum(middle - half, 0.0))
    high = np.where(share >= 1, 1.0, np.minimum(middle + half, 1.0))
    return low, high


def percent(count: int, total: int) -> str:
    """A share in whole percent; 0 and 100 only where it is exactly that.

    >>> percent(186, 200), percent(1, 1000), percent(999, 1000), percent(0, 7)
    ('93', '<1', '>99', '0')
    """
    if count > 0 and count * 200 < total:
        return "<1"
    if count < total and count * 200 >= 199 * total:
        return ">99"
    return f"{100 * count / total:.0f}"


def percent_of(probability: float) -> str:
    """A probability in whole percent, as `percent` writes shares.

    >>> percent_of(0.9963), percent_of(0.684)
    ('>99', '68')
    """
    return percent(round(probability * 1_000_000), 1_000_000)
