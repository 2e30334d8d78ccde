"""Where counts come from: rows in this process, shards on disk, a cluster. Search and scores do not know which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import Column
from mahc.engine.control import RunControl
from mahc.engine.families import Families

if TYPE_CHECKING:
    from mahc.engine.moments import Moments

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class FamilyCounts:
    """Counts of a batch of families: those of family i are `cells[offsets[i]:offsets[i + 1]]`.

    They are a sequence of tables, one for each configuration of the parents but the last. A table has one axis for the
    last parent and one for the child, and the child varies fastest. Together they are the array with the axes
    `(*parents, child)` in C order, from which the tables of configurations that do not occur may be left out. The
    counts of a family without parents are those of the child's states. All counts of a family sum to the size of
    the data.

    Parameters
    ----------
    cells : array of int
        The counts of all families.
    offsets : array of int
        Where the counts of each family begin, and the end of the last.

    Examples
    --------
    >>> import numpy as np
    >>> FamilyCounts(np.array([3, 1, 0, 4]), np.array([0, 4])).offsets.tolist()
    [0, 4]
    """

    cells: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def tables(self, i: int, last_states: int, child_states: int) -> NDArray[np.int64]:
        """The tables of family i, with the axes (configuration, last parent, child)."""
        return self.cells[self.offsets[i] : self.offsets[i + 1]].reshape(-1, last_states, child_states)


class DataSummary(Protocol):
    """What a result keeps of the data it was learned from; a `Dataset` is one too."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        ...

    @property
    def rows(self) -> int:
        """How many rows are stored."""
        ...

    @property
    def size(self) -> int:
        """The total weight of the rows: the N of the scores, at most 2^53 - 1."""
        ...

    def fingerprint(self) -> str:
        """A number for the whole data, as `mahc.data.fingerprint` defines it; equal data must give the same."""
        ...


@runtime_checkable
class CountSource(DataSummary, Protocol):
    """Answers batches of families with integer counts; `mahc.learn` takes one in place of data.

    Variables are numbered in the order of `names`, states from 0. Everything that a source returns is an integer or
    a wrapping sum of integers, so the answers of shards can be added in any order.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.engine import EngineRows, Families
    >>> rows = EngineRows(read({"a": ["x", "y", "x"], "b": ["u", "u", "v"]}))
    >>> isinstance(rows, CountSource)
    True
    >>> rows.count_families(Families.of([(0, [1])])).cells.tolist()
    [1, 1, 1, 0]
    """

    @property
    def marginals(self) -> Sequence[NDArray[np.int64]]:
        """For each variable, how often each of its states occurs."""
        ...

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family, in the batch's order."""
        ...

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """For every state of the wanted variables, the sum of the hashes of the rows that have it; 0 for the others.

        `state_hashes` holds one number per state, those of variable 0 first, and so does the answer. The hash of a
        row is `mix_bits` of the sum of the hashes of its states, variables of one state left out, times its weight.
        All sums wrap at 2^64. Only called when variables have equal marginal counts.
        """
        ...


@runtime_checkable
class RowHolder(CountSource, Protocol):
    """A count source that has all its rows in memory, as distinct rows with weights; the core counts those faster."""

    @property
    def distinct(self) -> Dataset:
        """The distinct rows."""
        ...

    def replacing(self, data: Dataset) -> RowHolder:
        """The same rows with other columns, such as numbers that are cut."""
        ...


@runtime_checkable
class PassSource(CountSource, Protocol):
    """A source that answers a request by a pass over all rows, which takes long and can be stopped."""

    @property
    def speculation(self) -> int:
        """For how many children a request may ask ahead of the search."""
        ...

    def watch(self, control: RunControl | None) -> None:
        """Let the control stop the passes from now on: they then raise `Stopped`."""
        ...

    def near(self, child: int, parents: frozenset[int]) -> bool:
        """Whether a family is counted without a pass."""
        ...


@runtime_checkable
class TableSource(CountSource, Protocol):
    """A count source that knows the states of its variables, and gives whole tables: what a fit of tables needs."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns without their rows: their states."""
        ...

    def count_tables(self, families: Families) -> list[NDArray[np.int64]]:
        """The counts of every family, also of configurations that do not occur: the child varies fastest."""
        ...


def units_of(source: Any) -> tuple[int, int]:
    """The sum of the counts of a source, and how many of them are a row: 1, or more where weights have fractions."""
    unit = getattr(source, "unit", 1)
    return (source.size, 1) if unit == 1 else (source.total, unit)


def is_count_source(data: object) -> TypeGuard[CountSource]:
    """Does this answer batches of families with counts?"""
    return isinstance(data, CountSource)


def mix_bits(numbers: Hashes) -> Hashes:
    """The finaliser of splitmix64, which turns similar numbers into unrelated ones.

    >>> mix_bits(np.array([0], np.uint64))
    array([16294208416658607535], dtype=uint64)
    """
    mixed: Hashes = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


class ArrangedSource:
    """A source whose variables are renumbered: variable i is `order[i]` of the other source.

    >>> from mahc.data import read
    >>> from mahc.engine.rows import EngineRows
    >>> rows = EngineRows(read({"a": ["x", "y", "y"], "b": ["u", "v", "w"]}))
    >>> turned = ArrangedSource(rows, [1, 0])
    >>> turned.names, [len(counts) for counts in turned.marginals]
    (('b', 'a'), [3, 2])
    """

    def __init__(self, source: CountSource, order: Sequence[int]) -> None:
        self._source = source
        self._order = np.array(order, np.int32)
        self.names = tuple(source.names[v] for v in order)
        self.marginals = [source.marginals[v] for v in order]
        self.rows = source.rows
        self.size = source.size
        self.total, self.unit = units_of(source)

    def fingerprint(self) -> str:
        """The other source's fingerprint, which does not depend on the order of variables."""
        return self._source.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family."""
        order = self._order
        return self._source.count_families(
            Families(order[families.children], families.offsets, order[families.parents])
        )

    def moments(self) -> Moments:
        """The moments of the other source, which must be a `MomentSource`, in this order."""
        found: Moments = self._source.moments()  # type: ignore[attr-defined]
        return found.arranged(self._order.tolist())

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Pass the hint on to a source that can use it."""
        focus = getattr(self._source, "focus", None)
        if focus is not None:
            there: list[list[int]] = [[] for _ in self.names]
            for v, parents in enumerate(candidates):
                there[int(self._order[v])] = self._order[list(parents)].tolist()
            focus(there)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """The sums of the other source, in this order."""
        ends = np.cumsum([len(counts) for counts in self.marginals])[:-1]
        there = np.argsort(self._order)
        hashes = np.split(state_hashes, ends)
        moved = self._source.sum_row_hashes(np.concatenate([hashes[v] for v in there]), wanted[there])
        there_ends = np.cumsum([len(self.marginals[v]) for v in there])[:-1]
        parts = np.split(moved, there_ends)
        return np.concatenate([parts[v] for v in self._order])


class ArrangedPasses(ArrangedSource):
    """A source of passes whose variables are renumbered."""

    def __init__(self, source: PassSource, order: Sequence[int]) -> None:
        super().__init__(source, order)
        self._passes = source
        self._there = [int(v) for v in order]

    @property
    def speculation(self) -> int:
        """For how many children a request may ask ahead of the search."""
        return self._passes.speculation

    def watch(self, control: RunControl | None) -> None:
        """Let the control stop the passes from now on."""
        self._passes.watch(control)

    def near(self, child: int, parents: frozenset[int]) -> bool:
        """Whether a family is counted without a pass."""
        return self._passes.near(self._there[child], frozenset(self._there[u] for u in parents))
