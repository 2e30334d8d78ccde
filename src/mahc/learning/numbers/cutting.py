"""Cut points of columns of numbers, learned together with a graph.

The values of a column become rank bins. From several numbers of quantiles at the start, two steps alternate until
nothing changes: boss with qNML learns a graph of the intervals, and each column gets the intervals that are best in its
families of that graph (dynamic programming over its bins, `engine/cpp/cuts/cut_chooser.hpp`). A column without
neighbours gets those of its best pair, because it could never gain an edge otherwise. The start whose graph and cut
points are worth the most wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind
from mahc.data.columns import Discrete
from mahc.data.rank_bins import bins_of_counts
from mahc.engine._native import CutChooser
from mahc.engine.wide_rows import hold_rows
from mahc.learning.algorithm import make_algorithm
from mahc.learning.control import Control
from mahc.learning.request import Request
from mahc.learning.searching import search
from mahc.learning.tie_order import order_variables
from mahc.scores import make_score

BINS = 24
MOST_INTERVALS = 8
STARTS = (2, 5)  # numbers of quantiles
MOST_ROUNDS = 6
MOST_SWEEPS = 4
FAMILY_ROUNDS = 5

Cut = list[int]  # the interval of each bin
Parents = tuple[tuple[int, ...], ...]


class BinnedColumns:
    """Complete data as bins and states, with the variables in the order that breaks ties."""

    def __init__(self, data: Dataset, ties: str = "data", threads: int | None = None) -> None:
        found = [column.as_bins(BINS, data.weights).codes for column in data.columns]
        bins = [int(codes.max()) + 1 for codes in found]
        coded = Dataset.coded(data.names, [range(k) for k in bins], found, data.weights)
        order = order_variables(hold_rows(coded, threads, 64), ties)
        data = data.select([data.names[v] for v in order])
        self.data, self.size = data, data.size
        self.number = [column.kind is Kind.CONTINUOUS for column in data.columns]
        self.ranked = [column.ranked for column in data.columns]  # what can be cut: also ordinal states
        self.codes, self.bins = [found[v] for v in order], [bins[v] for v in order]
        self._quantiles_of: dict[int, list[Cut]] = {}
        weights = np.zeros(0, np.uint64) if data.weights is None else data.weights.astype(np.uint64)
        self.chooser = CutChooser(
            np.concatenate([codes.astype(np.uint16) for codes in self.codes]),
            data.rows,
            self.bins,
            [int(ranked) for ranked in self.ranked],
            weights,
        )

    def quantiles(self, intervals: int) -> list[Cut]:
        """Every column in so many intervals of about equal weight; states without an order stay as they are."""
        if intervals not in self._quantiles_of:
            self._quantiles_of[intervals] = [
                self._quantiles(v, intervals) if ranked else list(range(self.bins[v]))
                for v, ranked in enumerate(self.ranked)
            ]
        return self._quantiles_of[intervals]

    def _quantiles(self, v: int, intervals: int) -> Cut:
        counts = np.bincount(self.codes[v], weights=self.data.weights, minlength=self.bins[v]).astype(np.int64)
        found: Cut = bins_of_counts(counts, intervals).tolist()
        return found

    def best_of_family(self, child: int, parents: Sequence[int]) -> tuple[list[Cut], float]:
        """The cut points that suit one family alone, child first, and what the family is worth with them in bits."""
        family = [child, *parents]
        start = max(2, min(6, int((self.size / 20) ** (1 / len(family)))))
        first = self.quantiles(start)
        return self.chooser.choose_family(family, [first[v] for v in family], MOST_INTERVALS, FAMILY_ROUNDS)

    def cut_points(self, cuts: Sequence[Cut]) -> dict[str, tuple[float, ...]]:
        """The cut points of the columns of numbers."""
        return {
            self.data.names[v]: points_between(
                np.asarray(column.as_array(), np.float64), np.asarray(cuts[v])[self.codes[v]]
            )
            for v, column in enumerate(self.data.columns)
            if self.number[v]
        }

    def groups(self, cuts: Sequence[Cut], data: Dataset) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The states that are one in the ordinal columns of `data`; a state that is not here joins the one below."""
        found = {}
        for v, name in enumerate(self.data.names):
            column, whole = self.data.columns[v], data.columns[data.index(name)]
            if not (isinstance(column, Discrete) and isinstance(whole, Discrete) and self.ranked[v]):
                continue
            if max(cuts[v]) + 1 == self.bins[v]:
                continue
            mine = dict(zip(column.labels, cuts[v], strict=False))
            groups: list[list[str]] = [[] for _ in range(max(cuts[v]) + 1)]
            place = 0
            for state in whole.labels:
                place = mine.get(state, place)
                groups[place].append(state)
            found[name] = tuple(map(tuple, groups))
        return found


def points_between(values: NDArray[np.float64], intervals: NDArray[np.int64]) -> tuple[float, ...]:
    """Numbers with few digits that separate the intervals; where there is only one, its largest value.

    >>> points_between(np.array([1.21, 1.93, 4.05, 7.5]), np.array([0, 0, 1, 1]))
    (3.0,)
    """
    count = int(intervals.max()) + 1
    if count == 1:
        return (float(values.max()),)
    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, intervals, values)
    np.maximum.at(most, intervals, values)
    return tuple(_round_between(float(low), float(high)) for low, high in zip(most[:-1], least[1:], strict=True))


