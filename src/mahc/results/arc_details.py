"""What a score-based search knew of every possible arc when it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.learning.found import Base


@dataclass(frozen=True)
class ArcDetails:
    """Numbers and reasons by ordered pair; [u, v] is about the arc u -> v, NaN where nothing was computed.

    `gain`: the change of the plain score by adding the arc or, where it is present, deleting it.
    `reversal_gain`: the change by reversing it, legal or not. `averaged_gain`, `averaged_reversal_gain`: the same
    for the averaged score, legal moves only. `level`, `score_with`, `bases`: how it was pruned. `max_parents`: by
    variable. `forbidden`, `required`: the constraint in words. `connecting`: the arcs that were added because all
    variables are relevant.
    """

    gain: NDArray[np.float64]
    reversal_gain: NDArray[np.float64]
    averaged_gain: NDArray[np.float64] | None
    averaged_reversal_gain: NDArray[np.float64] | None
    level: NDArray[np.uint8] | None
    score_with: NDArray[np.float64] | None
    bases: tuple[Mapping[int, Base], ...]
    max_parents: NDArray[np.int32]
    forbidden: Mapping[tuple[int, int], str]
    required: Mapping[tuple[int, int], str]
    connecting: frozenset[tuple[int, int]] = frozenset()

    def reordered(self, position: Sequence[int]) -> ArcDetails:
        """The same details with variable i renumbered to `position[i]`."""
        order = np.argsort(np.asarray(position))
        grid = np.ix_(order, order)

        def move(array: NDArray[Any] | None) -> Any:
            return None if array is None else np.ascontiguousarray(array[grid])

        def renumber(pairs: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], str]:
            return {(position[u], position[v]): text for (u, v), text in pairs.items()}

        return ArcDetails(
            gain=move(self.gain),
            reversal_gain=move(self.reversal_gain),
            averaged_gain=move(self.averaged_gain),
            averaged_reversal_gain=move(self.averaged_reversal_gain),
            level=move(self.level),
            score_with=move(self.score_with),
            bases=tuple(
                {position[v]: Base(tuple(position[u] for u in base.parents), base.score) for v, base in level.items()}
                for level in self.bases
            ),
            max_parents=self.max_parents[order],
            forbidden=renumber(self.forbidden),
            required=renumber(self.required),
            connecting=frozenset((position[u], position[v]) for u, v in self.connecting),
        )
