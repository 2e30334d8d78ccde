"""Tests of independence of columns of numbers, alone or beside columns of states; the core computes them.

Two testers answer the same questions. `smooth_tester` replaces numbers by functions of their ranks and discrete columns
by indicators; `fisher_tester` takes numbers as they are. Where values are missing, a `PairwiseTester` makes one of them
for the rows that are complete in a question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind
from mahc.data.columns import mix
from mahc.data.rank_bins import rank_bins
from mahc.engine import _native
from mahc.engine.control import RunControl
from mahc.engine.families import Families
from mahc.engine.moments import CHUNK, Moments, weight_digits
from mahc.engine.smooth_rows import correlate, functions_of_rank, indicators

BINS = 1023  # rank bins: so fine that nothing of a condition is lost within a bin
END_DEGREE = 2  # functions of a number that is tested: its normal score, and one that sees curves
CONDITION_DEGREE = 10  # functions of a number that is a condition
ROWS_PER_FUNCTION = 10  # of all conditions together: with fewer rows, conditions have fewer functions
MOST_COLUMNS = 8192  # of all variables: with more variables, conditions have fewer functions
MOST_ROWS = 4096  # from which the variance of a statistic is estimated
MOST_NUMBERS = 1 << 26  # in those rows
MOST_WEIGHT = 1 << 24  # of those rows, after scaling
FEW_COLUMNS, SMALL_PRODUCT = 64, 1 << 18  # NumPy multiplies so little in one thread
MOST_ANSWERS = 1 << 18  # that a pairwise tester remembers
MOST_EXACT = 1 << 31  # of all rows: their sums stay below 2^53

Whole = NDArray[np.int64]
Question = tuple[int, tuple[int, ...]]  # x, and the conditions with y last
Result = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


class ColumnTester:
    """Tests from correlations, in batches."""

    def __init__(self, native: _native.ColumnTester) -> None:
        self._native = native

    def test_families(self, questions: Families, control: RunControl | None = None) -> Result | None:
        """Statistics, degrees of freedom and log p-values; None when the control stops the run."""
        return self._native.test_families(questions.children, questions.offsets, questions.parents, control)


class PairwiseTester:
    """Each test from the rows that are complete in its variables, as if there were no others.

    >>> from mahc.data import Continuous
    >>> x, y = np.random.default_rng(1).normal(size=(2, 100))
    >>> data = Dataset(("x", "y"), (Continuous(np.where(x > 1, np.nan, x)), Continuous(x + y)))
    >>> tester = PairwiseTester(data, None, fisher_tester)
    >>> found = tester.test_families(Families.of([(0, [1])]))
    >>> complete = fisher_tester(data.drop_incomplete()).test_families(Families.of([(0, [1])]))
    >>> bool(found[0][0] == complete[0][0]), tester.sizes(Families.of([(0, [1])])).tolist() == [(x <= 1).sum()]
    (True, True)
    """

    def __init__(
        self,
        data: Dataset,
        weights: NDArray[np.integer] | None,
        make: Callable[..., ColumnTester],
        threads: int = 1,
    ) -> None:
        self._data, self._weights, self._make, self._threads = data, _in_use(data, weights), make, threads
        self._known = [None if column.complete else ~column.missing for column in data.columns]
        self._answers: dict[Question, tuple[float, ...]] = {}  # a search in several degrees asks the same in each

    def test_families(self, questions: Families, control: RunControl | None = None) -> Result | None:
        """Statistics, degrees of freedom and log p-values; None when the control stops the run."""
        asked = list(questions)
        new = [question for question in dict.fromkeys(asked) if question not in self._answers]
        found = self._test(Families.of(new), control)
        if found is None:
            return None
        answers = dict(zip(new, map(tuple, found.T.tolist()), strict=True))
        if len(self._answers) + len(answers) <= MOST_ANSWERS:
            self._answers.update(answers)
        answered = [answers[each] if each in answers else self._answers[each] for each in asked]
        statistic, freedom, log_p = np.array(answered).reshape(-1, 3).T
        return statistic, freedom, log_p

    def _test(self, questions: Families, control: RunControl | None) -> NDArray[np.float64] | None:
        found = np.zeros((3, len(questions)))
        for variables, asked in _by_variables(questions).items():
            if control is not None and control.should_stop(0, np.nan):
                return None
            known = self._complete_in(variables)
            weights = self._weights[known]
            if not weights.any():  # no row says anything: independent
                continue
            part = self._data.select([self._data.names[v] for v in variables]).take(known)
            place = {v: i for i, v in enumerate(variables)}
            own = Families.of([(place[x], [place[v] for v in others]) for _, (x, others) in asked])
            here = self._make(part, weights, self._threads).test_families(own, control)
            if here is None:
                return None
            found[:, [which for which, _ in asked]] = here
        return found

    def sizes(self, questions: Families) -> Whole:
        """The total weight of the rows that are complete in each question."""
        found = np.zeros(len(questions), np.int64)
        for variables, asked in _by_variables(questions).items():
            found[[which for which, _ in asked]] = self._weights[self._complete_in(variables)].sum()
        return found

    def _complete_in(self, variables: Sequence[int]) -> NDArray[np.bool_]:
        known = self._weights > 0
        for v in variables:
            mask = self._known[v]
            known = known if mask is None else known & mask
        return known


def _by_variables(questions: Families) -> dict[tuple[int, ...], list[tuple[int, Question]]]:
    """The questions, each with its place, by the variables that they are about."""
    found: dict[tuple[int, ...], list[tuple[int, Question]]] = {}
    for which, (x, others) in enumerate(questions):
        found.setdefault(tuple(sorted((x, *others))), []).append((which, (x, others)))
    return found


def fisher_tester(data: Dataset, weights: NDArray[np.integer] | None = None, threads: int = 1) -> ColumnTester:
    """Fisher's z of the partial correlation; constants are independent of everything.

    `weights` replace those of the data (a resample).

    >>> from mahc.data import Continuous
    >>> x, y = np.random.default_rng(1).normal(size=(2, 100))
    >>> data = Dataset(("x", "y"), (Continuous(x), Continuous(x + y)))
    >>> statistic, freedom, log_p = fisher_tester(data).test_families(Families.of([(0, [1])]))
    >>> bool(np.isclose(statistic[0], 97 * np.arctanh(np.corrcoef(x, x + y)[0, 1]) ** 2)), freedom.tolist()
    (True, [1.0])
    """
    moments = Moments.of(np.stack([column.as_array() for column in data.columns]), _in_use(data, weights))
    matrix, deviations = moments.correlations()
    varies = np.isfinite(deviations)
    used = np.flatnonzero(varies)
    first = [0, *np.cumsum(varies).tolist()]
    none = np.zeros(0)
    native = _native.ColumnTester(
        np.ascontiguousarray(matrix[np.ix_(used, used)]).reshape(-1),
        first,
        np.diff(first).tolist(),
        [False] * len(varies),
        [1],
        none.astype(np.float32),
        none,
        moments.size,
        threads,
    )
    return ColumnTester(native)


def smooth_tester(data: Dataset, weights: NDArray[np.integer] | None = None, threads: int = 1) -> ColumnTester:
    """Correlations of residuals, with a variance that holds where the spread of x and y depends on the conditions.

    `weights` replace those of the data (a resample), which keeps the bins of the data.

    >>> from mahc.data import Continuous
    >>> x, y = np.random.default_rng(1).normal(size=(2, 400))
    >>> data = Dataset(("x", "y"), (Continuous(x), Continuous(x**2 + y)))
    >>> statistic, freedom, log_p = smooth_tester(data).test_families(Families.of([(0, [1])]))
    >>> freedom.tolist(), bool(log_p[0] < -20)
    ([4.0], True)
    """
    weights = _in_use(data, weights)
    size, n = int(weights.sum()), len(data.names)
    degree = int(np.clip(MOST_COLUMNS // n, END_DEGREE, CONDITION_DEGREE))
    used = [_use(column, data.weights, weights, degree) for column in data.columns]
    first = [0, *np.cumsum([len(each.functions) for each in used]).tolist()]
    matrix, means, deviations = _correlations(used, weights, first[-1])
    rows, sampled = _sample_rows(used, weights, max(1, min(MOST_ROWS, MOST_NUMBERS // max(1, first[-1]))))
    values = np.concatenate([np.zeros((0, len(rows))), *(each.functions[:, each.codes[rows]] for each in used)])
    standard = ((values - means[:, None]) / deviations[:, None]).astype(np.float32)
    native = _native.ColumnTester(
        np.ascontiguousarray(matrix).reshape(-1),
        first,
        [min(END_DEGREE, len(each.functions)) if each.number else len(each.functions) for each in used],
        [each.number for each in used],
        [degree, *(int(np.clip(size // (ROWS_PER_FUNCTION * k), 1, degree)) for k in range(1, 65))],
        np.ascontiguousarray(standard).reshape(-1),
        sampled.astype(np.float64),
        size,
        threads,
    )
    return ColumnTester(native)


def _in_use(data: Dataset, weights: NDArray[np.integer] | None) -> Whole:
    given = data.weights if weights is None else weights
    return np.ones(data.rows, np.int64) if given is None else np.asarray(given, np.int64)


@dataclass(frozen=True)
class _Used:
    """A column as it is used: a code per row, and functions of the codes, one line each."""

    number: bool
    codes: Whole
    functions: Whole
    keys: Whole  # one for each code; the same after a change of sign or of labels


def _use(column: object, bins_of: NDArray[np.integer] | None, weights: Whole, degree: int) -> _Used:
    number = column.kind is Kind.CONTINUOUS  # type: ignore[attr-defined]
    values = column.as_array()  # type: ignore[attr-defined]
    codes = rank_bins(values, bins_of, BINS) if number else values.astype(np.int64)
    counts = np.bincount(codes, weights=weights.astype(np.float64)).astype(np.int64)
    if number:
        distances = np.abs(2 * np.arange(len(counts)) + 1 - len(counts))  # from the middle
        return _Used(True, codes, _functions(counts.tobytes(), degree), distances)
    return _Used(False, codes, indicators(counts), counts)


@lru_cache(maxsize=64)
def _functions(counts: bytes, degree: int) -> Whole:
    """Columns without equal values share their functions."""
    return functions_of_rank(np.frombuffer(counts, np.int64), degree)


def _correlations(
    used: Sequence[_Used], weights: Whole, columns: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The correlations of all columns, their means and standard deviations; sums are exact."""
    size = int(weights.sum())
    exact = np.float64 if size < MOST_EXACT else object
    products, sums = np.zeros((columns, columns), exact), np.zeros(columns, exact)
    # Many small products, as of a PairwiseTester: NumPy's threads would wait for each other longer than they multiply.
    block = CHUNK if columns > FEW_COLUMNS else SMALL_PRODUCT // max(1, columns) ** 2
    for start in range(0, len(weights), CHUNK):
        part = slice(start, start + CHUNK)
        lines = np.concatenate([np.zeros((0, len(weights[part]))), *(u.functions[:, u.codes[part]] for u in used)])
        for shift, digits in weight_digits(weights[part]):
            weighted = lines if (digits == 1).all() else lines * digits
            for begin in range(0, lines.shape[1], block):
                own = slice(begin, begin + block)
                products += (weighted[:, own] @ lines[:, own].T).astype(np.int64).astype(exact) * (1 << shift)
            sums += weighted.sum(axis=1).astype(np.int64).astype(exact) * (1 << shift)
    return correlate(products, sums, size)


