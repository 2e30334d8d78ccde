"""The data set: typed columns with names and weights; immutable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import (
    EXPERIMENT,
    MISSING_STATE,
    Codes,
    Column,
    Continuous,
    Discrete,
    Interventions,
    Kind,
    Mask,
    State,
    freeze,
)
from mahc.data.fingerprint import fingerprint
from mahc.data.names import check_names
from mahc.data.prepare.notes import Note, enumerate_some, note_merged
from mahc.data.prepare.types import refuse_numbers
from mahc.errors import DataError, Mention, UnknownNameError
from mahc.plurals import count, noun, verb

if TYPE_CHECKING:
    from mahc.data.settings import ReadSettings

# Sums of weights are exact in a double, of which the scores take logarithms; 2^53 + 1 rounds to 2^53, so that
# 2^53 itself is not accepted.
LARGEST_SIZE = 2**53 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Data: one typed column per variable; a row counts `weights` times, or once.

    Columns keep their values in memory of their own: an array that is changed later does not change the data set.
    Equality compares names, columns, weights and interventions, not the notes nor the settings of reading.

    Parameters
    ----------
    names : tuple of str
        The variables.
    columns : tuple of Discrete or Continuous
        The values of each variable, one per row.
    weights : array of int, optional
        How often each row counts; once if left out.
    interventions : Interventions, optional
        Which variables an experiment set in which rows; none if left out.
    unit : int
        How much of `weights` is a row: 1, or more where weights have fractions.
    notes : tuple of Note
        What was decided or noticed while the data were read.
    reading : ReadSettings, optional
        The settings with which mahc read the data, without weights per row; a result keeps them.

    Raises
    ------
    DataError
        If the columns have different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from mahc.data.columns import Continuous, Discrete
    >>> rain, height = Discrete(("no", "yes"), np.array([0, 1, 1])), Continuous(np.array([1.5, 0.2, 3.1]))
    >>> data = Dataset(("rain", "height"), (rain, height))
    >>> data
    Dataset(3 rows, 2 variables: rain, height)
    >>> data.select(["rain"]).state_counts
    array([2])
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    weights: NDArray[np.int64] | None = None
    interventions: Interventions | None = None
    notes: tuple[Note, ...] = field(default=())
    reading: ReadSettings | None = None
    unit: int = 1

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "names", tuple(self.names))
        set_field(self, "columns", tuple(self.columns))
        check_names(self.names)
        if len(self.names) != len(self.columns):
            raise DataError(
                f"{count(len(self.names), 'name')}, {count(len(self.columns), 'column')}: "
                "there must be one of each per variable"
            )
        if self.rows == 0:
            raise DataError("the data have no rows: at least one is needed")
        if any(column.rows != self.rows for column in self.columns):
            raise DataError("the columns differ in length: give every variable one value per row")
        if self.weights is not None:
            set_field(self, "weights", _weighted(self.weights, self.rows))
        if self.interventions is not None:
            set_field(self, "interventions", _fitting(self.interventions, self.names, self.rows))

    @staticmethod
    def coded(
        names: Sequence[str],
        states: Sequence[Sequence[State]],
        codes: Sequence[NDArray[np.integer]],
        weights: NDArray[np.integer] | None = None,
    ) -> Dataset:
        """Make discrete data without missing values: code k in column v means states[v][k].

        Parameters
        ----------
        names : list of str
            The variables.
        states : list of lists of str, int, float or bool
            The states of each variable.
        codes : list of arrays of int
            The codes of each variable, one per row.
        weights : array of int, optional
            How often each row counts; once if left out.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> import numpy as np
        >>> data = Dataset.coded(["rain"], [["no", "yes"]], [np.array([0, 1, 1])])
        >>> data.labels, data.codes[0].dtype
        ((('no', 'yes'),), dtype('uint8'))
        """
        if not len(names) == len(states) == len(codes):
            raise DataError(
                f"{count(len(names), 'name')}, {count(len(states), 'list')} of states, "
                f"{count(len(codes), 'column')}: there must be one of each per variable"
            )
        columns = []
        for name, own, column in zip(names, states, codes, strict=True):
            try:
                made = Discrete(tuple(own), column)  # type: ignore[arg-type]
            except DataError as problem:
                raise DataError(f"variable '{name}': {problem}") from None
            if not made.complete:
                raise DataError(
                    f"variable '{name}': codes run from {made.codes.min()} to {made.codes.max()}, but its "
                    f"{count(len(made.states), 'state')} allow 0 to {len(made.states) - 1}"
                )
            columns.append(made)
        return Dataset(tuple(names), tuple(columns), weights)  # type: ignore[arg-type]

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return self.columns[0].rows

    @cached_property
    def size(self) -> int:
        """The total weight (the rows when unweighted): the N of the scores."""
        return whole_rows(self.total, self.unit)

    @cached_property
    def total(self) -> int:
        """The total weight in units, of which `unit` are a row."""
        return self.rows if self.weights is None else int(self.weights.sum())

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of columns that there are."""
        return frozenset(column.kind for column in self.columns)

    @cached_property
    def discrete_by_name(self) -> dict[str, Discrete]:
        """The discrete columns, by name."""
        named = zip(self.names, self.columns, strict=True)
        return {name: column for name, column in named if isinstance(column, Discrete)}

    @cached_property
    def discrete(self) -> tuple[Discrete, ...]:
        """The columns, all of which are discrete; a DataError that names those of numbers and the fix."""
        found = tuple(self.discrete_by_name.values())
        if len(found) < len(self.columns):
            refuse_numbers(self)
        return found

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The states of each variable as they are printed; a DataError where a column holds numbers."""
        return tuple(column.labels for column in self.discrete)

    @cached_property
    def states(self) -> tuple[tuple[State, ...], ...]:
        """The states of each variable in the type in which they came; a DataError where a column holds numbers."""
        return tuple(column.states for column in self.discrete)

    @cached_property
    def codes(self) -> tuple[Codes, ...]:
        """The codes of each variable; a DataError where a value is missing or a column holds numbers."""
        self.require_complete()
        return tuple(column.codes for column in self.discrete)

    @property
    def state_counts(self) -> NDArray[np.int64]:
        """The number of states of each variable."""
        return np.array([len(column.states) for column in self.discrete], dtype=np.int64)

    @property
    def row_bytes(self) -> int:
        """The bytes of the values of one row."""
        return sum(column.itemsize for column in self.columns)

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that are warnings."""
        return tuple(note for note in self.notes if note.warning)

    @cached_property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return all(column.complete for column in self.columns)

    @cached_property
    def missing_counts(self) -> tuple[int, ...]:
        """The number of rows in which each variable is missing."""
        return tuple(0 if column.complete else int(np.count_nonzero(column.missing)) for column in self.columns)

    @cached_property
    def complete_rows(self) -> Mask:
        """Which rows have all values."""
        found = np.ones(self.rows, dtype=np.bool_)
        for column in self.columns:
            if not column.complete:
                found &= ~column.missing
        return found

    def require_complete(self) -> None:
        """Raise a DataError where a value is missing.

        Examples
        --------
        >>> from mahc import read
        >>> read({"rain": ["n", "y"]}).require_complete()
        """
        if not self.complete:
            name = next(name for name, column in zip(self.names, self.columns, strict=True) if not column.complete)
            raise DataError(
                f"values are missing in column '{name}': use ", Mention("missing", "drop"), " to leave such rows out"
            )

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The number of the variable called `name`.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        int
            Its place in `names`.

        Examples
        --------
        >>> from mahc import read
        >>> data = read({"rain": ["n", "y", "n"], "wet": ["n", "y", "y"]})
        >>> data.index("wet")
        1
        """
        try:
            return self._places[name]
        except KeyError:
            raise UnknownNameError("variable", str(name), self.names) from None

    def select(self, names: Sequence[str]) -> Dataset:
        """The same rows with these variables only, in this order.

        Parameters
        ----------
        names : list of str
            The variables to keep.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> from mahc import read
        >>> data = read({"rain": ["n", "y", "n"], "wet": ["n", "y", "y"]})
        >>> data.select(["wet"]).names
        ('wet',)
        """
        chosen = [self.index(name) for name in names]
        kept = {None, *names}
        return replace(
            self,
            names=tuple(self.names[v] for v in chosen),
            columns=tuple(self.columns[v] for v in chosen),
            interventions=None if self.interventions is None else self.interventions.select(names),
            notes=tuple(d for d in self.notes if d.column in kept),
        )

    def take(self, rows: NDArray[np.integer] | Mask, weights: NDArray[np.int64] | None = None) -> Dataset:
        """Some rows, with their weights or with others; all states stay states. Notes and settings are left out.

        Parameters
        ----------
        rows : array of int or bool
            The rows to take, or which rows.
        weights : array of int, optional
            How often each of them counts, a whole number, in place of their own weights.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> import numpy as np
        >>> from mahc import read
        >>> read({"rain": ["n", "y", "n"]}).take(np.array([0, 2])).rows
        2
        """
        own = None if self.weights is None else self.weights[rows]
        return Dataset(
            self.names,
            tuple(column.take(rows) for column in self.columns),
            own if weights is None else weights,
            None if self.interventions is None else self.interventions.take(rows),
            unit=self.unit if weights is None else 1,
        )

    def without_experiments(self, allowed: Collection[str] = ()) -> Dataset:
        """The rows in which no experiment set a variable but those allowed, so that all others follow their causes.

        Parameters
        ----------
        allowed : list of str
            Variables that may have been set.

        Returns
        -------
        Dataset
            The rows, as if there had been no experiment.

        Raises
        ------
        DataError
            If there are no such rows.

        Examples
        --------
        >>> from mahc import read
        >>> read({"x": ["a", "b", "a"], "y": ["u", "u", "v"]}, interventions=["", "x", "y"]).without_experiments().rows
        1
        """
        given = self.interventions
        if given is None:
            return self
        free = [k for k, names in enumerate(given.targets) if names <= set(allowed)]
        if not free:
            raise DataError("every row comes from an experiment on these variables: add rows without an experiment")
        return replace(self.take(given.rows_of(free)), interventions=None)

    def stack(self, other: Dataset) -> Dataset:
        """The rows of both, with the weights and experiments of both; a variable has the states of both.

        Notes and settings are left out.

        Parameters
        ----------
        other : Dataset
            Rows of the same variables, in any order.

        Returns
        -------
        Dataset
            The data.

        Raises
        ------
        DataError
            If the variables differ, or are of different kinds.

        Examples
        --------
        >>> from mahc import read
        >>> read({"rain": ["n", "y"]}).stack(read({"rain": ["y", "?"]})).states
        (('n', 'y', '?'),)
        """
        if set(self.names) != set(other.names):
            name = min(set(self.names) ^ set(other.names))
            raise DataError(f"only one of the two data sets has the variable '{name}': select the same ones in both")
        other = other.select(self.names)
        columns = []
        for name, one, two in zip(self.names, self.columns, other.columns, strict=True):
            if one.kind is not two.kind:
                raise DataError(f"'{name}' is {one.kind.value} in one data set and {two.kind.value} in the other")
            columns.append(one.stack(two))  # type: ignore[arg-type]
        parts = (self, other)
        weights, unit = None, max(self.unit, other.unit)
        if any(each.weights is not None for each in parts):
            own = [np.ones(each.rows, np.int64) if each.weights is None else each.weights for each in parts]
            weights = np.concatenate([each * (unit // part.unit) for each, part in zip(own, parts, strict=True)])
        return Dataset(
            self.names,
            tuple(columns),
            weights,
            Interventions.stacked([(p.interventions, p.rows) for p in parts]),
            unit=unit,
        )

    def cut(self, points: Mapping[str, Sequence[float]]) -> Dataset:
        """The same rows with these columns of numbers as intervals.

        The notes have the cut points, so that a result keeps them and cuts other data alike. Columns that are discrete
        already stay as they are.

        Parameters
        ----------
        points : dict
            For each column its cut points, in rising order.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> from mahc import read
        >>> read({"height": [1.62, 1.85, 1.71]}).cut({"height": [1.65, 1.8]}).labels
        (('<= 1.65', '(1.65, 1.8]', '> 1.8'),)
        """
        columns, notes = list(self.columns), list(self.notes)
        for name, own in points.items():
            column = columns[self.index(name)]
            if isinstance(column, Continuous):
                columns[self.index(name)] = column.cut(own)
                shown = enumerate_some([f"{cut:.6g}" for cut in own])
                notes = [note for note in notes if (note.column, note.kind) != (name, "numbers")]
                notes.append(Note(name, "discretised", f"numbers cut at {shown}", tuple(map(float, own))))
        return replace(self, columns=tuple(columns), notes=tuple(notes))

    def merge(self, groups: Mapping[str, Sequence[Sequence[str]]]) -> Dataset:
        """The same rows with neighbouring states of these ordinal columns as one.

        The notes have the groups, so that a result keeps them and merges the states of other data alike. Columns in
        which these states are one already stay as they are.

        Parameters
        ----------
        groups : dict
            For each column the groups of its states, lowest first.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> from mahc import read
        >>> grades = read({"grade": ["low", "medium", "high"]}, ordinal={"grade": ["low", "medium", "high"]})
        >>> grades.merge({"grade": [["low", "medium"], ["high"]]}).labels
        (('low..medium', 'high'),)
        """
        columns, notes = list(self.columns), list(self.notes)
        for name, own in groups.items():
            column = columns[self.index(name)]
            if isinstance(column, Discrete) and set(column.labels) <= {state for group in own for state in group}:
                columns[self.index(name)] = column.merge(own)
                notes.append(note_merged(name, own))
        return replace(self, columns=tuple(columns), notes=tuple(notes))

    def drop_incomplete(self) -> Dataset:
        """The complete rows only, without states that no longer occur; a DataError where there are fewer than two.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> from mahc import read
        >>> read({"rain": ["n", "y", "n", ""]}, missing="state").state_as_missing().drop_incomplete().rows
        3
        """
        keep = self.complete_rows
        kept = int(np.count_nonzero(keep))
        if kept < 2:
            raise DataError(
                f"{count(kept, 'row')} of {self.rows:,} {verb(kept, 'have')} all values: too few to learn from; use ",
                Mention("missing", "weighted"),
                ", or leave out the columns with most missing values",
            )
        return replace(self.take(keep), notes=self.notes, reading=self.reading).without_unused_states()

    def without_unused_states(self) -> Dataset:
        """The same rows, each variable with the states that occur.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> import numpy as np
        >>> Dataset.coded(["rain"], [["n", "y"]], [np.array([1, 1])]).without_unused_states().states
        (('y',),)
        """
        return replace(self, columns=tuple(column.without_unused_states() for column in self.columns))

    def missing_as_state(self) -> Dataset:
        """The same rows, missing values being the state `missing`.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> import numpy as np
        >>> from mahc.data import Discrete
        >>> Dataset(("rain",), (Discrete(("n", "y"), np.array([0, 2])),)).missing_as_state().states
        (('n', 'y', 'missing'),)
        """
        return self if self.complete else replace(self, columns=tuple(c.missing_as_state() for c in self.columns))

    def state_as_missing(self) -> Dataset:
        """The same rows, the state `missing` being a missing value; a DataError where a column has no other state.

        Returns
        -------
        Dataset
            The data.

        Examples
        --------
        >>> from mahc import read
        >>> read({"rain": ["n", "y", ""]}, missing="state").state_as_missing().missing_counts
        (1,)
        """
        for name, column in zip(self.names, self.columns, strict=True):
            if isinstance(column, Discrete) and column.labels == (MISSING_STATE,):
                raise DataError(f"column '{name}' has no value at all: leave it out")
        return replace(self, columns=tuple(column.state_as_missing() for column in self.columns))

    def same_rows(self, u: int, v: int) -> bool:
        """Whether the same rows say something about two variables; they differ where an experiment set one of them.

        Parameters
        ----------
        u, v : int
            The variables.

        Returns
        -------
        bool
            Whether they do.

        Examples
        --------
        >>> from mahc import read
        >>> read({"rain": ["n", "y"], "wet": ["n", "y"]}).same_rows(0, 1)
        True
        """
        return self.interventions is None or self.interventions.same_rows(self.names[u], self.names[v])

    def fingerprint(self) -> str:
        """A hexadecimal SHA-256 of the content.

        It covers the names, every variable's labels (declared but unused ones too) and how often each joint
        row occurs. It does not depend on the order of columns, rows or states, nor on whether equal rows are
        repeated or weighted, nor on the notes. It identifies data; it does not protect against forgery.

        Returns
        -------
        str
            64 hexadecimal digits.

        Examples
        --------
        >>> from mahc import read
        >>> data = read({"rain": ["n", "y", "n"], "wet": ["n", "y", "y"]})
        >>> len(data.fingerprint())
        64
        """
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self)

    @property
    def hashed_columns(self) -> list[tuple[str, Column]]:
        """The columns with their names, as the content of the rows is hashed: experiments are one more column."""
        listed = list(zip(self.names, self.columns, strict=True))
        return listed if self.interventions is None else [*listed, (EXPERIMENT, self.interventions.as_column())]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        if self.unit != other.unit:
            return False
        if (self.names, self.columns, self.interventions) != (other.names, other.columns, other.interventions):
            return False
        if self.weights is None or other.weights is None:
            return self.weights is None and other.weights is None
        return np.array_equal(self.weights, other.weights)

    def __reduce__(self) -> tuple[type[Dataset], tuple[object, ...]]:
        # Arrays come out of a pickle writable: the constructor makes their memory constant again.
        return Dataset, (
            self.names,
            self.columns,
            self.weights,
            self.interventions,
            self.notes,
            self.reading,
            self.unit,
        )

    def __hash__(self) -> int:
        return hash((self.names, self.columns))

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:6]) + (", ..." if len(self.names) > 6 else "")
        weight = "" if self.weights is None else f" of total weight {self.total / self.unit:.12g}"
        variables = f"{len(self.names)} {noun(len(self.names), 'variable')}"
        return f"Dataset({self.rows} {noun(self.rows, 'row')}{weight}, {variables}: {shown})"


def whole_rows(total: int, unit: int) -> int:
    """How many rows so many units are, at least one.

    >>> whole_rows(2600, 1000)
    3
    """
    return total if unit == 1 else max(1, round(total / unit))


def describe_size(size: int, unit: int) -> str:
    """What is learned from, in words: rows, or where weights have fractions, their sum.

    >>> describe_size(202, 1), describe_size(202, 1000)
    ('202 rows', 'rows of total weight 202')
    """
    return count(size, "row") if unit == 1 else f"rows of total weight {size:,}"


def refuse_fractions(data: object, what: str, *others: str | Mention) -> None:
    """Raise a DataError where weights have fractions, for those who count rows; `others` are other fixes."""
    if getattr(data, "unit", 1) > 1:
        raise DataError(
            f"the weights have fractions, and {what} is for whole rows: round the weights",
            *(others or (", or leave them out",)),
        )


def _weighted(weights: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    array = np.asarray(weights)
    if array.shape != (rows,) or array.dtype.kind not in "ui":
        raise DataError(f"weights must be {count(rows, 'whole number')}, one per row")
    if int(array.min()) < 0:
        raise DataError(f"weights must not be negative: the smallest is {array.min()}")
    total = float(array.sum(dtype=np.float64))
    if not 0 < total <= LARGEST_SIZE:
        raise DataError(f"the weights sum to {total:.6g}: the sum must lie between 1 and 2^53 - 1")
    return freeze(array, np.dtype(np.int64))


def _fitting(given: Interventions, names: tuple[str, ...], rows: int) -> Interventions | None:
    if len(given.codes) != rows:
        raise DataError(f"interventions are given for {count(len(given.codes), 'row')}, the data have {rows:,}")
    unknown = sorted(frozenset().union(*given.targets) - frozenset(names))
    if unknown:
        raise DataError(
            f"an experiment sets a variable that the data lack: {UnknownNameError('variable', unknown[0], names)}"
        )
    return given if any(given.targets) else None
