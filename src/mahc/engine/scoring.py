"""Local scores in batches: the interface between a search and the source of its counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.better_parents import BetterParents, choose_better_parents, refuse_so_many
from mahc.engine.control import RunControl
from mahc.engine.families import Families
from mahc.engine.rows import EngineRows
from mahc.errors import Mention, SettingError


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


class BatchScorer(ABC):
    """A `FamilyScorer` that only says how it scores a batch of families; the rest follows from that."""

    @property
    @abstractmethod
    def variables(self) -> int:
        """How many variables there are."""

    @abstractmethod
    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family, in the batch's order."""

    def score_or_none(self, families: Families, control: RunControl | None) -> NDArray[np.float64] | None:
        """The same; None when the control stops the run."""
        return None if control is not None and control.should_stop(0, np.nan) else self.score_families(families)

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """[u, v] is the local score of v with the one parent u, [v, v] that of v without parents."""
        n = self.variables
        children, parents = (places.astype(np.int32) for places in np.nonzero(~np.eye(n, dtype=np.bool_)))
        alone = self.score_or_none(Families.of((v, ()) for v in range(n)), control)
        found = None if alone is None else self.score_or_none(Families.of_width(children, parents[:, None]), control)
        if alone is None or found is None:
            return None
        scores = np.diag(alone)
        scores[parents, children] = found
        return scores

    def score_better_parents(
        self, price: float, tolerance: float, most: int, control: RunControl | None = None
    ) -> BetterParents | None:
        """Those in the table of all pairs."""
        pairs = self.score_pairs(control)
        if pairs is None:
            return None
        found = choose_better_parents(pairs - price * ~np.eye(self.variables, dtype=bool), tolerance)
        if len(found.parents) > most:
            raise refuse_so_many(most)
        return found

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Use the hint; by default nothing is done."""
        return


class CountFormula(Protocol):
    """What the core needs of a score of discrete data: `mahc.scores.CountScore`."""

    @property
    def name(self) -> str:
        """The name of the score."""
        ...

    @property
    def base(self) -> float:
        """The base of the logarithms."""
        ...

    def formula(self, size: int, copies: int = 1, unit: int = 1) -> _native.Formula:
        """How counts become bits."""
        ...


def penalty_divisors_for(score: CountFormula, divisors: Sequence[float] | None) -> list[float]:
    """The divisors as the core takes them; refused for a score that has no penalty to divide."""
    if divisors is not None and not hasattr(score, "price"):
        raise SettingError(
            "targets need a score with a penalty per parameter: use ",
            Mention("objective", "bic"),
            " or ",
            Mention("objective", "aic"),
        )
    return [] if divisors is None else list(divisors)


class SplitScores(BatchScorer):
    """Local scores where rows come from experiments: the sum over the scorers of the child's sets of rows.

    Parameters
    ----------
    scorers : list of FamilyScorer
        One for each set of rows.
    which : list of lists of int
        The places of each variable's scorers.
    """

    uniform = False  # not all rows tell the causes of every variable

    def __init__(self, scorers: Sequence[FamilyScorer], which: Sequence[Sequence[int]]) -> None:
        self._scorers, self._which = scorers, which
        natives = tuple(getattr(scorer, "native", None) for scorer in scorers)
        self.native: _native.SplitScorer | None = None  # where the core has all scorers
        if all(isinstance(native, _native.FamilyScorer) for native in natives):
            self.native = _native.SplitScorer(natives, which)  # type: ignore[arg-type]
        self.columns = self if all(getattr(scorer, "columns", None) is not None for scorer in scorers) else None

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._which)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        if self.native is not None:
            return self.native.score_families(families.children, families.offsets, families.parents)
        listed = list(families)
        found: list[list[float]] = [[] for _ in listed]
        for place, scorer in enumerate(self._scorers):
            mine = [i for i, (child, _) in enumerate(listed) if place in self._which[child]]
            scores = scorer.score_families(Families.of(listed[i] for i in mine)).tolist() if mine else []
            for i, score in zip(mine, scores, strict=True):
                found[i].append(score)
        return np.array([sum(sorted(own)) for own in found])  # as the core does

    def associate(self, child: int, parents: Sequence[int], parent: int) -> Any:
        """In which direction the child changes with a parent, on its first set of rows."""
        return self._scorers[self._which[child][0]].columns.associate(child, parents, parent)  # type: ignore[attr-defined]


def parts_of(rows: Any) -> tuple[list[Any], list[list[int]] | None]:
    """The sets of rows that have scores of their own, and which of them each variable has: all of them, if None."""
    data = getattr(rows, "data", None)
    found: tuple[list[Any], list[list[int]] | None] = ([rows], None)
    return found if data is None or data.interventions is None else rows.parts()


def score_parts(rows: Any, make: Callable[[Any], FamilyScorer]) -> FamilyScorer:
    """The scorer of rows: of one set, or the sum over the sets where rows come from experiments."""
    parts, which = parts_of(rows)
    return make(rows) if which is None else SplitScores([make(part) for part in parts], which)


class RowScorer(BatchScorer):
    """Local scores counted from rows held in this process.

    Parameters
    ----------
    rows : EngineRows
        The rows.
    score : CountScore
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
        score: CountFormula,
        penalty_divisors: Sequence[float] | None = None,
        *,
        copies: int = 1,
    ) -> None:
        divisors = penalty_divisors_for(score, penalty_divisors)
        self.source = rows
        self.score = score
        self.copies = copies
        base = float(score.base) ** copies  # which divides every score by `copies`
        self._parts, which = rows.parts()
        made = [
            _native.LocalScorer(part.native, score.formula(part.size // copies, copies, part.data.unit), base, divisors)
            for part in self._parts
        ]
        self._whole = made[0] if rows.data.interventions is None else None  # all rows tell the causes of every variable
        self.native = self._whole or _native.SplitScorer(tuple(made), which)

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self.source.names)

    @property
    def uniform(self) -> bool:
        """Whether all rows tell the causes of every variable: none of them comes from an experiment."""
        return self._whole is not None

    def score_families(self, families: Families, method: str | None = None) -> NDArray[np.float64]:
        """One local score per family; `method` forces a counting method (the tests try them all)."""
        if self._whole is None:
            return self.native.score_families(families.children, families.offsets, families.parents)  # type: ignore[call-arg]
        return self._whole.score_families(families.children, families.offsets, families.parents, method or "")

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """All single-parent families at once: one table serves both directions of a pair on the same rows."""
        return super().score_pairs(control) if self._whole is None else self._whole.score_pairs(control)

    def score_better_parents(
        self, price: float, tolerance: float, most: int, control: RunControl | None = None
    ) -> BetterParents | None:
        """Score all pairs and keep those: the memory depends on how many there are."""
        if self._whole is None:
            return super().score_better_parents(price, tolerance, most, control)
        try:
            found = self._whole.score_better_parents(price, tolerance, most, control)
        except ValueError as error:
            if "too many candidate parents" not in str(error):
                raise
            raise refuse_so_many(most) from None
        return None if found is None else BetterParents(*found)

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Build per-child tables of unique rows where that pays."""
        self.native.focus([list(parents) for parents in candidates])
