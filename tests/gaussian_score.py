"""A small Gaussian BIC: the proof that a score for numbers needs nothing but its own file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind
from mahc.engine import Families
from mahc.engine.moments import MomentRows, Moments
from mahc.engine.scoring import BatchScorer
from mahc.scores.base import Score


@dataclass(frozen=True)
class GaussianBIC(Score):
    """The likelihood of a linear regression less log2(N) / 2 bits per parameter."""

    name: ClassVar[str] = "gaussian-bic"
    columns: ClassVar[frozenset[Kind]] = frozenset([Kind.CONTINUOUS])

    def hold(self, data: Dataset, *, weights: NDArray[np.integer] | None = None, **_: Any) -> MomentRows:
        """The rows with their moments."""
        return MomentRows(data, weights)

    def scorer(self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: Any = None) -> GaussianScorer:
        """Scores from the moments of rows or pieces."""
        return GaussianScorer(rows.moments())


class GaussianScorer(BatchScorer):
    """Local scores from moments."""

    def __init__(self, moments: Moments) -> None:
        self._size, self._covariances = moments.size, moments.covariances()

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._covariances)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        return np.array([self._score(child, list(parents)) for child, parents in families])

    def _score(self, child: int, parents: list[int]) -> float:
        covariances = self._covariances
        within, between = covariances[np.ix_(parents, parents)], covariances[parents, child]
        residual = covariances[child, child] - (between @ np.linalg.solve(within, between) if parents else 0.0)
        likelihood = -0.5 * self._size * (math.log2(2 * math.pi * max(residual, 1e-300)) + math.log2(math.e))
        return likelihood - 0.5 * math.log2(self._size) * (len(parents) + 2)
