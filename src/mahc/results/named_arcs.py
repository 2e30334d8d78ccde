"""Many arcs with names, in little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

Pair = tuple[str, str]


class NamedArcs(Sequence[Pair]):
    """Arcs as pairs of names, sorted; stored as numbers, because there may be millions. Equal to a tuple of the same.

    Parameters
    ----------
    names : sequence of str
        The names of the variables.
    tails, heads : array of int
        The numbers of the two variables of each arc.

    Examples
    --------
    >>> arcs = NamedArcs(["b", "a"], np.array([0, 1]), np.array([1, 0]))
    >>> arcs[0], list(arcs), arcs == (("a", "b"), ("b", "a"))
    (('a', 'b'), [('a', 'b'), ('b', 'a')], True)
    """

    def __init__(self, names: Sequence[str], tails: NDArray[np.integer], heads: NDArray[np.integer]) -> None:
        in_order = sorted(range(len(names)), key=lambda v: names[v])
        rank = np.empty(len(names), np.int32)
        rank[in_order] = np.arange(len(names), dtype=np.int32)
        tails, heads = rank[tails], rank[heads]
        order = np.lexsort((heads, tails))
        self._names = tuple(names[v] for v in in_order)
        self._tails, self._heads = tails[order], heads[order]

    def __len__(self) -> int:
        return len(self._tails)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Pair, ...]: ...

    def __getitem__(self, place: int | slice) -> Pair | tuple[Pair, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        return self._names[self._tails[place]], self._names[self._heads[place]]

    def __iter__(self) -> Iterator[Pair]:
        names = self._names
        for start in range(0, len(self), 1 << 16):
            part = slice(start, start + (1 << 16))
            for u, v in zip(self._tails[part].tolist(), self._heads[part].tolist(), strict=True):
                yield names[u], names[v]

    def __contains__(self, arc: object) -> bool:
        return any(arc == mine for mine in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
