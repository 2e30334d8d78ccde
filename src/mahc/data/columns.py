"""Typed columns: `Discrete` (a state per row) and `Continuous` (a number per row). Both are immutable.

Everything that depends on the kind of a column is a method of its class: which rows lack a value, a part of the rows,
what a fingerprint hashes, what a person is shown. Other packages call these methods and do not ask for the class.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.discretise.interval_labels import interval_labels
from mahc.data.prepare.notes import merged_label
from mahc.data.prepare.types import label
from mahc.data.rank_bins import rank_bins
from mahc.data.source_table import Column as SourceColumn
from mahc.data.source_table import LabelColumn, NumberColumn
from mahc.errors import DataError
from mahc.plurals import count

State = str | int | float | bool
Codes = NDArray[np.unsignedinteger]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]
Hashes = NDArray[np.uint64]
Hasher = Callable[[slice], Hashes]  # the hashes of some rows
Scalar = TypeVar("Scalar", bound=np.generic)

MISSING_STATE = "missing"  # what a missing value is called where it is printed or hashed


class Kind(Enum):
    """What the values of a column are; the value of a member is its printed form.

    Examples
    --------
    >>> from mahc import read
    >>> sorted(kind.value for kind in read({"rain": ["n", "y"], "height": [1.5, 0.5]}).kinds)
    ['continuous', 'discrete']
    """

    DISCRETE = "discrete"
    CONTINUOUS = "continuous"


@dataclass(frozen=True, eq=False)
class Discrete:
    """One state per row: code k means `states[k]`, and the code `len(states)` means that the value is missing.

    Codes have the smallest unsigned type that holds them.

    Parameters
    ----------
    states : tuple of str, int, float or bool
        The states, in the type in which they came.
    codes : array of int
        One code per row.
    ordered : bool
        Whether the order of the states has a meaning (low, medium, high).

    Raises
    ------
    DataError
        If a state is listed twice or a code has no state.

    Examples
    --------
    >>> column = Discrete((1, 2), np.array([0, 1, 2]))
    >>> column.labels, column.missing.tolist()
    (('1', '2'), [False, False, True])
    """

    states: tuple[State, ...]
    codes: Codes
    ordered: bool = False

    kind: ClassVar[Kind] = Kind.DISCRETE

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", tuple(self.states))
        codes = np.asarray(self.codes)
        if codes.ndim != 1 or codes.dtype.kind not in "ui":
            raise DataError("codes must be a one-dimensional array of integers")
        if len(set(self.labels)) != len(self.labels):
            raise DataError("a state is listed twice; give every state its own label")
        least, most = (int(codes.min()), int(codes.max())) if len(codes) else (0, -1)
        if least < 0 or most > len(self.states):
            raise DataError(
                f"codes run from {least} to {most}, but its {count(len(self.states), 'state')} "
                f"allow 0 to {len(self.states) - 1}, and {len(self.states)} for a missing value"
            )
        self.__dict__["complete"] = most < len(self.states)
        object.__setattr__(self, "codes", freeze(codes, code_type(self.code_count)))

    @cached_property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return not self.missing.any()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The states as they are printed."""
        return tuple(state if type(state) is str else label(state) for state in self.states)

    @property
    def ranked(self) -> bool:
        """Whether the states have an order that puts each in its place; a missing value as a state has none."""
        return self.ordered and MISSING_STATE not in self.labels

    @property
    def state_count(self) -> int | None:
        """The number of states."""
        return len(self.states)

    @property
    def code_count(self) -> int:
        """The number of different codes: one for each state, and one for missing values where there are any."""
        return len(self.states) + (not self.complete)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.codes)

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return self.codes.itemsize

    @property
    def missing(self) -> Mask:
        """In which rows the value is missing."""
        found: Mask = self.codes == len(self.states)
        return found

    def take(self, rows: NDArray[np.integer] | Mask | slice) -> Discrete:
        """Some rows; all states stay states."""
        return Discrete(self.states, self.codes[rows], self.ordered)

    def stack(self, other: Discrete) -> Discrete:
        """The rows of both; the states of the other that are new come last."""
        place = {text: code for code, text in enumerate(self.labels)}
        added = [state for state, text in zip(other.states, other.labels, strict=True) if text not in place]
        states = (*self.states, *added)
        place |= {label(state): len(self.states) + number for number, state in enumerate(added)}
        table = np.array([*(place[text] for text in other.labels), len(states)], np.uint32)
        own = np.where(self.codes == len(self.states), len(states), self.codes.astype(np.uint32))
        return Discrete(states, np.concatenate([own, table[other.codes]]), self.ordered and not added)

    def with_codes(self, codes: NDArray[np.integer]) -> Discrete:
        """The same states with other rows."""
        return Discrete(self.states, codes, self.ordered)  # type: ignore[arg-type]

    def without_unused_states(self) -> Discrete:
        """The same rows with the states that occur; none may be missing."""
        used = np.unique(self.codes)
        return Discrete(tuple(self.states[k] for k in used.tolist()), np.searchsorted(used, self.codes), self.ordered)  # type: ignore[arg-type]

    def merge(self, groups: Sequence[Sequence[str]]) -> Discrete:
        """Neighbouring states as one: the column with a state for each of these groups of labels that it has.

        >>> grade = Discrete(("low", "medium", "high"), np.array([0, 1, 2, 3]), True)
        >>> grade.merge([["low", "medium"], ["high"]]).labels
        ('low..medium', 'high')
        """
        place = {state: k for k, group in enumerate(groups) for state in group}
        listed = np.array([place[text] for text in self.labels], np.int64)
        used = np.unique(listed)
        table = np.append(np.searchsorted(used, listed), len(used))
        states = tuple(merged_label(groups[k]) for k in used.tolist())
        return Discrete(states, table[self.codes], self.ordered)

    def missing_as_state(self) -> Discrete:
        """The same rows, a missing value being one more state."""
        return self if self.complete else Discrete((*self.states, MISSING_STATE), self.codes, self.ordered)

    def state_as_missing(self) -> Discrete:
        """The same rows, the state `missing` being a missing value."""
        if MISSING_STATE not in self.labels:
            return self
        place = self.labels.index(MISSING_STATE)
        others = (*self.states[:place], *self.states[place + 1 :])
        order = np.arange(len(self.states), dtype=self.codes.dtype)
        moved = np.where(order == place, len(others), order - (order > place)).astype(self.codes.dtype)
        return Discrete(others, self.codes if place == len(others) else moved[self.codes], self.ordered)

    def with_rows(self, values: NDArray[Any]) -> Discrete:
        """The same states with other rows, as `as_array` gives them."""
        return self.with_codes(values)

    def as_array(self) -> NDArray[np.unsignedinteger]:
        """The codes."""
        return self.codes

    def as_numbers(self) -> Numbers:
        """A DataError: states are no numbers."""
        raise DataError("is discrete, and numbers are needed: leave it out")

    def as_bins(self, bins: int, weights: NDArray[np.integer] | None) -> Discrete:
        """The column itself: its states are its bins."""
        return self

    def as_features(self, weights: NDArray[np.integer] | None) -> Numbers:
        """Columns for a regression: 1 in the column of the state, 0 in the others; 0 in all where it is missing."""
        return np.eye(len(self.states) + 1)[self.codes][:, :-1]

    def as_source(self) -> SourceColumn:
        """The column as if it were read from a source."""
        return LabelColumn([*self.states, None], self.codes)

    def sort_keys(self) -> NDArray[np.generic]:
        """One key per row; equal values have equal keys."""
        return self.codes

    def summary(self, weights: NDArray[np.float64] | None) -> dict[str, Any]:
        """The states and how often they occur; `missing` is how often a value is missing, where one is."""
        counts = [round(n) for n in np.bincount(self.codes, weights=weights, minlength=self.code_count)]
        found: dict[str, Any] = {"states": list(self.labels), "counts": counts[: len(self.states)]}
        return found if self.complete else {**found, "missing": counts[-1]}

    def fingerprint_terms(self) -> bytes:
        """What a fingerprint keeps of the column besides its rows: the labels, in any order unless that has meaning."""
        return discrete_terms(self.labels if self.complete else (*self.labels, MISSING_STATE), self.ordered)

    def hasher(self, name: str, lane: int) -> Hasher:
        """Hashes of rows, from the name of the variable and the label."""
        table = label_hashes(name, self.labels if self.complete else (*self.labels, MISSING_STATE), lane)
        return lambda part: table[self.codes[part]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discrete):
            return NotImplemented
        return (self.labels, self.ordered) == (other.labels, other.ordered) and np.array_equal(self.codes, other.codes)

    def __hash__(self) -> int:
        return hash((self.labels, len(self.codes)))

    def __reduce__(self) -> tuple[type[Discrete], tuple[object, ...]]:
        # Arrays come out of a pickle writable: the constructor makes their memory constant again.
        return Discrete, (self.states, self.codes, self.ordered)


