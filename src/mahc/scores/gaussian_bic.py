"""BIC of a linear Gaussian network, and what scores from moments share."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.data.columns import Kind
from mahc.scores.base import SCORES, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mahc.data import Dataset
    from mahc.engine import FamilyScorer
    from mahc.engine.control import RunControl
    from mahc.engine.moments import MomentRows

LEAST_PIVOT = 1e-10  # what is left of the variance of a column that others determine
MOST_NATS = 1024.0  # of a value, in magnitude: logarithms of numbers are below


@dataclass(frozen=True)
class MomentScore(Score):
    """A score of numbers in a linear Gaussian model, computed from the sums of their products.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> from mahc.scores import BGe
    >>> isinstance(BGe(), MomentScore)
    True
    """

    columns: ClassVar[frozenset[Kind]] = frozenset([Kind.CONTINUOUS])
    single_gains_suffice: ClassVar[bool] = False

    @abstractmethod
    def terms(self, size: int, variables: int, columns: int) -> SetTerms:
        """What turns determinants into natural logarithms, for sets of 0 to `columns` columns."""

    def hold(
        self,
        data: Dataset,
        *,
        threads: int | None = None,
        cache_mebibytes: int = 256,
        weights: NDArray[np.integer] | None = None,
    ) -> MomentRows:
        """The rows, which answer with moments."""
        from mahc.engine.moments import MomentRows

        return MomentRows(data, weights, threads)

    def scorer(
        self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: RunControl | None = None
    ) -> FamilyScorer:
        """Local scores from the correlations; a constant column has no part in any family and scores 0."""
        from mahc.engine.determinants import refuse_targets
        from mahc.engine.scoring import score_parts

        refuse_targets(penalty_divisors)
        return score_parts(rows, self._scorer)

    def _scorer(self, rows: Any) -> FamilyScorer:
        import numpy as np

        from mahc.engine.determinants import SetScores, grid_for
        from mahc.engine.rows import available_processors

        moments = rows.moments()
        size, factor = moments.size, 1 / math.log(self.base)
        correlations, deviations = moments.correlations()
        varies = np.isfinite(deviations)
        used = np.flatnonzero(varies)
        terms = self.terms(size, len(varies), len(used))
        matrix = correlations[np.ix_(used, used)] * terms.shrinkage
        np.fill_diagonal(matrix, 1.0)
        alone = np.where(varies, factor * (terms.alone - size * np.where(varies, deviations, 0.0)), 0.0)
        return SetScores(
            matrix,
            [0, *np.cumsum(varies).tolist()],
            [factor * weight for weight in terms.weight],
            [factor * constant for constant in terms.constant],
            alone.tolist(),
            LEAST_PIVOT,
            grid_for(MOST_NATS * max(1.0, factor) * size * max(1, len(used))),
            getattr(rows, "threads", None) or available_processors(),
            [True] * len(varies),
        )


@dataclass(frozen=True)
class SetTerms:
    """A set of c columns is worth -weight[c] ln|M| + constant[c] nats, M being its correlations times `shrinkage`.

    A column of variance 1 is worth `alone` nats without parents. The diagonal of M stays 1.
    """

    weight: Sequence[float]
    constant: Sequence[float]
    alone: float
    shrinkage: float = 1.0


@SCORES.register("gaussian-bic")
@dataclass(frozen=True)
class GaussianBIC(MomentScore):
    """Log-likelihood of a linear regression on the parents, minus log(N) / 2 per free parameter.

    A variable with k parents has k + 2 parameters: the coefficients, the mean and the variance. The likelihood is a
    density in the units of the data.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> import mahc
    >>> height = [row * 37 % 101 / 7 for row in range(300)]
    >>> weight = [2 * value + row % 5 for row, value in enumerate(height)]
    >>> mahc.learn({"height": height, "weight": weight}, "boss", objective="gaussian-bic").arcs
    (('weight', 'height'),)
    """

    name: ClassVar[str] = "gaussian-bic"

    def terms(self, size: int, variables: int, columns: int) -> SetTerms:
        """The price of a parent is half the difference of squares of the sizes of sets, so a function of sets."""
        price = 0.25 * math.log(size)
        return SetTerms(
            weight=[0.5 * size] * (columns + 1),
            constant=[-price * c * c for c in range(columns + 1)],
            alone=-0.5 * size * (math.log(2 * math.pi) + 1) - 4 * price,
        )
