"""Delta and Iceberg tables and datasets of pyarrow: the rows of one snapshot, in parts that can be read one at a time.

The folder of such a table also holds files that are no longer part of it, so that its files are never read by
themselves: `deltalake` and `pyiceberg` say which rows of which files the snapshot has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from mahc.data.names import check_count, check_names
from mahc.data.settings import ReadSettings
from mahc.data.source_table import SourceTable
from mahc.data.sources.frames import DELTA, ICEBERG, code_polars, is_table_object, package_of, table_kind
from mahc.data.sources.stores import explaining, list_names, s3_endpoint, scan_options
from mahc.errors import DataError, MahcError
from mahc.files.addresses import Address, find_address
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl

_METADATA = re.compile(r"v?(\d+).*\.metadata\.json")


class Scan(Protocol):
    """Reads columns of a part of a table; it can be sent to another process."""

    def columns(self, names: Sequence[str]) -> Iterator[Any]:
        """The columns as Arrow arrays, with the same rows in the same order."""
        ...


@dataclass(frozen=True)
class TablePart:
    """Some rows of a table: how many, how many bytes they take about, and who reads them."""

    table: str
    rows: int
    size: int
    scan: Scan

    def columns(self, names: Sequence[str]) -> Iterator[pl.Series]:
        """The columns in the order of the names."""
        import polars as pl

        with _explaining(self.table):
            for name, column in zip(names, self.scan.columns(names), strict=True):
                found = pl.from_arrow(column)
                assert isinstance(found, pl.Series)
                yield found.rename(name)


@dataclass(frozen=True)
class OpenTable:
    """One snapshot of a table: its name, the names and types of its columns, and its parts."""

    name: str
    types: dict[str, pl.DataType]
    parts: tuple[TablePart, ...]

    def as_table(self, settings: ReadSettings) -> SourceTable:
        """The chosen columns, not yet interpreted."""
        import polars as pl

        names = tuple(self.types)
        kept = settings.kept(names)
        check_count(kept, self.name)
        if not sum(part.rows for part in self.parts):
            raise DataError(f"{self.name}: {count(len(names), 'column')} but no rows: at least one is needed")
        found: dict[str, list[pl.Series]] = {name: [] for name in kept}
        for part in self.parts:
            for series in part.columns(kept):
                found[series.name].append(series)
        columns = tuple(code_polars(name, pl.concat(found.pop(name)), settings) for name in kept)
        return SourceTable(self.name, tuple(kept), columns, every=names)


def open_table(source: Any) -> OpenTable:
    """Open the present snapshot of a table, or that of an object; later changes of the table are not seen.

    Parameters
    ----------
    source : path, address, deltalake.DeltaTable, pyiceberg Table or pyarrow.dataset.Dataset
        The table.

    Returns
    -------
    OpenTable
        Its columns and parts.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    address = find_address(source)
    name = str(address or source) if isinstance(source, str | os.PathLike | Address) else _NAMES[package_of(source)]
    with _explaining(name, address):
        kind = package_of(source) if is_table_object(source) else table_kind(source)
        if kind == DELTA:
            _need("deltalake", name)
            from deltalake import DeltaTable

            options = None if address is None else scan_options(address)
            found = _open_delta(DeltaTable(_place(source, address), storage_options=options), name)
        elif kind == ICEBERG:
            _need("pyiceberg", name)
            found = _open_iceberg(_load_iceberg(source, address), name)
        else:
            opened: dict[str, Callable[[Any, str], OpenTable]] = {
                "deltalake": _open_delta,
                "pyiceberg": _open_iceberg,
                "pyarrow": _open_dataset,
            }
            found = opened[str(kind)](source, name)
    check_names(list(found.types), name)
    return found


_NAMES = {"deltalake": "the Delta table", "pyiceberg": "the Iceberg table", "pyarrow": "the dataset"}


def _place(source: Any, address: Address | None) -> str:
    return os.fspath(source) if address is None else address.url.rstrip("/")


def _need(package: str, name: str) -> None:
    from importlib.util import find_spec

    if find_spec(package) is None or find_spec("pyarrow") is None:
        raise DataError(f"{name} is a table that needs {package}: pip install 'mahc[tables]'")


@contextmanager
def _explaining(name: str, address: Address | None = None) -> Iterator[None]:
    """What goes wrong in the packages becomes one sentence that names the table."""
    try:
        with explaining(address) if address is not None else _nothing():
            yield
    except MahcError:
        raise
    except (FileNotFoundError, PermissionError) as problem:
        gone = "is gone" if isinstance(problem, FileNotFoundError) else "may not be read"
        raise DataError(f"{name}: a file of the table {gone}: start again, or restore the file") from None
    except Exception as problem:  # each package has exceptions of its own
        if "NotFound" in type(problem).__name__:
            raise DataError(f"{name}: a file of the table is gone: start again, or restore the file") from None
        raise DataError(
            f"{name} cannot be read as a table ({type(problem).__name__}): check it with the program that wrote it"
        ) from None


@contextmanager
def _nothing() -> Iterator[None]:
    yield


# Delta


def _open_delta(table: Any, name: str) -> OpenTable:
    if table.protocol().min_reader_version > 1:  # deletion vectors, column mapping: only its own engine reads these
        rows = next(iter(_query_delta(table, "SELECT count(*) AS n FROM t").columns))[0].as_py()
        scan = DeltaScan(str(table.table_uri), int(table.version()), dict(table._storage_options or {}), table)
        schema = _query_delta(table, "SELECT * FROM t LIMIT 0").schema
        return OpenTable(name, _types(schema), (TablePart(name, int(rows), 0, scan),))
    return _open_dataset(table.to_pyarrow_dataset(), name)