HISTOGRAM_BINS = 24


@dataclass(frozen=True, eq=False)
class Continuous:
    """One number per row; NaN means that the value is missing.

    Parameters
    ----------
    values : array of float
        The numbers.

    Raises
    ------
    DataError
        If a number is infinite.

    Examples
    --------
    >>> column = Continuous(np.array([1.5, np.nan, 2.5]))
    >>> column.missing.tolist(), column.summary(None)["median"]
    ([False, True, False], 2.0)
    """

    values: Numbers

    kind: ClassVar[Kind] = Kind.CONTINUOUS
    ranked: ClassVar[bool] = True

    def __post_init__(self) -> None:
        values = np.asarray(self.values, np.float64)
        if values.ndim != 1:
            raise DataError("numbers must be a one-dimensional array")
        if np.isinf(values).any():
            raise DataError("a number is infinite; replace it by a finite one, or by NaN where it is missing")
        object.__setattr__(self, "values", freeze(values + 0.0, np.dtype(np.float64)))  # -0.0 becomes 0.0

    @cached_property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return not bool(np.isnan(self.values).any())

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.values)

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return self.values.itemsize

    @property
    def missing(self) -> Mask:
        """In which rows the value is missing."""
        found: Mask = np.isnan(self.values)
        return found

    def stack(self, other: Continuous) -> Continuous:
        """The rows of both."""
        return Continuous(np.concatenate([self.values, other.values]))

    def take(self, rows: NDArray[np.integer] | Mask | slice) -> Continuous:
        """Some rows."""
        return Continuous(self.values[rows])

    @property
    def state_count(self) -> int | None:
        """None: there are no states."""
        return None

    def without_unused_states(self) -> Continuous:
        """The column itself: it has no states."""
        return self

    def missing_as_state(self) -> Continuous:
        """The column itself; a DataError where a value is missing, because numbers have no states."""
        if not self.complete:
            raise DataError("a missing number cannot be a state: cut the column into intervals first")
        return self

    def state_as_missing(self) -> Continuous:
        """The column itself: it has no states."""
        return self

    def cut(self, points: Sequence[float]) -> Discrete:
        """The numbers as intervals; a number belongs to the first cut point that it does not exceed.

        >>> Continuous(np.array([1.5, np.nan, 7.0])).cut([2.0, 5.0]).labels
        ('<= 2', '> 5')
        """
        intervals = np.searchsorted(np.asarray(points, np.float64), self.values, side="left")
        intervals[self.missing] = len(points) + 1
        used = np.unique(intervals[~self.missing])
        labels = interval_labels(np.asarray(points, np.float64))
        place = np.full(len(points) + 2, len(used), np.int64)
        place[used] = np.arange(len(used))
        return Discrete(tuple(labels[k] for k in used.tolist()), place[intervals])  # type: ignore[arg-type]

    def with_rows(self, values: NDArray[Any]) -> Continuous:
        """Other rows, as `as_array` gives them."""
        return Continuous(values)

    def as_array(self) -> Numbers:
        """The numbers."""
        return self.values

    def as_numbers(self) -> Numbers:
        """The numbers; NaN where one is missing."""
        return self.values

    def as_bins(self, bins: int, weights: NDArray[np.integer] | None) -> Discrete:
        """Bins of the ranks, of about equal weight; a missing value is missing."""
        codes = rank_bins(self.values, weights, bins)
        return Discrete(tuple(range(int(codes.max(initial=-1)) + self.complete)), codes.astype(np.uint32))

    def as_features(self, weights: NDArray[np.integer] | None) -> Numbers:
        """Columns for a regression: the normal score of the rank, its square and its cube; no value may be missing.

        Monotone transformations change nothing, and a change of sign only that of the first and the last column.
        """
        from statistics import NormalDist

        _, place = np.unique(self.values, return_inverse=True)
        counts = np.bincount(place, weights)
        twice = 2 * np.cumsum(counts) - counts - counts.sum()  # twice the distance from the middle of all ranks
        normal = NormalDist()
        shares = (1 + np.abs(twice) / counts.sum()) / 2
        scores = (np.sign(twice) * [normal.inv_cdf(share) for share in shares.tolist()])[place]
        return np.column_stack([scores, scores**2, scores**3])

    def as_source(self) -> SourceColumn:
        """The column as if it were read from a source."""
        return NumberColumn(self.values)

    def sort_keys(self) -> NDArray[np.generic]:
        """One key per row; equal values have equal keys, missing ones too."""
        return self._bits

    def summary(self, weights: NDArray[np.float64] | None) -> dict[str, Any]:
        """The number of values, least, quartiles, greatest and mean of those that are known; rows count alike.

        The histogram has intervals of equal width, with the weight of the rows in each.
        """
        known = self.values[~self.missing]
        if not len(known):
            return {"values": 0}
        names = ("least", "lower_quartile", "median", "upper_quartile", "greatest")
        numbers = np.quantile(known, (0, 0.25, 0.5, 0.75, 1)).tolist()
        counted = None if weights is None else weights[~self.missing].astype(np.float64)
        counts, edges = np.histogram(known, HISTOGRAM_BINS, weights=counted)
        histogram = {"edges": edges.tolist(), "counts": counts.astype(np.int64).tolist()}
        found = {"values": len(known), **dict(zip(names, numbers, strict=True)), "mean": float(known.mean())}
        return {**found, "histogram": histogram}

    def fingerprint_terms(self) -> bytes:
        """What a fingerprint keeps of the column besides its rows: that it holds numbers."""
        return CONTINUOUS_TERMS

    def hasher(self, name: str, lane: int) -> Hasher:
        """Hashes of rows, from the name of the variable and the number."""
        seed = label_hashes(name, ("",), lane)[0]
        return lambda part: mix(self._bits[part] ^ seed)

    @cached_property
    def _bits(self) -> Hashes:
        """The numbers as integers; all missing ones are the same."""
        return np.where(np.isnan(self.values), np.nan, self.values).view(np.uint64)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Continuous):
            return NotImplemented
        return np.array_equal(self.values, other.values, equal_nan=True)

    def __hash__(self) -> int:
        return hash((len(self.values), self.values[:8].tobytes()))

    def __reduce__(self) -> tuple[type[Continuous], tuple[object, ...]]:
        return Continuous, (self.values,)


