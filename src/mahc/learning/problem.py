"""What every search algorithm is given: a scorer, constraints, a start graph and a control."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountSource, Families, FamilyScorer, _native
from mahc.engine.better_parents import BetterParents, choose_better_parents
from mahc.errors import MahcError
from mahc.knowledge.constraints import Constraints
from mahc.learning.arc_prices import NO_PRICES, ArcPrices
from mahc.learning.control import Control, Stopped
from mahc.learning.memory import MemoryLimit


@dataclass(frozen=True)
class Problem:
    """Variables are 0..n-1 in the order by which ties are broken; equal values differ by at most `tolerance`.

    With `data_ties` the data break ties before that order does: of equally good additions the one after which
    the most can be gained (lookahead), of equal averages the higher score. The scores that a search uses (`pairs`,
    `score`, `score_cache`) are less the `prices` of the arcs; `local_scores` are plain.
    """

    scorer: FamilyScorer
    constraints: Constraints
    start: tuple[tuple[int, int], ...]
    control: Control
    memory: MemoryLimit = field(default_factory=MemoryLimit)
    details: bool = True  # keep what is known of every ordered pair, for the result
    data_ties: bool = True
    prices: ArcPrices = NO_PRICES
    score_base: float = 2.0  # of the logarithms
    single_gains_suffice: bool = True  # of the score
    rows: CountSource | None = None  # what the scores come from, where the scorer does not say it

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self.scorer.variables

    @property
    def source(self) -> CountSource:
        """The counts or rows that the scores come from, for algorithms that need more than scores."""
        source: CountSource | None = getattr(self.scorer, "source", self.rows)
        if source is None:
            raise MahcError("this algorithm needs counts, and the scorer has none: use an algorithm that only scores")
        if not getattr(self.scorer, "uniform", True):
            raise MahcError("this algorithm cannot use rows of experiments: use one that only scores, such as boss")
        return source

    # Not cached_property: all problems share its lock in Python 3.11, and searches side by side would wait.

    @property
    def plain_pairs(self) -> NDArray[np.float64]:
        """`pairs` without prices."""
        if "plain_pairs" not in self.__dict__:
            found = self.scorer.score_pairs(self.control)
            if found is None:
                raise Stopped
            self.__dict__["plain_pairs"] = found
        kept: NDArray[np.float64] = self.__dict__["plain_pairs"]
        return kept

    @property
    def pairs(self) -> NDArray[np.float64]:
        """[u, v]: local score of v with the one parent u; [v, v]: without parents. Stopped when the run is to stop."""
        if not self.prices:
            return self.plain_pairs
        if "pairs" not in self.__dict__:
            self.__dict__["pairs"] = self.plain_pairs - self.prices.matrix(self.variables)
        kept: NDArray[np.float64] = self.__dict__["pairs"]
        return kept

    def known_pairs(self, candidates: int) -> NDArray[np.float64] | None:
        """`pairs`, unless a search that uses so few of them would have to score them all first."""
        if "plain_pairs" in self.__dict__ or 4 * candidates >= self.variables**2:
            return self.pairs
        return None

    def better_parents(self) -> BetterParents:
        """The single parents with which each variable scores higher than alone; Stopped when the run is to stop."""
        if self.details or "plain_pairs" in self.__dict__:
            return choose_better_parents(self.pairs, self.tolerance)
        most = self.memory.bytes // 8 // 32
        found = self.scorer.score_better_parents(self.prices.constant, self.tolerance, most, self.control)
        if found is None:
            raise Stopped
        found = found.less(self.prices.extra, self.tolerance)
        cheap = sorted(arc for arc, price in self.prices.extra.items() if price < 0)
        if not cheap:
            return found
        scores = self.score(Families.of((v, [u]) for u, v in cheap))
        if scores is None:
            raise Stopped
        return found.adding(cheap, scores, self.tolerance)

    @cached_property
    def tolerance(self) -> float:
        """Scores this close are equal: a millionth of a millionth of the empty graph's score."""
        empty = self.local_scores([()] * self.variables)
        return max(1e-9, 1e-12 * abs(float(empty.sum())))

    @cached_property
    def score_cache(self) -> _native.ScoreCache:
        """Local scores requested before, shared by all phases of a search."""
        prices = self.prices
        lists = prices.lists(self.variables)
        return _native.ScoreCache(self.scorer, self.memory.score_cache_bytes, prices.constant, *lists)

    def score(self, families: Families) -> NDArray[np.float64] | None:
        """Local scores through the cache; None when the run is to stop."""
        if self.control.stop_reason() is not None:
            return None
        return self.score_cache.score_families(families.children, families.offsets, families.parents, self.control)

    def local_scores(self, parents: Sequence[Sequence[int]]) -> NDArray[np.float64]:
        """The local score of every variable with its parents, whatever the control says."""
        return self.scorer.score_families(Families.of(enumerate(parents)))

    def total(self, arcs: Iterable[tuple[int, int]]) -> float:
        """The score of a DAG, without the price of its arcs."""
        parents: list[list[int]] = [[] for _ in range(self.variables)]
        for u, v in arcs:
            parents[v].append(u)
        return math.fsum(self.local_scores([sorted(mine) for mine in parents]))

    def priced(self, prices: ArcPrices) -> Problem:
        """The same problem with a price for each arc."""
        if prices == self.prices:
            return self
        return self._sharing(replace(self, prices=prices), "plain_pairs", "tolerance")

    @cached_property
    def bonuses(self) -> dict[tuple[int, int], float]:
        """What beliefs add for each arc, in units of the score."""
        place = {name: v for v, name in enumerate(self.constraints.names)}
        return {
            (place[a], place[b]): odds / math.log(self.score_base) for (a, b), odds in self.constraints.log_odds.items()
        }

    def priced_by(self, constant: float, share: float, power: float = 1.0) -> Problem:
        """The same problem in which each arc costs `constant` and that share of what its pair gains alone.

        What a pair gains is the mean of both directions, less the constant price; a pair that gains nothing costs
        nothing more. Both directions of a pair have one price, so equivalent graphs keep equal scores. Beliefs come
        off the price; where scores are raised to a power, they are not.
        """
        extra = {arc: -bonus / power for arc, bonus in self.bonuses.items()}
        if share:
            for arc, price in self.priced(ArcPrices(constant))._relative_prices(share).items():
                extra[arc] = extra.get(arc, 0.0) + price
        return self.priced(ArcPrices(constant, extra, share))

    def _relative_prices(self, share: float) -> dict[tuple[int, int], float]:
        better = self.better_parents()
        children = np.repeat(np.arange(self.variables, dtype=np.int32), np.diff(better.first))
        gains = dict(
            zip(
                zip(better.parents.tolist(), children.tolist(), strict=True),
                (better.scores - better.alone[children]).tolist(),
                strict=True,
            )
        )
        lone = [(v, u) for u, v in gains if (v, u) not in gains]  # a score may prefer one direction
        opposite = self.score(Families.of((v, [u]) for u, v in lone))
        if opposite is None:
            raise Stopped
        gains.update(zip(lone, (opposite - better.alone[[v for _, v in lone]]).tolist(), strict=True))
        return {(u, v): share * (gain + gains[v, u]) / 2 for (u, v), gain in gains.items() if gain + gains[v, u] > 0}

    def starting(self, arcs: Sequence[tuple[int, int]]) -> Problem:
        """The same problem with a start graph; scores counted already are shared."""
        return self._sharing(replace(self, start=tuple(arcs)), "plain_pairs", "pairs", "tolerance", "score_cache")

    def _sharing(self, other: Problem, *names: str) -> Problem:
        """The other problem, with what is known here already."""
        other.__dict__.update({name: self.__dict__[name] for name in names if name in self.__dict__})
        return other
