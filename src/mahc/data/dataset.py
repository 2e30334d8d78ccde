"""The data set: coded columns, names of states, weights; immutable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.fingerprint import fingerprint
from mahc.data.names import check_names
from mahc.data.prepare.notes import Note
from mahc.errors import DataError, UnknownNameError
from mahc.plurals import count, noun

if TYPE_CHECKING:
    from mahc.data.settings import ReadSettings

Scalar = TypeVar("Scalar", bound=np.generic)
Codes = NDArray[np.unsignedinteger]
# Sums of weights are exact in a double, of which the scores take logarithms; 2^53 + 1 rounds to 2^53, so that
# 2^53 itself is not accepted.
LARGEST_SIZE = 2**53 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Discrete data: code k in column v means states[v][k]; a row counts `weights` times, or once.

    Columns are kept in the code_type unsigned type for their number of states, C-contiguous and read-only,
    in memory of their own: an array that is changed later does not change the data set.
    Equality compares names, states, codes and weights, not the notes nor the settings of reading.

    Parameters
    ----------
    names : tuple of str
        The variables.
    states : tuple of tuples of str
        The labels of each variable's states.
    columns : tuple of arrays
        The codes of each variable, one per row.
    weights : array of int, optional
        How often each row counts; once if left out.
    notes : tuple of Note
        What was decided or noticed while the data were read.
    reading : ReadSettings, optional
        The settings with which mahc read the data, without weights per row; a result keeps them.

    Raises
    ------
    DataError
        If the columns have different lengths or a code has no state.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1, 1]), np.array([0, 1, 0])
    >>> data = Dataset(("rain", "wet"), (("no", "yes"), ("no", "yes")), codes)
    >>> data
    Dataset(3 rows, 2 variables: rain, wet)
    >>> data.state_counts, data.columns[0].dtype
    (array([2, 2]), dtype('uint8'))
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    columns: tuple[Codes, ...]
    weights: NDArray[np.int64] | None = None
    notes: tuple[Note, ...] = field(default=())
    reading: ReadSettings | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "names", tuple(self.names))
        set_field(self, "states", tuple(tuple(labels) for labels in self.states))
        check_names(self.names)
        if not len(self.names) == len(self.states) == len(self.columns):
            raise DataError(
                f"{count(len(self.names), 'name')}, {count(len(self.states), 'list')} of states, "
                f"{count(len(self.columns), 'column')}: "
                "there must be one of each per variable"
            )
        parts = zip(self.names, self.states, self.columns, strict=True)
        set_field(self, "columns", tuple(_coded(*part) for part in parts))
        if len({len(column) for column in self.columns}) > 1:
            raise DataError("the columns differ in length: give every variable one code per row")
        if self.weights is not None:
            set_field(self, "weights", _weighted(self.weights, len(self.columns[0])))

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return len(self.columns[0])

    @property
    def size(self) -> int:
        """The total weight (the rows when unweighted): the N of the scores."""
        return self.rows if self.weights is None else int(self.weights.sum())

    @property
    def state_counts(self) -> NDArray[np.int64]:
        """The number of states of each variable."""
        return np.array([len(labels) for labels in self.states], dtype=np.int64)

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that are warnings."""
        return tuple(note for note in self.notes if note.warning)

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
            states=tuple(self.states[v] for v in chosen),
            columns=tuple(self.columns[v] for v in chosen),
            notes=tuple(d for d in self.notes if d.column in kept),
        )

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
        return fingerprint(self.names, self.states, self.columns, self.weights, self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        if (self.names, self.states, self.rows) != (other.names, other.states, other.rows):
            return False
        if (self.weights is None) != (other.weights is None):
            return False
        if self.weights is not None and not np.array_equal(self.weights, other.weights):  # type: ignore[arg-type]
            return False
        return all(np.array_equal(a, b) for a, b in zip(self.columns, other.columns, strict=True))

    def __reduce__(self) -> tuple[type[Dataset], tuple[object, ...]]:
        # Arrays come out of a pickle writable: the constructor makes their memory constant again.
        return Dataset, (self.names, self.states, self.columns, self.weights, self.notes, self.reading)

    def __hash__(self) -> int:
        return hash((self.names, self.states, self.rows))

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:6]) + (", ..." if len(self.names) > 6 else "")
        weight = "" if self.weights is None else f" of total weight {self.size}"
        variables = f"{len(self.names)} {noun(len(self.names), 'variable')}"
        return f"Dataset({self.rows} {noun(self.rows, 'row')}{weight}, {variables}: {shown})"


def code_type(states: int) -> np.dtype[np.unsignedinteger]:
    """The smallest unsigned type for the codes of this many states."""
    return np.dtype(np.uint8 if states <= 1 << 8 else np.uint16 if states <= 1 << 16 else np.uint32)


def _coded(name: str, labels: tuple[str, ...], column: Codes) -> Codes:
    array = np.asarray(column)
    if array.ndim != 1 or array.dtype.kind not in "ui":
        raise DataError(f"variable '{name}': codes must be a one-dimensional array of integers")
    if len(set(labels)) != len(labels):
        raise DataError(f"variable '{name}': a state is listed twice; give every state its own label")
    if len(array) == 0:
        raise DataError("the data have no rows: at least one is needed")
    if int(array.max()) >= len(labels) or (array.dtype.kind == "i" and int(array.min()) < 0):
        raise DataError(
            f"variable '{name}': codes run from {array.min()} to {array.max()}, but its {count(len(labels), 'state')} "
            f"allow 0 to {len(labels) - 1}"
        )
    return _frozen(array, code_type(len(labels)))


def _weighted(weights: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    array = np.asarray(weights)
    if array.shape != (rows,) or array.dtype.kind not in "ui":
        raise DataError(f"weights must be {count(rows, 'whole number')}, one per row")
    if int(array.min()) < 0:
        raise DataError(f"weights must not be negative: the smallest is {array.min()}")
    total = float(array.sum(dtype=np.float64))
    if not 0 < total <= LARGEST_SIZE:
        raise DataError(f"the weights sum to {total:.6g}: the sum must lie between 1 and 2^53 - 1")
    return _frozen(array, np.dtype(np.int64))


def _frozen(array: NDArray[np.integer], dtype: np.dtype[Scalar]) -> NDArray[Scalar]:
    # The memory is a `bytes` object: nobody can change it, while a read-only view can have a writable base.
    if isinstance(array.base, bytes) and array.dtype == dtype and array.flags.c_contiguous:
        return array
    return np.frombuffer(np.ascontiguousarray(array, dtype=dtype).tobytes(), dtype=dtype)
