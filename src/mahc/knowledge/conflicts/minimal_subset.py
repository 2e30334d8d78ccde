"""The smallest set of items that clash, out of many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Clashes = Callable[[Sequence[T]], bool]

# When these are used up the smallest known set must do. A round asks about each item, and each answer looks at
# all items.
EFFORT = 1_000_000
BRANCHES = 30_000


def find_irreducible(items: Sequence[T], clashes: Clashes[T]) -> list[T]:
    """Some of the items, which clash all together, that clash too and none of which can go (QuickXplain).

    >>> find_irreducible([1, 2, 3, 4], lambda some: sum(some) >= 7)
    [1, 2, 4]
    """

    def explain(known: Sequence[T], fresh: bool, items: Sequence[T]) -> list[T]:
        if fresh and clashes(known):
            return []
        if len(items) == 1:
            return list(items)
        first, second = items[: len(items) // 2], items[len(items) // 2 :]
        needed = explain([*known, *first], True, second)
        return explain([*known, *needed], bool(needed), first) + needed

    return explain([], False, items)


def find_smallest(items: Sequence[T], clashes: Clashes[T], known: Sequence[T]) -> list[T]:
    """As few of the items as still clash, sought below the size of `known`, which does clash.

    A clashing set has an item in common with whatever must be left out to make the rest agree. The smallest
    set that meets all the left-out sets found so far therefore either clashes, and then none is smaller, or
    shows another left-out set. When the effort is used up `known` is returned.

    >>> find_smallest([4, 1, 2, 3, 6], lambda some: sum(some) >= 10, known=[4, 1, 2, 3])
    [4, 6]
    """
    left_out: list[int] = []
    budget = [BRANCHES]
    for _ in range(EFFORT // (len(items) * len(items) + 1)):
        places = _meet_all(left_out, len(known) - 1, budget)
        if places is None:
            break
        chosen = [items[i] for i in places]
        if clashes(chosen):
            return chosen
        left_out.append(_leave_out(items, places, clashes))
    return list(known)


def _leave_out(items: Sequence[T], places: Sequence[int], clashes: Clashes[T]) -> int:
    """The items, as bits, that do not fit once the chosen ones and all that goes with them are in."""
    kept = [items[i] for i in places]
    bits = 0
    for i, item in enumerate(items):
        if i in places:
            continue
        if clashes([*kept, item]):
            bits |= 1 << i
        else:
            kept.append(item)
    return bits


def _meet_all(sets: Sequence[int], most: int, budget: list[int]) -> list[int] | None:
    """The fewest places, at most `most`, that meet every set of bits; None: there are none, or too dear."""
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
    if budget[0] < 0 or _count_apart(sets) > size:
        return None
    bits = sets[0]
    while bits:
        low = bits & -bits
        bits ^= low
        rest = _choose([other for other in sets if not other & low], size - 1, budget)
        if rest is not None:
            return rest | low
    return None


def _count_apart(sets: Sequence[int]) -> int:
    """Sets that share nothing each need a place of their own."""
    taken = count = 0
    for bits in sets:
        if not bits & taken:
            taken |= bits
            count += 1
    return count