Column = Discrete | Continuous


MECHANISMS = ("set", "changed")
EXPERIMENT = "\0experiment"  # what a fingerprint calls the experiments


def find_blocks(targets: Sequence[Collection[str]], name: str, mechanism: str) -> tuple[tuple[int, ...], ...]:
    """The experiments whose rows have one table of a variable.

    Those that left it alone have one and, where experiments change their targets, each that changed it has its own.

    >>> find_blocks([[], ["a"], ["b"]], "a", "set"), find_blocks([[], ["a"], ["b"]], "a", "changed")
    (((0, 2),), ((0, 2), (1,)))
    """
    alone = tuple(k for k, names in enumerate(targets) if name not in names)
    changed = [(k,) for k, names in enumerate(targets) if name in names and mechanism == "changed"]
    return tuple(sorted([*([alone] if alone else []), *changed]))


@dataclass(frozen=True, eq=False)
class Interventions:
    """Which variables an experiment set: row i belongs to experiment `codes[i]`, which set `targets[codes[i]]`.

    Rows without an experiment belong to one that set nothing. An experiment is known by its targets: those with the
    same targets are one, and those without rows are left out.

    Parameters
    ----------
    targets : tuple of frozensets of str
        For each experiment the names of the variables that it set.
    codes : array of int
        The experiment of each row.
    mechanism : str
        What an experiment does to its targets: "set" (their causes have no effect in its rows) or "changed" (their
        causes have another effect in its rows).

    Examples
    --------
    >>> given = Interventions((frozenset(), frozenset(["drug"])), np.array([0, 0, 1]))
    >>> given.speaking("drug").tolist(), given.speaking("age") is None
    ([True, True, False], True)
    """

    targets: tuple[frozenset[str], ...]
    codes: Codes
    mechanism: str = "set"

    def __post_init__(self) -> None:
        targets = tuple(frozenset(names) for names in self.targets)
        codes = Discrete(tuple(range(len(targets))), self.codes)  # checks the codes
        if not codes.complete:
            raise DataError(f"an experiment has the number {len(targets)}, but there are {len(targets)}, from 0")
        used = {targets[code] for code in np.unique(codes.codes).tolist()}
        listed = sorted(used, key=sorted)
        if tuple(listed) != targets:
            place = {names: number for number, names in enumerate(listed)}
            table = np.array([place.get(names, 0) for names in targets], np.uint32)
            codes = Discrete(tuple(range(len(listed))), table[codes.codes])
        object.__setattr__(self, "targets", tuple(listed))
        object.__setattr__(self, "codes", codes.codes)

    def speaking(self, name: str) -> Mask | None:
        """The rows in which a variable was left alone, which tell what causes it; None if it always was."""
        setting = np.array([name in names for names in self.targets])
        return ~setting[self.codes] if setting.any() else None

    def blocks(self, name: str) -> tuple[tuple[int, ...], ...]:
        """The experiments whose rows have one table of a variable."""
        return find_blocks(self.targets, name, self.mechanism)

    def rows_of(self, block: Sequence[int]) -> Mask:
        """The rows of some experiments."""
        chosen = np.zeros(len(self.targets), np.bool_)
        chosen[list(block)] = True
        found: Mask = chosen[self.codes]
        return found

    def same_rows(self, one: str, other: str) -> bool:
        """Whether both have their tables from the same rows, so that no experiment tells which causes which."""
        return self.blocks(one) == self.blocks(other)

    @staticmethod
    def stacked(parts: Sequence[tuple[Interventions | None, int]]) -> Interventions | None:
        """The experiments of several data sets, each with its number of rows, one after another."""
        given = [each for each, _ in parts if each is not None]
        if not given:
            return None
        if len({each.mechanism for each in given}) > 1:
            raise DataError("experiments set variables in one data set and change them in another: join one kind")
        targets: list[frozenset[str]] = [frozenset()]
        codes = []
        for each, rows in parts:
            codes.append(np.zeros(rows, np.int64) if each is None else each.codes.astype(np.int64) + len(targets))
            targets += () if each is None else each.targets
        return Interventions(tuple(targets), np.concatenate(codes), given[0].mechanism)

    def take(self, rows: NDArray[np.integer] | Mask | slice) -> Interventions:
        """The experiments of some rows."""
        return Interventions(self.targets, self.codes[rows], self.mechanism)

    def select(self, names: Sequence[str]) -> Interventions:
        """The experiments as far as they set these variables."""
        kept = frozenset(names)
        return Interventions(tuple(targets & kept for targets in self.targets), self.codes, self.mechanism)

    def as_column(self) -> Discrete:
        """One state per experiment, for hashing and sorting rows."""
        first = "" if self.mechanism == "set" else f"{self.mechanism}\0"
        return Discrete(tuple(first + "\0".join(sorted(names)) for names in self.targets), self.codes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interventions) and self.as_column() == other.as_column()

    def __hash__(self) -> int:
        return hash((frozenset(self.targets), len(self.codes)))

    def __reduce__(self) -> tuple[type[Interventions], tuple[object, ...]]:
        return Interventions, (self.targets, self.codes, self.mechanism)