def _round_between(low: float, high: float) -> float:
    """The number nearest to the middle among those with the fewest digits; `low` itself where none is in between."""
    middle = low / 2 + high / 2
    rounded = (float(f"{middle:.{digits}g}") for digits in range(1, 18))
    return next((number for number in rounded if low < number < high), low)


@dataclass(frozen=True)
class LearnedCuts:
    """The intervals of each column, in the order of the binned data, and what they are worth with their graph."""

    cuts: list[Cut]
    bits: float


class CutLearner:
    """Learns cut points for the data of a request; the variables must be in the order that breaks ties."""

    def __init__(self, request: Request, columns: BinnedColumns, control: Control) -> None:
        self._columns, self._control = columns, control
        boss = make_algorithm("boss", candidates="level-1", measurement_error="never")
        names = columns.data.names
        constraints = request.knowledge.check(names, boss.in_degree)
        self._request = replace(
            request,
            data=columns.data,
            algorithm=boss,
            score=make_score("qnml"),
            constraints=constraints,
            start=(),
            ties="file-order",
            missing=None,
        )
        self._of_pairs: dict[int, Cut] = {}
        self._chosen: dict[object, Cut] = {}  # by the column, its families and the intervals of their other members

    def learn(self) -> LearnedCuts:
        """The best of all starts; those that were tried where the run is to stop."""
        found: list[LearnedCuts] = []
        for intervals in STARTS:
            found.append(self._improve(self._columns.quantiles(intervals)))
            if self._control.stop_reason() is not None:
                break
        return max(found, key=lambda one: one.bits)

    def _improve(self, cuts: list[Cut]) -> LearnedCuts:
        """Graph and cuts by turns."""
        parents, before = self._graph(cuts), None
        for _ in range(MOST_ROUNDS):
            if self._control.stop_reason() is not None or before == parents:
                break
            improved, before = self._sweep(cuts, parents), parents
            if improved == cuts:
                break
            cuts = improved
            parents = self._graph(cuts)
        return LearnedCuts(cuts, self._worth(cuts, parents))

    def _graph(self, cuts: Sequence[Cut]) -> Parents:
        columns = self._columns
        names = columns.data.names
        codes = [np.asarray(cut, np.uint16)[own] for cut, own in zip(cuts, columns.codes, strict=True)]
        states = [range(max(cut) + 1) for cut in cuts]
        data = Dataset.coded(names, states, codes, columns.data.weights)
        if columns.data.interventions is not None:
            data = replace(data, interventions=columns.data.interventions)
        searched = search(replace(self._request, data=data), self._control, details=False)
        found: list[list[int]] = [[] for _ in names]
        for u, v in searched.arcs:
            found[searched.order[v]].append(searched.order[u])
        return tuple(tuple(sorted(own)) for own in found)

    def _sweep(self, cuts: list[Cut], parents: Parents) -> list[Cut]:
        """Each column in turn gets its best intervals, until none changes."""
        columns = self._columns
        cuts = list(cuts)
        families: list[list[list[int]]] = [[] for _ in parents]
        for child, own in enumerate(parents):
            for v in (child, *own) if own else ():
                families[v].append([child, *own])
        for _ in range(MOST_SWEEPS):
            changed = False
            for v, ranked in enumerate(columns.ranked):
                if not ranked or columns.bins[v] < 2:
                    continue
                better = self._choose(v, families[v], cuts) if families[v] else self._of_best_pair(v)
                changed = changed or better != cuts[v]
                cuts[v] = better
            if not changed:
                break
        return cuts

    def _choose(self, v: int, families: list[list[int]], cuts: list[Cut]) -> Cut:
        """The best intervals of a column in its families."""
        others = tuple(tuple((u, *cuts[u]) if u != v else (u,) for u in family) for family in families)
        if (v, others) not in self._chosen:
            self._chosen[v, others] = self._columns.chooser.choose(v, families, cuts, MOST_INTERVALS)[0]
        return self._chosen[v, others]

    def _of_best_pair(self, v: int) -> Cut:
        """The intervals of a column in the pair in which it is worth the most; in two where no pair is worth a cut."""
        if v not in self._of_pairs:
            best, highest = self._columns.quantiles(2)[v], -math.inf
            for u in range(len(self._columns.bins)):
                if u != v:
                    cuts, bits = self._columns.best_of_family(v, [u])
                    if bits > highest and max(cuts[0]) > 0:
                        best, highest = cuts[0], bits
            self._of_pairs[v] = best
        return self._of_pairs[v]

    def _worth(self, cuts: Sequence[Cut], parents: Parents) -> float:
        """Bits of graph and cuts together; the cuts of a column without neighbours cost nothing."""
        columns = self._columns
        joined = {v for child, own in enumerate(parents) if own for v in (child, *own)}
        families = [[child, *own] for child, own in enumerate(parents) if own]
        worth = [columns.chooser.family_bits(family, [cuts[v] for v in family], False) for family in families]
        price = [_log2_choices(columns.bins[v], max(cuts[v]) + 1) for v in joined if columns.ranked[v]]
        return math.fsum(worth) - math.fsum(price)


def _log2_choices(bins: int, intervals: int) -> float:
    return math.log2(math.comb(bins - 1, intervals - 1))
