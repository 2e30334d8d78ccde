"""Tiers of variables, early to late, and the directed paths that they rule out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from operator import or_

from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.graphs.walks import find_path


class TierOrder:
    """The tier of each variable (0: in no tier). No directed path may lead from a later tier to an earlier one.

    Sets of variables are bit sets. `earlier[v]` and `later[v]` hold the variables in earlier and later tiers than
    that of v.

    >>> order = TierOrder([1, 0, 2])
    >>> order.earlier, order.later
    ((0, 0, 1), (4, 0, 0))
    >>> order.leads_back(sources=0b110, targets=0b001)
    True
    """

    def __init__(self, tiers: Sequence[int]) -> None:
        self.tiers = tuple(tiers)
        numbers = sorted({tier for tier in tiers if tier})
        groups = [to_bitset(v for v, tier in enumerate(tiers) if tier == number) for number in numbers]
        self._up_to: list[int] = list(accumulate(groups, or_))
        # One set more than there are tiers: nothing comes after the last tier, or after no tier at all.
        self._from: list[int] = [*list(accumulate(reversed(groups), or_))[::-1], 0]
        place = {number: i for i, number in enumerate(numbers)}
        self.later = tuple(self._from[place[tier] + 1] if tier else 0 for tier in tiers)
        self.earlier = tuple(self._from[0] & ~self._from[place[tier]] if tier else 0 for tier in tiers)

    def __bool__(self) -> bool:
        return bool(self._up_to)

    def too_late_for(self, targets: int) -> int:
        """The variables in later tiers than the earliest tier among the targets."""
        earliest = bisect_left(self._up_to, True, key=lambda tiers: bool(tiers & targets))
        return self._from[min(earliest + 1, len(self._from) - 1)]

    def leads_back(self, sources: int, targets: int) -> bool:
        """Whether paths from all sources to all targets would lead from a later tier to an earlier one."""
        return bool(sources & self.too_late_for(targets))

    def find_path_back(self, parents: Sequence[int]) -> list[int] | None:
        """A path in this graph from a later tier to an earlier one, a single arc where there is one; else None.

        >>> TierOrder([1, 0, 2]).find_path_back([0b010, 0b100, 0])
        [2, 1, 0]
        """
        for v, later in enumerate(self.later):
            for u in members(parents[v] & later):
                return [u, v]
        for v, later in enumerate(self.later):
            for u in members(transitive_closure(1 << v, parents) & later if later else 0):
                return find_path([list(members(mine)) for mine in parents], u, v)
        return None
