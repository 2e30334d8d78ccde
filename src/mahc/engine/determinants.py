"""Local scores from the determinants of correlations, computed by the core."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.families import Families
from mahc.engine.scoring import BatchScorer
from mahc.errors import Mention, SettingError

FLOOR = 1e-4  # of a pivot: what 31 bins leave of the variance of a column that its parents determine
FINEST_GRID = 2.0**-20
MOST_BITS = 52


def floor_for(size: int) -> float:
    """The least pivot: with 2 / N, a variable with as many states as rows is worth less than its parameters cost."""
    return min(1.0, max(FLOOR, 2 / size))


class DeterminantScores(BatchScorer):
    """Scores N/2 ln(|S_child| |S_parents| / |S_family|) - ln(N)/2 |child| |parents|, times a factor; S correlations.

    >>> scorer = DeterminantScores(np.array([[1.0, 0.5], [0.5, 1.0]]), [0, 1, 2], 1000, 1.0)
    >>> scorer.score_families(Families.of([(0, []), (0, [1])])).round(3).tolist()
    [0.0, 140.387]
    """

    def __init__(
        self,
        correlations: NDArray[np.float64],
        first: Sequence[int],
        size: int,
        factor: float,
        penalty_divisors: Sequence[float] | None = None,
        threads: int = 1,
    ) -> None:
        if penalty_divisors is not None:
            raise SettingError("targets need a score with a penalty per parameter: use ", Mention("objective", "bic"))
        columns = first[-1]
        self._variables = len(first) - 1
        # |child| |parents| is half of the square of their sum less their squares, so the penalty is a function of sets.
        price = 0.25 * math.log(size) * factor
        self.native = _native.DeterminantScorer(
            np.ascontiguousarray(correlations, np.float64).reshape(-1),
            list(first),
            [0.5 * size * factor] * (columns + 1),
            [-price * c * c for c in range(columns + 1)],
            floor_for(size),
            max(FINEST_GRID, 2.0 ** (math.ceil(math.log2(64 * size * max(1, columns))) - MOST_BITS)),
            threads,
        )

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._variables

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        return self.native.score_families(families.children, families.offsets, families.parents)
