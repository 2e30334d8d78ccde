"""Local scores from the determinants of correlations, computed by the core."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.associations import Columns
from mahc.engine.families import Families
from mahc.engine.scoring import BatchScorer
from mahc.errors import Mention, SettingError

if TYPE_CHECKING:
    from mahc.engine.smooth_rows import SmoothRows

FLOOR = 1e-4  # of a pivot: what 31 bins leave of the variance of a column that its parents determine
FINEST_GRID = 2.0**-20
MOST_BITS = 52
GRID_PER_ROW = 2.0**-36


def floor_for(size: int) -> float:
    """The least pivot: with 2 / N, a variable with as many states as rows is worth less than its parameters cost."""
    return min(1.0, max(FLOOR, 2 / size))


class SetScores(BatchScorer):
    """A variable v alone scores alone[v]; parents add J(child and parents) - J(parents) - J(child).

    J of a set with c columns is -weight[c] ln|S| + constant[c], S being the part of the matrix that belongs to it.
    `grid` is what J is rounded to. `ranked` says which variables have an order (`Columns`).

    >>> matrix = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> scorer = SetScores(matrix, [0, 1, 2], [500.0] * 3, [0.0] * 3, [-7.0, -9.0], 1e-10, 2.0**-20)
    >>> scorer.score_families(Families.of([(0, []), (0, [1])])).round(3).tolist()
    [-7.0, 136.841]
    """

    def __init__(
        self,
        matrix: NDArray[np.float64],
        first: Sequence[int],
        weight: Sequence[float],
        constant: Sequence[float],
        alone: Sequence[float],
        floor: float,
        grid: float,
        threads: int = 1,
        ranked: Sequence[bool] | None = None,
    ) -> None:
        self._variables = len(first) - 1
        self.columns = Columns(matrix, first, ranked or [False] * self._variables)
        flat = np.ascontiguousarray(matrix, np.float64).reshape(-1)
        self.native = _native.DeterminantScorer(
            flat, list(first), list(weight), list(constant), list(alone), floor, grid, threads
        )

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._variables

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        return self.native.score_families(families.children, families.offsets, families.parents)


class DeterminantScores(SetScores):
    """Scores N/2 ln(|S_child| |S_parents| / |S_family|) - ln(N)/2 |child| |parents|, times a factor; S correlations.

    >>> scorer = DeterminantScores(np.array([[1.0, 0.5], [0.5, 1.0]]), [0, 1, 2], 1000, 1.0)
    >>> scorer.score_families(Families.of([(0, []), (0, [1])])).round(3).tolist()
    [0.0, 140.387]
    """

    def __init__(
        self,
        correlations: NDArray[np.float64],
        first: Sequence[int],
        size: int,
        factor: float,
        penalty_divisors: Sequence[float] | None = None,
        threads: int = 1,
        ranked: Sequence[bool] | None = None,
    ) -> None:
        refuse_targets(penalty_divisors)
        columns = first[-1]
        self._size, self._factor, self._widths = size, factor, np.diff(first)
        # |child| |parents| is half of the square of their sum less their squares, so the penalty is a function of sets.
        price = 0.25 * math.log(size) * factor
        super().__init__(
            correlations,
            first,
            [0.5 * size * factor] * (columns + 1),
            [-price * c * c for c in range(columns + 1)],
            [0.0] * (len(first) - 1),
            floor_for(size),
            grid_for(64.0 * size * max(1, columns)),
            threads,
            ranked,
        )

    def measure_excess(self, questions: Families) -> NDArray[np.float64]:
        """For each x with the parents (Z, y): the information of x about y beyond chance, given Z and alone, in nats.

        It is the log-likelihood ratio less half of its degrees of freedom, which is its expectation by chance.
        """
        asked = list(questions)
        both = self.score_families(questions)
        given = self.score_families(Families.of((x, others[:-1]) for x, others in asked))
        alone = self.score_families(Families.of((x, others[-1:]) for x, others in asked))
        pairs = self._widths[questions.children] * self._widths[[others[-1] for _, others in asked]]
        gains = np.stack([both - given, alone], axis=1) / self._factor
        found: NDArray[np.float64] = gains + (0.5 * (math.log(self._size) - 1) * pairs)[:, None]
        return found


def regression_gains(rows: SmoothRows, arcs: Sequence[tuple[int, int]], degrees: Sequence[int]) -> float:
    """What regressions on the parents gain in a graph, in nats, less ln(N)/2 per coefficient.

    The normal score of a number, or its square where that gains more (the other direction of a curve), and the
    indicators of states are regressed on functions of the parents up to the best of the degrees, which each family has
    for itself.
    """
    parents: dict[int, list[int]] = {}
    for u, v in sorted(arcs):
        parents.setdefault(v, []).append(u)
    best = np.full(len(parents), -math.inf)
    for degree, bent in product(degrees, (False, True)):
        matrix, first = rows.correlations(degree)
        own = [list(range(*pair)) for pair in pairwise(first)]
        as_child = [
            columns[-1:] if ranked and len(columns) < 2 else columns[bent : bent + 1] if ranked else columns
            for columns, ranked in zip(own, rows.ranked, strict=True)
        ]
        listed = [*as_child, *own]  # every variable twice: as a child, and as a parent
        kept = [column for columns in listed for column in columns]
        places = [0, *np.cumsum([len(columns) for columns in listed]).tolist()]
        scorer = DeterminantScores(matrix[np.ix_(kept, kept)], places, rows.size, 1.0)
        families = Families.of([(v, [len(own) + u for u in mine]) for v, mine in parents.items()])
        best = np.maximum(best, scorer.score_families(families))
    return math.fsum(best)


class PairwiseDeterminantScores(BatchScorer):
    """The same with correlations from the rows in which both variables are known.

    The N of a family is the smallest number of rows in which two of its variables are known.

    >>> sizes = np.array([[1000, 500], [500, 900]])
    >>> scorer = PairwiseDeterminantScores(np.array([[1.0, 0.5], [0.5, 1.0]]), [0, 1, 2], sizes, 1.0)
    >>> scorer.score_families(Families.of([(0, []), (0, [1])])).round(3).tolist()
    [0.0, 68.813]
    """

    def __init__(
        self,
        correlations: NDArray[np.float64],
        first: Sequence[int],
        sizes: NDArray[np.int64],
        factor: float,
        penalty_divisors: Sequence[float] | None = None,
        threads: int = 1,
        ranked: Sequence[bool] | None = None,
    ) -> None:
        refuse_targets(penalty_divisors)
        self.columns = Columns(correlations, first, ranked or [False] * (len(first) - 1))
        self._sizes, self._factor, self._columns = sizes, factor, np.diff(first)
        columns = first[-1]
        self._gains = _native.DeterminantScorer(
            np.ascontiguousarray(correlations, np.float64).reshape(-1),
            list(first),
            [0.5 * factor] * (columns + 1),
            [0.0] * (columns + 1),
            [0.0] * (len(first) - 1),
            floor_for(max(2, int(np.diag(sizes).min(initial=1 << 40)))),
            GRID_PER_ROW,
            threads,
        )

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._columns)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        gains = self._gains.score_families(families.children, families.offsets, families.parents)
        widths = np.diff(families.offsets)
        found = np.zeros(len(gains))
        for width in np.unique(widths[widths > 0]).tolist():
            chosen = np.flatnonzero(widths == width)
            parents = families.parents[families.offsets[chosen][:, None] + np.arange(width)]
            members = np.column_stack([families.children[chosen], parents])
            rows = np.maximum(1, self._sizes[members[:, :, None], members[:, None, :]].min(axis=(1, 2)))
            pairs = self._columns[members[:, 0]] * self._columns[parents].sum(axis=1)
            found[chosen] = rows * gains[chosen] - 0.5 * self._factor * np.log(rows) * pairs
        return found


def refuse_targets(penalty_divisors: Sequence[float] | None) -> None:
    """Targets divide the penalty of a variable, which would not be a function of sets."""
    if penalty_divisors is not None:
        raise SettingError("targets need a score with a penalty per parameter: use ", Mention("objective", "bic"))


def grid_for(largest: float) -> float:
    """What scores up to `largest` are rounded to, so that their sums are exact."""
    return max(FINEST_GRID, 2.0 ** (math.ceil(math.log2(largest)) - MOST_BITS))
