"""Sets of variables as the bits of one integer: small, immutable, and fast for a thousand variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def members(bitset: int) -> Iterator[int]:
    """The indices in the set, smallest first.

    >>> list(members(0b1011))
    [0, 1, 3]
    """
    while bitset:
        low = bitset & -bitset
        yield low.bit_length() - 1
        bitset ^= low


def to_bitset(indices: Iterable[int]) -> int:
    """The set of these indices.

    >>> to_bitset([0, 1, 3]) == 0b1011
    True
    """
    bitset = 0
    for index in indices:
        bitset |= 1 << index
    return bitset


def transpose(sets: Sequence[int]) -> list[int]:
    """Turn sets of j for each i into sets of i for each j.

    >>> transpose([0b10, 0b11])
    [2, 3]
    """
    return pack(unpack(sets).T)


def unpack(sets: Sequence[int]) -> NDArray[np.bool_]:
    """The sets as the rows of a square Boolean matrix.

    >>> unpack([0b10, 0b11]).tolist()
    [[False, True], [True, True]]
    """
    n, width = len(sets), (len(sets) + 7) // 8
    octets = np.frombuffer(b"".join(bitset.to_bytes(width, "little") for bitset in sets), np.uint8)
    return np.unpackbits(octets.reshape(n, width), axis=1, count=n, bitorder="little").view(np.bool_)


def pack(rows: NDArray[np.bool_]) -> list[int]:
    """The rows of a Boolean matrix as sets.

    >>> pack(np.array([[False, True], [True, True]]))
    [2, 3]
    """
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def transitive_closure(start: int, successors: Sequence[int]) -> int:
    """Everything that a path along `successors` reaches from `start`, including `start` itself.

    >>> list(members(transitive_closure(0b1, [0b10, 0b100, 0])))
    [0, 1, 2]
    """
    found = frontier = start
    while frontier:
        low = frontier & -frontier
        fresh = successors[low.bit_length() - 1] & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return found
