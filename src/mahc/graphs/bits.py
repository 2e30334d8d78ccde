"""Sets of variables as the bits of one whole number: small, immutable, and fast at a thousand variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def members(bits: int) -> Iterator[int]:
    """The indices in the set, smallest first.

    >>> list(members(0b1011))
    [0, 1, 3]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def gather(indices: Iterable[int]) -> int:
    """The set of these indices.

    >>> gather([0, 1, 3]) == 0b1011
    True
    """
    bits = 0
    for index in indices:
        bits |= 1 << index
    return bits


def transpose(sets: Sequence[int]) -> list[int]:
    """Turn "for each i, the set of its j" into "for each j, the set of its i".

    >>> transpose([0b10, 0b11])
    [2, 3]
    """
    turned = [0] * len(sets)
    for i, bits in enumerate(sets):
        one = 1 << i
        for j in members(bits):
            turned[j] |= one
    return turned


def reach(start: int, steps: Sequence[int]) -> int:
    """Everything reached from `start` along `steps`, with `start` itself.

    >>> list(members(reach(0b1, [0b10, 0b100, 0])))
    [0, 1, 2]
    """
    found = frontier = start
    while frontier:
        low = frontier & -frontier
        fresh = steps[low.bit_length() - 1] & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return found
