"""The smallest set of items that conflict, out of many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Conflicts = Callable[[Sequence[T]], bool]

# When these are used up, the smallest set known so far is returned. A round asks about each item, and each answer
# looks at all items.
EFFORT = 1_000_000
BRANCHES = 30_000


def find_irreducible(items: Sequence[T], conflicts: Conflicts[T]) -> list[T]:
    """A subset of conflicting items that conflicts too and loses that if any of its items is removed (QuickXplain).

    >>> find_irreducible([1, 2, 3, 4], lambda some: sum(some) >= 7)
    [1, 2, 4]
    """

    def explain(known: Sequence[T], fresh: bool, items: Sequence[T]) -> list[T]:
        if fresh and conflicts(known):
            return []
        if len(items) == 1:
            return list(items)
        first, second = items[: len(items) // 2], items[len(items) // 2 :]
        needed = explain([*known, *first], True, second)
        return explain([*known, *needed], bool(needed), first) + needed

    return explain([], False, items)


def find_smallest(items: Sequence[T], conflicts: Conflicts[T], known: Sequence[T]) -> list[T]:
    """A smallest set of items that conflict, if it is smaller than `known`, which does conflict.

    A conflicting set shares an item with every set whose removal leaves no conflict. The smallest set that shares an
    item with all the removed sets found so far therefore either conflicts, and then none is smaller, or yields
    another removed set. When the budget is used up, `known` is returned.

    >>> find_smallest([4, 1, 2, 3, 6], lambda some: sum(some) >= 10, known=[4, 1, 2, 3])
    [4, 6]
    """
    left_out: list[int] = []
    budget = [BRANCHES]
    for _ in range(EFFORT // (len(items) * len(items) + 1)):
        places = _hit_all(left_out, len(known) - 1, budget)
        if places is None:
            break
        chosen = [items[i] for i in places]
        if conflicts(chosen):
            return chosen
        left_out.append(_leave_out(items, places, conflicts))
    return list(known)


def _leave_out(items: Sequence[T], places: Sequence[int], conflicts: Conflicts[T]) -> int:
    """The items, as bits, that conflict with the chosen ones and all that were added to them without conflict."""
    kept = [items[i] for i in places]
    bits = 0
    for i, item in enumerate(items):
        if i in places:
            continue
        if conflicts([*kept, item]):
            bits |= 1 << i
        else:
            kept.append(item)
    return bits


def _hit_all(sets: Sequence[int], most: int, budget: list[int]) -> list[int] | None:
    """The fewest places, at most `most`, that hit every set of bits; None: there are none, or the budget is used up."""
    small_first = sorted(sets, key=lambda bits: (bits.bit_count(), bits))
    for size in range(most + 1):
        chosen = _choose(small_first, size, budget)
        if chosen is not None:
            return [i for i in range(chosen.bit_length()) if chosen >> i & 1]
    return None


def _choose(sets: Sequence[int], size: int, budget: list[int]) -> int | None:
    if not sets:
        return 0
    budget[0] -= 1
    if budget[0] < 0 or _count_disjoint(sets) > size:
        return None
    bits = sets[0]
    while bits:
        low = bits & -bits
        bits ^= low
        rest = _choose([other for other in sets if not other & low], size - 1, budget)
        if rest is not None:
            return rest | low
    return None


def _count_disjoint(sets: Sequence[int]) -> int:
    """How many sets share nothing with those counted before: each needs a place of its own."""
    taken = count = 0
    for bits in sets:
        if not bits & taken:
            taken |= bits
            count += 1
    return count
