"""Local scores in batches: the interface between a search and the source of its counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.better_parents import BetterParents, refuse_so_many
from mahc.engine.control import RunControl
from mahc.engine.families import Families
from mahc.engine.rows import EngineRows
from mahc.errors import Mention, SettingError
from mahc.scores.base import Score, Terms


class FamilyScorer(Protocol):
    """Answers batches of families with local scores; a search needs nothing more.

    The rows may be in this process, out of core or on a cluster.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.scores import BIC
    >>> scorer: FamilyScorer = RowScorer(EngineRows(read({"a": ["x", "y"], "b": ["u", "v"]})), BIC())
    >>> scorer.variables
    2
    """

    @property
    def variables(self) -> int:
        """How many variables there are; families name them 0, 1, ..."""
        ...

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family, in the batch's order."""
        ...

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """[u, v] is the local score of v with the one parent u, [v, v] that of v without parents.

        None when the control stops the run.
        """
        ...

    def score_better_parents(
        self, price: float, tolerance: float, most: int, control: RunControl | None = None
    ) -> BetterParents | None:
        """The single parents whose score, less `price`, is higher than the child's alone by more than `tolerance`.

        A SettingError where they are more than `most`; None when the control stops the run.
        """
        ...

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """A hint that from now on the parents of variable v are among `candidates[v]`."""
        ...


def penalty_divisors_for(terms: Terms, divisors: Sequence[float] | None) -> list[float]:
    """The divisors as the core takes them; refused for a score that has no penalty to divide."""
    if divisors is not None and terms.kind != "penalised":
        raise SettingError(
            "targets need a score with a penalty per parameter: use ",
            Mention("objective", "bic"),
            " or ",
            Mention("objective", "aic"),
        )
    return [] if divisors is None else list(divisors)


class RowScorer:
    """Local scores counted from rows held in this process.

    Parameters
    ----------
    rows : EngineRows
        The rows.
    score : Score
        The score.
    penalty_divisors : list of float, optional
        What the penalty of each variable is divided by.
    copies : int
        How often each row is there: scores are those of one copy.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.scores import BIC
    >>> rows = EngineRows(read({"a": ["x", "y", "x", "y"], "b": ["u", "v", "u", "v"]}))
    >>> RowScorer(rows, BIC()).score_families(Families.of([(0, []), (0, [1])])).tolist()
    [-5.0, -2.0]
    """

    def __init__(
        self,
        rows: EngineRows,
        score: Score,
        penalty_divisors: Sequence[float] | None = None,
        *,
        copies: int = 1,
    ) -> None:
        terms = score.terms(rows.size // copies)
        divisors = penalty_divisors_for(terms, penalty_divisors)
        self.source = rows
        self.score = score
        self.copies = copies
        base = float(score.base) ** copies  # which divides every score by `copies`
        self.native = _native.LocalScorer(rows.native, terms.kind, terms.parameter * copies, base, divisors)

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self.source.names)

    def score_families(self, families: Families, method: str | None = None) -> NDArray[np.float64]:
        """One local score per family; `method` forces a counting method (the tests try them all)."""
        return self.native.score_families(families.children, families.offsets, families.parents, method or "")

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """All single-parent families at once: one table serves both directions of a pair."""
        return self.native.score_pairs(control)

    def score_better_parents(
        self, price: float, tolerance: float, most: int, control: RunControl | None = None
    ) -> BetterParents | None:
        """Score all pairs and keep those: the memory depends on how many there are."""
        try:
            found = self.native.score_better_parents(price, tolerance, most, control)
        except ValueError as error:
            if "too many candidate parents" not in str(error):
                raise
            raise refuse_so_many(most) from None
        return None if found is None else BetterParents(*found)

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Build per-child tables of unique rows where that pays."""
        self.native.focus([list(parents) for parents in candidates])
