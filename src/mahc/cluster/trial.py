"""A run on a few pieces that times every pass, from which `planning` foretells a run on all of them."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mahc.cluster.coding import Coding
from mahc.cluster.opening import open_runner
from mahc.cluster.passes import DistinctRows, Pass, contribute, frame_bytes
from mahc.cluster.pieces import Piece
from mahc.cluster.shard import Shard
from mahc.data.columns import Kind
from mahc.data.settings import ReadSettings
from mahc.engine.control import RunControl

T = TypeVar("T")
MOST_PIECES = 3
NO_LIMIT = 1 << 62
CODING = "coding"


@dataclass(frozen=True)
class PassTime:
    """What a pass took on the pieces of a trial.

    Parameters
    ----------
    name : str
        What the pass was for; "coding" for the coding of the rows.
    seconds : float
        For one piece, in one thread, reading it included where the rows are not coded.
    adding : float
        Seconds to add the answers of two pieces.
    answer_bytes : int
        The size of the answer of one piece.
    growth : float
        Answers of p pieces together are p to this power times as large: 0 for tables, up to 1 for distinct rows.
    most_growth : float
        Answers that are more times as large than this are given up: there are too many distinct rows.
    reads_files : bool
        Whether the rows are read from the files.
    """

    name: str
    seconds: float
    adding: float = 0.0
    answer_bytes: int = 0
    growth: float = 0.0
    most_growth: float = math.inf
    reads_files: bool = False


@dataclass(frozen=True)
class Trial:
    """What a run of mahc on a few pieces took, made as if all pieces were there.

    Parameters
    ----------
    rows, columns, pieces : int
        The pieces of the trial.
    passes : tuple of PassTime
        The passes in their order.
    coded_bytes : int
        The memory that the coded rows of one piece take.
    distinct_rows : int
        How many distinct rows all the data have, as foretold from the pieces.
    in_passes : bool
        Whether these are too many for the memory, so that every batch of counts is a pass.
    here : float
        Seconds outside of the passes: search and reasons, where the client runs.
    here_growth : float
        The seconds outside for p pieces grow with this power of p, as the distinct rows that the client gets do.
    """

    rows: int
    columns: int
    pieces: int
    passes: tuple[PassTime, ...]
    coded_bytes: int
    distinct_rows: int
    in_passes: bool
    here: float
    here_growth: float


@dataclass(frozen=True)
class EmptyPass:
    """A pass that counts nothing: it takes what a trip to all pieces takes."""

    name: str = field(default="nothing", init=False)
    coded: bool = field(default=False, init=False)

    def of(self, part: object) -> int:
        """Zero."""
        return 0

    def add(self, first: int, second: int) -> int:
        """Zero."""
        return 0


def choose_pieces(pieces: Sequence[Piece], most: int = MOST_PIECES) -> list[Piece]:
    """A few pieces, spread evenly.

    >>> choose_pieces("abcdefg")
    ['a', 'd', 'g']
    """
    if len(pieces) <= most:
        return list(pieces)
    return [pieces[round(i * (len(pieces) - 1) / (most - 1))] for i in range(most)]


def run_trial(
    pieces: Sequence[Piece],
    names: Sequence[str],
    settings: ReadSettings,
    memory_bytes: int,
    learn: Callable[[Any], object],
    of: float | None = None,
) -> Trial:
    """Learn from some pieces as from all of them, and time it.

    Parameters
    ----------
    pieces : sequence of Piece
        Those to try (`choose_pieces`).
    names : sequence of str
        The columns to use.
    settings : ReadSettings
        How they are read.
    memory_bytes : int
        The memory limit of the client, which decides whether distinct rows are collected.
    learn : callable
        Learns from rows or counts, as `mahc.learn` does.
    of : float, optional
        How many pieces all the data have; those that are given if left out.

    Returns
    -------
    Trial
        Seconds and sizes; the workers are assumed to be as fast as this process.

    Examples
    --------
    >>> import mahc, polars as pl
    >>> from mahc.cluster.frame_pieces import FramePiece
    >>> one = FramePiece(pl.DataFrame({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}), "one")
    >>> found = run_trial([one, one], ["rain", "wet"], ReadSettings(), 1 << 30, mahc.learn, of=1000)
    >>> [each.name for each in found.passes], found.distinct_rows
    (['values', 'coding', 'distinct rows'], 2)
    """
    runner = _TrialRunner(pieces, len(pieces) if of is None else of)
    began = time.perf_counter()
    source = open_runner(runner, names, settings, memory_bytes=memory_bytes, kinds=frozenset(Kind))
    try:
        learn(source)
    finally:
        source.close()
    here = time.perf_counter() - began - runner.seconds
    coded = max(runner.coded_bytes)
    return Trial(
        source.rows,
        len(source.names),
        len(pieces),
        tuple(runner.times),
        coded,
        runner.distinct_rows,
        runner.in_passes,
        here,
        growth_of(runner.kept_bytes, runner.kept_of_all, max(1.0, runner.of / len(pieces))),
    )


@dataclass
class _TrialRunner:
    """Runs passes over a few pieces and answers, about distinct rows, as all pieces would."""

    chosen: Sequence[Piece]
    of: float
    times: list[PassTime] = field(default_factory=list)
    coded_bytes: list[int] = field(default_factory=list)
    distinct_rows: int = 0
    in_passes: bool = False
    kept_bytes: float = 0.0  # distinct rows that the client gets, of the pieces
    kept_of_all: float = 0.0  # and of all data
    seconds: float = 0.0
    speculation: int = 16
    passes: int = 0
    _shards: list[Shard] = field(default_factory=list)

    @property
    def pieces(self) -> int:
        """How many pieces are tried."""
        return len(self.chosen)

    def open(self, coding: Coding) -> None:
        """Code the rows."""
        began = time.perf_counter()
        self._shards = [Shard(piece, coding) for piece in self.chosen]
        taken = time.perf_counter() - began
        self.seconds += taken
        self.coded_bytes = [shard.memory_bytes for shard in self._shards]
        self.times.append(PassTime(CODING, taken / self.pieces, reads_files=True))

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over the pieces, timed."""
        self.passes += 1
        began = time.perf_counter()
        distinct = question if isinstance(question, DistinctRows) else None
        asked: Any = question if distinct is None else replace(distinct, limit=NO_LIMIT, budget=NO_LIMIT)
        parts: Sequence[Any] = self._shards if question.coded else self.chosen
        answers = []
        for place, part in enumerate(parts):
            answers.append(contribute(asked, part, place))
        answered = time.perf_counter()
        total: Any = answers[0]
        for answer in answers[1:]:
            total = asked.add(total, answer)
        added = time.perf_counter()
        timed = PassTime(
            question.name,
            (answered - began) / self.pieces,
            (added - answered) / max(1, self.pieces - 1),
            len(pickle.dumps(answers[0], pickle.HIGHEST_PROTOCOL)),
            reads_files=not question.coded,
        )
        if distinct is not None:
            timed = self._growing(timed, distinct, answers, total)
            total = self._of_all(distinct, answers, total)
        self.times.append(timed)
        self.seconds += time.perf_counter() - began
        return total  # type: ignore[no-any-return]

    def close(self) -> None:
        """Forget the coded rows."""
        self._shards = []

    def _growing(
        self, timed: PassTime, question: DistinctRows, answers: Sequence[list[Any]], total: list[Any]
    ) -> PassTime:
        """The time of a pass whose answers, the distinct rows of all its sets, grow with the pieces."""
        one = sum(frame.height for answer in answers for frame in answer) / self.pieces
        growth = growth_of(one, sum(frame.height for frame in total), self.pieces)
        return replace(timed, growth=growth, most_growth=max(1.0, len(total) * question.limit / max(1.0, one)))

    def _of_all(self, question: DistinctRows, answers: Sequence[list[Any]], total: list[Any]) -> list[Any]:
        """The distinct rows of each set, or None where those of all pieces would be too many."""
        times, sizes = max(1.0, self.of / self.pieces), {}
        for place, frame in enumerate(total):
            one = sum(answer[place].height for answer in answers) / len(answers)
            factor = times ** growth_of(one, frame.height, len(answers))
            if question.name == DistinctRows.name:  # the set of all columns
                self.distinct_rows, self.in_passes = (
                    round(frame.height * factor),
                    frame.height * factor > question.limit,
                )
            if frame.height * factor <= question.limit:
                sizes[place] = frame_bytes(frame) * factor
        kept: list[Any] = [None] * len(total)
        left = float(question.budget)
        for place in sorted(sizes, key=lambda each: (sizes[each], each)):
            left -= sizes[place]
            if left >= 0:
                kept[place] = total[place]
                self.kept_bytes += frame_bytes(total[place])
                self.kept_of_all += sizes[place]
        return kept


def growth_of(one: float, together: float, pieces: float) -> float:
    """The power of the number of pieces with which something grows: 0 where pieces have the same, 1 where none do.

    >>> growth_of(100, 100, 3), growth_of(100, 300, 3), growth_of(100, 100, 1)
    (0.0, 1.0, 1.0)
    """
    if pieces == 1:
        return 1.0
    return 0.0 if together <= one or one <= 0 else min(1.0, math.log(together / one) / math.log(pieces))
