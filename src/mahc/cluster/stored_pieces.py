"""Data in a store: Parquet objects are read in place; other objects, and one that fits, are copied here first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from mahc.cluster.choosing import Size, certainly_fits, choose_by_size
from mahc.cluster.piece_column import PieceColumn
from mahc.cluster.pieces import ROWS_PER_PIECE, FilePiece
from mahc.data.settings import ReadSettings
from mahc.data.sources.column_files import PARQUET_ENDINGS
from mahc.data.sources.stores import (
    Stored,
    copy_all_here,
    copy_here,
    explaining,
    find_objects,
    is_prefix,
    look_up,
    scan_options,
    table_sign,
)
from mahc.errors import DataError, FormatError
from mahc.files import Address, Copied, Partitions, find_address

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")


@dataclass(frozen=True)
class StoredPiece(FilePiece):
    """Consecutive rows of a Parquet object, which must stay as it was when it was looked up.

    Examples
    --------
    >>> StoredPiece("s3://bucket/a.parquet", 0, 1000, tag="1f0").name
    's3://bucket/a.parquet'
    """

    bytes: int = 0  # of the whole object
    tag: str = ""

    together: ClassVar[int] = 16  # each read asks the store for the footer of the object again

    @property
    def stored(self) -> Stored:
        """The object as it was looked up."""
        return Stored(Address(self.path), self.bytes, self.tag)

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names; the object is looked up again before and after."""
        self.stored.check_unchanged()
        yield from super().columns(names)
        self.stored.check_unchanged()

    def scan(self) -> pl.LazyFrame:
        """The whole object, to be read when columns are asked for."""
        import polars as pl

        options = scan_options(Address(self.path))
        return pl.scan_parquet(self.path, glob=False, hive_partitioning=False, storage_options=options or None)

    def read(self, read: Callable[[], T]) -> T:
        """What `read` returns; an object that was changed or removed meanwhile is refused as that."""
        import polars as pl

        with explaining(Address(self.path)):
            try:
                return read()
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as problem:
                self.stored.check_unchanged()
                if isinstance(problem, OSError):
                    raise
                raise FormatError("the object is damaged or cut off: copy or save it again", self.name) from None


def cut_object(stored: Stored, partitions: Partitions) -> list[StoredPiece]:
    """The pieces of a Parquet object; only its footer is read here."""
    import polars as pl

    if stored.address.suffix not in PARQUET_ENDINGS:
        raise DataError(
            f"{stored.address} is not Parquet: only Parquet objects are read in place, so download it first"
        )
    whole = StoredPiece(stored.address.url, partitions=partitions, bytes=stored.size, tag=stored.tag)
    rows = int(whole.read(lambda: whole.scan().select(pl.len()).collect().item()))
    pieces = []
    for first in range(0, max(rows, 1), ROWS_PER_PIECE):
        taken = min(ROWS_PER_PIECE, rows - first)
        pieces.append(replace(whole, first=first, rows=taken, size=stored.size * taken // max(1, rows)))
    return pieces


@contextmanager
def brought(data: Any, settings: ReadSettings, memory_mebibytes: int | None = None) -> Iterator[Any]:
    """Data as `bring` gives them; a copy is removed at the end."""
    found = bring(data, settings, memory_mebibytes)
    try:
        yield found
    finally:
        if isinstance(found, Copied):
            found.remove()


def bring(data: Any, settings: ReadSettings, memory_mebibytes: int | None = None) -> Any:
    """Data that can be opened here: an address becomes a local copy, or a list of it where it is read in place.

    Parameters
    ----------
    data : object
        Anything that `mahc.learn` takes; what is no address is returned as it is.
    settings : ReadSettings
        How the data are read.
    memory_mebibytes : int, optional
        The memory limit, above which one Parquet object is read in pieces.

    Returns
    -------
    object
        A `Copied`, which the caller removes, or a list with the address, whose objects are read in pieces.
    """
    address = find_address(data)
    if address is None:
        return data
    if is_prefix(address):
        if table_sign(address) is not None:
            return [address]
        objects = find_objects(address)
        if all(stored.address.suffix in PARQUET_ENDINGS for stored, _ in objects):
            return [address]
        return copy_all_here(address, objects)
    if address.on_web or address.suffix not in PARQUET_ENDINGS:
        return copy_here(address)
    stored = look_up(address)
    if certainly_fits(stored.size, memory_mebibytes):
        return copy_here(address)
    pieces = cut_object(stored, ())
    columns = len(settings.kept(list(pieces[0].column_types())))
    size = Size(sum(piece.rows or 0 for piece in pieces), columns, stored.size, len(pieces), exact=True)
    return [address] if choose_by_size(size, settings, memory_mebibytes).in_pieces else copy_here(address)
