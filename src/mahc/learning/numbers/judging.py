"""One measure for graphs that were learned in different ways: how well they explain the columns as they are.

Each family is worth what its best model is worth against a child without parents, in bits. For a column of numbers the
models are cut points for that family alone and a regression of its normal score on functions of its parents, of degree
1 to 4; for a discrete column, cut points and a Gaussian model of its parents within each state.

A graph that was learned with cut points counts with cut points alone, the model that it comes with: where numbers are
rounded, regressions would lend it bits that its search never saw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mahc.engine.determinants import floor_for
from mahc.engine.smooth_rows import SmoothRows
from mahc.learning.numbers.cutting import BinnedColumns

DEGREES = (1, 2, 3, 4)
NAT = 1 / math.log(2)  # in bits


class Judge:
    """Scores graphs over the columns of a table, given as the parents of each variable.

    `rows` are those of the smooth score, their variables in any order.
    """

    def __init__(self, columns: BinnedColumns, rows: SmoothRows) -> None:
        self._columns = columns
        self._correlations, first = rows.correlations(DEGREES[-1])
        place = {name: k for k, name in enumerate(rows.names)}
        self._places = [range(first[place[name]], first[place[name] + 1]) for name in columns.data.names]
        self._price = 0.5 * math.log(columns.size)
        self._floor = floor_for(columns.size)
        self._known: dict[tuple[int, ...], tuple[float, float]] = {}

    def total(self, parents: Sequence[Sequence[int]], cuts: bool = False) -> float:
        """The bits of all families, with the better model for each or with cut points alone."""
        found = (self.of_family(v, own) for v, own in enumerate(parents))
        return math.fsum(cut if cuts else max(cut, smooth) for cut, smooth in found)

    def lost_by_one_treatment(self, parents: Sequence[Sequence[int]]) -> float:
        """The share of the bits of families with numbers that is lost if all have cut points, or all are smooth."""
        number = self._columns.number
        found = [self.of_family(v, own) for v, own in enumerate(parents) if own and any(number[u] for u in (v, *own))]
        best = math.fsum(max(one) for one in found)
        return 1 - max(math.fsum(cut for cut, _ in found), math.fsum(smooth for _, smooth in found)) / max(best, 1.0)

    def columns_to_cut(self, graphs: Sequence[Sequence[Sequence[int]]]) -> list[str]:
        """The columns of numbers whose families in these graphs are worth more with cut points, all together."""
        families = {(v, *sorted(own)) for parents in graphs for v, own in enumerate(parents) if own}
        gains = [0.0] * len(self._columns.number)
        for family in sorted(families):
            if any(self._columns.number[v] for v in family):
                cut, smooth = self.of_family(family[0], family[1:])
                for v in family:
                    gains[v] += cut - smooth
        return [
            name
            for name, number, gain in zip(self._columns.data.names, self._columns.number, gains, strict=True)
            if number and gain > 0
        ]

    def of_family(self, child: int, parents: Sequence[int]) -> tuple[float, float]:
        """The bits of a family with the best cut points, and with the best smooth model."""
        family = (child, *sorted(parents))
        if len(family) == 1:
            return 0.0, 0.0
        if family not in self._known:
            cut = self._columns.best_of_family(child, family[1:])[1]
            smooth = self._regression if self._columns.number[child] else self._by_bayes
            self._known[family] = cut, smooth(child, family[1:])
        return self._known[family]

    def _of(self, v: int, degree: int) -> list[int]:
        """The columns of a variable: those of states, or the functions of a number up to the degree."""
        own = self._places[v]
        return list(own[:degree] if self._columns.number[v] else own)

    def _log_determinant(self, columns: Sequence[int]) -> float:
        """Of correlations; pivots are floored as in the smooth score."""
        part = self._correlations[np.ix_(columns, columns)].copy()
        total = 0.0
        for k in range(len(columns)):
            pivot = max(float(part[k, k]), self._floor)
            total += math.log(pivot)
            part[k + 1 :, k + 1 :] -= np.outer(part[k + 1 :, k], part[k, k + 1 :]) / pivot
        return total

    def _regression(self, child: int, parents: Sequence[int]) -> float:
        size, normal_score = self._columns.size, self._of(child, 1)
        if not normal_score:
            return 0.0
        gains = []
        for degree in DEGREES:
            given = [c for v in parents for c in self._of(v, degree)]
            left = self._log_determinant([*given, *normal_score]) - self._log_determinant(given)
            gains.append(-0.5 * size * left - self._price * len(given))
        return (max(gains) - math.log(len(DEGREES))) * NAT

    def _by_bayes(self, child: int, parents: Sequence[int]) -> float:
        """What the states of the child gain when its parents of numbers are Gaussian within each of them."""
        columns = self._columns
        states = [v for v in parents if not columns.number[v]]
        numbers = [c for v in parents if columns.number[v] for c in self._of(v, 1)]
        family = [child, *states]
        gain = 0.0
        if states:
            whole = [list(range(columns.bins[v])) for v in family]
            gain = columns.chooser.family_bits(family, whole, False)
        own, given = self._of(child, 1), [c for v in states for c in self._of(v, 1)]
        if numbers:
            with_child = self._log_determinant([*given, *own, *numbers]) - self._log_determinant([*given, *own])
            without = self._log_determinant([*given, *numbers]) - self._log_determinant(given)
            spread = -0.5 * columns.size * (with_child - without)
            gain += (spread - self._price * len(numbers) * len(own)) * NAT
        counts = np.bincount(columns.codes[child], weights=columns.data.weights)
        shares = counts[counts > 0] / columns.size
        return min(gain, -columns.size * float((shares * np.log2(shares)).sum()))
