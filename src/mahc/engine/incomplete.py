"""Rows with missing values, held by the compiled core: counts and local scores from the rows complete in a family."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine import _native
from mahc.engine.control import RunControl
from mahc.engine.counts import FamilyCounts, Hashes, mix_bits
from mahc.engine.families import Families
from mahc.engine.rows import available_processors
from mahc.engine.scoring import BatchScorer, CountFormula, penalty_divisors_for
from mahc.errors import DataError, Mention

LOG_STEPS = 128  # of a log weight per bit, as in cpp/incomplete/incomplete_rows.hpp
MOST_STEPS = 5 * LOG_STEPS
MOST_CLASS_CODES = 64  # of a column that says the class of a row's weight: more would be slow to count
MOST_WEIGHT = 1 << 23  # sums of rows and weights share 64 bits
MEMORY = 1 << 30  # usual bytes for bitmaps of the columns


class RowWeights:
    """Per variable: a weight for each row because the variable is observed in it, and what it was computed from.

    `logs[v]` is log2 of the weight of each row in steps of 1/128, or None; `causes[v]` are the variables that the
    missingness of v depends on. Whole numbers, so that a product of weights has the same bits in any order.
    """

    def __init__(self, logs: Sequence[NDArray[np.int16] | None], causes: Sequence[Sequence[int]]) -> None:
        self.logs = list(logs)
        self.causes = [list(some) for some in causes]

    @staticmethod
    def none(variables: int) -> RowWeights:
        """No weights at all."""
        return RowWeights([None] * variables, [[]] * variables)


class IncompleteRows:
    """A `CountSource` over incomplete data: the counts of a family come from the rows that are complete in it.

    >>> from mahc.data import read
    >>> data = read({"a": ["x", "y", ""], "b": ["u", "", "v"]}, missing="state").state_as_missing()
    >>> rows = IncompleteRows(data)
    >>> rows.count_families(Families.of([(0, [1])])).cells.tolist()
    [1, 0, 0, 0]
    """

    incomplete = True  # counts of a family may sum to less than the size

    def __init__(
        self,
        data: Dataset,
        weights: RowWeights | None = None,
        *,
        order: Sequence[int] | None = None,
        threads: int | None = None,
        memory_bytes: int = MEMORY,
    ) -> None:
        if data.size >= MOST_WEIGHT:
            raise DataError(
                f"data with missing values may have at most {MOST_WEIGHT:,} rows, these have {data.size:,}: "
                "use a sample"
            )
        self.data = data
        self.threads = available_processors() if threads is None else threads
        self.memory_bytes = memory_bytes
        self._given = weights or RowWeights.none(len(data.names))
        self._order = list(range(len(data.names)) if order is None else order)
        self.names = tuple(data.names[v] for v in self._order)
        if data.interventions is not None:
            raise DataError(
                "rows of experiments must have all values, because a missing value may be one that was set: use ",
                Mention("missing", "drop"),
            )
        self.weighted = any(logs is not None for logs in self._given.logs)

    @cached_property
    def native(self) -> _native.IncompleteRows:
        """The rows in the core, which has its own copy of them."""
        place = {v: i for i, v in enumerate(self._order)}
        own = self.data.weights
        return _native.IncompleteRows(
            [self.data.discrete[v].codes.astype(np.uint32) for v in self._order],
            [len(self.data.discrete[v].states) for v in self._order],
            None if own is None else own.astype(np.uint32),
            [self._given.logs[v] for v in self._order],
            [[place[cause] for cause in self._given.causes[v]] for v in self._order],
        )

    @property
    def rows(self) -> int:
        """How many rows are stored, complete or not."""
        return self.data.rows

    @property
    def size(self) -> int:
        """The total weight of the rows."""
        return self.data.size

    @cached_property
    def marginals(self) -> list[NDArray[np.int64]]:
        """For each variable, how often each of its states is observed."""
        own = self.data.weights
        found = []
        for v in self._order:
            states = len(self.data.discrete[v].states)
            counts = np.bincount(self.data.discrete[v].codes, own, states)
            found.append(counts[:states].astype(np.int64))
        return found

    def fingerprint(self) -> str:
        """The fingerprint of the data, with missing values as a state."""
        return self.data.fingerprint()

    def arranged(self, order: Sequence[int]) -> IncompleteRows:
        """The same rows, variable i being `order[i]` of the data."""
        return IncompleteRows(self.data, self._given, order=order, threads=self.threads, memory_bytes=self.memory_bytes)

    def with_weight_classes(self) -> tuple[list[NDArray[np.unsignedinteger]], list[int], list[list[int]]]:
        """The columns with missing values as a state, and one more column per weighted variable; their state counts.

        The codes of such a column say the class of a row's weight beside the state. The third result is log2 of the
        weight of each class, for each variable; none where there are no weights, or too many classes.
        """
        columns = [self.data.discrete[v].codes for v in self._order]
        states = [self.data.discrete[v].code_count for v in self._order]
        class_logs: list[list[int]] = []
        for i, v in enumerate(self._order):
            given, own = self._given.logs[v], len(self.data.discrete[v].states)
            class_logs.append([])
            if given is None:
                continue
            observed = columns[i] < own
            shifted = given.astype(np.intp)
            least = int(shifted.min())
            shifted -= least
            levels = np.flatnonzero(np.bincount(shifted, observed))
            codes = len(levels) * own + 1
            if not len(levels) or codes > MOST_CLASS_CODES:
                continue
            place = np.zeros(MOST_STEPS * 2 + 1, np.uint8)
            place[levels] = np.arange(len(levels)) * own
            coded = place[shifted]
            coded += columns[i]
            coded[~observed] = codes - 1
            columns.append(coded)
            states.append(codes)
            class_logs[-1] = (levels + least).tolist()
        return columns, states, class_logs

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family; tables of configurations that do not occur are left out."""
        try:
            counted = self.native.count_families(families.children, families.offsets, families.parents)
        except OverflowError as error:
            raise DataError(f"{error}: lower the in-degree, or merge states") from None
        cells, offsets = counted
        return FamilyCounts(cells, offsets)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """The sums over the rows; a missing value adds nothing to the hash of its row."""
        sizes = [len(self.data.discrete[v].states) for v in self._order]
        firsts = np.concatenate([[0], np.cumsum(sizes)])
        row = np.zeros(self.rows, np.uint64)
        padded = []
        for i, v in enumerate(self._order):
            mine = np.append(state_hashes[firsts[i] : firsts[i + 1]], np.uint64(0))
            padded.append(self.data.discrete[v].codes)
            if sizes[i] > 1:
                row += mine[padded[i]]
        mixed = mix_bits(row)
        if self.data.weights is not None:
            mixed = mixed * self.data.weights.astype(np.uint64)
        found = np.zeros(int(firsts[-1]), np.uint64)
        for i in np.flatnonzero(wanted).tolist():
            sums = np.zeros(sizes[i] + 1, np.uint64)
            np.add.at(sums, padded[i], mixed)
            found[firsts[i] : firsts[i + 1]] = sums[:-1]
        return found


