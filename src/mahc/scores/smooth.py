"""The smooth score: numbers and states in one Gaussian model of functions of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.data.columns import Kind
from mahc.errors import DataError, Mention, SettingError
from mahc.scores.base import SCORES, Score
from mahc.setting_checks import Whole
from mahc.settings import setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mahc.data import Dataset
    from mahc.engine import CountSource, FamilyScorer
    from mahc.engine.control import RunControl
    from mahc.engine.smooth_rows import SmoothRows

DEGREES = (1, 2, 3, 5, 8)  # that are tried where none is given
PAIR_BYTES = 48  # of the correlation of two functions, copies included
CHOOSING_BYTES = 90  # the same while degrees are compared


@SCORES.register("smooth")
@dataclass(frozen=True)
class Smooth(Score):
    """Gain over independence of a Gaussian model of normal scores, polynomials of ranks and indicators of states.

    A family is worth N/2 ln(|S_child| |S_parents| / |S_family|) less ln(N)/2 for each pair of a column of the child and
    one of the parents, S being correlations. Monotone transformations of a column of numbers change nothing, equivalent
    graphs have the same score, and a family without parents is worth 0.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.
    degree : int, optional
        Number of functions of each column of numbers: 1 sees monotone relations, more see curves. Left out, the
        degree whose graph has the highest score, among those whose graphs explain the data about as well as the best.
    bins : int
        Number of rank bins of a column of numbers.

    Examples
    --------
    >>> import mahc
    >>> dose = [row * 37 % 101 / 7 for row in range(300)]
    >>> effect = [(value - 7) ** 2 + row % 5 for row, value in enumerate(dose)]
    >>> learned = mahc.learn({"dose": dose, "effect": effect}, "boss", objective="smooth")
    >>> len(learned.arcs), learned.run.score.degree > 1
    (1, True)
    """

    degree: int | None = setting(
        None,
        help="Functions of each column of numbers: 1 sees monotone relations, more see curves; the best if left out.",
        check=Whole(1, 12),
        metavar="N",
    )
    bins: int = setting(31, help="Rank bins of a column of numbers.", check=Whole(3, 255), metavar="N")

    name: ClassVar[str] = "smooth"
    columns: ClassVar[frozenset[Kind]] = frozenset(Kind)
    single_gains_suffice: ClassVar[bool] = False
    missing_methods: ClassVar[tuple[str, ...]] = ("impute", "pairwise")

    def variants(self) -> Sequence[Smooth]:
        """One for each degree that is tried."""
        return (self,) if self.degree is not None else [replace(self, degree=degree) for degree in DEGREES]

    def memory_needed(self, data: Dataset | CountSource) -> float:
        """That of the correlations of all functions of all columns, and of the copies made on the way."""
        from mahc.engine.smooth_rows import prepared_degree

        variables = len(data.names)
        degree = DEGREES[-1] if self.degree is None else prepared_degree(self.degree, variables)
        functions = degree * variables
        if hasattr(data, "columns"):
            functions = sum(degree if each.ranked else (each.state_count or 1) - 1 for each in data.columns)
        return float((CHOOSING_BYTES if self.degree is None else PAIR_BYTES) * functions**2)

    def explained(self, rows: Any, arcs: Sequence[tuple[int, int]]) -> float:
        """What parents say of normal scores and of states, by regressions, each family in its best degree.

        A higher degree has more functions of every child. Where columns determine each other, all of these repeat what
        the normal score says, so scores of different degrees do not measure the same.
        """
        if not rows.complete:
            return 0.0
        from mahc.engine.determinants import regression_gains
        from mahc.engine.scoring import parts_of

        parts, which = parts_of(rows)
        gains = (
            regression_gains(part, [arc for arc in arcs if which is None or place in which[arc[1]]], DEGREES)
            for place, part in enumerate(parts)
        )
        return math.fsum(gains) / math.log(self.base)

    def hold(
        self,
        data: Dataset,
        *,
        threads: int | None = None,
        cache_mebibytes: int = 256,
        weights: NDArray[np.integer] | None = None,
    ) -> SmoothRows:
        """The rows, numbers as bins of their ranks in the data; a resample keeps these bins."""
        from mahc.engine.smooth_rows import SmoothRows

        return SmoothRows(data, self.bins, threads, cache_mebibytes, weights)

    def hold_pieces(self, source: Any, threads: int | None = None) -> SmoothRows:
        """The tables of all pairs of bins, by passes over the pieces; nothing else is needed of them."""
        from mahc.engine.smooth_rows import SmoothSource

        if not hasattr(source, "in_bins"):
            raise DataError(
                "the smooth score ranks numbers, and this source of counts has none: give the data themselves"
            )
        binned = source.in_bins(self.bins)
        return SmoothSource(binned, binned.ranked, threads)

    def scorer(
        self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: RunControl | None = None
    ) -> FamilyScorer:
        """Local scores from the correlations of all columns."""
        from mahc.engine.scoring import score_parts
        from mahc.engine.smooth_rows import SmoothRows

        if not isinstance(rows, SmoothRows):
            raise DataError("the smooth score needs the ranks of rows, and this is a source of counts: give the data")
        if self.degree is None:
            raise SettingError("the score of a given graph depends on the degree: give ", Mention("degree", 3))
        return score_parts(rows, lambda part: self._scorer(part, penalty_divisors))

    def _scorer(self, rows: SmoothRows, penalty_divisors: Sequence[float] | None) -> FamilyScorer:
        from mahc.engine.determinants import DeterminantScores, PairwiseDeterminantScores

        assert self.degree is not None
        factor = 1 / math.log(self.base)
        if not rows.complete:
            pairwise, places, sizes = rows.pairwise_correlations(self.degree)
            return PairwiseDeterminantScores(
                pairwise, places, sizes, factor, penalty_divisors, rows.threads, rows.ranked
            )
        matrix, first = rows.correlations(self.degree)
        return DeterminantScores(matrix, first, rows.size, factor, penalty_divisors, rows.threads, rows.ranked)
