"""The columns of data in pieces, whose files must agree on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mahc.cluster.pieces import Piece
from mahc.data.settings import ReadSettings
from mahc.errors import DataError

if TYPE_CHECKING:
    import polars as pl


def column_names(pieces: Sequence[Piece], settings: ReadSettings) -> tuple[list[str], list[str]]:
    """The columns to use, and all columns; a file that lacks one, has more, or has another type of one, is named."""
    types = {piece.name: piece.column_types() for piece in {piece.name: piece for piece in reversed(pieces)}.values()}
    (first, known), *others = sorted(types.items(), key=lambda each: each[0] != pieces[0].name)
    every = list(dict.fromkeys(name for found in (known, *types.values()) for name in found))
    kept = settings.kept(every)
    for file, found in others:
        for name in kept:
            if name not in found:
                raise DataError(f"{file} has no column '{name}', which {first} has: add it, or drop it")
            if name not in known:
                raise DataError(
                    f"{file} has the column '{name}', which {first} does not have: add it there, or drop it"
                )
            both = common_type(known[name], found[name])
            if both is None:
                raise DataError(
                    f"column '{name}' is {known[name]} in {first} and {found[name]} in {file}: "
                    "write the files with one type"
                )
            known[name] = both
    return kept, every


def common_type(one: pl.DataType, other: pl.DataType) -> pl.DataType | None:
    """The type that holds the values of two: the wider one of numbers, any type where a file has no values at all.

    >>> import polars as pl
    >>> common_type(pl.Int32(), pl.Int64()), common_type(pl.Null(), pl.String()), common_type(pl.Int8(), pl.String())
    (Int64, String, None)
    """
    import polars as pl

    one, other = (pl.String() if each == pl.Categorical else each for each in (one, other))
    if one == other or other == pl.Null:
        return one
    if one == pl.Null:
        return other
    if not (one.is_numeric() and other.is_numeric()) or one.is_decimal() or other.is_decimal():
        return None
    if one.is_float() or other.is_float():
        return pl.Float64()
    if pl.UInt64 in (one, other):
        return pl.UInt64() if one.is_unsigned_integer() and other.is_unsigned_integer() else None
    return pl.Int64()
