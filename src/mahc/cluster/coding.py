"""From the values that occur in all pieces to the states of every variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.pieces import Piece
from mahc.data.dataset import LARGEST_SIZE
from mahc.data.prepare.notes import Problem
from mahc.data.prepare.weights import weights_from_column
from mahc.data.reading import audit
from mahc.data.settings import ReadSettings
from mahc.data.sources.frames import code_polars
from mahc.errors import DataError, Mention, Message, SettingError
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl

VALUE, COUNT = "value", "count"
MAX_VALUES = 1 << 20  # distinct values of a column, over all pieces


@dataclass(frozen=True)
class Coding:
    """For each variable its states, the values that occur, and the code of each value.

    Parameters
    ----------
    names : tuple of str
        The variables, without the weights.
    states : tuple of tuples of str
        The labels of their states.
    values : tuple of polars.Series
        The values that occur in the pieces.
    codes : tuple of arrays
        The code of each value.
    weights : str or None
        The column of weights.

    Examples
    --------
    >>> import polars as pl
    >>> counts = {"a": pl.DataFrame({"value": ["x", "y"], "count": [3, 2]})}
    >>> make_coding(counts, ReadSettings())[0].states
    (('x', 'y'),)
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    values: tuple[pl.Series, ...]
    codes: tuple[NDArray[np.unsignedinteger], ...]
    weights: str | None = None

    def code(self, v: int, column: pl.Series) -> NDArray[np.unsignedinteger]:
        """The codes of variable v for a column of a piece; a DataError where it has a value that is not known."""
        import polars as pl

        try:
            return self._code(v, column)
        except pl.exceptions.PolarsError:
            raise DataError(f"column '{self.names[v]}' has a value that it did not have before") from None

    def _code(self, v: int, column: pl.Series) -> NDArray[np.unsignedinteger]:
        import polars as pl

        values, codes = self.values[v], self.codes[v]
        if column.dtype in (pl.Categorical, pl.String) and values.dtype == pl.String:
            texts = values.drop_nulls()
            known = column.cast(pl.Enum(texts)).to_physical().cast(pl.UInt32)
            place = known.fill_null(len(texts)).to_numpy()
            ordered = np.concatenate([codes[~values.is_null().to_numpy()], codes[values.is_null().to_numpy()]])
            found: NDArray[np.unsignedinteger] = ordered[place]
            return found
        order = pl.DataFrame({VALUE: values, "code": codes})
        joined = column.to_frame(VALUE).join(order, on=VALUE, how="left", nulls_equal=True, maintain_order="left")
        if joined["code"].null_count():
            raise DataError(f"column '{self.names[v]}' has a value that it did not have before")
        return joined["code"].to_numpy()


def count_values(piece: Piece, names: Sequence[str], weights: NDArray[np.int64] | None) -> dict[str, pl.DataFrame]:
    """How often each value of each column occurs in a piece, as frames with the columns value and count."""
    return {name: _count(name, piece.column(name), weights) for name in names}


def add_counts(first: pl.DataFrame, second: pl.DataFrame, name: str) -> pl.DataFrame:
    """The counts of two pieces together."""
    import polars as pl

    types = first[VALUE].dtype, second[VALUE].dtype
    if pl.Null in types:  # no values at all: they fit every type
        first, second = (frame.cast({VALUE: types[types[0] == pl.Null]}) for frame in (first, second))
    elif types[0] != types[1]:
        one, other = (str(frame[VALUE].dtype) for frame in (first, second))
        raise DataError(
            f"column '{name}' is {min(one, other)} in one file and {max(one, other)} in another: "
            "write the files with one type"
        )
    total = pl.concat([first, second]).group_by(VALUE).agg(pl.col(COUNT).sum())
    if total.height > MAX_VALUES:
        raise DataError(
            f"column '{name}' has more than {MAX_VALUES:,} values: if it is an identifier, leave it out with ",
            Mention("drop", (name,)),
        )
    return total