def code_type(codes: int) -> np.dtype[np.unsignedinteger]:
    """The smallest unsigned type for so many different codes."""
    return np.dtype(np.uint8 if codes <= 1 << 8 else np.uint16 if codes <= 1 << 16 else np.uint32)


def freeze(array: NDArray[Any], dtype: np.dtype[Scalar]) -> NDArray[Scalar]:
    """The array in memory that nobody can change, C-contiguous; a copy unless it is such an array already."""
    # The memory is a `bytes` object: a read-only view could have a writable base.
    if isinstance(array.base, bytes) and array.dtype == dtype and array.flags.c_contiguous:
        return array
    return np.frombuffer(np.ascontiguousarray(array, dtype=dtype).tobytes(), dtype=dtype)


def discrete_terms(labels: Sequence[str], ordered: bool = False) -> bytes:
    """What a fingerprint keeps of the labels of a discrete column."""
    terms = [with_length(each) for each in labels]
    return b"ordered" + b"".join(terms) if ordered else b"".join(sorted(terms))


CONTINUOUS_TERMS = b"continuous"


@lru_cache(maxsize=4096)
def with_length(text: str) -> bytes:
    """A text so that no other sequence of texts has the same bytes."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "little") + data


def label_hashes(name: str, labels: Sequence[str], lane: int) -> Hashes:
    """One number for each pair of the variable and a label."""
    prefix = hashlib.sha256(bytes([lane]) + with_length(name))
    table = np.empty(len(labels), dtype=np.uint64)
    for code, text in enumerate(labels):
        entry = prefix.copy()
        entry.update(with_length(text))
        table[code] = int.from_bytes(entry.digest()[:8], "little")
    return table


def mix(numbers: Hashes) -> Hashes:
    """The finaliser of splitmix64, which turns similar numbers into unrelated ones; changes the array."""
    numbers ^= numbers >> np.uint64(30)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    numbers ^= numbers >> np.uint64(27)
    numbers *= np.uint64(0x94D049BB133111EB)
    numbers ^= numbers >> np.uint64(31)
    return numbers
