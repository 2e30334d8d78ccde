"""Parent sets by size: a set of the next size is kept if all its subsets are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Level:
    """Sets of one size in lexicographic order; `below[i, j]` is set i without its j-th member, one level down.

    A set's key is its place without the last member times the number of variables, and the last member: keys
    ascend, and no size of set outgrows them.

    >>> singles = Level.empty().extend(np.array([1, 4, 5], np.int32), 6)
    >>> pairs = singles.only(np.array([True, False, True])).extend(np.array([1, 4, 5], np.int32), 6)
    >>> pairs.sets.tolist(), pairs.below.tolist()
    ([[1, 5]], [[1, 0]])
    """

    sets: NDArray[np.int32]
    keys: NDArray[np.int64]
    below: NDArray[np.int64]

    @classmethod
    def empty(cls) -> Level:
        """The level of the empty set."""
        return cls(np.zeros((1, 0), np.int32), np.zeros(1, np.int64), np.zeros((1, 0), np.int64))

    def only(self, keep: NDArray[np.bool_]) -> Level:
        """The sets that are kept."""
        return Level(self.sets[keep], self.keys[keep], self.below[keep])

    def extend(self, members: NDArray[np.int32], variables: int) -> Level:
        """All sets of these (ascending) members that have one more, and whose subsets are all on this level."""
        count, size = self.sets.shape
        start = np.searchsorted(members, self.sets[:, -1], "right") if size else np.zeros(count, np.int64)
        later = len(members) - start
        owner = np.repeat(np.arange(count), later)
        step = np.arange(len(owner)) - np.repeat(np.cumsum(later) - later, later)
        last = members[start[owner] + step]
        below = np.empty((len(owner), size + 1), np.int64)
        below[:, size] = owner
        found = np.ones(len(owner), bool)
        for j in range(size):
            wanted = self.below[owner, j] * variables + last
            place = np.minimum(np.searchsorted(self.keys, wanted), max(count - 1, 0))
            found &= self.keys[place] == wanted if count else False
            below[:, j] = place
        sets = np.concatenate([self.sets[owner], last[:, None]], axis=1)
        return Level(sets, owner * variables + last, below).only(found)