def refuse_too_heavy(size: int) -> None:
    """Weights whose total would not be exact are refused."""
    if size > LARGEST_SIZE:
        raise DataError(f"the weights are {size:,} in total, above the maximum of 2^53 - 1: divide them")


def make_coding(
    counts: Mapping[str, pl.DataFrame], settings: ReadSettings
) -> tuple[Coding, tuple[NDArray[np.int64], ...]]:
    """The states by the rules of `mahc.read`, and how often each occurs."""
    import polars as pl

    _refuse_settings(settings)
    names = tuple(counts)
    plain = replace(settings, weights=None, columns=None, drop=())
    states, values, codes, marginals = [], [], [], []
    for name, frame in counts.items():
        ordered = frame.sort(VALUE, nulls_last=True)
        # Each value twice: of a column with one value the reader would say that the data have one row.
        found = audit(pl.concat([ordered[VALUE], ordered[VALUE]]).to_frame(name), plain)
        if found.dataset is None:
            first = found.problems[0]
            raise DataError(_refusal(name, ordered, first.kind, plain) or first.as_message())
        data, own = found.dataset, found.dataset.columns[0][: ordered.height]
        states.append(data.states[0])
        values.append(ordered[VALUE])
        codes.append(own)
        total = np.zeros(len(data.states[0]), np.int64)
        np.add.at(total, own, ordered[COUNT].to_numpy())
        marginals.append(total)
    weights = settings.weights if isinstance(settings.weights, str) else None
    return Coding(names, tuple(states), tuple(values), tuple(codes), weights), tuple(marginals)


def _refusal(name: str, frame: pl.DataFrame, kind: str, settings: ReadSettings) -> Message | None:
    if kind != "missing":
        return None
    missing = sum(
        rows
        for value, rows in zip(frame[VALUE].to_list(), frame[COUNT].to_list(), strict=True)
        if settings.is_missing(value)
    )
    start = f"column '{name}' has {count(missing, 'missing value')}: pass "
    return Message(start, Mention("missing", "state"), ", or fill them in the files")


def _refuse_settings(settings: ReadSettings) -> None:
    if settings.missing not in ("error", "state"):
        raise SettingError(
            Mention("missing", settings.missing),
            " is not possible for data in pieces: use ",
            Mention("missing", "state"),
            ", or prepare the files",
        )
    if settings.discretise is not None:
        raise SettingError(
            Mention("discretise"), " is not possible for data in pieces: discretise the columns in the files"
        )
    if settings.weights is not None and not isinstance(settings.weights, str):
        raise SettingError(Mention("weights"), " must be the name of a column for data in pieces")


def _count(name: str, column: pl.Series, weight: NDArray[np.int64] | None) -> pl.DataFrame:
    import polars as pl

    if column.dtype == pl.Categorical:
        column = column.cast(pl.String)
    counts = np.ones(len(column), np.int64) if weight is None else weight
    frame = pl.DataFrame([column.alias(VALUE), pl.Series(COUNT, counts, pl.Int64)])
    found = frame.group_by(VALUE).agg(pl.col(COUNT).sum())
    if found.height > MAX_VALUES:
        raise DataError(
            f"column '{name}' has more than {MAX_VALUES:,} values: if it is an identifier, leave it out with ",
            Mention("drop", (name,)),
        )
    return found.filter(pl.col(COUNT) > 0)


def read_weights(piece: Piece, name: str) -> NDArray[np.int64]:
    """The weights of a piece, checked as `mahc.read` checks them; a piece may have no weight at all."""
    import polars as pl

    settings = ReadSettings(weights=name)
    column = piece.column(name)
    found = weights_from_column(name, code_polars(name, column, settings), settings) if len(column) else np.zeros(0)
    if isinstance(found, Problem):
        if column.cast(pl.Float64, strict=False).sum() == 0:
            return np.zeros(len(column), np.int64)
        raise DataError(f"{piece.name}: ", found.as_message())
    return found.astype(np.int64)
