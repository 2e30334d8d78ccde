"""Local scores from a source for which every request is a pass over all rows: few requests, and nothing asked twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from mahc.engine.control import RunControl, Stopped
from mahc.engine.count_scoring import CountScorer
from mahc.engine.counts import CountSource, PassSource
from mahc.engine.families import Families
from mahc.engine.incomplete import IncompleteRows, IncompleteScorer
from mahc.engine.neighbourhoods import Family, Neighbourhoods
from mahc.engine.rows import EngineRows
from mahc.engine.scoring import CountFormula, FamilyScorer, RowScorer

MOST_REMEMBERED = 1 << 21  # scores; a search whose scores are more begins to remember anew
MOST_SPECULATIVE_CELLS = 1 << 21  # of one request, beyond what the search asked for


class PassScorer(CountScorer):
    """The scores of `CountScorer`, with as few requests as possible.

    A request for some neighbours of a parent set is completed to all of them, and neighbours of the sets that the
    search will probably reach next are counted in the same pass. Scores do not depend on what else was asked for.

    Parameters
    ----------
    source : PassSource
        Where the counts come from.
    score : CountScore
        The score.
    penalty_divisors : list of float, optional
        What the penalty of each variable is divided by.
    control : RunControl, optional
        What stops the passes of a search.
    """

    def __init__(
        self,
        source: PassSource,
        score: CountFormula,
        penalty_divisors: Sequence[float] | None = None,
        control: RunControl | None = None,
    ) -> None:
        super().__init__(source, score, penalty_divisors)
        self._passes, self._control = source, control
        self._known: dict[Family, float] = {}
        self._neighbourhoods = Neighbourhoods(self.variables, source.speculation)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family; a pass that this needs is not stopped."""
        return self._score(families, None)

    def score_or_stop(self, families: Families) -> NDArray[np.float64]:
        """One local score per family; raises `Stopped` when the control stops the run. The core calls this."""
        return self._score(families, self._control)

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """All single-parent families; None when the control stops the run."""
        self._passes.watch(control)
        try:
            pairs = super().score_pairs(control)
        except Stopped:
            return None
        if pairs is not None:
            self._neighbourhoods.start(pairs)
            for v in range(self.variables):
                self._known[v, frozenset()] = float(pairs[v, v])
                for u in range(self.variables):
                    if u != v:
                        self._known[v, frozenset((u,))] = float(pairs[u, v])
        return pairs

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Let the source prepare for these parents; a run that is stopped meanwhile goes on without."""
        self._neighbourhoods.restrict(candidates)
        self._passes.watch(self._control)
        with suppress(Stopped):
            super().focus(candidates)

    def _score(self, families: Families, control: RunControl | None) -> NDArray[np.float64]:
        keys: list[Family] = [(int(child), frozenset(parents)) for child, parents in families]
        near = [self._passes.near(*key) for key in keys]
        if all(near):
            self._passes.watch(control)
            return super().score_families(families)
        self._ask(dict.fromkeys(key for key in keys if key not in self._known), control)
        return np.array([self._known[key] for key in keys])

    def _ask(self, missing: dict[Family, None], control: RunControl | None) -> None:
        """Score the missing families, and what is asked for with them."""
        if not missing:
            return
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        here = [key for key in missing if self._passes.near(*key)]
        elsewhere = [key for key in missing if not self._passes.near(*key)]
        self._remember(here, control)
        if elsewhere:
            self._remember([*elsewhere, *self._add_speculative(elsewhere)], control)
            self._neighbourhoods.learn(self._known)

    def _add_speculative(self, missing: Sequence[Family]) -> list[Family]:
        taken, cells, more = set(missing), 0, []
        for key in self._neighbourhoods.propose(missing):
            if key in taken or key in self._known or self._passes.near(*key):
                continue
            states = self._requests.states
            size = int(states[key[0]]) * int(np.prod([int(states[u]) for u in key[1]], dtype=object))
            if cells + size <= MOST_SPECULATIVE_CELLS:
                taken.add(key)
                more.append(key)
                cells += size
        return more

    def _remember(self, keys: Iterable[Family], control: RunControl | None) -> None:
        listed = list(keys)
        if listed:
            self._passes.watch(control)
            scores = super().score_families(Families.of((child, sorted(parents)) for child, parents in listed))
            self._known.update(zip(listed, scores.tolist(), strict=True))


def count_scorer(
    source: CountSource,
    score: CountFormula,
    penalty_divisors: Sequence[float] | None = None,
    control: RunControl | None = None,
) -> FamilyScorer:
    """The scorer of counts: rows in this process are counted and scored in one pass."""
    if isinstance(source, EngineRows):
        return RowScorer(source, score, penalty_divisors)
    if isinstance(source, IncompleteRows):
        return IncompleteScorer(source, score, penalty_divisors)
    if isinstance(source, PassSource):
        return PassScorer(source, score, penalty_divisors, control)
    return CountScorer(source, score, penalty_divisors)
