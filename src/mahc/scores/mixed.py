"""The mixed score: qNML among states, the smooth score where numbers take part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.errors import DataError, Mention
from mahc.scores.base import SCORES
from mahc.scores.qnml import QNML
from mahc.scores.smooth import Smooth

if TYPE_CHECKING:
    from mahc.engine import FamilyScorer
    from mahc.engine.control import RunControl


@SCORES.register("mixed")
@dataclass(frozen=True)
class Mixed(Smooth):
    """The smooth score, except that states depend on states as in qNML.

    A family of states is worth its qNML above a child without parents. A child of numbers is scored as in the smooth
    score. A discrete child whose parents are of both kinds has the qNML of its discrete parents and what the numbers
    add to them in the smooth score. Equivalent graphs have the same score.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.
    degree : int, optional
        Number of functions of each column of numbers. Left out, the degree whose graph has the highest score.
    bins : int
        Number of rank bins of a column of numbers.

    Examples
    --------
    >>> import mahc
    >>> dose = [row * 37 % 101 / 7 for row in range(300)]
    >>> ill = ["yes" if value > 7 else "no" for value in dose]
    >>> mahc.learn({"dose": dose, "ill": ill, "seen": ill}, "boss", objective="mixed").run.score.name
    'mixed'
    """

    name: ClassVar[str] = "mixed"
    missing_methods: ClassVar[tuple[str, ...]] = ()

    def scorer(
        self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: RunControl | None = None
    ) -> FamilyScorer:
        """Local scores from the correlations of all columns, and from the counts of states."""
        from mahc.engine.mixed_scoring import MixedScores

        if not rows.complete:
            raise DataError(
                "values are missing, and the mixed score needs all of them: use ", Mention("objective", "smooth")
            )
        smooth = super().scorer(rows, penalty_divisors, control)
        return MixedScores(smooth, QNML(self.base).scorer(rows.source, None, control), rows.ranked)