class IncompleteScorer(BatchScorer):
    """Local scores of incomplete data; see cpp/incomplete/incomplete_scorer.hpp for how they are made comparable.

    >>> from mahc.data import read
    >>> from mahc.scores import BIC
    >>> columns = {"a": ["x", "y", "x", "y", ""], "b": ["u", "v", "u", "v", "u"]}
    >>> data = read(columns, missing="state").state_as_missing()
    >>> IncompleteScorer(IncompleteRows(data), BIC()).score_families(Families.of([(0, []), (0, [1])])).tolist()
    [-6.25, -2.5]
    """

    def __init__(
        self,
        rows: IncompleteRows,
        score: CountFormula,
        penalty_divisors: Sequence[float] | None = None,
        *,
        use_weights: bool = True,
    ) -> None:
        divisors = penalty_divisors_for(score, penalty_divisors)
        self.source = rows
        self.score = score
        columns, states, class_logs = rows.with_weight_classes()
        own = rows.data.weights
        counts = None if own is None else own.astype(np.uint32)
        engine = _native.Engine(columns, states, counts, rows.threads, rows.memory_bytes, "", False)
        self.native = _native.IncompleteScorer(
            rows.native,
            engine,
            score.formula(rows.size),
            score.base,
            divisors,
            class_logs,
            use_weights,
            rows.threads,
        )

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self.source.names)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        found = self.score_or_none(families, None)
        assert found is not None
        return found

    def score_or_none(self, families: Families, control: RunControl | None) -> NDArray[np.float64] | None:
        """The same; None when the control stops the run."""
        try:
            return self.native.score_families(families.children, families.offsets, families.parents, control)
        except OverflowError as error:
            raise DataError(f"{error}: lower the in-degree, or merge states") from None
