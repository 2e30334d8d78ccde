"""Resamples of data in pieces: Poisson weights by row number, and many resamples in one pass.

Rows are numbered by the order of the pieces and their place in a piece, without those that are left out. The weights of
a resample are made where a piece is, so that the cut into pieces changes no bit.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.choosing import LEAST_DISTINCT
from mahc.cluster.coding import Coding
from mahc.cluster.passes import Pass
from mahc.cluster.runner import Runner
from mahc.cluster.shard import Shard
from mahc.cluster.sharded_rows import CompactRows, ShardedRows
from mahc.engine.control import RunControl, Stopped
from mahc.errors import DataError

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")
PLACE = "place"
ROW = "row"
MERGE_BYTES = 24  # of a weight of a distinct row, while the weights of two pieces are added
SEARCH_BYTES = 1 << 26  # of rows that one search brings here, at least
MOST_SEARCHES = 16
PATIENCE = 5.0  # seconds to wait for searches that compute


class RowWeights(Protocol):
    """Weights of rows by their numbers: Poisson weights of resamples, or parts that are held out."""

    def draw(self, number: int, first: int, rows: int, weights: NDArray[np.integer] | None = None) -> NDArray[np.int64]:
        """The weights of rows `first` to `first + rows - 1` in resample `number`."""
        ...


@dataclass(frozen=True)
class RowCounts:
    """How many rows each piece has."""

    name: str = field(default="row numbers", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> dict[int, int]:
        """Those of the only piece."""
        return self.of_piece(part, 0)

    def of_piece(self, part: Shard, place: int) -> dict[int, int]:
        """Those of one piece."""
        return {place: part.rows}

    def add(self, first: dict[int, int], second: dict[int, int]) -> dict[int, int]:
        """Both together."""
        return {**first, **second}


@dataclass(frozen=True)
class RowNumbers:
    """The number of the first row of each piece, and how many it has."""

    first: Mapping[int, int]
    rows: Mapping[int, int]

    @staticmethod
    def of_counts(rows: Mapping[int, int]) -> RowNumbers:
        """Number the rows in the order of the pieces.

        >>> RowNumbers.of_counts({1: 5, 0: 3}).first
        {0: 0, 1: 3}
        """
        first, total = {}, 0
        for place in sorted(rows):
            first[place], total = total, total + rows[place]
        return RowNumbers(first, rows)

    def draw(self, weights: RowWeights, number: int, part: Shard, place: int) -> NDArray[np.int64]:
        """The weights of the rows of a piece in a resample."""
        if part.rows != self.rows.get(place, 0):
            raise DataError(f"{part.piece.name}: it has other rows than before: the data were changed, start again")
        return weights.draw(number, self.first.get(place, 0), part.rows, part.weights)


@dataclass(frozen=True)
class Resampled:
    """Questions to resamples, all in one pass: each has its weights."""

    questions: tuple[tuple[int, Pass[Any]], ...]
    weights: RowWeights
    numbers: RowNumbers
    name: str = field(default="resamples", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> list[Any]:
        """The contributions of the only piece."""
        return self.of_piece(part, 0)

    def of_piece(self, part: Shard, place: int) -> list[Any]:
        """The contributions of one piece."""
        return [
            question.of(part.reweighted(self.numbers.draw(self.weights, number, part, place)))
            for number, question in self.questions
        ]

    def add(self, first: list[Any], second: list[Any]) -> list[Any]:
        """Both together."""
        return [question.add(a, b) for (_, question), a, b in zip(self.questions, first, second, strict=True)]


@dataclass(frozen=True)
class DistinctWeights:
    """The weights of the distinct rows in several resamples: a column for each."""

    resamples: tuple[int, ...]
    weights: RowWeights
    numbers: RowNumbers
    name: str = field(default="resamples", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> pl.DataFrame:
        """The weights of the only piece."""
        return self.of_piece(part, 0)

    def of_piece(self, part: Shard, place: int) -> pl.DataFrame:
        """The distinct rows of one piece and their weights."""
        import polars as pl

        keys = [str(v) for v in range(len(part.values))]
        frame = pl.DataFrame(dict(zip(keys, part.values, strict=True)))
        distinct = frame.unique().with_row_index(PLACE)
        matched = frame.with_row_index(ROW).join(distinct, on=keys, how="inner").select(ROW, PLACE)
        places = np.empty(part.rows, np.int64)
        places[matched[ROW].to_numpy()] = matched[PLACE].to_numpy()
        columns = [
            np.bincount(places, self.numbers.draw(self.weights, number, part, place), distinct.height)
            for number in self.resamples
        ]
        return distinct.drop(PLACE).with_columns(
            pl.Series(_column(i), column.astype(np.int64)) for i, column in enumerate(columns)
        )

    def add(self, first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
        """Both together."""
        import polars as pl

        drawn = [_column(i) for i in range(len(self.resamples))]
        keys = [name for name in first.columns if name not in drawn]
        return pl.concat([first, second]).group_by(keys).agg(pl.col(drawn).sum())


def _column(place: int) -> str:
    return f"resample {place}"


@dataclass(frozen=True)
class ResampleSize:
    """The total weight of the rows, and how often each state of each variable occurs; nothing for numbers."""

    name: str = field(default="values", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> tuple[int, list[NDArray[np.int64]]]:
        """Those of one shard."""
        size = part.rows if part.weights is None else int(part.weights.sum())
        states = [column.state_count for column in part.coding.columns]
        counts = [
            np.zeros(0, np.int64) if each is None else np.bincount(codes.astype(np.intp), part.weights, each)
            for each, codes in zip(states, part.values, strict=False)
        ]
        return size, [each.astype(np.int64) for each in counts]

    def add(
        self, first: tuple[int, list[NDArray[np.int64]]], second: tuple[int, list[NDArray[np.int64]]]
    ) -> tuple[int, list[NDArray[np.int64]]]:
        """Both together."""
        return first[0] + second[0], [a + b for a, b in zip(first[1], second[1], strict=True)]


class NumberedPieces:
    """Pieces whose rows are numbered, to draw resamples from them.

    Parameters
    ----------
    runner : Runner
        Who runs the passes; `open` has been called.
    coding : Coding
        The states of the variables.
    memory_bytes : int
        The bytes that what is brought here may take.
    """

    def __init__(self, runner: Runner, coding: Coding, memory_bytes: int) -> None:
        self.runner, self.coding, self.memory_bytes = runner, coding, memory_bytes
        self._numbers: RowNumbers | None = None

    def numbers(self, control: RunControl | None = None) -> RowNumbers:
        """The numbers of the rows: one pass."""
        if self._numbers is None:
            found = self.runner.run(RowCounts(), control)
            if found is None:
                raise Stopped
            self._numbers = RowNumbers.of_counts(found)
        return self._numbers

    def most_resamples(self, distinct: int) -> int:
        """Of how many resamples the weights of so many distinct rows are brought here in one pass."""
        return max(1, self.memory_bytes // (MERGE_BYTES * max(1, distinct)))

    def weigh_distinct(
        self, weights: RowWeights, resamples: Sequence[int], control: RunControl | None = None
    ) -> NDArray[np.int64]:
        """The weights of the distinct rows in the order of `make_dataset`, a row for each resample: one pass."""
        question = DistinctWeights(tuple(resamples), weights, self.numbers(control))
        found = self.runner.run(question, control)
        if found is None:
            raise Stopped
        keys = [str(v) for v in range(self.coding.coded_columns)]
        ordered = found.sort(keys)
        return np.stack([ordered[_column(i)].to_numpy() for i in range(len(resamples))])

    def close(self) -> None:
        """Free what the runner holds."""
        self.runner.close()


class SharedPasses:
    """Passes that several searches share, each on a resample and on a thread of its own.

    A pass is run when every search waits for one: it asks the questions of all of them.

    Parameters
    ----------
    pieces : NumberedPieces
        The rows.
    weights : RowWeights
        How resamples are drawn.
    """

    def __init__(self, pieces: NumberedPieces, weights: RowWeights) -> None:
        self._pieces, self._weights = pieces, weights
        self._changed = threading.Condition()
        self._searches = 0
        self._waiting: dict[int, tuple[Pass[Any], RunControl | None]] = {}
        self._answers: dict[int, Any] = {}

    def join(self) -> None:
        """One more search begins."""
        with self._changed:
            self._searches += 1

    def leave(self) -> None:
        """A search has ended; the others need not wait for it any more."""
        with self._changed:
            self._searches -= 1
            self._run_if_all_wait()

    def run(self, number: int, question: Pass[T], control: RunControl | None) -> T:
        """The answer of resample `number`, from a pass that answers others too; `Stopped` where it was stopped."""
        with self._changed:
            self._waiting[number] = question, control
            self._run_if_all_wait()
            while number not in self._answers:
                # A search may itself wait for one of these, at a lock that they share: then these go first.
                if not self._changed.wait(PATIENCE) and number in self._waiting:
                    self._run()
            found = self._answers.pop(number)
        if isinstance(found, BaseException):
            raise found
        return found  # type: ignore[no-any-return]

    def _run_if_all_wait(self) -> None:
        if self._waiting and len(self._waiting) >= self._searches:
            self._run()

    def _run(self) -> None:
        asked = [(number, question) for number, (question, _) in sorted(self._waiting.items())]
        control = self._waiting[asked[0][0]][1]
        self._waiting.clear()
        try:
            question = Resampled(tuple(asked), self._weights, self._pieces.numbers(control))
            found = self._pieces.runner.run(question, control)
            answers = [Stopped() for _ in asked] if found is None else found
        except BaseException as problem:  # each search raises it
            answers = [problem for _ in asked]
        self._answers.update(zip((number for number, _ in asked), answers, strict=True))
        self._changed.notify_all()


class _SharedRunner:
    """The runner of one resample."""

    def __init__(self, shared: SharedPasses, pieces: NumberedPieces, number: int) -> None:
        self._shared, self._number = shared, number
        self.pieces, self.speculation, self.passes = pieces.runner.pieces, pieces.runner.speculation, 0

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        self.passes += 1
        try:
            return self._shared.run(self._number, question, control)
        except Stopped:
            return None

    def open(self, coding: Coding) -> None:
        """The pieces are coded already."""

    def close(self) -> None:
        """The pieces are those of all resamples."""


def resample_in_passes(
    source: ShardedRows, shared: SharedPasses, number: int, budget: int, control: RunControl | None
) -> ShardedRows:
    """A resample as a count source: its total weight and its marginal counts take one pass."""
    pieces = source.numbered
    runner = _SharedRunner(shared, pieces, number)
    found = runner.run(ResampleSize(), control)
    if found is None:
        raise Stopped
    size, marginals = found
    made = ShardedRows(
        runner, pieces.coding, marginals, source.rows, size, source.limit, source.reading, source.notes, budget
    )
    made.known_as(source.fingerprint())
    return made


def pieces_of(data: CompactRows | ShardedRows) -> NumberedPieces:
    """The numbered pieces of data; a DataError where only distinct rows are left."""
    if data.numbered is None:
        raise DataError(
            "Poisson resamples number the rows, and these are distinct rows with weights: give the files or the frame"
        )
    return data.numbered


def count_in_passes(data: CompactRows | ShardedRows) -> ShardedRows:
    """Data that were opened with `numbered`, as a source that counts in passes."""
    if isinstance(data, ShardedRows):
        return data
    pieces = pieces_of(data)
    return ShardedRows(
        pieces.runner,
        pieces.coding,
        data.marginals,
        data.rows,
        data.total,
        max(LEAST_DISTINCT, data.distinct.rows),
        data.reading,
        data.notes,
        pieces.memory_bytes,
    )
