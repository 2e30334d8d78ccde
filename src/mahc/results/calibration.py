"""From the frequency of an edge in resamples to the probability that it is right, as measured on known networks.

The numbers come from `benchmarks/calibrate_confidence.py`: a logistic curve on the logarithm of the odds of the
frequency, fitted to bootstraps of asia, child, insurance and hepar2 (clean and noisy data, 500 and 5,000 rows). They
are shipped where they lowered the calibration error on networks that they were not fitted to
(docs/explanation/confidence.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

KINDS = ("edge", "direction", "compelled")

# (algorithm, kind) -> intercept and slope. The frequencies of hc's edges are better as they are.
CORRECTIONS = {
    ("mahc", "edge"): (0.4871, 1.0142),
    ("mahc", "direction"): (-0.5019, 0.6987),
    ("mahc", "compelled"): (1.0148, 1.0855),
    ("hc", "direction"): (-0.5938, 0.7317),
    ("hc", "compelled"): (0.6630, 1.1002),
}


def calibrate(counts: ArrayLike, resamples: int, algorithm: str, kind: str) -> NDArray[np.float64] | None:
    """The probability that an edge that came back in `counts` of `resamples` resamples is right.

    0 for edges that never came back, of which no more is known; None where there is no correction.

    >>> calibrate([0, 30, 60], 60, "mahc", "direction").round(2)
    array([0.  , 0.38, 0.95])
    """
    numbers = CORRECTIONS.get((algorithm, kind))
    if numbers is None:
        return None
    found = np.asarray(counts, np.float64)
    logit = np.log((found + 0.5) / (resamples - found + 0.5))
    return np.where(found > 0, 1 / (1 + np.exp(-numbers[0] - numbers[1] * logit)), 0.0)