def _sample_rows(used: Sequence[_Used], weights: Whole, most: int) -> tuple[NDArray[np.intp], Whole]:
    """Some rows with their weights: about `most`, chosen by their content, so that the order of rows does not matter.

    Equal rows are one, with the sum of their weights.
    """
    rows = np.flatnonzero(weights)
    kept = weights[rows]
    if len(rows) > most:
        _, at, which = np.unique(_hash_rows(used, rows, folded=False), return_index=True, return_inverse=True)
        kept = np.bincount(which.reshape(-1), weights=kept.astype(np.float64)).astype(np.int64)
        rows = rows[at]
    if len(rows) > most:
        chosen = _hash_rows(used, rows, folded=True) < np.uint64(int(most / len(rows) * 2**64))
        rows, kept = rows[chosen], kept[chosen]
    total = int(kept.sum())
    if total > MOST_WEIGHT:
        kept = np.rint(kept * (MOST_WEIGHT / total)).astype(np.int64)
    return rows, kept


def _hash_rows(used: Sequence[_Used], rows: NDArray[np.intp], folded: bool) -> NDArray[np.uint64]:
    """A hash per row; `folded` ones do not change with the signs and the labels of columns."""
    found = np.zeros(len(rows), np.uint64)
    for v, each in enumerate(used):
        keys = each.keys if folded else np.arange(len(each.keys))
        found += mix(mix(np.full(1, v, np.uint64)) + keys.astype(np.uint64))[each.codes[rows]]
    return mix(found)
