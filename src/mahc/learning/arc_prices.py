"""What a search subtracts from the score for each arc."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Arc = tuple[int, int]


@dataclass(frozen=True)
class ArcPrices:
    """All arcs cost `constant`; some cost more: those in `extra`, by (tail, head).

    The extra price is the `share` of what the pair gains alone.

    >>> prices = ArcPrices(2.0, {(0, 1): 0.5})
    >>> prices.of_family(1, [0, 3]), prices.total([(0, 1), (2, 1)]), bool(prices), bool(ArcPrices())
    (4.5, 4.5, True, False)
    """

    constant: float = 0.0
    extra: dict[Arc, float] = field(default_factory=dict)
    share: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.constant or self.extra)

    def of(self, tail: int, head: int) -> float:
        """The price of an arc."""
        return self.constant + self.extra.get((tail, head), 0.0)

    def of_family(self, child: int, parents: Iterable[int]) -> float:
        """The price of all arcs into a variable."""
        return self.total([(u, child) for u in parents])

    def total(self, arcs: Collection[Arc]) -> float:
        """The price of all these arcs."""
        extra = math.fsum(self.extra[arc] for arc in arcs if arc in self.extra) if self.extra else 0.0
        return self.constant * len(arcs) + extra

    def matrix(self, variables: int) -> NDArray[np.float64]:
        """[u, v] is the price of u -> v; 0 on the diagonal."""
        prices = self.constant * ~np.eye(variables, dtype=bool)
        for arc, extra in self.extra.items():
            prices[arc] += extra
        return prices

    def lists(self, variables: int) -> tuple[list[int], list[int], list[float]]:
        """The extra prices as the core takes them: child by child, parents ascending."""
        if not self.extra:
            return [], [], []
        arcs = sorted(self.extra, key=lambda arc: (arc[1], arc[0]))
        first = np.searchsorted([v for _, v in arcs], np.arange(variables + 1))
        return first.tolist(), [u for u, _ in arcs], [self.extra[arc] for arc in arcs]


NO_PRICES = ArcPrices()
