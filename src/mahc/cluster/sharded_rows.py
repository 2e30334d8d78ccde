"""Count sources over pieces: distinct rows brought here where they are few, otherwise counted where the pieces are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.coding import Coding
from mahc.cluster.pass_log import PROJECTIONS, PassesRecord, log_passes
from mahc.cluster.passes import (
    WEIGHT,
    ContentHashes,
    DistinctRows,
    FamilyTables,
    FingerprintSums,
    MomentSums,
    Pass,
    RowHashes,
    Together,
    WholeTables,
    frame_bytes,
)
from mahc.cluster.ranks import BinnedPasses, ColumnBins, find_bins
from mahc.cluster.runner import Runner
from mahc.data import Dataset, Kind
from mahc.data.columns import Column
from mahc.data.dataset import whole_rows
from mahc.data.fingerprint import combine_hashes
from mahc.data.prepare.notes import Note
from mahc.data.settings import ReadSettings
from mahc.engine import Families, FamilyCounts
from mahc.engine.control import RunControl, Stopped
from mahc.engine.counts import CountSource, Hashes
from mahc.engine.moments import Moments
from mahc.engine.wide_rows import hold_rows

if TYPE_CHECKING:
    import polars as pl

    from mahc.cluster.resampling import NumberedPieces

T = TypeVar("T")
CHILD_CACHE = 4  # MiB for what is counted of one child
MOST_COMPLETE = 1 << 23  # cells: the core gives tables up to this size complete, so that those of pieces can be added
Known = tuple[frozenset[int], "CountSource", tuple[int, ...]]


class CompactRows:
    """The distinct rows of all pieces, in memory, with their weights; learning does not need the pieces any more.

    Parameters
    ----------
    data : Dataset
        The distinct rows, weighted.
    rows : int
        How many rows the pieces have.
    passes : int
        How many passes over the pieces it took.
    pass_record : PassesRecord, optional
        What they were for.
    numbered : NumberedPieces, optional
        The pieces, still open, where resamples need the numbers of the rows.

    Examples
    --------
    >>> from mahc.data import read
    >>> CompactRows(read({"a": ["x", "y"]}), rows=2, passes=1).names
    ('a',)
    """

    def __init__(
        self,
        data: Dataset,
        rows: int,
        passes: int,
        pass_record: PassesRecord | None = None,
        numbered: NumberedPieces | None = None,
    ) -> None:
        self.distinct, self.rows, self.passes, self.pass_record = data, rows, passes, pass_record
        self.numbered = numbered
        self.reading, self.notes = data.reading, data.notes
        self.names, self.size = data.names, data.size
        self.total, self.unit = data.total, data.unit

    def replacing(self, data: Dataset) -> CompactRows:
        """The same rows with other columns, such as numbers that are cut."""
        return CompactRows(data, self.rows, self.passes, self.pass_record, self.numbered)

    @cached_property
    def _source(self) -> CountSource:
        return hold_rows(self.distinct)

    def close(self) -> None:
        """Free the pieces, where they are still open."""
        if self.numbered is not None:
            self.numbered.close()

    @property
    def marginals(self) -> Sequence[NDArray[np.int64]]:
        """For each variable, how often each of its states occurs; nothing for numbers."""
        if Kind.CONTINUOUS not in self.kinds:
            return self._source.marginals
        listed, weights = self.distinct.discrete_by_name, self.distinct.weights
        counts = {name: np.bincount(each.codes, weights, len(each.states)) for name, each in listed.items()}
        return [counts.get(name, np.zeros(0)).astype(np.int64) for name in self.names]

    def fingerprint(self) -> str:
        """The fingerprint of the data, which does not depend on whether equal rows are repeated or weighted."""
        return self.distinct.fingerprint()

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of columns that there are."""
        return self.distinct.kinds

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family of a batch."""
        return self._source.count_families(families)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """For every state of the wanted variables, the sum of the hashes of the rows that have it."""
        return self._source.sum_row_hashes(state_hashes, wanted)


class ShardedRows:
    """Counts made where the pieces are, one pass for each batch of families.

    After `focus`, children whose distinct rows (with their candidate parents) are at most `limit` are counted here.

    Parameters
    ----------
    runner : Runner
        Who runs the passes; `open` has been called.
    coding : Coding
        The states of the variables.
    marginals : sequence of arrays
        How often each state occurs.
    rows, total : int
        Number of rows, and their total weight in units, of which `coding.unit` are a row.
    limit : int
        The most distinct rows of one child that are brought here.
    reading : ReadSettings, optional
        The settings with which the pieces are read.
    notes : sequence of Note
        What was decided while they were read.
    budget : int
        The bytes that all distinct rows brought here may take.
    listed : mapping from int to (values, weights), optional
        The distinct numbers of columns of numbers that do not have too many, and the weight of each.

    Examples
    --------
    `open_shards` makes one where the distinct rows do not fit in the memory allowed; where they do, it returns
    `CompactRows`.

    >>> from mahc.cluster import open_shards
    >>> type(open_shards("big/*.parquet", memory_bytes=1 << 30)).__name__  # doctest: +SKIP
    'ShardedRows'
    """

    def __init__(
        self,
        runner: Runner,
        coding: Coding,
        marginals: Sequence[NDArray[np.int64]],
        rows: int,
        total: int,
        limit: int,
        reading: ReadSettings | None = None,
        notes: Sequence[Note] = (),
        budget: int = 1 << 62,
        listed: Mapping[int, tuple[NDArray[np.float64], NDArray[np.int64]]] | None = None,
    ) -> None:
        self.counts_only = False  # whether distinct rows were not even looked for
        self._listed = dict(listed or {})
        self.reading, self.notes = reading, tuple(notes)
        self.budget, self.held_bytes = budget, 0
        self.names, self.rows, self.size = coding.names, rows, whole_rows(total, coding.unit)
        self.total, self.unit = total, coding.unit
        self.marginals = list(marginals)
        self._runner, self._coding, self.limit = log_passes(runner), coding, limit
        self._states = [column.state_count or 0 for column in coding.columns]
        self._here: dict[int, Known] = {}
        self._fingerprint: str | None = None
        self._control: RunControl | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns without their rows: their states."""
        return self._coding.columns

    @property
    def complete(self) -> bool:
        """Whether no value is missing: rows with missing values are left out, or these are states."""
        return True

    @property
    def passes(self) -> int:
        """How many passes over the pieces have been run."""
        return self._runner.passes

    @property
    def pass_record(self) -> PassesRecord:
        """What the passes were for, and what they read."""
        return self._runner.record

    @property
    def speculation(self) -> int:
        """For how many children a request may ask ahead of the search."""
        return self._runner.speculation

    def near(self, child: int, parents: frozenset[int]) -> bool:
        """Whether a family is counted without a pass: from marginal counts or from distinct rows that are here."""
        known = self._here.get(child)
        return not parents or (known is not None and known[0].issuperset(parents))

    def watch(self, control: RunControl | None) -> None:
        """Let the control stop the passes from now on: they then raise `Stopped`."""
        self._control = control

    def _run(self, question: Pass[T]) -> T:
        """Run a pass; the first one also gives the fingerprint."""
        if self._fingerprint is not None:
            found = self._runner.run(question, self._control)
            if found is None:
                raise Stopped
            return found
        both = self._runner.run(Together(question), self._control)
        if both is None:
            raise Stopped
        self._set_fingerprint(both[1])
        return both[0]

    @cached_property
    def numbered(self) -> NumberedPieces:
        """The pieces with their rows numbered, for resamples."""
        from mahc.cluster.resampling import NumberedPieces  # it makes sources of this kind

        return NumberedPieces(self._runner, self._coding, self.budget)

    def known_as(self, fingerprint: str) -> None:
        """Take the fingerprint of other rows: a resample has that of the data."""
        self._fingerprint = fingerprint

    def _set_fingerprint(self, sums: tuple[int, ...]) -> None:
        self._fingerprint = combine_hashes(self._coding.terms, self.total, sums, self.unit)

    def close(self) -> None:
        """Free what the runner holds: coded rows in memory, on disk or on workers."""
        self._runner.close()

    def fingerprint(self) -> str:
        """The fingerprint of the data: a pass of its own where there was none before."""
        if self._fingerprint is None:
            sums = self._runner.run(FingerprintSums())
            assert sums is not None
            self._set_fingerprint(sums)
        assert self._fingerprint is not None
        return self._fingerprint

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """For every state of the wanted variables, the sum of the hashes of the rows that have it: one pass."""
        found = self._run(RowHashes(state_hashes, wanted))
        return found

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of columns that there are."""
        return frozenset(column.kind for column in self._coding.columns)

    def moments(self) -> Moments:
        """The sums of products of number columns: one pass."""
        return self._run(MomentSums())

    def in_bins(self, bins: int) -> BinnedPasses:
        """The same rows, numbers as bins of their ranks: five passes if a column has more numbers than are listed."""
        numbers = [v for v, column in enumerate(self._coding.columns) if column.kind is Kind.CONTINUOUS]
        unlisted = [v for v in numbers if v not in self._listed]
        names = [self.names[v] for v in unlisted]
        found = find_bins(self._run, unlisted, names, self.size, bins)
        found |= {v: ColumnBins.of_counts(*self._listed[v], bins) for v in numbers if v in self._listed}
        listed = [found.get(v) for v in range(len(self.names))]
        ranked = [column.ranked for column in self._coding.columns]
        shape = (self.names, self.rows, self.size)
        return BinnedPasses(self._run, self.marginals, listed, ranked, self.fingerprint, *shape)

    def content_hashes(self) -> Hashes:
        """One number per column of numbers, from its content: a pass where there is such a column; 0 for the others."""
        if Kind.CONTINUOUS not in self.kinds:
            return np.zeros(len(self.names), np.uint64)
        return self._run(ContentHashes())

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Bring the distinct rows of each child and its candidates here, where they are few: one pass."""
        wanted = {v: tuple(sorted({v, *parents})) for v, parents in enumerate(candidates) if len(parents)}
        wanted = {v: members for v, members in wanted.items() if v not in self._here}
        if not wanted:
            return
        found = self._run(DistinctRows(tuple(wanted.values()), self.limit, self.budget - self.held_bytes, PROJECTIONS))
        for (v, members), frame in zip(wanted.items(), found, strict=True):
            if frame is not None:
                self.held_bytes += frame_bytes(frame)
                source = hold_rows(self._dataset(frame, members), cache_mebibytes=CHILD_CACHE)
                self._here[v] = frozenset(members), source, members

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family: from rows that are here, otherwise by a pass over the pieces."""
        listed = list(families)
        parts: list[NDArray[np.int64] | None] = [None] * len(listed)
        elsewhere: list[int] = []
        here: dict[int, list[int]] = {}
        for i, (child, parents) in enumerate(listed):
            known = self._here.get(child)
            if not parents:
                parts[i] = np.asarray(self.marginals[child], np.int64)
            elif known is not None and known[0].issuperset(parents):
                here.setdefault(child, []).append(i)
            else:
                elsewhere.append(i)
        for child, places in here.items():
            self._count_here(child, places, listed, parts)
        self._count_elsewhere(elsewhere, listed, parts)
        cells = [part for part in parts if part is not None]
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in cells])]).astype(np.int64)
        return FamilyCounts(np.concatenate(cells) if cells else np.zeros(0, np.int64), offsets)

    def count_tables(self, families: Families) -> list[NDArray[np.int64]]:
        """The complete tables of the families: one pass, and one more where a table has more than 2^23 cells."""
        listed = list(families)
        large = [i for i, family in enumerate(listed) if self._cells(*family) > MOST_COMPLETE]
        small = [i for i in range(len(listed)) if i not in set(large)]
        parts: list[NDArray[np.int64] | None] = [None] * len(listed)
        if small:
            _share_out(self.count_families(Families.of(listed[i] for i in small)), small, parts)
        if large:
            found = self._run(WholeTables(tuple(listed[i] for i in large)))
            for i, counts in zip(large, found, strict=True):
                parts[i] = counts
        return [part for part in parts if part is not None]

    def _count_here(
        self,
        child: int,
        places: Sequence[int],
        listed: Sequence[tuple[int, tuple[int, ...]]],
        parts: list[NDArray[np.int64] | None],
    ) -> None:
        _, source, members = self._here[child]
        at = {v: place for place, v in enumerate(members)}
        asked = Families.of((at[child], [at[u] for u in listed[i][1]]) for i in places)
        _share_out(source.count_families(asked), places, parts)

    def _count_elsewhere(
        self,
        places: Sequence[int],
        listed: Sequence[tuple[int, tuple[int, ...]]],
        parts: list[NDArray[np.int64] | None],
    ) -> None:
        cells = {i: self._cells(*listed[i]) for i in places}
        complete = [i for i in places if cells[i] <= MOST_COMPLETE]
        if complete:
            families = Families.of(listed[i] for i in complete)
            found = self._run(FamilyTables(families, sum(cells[i] for i in complete)))
            offsets = np.concatenate([[0], np.cumsum([cells[i] for i in complete])]).astype(np.int64)
            _share_out(FamilyCounts(found, offsets), complete, parts)
        large = [i for i in places if cells[i] > MOST_COMPLETE]
        if large:
            # Too large for complete tables: the distinct rows of the family are at most as many as the rows.
            sets = tuple(tuple(sorted({listed[i][0], *listed[i][1]})) for i in large)
            frames = self._run(DistinctRows(sets, 1 << 62, name="tables"))
            for i, members, frame in zip(large, sets, frames, strict=True):
                assert frame is not None
                at = {v: place for place, v in enumerate(members)}
                child, parents = listed[i]
                source = hold_rows(self._dataset(frame, members))
                counted = source.count_families(Families.of([(at[child], [at[u] for u in parents])]))
                parts[i] = counted.cells.astype(np.int64)

    def _cells(self, child: int, parents: Sequence[int]) -> int:
        cells = self._states[child]
        for u in parents:
            cells *= self._states[u]
        return cells

    def _dataset(self, frame: pl.DataFrame, members: Sequence[int]) -> Dataset:
        return make_dataset(self._coding, frame, members)


def make_dataset(coding: Coding, frame: pl.DataFrame, members: Sequence[int]) -> Dataset:
    """The distinct rows of some variables as a weighted data set."""
    columns = [frame[str(v)].to_numpy() for v in members]
    order = sort_rows(columns)
    return coding.make_dataset(members, [column[order] for column in columns], frame[WEIGHT].to_numpy()[order])


def sort_rows(columns: Sequence[NDArray[np.generic]]) -> NDArray[np.intp]:
    """The order of rows by the first column, then the second, and so on; codes are packed into words of 64 bits.

    >>> sort_rows([np.array([1, 0, 1], np.uint8), np.array([0, 2, 1], np.uint16)]).tolist()
    [1, 0, 2]
    """
    keys: list[NDArray[np.generic]] = []
    word, used = np.zeros(len(columns[0]) if columns else 0, np.uint64), 0
    for column in columns:
        if column.dtype.kind != "u":  # numbers
            keys += [word, column] if used else [column]
            word, used = np.zeros(len(column), np.uint64), 0
            continue
        bits = int(column.max(initial=0)).bit_length()
        if used + bits > 64:
            keys.append(word)
            word, used = np.zeros(len(column), np.uint64), 0
        word, used = (word << np.uint64(bits)) | column.astype(np.uint64), used + bits
    return np.lexsort([word, *reversed(keys)])


def _share_out(counts: FamilyCounts, places: Sequence[int], parts: list[NDArray[np.int64] | None]) -> None:
    for k, i in enumerate(places):
        parts[i] = counts.cells[counts.offsets[k] : counts.offsets[k + 1]].astype(np.int64)
