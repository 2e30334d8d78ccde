"""Measurement error that shows in a learned graph.

A variable that is measured with error no longer separates its neighbours: with enough rows every score joins them.
Two figures tell such arcs from others. Information is that beyond chance (`CountTester.measure_excess`;
where numbers are functions of their ranks, `DeterminantScores.measure_excess`).

    ratio    of an arc u -> v: the information of u about v given the other parents of v, divided by that of the pair
             alone. Arcs that only measurement error makes necessary keep little of it.
    kappa    over the arcs of low ratio, and over pairs (z, w) that the graph does not join, w no descendant of z and a
             neighbour of a parent of z: the sum of the information that is left given the (other) parents, divided by
             that of the pairs alone. It is about 0 where the parents are measured exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.notes import enumerate_some
from mahc.documents import Document, Number, Whole
from mahc.engine import CountSource, Families
from mahc.engine.count_scoring import CountTester
from mahc.engine.counts import is_count_source, units_of
from mahc.learning.connecting import parents_of
from mahc.learning.problem import Problem
from mahc.plurals import count

Arc = tuple[int, int]
NOTICED_KAPPA = 0.045
LOW_RATIO, FEWEST_LOW = 0.25, 2  # a single weak arc is no sign: clean data have some
FEWEST_LOW_OF_NUMBERS = 4  # functions of ranks do not fit every curve exactly, which makes weak arcs, too
RELATIVE_PRICE = 0.25
LEAST_INFORMATION = 5.0  # nats that a pair must share to be used


class LeftOutArc(Document, frozen=True, array_like=True, kw_only=False):
    """An arc that the relative price left out: the share of the pair's information that is left given other parents."""

    tail: str
    head: str
    share: Number | None  # None where it could not be measured
    given: tuple[str, ...]

    def describe(self) -> str:
        """Why it was left out, to follow what else is said of the arc."""
        if self.share is None:
            return "the relative price, a cure for measurement error, left it out"
        given = f" given {enumerate_some(list(self.given))}" if self.given else ""
        kept = f"{100 * self.share:.0f} % of what the pair shares{given}"
        if self.share < LOW_RATIO:
            return f"it keeps only {kept}: typical of measurement error"
        return f"it kept {kept} in the first graph, and the relative price, a cure for measurement error, left it out"


class MeasurementErrorRecord(Document, frozen=True, kw_only=False):
    """The signs of measurement error in the first graph of a search, and what was done about them.

    `kappa` is None where too few arcs keep so little that it was measured; `relative_price` is 0 where nothing
    was noticed.

    >>> MeasurementErrorRecord(0.18, 40, 0.25, (LeftOutArc("a", "b", 0.12, ("c",)),)).describe()
    'the data look as if values were measured with error (kappa 0.18): learned with ... which left out 1 arc: a -> b'
    """

    kappa: Number | None
    pairs: Whole  # that kappa is measured on
    relative_price: Number = 0.0
    left_out: tuple[LeftOutArc, ...] = ()

    @property
    def noticed(self) -> bool:
        """Whether the graph was learned again with a relative price."""
        return self.relative_price > 0

    def describe(self) -> str:
        """What was noticed and done, in one line."""
        arcs = enumerate_some([f"{each.tail} -> {each.head}" for each in self.left_out])
        which = f", which left out {count(len(self.left_out), 'arc')}: {arcs}" if self.left_out else ""
        return (
            f"the data look as if values were measured with error (kappa {self.kappa:.2g}): "
            f"learned with a relative arc price of {self.relative_price:g}{which}"
        )


@dataclass(frozen=True)
class ErrorSigns:
    """The share of its information that each arc keeps and, where enough are low, kappa and its number of pairs.

    `relative_price` is that of the second search, `left_out` the arcs of the first graph whose variables the second
    does not join, with the other parents of the head there.

    >>> ErrorSigns({(0, 1): 0.1}, 0.2, 7).noticed, ErrorSigns({(0, 1): 0.1}, None, 0).noticed
    (True, False)
    """

    ratios: dict[Arc, float]
    kappa: float | None
    pairs: int
    relative_price: float = 0.0
    left_out: tuple[tuple[int, int, tuple[int, ...]], ...] = ()

    @property
    def noticed(self) -> bool:
        """Does the graph look as if values had been measured with error?"""
        return self.kappa is not None and self.kappa >= NOTICED_KAPPA

    def cured(self, relative_price: float, before: Sequence[Arc], after: Sequence[Arc]) -> ErrorSigns:
        """The same, with what the second search left out."""
        joined = {frozenset(arc) for arc in after}
        gone = [arc for arc in before if frozenset(arc) not in joined]
        left_out = [(u, v, tuple(w for w, head in before if head == v and w != u)) for u, v in gone]
        return replace(self, relative_price=relative_price, left_out=tuple(left_out))

    def named(self, names: Sequence[str]) -> MeasurementErrorRecord:
        """The record of it; the arcs that keep least come first."""
        found = [
            LeftOutArc(names[u], names[v], self.ratios.get((u, v)), tuple(sorted(names[w] for w in given)))
            for u, v, given in self.left_out
        ]
        found.sort(key=lambda arc: (math.inf if arc.share is None else arc.share, arc.tail, arc.head))
        return MeasurementErrorRecord(self.kappa, self.pairs, self.relative_price, tuple(found))


@runtime_checkable
class _Measures(Protocol):
    """Who measures the information of pairs beyond chance, given conditions and alone."""

    def measure_excess(self, questions: Families) -> NDArray[np.float64]: ...


