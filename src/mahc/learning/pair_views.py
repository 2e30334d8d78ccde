"""What is known of pairs of variables, under other numbers, without a copy: there may be millions of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Pair = tuple[int, int]
Stored = TypeVar("Stored")
Shown = TypeVar("Shown")


class PairView(Mapping[Pair, Shown], Generic[Stored, Shown]):
    """A mapping from pairs u < v whose variable i is called `position[i]` here, with its values converted.

    Pairs come in sorted order. Values are converted when they are asked for.

    >>> dict(PairView({(0, 1): 5}, str, [2, 1, 0]))
    {(1, 2): '5'}
    """

    def __init__(
        self, pairs: Mapping[Pair, Stored], convert: Callable[[Stored], Shown], position: Sequence[int] | None = None
    ) -> None:
        self._pairs, self._convert = pairs, convert
        self._position = None if position is None else list(position)
        self._before = None if position is None else {here: there for there, here in enumerate(position)}

    def __getitem__(self, pair: Pair) -> Shown:
        if self._before is None:
            return self._convert(self._pairs[pair])
        return self._convert(self._pairs[sort_pair(self._before[pair[0]], self._before[pair[1]])])

    def __iter__(self) -> Iterator[Pair]:
        if self._position is None:
            return iter(sorted(self._pairs))
        return iter(sorted(sort_pair(self._position[u], self._position[v]) for u, v in self._pairs))

    def __len__(self) -> int:
        return len(self._pairs)

    def __repr__(self) -> str:
        return repr(dict(self))


def sort_pair(u: int, v: int) -> Pair:
    """The two, the smaller first."""
    return (u, v) if u < v else (v, u)
