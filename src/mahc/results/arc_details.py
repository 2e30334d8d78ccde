"""What the search knew of every possible arc when it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.learning.found import Base

MOST_PAIRS_KEPT = 1_000_000  # about 1,000 variables; beyond that a saved result asks for the data again


@dataclass(frozen=True)
class Ledger:
    """Numbers and reasons by ordered pair; [u, v] speaks of the arc u -> v.

    `gain`: what adding (or, where present, deleting) it would do to the own score; NaN where nobody asked.
    `turn`: what reversing it would do, legal or not. `averaged_gain`, `averaged_turn`: the same for the averaged
    score, legal moves only. `level`, `score_with`, `bases`: how it was pruned. `barred`, `required`: the
    constraint that rules it out or in. `joining`: the arcs added because all variables are relevant.
    """

    gain: NDArray[np.float64]
    turn: NDArray[np.float64]
    averaged_gain: NDArray[np.float64] | None
    averaged_turn: NDArray[np.float64] | None
    level: NDArray[np.uint8] | None
    score_with: NDArray[np.float64] | None
    bases: tuple[Mapping[int, Base], ...]
    limit: NDArray[np.int32]
    barred: Mapping[tuple[int, int], str]
    required: Mapping[tuple[int, int], str]
    joining: frozenset[tuple[int, int]] = frozenset()

    def reordered(self, place: Sequence[int]) -> Ledger:
        """The same with variable i of the search standing at `place[i]`."""
        to = np.argsort(np.asarray(place))
        grid = np.ix_(to, to)

        def move(array: NDArray[Any] | None) -> Any:
            return None if array is None else np.ascontiguousarray(array[grid])

        def moved(pairs: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], str]:
            return {(place[u], place[v]): text for (u, v), text in pairs.items()}

        return Ledger(
            move(self.gain),
            move(self.turn),
            move(self.averaged_gain),
            move(self.averaged_turn),
            move(self.level),
            move(self.score_with),
            tuple(
                {place[v]: Base(tuple(place[u] for u in base.parents), base.score) for v, base in level.items()}
                for level in self.bases
            ),
            self.limit[to],
            moved(self.barred),
            moved(self.required),
            frozenset((place[u], place[v]) for u, v in self.joining),
        )