def signs_in(problem: Problem, arcs: Sequence[Arc]) -> ErrorSigns | None:
    """The signs of measurement error in a graph; None where they cannot be measured on these data with this score."""
    source = problem.rows if problem.rows is not None else getattr(problem.scorer, "source", None)
    parents = parents_of(problem.variables, arcs)
    if isinstance(problem.scorer, _Measures):  # of functions of ranks; those of incomplete rows are not examined
        complete = getattr(source, "complete", False)
        return _signs_by(_Meter(problem.scorer, parents), FEWEST_LOW_OF_NUMBERS) if complete else None
    if not is_count_source(source) or units_of(source)[1] > 1 or not getattr(problem.scorer, "uniform", True):
        return None
    if not hasattr(getattr(problem.scorer, "score", None), "formula"):  # a score of numbers, which have no states
        return None
    return measure_signs(source, parents)


def measure_signs(source: CountSource, parents: Sequence[Sequence[int]]) -> ErrorSigns:
    """The signs of measurement error in the graph of these parents, which was learned from these data."""
    return _signs_by(_TableMeter(source, parents), FEWEST_LOW)


def _signs_by(meter: _Meter, fewest_low: int) -> ErrorSigns:
    known = meter.arcs()
    low = [each for each in known if each.ratio < LOW_RATIO]
    ratios = {(each.tail, each.head): each.ratio for each in known}
    if len(low) < fewest_low:
        return ErrorSigns(ratios, None, 0)
    pairs = [*low, *meter.unjoined()]
    return ErrorSigns(ratios, math.fsum(p.kept for p in pairs) / math.fsum(p.alone for p in pairs), len(pairs))


def measure_kappa(
    source: CountSource, parents: Sequence[Sequence[int]]
) -> tuple[float | None, list[tuple[int, int, float]]]:
    """Kappa of a graph that need not be learned from these data, and the pairs (w, z, share) that keep information.

    The share is that of the pair's information which the parents of z leave. The pairs that keep most come first. Kappa
    is None where no pair can be used.
    """
    pairs = _TableMeter(source, parents).unjoined()
    if not pairs:
        return None, []
    kept = sorted((p for p in pairs if p.kept > 0), key=lambda p: (-p.kept, p.tail, p.head))
    kappa = math.fsum(p.kept for p in pairs) / math.fsum(p.alone for p in pairs)
    return kappa, [(p.tail, p.head, p.ratio) for p in kept]


@dataclass(frozen=True)
class _Pair:
    """Two variables, the information of one about the other given the conditions, and alone."""

    tail: int
    head: int
    kept: float
    alone: float

    @property
    def ratio(self) -> float:
        """The share that is left."""
        return self.kept / self.alone


class _Meter:
    """Measures pairs by tables of counts, or by the correlations of functions of ranks."""

    def __init__(self, tester: _Measures, parents: Sequence[Sequence[int]]) -> None:
        self.tester, self.parents = tester, parents

    def usable(self, variables: Sequence[int]) -> bool:
        """Are there enough rows to measure the information of these variables?"""
        return True

    def arcs(self) -> list[_Pair]:
        """The arcs."""
        return self._measure((u, v, [p for p in mine if p != u]) for v, mine in enumerate(self.parents) for u in mine)

    def unjoined(self) -> list[_Pair]:
        """The pairs that the graph does not join and whose information the parents of one should explain."""
        return self._measure((w, z, list(self.parents[z])) for z, w in self._unjoined_pairs())

    def _measure(self, asked: Iterable[tuple[int, int, list[int]]]) -> list[_Pair]:
        """The information of u about v given Z, for each (u, v, Z) whose pair has enough and whose table is small."""
        small = [(u, v, given) for u, v, given in asked if self.usable([u, v, *given])]
        found = self.tester.measure_excess(Families.of((v, [*given, u]) for u, v, given in small))
        pairs = [_Pair(u, v, *mine) for (u, v, _), mine in zip(small, found.tolist(), strict=True)]
        return [pair for pair in pairs if pair.alone >= LEAST_INFORMATION]

    def _unjoined_pairs(self) -> Iterator[Arc]:
        """The pairs (z, w) of kappa."""
        children: list[list[int]] = [[] for _ in self.parents]
        for v, mine in enumerate(self.parents):
            for u in mine:
                children[u].append(v)
        below = _descendants(children)
        for z, mine in enumerate(self.parents):
            near = {w for u in mine for w in (*self.parents[u], *children[u])}
            for w in sorted(near - {z, *mine, *children[z]}):
                if not below[z] >> w & 1:
                    yield z, w


class _TableMeter(_Meter):
    """From tables of counts, which must not have more cells than there are rows."""

    def __init__(self, source: CountSource, parents: Sequence[Sequence[int]]) -> None:
        super().__init__(CountTester(source), parents)
        self.states = np.array([float(len(counts)) for counts in source.marginals])
        self.size = float(source.size)

    def usable(self, variables: Sequence[int]) -> bool:
        """Has their table at most as many cells as there are rows?"""
        return bool(self.states[list(variables)].prod() <= self.size)


def _descendants(children: Sequence[Sequence[int]]) -> list[int]:
    """The descendants of every variable, one bit each."""
    found = [0] * len(children)
    for v in TopologicalSorter(dict(enumerate(children))).static_order():
        for w in children[v]:
            found[v] |= found[w] | 1 << w
    return found
