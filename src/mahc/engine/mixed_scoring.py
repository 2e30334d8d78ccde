"""Scores of tables of states and numbers: one for families of states, one for families in which numbers take part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.families import Families
from mahc.engine.scoring import BatchScorer, FamilyScorer


class MixedScores(BatchScorer):
    """A discrete child has the score of `states` for its discrete parents, and what `smooth` says its numbers add.

    Any other child has the score of `smooth`. Where both are equal for equivalent graphs, so is this one. Ordinal
    states are ranked as numbers are.
    """

    def __init__(self, smooth: FamilyScorer, states: FamilyScorer, numbers: Sequence[bool]) -> None:
        self._smooth, self._states, self._numbers = smooth, states, numbers
        self.columns = getattr(smooth, "columns", None)
        self.uniform: bool = getattr(smooth, "uniform", True)  # whether no row comes from an experiment
        self._alone = states.score_families(Families.of([(v, ()) for v in range(len(numbers))]))
        self.native: _native.MixedScorer | None = None  # where the core has both scorers
        parts = [getattr(scorer, "native", None) for scorer in (smooth, states)]
        if isinstance(parts[0], _native.FamilyScorer) and isinstance(parts[1], _native.FamilyScorer):
            self.native = _native.MixedScorer(parts[0], parts[1], [int(number) for number in numbers])

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._numbers)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        if self.native is not None:
            return self.native.score_families(families.children, families.offsets, families.parents)
        scores = np.array(self._smooth.score_families(families))
        places, parts = [], []
        for place, (child, parents) in enumerate(families):
            if not self._numbers[child]:
                discrete = [u for u in parents if not self._numbers[u]]
                if discrete:
                    places.append(place)
                    parts.append((child, discrete))
        if parts:
            within = Families.of(parts)
            gains = self._states.score_families(within) - self._alone[[child for child, _ in parts]]
            scores[places] += gains - self._smooth.score_families(within)
        return scores