def _query_delta(table: Any, sql: str) -> Any:
    import pyarrow as pa
    from deltalake import QueryBuilder

    return pa.RecordBatchReader.from_stream(QueryBuilder().register("t", table).execute(sql)).read_all()


class DeltaScan:
    """A whole Delta table, read by the engine of deltalake; all columns at once, because rows have no fixed order."""

    def __init__(self, place: str, version: int, options: dict[str, str], table: Any = None) -> None:
        self._place, self._version, self._options, self._table = place, version, options, table

    def __reduce__(self) -> tuple[type[DeltaScan], tuple[object, ...]]:
        return DeltaScan, (self._place, self._version, self._options)

    def columns(self, names: Sequence[str]) -> Iterator[Any]:
        """The columns as Arrow arrays."""
        if self._table is None:
            from deltalake import DeltaTable

            self._table = DeltaTable(self._place, version=self._version, storage_options=self._options or None)
        listed = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        yield from _query_delta(self._table, f"SELECT {listed} FROM t").columns


# Iceberg


def _load_iceberg(source: Any, address: Address | None) -> Any:
    from pyiceberg.table import StaticTable

    if address is None:
        files = [str(path) for path in Path(source).glob("metadata/*.metadata.json")]
        return StaticTable.from_metadata(_latest(files, str(source)))
    files = list_names(address, "metadata/*.metadata.json")
    endpoint = s3_endpoint()
    return StaticTable.from_metadata(_latest(files, str(address)), {"s3.endpoint": endpoint} if endpoint else {})


def _latest(files: Sequence[str], name: str) -> str:
    """The metadata file with the highest number; a table without a catalogue has no other sign of what is current."""
    numbered = [(int(found[1]), file) for file in files if (found := _METADATA.fullmatch(file.rpartition("/")[2]))]
    newest = max(numbered, default=(0, ""))[0]
    chosen = sorted(file for number, file in numbered if number == newest)
    if len(chosen) != 1:
        raise DataError(
            f"{name}: {count(len(chosen), 'file')} of metadata could be the current one: load the table from its "
            "catalogue with pyiceberg, and pass the table"
        )
    return chosen[0]


def _open_iceberg(table: Any, name: str) -> OpenTable:
    from pyiceberg.io.pyarrow import schema_to_pyarrow

    snapshot = table.current_snapshot()
    scan = table.scan(snapshot_id=None if snapshot is None else snapshot.snapshot_id)
    parts = []
    for task in sorted(scan.plan_files(), key=lambda task: str(task.file.file_path)):
        own = IcebergScan(table.metadata, table.io, None if snapshot is None else snapshot.snapshot_id, task)
        rows = task.file.record_count if not task.delete_files else own.count()
        parts.append(TablePart(name, int(rows), int(task.file.file_size_in_bytes), own))
    return OpenTable(name, _types(schema_to_pyarrow(scan.projection())), tuple(parts))


class IcebergScan:
    """One file of an Iceberg table, without the rows that were deleted from it."""

    def __init__(self, metadata: Any, io: Any, snapshot: int | None, task: Any) -> None:
        self._metadata, self._io, self._snapshot, self._task = metadata, io, snapshot, task

    def columns(self, names: Sequence[str]) -> Iterator[Any]:
        """The columns as Arrow arrays."""
        for name in names:
            yield self._read((name,)).column(name)

    def count(self) -> int:
        """How many rows are left."""
        return int(self._read(("*",)).num_rows)

    def _read(self, names: tuple[str, ...]) -> Any:
        from pyiceberg.expressions import AlwaysTrue
        from pyiceberg.io.pyarrow import ArrowScan
        from pyiceberg.table import DataScan

        chosen = DataScan(self._metadata, self._io, selected_fields=names, snapshot_id=self._snapshot)
        return ArrowScan(self._metadata, self._io, chosen.projection(), AlwaysTrue()).to_table([self._task])


# Datasets of pyarrow


def _open_dataset(data: Any, name: str) -> OpenTable:
    types = _types(data.schema)
    if getattr(data, "_scan_options", None):  # filtered: pyarrow then gives no fragments
        return OpenTable(name, types, (TablePart(name, data.count_rows(), 0, WholeScan(data)),))
    fragments = list(data.get_fragments())
    if all(hasattr(each, "path") for each in fragments):
        fragments.sort(key=lambda each: str(each.path))
    parts = []
    for each in fragments:
        for part in each.split_by_row_group() if hasattr(each, "split_by_row_group") else [each]:
            groups = getattr(part, "row_groups", None) or ()
            size = sum(getattr(group, "total_byte_size", 0) or 0 for group in groups)
            parts.append(TablePart(name, part.count_rows(), size, FragmentScan(part, data.schema)))
    return OpenTable(name, types, tuple(parts))


@dataclass(frozen=True)
class FragmentScan:
    """Rows of one file of a dataset, with the columns that its partition gives."""

    fragment: Any
    schema: Any

    def columns(self, names: Sequence[str]) -> Iterator[Any]:
        """The columns as Arrow arrays."""
        for name in names:
            yield self.fragment.to_table(schema=self.schema, columns=[name]).column(0)


@dataclass(frozen=True)
class WholeScan:
    """All rows of a dataset; read at once, so that the order of the rows is the same in all columns."""

    data: Any

    def columns(self, names: Sequence[str]) -> Iterator[Any]:
        """The columns as Arrow arrays."""
        yield from self.data.to_table(columns=list(names)).columns


def _types(schema: Any) -> dict[str, pl.DataType]:
    import polars as pl

    empty = pl.from_arrow(schema.empty_table())
    assert isinstance(empty, pl.DataFrame)
    return dict(empty.schema)
