"""Which sets separate which pairs, and the unshielded colliders that follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mahc.graphs.bitset import members


@dataclass(frozen=True)
class Separation:
    """The set that makes two variables independent, and the logarithm of the p-value."""

    given: frozenset[int]
    log_p: float


Separations = Mapping[tuple[int, int], Separation]  # by pairs u < v


def unshielded_colliders(
    adjacent: Sequence[int], separations: Separations
) -> Iterator[tuple[tuple[int, int, int], Separation]]:
    """Every (x, z, y) with x and y not adjacent, and z adjacent to both but not in the set that separates them.

    >>> list(unshielded_colliders([4, 4, 3], {(0, 1): Separation(frozenset(), 0.0)}))
    [((0, 2, 1), Separation(given=frozenset(), log_p=0.0))]
    """
    for (x, y), separation in sorted(separations.items(), key=lambda item: item[0]):
        if adjacent[x] >> y & 1:
            continue
        for z in members(adjacent[x] & adjacent[y]):
            if z not in separation.given:
                yield (x, z, y), separation
