"""Sets of variables as the bits of one whole number: small, immutable, and fast at a thousand variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


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
    return pack(unpack(sets).T)


def unpack(sets: Sequence[int]) -> NDArray[np.bool_]:
    """The sets as the rows of a square table.

    >>> unpack([0b10, 0b11]).tolist()
    [[False, True], [True, True]]
    """
    n, width = len(sets), (len(sets) + 7) // 8
    octets = np.frombuffer(b"".join(bits.to_bytes(width, "little") for bits in sets), np.uint8)
    return np.unpackbits(octets.reshape(n, width), axis=1, count=n, bitorder="little").view(np.bool_)


def pack(rows: NDArray[np.bool_]) -> list[int]:
    """The rows of a table as sets.

    >>> pack(np.array([[False, True], [True, True]]))
    [2, 3]
    """
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


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
